//! What an optimiser is: it asks for the values of points and is told them.

use spielbaum_core::{Rng, math};

/// A search for the point of the largest value, step by step. Points are in coordinates in which the
/// range of every parameter is 0 … 1; beyond it the space is [mirrored](super::space::mirrored).
///
/// All randomness comes from the seed it was made with, and what it asks next depends on the values
/// told so far alone: told the same values again, it is where it was.
pub trait Optimiser {
    /// The points of the next step, to be valued by the same games.
    fn ask(&mut self) -> Vec<Vec<f64>>;

    /// The values of the points that were asked for, in order.
    fn tell(&mut self, values: &[f64]);

    /// What it would answer now.
    fn answer(&self) -> Vec<f64>;

    /// How far it is, in a word and a number, for people.
    fn note(&self) -> String;
}

/// A number of the standard normal distribution: Marsaglia's polar method, which needs no sine.
pub(super) fn normal(rng: &mut Rng) -> f64 {
    loop {
        let (u, v) = (2.0 * rng.unit() - 1.0, 2.0 * rng.unit() - 1.0);
        let s = u * u + v * v;
        if s > 0.0 && s < 1.0 {
            return u * (-2.0 * math::ln(s) / s).sqrt();
        }
    }
}

/// Functions with a known best point, for the tests of all optimisers; larger is better.
#[cfg(test)]
pub(super) mod known {
    use super::{Optimiser, normal};
    use spielbaum_core::Rng;

    /// Minus the squared distance from a point.
    pub(crate) fn sphere(x: &[f64]) -> f64 {
        -x.iter().map(|x| (x - 0.7) * (x - 0.7)).sum::<f64>()
    }

    /// Minus Rosenbrock's valley, best at (1, …, 1).
    pub(crate) fn rosenbrock(x: &[f64]) -> f64 {
        let part = |p: &[f64]| 100.0 * (p[1] - p[0] * p[0]).powi(2) + (1.0 - p[0]).powi(2);
        -x.windows(2).map(part).sum::<f64>()
    }

    /// A sphere seen through noise of this deviation.
    pub(crate) fn noisy(deviation: f64, seed: u64) -> impl FnMut(&[f64]) -> f64 {
        let mut rng = Rng::new(seed);
        move |x| sphere(x) + deviation * normal(&mut rng)
    }

    /// Runs so many steps; gives the answer and the number of values asked for.
    pub(crate) fn run(
        optimiser: &mut dyn Optimiser,
        steps: usize,
        mut f: impl FnMut(&[f64]) -> f64,
    ) -> (Vec<f64>, usize) {
        let mut asked = 0;
        for _ in 0..steps {
            let points = optimiser.ask();
            asked += points.len();
            let values: Vec<f64> = points.iter().map(|x| f(x)).collect();
            optimiser.tell(&values);
        }
        (optimiser.answer(), asked)
    }

    #[test]
    fn normal_numbers_are_normal() {
        let mut rng = Rng::new(1);
        let sample: Vec<f64> = (0..100_000).map(|_| normal(&mut rng)).collect();
        let moment = |k: i32| sample.iter().map(|x| x.powi(k)).sum::<f64>() / sample.len() as f64;
        assert!(moment(1).abs() < 0.013 && (moment(2) - 1.0).abs() < 0.02, "{}", moment(2));
        assert!((moment(4) - 3.0).abs() < 0.15, "{}", moment(4));
    }
}
