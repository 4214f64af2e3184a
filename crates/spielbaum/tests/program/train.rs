//! Training as a real process: killed and taken up again, reported, and played with.

use crate::support::{Scratch, command, error, json, stdout};
use std::path::Path;
use std::process::Stdio;
use std::time::{Duration, Instant};

/// A training that takes a second or two.
const TRAINING: &str =
    "train 2048-3x3 --net 0124-0145 --games 6000 --every 500 --threads 1 --seed 3";

/// What one thread promises bit for bit.
fn promised(dir: &Path) -> Vec<Vec<u8>> {
    let files = ["train.json", "net.ntuple", "curve.jsonl", "test.json"];
    files.map(|name| std::fs::read(dir.join(name)).unwrap()).to_vec()
}

#[test]
fn a_kill_changes_no_byte() {
    survives("train-kill", "");
    survives("train-kill-restart", "--restart 10");
    survives("train-kill-cool", "--cool 3200");
}

#[test]
fn a_kill_changes_no_byte_of_learning_during_the_game() {
    survives("train-kill-forward", "--lambda none");
}

/// A second stage with other settings learns on from what the first one learned, whatever kills it.
#[test]
fn a_training_begins_with_the_net_of_another() {
    let scratch = Scratch::new("train-from");
    let (first, net) = (scratch.path("first"), scratch.path("first/net.ntuple"));
    let small = scratch.path("small.ntuple");
    stdout(&format!("{TRAINING} --quiet --export '{small}' --out '{first}'"));
    survives("train-from-kill", &format!("--restart 10 --from '{net}'"));

    let begun = scratch.path("begun");
    let line =
        format!("train 2048-3x3 --net 0124-0145 --every 500 --threads 1 --quiet --out '{begun}'");
    let early =
        |line: &str| json(&format!("{line} --games 500 --json"))["point"]["mean"].as_f64().unwrap();
    let (fresh, from) = (scratch.path("fresh"), format!("{line} --from '{net}'"));
    let (fresh, begun_with) = (early(&line.replace(&begun, &fresh)), early(&from));
    assert!(begun_with > 1.3 * fresh, "{fresh} {begun_with}");
    // Going on it need not be told again, unless nothing of it is saved.
    assert_eq!(json(&format!("{line} --games 600 --json"))["games"], 600);
    let report = stdout(&format!("report '{begun}'"));
    assert!(report.contains("6000 games, ") && report.contains("seed 3"), "{report}");
    std::fs::remove_file(format!("{begun}/net.ntuple")).unwrap();
    let message = error(&format!("{line} --games 600"), 2);
    assert!(message.contains("once more: --from FILE"), "{message}");

    let other = scratch.path("other");
    for (options, problem) in [
        (format!("--net 0124 --from '{net}'"), "its net is 0124-0145, not 0124"),
        (format!("--net 0124-0145 --method td --from '{net}'"), "its method is tc, not td"),
        (format!("--net 0124-0145 --init 5 --from '{net}'"), "its init is 0, not 5"),
        (format!("--net 0124-0145 --from '{small}'"), "give the net.ntuple of a training"),
    ] {
        let message = error(&format!("train 2048-3x3 {options} --games 10 --out '{other}'"), 2);
        assert!(message.contains(problem), "{message}");
        assert!(!Path::new(&other).exists(), "{options}");
    }
}

fn survives(name: &str, options: &str) {
    let scratch = Scratch::new(name);
    let line = |name: &str| {
        let dir = scratch.path(name);
        format!("{TRAINING} {options} --quiet --save 5ms --test 100 --out '{dir}'")
    };
    stdout(&line("whole"));
    let killed = scratch.0.join("killed");
    let (mut kills, mut saved) = (0, String::new());
    for points in [2, 5, 8] {
        let mut child = command(&line("killed"))
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .expect("the program starts");
        let deadline = Instant::now() + Duration::from_secs(60);
        let curve = || std::fs::read_to_string(killed.join("curve.jsonl")).unwrap_or_default();
        while curve().lines().count() < points && Instant::now() < deadline {
            std::thread::sleep(Duration::from_millis(1));
        }
        child.kill().unwrap();
        child.wait().unwrap();
        kills += usize::from(!killed.join("report.html").exists());
        if killed.join("net.ntuple").exists() {
            let timing = std::fs::read_to_string(killed.join("timing.jsonl")).unwrap();
            saved = timing.lines().next().unwrap_or_default().to_string();
        }
    }
    assert!(kills > 0, "the training was over too soon to be killed");
    stdout(&line("killed"));
    // It went on and did not begin anew: the first seconds are those of a process that was killed.
    let timing = std::fs::read_to_string(killed.join("timing.jsonl")).unwrap();
    assert!(!saved.is_empty() && timing.starts_with(&saved), "{saved} {timing}");
    assert!(promised(&scratch.0.join("whole")) == promised(&killed));
    // Nothing is left to do.
    let again = json(&format!("{} --json", line("killed")));
    assert_eq!(again["games"], 6000);
    assert!(promised(&scratch.0.join("whole")) == promised(&killed));
}

