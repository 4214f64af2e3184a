//! The default evaluation: a sum of weights, fitted to the results of self-play.

use super::Lion;
use super::board::{GOAL, LION, lion};
use super::moves::{Move, Square};
use super::order;
use super::targets::{fold, reach, squares};
use super::weights::WEIGHTS;
use spielbaum_core::Eval;

/// Where the men stand, also seen from both lions, what is in hand, what is attacked, how far the
/// lions are safe: about three hundred weights, fitted by logistic regression to the results of
/// games the search played against itself (`examples/lion_tune.rs` of the searches). Exact values
/// had no part in it.
///
/// A player to move who can win at once has a large value, so that no search has to look for it
/// beyond its horizon.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Tuned;

/// A win at once, as an evaluation.
const WON: i32 = 20_000;

// The terms in the order of their weights: kinds are chick, giraffe, elephant, hen, lion.
const STANDS: usize = 0;
/// Each kind but the lion as seen from the enemy lion: steps aside, steps ahead.
const ENEMY: usize = STANDS + 5 * 8;
const OWN: usize = ENEMY + 4 * 21;
/// The first and the second man of a kind in hand.
const HAND: usize = OWN + 4 * 21;
/// The lions as seen from each other, for the player to move.
const LIONS: usize = HAND + 6;
/// Attacked men by kind, whether defended, whether of the player to move.
const ATTACKED: usize = LIONS + 21;
/// Squares the lion can go to, of the player to move and of the other.
const SAFE: usize = ATTACKED + 4 * 4;
/// The same for the enemy lion, by the number of own men in hand.
const CHASE: usize = SAFE + 2 * 9;
/// The player to move is in check.
const CHECK: usize = CHASE + 4 * 6;
/// The other lion can come home at the next move.
const TRY: usize = CHECK + 1;
/// To have the move.
const TEMPO: usize = TRY + 1;

impl Tuned {
    /// Number of weights.
    pub const TERMS: usize = TEMPO + 1;

    /// Calls `add` with the number of each term of the sum and its sign for the player to move.
    #[inline(always)]
    pub fn terms(pos: &Lion, mut add: impl FnMut(usize, i32)) {
        let board = &pos.board;
        let us = board.seat();
        let attacks = [board.attacks(0), board.attacks(1)];
        let mut free = [0; 2];
        for colour in 0..2 {
            let (sign, waits) = if colour == us { (1, 0) } else { (-1, 1) };
            let men = board.men[colour];
            let own = lion(men);
            let view = |set: u64| {
                let at = set.trailing_zeros().min(14) as Square;
                if colour == 0 { at } else { 14 - at }
            };
            let (home, away) = (view(own), view(lion(board.men[colour ^ 1])));
            let hens = men >> 48;
            let kinds = [men & 0xffff, men >> 16 & !own & !hens, men >> 32 & !own, hens];
            let (threats, defence) = (attacks[colour ^ 1], attacks[colour]);
            for (kind, set) in kinds.into_iter().enumerate() {
                let set = set & 0x7777;
                for at in squares(set) {
                    let at = if colour == 0 { at as Square } else { 14 - at as Square };
                    add(STANDS + kind * 8 + stand(at), sign);
                    add(ENEMY + kind * 21 + seen(at, away), sign);
                    add(OWN + kind * 21 + seen(at, home), sign);
                    let bit = 1u64 << if colour == 0 { at } else { 14 - at };
                    if threats & bit != 0 {
                        let defended = usize::from(defence & bit != 0);
                        add(ATTACKED + kind * 4 + defended * 2 + waits, sign);
                    }
                }
            }
            add(STANDS + 4 * 8 + stand(home), sign);
            let hand = board.hands[colour];
            let mut held = 0;
            for kind in 0..3 {
                let count = usize::from(hand >> (2 * kind) & 3).min(2);
                held += count;
                for n in 0..count {
                    add(HAND + kind * 2 + n, sign);
                }
            }
            let (straight, diagonal) = reach(own * LION, colour);
            let steps = fold(straight | diagonal) & 0x7777 & !fold(men) & !threats;
            free[colour] = steps.count_ones() as usize;
            add(SAFE + waits * 9 + free[colour].min(8), sign);
            if waits == 1 {
                if steps & GOAL[colour] != 0 {
                    add(TRY, sign);
                }
            } else {
                add(LIONS + seen(away, home), sign);
                if own & threats != 0 {
                    add(CHECK, sign);
                }
            }
            // The number of men in hand first, the room of the enemy lion when it is known.
            free[colour] |= held << 8;
        }
        for colour in 0..2 {
            let held = (free[colour] >> 8).min(3);
            let room = (free[colour ^ 1] & 255).min(5);
            add(CHASE + held * 6 + room, if colour == us { 1 } else { -1 });
        }
        add(TEMPO, 1);
    }
}

/// Rank, and whether on the middle file.
#[inline(always)]
const fn stand(at: Square) -> usize {
    (at >> 2) as usize * 2 + (at & 3 == 1) as usize
}

/// One square as seen from another: steps aside, steps ahead.
#[inline(always)]
const fn seen(at: Square, from: Square) -> usize {
    let aside = (at & 3).abs_diff(from & 3) as usize;
    let ahead = (at >> 2) as usize + 3 - (from >> 2) as usize;
    aside * 7 + ahead
}

impl Eval<Lion> for Tuned {
    fn eval(&self, pos: &Lion) -> i32 {
        if pos.board.winning_move(&pos.rules).is_some() {
            return WON;
        }
        let mut sum = 0;
        Self::terms(pos, |term, sign| sum += i32::from(WEIGHTS[term]) * sign);
        sum
    }

    fn order(&self, pos: &Lion, m: Move) -> i32 {
        order::plain(pos, m)
    }

    fn noisy(&self, pos: &Lion, m: Move) -> bool {
        order::noisy(pos, m)
    }
}
