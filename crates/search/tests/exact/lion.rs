//! The family on Catch the Lion, where captured men come back and positions repeat.

use crate::oracle::{check_position, configs, moves, thorough};
use spielbaum_core::{Game, Limits, Player, Proof, Rng, Task, text};
use spielbaum_games::lion::{EVALS, Lion, Rules};
use spielbaum_search::alphabeta::{AlphaBeta, AlphaBetaConfig, DepthRule};
use spielbaum_search::minimax::negamax;
use spielbaum_search::score;
use std::path::PathBuf;

/// A random position that is not over.
fn random_position(start: &Lion, rng: &mut Rng) -> Lion {
    loop {
        let mut pos = start.clone();
        pos.playout(rng.below(30) as u32, rng, &mut Vec::new());
        if !pos.is_over() {
            return pos;
        }
    }
}

/// Without history, all variants find the same value under all rule sets.
#[test]
fn all_variants_agree_under_all_rules() {
    let mut rng = Rng::new(1);
    for preset in Rules::PRESETS {
        let start = Lion::new(preset.rules.without_history());
        for i in 0..700 {
            let pos = random_position(&start, &mut rng);
            let eval = &EVALS[i % EVALS.len()];
            let depth = 1 + rng.below(if i % 20 == 0 { 4 } else { 3 }) as u32;
            let depth = if moves(&pos).len() == 1 { 1 } else { depth };
            let value = negamax(&pos, depth, &*(eval.make)());
            for config in configs() {
                let mut player = AlphaBeta::new(&config, (eval.make)());
                let report = player.think(&pos, &mut Task::new(Limits::depth(depth))).unwrap();
                let about = || format!("{} {} {pos} {config:?}", preset.name, eval.name);
                assert_eq!(player.score(), value, "{}", about());
                let mut next = pos.clone();
                for &m in &report.pv {
                    assert!(moves(&next).contains(&m), "{} {:?}", about(), report.pv);
                    next.play(m);
                }
            }
        }
    }
}

#[test]
fn reports_are_right_under_all_rules() {
    let mut rng = Rng::new(2);
    for preset in Rules::PRESETS {
        let start = Lion::new(preset.rules.without_history());
        for i in 0..60 {
            let pos = random_position(&start, &mut rng);
            check_position(&pos, EVALS[i % EVALS.len()].make, 1 + rng.below(3) as u32, false);
        }
    }
}

/// Positions of games in which both sides go to and fro, so that the past matters.
fn restless(rules: Rules, rng: &mut Rng, mut visit: impl FnMut(&Lion)) {
    let start = Lion::new(Rules { plies: 0, ..rules });
    let fen = random_position(&start, rng).to_string();
    // The same board as the first of a game.
    let board = fen.split(" - ").next().unwrap_or(&fen);
    let mut pos = Lion::new(rules).parse(board).unwrap();
    let mut last = [None, None];
    for _ in 0..30 {
        if pos.is_over() {
            return;
        }
        visit(&pos);
        let legal = moves(&pos);
        let seat = pos.turn().player().unwrap();
        // The way back, if there is one: `b2b3` after `b3b2`.
        let back = last[seat].as_ref().and_then(|m: &String| {
            let back = format!("{}{}", m.get(2..4)?, m.get(..2)?);
            legal.iter().copied().find(|m| m.to_string() == back)
        });
        let quiet: Vec<_> = legal
            .iter()
            .copied()
            .filter(|&m| {
                let mut next = pos.clone();
                next.play(m);
                next.winning_move(&mut Vec::new()).is_none()
            })
            .collect();
        let among = if quiet.is_empty() { &legal } else { &quiet };
        let m = back.filter(|_| rng.below(4) > 0).unwrap_or(among[rng.below(among.len())]);
        last[seat] = Some(m.to_string());
        pos.play(m);
    }
}

/// The rule sets with history, also with less patience and with shorter games.
fn histories() -> Vec<Rules> {
    let mut rules: Vec<Rules> = Rules::PRESETS.iter().map(|p| p.rules).collect();
    for base in [Rules::OFFICIAL, Rules::CODE, Rules::FSF] {
        rules.push(Rules { repetition: 2, ..base });
        rules.push(Rules { repetition: 3, plies: 24, ..base });
        rules.push(Rules { repetition: 0, plies: 20, ..base });
    }
    rules
}

