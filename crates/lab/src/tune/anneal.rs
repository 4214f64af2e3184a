//! Simulated annealing (Kirkpatrick, Gelatt, Vecchi 1983): proposals y = x + r q with q uniform in
//! [-1, 1]ᵈ, accepted as Metropolis et al. (1953) do, with probability min(1, exp(-ΔE / T)), at a
//! temperature that falls; the energy is minus the value.
//!
//! Values of games are noisy, so the present point is valued again with each proposal, by the same
//! games: a lucky value does not hold the chain for ever.

use super::optimiser::Optimiser;
use super::space::mirrored;
use spielbaum_core::Rng;
use spielbaum_core::metropolis::{Cooling, accept};

/// Proposals of the first step, by which the temperature is set: nobody knows the scale of values
/// before.
const FIRST: usize = 6;

/// What remains of temperature and radius at the end.
const COLD: f64 = 0.01;
const NEAR: f64 = 0.2;

/// Simulated annealing.
pub struct Anneal {
    rng: Rng,
    at: Vec<f64>,
    /// How far proposals go, in the beginning.
    radius: f64,
    /// The first temperature; set by the first step unless it is given.
    heat: Option<f64>,
    steps: u64,
    step: u64,
    accepted: u64,
    asked: Vec<Vec<f64>>,
}

impl Anneal {
    /// From a start, for so many steps. Without a first temperature it is the mean difference that
    /// the first proposals make: such a loss is then accepted in one of e cases.
    pub fn new(start: &[f64], radius: f64, heat: Option<f64>, steps: u64, seed: u64) -> Self {
        let (rng, at) = (Rng::new(seed), start.to_vec());
        Anneal { rng, at, radius, heat, steps, step: 0, accepted: 0, asked: Vec::new() }
    }

    fn progress(&self) -> f64 {
        self.step as f64 / (self.steps.saturating_sub(1)).max(1) as f64
    }

    fn temperature(&self) -> f64 {
        self.heat.map_or(0.0, |heat| Cooling::geometric(heat, COLD * heat).at(self.progress()))
    }
}

impl Optimiser for Anneal {
    fn ask(&mut self) -> Vec<Vec<f64>> {
        let proposals = if self.step == 0 && self.heat.is_none() { FIRST } else { 1 };
        let radius = Cooling::geometric(self.radius, NEAR * self.radius).at(self.progress());
        self.asked = vec![self.at.clone()];
        for _ in 0..proposals {
            let rng = &mut self.rng;
            let near = |x: &f64| mirrored(x + radius * (2.0 * rng.unit() - 1.0));
            self.asked.push(self.at.iter().map(near).collect());
        }
        self.asked.clone()
    }

    fn tell(&mut self, values: &[f64]) {
        let [here, proposed @ ..] = values else { return };
        if self.heat.is_none() {
            let sum: f64 = proposed.iter().map(|value| (value - here).abs()).sum();
            // Where nothing differs there is no scale yet: the next step looks again.
            self.heat = Some(sum / proposed.len().max(1) as f64).filter(|&heat| heat > 0.0);
        }
        // The best of several proposals is the one to accept or not.
        let best = (0..proposed.len()).rev().max_by(|&a, &b| proposed[a].total_cmp(&proposed[b]));
        if let Some(best) = best
            && accept(here - proposed[best], self.temperature(), &mut self.rng)
        {
            self.at = self.asked[best + 1].clone();
            self.accepted += 1;
        }
        self.step += 1;
    }

    fn answer(&self) -> Vec<f64> {
        self.at.clone()
    }

    fn note(&self) -> String {
        format!("temperature {:.3}, {} accepted", self.temperature(), self.accepted)
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
                let mut anneal = Anneal::new(&[0.1, 0.2, 0.9], 0.3, None, 600, seed);
                let (answer, asked) = run(&mut anneal, 600, |x| scale * sphere(x));
                assert_eq!(asked, 2 * 599 + 1 + FIRST);
                assert!(-sphere(&answer) < 0.01, "scale {scale}: {answer:?}");
            }
        }
    }

    #[test]
    fn it_climbs_through_noise() {
        for seed in 0..5 {
            let mut anneal = Anneal::new(&[0.1; 3], 0.3, None, 800, seed);
            let (answer, _) = run(&mut anneal, 800, noisy(0.02, seed));
            assert!(-sphere(&answer) < 0.1, "{answer:?}");
        }
    }

    #[test]
    fn it_goes_down_into_a_bent_valley() {
        let mut anneal = Anneal::new(&[0.0, 0.0], 0.3, None, 4000, 1);
        let (answer, _) = run(&mut anneal, 4000, rosenbrock);
        assert!(-rosenbrock(&answer) < 0.05, "{answer:?}: {}", rosenbrock(&answer));
    }

    /// From the wrong one of two hills: a climber stays, an annealer goes over.
    #[test]
    fn it_leaves_a_local_best() {
        let hill =
            |x: f64, at: f64, height: f64| height * (1.0 - ((x - at) / 0.25).powi(2)).max(0.0);
        let hills = |x: &[f64]| hill(x[0], 0.25, 1.0) + hill(x[0], 0.75, 2.0);
        let found = |heat: f64| {
            let end =
                |seed| run(&mut Anneal::new(&[0.25], 0.15, Some(heat), 1500, seed), 1500, hills);
            (0..20).filter(|&seed| end(seed).0[0] > 0.5).count()
        };
        assert_eq!(found(1e-9), 0);
        assert!(found(1.0) >= 15, "{}", found(1.0));
    }
}
