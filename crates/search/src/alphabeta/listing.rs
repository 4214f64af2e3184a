//! The moves of a node in the order of the search, and what cuts teach about it.

use super::config::Order;
use super::order::List;
use super::search::{Memory, Ply, Search};
use spielbaum_core::{Hint, TwoPlayer};

/// The motifs of the last two moves before a ply; none in a search that is not selective.
fn made(plies: &[Ply], ply: u32) -> [Option<u32>; 2] {
    [1, 2].map(|ago| (ply as usize).checked_sub(ago).and_then(|ply| plies[ply].motif))
}

/// Noisy moves rank above quiet ones, those that lose in the exchange below.
pub(super) const NOISY: i32 = 1 << 20;

impl<G: TwoPlayer> Search<'_, '_, G> {
    /// The moves of a node, or the first of them.
    #[inline]
    pub(super) fn list(&mut self, pos: &G) -> List {
        let moves = &mut self.memory.moves;
        if self.config.order == Order::Static {
            let mut more = None;
            let mut list = moves.push(|out| more = self.eval.ordered(pos, 0, out));
            if let Some(more) = more {
                moves.append(&mut list, |_| {});
                list.portion = more.then_some(1);
                return list;
            }
        }
        let mut list = moves.push(|out| pos.moves(out));
        if self.config.order == Order::None {
            moves.append(&mut list, |_| {});
        }
        list
    }

    /// Makes the next move ready, if there is one.
    #[inline(never)]
    pub(super) fn refill(&mut self, pos: &G, ply: u32, list: &mut List) -> bool {
        let Memory { moves, cuts, plies, .. } = &mut *self.memory;
        while list.is_searched() {
            let Some(portion) = list.portion else { return false };
            let mut more = None;
            moves.append(list, |out| more = self.eval.ordered(pos, portion, out));
            list.portion = more.and_then(|more| more.then_some(portion + 1));
        }
        if list.is_ready() {
            return true;
        }
        let hints = |moves: &[G::Move], out: &mut _| self.eval.hints(pos, moves, out);
        if self.config.order == Order::Static {
            moves.arrange(list, hints, |_, hint| hint.order);
        } else {
            let exchange = self.parts.exchange;
            let answers = made(plies, ply).map(|motif| cuts.answers_to(motif));
            moves.arrange(list, hints, |m, Hint { order, noisy }| {
                if !noisy {
                    let mut rank = order + cuts.rank(ply, pos.code(m));
                    if !answers[0].is_empty() || !answers[1].is_empty() {
                        let motif = self.eval.motif(pos, m);
                        for row in answers {
                            rank += row.get(motif).map_or(0, |&c| i32::from(c));
                        }
                    }
                    rank
                } else if exchange && !self.eval.gains(pos, m, 0) {
                    order - NOISY
                } else {
                    NOISY + order
                }
            });
        }
        true
    }

    /// Learns from a quiet move that cut, and from those that did not.
    pub(super) fn note_cut(&mut self, pos: &G, m: G::Move, depth: u32, ply: u32, list: &List) {
        if self.eval.noisy(pos, m) {
            return;
        }
        let Memory { moves, cuts, plies, .. } = &mut *self.memory;
        if self.config.killers {
            cuts.kill(ply, pos.code(m));
        }
        if !self.config.history {
            return;
        }
        cuts.cut(ply, pos.code(m), depth);
        let motif = |m| if self.is_selective { self.eval.motif(pos, m) } else { 0 };
        let made = made(plies, ply);
        for before in made {
            cuts.answer(before, motif(m), depth, true);
        }
        for (m, rank) in moves.before_last(list) {
            if rank.abs() < NOISY / 2 {
                cuts.missed(ply, pos.code(m), depth);
                for before in made {
                    cuts.answer(before, motif(m), depth, false);
                }
            }
        }
    }
}
