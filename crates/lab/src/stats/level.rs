//! How sure an interval is.

use super::Z95;
use statrs::distribution::{ContinuousCDF, Normal, StudentsT};

/// The share of intervals that hold the truth, 95 % unless said otherwise. Kept as the share
/// that does not, so that levels near 1 lose no digits.
///
/// ```
/// use spielbaum_lab::stats::Level;
/// // Four intervals that shall all hold together, 19 times of 20 (Bonferroni).
/// let level = Level::P95.bonferroni(4);
/// assert_eq!(level.share(), 0.9875);
/// assert!((level.z() - 2.4977).abs() < 1e-4);
/// assert!(Level::new(95.0).is_err());
/// ```
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Level {
    error: f64,
}

impl Default for Level {
    fn default() -> Self {
        Level::P95
    }
}

impl Level {
    /// 95 %.
    pub const P95: Level = Level { error: 0.05 };

    /// The level of a share such as 0.99.
    pub fn new(share: f64) -> Result<Self, String> {
        // 1 - 0.95 is not 0.05 in its last bits.
        let error = ((1.0 - share) * 1e12).round() / 1e12;
        if error > 0.0 && error < 1.0 {
            return Ok(Level { error });
        }
        Err(format!("a level of {share} must lie between 0 and 1, such as 0.95"))
    }

    /// The share of intervals that hold the truth.
    pub fn share(self) -> f64 {
        1.0 - self.error
    }

    /// The share that does not: the significance level of the test that belongs to it.
    pub fn error(self) -> f64 {
        self.error
    }

    /// The level each of so many intervals needs for all of them to hold together at this one,
    /// however they depend on each other (Bonferroni).
    pub fn bonferroni(self, intervals: usize) -> Level {
        Level { error: self.error / intervals.max(1) as f64 }
    }

    /// The level of so many of the intervals together, where all of them have this one.
    ///
    /// ```
    /// use spielbaum_lab::stats::Level;
    /// assert_eq!(Level::P95.portion(1, 4), Level::P95.bonferroni(4));
    /// assert_eq!(Level::P95.portion(4, 4), Level::P95);
    /// ```
    pub fn portion(self, intervals: usize, of: usize) -> Level {
        let of = of.max(1);
        Level { error: self.error * intervals.clamp(1, of) as f64 / of as f64 }
    }

    /// The two-sided quantile of the normal distribution.
    pub fn z(self) -> f64 {
        if self == Level::P95 { Z95 } else { -Normal::standard().inverse_cdf(self.error / 2.0) }
    }

    /// The two-sided quantile of Student's distribution, `None` without degrees of freedom.
    pub fn t(self, freedom: f64) -> Option<f64> {
        Some(StudentsT::new(0.0, 1.0, freedom).ok()?.inverse_cdf(1.0 - self.error / 2.0))
    }
}

/// A number and the interval that the data leave to it.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Estimate {
    /// The most likely value.
    pub value: f64,
    /// Where the truth may lie.
    pub interval: [f64; 2],
}

impl Estimate {
    /// Applies a growing function to value and interval.
    pub fn map(self, f: impl Fn(f64) -> f64) -> Estimate {
        Estimate { value: f(self.value), interval: self.interval.map(f) }
    }

    /// Whether a value lies in the interval.
    pub fn holds(&self, value: f64) -> bool {
        self.interval[0] <= value && value <= self.interval[1]
    }
}
