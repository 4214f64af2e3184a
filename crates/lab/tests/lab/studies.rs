//! Runs for the tests of runs and digests: carried out, interrupted, read back.

use crate::experiment::{CATALOG, parse};
use serde_json::Value;
use spielbaum_core::Stop;
use spielbaum_lab::{
    Access, Adopted, Donor, Experiment, LabError, Outcome, PartResult, Results, RunDir,
};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// Sections that studies share, without their number of games.
macro_rules! shared {
    (head) => {
        r#"
title = "Dice"
seed = 5
"#
    };
    (table) => {
        r#"[[experiment]]
id = "table"
game = "dice:seats=3"
format = "match"
players = ["greedy", "coin"]
record = "results"
"#
    };
    (alone) => {
        r#"[[experiment]]
id = "alone"
game = "dice:seats=1"
format = "scores"
players = ["greedy", "coin"]
"#
    };
    (deep) => {
        r#"[[experiment]]
id = "deep"
game = "dice"
format = "depths"
depths = 4
positions = ["position: 2 3 0,1", "position: 0 1 0,0"]
players = ["faulty:after=1000"]
"#
    };
}

pub(crate) use shared;

/// Games that repeat themselves, games of one, two and three, forfeits, a match that its width
/// ends, and exams of one unit and of two.
pub(crate) const ALL_KINDS: &str = concat!(
    shared!(head),
    r#"[[experiment]]
id = "pair"
game = "dice:length=1"
format = "gauntlet"
games = 100
players = ["greedy:least=[0,1]", "faulty:after=0"]
opponents = ["coin"]
"#,
    shared!(table),
    "games = 30\n",
    shared!(alone),
    "games = 60\n",
    r#"[[experiment]]
id = "narrow"
game = "dice"
format = "match"
games = 2000
players = ["greedy", "coin"]
[experiment.stop]
width = 0.3
"#,
    shared!(deep),
    r#"[[experiment]]
id = "deeper"
game = "dice"
format = "depths"
depths = 9
positions = ["position: 2 3 0,1", "position: 0 1 0,0"]
players = ["faulty:after=1000"]
"#
);

pub(crate) fn study(text: &str) -> Experiment {
    parse(text).unwrap_or_else(|mistakes| panic!("{mistakes}"))
}

/// Runs an experiment in a directory until it ends or is stopped.
pub(crate) fn work(
    dir: &Path,
    experiment: &Experiment,
    access: Access,
    jobs: usize,
    stop: &Stop,
) -> Result<(), LabError> {
    let place = RunDir::create(dir, experiment, access)?;
    place.run(experiment, &|_| true, CATALOG, jobs, stop, &mut |_| {}).map(drop)
}

/// What a run takes over, which is not carried on.
pub(crate) fn adopt(dir: &Path, experiment: &Experiment, from: &Path) -> Result<Adopted, LabError> {
    let donor = Donor::open(from, CATALOG)?;
    let offer = donor.offer(experiment, dir)?;
    RunDir::create(dir, experiment, Access::Alone)?.adopt(&offer)
}

/// Runs an experiment to its end, after what a donor has; what was taken over.
pub(crate) fn carry_out(dir: &Path, experiment: &Experiment, from: Option<&Path>) -> Adopted {
    let adopted = from.map(|path| adopt(dir, experiment, path).unwrap());
    work(dir, experiment, Access::Alone, 2, &Stop::new()).unwrap();
    adopted.unwrap_or_default()
}

/// What a run says that is to go on from a digest and cannot.
pub(crate) fn refused(dir: &Path, experiment: &Experiment, digest: &Path) -> String {
    adopt(dir, experiment, digest).unwrap_err().to_string()
}

/// Leaves the first units of a part.
pub(crate) fn interrupt(dir: &Path, part: &str, units: usize) {
    let dir = dir.join("parts").join(part);
    std::fs::remove_file(dir.join("summary.json")).unwrap();
    for unit in units.. {
        if std::fs::remove_file(dir.join(format!("units/{unit:06}.jsonl"))).is_err() {
            return;
        }
    }
}

/// Every file that promises its bytes.
pub(crate) fn bytes(dir: &Path) -> BTreeMap<String, Vec<u8>> {
    let mut files = BTreeMap::new();
    let mut folders = vec![dir.to_path_buf()];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).unwrap().flatten() {
            let path = entry.path();
            if path.is_dir() && entry.file_name() != "timing" {
                folders.push(path);
            } else if path.is_file() {
                let name = path.strip_prefix(dir).unwrap().to_str().unwrap().to_string();
                files.insert(name, std::fs::read(&path).unwrap());
            }
        }
    }
    files
}

/// The statistics of every part.
pub(crate) fn numbers(results: &Results) -> Vec<String> {
    let of = |part: &PartResult| match &part.outcome {
        Outcome::Match { summary, .. } => format!("{:?} {summary:#?}", part.ending),
        Outcome::Exam { summary, .. } => format!("{:?} {summary:#?}", part.ending),
    };
    results.parts.iter().map(of).collect()
}

pub(crate) fn digest_of(dir: &Path, name: &str) -> PathBuf {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    Results::read(dir, CATALOG).unwrap().write_digest(&path).unwrap();
    path
}

/// A digest that was edited: a part of it, in place.
pub(crate) fn edited(digest: &Path, name: &str, part: &str, edit: impl Fn(&mut Value)) -> PathBuf {
    let mut value: Value = serde_json::from_slice(&std::fs::read(digest).unwrap()).unwrap();
    let parts = value["parts"].as_array_mut().unwrap();
    edit(parts.iter_mut().find(|p| p["part"] == part).unwrap());
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    std::fs::write(&path, value.to_string()).unwrap();
    path
}
