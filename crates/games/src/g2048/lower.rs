//! Boards that training hardly met, as boards that it met (tile-downgrading, Jaśkowski 2018).
//!
//! Few games of training come to the largest tiles, and the net knows little of boards with them. But
//! what matters is how tiles relate: where one size is missing, all tiles above it may be one size
//! smaller, and the same ones are equal and the same moves are legal as before. A player that lowers
//! does so once, with the position it is to move in, and searches *that* position: all boards of a
//! search are of one game, rewards and values of one scale, and what a table knows is true of either.
//!
//! What a search of the lowered position could see and the real one has not: a tile of the missing
//! size, made of smaller ones, merges there with the tile above that has taken its place. A gap that
//! is wider than all smaller tiles together, and what chance may add, cannot be closed within the search;
//! the largest such one is taken, and only where there is none the largest of all.

use super::board::MAX_RANK;

/// What a search may add to the tiles of a board: sixteen of the larger kind.
const ADDED: u32 = 64;

/// The content that a cell cannot go beyond: two of these do not merge, two smaller ones would. So
/// a board that may come to a second one is not lowered.
const LAST: u32 = MAX_RANK as u32;

/// The board with all contents above a missing one lowered by one, if its largest is at least
/// `least` (0: never) and there is one missing.
pub(super) fn lowered(word: u64, least: u32) -> u64 {
    let counts = counts(word);
    let is_large = (least..=LAST).any(|content| counts[content as usize] > 0);
    let sum = (1..=LAST).map(|content| counts[content as usize] << content).sum::<u32>();
    if least == 0 || !is_large || sum + ADDED >= 2 << LAST {
        return word;
    }
    gap(&counts).map_or(word, |(gap, _)| lowered_above(word, gap))
}

/// Some cells with all contents above the largest missing one lowered by one; not those with two
/// of the last content, which do not merge.
#[inline]
pub(super) fn likened(contents: u64) -> Option<u64> {
    let counts = counts(contents);
    let gap = missing(&counts).next().filter(|_| counts[LAST as usize] < 2)?;
    Some(lowered_above(contents, gap))
}

fn lowered_above(word: u64, gap: u32) -> u64 {
    contents(word).zip(0..).fold(0, |board, (content, cell)| {
        board | u64::from(content - u32::from(content > gap)) << (4 * cell)
    })
}

fn contents(word: u64) -> impl Iterator<Item = u32> {
    (0..16).map(move |cell| (word >> (4 * cell) & 15) as u32)
}

/// How many cells have each content.
fn counts(word: u64) -> [u32; 16] {
    let mut counts = [0; 16];
    contents(word).for_each(|content| counts[content as usize] += 1);
    counts
}

/// The missing content above which all are lowered, and whether no search closes the gap.
fn gap(counts: &[u32; 16]) -> Option<(u32, bool)> {
    let below = |gap: u32| (1..gap).map(|content| counts[content as usize] << content).sum::<u32>();
    let wide = missing(counts).find(|&gap| below(gap) + ADDED < 1 << gap);
    wide.map(|gap| (gap, true)).or_else(|| missing(counts).next().map(|gap| (gap, false)))
}

/// The contents that are missing below the largest, from above.
fn missing(counts: &[u32; 16]) -> impl Iterator<Item = u32> {
    let largest = (1..=LAST).rev().find(|&content| counts[content as usize] > 0);
    (1..largest.unwrap_or(1)).rev().filter(|&content| counts[content as usize] == 0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::g2048::G2048;
    use spielbaum_core::{Cells, Game, Rng, Turn};

    #[test]
    fn tiles_above_a_gap_are_halved() {
        let tiles = |list: &[u64]| list.iter().fold(0, |word, content| word << 4 | content);
        for (board, least, expected) in [
            // 13 is missing.
            (tiles(&[14, 12, 11, 3, 1]), 14, tiles(&[13, 12, 11, 3, 1])),
            (tiles(&[14, 12, 11, 3, 1]), 15, tiles(&[14, 12, 11, 3, 1])),
            (tiles(&[14, 12, 11, 3, 1]), 0, tiles(&[14, 12, 11, 3, 1])),
            // Two 12 may become 13 at once: 10 is the widest gap that stays one.
            (tiles(&[14, 12, 12, 11, 9, 3]), 14, tiles(&[13, 11, 11, 10, 9, 3])),
            (tiles(&[15, 14, 13, 12, 11, 3, 3]), 14, tiles(&[14, 13, 12, 11, 10, 3, 3])),
            // No gap is wide.
            (tiles(&[9, 7, 7, 6, 5, 4, 3, 3]), 9, tiles(&[8, 7, 7, 6, 5, 4, 3, 3])),
            // Nothing is missing; two of the last content are not alike below it.
            (tiles(&[5, 4, 3, 2, 1, 1]), 5, tiles(&[5, 4, 3, 2, 1, 1])),
            (tiles(&[15, 15, 13, 3]), 14, tiles(&[15, 15, 13, 3])),
            (tiles(&[15, 14, 14, 3]), 14, tiles(&[15, 14, 14, 3])),
            (tiles(&[15, 14, 13, 12, 12, 3, 1]), 14, tiles(&[15, 14, 13, 12, 12, 3, 1])),
        ] {
            assert_eq!(lowered(board, least), expected, "{board:x}");
        }
    }

    #[test]
    fn cells_are_likened_to_those_with_the_gap_closed() {
        for (cells, expected) in [
            (0xedc_521, Some(0xdcb_521)),
            (0xe00_e10, Some(0xd00_d10)),
            (0x200_200, Some(0x100_100)),
            (0xfd0_000, Some(0xed0_000)),
            (0xff0_000, None),
            (0x543_211, None),
            (0x100_000, None),
            (0, None),
        ] {
            assert_eq!(likened(cells), expected, "{cells:x}");
        }
    }

    /// The same moves are legal; and where the gap is wide, games are the same for as long as a search
    /// looks: after the same moves and tiles the one board is the other lowered.
    #[test]
    fn a_lowered_board_plays_as_the_board_does() {
        let (mut rng, mut scratch) = (Rng::new(8), Vec::new());
        let (mut lower, mut wide) = (0, 0);
        let mut start = G2048::new(4, 4).unwrap();
        while start.turn() == Turn::Chance {
            start.play(start.random_move(&mut rng, &mut scratch).unwrap());
        }
        for _ in 0..4000 {
            let contents = (0..16).map(|_| [0, 0, 1, 1, 2, 3, 8, 9, 14, 15][rng.below(10)]);
            let board = contents.fold(0, |word, content| word << 4 | content);
            let (mut real, mut other) =
                (start.with_word(board), start.with_word(lowered(board, 14)));
            if real.word() == other.word() {
                continue;
            }
            lower += 1;
            let moves = |pos: &G2048| {
                let mut list = Vec::new();
                pos.moves(&mut list);
                list
            };
            assert_eq!(moves(&real), moves(&other), "{real}");
            let counts = counts(board);
            let (gap, is_wide) = gap(&counts).unwrap();
            if !is_wide {
                continue;
            }
            wide += 1;
            for _ in 0..12 {
                let Some(m) = real.random_move(&mut rng, &mut scratch) else { break };
                real.play(m);
                other.play(m);
                assert_eq!(lowered_above(real.word(), gap), other.word(), "{real}");
                assert_eq!(moves(&real), moves(&other), "{real}");
            }
        }
        assert!(lower > 1000 && wide > 50, "{lower} {wide}");
    }
}
