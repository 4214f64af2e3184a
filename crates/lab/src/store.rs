//! A match on disk.
//!
//! ```text
//! DIR/match.json            the header: everything that decides the games
//! DIR/units/000000.jsonl    one line for each game of a unit, then a line with their checksum
//! DIR/summary.json          the statistics, once the match is complete
//! DIR/timing/000000.json    wall times and host: outside the promise of identical bytes
//! DIR/timing/lock           held by the process that works here, released by its end
//! ```
//!
//! Each file but the times appears complete or not at all: it is written under another name,
//! synced, and renamed. A second process on the directory is turned away by the lock, which is
//! the operating system's, so that a killed process leaves none behind.

use crate::LabError;
use crate::plan::{FORMAT, Header, Plan};
use crate::record::{GameRecord, GameTimes};
use crate::report::Summary;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::fs::{self, File, TryLockError};
use std::io::Write as _;
use std::path::{Path, PathBuf};

/// A directory with the record of a match.
#[derive(Debug)]
pub struct Store {
    dir: PathBuf,
    plan: Plan,
    /// Held, not read.
    _lock: Option<File>,
}

/// The last line of a unit.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Seal {
    unit: u64,
    games: u64,
    /// FNV-1a, 64 bits, of all bytes before this line.
    checksum: String,
}

#[derive(Serialize)]
struct Timing<'a> {
    format: u32,
    unit: u64,
    host: String,
    threads: usize,
    games: &'a [GameTimes],
}

const DELETE: &str = "delete it and run the match again with the same options to restore it";
const NOT_OURS: &str = "choose another directory";

impl Store {
    /// Opens a directory for a match: creates it, or goes on with what is there.
    pub fn create(dir: &Path, plan: &Plan) -> Result<Store, LabError> {
        let path = dir.join("match.json");
        let agree = || -> Result<(), LabError> {
            let fields = differences(plan.header(), &read_header(dir)?);
            match fields.is_empty() {
                true => Ok(()),
                false => Err(LabError::Differs { dir: dir.to_path_buf(), fields }),
            }
        };
        // Nothing is touched in a directory that is somebody else's.
        if path.exists() {
            agree()?;
        } else if holds_other_files(dir) {
            let text = format!("{} holds other files", dir.display());
            return Err(LabError::Request(format!("{text}; {NOT_OURS}")));
        }
        for folder in [dir.join("units"), dir.join("timing")] {
            fs::create_dir_all(&folder).map_err(LabError::io(&folder))?;
        }
        let lock = lock(dir)?;
        remove_leftovers(dir)?;
        // Another process may have begun while we waited for the lock.
        if path.exists() {
            agree()?;
        } else {
            let mut text = json(plan.header())?;
            text.push('\n');
            publish(&path, text.as_bytes())?;
        }
        Ok(Store { dir: dir.to_path_buf(), plan: plan.clone(), _lock: Some(lock) })
    }

    /// Opens a record to read it.
    pub fn open(dir: &Path, plan: &Plan) -> Store {
        Store { dir: dir.to_path_buf(), plan: plan.clone(), _lock: None }
    }

    /// Where it is.
    pub fn dir(&self) -> &Path {
        &self.dir
    }

    /// Where a unit is.
    pub fn unit_path(&self, unit: u64) -> PathBuf {
        self.dir.join("units").join(format!("{unit:06}.jsonl"))
    }

    /// Whether a unit is recorded.
    pub fn has(&self, unit: u64) -> bool {
        self.unit_path(unit).exists()
    }

    /// Records a unit.
    pub(crate) fn publish(
        &self,
        unit: u64,
        records: &[GameRecord],
        times: &[GameTimes],
    ) -> Result<(), LabError> {
        let threads = std::thread::available_parallelism().map_or(1, usize::from);
        let timing = Timing { format: FORMAT, unit, host: host(), threads, games: times };
        let path = self.dir.join("timing").join(format!("{unit:06}.json"));
        let text = serde_json::to_string(&timing).unwrap_or_default();
        fs::write(&path, text + "\n").map_err(LabError::io(&path))?;
        publish(&self.unit_path(unit), &unit_bytes(unit, records)?)
    }

    /// The games of a unit, checked against the schedule; `None` if it is not recorded.
    pub fn read(&self, unit: u64) -> Result<Option<Vec<GameRecord>>, LabError> {
        let path = self.unit_path(unit);
        match fs::read(&path) {
            Ok(bytes) => {
                let wrong = |problem: String| LabError::damaged(&path, problem, DELETE);
                let records = parse_unit(unit, &bytes).map_err(wrong)?;
                self.check(unit, &records).map_err(wrong)?;
                Ok(Some(records))
            }
            Err(e) if e.kind() == std::io::ErrorKind::NotFound => Ok(None),
            Err(e) => Err(LabError::io(&path)(e)),
        }
    }

