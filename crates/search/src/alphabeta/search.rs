//! The recursion: negamax with alpha-beta window, fail-soft, with table and move order.
//!
//! **Graph-history interaction** (Palay 1983; Kishimoto and Müller 2004). A table shares values
//! between paths to the same position, but repetition and length limits make values depend on the
//! path. Two things can go wrong. A draw by history on one path is stored as if it held on all:
//! so a value that rests on one is [tainted](super::value::Taint) and not stored, except
//! for what holds regardless. And a win found on one path is used on another where the way to it
//! repeats a position: inside one search this is harmless, for the winner can always take the
//! shorter way, on which nothing repeats; positions that came up before the root are the game's
//! [`history`](spielbaum_core::Game::history), which is a part of every key. So wins and losses
//! are true. Where a repetition can lose, as perpetual check does in xiangqi, a win may rest on
//! it; such a win is not stored, and one that was stored rests on none, so its winner gets to it
//! without repeating anything. Other values may differ from those of a search without a table, as in every program
//! that keeps one.

use super::config::{AlphaBetaConfig, DepthRule, Method, Order, Parts};
use super::cuts::Cuts;
use super::order::MoveStack;
use super::selective::Reductions;
use super::value::{Taint, Value, Window};
use crate::score;
use crate::table::{Bound, Entry, Table};
use spielbaum_core::{Eval, History, Report, Task, TwoPlayer};

/// What a search keeps from one think to the next.
pub(super) struct Memory<M> {
    pub(super) table: Option<Table>,
    pub(super) cuts: Cuts,
    pub(super) moves: MoveStack<M>,
    /// Where a game looks for a winning move.
    pub(super) scratch: Vec<M>,
    /// The principal variation from each ply on.
    pub(super) pv: Vec<Vec<M>>,
    /// What a selective search keeps of each ply.
    pub(super) plies: Vec<Ply>,
    pub(super) reductions: Reductions,
}

/// A ply of the line that is being searched.
#[derive(Clone, Copy, Default)]
pub(super) struct Ply {
    /// The evaluation, unless in check.
    pub(super) eval: Option<i32>,
    /// The motif of the move that was made, `None` for a pass.
    pub(super) motif: Option<u32>,
}

/// One search of one position.
pub(super) struct Search<'a, 't, G: TwoPlayer> {
    pub(super) config: &'a AlphaBetaConfig,
    pub(super) eval: &'a dyn Eval<G>,
    pub(super) memory: &'a mut Memory<G::Move>,
    pub(super) task: &'a mut Task<'t, G::Move>,
    /// Who moves at the root. Below, turns alternate: a finished game does not tell.
    pub(super) seat: usize,
    /// The past of the root.
    pub(super) history: History,
    /// What is selective about it, if anything.
    pub(super) parts: Parts,
    pub(super) is_selective: bool,
    /// Whether to look for a win at once.
    pub(super) wins: bool,
    pub(super) depth_rule: DepthRule,
    /// The depth of this iteration.
    pub(super) depth: u32,
    /// Whether not all moves of the root are searched: its value is not the position's.
    pub(super) restricted: bool,
    /// The root move with the best exact score of this iteration so far.
    pub(super) best: Option<usize>,
    /// The report of the last completed depth, to be repeated while the next one takes long.
    pub(super) latest: Option<Report<G::Move>>,
}

impl<'a, 't, G: TwoPlayer> Search<'a, 't, G> {
    /// A search to begin.
    pub(super) fn new(
        config: &'a AlphaBetaConfig,
        eval: &'a dyn Eval<G>,
        memory: &'a mut Memory<G::Move>,
        task: &'a mut Task<'t, G::Move>,
        (seat, history): (usize, History),
        restricted: bool,
    ) -> Self {
        let parts = config.parts(eval.is_selective());
        let is_selective = parts != Parts::NONE;
        Search {
            config,
            eval,
            memory,
            task,
            seat,
            history,
            parts,
            is_selective,
            wins: config.order == Order::Dynamic
                && if is_selective { config.selective_wins } else { config.wins },
            depth_rule: match config.depth_rule {
                DepthRule::Auto if is_selective => DepthRule::AtLeast,
                DepthRule::Auto => DepthRule::Exact,
                rule => rule,
            },
            depth: 0,
            restricted,
            best: None,
            latest: None,
        }
    }
}

