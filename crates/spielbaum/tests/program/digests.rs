//! A run goes on from a digest, as on another machine.

use crate::runs::write;
use crate::support::{Scratch, error, json, run, stderr, stdout};
use serde_json::Value;

/// Statistics of games, traps and an exam; each match in four units or more.
const TEXT: &str = r#"
title = "Three kinds"
[[experiment]]
id = "alone"
game = "2048-3x3"
format = "scores"
games = 80
players = ["uct:iterations=400", "random"]
[[experiment]]
id = "pair"
game = "gomoku:m=4,n=4,k=3"
format = "gauntlet"
games = 8
players = ["uct:iterations=[4000,8000]"]
opponents = ["random"]
[[experiment]]
id = "trap"
game = "lion"
format = "match"
games = 8
traps = 3
players = ["uct:iterations=4000", "random"]
[[experiment]]
id = "deep"
game = "lion"
format = "depths"
depths = 3
players = ["alphabeta"]
"#;

/// The state and the statistics of every part.
fn parts(dir: &str) -> Vec<Value> {
    let status = json(&format!("status '{dir}' --json"));
    let part = |p: &Value| serde_json::json!([p["part"], p["state"], p["match"], p["exam"]]);
    status["parts"].as_array().unwrap().iter().map(part).collect()
}

#[test]
fn a_run_goes_on_where_only_its_digest_is_left() {
    let scratch = Scratch::new("digest");
    let file = write(&scratch, TEXT);
    let [whole, first, second] = ["whole", "first", "second"].map(|name| scratch.path(name));
    stdout(&format!("run '{file}' --out '{whole}' --quiet"));
    stdout(&format!("run '{file}' --out '{first}' --quiet"));
    for part in ["alone-001", "pair-002"] {
        let dir = scratch.0.join("first/parts").join(part);
        std::fs::remove_file(dir.join("summary.json")).unwrap();
        for unit in 2.. {
            if std::fs::remove_file(dir.join(format!("units/{unit:06}.jsonl"))).is_err() {
                assert!(unit > 3, "{part} has {unit} units only");
                break;
            }
        }
    }
    let digest = scratch.path("study.json");
    stdout(&format!("export '{first}' --digest '{digest}'"));
    let report = stdout(&format!("report '{digest}'"));
    assert!(report.contains("3 of 5 parts complete"), "{report}");

    // What is left, before anything of it is there.
    let go_on = format!("run '{file}' --out '{second}' --from '{digest}'");
    let plan = json(&format!("{go_on} --dry-run --json"));
    let left: Vec<_> = plan["parts"].as_array().unwrap().iter().map(|p| &p["games"]).collect();
    let alone = left[0].as_u64().unwrap();
    assert!(alone > 0 && alone < 80, "{plan}");
    assert_eq!(left[1..], [0, 4, 0, 0], "{plan}");
    assert_eq!(plan["games"], alone + 4);
    let told = stdout(&format!("{go_on} --dry-run --only deep"));
    assert!(told.contains("would be taken over from") && told.contains("0 games to be run"));
    assert!(!scratch.0.join("second").exists(), "a dry run leaves nothing");

    let told = stdout(&go_on);
    assert!(told.contains("taken over from") && told.contains("study.json"), "{told}");
    assert!(told.contains("3 parts of it whole"), "{told}");
    assert!(
        told.contains("statistics without games, from study.json: pair-001, trap-001,"),
        "{told}"
    );
    assert!(told.contains("games without moves, from study.json: alone-001, pair-002"), "{told}");
    assert_eq!(parts(&second), parts(&whole));
    let [a, b] = [&whole, &second].map(|dir| json(&format!("report '{dir}' --json")));
    let trap = |report: &Value| {
        let sections = report["sections"].as_array().unwrap();
        sections.iter().find(|s| s["id"] == "trap").unwrap()["blocks"].to_string()
    };
    assert!(trap(&b).contains("trap") && trap(&a).contains("trap"));

    let again = stdout(&format!("run '{file}' --out '{second}' --from '{digest}'"));
    assert!(again.starts_with("0 games and answers taken over"), "{again}");
    assert!(again.contains("are here already"), "{again}");
    let csv = run(&format!("export '{second}' --csv -"));
    assert!(stderr(&csv).contains("19 games or answers have no row"), "{}", stderr(&csv));
    let rows = String::from_utf8(csv.stdout).unwrap().split_terminator("\r\n").count();
    assert_eq!(rows, 1 + 80 + 8);
    let replayed = stdout(&format!("replay '{second}/parts/pair-002' --rerun"));
    assert!(replayed.contains("8 games recorded, 4 verified and 4 without"), "{replayed}");
    let none = error(&format!("replay '{second}/parts/pair-001'"), 2);
    assert!(none.contains("taken over whole from study.json"), "{none}");
    let none = error(&format!("replay '{second}/parts/pair-001' --game 1"), 2);
    assert!(none.contains("taken over whole from study.json"), "{none}");

    // Nothing fits, and no digest at all.
    std::fs::write(&file, TEXT.replace("title", "seed = 2\ntitle")).unwrap();
    let other = scratch.path("other");
    let told = stdout(&format!("run '{file}' --out '{other}' --from '{digest}' --only deep"));
    assert!(told.starts_with("0 games") && told.contains("none fill a unit"), "{told}");
    for part in ["alone-001", "pair-001", "pair-002", "trap-001", "deep-001"] {
        let line =
            format!("left there, {part}: it has other settings there: `seed` (1 there, 2 asked)");
        assert!(told.lines().any(|told| told == line), "{line}: {told}");
    }
    let third = scratch.path("third");
    let wrong = error(&format!("run '{file}' --out '{third}' --from '{file}'"), 2);
    assert!(wrong.contains("no digest") && !scratch.0.join("third").exists(), "{wrong}");
}

