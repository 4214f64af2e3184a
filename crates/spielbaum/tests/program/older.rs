//! Records of older versions of the program: they go on where they mean the same today.

use crate::support::{Scratch, error, stdout};
use std::fs;
use std::path::{Path, PathBuf};

/// What was recorded in `old-match`, before players had half of the settings of today.
const LINE: &str = "match lion:rules=code mcts-mr-code:nodes=300 mtdf-code:depth=2 --games 4 --seed 5 \
                    --openings none --quiet";

fn copy_of_the_old(scratch: &Scratch) -> PathBuf {
    let old = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/program/old-match");
    let dir = scratch.0.join("match");
    fs::create_dir_all(dir.join("units")).unwrap();
    for name in ["match.json", "units/000000.jsonl"] {
        fs::copy(old.join(name), dir.join(name)).unwrap();
    }
    dir
}

#[test]
fn a_record_of_an_older_version_goes_on_with_the_same_games() {
    let scratch = Scratch::new("older");
    let dir = copy_of_the_old(&scratch);
    let line = format!("{LINE} --out {}", dir.display());
    let files = ["match.json", "units/000000.jsonl"].map(|name| dir.join(name));
    let before = files.clone().map(|file| fs::read(file).unwrap());
    let table = stdout(&line);
    assert!(table.contains("4 in 2 rounds"), "{table}");
    // Its games are those of today.
    fs::remove_file(&files[1]).unwrap();
    stdout(&line);
    assert_eq!(files.map(|file| fs::read(file).unwrap()), before);
    let again = stdout(&format!("replay {} --rerun", dir.display()));
    assert!(again.contains("4 played again with the same bytes"), "{again}");
}

#[test]
fn what_an_older_record_means_otherwise_is_named() {
    let scratch = Scratch::new("older-differs");
    let dir = copy_of_the_old(&scratch);
    let path = dir.join("match.json");
    let good = fs::read_to_string(&path).unwrap();
    let cases = [
        ("scale=signed", "scale=unit", "`players` 1: `scale` (unit there, signed asked) differs"),
        ("cutoff=100", "cutoff=90", "`players` 1: `playout.cutoff` (90 there, 100 asked) differs"),
        ("step=100", "step=1", "`players` 2: `step` (1 there, 100 asked) differs"),
        ("a=1,", "magic=1,a=1,", "`players` 1: `magic` (1 there, none asked), "),
    ];
    for (was, is, told) in cases {
        assert!(good.contains(was), "{was}");
        fs::write(&path, good.replacen(was, is, 1)).unwrap();
        let message = error(&format!("{LINE} --out {}", dir.display()), 2);
        assert!(message.contains(told), "{message}");
    }
    // The version that began it is no difference.
    fs::write(&path, good.replace("\"0.1.0\"", "\"0.0.9\"")).unwrap();
    stdout(&format!("{LINE} --out {}", dir.display()));
}
