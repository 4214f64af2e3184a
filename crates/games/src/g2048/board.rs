//! Sixteen cells of four bits in one word, and how they slide: a row at a time, by table.
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

/// A row slid to the left and the points it makes, in quarters (65 536 does not fit 16 bits).
///
/// Tiles merge in pairs, the pair nearest the wall first, and a tile made by a merge does not
/// merge again. Two tiles of 32768 do not merge.
const fn slide_row(row: u16) -> (u16, u16) {
    let (mut result, mut count, mut points) = (0u16, 0, 0);
    // The last tile laid down, if it may still merge.
    let mut open = 0;
    let mut rest = row;
    while rest != 0 {
        let rank = rest & 15;
        rest >>= 4;
        if rank == 0 {
            continue;
        }
        if rank == open && rank < MAX_RANK {
            result += 1 << (4 * (count - 1));
            points += 1 << (rank - 1);
            open = 0;
        } else {
            result |= rank << (4 * count);
            count += 1;
            open = rank;
        }
    }
    (result, points)
}

const fn reverse(row: u16) -> u16 {
    row >> 12 | row >> 4 & 0x00f0 | row << 4 & 0x0f00 | row << 12
}

/// Something for each row.
type PerRow<T> = [T; 1 << 16];

/// What slides do to rows and columns.
pub(super) struct Tables {
    left: PerRow<u16>,
    right: PerRow<u16>,
    /// Columns slid up and down, as columns: no need to turn the board back.
    up: PerRow<u64>,
    down: PerRow<u64>,
    /// Points in quarters. They are the same both ways: of equal tiles in a line, every other
    /// merges.
    points: PerRow<u16>,
}

/// Made by the compiler: a slide need not ask whether they are there.
static TABLES: Tables = Tables::new();

/// The tables.
#[inline]
pub(super) fn tables() -> &'static Tables {
    &TABLES
}

/// A row as a column: the first of four.
const fn spread(row: u16) -> u64 {
    let row = row as u64;
    (row | row << 12 | row << 24 | row << 36) & 0x000f_000f_000f_000f
}

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

#[inline]
fn by_rows(board: u64, table: &[u16; 1 << 16]) -> u64 {
    let [a, b, c, d] = rows(board);
    u64::from(table[a])
        | u64::from(table[b]) << 16
        | u64::from(table[c]) << 32
        | u64::from(table[d]) << 48
}

#[inline]
fn by_columns(board: u64, table: &[u64; 1 << 16]) -> u64 {
    let [a, b, c, d] = rows(transpose(board));
    table[a] | table[b] << 4 | table[c] << 8 | table[d] << 12
}

/// Rows become columns.
#[inline]
pub(super) fn transpose(board: u64) -> u64 {
    transpose_if(board, u64::MAX)
}

