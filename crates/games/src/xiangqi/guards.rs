//! The squares that the opponent of the player to move attacks, as if one piece were not there.
//!
//! Without the piece that moves a chariot sees further, a horse or an elephant it blocks is free, and
//! a cannon has other screens. So what the opponent attacks is found once for a position, with the
//! squares on which any of this depends; of most pieces that move, none stands there.

use super::board::Board;
use super::moves::{
    ADVISOR, CANNON, CHARIOT, ELEPHANT, GENERAL, HORSE, OUTSIDE, SOLDIER, Square, file, piece_of,
    rank,
};
use super::tables::{LEAPS, ON_FILE, ON_RANK, SPREAD, Set, Squares, bit};

/// What the opponent attacks.
pub(super) struct Guards<'a> {
    board: &'a Board,
    /// What all but the cannons attack, and all squares where a piece may keep them from more.
    others: Set,
    blocked_at: Set,
    /// What the cannons attack, and the squares where a piece may be one of their screens.
    cannons: Set,
    screened_at: Set,
}

impl<'a> Guards<'a> {
    /// Looks at a position.
    #[inline]
    pub(super) fn of(board: &'a Board) -> Self {
        let them = board.seat() ^ 1;
        let mut guards = Guards { board, others: 0, blocked_at: 0, cannons: 0, screened_at: 0 };
        for kind in [GENERAL, ADVISOR, SOLDIER] {
            for square in Squares(board.of(them, kind)) {
                guards.others |= board.attacks(piece_of(them, kind), square);
            }
        }
        for kind in [ELEPHANT, HORSE] {
            for square in Squares(board.of(them, kind)) {
                guards.others |= board.attacks(piece_of(them, kind), square);
                for leap in &LEAPS[kind][square as usize & 127] {
                    guards.blocked_at |= bit(leap.over);
                }
            }
        }
        for square in Squares(board.of(them, CHARIOT)) {
            let seen = board.chariot(square);
            guards.others |= seen;
            guards.blocked_at |= seen;
        }
        for square in Squares(board.of(them, CANNON)) {
            let behind = board.behind(square);
            guards.cannons |= behind;
            guards.screened_at |= board.chariot(square) | behind;
        }
        guards
    }

    /// The attacked squares without the piece on `from`.
    #[inline]
    pub(super) fn without(&self, from: Square) -> Set {
        let mut set = self.others;
        if self.blocked_at & bit(from) != 0 {
            set |= self.freed(from);
        }
        set | if self.screened_at & bit(from) != 0 { self.behind(from) } else { self.cannons }
    }

    /// What chariots, horses and elephants attack that the piece on `from` keeps off.
    fn freed(&self, from: Square) -> Set {
        let (board, them) = (self.board, self.board.seat() ^ 1);
        let mut set = 0;
        for kind in [ELEPHANT, HORSE] {
            for square in Squares(board.of(them, kind)) {
                for leap in &LEAPS[kind][square as usize & 127] {
                    if leap.over == from && leap.to != OUTSIDE {
                        set |= bit(leap.to);
                    }
                }
            }
        }
        for square in Squares(board.of(them, CHARIOT)) {
            set |= board.slides_without(square, from).0;
        }
        set
    }

    fn behind(&self, from: Square) -> Set {
        let cannons = Squares(self.board.of(self.board.seat() ^ 1, CANNON));
        cannons.fold(0, |set, square| set | self.board.slides_without(square, from).1)
    }
}

impl Board {
    /// What a chariot on a square sees and a cannon reaches behind its screens, if the piece on
    /// `from` were not there.
    #[inline]
    fn slides_without(&self, square: Square, from: Square) -> (Set, Set) {
        let (r, f) = (rank(square) & 15, file(square) & 15);
        let (x, y) = self.lines(square);
        let (mut x, mut y) = (x | x >> 16, y | y >> 16);
        if rank(from) == r {
            x &= !(1 << file(from));
        }
        if file(from) == f {
            y &= !(1 << rank(from));
        }
        let across = ON_RANK[f][(x >> 1) as usize & 127];
        let along = ON_FILE[r][(y >> 1) as usize & 255];
        let set = |across: u32, along: u32| {
            Set::from(across & 0x1ff) << (9 * r) | SPREAD[along as usize & 1023] << f
        };
        (set(across, along), set(across >> 16, along >> 16))
    }
}
