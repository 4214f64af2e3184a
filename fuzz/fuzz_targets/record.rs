//! Records of matches. The input is the files of a record in short: the first line is
//! `match.json`, the others are the games; an empty line ends a unit. Units get their checksum
//! here, or nothing behind it would be reached; one whose last line is a seal stays as it is.
#![no_main]

use libfuzzer_sys::{fuzz_mutator, fuzz_target};
use spielbaum_fuzz::{games, json};
use spielbaum_lab::{Plan, Store, Tally, read_header, replay};
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;

/// Units that are looked at: a header may promise millions.
const UNITS: u64 = 16;

static DIR: LazyLock<PathBuf> = LazyLock::new(|| {
    let dir = std::env::temp_dir().join(format!("spielbaum-fuzz-{}", std::process::id()));
    fs::create_dir_all(dir.join("units")).expect("there is room for temporary files");
    dir
});

fuzz_target!(|input: &[u8]| {
    write(&DIR, input);
    // Every error can be shown.
    if let Err(e) = read(&DIR) {
        assert!(!e.to_string().is_empty());
    }
});

fuzz_mutator!(|data: &mut [u8], size: usize, max_size: usize, seed: u32| {
    json::mutate(data, size, max_size, seed)
});

fn read(dir: &Path) -> Result<(), spielbaum_lab::LabError> {
    let header = read_header(dir)?;
    let (_, plan) = Plan::of_header(&header, games())?;
    assert_eq!(plan.header(), &header);
    if plan.schedule.units() > UNITS {
        return Ok(());
    }
    // Going on with a match trusts the checksum; a replay trusts nothing.
    let store = Store::open(dir, &plan);
    let mut tally = Tally::new(&plan);
    for unit in 0..plan.schedule.units() {
        let Ok(Some(records)) = store.read(unit) else { break };
        records.into_iter().for_each(|record| tally.add(record));
    }
    let summary = tally.summary(&plan);
    assert!(!summary.table(None).is_empty());
    summary.json()?;
    replay(dir, games(), false, &mut |_, _| {}).map(drop)
}

fn write(dir: &Path, input: &[u8]) {
    let save = |path: PathBuf, bytes: &[u8]| fs::write(path, bytes).expect("a temporary file");
    let mut lines = input.split(|&b| b == b'\n');
    save(dir.join("match.json"), lines.next().unwrap_or_default());
    let games: Vec<&[u8]> = lines.collect();
    let mut units = games.split(|line| line.is_empty());
    for unit in 0..UNITS {
        let path = dir.join("units").join(format!("{unit:06}.jsonl"));
        match units.next() {
            Some(games) => save(path, &sealed(unit, games)),
            // None behind a gap is left from another input.
            None if fs::remove_file(path).is_err() => break,
            None => {}
        }
    }
}

fn sealed(unit: u64, games: &[&[u8]]) -> Vec<u8> {
    let mut bytes: Vec<u8> = games.iter().flat_map(|g| g.iter().chain(b"\n")).copied().collect();
    if !games.last().is_some_and(|last| last.starts_with(b"{\"unit\"")) {
        let checksum = bytes.iter().fold(0xcbf2_9ce4_8422_2325u64, |hash, &byte| {
            (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3)
        });
        let games = games.len();
        let seal = format!(r#"{{"unit":{unit},"games":{games},"checksum":"{checksum:016x}"}}"#);
        bytes.extend_from_slice(seal.as_bytes());
        bytes.push(b'\n');
    }
    bytes
}
