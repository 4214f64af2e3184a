//! Which child to visit next.

mod maximum;
mod rule;

pub use rule::{Rule, Scale};

use maximum::{LANES, first_maximum, plain_maximum};
use spielbaum_core::{Payoffs, math};

/// The children of a node as selection sees them, side by side.
#[derive(Clone, Copy)]
pub struct Arms<'a> {
    /// Mean rewards.
    pub means: &'a [f32],
    /// [`Rule::width`] of their visits.
    pub widths: &'a [f32],
    /// Variances of the rewards; empty unless the rule [asks](Bandit::needs_spreads).
    pub spreads: &'a [f32],
}

impl Arms<'_> {
    /// The first child with the highest bound of mean, width and spread.
    fn first_maximum(&self, bound: impl Fn(f32, f32, f32) -> f32) -> usize {
        let (mut best, mut highest) = (0, f32::NEG_INFINITY);
        let arms = self.means.iter().zip(self.widths.iter().zip(self.spreads));
        for (i, (&mean, (&width, &spread))) in arms.enumerate() {
            let bound = bound(mean, width, spread);
            if bound > highest {
                (best, highest) = (i, bound);
            }
        }
        best
    }
}

/// A [`Rule`] with its constant on a [`Scale`].
pub struct Bandit {
    rule: Rule,
    c: f64,
    scale: Scale,
    /// `d` of [`Rule::SinglePlayer`].
    d: f64,
    /// `c` in rewards.
    factor: f32,
    least: f32,
    most: f32,
    /// √ln N for small N.
    roots: Vec<f32>,
    /// [`Rule::width`] of few visits.
    widths: Vec<f32>,
}

/// Numbers of visits for which roots and quotients stand in tables.
const FEW: u32 = 4096;

impl Bandit {
    /// UCB1 with exploration constant `c` on a scale.
    pub fn new(c: f64, scale: Scale) -> Self {
        Self::with(Rule::Ucb1, c, scale)
    }

    /// A rule with exploration constant `c` on a scale.
    pub fn with(rule: Rule, c: f64, scale: Scale) -> Self {
        let c = if rule == Rule::RootC { c.sqrt() } else { c };
        let roots = (0..FEW).map(root_of_ln).collect();
        let widths = (0..FEW).map(|visits| rule.width(visits.into())).collect();
        let (least, most) = (f32::INFINITY, f32::NEG_INFINITY);
        let mut bandit = Bandit { rule, c, scale, d: 1.0, factor: 0.0, least, most, roots, widths };
        bandit.reset();
        bandit
    }

    /// The same with this `d`, on the scale squared, for [`Rule::SinglePlayer`].
    pub fn doubting(mut self, d: f64) -> Self {
        self.d = d;
        self
    }

    /// Forgets the rewards seen.
    pub fn reset(&mut self) {
        (self.least, self.most) = (f32::INFINITY, f32::NEG_INFINITY);
        self.factor = (self.c * self.unit()) as f32;
    }

    /// Sees the rewards of a simulation.
    #[inline]
    pub fn observe(&mut self, rewards: &Payoffs, players: usize) {
        for &reward in &rewards[..players] {
            if reward < self.least || reward > self.most {
                self.stretch(reward);
            }
        }
    }

    #[cold]
    fn stretch(&mut self, reward: f32) {
        self.least = self.least.min(reward);
        self.most = self.most.max(reward);
        self.factor = (self.c * self.unit()) as f32;
    }

    /// How wide one unit of the scale is in rewards. Selection compares values only, so
    /// stretching the rewards is the same as shrinking `c`.
    pub fn unit(&self) -> f64 {
        match self.scale {
            Scale::Unit | Scale::Raw => 1.0,
            Scale::Signed => 0.5,
            Scale::Observed if self.most > self.least => f64::from(self.most - self.least),
            Scale::Observed => 1.0,
        }
    }

    /// Whether [`Arms::spreads`] are read.
    pub fn needs_spreads(&self) -> bool {
        matches!(self.rule, Rule::Tuned | Rule::SinglePlayer)
    }

    /// The rule.
    #[inline]
    pub fn rule(&self) -> Rule {
        self.rule
    }

