//! Elo differences with error bars, likelihood of superiority.

use super::wdl::{Rounds, Wdl, wilson_at};
use super::{Estimate, Level};
use spielbaum_core::math;
use statrs::function::erf::erf;

/// An interval whose ends may be infinite (`None`).
pub type Bounds = [Option<f64>; 2];

/// The Elo difference that makes this score expected: -400 · log₁₀(1/s − 1); `None` where it is
/// infinite.
///
/// ```
/// use spielbaum_lab::stats::elo::elo;
/// assert_eq!(elo(0.5), Some(0.0));
/// assert!((elo(0.76).unwrap() - 200.24).abs() < 0.01);
/// assert_eq!(elo(1.0), None);
/// ```
pub fn elo(score: f64) -> Option<f64> {
    let inside = score > 0.0 && score < 1.0;
    inside.then(|| 400.0 / std::f64::consts::LN_10 * math::ln(score / (1.0 - score)))
}

/// The expected score at an Elo difference.
pub fn expected(elo: f64) -> f64 {
    math::logistic(elo * std::f64::consts::LN_10 / 400.0)
}

/// The 95 % interval of the score from the variance between rounds, by Student's t: few rounds
/// do not know their variance well. Where all rounds agree there is none to measure, and
/// Wilson's interval for as many trials as rounds is given.
pub fn score_interval(rounds: &Rounds) -> Option<[f64; 2]> {
    score_interval_at(rounds, Level::P95)
}

/// [`score_interval`] at any level.
pub fn score_interval_at(rounds: &Rounds, level: Level) -> Option<[f64; 2]> {
    let (mean, variance) = rounds.moments()?;
    let n = rounds.total() as f64;
    if variance <= 0.0 {
        return Some(wilson_at(mean, n, level));
    }
    // `moments` divides by n; the sample's variance by n - 1.
    let half = level.t(n - 1.0)? * (variance / (n - 1.0)).sqrt();
    Some([(mean - half).max(0.0), (mean + half).min(1.0)])
}

/// The score of a match with its interval, the same wherever a score is told or stops a match.
///
/// Games of a round share opening and chance. Of pairs the intervals by games (Wilson's) and by
/// rounds are united: whatever lies in either may be the truth. At tables of three to five the
/// many games of a round are far from independent, and the interval is that by rounds alone.
/// `None` without games.
///
/// ```
/// use spielbaum_lab::stats::{Level, Rounds, Wdl, elo::score_estimate};
/// // Ten pairs, each won and lost once: the rounds agree, the games do not.
/// let rounds = Rounds::from_counts(vec![0, 0, 10, 0, 0]);
/// let score = score_estimate(&Wdl::new(10, 0, 10), &rounds, Level::P95).unwrap();
/// assert!(score.value == 0.5 && score.interval[0] < 0.3);
/// ```
pub fn score_estimate(wdl: &Wdl, rounds: &Rounds, level: Level) -> Option<Estimate> {
    let value = wdl.score()?;
    let games = wdl.score_ci_at(level)?;
    let interval = match score_interval_at(rounds, level) {
        Some(by_rounds) if rounds.games() > 2 => by_rounds,
        Some([low, high]) => [low.min(games[0]), high.max(games[1])],
        None => games,
    };
    Some(Estimate { value, interval })
}

/// The 95 % interval of the Elo difference from the variance between rounds: pentanomial for
/// pairs of games, trinomial for single games ([`Wdl::as_rounds`]).
pub fn elo_interval(rounds: &Rounds) -> Option<Bounds> {
    elo_interval_at(rounds, Level::P95)
}

/// [`elo_interval`] at any level.
pub fn elo_interval_at(rounds: &Rounds, level: Level) -> Option<Bounds> {
    score_interval_at(rounds, level).map(|[low, high]| [elo(low), elo(high)])
}

/// What a score of 0 or 1 says about the Elo difference, of which it has none: `≥ +166` or
/// `≤ -166`, by the one end of its interval. `None` where both ends are there or neither is.
///
/// ```
/// use spielbaum_lab::stats::{Rounds, elo};
/// let all_won = Rounds::from_counts(vec![0, 0, 0, 0, 10]);
/// let bounds = elo::elo_interval(&all_won).unwrap();
/// assert_eq!(elo::bound(bounds).unwrap(), "≥ +166");
/// ```
pub fn bound(bounds: Bounds) -> Option<String> {
    match bounds {
        [Some(low), None] => Some(format!("≥ {low:+.0}")),
        [None, Some(high)] => Some(format!("≤ {high:+.0}")),
        _ => None,
    }
}

/// Normalised Elo: the score's distance from ½ in standard deviations of a game, on a scale
/// that agrees with Elo for few draws. Where rounds are pairs the deviation is theirs · √2.
pub fn normalised(rounds: &Rounds) -> Option<f64> {
    let (mean, variance) = rounds.moments()?;
    let deviation = (variance * rounds.games() as f64).sqrt();
    (deviation > 0.0).then(|| (mean - 0.5) / deviation * 800.0 / std::f64::consts::LN_10)
}

/// Likelihood of superiority, ½ + ½ · erf((wins − losses) / √(2 (wins + losses))): how sure it
/// is that the first player is the stronger one. Draws say nothing. ½ without decided games.
pub fn los(wdl: &Wdl) -> f64 {
    let (wins, losses) = (wdl.wins as f64, wdl.losses as f64);
    if wins + losses == 0.0 {
        return 0.5;
    }
    0.5 + 0.5 * erf((wins - losses) / (2.0 * (wins + losses)).sqrt())
}
