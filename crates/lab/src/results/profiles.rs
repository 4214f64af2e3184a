//! The trap profiles of a run: computed once the games of a part are complete.

use super::part_dir;
use super::place::game_of;
use crate::runner::{Progress, Runnable, TrapSearch, Watcher};
use crate::store::{Store, json, publish};
use crate::traps::{self, Probe};
use crate::{AnyGame, Experiment, LabError, Part, Plan, Work};
use spielbaum_core::{Rng, Stop};
use std::path::{Path, PathBuf};

/// Random playouts after each trap.
const ROLLOUTS: u32 = 100;

/// A profile that is asked for and not there, of a match that is complete.
struct Lacking<'a> {
    /// Number of the part among those that are wanted.
    number: usize,
    part: &'a Part,
    plan: &'a Plan,
    levels: u32,
    dir: PathBuf,
    /// Games that are recorded.
    games: u64,
}

/// Computes the profiles of a run's directory that are asked for and not there, on `jobs` threads.
pub(super) fn complete(
    dir: &Path,
    experiment: &Experiment,
    wanted: &dyn Fn(&Part) -> bool,
    catalog: &[&dyn AnyGame],
    jobs: usize,
    stop: &Stop,
    progress: Watcher<'_>,
) -> Result<(), LabError> {
    let parts: Vec<&Part> =
        experiment.parts().map(|(_, part)| part).filter(|part| wanted(part)).collect();
    let lacking: Vec<Lacking<'_>> =
        parts.iter().enumerate().filter_map(|(number, part)| lacking(dir, number, part)).collect();
    let games: u64 = lacking.iter().map(|profile| profile.games).sum();
    let mut before = 0;
    for own in lacking {
        if stop.is_set() {
            return Ok(());
        }
        let game = game_of(own.part, catalog)?;
        let seed = Rng::split(own.plan.header().seed, u64::from_be_bytes(*b"playouts"));
        let probe = Probe { levels: own.levels, rollouts: ROLLOUTS, seed };
        let store = Store::open(&own.dir, own.plan);
        let mut tell = |searched: u64| {
            let done = before + searched;
            progress(&Progress {
                played: done,
                games,
                recorded: 0,
                share: [done as f64 / games.max(1) as f64, 0.0],
                through: parts.len(),
                parts: Vec::new(),
                note: "",
                ended: &[],
                traps: Some(TrapSearch { part: own.number, done, games }),
            });
        };
        let profile = traps::of_records(game, &store, &probe, jobs, stop, &mut tell)?;
        if let Some(profile) = profile {
            publish(&own.dir.join("traps.json"), json(&profile)?.as_bytes())?;
        }
        before += own.games;
    }
    Ok(())
}

fn lacking<'a>(dir: &Path, number: usize, part: &'a Part) -> Option<Lacking<'a>> {
    let (Work::Match(plan), Some(levels)) = (&part.work, part.traps) else { return None };
    let dir = part_dir(dir, part);
    if dir.join("traps.json").exists() || !dir.join("summary.json").exists() {
        return None;
    }
    let store = Store::open(&dir, plan);
    // Statistics that were taken over whole have no games to search.
    if !matches!(store.whole(), Ok(None)) {
        return None;
    }
    let units = store.units_there();
    let games = units.into_iter().map(|unit| plan.items_of(unit)).sum();
    Some(Lacking { number, part, plan, levels, dir, games })
}
