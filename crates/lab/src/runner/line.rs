//! One part of a run: what is handed out, what has come back, and its completed prefix.

use super::crew::{Hand, Parcel};
use super::{Concluded, Ending, Finished};
use crate::cluster::wave_size;
use crate::store::{Recorded, Store, unit_bytes};
use crate::{AnyGame, LabError, budget};
use std::collections::BTreeMap;
use std::ops::Deref;
use std::sync::Arc;

/// Work that the runner can do: recorded in units, counted in order.
pub(crate) trait Runnable: Recorded {
    /// The players of one thread.
    type Worker;
    /// The counts of the completed prefix.
    type Tally;

    /// Games, or questions.
    fn items(&self) -> u64;
    /// Those of a unit.
    fn items_of(&self, unit: u64) -> u64;
    /// Whether it may end before all units are played.
    fn is_sequential(&self) -> bool;
    /// About how many plays one of them takes: a guess, to weigh parts against each other.
    fn plays(&self) -> f64;
    /// Whether a budget is wall time.
    fn is_timed(&self) -> bool;
    /// Builds the players of a thread.
    fn worker(&self, game: &dyn AnyGame) -> Result<Self::Worker, LabError>;
    /// Plays a unit; `None` if `after`, told each item, does not want the rest.
    fn play(
        &self,
        worker: &mut Self::Worker,
        unit: u64,
        after: &mut dyn FnMut() -> bool,
    ) -> Result<Option<Played<Self>>, LabError>;

    /// Nothing counted yet.
    fn tally(&self) -> Self::Tally;
    /// Counts the next records.
    fn count(&self, tally: &mut Self::Tally, records: Vec<Self::Record>);
    /// Whether the completed prefix is enough.
    fn verdict(&self, tally: &Self::Tally) -> Option<Ending>;
    /// The statistics.
    fn summary(&self, tally: &Self::Tally) -> Self::Summary;
    /// How work ended whose statistics are these: all of it, or as much as was needed.
    fn ended(&self, summary: &Self::Summary) -> Ending;
    /// Games, or answers, in the statistics.
    fn counted(summary: &Self::Summary) -> u64;
    /// One number about a tally: the score, or the share of moves that keep the value.
    fn score(&self, tally: &Self::Tally) -> Option<f64>;
    /// One line about a tally, for people.
    fn line(&self, tally: &Self::Tally) -> String;
    /// No times yet.
    fn sums(&self) -> Self::Sums;
    /// Adds the times of a unit.
    fn add_times(sums: &mut Self::Sums, records: &[Self::Record], times: &[Self::Times]);
    /// The seconds of a unit.
    fn seconds(times: &[Self::Times]) -> f64;
    /// The end of a part of this kind.
    fn conclude(finished: Finished<Self::Summary, Self::Sums>) -> Concluded;
}

/// A unit as it is played: its records, and the times that are kept apart from them.
pub(crate) type Played<W> = (Vec<<W as Recorded>::Record>, Vec<<W as Recorded>::Times>);

/// A unit that came back from a thread.
struct Done<W: Recorded> {
    records: Vec<W::Record>,
    from: From<W>,
}

/// Where a unit comes from.
enum From<W: Recorded> {
    /// It was recorded before the run.
    Before,
    /// Another process has played it.
    Elsewhere,
    /// It was played here and is to be published.
    Here(Vec<u8>, Vec<W::Times>),
}

/// A unit of this kind that came back.
fn opened<W: Recorded>(parcel: Parcel) -> Result<Done<W>, LabError> {
    let done = parcel.downcast::<Done<W>>().map(|done| *done);
    done.map_err(|_| LabError::Request("a unit of another part".to_string()))
}

/// Whose store it is.
pub(super) enum Keeper<'a, W: Recorded> {
    Lent(&'a Store<W>),
    Own(Store<W>),
}

impl<W: Recorded> Deref for Keeper<'_, W> {
    type Target = Store<W>;

    fn deref(&self) -> &Store<W> {
        match self {
            Keeper::Lent(store) => store,
            Keeper::Own(store) => store,
        }
    }
}

/// What threads need to know of a part.
pub(crate) trait Playing<'a>: Send + Sync {
    /// Players for one thread, not built before they are needed.
    fn hand(self: Arc<Self>) -> Box<dyn Hand + 'a>;
    /// The units that are recorded, in order.
    fn recorded(&self) -> Vec<u64>;
    /// Reads a recorded unit, recorded before the run or by another process.
    fn fetch(&self, unit: u64, before: bool) -> Result<Option<Parcel>, LabError>;
    /// Games or questions of a unit.
    fn items_of(&self, unit: u64) -> u64;
    /// About how many seconds it takes, by the budgets.
    fn guess(&self, unit: u64) -> f64;
    /// The seconds that a recorded unit took, if they are known.
    fn seconds(&self, unit: u64) -> Option<f64>;
    /// Withdraws the statistics: units are missing.
    fn reopen(&self) -> Result<(), LabError>;
    /// Has a network's file system look again.
    fn refresh(&self);
}