    /// Mean and width of a child that was never visited: before all others under the UCB rules,
    /// and under PUCT halfway between the best and the worst reward.
    pub fn unseen(&self) -> (f32, f32) {
        let middle = match self.scale {
            Scale::Unit | Scale::Signed => 0.5,
            Scale::Observed if self.most >= self.least => (self.least + self.most) / 2.0,
            Scale::Observed | Scale::Raw => 0.0,
        };
        match self.rule {
            Rule::Puct => (middle, 1.0),
            _ => (f32::INFINITY, 0.0),
        }
    }

    /// The child with the highest bound, the first of equals.
    #[inline]
    pub fn select(&self, visits: u32, arms: Arms<'_>) -> usize {
        // Where there is nothing for vectors, the way there takes longer than the choice.
        if matches!(self.rule, Rule::Ucb1 | Rule::RootC) && arms.means.len() < LANES {
            let c = self.factor * self.root(visits);
            return plain_maximum(arms.means, arms.widths, |mean, width| mean + c * width).0;
        }
        self.select_of_many(visits, arms)
    }

    fn select_of_many(&self, visits: u32, arms: Arms<'_>) -> usize {
        let c = match self.rule {
            Rule::Ucb1 | Rule::RootC => self.factor * self.root(visits),
            Rule::Puct => self.factor * f64::from(visits).sqrt() as f32 / arms.means.len() as f32,
            Rule::QuotientInLog => return self.quotient_in_log(visits, arms),
            Rule::Tuned => return self.tuned(visits, arms),
            Rule::SinglePlayer => return self.single_player(visits, arms),
            Rule::Even => return first_maximum(arms.means, arms.widths, |_, width| width),
        };
        first_maximum(arms.means, arms.widths, |mean, width| mean + c * width)
    }

    /// The bound of one child that was visited `n` times of the `visits` in which it could be chosen,
    /// for trees whose children do not lie side by side. Under [`Rule::Tuned`],
    /// [`Rule::SinglePlayer`] and [`Rule::Puct`], which ask for more, that of UCB1.
    #[inline]
    pub fn bound(&self, visits: u32, n: u32, mean: f32) -> f32 {
        if n == 0 {
            return f32::INFINITY;
        }
        let width = self.width(n);
        match self.rule {
            Rule::QuotientInLog => {
                let ln = math::ln(f64::from(visits.max(1))) as f32;
                mean + self.factor * (ln - width).max(0.0).sqrt()
            }
            Rule::Even => width,
            _ => mean + self.factor * self.root(visits) * Rule::Ucb1.width(f64::from(n)),
        }
    }

    /// [`Rule::width`] of so many visits.
    #[inline]
    pub fn width(&self, visits: u32) -> f32 {
        match self.widths.get(visits as usize) {
            Some(&width) => width,
            None => self.rule.width(f64::from(visits)),
        }
    }

    /// As [`select`](Bandit::select), for widths that are weighted by the priors of the children:
    /// under PUCT the prior is there already.
    #[inline]
    pub fn select_weighted(&self, visits: u32, arms: Arms<'_>) -> usize {
        if self.rule != Rule::Puct {
            return self.select(visits, arms);
        }
        let c = self.factor * f64::from(visits).sqrt() as f32;
        first_maximum(arms.means, arms.widths, |mean, width| mean + c * width)
    }

    fn quotient_in_log(&self, visits: u32, arms: Arms<'_>) -> usize {
        let ln = math::ln(f64::from(visits.max(1))) as f32;
        let explore = |width: f32| (ln - width).max(0.0).sqrt();
        first_maximum(arms.means, arms.widths, |mean, width| mean + self.factor * explore(width))
    }

    fn tuned(&self, visits: u32, arms: Arms<'_>) -> usize {
        let unit = self.unit() as f32;
        let root = self.root(visits);
        arms.first_maximum(|mean, width, spread| {
            let explore = root * width;
            let upper = spread / (unit * unit) + std::f32::consts::SQRT_2 * explore;
            mean + self.factor * explore * upper.min(0.25).sqrt()
        })
    }

    fn single_player(&self, visits: u32, arms: Arms<'_>) -> usize {
        let c = self.factor * self.root(visits);
        let d = (self.d * self.unit() * self.unit()) as f32;
        arms.first_maximum(|mean, width, spread| {
            mean + c * width + (spread + d * width * width).sqrt()
        })
    }

    #[inline]
    fn root(&self, visits: u32) -> f32 {
        match self.roots.get(visits as usize) {
            Some(&root) => root,
            None => root_of_ln(visits),
        }
    }
}

