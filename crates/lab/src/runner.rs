//! Units → records: in parallel, published in schedule order, resumable.
//!
//! Statistics and sequential tests see the completed prefix of the schedule only. So there is
//! no bias towards quick games, and no result depends on the number of threads.

use crate::record::{GameRecord, GameTimes, Unit};
use crate::report::Summary;
use crate::stats::sprt::Decision;
use crate::tally::{Tally, Times};
use crate::{AnyGame, LabError, Plan, Store};
use spielbaum_core::Stop;
use std::collections::BTreeMap;
use std::sync::Mutex;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::time::{Duration, Instant};

/// How far a match is.
pub struct Progress<'a> {
    /// Games finished, recorded before or played now.
    pub played: u64,
    /// Games of the whole match.
    pub games: u64,
    /// Games of this match that were recorded before.
    pub recorded: u64,
    /// The completed prefix.
    pub tally: &'a Tally,
    /// Wall times of the games played now.
    pub times: &'a Times,
}

/// How a run ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Ending {
    /// All games are played.
    Complete,
    /// The sequential test has decided; later units are not played or dropped.
    Decided(Decision),
    /// It was stopped from outside; what was finished is recorded.
    Interrupted,
}

/// The result of a run.
#[derive(Clone, Debug)]
pub struct Finished {
    /// How it ended.
    pub ending: Ending,
    /// The statistics of the completed prefix.
    pub summary: Summary,
    /// Wall times of the games played now, which no record promises.
    pub times: Times,
}

/// Units handed out ahead of the first unfinished one, for each thread: enough to keep all busy
/// while a long game holds up the order, few enough to lose little.
const WINDOW: u64 = 8;

/// How often a thread says how many games it has played: waking another thread for each game
/// costs more than a quick game.
const TELL_EVERY: Duration = Duration::from_millis(100);

enum Message {
    /// So many more games are over, their unit not yet.
    Played(u64),
    /// A unit is done, or has not been begun because the run is being stopped.
    Done(u64, Result<Option<Unit>, LabError>),
}

/// Plays a match on `jobs` threads and records it in `store`, if there is one. What the store
/// holds already is not played again. When `stop` is set, units begun are finished first.
pub fn run(
    game: &dyn AnyGame,
    plan: &Plan,
    store: Option<&Store>,
    jobs: usize,
    stop: &Stop,
    progress: &mut dyn FnMut(&Progress<'_>),
) -> Result<Finished, LabError> {
    let halt = Stop::new();
    let halted = || halt.is_set() || stop.is_set();
    let (tasks, queue) = channel();
    let queue = Mutex::new(queue);
    let (sender, messages) = channel();
    std::thread::scope(|scope| {
        for _ in 0..jobs.max(1) {
            let (queue, halted, sender) = (&queue, &halted, sender.clone());
            scope.spawn(move || work(game, plan, queue, &sender, halted));
        }
        drop(sender);
        let mut run = Run::new(plan, store, (WINDOW * jobs.max(1) as u64).max(1));
        let ending = run.drive(&tasks, &messages, stop, progress);
        halt.set();
        drop(tasks);
        let (ending, summary) = (ending?, run.tally.summary(plan));
        if let (Some(store), false) = (store, ending == Ending::Interrupted) {
            store.finish(&summary)?;
        }
        Ok(Finished { ending, summary, times: run.times })
    })
}

/// A thread: takes units in order and plays them with players built once.
fn work(
    game: &dyn AnyGame,
    plan: &Plan,
    queue: &Mutex<Receiver<u64>>,
    results: &Sender<Message>,
    halted: &(dyn Fn() -> bool + Sync),
) {
    let mut worker = None;
    let take = || queue.lock().ok()?.recv().ok();
    while let Some(unit) = take() {
        let guard = Guard(unit, results);
        let mut play = || {
            if halted() {
                return Ok(None);
            }
            if worker.is_none() {
                worker = Some(game.worker(plan)?);
            }
            let Some(worker) = &mut worker else { return Ok(None) };
            let mut games: Vec<(GameRecord, GameTimes)> = Vec::new();
            let (mut told, mut when) = (0, Instant::now());
            for number in plan.schedule.unit(unit) {
                games.push(worker.play(&plan.schedule.job(number))?);
                if when.elapsed() >= TELL_EVERY {
                    // Nobody listens any more after an error elsewhere: the unit is dropped.
                    let _ = results.send(Message::Played(games.len() as u64 - told));
                    (told, when) = (games.len() as u64, Instant::now());
                }
            }
            let _ = results.send(Message::Played(games.len() as u64 - told));
            Ok(Some(games.into_iter().unzip()))
        };
        if results.send(Message::Done(unit, play())).is_err() {
            return;
        }
        drop(guard);
    }
}

/// Tells the run that a thread panicked, which would otherwise wait for its unit for ever.
struct Guard<'a>(u64, &'a Sender<Message>);

