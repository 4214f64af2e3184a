//! A match or an exam on disk.
//!
//! ```text
//! DIR/match.json            the header: everything that decides the games (exam.json of an exam)
//! DIR/units/000000.jsonl    a line for each game of a unit, then a line with their checksum
//! DIR/summary.json          the statistics, once the match is complete
//! DIR/taken-over.jsonl      what is from a digest, if something is
//! DIR/timing/000000.json    wall times and host: outside the promise of identical bytes
//! DIR/timing/lock           held by the process that works here, released by its end
//! ```
//!
//! Each file but the times appears complete or not at all: it is written under a name that no
//! other process has, synced, and renamed. A second process on the directory is turned away by
//! the lock. In a run of many parts the lock is the run's, and parts have none.

mod disk;
mod header;
mod replacement;
mod taken;
mod unit;

pub use disk::Access;
pub(crate) use disk::{Lock, holder, host, lock, lock_file, publish, remove_leftovers};
use disk::{offer, publish_one};
pub use header::read_header;
pub(crate) use header::{differences, header_of, of_format, read_format};
pub use replacement::Replacement;
pub use taken::TakenOver;
pub(crate) use taken::{Whole, WholeOf};
pub(crate) use unit::{FNV1A, fnv1a, fnv1a_on, unit_bytes};

use crate::LabError;
use crate::plan::{FORMAT, Plan};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use std::fs;
use std::path::{Path, PathBuf};

const NOT_OURS: &str = "choose another directory";

/// Work that is recorded in units: a match, an exam.
pub trait Recorded: Clone + Send + Sync + 'static {
    /// What decides the work.
    type Header: Serialize + DeserializeOwned;
    /// One line of a unit.
    type Record: Serialize + DeserializeOwned + PartialEq + Send + 'static;
    /// The wall times of a record.
    type Times: Serialize + DeserializeOwned + Send + 'static;
    /// The statistics.
    type Summary: Serialize + DeserializeOwned + PartialEq;
    /// Wall times, added up.
    type Sums: Serialize + DeserializeOwned;
    /// The name of the header's file.
    const FILE: &'static str;
    /// What it is: `match`.
    const NAME: &'static str;

    /// The header.
    fn header(&self) -> &Self::Header;
    /// A recorded header of work like this as this program would write it, as far as it can read
    /// it: a setting that did not exist then has its default, and versions do not count.
    fn renewed(&self, there: Self::Header) -> Self::Header;
    /// Number of units.
    fn units(&self) -> u64;
    /// Whether these are the records of a unit; if not, why.
    fn check(&self, unit: u64, records: &[Self::Record]) -> Result<(), String>;
    /// Whether a record lacks what it would have, had it been played here, and so is from a digest;
    /// `None` where records do not tell.
    fn is_from_digest(&self, _record: &Self::Record) -> Option<bool> {
        None
    }
    /// Whether these can be its statistics and wall times, of all of it if it is complete; if not,
    /// why. Work that is never taken over whole has nothing to check.
    fn check_statistics(
        &self,
        _summary: &Self::Summary,
        _times: Option<&Self::Sums>,
        _complete: bool,
    ) -> Result<(), String> {
        Ok(())
    }
}

/// A directory with the record of a match, or of an exam.
#[derive(Debug)]
pub struct Store<W: Recorded = Plan> {
    dir: PathBuf,
    work: W,
    access: Access,
    /// Whether it may remove units that do not count.
    tidy: bool,
    /// Held, not read.
    _lock: Option<Lock>,
}

/// The wall times of a unit.
#[derive(Serialize, Deserialize)]
pub(crate) struct Timing<T> {
    format: u32,
    unit: u64,
    pub(crate) host: String,
    pub(crate) threads: usize,
    #[serde(rename = "games")]
    pub(crate) times: Vec<T>,
}

impl<W: Recorded> Store<W> {
    /// Opens a directory for this process alone: creates it, or goes on with what is there.
    pub fn create(dir: &Path, work: &W) -> Result<Store<W>, LabError> {
        Self::take(dir, work, Access::Alone)
    }

    /// Opens a directory together with other processes that do the same. Each publishes whole
    /// units, whoever is first wins, and nobody removes anything.
    pub fn join(dir: &Path, work: &W) -> Result<Store<W>, LabError> {
        Self::take(dir, work, Access::Shared)
    }