#[test]
fn a_training_is_prolonged_reported_and_played_with() {
    let scratch = Scratch::new("train-play");
    let dir = scratch.path("run");
    let small = scratch.path("small.ntuple");
    let line = format!("train 2048 --net 4x4 --every 50 --seed 5 --quiet --out '{dir}'");
    let first = json(&format!("{line} --games 100 --threads 2 --json"));
    assert_eq!((&first["games"], &first["point"]["games"]), (&100.into(), &100.into()));
    let more = format!("{line} --games 400 --threads 1 --test 50 --export '{small}' --json");
    let more = json(&more);
    assert_eq!((&more["games"], &more["test"]["games"]), (&400.into(), &50.into()));
    let early = first["point"]["mean"].as_f64().unwrap();
    let late = more["test"]["mean"].as_f64().unwrap();
    assert!(late > 1.2 * early, "{early} {late}");

    let report = stdout(&format!("report '{dir}'"));
    assert!(report.contains("Games after training") && report.contains("Mean score"), "{report}");
    let page = std::fs::read_to_string(format!("{dir}/report.html")).unwrap();
    assert!(page.contains("Mean score over games of training"));

    let position = "--position '2,4,8,16/4,.,.,./.,.,.,./2,.,.,.'";
    for net in [format!("{dir}/net.ntuple"), small] {
        let greedy = json(&format!("analyze 2048 ntuple:net={net} {position} --json"));
        assert_eq!(greedy["depth"], 1);
        let deep = json(&format!("analyze 2048 ntuple:net={net},depth=2 {position} --json"));
        assert_eq!(deep["depth"], 2);
        assert!(deep["nodes"].as_u64() > greedy["nodes"].as_u64());
    }
    let other = error(&format!("{line} --games 500 --alpha 0.5"), 2);
    assert!(other.contains("alpha is 1, not 0.5"), "{other}");
}

/// The shipped net is there without a file.
#[test]
fn the_shipped_net_plays() {
    let answer = json("match 2048 ntuple random --games 80 --seed 1 --quiet --json");
    let mean = |player: usize| answer["players"][player]["payoff"]["mean"].as_f64().unwrap();
    // 60 000 at least are promised; the standard error of 40 games is some 6000.
    assert!(mean(0) > 60_000.0 && mean(0) > 20.0 * mean(1), "{answer}");
}

/// Searches, nets and playouts play the same on every machine.
#[test]
fn games_of_2048_are_golden() {
    let golden = [
        ("expectimax:cutoff=0.02,deepening=false,depth=7", 70_044.0),
        ("expectimax-paper:depth=3", 36_292.0),
        ("mctse:iterations=60", 15_620.0),
        ("ntuple", 103_824.0),
        ("ntuple:depth=2,lower=12,known=12", 69_316.0),
    ];
    let players = golden.map(|(player, _)| player);
    let command = format!("match 2048 {} --games 5 --seed 1 --quiet --json", players.join(" "));
    let answer = json(&command);
    for (at, (player, points)) in golden.into_iter().enumerate() {
        assert_eq!(answer["players"][at]["points"]["mean"], points, "{player}");
    }
}

#[test]
fn steps_that_are_too_large_are_told() {
    let scratch = Scratch::new("train-diverges");
    let line = "train 2048-3x3 --net 0124-0145 --method td --alpha 10 --games 4000 --every 500";
    let message = error(&format!("{line} --threads 1 --quiet --out '{}'", scratch.path("run")), 1);
    assert!(message.contains("learning diverged") && message.contains("--alpha"), "{message}");
}

