//! Units → records: in parallel, published in schedule order, resumable.
//!
//! A run is a list of parts, each a match or an exam. Their units stand in one queue, part
//! after part, so that no thread waits for the last game of a part. Statistics and sequential
//! tests see the completed prefix of a part only. So there is no bias towards quick games, and
//! no result depends on the number of threads.
//!
//! This thread publishes, the others play: what the disk costs, they do not wait for.

mod assignment;
mod crew;
mod estimate;
mod line;
mod matches;
mod progress;
mod task;
mod whole;

pub(crate) use assignment::Place;
pub use assignment::{Assignment, Labour};
pub(crate) use crew::{Message, Order};
pub use estimate::{Estimate, estimate};
pub(crate) use line::{Played, Runnable};
pub use progress::{PartProgress, Progress, TrapSearch, Watcher};
pub(crate) use task::play_units;

use crate::cluster::Fleet;
use crate::stats::sprt::Decision;
use crate::store::Store;
use crate::summary::Summary;
use crate::times::Times;
use crate::{AnyGame, ExamSummary, ExamTimes, LabError, Plan};
use line::{AnyLine, Pace};
use spielbaum_core::Stop;
use std::collections::BTreeMap;
use std::sync::Mutex;
use std::sync::mpsc::{Receiver, Sender, TryRecvError, channel};

/// How a part ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Ending {
    /// All games are played.
    Complete,
    /// The sequential test has decided; later units are not played or dropped.
    Decided(Decision),
    /// The interval of the score is as narrow as was asked for.
    Narrow,
    /// It was stopped from outside, or only its first games were wanted; what was finished is
    /// recorded.
    Interrupted,
}

/// The result of a part; of a match, if it does not say otherwise.
#[derive(Clone, Debug)]
pub struct Finished<S = Summary, T = Times> {
    /// How it ended.
    pub ending: Ending,
    /// The statistics of the completed prefix.
    pub summary: S,
    /// Wall times of the games played now, which no record promises.
    pub times: T,
}

/// How a part of a run ended.
#[derive(Clone, Debug)]
pub enum Concluded {
    /// A match.
    Match(Box<Finished>),
    /// An exam.
    Exam(Box<Finished<ExamSummary, ExamTimes>>),
    /// It was not begun before the run was stopped.
    NotBegun,
}

/// Units handed out ahead of the first unfinished one of a part, for each thread: enough to
/// keep all busy while a long game holds up the order, few enough to lose little. And units
/// handed out at all.
const WINDOW: u64 = 8;

/// Parts begun at a time, beyond one for each thread: as many as a few long games can hold up.
const PARTS: usize = 4;

/// Plays a match on `jobs` threads and records it in `store`, if there is one. What the store
/// holds already is not played again. When `stop` is set, units begun are finished first.
pub fn run(
    game: &dyn AnyGame,
    plan: &Plan,
    store: Option<&Store>,
    jobs: usize,
    stop: &Stop,
    progress: Watcher<'_>,
) -> Result<Finished, LabError> {
    let part = Assignment { name: "match", game, work: Labour::Match(plan), first: None };
    let place = store.map_or(Place::Nowhere, Place::Match);
    match run_parts(&[part], place, Backend::Threads(jobs), stop, progress)?.pop() {
        Some(Concluded::Match(finished)) => Ok(*finished),
        _ => {
            let summary = plan.summary(&plan.tally());
            Ok(Finished { ending: Ending::Interrupted, summary, times: plan.sums() })
        }
    }
}

/// Who plays the units of a run.
pub(crate) enum Backend<'f, 'b> {
    /// So many threads of this process.
    Threads(usize),
    /// Tasks of a batch system.
    Cluster(&'f mut Fleet<'b>),
}

