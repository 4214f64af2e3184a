//! The one random generator: named, seeded, splittable.

use crate::zobrist::mix;
use rand_core::{Rng as _, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

/// Xoshiro256++ seeded through SplitMix64. Its values are part of the product's promise: the
/// same seed gives the same game, today and in later versions.
///
/// ```
/// use spielbaum_core::Rng;
/// let mut a = Rng::new(7);
/// let mut b = Rng::new(7);
/// assert_eq!(a.next(), b.next());
/// assert_ne!(Rng::split(7, 0), Rng::split(7, 1));
/// ```
#[derive(Clone, Debug)]
pub struct Rng {
    source: Xoshiro256PlusPlus,
}

impl Rng {
    /// The generator of a seed.
    pub fn new(seed: u64) -> Self {
        Rng { source: Xoshiro256PlusPlus::seed_from_u64(seed) }
    }

    /// The seed of the `i`-th branch of a seed: independent streams for games, seats and
    /// workers without sharing a generator.
    pub fn split(seed: u64, i: u64) -> u64 {
        mix(mix(seed ^ 0x6a09_e667_f3bc_c909).wrapping_add(i.wrapping_mul(0x9e37_79b9_7f4a_7c15)))
    }

    /// 64 random bits.
    #[inline]
    #[allow(clippy::should_implement_trait)]
    pub fn next(&mut self) -> u64 {
        self.source.next_u64()
    }

    /// Uniform in `0..n` without bias (Lemire's multiplication); `n` must be positive and
    /// below 2³².
    #[inline]
    pub fn below(&mut self, n: usize) -> usize {
        debug_assert!(n > 0 && n <= u32::MAX as usize);
        let n = n as u32;
        let mut product = u64::from((self.next() >> 32) as u32) * u64::from(n);
        if (product as u32) < n {
            let threshold = n.wrapping_neg() % n;
            while (product as u32) < threshold {
                product = u64::from((self.next() >> 32) as u32) * u64::from(n);
            }
        }
        (product >> 32) as usize
    }

    /// Uniform in [0, 1) with 53 bits.
    #[inline]
    pub fn unit(&mut self) -> f64 {
        (self.next() >> 11) as f64 * (1.0 / (1u64 << 53) as f64)
    }

    /// An index with probability proportional to its weight. The sum must be positive and
    /// below 2³².
    pub fn pick_weighted(&mut self, weights: impl Iterator<Item = u32> + Clone) -> usize {
        let total: u64 = weights.clone().map(u64::from).sum();
        let mut rest = self.below(total as usize) as u64;
        for (i, weight) in weights.enumerate() {
            if rest < u64::from(weight) {
                return i;
            }
            rest -= u64::from(weight);
        }
        unreachable!("the pick is below the sum of the weights")
    }

    /// Shuffles by Fisher and Yates.
    pub fn shuffle<T>(&mut self, items: &mut [T]) {
        for i in (1..items.len()).rev() {
            items.swap(i, self.below(i + 1));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Golden values: a change here breaks every recorded game.
    #[test]
    fn the_stream_of_a_seed_is_pinned() {
        let mut rng = Rng::new(7);
        let first: Vec<u64> = (0..3).map(|_| rng.next()).collect();
        assert_eq!(first, PINNED);
        assert_eq!(Rng::split(7, 1), PINNED_SPLIT);
    }

    #[test]
    fn below_is_uniform() {
        let mut rng = Rng::new(1);
        let mut counts = [0u32; 6];
        for _ in 0..60_000 {
            counts[rng.below(6)] += 1;
        }
        let chi: f64 = counts.iter().map(|&c| (f64::from(c) - 1e4).powi(2) / 1e4).sum();
        assert!(chi < 20.5, "chi-squared {chi} with 5 degrees of freedom"); // p = 0.001
    }

    const PINNED: [u64; 3] = [1021219803524665661, 3174977118032272916, 13236943193235544178];
    const PINNED_SPLIT: u64 = 15381340408456295118;
}
