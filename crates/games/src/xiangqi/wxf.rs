//! Moves in the notation of the World Xiangqi Federation.

use super::Xiangqi;
use super::board::Board;
use super::moves::{ADVISOR, ELEPHANT, KINDS, Move, Square, colour_of, file, kind_of, rank};
use super::tables::{Set, Squares};

const LETTERS: [char; KINDS] = ['K', 'A', 'E', 'H', 'R', 'C', 'P'];

impl Xiangqi {
    /// A legal move in the notation of the World Xiangqi Federation: the piece, its file counted
    /// from the mover's right, `+` ahead, `-` back or `=` sideways, then the ranks gone on a file or
    /// else the new file.
    ///
    /// Of two alike on a file the front one is `+` and the rear one `-` instead of the file. With
    /// three or more, or two pairs, soldiers are numbered from the front, `15=6` being the first on
    /// file 5. Advisors and elephants on one file are told apart by their direction.
    ///
    /// ```
    /// use spielbaum_core::text;
    /// use spielbaum_games::xiangqi::Xiangqi;
    /// let start = Xiangqi::default();
    /// let name = |m| start.wxf(text::parse_move(&start, m).unwrap());
    /// assert_eq!(name("h3e3"), "C2=5");
    /// assert_eq!(name("h1g3"), "H2+3");
    /// ```
    pub fn wxf(&self, m: Move) -> String {
        let board = &self.board;
        let (from, to) = (m.from(), m.to());
        let us = colour_of(board.piece(from));
        let kind = kind_of(board.piece(from));
        let alike = Squares(board.of(us, kind) & on_file(from)).count();
        let (steps, sign) = match (rank(to) as i32 - rank(from) as i32) * [1, -1][us] {
            0 => (0, '='),
            ahead @ 1.. => (ahead, '+'),
            back => (-back, '-'),
        };
        let last = if file(from) == file(to) { steps } else { number(us, to) };
        let numbered = alike >= 3 || alike == 2 && pairs(board, us, kind) >= 2;
        let told = match kind {
            ADVISOR | ELEPHANT => false,
            _ => alike == 2 && !numbered && the_other_could(board, us, kind, from, to),
        };
        let place = ahead_of(board, us, kind, from);
        if numbered {
            format!("{}{}{sign}{last}", place + 1, number(us, from))
        } else if told {
            format!("{}{}{sign}{last}", LETTERS[kind], if place == 0 { '+' } else { '-' })
        } else {
            format!("{}{}{sign}{last}", LETTERS[kind], number(us, from))
        }
    }
}

fn on_file(square: Square) -> Set {
    (0..10).fold(0, |set, r| set | 1 << (9 * r + file(square)))
}

/// The number of a file as a player counts.
fn number(us: usize, square: Square) -> i32 {
    let f = file(square) as i32;
    if us == 0 { 9 - f } else { f + 1 }
}

/// Files with at least two pieces of a kind.
fn pairs(board: &Board, us: usize, kind: usize) -> usize {
    (0..9).filter(|&f| (board.of(us, kind) & on_file(f)).count_ones() >= 2).count()
}

/// Pieces alike on the same file nearer to the other side.
fn ahead_of(board: &Board, us: usize, kind: usize, square: Square) -> usize {
    let nearer = |&s: &Square| if us == 0 { s > square } else { s < square };
    Squares(board.of(us, kind) & on_file(square)).filter(nearer).count()
}

/// Whether the same move of the other piece on the file would stay on the board.
fn the_other_could(board: &Board, us: usize, kind: usize, from: Square, to: Square) -> bool {
    let mut others = Squares(board.of(us, kind) & on_file(from)).filter(|&s| s != from);
    let shift = rank(to) as i32 - rank(from) as i32;
    others.any(|s| (0..10).contains(&(rank(s) as i32 + shift)))
}
