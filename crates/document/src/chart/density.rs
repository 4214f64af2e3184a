//! Shapes of distributions.

use serde::Serialize;

use super::{Axis, Scale};
use crate::{Cell, Column, Table, number};

/// How many points a smoothed shape has.
const GRID: usize = 96;

/// Shapes of distributions, one above the other.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Density {
    /// What is distributed.
    pub value: Axis,
    /// What the labels name.
    pub label_title: String,
    /// The distributions, from top to bottom.
    pub distributions: Vec<Distribution>,
}

impl Density {
    /// Axes without distributions.
    #[must_use]
    pub fn new(label_title: impl Into<String>, value: Axis) -> Self {
        Density { value, label_title: label_title.into(), distributions: Vec::new() }
    }

    /// The same with one more distribution.
    #[must_use]
    pub fn distribution(mut self, distribution: Distribution) -> Self {
        self.distributions.push(distribution);
        self
    }

    /// The same with a distribution smoothed from samples on the scale of the axis; what the axis
    /// cannot show is left out.
    #[must_use]
    pub fn samples(self, label: impl Into<String>, samples: &[f64]) -> Self {
        let log = self.value.scale == Scale::Log;
        let shown: Vec<f64> = samples.iter().copied().filter(|&x| self.value.shows(x)).collect();
        self.distribution(Distribution::smoothed(label, shown, log))
    }

    /// Position and height of a shape's outline, the highest of the shape at 1.
    pub(crate) fn outline(&self, distribution: &Distribution) -> Vec<(f64, f64)> {
        let log = self.value.scale == Scale::Log;
        let bins = distribution.bins.iter().filter(|bin| {
            bin.low < bin.high && self.value.shows(bin.low) && self.value.shows(bin.high)
        });
        // Height is weight per width as drawn, so that bins of unequal width compare.
        let heights: Vec<(f64, f64)> = bins
            .filter(|bin| bin.weight.is_finite() && bin.weight >= 0.0)
            .map(|bin| match log {
                true => ((bin.low * bin.high).sqrt(), bin.weight / (bin.high / bin.low).ln()),
                false => ((bin.low + bin.high) / 2.0, bin.weight / (bin.high - bin.low)),
            })
            .collect();
        let top = heights.iter().map(|h| h.1).fold(0.0, f64::max);
        if top <= 0.0 || !top.is_finite() {
            return Vec::new();
        }
        heights.into_iter().map(|(x, height)| (x, height / top)).collect()
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.distributions.iter().all(|d| self.outline(d).is_empty())
    }

    pub(crate) fn table(&self) -> Table {
        let mut table = Table::new("").column(Column::label(&self.label_title));
        for title in ["low", "quartile", "median", "quartile", "high"] {
            table.columns.push(self.value.column(title));
        }
        table.columns.push(Column::number("count"));
        for d in &self.distributions {
            let mut row = vec![Cell::text(&d.label)];
            row.extend(d.five().map_or_else(
                || vec![Cell::empty(); 5],
                |five| five.map(|x| self.value.cell(x.into())).to_vec(),
            ));
            row.push(d.count.map_or_else(Cell::empty, Cell::count));
            table.push(row);
        }
        table
    }
}

/// A distribution as a histogram.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Distribution {
    /// Its name.
    pub label: String,
    /// The bins in ascending order.
    pub bins: Vec<Bin>,
    /// How many values, if that is known.
    pub count: Option<u64>,
    /// The five numbers of the samples, where it was made from samples.
    summary: Option<[f64; 5]>,
}

/// A bin of a histogram.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Bin {
    /// From.
    pub low: f64,
    /// To.
    pub high: f64,
    /// How many, or how much.
    pub weight: f64,
}

impl Distribution {
    /// A histogram.
    #[must_use]
    pub fn new(label: impl Into<String>, bins: Vec<Bin>) -> Self {
        Distribution { label: label.into(), bins, count: None, summary: None }
    }

    /// The same with the number of values.
    #[must_use]
    pub fn count(mut self, count: u64) -> Self {
        self.count = Some(count);
        self
    }

