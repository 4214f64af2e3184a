//! The evaluation of the 2048 study (Maqsood 2024): order, smoothness, empty cells.

use super::G2048;
use super::board::tiles;
use super::lines::{self, LineTable, Lines};
use super::outcomes;
use spielbaum_core::{AfterChance, Eval};

/// Which numbers smoothness subtracts.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum TileScale {
    /// The tiles as they are, as the study prints it.
    #[default]
    Raw,
    /// Their binary logarithms; 0 for an empty cell.
    Log2,
}

/// Half the monotonicity, plus smoothness over the logarithm of the largest tile, plus ten for
/// each empty cell; -10 000 for a lost position.
///
/// Monotonicity counts the pairs of neighbours that do not rise, or those that do not fall, in
/// all rows, whichever are more, and the same for columns; equal ones count for both. Smoothness
/// is minus the sum of the differences of neighbours.
///
/// ```
/// use spielbaum_core::{Eval, Game};
/// use spielbaum_games::g2048::{G2048, Paper, TileScale};
/// let pos = G2048::new(2, 2).unwrap().parse("4,2/.,.").unwrap();
/// // Four ordered pairs of four, differences 2 + 0 + 4 + 2, the largest tile 4, two empty cells.
/// assert_eq!(Paper::new(TileScale::Raw).expected(&pos, 0), 2.0 - 8.0 / 2.0 + 20.0);
/// assert_eq!(Paper::new(TileScale::Log2).expected(&pos, 0), 2.0 - 4.0 / 2.0 + 20.0);
/// ```
#[derive(Clone, Debug)]
pub struct Paper {
    lines: LineTable<u64>,
}

const LOST: f32 = -10_000.0;

/// A line in one number: pairs that do not rise in the lowest byte, pairs that do not fall in the
/// next, differences from bit 16 on (these add up), and a bit for each kind of tile from bit 48 on.
const RISES: u32 = 8;
const ROUGH: u32 = 16;
const KINDS: u32 = 48;

impl Paper {
    /// The evaluation with this scale of tiles.
    pub fn new(scale: TileScale) -> Self {
        let size = |rank: u32| match (rank, scale) {
            (0, _) => 0u32,
            (rank, TileScale::Raw) => 1 << rank,
            (rank, TileScale::Log2) => rank,
        };
        let lines = LineTable::new(|ranks| {
            let kinds = ranks.iter().fold(0u64, |kinds, rank| kinds | 1 << rank);
            let pairs = ranks.windows(2).map(|pair| {
                u64::from(pair[0] >= pair[1])
                    | u64::from(pair[0] <= pair[1]) << RISES
                    | u64::from(size(pair[0]).abs_diff(size(pair[1]))) << ROUGH
            });
            pairs.sum::<u64>() | kinds << KINDS
        });
        Paper { lines }
    }
}

/// The part of a line that adds up; the rest are bits of their own.
const SUMS: u64 = (1 << KINDS) - 1;

impl Lines for Paper {
    type Line = u64;

    #[inline]
    fn table(&self, length: u8) -> &[u64; 1 << 16] {
        self.lines.of(length)
    }

    #[inline]
    fn join(a: u64, b: u64) -> u64 {
        ((a & SUMS) + (b & SUMS)) | ((a | b) & !SUMS)
    }

    #[inline]
    fn value(&self, pos: &G2048, rows: u64, columns: u64, board: u64) -> f32 {
        // Lines beyond a small board are empty and do not count.
        let beyond = |length: u8, lines: u8| (self.table(length)[0] & SUMS) * u64::from(4 - lines);
        let across = (rows & SUMS) - beyond(pos.columns, pos.rows);
        let down = (columns & SUMS) - beyond(pos.rows, pos.columns);
        let monotone = |sum: u64| (sum as u8).max((sum >> RISES) as u8);
        let monotonicity = f32::from(monotone(across)) + f32::from(monotone(down));
        let roughness = ((across >> ROUGH) + (down >> ROUGH)) as f32;
        let largest = (rows >> KINDS | 2).ilog2() as f32;
        let empty = u32::from(pos.rows * pos.columns) - tiles(board).count_ones();
        0.5 * monotonicity - roughness / largest + 10.0 * empty as f32
    }

    fn lost(&self) -> f32 {
        LOST
    }
}

impl Eval<G2048> for Paper {
    fn eval(&self, pos: &G2048) -> i32 {
        lines::in_hundredths(self.expected(pos, 0))
    }

    fn expected(&self, pos: &G2048, _seat: usize) -> f32 {
        lines::expected(self, pos)
    }

    fn expected_next(&self, pos: &G2048, _seat: usize) -> Option<(f32, u32)> {
        lines::expected_next(self, pos)
    }

    fn expected_after_chance(&self, pos: &G2048, _seat: usize) -> Option<AfterChance> {
        outcomes::expected_after_chance(self, pos)
    }

    fn key(&self, pos: &G2048) -> u64 {
        lines::key(pos)
    }

    fn keys_next(&self, pos: &G2048, out: &mut Vec<u64>) {
        lines::keys_next(pos, out);
    }

    fn depth_hint(&self, pos: &G2048) -> Option<u32> {
        Some(lines::depth_hint(pos))
    }
}
