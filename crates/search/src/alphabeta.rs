//! Alpha-beta search with iterative deepening (Knuth and Moore 1975; Slate and Atkin 1977).
//!
//! One module for the whole family: what a variant adds is a switch in [`AlphaBetaConfig`].

mod config;
mod cuts;
mod known;
mod listing;
mod order;
mod quiescence;
mod report;
mod root;
mod search;
mod selective;
mod value;

pub use config::{AlphaBetaConfig, DepthRule, Guess, Method, Order, Parts, Switch};

use crate::random::choices;
use crate::score;
use crate::table::Table;
use cuts::Cuts;
use order::MoveStack;
use report::Answer;
use root::{RootMove, Values};
use search::{Memory, Ply, Search};
use selective::Reductions;
use spielbaum_core::{Bound, Eval, Forfeit, Limits, Player, Report, Task, TwoPlayer};

/// The deepest search: what a table entry can tell.
pub const MAX_DEPTH: u32 = 250;

/// The minimax family as a player: negamax, fail-soft, iterative deepening, and what
/// [`AlphaBetaConfig`] adds.
///
/// Where the evaluation advises it ([`Eval::is_selective`]) or the configuration demands it, the
/// search is selective ([`Parts`]); what it proves is still true. Otherwise,
/// at a fixed depth it finds the value of plain [`negamax`](crate::minimax::negamax), by every
/// method, with a table and without; only entries of greater depth ([`DepthRule::AtLeast`])
/// change it. In games that end by repetition or length this holds without a table; with one,
/// wins and losses are still true, and other values may depend on what the table has seen (see
/// the source of the search on graph-history interaction). It ends by itself when the result is proven or nothing is left to
/// search, and after depth 1 when there is only one legal move.
///
/// In the report, a line's visits are the plays spent on the move. The value of the best move
/// is that of its depth; the values of the others are upper bounds, for alpha-beta only proves
/// that they are not better.
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
            cuts: Cuts::default(),
            moves: MoveStack::new(),
            scratch: Vec::new(),
            pv: vec![Vec::new(); MAX_DEPTH as usize + 2],
            plies: vec![Ply::default(); MAX_DEPTH as usize + 2],
            reductions: Reductions::new(),
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
    fn roots(
        &self,
        pos: &G,
        mut moves: Vec<G::Move>,
        known: Option<u16>,
    ) -> Vec<RootMove<G::Move>> {
        let hash = |m: G::Move| known.is_some_and(|code| usize::from(code) == pos.code(m));
        if self.config.order != Order::None {
            moves.sort_by_cached_key(|&m| (!hash(m), std::cmp::Reverse(self.eval.order(pos, m))));
        }
        let score = score::from_eval(self.eval.eval(pos));
        // The evaluation of the position stands for moves that are not searched.
        let bound = Bound::Exact;
        let unknown = |mv| RootMove { mv, nodes: 0, score, bound, settled: false, depth: 0 };
        moves.into_iter().map(unknown).collect()
    }
}

impl<G: TwoPlayer> Player<G> for AlphaBeta<G> {
    fn think(&mut self, pos: &G, task: &mut Task<'_, G::Move>) -> Result<Report<G::Move>, Forfeit> {
        let (seat, moves) = choices(pos, task)?;
        let legal = pos.count_moves();
        let restricted = moves.len() < legal;
        let history = pos.history();
        let dynamic = self.config.order == Order::Dynamic;
        let known = self.memory.table.as_ref().filter(|_| dynamic);
        let known = known.and_then(|t| t.probe(pos.key() ^ known::past(&history))?.code);
        let mut roots = self.roots(pos, moves, known);
        if let Some(table) = &mut self.memory.table {
            table.age();
        }
        if dynamic {
            self.memory.cuts.begin(pos.codes(), MAX_DEPTH as usize + 2, seat);
            let selective = self.config.parts(self.eval.is_selective()) != Parts::NONE;
            if selective && self.config.answers {
                self.memory.cuts.learn_answers(self.eval.motifs());
            }
        }
        task.meter.check();

        let eval = &*self.eval;
        let past = (seat, history);
        let mut search = Search::new(&self.config, eval, &mut self.memory, task, past, restricted);
        let mut pos = pos.clone();
        let mut answer = Answer { best: 0, depth: 0, pv: vec![roots[0].mv] };
        let mut values = Values::default();
        for depth in 1..=MAX_DEPTH {
            if !search.task.meter.allows_depth(depth) || !search.task.meter.iteration() {
                break;
            }
            let completed = roots.clone();
            let value = search.iteration(&mut pos, depth, &mut roots, &values);
            let Some(value) = value else {
                let partial = self.config.takes_partial();
                let better = search.best.filter(|&b| depth == 1 || (b > 0 && partial));
                if let Some(better) = better {
                    answer.best = better;
                    answer.pv = search.line(&pos, roots[better].mv, roots[better].score);
                } else {
                    // Only what it cost remains of an unfinished depth.
                    for (root, before) in roots.iter_mut().zip(completed) {
                        *root = RootMove { nodes: root.nodes, ..before };
                    }
                }
                break;
            };
            let Some(best) = search.best else { break };
            values.push(value.score);
            answer.pv = search.line(&pos, roots[best].mv, value.score);
            answer.depth = depth;
            answer.best = best;
            let report = answer.report(&roots, restricted, eval, search.task);
            search.task.publish(&report);
            search.latest = Some(report);
            if value.settled || legal == 1 {
                break;
            }
            if self.config.reuse {
                roots[..=best].rotate_right(1);
                answer.best = 0;
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
        self.memory.cuts.clear();
        if let Some(table) = &mut self.memory.table {
            table.clear();
        }
    }

    fn bytes(&self) -> usize {
        self.memory.table.as_ref().map_or(0, Table::bytes)
    }
}
