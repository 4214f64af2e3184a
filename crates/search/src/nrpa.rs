//! Nested rollout policy adaptation (Rosin 2011), for games of one player without chance.
//!
//! Level 0 plays a game by a softmax policy. A higher level calls the level below N times, each
//! time with the policy it has come to, keeps the best sequence (of equals the last), and adapts its
//! policy towards it: at every decision of the sequence its move gains alpha, and all legal moves lose
//! alpha times their probability. Policies are handed down only.

use crate::random::choices;
use crate::softmax::{Softmax, Step};
use crate::trace::{Coding, Trace};
use spielbaum_core::{
    Bound, Forfeit, Limits, Line, MAX_PLAYERS, OnePlayer, Player, Report, Rng, Task,
};

/// A nested search.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct NrpaConfig {
    /// Levels above the playouts, at least 1: `n` to this power playouts.
    pub level: u32,
    /// Calls of the level below.
    pub n: u32,
    /// Size of a step of adaptation.
    pub alpha: f64,
    /// What moves are known by.
    pub coding: Coding,
}

impl Default for NrpaConfig {
    fn default() -> Self {
        NrpaConfig { level: 3, n: 100, alpha: 1.0, coding: Coding::Code }
    }
}

/// A sequence of moves with what it is worth.
struct Sequence<M> {
    value: f32,
    moves: Vec<M>,
    trace: Trace,
}

/// What a level knows.
struct Level<M> {
    policy: Softmax,
    best: Sequence<M>,
}

/// Nested rollout policy adaptation as a player. It searches once and then plays the sequence it
/// has found, as long as the game follows it.
///
/// ```
/// use spielbaum_core::{Limits, Player, Task};
/// use spielbaum_games::morpion::{Morpion, Variant};
/// use spielbaum_search::nrpa::{Nrpa, NrpaConfig};
/// let game = Morpion::new(Variant::Disjoint);
/// let mut nrpa = Nrpa::new(NrpaConfig { level: 2, n: 20, ..NrpaConfig::default() }, 7);
/// let report = nrpa.think(&game, &mut Task::new(Limits::default())).unwrap();
/// assert_eq!(report.iterations, 400);
/// assert!(report.value > 50.0 && report.pv.len() as f32 == report.value);
/// ```
pub struct Nrpa<G: OnePlayer> {
    config: NrpaConfig,
    rng: Rng,
    /// From the playouts, whose level has no use for its policy, to the top.
    levels: Vec<Level<G::Move>>,
    /// The moves to choose from at the root, and how each has done.
    root: Vec<(G::Move, u64, f32)>,
    scratch: Vec<G::Move>,
    /// The rest of the sequence found, with the key of the position in which it goes on.
    plan: Option<Plan<G::Move>>,
}

struct Plan<M> {
    key: u64,
    value: f32,
    /// In reverse: the next move is the last.
    moves: Vec<M>,
}

impl<G: OnePlayer> Nrpa<G> {
    /// The search of a seed.
    pub fn new(config: NrpaConfig, seed: u64) -> Self {
        let level = || Level {
            policy: Softmax::new(1.0),
            best: Sequence {
                value: f32::NEG_INFINITY,
                moves: Vec::new(),
                trace: Trace::new(config.coding, true),
            },
        };
        Nrpa {
            config,
            rng: Rng::new(seed),
            levels: (0..=config.level.max(1)).map(|_| level()).collect(),
            root: Vec::new(),
            scratch: Vec::new(),
            plan: None,
        }
    }

    /// Runs a level with the policy that is in it, and leaves the best sequence there. `pos` is
    /// working memory.
    fn run(&mut self, level: usize, root: &G, pos: &mut G, task: &mut Task<'_, G::Move>) {
        if level == 0 {
            return self.play_out(root, pos, task);
        }
        self.levels[level].best.value = f32::NEG_INFINITY;
        let alpha = self.config.alpha;
        let steps = [Step { gain: alpha, rate: alpha }; MAX_PLAYERS];
        for nth in 0..self.config.n {
            if level > 1 {
                let (below, here) = self.levels.split_at_mut(level);
                below[level - 1].policy.copy_from(&here[0].policy);
            } else if !task.meter.iteration() {
                return;
            }
            self.run(level - 1, root, pos, task);
            let (below, here) = self.levels.split_at_mut(level);
            let (below, here) = (&mut below[level - 1], &mut here[0]);
            // The level below begins anew, so its sequence may be taken away.
            if below.best.value >= here.best.value {
                std::mem::swap(&mut below.best, &mut here.best);
            }
            if task.meter.is_stopped() {
                return;
            }
            if nth + 1 < self.config.n {
                here.policy.adapt(&here.best.trace, &steps);
            }
            if task.is_due()
                && let Some(report) = self.report(task)
            {
                task.publish(&report);
            }
        }
    }

