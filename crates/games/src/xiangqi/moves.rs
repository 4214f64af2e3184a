//! Squares, pieces and moves.

use std::fmt;

/// A square: `rank * 9 + file`, from `a1` = 0 to `i10` = 89, seen from Red.
pub(super) type Square = u8;

/// The number of squares.
pub(super) const SQUARES: usize = 90;
/// Two places behind the board keep lookups free of branches: one is always empty.
pub(super) const NOWHERE: Square = 126;
/// The other one holds a wall: nobody can go there.
pub(super) const OUTSIDE: Square = 127;

/// Kinds of pieces; a piece is `colour * 8 + kind`.
pub(super) const GENERAL: usize = 0;
pub(super) const ADVISOR: usize = 1;
pub(super) const ELEPHANT: usize = 2;
pub(super) const HORSE: usize = 3;
pub(super) const CHARIOT: usize = 4;
pub(super) const CANNON: usize = 5;
pub(super) const SOLDIER: usize = 6;
/// Number of kinds.
pub(super) const KINDS: usize = 7;
/// The piece on an empty square: a kind of its own.
pub(super) const EMPTY: u8 = 7;
/// The piece on [`OUTSIDE`].
pub(super) const WALL: u8 = 15;

#[inline(always)]
pub(super) const fn piece_of(colour: usize, kind: usize) -> usize {
    (colour & 1) << 3 | kind & 7
}

#[inline(always)]
pub(super) const fn kind_of(piece: usize) -> usize {
    piece & 7
}

#[inline(always)]
pub(super) const fn colour_of(piece: usize) -> usize {
    piece >> 3 & 1
}

/// Letters of the kinds in a position, upper case for Red.
pub(super) const LETTERS: [char; KINDS] = ['k', 'a', 'b', 'n', 'r', 'c', 'p'];

/// The rank of a square, 0 to 9, without a division.
#[inline(always)]
pub(super) const fn rank(square: Square) -> usize {
    (square as usize * 57) >> 9
}

/// The file of a square, 0 to 8.
#[inline(always)]
pub(super) const fn file(square: Square) -> usize {
    square as usize - 9 * rank(square)
}

/// A move: where from and where to, seven bits each.
///
/// Notation: the squares by file `a` to `i` and rank 1 to 10, as in `h3e3` and `a10a9`. For people
/// there is [`wxf`](super::Xiangqi::wxf).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Move(u16);

impl Move {
    /// Number of codes: every pair of squares.
    pub(super) const CODES: usize = SQUARES * SQUARES;

    #[inline(always)]
    pub(super) const fn new(from: Square, to: Square) -> Move {
        Move((from as u16) << 7 | to as u16)
    }

    /// Where from: `rank * 9 + file`.
    #[inline(always)]
    pub const fn from(self) -> u8 {
        (self.0 >> 7 & 127) as u8
    }

    /// Where to: `rank * 9 + file`.
    #[inline(always)]
    pub const fn to(self) -> u8 {
        (self.0 & 127) as u8
    }

    /// A dense number, the same wherever the move is made.
    #[inline]
    pub(super) const fn code(self) -> usize {
        self.from() as usize * SQUARES + self.to() as usize
    }
}

/// `a1` to `i10`.
pub(super) fn square_name(square: Square) -> String {
    format!("{}{}", char::from(b'a' + file(square) as u8), rank(square) + 1)
}

impl fmt::Display for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&format!("{}{}", square_name(self.from()), square_name(self.to())))
    }
}

impl fmt::Debug for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}
