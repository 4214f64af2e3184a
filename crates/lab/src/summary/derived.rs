//! What follows from the results of a match, whether they were counted here or are read.

use super::{round, round_bounds};
use crate::Plan;
use crate::runner::Ending;
use crate::stats::elo::{self, Bounds};
use crate::stats::{Level, Rounds, Wdl};
use crate::summary::SprtState;

/// Rounds before an interval from their variance is trusted to stop a match.
const ENOUGH_ROUNDS: u64 = 20;

/// The numbers of a [`Summary`](super::Summary) that wins, draws and losses, game by game and round by
/// round, leave no choice about.
pub(crate) struct Derived {
    pub(crate) score: Option<f64>,
    pub(crate) score_ci: Option<[f64; 2]>,
    pub(crate) elo: Option<f64>,
    pub(crate) elo_ci: Option<Bounds>,
    pub(crate) elo_ci_games: Option<Bounds>,
    pub(crate) nelo: Option<f64>,
    /// By wins and losses: not for three to five seats, where payoffs decide.
    pub(crate) los: Option<f64>,
    pub(crate) stopped: bool,
    pub(crate) sprt: Option<SprtState>,
}

impl Derived {
    pub(crate) fn of(plan: &Plan, wdl: &Wdl, rounds: &Rounds) -> Derived {
        let (even, compared) = (plan.schedule.is_even(), wdl.total() > 0);
        let score = elo::score_estimate(wdl, rounds, Level::P95);
        Derived {
            score: wdl.score().map(round),
            score_ci: score.map(|score| score.interval.map(round)),
            elo: wdl.score().filter(|_| even).and_then(elo::elo).map(round),
            elo_ci: elo::elo_interval(rounds).filter(|_| even).map(round_bounds),
            elo_ci_games: elo::elo_interval(&wdl.as_rounds()).filter(|_| even).map(round_bounds),
            nelo: elo::normalised(rounds).filter(|_| even).map(round),
            los: (compared && plan.seats < 3).then(|| round(elo::los(wdl))),
            stopped: plan.ended_by(wdl, rounds).is_some(),
            sprt: plan.sprt.map(|test| SprtState {
                test,
                llr: round(test.llr(wdl, rounds)),
                bounds: test.bounds().map(round),
                decision: test.decide(wdl, rounds),
            }),
        }
    }
}

impl Plan {
    /// How such results end the match, if they do: by its test, or by the width of the interval.
    pub(crate) fn ended_by(&self, wdl: &Wdl, rounds: &Rounds) -> Option<Ending> {
        let sprt = self.sprt.and_then(|sprt| sprt.decide(wdl, rounds));
        let narrow = || {
            let [low, high] = elo::score_estimate(wdl, rounds, Level::P95)?.interval;
            // Rounds that happen to agree say nothing about the others.
            let enough = self.seats < 3 || rounds.total() >= ENOUGH_ROUNDS;
            (enough && high - low <= self.width?).then_some(Ending::Narrow)
        };
        sprt.map(Ending::Decided).or_else(narrow)
    }
}
