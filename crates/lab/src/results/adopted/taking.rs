//! What a part takes over: found and checked first, written afterwards.

use super::{Adopted, Batch, Host, NO_TRAPS, Origin, Sheets, WholePart};
use crate::results::digest;
use crate::runner::Runnable;
use crate::store::{Lock, Store, WholeOf, json, publish, unit_bytes};
use crate::traps::TrapProfile;
use crate::{Exam, LabError, Part, Plan, Recorded};
use std::collections::BTreeMap;
use std::path::Path;

/// What is taken over into a part, from all that is offered for it. Nothing is written before
/// [`publish`](Taking::publish).
pub(super) struct Taking<'a, W: Runnable> {
    part: &'a Part,
    /// What is there now, to be read.
    store: Store<W>,
    /// The statistics of the whole part, by the digests that they are from.
    whole: Option<(BTreeMap<String, u64>, WholeOf<W>)>,
    traps: Option<TrapProfile>,
    /// Units that are not there.
    units: BTreeMap<u64, Bytes<W>>,
    /// Whether the note that is there is damaged, and is written anew with units.
    renews: bool,
    /// The digests of which a note is written.
    digests: Vec<String>,
    /// What is told of it.
    pub(super) adopted: Adopted,
    /// Games and questions that are done with.
    pub(super) done: u64,
}

/// A unit as it is published: its bytes and times, and who played it.
type Bytes<W> = (Vec<u8>, Vec<<W as Recorded>::Times>, Option<Host>);

/// A unit of another run: its number, records and times, and who played it.
type Unit<W> = ((u64, Vec<<W as Recorded>::Record>, Vec<<W as Recorded>::Times>), Option<Host>);

impl<'a, W: Runnable> Taking<'a, W> {
    /// Nothing yet, for a part that is recorded in this directory, if it is.
    pub(super) fn new(part: &'a Part, work: &W, dir: &Path) -> Result<Self, LabError> {
        let store = Store::open(dir, work);
        store.is_of_work()?;
        Ok(Taking {
            part,
            store,
            whole: None,
            traps: None,
            units: BTreeMap::new(),
            renews: false,
            digests: Vec::new(),
            adopted: Adopted::default(),
            done: 0,
        })
    }

    /// Takes the statistics of a part that was complete.
    pub(super) fn whole(&mut self, offered: WholePart<W>) {
        let WholePart { digests, whole, traps, .. } = offered;
        let items = W::counted(&whole.summary);
        let store = &self.store;
        let noted = store.whole();
        let played = has_units(store, items);
        // Where statistics are there, and of their units some, the rest is played.
        let begun = || store.summary_path().exists() && !store.units_there().is_empty();
        let before = match &noted {
            Ok(Some(_)) => true,
            Ok(None) => played || begun(),
            Err(_) => played,
        };
        let is_there = before || self.whole.is_some();
        // A profile that is missing is taken over later, too, if it is that of the same games.
        let lacks = self.traps.is_none() && !store.dir().join("traps.json").exists();
        let same = match (&self.whole, &noted) {
            (Some((_, taken)), _) => taken.summary == whole.summary && lacks,
            (None, Ok(Some((_, there)))) => there.summary == whole.summary && lacks,
            _ => !is_there,
        };
        if same {
            self.traps = traps.or(self.traps.take());
        }
        if is_there {
            self.adopted.there += items;
            // A note that is damaged or lost is written anew.
            if before {
                self.digests.extend(digests.into_keys().next());
            }
            return;
        }
        self.whole = Some((digests, whole));
        self.adopted.items += items;
        self.adopted.whole += 1;
        self.done = store.work().items();
    }

