//! Answers, exit codes, mistakes.

use crate::support::{command, error, json, run, run_with, stderr, stdout};
use serde_json::Value;
use std::io::Read;
use std::process::Stdio;

const TTT: &str = "gomoku:m=3,n=3,k=3";

fn keys(value: &Value) -> Vec<&str> {
    value.as_object().expect("an object").keys().map(String::as_str).collect()
}

fn has_keys(value: &Value, expected: &[&str]) {
    for key in expected {
        assert!(value.get(key).is_some(), "no `{key}` in {:?}", keys(value));
    }
}

#[test]
fn moves_are_listed_with_turn_and_end() {
    let start = json(&format!("moves {TTT} --json"));
    assert_eq!(start["moves"].as_array().unwrap().len(), 9);
    assert_eq!((&start["turn"], &start["over"]), (&Value::from(0), &Value::from(false)));

    let second = json(&format!("moves {TTT} --moves 'b2' --json"));
    assert_eq!(second["turn"], 1);
    assert_eq!(second["moves"].as_array().unwrap().len(), 8);

    let won = json(&format!("moves {TTT} --moves 'a1 a2 b1 b2 c1' --json"));
    assert_eq!((&won["turn"], &won["over"]), (&Value::Null, &Value::from(true)));
    assert_eq!(won["moves"], Value::Array(vec![]));
    assert_eq!(won["payoffs"], serde_json::json!([1.0, 0.0]));

    let chance = json("moves pig --moves roll --json");
    assert_eq!(chance["turn"], "chance");
    assert_eq!(chance["weights"].as_array().unwrap().len(), 6);
}

#[test]
fn a_position_and_moves_after_it_reach_the_same_place() {
    let played = json(&format!("moves {TTT} --moves 'b2 a1 c3' --json"));
    let position = played["position"].as_str().unwrap();
    assert_eq!(json(&format!("moves {TTT} --position '{position}' --json")), played);
    let before = json(&format!("moves {TTT} --moves 'b2 a1' --json"));
    let before = before["position"].as_str().unwrap();
    assert_eq!(json(&format!("moves {TTT} --position '{before}' --moves c3 --json")), played);
}

#[test]
fn positions_from_standard_input_are_answered_line_by_line() {
    let input = b"3/1X1/O2 x\nnonsense\n\xff\xfe\nXXX/OO1/3 o\n";
    let output = run_with(&format!("moves {TTT} --stdin"), input);
    let text = String::from_utf8(output.stdout.clone()).unwrap();
    let lines: Vec<Value> = text.lines().map(|l| serde_json::from_str(l).unwrap()).collect();
    assert_eq!(lines.len(), 4, "{text}");
    assert_eq!(lines[0]["moves"].as_array().unwrap().len(), 7);
    for wrong in &lines[1..3] {
        assert_eq!(keys(wrong), ["error"]);
    }
    assert_eq!(lines[3]["over"], true);
    assert_eq!(output.status.code(), Some(2), "{}", stderr(&output));

    let good = run_with(&format!("moves {TTT} --stdin"), b"3/1X1/O2 x\n");
    assert_eq!(good.status.code(), Some(0));
}

#[test]
fn a_game_that_can_draw_is_drawn() {
    let svg = stdout("picture carcassonne --moves 'E E@0:-1r2+city0 U'");
    assert!(svg.starts_with("<svg") && svg.ends_with("</svg>\n"));
    assert!(error(&format!("picture {TTT}"), 2).contains("gomoku cannot draw itself"));
}

/// Who sees the tiles to come knows the margin, who does not its expectation.
#[test]
fn what_a_player_sees_is_its_own_option() {
    let position = "carcassonne:order=known,tiles=EUVB";
    let value = |sees: &str, seed: u64| {
        let spec = format!("analyze {position} minimax:reward=margin,depth=9,sees={sees}");
        json(&format!("{spec} --seed {seed} --json"))["value"].as_f64().unwrap()
    };
    let all: Vec<f64> = (0..4).map(|seed| value("all", seed)).collect();
    assert!(all.windows(2).all(|w| w[0] == w[1]), "{all:?}");
    assert_eq!(all[0], all[0].round());
    let own: Vec<f64> = (0..4).map(|seed| value("own", seed)).collect();
    assert!(own.windows(2).all(|w| w[0] == w[1]), "{own:?}");
    assert_ne!(own[0], own[0].round());
}