    /// Plays a game by the policy of level 1.
    fn play_out(&mut self, root: &G, pos: &mut G, task: &mut Task<'_, G::Move>) {
        pos.clone_from(root);
        let (playout, above) = self.levels.split_at_mut(1);
        let (sequence, policy) = (&mut playout[0].best, &mut above[0].policy);
        sequence.moves.clear();
        sequence.trace.clear();
        let mut first = None;
        loop {
            self.scratch.clear();
            if first.is_none() {
                self.scratch.extend(self.root.iter().map(|r| r.0));
            } else {
                pos.moves(&mut self.scratch);
            }
            let plies = sequence.moves.len() as u32;
            if self.scratch.is_empty() || !task.meter.allows_depth(plies + 1) {
                break;
            }
            let cells = sequence.trace.offer(pos, 0, &self.scratch);
            let index = policy.draw(cells, &mut self.rng);
            sequence.trace.decide(0, self.scratch.len(), index);
            let m = self.scratch[index];
            sequence.moves.push(m);
            pos.play(m);
            first.get_or_insert(index);
            task.meter.node();
            if task.meter.is_expired() {
                break;
            }
        }
        sequence.value = pos.payoffs()[0];
        if let Some(index) = first {
            let (_, visits, best) = &mut self.root[index];
            *visits += 1;
            *best = best.max(sequence.value);
        }
    }

    /// The best sequence of any level: a search that was cut short has it further down.
    fn best(&self) -> Option<&Sequence<G::Move>> {
        let found = self.levels[1..].iter().map(|l| &l.best).filter(|s| s.value.is_finite());
        found.reduce(|a, b| if b.value >= a.value { b } else { a })
    }

    fn report(&self, task: &Task<'_, G::Move>) -> Option<Report<G::Move>> {
        let best = self.best()?;
        let mut report = Report::new(*best.moves.first()?, best.value, &task.meter);
        report.pv.clone_from(&best.moves);
        report.depth = best.moves.len() as u32;
        let mut lines: Vec<_> = self.root.iter().filter(|r| r.1 > 0).copied().collect();
        // The chosen move first, whatever ties with it; a stable sort.
        lines.sort_by(|a, b| {
            let first = (b.0 == report.best).cmp(&(a.0 == report.best));
            first.then(b.2.total_cmp(&a.2)).then(b.1.cmp(&a.1))
        });
        report.lines = (lines.into_iter())
            .map(|(mv, visits, value)| Line {
                mv,
                visits,
                value,
                bound: Bound::Exact,
                prior: None,
                proven: None,
            })
            .collect();
        Some(report)
    }

    /// The next move of the plan, if the position is where it goes on.
    fn planned(&self, pos: &G, task: &Task<'_, G::Move>) -> Option<Report<G::Move>> {
        let plan = self.plan.as_ref().filter(|p| p.key == pos.key())?;
        let &next = plan.moves.last().filter(|&&m| task.admits(m))?;
        let mut report = Report::new(next, plan.value, &task.meter);
        report.pv = plan.moves.iter().rev().copied().collect();
        report.depth = plan.moves.len() as u32;
        report.note = Some("the sequence found earlier".into());
        Some(report)
    }
}

impl<G: OnePlayer> Player<G> for Nrpa<G> {
    fn think(&mut self, pos: &G, task: &mut Task<'_, G::Move>) -> Result<Report<G::Move>, Forfeit> {
        if let Some(report) = self.planned(pos, task) {
            return Ok(report);
        }
        let (_, moves) = choices(pos, task)?;
        self.root.clear();
        self.root.extend(moves.iter().map(|&m| (m, 0, f32::NEG_INFINITY)));
        let width = self.config.coding.count(pos);
        for level in &mut self.levels {
            level.best.value = f32::NEG_INFINITY;
            level.best.trace.set_width(width);
        }
        let top = self.levels.len() - 1;
        self.levels[top].policy.reset(width, 0.0);
        self.run(top, pos, &mut pos.clone(), task);
        let report = self.report(task).unwrap_or_else(|| {
            // Stopped before the first playout.
            Report::new(moves[0], pos.payoffs()[0], &task.meter)
        });
        // A choice among some of the moves is no plan for the game.
        let mut all = Vec::new();
        pos.moves(&mut all);
        let plan = report.pv.iter().rev().copied().collect();
        let plan = Plan { key: pos.key(), value: report.value, moves: plan };
        self.plan = (all.len() == moves.len()).then_some(plan);
        Ok(report)
    }

    /// The nesting ends it, whatever the limits.
    fn is_bounded_by(&self, _limits: &Limits) -> bool {
        true
    }

    fn restart(&mut self, seed: u64) {
        self.rng = Rng::new(seed);
        self.plan = None;
    }

    /// The plan goes on as long as the game follows it.
    fn observe(&mut self, pos: &G, m: G::Move) {
        self.plan = self.plan.take().filter(|plan| plan.key == pos.key()).and_then(|mut plan| {
            let follows = plan.moves.pop() == Some(m);
            let mut next = pos.clone();
            next.play(m);
            plan.key = next.key();
            (follows && !plan.moves.is_empty()).then_some(plan)
        });
    }

    fn bytes(&self) -> usize {
        self.levels.iter().map(|l| l.policy.bytes() + l.best.trace.bytes()).sum()
    }
}
