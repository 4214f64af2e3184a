//! Alpha-beta search with iterative deepening (Knuth and Moore 1975; Slate and Atkin 1977).
//!
//! One module for the whole family: what a variant adds is a switch in [`AlphaBetaConfig`].

mod order;
mod search;

use crate::random::choices;
use crate::score;
use crate::table::{Replace, Table};
use order::MoveStack;
use search::{Memory, RootMove, Search, Window};
use spielbaum_core::{Eval, Forfeit, Limits, Line, Player, Proof, Report, Task, TwoPlayer};

/// The deepest search: what a table entry can tell.
pub const MAX_DEPTH: u32 = 250;

/// What makes one alpha-beta search different from another.
#[derive(Clone, PartialEq, Debug)]
pub struct AlphaBetaConfig {
    /// Whether to keep a transposition table.
    pub table: bool,
    /// The most memory of the table, in bytes.
    pub memory: usize,
    /// Which entry of a full table goes.
    pub replace: Replace,
    /// Whether a depth that is not completed may change the move: the best move of the depth
    /// before is searched first, so a move that is better in the unfinished depth is better.
    /// The depth of the report stays that of the completed one; moves not reached keep its
    /// values. Otherwise an unfinished depth is thrown away.
    pub partial: bool,
}

impl Default for AlphaBetaConfig {
    fn default() -> Self {
        AlphaBetaConfig { table: true, memory: 16 << 20, replace: Replace::Shallow, partial: true }
    }
}

/// Alpha-beta search as a player: negamax, fail-soft, iterative deepening, transposition
/// table; the move of the table first, then by [`Eval::order`].
///
/// At a fixed depth it finds the value of plain [`negamax`](crate::minimax::negamax), with a
/// table and without. It ends by itself when the result is proven or nothing is left to
/// search, and after depth 1 when there is only one legal move.
///
/// In the report, a line's visits are the plays spent on the move. The value of the best move
/// is that of its depth; the values of the others are upper bounds, for alpha-beta only proves
/// that they are not better.
///
/// The game must be a function of [`key`](spielbaum_core::Game::key); scores that rest on a
/// repetition will need a flag of their own (see `Value` in the source).
///
/// ```
/// use spielbaum_core::{Limits, Player, Proof, Task};
/// use spielbaum_core::synthetic::{HashedEval, Literal};
/// use spielbaum_search::alphabeta::{AlphaBeta, AlphaBetaConfig};
/// let game = Literal::two_player("((1 0) (1 (= 1)) (0 0))").unwrap();
/// let eval = Box::new(HashedEval { seed: 1, spread: 100 });
/// let mut player = AlphaBeta::new(&AlphaBetaConfig::default(), eval);
/// let report = player.think(&game, &mut Task::new(Limits::depth(9))).unwrap();
/// assert_eq!(report.best.to_string(), "2");
/// assert_eq!(report.proven, Some(Proof::Win));
/// ```
pub struct AlphaBeta<G: TwoPlayer> {
    config: AlphaBetaConfig,
    eval: Box<dyn Eval<G>>,
    memory: Memory<G::Move>,
    score: i32,
}

impl<G: TwoPlayer> AlphaBeta<G> {
    /// A search with this evaluation.
    pub fn new(config: &AlphaBetaConfig, eval: Box<dyn Eval<G>>) -> Self {
        let memory = Memory {
            table: config.table.then(|| Table::new(config.memory, config.replace)),
            moves: MoveStack::new(),
            pv: vec![Vec::new(); MAX_DEPTH as usize + 2],
        };
        AlphaBeta { config: config.clone(), eval, memory, score: 0 }
    }

    /// The score of the last answer in the units of the evaluation, or the distance of a win
    /// or loss (see the module [`score`]): what protocols want to know beyond the payoff.
    pub fn score(&self) -> i32 {
        self.score
    }

    /// The root moves in the order of the first iteration: that of the table first, then by
    /// the evaluation's order.
    fn roots(&self, pos: &G, mut moves: Vec<G::Move>) -> Vec<RootMove<G::Move>> {
        let known = self.memory.table.as_ref().and_then(|t| t.probe(pos.key())?.code);
        let hash = |m: G::Move| known.is_some_and(|code| usize::from(code) == pos.code(m));
        moves.sort_by_cached_key(|&m| (!hash(m), std::cmp::Reverse(self.eval.order(pos, m))));
        let score = score::from_eval(self.eval.eval(pos));
        let unknown = |mv| RootMove { mv, nodes: 0, score, exact: false, settled: false, depth: 0 };
        moves.into_iter().map(unknown).collect()
    }
}

