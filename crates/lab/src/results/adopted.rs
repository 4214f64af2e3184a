//! What one run can take over from another, from its directory or its digest: nothing that is the
//! same is played twice. So a run gets more games, another section, or another machine.

mod donor;

pub use donor::Donor;

use super::RunDir;
use super::digest::{self, AnsweredUnit, Games};
use crate::runner::Runnable;
use crate::store::{Store, WholeOf, json, publish, unit_bytes};
use crate::traps::TrapProfile;
use crate::{Exam, Experiment, LabError, Part, Plan, Recorded, Work};
use std::collections::{BTreeMap, BTreeSet};
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

impl RunDir {
    /// Takes over from another run what the parts of this one need: games of a match that differs
    /// in their number alone, answers of an equal exam, whatever the parts are called there. Of a
    /// digest, parts that were complete are taken over whole, if the number of games is the same, and
    /// games of others without their moves. The other run stays as it is.
    pub fn adopt(&self, donor: &Donor, experiment: &Experiment) -> Result<Adopted, LabError> {
        let mut adopted = Adopted::default();
        let experiment = experiment.as_recorded(self.dir());
        // Parts there that are of use here, and parts here for which there is none.
        let (mut used, mut unserved) = (BTreeSet::new(), Vec::new());
        for (_, part) in experiment.parts() {
            // All that is offered for a part is read before any of it is taken.
            let names: Vec<String> = match &part.work {
                Work::Match(plan) => {
                    let offered: Vec<_> = donor.matches(plan).collect::<Result<_, _>>()?;
                    let take = |(name, lot): (String, Lot<Plan, Batch>)| {
                        match lot {
                            Lot::Whole(whole) => self.take_match(part, plan, *whole, &mut adopted),
                            Lot::Records(batch) => self.take_games(part, plan, batch, &mut adopted),
                            Lot::Other(network) => adopted.leave(part, &network),
                        }
                        .map(|()| name)
                    };
                    offered.into_iter().map(take).collect::<Result<_, _>>()?
                }
                Work::Exam(exam) => {
                    let offered: Vec<_> = donor.exams(exam).collect::<Result<_, _>>()?;
                    let take = |(name, lot): (String, Lot<Exam, Sheets>)| {
                        match lot {
                            Lot::Whole(whole) => self.take_whole(part, exam, *whole, &mut adopted),
                            Lot::Records(sheets) => {
                                self.take_answers(part, exam, sheets, &mut adopted)
                            }
                            Lot::Other(network) => adopted.leave(part, &network),
                        }
                        .map(|()| name)
                    };
                    offered.into_iter().map(take).collect::<Result<_, _>>()?
                }
            };
            if names.is_empty() {
                unserved.push(part);
            }
            used.extend(names);
        }
        for part in unserved.into_iter().filter(|part| !used.contains(&part.name)) {
            let told = |why: String| format!("{}: {why}", part.name);
            adopted.left.extend(donor.difference(part).map(told));
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
        let noted = store.whole();
        let played = has_units(&store, items);
        // Where statistics are there, and of their units some, the rest is played.
        let begun = || store.summary_path().exists() && !store.units_there().is_empty();
        let is_there = match &noted {
            Ok(Some(_)) => true,
            Ok(None) => played || begun(),
            Err(_) => played,
        };
        // A profile that is missing is taken over later, too, if it is that of the same games.
        let traps = store.dir().join("traps.json");
        let same = match &noted {
            Ok(Some((_, there))) => there.summary == whole.whole.summary && !traps.exists(),
            _ => !is_there,
        };
        if let (Some(profile), true) = (&whole.traps, same) {
            publish(&traps, json(profile)?.as_bytes())?;
        }
        if is_there {
            adopted.there += items;
            // A note that is damaged or lost is written anew.
            let digest = whole.digests.keys().next();
            return digest.map_or(Ok(()), |name| store.note_units(name));
        }
        store.take_whole(whole.digests, whole.whole)?;
        adopted.items += items;
        adopted.whole += 1;
        Ok(())
    }

    fn take_games(
        &self,
        part: &Part,
        plan: &Plan,
        batch: Batch,
        adopted: &mut Adopted,
    ) -> Result<(), LabError> {
        let Batch { mut games, hosts, origin, lost } = batch;
        adopted.lose(part, lost);
        if part.traps.is_some() {
            let all = games.len();
            games.retain(|_, (game, _)| game.digest.is_none());
            if games.len() < all {
                adopted.left.push(format!("{}: {NO_TRAPS}", part.name));
            }
        }
        let store = Store::within(&self.place(part), plan, self.lock())?;
        let units = (0..plan.units()).filter_map(|unit| {
            let numbers = plan.schedule.unit(unit);
            let host = hosts.range(..=numbers.start).next_back().map(|(_, host)| host.clone());
            let found: Option<Vec<_>> = numbers.map(|game| games.get(&game).cloned()).collect();
            let (records, times): (Vec<_>, Vec<_>) = found?.into_iter().unzip();
            Some(((unit, records, times.into_iter().flatten().collect()), host))
        });
        take_units(part, &store, units, &origin, adopted)
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
        take_units(part, &store, sheets.units.into_iter(), &sheets.origin, adopted)
    }
}

/// A unit of another run: its number, records and times, and who played it.
type Unit<W> = ((u64, Vec<<W as Recorded>::Record>, Vec<<W as Recorded>::Times>), Option<Host>);

/// Takes over the units that are not here. All of them are looked at before the first is published.
fn take_units<W: Runnable>(
    part: &Part,
    store: &Store<W>,
    units: impl Iterator<Item = Unit<W>>,
    origin: &Origin,
    adopted: &mut Adopted,
) -> Result<(), LabError> {
    let (whole, damaged) = match (store.whole(), &origin.digest) {
        (Ok(whole), _) => (whole.is_some(), false),
        // As none to units of a digest, with which it is written anew.
        (Err(LabError::Damaged { .. }), Some(_)) => (false, true),
        (Err(e), _) => return Err(e),
    };
    let (mut new, mut items, mut there) = (Vec::new(), 0, 0);
    for ((unit, records, times), host) in units {
        if whole || store.has(unit) {
            there += records.len() as u64;
            continue;
        }
        let wrong = |problem: String| origin.wrong(part, unit, &problem);
        store.work().check(unit, &records).map_err(wrong)?;
        new.push((unit, unit_bytes(unit, &records)?, times, host));
        items += records.len() as u64;
    }
    if damaged {
        // The statistics beside a note that cannot be read may be those of a digest, too, and the last
        // there are of as many games.
        if store.units_there().is_empty() && counted_there(store) > items {
            adopted.left.push(format!(
                "{}: its note of what was taken over is damaged, and the statistics beside it are of more; \
                 give the digest they are from, or delete both",
                part.name
            ));
            return Ok(());
        }
        store.reopen()?;
    }
    for (unit, bytes, times, host) in new {
        store.publish_from(unit, &bytes, times, host)?;
    }
    (adopted.items, adopted.there) = (adopted.items + items, adopted.there + there);
    origin.digest.as_ref().map_or(Ok(()), |name| store.note_units(name))
}

/// Games or answers of the statistics that are there.
fn counted_there<W: Runnable>(store: &Store<W>) -> u64 {
    let bytes = std::fs::read(store.summary_path()).unwrap_or_default();
    serde_json::from_slice(&bytes).map_or(0, |summary| W::counted(&summary))
}

/// Whether all units are recorded that work needs which ended after so many games or answers.
fn has_units<W: Runnable>(store: &Store<W>, items: u64) -> bool {
    let (work, there) = (store.work(), store.units_there());
    let units = there.len() as u64;
    let held = || there.iter().map(|&unit| work.items_of(unit)).sum::<u64>();
    let gapless = there.iter().copied().eq(0..units);
    gapless && (units == work.units() || (work.is_sequential() && held() >= items))
}

impl Origin {
    /// A unit that is not of the part for which it is offered.
    fn wrong(&self, part: &Part, unit: u64, problem: &str) -> LabError {
        let help = match self.place.is_dir() {
            true => "the record was changed: restore it there, or do without it",
            false => digest::CHANGED,
        };
        let problem = format!("unit {unit} for part `{}`: {problem}", part.name);
        LabError::damaged(&self.place, problem, help)
    }
}