/// Works through all parts in order; tells how each ended.
pub(crate) fn run_parts(
    parts: &[Assignment<'_>],
    place: Place<'_>,
    backend: Backend<'_, '_>,
    stop: &Stop,
    progress: Watcher<'_>,
) -> Result<Vec<Concluded>, LabError> {
    let halt = Stop::new();
    let (orders, queue) = channel();
    let queue = Mutex::new(queue);
    let (sender, messages) = channel();
    std::thread::scope(|scope| {
        let mut run = match backend {
            Backend::Threads(jobs) => {
                let jobs = jobs.max(1);
                for _ in 0..jobs {
                    let (queue, halt, sender) = (&queue, &halt, sender.clone());
                    scope.spawn(move || crew::work(queue, &sender, stop, halt));
                }
                Run::new(parts, place, Pace::Window(WINDOW * jobs as u64), PARTS + jobs, orders)
            }
            Backend::Cluster(fleet) => {
                let (queue, halt, sender) = (&queue, &halt, sender.clone());
                let names: Vec<&str> = parts.iter().map(|part| part.name).collect();
                scope.spawn(move || fleet.work(&names, queue, &sender, stop, halt));
                // Whatever may be needed is submitted: a queue has its own idea of order.
                Run::new(parts, place, Pace::Waves, usize::MAX, orders)
            }
        };
        drop(sender);
        let driven = run.drive(&messages, stop, progress);
        halt.set();
        driven.and_then(|()| run.conclude())
    })
}

/// A part at work.
struct Active<'a> {
    line: Box<dyn AnyLine<'a> + 'a>,
    playing: std::sync::Arc<dyn line::Playing<'a> + 'a>,
    through: Stop,
}

struct Run<'a> {
    parts: &'a [Assignment<'a>],
    place: Place<'a>,
    pace: Pace,
    most: usize,
    orders: Sender<Order<'a>>,
    /// The first part not yet begun, and those at work.
    next: usize,
    active: BTreeMap<usize, Active<'a>>,
    /// Units handed out that have not come back.
    running: u64,
    concluded: Vec<Concluded>,
    /// Who waits until all is counted.
    waiting: Vec<Sender<()>>,
    through: usize,
    note: String,
    ended: Vec<(usize, u64, String)>,
    /// Of the parts that are through: games, and games recorded before; and weighed.
    games: [u64; 2],
    weights: [f64; 2],
    /// Of all parts not yet through.
    open_games: u64,
    open_weight: f64,
}

