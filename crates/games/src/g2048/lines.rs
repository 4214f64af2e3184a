//! Evaluations that are made of lines: what a row or a column is worth stands in a table.

use super::G2048;
use super::board::{kinds, rows, transpose};
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

/// An evaluation that joins what a table says of all lines.
pub(super) trait Lines {
    /// What the table says of a line.
    type Line: Copy;

    /// The table of lines of so many cells.
    fn table(&self, length: u8) -> &[Self::Line; 1 << 16];

    /// Two groups of lines of the same direction as one. The order of the two does not matter.
    fn join(a: Self::Line, b: Self::Line) -> Self::Line;

    /// The value of a board, given all its rows and all its columns, and itself or its transpose.
    fn value(&self, pos: &G2048, rows: Self::Line, columns: Self::Line, board: u64) -> f32;

    /// The value of a lost position.
    fn lost(&self) -> f32;

    /// What the table says of all rows of a board or, turned, of all columns.
    #[inline]
    fn all(table: &[Self::Line; 1 << 16], board: u64) -> Self::Line {
        let [a, b, c, d] = rows(board).map(|line| table[line]);
        Self::join(Self::join(a, b), Self::join(c, d))
    }
}

/// The value of a board, given with its transpose.
#[inline]
fn value<L: Lines>(lines: &L, pos: &G2048, board: u64, flipped: u64) -> f32 {
    let rows = L::all(lines.table(pos.columns), board);
    let columns = L::all(lines.table(pos.rows), flipped);
    lines.value(pos, rows, columns, board)
}

/// The value of a position.
#[inline]
pub(super) fn expected<L: Lines>(lines: &L, pos: &G2048) -> f32 {
    if pos.is_over() { lines.lost() } else { value(lines, pos, pos.board, transpose(pos.board)) }
}

/// The largest value of a board one slide on, that of a lost position where there is none, and the number
/// of slides.
#[inline]
pub(super) fn expected_next<L: Lines>(lines: &L, pos: &G2048) -> Option<(f32, u32)> {
    if pos.chance {
        return None;
    }
    let (tables, rows, columns) = (tables(), pos.rows.into(), pos.columns.into());
    let (board, flipped) = (pos.board, transpose(pos.board));
    let mut best = Best::new();
    for after in [tables.slide_left(flipped), tables.slide_right(flipped, rows)] {
        best.consider(after != flipped, value(lines, pos, transpose(after), after));
    }
    for after in [tables.slide_left(board), tables.slide_right(board, columns)] {
        best.consider(after != board, value(lines, pos, after, transpose(after)));
    }
    Some(best.or_lost(lines.lost()))
}

/// The best of some slides. Those that move nothing are valued, too: nobody foresees which they are.
pub(super) struct Best {
    value: f32,
    count: u32,
}

impl Best {
    #[inline]
    pub(super) fn new() -> Self {
        Best { value: f32::NEG_INFINITY, count: 0 }
    }

    #[inline]
    pub(super) fn consider(&mut self, moves: bool, value: f32) {
        self.value = self.value.max(if moves { value } else { f32::NEG_INFINITY });
        self.count += u32::from(moves);
    }

    /// Its value, that of a lost position if there is none, and the number of slides.
    #[inline]
    pub(super) fn or_lost(self, lost: f32) -> (f32, u32) {
        (if self.count == 0 { lost } else { self.value }, self.count)
    }
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
