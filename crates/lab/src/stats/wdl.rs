//! Wins, draws and losses, game by game and round by round.

use super::Level;
use serde::{Deserialize, Serialize};

/// Counts of results.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Wdl {
    /// Games won.
    pub wins: u64,
    /// Games drawn.
    pub draws: u64,
    /// Games lost.
    pub losses: u64,
}

impl Wdl {
    /// Counts of results.
    pub fn new(wins: u64, draws: u64, losses: u64) -> Self {
        Wdl { wins, draws, losses }
    }

    /// All results.
    pub fn total(&self) -> u64 {
        self.wins + self.draws + self.losses
    }

    /// Half points: two for a win, one for a draw.
    pub fn half_points(&self) -> u64 {
        2 * self.wins + self.draws
    }

    /// The share of the points, `None` without results.
    pub fn score(&self) -> Option<f64> {
        let n = self.total();
        (n > 0).then(|| self.half_points() as f64 / (2 * n) as f64)
    }

    /// The 95 % Wilson interval of the score, as if each point were a success of its own. Draws
    /// make the true interval narrower, so this one errs on the safe side.
    pub fn score_ci(&self) -> Option<[f64; 2]> {
        self.score_ci_at(Level::P95)
    }

    /// [`Wdl::score_ci`] at any level.
    pub fn score_ci_at(&self, level: Level) -> Option<[f64; 2]> {
        Some(wilson_at(self.score()?, self.total() as f64, level))
    }

    /// The results as the opponent has them.
    pub fn reversed(self) -> Wdl {
        Wdl { wins: self.losses, draws: self.draws, losses: self.wins }
    }

    /// The results of both.
    pub fn plus(self, more: Wdl) -> Wdl {
        Wdl::new(self.wins + more.wins, self.draws + more.draws, self.losses + more.losses)
    }

    /// The results as rounds of one game each.
    pub fn as_rounds(&self) -> Rounds {
        Rounds { counts: vec![self.losses, self.draws, self.wins] }
    }
}

/// Wilson's 95 % interval for a share `p` of `n` trials.
///
/// ```
/// use spielbaum_lab::stats::wdl::wilson;
/// let [low, high] = wilson(0.5, 100.0);
/// assert!((low - 0.4038).abs() < 1e-4 && (high - 0.5962).abs() < 1e-4);
/// ```
pub fn wilson(p: f64, n: f64) -> [f64; 2] {
    wilson_at(p, n, Level::P95)
}

/// Wilson's interval at any level: the shares that the score test does not reject (Wilson,
/// Probable inference, 1927).
pub fn wilson_at(p: f64, n: f64, level: Level) -> [f64; 2] {
    let z = level.z();
    let z2 = z * z;
    let centre = (p + z2 / (2.0 * n)) / (1.0 + z2 / n);
    let half = z / (1.0 + z2 / n) * (p * (1.0 - p) / n + z2 / (4.0 * n * n)).sqrt();
    // At p = 0 and p = 1 the bounds are exact, but for rounding.
    let low = if p <= 0.0 { 0.0 } else { centre - half };
    let high = if p >= 1.0 { 1.0 } else { centre + half };
    [low, high]
}

/// How many rounds gave how many half points: a histogram over `0 ..= 2 · games in a round`.
/// Games of a round share opening and chance, so rounds are what is independent. For pairs of
/// games these are the five counts of the pentanomial model; for single games the three of the
/// trinomial.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Rounds {
    counts: Vec<u64>,
}

impl Rounds {
    /// No rounds yet, of so many games each.
    pub fn new(games: usize) -> Self {
        Rounds { counts: vec![0; 2 * games + 1] }
    }

    /// From counts of 0, 1, 2, … half points.
    pub fn from_counts(counts: Vec<u64>) -> Self {
        Rounds { counts }
    }

    /// Counts a round.
    pub fn add(&mut self, half_points: usize) {
        self.counts[half_points] += 1;
    }

    /// The rounds as the opponent has them.
    pub fn reversed(&self) -> Rounds {
        Rounds { counts: self.counts.iter().rev().copied().collect() }
    }

    /// The rounds of both; `None` if they are not of as many games.
    pub fn plus(&self, more: &Rounds) -> Option<Rounds> {
        let sums = self.counts.iter().zip(&more.counts).map(|(a, b)| a + b);
        (self.counts.len() == more.counts.len()).then(|| Rounds { counts: sums.collect() })
    }

    /// The counts, from no point to all points.
    pub fn counts(&self) -> &[u64] {
        &self.counts
    }

    /// Games in a round.
    pub fn games(&self) -> usize {
        self.counts.len().saturating_sub(1) / 2
    }

    /// Number of rounds.
    pub fn total(&self) -> u64 {
        self.counts.iter().sum()
    }

    /// Mean and variance of a round's score, which lies in [0, 1].
    pub fn moments(&self) -> Option<(f64, f64)> {
        let n = self.total() as f64;
        let scale = self.counts.len().saturating_sub(1) as f64;
        if n == 0.0 || scale == 0.0 {
            return None;
        }
        let score = |i: usize| i as f64 / scale;
        let cells = || self.counts.iter().enumerate();
        let mean = cells().map(|(i, &c)| score(i) * c as f64).sum::<f64>() / n;
        let variance = cells().map(|(i, &c)| (score(i) - mean).powi(2) * c as f64).sum::<f64>() / n;
        Some((mean, variance))
    }
}