impl Drop for Guard<'_> {
    fn drop(&mut self) {
        if std::thread::panicking() {
            let error = LabError::Request(format!("a player panicked in unit {}", self.0));
            let _ = self.1.send(Message::Done(self.0, Err(error)));
        }
    }
}

struct Run<'a> {
    plan: &'a Plan,
    store: Option<&'a Store>,
    window: u64,
    /// The first unit that is not yet part of the tally, and the first not yet handed out.
    next: u64,
    issued: u64,
    running: u64,
    finished: BTreeMap<u64, Unit>,
    played: u64,
    recorded: u64,
    tally: Tally,
    times: Times,
}

impl<'a> Run<'a> {
    fn new(plan: &'a Plan, store: Option<&'a Store>, window: u64) -> Self {
        let tally = Tally::new(plan);
        let times = Times::new(plan.players.len());
        let finished = BTreeMap::new();
        let (next, issued, running, played, recorded) = (0, 0, 0, 0, 0);
        Run { plan, store, window, next, issued, running, finished, played, recorded, tally, times }
    }

    fn drive(
        &mut self,
        tasks: &Sender<u64>,
        messages: &Receiver<Message>,
        stop: &Stop,
        progress: &mut dyn FnMut(&Progress<'_>),
    ) -> Result<Ending, LabError> {
        loop {
            if let Some(ending) = self.advance(progress)? {
                return Ok(ending);
            }
            if !stop.is_set() {
                self.hand_out(tasks);
            }
            if self.running == 0 {
                return Ok(Ending::Interrupted);
            }
            match messages.recv() {
                Ok(Message::Played(games)) => {
                    self.played += games;
                    progress(&self.progress());
                }
                Ok(Message::Done(unit, result)) => {
                    self.running -= 1;
                    if let Some(done) = result? {
                        self.finished.insert(unit, done);
                    }
                }
                Err(_) => return Ok(Ending::Interrupted),
            }
        }
    }

    /// Publishes and counts what is next in order, played now or recorded before.
    fn advance(
        &mut self,
        progress: &mut dyn FnMut(&Progress<'_>),
    ) -> Result<Option<Ending>, LabError> {
        while self.next < self.plan.schedule.units() {
            let records = if let Some((records, times)) = self.finished.remove(&self.next) {
                self.times.add(&records, &times);
                if let Some(store) = self.store {
                    store.publish(self.next, &records, &times)?;
                }
                records
            } else if let Some(records) = self.stored()? {
                self.played += records.len() as u64;
                self.recorded += records.len() as u64;
                records
            } else {
                return Ok(None);
            };
            self.next += 1;
            for record in &records {
                self.tally.add(record);
            }
            progress(&self.progress());
            let decision =
                self.plan.sprt.and_then(|sprt| sprt.decide(self.tally.wdl(), self.tally.rounds()));
            if let Some(decision) = decision {
                return Ok(Some(Ending::Decided(decision)));
            }
        }
        Ok(Some(Ending::Complete))
    }

    fn stored(&self) -> Result<Option<Vec<GameRecord>>, LabError> {
        self.store.map_or(Ok(None), |store| store.read(self.next))
    }

    fn hand_out(&mut self, tasks: &Sender<u64>) {
        self.issued = self.issued.max(self.next);
        let end = self.plan.schedule.units().min(self.next + self.window);
        while self.issued < end {
            let known = self.store.is_some_and(|store| store.has(self.issued));
            if !known && tasks.send(self.issued).is_ok() {
                self.running += 1;
            }
            self.issued += 1;
        }
    }

    fn progress(&self) -> Progress<'_> {
        Progress {
            played: self.played,
            games: self.plan.schedule.games(),
            recorded: self.recorded,
            tally: &self.tally,
            times: &self.times,
        }
    }
}
