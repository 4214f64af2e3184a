//! A match as work for the runner.

use super::line::{Played, Runnable};
use super::{Concluded, Ending, Finished};
use crate::erased::Worker;
use crate::record::{GameRecord, GameTimes};
use crate::summary::Summary;
use crate::tally::Tally;
use crate::times::{Timed, Times};
use crate::{AnyGame, LabError, Plan, budget};
use spielbaum_core::Limits;

impl Runnable for Plan {
    type Worker = Box<dyn Worker>;
    type Tally = Tally;

    fn items(&self) -> u64 {
        self.schedule.games()
    }

    fn items_of(&self, unit: u64) -> u64 {
        let games = self.schedule.unit(unit);
        games.end - games.start
    }

    fn is_sequential(&self) -> bool {
        self.sprt.is_some() || self.width.is_some()
    }

    fn is_timed(&self) -> bool {
        !self.is_deterministic()
    }

    /// Not the guess by which units are cut, which records rest on: a depth there makes a flat
    /// Monte-Carlo search as short as a look ahead by one ply.
    fn plays(&self) -> f64 {
        const PLIES: f64 = 32.0;
        let of_a_move = |limits: &Limits| {
            let others = Limits { depth: None, ..*limits };
            budget::plays(if others == Limits::default() { limits } else { &others }) as f64
        };
        PLIES * self.limits.iter().map(of_a_move).sum::<f64>() / self.limits.len().max(1) as f64
    }

    fn worker(&self, game: &dyn AnyGame) -> Result<Box<dyn Worker>, LabError> {
        Ok(game.worker(self)?)
    }

    fn play(
        &self,
        worker: &mut Box<dyn Worker>,
        unit: u64,
        after: &mut dyn FnMut() -> bool,
    ) -> Result<Option<Played<Plan>>, LabError> {
        let (mut records, mut times) = (Vec::new(), Vec::new());
        for number in self.schedule.unit(unit) {
            let (record, time) = worker.play(&self.schedule.job(number))?;
            records.push(record);
            times.push(time);
            if !after() {
                return Ok(None);
            }
        }
        Ok(Some((records, times)))
    }

    fn tally(&self) -> Tally {
        Tally::new(self)
    }

    fn count(&self, tally: &mut Tally, records: Vec<GameRecord>) {
        for record in records {
            tally.add(record);
        }
    }

    fn verdict(&self, tally: &Tally) -> Option<Ending> {
        self.ended_by(tally.wdl(), tally.rounds())
    }

    fn summary(&self, tally: &Tally) -> Summary {
        tally.summary(self)
    }

    fn ended(&self, summary: &Summary) -> Ending {
        let all = summary.games == self.schedule.games();
        let decision = summary.sprt.and_then(|sprt| sprt.decision).map(Ending::Decided);
        if all { Ending::Complete } else { decision.unwrap_or(Ending::Narrow) }
    }

    fn counted(summary: &Summary) -> u64 {
        summary.games
    }

    fn score(&self, tally: &Tally) -> Option<f64> {
        tally.wdl().score()
    }

    fn line(&self, tally: &Tally) -> String {
        tally.line()
    }

    fn sums(&self) -> Times {
        Times::new(self.players.len())
    }

    fn add_times(sums: &mut Times, records: &[GameRecord], times: &[GameTimes]) {
        let games = records.iter().zip(times);
        let timed = games.map(|(r, times)| Timed { round: r.round, seats: &r.seats, times });
        sums.add(&timed.collect::<Vec<_>>());
    }

    fn seconds(times: &[GameTimes]) -> f64 {
        times.iter().map(|time| time.seconds).sum()
    }

    fn conclude(finished: Finished) -> Concluded {
        Concluded::Match(Box::new(finished))
    }
}
