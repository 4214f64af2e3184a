//! The directory of a run.
//!
//! ```text
//! DIR/experiment.toml           the file as it is run, verbatim; DIR/files: the files it names
//! DIR/run.json                  what decides the parts beside the file
//! DIR/parts/NAME/               a match or an exam each
//! DIR/timing/environment.json   where it ran: outside the promise of identical bytes
//! DIR/timing/lock               held while a process works here
//! DIR/slurm/                    what was submitted, what tasks said: outside the promise as well
//! ```

use super::{environment, part_dir, profiles};
use crate::cluster::{Fleet, Wave};
use crate::runner::{
    Assignment, Backend, Concluded, Labour, Place, Watcher, play_units, run_parts,
};
use crate::store::{Access, Lock, json, lock, publish, read_format, remove_leftovers};
use crate::{AnyGame, Experiment, FORMAT, LabError, Part, RunOptions, Source, Work};
use serde::{Deserialize, Serialize};
use spielbaum_core::Stop;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

/// What decides the parts of a run beside its file.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RunHeader {
    /// Version of the format.
    pub format: u32,
    /// Version of the program that began it.
    pub version: String,
    /// The options it was begun with.
    pub options: RunOptions,
}

impl RunHeader {
    /// The header of a run.
    pub fn read(dir: &Path) -> Result<RunHeader, LabError> {
        let path = dir.join(HEADER);
        let wrong = |e| LabError::damaged(&path, format!("it is no run header: {e}"), NOT_OURS);
        serde_json::from_value(read_format(&path, "run")?).map_err(wrong)
    }
}

const HEADER: &str = "run.json";
const NOT_OURS: &str = "choose another directory";

/// The directory of a run, taken for work until it is dropped.
#[derive(Debug)]
pub struct RunDir {
    dir: PathBuf,
    lock: Lock,
    first: Option<u64>,
}

impl RunDir {
    /// Takes a directory for an experiment: creates it, or goes on with what is there.
    pub fn create(dir: &Path, experiment: &Experiment, access: Access) -> Result<RunDir, LabError> {
        // Nothing is touched in a directory that is somebody else's.
        let begun = agree(dir, experiment)?;
        let lock = lock(dir, access)?;
        let Source { text, files, .. } = &experiment.source;
        if lock.is_alone {
            let names: Vec<&str> = files.keys().map(String::as_str).collect();
            remove_leftovers(dir, &[HEADER, "experiment.toml"])?;
            remove_leftovers(&dir.join("files"), &names)?;
        }
        // Another process may have begun it meanwhile.
        if !begun && !agree(dir, experiment)? {
            for (name, text) in files {
                let folder = dir.join("files");
                std::fs::create_dir_all(&folder).map_err(LabError::io(&folder))?;
                publish(&folder.join(name), text.as_bytes())?;
            }
            publish(&dir.join("experiment.toml"), text.as_bytes())?;
            let header = RunHeader {
                format: FORMAT,
                version: env!("CARGO_PKG_VERSION").to_string(),
                options: experiment.options,
            };
            // The last: a directory with it is a run.
            publish(&dir.join(HEADER), json(&header)?.as_bytes())?;
        }
        environment::stamp(dir)?;
        Ok(RunDir { dir: dir.to_path_buf(), lock, first: None })
    }

    /// The same for [`run`](RunDir::run) of the first so many games or answers of each part, in
    /// whole units, and of what is recorded: the rest another time.
    pub fn first(self, items: Option<u64>) -> RunDir {
        RunDir { first: items, ..self }
    }

    /// Where it is.
    pub fn dir(&self) -> &Path {
        &self.dir
    }

    pub(super) fn lock(&self) -> &Lock {
        &self.lock
    }

    /// Runs the parts of the experiment that `wanted` says on `jobs` threads: games, questions,
    /// trap profiles. What is recorded is not run again. When `stop` is set, units begun are
    /// finished first. Tells how each part ended.
    ///
    /// After a run on a cluster it finds everything recorded, and tidies up.
    pub fn run(
        &self,
        experiment: &Experiment,
        wanted: &dyn Fn(&Part) -> bool,
        catalog: &[&dyn AnyGame],
        jobs: usize,
        stop: &Stop,
        progress: Watcher<'_>,
    ) -> Result<Vec<Concluded>, LabError> {
        let experiment = experiment.as_recorded(&self.dir);
        let mut parts = assignments(&experiment, wanted, catalog)?;
        parts.iter_mut().for_each(|part| part.first = self.first);
        let folder = self.dir.join("parts");
        let place = Place::Parts(&folder, &self.lock);
        let concluded = run_parts(&parts, place, Backend::Threads(jobs), stop, progress)?;
        profiles::complete(&self.dir, &experiment, wanted, catalog, jobs, stop, progress)?;
        Ok(concluded)
    }

    /// Has the units of these parts played by tasks of a batch system. When `stop` is set, the
    /// tasks go on by themselves.
    pub fn dispatch(
        &self,
        experiment: &Experiment,
        wanted: &dyn Fn(&Part) -> bool,
        catalog: &[&dyn AnyGame],
        fleet: &mut Fleet<'_>,
        stop: &Stop,
        progress: Watcher<'_>,
    ) -> Result<Vec<Concluded>, LabError> {
        let experiment = experiment.as_recorded(&self.dir);
        let parts = assignments(&experiment, wanted, catalog)?;
        let folder = self.dir.join("parts");
        let place = Place::Parts(&folder, &self.lock);
        run_parts(&parts, place, Backend::Cluster(fleet), stop, progress)
    }

