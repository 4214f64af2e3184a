//! The trap profile of a game: how many search traps lie along the games of a player against
//! itself, and how wrong random playouts are about them. What a trap is says the catalog's
//! [finder](crate::FindTraps).

mod profile;

pub use profile::{LevelTraps, PliesAtRisk, TrapProfile};

use crate::playable::FindTraps;
use crate::record::{End, GameRecord};
use crate::store::Store;
use crate::{AnyGame, LabError, MAX_PLIES, Plan};
use spielbaum_core::text::play_moves;
use spielbaum_core::{Game, Rng, Stop};
use std::collections::BTreeMap;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Duration;

/// What is measured at each position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Probe {
    /// The highest level of traps, odd.
    pub levels: u32,
    /// Uniformly random playouts after each trap.
    pub rollouts: u32,
    /// Seed of the playouts.
    pub seed: u64,
}

/// A position of a game with its traps.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Risk {
    /// Plies from the start of the game, or from the position its opening begins with.
    pub ply: u32,
    /// Legal moves.
    pub moves: u32,
    /// The moves into traps.
    pub traps: Vec<Misjudged>,
    /// The level of the trap that was played here, if one was and there was a move that does
    /// not lose up to the highest level.
    pub fallen: Option<u32>,
}

/// A trap and what random playouts say about it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Misjudged {
    /// Plies to the forced loss.
    pub level: u32,
    /// Playouts that the player who stepped into it did not lose.
    pub wrong: u32,
}

/// The error where there are no traps to look for.
pub(crate) fn none(game: &str) -> LabError {
    LabError::Request(format!("{game} has no traps: they are of two players without chance"))
}

/// The traps along a recorded game, from the end of its opening on.
pub(crate) fn of_game<G: Game>(
    start: &G,
    find: FindTraps<G>,
    plan: &Plan,
    record: &GameRecord,
    probe: &Probe,
) -> Result<Vec<Risk>, LabError> {
    let wrong = |problem: String| LabError::Replay { game: record.game, problem };
    if record.end == End::Forfeit {
        return Err(wrong("a player failed".to_string()));
    }
    let beginning = plan.schedule.job(record.game).beginning;
    let (mut pos, _) = beginning.set_up(start).map_err(|e| wrong(e.to_string()))?;
    let moves = play_moves(&mut pos.clone(), &record.moves).map_err(|e| wrong(e.to_string()))?;
    let seed = Rng::split(probe.seed, record.game);
    let mut scratch = Vec::new();
    let mut risks = Vec::new();
    for (ply, &played) in moves.iter().enumerate() {
        if ply >= record.opening {
            let (found, is_lost) = find(&mut pos, probe.levels);
            let mut rng = Rng::new(Rng::split(seed, ply as u64));
            let mut judge = |&(m, level): &(G::Move, u32)| {
                let wrong = misjudging(&pos, m, probe.rollouts, &mut rng, &mut scratch);
                Misjudged { level, wrong }
            };
            risks.push(Risk {
                ply: ply as u32,
                moves: pos.count_moves() as u32,
                traps: found.iter().map(&mut judge).collect(),
                fallen: (found.iter())
                    .find(|(m, _)| *m == played && !is_lost)
                    .map(|&(_, level)| level),
            });
        }
        pos.play(played);
    }
    Ok(risks)
}

/// How many of so many random playouts after a move are not lost by the player who made it.
fn misjudging<G: Game>(
    pos: &G,
    m: G::Move,
    rollouts: u32,
    rng: &mut Rng,
    scratch: &mut Vec<G::Move>,
) -> u32 {
    let Some(seat) = pos.turn().player() else { return 0 };
    let mut after = pos.clone();
    after.play(m);
    let mut next = after.clone();
    let mut wrong = 0;
    for _ in 0..rollouts {
        next.clone_from(&after);
        next.playout(MAX_PLIES, rng, scratch);
        wrong += u32::from(next.payoffs()[seat] > 0.0);
    }
    wrong
}