    /// Whether the games are those of the schedule.
    fn check(&self, unit: u64, records: &[GameRecord]) -> Result<(), String> {
        let games = self.plan.schedule.unit(unit);
        if games.end - games.start != records.len() as u64 {
            return Err(format!("it has {} games, not {}", records.len(), games.end - games.start));
        }
        for (game, record) in games.zip(records) {
            let job = self.plan.schedule.job(game);
            let n = self.plan.seats;
            let lengths = [record.payoffs.len(), record.counts.len()];
            let scores = record.scores.as_ref().is_none_or(|s| s.len() == n);
            let forfeit = record.forfeit.as_ref().is_none_or(|f| f.seat < n);
            if (record.game, record.round, &record.seats) != (job.game, job.round, &job.seats)
                || lengths != [n; 2]
                || !scores
                || !forfeit
            {
                return Err(format!("game {} is not game {game} of this match", record.game));
            }
        }
        Ok(())
    }

    /// Writes the statistics at the end of a match.
    pub(crate) fn finish(&self, summary: &Summary) -> Result<(), LabError> {
        publish(&self.dir.join("summary.json"), (summary.json()? + "\n").as_bytes())
    }
}

/// Reads the header of a record.
pub fn read_header(dir: &Path) -> Result<Header, LabError> {
    let path = dir.join("match.json");
    let text = fs::read_to_string(&path).map_err(LabError::io(&path))?;
    let wrong = |problem: String| LabError::damaged(&path, problem, NOT_OURS);
    let value: Value =
        serde_json::from_str(&text).map_err(|e| wrong(format!("not a match header: {e}")))?;
    match value.get("format").and_then(Value::as_u64) {
        Some(format) if format == u64::from(FORMAT) => {}
        Some(format) if format > u64::from(FORMAT) => {
            let help = "use the version of the program that wrote it, or a later one";
            let problem = format!("format {format} is newer than this program's {FORMAT}");
            return Err(LabError::damaged(&path, problem, help));
        }
        _ => return Err(wrong("not a match header: no `format`".to_string())),
    }
    serde_json::from_value(value).map_err(|e| wrong(format!("not a match header: {e}")))
}

/// The fields in which two headers differ, each with both values.
fn differences(asked: &Header, there: &Header) -> Vec<String> {
    let value = |header| serde_json::to_value(header).unwrap_or_default();
    let (asked, there) = (value(asked), value(there));
    let empty = serde_json::Map::new();
    let (asked, there) = (asked.as_object().unwrap_or(&empty), there.as_object().unwrap_or(&empty));
    // Derived from the others: they would only repeat the news.
    let derived = ["games_per_round", "rounds_per_unit", "units"];
    let mut keys: Vec<&String> = asked.keys().chain(there.keys()).collect();
    keys.sort_unstable();
    keys.dedup();
    (keys.into_iter())
        .filter(|key| !derived.contains(&key.as_str()) && asked.get(*key) != there.get(*key))
        .map(|key| {
            let text = |v: Option<&Value>| brief(&short(v.unwrap_or(&Value::Null)));
            format!("`{key}` ({} there, {} asked)", text(there.get(key)), text(asked.get(key)))
        })
        .collect()
}

/// A value for people: of a specification the short text.
fn short(value: &Value) -> String {
    match value {
        Value::Object(map) if map.contains_key("spec") => short(&map["spec"]),
        Value::Array(items) => items.iter().map(short).collect::<Vec<_>>().join(" "),
        Value::String(text) => text.clone(),
        other => other.to_string(),
    }
}

fn brief(text: &str) -> String {
    const LONG: usize = 60;
    if text.chars().count() <= LONG {
        return text.to_string();
    }
    text.chars().take(LONG).chain("…".chars()).collect()
}

fn json<T: Serialize>(value: &T) -> Result<String, LabError> {
    serde_json::to_string_pretty(value)
        .map_err(|e| LabError::Request(format!("a record cannot be written: {e}")))
}

