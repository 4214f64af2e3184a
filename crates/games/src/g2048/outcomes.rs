//! The tiles that chance may lay, each with the best slide after it, all at once.
//!
//! A new tile changes one row and one column: the other lines slide as they did without it, and what
//! the table says of them is known. Half of what looking at each board by itself reads from
//! the tables need not be read.

use super::board::{rows, transpose};
use super::lines::{Best, Lines};
use super::tables::{PerRow, tables};
use super::{FOUR, G2048, TWO};
use spielbaum_core::AfterChance;

/// A board slid one way, and the same with another line in the place of one.
struct Slide<'a, L: Lines> {
    table: &'a PerRow<u16>,
    /// On a small board lines slide to the end of the word and come back so many bits.
    back: u32,
    along: &'a PerRow<L::Line>,
    across: &'a PerRow<L::Line>,
    /// The board after the slide, with columns for rows.
    turned: u64,
    /// For each line whether any of the others moved.
    others_moved: [bool; 4],
    /// For each line what the table says of its neighbour in the pair, and of the other pair.
    neighbour: [L::Line; 4],
    pair: [L::Line; 4],
}

impl<'a, L: Lines> Slide<'a, L> {
    /// Slides the rows of a board, of so many cells each, the columns having `height` cells.
    #[inline]
    fn new(lines: &'a L, board: u64, (width, height): (u8, u8), is_back: bool) -> Self {
        let table = tables().rows(is_back);
        let back = if is_back { 4 * (4 - u32::from(width)) } else { 0 };
        let (along, across) = (lines.table(width), lines.table(height));
        let before = rows(board);
        let slid = before.map(|line| table[line] >> back);
        let moved: [bool; 4] = std::array::from_fn(|i| usize::from(slid[i]) != before[i]);
        let [a, b, c, d] = slid.map(|line| along[usize::from(line)]);
        let (first, last) = (L::join(a, b), L::join(c, d));
        let all = slid.iter().rev().fold(0, |all, &line| all << 16 | u64::from(line));
        Slide {
            table,
            back,
            along,
            across,
            turned: transpose(all),
            others_moved: std::array::from_fn(|i| (0..4).any(|other| other != i && moved[other])),
            neighbour: [b, a, d, c],
            pair: [last, last, first, first],
        }
    }

    /// With this line in the place of the `i`-th: whether anything moves, what the table says of the lines
    /// along the slide and of those across it, and the board with columns for rows.
    #[inline(always)]
    fn with(&self, i: usize, line: usize) -> (bool, L::Line, L::Line, u64) {
        let slid = self.table[line] >> self.back;
        let along = L::join(self.along[usize::from(slid)], self.neighbour[i]);
        let turned = self.turned & !(COLUMN << (4 * i)) | as_column(slid) << (4 * i);
        let moves = self.others_moved[i] | (usize::from(slid) != line);
        (moves, L::join(along, self.pair[i]), L::all(self.across, turned), turned)
    }
}

const COLUMN: u64 = 0x000f_000f_000f_000f;

/// The cells of a row, one below the other.
#[inline(always)]
fn as_column(row: u16) -> u64 {
    let pairs = (u64::from(row) | u64::from(row) << 24) & 0x0000_00ff_0000_00ff;
    (pairs | pairs << 12) & COLUMN
}

/// See [`Eval::expected_after_chance`](spielbaum_core::Eval::expected_after_chance).
pub(super) fn expected_after_chance<L: Lines>(lines: &L, pos: &G2048) -> Option<AfterChance> {
    let empty = pos.empty();
    // After the first tile of all another one follows.
    if !pos.chance || pos.board == 0 || empty == 0 {
        return None;
    }
    let (board, flipped) = (pos.board, transpose(pos.board));
    let [up, down] = [false, true].map(|b| Slide::new(lines, flipped, (pos.rows, pos.columns), b));
    let [left, right] = [false, true].map(|b| Slide::new(lines, board, (pos.columns, pos.rows), b));
    let (mut sum, mut moves, mut rest) = (0.0, 0, empty);
    while rest != 0 {
        let cell = rest.trailing_zeros() / 4;
        rest &= rest - 1;
        let (row, column) = (cell / 4, cell % 4);
        for (rank, weight) in [(1, TWO), (2, FOUR)] {
            let whole_row = rows(board)[row as usize] | rank << (4 * column);
            let whole_column = rows(flipped)[column as usize] | rank << (4 * row);
            let mut best = Best::new();
            for slide in [&up, &down] {
                let (moves, columns, rows, turned) = slide.with(column as usize, whole_column);
                best.consider(moves, lines.value(pos, rows, columns, turned));
            }
            for slide in [&left, &right] {
                let (moves, rows, columns, turned) = slide.with(row as usize, whole_row);
                best.consider(moves, lines.value(pos, rows, columns, turned));
            }
            let (value, slides) = best.or_lost(lines.lost());
            sum += f64::from(weight) * f64::from(value);
            moves += slides;
        }
    }
    let cells = empty.count_ones();
    let value = (sum / f64::from((TWO + FOUR) * cells)) as f32;
    Some(AfterChance { value, outcomes: 2 * cells, moves })
}
