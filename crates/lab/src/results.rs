//! What a run has found: its directory read back, complete or not. The directory of a single
//! match is read as a run of one part.

mod adopted;
mod checked;
mod digest;
mod environment;
pub(crate) mod first_rounds;
mod place;
mod profiles;
mod recomputed;
mod rows;

pub use adopted::{Adopted, Donor, Offer};
pub(crate) use checked::{check_exam, check_match};
pub use digest::digest_instead;
pub use environment::Stamp;
pub use place::{RunDir, RunHeader};
pub use rows::{Cell, Column, ColumnKind, setting};

use crate::answers::{ExamSummary, ExamTimes};
use crate::runner::{Ending, Runnable};
use crate::store::{Recorded, Store, TakenOver, WholeOf, header_of, holder};
use crate::summary::Summary;
use crate::times::{Timed, Times};
use crate::traps::TrapProfile;
use crate::{
    AnyGame, Exam, Experiment, Format, LabError, Part, Plan, RunOptions, Section, Source, Work,
};
use serde::de::DeserializeOwned;
use std::path::{Path, PathBuf};

/// A run read from its directory.
#[derive(Clone, Debug)]
pub struct Results {
    /// What was to be run.
    pub experiment: Experiment,
    /// Version of the program that began it.
    pub version: String,
    /// What came of each part, in the order of [`Experiment::parts`].
    pub parts: Vec<PartResult>,
    dir: PathBuf,
    /// Whether the directory is that of one match, not of a run.
    single: bool,
}

/// What came of a part.
#[derive(Clone, Debug)]
pub struct PartResult {
    /// Units recorded; in a shared run some may lie behind a gap.
    pub done: u64,
    /// Units of the whole part, if none is spared by early stopping.
    pub units: u64,
    /// Whether it needs no more games.
    pub complete: bool,
    /// How it ended, if it is complete.
    pub ending: Option<Ending>,
    /// What is wrong with its files, if something is: its statistics end before it.
    pub problem: Option<String>,
    /// The statistics of the completed prefix.
    pub outcome: Outcome,
    /// The trap profile of its games, if one was asked for and computed.
    pub traps: Option<TrapProfile>,
    /// What of it is from digests, if something is.
    pub taken_over: Option<TakenOver>,
}

impl PartResult {
    /// Whether its statistics are from a digest, and its games are not here.
    pub fn is_without_games(&self) -> bool {
        self.taken_over.as_ref().is_some_and(|taken| taken.whole)
    }
}

/// The statistics of a part.
#[derive(Clone, Debug)]
pub enum Outcome {
    /// Of a match.
    Match {
        /// The statistics.
        summary: Box<Summary>,
        /// Wall times, where they were read and are there.
        times: Option<Times>,
    },
    /// Of an exam.
    Exam {
        /// The statistics.
        summary: Box<ExamSummary>,
        /// Wall times, where they were read and are there.
        times: Option<ExamTimes>,
    },
}

impl Outcome {
    /// Games or answers in the completed prefix.
    pub fn items(&self) -> u64 {
        match self {
            Outcome::Match { summary, .. } => summary.games,
            Outcome::Exam { summary, .. } => summary.answers,
        }
    }
}

impl Results {
    /// Reads a run with its wall times. Parts that are not complete, not begun or damaged are
    /// no error: they say so.
    pub fn read(dir: &Path, catalog: &[&dyn AnyGame]) -> Result<Results, LabError> {
        Self::gather(dir, catalog, true)
    }

    /// As [`read`](Results::read), without the times, which are most of the files.
    pub fn glance(dir: &Path, catalog: &[&dyn AnyGame]) -> Result<Results, LabError> {
        Self::gather(dir, catalog, false)
    }

    fn gather(dir: &Path, catalog: &[&dyn AnyGame], timed: bool) -> Result<Results, LabError> {
        if !dir.join("run.json").exists() && dir.join(Plan::FILE).exists() {
            return Self::of_match(dir, catalog, timed);
        }
        let header = RunHeader::read(dir)?;
        let experiment = Experiment::open(dir, header.options, catalog)?;
        let experiment = experiment.map_err(|e| LabError::Request(e.to_string()))?;
        let experiment = experiment.as_recorded(dir);
        let parts = (experiment.parts())
            .map(|(_, part)| read_part(&part_dir(dir, part), part, timed))
            .collect();
        let (version, dir, single) = (header.version, dir.to_path_buf(), false);
        Ok(Results { experiment, version, parts, dir, single })
    }

