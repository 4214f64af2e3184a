//! The integer scores of searches with bounds, and how they meet payoffs and proofs.
//!
//! A score belongs to the player to move. Sure wins lie above every evaluation, quick ones
//! above slow ones; draws are 0; other payoffs of a finished game and evaluations share the
//! range between.

use spielbaum_core::Proof;

/// A win on the spot. A win `n` plies below the root scores `WIN - n`.
pub const WIN: i32 = 1_000_000;
/// Above every score: the open window is `-INFINITE..INFINITE`.
pub const INFINITE: i32 = WIN + 1;
/// The largest evaluation; whatever lies beyond is a proven win or loss.
pub const MAX_EVAL: i32 = 99_999;
/// The score of a payoff `p` between loss and win is `(2p - 1) * SCALE`, rounded to the nearest
/// integer: 0.75 is 500. So it lies about where an evaluation with the same expectation does
/// (`Eval::payoff` gives 0.78 for 500), and payoffs closer than 1/2000 tie.
pub const SCALE: f32 = 1000.0;

/// The score of the end of a game with this payoff, `ply` plies below the root.
///
/// ```
/// use spielbaum_search::score::{WIN, from_payoff};
/// assert_eq!(from_payoff(1.0, 3), WIN - 3);
/// assert_eq!(from_payoff(0.0, 3), 3 - WIN);
/// assert_eq!(from_payoff(0.5, 3), 0);
/// ```
pub fn from_payoff(payoff: f32, ply: u32) -> i32 {
    if payoff >= 1.0 {
        WIN - ply as i32
    } else if payoff <= 0.0 {
        ply as i32 - WIN
    } else {
        ((2.0 * payoff - 1.0) * SCALE).round() as i32
    }
}

/// The payoff of a score that is the end of a game, and not an evaluation.
pub fn to_payoff(score: i32) -> f32 {
    if is_decisive(score) {
        if score > 0 { 1.0 } else { 0.0 }
    } else {
        (score as f32 / SCALE).clamp(-1.0, 1.0) * 0.5 + 0.5
    }
}

/// An evaluation kept out of the range of wins and losses.
#[inline]
pub fn from_eval(eval: i32) -> i32 {
    eval.clamp(-MAX_EVAL, MAX_EVAL)
}

/// Whether the score is a sure win or loss.
#[inline]
pub fn is_decisive(score: i32) -> bool {
    score.abs() > MAX_EVAL
}

/// Plies from the root to the win or loss.
pub fn plies_to_end(score: i32) -> Option<u32> {
    is_decisive(score).then(|| (WIN - score.abs()).max(0) as u32)
}

/// The proof in a score. `settled` says that no evaluation took part in it: then a score of
/// 0 is a draw. Payoffs between have no name among the proofs.
pub fn proof(score: i32, settled: bool) -> Option<Proof> {
    match score {
        s if is_decisive(s) => Some(if s > 0 { Proof::Win } else { Proof::Loss }),
        0 if settled => Some(Proof::Draw),
        _ => None,
    }
}

/// The score as seen from a node `ply` plies below the root: a table is shared by paths of
/// different length, so it counts plies to the end from the node itself.
#[inline]
pub fn to_node(score: i32, ply: u32) -> i32 {
    if is_decisive(score) { score + score.signum() * ply as i32 } else { score }
}

/// The inverse of [`to_node`].
#[inline]
pub fn to_root(score: i32, ply: u32) -> i32 {
    if is_decisive(score) { score - score.signum() * ply as i32 } else { score }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn payoffs_come_back() {
        for i in 0..=40 {
            let p = i as f32 / 40.0;
            for ply in [0, 1, 200] {
                let score = from_payoff(p, ply);
                assert!((to_payoff(score) - p).abs() < 1e-6, "{p}");
                assert_eq!(score, -from_payoff(1.0 - p, ply), "{p}");
                assert_eq!(is_decisive(score), i == 0 || i == 40);
            }
        }
    }

    #[test]
    fn quick_wins_and_slow_losses_are_better() {
        assert!(from_payoff(1.0, 3) > from_payoff(1.0, 5));
        assert!(from_payoff(0.0, 3) < from_payoff(0.0, 5));
        assert!(from_payoff(1.0, 255) > from_eval(i32::MAX));
        assert!(!is_decisive(from_eval(i32::MIN)));
        assert_eq!(plies_to_end(from_payoff(0.0, 7)), Some(7));
        assert_eq!(plies_to_end(MAX_EVAL), None);
    }

    #[test]
    fn scores_move_between_node_and_root() {
        for score in [WIN - 9, 9 - WIN, 0, 500, -MAX_EVAL] {
            assert_eq!(to_root(to_node(score, 4), 4), score);
        }
        assert_eq!(to_node(WIN - 9, 4), WIN - 5);
        assert_eq!(to_node(9 - WIN, 4), 5 - WIN);
    }

    #[test]
    fn proofs() {
        assert_eq!(proof(WIN - 3, false), Some(Proof::Win));
        assert_eq!(proof(3 - WIN, false), Some(Proof::Loss));
        assert_eq!(proof(0, true), Some(Proof::Draw));
        assert_eq!(proof(0, false), None);
        assert_eq!(proof(500, true), None);
    }
}
