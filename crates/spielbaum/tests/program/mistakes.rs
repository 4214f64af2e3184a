//! What users do wrong, and what they are told: a golden file of commands and messages.
//!
//! `mistakes.txt` holds a command in each line that begins with `$ spielbaum`, and below it the
//! exit code and what the program says. `UPDATE_GOLDEN=1 cargo test` writes the file anew.

use crate::support::{Scratch, run, stdout};
use std::fmt::Write as _;
use std::fs;

const GOLDEN: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/program/mistakes.txt");
const PROMPT: &str = "$ spielbaum ";

#[test]
fn every_mistake_gets_its_message() {
    let scratch = Scratch::new("mistakes");
    damaged_records(&scratch);
    let dir = scratch.0.to_str().unwrap();

    let golden = fs::read_to_string(GOLDEN).unwrap();
    let commands: Vec<&str> = golden.lines().filter_map(|l| l.strip_prefix(PROMPT)).collect();
    assert!(commands.len() >= 50, "only {} mistakes", commands.len());
    let mut told = String::new();
    for command in commands {
        let output = run(&command.replace("$DIR", dir));
        let message = String::from_utf8(output.stderr).unwrap().replace(dir, "$DIR");
        let code = output.status.code();
        // The messages speak; nothing panics, and nothing is taken for good.
        assert!(message.starts_with("error: "), "{command}: {message}");
        assert!(!message.contains("panicked"), "{command}: {message}");
        assert!(matches!(code, Some(1 | 2)), "{command}: {code:?}");
        assert!(output.stdout.is_empty(), "{command}");
        writeln!(told, "{PROMPT}{command}\n[{}] {message}", code.unwrap_or(-1)).unwrap();
    }
    if std::env::var_os("UPDATE_GOLDEN").is_some() {
        fs::write(GOLDEN, &told).unwrap();
        return;
    }
    for (told, golden) in told.split(PROMPT).zip(golden.split(PROMPT)) {
        assert_eq!(told, golden, "UPDATE_GOLDEN=1 accepts the change");
    }
    assert_eq!(told.len(), golden.len());
}

/// Records with one fault each, and files that are no openings.
fn damaged_records(scratch: &Scratch) {
    let good = scratch.path("good");
    stdout(&format!("match gomoku:m=3,n=3,k=3 random random --games 4 --quiet --out '{good}'"));
    let header = fs::read_to_string(format!("{good}/match.json")).unwrap();
    let unit = fs::read_to_string(format!("{good}/units/000000.jsonl")).unwrap();
    let write = |name: &str, header: &str, unit: &str| {
        let dir = scratch.0.join(name);
        fs::create_dir_all(dir.join("units")).unwrap();
        fs::write(dir.join("match.json"), header).unwrap();
        fs::write(dir.join("units/000000.jsonl"), unit).unwrap();
    };
    fs::create_dir_all(scratch.0.join("empty")).unwrap();
    write("cut-header", &header[..1], &unit);
    write("newer", &header.replace("\"format\": 1", "\"format\": 99"), &unit);
    write("no-format", "{}", &unit);
    write("binary", "\u{0}\u{1}\u{2}", &unit);
    write("other-game", &header.replace("gomoku:", "go:"), &unit);
    write("other-player", &header.replace("\"random\"", "\"randon\""), &unit);
    write("other-seed", &header.replace("\"seed\": 1", "\"seed\": 2"), &unit);
    write("cut-unit", &header, &unit[..unit.len() - 20]);
    write("changed", &header, &unit.replacen("b2", "b1", 1));
    write("empty-unit", &header, "");
    write("no-json", &header, &sealed("this is no game\n"));
    write("illegal", &header, &sealed(&body(&unit).replacen("\"moves\":\"", "\"moves\":\"z9 ", 1)));
    write("wrong-result", &header, &sealed(&result_changed(body(&unit))));
    fs::write(scratch.0.join("empty.txt"), "# nothing here\n").unwrap();
    fs::write(scratch.0.join("illegal.txt"), "a1 b2\n\na1 a1 # twice\n").unwrap();
    fs::write(scratch.0.join("over.txt"), "a1 a2 b1 b2 c1\n").unwrap();
    fs::write(scratch.0.join("place.txt"), "position: 4/4 x\n").unwrap();
}

/// The games of a unit, without the seal.
fn body(unit: &str) -> &str {
    let end = unit.trim_end().rfind('\n').unwrap();
    &unit[..=end]
}

fn result_changed(body: &str) -> String {
    let changed = body.replacen("\"payoffs\":[1.0,0.0]", "\"payoffs\":[0.0,1.0]", 1);
    assert_ne!(changed, body, "the first unit has a game the first seat won");
    changed
}

/// Seals a unit as the program does: FNV-1a over all that stands before.
fn sealed(body: &str) -> String {
    let hash = body.bytes().fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3)
    });
    let games = body.lines().count();
    format!("{body}{{\"unit\":0,\"games\":{games},\"checksum\":\"{hash:016x}\"}}\n")
}
