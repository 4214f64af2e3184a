//! Runs of experiment files as real processes: killed at any moment, out of room, disturbed by
//! others, they end in the same bytes.

use crate::support::{Scratch, command, error, json, run, stderr, stdout};
use std::collections::BTreeMap;
use std::path::Path;
use std::process::{Command, Output, Stdio};
use std::time::{Duration, Instant};

/// One, two and five seats, and two exams; a second or two of one core, some twenty units.
pub(crate) const ALL_KINDS: &str = r#"
title = "All kinds"
seed = 3
[[experiment]]
id = "alone"
game = "reroll:dice=20"
format = "scores"
games = 20
players = ["uct:iterations=[800,1600]"]
[[experiment]]
id = "pair"
game = "gomoku:m=6,n=6,k=4"
format = "gauntlet"
games = 8
players = ["uct:iterations=[2000,4000]"]
opponents = ["uct:iterations=3000"]
[[experiment]]
id = "table"
game = "pig:players=5,target=20"
format = "match"
seatings = "rotate"
games = 40
players = ["uct:iterations=2000", "random"]
[[experiment]]
id = "trap"
game = "lion"
format = "match"
games = 8
traps = 3
record = "full"
players = ["uct:iterations=60", "random"]
[[experiment]]
id = "deep"
game = "lion"
format = "depths"
depths = 5
max-nodes = 100_000
players = ["alphabeta", "minimax"]
"#;

pub(crate) fn write(scratch: &Scratch, text: &str) -> String {
    let path = scratch.path("study.toml");
    std::fs::write(&path, text).unwrap();
    path
}

/// Every file of a run that promises its bytes, by its path.
pub(crate) fn bytes(dir: &Path) -> BTreeMap<String, Vec<u8>> {
    let mut files = BTreeMap::new();
    let mut folders = vec![dir.to_path_buf()];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).unwrap().flatten() {
            let path = entry.path();
            if path.is_dir() && entry.file_name() != "timing" && entry.file_name() != "slurm" {
                folders.push(path);
            } else if path.is_file() {
                let name = path.strip_prefix(dir).unwrap().to_str().unwrap().to_string();
                files.insert(name, std::fs::read(&path).unwrap());
            }
        }
    }
    files
}

fn units(dir: &Path) -> usize {
    let parts = std::fs::read_dir(dir.join("parts")).into_iter().flatten().flatten();
    let count = |part: &Path| std::fs::read_dir(part.join("units")).into_iter().flatten().count();
    parts.map(|part| count(&part.path())).sum()
}

pub(crate) fn wait_for_units(dir: &Path, number: usize) {
    let deadline = Instant::now() + Duration::from_secs(60);
    while units(dir) < number {
        assert!(Instant::now() < deadline, "no units in {}", dir.display());
        std::thread::sleep(Duration::from_millis(1));
    }
}

fn silent(line: &str) -> Command {
    let mut command = command(line);
    command.stdout(Stdio::null()).stderr(Stdio::null());
    command
}

#[test]
fn a_run_killed_at_twenty_moments_ends_in_the_bytes_of_one_that_was_not() {
    let scratch = Scratch::new("run-kill");
    let file = write(&scratch, ALL_KINDS);
    let (whole, killed) = (scratch.path("whole"), scratch.path("killed"));
    let answer = json(&format!("run '{file}' --out '{whole}' --jobs 1 --quiet --json"));
    assert_eq!(answer["complete"], true);
    let expected = bytes(&scratch.0.join("whole"));
    assert!(units(&scratch.0.join("whole")) >= 15, "{}", units(&scratch.0.join("whole")));
    assert!(expected.contains_key("parts/trap-001/traps.json"), "{:?}", expected.keys());

    let mut state = 12345_u64;
    let mut unfinished = 0;
    for _ in 0..20 {
        let mut child = silent(&format!("run '{file}' --out '{killed}' --jobs 3 --quiet"))
            .spawn()
            .expect("the program starts");
        state =
            state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        std::thread::sleep(Duration::from_millis(4 + (state >> 33) % 60));
        child.kill().unwrap();
        child.wait().unwrap();
        unfinished += u32::from(!scratch.0.join("killed/parts/deep-002/summary.json").exists());
    }
    assert!(unfinished >= 3, "most kills came too late");
    let resumed = match scratch.0.join("killed/run.json").exists() {
        true => json(&format!("run '{killed}' --jobs 2 --quiet --json")),
        false => json(&format!("run '{file}' --out '{killed}' --jobs 2 --quiet --json")),
    };
    assert_eq!(resumed, answer);
    assert_eq!(bytes(&scratch.0.join("killed")), expected);
    // And once more: nothing is left to do, nothing changes.
    assert_eq!(json(&format!("run '{killed}' --quiet --json")), answer);
    assert_eq!(bytes(&scratch.0.join("killed")), expected);
}

