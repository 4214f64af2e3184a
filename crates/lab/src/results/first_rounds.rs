//! The statistics of a match as they were after its first rounds.

use super::Results;
use super::digest::Digest;
use crate::store::Store;
use crate::{Summary, Tally, Work};

impl Results {
    /// The statistics of the first rounds of a match, by the number of its part; `None` where its games are not here
    /// one by one: those of a complete part in a digest.
    pub(crate) fn first_rounds(&self, part: usize, rounds: u64) -> Option<Summary> {
        let (_, part) = self.experiment.parts().nth(part)?;
        let Work::Match(plan) = &part.work else { return None };
        let games = rounds * plan.schedule.seatings().len() as u64;
        let mut tally = Tally::new(plan);
        if self.dir.is_file() {
            let parts = Digest::read(&self.dir).ok()?.parts;
            let held = parts.into_iter().find(|held| held.part == part.name)?;
            let all = held.games(plan).ok()?;
            for number in 0..games {
                tally.add(all.get(&number)?.0.clone());
            }
            return Some(tally.summary(plan));
        }
        let store = Store::open(&self.place(part), plan);
        for unit in 0.. {
            let left = games - tally.games();
            if left == 0 {
                break;
            }
            let records = store.read(unit).ok()??;
            records.into_iter().take(left as usize).for_each(|game| tally.add(game));
        }
        Some(tally.summary(plan))
    }
}
