//! Sixteen cells of four bits in one word.
//!
//! A cell holds the binary logarithm of its tile, 0 if it is empty. Cell (row, column), counted
//! from the top left, has the bits from `16 * row + 4 * column` on. Smaller boards lie in the top
//! left corner; the cells beyond stay empty.

/// The four slides, in the order of the moves.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Direction {
    /// Towards row 1.
    Up,
    /// Away from row 1.
    Down,
    /// Towards column a.
    Left,
    /// Away from column a.
    Right,
}

impl Direction {
    /// All of them.
    pub const ALL: [Direction; 4] =
        [Direction::Up, Direction::Down, Direction::Left, Direction::Right];

    /// Whether columns slide.
    #[inline]
    pub(super) fn is_vertical(self) -> bool {
        (self as u8) < 2
    }

    /// Whether it is away from row 1 or column a.
    #[inline]
    pub(super) fn is_back(self) -> bool {
        self as u8 & 1 == 1
    }
}

/// The largest tile that four bits can tell: 32768.
pub(super) const MAX_RANK: u16 = 15;

/// The rows of a board, top first, as indices of tables.
#[inline]
pub(super) fn rows(board: u64) -> [usize; 4] {
    [
        (board & 0xffff) as usize,
        (board >> 16 & 0xffff) as usize,
        (board >> 32 & 0xffff) as usize,
        (board >> 48) as usize,
    ]
}

/// Rows become columns.
#[inline]
pub(super) fn transpose(board: u64) -> u64 {
    transpose_if(board, u64::MAX)
}

/// Rows become columns if all bits of `mask` are set, and stay rows if none is.
#[inline]
pub(super) fn transpose_if(board: u64, mask: u64) -> u64 {
    // Swap the off-diagonal cells of each 2 x 2 block, then the off-diagonal blocks.
    let swap = (board ^ board >> 12) & 0x0000_f0f0_0000_f0f0 & mask;
    let board = board ^ swap ^ swap << 12;
    let swap = (board ^ board >> 24) & 0x0000_0000_ff00_ff00 & mask;
    board ^ swap ^ swap << 24
}

/// Columns in the opposite order, of a board with so many.
#[inline]
pub(super) fn mirror(board: u64, columns: u32) -> u64 {
    let pairs = board >> 8 & 0x00ff_00ff_00ff_00ff | board << 8 & 0xff00_ff00_ff00_ff00;
    let turned = pairs >> 4 & 0x0f0f_0f0f_0f0f_0f0f | pairs << 4 & 0xf0f0_f0f0_f0f0_f0f0;
    turned >> (4 * (4 - columns))
}

/// Rows in the opposite order, of a board with so many.
#[inline]
pub(super) fn flip(board: u64, rows: u32) -> u64 {
    let pairs = board.rotate_left(32);
    let turned = pairs >> 16 & 0x0000_ffff_0000_ffff | pairs << 16 & 0xffff_0000_ffff_0000;
    turned >> (16 * (4 - rows))
}

/// The lowest bit of the `n`-th of some cells, given by those bits; there are more than `n`, and 15
/// at most.
#[inline(always)]
pub(super) fn nth(cells: u64, n: u32) -> u32 {
    debug_assert!(n < cells.count_ones() && cells.count_ones() < 16);
    const FIFTEENS: u64 = 0x0f0f_0f0f_0f0f_0f0f;
    // Each cell counts those up to itself; the first with more than n is the one. Adding 15 - n
    // carries out of four bits where it is; every other cell makes room for the carry. What does
    // not wait for n comes first.
    let upto = cells.wrapping_mul(0x1111_1111_1111_1111);
    let (even, odd) = ((upto & FIFTEENS) + FIFTEENS, (upto >> 4 & FIFTEENS) + FIFTEENS);
    let less = u64::from(n) * 0x0101_0101_0101_0101;
    let more = (even - less) >> 4 & 0x0101_0101_0101_0101 | (odd - less) & 0x1010_1010_1010_1010;
    more.trailing_zeros()
}

/// The lowest bits of all cells of a board.
#[inline]
pub(super) fn cells(rows: u32, columns: u32) -> u64 {
    let row = 0x1111u64 >> (4 * (4 - columns));
    (row | row << 16 | row << 32 | row << 48) & u64::MAX >> (16 * (4 - rows))
}

/// The lowest bits of the cells with tiles.
#[inline]
pub(super) fn tiles(board: u64) -> u64 {
    let any = board | board >> 2;
    (any | any >> 1) & 0x1111_1111_1111_1111
}

/// The lowest bits of the empty ones among some cells.
#[inline]
pub(super) fn empty(board: u64, cells: u64) -> u64 {
    !tiles(board) & cells
}

/// The slides that move something, a bit for each [`Direction`].
///
/// Towards a wall goes a tile behind an empty cell or, either way, one of two equal neighbours.
#[inline]
pub(super) fn movable(board: u64, cells: u64) -> u32 {
    let empty = empty(board, cells);
    let tiles = tiles(board);
    let largest = board & board >> 1 & board >> 2 & board >> 3;
    let axis = |step: u32, pairs: u64| {
        let differ = board ^ board >> step;
        let differ = differ | differ >> 2;
        let merge = tiles & !largest & !(differ | differ >> 1);
        let (ahead, behind) = (empty & tiles >> step, tiles & empty >> step);
        let is_any = |mask: u64| u32::from(mask & pairs != 0);
        is_any(merge | ahead) | is_any(merge | behind) << 1
    };
    axis(16, cells & cells >> 16) | axis(4, cells & cells >> 4 & 0x0fff_0fff_0fff_0fff) << 2
}

/// A bit for each kind of tile on the board, bit 0 for empty cells.
pub(super) fn kinds(board: u64) -> u16 {
    (0..16).fold(0, |kinds, cell| kinds | 1 << (board >> (4 * cell) & 15))
}

/// The points it takes to make the tiles of a board by merging twos: a tile of rank r takes
/// (r - 1) * 2^r. A four that chance laid down is worth 4 points that nobody made.
#[inline]
pub(super) fn worth(board: u64) -> u32 {
    board.to_le_bytes().into_iter().map(|pair| WORTH[usize::from(pair)]).sum()
}

/// What two cells are worth.
static WORTH: [u32; 256] = {
    let mut worth = [0; 256];
    let mut pair = 0;
    while pair < 256 {
        let (a, b) = (pair as u32 & 15, pair as u32 >> 4);
        worth[pair] = (a.saturating_sub(1) << a) + (b.saturating_sub(1) << b);
        pair += 1;
    }
    worth
};

#[cfg(test)]
mod tests {
    use super::*;
    use spielbaum_core::Rng;

    #[test]
    fn the_nth_cell_is_found() {
        let mut rng = Rng::new(2);
        for _ in 0..10_000 {
            let cells = rng.next() & rng.next() & 0x1111_1111_1111_1111;
            let all: Vec<u32> = (0..64).filter(|i| cells >> i & 1 == 1).collect();
            if all.len() < 16 {
                let found = (0..all.len() as u32).map(|n| nth(cells, n));
                assert_eq!(found.collect::<Vec<_>>(), all);
            }
        }
        let all_but_one = 0x1111_1111_1111_1110;
        assert_eq!((nth(all_but_one, 0), nth(all_but_one, 14)), (4, 60));
    }

    #[test]
    fn kinds_are_told() {
        assert_eq!(kinds(0x0000_0000_0000_f121), 1 << 15 | 0b111);
        assert_eq!(kinds(0x1111_1111_1111_1111), 0b10);
    }
}
