//! How often a player keeps the value of a position of Catch the Lion, judged by exact values.
//!
//! `lion_values FILE BUDGET PLAYER... [--part I/N]`
//!
//! FILE is data of the format of `dobutsu_values.jsonl`; only positions whose moves differ in
//! value count. BUDGET is `10ms` or a number of plays. A part is every N-th of these positions.

use spielbaum_core::{Game, Limits, Proof, Registered, Task, param, text};
use spielbaum_games::lion::{Lion, Rules};
use spielbaum_search::spec;
use std::error::Error;
use std::time::Duration;

/// A position, and for each of its moves whether it keeps the value.
struct Row {
    pos: Lion,
    result: String,
    distance: Option<u64>,
    keeps: Vec<(String, bool)>,
}

fn rows(path: &str) -> Result<Vec<Row>, Box<dyn Error>> {
    let start = Lion::new(Rules::OFFICIAL);
    let mut rows = Vec::new();
    for line in std::fs::read_to_string(path)?.lines() {
        let row: serde_json::Value = serde_json::from_str(line)?;
        let class = |value: &serde_json::Value| value.as_str().unwrap_or("")[..1].to_string();
        let pos = start.parse(row["fen"].as_str().ok_or("no fen")?)?;
        let moves = row["moves"].as_object().ok_or("no moves")?;
        let rank = |c: &str| ["L", "D", "W"].iter().position(|r| *r == c);
        let best = moves.values().map(class).max_by_key(|c| rank(c)).ok_or("no move")?;
        let keeps: Vec<_> = moves.iter().map(|(m, v)| (m.clone(), class(v) == best)).collect();
        if keeps.iter().any(|k| !k.1) {
            let result = row["result"].as_str().unwrap_or("").to_string();
            rows.push(Row { pos, result, distance: row["dtm"].as_u64(), keeps });
        }
    }
    Ok(rows)
}

fn main() -> Result<(), Box<dyn Error>> {
    let mut args: Vec<String> = std::env::args().skip(1).collect();
    let mut part = (0, 1);
    let mut verbose = false;
    if let Some(at) = args.iter().position(|a| a == "--misses") {
        args.remove(at);
        verbose = true;
    }
    if let Some(at) = args.iter().position(|a| a == "--part") {
        let text = args.get(at + 1).ok_or("--part I/N")?;
        let (i, n) = text.split_once('/').ok_or("--part I/N")?;
        part = (i.parse()?, n.parse()?);
        args.drain(at..at + 2);
    }
    let [file, budget, players @ ..] = &args[..] else {
        return Err("lion_values FILE BUDGET PLAYER...".into());
    };
    let limits = match budget.strip_suffix("ms") {
        Some(ms) => Limits::time(Duration::from_secs_f64(ms.parse::<f64>()? / 1000.0)),
        None => Limits::nodes(budget.parse()?),
    };
    let rows = rows(file)?;
    for player in players {
        let args = param::resolve(player, "player", spec::PLAYERS).map_err(|e| e.to_string())?;
        let built = spec::two_player::<Lion>(&args, Lion::EVALS).ok_or("not a player of this")?;
        let mut player_of = built.map_err(|e| e.to_string())?;
        let (mut kept, mut count, mut nodes, mut depth, mut wrong) = (0, 0, 0, 0, 0);
        let mut seconds = 0.0;
        for row in rows.iter().skip(part.0).step_by(part.1) {
            player_of.restart(1);
            let report = player_of.think(&row.pos, &mut Task::new(limits))?;
            let name = report.best.to_string();
            let keeps = row.keeps.iter().any(|k| k.0 == name && k.1);
            kept += usize::from(keeps);
            count += 1;
            nodes += report.nodes;
            depth += report.depth;
            seconds += report.elapsed.as_secs_f64();
            let truth = match row.result.as_str() {
                "win" => Proof::Win,
                "loss" => Proof::Loss,
                _ => Proof::Draw,
            };
            wrong += usize::from(report.proven.is_some_and(|p| p != truth));
            if verbose && !keeps {
                let distance = row.distance.unwrap_or(0);
                println!(
                    "{} {} {distance}: {name} d{} {:.2}",
                    row.pos, row.result, report.depth, report.value
                );
            }
            text::parse_move(&row.pos, &name)?;
        }
        let n = f64::from(count);
        println!(
            "{player:40} {budget}: {:.2} % of {count} kept, {} false proofs, depth {:.1}, {:.0} plays, {:.1} ms",
            100.0 * kept as f64 / n,
            wrong,
            f64::from(depth) / n,
            nodes as f64 / n,
            1000.0 * seconds / n
        );
    }
    Ok(())
}
