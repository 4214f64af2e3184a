//! Simultaneous perturbation stochastic approximation (Spall 1992): a gradient from two values,
//! whatever the dimension. Gains and their start as recommended in Spall 1998.

use super::optimiser::Optimiser;
use spielbaum_core::{Rng, math};

/// Exponents of the falling gains, and the share of all steps that dampens the first ones.
const ALPHA: f64 = 0.602;
const GAMMA: f64 = 0.101;
const STABILITY: f64 = 0.1;

/// Pairs of the first step, by which the gain is set: values have a scale that nobody knows before.
const FIRST_PAIRS: usize = 4;

/// SPSA.
pub struct Spsa {
    rng: Rng,
    at: Vec<f64>,
    /// How far the first step may go, and how far apart the first pair is.
    step: f64,
    width: f64,
    /// Damping of the first steps.
    stability: f64,
    /// The gain, set after the first step.
    gain: Option<f64>,
    k: u64,
    /// The signs of the pairs that were asked for.
    signs: Vec<Vec<f64>>,
}

impl Spsa {
    /// From a start, for about so many steps, the first of at most `step` in each coordinate; values
    /// are compared `width` to either side.
    pub fn new(start: &[f64], step: f64, width: f64, steps: u64, seed: u64) -> Self {
        let stability = STABILITY * steps as f64;
        let rng = Rng::new(seed);
        Spsa {
            rng,
            at: start.to_vec(),
            step,
            width,
            stability,
            gain: None,
            k: 0,
            signs: Vec::new(),
        }
    }

    fn current_width(&self) -> f64 {
        self.width / math::pow(self.k as f64 + 1.0, GAMMA)
    }

    /// How large steps are now, beside the gain.
    fn decay(&self) -> f64 {
        math::pow(self.stability + self.k as f64 + 1.0, ALPHA)
    }
}

impl Optimiser for Spsa {
    fn ask(&mut self) -> Vec<Vec<f64>> {
        let pairs = if self.gain.is_none() { FIRST_PAIRS } else { 1 };
        let n = self.at.len();
        let mut sign = || if self.rng.below(2) == 0 { -1.0 } else { 1.0 };
        self.signs = (0..pairs).map(|_| (0..n).map(|_| sign()).collect()).collect();
        let width = self.current_width();
        let mut points = Vec::new();
        for signs in &self.signs {
            for side in [width, -width] {
                points.push(self.at.iter().zip(signs).map(|(x, s)| x + side * s).collect());
            }
        }
        points
    }

    fn tell(&mut self, values: &[f64]) {
        let (n, width) = (self.at.len(), self.current_width());
        let mut gradient = vec![0.0; n];
        let (mut slopes, pairs) = (0.0, self.signs.len() as f64);
        for (signs, pair) in self.signs.iter().zip(values.chunks_exact(2)) {
            let slope = (pair[0] - pair[1]) / (2.0 * width);
            slopes += slope.abs() / pairs;
            for (g, s) in gradient.iter_mut().zip(signs) {
                *g += slope * s / pairs;
            }
        }
        let decay = self.decay();
        // A pair without a difference says nothing: the next step asks again.
        if self.gain.is_none() && slopes > 0.0 {
            self.gain = Some(self.step * decay / slopes);
        }
        if let Some(gain) = self.gain {
            for (x, g) in self.at.iter_mut().zip(&gradient) {
                // Noise must not throw it across the range.
                *x += (gain / decay * g).clamp(-2.0 * self.step, 2.0 * self.step);
            }
            self.k += 1;
        }
    }

    fn answer(&self) -> Vec<f64> {
        self.at.clone()
    }

    fn note(&self) -> String {
        format!("width {:.3}", self.current_width())
    }
}

#[cfg(test)]
mod tests {
    use super::super::optimiser::known::{noisy, rosenbrock, run, sphere};
    use super::*;

    #[test]
    fn it_climbs_a_hill_whatever_its_height() {
        for scale in [1e-6, 1.0, 1e6] {
            for seed in 0..5 {
                let mut spsa = Spsa::new(&[0.1, 0.2, 0.9, 0.5], 0.1, 0.05, 400, seed);
                let (answer, asked) = run(&mut spsa, 400, |x| scale * sphere(x));
                assert_eq!(asked, 2 * 399 + 2 * FIRST_PAIRS);
                assert!(-sphere(&answer) < 1e-3, "scale {scale}: {answer:?}");
            }
        }
    }

    #[test]
    fn it_climbs_through_noise() {
        for seed in 0..5 {
            let mut spsa = Spsa::new(&[0.1; 4], 0.1, 0.1, 500, seed);
            let (answer, _) = run(&mut spsa, 500, noisy(0.05, seed));
            assert!(-sphere(&answer) < 0.1, "{answer:?}");
        }
    }

    #[test]
    fn it_goes_down_into_a_bent_valley() {
        let mut spsa = Spsa::new(&[0.0, 0.0], 0.02, 0.01, 4000, 1);
        let (answer, _) = run(&mut spsa, 4000, rosenbrock);
        assert!(-rosenbrock(&answer) < 0.3, "{answer:?}: {}", rosenbrock(&answer));
    }

    #[test]
    fn values_that_do_not_differ_move_nothing() {
        let mut spsa = Spsa::new(&[0.3], 0.1, 0.1, 10, 1);
        assert_eq!(run(&mut spsa, 5, |_| 1.0).0, [0.3]);
    }
}
