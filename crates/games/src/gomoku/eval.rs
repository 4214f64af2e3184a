//! What is known about good play: open lines.

use super::bits::{FIELD, Pair, down, pair, rows_of};
use super::{Gomoku, Point};
use spielbaum_core::{Eval, Hint, NamedEval, ZeroEval};

/// The evaluations of this game.
pub const EVALS: &[NamedEval<Gomoku>] = &[
    NamedEval {
        name: "lines",
        help: "lines that can still become k in a row, by the stones that are missing",
        make: || Box::new(Lines),
    },
    NamedEval { name: "zero", help: "nothing but the rules", make: || Box::new(ZeroEval) },
];

/// The sum over all lines of k points that hold stones of one side only: a stone less to go is
/// worth four times as much. Moves are ordered by the rows they make or break.
pub struct Lines;

/// Value of a line, by the number of stones missing.
const VALUES: [i32; 6] = [0, 400, 100, 25, 6, 1];
/// Proven results are larger.
const MOST: i32 = 90_000;

impl Eval<Gomoku> for Lines {
    fn eval(&self, pos: &Gomoku) -> i32 {
        let [x, o] = match ((pos.stride() * pos.rows()).div_ceil(64), pos.k() < 8) {
            (0 | 1, true) => sums::<2, 3>(pos),
            (2, true) => sums::<4, 3>(pos),
            (3, true) => sums::<6, 3>(pos),
            (4, true) => sums::<8, 3>(pos),
            (_, true) => sums::<12, 3>(pos),
            (_, false) => sums::<12, 5>(pos),
        };
        let value = if pos.mover() == 0 { x - o } else { o - x };
        value.clamp(-MOST, MOST)
    }

    fn order(&self, pos: &Gomoku, at: Point) -> i32 {
        hint(pos, at).order
    }

    fn noisy(&self, pos: &Gomoku, at: Point) -> bool {
        hint(pos, at).noisy
    }

    fn hints(&self, pos: &Gomoku, moves: &[Point], out: &mut Vec<Hint>) {
        out.extend(moves.iter().map(|&at| hint(pos, at)));
    }
}

/// A win, then a win prevented, then rows made longer or shorter, near the centre and the last
/// move. Noisy are a win and the prevention of one.
#[inline]
fn hint(pos: &Gomoku, at: Point) -> Hint {
    let (bit, mover, enough) = (pos.bit(at), pos.mover(), pos.k() - 1);
    let mut order = 0;
    let mut noisy = false;
    for d in pos.directions().map(|d| d as i32) {
        let (mut own, mut other) = (0, 0);
        for step in [d, -d] {
            // What is next belongs to one side at most.
            match pos.run(mover, bit, step) {
                0 => other += pos.run(1 - mover, bit, step),
                length => own += length,
            }
        }
        order += if own >= enough { 100_000 } else { 12 * (own * own) as i32 };
        order += if other >= enough { 10_000 } else { 10 * (other * other) as i32 };
        noisy |= own.max(other) >= enough;
    }
    if let Some(last) = pos.last {
        order += 8 - i32::from(distance(at, last)).min(8);
    }
    let middle = Point { column: pos.columns / 2, row: pos.rows / 2 };
    Hint { order: order + 10 - i32::from(distance(at, middle)), noisy }
}

/// King's moves between two points.
fn distance(a: Point, b: Point) -> u8 {
    a.column.abs_diff(b.column).max(a.row.abs_diff(b.row))
}

/// The sums of both seats on boards of `N / 2` words, with counters of `P` bits.
fn sums<const N: usize, const P: usize>(pos: &Gomoku) -> [i32; 2] {
    let k = pos.k();
    let stones: Pair<N> = pair(&pos.stones);
    let field = &FIELD[pos.columns()][pos.rows()];
    let field: Pair<N> = std::array::from_fn(|i| field[i / 2]);
    let mut sums = [0; 2];
    for d in pos.directions() {
        // Bit i of the planes: the number of stones on the line that begins at i.
        let mut planes = [[0u64; N]; P];
        let mut shifted = stones;
        for step in 0..k {
            if step > 0 {
                shifted = down(&shifted, d);
            }
            let mut carry = shifted;
            for plane in &mut planes {
                for i in 0..N {
                    let sum = plane[i] ^ carry[i];
                    carry[i] &= plane[i];
                    plane[i] = sum;
                }
            }
        }
        let mut lines = rows_of(&field, k, d);
        let taken: Pair<N> = std::array::from_fn(|i| planes.iter().fold(0, |t, p| t | p[i]));
        for i in 0..N {
            lines[i] &= !taken[i ^ 1];
        }
        for (missing, value) in VALUES.iter().enumerate().take(k).skip(1) {
            let count = k - missing;
            for i in 0..N {
                let exactly = (planes.iter().enumerate())
                    .fold(lines[i], |m, (b, p)| m & if count >> b & 1 == 1 { p[i] } else { !p[i] });
                sums[i & 1] += value * exactly.count_ones() as i32;
            }
        }
    }
    sums
}
