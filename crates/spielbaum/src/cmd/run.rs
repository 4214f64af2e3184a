//! `run`: an experiment file, all of it.

mod cluster;
mod estimate;
mod only;

use crate::args::count;
use crate::catalog::{GAMES, RECORDED};
use crate::cmd::status;
use crate::failure::{Failure, Outcome};
use crate::interrupt;
use crate::output::Output;
use crate::watch::Watch;
use clap::Args;
use cluster::{Cluster, Left};
use only::Only;
use spielbaum_lab::{
    Access, Adopted, Donor, Experiment, Offer, Part, Progress, Results, RunDir, RunHeader,
    RunOptions, digest_instead,
};
use std::collections::BTreeSet;
use std::ffi::OsString;
use std::io::Write as _;
use std::path::{Path, PathBuf};

const AFTER_HELP: &str = "\
Everything is recorded in the directory of the run: kill it or press Ctrl-C, and
`spielbaum run DIR` goes on where it was. The records are the same on any number of
threads, interrupted or not, for budgets without wall time. What is wrong with the
file is told before anything runs.

With --backend slurm the games are played by tasks of a cluster, and this command submits,
watches and submits again what is missing; the records are the same. Ctrl-C leaves the
tasks at work, the same command comes back to them.

With --first N every part gets its first N games, in whole units (hundreds of games where they
are short), and no more; the records are those of the whole run, and the command with a larger
N or without it goes on. Claims are judged by what is there, with intervals that hold whenever one
looks; what only other intervals would decide is provisional.

With --dry-run nothing is recorded: the parts are listed, and a little of each is
tried to estimate the time; with --from, the time of what is left, with --first
that of the first games.

