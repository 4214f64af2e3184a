//! The family on Catch the Lion, against a tablebase. `SPIELBAUM_ORACLES` names another folder
//! with data of the same formats.

use crate::player;
use serde_json::Value;
use spielbaum_core::{Game, Limits, Proof, Report, Task};
use spielbaum_games::lion::{EVALS, Lion, Move, Rules};
use std::path::PathBuf;

fn rows(file: &str) -> Vec<Value> {
    let folder = std::env::var_os("SPIELBAUM_ORACLES").map_or_else(
        || PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../../data/oracles")),
        PathBuf::from,
    );
    let path = folder.join(file);
    let text = std::fs::read_to_string(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
    let rows: Vec<Value> = text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert!(!rows.is_empty(), "{file} has no rows");
    rows
}

fn think(spec: &str, pos: &Lion, iterations: u64) -> Report<Move> {
    let mut player = player(spec, EVALS);
    player.restart(iterations);
    player.think(pos, &mut Task::new(Limits::iterations(iterations))).unwrap()
}

fn name(proof: Proof) -> &'static str {
    match proof {
        Proof::Win => "win",
        Proof::Draw => "draw",
        Proof::Loss => "loss",
    }
}

/// The result of a move in a row, such as `W13`, `D` or `L2`.
fn result_of(row: &Value, m: Move) -> &'static str {
    match row["moves"][m.to_string()].as_str().unwrap().as_bytes()[0] {
        b'W' => "win",
        b'D' => "draw",
        _ => "loss",
    }
}

/// Returns how many positions were proven.
fn check_file(file: &str, rules: Rules, spec: &str, iterations: u64, step: usize) -> usize {
    let start = Lion::new(rules.without_history());
    let mut proven = 0;
    for row in rows(file).iter().step_by(step) {
        let pos = start.parse(row["fen"].as_str().unwrap()).unwrap();
        let report = think(spec, &pos, iterations);
        if let Some(proof) = report.proven {
            assert_eq!(name(proof), row["result"].as_str().unwrap(), "{spec} in {row}");
            assert_eq!(result_of(row, report.best), name(proof), "{spec} in {row}");
            proven += 1;
        }
        for line in &report.lines {
            if let Some(proof) = line.proven {
                assert_eq!(name(proof), result_of(row, line.mv), "{spec}, {} in {row}", line.mv);
            }
        }
    }
    proven
}

const OFFICIAL: &str = "dobutsu_values.jsonl";
const CODE: &str = "dobutsu_values_seedrules.jsonl";

#[test]
fn the_oracle_finds_no_false_proof_of_the_solver() {
    assert!(check_file(OFFICIAL, Rules::OFFICIAL, "mcts-solver", 2000, 1) > 0);
    assert!(check_file(CODE, Rules::CODE, "mcts-solver", 2000, 2) > 0);
}

#[test]
fn the_oracle_finds_no_false_proof_of_the_hybrids() {
    for spec in [
        "mcts-mr",
        "mcts-ms:in-selection=minimax(depth=4,threshold=20)",
        "mcts-ms",
        "mcts-mb",
        "mcts-mb:in-backup=minimax(depth=4)",
        "mcts-mr-code",
        "mcts-solver:expansion=all",
    ] {
        assert!(check_file(OFFICIAL, Rules::OFFICIAL, spec, 1000, 9) > 0, "{spec}");
        assert!(check_file(CODE, Rules::CODE, spec, 1000, 9) > 0, "{spec}");
    }
}

/// Wins within five plies are proven by all of them.
#[test]
fn the_oracle_wins_in_one_three_and_five_plies_are_found() {
    let start = Lion::new(Rules::OFFICIAL.without_history());
    for (distance, iterations) in [(1, 1), (3, 2_000), (5, 40_000)] {
        let rows: Vec<Value> =
            rows(OFFICIAL).into_iter().filter(|r| r["dtm"] == distance).collect();
        for row in rows.iter().filter(|r| r["result"] == "win").take(12) {
            let pos = start.parse(row["fen"].as_str().unwrap()).unwrap();
            for spec in ["mcts-solver", "mcts-mr", "mcts-ms", "mcts-mb"] {
                let report = think(spec, &pos, iterations);
                assert_eq!(report.proven, Some(Proof::Win), "{spec} in {row}");
                assert_eq!(result_of(row, report.best), "win", "{spec} in {row}");
            }
            // A search of the whole distance but one at the first chance needs two looks at
            // each move.
            if distance > 1 {
                let spec = format!("mcts-ms:in-selection=minimax(depth={})", distance - 1);
                let moves = row["moves"].as_object().unwrap().len() as u64;
                let report = think(&spec, &pos, 4 * moves + 40);
                assert_eq!(report.proven, Some(Proof::Win), "{spec} in {row}");
            }
        }
    }
}
