//! Shares whose cases come in groups.

use super::Level;
use serde::{Deserialize, Serialize};

/// A share of cases that come in groups (positions of a game), which are independent while the
/// cases are not: the ratio estimator of cluster sampling (Cochran, Sampling Techniques, 1977,
/// chapter 6), its variance by the groups' residuals.
#[derive(Clone, Copy, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct Ratio {
    groups: u64,
    hits: f64,
    cases: f64,
    hits_squared: f64,
    product: f64,
    cases_squared: f64,
}

impl Ratio {
    /// Adds a group; one without cases says nothing and does not count.
    pub fn add(&mut self, hits: f64, cases: f64) {
        if cases > 0.0 {
            self.groups += 1;
            self.hits += hits;
            self.cases += cases;
            self.hits_squared += hits * hits;
            self.product += hits * cases;
            self.cases_squared += cases * cases;
        }
    }

    /// All cases.
    pub fn cases(&self) -> f64 {
        self.cases
    }

    /// The share, `None` without cases.
    pub fn share(&self) -> Option<f64> {
        (self.cases > 0.0).then(|| self.hits / self.cases)
    }

    /// The 95 % interval by Student's t, within 0 and 1; `None` with fewer than two groups, or
    /// where all have the same share, which says nothing about certainty.
    ///
    /// ```
    /// let mut ratio = spielbaum_lab::stats::Ratio::default();
    /// [(1.0, 4.0), (3.0, 4.0), (2.0, 4.0)].map(|(hits, cases)| ratio.add(hits, cases));
    /// // With groups of one size it is the interval of the mean: 0.5 ± 4.3027 · 0.25 / √3.
    /// assert_eq!(ratio.share(), Some(0.5));
    /// let [low, high] = ratio.interval().unwrap();
    /// assert_eq!(low, 0.0); // below it there is no share
    /// assert_eq!(high, 1.0);
    /// [(2.0, 4.0); 5].map(|(hits, cases)| ratio.add(hits, cases));
    /// let [low, high] = ratio.interval().unwrap(); // 0.5 ± 2.3646 · 0.13363 / √8
    /// assert!((low - 0.3883).abs() < 1e-4 && (high - 0.6117).abs() < 1e-4);
    /// ```
    pub fn interval(&self) -> Option<[f64; 2]> {
        self.interval_at(Level::P95)
    }

    /// [`Ratio::interval`] at any level.
    pub fn interval_at(&self, level: Level) -> Option<[f64; 2]> {
        let (share, half) = (self.share()?, self.half(level)?);
        Some([(share - half).max(0.0), (share + half).min(1.0)])
    }

    /// The interval where the ratio is no share but a mean, such as the plays of a move, and may
    /// be above 1.
    pub fn mean_interval(&self, level: Level) -> Option<[f64; 2]> {
        let (mean, half) = (self.share()?, self.half(level)?);
        Some([mean - half, mean + half])
    }

    fn half(&self, level: Level) -> Option<f64> {
        let share = self.share()?;
        if self.groups < 2 {
            return None;
        }
        let n = self.groups as f64;
        let residuals =
            self.hits_squared - 2.0 * share * self.product + share * share * self.cases_squared;
        // Rounding leaves a little where nothing varies.
        if residuals <= 1e-9 * self.hits_squared.max(f64::MIN_POSITIVE) {
            return None;
        }
        Some(level.t(n - 1.0)? * (residuals * n / (n - 1.0)).sqrt() / self.cases)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cases_count_and_groups_make_the_interval() {
        let mut ratio = Ratio::default();
        assert_eq!((ratio.share(), ratio.interval()), (None, None));
        ratio.add(9.0, 10.0);
        ratio.add(0.0, 0.0);
        assert_eq!((ratio.share(), ratio.interval()), (Some(0.9), None));
        ratio.add(0.0, 30.0);
        assert_eq!(ratio.share(), Some(0.225));
        assert!(ratio.interval().is_some());
    }

    #[test]
    fn equal_groups_give_no_interval() {
        let mut ratio = Ratio::default();
        (0..50).for_each(|_| ratio.add(7.0, 9.0));
        assert_eq!(ratio.interval(), None);
    }
}