impl<G: TwoPlayer> Search<'_, '_, G> {
    /// The value of a position, a bound if it lies outside the window; `None` when stopped.
    ///
    /// Compiled twice: a `PLAIN` search keeps no table, learns nothing from cuts and searches
    /// with one window, and does not pay for what others do.
    fn negamax<const PLAIN: bool>(
        &mut self,
        pos: &mut G,
        depth: u32,
        ply: u32,
        mut window: Window,
    ) -> Option<Value> {
        self.memory.pv[ply as usize].clear();
        // The table knows the position as it is when the game goes on.
        if pos.ended_by_history() {
            return Some(self.result(pos, ply));
        }
        let dynamic = !PLAIN && self.config.order == Order::Dynamic;
        if !PLAIN
            && self.wins
            && let Some(m) = pos.winning_move(&mut self.memory.scratch)
        {
            return self.win(pos, m, ply);
        }
        let key = if PLAIN { 0 } else { self.key(pos, ply) };
        let mut hash = None;
        let mut limits = None;
        if !PLAIN && let Some(entry) = self.probe(key) {
            let known = score::to_root(entry.score, ply);
            let usable = self.usable(&entry, depth);
            if usable && window.is_answered(entry.bound, known) {
                return Some(Value { score: known, settled: entry.settled, taint: Taint::Free });
            }
            if usable && self.config.narrow {
                limits = Some((entry.bound, known));
                window = window.narrow(entry.bound, known);
            }
            hash = entry.code.filter(|_| dynamic);
        }

        let mut list = self.list(pos);
        if let Some(code) = hash {
            self.memory.moves.promote(&mut list, |m| pos.code(m) == usize::from(code));
        }
        let mut best = Value::NONE;
        let mut choice = None;
        while list.is_ready() || self.refill(pos, ply, &mut list) {
            let m = self.memory.moves.next(&mut list);
            let value = self.scout::<PLAIN>(pos, m, depth, ply, window, best.score)?;
            if best.improve(value, window.beta) && value.score > window.alpha {
                choice = Some(m);
                if value.score >= window.beta {
                    if dynamic {
                        self.note_cut(pos, m, depth, ply, &list);
                    }
                    break;
                }
                self.extend_pv(m, depth, ply as usize);
            }
        }
        if list.is_empty() {
            return Some(self.result(pos, ply));
        }
        self.memory.moves.pop(list);
        // What lies beyond the narrowed window was known to.
        match limits {
            Some((Bound::Lower, known)) => best.score = best.score.max(known),
            Some((Bound::Upper, known)) => best.score = best.score.min(known),
            _ => {}
        }
        let best = best.seal();
        if !PLAIN && self.memory.table.is_some() {
            self.store(key, depth, ply, window, best, choice.map(|m| pos.code(m)));
        }
        Some(best)
    }

    /// Whether the search is `PLAIN`.
    pub(super) fn is_plain(&self) -> bool {
        let one_window = matches!(self.config.method, Method::Minimax | Method::AlphaBeta);
        self.memory.table.is_none() && self.config.order != Order::Dynamic && one_window
    }

    /// The value of a move for the player who makes it, when `had` is the best so far: by
    /// principal-variation search first whether it is better at all.
    #[inline(always)]
    pub(super) fn scout<const PLAIN: bool>(
        &mut self,
        pos: &mut G,
        m: G::Move,
        depth: u32,
        ply: u32,
        window: Window,
        had: i32,
    ) -> Option<Value> {
        if depth == 1 {
            return self.leaf(pos, m, ply);
        }
        let alpha = window.alpha.max(had);
        let pvs = !PLAIN && self.config.method == Method::Pvs && had > -score::INFINITE;
        if pvs && window.beta - alpha > 1 {
            let null = Window { alpha: -alpha - 1, beta: -alpha };
            let value = self.child::<PLAIN>(pos, m, depth, ply, null)?;
            if value.score <= alpha || value.score >= window.beta {
                return Some(value);
            }
        }
        let below = match self.config.method {
            Method::Minimax => Window::OPEN,
            _ => Window { alpha: -window.beta, beta: -alpha },
        };
        self.child::<PLAIN>(pos, m, depth, ply, below)
    }

