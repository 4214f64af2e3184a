//! A section of a run together with what came of its parts.

use crate::stats::{Estimate, Level, Rounds};
use crate::times::Times;
use crate::{
    Exam, ExamSummary, ExamTimes, Outcome, Part, PartResult, Plan, Results, Section, Summary, Work,
};

/// A section with what came of its parts.
pub(super) struct Found<'a> {
    pub(super) results: &'a Results,
    pub(super) section: &'a Section,
    pub(super) parts: Vec<(&'a Part, &'a PartResult)>,
}

/// A match with what came of it.
#[derive(Clone, Copy)]
pub(super) struct Duel<'a> {
    pub(super) part: &'a Part,
    pub(super) result: &'a PartResult,
    pub(super) plan: &'a Plan,
    pub(super) summary: &'a Summary,
    pub(super) times: Option<&'a Times>,
}

/// An exam with what came of it.
#[derive(Clone, Copy)]
pub(super) struct Taken<'a> {
    pub(super) part: &'a Part,
    pub(super) result: &'a PartResult,
    pub(super) exam: &'a Exam,
    pub(super) summary: &'a ExamSummary,
    pub(super) times: Option<&'a ExamTimes>,
}

impl<'a> Found<'a> {
    /// All sections of a run.
    pub(super) fn all(results: &'a Results) -> Vec<Found<'a>> {
        let mut left = results.parts.iter();
        (results.experiment.sections.iter())
            .map(|section| {
                let parts = section.parts.iter().zip(left.by_ref()).collect();
                Found { results, section, parts }
            })
            .collect()
    }

    /// Its heading: with the name that files and papers use, where that says something.
    pub(super) fn title(&self) -> String {
        let (id, title) = (&self.section.id, &self.section.title);
        let alone = self.results.experiment.sections.len() == 1;
        let repeats = id == title || *title == self.results.experiment.title;
        match () {
            () if alone && repeats => "Results".to_string(),
            () if alone || id == title => title.clone(),
            () => format!("{id}: {title}"),
        }
    }

    /// Its matches at tables of so many seats.
    pub(super) fn duels(&self, wanted: impl Fn(usize) -> bool) -> Vec<Duel<'a>> {
        (self.parts.iter())
            .filter_map(|&(part, result)| match (&part.work, &result.outcome) {
                (Work::Match(plan), Outcome::Match { summary, times }) if wanted(plan.seats) => {
                    Some(Duel { part, result, plan, summary, times: times.as_ref() })
                }
                _ => None,
            })
            .collect()
    }

    /// Its exams.
    pub(super) fn exams(&self) -> Vec<Taken<'a>> {
        (self.parts.iter())
            .filter_map(|&(part, result)| match (&part.work, &result.outcome) {
                (Work::Exam(exam), Outcome::Exam { summary, times }) => {
                    Some(Taken { part, result, exam, summary, times: times.as_ref() })
                }
                _ => None,
            })
            .collect()
    }
}

impl Duel<'_> {
    /// The rounds by A's half points.
    pub(super) fn rounds(&self) -> Option<Rounds> {
        self.summary.by_rounds()
    }

    /// A's score with its interval.
    pub(super) fn score(&self) -> Option<Estimate> {
        self.summary.score_at(Level::P95)
    }

    /// How far it is, if it is not complete.
    pub(super) fn lacks(&self) -> Option<String> {
        let (done, all) = (self.summary.games, self.plan.schedule.games());
        (!self.result.complete).then(|| format!("unfinished: {done} of {all} games"))
    }
}