impl<G: TwoPlayer> Player<G> for AlphaBeta<G> {
    fn think(&mut self, pos: &G, task: &mut Task<'_, G::Move>) -> Result<Report<G::Move>, Forfeit> {
        let (seat, moves) = choices(pos, task)?;
        let legal = pos.count_moves();
        let restricted = moves.len() < legal;
        let mut roots = self.roots(pos, moves);
        if let Some(table) = &mut self.memory.table {
            table.age();
        }
        task.meter.check();

        let eval = &*self.eval;
        let memory = &mut self.memory;
        let mut search = Search { eval, memory, task, seat, latest: None };
        let mut pos = pos.clone();
        let mut answer = Answer { best: 0, depth: 0, pv: vec![roots[0].mv] };
        for depth in 1..=MAX_DEPTH {
            if !search.task.meter.allows_depth(depth) || !search.task.meter.iteration() {
                break;
            }
            let completed = roots.clone();
            let value = search.root(&mut pos, depth, Window::OPEN, &mut roots);
            // The first to reach the best score; it alone is known exactly.
            let reached = |r: &RootMove<_>| r.depth == depth && r.exact;
            let best =
                (0..roots.len()).filter(|&i| reached(&roots[i])).max_by_key(|&i| roots[i].score);
            let better = best.filter(|&b| depth == 1 || (b > 0 && self.config.partial));
            let Some(value) = value else {
                if let Some(better) = better {
                    answer.best = better;
                    answer.pv = search.line(&pos, depth, roots[better].score);
                } else {
                    // Only what it cost remains of an unfinished depth.
                    for (root, before) in roots.iter_mut().zip(completed) {
                        *root = RootMove { nodes: root.nodes, ..before };
                    }
                }
                break;
            };
            let Some(best) = best else { break };
            answer.pv = search.line(&pos, depth, roots[best].score);
            answer.depth = depth;
            roots[..=best].rotate_right(1);
            let report = answer.report(&roots, restricted, eval, search.task);
            search.task.publish(&report);
            search.latest = Some(report);
            if value.settled || legal == 1 {
                break;
            }
        }
        let report = answer.report(&roots, restricted, eval, search.task);
        self.score = roots[answer.best].score;
        Ok(report)
    }

    /// There is no randomness to seed.
    fn is_bounded_by(&self, limits: &Limits) -> bool {
        !limits.is_empty()
    }

    fn restart(&mut self, _seed: u64) {
        self.score = 0;
        if let Some(table) = &mut self.memory.table {
            table.clear();
        }
    }

    fn bytes(&self) -> usize {
        self.memory.table.as_ref().map_or(0, Table::bytes)
    }
}

/// The best so far.
struct Answer<M> {
    /// Index of the root move.
    best: usize,
    /// The last completed depth.
    depth: u32,
    pv: Vec<M>,
}

impl<M: Copy + Eq> Answer<M> {
    fn report<G: TwoPlayer<Move = M>>(
        &self,
        roots: &[RootMove<M>],
        restricted: bool,
        eval: &dyn Eval<G>,
        task: &Task<'_, M>,
    ) -> Report<M> {
        let payoff = |r: &RootMove<M>| {
            if r.settled && r.depth > 0 { score::to_payoff(r.score) } else { eval.payoff(r.score) }
        };
        // An upper bound proves a loss and nothing else.
        let proof = |r: &RootMove<M>| {
            score::proof(r.score, r.settled).filter(|&p| r.exact || p == Proof::Loss)
        };
        let line = |r: &RootMove<M>| Line {
            mv: r.mv,
            visits: r.nodes,
            value: payoff(r),
            prior: None,
            proven: proof(r),
        };
        let best = &roots[self.best];
        let mut others: Vec<_> = roots.iter().filter(|r| r.mv != best.mv).collect();
        others.sort_by_key(|r| std::cmp::Reverse(r.score));
        // A draw or a loss also needs that no other move can be better.
        let settled = |r: &RootMove<M>| r.settled && r.depth > 0 && r.score <= best.score;
        let all = !restricted && roots.iter().all(settled);
        Report {
            best: best.mv,
            value: payoff(best),
            proven: proof(best).filter(|&p| p == Proof::Win || all),
            lines: std::iter::once(best).chain(others).map(line).collect(),
            pv: self.pv.clone(),
            depth: self.depth,
            iterations: u64::from(self.depth),
            nodes: task.meter.nodes(),
            elapsed: task.meter.elapsed(),
            note: None,
        }
    }
}
