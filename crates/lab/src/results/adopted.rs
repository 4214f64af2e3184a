//! What one run can take over from another: nothing that is the same is played twice. So a run
//! gets more games, or another section.

use super::RunDir;
use crate::store::{Recorded, Store, header_of, unit_bytes};
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
        let mut dirs: Vec<PathBuf> = (std::fs::read_dir(&folder).into_iter().flatten().flatten())
            .map(|entry| entry.path())
            .collect();
        dirs.sort();
        let (mut matches, mut exams) = (Vec::new(), Vec::new());
        for dir in dirs {
            if dir.join(Plan::FILE).exists() {
                matches.push((header_of::<Plan>(&dir)?, dir));
            } else if dir.join(Exam::FILE).exists() {
                exams.push((header_of::<Exam>(&dir)?, dir));
            }
        }
        let mut adopted = 0;
        for (_, part) in experiment.parts() {
            let dir = self.dir().join("parts").join(&part.name);
            match &part.work {
                Work::Match(plan) => {
                    for (header, there) in &matches {
                        if let Some(fewer) = recorded(header, plan) {
                            adopted += self.adopt_games(there, &fewer, plan, &dir)?;
                        }
                    }
                }
                Work::Exam(exam) => {
                    for (header, there) in &exams {
                        if exam.renewed(header.clone()) == *exam.header() {
                            adopted += self.adopt_answers(there, exam, &dir)?;
                        }
                    }
                }
            }
        }
        Ok(adopted)
    }

    fn adopt_games(
        &self,
        there: &Path,
        fewer: &Plan,
        plan: &Plan,
        dir: &Path,
    ) -> Result<u64, LabError> {
        let old = Store::open(there, fewer);
        let (mut games, mut host) = (BTreeMap::new(), None);
        for unit in old.units_there() {
            let timing = old.timing(unit);
            host = host.or(timing.as_ref().map(|t| (t.host.clone(), t.threads)));
            let times = timing.map(|timing| timing.times).unwrap_or_default();
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
                let times = times.into_iter().flatten().collect();
                store.publish_from(unit, &bytes, times, host.clone())?;
            }
        }
        Ok(adopted)
    }

    fn adopt_answers(&self, there: &Path, exam: &Exam, dir: &Path) -> Result<u64, LabError> {
        let old = Store::open(there, exam);
        let store = Store::within(dir, exam, self.lock())?;
        let mut adopted = 0;
        for unit in old.units_there().into_iter().filter(|&unit| !store.has(unit)) {
            if let Some(records) = old.read(unit)? {
                adopted += records.len() as u64;
                let timing = old.timing(unit);
                let host = timing.as_ref().map(|t| (t.host.clone(), t.threads));
                let times = timing.map(|timing| timing.times).unwrap_or_default();
                store.publish_from(unit, &unit_bytes(unit, &records)?, times, host)?;
            }
        }
        Ok(adopted)
    }
}

/// The match of a header, if it is this one with more or fewer games.
fn recorded(header: &Header, plan: &Plan) -> Option<Plan> {
    let asked = plan.header();
    let alike = Header {
        games: asked.games,
        rounds_per_unit: asked.rounds_per_unit,
        units: asked.units,
        ..plan.renewed(header.clone())
    };
    (alike == *asked).then(|| plan.of_size(header.games, header.rounds_per_unit))
}