/// The bytes of a unit: games, then the seal.
pub(crate) fn unit_bytes(unit: u64, records: &[GameRecord]) -> Result<Vec<u8>, LabError> {
    let mut bytes = Vec::new();
    for record in records {
        bytes.extend_from_slice(record.line().as_bytes());
        bytes.push(b'\n');
    }
    let checksum = format!("{:016x}", fnv1a(&bytes));
    let seal = Seal { unit, games: records.len() as u64, checksum };
    let line = serde_json::to_string(&seal)
        .map_err(|e| LabError::Request(format!("a record cannot be written: {e}")))?;
    bytes.extend_from_slice(line.as_bytes());
    bytes.push(b'\n');
    Ok(bytes)
}

fn parse_unit(unit: u64, bytes: &[u8]) -> Result<Vec<GameRecord>, String> {
    let truncated = || "it is truncated".to_string();
    let body = bytes.strip_suffix(b"\n").ok_or_else(truncated)?;
    let last = body.iter().rposition(|&b| b == b'\n').map_or(0, |at| at + 1);
    let seal: Seal = serde_json::from_slice(&body[last..]).map_err(|_| truncated())?;
    if seal.checksum != format!("{:016x}", fnv1a(&bytes[..last])) {
        return Err("its checksum is wrong, it has been changed".to_string());
    }
    if seal.unit != unit {
        return Err(format!("it is unit {}", seal.unit));
    }
    let text = std::str::from_utf8(&bytes[..last]).map_err(|e| e.to_string())?;
    (text.lines().enumerate())
        .map(|(i, line)| {
            serde_json::from_str(line).map_err(|e| format!("line {}: not a game: {e}", i + 1))
        })
        .collect()
}

/// FNV-1a with 64 bits (Fowler, Noll, Vo): finds accidents, not malice.
fn fnv1a(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, |hash, &byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3)
    })
}

/// Makes a file appear at once, and stay.
fn publish(path: &Path, bytes: &[u8]) -> Result<(), LabError> {
    let temporary = path.with_extension("tmp");
    let write = || -> std::io::Result<()> {
        let mut file = File::create(&temporary)?;
        file.write_all(bytes)?;
        file.sync_all()?;
        fs::rename(&temporary, path)?;
        // The name is safe once the directory is; not every system can sync one.
        if let Some(Ok(dir)) = path.parent().map(File::open) {
            let _ = dir.sync_all();
        }
        Ok(())
    };
    write().map_err(LabError::io(path))
}

/// Whether a directory holds anything that a match, begun or killed at its very beginning,
/// does not leave there.
fn holds_other_files(dir: &Path) -> bool {
    let ours = ["units", "timing", "match.tmp"];
    let entries = fs::read_dir(dir).into_iter().flatten().flatten();
    entries.into_iter().any(|e| !ours.iter().any(|name| e.file_name() == *name))
}

/// Removes what a killed process was writing, by the names that we write.
fn remove_leftovers(dir: &Path) -> Result<(), LabError> {
    let is_unit = |name: &str| {
        name.strip_suffix(".tmp")
            .is_some_and(|n| n.len() >= 6 && n.bytes().all(|b| b.is_ascii_digit()))
    };
    let is_ours = |name: &str| name == "match.tmp" || name == "summary.tmp";
    let remove = |folder: &Path, ours: &dyn Fn(&str) -> bool| {
        for entry in fs::read_dir(folder).map_err(LabError::io(folder))?.flatten() {
            if entry.file_name().to_str().is_some_and(ours) {
                fs::remove_file(entry.path()).map_err(LabError::io(&entry.path()))?;
            }
        }
        Ok(())
    };
    remove(dir, &is_ours)?;
    remove(&dir.join("units"), &is_unit)?;
    remove(&dir.join("timing"), &is_unit)
}

fn lock(dir: &Path) -> Result<File, LabError> {
    let path = dir.join("timing").join("lock");
    let mut file = (File::options().create(true).truncate(false).read(true).write(true))
        .open(&path)
        .map_err(LabError::io(&path))?;
    match file.try_lock() {
        Ok(()) => {}
        Err(TryLockError::WouldBlock) => {
            let pid = fs::read_to_string(&path).unwrap_or_default();
            return Err(LabError::Busy { dir: dir.to_path_buf(), pid: pid.trim().to_string() });
        }
        // A file system without locks: names are still published whole.
        Err(TryLockError::Error(_)) => {}
    }
    file.set_len(0).map_err(LabError::io(&path))?;
    writeln!(file, "{}", std::process::id()).map_err(LabError::io(&path))?;
    Ok(file)
}

fn host() -> String {
    let name = fs::read_to_string("/proc/sys/kernel/hostname").ok();
    let name = name.or_else(|| std::env::var("COMPUTERNAME").ok());
    name.map_or("unknown".to_string(), |name| name.trim().to_string())
}
