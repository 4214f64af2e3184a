//! Pruning where chance has a say: Star1 and Star2 (Ballard 1983), and Star2.5, which is Star2 with
//! more than one probe (Hauk, Buro, Schaeffer 2004); Heyden (2009) used it for Carcassonne.
//!
//! Values lie between the bounds of the [evaluation](spielbaum_core::Eval::range). At a chance node
//! the values found so far and the bounds of those to come tell what the next outcome must be worth
//! to matter; Star2 first probes a move or a few after each outcome, which gives better bounds. The
//! value of the root, and of every move that is best, is that of the search without pruning.
//!
//! Results are fail-soft: within the window exact, at or beyond its ends bounds. Chance nodes are not asked for
//! [as a whole](spielbaum_core::Eval::expected_after_chance): what is left out is the point.

use super::config::Prune;
use super::search::Search;
use crate::table::{Bound, Entry};
use spielbaum_core::{Game, Hint, Line, Turn};

/// What lies between alpha and beta matters.
#[derive(Clone, Copy)]
struct Window {
    alpha: f64,
    beta: f64,
}

/// An outcome of chance with what is known about its value.
#[derive(Clone, Copy)]
struct Outcome<M> {
    m: M,
    weight: f64,
    lower: f64,
    upper: f64,
}

/// Working memory of the pruned search, kept between searches.
pub(super) struct Ordered<M> {
    outcomes: Vec<Outcome<M>>,
    hints: Vec<Hint>,
    pairs: Vec<(i32, M)>,
}

impl<M> Default for Ordered<M> {
    fn default() -> Self {
        Ordered { outcomes: Vec::new(), hints: Vec::new(), pairs: Vec::new() }
    }
}

impl<M> Ordered<M> {
    /// A search that was stopped leaves its stack behind.
    pub(super) fn clear(&mut self) {
        self.outcomes.clear();
    }
}

impl<G: Game> Search<'_, '_, G> {
    /// As [`root`](Search::root); moves that are not best have upper bounds.
    pub(super) fn star_root(
        &mut self,
        pos: &mut G,
        depth: u32,
        lines: &mut [Line<G::Move>],
    ) -> usize {
        self.memory.stack.clear();
        self.memory.ordered.clear();
        let (least, most) = self.range;
        let mut best = f64::NEG_INFINITY;
        for (i, line) in lines.iter_mut().enumerate() {
            let before = self.task.meter.nodes();
            let window = Window { alpha: best.max(least - 1.0), beta: most + 1.0 };
            let value = self.star_child(pos, line.mv, depth, 1.0, window);
            line.visits += self.task.meter.nodes() - before;
            let Some(value) = value else { return i };
            line.value = value;
            line.bound = if f64::from(value) <= best { Bound::Upper } else { Bound::Exact };
            best = best.max(f64::from(value));
        }
        lines.len()
    }

    #[inline]
    fn star_child(
        &mut self,
        pos: &mut G,
        m: G::Move,
        depth: u32,
        probability: f32,
        window: Window,
    ) -> Option<f32> {
        if self.task.meter.is_stopped() {
            return None;
        }
        self.task.meter.node();
        pos.explore(m, |next| self.star_value(next, depth - 1, probability, window))
    }

    fn star_value(
        &mut self,
        pos: &mut G,
        depth: u32,
        probability: f32,
        window: Window,
    ) -> Option<f32> {
        let is_rare = probability < self.config.cutoff;
        match pos.turn() {
            _ if depth == 0 => Some(self.leaf(pos)),
            Turn::Chance if is_rare => Some(self.leaf(pos)),
            Turn::Chance => self.star_chance(pos, depth, probability, window),
            Turn::Player(mover) => {
                let depth = if is_rare { 1 } else { depth };
                let own = usize::from(mover) == self.seat;
                self.star_decision(pos, depth, probability, own, window, u32::MAX)
            }
        }
    }

