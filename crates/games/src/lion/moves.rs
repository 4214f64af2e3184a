//! Squares and moves in one byte.

use std::fmt;

/// A square: four bits of rank and file, `rank * 4 + file`. The fourth file does not exist; it
/// keeps a step off the edge from coming back on the other side.
pub(super) type Square = u8;

/// Kinds of men in hand: their letters in the order of their numbers.
pub(super) const DROPS: [char; 3] = ['C', 'G', 'E'];

/// A move: where to in the low half; in the high half where from, or, on the file that does
/// not exist, the kind dropped (3, 7, 11) or a promotion (15).
///
/// Notation: `b2b3`, `c3c4+` for a chick that becomes a hen, `C@b3` for a drop.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Move(pub(super) u8);

/// The high half of a promotion.
const PROMOTION: u8 = 15;

/// What a move does.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Action {
    /// A man steps.
    Step(Square),
    /// A chick steps onto the far rank and becomes a hen.
    Promote(Square),
    /// A man of this kind comes from the hand.
    Drop(u8),
}

impl Move {
    /// Number of codes: 12 x 12 steps, 3 x 12 drops, 2 x 3 promotions.
    pub(super) const CODES: usize = 12 * 12 + 3 * 12 + 2 * 3;

    #[inline]
    pub(super) const fn step(from: Square, to: Square) -> Move {
        Move(from << 4 | to)
    }

    #[inline]
    pub(super) const fn promotion(to: Square) -> Move {
        Move(PROMOTION << 4 | to)
    }

    #[inline]
    pub(super) const fn drop(kind: u8, to: Square) -> Move {
        Move((kind << 2 | 3) << 4 | to)
    }

    #[inline]
    pub(super) const fn to(self) -> Square {
        self.0 & 15
    }

    #[inline]
    pub(super) const fn action(self) -> Action {
        let from = self.0 >> 4;
        if from & 3 != 3 {
            Action::Step(from)
        } else if from == PROMOTION {
            // Onto the fourth rank from the third, or onto the first from the second.
            Action::Promote(if self.to() >= 12 { self.to() - 4 } else { self.to() + 4 })
        } else {
            Action::Drop(from >> 2)
        }
    }

    /// A dense number, the same wherever the move is made.
    #[inline]
    pub(super) const fn code(self) -> usize {
        let to = index(self.to());
        match self.action() {
            Action::Step(from) => index(from) * 12 + to,
            Action::Drop(kind) => (12 + kind as usize) * 12 + to,
            Action::Promote(_) => 15 * 12 + if to < 3 { to } else { to - 6 },
        }
    }
}

/// Number of a square without the missing file.
const fn index(square: Square) -> usize {
    (square - (square >> 2)) as usize
}

/// `a1` to `c4`.
pub(super) fn square_name(square: Square) -> String {
    format!("{}{}", char::from(b'a' + (square & 3)), (square >> 2) + 1)
}

impl fmt::Display for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let to = square_name(self.to());
        let text = match self.action() {
            Action::Step(from) => format!("{}{to}", square_name(from)),
            Action::Promote(from) => format!("{}{to}+", square_name(from)),
            Action::Drop(kind) => format!("{}@{to}", DROPS[kind as usize]),
        };
        f.pad(&text)
    }
}

impl fmt::Debug for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}
