//! Intervals of any statistic by resampling.
//!
//! Efron and Tibshirani, An Introduction to the Bootstrap (1993), chapters 13 and 14.

use super::quantiles::{quantile, sorted};
use super::{Estimate, Level};
use spielbaum_core::Rng;
use statrs::distribution::{ContinuousCDF, Normal};

/// Above this the jackknife leaves out blocks of values instead of single ones.
const JACKKNIFE: usize = 500;

/// How to resample. The same seed gives the same interval.
///
/// ```
/// use spielbaum_lab::stats::bootstrap::{Bootstrap, median};
/// let scores: Vec<f64> = (0..101).map(|i| f64::from(i * i)).collect();
/// let estimate = Bootstrap::default().bca(&scores, median).unwrap();
/// assert_eq!(estimate.value, 2500.0);
/// assert!(estimate.interval[0] > 1000.0 && estimate.interval[1] < 4500.0);
/// assert_eq!(Bootstrap::default().bca(&scores, median), Some(estimate));
/// ```
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Bootstrap {
    /// How many samples are drawn.
    pub samples: usize,
    /// What they are drawn with.
    pub seed: u64,
    /// The level of the interval.
    pub level: Level,
}

impl Default for Bootstrap {
    fn default() -> Self {
        Bootstrap { samples: 2000, seed: 1, level: Level::P95 }
    }
}

/// The mean of values, for [`Bootstrap`].
pub fn mean(values: &mut [f64]) -> f64 {
    values.iter().sum::<f64>() / values.len() as f64
}

/// The median of values, for [`Bootstrap`]; no number without values.
pub fn median(values: &mut [f64]) -> f64 {
    if values.is_empty() {
        return f64::NAN;
    }
    let (half, even) = (values.len() / 2, values.len().is_multiple_of(2));
    let (below, &mut upper, _) = values.select_nth_unstable_by(half, f64::total_cmp);
    if even {
        let lower = below.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        return (lower + upper) / 2.0;
    }
    upper
}

/// The differences of two players' scores in the same games of chance, for the interval of
/// their mean or median. Met with the same chance events, differences vary less than scores.
///
/// ```
/// use spielbaum_lab::stats::bootstrap::{Bootstrap, mean, paired};
/// let a: Vec<f64> = (0..40).map(|i| f64::from(i * 37 % 40 + i % 3)).collect();
/// let b: Vec<f64> = (0..40).map(|i| f64::from(i * 37 % 40)).collect();
/// let difference = Bootstrap::default().bca(&paired(&a, &b).unwrap(), mean).unwrap();
/// assert!(difference.interval[0] > 0.6, "a is better by 0 to 2 each time");
/// assert!(paired(&a, &b[1..]).is_err());
/// ```
pub fn paired(a: &[f64], b: &[f64]) -> Result<Vec<f64>, String> {
    if a.len() != b.len() {
        let (a, b) = (a.len(), b.len());
        return Err(format!("{a} scores cannot be paired with {b}: each needs one of the other"));
    }
    Ok(a.iter().zip(b).map(|(a, b)| a - b).collect())
}

impl Bootstrap {
    /// The interval corrected for bias and for a deviation that depends on the value (BCa):
    /// percentiles of the statistic in samples drawn with replacement, shifted. The statistic may
    /// reorder its argument. `None` with fewer than two values, or if the statistic is no number.
    pub fn bca(&self, values: &[f64], statistic: impl Fn(&mut [f64]) -> f64) -> Option<Estimate> {
        let value = statistic(&mut values.to_vec());
        let draws = self.draw(values, &statistic)?;
        // Scores are often whole numbers: of draws equal to the value half count as below.
        let count = |test: &dyn Fn(f64) -> bool| draws.iter().filter(|&&d| test(d)).count() as f64;
        let below = count(&|d| d < value) + count(&|d| d == value) / 2.0;
        let n = draws.len() as f64;
        let normal = Normal::standard();
        let bias = normal.inverse_cdf((below / n).clamp(0.5 / n, 1.0 - 0.5 / n));
        let acceleration = acceleration(values, &statistic);
        let share = |z: f64| {
            let moved = bias + z;
            normal.cdf(bias + moved / (1.0 - acceleration * moved).max(1e-9))
        };
        let z = self.level.z();
        let interval = [quantile(&draws, share(-z))?, quantile(&draws, share(z))?];
        value.is_finite().then_some(Estimate { value, interval })
    }

    /// The statistic in samples, sorted.
    fn draw(&self, values: &[f64], statistic: &dyn Fn(&mut [f64]) -> f64) -> Option<Vec<f64>> {
        // `Rng::below` takes 32 bits.
        if values.len() < 2 || values.len() > u32::MAX as usize || self.samples == 0 {
            return None;
        }
        let mut rng = Rng::new(self.seed);
        let mut sample = vec![0.0; values.len()];
        let draws: Vec<f64> = (0..self.samples)
            .map(|_| {
                sample.iter_mut().for_each(|x| *x = values[rng.below(values.len())]);
                statistic(&mut sample)
            })
            .collect();
        let sorted = sorted(&draws);
        (sorted.len() == draws.len()).then_some(sorted)
    }
}

/// The acceleration by the jackknife (Efron and Tibshirani, equation 14.15): a sixth of the
/// skewness of the statistic's values without each part of the data.
fn acceleration(values: &[f64], statistic: &dyn Fn(&mut [f64]) -> f64) -> f64 {
    let blocks = values.len().min(JACKKNIFE);
    let edge = |b: usize| b * values.len() / blocks;
    let without: Vec<f64> = (0..blocks)
        .map(|b| statistic(&mut [&values[..edge(b)], &values[edge(b + 1)..]].concat()))
        .collect();
    let centre = without.iter().sum::<f64>() / blocks as f64;
    let power = |k: i32| without.iter().map(|x| (centre - x).powi(k)).sum::<f64>();
    let squares = power(2);
    if squares > 0.0 { power(3) / (6.0 * squares * squares.sqrt()) } else { 0.0 }
}
