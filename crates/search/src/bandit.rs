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

/// The bound by which children are compared: `N` visits of the node, `n` of the child.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Rule {
    /// `mean + c √(ln N / n)` (Auer, Cesa-Bianchi, Fischer 2002; in trees Kocsis and
    /// Szepesvári 2006).
    #[default]
    Ucb1,
    /// `mean + √(c ln N / n)`: the constant under the root, as the lion paper's program has it.
    RootC,
    /// `mean + c √(ln (N / n))`: the quotient in the logarithm, as the Carcassonne paper's
    /// program has it.
    QuotientInLog,
    /// `mean + c √(ln N / n · min(¼, variance + √(2 ln N / n)))` (UCB1-Tuned, Auer et al. 2002;
    /// theirs is c = 1 with values from 0 to 1).
    Tuned,
    /// `mean + c √(ln N / n) + √(variance + d / n)` (SP-MCTS, Schadd et al. 2008): in a game of one
    /// player what varies is worth another look.
    SinglePlayer,
    /// `mean + c P √N / (1 + n)` (PUCT, Rosin 2011, in the form of AlphaZero); P is uniform.
    Puct,
    /// The fewest visits, whatever the mean: simple Monte Carlo, every move as often.
    Even,
}

impl Rule {
    /// What the visits of a child add to its bound, before the factor that its siblings share.
    #[inline]
    pub fn width(self, visits: f64) -> f32 {
        match self {
            Rule::Ucb1 | Rule::RootC | Rule::Tuned | Rule::SinglePlayer => {
                (1.0 / visits.sqrt()) as f32
            }
            Rule::QuotientInLog => math::ln(visits) as f32,
            Rule::Puct => (1.0 / (1.0 + visits)) as f32,
            Rule::Even => -visits as f32,
        }
    }
}

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

const LANES: usize = 8;
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

/// Index of the first maximum of a bound, eight children at a time.
#[inline(always)]
fn first_maximum(means: &[f32], widths: &[f32], bound: impl Fn(f32, f32) -> f32) -> usize {
    let (means8, means_rest) = means.as_chunks::<LANES>();
    let (widths8, widths_rest) = widths.as_chunks::<LANES>();
    let mut best = [f32::NEG_INFINITY; LANES];
    for (m, w) in means8.iter().zip(widths8) {
        for lane in 0..LANES {
            let b = bound(m[lane], w[lane]);
            best[lane] = if b > best[lane] { b } else { best[lane] };
        }
    }
    let highest = best.into_iter().fold(f32::NEG_INFINITY, f32::max);
    let (last, top) = plain_maximum(means_rest, widths_rest, &bound);
    if means8.is_empty() || top > highest {
        return means8.len() * LANES + last;
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
    0
}

/// The first maximum, one child after the other.
#[inline(always)]
fn plain_maximum(means: &[f32], widths: &[f32], bound: impl Fn(f32, f32) -> f32) -> (usize, f32) {
    let (mut best, mut highest) = (0, f32::NEG_INFINITY);
    for (i, (&mean, &width)) in means.iter().zip(widths).enumerate() {
        let bound = bound(mean, width);
        let is_higher = bound > highest;
        best = if is_higher { i } else { best };
        highest = if is_higher { bound } else { highest };
    }
    (best, highest)
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
        let arms = Arms { means: &[-0.6, 0.5, 0.25], widths: &widths, spreads: &[] };
        let bandit = Bandit::new(1.0, Scale::Raw);
        assert_eq!(bandit.select(11, arms), 1);
        assert_eq!(Bandit::new(0.0, Scale::Raw).select(11, arms), 1);
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
                assert_eq!(first_maximum(&mean, &width, |m, w| m + 0.5 * w), plain);
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
