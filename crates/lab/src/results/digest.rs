//! A run in one file, small enough to be committed: the experiment as run and the statistics of
//! each part, and of parts that are not complete the games without their moves. Another run can go
//! on from it ([`Donor`](super::Donor)); games can be played again and compared by checksum.

mod rows;
mod text;

pub(super) use rows::{AnsweredUnit, Games, games_of};

use rows::{GameRow, answers_of, games_in, rows_of};

use super::{Outcome, PartResult, Results};
use crate::runner::{Ending, Runnable};
use crate::store::{Recorded, Replacement, Store, fnv1a, header_of, of_format};
use crate::traps::TrapProfile;
use crate::{
    AnyGame, Exam, ExamHeader, ExamSummary, ExamTally, ExamTimes, Experiment, FORMAT, Header,
    LabError, Part, Plan, QuestionRecord, ReadPlayer, RunOptions, Source, SpecText, Summary, Tally,
    Times, Work,
};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};
use std::io::ErrorKind;
use std::path::Path;

const NOT_OURS: &str =
    "right would be a file that `export DIR --digest FILE` wrote, or the directory of a run";

/// What to do about a digest that is not as the program wrote it.
pub(super) const CHANGED: &str =
    "the digest was changed: write it again with `export --digest`, or do without it";

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Digest {
    format: u32,
    version: String,
    options: RunOptions,
    /// The experiment file, verbatim, and the files it names.
    name: String,
    experiment: String,
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    files: BTreeMap<String, String>,
    pub(super) parts: Vec<PartDigest>,
}

#[derive(Serialize, Deserialize, Default)]
#[serde(deny_unknown_fields)]
pub(super) struct PartDigest {
    pub(super) part: String,
    units: u64,
    pub(super) complete: bool,
    /// What decides its games; not in digests of the first versions.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) header: Option<Header>,
    /// What decides its answers, without the questions, and their checksum.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) exam_header: Option<ExamHeader>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) questions: Option<String>,
    #[serde(rename = "match", default, skip_serializing_if = "Option::is_none")]
    pub(super) match_: Option<Summary>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) exam: Option<ExamSummary>,
    /// Wall times, which no run promises to repeat.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) times: Option<Times>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) answers: Option<ExamTimes>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) traps: Option<TrapProfile>,
    /// The games of a part that is not complete, and the names of their statistics.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(super) statistics: Vec<String>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(super) rows: Vec<GameRow>,
    /// The answers of an exam that is not complete, by units.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(super) answered: Vec<AnsweredUnit>,
}

impl Results {
    /// Writes the digest of a run into a file.
    pub fn write_digest(&self, path: &Path) -> Result<(), LabError> {
        Replacement::begin(path)?.fill(&self.digest()?)
    }

    /// The digest of a run: JSON, in lines.
    ///
    /// A part that cannot be read is an error: the file, perhaps the last that holds it, stays.
    pub fn digest(&self) -> Result<Vec<u8>, LabError> {
        if let Some(problem) = self.parts.iter().find_map(|part| part.problem.as_ref()) {
            return Err(LabError::Request(format!("no digest is written: {problem}")));
        }
        let parts = (self.experiment.parts().zip(&self.parts))
            .filter(|(_, result)| result.done > 0)
            .map(|((_, part), result)| self.part_digest(part, result))
            .collect::<Result<_, _>>()?;
        let Source { text, name, files } = &self.experiment.source;
        let digest = Digest {
            format: FORMAT,
            version: self.version.clone(),
            options: self.experiment.options,
            // Where the file lay is nobody's business.
            name: name.rsplit(['/', '\\']).next().unwrap_or(name).to_string(),
            experiment: text.clone(),
            files: files.clone(),
            parts,
        };
        text::text(&digest)
    }

    fn part_digest(&self, part: &Part, result: &PartResult) -> Result<PartDigest, LabError> {
        let mut digest = PartDigest {
            part: part.name.clone(),
            units: result.done,
            complete: result.complete,
            traps: result.traps.clone(),
            ..PartDigest::default()
        };
        let dir = self.place(part);
        match (&result.outcome, &part.work) {
            (Outcome::Match { summary, times }, Work::Match(plan)) => {
                digest.header = Some(header_of::<Plan>(&dir)?);
                (digest.match_, digest.times) = (Some((**summary).clone()), times.clone());
                if !result.complete {
                    (digest.statistics, digest.rows) = rows_of(&Store::open(&dir, plan));
                }
            }
            (Outcome::Exam { summary, times }, Work::Exam(exam)) => {
                let mut header = header_of::<Exam>(&dir)?;
                digest.questions = Some(checksum(&std::mem::take(&mut header.questions)));
                digest.exam_header = Some(header);
                (digest.exam, digest.answers) = (Some((**summary).clone()), times.clone());
                if !result.complete {
                    digest.answered = answers_of(&Store::open(&dir, exam));
                }
            }
            _ => {}
        }
        Ok(digest)
    }