JSON: as `spielbaum status DIR --json`; with --dry-run {\"format\", \"title\", \"parts\":
  [{\"part\", \"section\", \"setting\", \"games\", \"seconds\", \"at_least\"}], \"games\",
  \"core_hours\"}

Examples:
  spielbaum run experiments/sweep.toml --quick
  spielbaum run experiments/sweep.toml --dry-run
  spielbaum run experiments/sweep.toml --only constant --jobs 4
  spielbaum run experiments/sweep.toml --backend slurm --slurm-option=--partition=long
  spielbaum run runs/sweep
  spielbaum run experiments/sweep.toml --first 20
  spielbaum run experiments/sweep.toml --out runs/sweep-more --from runs/sweep
  spielbaum run experiments/sweep.toml --from sweep.json";

/// Run an experiment file, or go on with a run
#[derive(Args)]
#[command(after_help = AFTER_HELP)]
pub(crate) struct Run {
    /// An experiment file, or the directory of a run to go on with
    #[arg(value_name = "FILE|DIR")]
    file: PathBuf,

    /// Record the run here [default: runs/ and the name of the file]
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,

    /// A short version: what the file says under `quick`, or a twentieth of the games
    #[arg(long)]
    quick: bool,

    #[command(flatten)]
    manner: Manner,
}

/// How an experiment is run, whichever command says so.
#[derive(Args)]
pub(crate) struct Manner {
    /// The budgets of the paper, `paper-budget`, instead of reproducible ones
    #[arg(long)]
    pub(crate) paper_time: bool,

    /// Say what would be run and about how long it takes
    #[arg(long)]
    dry_run: bool,

    /// Take over what is the same from this run, after `games` was raised or a section added, or
    /// from the digest of a run that was begun elsewhere
    #[arg(long, value_name = "DIR|FILE")]
    from: Option<PathBuf>,

    #[command(flatten)]
    pub(crate) only: Only,

    /// Only the first so many games or answers of each part, in whole units; with a larger number, or
    /// without it, the same command goes on
    #[arg(long, value_name = "N", value_parser = count)]
    first: Option<u64>,

    /// Threads; on a cluster, of each task [default: one for each core; on a cluster one]
    #[arg(long, value_name = "J", value_parser = clap::value_parser!(u16).range(1..=1024))]
    jobs: Option<u16>,

    /// Do not show how the run goes
    #[arg(long, short)]
    quiet: bool,

    /// Answer in JSON
    #[arg(long)]
    json: bool,

    #[command(flatten)]
    cluster: Cluster,
}

/// An experiment that is about to be run: everything is checked, and nothing is written.
pub(crate) struct Prepared<'a> {
    experiment: &'a Experiment,
    dir: &'a Path,
    /// The parts asked for.
    names: Vec<String>,
    /// What `--from` has for it.
    offer: Option<Offer<'a>>,
    on_cluster: bool,
}

impl Manner {
    /// The run that `--from` names.
    pub(crate) fn donor(&self) -> Result<Option<Donor>, Failure> {
        Ok(self.from.as_deref().map(|from| Donor::open(from, RECORDED)).transpose()?)
    }

    /// Checks what is asked for of an experiment, before the new directory is anything.
    pub(crate) fn prepare<'a>(
        &self,
        experiment: &'a Experiment,
        dir: &'a Path,
        donor: Option<&'a Donor>,
    ) -> Result<Prepared<'a>, Failure> {
        let on_cluster = self.cluster.is_wanted()?;
        if on_cluster && self.first.is_some() {
            let text = "--first is for threads of this machine: tasks of a cluster play everything";
            return Err(Failure::Input(text.to_string()));
        }
        let names = self.only.parts(experiment);
        let offer = donor.map(|donor| donor.offer(experiment, dir)).transpose()?;
        Ok(Prepared { experiment, dir, names, offer, on_cluster })
    }

    /// Says something that is neither a result nor an error.
    pub(crate) fn note(&self, text: &str) {
        if !self.quiet {
            let _ = writeln!(std::io::stderr(), "note: {text}");
        }
    }

    /// Runs what is asked for, then tells about it.
    pub(crate) fn perform(
        &self,
        prepared: Prepared<'_>,
        out: &mut Output,
        tell: impl FnOnce(&mut Output, &dyn Fn(&Part) -> bool, bool) -> Outcome,
    ) -> Outcome {
        let Prepared { experiment, dir, names, offer, on_cluster } = prepared;
        let set: BTreeSet<&String> = names.iter().collect();
        let wanted = |part: &Part| set.contains(&part.name);
        if let (Some(from), Some(offer)) = (&self.from, &offer) {
            let adopted = match self.dry_run {
                true => offer.adopted(),
                false => RunDir::create(dir, experiment, Access::Alone)?.adopt(offer)?,
            };
            if !self.quiet && !self.json {
                out.text(&taken_over(&adopted, from, self.dry_run))?;
            }
        }
        if self.dry_run {
            let offer = offer.as_ref();
            return estimate::run(experiment, dir, &wanted, offer, self.first, self.json, out);
        }
        let stop = interrupt::on_ctrl_c(match on_cluster {
            true => "",
            false => "finishing the games that are running (Ctrl-C again: give up)",
        })?;
        let mut quiet = self.quiet;
        if on_cluster {
            let mut watch = Watch::new(names.clone(), quiet);
            let (jobs, cluster) = (self.jobs, &self.cluster);
            let left = cluster.dispatch(experiment, dir, &wanted, jobs, &stop, &mut watch);
            watch.finish();
            if let Left::Detached(cancel) = left? {
                tell(out, &wanted, self.json)?;
                out.flush()?;
                return Err(detached(dir, cancel.as_deref()));
            }
            // What follows finds everything recorded, and has nothing to show.
            quiet = true;
        }
        let place = RunDir::create(dir, experiment, Access::Alone)?.first(self.first);
        let jobs = self.jobs.map_or_else(cores, usize::from);
        let mut watch = Watch::new(names.clone(), quiet);
        let mut show = |p: &Progress<'_>| watch.show(p);
        let done = place.run(experiment, &wanted, GAMES, jobs, &stop, &mut show);
        watch.finish();
        done?;
        drop(place);
        tell(out, &wanted, self.json)?;
        if stop.is_set() {
            out.flush()?;
            let mut again = format!("spielbaum run {}", dir.display());
            again += &self.only.option();
            if let Some(first) = self.first {
                again += &format!(" --first {first}");
            }
            return Err(Failure::Interrupted(format!(
                "interrupted; what was finished is recorded, this goes on:\n  {again}"
            )));
        }
        if let Some(first) = self.first
            && !self.quiet
            && !self.json
        {
            let dir = dir.display();
            out.text(&format!(
                "\nthe first {first} games or answers of each part, in whole units; this plays the \
                 rest:\n  spielbaum run {dir}\n"
            ))?;
        }
        Ok(())
    }
}

