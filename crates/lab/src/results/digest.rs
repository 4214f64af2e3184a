//! A run in one file, without its games: the experiment as run and the statistics of each part.
//! What is committed of a long run; its games can be played again and compared by checksum.

use super::{Outcome, PartResult, Results};
use crate::runner::Ending;
use crate::store::{json, publish, read_format};
use crate::traps::TrapProfile;
use crate::{
    AnyGame, ExamSummary, ExamTally, ExamTimes, Experiment, FORMAT, LabError, RunOptions, Source,
    Summary, Tally, Times, Work,
};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::path::Path;

const NOT_OURS: &str = "choose the file of a digest, or the directory of a run";

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Digest {
    format: u32,
    version: String,
    options: RunOptions,
    /// The experiment file, verbatim, and the files it names.
    name: String,
    experiment: String,
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    files: BTreeMap<String, String>,
    parts: Vec<PartDigest>,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct PartDigest {
    part: String,
    units: u64,
    complete: bool,
    #[serde(rename = "match", default, skip_serializing_if = "Option::is_none")]
    match_: Option<Summary>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    exam: Option<ExamSummary>,
    /// Wall times, which no run promises to repeat.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    times: Option<Times>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    answers: Option<ExamTimes>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    traps: Option<TrapProfile>,
}

impl Results {
    /// Writes the digest of a run.
    pub fn write_digest(&self, path: &Path) -> Result<(), LabError> {
        let parts = (self.experiment.parts().zip(&self.parts))
            .filter(|(_, result)| result.done > 0)
            .map(|((_, part), result)| digest(&part.name, result))
            .collect();
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
        publish(path, (json(&digest)? + "\n").as_bytes())
    }

    /// Reads a digest. Parts that it does not hold are not begun.
    pub fn read_digest(path: &Path, catalog: &[&dyn AnyGame]) -> Result<Results, LabError> {
        let wrong = |e: String| LabError::damaged(path, format!("it is no digest: {e}"), NOT_OURS);
        let digest: Digest = serde_json::from_value(read_format(path, "digest")?)
            .map_err(|e| wrong(e.to_string()))?;
        let source = Source { text: digest.experiment, name: digest.name, files: digest.files };
        let experiment = Experiment::parse(source, digest.options, catalog)
            .map_err(|e| LabError::Request(e.to_string()))?;
        let mut held: BTreeMap<String, PartDigest> =
            digest.parts.into_iter().map(|p| (p.part.clone(), p)).collect();
        let parts = (experiment.parts())
            .map(|(_, part)| restored(&part.work, held.remove(&part.name)))
            .collect();
        if let Some(name) = held.keys().next() {
            return Err(wrong(format!("its experiment has no part `{name}`")));
        }
        let (version, dir, single) = (digest.version, path.to_path_buf(), false);
        Ok(Results { experiment, version, parts, dir, single })
    }
}

fn digest(name: &str, result: &PartResult) -> PartDigest {
    let mut digest = PartDigest {
        part: name.to_string(),
        units: result.done,
        complete: result.complete,
        match_: None,
        exam: None,
        times: None,
        answers: None,
        traps: result.traps.clone(),
    };
    match &result.outcome {
        Outcome::Match { summary, times } => {
            (digest.match_, digest.times) = (Some((**summary).clone()), times.clone());
        }
        Outcome::Exam { summary, times } => {
            (digest.exam, digest.answers) = (Some((**summary).clone()), times.clone());
        }
    }
    digest
}

fn restored(work: &Work, held: Option<PartDigest>) -> PartResult {
    let complete = held.as_ref().is_some_and(|h| h.complete);
    let done = held.as_ref().map_or(0, |h| h.units);
    let traps = held.as_ref().and_then(|h| h.traps.clone());
    let (units, outcome) = match work {
        Work::Match(plan) => {
            let (summary, times) = held.map_or((None, None), |h| (h.match_, h.times));
            let summary = summary.unwrap_or_else(|| Tally::new(plan).summary(plan));
            (plan.schedule.units(), Outcome::Match { summary: Box::new(summary), times })
        }
        Work::Exam(exam) => {
            let (summary, times) = held.map_or((None, None), |h| (h.exam, h.answers));
            let summary = summary.unwrap_or_else(|| ExamTally::default().summary(exam));
            (exam.units(), Outcome::Exam { summary: Box::new(summary), times })
        }
    };
    // How a part ended follows from how many games it has.
    let ending = match (&outcome, work) {
        _ if !complete => None,
        (Outcome::Match { summary, .. }, Work::Match(plan)) => Some(super::ending(summary, plan)),
        _ => Some(Ending::Complete),
    };
    PartResult { done, units, complete, ending, problem: None, outcome, traps }
}
