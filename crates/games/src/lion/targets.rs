//! Where the men of a colour can go, all at once; counting, listing and drawing of moves.

use super::board::{BOARD, Board, GOAL, SETS};
use super::moves::Move;
use super::rules::Rules;
use spielbaum_core::Rng;

/// Where a colour can go: one bit for each move.
#[derive(Clone, Copy)]
pub(super) struct Targets {
    /// Steps up, down, right, left, 16 bits each.
    pub(super) straight: u64,
    /// Steps up right, up left, down right, down left.
    pub(super) diagonal: u64,
    /// Chick steps onto the far rank, a part of `straight`.
    pub(super) promotions: u64,
    /// Squares to drop a chick on, if there is one.
    pub(super) chicks: u64,
    /// Squares to drop a giraffe or an elephant on.
    pub(super) empty: u64,
    /// The men in hand.
    hand: u8,
}

/// The steps behind the bits of `Targets::straight` and `Targets::diagonal`.
pub(super) static STEPS: [[Move; 64]; 2] = [steps([4, -4, 1, -1]), steps([5, 3, -3, -5])];

const fn steps(by: [i8; 4]) -> [Move; 64] {
    let mut moves = [Move(0); 64];
    let mut i = 0;
    while i < 64 {
        let to = (i % 16) as i8;
        let from = to - by[i / 16];
        if from >= 0 && from < 16 {
            moves[i] = Move::step(from as u8, to as u8);
        }
        i += 1;
    }
    moves
}

/// Everything a colour steps to, own men included, as (straight, diagonal).
#[inline(always)]
pub(super) const fn reach(men: u64, colour: usize) -> (u64, u64) {
    // Which of the sets `up` and `down` the men belong to that only go forward.
    let white = (colour as u64).wrapping_sub(1) & 0xffff;
    let chick = men & 0xffff;
    let straight = men >> 16 & 0xffff;
    let diagonal = men >> 32 & 0xffff;
    let hen = men >> 48;
    let (up, down) = (straight | chick & white, straight | chick & !white);
    let (up_diagonal, down_diagonal) = (diagonal | hen & white, diagonal | hen & !white);
    (
        (up << 4 & 0xffff) | (down >> 4) << 16 | straight << 33 | (straight >> 1) << 48,
        (up_diagonal << 5 & 0xffff)
            | (up_diagonal << 3 & 0xffff) << 16
            | (down_diagonal >> 3) << 32
            | (down_diagonal >> 5) << 48,
    )
}

/// The union of the four sets of a word.
#[inline(always)]
pub(super) const fn fold(sets: u64) -> u64 {
    let half = sets | sets >> 32;
    (half | half >> 16) & 0xffff
}

impl Targets {
    /// The targets of a colour on a board.
    #[inline(always)]
    pub(super) fn of(board: &Board, us: usize, rules: &Rules) -> Targets {
        let mine = board.men[us & 1];
        let own = fold(mine);
        let others = fold(board.men[us & 1 ^ 1]);
        let free = (BOARD & !own) * SETS;
        let (straight, diagonal) = reach(mine, us);
        let straight = straight & free;
        let empty = BOARD & !(own | others);
        let chick = mine & 0xffff;
        // Up onto the fourth rank, or down onto the first.
        let onward = if us == 0 { chick << 4 & GOAL[0] } else { (chick >> 4 & GOAL[1]) << 16 };
        Targets {
            straight,
            diagonal: diagonal & free,
            promotions: onward & straight,
            chicks: if rules.far_chicks { empty } else { empty & !GOAL[us & 1] },
            empty,
            hand: board.hands[us & 1],
        }
    }

    #[inline(always)]
    const fn holds(&self, kind: u8) -> bool {
        self.hand >> (2 * kind) & 3 != 0
    }

    #[inline(always)]
    const fn chick_drops(&self) -> usize {
        if self.holds(0) { self.chicks.count_ones() as usize } else { 0 }
    }

    #[inline(always)]
    pub(super) const fn count(&self) -> usize {
        let steps = self.straight.count_ones() + self.diagonal.count_ones();
        let large = self.holds(1) as usize + self.holds(2) as usize;
        steps as usize + large * self.empty.count_ones() as usize + self.chick_drops()
    }

    #[inline(always)]
    pub(super) fn straight_step(&self, i: usize) -> Move {
        if self.promotions >> i & 1 == 0 { STEPS[0][i & 63] } else { Move::promotion(i as u8 & 15) }
    }

    /// Appends all moves.
    #[inline(always)]
    pub(super) fn list(&self, out: &mut Vec<Move>) {
        self.list_steps(self.straight, self.diagonal, out);
        self.list_drops(out);
    }

    /// Appends some of the steps.
    #[inline(always)]
    pub(super) fn list_steps(&self, straight: u64, diagonal: u64, out: &mut Vec<Move>) {
        out.extend(squares(straight & !self.promotions).map(|i| STEPS[0][i]));
        if straight & self.promotions != 0 {
            out.extend(squares(straight & self.promotions).map(|i| Move::promotion(i as u8 & 15)));
        }
        out.extend(squares(diagonal).map(|i| STEPS[1][i]));
    }

