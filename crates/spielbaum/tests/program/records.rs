//! Matches as real processes: on any number of threads, killed and resumed, interrupted and
//! continued, they leave the same bytes. With one, two and five seats.

use crate::support::{Scratch, command, error, json, run, stderr, stdout};
use serde_json::Value;
use std::collections::BTreeMap;
use std::path::Path;
use std::process::Stdio;
use std::time::{Duration, Instant};

/// Matches that take a second or two, and have some ten units.
const MATCHES: [(&str, &str); 3] = [
    ("one", "match reroll:dice=20 uct:iterations=1000 uct:iterations=100 --games 60 --seed 3"),
    (
        "two",
        "match gomoku:m=7,n=7,k=4 uct:iterations=2000 uct:c=0.7,nodes=20000 --games 80 --seed 7",
    ),
    (
        "five",
        "match pig:players=5,target=20 uct:iterations=1000 random random --seatings rotate --games 150 --seed 5",
    ),
];

/// Every file of a record that promises its bytes.
fn bytes(dir: &Path) -> BTreeMap<String, Vec<u8>> {
    let mut files = BTreeMap::new();
    for folder in [dir.to_path_buf(), dir.join("units")] {
        for entry in std::fs::read_dir(folder).unwrap().flatten() {
            if entry.path().is_file() {
                let name = entry.file_name().to_string_lossy().into_owned();
                files.insert(name, std::fs::read(entry.path()).unwrap());
            }
        }
    }
    files
}

fn units(dir: &Path) -> usize {
    let files = std::fs::read_dir(dir.join("units")).into_iter().flatten().flatten();
    files.filter(|f| f.path().extension().is_some_and(|e| e == "jsonl")).count()
}

/// Starts the match, waits for some units, does something to the process, waits for its end.
fn disturb(line: &str, dir: &Path, act: impl FnOnce(&mut std::process::Child)) -> Option<i32> {
    let mut child = command(line)
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .expect("the program starts");
    let deadline = Instant::now() + Duration::from_secs(60);
    while units(dir) < 2 && Instant::now() < deadline {
        std::thread::sleep(Duration::from_millis(1));
    }
    act(&mut child);
    let status = child.wait().unwrap();
    assert!(!dir.join("summary.json").exists(), "the match was over too soon to be disturbed");
    status.code()
}

fn without_times(mut answer: Value) -> Value {
    answer.as_object_mut().unwrap().remove("times");
    answer
}

#[test]
fn threads_and_a_kill_change_no_byte() {
    for (name, line) in MATCHES {
        let scratch = Scratch::new(&format!("kill-{name}"));
        let dir = |part: &str| scratch.0.join(part);
        let command = |part: &str, jobs: u32| {
            format!("{line} --quiet --json --jobs {jobs} --out '{}'", scratch.path(part))
        };
        let one = without_times(json(&command("one", 1)));
        let two = without_times(json(&command("two", 2)));
        assert_eq!(one, two, "{name}");
        let expected = bytes(&dir("one"));
        assert!(expected.contains_key("match.json") && expected.contains_key("summary.json"));
        assert!(units(&dir("one")) >= 4, "{name}: {}", units(&dir("one")));
        assert_eq!(bytes(&dir("two")), expected, "{name}");

        let killed = command("killed", 2);
        disturb(&killed, &dir("killed"), |child| child.kill().unwrap());
        assert_eq!(without_times(json(&killed)), one, "{name}: resumed");
        assert_eq!(bytes(&dir("killed")), expected, "{name}: resumed");
        // And once more: nothing is left to play, nothing changes.
        assert_eq!(without_times(json(&killed)), one, "{name}: repeated");
        assert_eq!(bytes(&dir("killed")), expected, "{name}: repeated");
    }
}

#[cfg(unix)]
#[test]
fn ctrl_c_finishes_what_runs_and_the_same_command_continues() {
    let (_, line) = MATCHES[1];
    let scratch = Scratch::new("interrupt");
    let whole = format!("{line} --quiet --json --out '{}'", scratch.path("whole"));
    let broken = format!("{line} --quiet --json --jobs 2 --out '{}'", scratch.path("broken"));
    let one = without_times(json(&whole));
    let code = disturb(&broken, &scratch.0.join("broken"), |child| {
        let pid = child.id().to_string();
        let sent = std::process::Command::new("kill").args(["-INT", &pid]).status().unwrap();
        assert!(sent.success());
    });
    assert_eq!(code, Some(130));
    let so_far = json(&format!("replay '{}' --json", scratch.path("broken")));
    assert_eq!(so_far["complete"], false);
    assert_eq!(without_times(json(&broken)), one);
    assert_eq!(bytes(&scratch.0.join("broken")), bytes(&scratch.0.join("whole")));
}

