//! Quiescence: beyond the horizon noisy moves are searched until none is left (Shannon 1950;
//! Harris 1975), so that nobody is counted rich in the middle of an exchange.
//!
//! Standing still is always allowed, except in check; then all moves are searched, so that a
//! mate found here is one.

use super::MAX_DEPTH;
use super::listing::NOISY;
use super::search::Search;
use super::selective::Node;
use super::value::{Taint, Value};
use crate::score;
use spielbaum_core::{Hint, TwoPlayer};

/// What a noisy move may bring beyond what it takes.
const MARGIN: i32 = 150;

impl<G: TwoPlayer> Search<'_, '_, G> {
    /// The value of a position beyond the horizon.
    pub(super) fn quiesce(&mut self, pos: &mut G, node: Node) -> Option<Value> {
        let Node { ply, window, check, .. } = node;
        if let Some(pv) = self.memory.pv.get_mut(ply as usize) {
            pv.clear();
        }
        if pos.ended_by_history() {
            return Some(self.result(pos, ply));
        }
        let key = self.key(pos, ply);
        let mut hash = None;
        if let Some(entry) = self.probe(key) {
            let known = score::to_root(entry.score, ply);
            if self.usable(&entry, 0) && window.is_answered(entry.bound, known) {
                return Some(Value { score: known, settled: entry.settled, taint: Taint::Free });
            }
            hash = entry.code;
        }
        let mut best = Value::NONE;
        let mut stands = None;
        if !check || ply >= MAX_DEPTH {
            if pos.is_over() {
                return Some(self.result(pos, ply));
            }
            best = Value::eval(self.eval.eval(pos));
            if best.score >= window.beta || ply >= MAX_DEPTH {
                return Some(best);
            }
            stands = Some(best.score);
        }
        let mut list = match stands {
            Some(_) => self.memory.moves.push(|out| self.eval.noisy_moves(pos, out)),
            None => self.memory.moves.push(|out| pos.moves(out)),
        };
        if stands.is_none() && list.is_empty() {
            return Some(self.result(pos, ply));
        }
        if let Some(code) = hash {
            self.memory.moves.promote(&mut list, |m| pos.code(m) == usize::from(code));
        }
        let mut choice = None;
        while self.ready(pos, &mut list) {
            let m = self.memory.moves.next(&mut list);
            let alpha = window.alpha.max(best.score);
            if let Some(stands) = stands
                && self.parts.exchange
            {
                let least = if score::is_decisive(alpha) { 0 } else { alpha - stands - MARGIN };
                if !self.eval.gains(pos, m, least.max(0)) {
                    continue;
                }
            }
            self.count()?;
            let value = pos.explore(m, |next| {
                let check = self.eval.in_check(next);
                let window = super::value::Window { alpha: -window.beta, beta: -alpha };
                self.quiesce(next, Node { depth: 0, ply: ply + 1, window, check })
            });
            let value = value?.flip();
            if best.improve(value, window.beta) && value.score > window.alpha {
                choice = Some(m);
                if value.score >= window.beta {
                    break;
                }
            }
        }
        self.memory.moves.pop(list);
        let best = best.seal();
        self.store(key, 0, ply, window, best, choice.map(|m| pos.code(m)));
        Some(best)
    }

    /// Makes the next move ready: noisy ones first, those by the evaluation's order.
    fn ready(&mut self, pos: &G, list: &mut super::order::List) -> bool {
        if list.is_searched() {
            return false;
        }
        if !list.is_ready() {
            let hints = |moves: &[G::Move], out: &mut _| self.eval.hints(pos, moves, out);
            self.memory.moves.arrange(list, hints, |_, Hint { order, noisy }| {
                order + if noisy { NOISY } else { 0 }
            });
        }
        true
    }
}
