//! Intervals that hold whenever one looks.
//!
//! An interval of a fixed number of games misses the truth once in twenty times, if one looks once. Who looks again and
//! again, and stops when it pleases, misses it far more often. These intervals hold at all numbers of
//! rounds together, so one may look after every game and stop at any time.
//!
//! Somebody who holds that the mean of a round is m must take bets on it at fair odds: one unit on
//! the first player pays x/m after a round with the score x, one on the second (1−x)/(1−m). If m is true no way
//! of betting makes money in the long run: the chance that a purse of 1 is ever worth 40 is at most one
//! in forty (Ville 1939). So every m against which a bettor gets that rich is left out. There are two of them, one for
//! each end, so that both ends miss the truth with the same chance wherever it lies: one bets that the mean is above
//! m, with shares b > m on the first player, the other that it is below. Each spreads the purse over all constant
//! shares of its side, with the weights of Jeffreys, which for any
//! order of the rounds is nearly as good as the best share in hindsight (Cover's universal portfolio; Orabona and Jun,
//! Tight concentrations and confidence sequences from the regret of universal portfolio, 2021). For games won or
//! lost it is Robbins' mixture; draws and pairs that even out make the intervals narrower by themselves.
//!
//! Rounds need not all have the same mean. Where each block of rounds has one of each part the mean of the block is
//! what is estimated: at its odds no bet on independent rounds gains, since the mean of the factors is above their
//! geometric one.

use super::{Level, Rounds};
use spielbaum_core::math;

/// The interval of the mean of a round's score that holds at this level however often and whenever one looks; `None`
/// without rounds. It is the same for any order of the rounds.
///
/// ```
/// use spielbaum_lab::stats::{Level, Rounds, anytime};
/// // Twelve pairs of games, all lost: the second player is the stronger one, however the match goes on.
/// let lost = Rounds::from_counts(vec![12, 0, 0, 0, 0]);
/// let [low, high] = anytime::score_interval(&lost, Level::P95).unwrap();
/// assert!(low == 0.0 && high < 0.5);
/// // Three pairs do not show it.
/// let few = Rounds::from_counts(vec![3, 0, 0, 0, 0]);
/// assert!(anytime::score_interval(&few, Level::P95).unwrap()[1] > 0.5);
/// ```
pub fn score_interval(rounds: &Rounds, level: Level) -> Option<[f64; 2]> {
    let (mean, _) = rounds.moments()?;
    let rich = math::ln(2.0 / level.error());
    // The purse against m falls towards the mean, so the end is where it is just not rich.
    let end = |side: Side| {
        let (mut inside, mut outside) = (mean, side.extreme());
        if mean == outside || side.purse(rounds, outside) < rich {
            return outside;
        }
        for _ in 0..HALVINGS {
            let middle = f64::midpoint(inside, outside);
            match side.purse(rounds, middle) < rich {
                true => inside = middle,
                false => outside = middle,
            }
        }
        outside
    };
    Some([end(Side::Above), end(Side::Below)])
}

/// Halvings of the scale until an end is known to more digits than are ever shown.
const HALVINGS: usize = 30;

/// Constant shares that stand for all. Those who bet them are a fair bettor together whatever their number, so it moves no
/// level; a thousand lose nothing that shows against all of them up to a hundred thousand rounds.
const SHARES: usize = 1024;

/// What a bettor holds of the mean.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Side {
    /// That it is above what is claimed.
    Above,
    /// That it is below.
    Below,
}

impl Side {
    /// The mean that is claimed at the far end.
    fn extreme(self) -> f64 {
        match self {
            Side::Above => 0.0,
            Side::Below => 1.0,
        }
    }

    /// Shares of the purse on the first player; each begins with the same part of it.
    fn shares(self, mean: f64) -> impl Iterator<Item = f64> {
        // Jeffreys' weights are those of sin² of an angle that is uniform.
        let from = math::asin(mean.sqrt());
        let to = match self {
            Side::Above => std::f64::consts::FRAC_PI_2,
            Side::Below => 0.0,
        };
        let angle = move |i: usize| from + (to - from) * (i as f64 + 0.5) / SHARES as f64;
        (0..SHARES).map(move |i| math::sin(angle(i)).powi(2))
    }

