//! Points that complete a row, all at once.

use super::Gomoku;
use super::bits::{FIELD, WORDS};

type Words = [u64; WORDS];

fn up(x: &Words, s: usize) -> Words {
    std::array::from_fn(|i| x[i] << s | if i > 0 { x[i - 1] >> (64 - s) } else { 0 })
}

fn down(x: &Words, s: usize) -> Words {
    std::array::from_fn(|i| x[i] >> s | if i + 1 < WORDS { x[i + 1] << (64 - s) } else { 0 })
}

fn and(a: &Words, b: &Words) -> Words {
    std::array::from_fn(|i| a[i] & b[i])
}

/// The bit of an empty point where a stone of the seat makes k in a row, if there is one: for
/// some j, the j points before it and the k - 1 - j after it are the seat's.
pub(super) fn winning_bit(pos: &Gomoku, seat: usize) -> Option<usize> {
    let k = pos.k();
    let own: Words = std::array::from_fn(|i| pos.stones[i][seat]);
    let field = &FIELD[pos.columns()][pos.rows()];
    let empty: Words = std::array::from_fn(|i| field[i] & !(own[i] | pos.stones[i][seat ^ 1]));
    let mut found = [0; WORDS];
    for d in pos.directions() {
        // after[j]: points with j stones behind them.
        let mut after = [[u64::MAX; WORDS]; super::bits::MAX_SIDE];
        for j in 1..k {
            after[j] = down(&and(&own, &after[j - 1]), d);
        }
        let mut before = [u64::MAX; WORDS];
        for j in 0..k {
            for i in 0..WORDS {
                found[i] |= before[i] & after[k - 1 - j][i] & empty[i];
            }
            before = up(&and(&own, &before), d);
        }
    }
    found.iter().enumerate().find(|w| *w.1 != 0).map(|(i, w)| i * 64 + w.trailing_zeros() as usize)
}
