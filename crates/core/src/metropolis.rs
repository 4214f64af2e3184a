//! Samples from a distribution that is known up to a factor: the Metropolis algorithm (Metropolis et
//! al. 1953), its generalisation by Hastings (1970), and simulated annealing (Kirkpatrick, Gelatt,
//! Vecchi 1983).
//!
//! A [`Model`] has states, an energy, and proposes neighbours; its stationary distribution at
//! temperature T is Boltzmann's, `exp(-E/T)/Z`, the unit of temperature being that of energy. A chain
//! proposes and [accepts](accept) so that detailed balance holds, which is sufficient for that
//! distribution to be stationary; it is the limit if every state can be reached from every other and
//! the chain is not periodic. States that follow each other are alike: keep every n-th.
//!
//! A chain whose temperature falls (a [`Cooling`]) ends in a state of low energy and, unlike hill
//! climbing, leaves local minima on the way.

use crate::{Rng, math};

/// Whether a step that raises the energy by `rise` is made at a temperature: with probability
/// `min(1, exp(-rise / temperature))`. Draws a number only if that is needed. At temperature 0 only
/// steps that do not rise are made; at an infinite one all.
#[inline]
pub fn accept(rise: f64, temperature: f64, rng: &mut Rng) -> bool {
    rise <= 0.0 || (temperature > 0.0 && rng.unit() < math::exp(-rise / temperature))
}

/// The same where proposals are not symmetric (Metropolis-Hastings): `log_odds` is
/// `ln (g(x|x') / g(x'|x))`, the way back by the way there.
#[inline]
pub fn accept_hastings(rise: f64, log_odds: f64, temperature: f64, rng: &mut Rng) -> bool {
    if temperature <= 0.0 {
        return rise <= 0.0;
    }
    let log_ratio = log_odds - rise / temperature;
    log_ratio >= 0.0 || rng.unit() < math::exp(log_ratio)
}

/// Something with states and energies.
pub trait Model {
    /// A state.
    type State: Clone;

    /// Its energy: what is minimised, or the negative logarithm of a density at temperature 1.
    fn energy(&self, state: &Self::State) -> f64;

    /// Makes a neighbour of the state, at random. Returns `ln (g(x|x') / g(x'|x))` of the proposal,
    /// which is 0 if the way back is as likely as the way there.
    fn propose(&self, state: &mut Self::State, rng: &mut Rng) -> f64;
}

/// A Markov chain of a model.
///
/// ```
/// use spielbaum_core::{Rng, metropolis::{Chain, Cooling, Model}};
/// /// A particle on the integers in the potential x²/2.
/// struct Spring;
/// impl Model for Spring {
///     type State = i32;
///     fn energy(&self, x: &i32) -> f64 {
///         f64::from(x * x) / 2.0
///     }
///     fn propose(&self, x: &mut i32, rng: &mut Rng) -> f64 {
///         *x += if rng.below(2) == 0 { 1 } else { -1 };
///         0.0
///     }
/// }
/// let mut rng = Rng::new(1);
/// let mut chain = Chain::new(&Spring, 40);
/// chain.anneal(Cooling::geometric(100.0, 0.01), 5000, &mut rng);
/// assert_eq!(chain.best().0, &0);
/// ```
pub struct Chain<'a, M: Model> {
    model: &'a M,
    state: M::State,
    energy: f64,
    best: M::State,
    lowest: f64,
    /// The proposal, whose memory is used again.
    next: M::State,
}

impl<'a, M: Model> Chain<'a, M> {
    /// A chain that begins in a state.
    pub fn new(model: &'a M, state: M::State) -> Self {
        let energy = model.energy(&state);
        let (best, next) = (state.clone(), state.clone());
        Chain { model, state, energy, best, lowest: energy, next }
    }

    /// One step at a temperature; whether the proposal was accepted.
    pub fn step(&mut self, temperature: f64, rng: &mut Rng) -> bool {
        self.next.clone_from(&self.state);
        let log_odds = self.model.propose(&mut self.next, rng);
        let energy = self.model.energy(&self.next);
        let is_taken = accept_hastings(energy - self.energy, log_odds, temperature, rng);
        if is_taken {
            std::mem::swap(&mut self.state, &mut self.next);
            self.energy = energy;
            if energy < self.lowest {
                self.lowest = energy;
                self.best.clone_from(&self.state);
            }
        }
        is_taken
    }