    /// Appends the drops.
    #[inline(always)]
    pub(super) fn list_drops(&self, out: &mut Vec<Move>) {
        if self.hand == 0 {
            return;
        }
        for kind in 0..3 {
            if self.holds(kind) {
                let to = if kind == 0 { self.chicks } else { self.empty };
                out.extend(squares(to).map(|i| Move::drop(kind, i as u8)));
            }
        }
    }

    /// One of the moves, all equally likely.
    #[inline(always)]
    pub(super) fn random(&self, rng: &mut Rng) -> Option<Move> {
        let count = self.count();
        if count == 0 { None } else { Some(self.nth(rng.below(count))) }
    }

    /// The move of this number, below `count`.
    #[inline(always)]
    pub(super) fn nth(&self, mut n: usize) -> Move {
        let straight = self.straight.count_ones() as usize;
        let steps = straight + self.diagonal.count_ones() as usize;
        if n < steps {
            let is_straight = n < straight;
            let set = if is_straight { self.straight } else { self.diagonal };
            let i = select(set, if is_straight { n } else { n - straight });
            let promotes = is_straight && self.promotions >> i & 1 != 0;
            let step = STEPS[usize::from(!is_straight)][i & 63];
            return if promotes { Move::promotion(step.to()) } else { step };
        }
        n -= steps;
        let chicks = self.chick_drops();
        if n < chicks {
            return Move::drop(0, select(self.chicks, n) as u8);
        }
        n -= chicks;
        let empty = self.empty.count_ones() as usize;
        let first = if self.holds(1) { 1 } else { 2 };
        if n < empty {
            Move::drop(first, select(self.empty, n) as u8)
        } else {
            Move::drop(2, select(self.empty, n - empty) as u8)
        }
    }
}

/// The place of the `n`-th set bit, by sums of bytes instead of a loop that nothing predicts
/// (Vigna, "Broadword implementation of rank/select queries", 2008).
#[inline(always)]
fn select(set: u64, n: usize) -> usize {
    const ONES: u64 = 0x0101_0101_0101_0101;
    const HIGH: u64 = 0x8080_8080_8080_8080;
    let pairs = set - (set >> 1 & 0x5555_5555_5555_5555);
    let fours = (pairs & 0x3333_3333_3333_3333) + (pairs >> 2 & 0x3333_3333_3333_3333);
    // Each byte: the number of bits in it and in those below.
    let sums = ((fours + (fours >> 4)) & 0x0f0f_0f0f_0f0f_0f0f).wrapping_mul(ONES);
    let full = ((((n as u64).wrapping_mul(ONES) | HIGH) - sums) & HIGH).count_ones();
    let place = full * 8;
    let rest = n - (sums << 8 >> place & 0xff) as usize;
    place as usize + IN_BYTE[rest & 7][(set >> place & 0xff) as usize] as usize
}

/// The place of the n-th set bit of a byte.
static IN_BYTE: [[u8; 256]; 8] = {
    let mut table = [[0; 256]; 8];
    let mut byte = 0;
    while byte < 256 {
        let (mut bit, mut n) = (0, 0);
        while bit < 8 {
            if byte >> bit & 1 != 0 {
                table[n][byte] = bit as u8;
                n += 1;
            }
            bit += 1;
        }
        byte += 1;
    }
    table
};

/// The members of a set, in ascending order.
#[inline(always)]
pub(super) fn squares(mut set: u64) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        if set == 0 {
            return None;
        }
        let i = set.trailing_zeros() as usize;
        set &= set - 1;
        Some(i)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn select_finds_every_bit() {
        for set in [1, 1 << 63, 0x7777_7777_7777_7777, 0x0700_0000_0070_0007, u64::MAX] {
            for (n, place) in squares(set).enumerate() {
                assert_eq!(select(set, n), place, "bit {n} of {set:x}");
            }
        }
    }

    #[test]
    fn counted_listed_and_numbered_moves_are_the_same() {
        let mut rng = Rng::new(5);
        for rules in Rules::PRESETS.map(|p| p.rules) {
            for _ in 0..200 {
                let mut board = crate::lion::Lion::new(rules).board;
                while board.end.is_none() {
                    let targets = Targets::of(&board, board.seat(), &rules);
                    let mut listed = Vec::new();
                    targets.list(&mut listed);
                    assert_eq!(listed.len(), targets.count());
                    let mut numbered: Vec<Move> =
                        (0..targets.count()).map(|n| targets.nth(n)).collect();
                    listed.sort();
                    numbered.sort();
                    assert_eq!(listed, numbered);
                    numbered.dedup();
                    assert_eq!(listed.len(), numbered.len());
                    board.play(listed[rng.below(listed.len())], &rules);
                    assert_eq!(board.key, board.fresh_key());
                }
            }
        }
    }
}