impl Run {
    pub(crate) fn run(&self, out: &mut Output) -> Outcome {
        let (experiment, dir) = self.experiment()?;
        self.manner.only.check(&[&experiment])?;
        let donor = self.manner.donor()?;
        let prepared = self.manner.prepare(&experiment, &dir, donor.as_ref())?;
        self.manner.perform(prepared, out, |out, wanted, json| {
            status::answer(&Results::glance(&dir, RECORDED)?, wanted, json, out)
        })
    }

    /// The experiment and its directory.
    fn experiment(&self) -> Result<(Experiment, PathBuf), Failure> {
        if self.file.is_dir() {
            return self.resumed(&self.file);
        }
        let options = RunOptions::new(self.quick, self.manner.paper_time);
        let told = |mistakes| {
            let digest = digest_instead(&self.file, "an experiment file");
            digest.map_or_else(|| Failure::input(mistakes), Failure::Input)
        };
        let experiment = Experiment::load(&self.file, options, GAMES)?.map_err(told)?;
        let dir = self
            .out
            .clone()
            .unwrap_or_else(|| Path::new("runs").join(run_name(&self.file, options)));
        Ok((experiment, dir))
    }

    fn resumed(&self, dir: &Path) -> Result<(Experiment, PathBuf), Failure> {
        if self.quick || self.manner.paper_time || self.out.is_some() {
            let text =
                "a run goes on as it was begun: --out, --quick and --paper-time are for files";
            return Err(Failure::Input(text.to_string()));
        }
        let header = RunHeader::read(dir)?;
        let experiment = Experiment::open(dir, header.options, GAMES)?;
        Ok((experiment.map_err(Failure::input)?, dir.to_path_buf()))
    }
}

/// The name of a run's directory: that of its file, with what makes it another run.
pub(crate) fn run_name(file: &Path, options: RunOptions) -> OsString {
    let mut name = file.file_stem().unwrap_or_default().to_os_string();
    if options.quick {
        name.push("-quick");
    }
    if options.paper_time {
        name.push("-paper-time");
    }
    name
}

/// What came of `--from`, or will come of it.
fn taken_over(adopted: &Adopted, from: &Path, dry_run: bool) -> String {
    let Adopted { items, whole, there, left } = adopted;
    let taken = if dry_run { "would be taken over" } else { "taken over" };
    let mut text = format!("{items} games and answers {taken} from {}", from.display());
    match (*items, *there) {
        (0, 0) => text += ": none fill a unit of games of the same match or exam",
        (_, 0) => {}
        (_, there) => text += &format!("; {there} are here already"),
    }
    if *whole > 0 {
        let parts = if *whole == 1 { "part" } else { "parts" };
        text +=
            &format!("\n{whole} {parts} of it whole, with their statistics and no single games");
    }
    for reason in left {
        text += &format!("\nleft there, {reason}");
    }
    text + if dry_run { "\n\n" } else { "\n" }
}

/// What is said when tasks of a cluster go on alone.
fn detached(dir: &Path, cancel: Option<&str>) -> Failure {
    let dir = dir.display();
    let again = format!("spielbaum run {dir} --backend slurm");
    Failure::Interrupted(match cancel {
        Some(cancel) => format!(
            "the tasks go on without this command; this comes back to them:\n  {again}\n\
             this ends them:\n  {cancel}"
        ),
        None => format!("interrupted; what was finished is recorded, this goes on:\n  {again}"),
    })
}

fn cores() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn runs_that_differ_have_directories_that_differ() {
        let name = |quick, paper_time| {
            run_name(Path::new("papers/lion.toml"), RunOptions::new(quick, paper_time))
        };
        assert_eq!(name(false, false), "lion");
        assert_eq!(name(true, false), "lion-quick");
        assert_eq!(name(true, true), "lion-quick-paper-time");
    }
}
