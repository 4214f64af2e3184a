//! A part of a run, and where it is recorded.

use super::line::{AnyLine, Bench, Keeper, Line, Runnable, items_of, units_of};
use super::whole::Finality;
use crate::store::{Lock, Store};
use crate::{AnyGame, Exam, LabError, Plan, Work};
use std::path::Path;

/// A part of a run.
#[derive(Clone, Copy)]
pub struct Assignment<'a> {
    /// What it is called; the name of its directory.
    pub name: &'a str,
    /// The game.
    pub game: &'a dyn AnyGame,
    /// What is to be done.
    pub work: Labour<'a>,
    /// So many games or answers of it for now, in whole units; `None` for all.
    pub first: Option<u64>,
}

/// What a part is.
#[derive(Clone, Copy)]
pub enum Labour<'a> {
    /// A match.
    Match(&'a Plan),
    /// An exam.
    Exam(&'a Exam),
}

impl<'a> From<&'a Work> for Labour<'a> {
    fn from(work: &'a Work) -> Self {
        match work {
            Work::Match(plan) => Labour::Match(plan),
            Work::Exam(exam) => Labour::Exam(exam),
        }
    }
}

impl Labour<'_> {
    /// Games or questions of the units with the first so many, and about how many plays one takes.
    pub(super) fn size(&self, first: Option<u64>) -> (u64, f64) {
        fn of<W: Runnable>(work: &W, first: Option<u64>) -> (u64, f64) {
            (items_of(work, units_of(work, first)), work.plays().max(1.0))
        }
        match self {
            Labour::Match(plan) => of(*plan, first),
            Labour::Exam(exam) => of(*exam, first),
        }
    }

    /// Number of units.
    pub(crate) fn units(&self) -> u64 {
        match self {
            Labour::Match(plan) => plan.schedule.units(),
            Labour::Exam(exam) => exam.units(),
        }
    }
}

/// Where a run is recorded.
#[derive(Clone, Copy, Default)]
pub(crate) enum Place<'a> {
    /// Nowhere.
    #[default]
    Nowhere,
    /// The one match it has is recorded here.
    Match(&'a Store),
    /// Each part in a directory of its own, under one lock.
    Parts(&'a Path, &'a Lock),
}

impl<'a> Assignment<'a> {
    /// Games or questions to be done now, and about how many plays one takes.
    pub(super) fn size(&self) -> (u64, f64) {
        self.work.size(self.first)
    }

    /// Opens its record.
    pub(super) fn open(&self, place: Place<'a>) -> Result<Box<dyn AnyLine<'a> + 'a>, LabError> {
        Ok(match self.work {
            Labour::Match(plan) => {
                let store = match place {
                    Place::Nowhere => None,
                    Place::Match(store) => Some(Keeper::Lent(store)),
                    Place::Parts(parts, lock) => {
                        Some(Keeper::Own(Store::within(&parts.join(self.name), plan, lock)?))
                    }
                };
                self.line(plan, store)?
            }
            Labour::Exam(exam) => {
                let store = match place {
                    Place::Nowhere | Place::Match(_) => None,
                    Place::Parts(parts, lock) => {
                        Some(Keeper::Own(Store::within(&parts.join(self.name), exam, lock)?))
                    }
                };
                self.line(exam, store)?
            }
        })
    }

    fn line<W: Runnable>(
        &self,
        work: &'a W,
        store: Option<Keeper<'a, W>>,
    ) -> Result<Box<dyn AnyLine<'a> + 'a>, LabError> {
        let whole = store.as_ref().map_or(Ok(None), |store| store.whole())?;
        let bench = Bench { game: self.game, work, store };
        Ok(match whole {
            Some((taken, whole)) => Box::new(Finality::new(bench, taken, whole)),
            None => Box::new(Line::new(bench, self.first)),
        })
    }
}
