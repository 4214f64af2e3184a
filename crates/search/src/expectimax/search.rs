//! The recursion.

use super::config::{ExpectimaxConfig, Prune, TableRule};
use super::star::Ordered;
use crate::table::{Bound, Entry, Table};
use spielbaum_core::{Eval, Game, Line, Report, Task, Turn};

/// What a search keeps from one think to the next.
pub(super) struct Memory<M> {
    pub(super) table: Option<Table>,
    pub(super) stack: Vec<M>,
    /// Keys that will be looked up next.
    pub(super) keys: Vec<u64>,
    /// What a search that prunes needs.
    pub(super) ordered: Ordered<M>,
}

/// What there is to say of a chance node.
enum Mean {
    Value(f32),
    /// Nothing can happen any more.
    Over,
}

/// One depth of one search.
pub(super) struct Search<'a, 't, G: Game> {
    pub(super) config: &'a ExpectimaxConfig,
    pub(super) eval: &'a dyn Eval<G>,
    pub(super) memory: &'a mut Memory<G::Move>,
    pub(super) task: &'a mut Task<'t, G::Move>,
    /// Whose expectation it is.
    pub(super) seat: usize,
    /// Between which values all evaluations lie, for a search that prunes.
    pub(super) range: (f64, f64),
    /// Whether something was left to search below the horizon.
    pub(super) is_open: bool,
    /// The report of the last completed depth, to be repeated while this one takes long.
    pub(super) latest: &'a Report<G::Move>,
}

impl<G: Game> Search<'_, '_, G> {
    /// Searches the root moves; returns how many were finished.
    pub(super) fn root(&mut self, pos: &mut G, depth: u32, lines: &mut [Line<G::Move>]) -> usize {
        if self.config.prune != Prune::None {
            return self.star_root(pos, depth, lines);
        }
        self.memory.stack.clear();
        for (i, line) in lines.iter_mut().enumerate() {
            let before = self.task.meter.nodes();
            let value = self.child(pos, line.mv, depth, 1.0);
            line.visits += self.task.meter.nodes() - before;
            let Some(value) = value else { return i };
            line.value = value;
        }
        lines.len()
    }

    /// The value after a move; `None` if the search is to stop.
    #[inline]
    fn child(&mut self, pos: &mut G, m: G::Move, depth: u32, probability: f32) -> Option<f32> {
        if self.task.meter.is_stopped() {
            return None;
        }
        self.task.meter.node();
        pos.explore(m, |next| self.value(next, depth - 1, probability))
    }

    /// The value of a position `depth` plies above the horizon, reached with a probability that
    /// chance alone decides.
    fn value(&mut self, pos: &mut G, depth: u32, probability: f32) -> Option<f32> {
        let is_rare = probability < self.config.cutoff;
        match pos.turn() {
            _ if depth == 0 => Some(self.leaf(pos)),
            Turn::Chance if is_rare => Some(self.leaf(pos)),
            Turn::Chance => self.chance(pos, depth, probability),
            Turn::Player(mover) => {
                let depth = if is_rare { 1 } else { depth };
                self.decision(pos, depth, probability, usize::from(mover) == self.seat)
            }
        }
    }

    pub(super) fn leaf(&mut self, pos: &G) -> f32 {
        self.is_open = self.is_open || !pos.is_over();
        self.eval.expected(pos, self.seat)
    }

    fn decision(&mut self, pos: &mut G, depth: u32, probability: f32, own: bool) -> Option<f32> {
        if depth == 1
            && own
            && let Some((value, plays)) = self.eval.expected_next(pos, self.seat)
        {
            if self.task.meter.is_stopped() {
                return None;
            }
            self.task.meter.plays(plays.into());
            self.is_open |= plays > 0;
            return Some(value);
        }
        let first = self.memory.stack.len();
        pos.moves(&mut self.memory.stack);
        if self.memory.stack.len() == first {
            return Some(self.eval.expected(pos, self.seat));
        }
        self.touch_next(pos);
        let mut best = None;
        for i in first..self.memory.stack.len() {
            let value = self.child(pos, self.memory.stack[i], depth, probability)?;
            let is_better = best.is_none_or(|b| if own { value > b } else { value < b });
            best = if is_better { Some(value) } else { best };
        }
        self.memory.stack.truncate(first);
        best
    }

