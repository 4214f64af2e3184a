//! What one run can take over from another: nothing that is the same is played twice. So a run
//! gets more games, or another section.

use super::RunDir;
use crate::store::{Recorded, Store, Timing, header_of, unit_bytes};
use crate::{Exam, Experiment, Header, LabError, Plan, RunHeader, Work};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

impl RunDir {
    /// Takes over from another run what the parts of this one need: games of a match that differs
    /// in their number alone, answers of an equal exam, whatever the parts are called there. The
    /// other run stays as it is. Tells how many games and answers there were.
    pub fn adopt(&self, from: &Path, experiment: &Experiment) -> Result<u64, LabError> {
        RunHeader::read(from)?;
        let folder = from.join("parts");
        let entries = std::fs::read_dir(&folder).into_iter().flatten().flatten();
        let mut there: Vec<PathBuf> = entries.map(|entry| entry.path()).collect();
        there.sort();
        let mut adopted = 0;
        for (_, part) in experiment.parts() {
            let dir = self.dir().join("parts").join(&part.name);
            for there in &there {
                adopted += match &part.work {
                    Work::Match(plan) => self.adopt_games(there, plan, &dir)?,
                    Work::Exam(exam) => self.adopt_answers(there, exam, &dir)?,
                };
            }
        }
        Ok(adopted)
    }

    fn adopt_games(&self, there: &Path, plan: &Plan, dir: &Path) -> Result<u64, LabError> {
        let Some(fewer) = recorded(there, plan)? else { return Ok(0) };
        let old = Store::open(there, &fewer);
        let mut games = BTreeMap::new();
        for unit in old.units_there() {
            let times = times_of(&old, unit);
            let records = old.read(unit)?.unwrap_or_default();
            games.extend(records.into_iter().map(|record| {
                let time = times.iter().find(|time| time.game == record.game).cloned();
                (record.game, (record, time))
            }));
        }
        let store = Store::within(dir, plan, self.lock())?;
        let mut adopted = 0;
        for unit in (0..plan.units()).filter(|&unit| !store.has(unit)) {
            let numbers = plan.schedule.unit(unit);
            let found: Option<Vec<_>> = numbers.map(|game| games.get(&game).cloned()).collect();
            if let Some(found) = found {
                let (records, times): (Vec<_>, Vec<_>) = found.into_iter().unzip();
                adopted += records.len() as u64;
                let bytes = unit_bytes(unit, &records)?;
                store.publish(unit, &bytes, times.into_iter().flatten().collect())?;
            }
        }
        Ok(adopted)
    }

    fn adopt_answers(&self, there: &Path, exam: &Exam, dir: &Path) -> Result<u64, LabError> {
        if !there.join(Exam::FILE).exists()
            || exam.renewed(header_of::<Exam>(there)?) != *exam.header()
        {
            return Ok(0);
        }
        let old = Store::open(there, exam);
        let store = Store::within(dir, exam, self.lock())?;
        let mut adopted = 0;
        for unit in old.units_there().into_iter().filter(|&unit| !store.has(unit)) {
            if let Some(records) = old.read(unit)? {
                adopted += records.len() as u64;
                store.publish(unit, &unit_bytes(unit, &records)?, times_of(&old, unit))?;
            }
        }
        Ok(adopted)
    }
}

/// The match that is recorded there, if it is this one with more or fewer games.
fn recorded(there: &Path, plan: &Plan) -> Result<Option<Plan>, LabError> {
    if !there.join(Plan::FILE).exists() {
        return Ok(None);
    }
    let header = header_of::<Plan>(there)?;
    let asked = plan.header();
    let alike = Header {
        games: asked.games,
        rounds_per_unit: asked.rounds_per_unit,
        units: asked.units,
        ..plan.renewed(header.clone())
    };
    Ok((alike == *asked).then(|| plan.of_size(header.games, header.rounds_per_unit)))
}

fn times_of<W: Recorded>(store: &Store<W>, unit: u64) -> Vec<W::Times> {
    store.timing(unit).map(|Timing { times, .. }| times).unwrap_or_default()
}