/// The traps along the recorded games of a match, on `jobs` threads; the same on any number of
/// them. Games that a player forfeited are left out. `None` if it was stopped. `progress` is told
/// the games done, now and then, on this thread.
pub(crate) fn of_records(
    game: &dyn AnyGame,
    store: &Store,
    probe: &Probe,
    jobs: usize,
    stop: &Stop,
    progress: &mut dyn FnMut(u64),
) -> Result<Option<TrapProfile>, LabError> {
    if !game.has_traps() {
        return Err(none(game.schema().name));
    }
    let plan = store.work();
    let (units, done) = (store.units_there(), AtomicU64::new(0));
    let work = |unit: u64| -> Result<Vec<Vec<Risk>>, LabError> {
        let records = store.read(units[unit as usize])?.unwrap_or_default();
        let whole = |record: &&GameRecord| record.end != End::Forfeit;
        if let Some(record) = records.iter().find(|record| record.digest.is_some()) {
            let problem = "its moves are not recorded, so nobody can look for traps".to_string();
            return Err(LabError::Replay { game: record.game, problem });
        }
        let search = |record: &GameRecord| {
            let risks = game.traps(plan, record, probe);
            done.fetch_add(1, Ordering::Relaxed);
            risks
        };
        records.iter().filter(whole).map(search).collect()
    };
    let mut tell = || progress(done.load(Ordering::Relaxed));
    let stopped = || stop.is_set();
    let risks = in_parallel(units.len() as u64, jobs, &stopped, &mut tell, &|| Ok(work))?;
    let games: Vec<Vec<Risk>> = risks.into_iter().flatten().collect();
    Ok((!stop.is_set()).then(|| TrapProfile::new(&games, probe)))
}

/// How often this thread tells how far the others are.
const TELL_EVERY: Duration = Duration::from_millis(50);

/// Does numbered work on `jobs` threads, each of which makes its own worker; in order. Meanwhile
/// this thread calls `tell`.
fn in_parallel<T: Send, F: FnMut(u64) -> Result<T, LabError>>(
    number: u64,
    jobs: usize,
    stopped: &(dyn Fn() -> bool + Sync),
    tell: &mut dyn FnMut(),
    worker: &(dyn Fn() -> Result<F, LabError> + Sync),
) -> Result<Vec<T>, LabError> {
    let (next, failed) = (AtomicU64::new(0), AtomicBool::new(false));
    let results = Mutex::new(BTreeMap::new());
    let work = || -> Result<(), LabError> {
        let mut worker = worker()?;
        loop {
            let at = next.fetch_add(1, Ordering::Relaxed);
            if at >= number || failed.load(Ordering::Relaxed) || stopped() {
                return Ok(());
            }
            let result = worker(at)?;
            if let Ok(mut results) = results.lock() {
                results.insert(at, result);
            }
        }
    };
    let teller = std::thread::current();
    std::thread::scope(|scope| {
        let guarded = || {
            let done = work().inspect_err(|_| failed.store(true, Ordering::Relaxed));
            teller.unpark();
            done
        };
        let threads: Vec<_> = (0..jobs.max(1)).map(|_| scope.spawn(guarded)).collect();
        while !threads.iter().all(|thread| thread.is_finished()) {
            tell();
            std::thread::park_timeout(TELL_EVERY);
        }
        tell();
        threads.into_iter().try_for_each(|thread| {
            let panicked = |_| LabError::Request("a thread panicked".to_string());
            thread.join().map_err(panicked)?
        })
    })?;
    Ok(results.into_inner().unwrap_or_default().into_values().collect())
}

/// Plays the first `games` games of a plan on `jobs` threads and gathers their traps. The same
/// on any number of threads. `progress` is told the games done, now and then, on this thread.
pub fn profile(
    game: &dyn AnyGame,
    plan: &Plan,
    games: u64,
    probe: &Probe,
    jobs: usize,
    progress: &mut dyn FnMut(u64),
) -> Result<TrapProfile, LabError> {
    if !game.has_traps() {
        return Err(none(game.schema().name));
    }
    let games = games.min(plan.schedule.games());
    let done = &AtomicU64::new(0);
    let worker = || {
        let mut worker = game.worker(plan)?;
        Ok(move |number: u64| {
            let (record, _) = worker.play(&plan.schedule.job(number))?;
            let risks = game.traps(plan, &record, probe)?;
            done.fetch_add(1, Ordering::Relaxed);
            Ok(risks)
        })
    };
    let mut tell = || progress(done.load(Ordering::Relaxed));
    let games = in_parallel(games, jobs, &|| false, &mut tell, &worker)?;
    Ok(TrapProfile::new(&games, probe))
}
