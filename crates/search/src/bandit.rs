//! Which child to visit next.

use spielbaum_core::{Payoffs, math};

/// The scale on which rewards meet the exploration constant. The same `c` on another scale is
/// another player.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Scale {
    /// Payoffs as they are, from 0 to 1.
    Unit,
    /// Payoffs stretched to -1 … 1.
    Signed,
    /// Rewards as they are, points or margins.
    Raw,
    /// Rewards stretched so that those seen in this search go from 0 to 1.
    Observed,
}

/// UCB1: `mean + c √(ln N / n)` (Auer, Cesa-Bianchi, Fischer 2002; in trees Kocsis and
/// Szepesvári 2006).
pub struct Bandit {
    c: f64,
    scale: Scale,
    least: f32,
    most: f32,
    /// √ln N for small N.
    roots: Vec<f32>,
}

const LANES: usize = 8;

impl Bandit {
    /// UCB1 with exploration constant `c` on a scale.
    pub fn new(c: f64, scale: Scale) -> Self {
        let roots = (0..4096).map(root_of_ln).collect();
        Bandit { c, scale, least: f32::INFINITY, most: f32::NEG_INFINITY, roots }
    }

    /// Forgets the rewards seen.
    pub fn reset(&mut self) {
        (self.least, self.most) = (f32::INFINITY, f32::NEG_INFINITY);
    }

    /// Sees the rewards of a simulation.
    #[inline]
    pub fn observe(&mut self, rewards: &Payoffs, players: usize) {
        for &reward in &rewards[..players] {
            self.least = self.least.min(reward);
            self.most = self.most.max(reward);
        }
    }

    /// How wide one unit of the scale is in rewards. Selection compares values only, so
    /// stretching the rewards is the same as shrinking `c`.
    fn unit(&self) -> f64 {
        match self.scale {
            Scale::Unit | Scale::Raw => 1.0,
            Scale::Signed => 0.5,
            Scale::Observed if self.most > self.least => f64::from(self.most - self.least),
            Scale::Observed => 1.0,
        }
    }

    /// The child with the highest bound, the first of equals. `widths` are 1/√n; all children
    /// have been visited.
    #[inline]
    pub fn select(&self, visits: u32, means: &[f32], widths: &[f32]) -> usize {
        let root = match self.roots.get(visits as usize) {
            Some(&root) => root,
            None => root_of_ln(visits),
        };
        first_maximum((self.c * self.unit()) as f32 * root, means, widths)
    }
}

fn root_of_ln(visits: u32) -> f32 {
    math::ln(f64::from(visits.max(1))).sqrt() as f32
}

/// Index of the first maximum of `mean + c * width`, eight children at a time.
#[inline]
fn first_maximum(c: f32, means: &[f32], widths: &[f32]) -> usize {
    let bound = |mean: f32, width: f32| mean + c * width;
    let (means8, means_rest) = means.as_chunks::<LANES>();
    let (widths8, widths_rest) = widths.as_chunks::<LANES>();
    let mut best = [f32::NEG_INFINITY; LANES];
    for (m, w) in means8.iter().zip(widths8) {
        for lane in 0..LANES {
            let b = bound(m[lane], w[lane]);
            best[lane] = if b > best[lane] { b } else { best[lane] };
        }
    }
    let mut highest = best.into_iter().fold(f32::NEG_INFINITY, f32::max);
    for (&m, &w) in means_rest.iter().zip(widths_rest) {
        highest = highest.max(bound(m, w));
    }
    // The same operations on the same numbers: the maximum is met exactly.
    for (i, (m, w)) in means8.iter().zip(widths8).enumerate() {
        let mut hits = 0u32;
        for lane in 0..LANES {
            hits |= u32::from(bound(m[lane], w[lane]) >= highest) << lane;
        }
        if hits != 0 {
            return i * LANES + hits.trailing_zeros() as usize;
        }
    }
    let rest = means_rest.iter().zip(widths_rest);
    let found = rest.enumerate().find(|&(_, (&m, &w))| bound(m, w) >= highest);
    means8.len() * LANES + found.map_or(0, |(i, _)| i)
}

#[cfg(test)]
mod tests {
    use super::*;
    use spielbaum_core::Rng;

    /// The lion paper's hand-worked example: c = 1, N = 11 visits of the parent.
    #[test]
    fn worked_example() {
        let value = |mean: f64, n: f64| mean + (math::ln(11.0) / n).sqrt();
        assert!((value(-3.0 / 5.0, 5.0) - 0.092).abs() < 1e-3);
        assert!((value(0.5, 2.0) - 1.595).abs() < 1e-3);
        assert!((value(0.25, 4.0) - 1.024).abs() < 1e-3);
        let widths: Vec<f32> = [5.0f32, 2.0, 4.0].map(|n| 1.0 / n.sqrt()).to_vec();
        let bandit = Bandit::new(1.0, Scale::Raw);
        assert_eq!(bandit.select(11, &[-0.6, 0.5, 0.25], &widths), 1);
        assert_eq!(Bandit::new(0.0, Scale::Raw).select(11, &[-0.6, 0.5, 0.25], &widths), 1);
    }

    #[test]
    fn the_vector_loop_equals_a_plain_scan() {
        let mut rng = Rng::new(3);
        for n in 1..70 {
            for _ in 0..50 {
                let mean: Vec<f32> = (0..n).map(|_| rng.below(8) as f32 / 8.0).collect();
                let width: Vec<f32> = (0..n).map(|_| rng.below(4) as f32 / 4.0).collect();
                let scores: Vec<f32> = mean.iter().zip(&width).map(|(m, w)| m + 0.5 * w).collect();
                let mut plain = 0;
                for i in 1..n {
                    if scores[i] > scores[plain] {
                        plain = i;
                    }
                }
                assert_eq!(first_maximum(0.5, &mean, &width), plain);
            }
        }
    }

    #[test]
    fn signed_values_halve_the_constant_and_observed_ones_follow_the_range() {
        let mut observed = Bandit::new(1.0, Scale::Observed);
        assert_eq!(observed.unit(), 1.0);
        observed.observe(&[10.0, 50.0, 0.0, 0.0, 0.0], 2);
        assert_eq!(observed.unit(), 40.0);
        observed.reset();
        assert_eq!(observed.unit(), 1.0);
        assert_eq!(Bandit::new(1.0, Scale::Signed).unit(), 0.5);
    }
}