#[cfg(unix)]
#[test]
fn ctrl_c_finishes_what_runs_and_the_directory_goes_on() {
    let scratch = Scratch::new("run-interrupt");
    let file = write(&scratch, ALL_KINDS);
    let dir = scratch.path("broken");
    let child = command(&format!("run '{file}' --out '{dir}' --jobs 2"))
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program starts");
    wait_for_units(&scratch.0.join("broken"), 2);
    // Another process is told who is at work.
    let busy = error(&format!("run '{dir}' --quiet"), 1);
    assert!(busy.contains(&format!("in use by process {}", child.id())), "{busy}");
    let status = json(&format!("status '{dir}' --json"));
    assert!(status["worked_on_by"].as_str().unwrap().starts_with(&child.id().to_string()));
    let pid = child.id().to_string();
    assert!(Command::new("kill").args(["-INT", &pid]).status().unwrap().success());
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(130), "{}", stderr(&output));
    assert!(stderr(&output).contains(&format!("spielbaum run {dir}")), "{}", stderr(&output));
    let status = json(&format!("status '{dir}' --json"));
    assert_eq!((&status["complete"], &status["worked_on_by"]), (&false.into(), &().into()));
    assert_eq!(json(&format!("run '{dir}' --quiet --json"))["complete"], true);
}

/// Runs the program with files limited to so many kilobytes, which is how a full disk looks.
#[cfg(unix)]
fn confined(line: &str, kilobytes: u32) -> Output {
    let program = env!("CARGO_BIN_EXE_spielbaum");
    let script = format!("trap '' XFSZ; ulimit -f {kilobytes}; exec '{program}' {line}");
    Command::new("bash").args(["-c", &script]).output().expect("bash is there")
}

#[cfg(unix)]
#[test]
fn a_full_disk_is_told_and_loses_nothing() {
    let scratch = Scratch::new("run-full");
    // Units of the first part are small, those of the second are not.
    let text = r#"
game = "gomoku:m=4,n=4,k=3"
players = ["uct:iterations=2000", "random"]
[[experiment]]
id = "small"
format = "match"
games = 8
[[experiment]]
id = "large"
format = "match"
games = 200
players = ["random", "random"]
"#;
    let file = write(&scratch, text);
    let (whole, full) = (scratch.path("whole"), scratch.path("full"));
    stdout(&format!("run '{file}' --out '{whole}' --quiet"));
    let output = confined(&format!("run '{file}' --out '{full}' --quiet --jobs 1"), 8);
    let message = stderr(&output);
    assert_eq!(output.status.code(), Some(1), "{message}");
    assert!(message.starts_with("error: ") && message.contains("large-001"), "{message}");
    assert!(message.contains("what was recorded before is safe"), "{message}");
    let expected = bytes(&scratch.0.join("whole"));
    let there = bytes(&scratch.0.join("full"));
    assert!(there.contains_key("parts/small-001/summary.json"), "{:?}", there.keys());
    assert!(there.iter().all(|(name, bytes)| expected.get(name) == Some(bytes)), "{message}");
    stdout(&format!("run '{full}' --quiet"));
    assert_eq!(bytes(&scratch.0.join("full")), expected);
}