impl<'a> Run<'a> {
    fn new(
        parts: &'a [Assignment<'a>],
        place: Place<'a>,
        pace: Pace,
        most: usize,
        orders: Sender<Order<'a>>,
    ) -> Self {
        let sizes = || parts.iter().map(Assignment::size);
        Run {
            parts,
            place,
            pace,
            most,
            orders,
            next: 0,
            active: BTreeMap::new(),
            running: 0,
            concluded: parts.iter().map(|_| Concluded::NotBegun).collect(),
            waiting: Vec::new(),
            through: 0,
            note: String::new(),
            ended: Vec::new(),
            games: [0; 2],
            weights: [0.0; 2],
            open_games: sizes().map(|(items, _)| items).sum(),
            open_weight: sizes().map(|(items, plays)| items as f64 * plays).sum(),
        }
    }

    fn drive(
        &mut self,
        messages: &Receiver<Message>,
        stop: &Stop,
        progress: Watcher<'_>,
    ) -> Result<(), LabError> {
        loop {
            if !stop.is_set() {
                self.hand_out()?;
            }
            // One file at a time: threads that come back meanwhile get new units at once.
            let news = self.advance()?;
            if news {
                progress(&self.progress());
                self.ended.clear();
            } else if self.running == 0 {
                return Ok(());
            } else {
                // All is counted; who waits for that may have given up.
                for waiting in self.waiting.drain(..) {
                    let _ = waiting.send(());
                }
            }
            let message = match news {
                true => match messages.try_recv() {
                    Err(TryRecvError::Empty) => continue,
                    other => other.ok(),
                },
                false => messages.recv().ok(),
            };
            match message {
                Some(message) => self.take(message, progress)?,
                None => return Ok(()),
            }
            while let Ok(message) = messages.try_recv() {
                self.take(message, progress)?;
            }
        }
    }

    fn take(&mut self, message: Message, progress: Watcher<'_>) -> Result<(), LabError> {
        match message {
            Message::Played { part, items } => {
                if let Some(active) = self.active.get_mut(&part) {
                    active.line.played(items);
                    progress(&self.progress());
                    self.ended.clear();
                }
            }
            Message::Counted(waiting) => self.waiting.push(waiting),
            Message::Note(note) => {
                self.note = note;
                progress(&self.progress());
                self.ended.clear();
            }
            Message::Done { part, unit, result } => {
                self.running -= 1;
                if let (Some(parcel), Some(active)) = (result?, self.active.get_mut(&part)) {
                    active.line.deliver(unit, parcel)?;
                }
            }
        }
        Ok(())
    }

    /// Keeps the queue filled, from the first parts first.
    fn hand_out(&mut self) -> Result<(), LabError> {
        let pace = self.pace;
        let window = if let Pace::Window(window) = pace { window } else { u64::MAX };
        loop {
            for (&part, active) in &mut self.active {
                while self.running < window
                    && let Some(unit) = active.line.hand_out(pace)
                {
                    let (playing, through) = (active.playing.clone(), active.through.clone());
                    if self.orders.send(Order { part, unit, playing, through }).is_err() {
                        return Ok(());
                    }
                    self.running += 1;
                }
            }
            let room = self.running < window && self.active.len() < self.most;
            if !room || self.next == self.parts.len() {
                return Ok(());
            }
            self.begin()?;
        }
    }

    /// Begins the next part.
    fn begin(&mut self) -> Result<(), LabError> {
        let line = self.parts[self.next].open(self.place)?;
        // What is recorded beyond the first games counts as well.
        let (items, plays) = self.parts[self.next].size();
        let more = line.state().items - items;
        self.open_games += more;
        self.open_weight += more as f64 * plays;
        let (playing, through) = (line.playing(), Stop::new());
        self.active.insert(self.next, Active { line, playing, through });
        self.next += 1;
        self.retire()
    }

    /// Publishes and counts one unit, of the first part that has one; whether there was one.
    fn advance(&mut self) -> Result<bool, LabError> {
        let mut news = false;
        for active in self.active.values_mut() {
            if active.line.advance()? {
                news = true;
                break;
            }
        }
        if news {
            self.retire()?;
        }
        Ok(news)
    }

    /// Ends the parts that are through.
    fn retire(&mut self) -> Result<(), LabError> {
        let ended = |active: &Active<'_>| active.line.ending().is_some();
        while let Some(part) = self.active.iter().find(|(_, a)| ended(a)).map(|(&part, _)| part) {
            if let Some(Active { line, through, .. }) = self.active.remove(&part) {
                through.set();
                let (_, plays) = self.parts[part].size();
                let state = line.state();
                self.open_games -= state.items;
                self.open_weight -= state.items as f64 * plays;
                self.through += 1;
                for (i, games) in [state.counted, state.recorded].into_iter().enumerate() {
                    self.games[i] += games;
                    self.weights[i] += games as f64 * plays;
                }
                self.ended.push((part, state.counted, line.line()));
                self.concluded[part] = line.finish()?;
            }
        }
        Ok(())
    }

    /// The end: parts that are not through are interrupted.
    fn conclude(mut self) -> Result<Vec<Concluded>, LabError> {
        for (part, active) in std::mem::take(&mut self.active) {
            self.concluded[part] = active.line.finish()?;
        }
        Ok(self.concluded)
    }

    fn progress(&self) -> Progress<'_> {
        let (mut games, mut weights) = (self.games, self.weights);
        let mut parts = Vec::new();
        for (&part, active) in &self.active {
            let (_, plays) = self.parts[part].size();
            let state = active.line.state();
            for (i, n) in [state.played, state.recorded].into_iter().enumerate() {
                games[i] += n;
                weights[i] += n as f64 * plays;
            }
            parts.push(PartProgress {
                part,
                played: state.played,
                counted: state.counted,
                games: state.items,
                line: &*active.line,
            });
        }
        let all = (self.weights[0] + self.open_weight).max(1.0);
        Progress {
            played: games[0],
            games: self.games[0] + self.open_games,
            recorded: games[1],
            share: weights.map(|weight| (weight / all).clamp(0.0, 1.0)),
            through: self.through,
            parts,
            note: &self.note,
            ended: &self.ended,
            traps: None,
        }
    }
}