/// The work of a part and its record.
pub(super) struct Bench<'a, W: Recorded> {
    pub(super) game: &'a dyn AnyGame,
    pub(super) work: &'a W,
    pub(super) store: Option<Keeper<'a, W>>,
}

impl<'a, W: Runnable> Playing<'a> for Bench<'a, W> {
    fn hand(self: Arc<Self>) -> Box<dyn Hand + 'a> {
        Box::new(Seated { bench: self, worker: None })
    }

    fn recorded(&self) -> Vec<u64> {
        self.store.as_ref().map_or(Vec::new(), |store| store.units_there())
    }

    fn fetch(&self, unit: u64, before: bool) -> Result<Option<Parcel>, LabError> {
        let Some(store) = &self.store else { return Ok(None) };
        let Some(records) = store.read(unit)? else { return Ok(None) };
        let from = if before { From::Before } else { From::Elsewhere };
        Ok(Some(Box::new(Done::<W> { records, from })))
    }

    fn items_of(&self, unit: u64) -> u64 {
        self.work.items_of(unit)
    }

    fn guess(&self, unit: u64) -> f64 {
        // What playouts and searches take here; a budget of time has been made plays before.
        const SPEED: f64 = 1.5e7;
        let speed = if self.work.is_timed() { budget::A_SECOND } else { SPEED };
        self.work.items_of(unit) as f64 * self.work.plays() / speed
    }

    fn seconds(&self, unit: u64) -> Option<f64> {
        Some(W::seconds(&self.store.as_ref()?.timing(unit)?.times))
    }

    fn reopen(&self) -> Result<(), LabError> {
        self.store.as_ref().map_or(Ok(()), |store| store.reopen())
    }

    fn refresh(&self) {
        if let Some(store) = &self.store {
            store.refresh();
        }
    }
}

struct Seated<'a, W: Runnable> {
    bench: Arc<Bench<'a, W>>,
    worker: Option<W::Worker>,
}

impl<W: Runnable> Hand for Seated<'_, W> {
    fn play(
        &mut self,
        unit: u64,
        after: &mut dyn FnMut() -> bool,
    ) -> Result<Option<Parcel>, LabError> {
        let Bench { game, work, store } = &*self.bench;
        if let Some(store) = store
            && let Some(records) = store.read(unit)?
        {
            return Ok(Some(Box::new(Done::<W> { records, from: From::Before })));
        }
        if self.worker.is_none() {
            self.worker = Some(work.worker(*game)?);
        }
        let Some(worker) = &mut self.worker else { return Ok(None) };
        let Some((records, times)) = work.play(worker, unit, after)? else { return Ok(None) };
        // Here, and not on the thread that waits for the disk.
        let bytes = if store.is_some() { unit_bytes(unit, &records)? } else { Vec::new() };
        Ok(Some(Box::new(Done::<W> { records, from: From::Here(bytes, times) })))
    }
}

/// What a part tells of itself.
pub(super) trait Told {
    /// The score of the completed prefix.
    fn score(&self) -> Option<f64>;
    /// One line about the completed prefix.
    fn line(&self) -> String;
}

/// One part, whatever it is, for the thread that coordinates.
pub(super) trait AnyLine<'a>: Told {
    /// What threads need to play its units.
    fn playing(&self) -> Arc<dyn Playing<'a> + 'a>;
    /// The next unit to hand out.
    fn hand_out(&mut self, pace: Pace) -> Option<u64>;
    /// Takes a unit that came back.
    fn deliver(&mut self, unit: u64, parcel: Parcel) -> Result<(), LabError>;
    /// Publishes a unit that came back, whether or not those before it have; whether it was
    /// played here.
    fn publish(&mut self, unit: u64, parcel: Parcel) -> Result<bool, LabError>;
    /// Publishes and counts the next unit in order, if it has come back.
    fn advance(&mut self) -> Result<bool, LabError>;
    /// How it ended, if it has.
    fn ending(&self) -> Option<Ending>;
    /// Games all together, finished, counted in order, recorded before.
    fn state(&self) -> State;
    /// So many more games are over.
    fn played(&mut self, items: u64);
    /// The end of the part: writes the statistics unless it was interrupted.
    fn finish(self: Box<Self>) -> Result<Concluded, LabError>;
}

/// How far a part is.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct State {
    pub(super) items: u64,
    pub(super) played: u64,
    pub(super) counted: u64,
    pub(super) recorded: u64,
}

/// How far units are handed out ahead of the completed prefix of a part.
#[derive(Clone, Copy, Debug)]
pub(super) enum Pace {
    /// So many, those of all parts together.
    Window(u64),
    /// All of them; those of a part with a sequential test by waves, each when the one before it
    /// has been counted.
    Waves,
}

/// The units that hold the first so many games or questions of some work; all for `None`.
pub(super) fn units_of<W: Runnable>(work: &W, first: Option<u64>) -> u64 {
    let Some(first) = first else { return work.units() };
    let mut items = 0;
    let begins = |&unit: &u64| {
        let begins = items < first;
        items += work.items_of(unit);
        begins
    };
    (0..work.units()).take_while(begins).count() as u64
}

