//! Moves that win at once.

use super::moves::{GENERAL, kind_of};
use super::rules::{End, Rules};
use super::tables::{THREATS, palace};
use super::{Move, Xiangqi};
use spielbaum_core::Game;

impl Xiangqi {
    /// A move that wins at once in a game that is not over.
    #[inline]
    pub(super) fn find_win(&self, scratch: &mut Vec<Move>) -> Option<Move> {
        let wins =
            if self.rules.legal { self.mating_move(scratch) } else { self.capturing_move(scratch) };
        // A repetition takes time to come about.
        let repeats = self.rules.repetition != 0 && self.board.reversible >= 3;
        wins.or_else(|| {
            let warned = repeats && self.last_warnings().next().is_some();
            if warned { self.blaming_move(scratch) } else { None }
        })
    }

    /// Whether the game surely goes on after a move, seen without playing it: no rule about its
    /// length or past is near, and a soldier of the other side can move whatever happens elsewhere.
    #[inline]
    pub(super) fn surely_goes_on(&self, m: Move) -> bool {
        let board = &self.board;
        let Rules { plies, quiet, repetition, legal } = self.rules;
        if plies != 0 && board.ply + 1 >= plies
            || quiet != 0 && board.clock + 1 >= quiet
            || repetition != 0 && board.reversible >= 3 && self.last_warnings().next().is_some()
            || kind_of(board.piece(m.to())) == GENERAL
        {
            return false;
        }
        let them = board.seat() ^ 1;
        if legal {
            let t = &THREATS[palace(board.general(them))];
            // As above: one of the two may be captured by the move.
            board.free_soldiers(them, t.lines | t.legs) >= 2 && !board.gives_check(m)
        } else {
            board.free_soldiers(them, 0) >= 2
        }
    }

    /// A move that mates, or stalemates, at once.
    fn mating_move(&self, scratch: &mut Vec<Move>) -> Option<Move> {
        scratch.clear();
        self.board.legal_moves(scratch);
        let mut next = self.board;
        let them = next.seat() ^ 1;
        // A soldier away from its general's lines can be kept from moving by a capture or a
        // check only; with two of them, nothing but a check can be a win.
        let t = &THREATS[palace(next.general(them))];
        let shelter = t.lines | t.legs;
        let checks_only = next.free_soldiers(them, shelter) >= 2;
        scratch.iter().copied().find(|&m| {
            if checks_only && !next.gives_check(m) {
                return false;
            }
            let undo = next.play::<false>(m);
            let wins = !next.has_legal_move();
            next.undo(m, &undo);
            wins
        })
    }

    /// A move after which the other side is to blame for a repetition.
    #[inline(never)]
    fn blaming_move(&self, scratch: &mut Vec<Move>) -> Option<Move> {
        let us = self.board.seat();
        scratch.clear();
        self.moves(scratch);
        let returns = |m: Move| self.last_warnings().any(|key| key == self.board.key_after(m));
        scratch.iter().copied().find(|&m| {
            returns(m) && {
                let mut next = self.clone();
                next.play(m);
                next.board.end.and_then(End::winner) == Some(us)
            }
        })
    }

    /// A capture of the general.
    fn capturing_move(&self, scratch: &mut Vec<Move>) -> Option<Move> {
        let us = self.board.seat();
        let prey = self.board.general(us ^ 1);
        if !self.board.in_check(us ^ 1) {
            return None;
        }
        scratch.clear();
        self.board.pseudo_moves(scratch);
        scratch.iter().copied().find(|m| m.to() == prey)
    }
}
