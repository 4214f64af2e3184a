//! Tunings as real processes: killed and resumed, on any number of threads, they leave the same
//! bytes.

use crate::runs::bytes;
use crate::support::{Scratch, command, json, run, stderr, stdout};
use std::collections::BTreeMap;
use std::path::Path;
use std::process::Stdio;
use std::time::{Duration, Instant};

/// A second or two: weights of an evaluation on a small board.
const TUNE: &str = "tune 2048-3x3 expectimax:depth=3,memory=1 --vary eval.empty=10..2000:log \
    --vary eval.merge=0..2000 --method cma-es --steps 12 --games 12 --fresh 60 --seed 3 --quiet";

fn steps(dir: &Path) -> usize {
    let files = std::fs::read_dir(dir.join("units")).into_iter().flatten().flatten();
    files.filter(|f| f.path().extension().is_some_and(|e| e == "jsonl")).count()
}

/// The files that are not as they should be.
fn differing(dir: &Path, expected: &BTreeMap<String, Vec<u8>>) -> Vec<String> {
    let there = bytes(dir);
    let names = there.keys().chain(expected.keys());
    names.filter(|name| there.get(*name) != expected.get(*name)).cloned().collect()
}

#[test]
fn threads_and_a_kill_change_no_byte() {
    let scratch = Scratch::new("tune");
    let with = |part: &str, jobs: u32| {
        format!("{TUNE} --json --jobs {jobs} --out '{}'", scratch.path(part))
    };
    let one = json(&with("one", 1));
    assert_eq!((&one["objective"], &one["fresh"]), (&"points".into(), &60.into()));
    let player = one["after"]["player"].as_str().unwrap();
    assert!(player.starts_with("expectimax:eval=heuristic(empty="), "{player}");
    let expected = bytes(&scratch.0.join("one"));
    assert!(expected.contains_key("units/000011.jsonl") && expected.contains_key("report.html"));
    assert_eq!(json(&with("two", 2)), one);
    assert_eq!(differing(&scratch.0.join("two"), &expected), Vec::<String>::new());

    // Killed in two places, each time as soon as there are so many steps.
    let killed = scratch.0.join("killed");
    for least in [1, 5] {
        let mut child = command(&with("killed", 2))
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .expect("the program starts");
        let deadline = Instant::now() + Duration::from_secs(60);
        while steps(&killed) < least && Instant::now() < deadline {
            std::thread::sleep(Duration::from_millis(1));
        }
        child.kill().unwrap();
        child.wait().unwrap();
        assert!(!killed.join("summary.json").exists(), "it was over too soon to be killed");
    }
    let so_far = stdout(&format!("report '{}'", killed.display()));
    assert!(so_far.contains("not complete"), "{so_far}");
    let resumed = format!("tune --resume --quiet --json --out '{}'", killed.display());
    assert_eq!(json(&resumed), one);
    assert_eq!(differing(&killed, &expected), Vec::<String>::new());
    // The player that was found can be used as it is printed.
    let used = json(&format!("match 2048-3x3 '{player}' --games 2 --quiet --json"));
    assert_eq!(used["players"][0]["player"], player);
}

#[test]
fn a_tuning_tells_how_it_goes_and_what_it_found() {
    let scratch = Scratch::new("tune-told");
    let line = "tune gomoku:m=3,n=3,k=3 uct:iterations=20 --vary c=0.1..5:log --against random \
        --method spsa --steps 3 --games 4 --fresh 20 --out";
    let output = run(&format!("{line} '{}'", scratch.path("xo")));
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    let log = stderr(&output);
    assert!(log.contains("step 1/3") && log.contains("c="), "{log}");
    let told = String::from_utf8(output.stdout).unwrap();
    assert!(
        told.contains("Before and after") && told.contains("The player that was found:"),
        "{told}"
    );
}
