//! Runs on many machines: the units of a run, cut into tasks for a batch system.
//!
//! The [`Fleet`] takes the place of the threads of a run. It submits units as arrays of tasks,
//! sees them appear in the directory of the run, submits again what a task left behind, and
//! asks the queue what is still to come. Everything else, the order in which units count, the
//! tests that stop a part, the statistics, is the runner's own and does not know where a unit
//! was played. Workers publish whole units, the first wins, and nobody is asked for anything
//! but files: a task may die, run twice, or end long after it was given up.

mod cut;
mod fleet;
mod slurm;
mod wave;

pub use cut::Cut;
pub(crate) use cut::wave_size;
pub use fleet::Fleet;
pub use slurm::Slurm;
pub(crate) use wave::Wave;

use crate::LabError;
use std::path::{Path, PathBuf};

/// A batch system: it runs tasks somewhere, some time, perhaps.
pub trait Batch: Send {
    /// What it is called.
    fn name(&self) -> &'static str;
    /// Submits tasks 0 to `tasks - 1` of a file; the name of the job.
    fn submit(&mut self, file: &Path, tasks: usize) -> Result<String, LabError>;
    /// The tasks of these jobs that have not ended. Jobs it has forgotten have none.
    fn queue(&mut self, jobs: &[String]) -> Result<Vec<Queued>, LabError>;
    /// Ends these jobs.
    fn cancel(&mut self, jobs: &[String]) -> Result<(), LabError>;
    /// How a person ends these jobs.
    fn how_to_cancel(&self, jobs: &[String]) -> String;
    /// Where a task writes what it has to say.
    fn output(&self, file: &Path, task: usize) -> PathBuf;
}

/// A task that has not ended.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Queued {
    /// Its job.
    pub job: String,
    /// Its number in the job.
    pub task: usize,
    /// Whether it runs now.
    pub running: bool,
    /// Why not, as the batch system puts it.
    pub reason: String,
}