/// With repetition and length, a search without a table is still plain minimax; one with a
/// table, kept for the whole game, claims no win or loss that is none.
#[test]
fn history_enters_no_table_as_a_value() {
    let mut rng = Rng::new(3);
    let (mut ended, mut claims, mut missed) = (0, 0, 0);
    for rules in histories() {
        for game in 0..10 {
            let eval = &EVALS[game % EVALS.len()];
            let mut players: Vec<_> =
                thorough().into_iter().map(|c| (AlphaBeta::new(&c, (eval.make)()), c)).collect();
            let mut depths = Rng::new(game as u64);
            restless(rules, &mut rng, |pos| {
                let deep = [5, 4, 4, 4][depths.below(4)];
                let depth = 1 + depths.below(deep) as u32;
                let depth = if moves(pos).len() == 1 { 1 } else { depth };
                let truth = negamax(pos, depth, &*(eval.make)());
                let timeless = negamax(&pos.without_history(), depth, &*(eval.make)());
                ended += usize::from(truth != timeless);
                for (player, config) in &mut players {
                    let report = player.think(pos, &mut Task::new(Limits::depth(depth))).unwrap();
                    let found = player.score();
                    let about = || format!("{rules:?} {pos} {config:?}: {found} for {truth}");
                    if !config.table {
                        assert_eq!(found, truth, "{}", about());
                        continue;
                    }
                    // Deeper entries may know of a win that this depth does not show.
                    let deeper = config.depth_rule == DepthRule::AtLeast;
                    if score::is_decisive(found) && !deeper {
                        claims += 1;
                        assert!(score::is_decisive(truth), "{}", about());
                        assert_eq!(found > 0, truth > 0, "{}", about());
                    }
                    missed += usize::from(score::is_decisive(truth) && !score::is_decisive(found));
                    if matches!(report.proven, Some(Proof::Win | Proof::Loss)) {
                        assert!(score::is_decisive(found), "{}", about());
                    }
                }
            });
        }
    }
    assert_eq!(missed, 0, "wins and losses that a table hid");
    assert!(ended > 30 && claims > 1000, "history mattered {ended} times, {claims} claims");
}

/// A file of reference data.
fn read(file: &str) -> String {
    let folder = std::env::var_os("SPIELBAUM_ORACLES").map_or_else(
        || PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../../data/oracles")),
        PathBuf::from,
    );
    let path = folder.join(file);
    std::fs::read_to_string(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display()))
}

fn proof(class: &str) -> Proof {
    match class {
        "W" | "win" => Proof::Win,
        "L" | "loss" => Proof::Loss,
        _ => Proof::Draw,
    }
}

/// What is proven is true: of the position, and of every move.
fn check_proofs(file: &str, rules: Rules) {
    let start = Lion::new(rules);
    let rows = read(file);
    let variants = thorough();
    let mut proven = 0;
    for (i, line) in rows.lines().enumerate() {
        let row: serde_json::Value = serde_json::from_str(line).unwrap();
        let pos = start.parse(row["fen"].as_str().unwrap()).unwrap();
        // Each row by the default and, in turn, by one of the others.
        for config in [&AlphaBetaConfig::default(), &variants[i % variants.len()]] {
            let mut player = AlphaBeta::new(config, (EVALS[0].make)());
            let report = player.think(&pos, &mut Task::new(Limits::nodes(4000))).unwrap();
            let truth = proof(row["result"].as_str().unwrap());
            if let Some(claim) = report.proven {
                proven += 1;
                assert_eq!(claim, truth, "{pos} {config:?}");
                let distance = row["dtm"].as_u64().unwrap_or(0) as u32;
                if let Some(plies) = score::plies_to_end(player.score()) {
                    assert!(plies >= distance, "{pos}: {plies} < {distance}");
                }
            }
            for line in report.lines.iter().filter(|l| l.proven.is_some()) {
                let value = row["moves"][line.mv.to_string()].as_str().unwrap();
                assert_eq!(line.proven, Some(proof(&value[..1])), "{pos} {}", line.mv);
            }
            assert!(text::parse_move(&pos, &report.best.to_string()).is_ok());
        }
    }
    assert!(proven > 0, "nothing was proven");
}

#[test]
fn oracle_proofs_official() {
    check_proofs("dobutsu_values.jsonl", Rules::OFFICIAL);
}

#[test]
fn oracle_proofs_fsf() {
    check_proofs("dobutsu_values.jsonl", Rules::FSF);
}

#[test]
fn oracle_proofs_code() {
    check_proofs("dobutsu_values_seedrules.jsonl", Rules::CODE);
}