    /// The logarithm of what a purse of 1 is worth after all rounds at the odds of this mean.
    fn purse(self, rounds: &Rounds, mean: f64) -> f64 {
        let scale = (rounds.counts().len() - 1) as f64;
        let cells = rounds.counts().iter().enumerate().filter(|(_, count)| **count > 0);
        // What each kind of round pays for a unit on the first and on the second player, and how often.
        let pays = |score: f64, mean: f64| if score == 0.0 { 0.0 } else { score / mean };
        let paid: Vec<(f64, f64, f64)> = cells
            .map(|(i, &count)| (i as f64 / scale, count as f64))
            .map(|(score, count)| (pays(score, mean), pays(1.0 - score, 1.0 - mean), count))
            .collect();
        let worth = |share: f64| -> f64 {
            let grows = |&(first, second, count): &(f64, f64, f64)| {
                count * math::ln(share * first + (1.0 - share) * second)
            };
            paid.iter().map(grows).sum()
        };
        let worth: Vec<f64> = self.shares(mean).map(worth).collect();
        let best = worth.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        if best.is_infinite() {
            return best;
        }
        let sum: f64 = worth.iter().map(|w| math::exp(w - best)).sum();
        best + math::ln(sum / worth.len() as f64)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use spielbaum_core::Rng;

    fn interval(counts: [u64; 5]) -> [f64; 2] {
        score_interval(&Rounds::from_counts(counts.to_vec()), Level::P95).unwrap()
    }

    /// Of games won or lost the purse is known in closed form: Beta(w + ½, l + ½) / Beta(½, ½) over m^w (1 − m)^l, and of
    /// both functions the part on one side of m.
    #[test]
    fn of_wins_and_losses_it_is_robbins_mixture() {
        use statrs::function::beta::{beta_reg, ln_beta};
        for (wins, losses, mean) in
            [(7u64, 3u64, 0.5f64), (0, 12, 0.5), (60, 40, 0.45), (900, 100, 0.95)]
        {
            let rounds = Rounds::from_counts(vec![losses, 0, wins]);
            let (w, l) = (wins as f64, losses as f64);
            let exact = ln_beta(w + 0.5, l + 0.5)
                - ln_beta(0.5, 0.5)
                - w * mean.ln()
                - l * (1.0 - mean).ln();
            let (all, prior) = (beta_reg(w + 0.5, l + 0.5, mean), beta_reg(0.5, 0.5, mean));
            for (side, part) in
                [(Side::Above, (1.0 - all) / (1.0 - prior)), (Side::Below, all / prior)]
            {
                let (purse, exact) = (side.purse(&rounds, mean), exact + part.ln());
                // At the rim of the scale the bell is cut by it, and a few points stand for much.
                assert!((purse - exact).abs() < 1e-3, "{wins} {losses}: {purse} {exact}");
            }
        }
    }

    #[test]
    fn ends_are_where_the_bettor_is_just_not_rich() {
        for counts in [
            [1, 2, 10, 4, 3],
            [12, 0, 0, 0, 0],
            [0, 0, 0, 0, 5],
            [0, 0, 40, 0, 0],
            [50, 3, 20, 4, 90],
        ] {
            let rounds = Rounds::from_counts(counts.to_vec());
            let [low, high] = interval(counts);
            let (mean, _) = rounds.moments().unwrap();
            assert!(low <= mean && mean <= high, "{counts:?}");
            for (end, side) in [(low, Side::Above), (high, Side::Below)] {
                if end != side.extreme() {
                    let purse = side.purse(&rounds, end);
                    assert!((purse - 40f64.ln()).abs() < 1e-4, "{counts:?}: {end}");
                }
                // It falls towards the mean, so that there is one such end.
                let at = |i: u32| side.extreme() + (mean - side.extreme()) * f64::from(i) / 50.0;
                let purses: Vec<f64> = (1..50).map(|i| side.purse(&rounds, at(i))).collect();
                assert!(mean == side.extreme() || purses.is_sorted_by(|a, b| a > b), "{counts:?}");
            }
        }
        assert!(score_interval(&Rounds::new(2), Level::P95).is_none());
    }

    /// Rounds that even out vary less than games, and the bettor finds out.
    #[test]
    fn it_is_narrower_where_rounds_vary_less() {
        let width = |counts| interval(counts)[1] - interval(counts)[0];
        assert!(width([0, 0, 100, 0, 0]) < width([0, 25, 50, 25, 0]));
        assert!(width([0, 25, 50, 25, 0]) < 0.75 * width([50, 0, 0, 0, 50]));
        // Wider than an interval for one look, by a factor that grows slowly.
        for (counts, wider) in [
            ([3, 0, 6, 0, 3], 1.3),
            ([12, 0, 26, 0, 12], 1.6),
            ([125, 0, 250, 0, 125], 1.8),
            ([1250, 0, 2500, 0, 1250], 1.9),
        ] {
            let fixed = crate::stats::elo::score_interval(&Rounds::from_counts(counts.to_vec()));
            let [low, high] = fixed.unwrap();
            let ratio = width(counts) / (high - low);
            assert!((ratio - wider).abs() < 0.06, "{counts:?}: {ratio}");
        }
    }

    /// An end misses the truth as seldom near the rim of the scale as in the middle.
    #[test]
    fn each_end_has_half_of_the_error() {
        let mut rng = Rng::new(2);
        let (matches, mut above) = (1000, 0);
        for _ in 0..matches {
            let mut rounds = Rounds::new(1);
            let mut out = false;
            for n in 1..=200u32 {
                rounds.add(if rng.below(20) == 0 { 2 } else { 0 });
                out |= n % 4 == 0 && Side::Above.purse(&rounds, 0.05) >= 40f64.ln();
            }
            above += u32::from(out);
        }
        assert!(above <= matches / 40, "{above} of {matches}");
    }

    /// Looking again and again for 400 rounds: an interval of a fixed number would miss the truth at some time in more
    /// than a quarter of such matches.
    #[test]
    fn it_holds_at_all_times_together() {
        let mut rng = Rng::new(1);
        let (matches, mut missed, mut missed_by_fixed) = (300, 0, 0);
        for _ in 0..matches {
            let mut rounds = Rounds::new(2);
            let (mut out, mut out_of_fixed) = (false, false);
            for n in 1..=400u32 {
                // Two games: won 0.3, drawn 0.2.
                let mut game = || match rng.below(10) {
                    0..3 => 2,
                    3..5 => 1,
                    _ => 0,
                };
                rounds.add(game() + game());
                if n > 10 && n % 8 != 0 {
                    continue;
                }
                out |= Side::Above.purse(&rounds, 0.4) >= 40f64.ln();
                out |= Side::Below.purse(&rounds, 0.4) >= 40f64.ln();
                let fixed = crate::stats::elo::score_interval(&rounds).filter(|_| n >= 10);
                out_of_fixed |= fixed.is_some_and(|[low, high]| low > 0.4 || high < 0.4);
            }
            missed += u32::from(out);
            missed_by_fixed += u32::from(out_of_fixed);
        }
        assert!(missed <= matches / 20, "{missed} of {matches}");
        assert!(missed_by_fixed > matches / 4, "{missed_by_fixed}");
    }
}
