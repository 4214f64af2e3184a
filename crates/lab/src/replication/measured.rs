//! A measured value and its intervals.

use crate::Summary;
use crate::stats::elo::{elo, elo_interval_at, score_estimate};
use crate::stats::wdl::wilson_at;
use crate::stats::{Estimate, Level, Rounds, Wdl, anytime};
use crate::summary::mean_at;

/// A value measured in one part.
#[derive(Clone, Debug)]
pub struct Measured {
    /// The part.
    pub part: String,
    /// The value on each axis of the section.
    pub setting: Vec<String>,
    /// Games or answers behind it.
    pub count: u64,
    /// Whether the part is complete.
    pub complete: bool,
    /// Whether the number of its games was not fixed before they were looked at: its own results ended it, or more
    /// were planned after a look.
    pub unplanned: bool,
    /// Number of the part in the run.
    pub(super) place: usize,
    /// Rounds that are planned, of a match.
    pub(super) planned: u64,
    pub(super) data: Data,
}

/// What was found.
#[derive(Clone, Debug)]
pub(super) enum Data {
    /// The score of a match, and whether it is told of the second player.
    Score(Box<Summary>, bool),
    /// A share of cases.
    Share(f64, f64),
    /// A share of games that come in rounds.
    Paired(Wdl, Rounds),
    /// An Elo difference.
    Elo(Rounds),
    /// A mean with its 95 % interval and the degrees of freedom of that.
    Mean(f64, [f64; 2], f64),
    /// A number that chance has no part in.
    Exact(f64),
    /// A mean that never varied; in games to come it may.
    Steady(f64),
    /// A number that nobody knows the precision of.
    Vague(f64),
    /// Nothing.
    None,
}

impl Measured {
    /// The value with its interval at a level; `None` if nothing was measured. A number that is
    /// exact, such as the plays of a search to a depth, has no width; one of unknown precision,
    /// such as seconds, has an interval without ends, and nothing can be decided by it.
    pub fn at(&self, level: Level) -> Option<Estimate> {
        match &self.data {
            Data::Score(summary, second) => {
                let Estimate { value, interval: [low, high] } = summary.score_at(level)?;
                Some(match second {
                    true => Estimate { value: 1.0 - value, interval: [1.0 - high, 1.0 - low] },
                    false => Estimate { value, interval: [low, high] },
                })
            }
            Data::Share(share, cases) if *cases > 0.0 => {
                Some(Estimate { value: *share, interval: wilson_at(*share, *cases, level) })
            }
            Data::Share(..) | Data::None => None,
            Data::Paired(wdl, rounds) => score_estimate(wdl, rounds, level),
            Data::Elo(rounds) => {
                let (mean, _) = rounds.moments()?;
                let [low, high] = elo_interval_at(rounds, level)?;
                let interval = [low.unwrap_or(f64::NEG_INFINITY), high.unwrap_or(f64::INFINITY)];
                Some(Estimate { value: elo_or_endless(mean), interval })
            }
            Data::Mean(value, ci, freedom) => mean_at(*value, *ci, *freedom, level),
            Data::Exact(value) | Data::Steady(value) => {
                Some(Estimate { value: *value, interval: [*value; 2] })
            }
            Data::Vague(value) => Some(Estimate { value: *value, interval: EVERYTHING }),
        }
    }

    /// The value with the interval that holds whenever one looks, for games whose number was not fixed beforehand; an
    /// interval without ends where none such is known: of means, and where players repeat themselves.
    pub(super) fn at_any_time(&self, level: Level) -> Option<Estimate> {
        let score = |wdl: Wdl, rounds: &Rounds| {
            let interval = anytime::score_interval(rounds, level)?;
            Some(Estimate { value: wdl.score()?, interval })
        };
        match &self.data {
            Data::Exact(_) => self.at(level),
            Data::Elo(rounds) => {
                let value = rounds.moments()?.0;
                let score = Estimate { value, interval: anytime::score_interval(rounds, level)? };
                Some(score.map(elo_or_endless))
            }
            data => match data.rounds() {
                Some((wdl, rounds)) => score(wdl, &rounds),
                None => Some(Estimate { interval: EVERYTHING, ..self.at(level)? }),
            },
        }
    }

    /// The value with the interval in which published numbers stand beside it: that which holds whenever one looks, if
    /// the number of games was not fixed beforehand and such a one is known.
    pub fn compared(&self, level: Level) -> Option<Estimate> {
        self.unplanned.then(|| self.sequential(level)).flatten().or_else(|| self.at(level))
    }

    /// Whether more games may change what is said of it, or its number of games was chosen by looks that its interval
    /// does not know of.
    pub fn is_so_far(&self) -> bool {
        !self.complete || self.unplanned && self.sequential(Level::P95).is_none()
    }

    /// [`Measured::at_any_time`], where that has ends.
    fn sequential(&self, level: Level) -> Option<Estimate> {
        self.at_any_time(level).filter(|found| found.interval != EVERYTHING)
    }

    /// Half of the width of the 95 % interval that a mean of so many games would have, if they varied as ours.
    pub(super) fn half_width(&self, games: u64) -> Option<f64> {
        let Data::Mean(_, [low, high], freedom) = self.data else { return None };
        // Games of a round are no evidence of their own.
        let (rounds, each) = (freedom + 1.0, self.count as f64 / (freedom + 1.0));
        let theirs = (games as f64 / each.max(1.0)).max(1.0);
        Some((high - low) / 2.0 * (rounds / theirs).sqrt())
    }
}

impl Data {
    /// The games by rounds, won where they count for the share; `None` if it is none of games, and of games that are
    /// repeated.
    pub(super) fn rounds(&self) -> Option<(Wdl, Rounds)> {
        match self {
            Data::Score(summary, second) => {
                let (wdl, rounds) = (summary.wdl(), summary.by_rounds()?);
                Some(if *second { (wdl.reversed(), rounds.reversed()) } else { (wdl, rounds) })
            }
            Data::Paired(wdl, rounds) => Some((*wdl, rounds.clone())),
            _ => None,
        }
    }
}

const EVERYTHING: [f64; 2] = [f64::NEG_INFINITY, f64::INFINITY];

/// The Elo difference behind a score; a perfect one has none, but a bound of it.
fn elo_or_endless(score: f64) -> f64 {
    let endless = if score < 0.5 { f64::NEG_INFINITY } else { f64::INFINITY };
    elo(score).unwrap_or(endless)
}
