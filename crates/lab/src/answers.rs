//! The answers of an exam: asked, recorded, counted.

mod sitting;
mod summary;

pub use sitting::Candidate;
pub(crate) use sitting::Sitting;
pub use summary::{ExamSummary, ExamTally, ExamTimes, Kept, Row};

use crate::results::check_exam;
use crate::runner::{Concluded, Ending, Finished, Played, Runnable};
use crate::store::Recorded;
use crate::{AnyGame, Exam, ExamHeader, LabError, budget};
use serde::{Deserialize, Serialize};
use spielbaum_core::Proof;
use spielbaum_core::param::resolve;

/// The answer to one question.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Answer {
    /// Number of the question in the exam.
    pub question: u64,
    /// The move that was chosen; none if the player failed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub best: Option<String>,
    /// Its value for the player to move.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub value: Option<f32>,
    /// The result of the position, if the player says it is proven.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub proven: Option<Verdict>,
    /// Depth of the search.
    pub depth: u32,
    /// Simulations or root iterations.
    pub iterations: u64,
    /// Plays on a board.
    pub nodes: u64,
    /// Whether the move keeps the value of the position, where that is known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub kept: Option<bool>,
    /// Why there is no move.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub failure: Option<String>,
}

/// A proven result, for the player to move.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Verdict {
    /// Can be forced.
    Win,
    /// Neither side can do better.
    Draw,
    /// Cannot be avoided.
    Loss,
}

impl Verdict {
    /// Its name in a record.
    pub fn name(self) -> &'static str {
        match self {
            Verdict::Win => "win",
            Verdict::Draw => "draw",
            Verdict::Loss => "loss",
        }
    }

    /// What it is worth.
    pub fn value(self) -> f64 {
        match self {
            Verdict::Win => 1.0,
            Verdict::Draw => 0.5,
            Verdict::Loss => 0.0,
        }
    }
}

impl From<Proof> for Verdict {
    fn from(proof: Proof) -> Self {
        match proof {
            Proof::Win => Verdict::Win,
            Proof::Draw => Verdict::Draw,
            Proof::Loss => Verdict::Loss,
        }
    }
}

/// The wall time of an answer, which no record promises.
#[derive(Clone, Copy, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct AnswerTime {
    /// Number of the question.
    pub question: u64,
    /// Seconds it took.
    pub seconds: f64,
}

/// Which questions are asked: those about a position stop after one that took too many plays.
struct Asked<'a> {
    exam: &'a Exam,
    exhausted: Option<usize>,
}

impl Asked<'_> {
    fn is_asked(&self, question: usize) -> bool {
        let questions = &self.exam.questions;
        let same = |at: usize| questions[at].position == questions[question].position;
        !self.exhausted.is_some_and(same)
    }

    fn answered(&mut self, question: usize, nodes: u64) {
        if self.exam.max_nodes.is_some_and(|most| nodes > most) {
            self.exhausted = Some(question);
        }
    }
}

impl Exam {
    /// How many answers there are if every search takes too many plays.
    pub(crate) fn fewest_answers(&self) -> u64 {
        let of_unit = |unit: u64| {
            let mut asked = Asked { exam: self, exhausted: None };
            let is_asked = |&question: &usize| {
                let is_asked = asked.is_asked(question);
                asked.answered(question, u64::MAX);
                is_asked
            };
            self.unit(unit).filter(is_asked).count() as u64
        };
        (0..self.units()).map(of_unit).sum()
    }
}

impl Recorded for Exam {
    type Header = ExamHeader;
    type Record = Answer;
    type Times = AnswerTime;
    type Summary = ExamSummary;
    type Sums = ExamTimes;
    const FILE: &'static str = "exam.json";
    const NAME: &'static str = "exam";

    fn header(&self) -> &ExamHeader {
        Exam::header(self)
    }

    fn renewed(&self, there: ExamHeader) -> ExamHeader {
        let asked = self.header();
        ExamHeader {
            version: asked.version.clone(),
            game: there
                .game
                .renewed(Some(&asked.game), |text| resolve(text, "game", &[self.game.schema()])),
            player: there.player.renewed(Some(&asked.player), self.read),
            ..there
        }
    }

