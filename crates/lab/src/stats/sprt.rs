//! The generalised sequential probability ratio test: stop as soon as the results decide
//! between two hypotheses about the strength.
//!
//! The log-likelihood ratio compares the distributions of round scores that are most likely
//! under either hypothesis (Van den Bergh, "Comments on Normalized Elo"). Rounds of two games
//! give the pentanomial test.

use super::elo::expected;
use super::wdl::{Rounds, Wdl};
use serde::{Deserialize, Serialize};
use spielbaum_core::math::{ln, pow};
use std::f64::consts::LN_10;

/// What `elo0` and `elo1` mean.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Model {
    /// Normalised Elo: independent of how many draws there are.
    #[default]
    Normalised,
    /// Elo by the expected score.
    Logistic,
    /// Elo by the BayesElo model with the draws as observed; looks at single games.
    Bayes,
}

/// A test of "the difference is `elo0`" against "the difference is `elo1`".
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Sprt {
    /// The first hypothesis.
    pub elo0: f64,
    /// The second hypothesis, larger.
    pub elo1: f64,
    /// Probability of accepting the second hypothesis though the first is true.
    pub alpha: f64,
    /// Probability of accepting the first hypothesis though the second is true.
    pub beta: f64,
    /// What the differences mean.
    pub model: Model,
}

/// What a sequential test has decided.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Decision {
    /// The difference is rather `elo0`.
    H0,
    /// The difference is rather `elo1`.
    H1,
}

impl Sprt {
    /// A test, if its numbers make sense.
    pub fn new(elo0: f64, elo1: f64, alpha: f64, beta: f64, model: Model) -> Result<Self, String> {
        let rate = |p: f64| p > 0.0 && p < 0.5;
        if !(elo0 < elo1 && elo0.is_finite() && elo1.is_finite()) {
            return Err(format!("elo0 = {elo0} must be below elo1 = {elo1}"));
        }
        if !rate(alpha) || !rate(beta) {
            return Err(format!("alpha = {alpha} and beta = {beta} must lie between 0 and 0.5"));
        }
        Ok(Sprt { elo0, elo1, alpha, beta, model })
    }

    /// Below the first the test accepts H0, above the second H1.
    ///
    /// ```
    /// use spielbaum_lab::stats::{Model, Sprt};
    /// let [lower, upper] = Sprt::new(0.0, 10.0, 0.01, 0.01, Model::Bayes).unwrap().bounds();
    /// assert!((lower + 4.595).abs() < 1e-3 && (upper - 4.595).abs() < 1e-3);
    /// ```
    pub fn bounds(&self) -> [f64; 2] {
        [ln(self.beta / (1.0 - self.alpha)), ln((1.0 - self.beta) / self.alpha)]
    }

    /// The log-likelihood ratio of the results.
    pub fn llr(&self, wdl: &Wdl, rounds: &Rounds) -> f64 {
        match self.model {
            Model::Bayes => self.bayes(wdl),
            _ if rounds.total() == 0 => 0.0,
            Model::Logistic => {
                let sample = Sample::new(rounds);
                sample.ratio(
                    &sample.with_mean(expected(self.elo0)),
                    &sample.with_mean(expected(self.elo1)),
                )
            }
            Model::Normalised => {
                let sample = Sample::new(rounds);
                // A round of g games has 1/√g of a game's standard deviation.
                let scale = (rounds.games() as f64).sqrt() * LN_10 / 800.0;
                sample.ratio(
                    &sample.with_distance(self.elo0 * scale),
                    &sample.with_distance(self.elo1 * scale),
                )
            }
        }
    }

    /// The decision, as soon as there is one.
    pub fn decide(&self, wdl: &Wdl, rounds: &Rounds) -> Option<Decision> {
        let (llr, [lower, upper]) = (self.llr(wdl, rounds), self.bounds());
        match llr {
            _ if llr >= upper => Some(Decision::H1),
            _ if llr <= lower => Some(Decision::H0),
            _ => None,
        }
    }