    /// The directory of a match as a run of one part.
    fn of_match(dir: &Path, catalog: &[&dyn AnyGame], timed: bool) -> Result<Results, LabError> {
        let header = header_of::<Plan>(dir)?;
        let (_, plan) = Plan::of_header(&header, catalog)?;
        let names: Vec<&str> = header.players.iter().map(|p| p.spec.as_str()).collect();
        let title = format!("{} on {}", names.join(" against "), header.game.spec);
        let format = if plan.seats == 1 { Format::Scores } else { Format::Match };
        let part = Part {
            name: "match".to_string(),
            setting: Vec::new(),
            players: Vec::new(),
            traps: None,
            work: Work::Match(plan),
        };
        let parts = vec![read_part(dir, &part, timed)];
        let section = Section {
            id: "match".to_string(),
            title: "The match".to_string(),
            basis: None,
            format,
            extended: false,
            axes: Vec::new(),
            parts: vec![part],
            published: Vec::new(),
        };
        let experiment = Experiment {
            basis: None,
            title,
            source: Source::default(),
            options: RunOptions::default(),
            sections: vec![section],
            paper: None,
        };
        let (version, dir, single) = (header.version, dir.to_path_buf(), true);
        Ok(Results { experiment, version, parts, dir, single })
    }

    /// The directory of a part.
    pub(crate) fn place(&self, part: &Part) -> PathBuf {
        if self.single { self.dir.clone() } else { part_dir(&self.dir, part) }
    }

    /// Where it was run, as far as that is recorded: outside the promise of identical bytes.
    pub fn environment(&self) -> Vec<Stamp> {
        environment::stamps(&self.dir)
    }

    /// The process that works on the run now, as far as it can be told.
    pub fn worked_on_by(&self) -> Option<String> {
        holder(&self.dir)
    }

    /// Where it was read.
    pub fn dir(&self) -> &Path {
        &self.dir
    }

    /// Whether every part is complete, trap profiles included.
    pub fn is_complete(&self) -> bool {
        let traps = self.experiment.parts().map(|(_, part)| part.traps.is_some());
        (self.parts.iter().zip(traps)).all(|(p, asked)| p.complete && (!asked || p.traps.is_some()))
    }
}

/// The directory of a part of a run.
pub(crate) fn part_dir(dir: &Path, part: &Part) -> PathBuf {
    dir.join("parts").join(&part.name)
}

fn read_part(dir: &Path, part: &Part, timed: bool) -> PartResult {
    match &part.work {
        Work::Match(plan) => {
            let store = Store::open(dir, plan);
            let mut prefix = Prefix::read(&store, |summary, units| {
                // A decided match is shorter than its plan, and so are the games it lost since.
                let games = plan.schedule.unit(units.saturating_sub(1)).end;
                (summary.games == games).then(|| plan.ended(summary))
            });
            let known = prefix.times.take();
            let times =
                timed.then(|| known.or_else(|| match_times(&store, plan, &prefix))).flatten();
            let traps = read_json(&dir.join("traps.json"));
            prefix.result(traps, |summary| Outcome::Match { summary: Box::new(summary), times })
        }
        Work::Exam(exam) => {
            let store = Store::open(dir, exam);
            let mut prefix = Prefix::read(&store, |_, units| {
                (units == exam.units()).then_some(Ending::Complete)
            });
            let known = prefix.times.take();
            let times = timed.then(|| known.or_else(|| exam_times(&store, &prefix))).flatten();
            prefix.result(None, |summary| Outcome::Exam { summary: Box::new(summary), times })
        }
    }
}

/// The completed prefix of a part.
struct Prefix<W: Runnable> {
    done: u64,
    units: u64,
    /// Units in the prefix that are recorded here.
    counted: u64,
    ending: Option<Ending>,
    problem: Option<String>,
    summary: W::Summary,
    /// Wall times, where they are known without the units.
    times: Option<W::Sums>,
    taken_over: Option<TakenOver>,
}