#[test]
fn perft_counts_tic_tac_toe() {
    let nodes: Vec<u64> = (1..=9)
        .map(|d| json(&format!("perft {TTT} --depth {d} --json"))["nodes"].as_u64().unwrap())
        .collect();
    assert_eq!(nodes, [9, 72, 504, 3024, 15120, 54720, 148176, 200448, 127872]);
    let divided = json(&format!("perft {TTT} --depth 9 --divide --json"));
    has_keys(&divided, &["nodes", "seconds", "divide"]);
    let parts = divided["divide"].as_array().unwrap();
    assert_eq!(parts.iter().map(|p| p["nodes"].as_u64().unwrap()).sum::<u64>(), 127_872);
}

#[test]
fn an_analysis_has_the_promised_shape() {
    let answer = json(&format!("analyze {TTT} uct:iterations=500 --moves b2 --json"));
    let promised = ["best", "value", "pv", "depth", "iterations", "nodes", "seconds", "moves"];
    has_keys(&answer, &promised);
    assert_eq!(answer["iterations"], 500);
    assert_eq!(answer["pv"][0], answer["best"]);
    let moves = answer["moves"].as_array().unwrap();
    assert_eq!(moves.len(), 8);
    for line in moves {
        let mut names = keys(line);
        names.sort_unstable();
        assert_eq!(names, ["move", "prior", "proven", "value", "visits"]);
    }

    let proven = json(&format!("analyze {TTT} alphabeta --moves 'a1 a2 b1 b2' --json"));
    assert_eq!((proven["best"].as_str(), proven["proven"].as_str()), (Some("c1"), Some("win")));
    assert_eq!(json(&format!("analyze {TTT} minimax --moves b2 --json"))["proven"], "draw");
}

#[test]
fn an_analysis_repeats_itself_for_a_seed_and_takes_budgets_from_flags() {
    let line = format!("analyze {TTT} uct:iterations=5000 --iterations 300 --seed 9 --json");
    let strip = |mut v: Value| {
        v.as_object_mut().unwrap().remove("seconds");
        v
    };
    let first = strip(json(&line));
    assert_eq!(first["iterations"], 300);
    assert_eq!(strip(json(&line)), first);
    let only = json(&format!("analyze {TTT} uct --nodes 2000 --only 'a1 c3' --json"));
    let best = only["best"].as_str().unwrap();
    assert!(["a1", "c3"].contains(&best), "{best}");
}

#[test]
fn there_is_nothing_to_analyse_where_no_player_acts() {
    let over = error(&format!("analyze {TTT} uct --moves 'a1 a2 b1 b2 c1'"), 2);
    assert!(over.contains("over"), "{over}");
    let chance = error("analyze pig uct --moves roll", 2);
    assert!(chance.contains("1 2 3 4 5 6"), "{chance}");
}

#[test]
fn people_get_a_diagram_a_table_and_a_line() {
    let text = stdout(&format!("analyze {TTT} minimax --moves b2"));
    for part in ["X", "visits", "best", "line", "nodes"] {
        assert!(text.contains(part), "no `{part}` in\n{text}");
    }
}

#[test]
fn a_bench_has_rates_and_counts() {
    let line = "bench gomoku:m=5,n=5,k=4 uct --iterations 2000 --games 500 --repeat 2 --json";
    let first = json(line);
    has_keys(&first, &["iterations_per_second", "nodes_per_second", "games_per_second", "bytes"]);
    assert_eq!((&first["iterations"], &first["random"]["games"]), (&2000.into(), &500.into()));
    let second = json(line);
    for count in ["iterations", "nodes", "bytes", "depth", "best", "value"] {
        assert_eq!(first[count], second[count], "{count}");
    }
    assert_eq!(first["random"]["plies"], second["random"]["plies"]);
    let timed = json("bench pig uct --seconds 0.05 --repeat 1 --games 10 --json");
    assert!(timed["seconds"].as_f64().unwrap() < 0.2, "{timed}");
}

