//! What it is worth to move first in a match of two.

use super::elo::{elo, elo_interval_at, score_interval_at};
use super::{Level, Rounds};

/// The points of the side that moves first, round by round, whoever it is. In a round both
/// players sit in either seat, so that their strengths cancel out; games of a round are not
/// independent, rounds are.
///
/// ```
/// use spielbaum_lab::stats::{FirstMove, Level};
/// let mut first = FirstMove::new(2);
/// for round in 0..100 {
///     first.add(if round % 4 == 0 { 4 } else { 2 }); // half points of seat 0 in two games
/// }
/// assert_eq!(first.score(), Some(0.625));
/// let [low, high] = first.interval(Level::P95).unwrap();
/// assert!(low > 0.58 && high < 0.67);
/// assert_eq!(first.elo().map(f64::round), Some(89.0));
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FirstMove {
    rounds: Rounds,
}

impl FirstMove {
    /// No rounds yet, of so many games each.
    pub fn new(games: usize) -> Self {
        FirstMove { rounds: Rounds::new(games) }
    }

    /// Counts a round by the half points of the first seat in all its games.
    pub fn add(&mut self, half_points: usize) {
        self.rounds.add(half_points);
    }

    /// The rounds, for a test of them ([`super::multiple::score_test`]).
    pub fn rounds(&self) -> &Rounds {
        &self.rounds
    }

    /// The first seat's share of the points.
    pub fn score(&self) -> Option<f64> {
        self.rounds.moments().map(|(mean, _)| mean)
    }

    /// The interval of the share by the variance between rounds.
    pub fn interval(&self, level: Level) -> Option<[f64; 2]> {
        score_interval_at(&self.rounds, level)
    }

    /// The advantage in Elo, `None` where it is infinite.
    pub fn elo(&self) -> Option<f64> {
        self.score().and_then(elo)
    }

    /// The interval of the advantage in Elo.
    pub fn elo_interval(&self, level: Level) -> Option<super::elo::Bounds> {
        elo_interval_at(&self.rounds, level)
    }
}
