//! The tasks of a run: what is submitted, what has come of it, what is submitted again.

mod voyage;

use super::{Batch, Cut, Queued, Wave};
use crate::LabError;
use crate::runner::{Message, Order};
use crate::store::{Lock, lock_file};
use spielbaum_core::Stop;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::mpsc::{Receiver, Sender};
use std::time::{Duration, Instant};
use voyage::Voyage;

/// The folder of a run for what belongs to a batch system: outside the promise of identical
/// bytes.
pub(super) const FOLDER: &str = "slurm";

/// How long the last tasks may take to disappear from the queue.
const FAREWELL: Duration = Duration::from_secs(120);

/// How often that is looked at.
const A_WHILE: Duration = Duration::from_millis(300);

/// A task has ended when the queue has not known it so often: a file system may need a while
/// to show what another machine has written.
const MISSED: u32 = 2;

/// The tasks of one run on a batch system; nobody else submits for it meanwhile.
pub struct Fleet<'b> {
    batch: &'b mut dyn Batch,
    cut: Cut,
    folder: PathBuf,
    flights: Vec<Flight>,
    /// Why the first task that waits does.
    reason: String,
    /// Held, not read.
    _lock: Lock,
}

/// A submission, and what is known of its tasks.
struct Flight {
    job: String,
    file: PathBuf,
    tasks: Vec<TaskState>,
}

#[derive(Clone, Copy, Default)]
struct TaskState {
    /// How often in a row the queue has not known it.
    missed: u32,
    running: bool,
    /// Whether a unit of it has appeared.
    fruitful: bool,
}

impl TaskState {
    fn has_ended(&self) -> bool {
        self.missed >= MISSED
    }
}

impl<'b> Fleet<'b> {
    /// The fleet of a run's directory. Tasks that were submitted before and have not ended are
    /// part of it.
    pub fn new(dir: &Path, batch: &'b mut dyn Batch, cut: Cut) -> Result<Fleet<'b>, LabError> {
        let folder = dir.join(FOLDER);
        std::fs::create_dir_all(&folder).map_err(LabError::io(&folder))?;
        let lock = lock_file(dir, &folder.join("lock"), crate::Access::Alone)?;
        let mut flights = Vec::new();
        for number in Wave::numbers(&folder) {
            let file = Wave::path(&folder, number);
            // One that cannot be read is nobody's any more.
            if let Ok(Wave { job: Some(job), tasks, .. }) = Wave::read(&file) {
                let tasks = vec![TaskState::default(); tasks.len()];
                flights.push(Flight { job, file, tasks });
            }
        }
        let mut fleet = Fleet { batch, cut, folder, flights, reason: String::new(), _lock: lock };
        let queue = fleet.batch.queue(&fleet.jobs())?;
        fleet.flights.retain(|flight| queue.iter().any(|task| task.job == flight.job));
        fleet.see(&queue);
        Ok(fleet)
    }

    /// The jobs that have not ended, as far as it is known.
    pub fn jobs(&self) -> Vec<String> {
        let alive = |flight: &&Flight| flight.tasks.iter().any(|task| !task.has_ended());
        self.flights.iter().filter(alive).map(|flight| flight.job.clone()).collect()
    }

    /// How the tasks stand, in one line: `slurm: 3 run, 5 wait (Resources)`.
    fn state(&self) -> String {
        let tasks = || self.flights.iter().flat_map(|f| &f.tasks).filter(|task| task.missed == 0);
        let running = tasks().filter(|task| task.running).count();
        let waiting = tasks().count() - running;
        let reason = match (waiting, self.reason.as_str()) {
            (0, _) | (_, "") => String::new(),
            (_, reason) => format!(" ({reason})"),
        };
        format!("{}: {running} run, {waiting} wait{reason}", self.batch.name())
    }

    /// How a person ends the jobs that have not ended.
    pub fn how_to_cancel(&self) -> Option<String> {
        let jobs = self.jobs();
        (!jobs.is_empty()).then(|| self.batch.how_to_cancel(&jobs))
    }

    /// Ends what is still in the queue when all is decided, and waits until it is gone.
    pub fn recall(&mut self, stop: &Stop) -> Result<(), LabError> {
        let begun = Instant::now();
        let mut cancelled = false;
        while begun.elapsed() < FAREWELL && !stop.is_set() {
            let queue = self.batch.queue(&self.jobs())?;
            let jobs: BTreeSet<&String> = queue.iter().map(|task| &task.job).collect();
            if jobs.is_empty() {
                break;
            }
            if !cancelled {
                // Some may just end by themselves: that is no failure.
                let _ = self.batch.cancel(&jobs.into_iter().cloned().collect::<Vec<_>>());
                cancelled = true;
            }
            std::thread::sleep(A_WHILE);
        }
        Ok(())
    }

    /// Plays the part of a run's threads: takes orders, tells what has become of them.
    pub(crate) fn work<'a>(
        &mut self,
        names: &[&str],
        orders: &Mutex<Receiver<Order<'a>>>,
        messages: &Sender<Message>,
        stop: &Stop,
        halt: &Stop,
    ) {
        if let Ok(orders) = orders.lock() {
            Voyage::new(self, names, &orders, messages).work(stop, halt);
        }
    }

    /// The units of tasks that have not ended, by part and number.
    fn at_sea(&self) -> BTreeMap<(String, u64), (usize, usize)> {
        let mut units = BTreeMap::new();
        for (f, flight) in self.flights.iter().enumerate() {
            let Ok(wave) = Wave::read(&flight.file) else { continue };
            let alive = |&t: &usize| flight.tasks[t].missed == 0;
            for t in (0..flight.tasks.len().min(wave.tasks.len())).filter(alive) {
                for (part, unit) in wave.units(t) {
                    units.insert((part.to_string(), unit), (f, t));
                }
            }
        }
        units
    }

    /// Submits tasks.
    fn submit(&mut self, mut wave: Wave) -> Result<usize, LabError> {
        let number = Wave::numbers(&self.folder).last().map_or(1, |last| last + 1);
        let file = Wave::path(&self.folder, number);
        wave.write(&file)?;
        let job = self.batch.submit(&file, wave.tasks.len())?;
        wave.job = Some(job.clone());
        let tasks = vec![TaskState::default(); wave.tasks.len()];
        self.flights.push(Flight { job, file: file.clone(), tasks });
        wave.write(&file)?;
        Ok(self.flights.len() - 1)
    }

    /// Notes which tasks are in the queue.
    fn see(&mut self, queue: &[Queued]) {
        let waiting = queue.iter().find(|task| !task.running);
        self.reason = waiting.map_or(String::new(), |task| task.reason.clone());
        let queue: BTreeMap<(&str, usize), &Queued> =
            queue.iter().map(|task| ((task.job.as_str(), task.task), task)).collect();
        for flight in &mut self.flights {
            for (t, task) in flight.tasks.iter_mut().enumerate() {
                match queue.get(&(flight.job.as_str(), t)) {
                    Some(found) => (task.missed, task.running) = (0, found.running),
                    None => (task.missed, task.running) = (task.missed.saturating_add(1), false),
                }
            }
        }
    }
}