    /// Plays the units of a task on `jobs` threads, those that are not recorded; how many. When
    /// `stop` is set, units begun are given up.
    pub fn work(
        &self,
        experiment: &Experiment,
        file: &Path,
        task: usize,
        catalog: &[&dyn AnyGame],
        jobs: usize,
        stop: &Stop,
    ) -> Result<u64, LabError> {
        let wave = Wave::read(file)?;
        if task >= wave.tasks.len() {
            let text = format!("{} has no task {task}", file.display());
            return Err(LabError::Request(text));
        }
        let names: BTreeSet<&str> = wave.units(task).map(|(part, _)| part).collect();
        let wanted = |part: &Part| names.contains(part.name.as_str());
        let experiment = experiment.as_recorded(&self.dir);
        let parts = assignments(&experiment, &wanted, catalog)?;
        let number: BTreeMap<&str, usize> =
            parts.iter().enumerate().map(|(i, part)| (part.name, i)).collect();
        let mut units = Vec::new();
        for (part, unit) in wave.units(task) {
            match number.get(part) {
                Some(&i) if unit < parts[i].work.units() => units.push((i, unit)),
                _ => {
                    let text = format!("{}: no unit {unit} in a part `{part}`", file.display());
                    return Err(LabError::Request(text));
                }
            }
        }
        let folder = self.dir.join("parts");
        let complete = |part: usize| folder.join(parts[part].name).join("summary.json").exists();
        play_units(&parts, Place::Parts(&folder, &self.lock), &units, jobs, stop, &complete)
    }
}

impl Experiment {
    /// The same, each match in the units in which it is recorded in a run's directory.
    pub(crate) fn as_recorded(&self, dir: &Path) -> Experiment {
        let mut experiment = self.clone();
        for part in experiment.sections.iter_mut().flat_map(|section| &mut section.parts) {
            let dir = part_dir(dir, part);
            if let Work::Match(plan) = &mut part.work {
                *plan = plan.clone().as_recorded(&dir);
            }
        }
        experiment
    }
}

/// The parts that `wanted` says, as work for the runner.
fn assignments<'a>(
    experiment: &'a Experiment,
    wanted: &dyn Fn(&Part) -> bool,
    catalog: &[&'a dyn AnyGame],
) -> Result<Vec<Assignment<'a>>, LabError> {
    let parts = experiment.parts().filter(|(_, part)| wanted(part));
    let assignment = |(_, part): (_, &'a Part)| {
        let (game, work) = (game_of(part, catalog)?, Labour::from(&part.work));
        Ok(Assignment { name: &part.name, game, work, first: None })
    };
    parts.map(assignment).collect()
}

/// The game of a part.
pub(crate) fn game_of<'a>(
    part: &Part,
    catalog: &[&'a dyn AnyGame],
) -> Result<&'a dyn AnyGame, LabError> {
    let args = match &part.work {
        Work::Match(plan) => &plan.game,
        Work::Exam(exam) => &exam.game,
    };
    let name = args.schema().name;
    let found = catalog.iter().find(|game| game.schema().name == name);
    found.copied().ok_or_else(|| LabError::Request(format!("no game `{name}`")))
}

/// Whether this experiment is run there; an error if something else is.
pub(super) fn agree(dir: &Path, experiment: &Experiment) -> Result<bool, LabError> {
    let differs = |what: String| {
        let fields = vec![what];
        Err(LabError::Differs { dir: dir.to_path_buf(), what: "experiment", fields })
    };
    if !dir.join(HEADER).exists() {
        let begun = dir.join("experiment.toml").exists() && dir.join("timing").exists();
        let holds_files = std::fs::read_dir(dir).into_iter().flatten().flatten().any(|entry| {
            let name = entry.file_name();
            let name = name.to_string_lossy();
            let ours = ["experiment.toml", "files", "timing", "parts"];
            !ours.contains(&&*name) && !name.ends_with(".tmp")
        });
        if holds_files && !begun {
            let text = format!("{} holds other files", dir.display());
            return Err(LabError::Request(format!("{text}; {NOT_OURS}")));
        }
        return Ok(false);
    }
    let header = RunHeader::read(dir)?;
    // Which positions are asked the headers of the exams say.
    let RunOptions { quick, paper_time, .. } = header.options;
    if quick != experiment.options.quick {
        return differs(format!("`--quick` ({quick} there)"));
    }
    if paper_time != experiment.options.paper_time {
        return differs(format!("`--paper-time` ({paper_time} there)"));
    }
    let there = Source::open(dir)?;
    let (asked, there_text) = (&experiment.source.text, &there.text);
    if there_text != asked {
        let same = there_text.lines().zip(asked.lines()).take_while(|(a, b)| a == b).count();
        return differs(format!("the file's text, from line {} on,", same + 1));
    }
    let names = || there.files.keys().chain(experiment.source.files.keys());
    match names().find(|name| there.files.get(*name) != experiment.source.files.get(*name)) {
        Some(name) => differs(format!("the file `{name}`")),
        None => Ok(true),
    }
}