/// The games or questions of its first so many units.
pub(super) fn items_of<W: Runnable>(work: &W, units: u64) -> u64 {
    if units == work.units() { work.items() } else { (0..units).map(|u| work.items_of(u)).sum() }
}

pub(super) struct Line<'a, W: Runnable> {
    bench: Arc<Bench<'a, W>>,
    /// Units of it that are wanted now.
    until: u64,
    /// The first unit that is not yet part of the tally, and the first not yet handed out.
    next: u64,
    issued: u64,
    /// The end of the wave that is handed out.
    wave: u64,
    finished: BTreeMap<u64, Done<W>>,
    state: State,
    /// Games that are over, their units not yet.
    ahead: u64,
    ending: Option<Ending>,
    tally: W::Tally,
    sums: W::Sums,
}

impl<'a, W: Runnable> Line<'a, W> {
    /// A part of which the first so many items are wanted, and those that are recorded.
    pub(super) fn new(bench: Bench<'a, W>, first: Option<u64>) -> Line<'a, W> {
        let work = bench.work;
        let mut until = units_of(work, first);
        let there = if until < work.units() { bench.recorded() } else { Vec::new() };
        while there.binary_search(&until).is_ok() {
            until += 1;
        }
        Line {
            bench: Arc::new(bench),
            until,
            next: 0,
            issued: 0,
            wave: 0,
            finished: BTreeMap::new(),
            state: State { items: items_of(work, until), ..State::default() },
            ahead: 0,
            ending: (work.units() == 0).then_some(Ending::Complete),
            tally: work.tally(),
            sums: work.sums(),
        }
    }
}

impl<W: Runnable> Told for Line<'_, W> {
    fn score(&self) -> Option<f64> {
        self.bench.work.score(&self.tally)
    }

    fn line(&self) -> String {
        self.bench.work.line(&self.tally)
    }
}

impl<'a, W: Runnable> AnyLine<'a> for Line<'a, W> {
    fn playing(&self) -> Arc<dyn Playing<'a> + 'a> {
        self.bench.clone()
    }

    fn hand_out(&mut self, pace: Pace) -> Option<u64> {
        let work = self.bench.work;
        let end = match pace {
            Pace::Window(window) => self.next + window,
            Pace::Waves if work.is_sequential() => {
                if self.issued == self.next {
                    self.wave = self.next + wave_size(self.next, work.units());
                }
                self.wave
            }
            Pace::Waves => work.units(),
        };
        let end = end.min(self.until);
        let unit = Some(self.issued).filter(|&unit| unit < end && self.ending.is_none())?;
        self.issued += 1;
        Some(unit)
    }

    fn deliver(&mut self, unit: u64, parcel: Parcel) -> Result<(), LabError> {
        let done = opened::<W>(parcel)?;
        let items = done.records.len() as u64;
        if matches!(done.from, From::Before) {
            self.state.recorded += items;
            self.state.played += items;
        } else {
            // Some of them have been told already, by one unit or another.
            let untold = items.saturating_sub(self.ahead);
            self.ahead = self.ahead.saturating_sub(items);
            self.state.played += untold;
        }
        self.finished.insert(unit, done);
        Ok(())
    }

    fn publish(&mut self, unit: u64, parcel: Parcel) -> Result<bool, LabError> {
        match (opened::<W>(parcel)?.from, &self.bench.store) {
            (From::Here(bytes, times), Some(store)) => {
                store.publish(unit, &bytes, times).map(|()| true)
            }
            _ => Ok(false),
        }
    }

    fn advance(&mut self) -> Result<bool, LabError> {
        if self.ending().is_some() {
            return Ok(false);
        }
        let Some(Done { records, from }) = self.finished.remove(&self.next) else {
            return Ok(false);
        };
        if let From::Here(bytes, times) = from {
            W::add_times(&mut self.sums, &records, &times);
            if let Some(store) = &self.bench.store {
                store.publish(self.next, &bytes, times)?;
            }
        }
        self.next += 1;
        self.state.counted += records.len() as u64;
        let work = self.bench.work;
        work.count(&mut self.tally, records);
        self.ending = work.verdict(&self.tally);
        if self.next == work.units() {
            self.ending = self.ending.or(Some(Ending::Complete));
        }
        Ok(true)
    }

    fn ending(&self) -> Option<Ending> {
        self.ending.or_else(|| (self.next == self.until).then_some(Ending::Interrupted))
    }

    fn state(&self) -> State {
        self.state
    }

    fn played(&mut self, items: u64) {
        self.state.played += items;
        self.ahead += items;
    }

    fn finish(self: Box<Self>) -> Result<Concluded, LabError> {
        let summary = self.bench.work.summary(&self.tally);
        if let (Some(store), Some(_)) = (&self.bench.store, self.ending) {
            store.finish(&summary, self.next)?;
        }
        let ending = self.ending.unwrap_or(Ending::Interrupted);
        Ok(W::conclude(Finished { ending, summary, times: self.sums }))
    }
}
