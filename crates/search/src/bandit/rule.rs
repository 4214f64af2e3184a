//! The bounds by which children are compared, and the scale of what they compare.

use spielbaum_core::math;

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
