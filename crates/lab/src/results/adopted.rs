//! What one run can take over from another, from its directory or its digest: nothing that is the
//! same is played twice. So a run gets more games, another section, or another machine.

mod donor;

pub use donor::Donor;

use super::RunDir;
use super::digest::{AnsweredUnit, Games};
use crate::runner::Runnable;
use crate::store::{Store, WholeOf, json, publish, unit_bytes};
use crate::traps::TrapProfile;
use crate::{Exam, Experiment, LabError, Part, Plan, Recorded, Work};
use std::collections::BTreeMap;
use std::path::PathBuf;

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
    fn leave(&mut self, part: &Part, network: &str) -> Result<(), LabError> {
        self.left.push(format!("{}: {network} is another one", part.name));
        Ok(())
    }

    /// The first versions of digests hold nothing of parts that were not complete.
    fn lose(&mut self, part: &Part, items: u64) {
        if items > 0 {
            let why = "it was not complete, and the digest, of an older version, does not hold";
            self.left.push(format!("{}: {why} its {items} games or answers", part.name));
        }
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

/// The games of a part of another run.
struct Batch {
    games: Games,
    host: Option<(String, usize)>,
    /// The name of the digest that they are from.
    digest: Option<String>,
    /// Games that were played there and are not among them.
    lost: u64,
}

/// Units of an exam, each with where it was answered.
struct Sheets {
    units: Vec<(AnsweredUnit, Option<(String, usize)>)>,
    digest: Option<String>,
    lost: u64,
}

/// What a part of another run offers.
enum Lot<W: Runnable, R> {
    Whole(Box<WholePart<W>>),
    Records(R),
    /// Nothing: a network is another one.
    Other(String),
}

impl RunDir {
    /// Takes over from another run what the parts of this one need: games of a match that differs
    /// in their number alone, answers of an equal exam, whatever the parts are called there. Of a
    /// digest, parts that were complete are taken over whole, if the number of games is the same, and
    /// games of others without their moves. The other run stays as it is.
    pub fn adopt(&self, donor: &Donor, experiment: &Experiment) -> Result<Adopted, LabError> {
        let mut adopted = Adopted::default();
        let experiment = experiment.as_recorded(self.dir());
        for (_, part) in experiment.parts() {
            match &part.work {
                Work::Match(plan) => {
                    for offered in donor.matches(plan) {
                        match offered? {
                            Lot::Whole(whole) => self.take_match(part, plan, *whole, &mut adopted),
                            Lot::Records(batch) => self.take_games(part, plan, batch, &mut adopted),
                            Lot::Other(network) => adopted.leave(part, &network),
                        }?;
                    }
                }
                Work::Exam(exam) => {
                    for offered in donor.exams(exam) {
                        match offered? {
                            Lot::Whole(whole) => self.take_whole(part, exam, *whole, &mut adopted),
                            Lot::Records(sheets) => {
                                self.take_answers(part, exam, sheets, &mut adopted)
                            }
                            Lot::Other(network) => adopted.leave(part, &network),
                        }?;
                    }
                }
            }
        }
        Ok(adopted)
    }

    fn place(&self, part: &Part) -> PathBuf {
        super::part_dir(self.dir(), part)
    }

    fn take_match(
        &self,
        part: &Part,
        plan: &Plan,
        mut whole: WholePart<Plan>,
        adopted: &mut Adopted,
    ) -> Result<(), LabError> {
        // Where results may end a match depends on its units: they are looked at after each.
        let units = |plan: &Plan| plan.header().rounds_per_unit;
        let recut = plan.is_sequential() && units(plan) != units(&whole.work);
        let (games, asked) = (whole.whole.summary.games, plan.items());
        if whole.work.items() != asked || recut {
            let other = if recut { ", in other units" } else { "" };
            adopted.left.push(format!(
                "{}: {games} games are complete there, so that the digest does not hold them one by \
                 one, and {asked} are asked for{other}",
                part.name
            ));
            return Ok(());
        }
        whole.traps = whole.traps.filter(|profile| Some(profile.all.level) == part.traps);
        if part.traps.is_some() && whole.traps.is_none() {
            adopted.left.push(format!("{}: {NO_TRAPS}", part.name));
            return Ok(());
        }
        self.take_whole(part, plan, whole, adopted)
    }

    fn take_whole<W: Runnable>(
        &self,
        part: &Part,
        work: &W,
        whole: WholePart<W>,
        adopted: &mut Adopted,
    ) -> Result<(), LabError> {
        let store = Store::within(&self.place(part), work, self.lock())?;
        let items = W::counted(&whole.whole.summary);
        let there = store.whole();
        // A profile that is missing is taken over later, too, if it is that of the same games.
        let traps = store.dir().join("traps.json");
        let same = match &there {
            Ok(Some((_, there))) => there.summary == whole.whole.summary && !traps.exists(),
            Ok(None) => !store.summary_path().exists(),
            Err(_) => true,
        };
        if let (Some(profile), true) = (&whole.traps, same) {
            publish(&traps, json(profile)?.as_bytes())?;
        }
        match there {
            Ok(there) if there.is_some() || store.summary_path().exists() => adopted.there += items,
            // A note that is damaged is written anew.
            _ => {
                store.take_whole(whole.digests, whole.whole)?;
                adopted.items += items;
                adopted.whole += 1;
            }
        }
        Ok(())
    }

    fn take_games(
        &self,
        part: &Part,
        plan: &Plan,
        batch: Batch,
        adopted: &mut Adopted,
    ) -> Result<(), LabError> {
        let Batch { mut games, host, digest, lost } = batch;
        adopted.lose(part, lost);
        if part.traps.is_some() {
            let all = games.len();
            games.retain(|_, (game, _)| game.digest.is_none());
            if games.len() < all {
                adopted.left.push(format!("{}: {NO_TRAPS}", part.name));
            }
        }
        let store = Store::within(&self.place(part), plan, self.lock())?;
        let whole = store.whole()?.is_some();
        let (mut new, mut moveless) = (0, 0);
        for unit in 0..plan.units() {
            let numbers = plan.schedule.unit(unit);
            let found: Option<Vec<_>> = numbers.map(|game| games.get(&game).cloned()).collect();
            let Some(found) = found else { continue };
            let (records, times): (Vec<_>, Vec<_>) = found.into_iter().unzip();
            if whole || store.has(unit) {
                adopted.there += records.len() as u64;
                continue;
            }
            plan.check(unit, &records).map_err(|e| not_of_it(part, &e))?;
            new += records.len() as u64;
            moveless += records.iter().filter(|game| game.digest.is_some()).count() as u64;
            let bytes = unit_bytes(unit, &records)?;
            let times = times.into_iter().flatten().collect();
            store.publish_from(unit, &bytes, times, host.clone())?;
        }
        adopted.items += new;
        store.note_taken(digest, moveless)
    }

    fn take_answers(
        &self,
        part: &Part,
        exam: &Exam,
        sheets: Sheets,
        adopted: &mut Adopted,
    ) -> Result<(), LabError> {
        adopted.lose(part, sheets.lost);
        let store = Store::within(&self.place(part), exam, self.lock())?;
        let whole = store.whole()?.is_some();
        let mut new = 0;
        for ((unit, answers, times), host) in sheets.units {
            if whole || store.has(unit) {
                adopted.there += answers.len() as u64;
                continue;
            }
            exam.check(unit, &answers).map_err(|e| not_of_it(part, &e))?;
            new += answers.len() as u64;
            store.publish_from(unit, &unit_bytes(unit, &answers)?, times, host)?;
        }
        adopted.items += new;
        store.note_taken(sheets.digest, new)
    }
}

/// A digest that was changed by hand.
fn not_of_it(part: &Part, problem: &str) -> LabError {
    LabError::Request(format!("what is to be taken over for {} is not of it: {problem}", part.name))
}