    /// Reads a digest. Parts that it does not hold are not begun.
    pub fn read_digest(path: &Path, catalog: &[&dyn AnyGame]) -> Result<Results, LabError> {
        let digest = Digest::read(path)?;
        let experiment = digest.parse(catalog)?;
        let mut held: BTreeMap<String, PartDigest> =
            digest.parts.into_iter().map(|p| (p.part.clone(), p)).collect();
        let parts = (experiment.parts())
            .map(|(_, part)| match held.remove(&part.name) {
                Some(held) => {
                    held.check(&part.work).map_err(|e| damaged(path, &part.name, &e))?;
                    Ok(restored(&part.work, Some(held)))
                }
                None => Ok(restored(&part.work, None)),
            })
            .collect::<Result<_, LabError>>()?;
        if let Some(name) = held.keys().next() {
            return Err(wrong(path, &format!("its experiment has no part `{name}`")));
        }
        let (version, dir, single) = (digest.version, path.to_path_buf(), false);
        Ok(Results { experiment, version, parts, dir, single })
    }
}

fn wrong(path: &Path, problem: &str) -> LabError {
    LabError::damaged(path, format!("it is no digest: {problem}"), NOT_OURS)
}

/// A part that is not as the program wrote it.
pub(super) fn damaged(path: &Path, part: &str, problem: &str) -> LabError {
    LabError::damaged(path, format!("part `{part}`: {problem}"), CHANGED)
}

/// The checksum of an exam's questions.
pub(super) fn checksum(questions: &[QuestionRecord]) -> String {
    format!("{:016x}", fnv1a(&serde_json::to_vec(questions).unwrap_or_default()))
}

/// What to say where something else is asked for and this is the file of a digest.
pub fn digest_instead(path: &Path, asked: &str) -> Option<String> {
    let value: serde_json::Value = serde_json::from_slice(&std::fs::read(path).ok()?).ok()?;
    let keys = ["format", "options", "experiment", "parts"];
    let name = path.display();
    keys.iter().all(|key| value.get(key).is_some()).then(|| {
        format!(
            "{name} is a digest, not {asked}; `spielbaum report {name}` tells what it holds, and \
             `run EXPERIMENT --from {name}` or `replicate PAPER --from {name}` goes on from it"
        )
    })
}

impl Digest {
    pub(super) fn read(path: &Path) -> Result<Digest, LabError> {
        let bytes = std::fs::read(path).map_err(|e| match e.kind() {
            ErrorKind::NotFound => {
                let text = format!("{}: no such file or directory; {NOT_OURS}", path.display());
                LabError::Request(text)
            }
            _ => LabError::io(path)(e),
        })?;
        let value = of_format(path, &bytes, "digest", NOT_OURS)?;
        let digest: Digest =
            serde_json::from_value(value).map_err(|e| wrong(path, &e.to_string()))?;
        let mut seen = BTreeSet::new();
        match digest.parts.iter().find(|part| !seen.insert(&part.part)) {
            Some(twice) => Err(damaged(path, &twice.part, "it is there twice")),
            None => Ok(digest),
        }
    }

    /// The experiment as it was run.
    pub(super) fn parse(&self, catalog: &[&dyn AnyGame]) -> Result<Experiment, LabError> {
        let source = Source {
            text: self.experiment.clone(),
            name: self.name.clone(),
            files: self.files.clone(),
        };
        Experiment::parse(source, self.options, catalog)
            .map_err(|e| LabError::Request(e.to_string()))
    }
}

impl PartDigest {
    /// Whether its statistics, and the games or answers beside them, can be of this work; if not, why.
    pub(super) fn check(&self, work: &Work) -> Result<(), String> {
        match work {
            Work::Match(plan) => {
                self.check_match(plan)?;
                self.games(plan).map(drop)
            }
            Work::Exam(exam) => {
                self.check_exam(exam)?;
                self.check_answers(exam)
            }
        }
    }

