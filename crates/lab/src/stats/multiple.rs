//! Tests of a score against ½, and what many of them say together: of twenty matches of equals
//! one differs "significantly" from 50 %.

use super::Rounds;
use spielbaum_core::math::{exp, ln};
use statrs::distribution::{ContinuousCDF, StudentsT};
use statrs::function::gamma::ln_gamma;

/// Up to so many rounds that are not even, [`score_test`] is exact.
const EXACT: u64 = 1000;

/// How p-values of several tests are adjusted. An adjusted value is compared with the
/// significance level as if the test were the only one.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Correction {
    /// Not at all.
    None,
    /// Times the number of tests: no false claim at all, with the level's probability.
    Bonferroni,
    /// Step by step (Holm, A simple sequentially rejective multiple test procedure, 1979): the
    /// same promise as Bonferroni, never weaker.
    #[default]
    Holm,
    /// Benjamini and Hochberg (Controlling the false discovery rate, 1995): among the claims the
    /// level's share is expected to be false, if the tests are independent.
    BenjaminiHochberg,
}

impl Correction {
    /// The adjusted p-values, in the order given.
    ///
    /// ```
    /// use spielbaum_lab::stats::Correction::*;
    /// let p = [0.01, 0.04, 0.03];
    /// let close = |a: Vec<f64>, b: [f64; 3]| a.iter().zip(b).all(|(a, b)| (a - b).abs() < 1e-12);
    /// assert!(close(Bonferroni.adjust(&p), [0.03, 0.12, 0.09]));
    /// assert!(close(Holm.adjust(&p), [0.03, 0.06, 0.06]));
    /// assert!(close(BenjaminiHochberg.adjust(&p), [0.03, 0.04, 0.04]));
    /// ```
    pub fn adjust(self, p: &[f64]) -> Vec<f64> {
        let n = p.len();
        let mut order: Vec<usize> = (0..n).collect();
        order.sort_by(|&a, &b| p[a].total_cmp(&p[b]));
        let mut adjusted = p.to_vec();
        match self {
            Correction::None => {}
            Correction::Bonferroni => adjusted.iter_mut().for_each(|p| *p *= n as f64),
            Correction::Holm => {
                let mut least = 0.0;
                for (rank, &i) in order.iter().enumerate() {
                    least = f64::max(least, p[i] * (n - rank) as f64);
                    adjusted[i] = least;
                }
            }
            Correction::BenjaminiHochberg => {
                let mut most = f64::INFINITY;
                for (rank, &i) in order.iter().enumerate().rev() {
                    most = f64::min(most, p[i] * n as f64 / (rank + 1) as f64);
                    adjusted[i] = most;
                }
            }
        }
        adjusted.into_iter().map(|p| p.min(1.0)).collect()
    }
}

/// How likely a score at least as far from ½ is between equals, by the rounds; `None` without
/// rounds.
///
/// Between equals a round is as likely as its mirror image, so the signs of the rounds'
/// distances from ½ are throws of a coin: Fisher's randomisation test (The Design of
/// Experiments, 1935, section 21), of which the sign test is the case of equal distances. It is
/// exact up to a thousand uneven rounds; beyond, Student's test, which then says the same.
///
/// ```
/// use spielbaum_lab::stats::multiple::score_test;
/// use spielbaum_lab::stats::Rounds;
/// // Pairs of games: one with half a point more than even, four with a full point more.
/// // 5 coins, and all must fall alike.
/// assert_eq!(score_test(&Rounds::from_counts(vec![0, 0, 7, 1, 4])), Some(2.0 / 32.0));
/// ```
pub fn score_test(rounds: &Rounds) -> Option<f64> {
    let (mean, variance) = rounds.moments()?;
    let (n, middle) = (rounds.total() as f64, rounds.games());
    let counts = rounds.counts();
    // Rounds at each distance from even, whichever side.
    let distances: Vec<u64> =
        (1..=middle).map(|d| counts[middle - d] + counts[middle + d]).collect();
    if distances.iter().sum::<u64>() <= EXACT {
        let sum = |side: &dyn Fn(usize) -> usize| -> i64 {
            (1..=middle).map(|d| d as i64 * counts[side(d)] as i64).sum()
        };
        let observed = sum(&|d| middle + d) - sum(&|d| middle - d);
        return Some(flips(&distances, observed.unsigned_abs()));
    }
    let t = (mean - 0.5).abs() / (variance / (n - 1.0)).sqrt();
    Some(2.0 * StudentsT::new(0.0, 1.0, n - 1.0).ok()?.sf(t))
}

/// The probability that a sum of distances 1, 2, … with random signs, so many of each, is at
/// least this far from 0.
fn flips(distances: &[u64], observed: u64) -> f64 {
    // Sums of what falls on the positive side; the whole sum is twice that minus all.
    let all: u64 = distances.iter().zip(1..).map(|(&c, d)| c * d).sum();
    let mut chances = vec![1.0];
    for (&count, distance) in distances.iter().zip(1..).filter(|(c, _)| **c > 0) {
        let mut next = vec![0.0; chances.len() + count as usize * distance];
        for k in 0..=count {
            let p = fair_coin(count, k);
            let shift = k as usize * distance;
            chances.iter().enumerate().for_each(|(i, c)| next[i + shift] += p * c);
        }
        chances = next;
    }
    let far = |i: usize| (2 * i as i64 - all as i64).unsigned_abs() >= observed;
    let sum: f64 = chances.iter().enumerate().filter(|(i, _)| far(*i)).map(|(_, c)| c).sum();
    sum.min(1.0)
}

/// The probability of k heads in n throws.
fn fair_coin(n: u64, k: u64) -> f64 {
    // Exact where the binomial coefficient and 2ⁿ are.
    if n <= 50 {
        let choose = (0..k).fold(1.0, |c, i| c * (n - i) as f64 / (i + 1) as f64);
        return choose.round() / (1u64 << n) as f64;
    }
    let log = |m: u64| ln_gamma(m as f64 + 1.0);
    exp(log(n) - log(k) - log(n - k) - n as f64 * ln(2.0))
}
