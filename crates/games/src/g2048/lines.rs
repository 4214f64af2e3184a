//! Evaluations that are made of lines: what a row or a column is worth stands in a table.

use super::G2048;
use super::board::{kinds, transpose};
use super::tables::tables;
use spielbaum_core::Game;

/// Something about every line of 2, 3 and 4 cells.
#[derive(Clone, Debug)]
pub(super) struct LineTable<T>([Box<[T; 1 << 16]>; 3]);

impl<T: Copy + Default> LineTable<T> {
    /// Calls `of` with the ranks of each line.
    pub(super) fn new(of: impl Fn(&[u32]) -> T) -> Self {
        LineTable([2, 3, 4].map(|length| {
            let mut table = Box::new([T::default(); 1 << 16]);
            for line in 0..1usize << (4 * length) {
                let ranks: [u32; 4] = std::array::from_fn(|i| (line >> (4 * i) & 15) as u32);
                table[line] = of(&ranks[..length]);
            }
            table
        }))
    }

    /// The table of lines of so many cells.
    #[inline]
    pub(super) fn of(&self, length: u8) -> &[T; 1 << 16] {
        &self.0[usize::from(length.clamp(2, 4)) - 2]
    }
}

/// The largest value of a board one slide on, and the number of slides. `value` is given each
/// board with its transpose.
#[inline]
pub(super) fn best_slide(pos: &G2048, value: impl Fn(u64, u64) -> f32) -> (f32, u32) {
    let (tables, rows, columns) = (tables(), pos.rows.into(), pos.columns.into());
    let (board, flipped) = (pos.board, transpose(pos.board));
    // Those that move nothing are valued, too: nobody foresees which they are.
    let (mut best, mut count) = (f32::NEG_INFINITY, 0);
    let mut consider = |moves: bool, value: f32| {
        best = best.max(if moves { value } else { f32::NEG_INFINITY });
        count += u32::from(moves);
    };
    for after in [tables.slide_left(flipped), tables.slide_right(flipped, rows)] {
        consider(after != flipped, value(transpose(after), after));
    }
    for after in [tables.slide_left(board), tables.slide_right(board, columns)] {
        consider(after != board, value(after, transpose(after)));
    }
    (best, count)
}

/// The value of a position with that of a lost one.
#[inline]
pub(super) fn expected(pos: &G2048, lost: f32, value: impl Fn(u64, u64) -> f32) -> f32 {
    if pos.is_over() { lost } else { value(pos.board, transpose(pos.board)) }
}

/// As [`best_slide`], with the value of a lost position where nothing slides.
#[inline]
pub(super) fn expected_next(
    pos: &G2048,
    lost: f32,
    value: impl Fn(u64, u64) -> f32,
) -> Option<(f32, u32)> {
    if pos.chance {
        return None;
    }
    let (best, count) = best_slide(pos, value);
    Some(if count == 0 { (lost, 0) } else { (best, count) })
}

/// The board and whose turn it is: points made do not change what a line is worth.
#[inline]
pub(super) fn key(pos: &G2048) -> u64 {
    spielbaum_core::zobrist::key(u64::from(pos.chance), pos.board)
}

/// The keys of the boards one slide on.
#[inline]
pub(super) fn keys_next(pos: &G2048, out: &mut Vec<u64>) {
    if !pos.chance {
        let (rows, columns) = (pos.rows.into(), pos.columns.into());
        let slides = tables().slides(pos.board, transpose(pos.board), rows, columns);
        out.extend(slides.map(|board| key(&G2048 { board, chance: true, ..*pos })));
    }
}

/// A board with many kinds of tiles is late in the game and has few empty cells: two kinds
/// less than there are, in pairs of tile and slide, and three at least, as nneonneo's program has it.
pub(super) fn depth_hint(pos: &G2048) -> u32 {
    let distinct = (kinds(pos.board) >> 1).count_ones();
    1 + 2 * distinct.saturating_sub(2).max(3)
}

/// A value in hundredths, within what evaluations may be.
pub(super) fn in_hundredths(value: f32) -> i32 {
    ((value * 100.0).round() as i32).clamp(-99_999, 99_999)
}
