//! What one run can take over from another, from its directory or its digest: nothing that is the
//! same is played twice. So a run gets more games, another section, or another machine.

mod donor;
mod taking;

pub use donor::Donor;

use super::digest::{AnsweredUnit, Games};
use super::place::agree;
use super::{RunDir, part_dir};
use crate::runner::Runnable;
use crate::store::{Lock, WholeOf};
use crate::traps::TrapProfile;
use crate::{Experiment, LabError, Part, Work};
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use taking::Taking;

/// Why games are left where they are.
const NO_TRAPS: &str = "its traps are asked for, and a digest has no moves to look for them";

/// What was taken over.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Adopted {
    /// Games and answers.
    pub items: u64,
    /// Parts that were taken over whole: their statistics, without single games.
    pub whole: u64,
    /// Games and answers that this run has already.
    pub there: u64,
    /// Parts of which games were left, and why, for people.
    pub left: Vec<String>,
}

impl Adopted {
    fn leave(&mut self, part: &Part, network: &str) {
        self.left.push(format!("{}: {network} is another one", part.name));
    }

    /// The first versions of digests hold nothing of parts that were not complete.
    fn lose(&mut self, part: &Part, items: u64) {
        if items > 0 {
            let why = "it was not complete, and the digest, of an older version, does not hold";
            self.left.push(format!("{}: {why} its {items} games or answers", part.name));
        }
    }

    fn all(parts: impl Iterator<Item = Adopted>) -> Adopted {
        parts.fold(Adopted::default(), |mut all, part| {
            (all.items, all.whole) = (all.items + part.items, all.whole + part.whole);
            all.there += part.there;
            all.left.extend(part.left);
            all
        })
    }
}

/// A part of another run that is complete and has no single games.
struct WholePart<W: Runnable> {
    /// As it was asked for there.
    work: W,
    digests: BTreeMap<String, u64>,
    whole: WholeOf<W>,
    traps: Option<TrapProfile>,
}

/// Who played a unit, and with how many threads: a machine, or the name of a digest.
type Host = (String, usize);

/// Where records are from.
struct Origin {
    /// The directory of the part, or the digest.
    place: PathBuf,
    /// The name of the digest, if some are from one.
    digest: Option<String>,
}

/// The games of a part of another run.
struct Batch {
    games: Games,
    /// Who played them, each from this game on.
    hosts: BTreeMap<u64, Host>,
    origin: Origin,
    /// Games that were played there and are not among them.
    lost: u64,
}

/// Units of an exam, each with where it was answered.
struct Sheets {
    units: Vec<(AnsweredUnit, Option<Host>)>,
    origin: Origin,
    lost: u64,
}

/// What a part of another run offers.
enum Lot<W: Runnable, R> {
    Whole(Box<WholePart<W>>),
    Records(R),
    /// Nothing: a network is another one.
    Other(String),
}

/// What a run has for another: all of it is read and checked, and nothing is written.
pub struct Offer<'a> {
    donor: &'a Donor,
    experiment: &'a Experiment,
    parts: Vec<Offered>,
}

/// What there is for a part.
struct Offered {
    adopted: Adopted,
    done: u64,
}

impl Offer<'_> {
    /// What would be taken over.
    pub fn adopted(&self) -> Adopted {
        Adopted::all(self.parts.iter().map(|part| part.adopted.clone()))
    }

    /// Games of a part, by its place among [`Experiment::parts`], or questions, that would be done with
    /// beside those that are recorded.
    pub fn done(&self, part: usize) -> u64 {
        self.parts.get(part).map_or(0, |part| part.done)
    }
}

impl Donor {
    /// What a run of the experiment in this directory, which need not be there yet, would take over:
    /// games of a match that differs in their number alone, answers of an equal exam, whatever the parts
    /// are called there. Of a digest, parts that were complete are offered whole, if the number of games is
    /// the same, and games of others without their moves.
    pub fn offer<'a>(
        &'a self,
        experiment: &'a Experiment,
        dir: &Path,
    ) -> Result<Offer<'a>, LabError> {
        agree(dir, experiment)?;
        let parts = self.go_through(experiment, dir, None)?;
        Ok(Offer { donor: self, experiment, parts })
    }

    /// Looks for what is of use to each part, and writes it if the directory is ours. One part is held in
    /// memory at a time.
    fn go_through(
        &self,
        experiment: &Experiment,
        dir: &Path,
        lock: Option<&Lock>,
    ) -> Result<Vec<Offered>, LabError> {
        let experiment = experiment.as_recorded(dir);
        // Parts there that are of use here, and parts here for which there is none.
        let (mut used, mut unserved) = (BTreeSet::new(), Vec::new());
        let mut all = Vec::new();
        for (at, (_, part)) in experiment.parts().enumerate() {
            let dir = part_dir(dir, part);
            let (names, offered) = match &part.work {
                Work::Match(plan) => {
                    let lots: Vec<_> = self.matches(plan).collect::<Result<_, _>>()?;
                    let mut taking = Taking::new(part, plan, &dir)?;
                    let names = each(lots, |lot| {
                        match lot {
                            Lot::Whole(whole) => taking.match_(*whole),
                            Lot::Records(batch) => taking.games(batch)?,
                            Lot::Other(network) => taking.adopted.leave(part, &network),
                        }
                        Ok(())
                    })?;
                    (names, finish(taking, lock)?)
                }
                Work::Exam(exam) => {
                    let lots: Vec<_> = self.exams(exam).collect::<Result<_, _>>()?;
                    let mut taking = Taking::new(part, exam, &dir)?;
                    let names = each(lots, |lot| {
                        match lot {
                            Lot::Whole(whole) => taking.whole(*whole),
                            Lot::Records(sheets) => taking.answers(sheets)?,
                            Lot::Other(network) => taking.adopted.leave(part, &network),
                        }
                        Ok(())
                    })?;
                    (names, finish(taking, lock)?)
                }
            };
            if names.is_empty() {
                unserved.push((at, part));
            }
            used.extend(names);
            all.push(offered);
        }
        for (at, part) in unserved.into_iter().filter(|(_, part)| !used.contains(&part.name)) {
            let told = |why: String| format!("{}: {why}", part.name);
            all[at].adopted.left.extend(self.difference(part).map(told));
        }
        Ok(all)
    }
}

/// Does something with all that is offered for a part, what is whole before single games; the names of
/// the parts it is from.
fn each<W: Runnable, R>(
    mut lots: Vec<(String, Lot<W, R>)>,
    mut take: impl FnMut(Lot<W, R>) -> Result<(), LabError>,
) -> Result<Vec<String>, LabError> {
    lots.sort_by_key(|(_, lot)| !matches!(lot, Lot::Whole(_)));
    lots.into_iter().map(|(name, lot)| take(lot).map(|()| name)).collect()
}

fn finish<W: Runnable>(
    mut taking: Taking<'_, W>,
    lock: Option<&Lock>,
) -> Result<Offered, LabError> {
    let offered = Offered { adopted: std::mem::take(&mut taking.adopted), done: taking.done };
    lock.map_or(Ok(()), |lock| taking.publish(lock))?;
    Ok(offered)
}

impl RunDir {
    /// Takes over what another run offers. That run stays as it is.
    pub fn adopt(&self, offer: &Offer<'_>) -> Result<Adopted, LabError> {
        // It is looked at once more: meanwhile the directory may have got some of it.
        let parts = offer.donor.go_through(offer.experiment, self.dir(), Some(self.lock()))?;
        Ok(Adopted::all(parts.into_iter().map(|part| part.adopted)))
    }
}
