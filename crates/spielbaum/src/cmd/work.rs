//! `work`: one task of a run on a cluster. Slurm calls it, people need not.

use crate::catalog::GAMES;
use crate::failure::{Failure, Outcome};
use crate::interrupt;
use crate::layout;
use crate::output::Output;
use clap::Args;
use spielbaum_lab::{Access, Experiment, RunDir, RunHeader};
use std::path::PathBuf;
use std::time::Instant;

/// Play the units of one task of a run on a cluster
#[derive(Args)]
pub(crate) struct Work {
    /// The directory of the run
    dir: PathBuf,

    /// The list of tasks
    file: PathBuf,

    /// Number of the task [default: SLURM_ARRAY_TASK_ID]
    #[arg(long, value_name = "K")]
    task: Option<usize>,

    /// Threads [default: SLURM_CPUS_PER_TASK, or one]
    #[arg(long, value_name = "J", value_parser = clap::value_parser!(u16).range(1..=1024))]
    jobs: Option<u16>,
}

impl Work {
    pub(crate) fn run(&self, out: &mut Output) -> Outcome {
        let begun = Instant::now();
        let task = self.task.or_else(|| from_slurm("SLURM_ARRAY_TASK_ID"));
        let task = task.ok_or_else(|| {
            Failure::Input("which task? `--task` or SLURM_ARRAY_TASK_ID says it".to_string())
        })?;
        let jobs = self.jobs.map(usize::from).or_else(|| from_slurm("SLURM_CPUS_PER_TASK"));
        let header = RunHeader::read(&self.dir)?;
        let experiment = Experiment::open(&self.dir, header.options, GAMES)?;
        let experiment = experiment.map_err(Failure::input)?;
        let place = RunDir::create(&self.dir, &experiment, Access::Shared)?;
        let stop = interrupt::on_ctrl_c("stopping: what is not finished will be played again")?;
        let jobs = jobs.unwrap_or(1).clamp(1, 1024);
        let units = place.work(&experiment, &self.file, task, GAMES, jobs, &stop)?;
        let time = layout::seconds(begun.elapsed().as_secs_f64());
        let units = layout::count(units);
        out.text(&format!("task {task}: {units} units played in {time}"))?;
        match stop.is_set() {
            true => Err(Failure::Interrupted("stopped before all were played".to_string())),
            false => Ok(()),
        }
    }
}

/// A number that Slurm has put into the environment.
fn from_slurm(name: &str) -> Option<usize> {
    std::env::var(name).ok()?.trim().parse().ok()
}