    /// The best of the first `most` moves: of all of them the value, of some a bound.
    fn star_decision(
        &mut self,
        pos: &mut G,
        depth: u32,
        probability: f32,
        own: bool,
        mut window: Window,
        most: u32,
    ) -> Option<f32> {
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
        let last = self.memory.stack.len();
        if last == first {
            return Some(self.eval.expected(pos, self.seat));
        }
        if depth > 1 {
            self.sort(pos, first);
        }
        let mut best: Option<f32> = None;
        for i in first..last.min(first.saturating_add(most as usize)) {
            let value = self.star_child(pos, self.memory.stack[i], depth, probability, window)?;
            let is_better = best.is_none_or(|b| if own { value > b } else { value < b });
            best = if is_better { Some(value) } else { best };
            let value = f64::from(value);
            if own {
                window.alpha = window.alpha.max(value);
            } else {
                window.beta = window.beta.min(value);
            }
            // Nobody does better than the best there is.
            let is_extreme = if own { value >= self.range.1 } else { value <= self.range.0 };
            if is_extreme || window.alpha >= window.beta {
                break;
            }
        }
        self.memory.stack.truncate(first);
        best
    }

    /// Moves on the stack from `first` on by the evaluation's order.
    fn sort(&mut self, pos: &G, first: usize) {
        let super::search::Memory { stack, ordered, .. } = &mut *self.memory;
        ordered.hints.clear();
        self.eval.hints(pos, &stack[first..], &mut ordered.hints);
        ordered.pairs.clear();
        let orders = ordered.hints.iter().map(|h| h.order);
        ordered.pairs.extend(orders.zip(stack[first..].iter().copied()));
        ordered.pairs.sort_by_key(|&(order, _)| std::cmp::Reverse(order));
        for (m, pair) in stack[first..].iter_mut().zip(&ordered.pairs) {
            *m = pair.1;
        }
    }

    fn star_chance(
        &mut self,
        pos: &mut G,
        depth: u32,
        probability: f32,
        window: Window,
    ) -> Option<f32> {
        let key = if self.memory.table.is_some() { self.eval.key(pos) } else { 0 };
        if let Some(value) = self.star_known(key, depth, window) {
            return Some(value);
        }
        let (least, most) = self.range;
        let moves = self.memory.stack.len();
        pos.moves(&mut self.memory.stack);
        let first = self.memory.ordered.outcomes.len();
        let outcomes = self.memory.stack[moves..].iter().map(|&m| Outcome {
            m,
            weight: f64::from(pos.weight(m)),
            lower: least,
            upper: most,
        });
        self.memory.ordered.outcomes.extend(outcomes);
        self.memory.stack.truncate(moves);
        let total: f64 = self.memory.ordered.outcomes[first..].iter().map(|o| o.weight).sum();
        if total == 0.0 {
            return Some(self.eval.expected(pos, self.seat));
        }
        let was_open = std::mem::take(&mut self.is_open);
        let node = Node { first, total, depth, probability };
        let found = match self.probe_all(pos, &node, window)? {
            Some(bound) => bound,
            None => self.search_all(pos, &node, window)?,
        };
        self.memory.ordered.outcomes.truncate(first);
        let (value, bound) = found;
        if let Some(table) = &mut self.memory.table {
            let score = value.to_bits() as i32;
            let settled = !self.is_open;
            table.store(key, Entry { score, depth: depth as u8, bound, settled, code: None });
        }
        self.is_open |= was_open;
        Some(value)
    }

    /// Star2: bounds from the first moves after each outcome. A cut, if they suffice for one.
    fn probe_all(
        &mut self,
        pos: &mut G,
        node: &Node,
        window: Window,
    ) -> Option<Option<(f32, Bound)>> {
        let Prune::Star2 { probes } = self.config.prune else { return Some(None) };
        if node.depth < 2 {
            return Some(None);
        }
        for i in node.first..self.memory.ordered.outcomes.len() {
            let (lower, upper) = self.sums(node.first);
            let outcome = self.memory.ordered.outcomes[i];
            let share = (outcome.weight / node.total) as f32;
            let (depth, probability) = (node.depth - 1, node.probability * share);
            if self.task.meter.is_stopped() {
                return None;
            }
            self.task.meter.node();
            // The probed moves must be told from each other up to where this outcome alone decides.
            let alone = |end: f64, others: f64| (end * node.total - others) / outcome.weight;
            let beta = alone(window.beta, lower - outcome.weight * outcome.lower);
            let alpha = alone(window.alpha, upper - outcome.weight * outcome.upper);
            let probed = pos.explore(outcome.m, |next| {
                let Turn::Player(mover) = next.turn() else { return Some(None) };
                if next.is_over() || probability < self.config.cutoff {
                    return Some(None);
                }
                let own = usize::from(mover) == self.seat;
                // Nothing is below the least value or above the most: what comes back is a bound.
                let (least, most) = self.range;
                let sure = match own {
                    true => Window { alpha: least - 1.0, beta: beta.min(most + 1.0) },
                    false => Window { alpha: alpha.max(least - 1.0), beta: most + 1.0 },
                };
                let value = self.star_decision(next, depth, probability, own, sure, probes)?;
                Some(Some((own, f64::from(value))))
            })?;
            let Some((own, value)) = probed else { continue };
            let known = &mut self.memory.ordered.outcomes[i];
            if own {
                known.lower = known.lower.max(value.min(known.upper));
            } else {
                known.upper = known.upper.min(value.max(known.lower));
            }
            let (lower, upper) = self.sums(node.first);
            let (lower, upper) = (lower / node.total, upper / node.total);
            if lower >= window.beta {
                return Some(Some((at_least(lower, window.beta), Bound::Lower)));
            }
            if upper <= window.alpha {
                return Some(Some((at_most(upper, window.alpha), Bound::Upper)));
            }
        }
        Some(None)
    }

