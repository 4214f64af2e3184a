//! The header of a record: read, and compared with what is asked for.

use super::Recorded;
use crate::LabError;
use crate::plan::{FORMAT, Header, Plan};
use serde::Serialize;
use serde_json::Value;
use std::fs;
use std::path::Path;

/// Reads the header of a match.
pub fn read_header(dir: &Path) -> Result<Header, LabError> {
    header_of::<Plan>(dir)
}

/// Reads the header of a record.
pub(crate) fn header_of<W: Recorded>(dir: &Path) -> Result<W::Header, LabError> {
    let path = dir.join(W::FILE);
    let value = read_format(&path, W::NAME)?;
    let not_ours = |e| format!("it is no {} header: {e}", W::NAME);
    serde_json::from_value(value)
        .map_err(|e| LabError::damaged(&path, not_ours(e), super::NOT_OURS))
}

/// Reads a file of JSON whose format this program knows.
pub(crate) fn read_format(path: &Path, what: &str) -> Result<Value, LabError> {
    let text = fs::read_to_string(path).map_err(LabError::io(path))?;
    let wrong = |problem: String| {
        LabError::damaged(path, format!("it is no {what} header: {problem}"), super::NOT_OURS)
    };
    let value: Value = serde_json::from_str(&text).map_err(|e| wrong(e.to_string()))?;
    match value.get("format").and_then(Value::as_u64) {
        Some(format) if format == u64::from(FORMAT) => Ok(value),
        Some(format) if format > u64::from(FORMAT) => {
            let help = "use the version of the program that wrote it, or a later one";
            let problem = format!("format {format} is newer than this program's {FORMAT}");
            Err(LabError::damaged(path, problem, help))
        }
        _ => Err(wrong("no `format`".to_string())),
    }
}

/// The fields in which two headers differ, each with both values.
pub(super) fn differences<H: Serialize>(asked: &H, there: &H) -> Vec<String> {
    let value = |header| serde_json::to_value(header).unwrap_or_default();
    let (asked, there) = (value(asked), value(there));
    let empty = serde_json::Map::new();
    let (asked, there) = (asked.as_object().unwrap_or(&empty), there.as_object().unwrap_or(&empty));
    let mut keys: Vec<&String> = asked.keys().chain(there.keys()).collect();
    keys.sort_unstable();
    keys.dedup();
    keys.retain(|key| asked.get(*key) != there.get(*key));
    // Derived from the others: they would only repeat the news.
    let derived = ["games_per_round", "rounds_per_unit", "questions_per_unit", "units"];
    let news = |key: &&String| !derived.contains(&key.as_str());
    if keys.iter().any(news) {
        keys.retain(news);
    }
    (keys.into_iter())
        .map(|key| {
            let text = |v: Option<&Value>| brief(&short(v.unwrap_or(&Value::Null)));
            format!("`{key}` ({} there, {} asked)", text(there.get(key)), text(asked.get(key)))
        })
        .collect()
}

/// A value for people: of a specification the short text.
fn short(value: &Value) -> String {
    match value {
        Value::Object(map) if map.contains_key("spec") => short(&map["spec"]),
        Value::Array(items) => items.iter().map(short).collect::<Vec<_>>().join(" "),
        Value::String(text) => text.clone(),
        other => other.to_string(),
    }
}

fn brief(text: &str) -> String {
    const LONG: usize = 60;
    if text.chars().count() <= LONG {
        return text.to_string();
    }
    text.chars().take(LONG).chain("…".chars()).collect()
}