#[test]
fn the_list_explains_every_parameter() {
    let list = json("list --json");
    assert_eq!(list["format"], 1);
    let entries = |kind: &str| list[kind].as_array().unwrap().clone();
    for entry in entries("games").iter().chain(&entries("players")) {
        explained(entry);
    }
    for game in entries("games") {
        has_keys(&game, &["openings", "evals", "players"]);
        assert!(!game["players"].as_array().unwrap().is_empty());
    }
    for player in entries("players") {
        let params = player["params"].as_array().unwrap();
        for budget in ["time", "iterations", "nodes", "depth"] {
            assert!(params.iter().any(|p| p["name"] == budget), "{} {budget}", player["name"]);
        }
    }
}

/// Name, help, and for each parameter default, range and help, nested parts included.
fn explained(entry: &Value) {
    has_keys(entry, &["name", "help", "params", "presets"]);
    assert!(!entry["help"].as_str().unwrap().is_empty(), "{entry}");
    for param in entry["params"].as_array().unwrap() {
        has_keys(param, &["name", "kind", "default", "range", "help"]);
        assert!(!param["help"].as_str().unwrap().is_empty(), "{param}");
        assert!(!param["range"].as_str().unwrap().is_empty(), "{param}");
        for part in param.get("nested").and_then(Value::as_array).into_iter().flatten() {
            explained(part);
        }
    }
}

#[test]
fn the_list_for_people_names_all_and_fits_80_columns() {
    let text = stdout("list");
    let list = json("list --json");
    for kind in ["games", "players"] {
        for entry in list[kind].as_array().unwrap() {
            let presets = entry["presets"].as_array().unwrap().iter();
            for name in presets.map(|p| &p["name"]).chain([&entry["name"]]) {
                assert!(text.split_whitespace().any(|word| name == word), "{name}");
            }
        }
    }
    for name in ["", "uct", "gomoku"] {
        for line in stdout(&format!("list {name}")).lines() {
            assert!(line.chars().count() <= 80, "{line}");
        }
    }
    assert!(error("list gomok", 2).contains("did you mean `gomoku`"));
}

#[test]
fn help_and_version_succeed_and_show_examples() {
    let help = stdout("--help");
    assert!(help.contains("Exit codes:") && help.contains("130"), "{help}");
    assert!(stdout("--version").starts_with("spielbaum "));
    let commands =
        ["list", "moves", "perft", "analyze", "match", "bench", "replay", "traps", "completions"];
    for name in commands {
        let help = stdout(&format!("{name} --help"));
        assert!(help.contains("Examples:"), "{name}: {help}");
    }
}

#[test]
fn every_shell_gets_its_completions() {
    for shell in ["bash", "zsh", "fish", "powershell", "elvish"] {
        let script = stdout(&format!("completions {shell}"));
        assert!(script.contains("spielbaum") && script.contains("analyze"), "{shell}");
    }
}

#[test]
fn a_reader_that_leaves_early_does_no_harm() {
    // More output than a pipe holds, and a reader that wants none of it.
    for line in ["completions bash", "list --json", "perft gomoku --depth 2 --divide"] {
        let mut child = command(line)
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the program starts");
        drop(child.stdout.take());
        let mut message = String::new();
        child.stderr.take().unwrap().read_to_string(&mut message).unwrap();
        let status = child.wait().unwrap();
        assert_eq!((status.code(), message.as_str()), (Some(0), ""), "{line}");
    }
}

#[test]
fn a_closed_standard_input_is_an_empty_one() {
    let output = run(&format!("moves {TTT} --stdin"));
    assert_eq!((output.status.code(), output.stdout.len()), (Some(0), 0));
}
