//! Answers → counts → numbers.

use super::{Answer, AnswerTime, Verdict};
use crate::Exam;
use crate::plan::FORMAT;
use crate::stats::Mean;
use crate::stats::wdl::wilson;
use serde::{Deserialize, Serialize};
use std::fmt::Write as _;

/// The counts of the completed prefix of an exam.
#[derive(Clone, Debug, Default)]
pub struct ExamTally {
    answers: u64,
    failures: u64,
    reason: Option<String>,
    kept: u64,
    known: u64,
    proofs: u64,
    /// Proofs of positions with known values, and how many of them are wrong.
    checked: [u64; 2],
    depth: u64,
    iterations: u64,
    nodes: u64,
    /// Depth, iterations and nodes answer by answer, for their intervals.
    each: [Mean; 3],
    rows: Vec<Row>,
}

/// The statistics of an exam. All of it is deterministic; shares are rounded to six decimals.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct ExamSummary {
    /// Version of the format.
    pub format: u32,
    /// The player.
    pub player: String,
    /// Questions of the exam.
    pub questions: u64,
    /// Positions that were left out, because all their moves are of equal value.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub left_out: Option<u64>,
    /// Questions that were asked: fewer, if the budget of the exam ends deep searches.
    pub answers: u64,
    /// How often the player failed to answer.
    pub failures: u64,
    /// Why it failed the first time.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// How often its move kept the value of the position, where values are known.
    pub kept: Option<Kept>,
    /// Answers that the player called proven.
    pub proofs: u64,
    /// How many of them are wrong, where values are known.
    pub false_proofs: Option<u64>,
    /// Mean depth of the searches.
    pub depth: Option<f64>,
    /// Simulations or root iterations of a search.
    pub iterations: Option<f64>,
    /// Plays of a search.
    pub nodes: Option<f64>,
    /// The 95 % interval of the depth, with the positions as a sample of others.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub depth_ci: Option<[f64; 2]>,
    /// That of the iterations.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub iterations_ci: Option<[f64; 2]>,
    /// That of the plays.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub nodes_ci: Option<[f64; 2]>,
    /// The answers to questions that ask for a depth, in order.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub depths: Vec<Row>,
}

/// A share of moves that keep the value.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
pub struct Kept {
    /// Moves that keep it.
    pub kept: u64,
    /// Moves with known values.
    pub of: u64,
    /// The share.
    pub share: f64,
    /// Its 95 % interval, Wilson's.
    pub ci: [f64; 2],
}

/// A search to a depth.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Row {
    /// Number of the question.
    pub question: u64,
    /// The depth that was asked for.
    pub depth: u32,
    /// Plays.
    pub nodes: u64,
    /// Value for the player to move.
    pub value: Option<f32>,
    /// The move.
    pub best: Option<String>,
    /// The result, if proven.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub proven: Option<Verdict>,
}

fn round(x: f64) -> f64 {
    (x * 1e6).round() / 1e6
}

impl ExamTally {
    /// Counts the next answer.
    pub fn add(&mut self, exam: &Exam, answer: &Answer) {
        self.answers += 1;
        if let Some(reason) = &answer.failure {
            self.failures += 1;
            self.reason.get_or_insert_with(|| reason.clone());
        }
        self.known += u64::from(answer.kept.is_some());
        self.kept += u64::from(answer.kept == Some(true));
        let question = exam.questions.get(answer.question as usize);
        if let Some(verdict) = answer.proven {
            self.proofs += 1;
            let known = question.map(|q| q.known.iter().map(|&(_, value)| value));
            if let Some(best) = known.and_then(|values| values.max_by(f64::total_cmp)) {
                self.checked[0] += 1;
                self.checked[1] += u64::from((best - verdict.value()).abs() > 1e-6);
            }
        }
        // A record that was edited may hold any number.
        self.depth = self.depth.saturating_add(u64::from(answer.depth));
        self.iterations = self.iterations.saturating_add(answer.iterations);
        self.nodes = self.nodes.saturating_add(answer.nodes);
        if answer.failure.is_none() {
            let own = [u64::from(answer.depth), answer.iterations, answer.nodes];
            self.each.iter_mut().zip(own).for_each(|(mean, own)| mean.add(own as f64));
        }
        if let Some(depth) = question.and_then(|q| q.limits.depth) {
            self.rows.push(Row {
                question: answer.question,
                depth,
                nodes: answer.nodes,
                value: answer.value,
                best: answer.best.clone(),
                proven: answer.proven,
            });
        }
    }

    /// Answers counted.
    pub fn answers(&self) -> u64 {
        self.answers
    }

    /// The share of moves that keep the value.
    pub fn kept(&self) -> Option<Kept> {
        let (kept, of) = (self.kept, self.known);
        let share = (of > 0).then(|| kept as f64 / of as f64)?;
        let ci = wilson(share, of as f64).map(round);
        Some(Kept { kept, of, share: round(share), ci })
    }

    /// The statistics of what is counted.
    pub fn summary(&self, exam: &Exam) -> ExamSummary {
        let asked = self.answers - self.failures;
        let each = |sum: u64| (asked > 0).then(|| round(sum as f64 / asked as f64));
        let [depth_ci, iterations_ci, nodes_ci] =
            self.each.map(|mean| mean.interval().map(|ci| ci.map(round)));
        let any_known = exam.questions.iter().any(|q| !q.known.is_empty());
        ExamSummary {
            format: FORMAT,
            player: exam.header().player.spec.clone(),
            questions: exam.questions.len() as u64,
            left_out: Some(exam.header().left_out).filter(|&n| n > 0),
            answers: self.answers,
            failures: self.failures,
            reason: self.reason.clone(),
            kept: self.kept(),
            proofs: self.proofs,
            false_proofs: any_known.then_some(self.checked[1]),
            depth: each(self.depth),
            iterations: each(self.iterations),
            nodes: each(self.nodes),
            depth_ci,
            iterations_ci,
            nodes_ci,
            depths: self.rows.clone(),
        }
    }

    /// One line for a progress bar.
    pub fn line(&self) -> String {
        let mut line = format!("{} answers", self.answers);
        if let Some(Kept { share, ci: [low, high], .. }) = self.kept() {
            let interval = format!("{:.1} to {:.1} %", 100.0 * low, 100.0 * high);
            let _ = write!(line, "  {:.1} % keep the value ({interval})", 100.0 * share);
        }
        if let Some(row) = self.rows.last() {
            let _ = write!(line, "  depth {}", row.depth);
        }
        if self.failures > 0 {
            let _ = write!(line, "  {} failures", self.failures);
        }
        line
    }
}

/// Wall times of the answers, by question.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct ExamTimes {
    /// Number of the question, and seconds.
    pub answers: Vec<(u64, f64)>,
}

impl ExamTimes {
    pub(crate) fn add(&mut self, times: &[AnswerTime]) {
        self.answers.extend(times.iter().map(|time| (time.question, time.seconds)));
    }

    /// Seconds of a question.
    pub fn of(&self, question: u64) -> Option<f64> {
        self.answers.iter().find(|(q, _)| *q == question).map(|&(_, seconds)| seconds)
    }

    /// Seconds of all answers together.
    pub fn total(&self) -> f64 {
        self.answers.iter().map(|(_, seconds)| seconds).sum()
    }
}
