//! Expectimax: the best move where chance has a say (Michie 1966).
//!
//! One module for the family: what a variant adds is a switch in [`ExpectimaxConfig`]. Values are
//! those of [`Eval::expected`], on whatever scale the evaluation has, and are averaged exactly over
//! the outcomes of chance. With one player every decision is his. With two the other one takes the
//! least (expectiminimax); with more, all others are thought to be in league (paranoid search,
//! Sturtevant and Korf 2000).

mod config;
mod search;
mod star;

pub use config::{ExpectimaxConfig, Keep, Plies, Prune, TableRule};

use crate::random::choices;
use crate::table::{Replace, Table};
use search::{Memory, Search};
use spielbaum_core::{Bound, Eval, Forfeit, Game, Limits, Line, Player, Report, Task};

/// The deepest search: what a table entry can tell.
pub const MAX_DEPTH: u32 = 250;

/// The expectimax family as a player of any game.
///
/// Every play is a node, and leads to one call of the recursion: `nodes` of a report are the
/// recursive calls that studies count. At a fixed depth, without a cut-off and without a table or
/// with [`TableRule::Exact`], it finds the value of plain minimax with expectation at chance nodes.
/// It ends by itself when the whole tree is seen, and looks one ply deep when there is only one
/// legal move. Node budgets are kept but for the moves of a last position, which are made
/// together.
///
/// In the report, a line's visits are the plays spent on the move, and values are on the scale of
/// the evaluation.
///
/// ```
/// use spielbaum_core::{Limits, Player, Task, ZeroEval, synthetic::Literal};
/// use spielbaum_search::expectimax::{Expectimax, ExpectimaxConfig};
/// let game = Literal::new(1, "(3 ?(9:2 1:20))").unwrap();
/// let mut player = Expectimax::new(&ExpectimaxConfig::default(), Box::new(ZeroEval));
/// let report = player.think(&game, &mut Task::new(Limits::depth(2))).unwrap();
/// assert_eq!((report.best.to_string().as_str(), report.value), ("2", 3.8));
/// ```
pub struct Expectimax<G: Game> {
    config: ExpectimaxConfig,
    eval: Box<dyn Eval<G>>,
    memory: Memory<G::Move>,
}

impl<G: Game> Expectimax<G> {
    /// A search with this evaluation.
    pub fn new(config: &ExpectimaxConfig, eval: Box<dyn Eval<G>>) -> Self {
        let table = config.table.then(|| Table::new(config.memory, Replace::Shallow));
        let memory =
            Memory { table, stack: Vec::new(), keys: Vec::new(), ordered: Default::default() };
        Expectimax { config: config.clone(), eval, memory }
    }

    /// The greatest depth to search here, the root move included, if there is one.
    fn deepest(&self, pos: &G, task: &Task<'_, G::Move>) -> Option<u32> {
        let default = self.config.default_depth.filter(|_| task.meter.is_unlimited());
        let limit = task.meter.depth_limit().or(default).map(|d| self.config.plies.all(d));
        let hint = self.eval.depth_hint(pos).filter(|_| self.config.adaptive);
        [limit, hint].into_iter().flatten().min()
    }

    /// The depth after this one. The greatest is not begun with where it may not be reached: a budget that
    /// ends during the first depth leaves no answer worth the name.
    fn next_depth(&self, depth: u32, deepest: Option<u32>, may_run_out: bool) -> Option<u32> {
        let last = deepest.unwrap_or(MAX_DEPTH).min(MAX_DEPTH);
        let next = match (depth, deepest) {
            (0, Some(_)) if !self.config.deepening && !may_run_out => last,
            (0, _) => 1,
            _ => depth + self.config.step,
        };
        (depth < last).then_some(next.min(last))
    }
}

impl<G: Game> Player<G> for Expectimax<G> {
    fn think(&mut self, pos: &G, task: &mut Task<'_, G::Move>) -> Result<Report<G::Move>, Forfeit> {
        let (seat, moves) = choices(pos, task)?;
        let forced = pos.count_moves() == 1;
        let deepest = if forced { Some(1) } else { self.deepest(pos, task) };
        let value = self.eval.expected(pos, seat);
        let line =
            |&mv| Line { mv, visits: 0, value, bound: Bound::Exact, prior: None, proven: None };
        let mut lines: Vec<_> = moves.iter().map(line).collect();
        let mut report = Report::new(moves[0], value, &task.meter);
        if forced && self.deepest(pos, task) != Some(1) {
            report.note = Some("the only move: looked at one ply deep".to_string());
        }
        report.lines.clone_from(&lines);
        task.meter.check();
        if let Some(table) = &mut self.memory.table {
            match self.config.keep {
                Keep::Game => table.age(),
                Keep::Move => table.clear(),
            }
        }
        // Without a range nothing can be pruned: every window is open.
        let range = self.eval.range().unwrap_or((f32::MIN, f32::MAX));
        let mut depth = 0;
        let mut completed = 0;
        let may_run_out = task.meter.may_run_out();
        while let Some(next) = self.next_depth(depth, deepest, may_run_out) {
            if !task.meter.iteration() {
                break;
            }
            if depth > 0
                && self.config.table_rule == TableRule::Literal
                && let Some(table) = &mut self.memory.table
            {
                // By that rule the values of the depth before would stand for those of this one.
                table.clear();
            }
            depth = next;
            let mut search = Search {
                config: &self.config,
                eval: &*self.eval,
                memory: &mut self.memory,
                task,
                seat,
                range: (range.0.into(), range.1.into()),
                is_open: false,
                latest: &report,
            };
            let done = search.root(&mut pos.clone(), depth, &mut lines);
            let is_open = search.is_open;
            // An unfinished depth counts only if there is no other to answer with.
            if done == lines.len() || (completed == 0 && done > 0) {
                rank(&mut report, &lines, done);
            } else {
                for line in &mut report.lines {
                    line.visits = lines.iter().find(|l| l.mv == line.mv).map_or(0, |l| l.visits);
                }
            }
            report.nodes = task.meter.nodes();
            report.elapsed = task.meter.elapsed();
            if done < lines.len() {
                break;
            }
            completed += 1;
            if self.config.prune != Prune::None {
                // The best move first: it makes the windows of the others narrow.
                lines.sort_by_key(|l| l.mv != report.best);
            }
            report.depth = self.config.plies.depth(depth);
            report.iterations = completed;
            task.publish(&report);
            if !is_open {
                break;
            }
        }
        Ok(report)
    }

    /// There is no randomness to seed.
    fn restart(&mut self, _seed: u64) {
        if let Some(table) = &mut self.memory.table {
            table.clear();
        }
    }

    fn is_bounded_by(&self, limits: &Limits) -> bool {
        !limits.is_empty() || self.config.default_depth.is_some()
    }

    fn bytes(&self) -> usize {
        self.memory.table.as_ref().map_or(0, Table::bytes)
    }
}

/// Puts the best of the root moves first; only the first `done` of them have values. Equals keep
/// their order.
fn rank<M: Copy>(report: &mut Report<M>, lines: &[Line<M>], done: usize) {
    report.lines = lines.to_vec();
    report.lines[..done].sort_by(|a, b| b.value.total_cmp(&a.value));
    report.best = report.lines[0].mv;
    report.value = report.lines[0].value;
    report.pv = vec![report.best];
}