/// Rows become columns if all bits of `mask` are set, and stay rows if none is.
#[inline]
fn transpose_if(board: u64, mask: u64) -> u64 {
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

impl Tables {
    #[allow(long_running_const_eval)]
    const fn new() -> Self {
        const ROWS: usize = 1 << 16;
        let mut tables = Tables {
            left: [0; ROWS],
            right: [0; ROWS],
            up: [0; ROWS],
            down: [0; ROWS],
            points: [0; ROWS],
        };
        let mut row = 0;
        while row < ROWS {
            let (left, points) = slide_row(row as u16);
            tables.left[row] = left;
            tables.up[row] = spread(left);
            tables.points[row] = points;
            // The mirrored row slides to the other wall.
            let (back, right) = (reverse(row as u16) as usize, reverse(left));
            tables.right[back] = right;
            tables.down[back] = spread(right);
            row += 1;
        }
        tables
    }

    /// All rows slid to the left.
    #[inline]
    pub(super) fn slide_left(&self, board: u64) -> u64 {
        by_rows(board, &self.left)
    }

    /// All rows slid to the right, to the wall behind `columns` cells: on a narrow board the
    /// tiles go to the end of the word and come back together.
    #[inline]
    pub(super) fn slide_right(&self, board: u64, columns: u32) -> u64 {
        by_rows(board, &self.right) >> (4 * (4 - columns))
    }

    /// The points of a slide of all rows, either way.
    #[inline]
    pub(super) fn points(&self, board: u64) -> u32 {
        rows(board).into_iter().map(|row| u32::from(self.points[row])).sum::<u32>() * 4
    }

    /// The board after a slide; the same if nothing moves.
    #[inline]
    pub(super) fn slide(&self, board: u64, direction: Direction, rows: u32, columns: u32) -> u64 {
        match direction {
            Direction::Up => by_columns(board, &self.up),
            Direction::Down => by_columns(board, &self.down) >> (16 * (4 - rows)),
            Direction::Left => self.slide_left(board),
            Direction::Right => self.slide_right(board, columns),
        }
    }

    /// The board after a slide and the points it makes, without a branch on the direction: for
    /// searches and random play, where none can be foreseen.
    #[inline]
    pub(super) fn play(
        &self,
        board: u64,
        direction: Direction,
        rows: u32,
        columns: u32,
    ) -> (u64, u32) {
        let mask = 0u64.wrapping_sub(direction.is_vertical().into());
        let lines = transpose_if(board, mask);
        let length = if direction.is_vertical() { rows } else { columns };
        let after = self.slide_rows(lines, direction.is_back(), length);
        (transpose_if(after, mask), self.points(lines))
    }

    /// All rows slid to the left or to the wall behind `length` cells, without a branch.
    #[inline(always)]
    pub(super) fn slide_rows(&self, board: u64, is_back: bool, length: u32) -> u64 {
        let table = if is_back { &self.right } else { &self.left };
        by_rows(board, table) >> ((4 - length) * 4 * u32::from(is_back))
    }
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
    more.trailing_zeros() & !3
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

    /// A slide as a person does it: push the tiles together, merge from the wall on, push again.
    fn by_hand(line: &[u32]) -> (Vec<u32>, u32) {
        let tiles: Vec<u32> = line.iter().copied().filter(|&t| t > 0).collect();
        let (mut merged, mut points) = (Vec::new(), 0);
        let mut i = 0;
        while i < tiles.len() {
            let pair = tiles.get(i + 1) == Some(&tiles[i]) && tiles[i] < 32768;
            merged.push(if pair { 2 * tiles[i] } else { tiles[i] });
            points += if pair { 2 * tiles[i] } else { 0 };
            i += if pair { 2 } else { 1 };
        }
        merged.resize(line.len(), 0);
        (merged, points)
    }

    fn faces(board: u64) -> [[u32; 4]; 4] {
        std::array::from_fn(|r| {
            std::array::from_fn(|c| match board >> (16 * r + 4 * c) & 15 {
                0 => 0,
                rank => 1 << rank,
            })
        })
    }

    #[test]
    fn all_rows_slide_as_by_hand() {
        let tables = tables();
        for row in 0..=u16::MAX {
            let line = faces(row.into())[0];
            let (left, points) = by_hand(&line);
            assert_eq!(faces(tables.left[usize::from(row)].into())[0][..], left, "{line:?}");
            assert_eq!(u32::from(tables.points[usize::from(row)]) * 4, points, "{line:?}");
            let mut back = line;
            back.reverse();
            let (mut right, points) = by_hand(&back);
            right.reverse();
            assert_eq!(faces(tables.right[usize::from(row)].into())[0][..], right, "{line:?}");
            assert_eq!(u32::from(tables.points[usize::from(row)]) * 4, points, "{line:?}");
        }
    }

    /// Boards of all sizes, each line by hand.
    #[test]
    fn boards_slide_line_by_line() {
        let mut rng = Rng::new(1);
        for i in 0..20_000u32 {
            let (height, width) = (2 + i % 3, 2 + i / 3 % 3);
            let mut board = 0;
            for cell in 0..16 {
                // Few kinds of tiles, so that they meet.
                let rank = rng.below(5) as u64;
                board |= rank << (4 * cell);
            }
            board &= cells(height, width) * 15;
            let before = faces(board);
            for direction in Direction::ALL {
                let mut after = [[0; 4]; 4];
                let mut gained = 0;
                let vertical = matches!(direction, Direction::Up | Direction::Down);
                let back = matches!(direction, Direction::Down | Direction::Right);
                let (lines, length) = if vertical { (width, height) } else { (height, width) };
                for line in 0..lines as usize {
                    // The k-th cell of the line, from the wall on.
                    let at = |k: usize| {
                        let k = if back { length as usize - 1 - k } else { k };
                        if vertical { (k, line) } else { (line, k) }
                    };
                    let cells = (0..length as usize).map(|k| before[at(k).0][at(k).1]);
                    let (slid, points) = by_hand(&cells.collect::<Vec<_>>());
                    gained += points;
                    for (k, tile) in slid.into_iter().enumerate() {
                        after[at(k).0][at(k).1] = tile;
                    }
                }
                let found = tables().slide(board, direction, height, width);
                assert_eq!(faces(found), after, "{board:016x} {direction:?} {height}x{width}");
                let moves = movable(board, cells(height, width)) >> direction as u32 & 1 == 1;
                assert_eq!(moves, found != board, "{board:016x} {direction:?} {height}x{width}");
                assert_eq!(tables().play(board, direction, height, width), (found, gained));
                let lines = if vertical { transpose(board) } else { board };
                assert_eq!(tables().points(lines), gained);
                assert_eq!(worth(found), worth(board) + gained);
            }
            let free = before.iter().flatten().filter(|&&t| t == 0).count() as u32;
            let beyond = 16 - height * width;
            assert_eq!(empty(board, cells(height, width)).count_ones(), free - beyond);
        }
    }

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