/// What is not given is what the directory has; what is given and different is told.
#[test]
fn a_directory_keeps_its_settings() {
    let scratch = Scratch::new("train-keeps");
    let new = |name: &str, options: &str| {
        let dir = scratch.path(name);
        stdout(&format!(
            "train 2048-3x3 --net 012-0145 --games 20 --threads 1 --quiet --out '{dir}' {options}"
        ));
        dir
    };
    let settings = |dir: &str| {
        let text = std::fs::read_to_string(format!("{dir}/train.json")).unwrap();
        let found: serde_json::Value = serde_json::from_str(&text).unwrap();
        found["settings"].to_string()
    };
    let defaults = new("defaults", "");
    assert!(settings(&defaults).contains(r#"["lambda","0.5"],["restart","none"]"#));
    let told =
        "--method td --alpha 0.2 --init 8 --lambda 0.25 --restart 30 --seed 9 --every 10 --cool 30";
    let dir = new("told", told);
    let before = settings(&dir);
    let go_on = format!("train 2048-3x3 --threads 1 --quiet --out '{dir}'");
    assert_eq!(json(&format!("{go_on} --games 40 --json"))["games"], 40);
    assert_eq!(settings(&dir), before);
    for (given, problem) in [
        ("--lambda 0.5", "lambda is 0.25, not 0.5"),
        ("--lambda none", "lambda is 0.25, not none; restart is 30, not none"),
        ("--restart none", "restart is 30, not none"),
        ("--restart 10k", "restart is 30, not 10000"),
        ("--net 012", "net is 012-0145, not 012"),
        ("--method tc", "method is td, not tc"),
        ("--seed 1", "seed is 9, not 1"),
        ("--every 1000", "every is 10, not 1000"),
        ("--cool none", "cool is 30, not none"),
        ("--cool 1h", "cool is 30, not 1h"),
    ] {
        let message = error(&format!("{go_on} --games 60 {given}"), 2);
        assert!(message.trim_end().ends_with(problem), "{given}: {message}");
    }

    // A directory from before there was learning after the game.
    let old = new("old", "--lambda none");
    assert!(!settings(&old).contains("lambda"), "{}", settings(&old));
    let go_on = format!("train 2048-3x3 --threads 1 --quiet --out '{old}'");
    assert_eq!(json(&format!("{go_on} --games 40 --json"))["games"], 40);
    let message = error(&format!("{go_on} --games 60 --lambda 0.5"), 2);
    assert!(message.contains("lambda is none, not 0.5"), "{message}");
    // Whether weights are promoted is a flag, also where a directory says nothing of it.
    let [promoted, plain] = [defaults, new("plain", "--promote false")];
    for (dir, given, problem) in [
        (&promoted, "false", "promote is true, not false"),
        (&plain, "true", "promote is false, not true"),
    ] {
        let line = format!("train 2048-3x3 --threads 1 --quiet --games 60 --out '{dir}'");
        let message = error(&format!("{line} --promote {given}"), 2);
        assert!(message.trim_end().ends_with(problem), "{given}: {message}");
    }
    let message = error(&format!("{go_on} --games 60 --restart 10"), 2);
    assert!(message.contains("--restart 10") && message.contains("--lambda"), "{message}");
    assert_eq!(
        json(&format!("{go_on} --games 60 --lambda none --restart none --json"))["games"],
        60
    );
}

/// Cells that a board has not are told before anything is written; a directory that has them goes on.
#[test]
fn tuples_for_another_board_are_refused() {
    let scratch = Scratch::new("train-misfit");
    let dir = scratch.path("run");
    let train = "train 2048:rows=3,columns=3 --games 20 --threads 1 --quiet";
    for (net, board) in [("", "4 x 4"), ("--net small", "4 x 4"), ("--net 0145-123", "2 x 4")] {
        let message = error(&format!("{train} {net} --out '{dir}'"), 2);
        assert!(message.contains(&format!("is for a board of {board}")), "{net}: {message}");
        assert!(message.contains("this one is 3 x 3") && message.contains("012456"), "{message}");
        assert!(!Path::new(&dir).exists(), "{net}");
    }
    stdout(&format!("{train} --net 012456 --out '{dir}'"));
    let kept = Path::new(&dir).join("train.json");
    let text = std::fs::read_to_string(&kept).unwrap();
    std::fs::write(&kept, text.replace("\"012456\"", "\"0123\"")).unwrap();
    std::fs::remove_file(Path::new(&dir).join("net.ntuple")).unwrap();
    assert_eq!(json(&format!("{train} --json --out '{dir}'"))["games"], 20);
    let message = error(&format!("{train} --net 4x4 --out '{dir}'"), 2);
    assert!(message.contains("holds another training: net is 0123, not"), "{message}");
}

#[test]
fn a_net_of_another_board_is_told_before_the_game() {
    let scratch = Scratch::new("net-misfit");
    let records = scratch.path("records");
    let small = "2048:rows=3,columns=3";
    for line in [
        format!("match {small} ntuple random --games 2 --out '{records}'"),
        format!("analyze {small} ntuple --position '2,4,8/4,.,./.,.,.'"),
    ] {
        let message = error(&line, 2);
        let boards = "`small` learned on a board of 4 x 4, and this one is 3 x 3";
        assert!(message.contains(boards) && message.contains("net=FILE"), "{line}: {message}");
    }
    assert!(!Path::new(&records).exists());
}

#[test]
fn options_of_another_learner_are_refused_by_name() {
    let scratch = Scratch::new("train-foreign");
    let dir = scratch.path("run");
    let message =
        error(&format!("train 2048 --games 10 --device cpu --config ours --out '{dir}'"), 2);
    assert!(message.contains("--config, --device: only for networks with policy"), "{message}");
    let line = "train gomoku:m=6,n=6,k=4 --games 10 --save 1m --alpha 0.5 --out";
    let message = error(&format!("{line} '{dir}'"), 2);
    assert!(message.contains("--alpha, --save: only for n-tuple networks"), "{message}");
}

/// From the same net, shorter steps make a better one of the same games; by time they begin when it has come.
#[test]
fn steps_become_shorter() {
    let scratch = Scratch::new("train-cool");
    let line = |options: &str| {
        let dir = scratch.path(&options.replace(' ', "-"));
        let train =
            "train 2048-3x3 --net 0124-0145 --threads 1 --seed 3 --quiet --test 1000 --json";
        let answer = json(&format!("{train} {options} --out '{dir}'"));
        (answer["test"]["mean"].as_f64().unwrap(), answer["cooled"].as_u64(), dir)
    };
    let [full, cooled] = ["--games 9000", "--games 9000 --cool 6500"].map(line);
    assert_eq!((full.1, cooled.1), (None, Some(6500)));
    assert!(cooled.0 > full.0, "{} {}", cooled.0, full.0);
    let report = stdout(&format!("report '{}'", cooled.2));
    assert!(report.contains("after 6500 games"), "{report}");
    let (_, early, _) = line("--games 2000 --cool 1ms");
    assert!(early.is_some_and(|games| games < 2000), "{early:?}");
    assert_eq!(line("--games 200 --cool 1h").1, None);

    // Saved at the very point, and prolonged: the same as in one go.
    let dir = scratch.path("prolonged");
    let prolonged = |games: u64| {
        let train =
            "train 2048-3x3 --net 0124-0145 --threads 1 --seed 3 --quiet --test 1000 --json";
        json(&format!("{train} --games {games} --cool 6500 --out '{dir}'"))
    };
    assert_eq!(prolonged(6500)["cooled"], serde_json::Value::Null);
    assert_eq!(prolonged(9000)["cooled"], 6500);
    assert!(promised(Path::new(&dir)) == promised(Path::new(&cooled.2)));
}

#[test]
fn time_since_the_last_point_counts() {
    let scratch = Scratch::new("train-time");
    let dir = scratch.path("run");
    let line =
        format!("train 2048-3x3 --net 0124-0145 --every 1000000 --threads 1 --quiet --out '{dir}'");
    let first = json(&format!("{line} --time 1s --json"));
    let again = json(&format!("{line} --time 1s --json"));
    assert_eq!(first["games"], again["games"], "the second is all spent");
    assert!(again["seconds"].as_f64().unwrap() >= 1.0);
}

#[test]
fn a_directory_of_something_else_is_left_alone() {
    let scratch = Scratch::new("train-elsewhere");
    let dir = scratch.path("run");
    std::fs::create_dir(&dir).unwrap();
    std::fs::write(Path::new(&dir).join("run.json"), "{}").unwrap();
    for game in ["2048", "gomoku:m=3,n=3,k=3"] {
        let text = error(&format!("train {game} --games 1 --out {dir}"), 2);
        assert!(text.contains("holds other files"), "{text}");
    }
    assert_eq!(std::fs::read_dir(&dir).unwrap().count(), 1);
}
