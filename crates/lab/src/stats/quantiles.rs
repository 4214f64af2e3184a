//! Distributions in a few numbers: quantiles, box plots, histograms.

use spielbaum_core::math::{ln, pow};
use std::f64::consts::LN_10;

/// The quantile of sorted values by linear interpolation between them (definition 7 of Hyndman
/// and Fan, Sample quantiles in statistical packages, 1996, the default of R and numpy);
/// `None` without values or with a share outside 0 to 1.
///
/// ```
/// use spielbaum_lab::stats::quantiles::quantile;
/// assert_eq!(quantile(&[1.0, 2.0, 4.0, 8.0], 0.5), Some(3.0));
/// assert_eq!(quantile(&[1.0, 2.0, 4.0, 8.0], 0.25), Some(1.75));
/// ```
pub fn quantile(sorted: &[f64], share: f64) -> Option<f64> {
    if sorted.is_empty() || !(0.0..=1.0).contains(&share) {
        return None;
    }
    let at = share * (sorted.len() - 1) as f64;
    let (below, part) = (at.floor() as usize, at.fract());
    let above = sorted[(below + 1).min(sorted.len() - 1)];
    // Not a sum where there is nothing to add: equal values stay equal to the last bit.
    Some(if part == 0.0 { sorted[below] } else { sorted[below] + part * (above - sorted[below]) })
}

/// The finite values, sorted.
pub fn sorted(values: &[f64]) -> Vec<f64> {
    let mut sorted: Vec<f64> = values.iter().copied().filter(|x| x.is_finite()).collect();
    sorted.sort_by(f64::total_cmp);
    sorted
}

/// A box plot: Tukey's five numbers and the values beyond its whiskers (Exploratory Data
/// Analysis, 1977).
#[derive(Clone, PartialEq, Debug)]
pub struct FiveNumbers {
    /// The least value.
    pub min: f64,
    /// A quarter of the values lies below.
    pub lower: f64,
    /// Half of the values lies below.
    pub median: f64,
    /// Three quarters of the values lie below.
    pub upper: f64,
    /// The greatest value.
    pub max: f64,
    /// The outermost values within one and a half times the box's height of the box.
    pub whiskers: [f64; 2],
    /// The values beyond the whiskers, ascending.
    pub outliers: Vec<f64>,
}

impl FiveNumbers {
    /// The box plot of values; infinite ones and those that are no numbers do not count. `None`
    /// if none is left.
    ///
    /// ```
    /// let five = spielbaum_lab::stats::FiveNumbers::new(&[3.0, 1.0, 2.0, 4.0, 30.0]).unwrap();
    /// assert_eq!([five.lower, five.median, five.upper], [2.0, 3.0, 4.0]);
    /// assert_eq!((five.whiskers, five.outliers), ([1.0, 4.0], vec![30.0]));
    /// ```
    pub fn new(values: &[f64]) -> Option<Self> {
        let sorted = sorted(values);
        let at = |share: f64| quantile(&sorted, share);
        let (lower, upper) = (at(0.25)?, at(0.75)?);
        let reach = 1.5 * (upper - lower);
        let inside = |x: &f64| *x >= lower - reach && *x <= upper + reach;
        let (near, outliers): (Vec<f64>, Vec<f64>) = sorted.iter().partition(|x| inside(x));
        // Interpolated quartiles may lie beyond all values inside.
        let whiskers = [near.first()?.min(lower), near.last()?.max(upper)];
        Some(FiveNumbers {
            min: at(0.0)?,
            lower,
            median: at(0.5)?,
            upper,
            max: at(1.0)?,
            whiskers,
            outliers,
        })
    }
}

/// Counts of values in bins of equal width.
#[derive(Clone, PartialEq, Debug)]
pub struct Histogram {
    /// Where the first bin begins.
    pub start: f64,
    /// The width of each bin.
    pub width: f64,
    /// The values in each bin, its lower end included; the last bin includes its upper end too.
    pub counts: Vec<u64>,
}

