//! The statistics of a match as they were after its first rounds.

use super::Results;
use super::digest::Digest;
use crate::store::Store;
use crate::{LabError, Summary, Tally, Work};

/// The single games of a run. A digest is read once for all of its parts.
pub(crate) struct SingleGames<'a> {
    results: &'a Results,
    digest: Option<Digest>,
}

impl Results {
    /// The single games, as far as they are here.
    pub(crate) fn single_games(&self) -> Result<SingleGames<'_>, LabError> {
        let digest = if self.dir.is_file() { Some(Digest::read(&self.dir)?) } else { None };
        Ok(SingleGames { results: self, digest })
    }
}

impl SingleGames<'_> {
    /// The statistics of the first rounds of a match, by the number of its part; `None` where its games are not here
    /// one by one: those of a complete part in a digest.
    pub(crate) fn first_rounds(
        &self,
        part: usize,
        rounds: u64,
    ) -> Result<Option<Summary>, LabError> {
        let Some((_, part)) = self.results.experiment.parts().nth(part) else { return Ok(None) };
        let Work::Match(plan) = &part.work else { return Ok(None) };
        let games = rounds * plan.schedule.seatings().len() as u64;
        let mut tally = Tally::new(plan);
        if let Some(digest) = &self.digest {
            let held = digest.parts.iter().find(|held| held.part == part.name);
            let Some(held) = held else { return Ok(None) };
            let all = held.games(plan);
            let all = all.map_err(|e| LabError::Request(format!("part {}: {e}", part.name)))?;
            for number in 0..games {
                let Some((game, _)) = all.get(&number) else { return Ok(None) };
                tally.add(game.clone());
            }
            return Ok(Some(tally.summary(plan)));
        }
        let store = Store::open(&self.results.place(part), plan);
        for unit in 0.. {
            let left = games - tally.games();
            if left == 0 {
                break;
            }
            let Some(records) = store.read(unit)? else { return Ok(None) };
            records.into_iter().take(left as usize).for_each(|game| tally.add(game));
        }
        Ok(Some(tally.summary(plan)))
    }
}
