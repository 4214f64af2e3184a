//! Positions with known values: one JSON object in a line, such as
//! `{"position": "…", "moves": {"a1b2": "W5", "a1a2": "D", "b1b2": "L2"}}`.
//!
//! A move's value is told from the side of the player to move: `W` a win, `D` a draw, `L` a
//! loss, with the plies to it if they are known, or a number, the larger the better. Other keys
//! are for people; a position may also be called `fen`.

use crate::{AnyGame, Question};
use serde_json::Value;
use spielbaum_core::param::Args;

/// The questions of a file: so many, spread evenly over it, and how many positions were left
/// out because all their moves are of equal value: whatever is played there keeps it, and the
/// share that a player keeps would say less. `every` asks those as well. Or what is wrong in
/// which line.
pub(super) fn questions(
    game: &dyn AnyGame,
    args: &Args,
    text: &str,
    wanted: usize,
    every: bool,
) -> Result<(Vec<Question>, u64), String> {
    let mut table = game.open(args).map_err(|e| e.problem)?;
    let mut check = |question: &Question| {
        let position = question.position.as_deref().unwrap_or_default();
        table.set_position(position).map_err(|e| e.to_string())?;
        let mut legal = table.moves();
        let unknown = |m: &&String| !question.known.iter().any(|(mv, _)| mv == *m);
        if let Some(m) = legal.iter().find(unknown) {
            return Err(format!("the legal move `{m}` has no value"));
        }
        legal.sort();
        let illegal = |(m, _): &&(String, f64)| legal.binary_search(m).is_err();
        match question.known.iter().find(illegal) {
            Some((m, _)) => Err(format!("`{m}` is not a legal move there")),
            None => Ok(()),
        }
    };
    let (mut asked, mut left_out) = (Vec::new(), 0);
    for (i, line) in text.lines().map(str::trim).enumerate().filter(|(_, line)| !line.is_empty()) {
        let wrong = |problem| format!("line {}: {problem}", i + 1);
        let question = question(line).map_err(wrong)?;
        check(&question).map_err(wrong)?;
        match every || question.tells() {
            true => asked.push(question),
            false => left_out += 1,
        }
    }
    if asked.is_empty() {
        return Err(match left_out {
            0 => "the file has no positions",
            _ => "all moves of every position are of equal value: nothing can be answered wrongly",
        }
        .to_string());
    }
    let wanted = wanted.clamp(1, asked.len());
    let questions = (0..wanted).map(|i| asked[i * asked.len() / wanted].clone()).collect();
    Ok((questions, left_out))
}

fn question(line: &str) -> Result<Question, String> {
    let row: Value = serde_json::from_str(line).map_err(|e| e.to_string())?;
    let position = row.get("position").or_else(|| row.get("fen")).and_then(Value::as_str);
    let position = position.ok_or("no `position`: a text is expected")?;
    let moves = row.get("moves").and_then(Value::as_object);
    let moves = moves.ok_or("no `moves`: a table of moves and values is expected")?;
    if moves.is_empty() {
        return Err("no move is there".to_string());
    }
    let known = moves.iter().map(|(m, v)| {
        Ok((
            m.clone(),
            value(v)
                .ok_or_else(|| format!("move `{m}`: a value is W5, D, L2 or a number, not {v}"))?,
        ))
    });
    Ok(Question {
        position: Some(position.to_string()),
        known: known.collect::<Result<_, String>>()?,
        ..Question::default()
    })
}

fn value(value: &Value) -> Option<f64> {
    let Some(text) = value.as_str() else { return value.as_f64() };
    let plies = text.get(1..)?;
    if !plies.bytes().all(|b| b.is_ascii_digit()) {
        return None;
    }
    match text.as_bytes().first()? {
        b'W' => Some(1.0),
        b'D' if plies.is_empty() => Some(0.5),
        b'L' => Some(0.0),
        _ => None,
    }
}