fn root_of_ln(visits: u32) -> f32 {
    math::ln(f64::from(visits.max(1))).sqrt() as f32
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The lion paper's hand-worked example: c = 1, N = 11 visits of the parent.
    #[test]
    fn worked_example() {
        let value = |mean: f64, n: f64| mean + (math::ln(11.0) / n).sqrt();
        assert!((value(-3.0 / 5.0, 5.0) - 0.092).abs() < 1e-3);
        assert!((value(0.5, 2.0) - 1.595).abs() < 1e-3);
        assert!((value(0.25, 4.0) - 1.024).abs() < 1e-3);
        let widths: Vec<f32> = [5.0f32, 2.0, 4.0].map(|n| 1.0 / n.sqrt()).to_vec();
        let arms = Arms { means: &[-0.6, 0.5, 0.25], widths: &widths, spreads: &[] };
        let bandit = Bandit::new(1.0, Scale::Raw);
        assert_eq!(bandit.select(11, arms), 1);
        assert_eq!(Bandit::new(0.0, Scale::Raw).select(11, arms), 1);
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

    /// Each rule against its formula written out, on the signed scale.
    #[test]
    fn the_rules_are_their_formulas() {
        let visits = [5u32, 20, 9, 70];
        let means = [0.8f32, 0.6, 0.65, 0.75];
        let spreads = [0.2f32, 0.01, 0.12, 0.05];
        let total: u32 = visits.iter().sum();
        let ln = math::ln(f64::from(total));
        for c in [0.1, 0.5, 1.0, 1.414, 3.0] {
            let formula = |rule, i: usize| {
                let n = f64::from(visits[i]);
                let spread = 4.0 * f64::from(spreads[i]);
                let width = match rule {
                    Rule::Ucb1 => c * (ln / n).sqrt(),
                    Rule::RootC => (c * ln / n).sqrt(),
                    Rule::QuotientInLog => c * (math::ln(f64::from(total) / n)).sqrt(),
                    Rule::Tuned => {
                        c * (ln / n * f64::min(0.25, spread + (2.0 * ln / n).sqrt())).sqrt()
                    }
                    Rule::SinglePlayer => c * (ln / n).sqrt() + (spread + 0.5 / n).sqrt(),
                    Rule::Puct => c * 0.25 * f64::from(total).sqrt() / (1.0 + n),
                    Rule::Even => return -n,
                };
                2.0 * f64::from(means[i]) - 1.0 + width
            };
            for rule in [
                Rule::Ucb1,
                Rule::RootC,
                Rule::QuotientInLog,
                Rule::Tuned,
                Rule::SinglePlayer,
                Rule::Puct,
                Rule::Even,
            ] {
                let bandit = Bandit::with(rule, c, Scale::Signed).doubting(0.5);
                let widths = visits.map(|n| rule.width(f64::from(n)));
                let arms = Arms { means: &means, widths: &widths, spreads: &spreads };
                let best = (0..4).max_by(|&a, &b| formula(rule, a).total_cmp(&formula(rule, b)));
                assert_eq!(Some(bandit.select(total, arms)), best, "{rule:?} c={c}");
                if !matches!(rule, Rule::Tuned | Rule::SinglePlayer | Rule::Puct) {
                    let bound = |i: usize| bandit.bound(total, visits[i], means[i]);
                    let by_one = (0..4).max_by(|&a, &b| bound(a).total_cmp(&bound(b)));
                    assert_eq!(by_one, best, "{rule:?} c={c}");
                }
            }
        }
    }

    #[test]
    fn the_unvisited_come_first_except_under_puct() {
        for rule in [Rule::Ucb1, Rule::RootC, Rule::QuotientInLog, Rule::Tuned, Rule::SinglePlayer]
        {
            for c in [0.0, 1.0] {
                let bandit = Bandit::with(rule, c, Scale::Unit);
                let (mean, width) = bandit.unseen();
                let arms = Arms {
                    means: &[0.9, mean, mean],
                    widths: &[rule.width(3.0), width, width],
                    spreads: &[0.0; 3],
                };
                assert_eq!(bandit.select(3, arms), 1, "{rule:?}");
            }
        }
        let puct = Bandit::with(Rule::Puct, 0.1, Scale::Unit);
        let (mean, width) = puct.unseen();
        let arms =
            Arms { means: &[0.9, mean], widths: &[Rule::Puct.width(3.0), width], spreads: &[] };
        assert_eq!(puct.select(3, arms), 0);
    }
}