    /// Whether its statistics can be of this match; if not, why.
    pub(super) fn check_match(&self, plan: &Plan) -> Result<(), String> {
        let summary = self.match_.as_ref().ok_or("it has no statistics of a match")?;
        plan.check_statistics(summary, self.times.as_ref(), self.complete)?;
        if self.complete && !self.rows.is_empty() {
            return Err("it is called complete, and has `rows` of one that is not".to_string());
        }
        let there = |at: usize| self.header.as_ref().and_then(|header| header.players.get(at));
        for (at, (player, asked)) in summary.players.iter().zip(&plan.header().players).enumerate()
        {
            check_name(&player.player, asked, there(at), plan.read)?;
        }
        Ok(())
    }

    /// Whether its statistics can be of this exam; if not, why.
    pub(super) fn check_exam(&self, exam: &Exam) -> Result<(), String> {
        let summary = self.exam.as_ref().ok_or("it has no statistics of an exam")?;
        exam.check_statistics(summary, self.answers.as_ref(), self.complete)?;
        if self.complete && !self.answered.is_empty() {
            return Err("it is called complete, and has `answered` of one that is not".to_string());
        }
        let there = self.exam_header.as_ref().map(|header| &header.player);
        check_name(&summary.player, &exam.header().player, there, exam.read)
    }

    /// The games of a match that is not complete, or why they are not those of its statistics.
    pub(super) fn games(&self, plan: &Plan) -> Result<Games, String> {
        let games = games_in(&self.rows, &self.statistics, plan)?;
        if let (Some(told), false) = (&self.match_, games.is_empty()) {
            let mut tally = Tally::new(plan);
            for number in 0..told.games {
                let (game, _) = (games.get(&number)).ok_or_else(|| {
                    format!("game {number} is in its statistics, not in its rows")
                })?;
                tally.add(game.clone());
            }
            if !tally.summary(plan).counts_as(told) {
                return Err("its rows are not the games of its statistics".to_string());
            }
        }
        Ok(games)
    }

    /// Whether the answers of an exam that is not complete are those of its statistics; if not, why.
    pub(super) fn check_answers(&self, exam: &Exam) -> Result<(), String> {
        let Some(told) = &self.exam else { return Ok(()) };
        let (mut tally, mut next) = (ExamTally::default(), 0);
        for ((unit, answers, _), number) in self.answered.iter().zip(0..) {
            if *unit >= exam.units() {
                return Err(format!("unit {unit} is none of its {}", exam.units()));
            }
            if *unit < next {
                return Err(format!("unit {unit} is there twice, or out of order"));
            }
            next = unit + 1;
            exam.check(*unit, answers).map_err(|e| format!("unit {unit}: {e}"))?;
            // Statistics end before a unit that is missing, and a run may go on meanwhile.
            if *unit == number && tally.answers() < told.answers {
                answers.iter().for_each(|answer| tally.add(exam, answer));
            }
        }
        match self.answered.is_empty() || tally.summary(exam).counts_as(told) {
            true => Ok(()),
            false => Err("its answers are not those of its statistics".to_string()),
        }
    }
}

/// Whether statistics call a player as their own header or this program does; defaults change, and
/// short texts with them.
fn check_name(
    name: &str,
    asked: &SpecText,
    there: Option<&SpecText>,
    read: ReadPlayer,
) -> Result<(), String> {
    match there.is_some_and(|there| there.spec == name) || asked.is_called(name, read) {
        true => Ok(()),
        false => Err(format!("`player` is `{name}`, and it was played by `{}`", asked.spec)),
    }
}

fn restored(work: &Work, held: Option<PartDigest>) -> PartResult {
    let PartDigest { units: done, complete, match_, exam, times, answers, traps, .. } =
        held.unwrap_or_default();
    let (units, outcome) = match work {
        Work::Match(plan) => {
            let summary = match_.unwrap_or_else(|| Tally::new(plan).summary(plan));
            (plan.schedule.units(), Outcome::Match { summary: Box::new(summary), times })
        }
        Work::Exam(exam_) => {
            let summary = exam.unwrap_or_else(|| ExamTally::default().summary(exam_));
            (exam_.units(), Outcome::Exam { summary: Box::new(summary), times: answers })
        }
    };
    // How a part ended follows from how many games it has.
    let ending = match (&outcome, work) {
        _ if !complete => None,
        (Outcome::Match { summary, .. }, Work::Match(plan)) => Some(plan.ended(summary)),
        _ => Some(Ending::Complete),
    };
    let (problem, taken_over) = (None, None);
    PartResult { done, units, complete, ending, problem, outcome, traps, taken_over }
}
