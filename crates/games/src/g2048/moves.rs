//! Moves: four slides, and the tiles that chance lays.

use super::board::Direction;
use std::fmt;

/// A slide, or a tile laid by chance. It is its own code.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Move(u8);

impl Move {
    /// Four slides, then a 2 and a 4 for each cell of the largest board.
    pub(super) const CODES: usize = 4 + 2 * 16;

    /// A slide.
    pub const fn slide(direction: Direction) -> Self {
        Move(direction as u8)
    }

    /// A 4 or a 2 in a cell of the board of sixteen.
    pub(super) fn spawn(cell: u32, four: bool) -> Self {
        Move(4 + 2 * cell as u8 + u8::from(four))
    }

    /// Of a tile laid by chance, whether it is a four.
    #[inline]
    pub(super) fn is_four(self) -> bool {
        self.0 & 1 == 1
    }

    /// Where a slide goes.
    pub(super) fn direction(self) -> Direction {
        Direction::ALL[usize::from(self.0 & 3)]
    }

    /// Cell and rank of a tile laid by chance.
    #[inline]
    pub(super) fn spawned(self) -> Option<(u32, u8)> {
        let spawn = self.0.checked_sub(4)?;
        Some((u32::from(spawn / 2), 1 + spawn % 2))
    }

    pub(super) fn code(self) -> usize {
        self.0.into()
    }
}

/// `up`, `down`, `left`, `right`; `2@b3` is a 2 in column b of row 3, rows from the top.
impl fmt::Display for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.spawned() {
            Some((cell, rank)) => {
                let column = char::from(b'a' + (cell % 4) as u8);
                write!(f, "{}@{column}{}", 1 << rank, cell / 4 + 1)
            }
            None => f.write_str(match self.direction() {
                Direction::Up => "up",
                Direction::Down => "down",
                Direction::Left => "left",
                Direction::Right => "right",
            }),
        }
    }
}

impl fmt::Debug for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}