    /// Kernel density with the biweight kernel, which is smooth and needs no exponential, and
    /// Silverman's bandwidth (Density Estimation for Statistics and Data Analysis, 1986, 3.4.2).
    fn smoothed(label: impl Into<String>, mut samples: Vec<f64>, log: bool) -> Self {
        samples.sort_by(f64::total_cmp);
        let n = samples.len();
        let summary = (n > 0).then(|| [0.0, 0.25, 0.5, 0.75, 1.0].map(|q| quantile(&samples, q)));
        let mut distribution =
            Distribution { label: label.into(), bins: vec![], count: Some(n as u64), summary };
        let drawn: Vec<f64> = match log {
            true => samples.iter().map(|x| x.ln()).collect(),
            false => samples,
        };
        let Some((&first, &last)) = drawn.first().zip(drawn.last()) else {
            return distribution;
        };
        let mean = drawn.iter().sum::<f64>() / n as f64;
        let variance = drawn.iter().map(|x| (x - mean) * (x - mean)).sum::<f64>() / n as f64;
        let quartiles = quantile(&drawn, 0.75) - quantile(&drawn, 0.25);
        let deviation = match quartiles > 0.0 {
            true => f64::min(variance.sqrt(), quartiles / 1.34),
            false => variance.sqrt(),
        };
        // Silverman's 0.9, times 2.62 for the biweight in place of the Gaussian.
        let mut bandwidth = 0.9 * 2.62 * deviation / fifth_root(n as f64);
        if bandwidth <= 0.0 {
            bandwidth = f64::max(first.abs() * 0.01, 0.01);
        }
        let (low, high) = (first - bandwidth, last + bandwidth);
        let step = (high - low) / GRID as f64;
        distribution.bins = (0..GRID)
            .map(|at| {
                let (from, to) = (low + step * at as f64, low + step * (at + 1) as f64);
                let center = (from + to) / 2.0;
                let begin = drawn.partition_point(|&x| x < center - bandwidth);
                let near = drawn[begin..].iter().take_while(|&&x| x <= center + bandwidth);
                let weight: f64 = near
                    .map(|x| (x - center) / bandwidth)
                    .map(|u| 0.9375 * (1.0 - u * u) * (1.0 - u * u) * step / bandwidth)
                    .sum();
                let place = |x: f64| number::rounded(if log { x.exp() } else { x });
                Bin { low: place(from), high: place(to), weight: number::rounded(weight) }
            })
            .collect();
        distribution
    }

    /// Low end, quartiles, median and high end; of a histogram, linear within a bin.
    pub(crate) fn five(&self) -> Option<[f64; 5]> {
        if let Some(summary) = self.summary {
            return Some(summary);
        }
        let good = |bin: &&Bin| bin.weight > 0.0 && bin.weight.is_finite() && bin.low < bin.high;
        let bins: Vec<&Bin> = self.bins.iter().filter(good).collect();
        let total: f64 = bins.iter().map(|bin| bin.weight).sum();
        let (first, last) = (bins.first()?, bins.last()?);
        let at = |share: f64| {
            let mut left = share * total;
            for bin in &bins {
                if left <= bin.weight {
                    return bin.low + (bin.high - bin.low) * left / bin.weight;
                }
                left -= bin.weight;
            }
            last.high
        };
        Some([first.low, at(0.25), at(0.5), at(0.75), last.high])
    }
}

/// The quantile of sorted values, linear between neighbours (type 7 of Hyndman and Fan, 1996).
fn quantile(sorted: &[f64], share: f64) -> f64 {
    let place = share * (sorted.len() - 1) as f64;
    let below = place.floor() as usize;
    let above = usize::min(below + 1, sorted.len() - 1);
    sorted[below] + (sorted[above] - sorted[below]) * (place - below as f64)
}

/// Newton's iteration: the same bits on every machine, which `powf` does not promise.
fn fifth_root(x: f64) -> f64 {
    let mut root = f64::max(x.sqrt().sqrt(), 1.0);
    for _ in 0..40 {
        root = (4.0 * root + x / (root * root * root * root)) / 5.0;
    }
    root
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn roots_and_quantiles() {
        assert!((fifth_root(1000.0) - 1000f64.powf(0.2)).abs() < 1e-12);
        assert_eq!(quantile(&[1.0, 2.0, 4.0], 0.75), 3.0);
        assert_eq!(quantile(&[7.0], 0.3), 7.0);
    }

    #[test]
    fn a_smoothed_shape_has_the_mass_of_its_samples() {
        let samples: Vec<f64> = (0..500).map(|n| f64::from(n * n % 97)).collect();
        let density = Density::new("", Axis::new("", 0)).samples("a", &samples);
        let mass: f64 = density.distributions[0].bins.iter().map(|bin| bin.weight).sum();
        assert!((mass - 500.0).abs() < 5.0, "{mass}");
    }

    #[test]
    fn samples_may_be_all_alike_or_none() {
        let axis = || Axis::new("", 0).log();
        assert!(Density::new("", axis()).samples("a", &[]).is_empty());
        assert!(Density::new("", axis()).samples("a", &[-1.0, 0.0, f64::NAN]).is_empty());
        assert!(!Density::new("", axis()).samples("a", &[1.0; 5]).is_empty());
    }

    #[test]
    fn quartiles_of_a_histogram() {
        let bins = (0..4).map(|n| Bin { low: f64::from(n), high: f64::from(n + 1), weight: 1.0 });
        let five = Distribution::new("a", bins.collect()).five();
        assert_eq!(five, Some([0.0, 1.0, 2.0, 3.0, 4.0]));
    }
}
