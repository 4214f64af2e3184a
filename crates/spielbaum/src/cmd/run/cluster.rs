//! `run --backend slurm`: the units of a run, played by tasks of a cluster.

use crate::catalog::GAMES;
use crate::failure::Failure;
use crate::watch::Watch;
use clap::{Args, ValueEnum};
use spielbaum_core::Stop;
use spielbaum_core::param::parse_duration;
use spielbaum_lab::cluster::{Cut, Fleet, Slurm};
use spielbaum_lab::{Access, Experiment, Part, Progress, RunDir};
use std::path::Path;
use std::time::Duration;

/// Tasks in one array, where neither the user nor Slurm says less.
const TASKS: usize = 1000;

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(super) enum Backend {
    /// Threads of this machine
    Local,
    /// Tasks of a Slurm cluster
    Slurm,
}

/// Where the games are played.
#[derive(Args)]
pub(crate) struct Cluster {
    /// Who plays: threads here, or tasks of a cluster
    #[arg(long, value_enum, default_value_t = Backend::Local)]
    backend: Backend,

    /// Slurm: most tasks in one array [default: 1000, or what Slurm allows]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    tasks: Option<u32>,

    /// Slurm: about how long a task takes [default: 1 to 10 minutes, by the work there is]
    #[arg(long, value_name = "TIME", value_parser = duration)]
    task_time: Option<Duration>,

    /// Slurm: most tasks that run at the same time
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    at_once: Option<u32>,

    /// Slurm: an option for sbatch, such as --slurm-option=--partition=long; may be repeated
    #[arg(long, value_name = "OPTION", allow_hyphen_values = true)]
    slurm_option: Vec<String>,
}

fn duration(text: &str) -> Result<Duration, String> {
    parse_duration(text)
        .filter(|time| !time.is_zero())
        .ok_or_else(|| "a duration such as 90s or 5m is expected".to_string())
}

/// How a run on a cluster was left.
pub(super) enum Left {
    /// All units are recorded.
    Done,
    /// By Ctrl-C; the tasks go on, and this ends them.
    Detached(Option<String>),
}

impl Cluster {
    /// Whether it is asked for; an error if only its options are.
    pub(super) fn is_wanted(&self) -> Result<bool, Failure> {
        let options = [
            ("--tasks", self.tasks.is_some()),
            ("--task-time", self.task_time.is_some()),
            ("--at-once", self.at_once.is_some()),
            ("--slurm-option", !self.slurm_option.is_empty()),
        ];
        match (self.backend, options.iter().find(|(_, given)| *given)) {
            (Backend::Slurm, _) => Ok(true),
            (Backend::Local, None) => Ok(false),
            (Backend::Local, Some((name, _))) => {
                Err(Failure::Input(format!("{name} says something about `--backend slurm` only")))
            }
        }
    }

    /// Has everything played that may be needed. Tasks have so many threads each.
    pub(super) fn dispatch(
        &self,
        experiment: &Experiment,
        dir: &Path,
        wanted: &dyn Fn(&Part) -> bool,
        threads: Option<u16>,
        stop: &Stop,
        watch: &mut Watch,
    ) -> Result<Left, Failure> {
        let mut options = Vec::new();
        options.extend(threads.map(|n| format!("--cpus-per-task={n}")));
        options.extend(self.slurm_option.iter().cloned());
        let mut slurm = Slurm::find(options, self.at_once)?;
        let place = RunDir::create(dir, experiment, Access::Shared)?;
        // As the user names it, with links: other machines may resolve them otherwise.
        let dir = std::path::absolute(dir)?;
        let program = std::env::current_exe()?;
        let words = [program.as_os_str(), "work".as_ref(), dir.as_os_str()];
        let words: Option<Vec<String>> =
            words.iter().map(|word| Some(word.to_str()?.to_string())).collect();
        let words = words.ok_or_else(|| {
            Failure::Input(format!("{}: a name that is not UTF-8", dir.display()))
        })?;
        slurm.write_script(&dir.join("slurm"), &words)?;
        let most = slurm.most_tasks();
        let tasks = self.tasks.map_or(TASKS.min(most), |n| most.min(n as usize));
        let cut = Cut { tasks, time: self.task_time };
        let mut fleet = Fleet::new(&dir, &mut slurm, cut)?;
        let mut show = |p: &Progress<'_>| watch.show(p);
        let done = place.dispatch(experiment, wanted, GAMES, &mut fleet, stop, &mut show);
        if let Err(e) = done {
            let others = fleet.how_to_cancel().map(|command| {
                format!("\nother tasks may still be in the queue, this ends them:\n  {command}")
            });
            return Err(Failure::task(format!("{e}{}", others.unwrap_or_default())));
        }
        if !stop.is_set() {
            fleet.recall(stop)?;
        }
        match stop.is_set() {
            true => Ok(Left::Detached(fleet.how_to_cancel())),
            false => Ok(Left::Done),
        }
    }
}
