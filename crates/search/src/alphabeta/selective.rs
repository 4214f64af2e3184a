//! The recursion of a selective search: some lines are searched deeper than others.
//!
//! Whatever is left out, **proofs stay true**. A win needs one move after which the opponent has
//! lost, a loss needs that all moves lose: so no move is left out where all others lose, a pass
//! proves nothing, and less depth can only miss a win or loss, never invent one.

use super::MAX_DEPTH;
use super::config::{Method, Order};
use super::listing::NOISY;
use super::search::{Ply, Search};
use super::value::{Taint, Value, Window};
use crate::score;
use crate::table::Bound;
use spielbaum_core::{TwoPlayer, math};

/// By how much late moves are searched less deeply, by depth and number.
pub(super) struct Reductions([[u8; 64]; 64]);

impl Reductions {
    pub(super) fn new() -> Self {
        let mut table = [[0; 64]; 64];
        for (depth, row) in table.iter_mut().enumerate().skip(1) {
            for (number, plies) in row.iter_mut().enumerate().skip(1) {
                *plies = (0.3 + math::ln(depth as f64) * math::ln(number as f64) / 2.0) as u8;
            }
        }
        Reductions(table)
    }

    fn plies(&self, depth: u32, number: u32) -> i32 {
        self.0[depth.min(63) as usize][number.min(63) as usize].into()
    }
}

/// What is asked of a node.
#[derive(Clone, Copy)]
pub(super) struct Node {
    pub(super) depth: u32,
    pub(super) ply: u32,
    pub(super) window: Window,
    /// Whether the player to move is in check.
    pub(super) check: bool,
}

impl Node {
    /// Whether only the question matters whether the value is at least so much.
    fn is_null(&self) -> bool {
        self.window.beta - self.window.alpha <= 1
    }
}

/// What is seen of a position while its moves are searched.
struct View {
    /// The evaluation, or what the table makes of it, unless in check.
    expected: Option<i32>,
    /// Whether the player to move stands better than two plies ago.
    improving: bool,
    /// Quiet moves so far, searched or left out.
    quiets: u32,
}

/// Margins in units of the evaluation, a ply each.
const ABOVE: i32 = 90;
const BELOW: i32 = 110;
const RAZOR: i32 = 260;
const LOST_QUIET: i32 = 50;
const LOST_NOISY: i32 = 110;

impl<G: TwoPlayer> Search<'_, '_, G> {
    /// The value of a root move, the `number`-th, for the player who makes it.
    pub(super) fn root_move(
        &mut self,
        pos: &mut G,
        m: G::Move,
        number: u32,
        window: Window,
        had: i32,
    ) -> Option<Value> {
        let check = self.eval.in_check(pos);
        if number == 0 {
            let eval = (!check).then(|| score::from_eval(self.eval.eval(pos)));
            self.memory.plies[0] = Ply { eval, motif: None };
        }
        let node = Node { depth: self.depth, ply: 0, window, check };
        let quiet = !self.eval.noisy(pos, m);
        let late = if self.parts.reductions && quiet && !check && node.depth >= 3 && number >= 4 {
            self.memory.reductions.plies(node.depth, number) - 1
        } else {
            0
        };
        self.advance(pos, m, node, had, late)
    }

    /// The value of a move for the player who makes it, when `had` is the best so far, first
    /// searched less deeply by so many plies.
    fn advance(
        &mut self,
        pos: &mut G,
        m: G::Move,
        node: Node,
        had: i32,
        less: i32,
    ) -> Option<Value> {
        self.count()?;
        let Node { depth, ply, window, .. } = node;
        self.memory.plies[ply as usize].motif = Some(self.eval.motif(pos, m) as u32);
        pos.explore(m, |next| {
            let check = self.eval.in_check(next);
            let extended = check && self.parts.extensions && ply < 2 * self.depth;
            let depth = depth - 1 + u32::from(extended);
            let alpha = window.alpha.max(had);
            let open = Window { alpha: -window.beta, beta: -alpha };
            let null = Window { alpha: -alpha - 1, beta: -alpha };
            let below = |depth, window| Node { depth, ply: ply + 1, window, check };
            if had > -score::INFINITE {
                let less = less.clamp(0, depth as i32) as u32;
                if less > 0 {
                    let value = self.below(next, below(depth - less, null))?;
                    if -value.score <= alpha {
                        return Some(value);
                    }
                }
                if self.config.method == Method::Pvs && window.beta - alpha > 1 {
                    let value = self.below(next, below(depth, null))?;
                    if -value.score <= alpha || -value.score >= window.beta {
                        return Some(value);
                    }
                }
            }
            self.below(next, below(depth, open))
        })
        .map(Value::flip)
    }

