//! Draws by weights: their frequencies, and weights beyond the range of exponentials.

use spielbaum_core::{Rng, math};
use spielbaum_search::softmax::Softmax;

/// The 0.999 quantile of chi-squared (Wilson and Hilferty).
fn limit(freedom: f64) -> f64 {
    let a = 2.0 / (9.0 * freedom);
    freedom * (1.0 - a + 3.09 * a.sqrt()).powi(3)
}

fn chi_squared(weights: &[f64], k: f64, seed: u64) -> (f64, f64) {
    let mut policy = Softmax::new(k);
    policy.reset(2 * weights.len(), 3.0);
    // The cells of the moves lie anywhere.
    let cells: Vec<u32> = (0..weights.len()).map(|i| (2 * i + 1) as u32).rev().collect();
    for (&cell, &weight) in cells.iter().zip(weights) {
        policy.set(cell, weight);
    }
    policy.install();
    let draws = 200_000;
    let mut counts = vec![0u32; weights.len()];
    let mut rng = Rng::new(seed);
    for _ in 0..draws {
        counts[policy.draw(&cells, &mut rng)] += 1;
    }
    let top = weights.iter().fold(f64::MIN, |a, &b| a.max(b));
    let odds: Vec<f64> = weights.iter().map(|w| math::exp(k * (w - top))).collect();
    let sum: f64 = odds.iter().sum();
    let (mut chi, mut freedom) = (0.0, -1.0);
    for (&count, odd) in counts.iter().zip(odds) {
        let expected = f64::from(draws) * odd / sum;
        if expected < 5.0 {
            assert!(count < 40, "{count} of {expected}");
            continue;
        }
        chi += (f64::from(count) - expected).powi(2) / expected;
        freedom += 1.0;
    }
    (chi, f64::max(freedom, 1.0))
}

#[test]
fn moves_are_drawn_with_their_odds() {
    let mut rng = Rng::new(1);
    for n in [2, 3, 7, 31, 80] {
        for k in [1.0, 16.0] {
            let weights: Vec<f64> = (0..n).map(|_| rng.unit() * 3.0 / k).collect();
            let (chi, freedom) = chi_squared(&weights, k, n);
            assert!(chi < limit(freedom), "{n} moves, k {k}: chi-squared {chi}");
        }
    }
}

/// The same weights moved far up or down are the same policy.
#[test]
fn weights_beyond_the_range_of_exponentials_are_drawn_alike() {
    for shift in [-1e6, -2000.0, -700.0, -300.0, 300.0, 700.0, 2000.0, 1e6] {
        let weights: Vec<f64> = [0.0, 0.5, 1.0, -0.75, 2.0].map(|w| w + shift).to_vec();
        let (chi, freedom) = chi_squared(&weights, 1.0, 9);
        assert!(chi < limit(freedom), "shifted by {shift}: chi-squared {chi}");
    }
}
