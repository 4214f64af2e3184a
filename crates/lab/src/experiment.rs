//! Experiments: one file says what is to be played, and becomes a list of parts, each of them
//! a match or an exam.
//!
//! The file is TOML; `docs/experiments.md` explains it. Reading it is a pure function of its
//! text, the files it names and the [`RunOptions`]; all [`Mistakes`] are reported at once, each
//! at its place, and nothing runs before.

mod accuracy;
mod axes;
mod build;
mod exams;
mod fields;
mod keys;
mod lineup;
mod matches;
mod mistake;
pub mod paper;
mod paper_file;
mod read;
mod resolved;
mod rules;
mod scale;
mod slot;
mod source;
mod sweep;
mod text;

pub use mistake::{Mistake, Mistakes};
pub use source::Source;

use crate::{AnyGame, Exam, LabError, Plan};
use paper::{Paper, Published};
use serde::{Deserialize, Serialize};
use std::path::Path;

/// The most parts an experiment may have.
pub const MAX_PARTS: usize = 10_000;

/// An experiment: everything that is to be run, in order.
#[derive(Clone, Debug)]
pub struct Experiment {
    /// What it is about.
    pub title: String,
    /// What corresponds to what in all sections, for the report.
    pub basis: Option<String>,
    /// The file it was read from.
    pub source: Source,
    /// What decides the parts beside the file.
    pub options: RunOptions,
    /// Its sections.
    pub sections: Vec<Section>,
    /// The paper it repeats.
    pub paper: Option<Paper>,
}

/// What decides the parts of an experiment beside its file.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RunOptions {
    /// The keys of `[quick]` replace the others; without them a twentieth of the games.
    pub quick: bool,
    /// `paper-budget` replaces `budget`.
    pub paper_time: bool,
    /// `every-position` where the file does not say it. The first versions asked every position,
    /// and their records, which have no such key, are read as they were written.
    #[serde(default = "yes")]
    pub every_position: bool,
}

fn yes() -> bool {
    true
}

impl RunOptions {
    /// The options of a run that is begun now.
    pub fn new(quick: bool, paper_time: bool) -> RunOptions {
        RunOptions { quick, paper_time, every_position: false }
    }

    /// Whether they change what a file says.
    pub(crate) fn changes(&self) -> bool {
        self.quick || self.paper_time
    }
}

/// One `[[experiment]]` of the file: a format and what is swept over.
#[derive(Clone, Debug)]
pub struct Section {
    /// Its name, unique in the file: letters, digits, `-` and `_`.
    pub id: String,
    /// What it is about.
    pub title: String,
    /// What corresponds to what, for the report.
    pub basis: Option<String>,
    /// Who meets whom.
    pub format: Format,
    /// Whether more games were planned after a look at those before, so that their number was not fixed beforehand.
    pub extended: bool,
    /// What is swept over, the slowest first.
    pub axes: Vec<Axis>,
    /// What is to be run, in the order of the axes.
    pub parts: Vec<Part>,
    /// What was published about it.
    pub published: Vec<Published>,
}

/// Who meets whom.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Format {
    /// A player for each slot.
    Match,
    /// Each of the players against each of the opponents.
    Gauntlet,
    /// Every pair, or every table.
    RoundRobin,
    /// Everyone alone, with the same chance events.
    Scores,
    /// Searches to depth 1, 2, and so on.
    Depths,
    /// Positions with known values.
    Accuracy,
}

impl Format {
    /// All of them.
    pub const ALL: [Format; 6] = [
        Format::Match,
        Format::Gauntlet,
        Format::RoundRobin,
        Format::Scores,
        Format::Depths,
        Format::Accuracy,
    ];

    /// Its name in a file.
    pub fn name(self) -> &'static str {
        match self {
            Format::Match => "match",
            Format::Gauntlet => "gauntlet",
            Format::RoundRobin => "round-robin",
            Format::Scores => "scores",
            Format::Depths => "depths",
            Format::Accuracy => "accuracy",
        }
    }

    /// Whether its parts are matches; else they are exams.
    pub fn is_match(self) -> bool {
        !matches!(self, Format::Depths | Format::Accuracy)
    }
}

/// Something that is swept over.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Axis {
    /// The key that is swept, such as `depth`; of two alike the longer `playout.depth`.
    pub name: String,
    /// Its values as they stand in the file.
    pub values: Vec<String>,
}