    /// The value of a position after a move.
    fn below(&mut self, pos: &mut G, node: Node) -> Option<Value> {
        if node.depth > 0 {
            self.node(pos, node)
        } else if self.parts.quiescence {
            self.quiesce(pos, node)
        } else {
            self.memory.pv[node.ply as usize].clear();
            Some(if pos.is_over() {
                self.result(pos, node.ply)
            } else {
                Value::eval(self.eval.eval(pos))
            })
        }
    }

    /// The value of a position, a bound if it lies outside the window; `None` when stopped.
    fn node(&mut self, pos: &mut G, mut node: Node) -> Option<Value> {
        let Node { ply, window, check, .. } = node;
        self.memory.pv[ply as usize].clear();
        if pos.ended_by_history() {
            return Some(self.result(pos, ply));
        }
        if ply >= MAX_DEPTH {
            let over = pos.is_over();
            let eval = || Value::eval(self.eval.eval(pos));
            return Some(if over { self.result(pos, ply) } else { eval() });
        }
        if self.wins
            && let Some(m) = pos.winning_move(&mut self.memory.scratch)
        {
            return self.win(pos, m, ply);
        }
        let dynamic = self.config.order == Order::Dynamic;
        let key = self.key(pos, ply);
        let entry = self.probe(key);
        let mut hash = None;
        if let Some(entry) = &entry {
            let known = score::to_root(entry.score, ply);
            let answers = self.usable(entry, node.depth) && window.is_answered(entry.bound, known);
            if answers && (node.is_null() || entry.settled) {
                return Some(Value { score: known, settled: entry.settled, taint: Taint::Free });
            }
            hash = entry.code.filter(|_| dynamic);
        }

        let stands = (!check).then(|| score::from_eval(self.eval.eval(pos)));
        self.memory.plies[ply as usize] = Ply { eval: stands, motif: None };
        let before = ply.checked_sub(2).and_then(|ply| self.memory.plies[ply as usize].eval);
        let improving = stands.is_some_and(|now| before.is_none_or(|before| now > before));
        let mut expected = stands;
        if let (Some(eval), Some(entry)) = (&mut expected, &entry)
            && !score::is_decisive(entry.score)
            && match entry.bound {
                Bound::Lower => entry.score > *eval,
                Bound::Upper => entry.score < *eval,
                Bound::Exact => true,
            }
        {
            *eval = entry.score;
        }
        if let Some(eval) = expected
            && node.is_null()
            && !score::is_decisive(window.beta)
            && let Some(pruned) = self.prune(pos, node, eval, improving)?
        {
            return Some(pruned);
        }
        // Without a move to begin with, less depth finds one for the next time.
        let begins = !dynamic || hash.is_some() || self.memory.table.is_none();
        if self.parts.reductions && !begins && node.depth >= 4 {
            node.depth -= 1;
        }
        let depth = node.depth;

        let mut list = self.list(pos);
        if let Some(code) = hash {
            self.memory.moves.promote(&mut list, |m| pos.code(m) == usize::from(code));
        }
        let mut best = Value::NONE;
        let mut choice = None;
        let mut searched = 0;
        let mut view = View { expected, improving, quiets: 0 };
        while list.is_ready() || self.refill(pos, ply, &mut list) {
            let m = self.memory.moves.next(&mut list);
            let quiet = !self.eval.noisy(pos, m);
            let rank = self.memory.moves.last_rank(&list);
            let mut less = 0;
            // A loss needs that all moves lose, so nothing is left out before one does not.
            if best.score > -score::MAX_EVAL {
                let gives_check = self.eval.gives_check(pos, m);
                if !gives_check && self.is_futile(pos, m, &node, &view, quiet) {
                    best.settled = false;
                    view.quiets += u32::from(quiet);
                    continue;
                }
                if self.parts.reductions && depth >= 3 && searched > 1 && !gives_check {
                    less = self.less(&node, searched, quiet, rank, improving);
                }
            }
            let value = self.advance(pos, m, node, best.score, less)?;
            searched += 1;
            view.quiets += u32::from(quiet);
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
        let best = best.seal();
        self.store(key, depth, ply, window, best, choice.map(|m| pos.code(m)));
        Some(best)
    }

    /// By how many plies a late move is searched less deeply.
    fn less(&self, node: &Node, number: u32, quiet: bool, rank: i32, improving: bool) -> i32 {
        let mut less = self.memory.reductions.plies(node.depth, number);
        if !quiet {
            // Only what loses in the exchange comes late.
            return if rank < -NOISY / 2 { less / 2 } else { 0 };
        }
        less += i32::from(!improving) - i32::from(!node.is_null()) - i32::from(node.check);
        less - rank / 5000
    }

    /// Whether a move is left out near the horizon.
    fn is_futile(&self, pos: &G, m: G::Move, node: &Node, view: &View, quiet: bool) -> bool {
        let depth = node.depth;
        let plies = depth as i32;
        if quiet && self.parts.futility && !node.check {
            let enough = (3 + depth * depth) / (2 - u32::from(view.improving));
            if depth <= 8 && view.quiets >= enough && node.is_null() {
                return true;
            }
            let alpha = node.window.alpha;
            if depth <= 6
                && !score::is_decisive(alpha)
                && view.expected.is_some_and(|eval| eval + BELOW * (plies + 1) <= alpha)
            {
                return true;
            }
        }
        self.parts.exchange && depth <= 7 && {
            let most = if quiet { LOST_QUIET } else { LOST_NOISY };
            !self.eval.gains(pos, m, -most * plies)
        }
    }

    /// A value at least `beta` that needs no search of all moves, or at most `alpha`.
    fn prune(
        &mut self,
        pos: &mut G,
        node: Node,
        eval: i32,
        improving: bool,
    ) -> Option<Option<Value>> {
        let Node { depth, ply, window, .. } = node;
        let plies = depth as i32;
        if self.parts.futility {
            if depth <= 7 && eval - ABOVE * (plies - i32::from(improving)) >= window.beta {
                return Some(Some(Value::eval(eval)));
            }
            if depth <= 3 && eval + RAZOR * plies <= window.alpha && self.parts.quiescence {
                let value = self.quiesce(pos, Node { depth: 0, ..node })?;
                if value.score <= window.alpha {
                    return Some(Some(value));
                }
            }
        }
        let passed = ply > 0 && self.memory.plies[ply as usize - 1].motif.is_none();
        if self.parts.null_move
            && depth >= 2
            && !passed
            && eval >= window.beta
            && self.eval.may_pass(pos)
        {
            let less = 3 + depth / 4 + ((eval - window.beta) / 200).min(3) as u32;
            let null = Window { alpha: -window.beta, beta: 1 - window.beta };
            let below = Node {
                depth: depth.saturating_sub(less),
                ply: ply + 1,
                window: null,
                check: false,
            };
            self.memory.plies[ply as usize].motif = None;
            self.count()?;
            let Some(value) = pos.explore_pass(|next| self.below(next, below)) else {
                return Some(None);
            };
            let value = value?.flip();
            if value.score >= window.beta {
                // A pass proves nothing.
                let score = if score::is_decisive(value.score) { window.beta } else { value.score };
                return Some(Some(Value { score, settled: false, ..value }));
            }
        }
        Some(None)
    }
}