impl<W: Runnable> Prefix<W> {
    /// The statistics of a complete part are read, those of another are counted. `ending` says
    /// how a part ended whose statistics are these, of so many units; `None` if they are not.
    ///
    /// Statistics are believed if the bytes of every unit are those that were sealed: a pass over
    /// the files, without parsing them. If one is not, counting finds it and tells its name.
    fn read(store: &Store<W>, ending: impl Fn(&W::Summary, u64) -> Option<Ending>) -> Prefix<W> {
        let work = store.work();
        let mut prefix = Prefix {
            done: 0,
            units: work.units(),
            counted: 0,
            ending: None,
            problem: store.is_of_work().err().map(|e| e.to_string()),
            summary: work.summary(&work.tally()),
            times: None,
            taken_over: None,
        };
        match store.whole() {
            Ok(Some((taken, whole))) => return prefix.of_whole(work, taken, whole),
            Ok(None) => prefix.taken_over = store.taken_over().ok().flatten(),
            Err(e) => prefix.problem = Some(e.to_string()),
        }
        let there = store.units_there();
        prefix.done = there.len() as u64;
        let path = store.summary_path();
        // Units are published in order: as many as there are, from the first on.
        let whole = there.iter().copied().eq(0..prefix.done) && prefix.done > 0;
        if let (None, true, Some(summary)) = (&prefix.problem, whole, read_json(&path))
            && let Some(ending) = ending(&summary, prefix.done)
            && (0..prefix.done).all(|unit| store.is_sealed(unit))
        {
            let (ending, counted) = (Some(ending), prefix.done);
            return Prefix { ending, counted, summary, ..prefix };
        }
        prefix.count(store);
        prefix
    }

    /// A part that is here without its units.
    fn of_whole(self, work: &W, taken: TakenOver, whole: WholeOf<W>) -> Prefix<W> {
        let items = W::counted(&whole.summary);
        let ending = work.ended(&whole.summary);
        // As many units as hold its games, had they been played here.
        let (mut done, mut held) = (0, 0);
        while done < self.units && (held < items || ending == Ending::Complete) {
            held += work.items_of(done);
            done += 1;
        }
        let (ending, taken_over) = (Some(ending), Some(taken));
        Prefix { done, ending, summary: whole.summary, times: whole.times, taken_over, ..self }
    }

    fn count(&mut self, store: &Store<W>) {
        let work = store.work();
        // Statistics are written once a part needs no more units.
        let concluded = store.summary_path().exists();
        let mut tally = work.tally();
        while self.problem.is_none() && self.ending.is_none() && self.counted < self.units {
            match store.read(self.counted) {
                Ok(Some(records)) => work.count(&mut tally, records),
                Ok(None) => {
                    let missing = || store.missing(self.counted).to_string();
                    self.problem = concluded.then(missing);
                    break;
                }
                Err(e) => {
                    self.problem = Some(e.to_string());
                    break;
                }
            }
            self.counted += 1;
            self.ending = work.verdict(&tally);
            if self.counted == self.units {
                self.ending = self.ending.or(Some(Ending::Complete));
            }
        }
        self.summary = work.summary(&tally);
    }

    fn result(
        self,
        traps: Option<TrapProfile>,
        outcome: impl FnOnce(W::Summary) -> Outcome,
    ) -> PartResult {
        PartResult {
            done: self.done,
            units: self.units,
            complete: self.ending.is_some(),
            ending: self.ending,
            problem: self.problem,
            outcome: outcome(self.summary),
            traps,
            taken_over: self.taken_over,
        }
    }
}

fn read_json<T: DeserializeOwned>(path: &Path) -> Option<T> {
    serde_json::from_slice(&std::fs::read(path).ok()?).ok()
}

fn match_times(store: &Store, plan: &Plan, prefix: &Prefix<Plan>) -> Option<Times> {
    let mut times = Times::new(plan.players.len());
    for unit in 0..prefix.counted {
        let games = store.timing(unit)?.times;
        let last = plan.schedule.games().saturating_sub(1);
        let jobs: Vec<_> = games.iter().map(|g| plan.schedule.job(g.game.min(last))).collect();
        let timed = jobs.iter().zip(&games);
        let timed = timed.map(|(job, times)| Timed { round: job.round, seats: &job.seats, times });
        times.add(&timed.collect::<Vec<_>>());
    }
    // Times of the first versions do not tell the moves.
    for (moves, player) in times.moves.iter_mut().zip(&prefix.summary.players) {
        *moves = player.moves;
    }
    (prefix.counted > 0).then_some(times)
}

fn exam_times(store: &Store<Exam>, prefix: &Prefix<Exam>) -> Option<ExamTimes> {
    let mut times = ExamTimes::default();
    for unit in 0..prefix.counted {
        times.add(&store.timing(unit)?.times);
    }
    (prefix.counted > 0).then_some(times)
}