    fn units(&self) -> u64 {
        Exam::units(self)
    }

    fn check(&self, unit: u64, records: &[Answer]) -> Result<(), String> {
        let mut asked = Asked { exam: self, exhausted: None };
        let mut records = records.iter();
        for question in self.unit(unit).filter(|&q| self.questions.len() > q) {
            if !asked.is_asked(question) {
                continue;
            }
            match records.next() {
                Some(answer) if answer.question == question as u64 => {
                    let kept = answer.best.as_deref().map(|m| self.questions[question].keeps(m));
                    if answer.best.is_some() && kept.flatten() != answer.kept {
                        let text = format!("question {question}: `kept` is not what is known");
                        return Err(text);
                    }
                    asked.answered(question, answer.nodes);
                }
                Some(answer) => {
                    return Err(format!("question {} stands for {question}", answer.question));
                }
                None => return Err(format!("question {question} is missing")),
            }
        }
        match records.next() {
            Some(answer) => Err(format!("question {} is not of this unit", answer.question)),
            None => Ok(()),
        }
    }

    fn check_statistics(
        &self,
        summary: &ExamSummary,
        times: Option<&ExamTimes>,
        complete: bool,
    ) -> Result<(), String> {
        check_exam(self, summary, times, complete)
    }
}

impl Runnable for Exam {
    type Worker = Box<dyn Candidate>;
    type Tally = ExamTally;

    fn items(&self) -> u64 {
        self.questions.len() as u64
    }

    fn items_of(&self, unit: u64) -> u64 {
        self.unit(unit).len() as u64
    }

    fn is_sequential(&self) -> bool {
        false
    }

    fn is_timed(&self) -> bool {
        !self.is_deterministic()
    }

    fn plays(&self) -> f64 {
        let all = (0..self.questions.len()).map(|q| budget::plays(&self.limits_of(q)) as f64);
        all.sum::<f64>() / self.questions.len().max(1) as f64
    }

    fn worker(&self, game: &dyn AnyGame) -> Result<Box<dyn Candidate>, LabError> {
        Ok(game.candidate(self)?)
    }

    fn play(
        &self,
        worker: &mut Box<dyn Candidate>,
        unit: u64,
        after: &mut dyn FnMut() -> bool,
    ) -> Result<Option<Played<Exam>>, LabError> {
        let (mut records, mut times) = (Vec::new(), Vec::new());
        let mut asked = Asked { exam: self, exhausted: None };
        for question in self.unit(unit) {
            if !asked.is_asked(question) {
                continue;
            }
            let (answer, time) = worker.answer(self, question)?;
            asked.answered(question, answer.nodes);
            records.push(answer);
            times.push(time);
            if !after() {
                return Ok(None);
            }
        }
        Ok(Some((records, times)))
    }

    fn tally(&self) -> ExamTally {
        ExamTally::default()
    }

    fn count(&self, tally: &mut ExamTally, records: Vec<Answer>) {
        records.into_iter().for_each(|answer| tally.add(self, &answer));
    }

    fn verdict(&self, _tally: &ExamTally) -> Option<Ending> {
        None
    }

    fn summary(&self, tally: &ExamTally) -> ExamSummary {
        tally.summary(self)
    }

    fn ended(&self, _summary: &ExamSummary) -> Ending {
        Ending::Complete
    }

    fn counted(summary: &ExamSummary) -> u64 {
        summary.answers
    }

    fn score(&self, tally: &ExamTally) -> Option<f64> {
        tally.kept().map(|kept| kept.share)
    }

    fn line(&self, tally: &ExamTally) -> String {
        tally.line()
    }

    fn sums(&self) -> ExamTimes {
        ExamTimes::default()
    }

    fn add_times(sums: &mut ExamTimes, _records: &[Answer], times: &[AnswerTime]) {
        sums.add(times);
    }

    fn seconds(times: &[AnswerTime]) -> f64 {
        times.iter().map(|time| time.seconds).sum()
    }

    fn conclude(finished: Finished<ExamSummary, ExamTimes>) -> Concluded {
        Concluded::Exam(Box::new(finished))
    }
}