    /// So many steps at falling temperature; returns how many were accepted.
    pub fn anneal(&mut self, cooling: Cooling, steps: u64, rng: &mut Rng) -> u64 {
        let last = steps.saturating_sub(1).max(1) as f64;
        (0..steps).filter(|&i| self.step(cooling.at(i as f64 / last), rng)).count() as u64
    }

    /// The state now.
    pub fn state(&self) -> &M::State {
        &self.state
    }

    /// Its energy.
    pub fn energy(&self) -> f64 {
        self.energy
    }

    /// The state of lowest energy so far, the first of equals, with its energy.
    pub fn best(&self) -> (&M::State, f64) {
        (&self.best, self.lowest)
    }
}

/// How the temperature falls while a share of the work from 0 to 1 is done.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Cooling {
    from: f64,
    to: f64,
    is_geometric: bool,
}

impl Cooling {
    /// By equal steps.
    pub fn linear(from: f64, to: f64) -> Self {
        Cooling { from, to, is_geometric: false }
    }

    /// By equal factors; both temperatures must be positive.
    pub fn geometric(from: f64, to: f64) -> Self {
        Cooling { from, to, is_geometric: from > 0.0 && to > 0.0 }
    }

    /// The temperature when this share of the work is done.
    pub fn at(&self, progress: f64) -> f64 {
        let t = progress.clamp(0.0, 1.0);
        if self.is_geometric {
            self.from * math::pow(self.to / self.from, t)
        } else {
            self.from + (self.to - self.from) * t
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Spins on a ring; energy -J Σ s_i s_{i+1} - h Σ s_i with J = 1.
    struct Ising {
        spins: usize,
        field: f64,
    }

    impl Model for Ising {
        type State = u32;

        fn energy(&self, &s: &u32) -> f64 {
            let spin = |i: usize| if s >> (i % self.spins) & 1 == 1 { 1.0 } else { -1.0 };
            let sum = |f: &dyn Fn(usize) -> f64| (0..self.spins).map(f).sum::<f64>();
            -sum(&|i| spin(i) * spin(i + 1)) - self.field * sum(&spin)
        }

        fn propose(&self, s: &mut u32, rng: &mut Rng) -> f64 {
            *s ^= 1 << rng.below(self.spins);
            0.0
        }
    }

    /// Chi-squared of counts against probabilities, as a deviation from its mean in standard
    /// deviations.
    fn deviate(counts: &[u64], probabilities: &[f64]) -> f64 {
        let n = counts.iter().sum::<u64>() as f64;
        let chi: f64 = (counts.iter().zip(probabilities))
            .map(|(&c, p)| (c as f64 - n * p).powi(2) / (n * p))
            .sum();
        let freedom = counts.len() as f64 - 1.0;
        (chi - freedom) / (2.0 * freedom).sqrt()
    }

    fn boltzmann(energies: impl Iterator<Item = f64>, temperature: f64) -> Vec<f64> {
        let weights: Vec<f64> = energies.map(|e| math::exp(-e / temperature)).collect();
        let z: f64 = weights.iter().sum();
        weights.iter().map(|w| w / z).collect()
    }

    #[test]
    fn an_ising_ring_has_its_exact_distribution() {
        for (field, temperature) in [(0.0, 2.5), (0.3, 1.5), (-0.5, 4.0)] {
            let ring = Ising { spins: 6, field };
            let exact = boltzmann((0..64).map(|s| ring.energy(&s)), temperature);
            let mut rng = Rng::new(11);
            let mut chain = Chain::new(&ring, 0);
            let mut counts = [0u64; 64];
            for _ in 0..500 {
                chain.step(temperature, &mut rng);
            }
            // Every hundredth state: far apart enough to count as independent.
            for _ in 0..40_000 {
                for _ in 0..100 {
                    chain.step(temperature, &mut rng);
                }
                counts[*chain.state() as usize] += 1;
                assert!((chain.energy() - ring.energy(chain.state())).abs() < 1e-12);
            }
            let off = deviate(&counts, &exact);
            assert!(off.abs() < 4.0, "field {field}, temperature {temperature}: {off}");
            // Without a field the mean energy is known in closed form: Z = (2ch)^n + (2sh)^n.
            if field == 0.0 {
                let (n, k) = (6.0, 1.0 / temperature);
                let (ch, sh) = (f64::cosh(k), f64::sinh(k));
                let mean = -n * (ch.powi(5) * sh + sh.powi(5) * ch) / (ch.powi(6) + sh.powi(6));
                let found: f64 = exact.iter().zip(0..).map(|(p, s)| p * ring.energy(&s)).sum();
                assert!((found - mean).abs() < 1e-9, "{found} {mean}");
            }
        }
    }

    /// Levels on a line of which the ends have one neighbour: proposals are not symmetric.
    struct Ladder(Vec<f64>);

    impl Model for Ladder {
        type State = usize;

        fn energy(&self, &i: &usize) -> f64 {
            self.0[i]
        }

        fn propose(&self, i: &mut usize, rng: &mut Rng) -> f64 {
            let neighbours = |i: usize| if i == 0 || i + 1 == self.0.len() { 1.0 } else { 2.0 };
            let there: f64 = neighbours(*i);
            *i = match *i {
                0 => 1,
                i if i + 1 == self.0.len() => i - 1,
                i => i + 2 * rng.below(2) - 1,
            };
            math::ln(there / neighbours(*i))
        }
    }

    fn visits(model: &Ladder, temperature: f64, hastings: bool) -> Vec<u64> {
        let mut rng = Rng::new(5);
        let mut counts = vec![0; model.0.len()];
        let (mut state, mut energy) = (0, model.energy(&0));
        for i in 0..3_000_000 {
            let mut next = state;
            let log_odds = model.propose(&mut next, &mut rng);
            let rise = model.energy(&next) - energy;
            let is_taken = match hastings {
                true => accept_hastings(rise, log_odds, temperature, &mut rng),
                false => accept(rise, temperature, &mut rng),
            };
            if is_taken {
                (state, energy) = (next, energy + rise);
            }
            if i % 60 == 0 {
                counts[state] += 1;
            }
        }
        counts
    }

    #[test]
    fn hastings_corrects_proposals_that_are_not_symmetric() {
        let ladder = Ladder(vec![0.0, 0.7, 0.2, 1.1, 0.4]);
        let exact = boltzmann(ladder.0.iter().copied(), 0.8);
        let corrected = deviate(&visits(&ladder, 0.8, true), &exact);
        assert!(corrected.abs() < 4.0, "{corrected}");
        let plain = deviate(&visits(&ladder, 0.8, false), &exact);
        assert!(plain > 50.0, "without the correction the ends are too rare: {plain}");
    }

    #[test]
    fn annealing_leaves_local_minima() {
        // Two wells; from the wrong one a hill of height 3 leads to the right one.
        let wells = Ladder(vec![2.0, 1.0, 0.5, 1.5, 2.5, 3.5, 2.0, 0.5, -1.0, 0.5]);
        let mut found = [0; 2];
        for seed in 0..50 {
            for (cold, found) in [true, false].into_iter().zip(&mut found) {
                let cooling =
                    if cold { Cooling::linear(0.0, 0.0) } else { Cooling::geometric(3.0, 0.05) };
                let mut chain = Chain::new(&wells, 2);
                chain.anneal(cooling, 3000, &mut Rng::new(seed));
                *found += u32::from(*chain.state() == 8);
            }
        }
        assert_eq!(found[0], 0);
        assert!(found[1] >= 40, "{found:?}");
    }

    #[test]
    fn temperatures_fall_as_they_say() {
        let linear = Cooling::linear(4.0, 0.0);
        assert_eq!([0.0, 0.5, 1.0, 2.0].map(|p| linear.at(p)), [4.0, 2.0, 0.0, 0.0]);
        let geometric = Cooling::geometric(100.0, 1.0);
        assert!((geometric.at(0.5) - 10.0).abs() < 1e-9);
        assert!(!accept(1.0, 0.0, &mut Rng::new(1)) && accept(0.0, 0.0, &mut Rng::new(1)));
    }
}