    /// The value of a move for the player who makes it; `None` when the search is stopped.
    fn child<const PLAIN: bool>(
        &mut self,
        pos: &mut G,
        m: G::Move,
        depth: u32,
        ply: u32,
        window: Window,
    ) -> Option<Value> {
        self.count()?;
        pos.explore(m, |next| self.negamax::<PLAIN>(next, depth - 1, ply + 1, window))
            .map(Value::flip)
    }

    /// The value of a move to the horizon, exact whatever the window.
    #[inline(always)]
    fn leaf(&mut self, pos: &mut G, m: G::Move, ply: u32) -> Option<Value> {
        self.count()?;
        if let Some(score) = self.eval.after(pos, m) {
            return Some(Value::eval(score));
        }
        let value = pos.explore(m, |next| {
            if next.is_over() {
                self.result(next, ply + 1)
            } else {
                Value::eval(self.eval.eval(next))
            }
        });
        Some(value.flip())
    }

    /// Counts a play; `None` when the search is stopped.
    #[inline(always)]
    pub(super) fn count(&mut self) -> Option<()> {
        if self.task.meter.is_stopped() {
            return None;
        }
        self.task.meter.node();
        if self.task.is_due() {
            self.repeat_report();
        }
        Some(())
    }

    /// A move that wins at once, counted as if it were played.
    pub(super) fn win(&mut self, pos: &mut G, m: G::Move, ply: u32) -> Option<Value> {
        if self.task.meter.is_stopped() {
            return None;
        }
        self.task.meter.node();
        self.memory.pv[ply as usize].push(m);
        let by_history = pos.explore(m, |next| next.ended_by_history());
        let taint = if by_history { Taint::Decided } else { Taint::Free };
        Some(Value { score: score::from_payoff(1.0, ply + 1), settled: true, taint })
    }

    /// The value of a finished game.
    pub(super) fn result(&self, pos: &G, ply: u32) -> Value {
        let payoff = pos.payoffs()[(self.seat + ply as usize) % 2];
        let score = score::from_payoff(payoff, ply);
        let taint = match pos.ended_by_history() {
            false => Taint::Free,
            true if score::is_decisive(score) => Taint::Decided,
            true => Taint::Drawn,
        };
        Value { score, settled: true, taint }
    }

    /// Puts a move with so much depth below it, and the variation after it, on the variation.
    pub(super) fn extend_pv(&mut self, m: G::Move, depth: u32, ply: usize) {
        let (above, below) = self.memory.pv.split_at_mut(ply + 1);
        above[ply].clear();
        above[ply].push(m);
        // Leaves have no variation; a selective search clears theirs.
        if depth > 1 || self.is_selective {
            above[ply].extend_from_slice(&below[0]);
        }
    }

    /// The principal variation in `pv[0]`, continued by the table where an entry took the
    /// place of a search. Every move is legal and the score stays what it is along the line: a
    /// move that gives at least the value of a position is its best.
    pub(super) fn line(&mut self, root: &G, best: G::Move, score: i32) -> Vec<G::Move> {
        let mut line = self.memory.pv[0].clone();
        if line.first() != Some(&best) {
            line = vec![best];
        }
        let mut pos = root.clone();
        line.iter().for_each(|&m| pos.play(m));
        for ply in line.len() as u32..self.depth {
            let value = if ply % 2 == 0 { score } else { -score };
            let fits = |e: &Entry| {
                e.bound != Bound::Upper
                    && self.usable(e, self.depth - ply)
                    && score::to_root(e.score, ply) == value
            };
            let Some(code) = self.probe(self.key(&pos, ply)).filter(fits).and_then(|e| e.code)
            else {
                break;
            };
            let mut list = self.memory.moves.push(|out| pos.moves(out));
            let m = self.memory.moves.promote(&mut list, |m| pos.code(m) == usize::from(code));
            self.memory.moves.pop(list);
            let Some(m) = m else { break };
            line.push(m);
            pos.play(m);
        }
        line
    }

    #[cold]
    fn repeat_report(&mut self) {
        if let Some(report) = &mut self.latest {
            report.nodes = self.task.meter.nodes();
            report.elapsed = self.task.meter.elapsed();
            self.task.publish(report);
        }
    }
}