#[test]
fn a_damaged_unit_is_named_and_can_be_restored() {
    let scratch = Scratch::new("run-damage");
    let text = "game = \"gomoku:m=3,n=3,k=3\"\nformat = \"match\"\ngames = 6\n\
                players = [\"uct:iterations=20000\", \"random\"]\n";
    let file = write(&scratch, text);
    let dir = scratch.path("run");
    stdout(&format!("run '{file}' --out '{dir}' --quiet"));
    let expected = bytes(&scratch.0.join("run"));
    let path = scratch.0.join("run/parts/main-001/units/000001.jsonl");
    let good = std::fs::read(&path).unwrap();
    std::fs::write(&path, &good[..good.len() / 2]).unwrap();
    let message = error(&format!("run '{dir}' --quiet"), 2);
    assert!(message.contains("000001.jsonl") && message.contains("truncated"), "{message}");
    assert!(message.contains("delete it"), "{message}");
    std::fs::remove_file(scratch.0.join("run/parts/main-001/summary.json")).unwrap();
    let status = json(&format!("status '{dir}' --json"));
    let part = &status["parts"][0];
    assert!(part["state"] == "damaged" && part["games"] == 2, "{part}");
    std::fs::remove_file(&path).unwrap();
    stdout(&format!("run '{dir}' --quiet"));
    assert_eq!(bytes(&scratch.0.join("run")), expected);
}

#[test]
fn another_experiment_does_not_go_on_in_a_directory() {
    let scratch = Scratch::new("run-other");
    let text = "game = \"gomoku:m=3,n=3,k=3\"\nformat = \"match\"\ngames = 4\n\
                players = [\"random\", \"random\"]\n";
    let file = write(&scratch, text);
    let dir = scratch.path("run");
    stdout(&format!("run '{file}' --out '{dir}' --quiet"));
    let quick = error(&format!("run '{file}' --out '{dir}' --quick"), 2);
    assert!(quick.contains("holds another experiment") && quick.contains("--quick"), "{quick}");
    std::fs::write(&file, text.replace("games = 4", "games = 6")).unwrap();
    let other = error(&format!("run '{file}' --out '{dir}'"), 2);
    assert!(other.contains("from line 3 on") && other.contains("`--from`"), "{other}");
    let more = scratch.path("more");
    let told = stdout(&format!("run '{file}' --out '{more}' --from '{dir}'"));
    // Whole units are, and four games that fast are none.
    assert!(told.contains("0 games and answers taken over"), "{told}");
    assert!(told.contains("1/1      6"), "{told}");
    let none = error(&format!("run '{file}' --out '{more}' --from '{}'", scratch.path("no")), 2);
    assert!(none.contains("no: no such file or directory"), "{none}");
    // The directory knows what it runs.
    stdout(&format!("run '{dir}' --quiet"));
    assert!(error(&format!("run '{dir}' --quick"), 2).contains("as it was begun"));
    let only = error(&format!("run '{dir}' --only nothing"), 2);
    assert!(only.contains("the sections are main"), "{only}");
    let foreign = scratch.path("foreign");
    std::fs::create_dir(&foreign).unwrap();
    std::fs::write(scratch.0.join("foreign/thesis.txt"), "precious").unwrap();
    assert!(error(&format!("run '{file}' --out '{foreign}'"), 2).contains("holds other files"));
    assert!(error(&format!("status '{foreign}'"), 2).contains("run.json"));
}

