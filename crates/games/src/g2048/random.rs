//! Random play, where nothing can be foreseen: without branches on what is drawn.

use super::board::{self, Direction, transpose};
use super::tables::tables;
use super::{FOUR, G2048, TWO};
use spielbaum_core::Rng;

/// An outcome of chance by its odds, as the lowest bit of its cell and its rank, from the empty
/// cells and their number. There are some.
#[inline(always)]
pub(super) fn spawn(empty: u64, count: u32, rng: &mut Rng) -> (u32, u64) {
    // The same pick from the same draw as by the list of outcomes and their weights.
    let (n, tile) = rng.below_in_parts(count, TWO + FOUR);
    // Only the empty board has as many cells as `nth` cannot tell.
    let bit = if count == 16 { 4 * n } else { board::nth(empty, n) };
    (bit, 1 + u64::from(tile >= TWO))
}

/// One of the slides whose bits are set, if there is any.
#[inline]
pub(super) fn slide(movable: u32, rng: &mut Rng) -> Option<Direction> {
    if movable == 0 {
        return None;
    }
    let n = rng.below(movable.count_ones() as usize);
    let rest = (0..n).fold(movable, |rest, _| rest & (rest - 1));
    Some(Direction::ALL[rest.trailing_zeros() as usize])
}

/// Tries the slides in random order: the first that moves anything is a fair choice.
///
/// A ply waits for the one before it, so the way from board to board is kept short: the transpose is
/// there when columns slide, and the empty cells are counted before the board is turned back.
pub(super) fn playout(pos: &mut G2048, limit: u32, rng: &mut Rng) -> u32 {
    // Compiled for the whole board and for any other: fewer numbers to keep at hand.
    match (pos.rows, pos.columns) {
        (4, 4) => playout_on(4, 4, pos, limit, rng),
        (rows, columns) => playout_on(rows.into(), columns.into(), pos, limit, rng),
    }
}

#[inline(always)]
fn playout_on(rows: u32, columns: u32, pos: &mut G2048, limit: u32, rng: &mut Rng) -> u32 {
    let (mut plies, mut fours, mut chance) = (0, 0, pos.chance);
    let (tables, cells) = (tables(), board::cells(rows, columns));
    let (mut board, mut flipped) = (pos.board, transpose(pos.board));
    // The board or its transpose.
    let mut either = board;
    while plies < limit {
        if chance {
            let count = rows * columns - board::tiles(either).count_ones();
            let (bit, rank) = spawn(board::empty(board, cells), count, rng);
            chance = board == 0;
            board |= rank << bit;
            flipped |= rank << (bit >> 2 & 12 | bit << 2 & 48);
            either = board;
            fours += rank as u32 - 1;
        } else {
            let order = ORDERS[rng.below(ORDERS.len())];
            let mut slides = order.into_iter().map(|direction| {
                let is_vertical = direction.is_vertical();
                let (lines, length) = if is_vertical { (flipped, rows) } else { (board, columns) };
                let after = tables.slide_rows(lines, direction.is_back(), length);
                (is_vertical, lines, after)
            });
            let slide = slides.find(|&(_, before, after)| before != after);
            let Some((is_vertical, _, after)) = slide else { break };
            let turned = transpose(after);
            (board, flipped) = if is_vertical { (turned, after) } else { (after, turned) };
            either = after;
            chance = true;
        }
        plies += 1;
    }
    pos.unearned = pos.unearned.wrapping_add(4 * fours);
    (pos.board, pos.chance) = (board, chance);
    plies
}

/// All orders of the four directions.
static ORDERS: [[Direction; 4]; 24] = {
    let mut orders = [[Direction::Up; 4]; 24];
    let (mut n, mut i) = (0, 0);
    while i < 256 {
        let [a, b, c, d] = [i & 3, i >> 2 & 3, i >> 4 & 3, i >> 6];
        if 1 << a | 1 << b | 1 << c | 1 << d == 15 {
            let all = Direction::ALL;
            orders[n] = [all[a], all[b], all[c], all[d]];
            n += 1;
        }
        i += 1;
    }
    orders
};