    /// As cutechess computes it; 0 until there is a result of each kind.
    fn bayes(&self, wdl: &Wdl) -> f64 {
        let n = wdl.total() as f64;
        let [w, d, l] = [wdl.wins, wdl.draws, wdl.losses].map(|count| count as f64);
        if w == 0.0 || d == 0.0 || l == 0.0 {
            return 0.0;
        }
        let log10 = |x: f64| ln(x) / LN_10;
        let draw_elo = 200.0 * log10((n - l) / l * ((n - w) / w));
        // BayesElo units per Elo, near equality.
        let x = pow(10.0, -draw_elo / 400.0);
        let scale = 4.0 * x / (1.0 + x).powi(2);
        let probabilities = |elo: f64| {
            let win = 1.0 / (1.0 + pow(10.0, (draw_elo - elo) / 400.0));
            let loss = 1.0 / (1.0 + pow(10.0, (draw_elo + elo) / 400.0));
            [win, 1.0 - win - loss, loss]
        };
        let [p0, p1] = [self.elo0, self.elo1].map(|elo| probabilities(elo / scale));
        (0..3).map(|i| [w, d, l][i] * ln(p1[i] / p0[i])).sum()
    }
}

/// An empirical distribution of round scores.
struct Sample {
    scores: Vec<f64>,
    shares: Vec<f64>,
    total: f64,
}

impl Sample {
    /// Empty cells count a thousandth of a round, so that every distribution is possible.
    fn new(rounds: &Rounds) -> Self {
        let counts: Vec<f64> = rounds.counts().iter().map(|&c| (c as f64).max(1e-3)).collect();
        let total: f64 = counts.iter().sum();
        let top = (counts.len() - 1) as f64;
        Sample {
            scores: (0..counts.len()).map(|i| i as f64 / top).collect(),
            shares: counts.iter().map(|c| c / total).collect(),
            total,
        }
    }

    fn ratio(&self, p0: &[f64], p1: &[f64]) -> f64 {
        let cells = self.shares.iter().zip(p0.iter().zip(p1));
        self.total * cells.map(|(share, (a, b))| share * ln(b / a)).sum::<f64>()
    }

    /// The most likely distribution with this mean.
    fn with_mean(&self, mean: f64) -> Vec<f64> {
        let deviations: Vec<f64> = self.scores.iter().map(|a| a - mean).collect();
        self.tilt(&deviations)
    }

    /// The most likely distribution whose mean is `t` standard deviations above ½, by
    /// repeated linearisation of that condition.
    fn with_distance(&self, t: f64) -> Vec<f64> {
        let mut shares = vec![1.0 / self.shares.len() as f64; self.shares.len()];
        for _ in 0..30 {
            let cells = || self.scores.iter().zip(&shares);
            let mean: f64 = cells().map(|(a, p)| a * p).sum();
            let deviation = cells().map(|(a, p)| (a - mean).powi(2) * p).sum::<f64>().sqrt();
            let linear: Vec<f64> = (self.scores.iter())
                .map(|a| a - 0.5 - t * deviation * (1.0 + ((a - mean) / deviation).powi(2)) / 2.0)
                .collect();
            let next = self.tilt(&linear);
            let change = next.iter().zip(&shares).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
            shares = next;
            if change < 1e-10 {
                break;
            }
        }
        shares
    }

    /// The most likely distribution in which the mean of `values` is 0: shares divided by
    /// 1 + x · value, where x makes it so. The mean falls with x; bisection finds it.
    fn tilt(&self, values: &[f64]) -> Vec<f64> {
        let low = values.iter().copied().fold(f64::INFINITY, f64::min);
        let high = values.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        if low >= 0.0 || high <= 0.0 {
            return self.shares.clone();
        }
        let mean = |x: f64| -> f64 {
            self.shares.iter().zip(values).map(|(p, v)| p * v / (1.0 + x * v)).sum()
        };
        let (mut a, mut b) = (-1.0 / high, -1.0 / low);
        for _ in 0..200 {
            let middle = (a + b) / 2.0;
            if middle <= a || middle >= b {
                break;
            }
            if mean(middle) > 0.0 { a = middle } else { b = middle }
        }
        let x = (a + b) / 2.0;
        self.shares.iter().zip(values).map(|(p, v)| p / (1.0 + x * v)).collect()
    }
}
