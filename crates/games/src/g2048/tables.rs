//! How cells slide: a row at a time, by table.

use super::board::{Direction, MAX_RANK, rows, transpose, transpose_if};

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
pub(super) type PerRow<T> = [T; 1 << 16];

/// What slides do to rows. Columns are the rows of the transpose: tables that spare turning the board
/// back would be four times as large, and no faster.
pub(super) struct Tables {
    left: PerRow<u16>,
    right: PerRow<u16>,
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

#[inline]
fn by_rows(board: u64, table: &[u16; 1 << 16]) -> u64 {
    let [a, b, c, d] = rows(board);
    u64::from(table[a])
        | u64::from(table[b]) << 16
        | u64::from(table[c]) << 32
        | u64::from(table[d]) << 48
}

impl Tables {
    #[allow(long_running_const_eval)]
    const fn new() -> Self {
        const ROWS: usize = 1 << 16;
        let mut tables = Tables { left: [0; ROWS], right: [0; ROWS], points: [0; ROWS] };
        let mut row = 0;
        while row < ROWS {
            let (left, points) = slide_row(row as u16);
            tables.left[row] = left;
            tables.points[row] = points;
            // The mirrored row slides to the other wall.
            tables.right[reverse(row as u16) as usize] = reverse(left);
            row += 1;
        }
        tables
    }

    /// Each row slid to the left, or to the end of the word.
    #[inline]
    pub(super) fn rows(&self, is_back: bool) -> &PerRow<u16> {
        if is_back { &self.right } else { &self.left }
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

    /// The boards after all four slides, in the order of [`Direction::ALL`], from a board and its
    /// transpose.
    #[inline(always)]
    pub(super) fn slides(&self, board: u64, flipped: u64, rows: u32, columns: u32) -> [u64; 4] {
        [
            transpose(self.slide_left(flipped)),
            transpose(self.slide_right(flipped, rows)),
            self.slide_left(board),
            self.slide_right(board, columns),
        ]
    }

    /// The points of a slide of all rows, either way.
    #[inline]
    pub(super) fn points(&self, board: u64) -> u32 {
        rows(board).into_iter().map(|row| u32::from(self.points[row])).sum::<u32>() * 4
    }

    /// The board after a slide; the same if nothing moves. Without a branch on the direction, which
    /// nobody foresees.
    #[inline]
    pub(super) fn slide(&self, board: u64, direction: Direction, rows: u32, columns: u32) -> u64 {
        let mask = 0u64.wrapping_sub(direction.is_vertical().into());
        let length = if direction.is_vertical() { rows } else { columns };
        let lines = transpose_if(board, mask);
        transpose_if(self.slide_rows(lines, direction.is_back(), length), mask)
    }

    /// All rows slid to the left or to the wall behind `length` cells, without a branch.
    #[inline(always)]
    pub(super) fn slide_rows(&self, board: u64, is_back: bool, length: u32) -> u64 {
        by_rows(board, self.rows(is_back)) >> ((4 - length) * 4 * u32::from(is_back))
    }
}

#[cfg(test)]
mod tests {
    use super::super::board::{cells, empty, movable, worth};
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
                let all = tables().slides(board, transpose(board), height, width);
                assert_eq!(found, all[direction as usize], "{board:016x} {direction:?}");
                let lines = if vertical { transpose(board) } else { board };
                assert_eq!(tables().points(lines), gained);
                assert_eq!(worth(found), worth(board) + gained);
            }
            let free = before.iter().flatten().filter(|&&t| t == 0).count() as u32;
            let beyond = 16 - height * width;
            assert_eq!(empty(board, cells(height, width)).count_ones(), free - beyond);
        }
    }
}