    fn take(dir: &Path, work: &W, access: Access) -> Result<Store<W>, LabError> {
        // Nothing is touched in a directory that is somebody else's.
        Self::agree(dir, work)?;
        let lock = lock(dir, access)?;
        let mut store = Self::within(dir, work, &lock)?;
        store._lock = Some(lock);
        Ok(store)
    }

    /// As [`create`](Store::create), but the lock is given to the caller, for parts of the work that
    /// are recorded in directories of their own inside.
    pub(crate) fn create_with_parts(dir: &Path, work: &W) -> Result<(Store<W>, Lock), LabError> {
        Self::agree(dir, work)?;
        let lock = lock(dir, Access::Alone)?;
        Ok((Self::within(dir, work, &lock)?, lock))
    }

    /// Opens the directory of a part of a run, which holds the lock.
    pub(crate) fn within(dir: &Path, work: &W, lock: &Lock) -> Result<Store<W>, LabError> {
        let there = Self::agree(dir, work)?;
        for folder in [dir.join("units"), dir.join("timing")] {
            fs::create_dir_all(&folder).map_err(LabError::io(&folder))?;
        }
        if lock.is_alone {
            remove_leftovers(dir, &[W::FILE, "summary.json", "traps.json", taken::FILE])?;
        }
        let access = if lock.is_alone { Access::Alone } else { Access::Shared };
        let tidy = lock.access == Access::Alone;
        let store = Store { dir: dir.to_path_buf(), work: work.clone(), access, tidy, _lock: None };
        if !there {
            let text = json(work.header())?;
            store.put(&dir.join(W::FILE), text.as_bytes())?;
            // Of two processes that began together one was first: is it the same work?
            Self::agree(dir, work)?;
        }
        Ok(store)
    }

    /// Whether this work is recorded there; an error if something else is.
    fn agree(dir: &Path, work: &W) -> Result<bool, LabError> {
        if dir.join(W::FILE).exists() {
            let there = work.renewed(header_of::<W>(dir)?);
            let fields = differences(work.header(), &there);
            return match fields.is_empty() {
                true => Ok(true),
                false => {
                    let (dir, what) = (dir.to_path_buf(), W::NAME);
                    Err(LabError::Differs { dir, what, fields })
                }
            };
        }
        if disk::holds_other_files(dir, &["units", "timing", W::FILE]) {
            let text = format!("{} holds other files", dir.display());
            return Err(LabError::Request(format!("{text}; {NOT_OURS}")));
        }
        Ok(false)
    }

    /// Opens a record to read it.
    pub fn open(dir: &Path, work: &W) -> Store<W> {
        let access = Access::Shared;
        Store { dir: dir.to_path_buf(), work: work.clone(), access, tidy: false, _lock: None }
    }

    /// Where it is.
    pub fn dir(&self) -> &Path {
        &self.dir
    }

    /// What is recorded.
    pub fn work(&self) -> &W {
        &self.work
    }

    /// Where a unit is.
    pub fn unit_path(&self, unit: u64) -> PathBuf {
        self.dir.join("units").join(format!("{unit:06}.jsonl"))
    }

    fn timing_path(&self, unit: u64) -> PathBuf {
        self.dir.join("timing").join(format!("{unit:06}.json"))
    }

    pub(crate) fn summary_path(&self) -> PathBuf {
        self.dir.join("summary.json")
    }

    /// Withdraws the statistics: units are missing.
    pub(crate) fn reopen(&self) -> Result<(), LabError> {
        let path = self.summary_path();
        match fs::remove_file(&path) {
            Err(e) if e.kind() != std::io::ErrorKind::NotFound => Err(LabError::io(&path)(e)),
            _ => Ok(()),
        }
    }

    /// Has a network's file system look again which units are there: a change of our own makes
    /// it distrust what it remembers of a folder.
    pub(crate) fn refresh(&self) {
        disk::touch(&self.dir.join("units").join("000000.look"));
    }

    /// Whether a unit is recorded.
    pub fn has(&self, unit: u64) -> bool {
        self.unit_path(unit).exists()
    }

    /// The units that are recorded, in order.
    pub(crate) fn units_there(&self) -> Vec<u64> {
        let entries = fs::read_dir(self.dir.join("units")).into_iter().flatten().flatten();
        let number = |name: &str| name.strip_suffix(".jsonl")?.parse().ok();
        let mut units: Vec<u64> = entries
            .filter_map(|entry| number(entry.file_name().to_str()?))
            .filter(|&unit| unit < self.work.units())
            .collect();
        units.sort_unstable();
        units
    }