#[test]
fn a_record_replays_and_can_be_played_again() {
    let scratch = Scratch::new("replay");
    let dir = scratch.path("pig");
    let out = stdout(&format!(
        "match pig:target=20 uct:iterations=30 random --games 6 --quiet --out '{dir}'"
    ));
    assert!(out.contains("score") && out.contains("A  uct:iterations=30"), "{out}");
    let answer = json(&format!("replay '{dir}' --rerun --json"));
    assert_eq!((&answer["games"], &answer["rerun"]), (&6.into(), &6.into()));
    assert_eq!((&answer["complete"], &answer["summary_agrees"]), (&true.into(), &true.into()));

    let game = json(&format!("replay '{dir}' --game 1 --json"));
    assert_eq!((&game["game"], &game["players"][1]), (&1.into(), &"uct:iterations=30".into()));
    assert!(stdout(&format!("replay '{dir}' --game 1")).contains("roll"));
    assert!(error(&format!("replay '{dir}' --game 6"), 2).contains("0 to 5"));
}

/// Statistics of a game are in its record, in the summary, and verified by a replay. Some seats see
/// the order of the tiles, some search with several threads.
#[test]
fn what_a_game_tells_is_recorded_and_summarised() {
    let scratch = Scratch::new("told");
    let dir = scratch.path("told");
    let answer = json(&format!(
        "match carcassonne:order=known,tiles=EUVLBRADEUVLBRU mc-carcassonne:iterations=60 \
         uct-hidden:iterations=60,threads=2 --games 8 --seed 3 --quiet --out '{dir}' --json"
    ));
    let players = answer["players"].as_array().unwrap();
    assert_eq!(players.len(), 2);
    for player in players {
        let told = &player["statistics"];
        let mean = |name: String| told[name]["mean"].as_f64().unwrap();
        assert_eq!(told["meeples"]["count"], 8);
        let sum = |what: &str| -> f64 {
            let kinds = ["city", "road", "field", "cloister"];
            kinds.iter().map(|kind| mean(format!("{kind} {what}"))).sum()
        };
        assert!((sum("meeples") - mean("meeples".to_string())).abs() < 1e-5, "{player}");
        let points = player["points"]["mean"].as_f64().unwrap();
        assert!((sum("points") - points).abs() < 1e-5, "{player}");
    }
    assert_eq!(run(&format!("replay '{dir}'")).status.code(), Some(0));
    assert!(stdout(&format!("report '{dir}'")).contains("cloister points per meeple"));
}

#[test]
fn what_is_no_record_is_refused() {
    let scratch = Scratch::new("damage");
    let dir = scratch.path("m");
    assert!(error(&format!("replay '{dir}'"), 2).contains("no such directory"));
    stdout(&format!("match gomoku:m=3,n=3,k=3 random random --games 4 --quiet --out '{dir}'"));
    let other = format!("match gomoku:m=3,n=3,k=3 random random --games 8 --quiet --out '{dir}'");
    assert!(error(&other, 2).contains("games"));

    let unit = scratch.0.join("m/units/000000.jsonl");
    let text = std::fs::read_to_string(&unit).unwrap();
    std::fs::write(&unit, text.replacen("\"plies\":", "\"plies\":1", 1)).unwrap();
    assert!(error(&format!("replay '{dir}'"), 2).contains("000000.jsonl"));
    std::fs::write(&unit, &text).unwrap();
    std::fs::write(scratch.0.join("m/summary.json"), "{}\n").unwrap();
    let output = run(&format!("replay '{dir}'"));
    assert_eq!(output.status.code(), Some(1));
    assert!(stderr(&output).contains("summary.json"));
}

#[test]
fn a_match_has_the_promised_shape() {
    let answer = json(
        "match gomoku:m=6,n=6,k=4 uct:iterations=100 random --games 10 --seed 7 --quiet --json",
    );
    for key in
        ["games", "wins", "draws", "losses", "score", "score_ci", "elo", "elo_ci", "los", "plies"]
    {
        assert!(answer.get(key).is_some(), "{key}: {answer}");
    }
    assert_eq!(answer["format"], 1);
    assert_eq!(answer["games"], 10);
    let sum: u64 = ["wins", "draws", "losses"].iter().map(|k| answer[k].as_u64().unwrap()).sum();
    assert_eq!(sum, 10);
    assert_eq!(answer["players"][0]["iterations_per_move"], 100.0);
}

#[test]
fn a_sequential_test_stops_a_clear_match_early() {
    let answer = json(
        "match gomoku:m=6,n=6,k=4 uct:iterations=200 random --games 2000 --quiet --json \
         --sprt elo0=0,elo1=50,alpha=0.05,beta=0.05",
    );
    assert_eq!((&answer["ending"], &answer["sprt"]["decision"]), (&"decided".into(), &"h1".into()));
    assert!(answer["games"].as_u64().unwrap() < 2000, "{answer}");
}

#[test]
fn a_log_gets_plain_lines_and_quiet_none() {
    let line = "match gomoku:m=3,n=3,k=3 random random --games 4";
    let log = stderr(&run(line));
    assert!(log.contains("4/4 games") && !log.contains('\x1b'), "{log}");
    assert_eq!(stderr(&run(&format!("{line} --quiet"))), "");
}
