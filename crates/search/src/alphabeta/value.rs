//! Scores with their warrant, and the windows they are asked in.

use crate::score;
use crate::table::{Bound, Entry};

/// How far the path to a position took part in its score: a game ended by repetition or by
/// length somewhere below. On another path the score may be another.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum Taint {
    /// Not at all.
    Free,
    /// Such ends were drawn.
    Drawn,
    /// Such an end was won by one of the sides, as by perpetual check.
    Decided,
}

/// A score with its warrant.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Value {
    pub(super) score: i32,
    /// Whether no evaluation took part: a deeper search finds the same. It is true of the score
    /// as the bound it is, not only of exact values.
    pub(super) settled: bool,
    /// Whether the path to the position took part.
    pub(super) taint: Taint,
}

impl Value {
    /// Before any move is searched.
    pub(super) const NONE: Value =
        Value { score: -score::INFINITE, settled: true, taint: Taint::Free };

    /// An evaluation.
    #[inline]
    pub(super) fn eval(eval: i32) -> Value {
        Value { score: score::from_eval(eval), settled: false, taint: Taint::Free }
    }

    /// The value for the other side.
    #[inline]
    pub(super) fn flip(self) -> Self {
        Value { score: -self.score, ..self }
    }

    /// Takes in the value of one more move; whether it is the best so far.
    ///
    /// A lower bound needs the one move that gives it, everything else needs all of them.
    #[inline]
    pub(super) fn improve(&mut self, value: Value, beta: i32) -> bool {
        if value.score >= beta {
            *self = value;
            return true;
        }
        self.settled &= value.settled;
        self.taint = self.taint.max(value.taint);
        let better = value.score > self.score;
        if better {
            self.score = value.score;
        }
        better
    }

    /// The value of the position, all moves taken in: a win or loss within the depth does not
    /// change with more depth.
    #[inline]
    pub(super) fn seal(mut self) -> Self {
        self.settled |= score::is_decisive(self.score);
        self
    }

    /// What the value says of its position on every path, `None` if nothing.
    ///
    /// Only ends of the game by history taint. Where all of them are draws, a tainted win is one:
    /// its proof uses no such end, which could only have hidden quicker wins. As a lower bound it
    /// may be shared, a loss as an upper bound. Where one of them was decided, the proof may rest
    /// on it. Everything else stays on its path.
    #[inline]
    pub(super) fn shared(self, bound: Bound) -> Option<Bound> {
        match self.taint {
            Taint::Free => return Some(bound),
            Taint::Drawn => {}
            Taint::Decided => return None,
        }
        let wins = score::is_decisive(self.score) && self.score > 0;
        let loses = score::is_decisive(self.score) && self.score < 0;
        match bound {
            Bound::Exact | Bound::Lower if wins => Some(Bound::Lower),
            Bound::Exact | Bound::Upper if loses => Some(Bound::Upper),
            _ => None,
        }
    }
}

/// The window of scores a search has to tell apart.
#[derive(Clone, Copy, Debug)]
pub(super) struct Window {
    pub(super) alpha: i32,
    pub(super) beta: i32,
}

impl Window {
    /// Everything matters.
    pub(super) const OPEN: Window = Window { alpha: -score::INFINITE, beta: score::INFINITE };

    /// Whether the score is at least `beta`, and nothing else.
    pub(super) fn below(beta: i32, step: i32) -> Window {
        Window { alpha: beta - step, beta }
    }

    /// What a score found in this window says about the value.
    #[inline]
    pub(super) fn bound(self, score: i32) -> Bound {
        if score >= self.beta {
            Bound::Lower
        } else if score <= self.alpha {
            Bound::Upper
        } else {
            Bound::Exact
        }
    }

    /// What is left of the window by a known bound that does not answer it.
    #[inline]
    pub(super) fn narrow(self, bound: Bound, score: i32) -> Window {
        match bound {
            Bound::Lower => Window { alpha: self.alpha.max(score), ..self },
            Bound::Upper => Window { beta: self.beta.min(score), ..self },
            Bound::Exact => self,
        }
    }

    /// Whether a known bound answers the question the window asks.
    #[inline]
    pub(super) fn is_answered(self, bound: Bound, score: i32) -> bool {
        match bound {
            Bound::Exact => true,
            Bound::Lower => score >= self.beta,
            Bound::Upper => score <= self.alpha,
        }
    }
}

/// Whether an entry holds for a search of this depth exactly as if it were searched again,
/// so that a search with a table finds what a search without one does: it has the same depth,
/// or more depth changes nothing.
pub(super) fn holds(entry: &Entry, depth: u32) -> bool {
    let stored = u32::from(entry.depth);
    stored == depth
        || (entry.settled && stored < depth)
        || score::plies_to_end(entry.score).is_some_and(|plies| plies <= depth)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::score::WIN;

    #[test]
    fn only_what_holds_on_every_path_is_shared() {
        let tainted = |score| Value { score, settled: true, taint: Taint::Drawn };
        for bound in [Bound::Exact, Bound::Lower, Bound::Upper] {
            assert_eq!(tainted(0).shared(bound), None);
            assert_eq!(tainted(700).shared(bound), None);
            let clean = Value { score: 0, settled: true, taint: Taint::Free };
            assert_eq!(clean.shared(bound), Some(bound));
        }
        let (win, loss) = (tainted(WIN - 5), tainted(4 - WIN));
        assert_eq!(win.shared(Bound::Exact), Some(Bound::Lower));
        assert_eq!(win.shared(Bound::Upper), None);
        assert_eq!(loss.shared(Bound::Exact), Some(Bound::Upper));
        assert_eq!(loss.shared(Bound::Lower), None);
        for bound in [Bound::Exact, Bound::Lower, Bound::Upper] {
            assert_eq!(Value { taint: Taint::Decided, ..win }.shared(bound), None);
            assert_eq!(Value { taint: Taint::Decided, ..loss }.shared(bound), None);
        }
    }

    #[test]
    fn a_cut_needs_one_warrant_and_the_rest_all() {
        let draw = Value { score: 0, settled: true, taint: Taint::Drawn };
        let quiet = Value { score: -30, settled: false, taint: Taint::Free };
        let mut best = Value::NONE;
        assert!(best.improve(draw, 100));
        assert!(!best.improve(quiet, 100));
        assert_eq!(best, Value { score: 0, settled: false, taint: Taint::Drawn });
        assert!(best.improve(Value { score: 120, ..quiet }, 100));
        assert_eq!(best, Value { score: 120, settled: false, taint: Taint::Free });
    }
}
