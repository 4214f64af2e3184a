//! Numbers of a summary with the interval of any level, which the 95 % ones leave.

use super::Summary;
use crate::stats::elo::score_estimate;
use crate::stats::{Estimate, Level, Rounds, Wdl};

/// A mean from a few rounds with what the level makes of its 95 % interval: both are Student's,
/// with a quantile each. `freedom` is the number of rounds less one.
pub(crate) fn mean_at(mean: f64, ci: [f64; 2], freedom: f64, level: Level) -> Option<Estimate> {
    // Where one end is cut off, the other is not.
    let half = (mean - ci[0]).max(ci[1] - mean);
    let half = half * level.t(freedom)? / Level::P95.t(freedom)?;
    Some(Estimate { value: mean, interval: [mean - half, mean + half] })
}

impl Summary {
    /// A's wins, draws and losses.
    pub fn wdl(&self) -> Wdl {
        Wdl::new(self.wins, self.draws, self.losses)
    }

    /// The rounds by A's half points; `None` without rounds, and at a table of three to five in
    /// a record of an older version.
    pub fn by_rounds(&self) -> Option<Rounds> {
        (self.pairs.iter().sum::<u64>() > 0).then(|| Rounds::from_counts(self.pairs.clone()))
    }

    /// A's score with its interval.
    pub fn score_at(&self, level: Level) -> Option<Estimate> {
        let large = self.seats.len() > 2;
        match (self.by_rounds(), self.score, self.score_ci) {
            (Some(rounds), ..) => score_estimate(&self.wdl(), &rounds, level),
            (None, Some(score), Some(ci)) if large => {
                let at = mean_at(score, ci, self.freedom()?, level)?;
                Some(at.map(|x| x.clamp(0.0, 1.0)))
            }
            _ => score_estimate(&self.wdl(), &Rounds::new(1), level),
        }
    }

    /// Degrees of freedom of intervals by rounds.
    pub(crate) fn freedom(&self) -> Option<f64> {
        (self.rounds > 1).then(|| (self.rounds - 1) as f64)
    }

    /// Whether a recorded summary is this one as earlier versions wrote it: without the plays of a game; or, as the
    /// first ones did, without the intervals of means as well, and the score's by games alone.
    pub(crate) fn is_that_of_old(&self, recorded: &str) -> bool {
        let Ok(there) = serde_json::from_str::<Summary>(recorded) else { return false };
        let mut old = self.clone();
        for player in &mut old.players {
            player.game_nodes = None;
        }
        if there == old {
            return true;
        }
        (old.plies_ci, old.stopped) = (None, false);
        match self.seats.len() > 2 {
            true => old.pairs = Vec::new(),
            false => old.score_ci = self.wdl().score_ci().map(|ci| ci.map(super::round)),
        }
        for player in &mut old.players {
            (player.iterations_ci, player.nodes_ci, player.depth_ci) = (None, None, None);
        }
        there == old
    }

    /// Whether most games were played before, by players who do the same again: each different game is then one
    /// piece of evidence. Short games of random players meet now and then; most of them do not.
    pub fn is_repeated(&self) -> bool {
        self.games > 0 && self.distinct * 2 <= self.games
    }

    /// Whether the match was ended by its results and not by their number.
    pub fn stopped_early(&self) -> bool {
        self.stopped || self.sprt.is_some_and(|sprt| sprt.decision.is_some())
    }

    /// What is to be said about intervals of a match that its own results ended.
    pub(super) fn caveat(&self) -> Option<&'static str> {
        let text = "stopped by its results: the intervals are those of a fixed number of games, a little too narrow";
        self.stopped_early().then_some(text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stats::Mean;

    #[test]
    fn a_level_has_its_own_quantile() {
        let mut mean = Mean::default();
        [4.0, 6.0, 8.0, 3.0].into_iter().for_each(|x| mean.add(x));
        let sure = Level::P95.bonferroni(10);
        let again = mean_at(5.25, mean.interval().unwrap(), 3.0, sure).unwrap();
        let [low, high] = mean.interval_at(sure).unwrap();
        assert!((again.interval[0] - low).abs() < 1e-9 && (again.interval[1] - high).abs() < 1e-9);
        // The normal quantiles' ratio would be far too small: 1.43 against 2.35.
        assert!((again.interval[1] - 5.25) / (mean.interval().unwrap()[1] - 5.25) > 2.3);
    }
}