    /// Whether the header that is there, if any, is of this work; if not, why.
    pub(crate) fn is_of_work(&self) -> Result<(), LabError> {
        match self.dir.join(W::FILE).exists() {
            true => Self::agree(&self.dir, &self.work).map(drop),
            false => Ok(()),
        }
    }

    /// Records a unit: its bytes, as [`unit_bytes`] makes them, and its times.
    pub(crate) fn publish(
        &self,
        unit: u64,
        bytes: &[u8],
        times: Vec<W::Times>,
    ) -> Result<(), LabError> {
        self.publish_from(unit, bytes, times, None)
    }

    /// The same for a unit that was played on another machine, perhaps: its host and its threads.
    pub(crate) fn publish_from(
        &self,
        unit: u64,
        bytes: &[u8],
        times: Vec<W::Times>,
        from: Option<(String, usize)>,
    ) -> Result<(), LabError> {
        let here = || (host(), std::thread::available_parallelism().map_or(1, usize::from));
        let (host, threads) = from.unwrap_or_else(here);
        let timing = Timing { format: FORMAT, unit, host, threads, times };
        let path = self.timing_path(unit);
        let text = serde_json::to_string(&timing).unwrap_or_default();
        fs::write(&path, text + "\n").map_err(LabError::io(&path))?;
        self.put(&self.unit_path(unit), bytes)
    }

    fn put(&self, path: &Path, bytes: &[u8]) -> Result<(), LabError> {
        match self.access {
            Access::Alone => publish_one(path, bytes),
            Access::Shared => offer(path, bytes),
        }
    }

    /// The records of a unit, checked against the schedule; `None` if it is not recorded.
    pub fn read(&self, unit: u64) -> Result<Option<Vec<W::Record>>, LabError> {
        let path = self.unit_path(unit);
        match fs::read(&path) {
            Ok(bytes) => {
                let wrong = |problem: String| {
                    LabError::damaged(&path, problem, &format!("delete it and {}", Self::again()))
                };
                let records = unit::parse_unit(unit, &bytes).map_err(wrong)?;
                self.work.check(unit, &records).map_err(wrong)?;
                Ok(Some(records))
            }
            Err(e) if e.kind() == std::io::ErrorKind::NotFound => Ok(None),
            Err(e) => Err(LabError::io(&path)(e)),
        }
    }

    /// Whether a unit is there with the bytes that were sealed; nothing is parsed.
    pub(crate) fn is_sealed(&self, unit: u64) -> bool {
        let bytes = fs::read(self.unit_path(unit));
        bytes.is_ok_and(|bytes| unit::check_seal(unit, &bytes).is_ok())
    }

    /// What is wrong where the statistics are there and a unit is not.
    pub(crate) fn missing(&self, unit: u64) -> LabError {
        let problem = "it is missing, though its games are in the statistics".to_string();
        LabError::damaged(&self.unit_path(unit), problem, &Self::again())
    }

    fn again() -> String {
        format!("run the {} again with the same options to restore it", W::NAME)
    }

    /// The wall times of a unit, as far as they can be read: nothing depends on them.
    pub(crate) fn timing(&self, unit: u64) -> Option<Timing<W::Times>> {
        serde_json::from_slice(&fs::read(self.timing_path(unit)).ok()?).ok()
    }

    /// Writes the statistics at the end: of so many units. What others played beyond them, before
    /// a test had decided, is removed by a process that is alone.
    pub(crate) fn finish<S: Serialize>(&self, summary: &S, units: u64) -> Result<(), LabError> {
        if self.tidy {
            for unit in self.units_there().into_iter().filter(|&unit| unit >= units) {
                let path = self.unit_path(unit);
                fs::remove_file(&path).map_err(LabError::io(&path))?;
                // It may never have been written, and nothing depends on it.
                let _ = fs::remove_file(self.timing_path(unit));
            }
        }
        self.put_summary(summary)
    }

    fn put_summary<S: Serialize>(&self, summary: &S) -> Result<(), LabError> {
        let path = self.summary_path();
        let text = json(summary)?;
        // It is a pure function of the units: most often it is there already.
        match fs::read(&path) {
            Ok(there) if there == text.as_bytes() => Ok(()),
            _ => publish(&path, text.as_bytes()),
        }
    }
}

/// JSON for people and programs, ended by a line break.
pub(crate) fn json<T: Serialize>(value: &T) -> Result<String, LabError> {
    serde_json::to_string_pretty(value)
        .map(|text| text + "\n")
        .map_err(|e| LabError::Request(format!("a record cannot be written: {e}")))
}