    /// Star1: the outcomes one by one, each within what it must be worth to matter.
    fn search_all(&mut self, pos: &mut G, node: &Node, window: Window) -> Option<(f32, Bound)> {
        let mut sum = 0.0;
        for i in node.first..self.memory.ordered.outcomes.len() {
            let outcome = self.memory.ordered.outcomes[i];
            let (lower, upper) = self.sums(i + 1);
            let inner = Window {
                alpha: (window.alpha * node.total - sum - upper) / outcome.weight,
                beta: (window.beta * node.total - sum - lower) / outcome.weight,
            };
            // Nothing that this outcome can be worth may matter any more.
            if inner.beta <= outcome.lower {
                let bound = (sum + outcome.weight * outcome.lower + lower) / node.total;
                return Some((at_least(bound, window.beta), Bound::Lower));
            }
            if inner.alpha >= outcome.upper {
                let bound = (sum + outcome.weight * outcome.upper + upper) / node.total;
                return Some((at_most(bound, window.alpha), Bound::Upper));
            }
            let (least, most) = self.range;
            let clipped =
                Window { alpha: inner.alpha.max(least - 1.0), beta: inner.beta.min(most + 1.0) };
            let share = (outcome.weight / node.total) as f32;
            let probability = node.probability * share;
            let value =
                f64::from(self.star_child(pos, outcome.m, node.depth, probability, clipped)?);
            sum += outcome.weight * value;
            if value >= inner.beta {
                return Some((at_least((sum + lower) / node.total, window.beta), Bound::Lower));
            }
            if value <= inner.alpha {
                return Some((at_most((sum + upper) / node.total, window.alpha), Bound::Upper));
            }
        }
        Some(((sum / node.total) as f32, Bound::Exact))
    }

    /// What the outcomes from one on are worth at least and at most, by their weights.
    fn sums(&self, first: usize) -> (f64, f64) {
        let add = |(lower, upper), o: &Outcome<G::Move>| {
            (lower + o.weight * o.lower, upper + o.weight * o.upper)
        };
        self.memory.ordered.outcomes[first..].iter().fold((0.0, 0.0), add)
    }

    /// What the table knows of a chance node, if it is enough for this window.
    fn star_known(&mut self, key: u64, depth: u32, window: Window) -> Option<f32> {
        let entry = self.entry(key, depth)?;
        let value = f32::from_bits(entry.score as u32);
        let is_enough = match entry.bound {
            Bound::Exact => true,
            Bound::Lower => f64::from(value) >= window.beta,
            Bound::Upper => f64::from(value) <= window.alpha,
        };
        if is_enough {
            self.is_open |= !entry.settled;
        }
        is_enough.then_some(value)
    }
}

/// A lower bound that ends the search of a node must not be rounded to below the end of its window,
/// or it would be taken for a value.
fn at_least(bound: f64, beta: f64) -> f32 {
    let rounded = bound.max(beta) as f32;
    if f64::from(rounded) < beta { rounded.next_up() } else { rounded }
}

/// The same of an upper bound.
fn at_most(bound: f64, alpha: f64) -> f32 {
    let rounded = bound.min(alpha) as f32;
    if f64::from(rounded) > alpha { rounded.next_down() } else { rounded }
}

/// A chance node that is searched.
struct Node {
    /// Where its outcomes begin.
    first: usize,
    /// The sum of their weights.
    total: f64,
    depth: u32,
    probability: f32,
}
