//! Positions with known values: one JSON object in a line, such as
//! `{"position": "…", "moves": {"a1b2": "W5", "a1a2": "D", "b1b2": "L2"}}`.
//!
//! A move's value is told from the side of the player to move: `W` a win, `D` a draw, `L` a
//! loss, with the plies to it if they are known, or a number, the larger the better. Other keys
//! are for people; a position may also be called `fen`.

use crate::{AnyGame, Question};
use serde_json::Value;
use spielbaum_core::param::Args;

/// The questions of a file: so many, spread evenly over it. Or what is wrong in which line.
pub(super) fn questions(
    game: &dyn AnyGame,
    args: &Args,
    text: &str,
    wanted: usize,
) -> Result<Vec<Question>, String> {
    let lines: Vec<(usize, &str)> = (text.lines().enumerate())
        .map(|(i, line)| (i + 1, line.trim()))
        .filter(|(_, line)| !line.is_empty())
        .collect();
    if lines.is_empty() {
        return Err("the file has no positions".to_string());
    }
    let wanted = wanted.clamp(1, lines.len());
    let mut table = game.open(args).map_err(|e| e.problem)?;
    let mut questions = Vec::with_capacity(wanted);
    for i in 0..wanted {
        let (number, line) = lines[i * lines.len() / wanted];
        let question = question(line).and_then(|question| {
            let position = question.position.as_deref().unwrap_or_default();
            table.set_position(position).map_err(|e| e.to_string())?;
            let mut legal = table.moves();
            let unknown = |m: &&String| !question.known.iter().any(|(mv, _)| mv == *m);
            if let Some(m) = legal.iter().find(unknown) {
                return Err(format!("the legal move `{m}` has no value"));
            }
            legal.sort();
            let illegal = |(m, _): &&(String, f64)| legal.binary_search(m).is_err();
            if let Some((m, _)) = question.known.iter().find(illegal) {
                return Err(format!("`{m}` is not a legal move there"));
            }
            Ok(question)
        });
        questions.push(question.map_err(|problem| format!("line {number}: {problem}"))?);
    }
    Ok(questions)
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