#[test]
fn a_run_is_estimated_shown_and_exported() {
    let scratch = Scratch::new("run-export");
    let text = r#"
title = "Two kinds"
game = "gomoku:m=3,n=3,k=3"
[[experiment]]
id = "games"
format = "gauntlet"
games = 4
players = ["uct:c=[0.5,1],iterations=30"]
opponents = ["random"]
record = "results"
[[experiment]]
id = "deep"
format = "depths"
depths = 3
players = ["alphabeta"]
"#;
    let file = write(&scratch, text);
    let dir = scratch.path("run");
    let plan = json(&format!("run '{file}' --out '{dir}' --dry-run --json"));
    assert_eq!((&plan["games"], plan["parts"].as_array().unwrap().len()), (&11.into(), 3));
    assert!(plan["core_hours"].as_f64().unwrap() > 0.0);
    assert!(plan["parts"].as_array().unwrap().iter().all(|part| part["at_least"] == false));
    // Whole units, of which each part here has one and a section of a paper several.
    let begun = json(&format!("run '{file}' --out '{dir}' --dry-run --first 1 --json"));
    assert_eq!(begun["games"], 11);
    let shallow = format!("replicate 2048 --full --only T2-shallow --out '{dir}' --dry-run --json");
    assert_eq!(json(&shallow)["games"], 400);
    let begun = json(&format!("{shallow} --first 30"))["games"].as_u64().unwrap();
    assert!((30..100).contains(&begun), "{begun}");
    assert!(!scratch.0.join("run").exists(), "a dry run leaves nothing");
    assert!(stdout(&format!("run '{file}' --dry-run")).contains("An estimate"));

    let output = run(&format!("run '{file}' --out '{dir}' --only games"));
    assert!(stderr(&output).contains("games-002  4/4 games"), "{}", stderr(&output));
    let status = json(&format!("status '{dir}' --json"));
    let states: Vec<&str> =
        status["parts"].as_array().unwrap().iter().map(|p| p["state"].as_str().unwrap()).collect();
    assert_eq!(states, ["complete", "complete", "missing"]);
    let text = stdout(&format!("run '{dir}' --quiet"));
    assert!(text.contains("Two kinds") && text.contains("3 of 3 parts are complete"), "{text}");
    assert!(text.contains("c=0.5") && text.lines().all(|l| l.chars().count() <= 80), "{text}");

    let csv = stdout(&format!("export '{dir}' --csv -"));
    let lines: Vec<&str> = csv.split_terminator("\r\n").collect();
    assert_eq!(lines.len(), 1 + 8 + 3, "{csv}");
    assert!(lines[0].starts_with("section,part,setting,kind,game,number,round,"), "{}", lines[0]);
    assert!(lines[1].starts_with("games,games-001,c=0.5,match,\"gomoku:m=3,n=3,k=3\",0,0,,"));
    assert!(lines[9].starts_with("deep,deep-001,"), "{}", lines[9]);
    let path = scratch.path("games.csv");
    stdout(&format!("export '{dir}' --csv '{path}'"));
    assert_eq!(std::fs::read_to_string(&path).unwrap(), csv);
    // A part is a match like any other; here it has no moves to be verified.
    let replayed = stdout(&format!("replay '{dir}/parts/games-001' --rerun"));
    assert!(replayed.contains("without their moves") && replayed.contains("4 played again"));
    if cfg!(feature = "parquet") {
        let path = scratch.path("games.parquet");
        stdout(&format!("export '{dir}' --parquet '{path}'"));
        assert_eq!(&std::fs::read(&path).unwrap()[..4], b"PAR1");
    } else {
        let message = error(&format!("export '{dir}' --parquet '{}'", scratch.path("p")), 2);
        assert!(message.contains("--features parquet"), "{message}");
    }
}

/// Nobody can tell in a second how long a game of ten thousand moves is.
#[test]
fn games_that_outlast_the_try_are_estimated_from_below() {
    let scratch = Scratch::new("run-outlasts");
    let text = "game = \"2048\"\nformat = \"scores\"\ngames = 3\nplayers = [\"2048-best\"]\n";
    let file = write(&scratch, text);
    let dir = scratch.path("run");
    let told = stdout(&format!("run '{file}' --out '{dir}' --dry-run"));
    assert!(told.matches("at least ").count() == 2 && told.contains("\nAt least: "), "{told}");
}

#[test]
fn an_exam_is_estimated_by_what_its_questions_take() {
    let scratch = Scratch::new("run-exam");
    let text = r#"
game = "gomoku:m=3,n=3,k=3"
format = "depths"
depths = 9
positions = ["start", "b2"]
max-nodes = 100
players = ["alphabeta", "alphabeta:time=100s"]
"#;
    let file = write(&scratch, text);
    let dir = scratch.path("run");
    let estimate = || json(&format!("run '{file}' --out '{dir}' --dry-run --json"));
    let plan = estimate();
    for part in plan["parts"].as_array().unwrap() {
        // A depth ends these searches, not the time.
        assert!(part["games"] == 18 && part["seconds"].as_f64().unwrap() < 100.0, "{part}");
    }
    stdout(&format!("run '{file}' --out '{dir}' --quiet --only main-001"));
    let part = scratch.0.join("run/parts/main-001");
    assert_eq!(estimate()["parts"][0]["games"], 0);
    // Deeper questions about the first position were spared: those of the second are left.
    std::fs::remove_file(part.join("summary.json")).unwrap();
    std::fs::remove_file(part.join("units/000001.jsonl")).unwrap();
    let answered = &json(&format!("status '{dir}' --json"))["parts"][0]["games"];
    assert!(answered.as_u64().unwrap() < 9, "{answered}");
    assert_eq!(estimate()["parts"][0]["games"], 9);
}
