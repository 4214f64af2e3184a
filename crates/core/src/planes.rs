//! What a network sees of a game, and how a board may be turned.

use crate::Game;

/// A game that a network can look at: positions as planes of numbers, moves as entries of a
/// policy. `check::planes` tests it.
pub trait Planes: Game {
    /// Channels, rows and columns of [`planes`](Planes::planes), the same for all positions
    /// that can follow.
    fn shape(&self) -> [usize; 3];

    /// Writes the position into `out`, channel after channel, row after row. Every entry is
    /// written.
    fn planes(&self, out: &mut [f32]);

    /// What else distinguishes games of one shape, as a specification has it, such as `k=5`: a network
    /// that learned one of them does not know the others.
    fn variant(&self) -> String {
        String::new()
    }

    /// Where the probability of a move stands in a policy: unique among the legal moves.
    fn policy_index(&self, m: Self::Move) -> usize {
        self.code(m)
    }

    /// Entries of a policy.
    fn policy_len(&self) -> usize {
        self.codes()
    }

    /// The ways in which the board can be turned without changing the game; at least the
    /// identity.
    fn symmetries(&self) -> &'static [Symmetry] {
        &[Symmetry::IDENTITY]
    }

    /// Where an entry of a policy comes to lie when the board is turned. As written it serves
    /// games whose policy is one plane.
    fn turn_policy(&self, symmetry: Symmetry, index: usize) -> usize {
        let [_, rows, columns] = self.shape();
        symmetry.cell(rows, columns, index)
    }
}

/// A turn or mirror image of a rectangular board.
///
/// ```
/// use spielbaum_core::Symmetry;
/// // A quarter turn takes the corner of a 3 x 3 board to the next one, four make a whole.
/// let quarter = Symmetry { transposes: true, flips_rows: true, flips_columns: false };
/// assert_eq!(quarter.cell(3, 3, 0), 6);
/// let turned = (0..4).fold(1, |cell, _| quarter.cell(3, 3, cell));
/// assert_eq!(turned, 1);
/// assert_eq!(Symmetry::of_board(3, 3).len(), 8);
/// assert_eq!(Symmetry::of_board(3, 4).len(), 4);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Symmetry {
    /// Rows become columns, first of all.
    pub transposes: bool,
    /// Then the last row becomes the first.
    pub flips_rows: bool,
    /// And the last column the first.
    pub flips_columns: bool,
}

/// All symmetries of a square; the first four are those of a rectangle.
static SQUARE: [Symmetry; 8] = {
    let mut all = [Symmetry::IDENTITY; 8];
    let mut i = 0;
    while i < 8 {
        all[i] =
            Symmetry { transposes: i & 4 != 0, flips_rows: i & 2 != 0, flips_columns: i & 1 != 0 };
        i += 1;
    }
    all
};

impl Symmetry {
    /// Nothing is turned.
    pub const IDENTITY: Symmetry =
        Symmetry { transposes: false, flips_rows: false, flips_columns: false };

    /// The eight symmetries of a square board, or the four of any other; the identity first.
    pub fn of_board(rows: usize, columns: usize) -> &'static [Symmetry] {
        if rows == columns { &SQUARE } else { &SQUARE[..4] }
    }

    /// Where a cell of a board of `rows` by `columns`, counted row after row, comes to lie.
    pub fn cell(self, rows: usize, columns: usize, cell: usize) -> usize {
        let (mut row, mut column) = (cell / columns, cell % columns);
        if self.transposes {
            (row, column) = (column, row);
        }
        if self.flips_rows {
            row = rows - 1 - row;
        }
        if self.flips_columns {
            column = columns - 1 - column;
        }
        row * columns + column
    }
}
