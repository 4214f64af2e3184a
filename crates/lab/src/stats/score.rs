//! Means of scores and payoffs with their intervals.

use super::Level;
use serde::{Deserialize, Serialize};
use statrs::distribution::{ContinuousCDF, StudentsT};

/// A mean, gathered one value at a time (Welford), in a fixed order so that it is reproducible.
#[derive(Clone, Copy, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct Mean {
    n: u64,
    mean: f64,
    squares: f64,
}

impl Mean {
    /// Adds a value.
    pub fn add(&mut self, value: f64) {
        self.n += 1;
        let before = value - self.mean;
        self.mean += before / self.n as f64;
        self.squares += before * (value - self.mean);
    }

    /// Number of values.
    pub fn count(&self) -> u64 {
        self.n
    }

    /// The mean, `None` without values.
    pub fn mean(&self) -> Option<f64> {
        (self.n > 0).then_some(self.mean)
    }

    /// The sample's standard deviation, `None` with fewer than two values.
    pub fn deviation(&self) -> Option<f64> {
        (self.n > 1).then(|| (self.squares / (self.n - 1) as f64).sqrt())
    }

    /// How sure it is that the true mean is above 0, by Student's t; `None` where nothing
    /// varies, which says nothing about certainty.
    pub fn likelihood_above_zero(&self) -> Option<f64> {
        let error = self.deviation()? / (self.n as f64).sqrt();
        if error == 0.0 {
            return None;
        }
        Some(StudentsT::new(0.0, 1.0, (self.n - 1) as f64).ok()?.cdf(self.mean / error))
    }

    /// How likely a mean at least this far from `expected` is if that is the true one:
    /// Student's two-sided test; `None` where nothing varies.
    pub fn p_value(&self, expected: f64) -> Option<f64> {
        let error = self.deviation().filter(|&d| d > 0.0)? / (self.n as f64).sqrt();
        let t = ((self.mean - expected) / error).abs();
        Some(2.0 * StudentsT::new(0.0, 1.0, (self.n - 1) as f64).ok()?.sf(t))
    }

    /// The 95 % interval of the mean by Student's t; `None` with fewer than two values, or
    /// where all are equal.
    ///
    /// ```
    /// let mut mean = spielbaum_lab::stats::Mean::default();
    /// [4.0, 6.0, 8.0].into_iter().for_each(|x| mean.add(x));
    /// let [low, high] = mean.interval().unwrap(); // 6 ± 4.3027 · 2 / √3
    /// assert!((low - 1.0317).abs() < 1e-4 && (high - 10.9683).abs() < 1e-4);
    /// ```
    pub fn interval(&self) -> Option<[f64; 2]> {
        self.interval_at(Level::P95)
    }

    /// [`Mean::interval`] at any level.
    pub fn interval_at(&self, level: Level) -> Option<[f64; 2]> {
        let deviation = self.deviation().filter(|&d| d > 0.0)?;
        let half = level.t((self.n - 1) as f64)? * deviation / (self.n as f64).sqrt();
        Some([self.mean - half, self.mean + half])
    }
}