/// A match or an exam: one setting of everything that is swept over.
#[derive(Clone, Debug)]
pub struct Part {
    /// The section's id and a number, `L4-002`: the name of its directory.
    pub name: String,
    /// The value on each axis; empty where an axis does not concern this part.
    pub setting: Vec<String>,
    /// For each player of a [`Format::Scores`] match, which all meet in one part, its value on
    /// each axis; otherwise empty.
    pub players: Vec<Vec<String>>,
    /// The highest level of traps to look for in the games once they are complete.
    pub traps: Option<u32>,
    /// What is to be done.
    pub work: Work,
}

/// What is to be done in a part.
#[derive(Clone, Debug)]
pub enum Work {
    /// Games.
    Match(Plan),
    /// Questions.
    Exam(Exam),
}

/// Something measured in a section: a part, and the player in it that is meant.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Pick {
    /// Number of the part in the section.
    pub part: usize,
    /// The player: the first but where all players meet in one part.
    pub player: usize,
}

impl Section {
    /// What an `axis = value` selection picks; an axis that is not named may have any value.
    /// `depth` and `position` (a number, from 1) of a [`Format::Depths`] section select within
    /// parts and not among them.
    pub fn select(&self, at: &[(String, String)]) -> Vec<Pick> {
        let wanted: Vec<(Option<usize>, &String)> = (at.iter())
            .filter(|(axis, _)| !self.is_inner(axis))
            .map(|(axis, value)| (self.axes.iter().position(|a| a.name == *axis), value))
            .collect();
        let fits = |setting: &[String], more: &[String]| {
            wanted.iter().all(|(axis, value)| {
                axis.is_some_and(|axis| {
                    same_value(&setting[axis], value)
                        || more.get(axis).is_some_and(|own| same_value(own, value))
                })
            })
        };
        let mut picks = Vec::new();
        for (part, Part { setting, players, .. }) in self.parts.iter().enumerate() {
            if players.is_empty() && fits(setting, &[]) {
                picks.push(Pick { part, player: 0 });
            }
            for (player, own) in players.iter().enumerate() {
                if fits(setting, own) {
                    picks.push(Pick { part, player });
                }
            }
        }
        picks
    }
}

impl Section {
    /// Whether a name selects within a part: a question of an exam.
    pub(crate) fn is_inner(&self, name: &str) -> bool {
        self.format == Format::Depths
            && ["depth", "position"].contains(&name)
            && !self.axes.iter().any(|axis| axis.name == name)
    }
}

/// Whether two texts are the same value: the same text, or the same number.
pub(crate) fn same_value(a: &str, b: &str) -> bool {
    let number = |text: &str| text.parse::<f64>().ok();
    a == b || number(a).is_some_and(|x| number(b) == Some(x))
}

impl Experiment {
    /// Reads an experiment from its text and the files that are already in `source`.
    pub fn parse(
        source: Source,
        options: RunOptions,
        catalog: &[&dyn AnyGame],
    ) -> Result<Experiment, Mistakes> {
        let files = source.files.clone();
        let find = |name: &str| {
            let missing = || "it is not among the files kept with the experiment".to_string();
            files.get(source::file_name(name)).cloned().ok_or_else(missing)
        };
        read::experiment(source, options, catalog, &find)
    }

    /// Reads an experiment file and the files it names, which lie beside it.
    pub fn load(
        path: &Path,
        options: RunOptions,
        catalog: &[&dyn AnyGame],
    ) -> Result<Result<Experiment, Mistakes>, LabError> {
        let source = Source::read(path)?;
        let folder = path.parent().unwrap_or(Path::new(""));
        let find =
            |name: &str| std::fs::read_to_string(folder.join(name)).map_err(|e| e.to_string());
        Ok(read::experiment(source, options, catalog, &find))
    }

    /// Reads the experiment of a run's directory, as a [`RunDir`](crate::RunDir) keeps it.
    pub fn open(
        dir: &Path,
        options: RunOptions,
        catalog: &[&dyn AnyGame],
    ) -> Result<Result<Experiment, Mistakes>, LabError> {
        Ok(Experiment::parse(Source::open(dir)?, options, catalog))
    }

    /// All parts with their sections, in order.
    pub fn parts(&self) -> impl Iterator<Item = (&Section, &Part)> {
        self.sections.iter().flat_map(|s| s.parts.iter().map(move |part| (s, part)))
    }
}