    /// Takes the units that are not there.
    fn units(
        &mut self,
        units: impl Iterator<Item = Unit<W>>,
        origin: &Origin,
    ) -> Result<(), LabError> {
        let (whole, damaged) = match (self.store.whole(), &origin.digest) {
            (Ok(whole), _) => (whole.is_some() || self.whole.is_some(), false),
            // As none to units of a digest, with which it is written anew.
            (Err(LabError::Damaged { .. }), Some(_)) => (self.whole.is_some(), !self.renews),
            (Err(e), _) => return Err(e),
        };
        let (mut new, mut items, mut there) = (Vec::new(), 0, 0);
        for ((unit, records, times), host) in units {
            if whole || self.store.has(unit) || self.units.contains_key(&unit) {
                there += records.len() as u64;
                continue;
            }
            let wrong = |problem: String| origin.wrong(self.part, unit, &problem);
            self.store.work().check(unit, &records).map_err(wrong)?;
            new.push((unit, (unit_bytes(unit, &records)?, times, host)));
            items += records.len() as u64;
        }
        if damaged && !whole {
            // The statistics beside a note that cannot be read may be those of a digest, too, and the last
            // there are of as many games.
            if self.store.units_there().is_empty() && counted_there(&self.store) > items {
                self.adopted.left.push(format!(
                    "{}: its note of what was taken over is damaged, and the statistics beside it are of \
                     more; give the digest they are from, or delete both",
                    self.part.name
                ));
                return Ok(());
            }
            self.renews = true;
        }
        let work = self.store.work();
        self.done += new.iter().map(|(unit, _)| work.items_of(*unit)).sum::<u64>();
        self.adopted.items += items;
        self.adopted.there += there;
        self.units.extend(new);
        self.digests.extend(origin.digest.clone());
        Ok(())
    }

    /// Writes all of it.
    pub(super) fn publish(self, lock: &Lock) -> Result<(), LabError> {
        let nothing = self.whole.is_none() && self.traps.is_none() && self.units.is_empty();
        if nothing && self.digests.is_empty() {
            return Ok(());
        }
        let store = Store::within(self.store.dir(), self.store.work(), lock)?;
        if let Some(profile) = &self.traps {
            publish(&store.dir().join("traps.json"), json(profile)?.as_bytes())?;
        }
        if let Some((digests, whole)) = self.whole {
            store.take_whole(digests, whole)?;
        }
        if self.renews {
            store.reopen()?;
        }
        for (unit, (bytes, times, host)) in self.units {
            store.publish_from(unit, &bytes, times, host)?;
        }
        self.digests.iter().try_for_each(|digest| store.note_units(digest))
    }
}

impl Taking<'_, Plan> {
    /// Takes the statistics of a match, if as many games are asked for.
    pub(super) fn match_(&mut self, mut offered: WholePart<Plan>) {
        let (part, plan) = (self.part, self.store.work());
        // Where results may end a match depends on its units: they are looked at after each.
        let units = |plan: &Plan| plan.header().rounds_per_unit;
        let recut = plan.is_sequential() && units(plan) != units(&offered.work);
        let (games, asked) = (offered.whole.summary.games, plan.items());
        if offered.work.items() != asked || recut {
            let other = if recut { ", in other units" } else { "" };
            self.adopted.left.push(format!(
                "{}: {games} games are complete there, so that the digest does not hold them one by \
                 one, and {asked} are asked for{other}",
                part.name
            ));
            return;
        }
        offered.traps = offered.traps.filter(|profile| Some(profile.all.level) == part.traps);
        if part.traps.is_some() && offered.traps.is_none() {
            self.adopted.left.push(format!("{}: {NO_TRAPS}", part.name));
            return;
        }
        self.whole(offered);
    }

    /// Takes the games that fill units.
    pub(super) fn games(&mut self, batch: Batch) -> Result<(), LabError> {
        let Batch { mut games, hosts, origin, lost } = batch;
        self.adopted.lose(self.part, lost);
        if self.part.traps.is_some() {
            let all = games.len();
            games.retain(|_, (game, _)| game.digest.is_none());
            if games.len() < all {
                self.adopted.left.push(format!("{}: {NO_TRAPS}", self.part.name));
            }
        }
        let plan = self.store.work().clone();
        let units = (0..plan.units()).filter_map(|unit| {
            let numbers = plan.schedule.unit(unit);
            let host = hosts.range(..=numbers.start).next_back().map(|(_, host)| host.clone());
            let found: Option<Vec<_>> = numbers.map(|game| games.get(&game).cloned()).collect();
            let (records, times): (Vec<_>, Vec<_>) = found?.into_iter().unzip();
            Some(((unit, records, times.into_iter().flatten().collect()), host))
        });
        self.units(units, &origin)
    }
}

impl Taking<'_, Exam> {
    /// Takes the answers.
    pub(super) fn answers(&mut self, sheets: Sheets) -> Result<(), LabError> {
        self.adopted.lose(self.part, sheets.lost);
        self.units(sheets.units.into_iter(), &sheets.origin)
    }
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