#[test]
fn files_that_are_something_else_are_told_apart() {
    let scratch = Scratch::new("digest-none");
    let text = "game = \"gomoku:m=3,n=3,k=3\"\nformat = \"match\"\ngames = 4\n\
                players = [\"random\", \"random\"]\n";
    let (file, dir, digest) = (write(&scratch, text), scratch.path("run"), scratch.path("g.json"));
    stdout(&format!("run '{file}' --out '{dir}' --quiet"));
    stdout(&format!("export '{dir}' --digest '{digest}'"));
    // Files that are no digest: no JSON, another JSON, one of ours.
    let [plain, other, nothing] = ["x.txt", "x.json", "none.json"].map(|name| scratch.path(name));
    std::fs::write(&plain, "no digest at all\n").unwrap();
    std::fs::write(&other, "{\"title\": \"x\"}\n").unwrap();
    let header = format!("{dir}/parts/main-001/match.json");
    let new = scratch.path("new");
    for path in [&plain, &other, &header] {
        let run = format!("run '{file}' --out '{new}' --from '{path}'");
        for line in [run, format!("report '{path}'")] {
            let told = error(&line, 2);
            assert!(told.contains(&format!("{path}: it is no digest: ")), "{told}");
            assert!(told.contains("right would be a file that `export DIR --digest FILE` wrote"));
            assert!(!told.contains("choose another directory"), "{told}");
        }
    }
    for line in [format!("run '{file}' --from '{nothing}'"), format!("report '{nothing}'")] {
        let told = error(&line, 2);
        assert!(told.contains("none.json: no such file or directory; right would be"), "{told}");
    }
    assert!(!scratch.0.join("new").exists());
    // A digest where something else is asked for.
    for (command, asked) in [
        ("run", "an experiment file"),
        ("status", "the directory of a run"),
        ("export --csv -", "the directory of a run"),
        ("replay", "the directory of a match"),
    ] {
        let told = error(&format!("{command} '{digest}'"), 2);
        assert!(told.contains(&format!("g.json is a digest, not {asked}; ")), "{told}");
        assert!(told.contains(&format!("--from {digest}`")), "{told}");
    }
    let told = error(&format!("status '{plain}'"), 2);
    assert!(told.contains("x.txt is a file, not the directory of a run"), "{told}");
}

/// Digests of several versions, whose statistics are computed again.
#[test]
fn what_is_committed_is_read() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../data/replication");
    let mut digests = 0;
    for entry in std::fs::read_dir(folder).unwrap().flatten() {
        let path = entry.path().display().to_string();
        assert!(json(&format!("report '{path}' --json"))["title"].is_string(), "{path}");
        digests += 1;
    }
    assert!(digests >= 5, "{digests}");
}

/// What is committed of the papers' runs.
#[test]
fn a_replication_goes_on_from_what_is_committed() {
    let scratch = Scratch::new("digest-paper");
    let out = scratch.path("runs");
    let digest = concat!(env!("CARGO_MANIFEST_DIR"), "/../../data/replication/lion.json");
    let line = format!("replicate lion --full --only L4 --out '{out}' --from '{digest}'");
    let told = stdout(&line);
    assert!(told.contains("taken over from") && told.contains("lion.json"), "{told}");
    // The report tells what that of the digest tells.
    let report = stdout(&format!("report '{digest}'"));
    for text in ["The anchor holds", "77.8 [75.2, 80.4]", "24.7 [22.1, 27.5]"] {
        assert!(told.contains(text) && report.contains(text), "{text}: {told}");
    }
}