    /// Chance nodes wait for the table longer than for anything else: their entries are fetched side
    /// by side.
    #[inline]
    fn touch_next(&mut self, pos: &G) {
        let Memory { table: Some(table), keys, .. } = &mut *self.memory else { return };
        keys.clear();
        self.eval.keys_next(pos, keys);
        keys.iter().for_each(|&key| table.touch(key));
    }

    fn chance(&mut self, pos: &mut G, depth: u32, probability: f32) -> Option<f32> {
        let key = if self.memory.table.is_some() { self.eval.key(pos) } else { 0 };
        if let Some(value) = self.known(key, depth) {
            return Some(value);
        }
        let was_open = std::mem::take(&mut self.is_open);
        let value = match self.mean(pos, depth, probability)? {
            Mean::Value(value) => value,
            // The end is told by the position, not by its key.
            Mean::Over => {
                self.is_open |= was_open;
                return Some(self.eval.expected(pos, self.seat));
            }
        };
        if let Some(table) = &mut self.memory.table {
            let entry = Entry {
                score: value.to_bits() as i32,
                depth: depth as u8,
                bound: Bound::Exact,
                settled: !self.is_open,
                code: None,
            };
            table.store(key, entry);
        }
        self.is_open |= was_open;
        if self.task.is_due() {
            let (nodes, elapsed) = (self.task.meter.nodes(), self.task.meter.elapsed());
            self.task.publish(&Report { nodes, elapsed, ..self.latest.clone() });
        }
        Some(value)
    }

    /// The mean over all outcomes of a chance node; `None` if the search is to stop.
    fn mean(&mut self, pos: &mut G, depth: u32, probability: f32) -> Option<Mean> {
        if depth == 2
            && let Some(value) = self.after_chance(pos)
        {
            return Some(Mean::Value(value));
        }
        let first = self.memory.stack.len();
        pos.moves(&mut self.memory.stack);
        let outcomes = &self.memory.stack[first..];
        let total: u32 = outcomes.iter().map(|&m| pos.weight(m)).sum();
        if total == 0 {
            self.memory.stack.truncate(first);
            return Some(Mean::Over);
        }
        let share = 1.0 / total as f32;
        let chance_of = |weight: f32| probability * weight * share;
        let is_rare = |&m: &G::Move| chance_of(pos.weight(m) as f32) < self.config.cutoff;
        // After rare outcomes one move follows, whatever the depth.
        if depth > 2
            && outcomes.iter().all(is_rare)
            && let Some(value) = self.after_chance(pos)
        {
            self.memory.stack.truncate(first);
            return Some(Mean::Value(value));
        }
        let mut sum = 0.0;
        for i in first..self.memory.stack.len() {
            let m = self.memory.stack[i];
            let weight = pos.weight(m) as f32;
            let value = self.child(pos, m, depth, chance_of(weight))?;
            sum += f64::from(weight) * f64::from(value);
        }
        self.memory.stack.truncate(first);
        Some(Mean::Value((sum / f64::from(total)) as f32))
    }

    /// The mean over all outcomes of a chance node, each followed by one move, where the evaluation tells
    /// it and the budget of plays reaches beyond; `None`: look at them one by one. So the search ends after the same
    /// play either way.
    #[inline]
    fn after_chance(&mut self, pos: &G) -> Option<f32> {
        if self.task.meter.is_stopped() {
            return None;
        }
        let after = self.eval.expected_after_chance(pos, self.seat)?;
        let plays = u64::from(after.outcomes + after.moves);
        if !self.task.meter.has_plays(plays) {
            return None;
        }
        self.task.meter.plays(plays);
        self.is_open |= after.moves > 0;
        Some(after.value)
    }

    /// The value of a chance node, if the table has one that may be used.
    #[inline]
    fn known(&mut self, key: u64, depth: u32) -> Option<f32> {
        let entry = self.entry(key, depth)?;
        self.is_open |= !entry.settled;
        Some(f32::from_bits(entry.score as u32))
    }

    /// What the table says about a chance node, if it may be used.
    #[inline]
    pub(super) fn entry(&self, key: u64, depth: u32) -> Option<Entry> {
        let entry = self.memory.table.as_ref()?.probe(key)?;
        let stored = u32::from(entry.depth);
        let is_good = match self.config.table_rule {
            TableRule::Exact => stored == depth || (entry.settled && stored < depth),
            TableRule::Stored => stored >= depth || entry.settled,
            TableRule::Literal => stored <= depth,
        };
        is_good.then_some(entry)
    }
}