/// More bins than this nobody can see.
const MOST_BINS: f64 = 200.0;

impl Histogram {
    /// Bins of the width of Freedman and Diaconis (On the histogram as a density estimator,
    /// 1981), 2 · interquartile range / ∛n, made round: 1, 2 or 5 times a power of ten, with ends
    /// at whole multiples. Whole numbers get bins of whole width, a few of them one each. Values
    /// that are not finite do not count; `None` if none is left.
    ///
    /// ```
    /// let values: Vec<f64> = (0..1000).map(f64::from).collect();
    /// let histogram = spielbaum_lab::stats::Histogram::new(&values).unwrap();
    /// assert_eq!((histogram.start, histogram.width), (0.0, 100.0)); // 2 · 499.5 / 10
    /// assert_eq!(histogram.counts, [100; 10]);
    /// ```
    pub fn new(values: &[f64]) -> Option<Self> {
        let sorted = sorted(values);
        let [min, max] = range(&sorted)?;
        let box_height = quantile(&sorted, 0.75)? - quantile(&sorted, 0.25)?;
        let cube_root = pow(sorted.len() as f64, 1.0 / 3.0);
        let by_spread = 2.0 * box_height / cube_root;
        // More than half of the values alike: the range instead of the box.
        let wanted = if by_spread > 0.0 { by_spread } else { (max - min) / cube_root };
        let whole = sorted.iter().all(|x| x.fract() == 0.0);
        let width = match whole {
            true if max - min < 30.0 => 1.0,
            true => nice(wanted.max((max - min) / MOST_BINS).max(1.0)),
            false => nice(wanted.max((max - min) / MOST_BINS)),
        };
        Some(Self::with_width(&sorted, width))
    }

    /// So many bins from the least value to the greatest; `None` without values or bins.
    pub fn with_bins(values: &[f64], bins: usize) -> Option<Self> {
        let sorted = sorted(values);
        let [min, max] = range(&sorted)?;
        if bins == 0 {
            return None;
        }
        let width = if max > min { (max - min) / bins as f64 } else { 1.0 };
        Some(Self::filled(&sorted, min, width, bins))
    }

    fn with_width(sorted: &[f64], width: f64) -> Self {
        let start = (sorted[0] / width).floor() * width;
        let end = sorted[sorted.len() - 1];
        let bins = ((end - start) / width).floor() as usize + 1;
        Self::filled(sorted, start, width, bins)
    }

    fn filled(values: &[f64], start: f64, width: f64, bins: usize) -> Self {
        let mut counts = vec![0; bins];
        for value in values {
            counts[(((value - start) / width) as usize).min(bins - 1)] += 1;
        }
        Histogram { start, width, counts }
    }

    /// The ends of a bin.
    pub fn bin(&self, i: usize) -> [f64; 2] {
        [i, i + 1].map(|k| self.start + k as f64 * self.width)
    }
}

/// The ends of sorted values, if their distance is a number.
fn range(sorted: &[f64]) -> Option<[f64; 2]> {
    let (min, max) = (*sorted.first()?, *sorted.last()?);
    (max - min).is_finite().then_some([min, max])
}

/// The least of 1, 2, 5 times a power of ten that is not smaller, but for rounding; 1 for 0.
fn nice(width: f64) -> f64 {
    if width <= 0.0 {
        return 1.0;
    }
    let power = (ln(width) / LN_10).floor() as i32;
    let steps = (power - 1..=power + 1).flat_map(|e| [1, 2, 5].map(|f| format!("{f}e{e}")));
    // Read from text they are the nearest numbers to 0.1, 0.2, …
    let mut steps = steps.filter_map(|text| text.parse::<f64>().ok());
    steps.find(|step| *step >= width * 0.999_999).unwrap_or(width)
}
