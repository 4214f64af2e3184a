//! A board of few cells in one word: what tables over groups of cells look at.

use crate::Game;

/// The images of a board under its symmetries.
pub const IMAGES: usize = 8;

/// A game of one player and chance on a board of at most 4 x 4 cells with at most sixteen contents,
/// in which what follows from a position after a move, the *afterstate*, depends on the board alone.
/// `check::cells` tests it.
///
/// Cell (row, column), counted from the top left, has the four bits from `16 * row + 4 * column` on
/// of a word; cells beyond a smaller board are 0.
pub trait Cells: Game {
    /// Rows and columns of the board, the same for all positions that can follow.
    fn board_size(&self) -> (usize, usize);

    /// The board.
    fn word(&self) -> u64;

    /// A board of this size turned and mirrored in all ways that do not change the game, itself
    /// first. Where there are fewer than eight ways, each is there as often as any other.
    fn images(&self, word: u64) -> [u64; IMAGES];

    /// Calls `visit` with each move of the player to move, in the order of [`Game::moves`], with the
    /// board after it and by how much it raises the player's payoff. Nothing at a chance node.
    fn afterstates(&self, visit: impl FnMut(Self::Move, u64, f32));

    /// Plays a move of [`afterstates`](Cells::afterstates), given what was told there of it: where
    /// that spares working it out a second time, as fast as a copy.
    fn play_to(&mut self, m: Self::Move, _after: u64, _reward: f32) {
        self.play(m);
    }

    /// The same position with another board of this size: the same player is to move, and payoffs are
    /// what they were.
    fn with_word(&self, word: u64) -> Self;

    /// A position with a largest content of at least `least` as one with smaller contents that plays
    /// alike as far as a search sees, if there is one. Learners know little of boards that few games
    /// come to.
    fn lowered(&self, _least: u32) -> Option<Self> {
        None
    }

    /// Some cells' contents, four bits each, with smaller ones that play much alike, if there are
    /// any: what a learner may take a group of cells for that it has not met yet.
    fn likened(_contents: u64) -> Option<u64> {
        None
    }

    /// What people call a content of a cell.
    fn content_name(content: u32) -> String;
}

/// The largest content that a cell has room for.
pub const LARGEST_CONTENT: u32 = 15;

/// The largest content of a board's cells.
pub fn largest_content(word: u64) -> u32 {
    (0..16).map(|cell| (word >> (4 * cell) & 15) as u32).max().unwrap_or(0)
}
