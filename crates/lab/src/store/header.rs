//! The header of a record: read, and compared with what is asked for.

use super::Recorded;
use crate::LabError;
use crate::plan::{FORMAT, Header, Plan, SpecText};
use crate::results::digest_instead;
use serde::Serialize;
use serde_json::Value;
use spielbaum_core::spec::{Spec, Value as SpecValue};
use std::fs;
use std::io::ErrorKind;
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

/// Reads the header of a record, JSON of a format that this program knows.
pub(crate) fn read_format(path: &Path, what: &str) -> Result<Value, LabError> {
    let bytes = fs::read(path).map_err(|e| match e.kind() {
        ErrorKind::NotFound | ErrorKind::NotADirectory => LabError::Request(nothing(path, what)),
        _ => LabError::io(path)(e),
    })?;
    of_format(path, &bytes, &format!("{what} header"), super::NOT_OURS)
}

/// JSON of a format that this program knows: `what` it should be, and what to do if it is not.
pub(crate) fn of_format(
    path: &Path,
    bytes: &[u8],
    what: &str,
    help: &str,
) -> Result<Value, LabError> {
    let wrong =
        |problem: String| LabError::damaged(path, format!("it is no {what}: {problem}"), help);
    let value: Value = serde_json::from_slice(bytes).map_err(|e| wrong(e.to_string()))?;
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

/// What to say where a record was expected and is not.
fn nothing(path: &Path, what: &str) -> String {
    let dir = path.parent().unwrap_or(path);
    let (name, file) = (dir.display(), path.file_name().unwrap_or_default().display());
    if dir.is_dir() {
        return match dir.join("train.json").exists() {
            true => format!(
                "{name} holds a training, not a {what}; `spielbaum report {name}` tells about it"
            ),
            false => format!("{name} holds no {what}: there is no {file} in it"),
        };
    }
    let asked = format!("the directory of a {what}");
    match dir.is_file() {
        true => digest_instead(dir, &asked).unwrap_or(format!("{name} is a file, not {asked}")),
        false => format!("{name}: no such directory"),
    }
}

/// The fields in which two headers differ, each with both values.
pub(crate) fn differences<H: Serialize>(asked: &H, there: &H) -> Vec<String> {
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
        .flat_map(|key| {
            let of = |map: &serde_json::Map<String, Value>| map.get(key).cloned();
            field(key, &of(there).unwrap_or_default(), &of(asked).unwrap_or_default())
        })
        .collect()
}

/// How two values of a field differ: by their short texts, or where those are the same by the
/// settings behind them.
fn field(key: &str, there: &Value, asked: &Value) -> Vec<String> {
    let (a, b) = (short(there), short(asked));
    if a != b {
        return vec![told(&format!("`{key}`"), &a, &b)];
    }
    if let (Value::Array(there), Value::Array(asked)) = (there, asked)
        && there.len() == asked.len()
    {
        let pairs = (1..).zip(there.iter().zip(asked)).filter(|(_, (a, b))| a != b);
        return pairs.flat_map(|(n, (a, b))| settings(&format!("`{key}` {n}: "), a, b)).collect();
    }
    settings(&format!("`{key}`: "), there, asked)
}

/// Settings that a message names.
const MOST_SETTINGS: usize = 3;

/// The settings in which two specifications of the same short text differ, and their networks.
fn settings(place: &str, there: &Value, asked: &Value) -> Vec<String> {
    let player = |value: &Value| serde_json::from_value::<SpecText>(value.clone()).ok();
    let network = |(there, asked): (SpecText, SpecText)| asked.other_network(&there);
    if let Some(differs) = player(there).zip(player(asked)).and_then(network) {
        return vec![format!("{place}{differs}")];
    }
    let full = |value: &Value| Some(value.get("full")?.as_str()?.to_string());
    let read = |value: &Value| Spec::parse(&full(value)?).ok();
    let mut found = Vec::new();
    match (read(there), read(asked)) {
        (Some(there), Some(asked)) => compare(place, "", &there, &asked, &mut found),
        _ => found.push(told(place.trim_end_matches(": "), &there.to_string(), &asked.to_string())),
    }
    let more = found.len().saturating_sub(MOST_SETTINGS);
    if more > 0 {
        found.truncate(MOST_SETTINGS);
        found.push(format!("{more} more"));
    }
    found
}

fn compare(place: &str, path: &str, there: &Spec, asked: &Spec, found: &mut Vec<String>) {
    if there.name != asked.name {
        let path = path.trim_end_matches('.');
        let what = if path.is_empty() { place.to_string() } else { format!("{place}`{path}`") };
        found.push(told(what.trim_end_matches(": "), &there.name, &asked.name));
        return;
    }
    let mut keys: Vec<&str> = Vec::new();
    // What is not known any more stands before what was not known then.
    for arg in there.args.iter().chain(&asked.args) {
        if !keys.contains(&arg.key.as_str()) {
            keys.push(&arg.key);
        }
    }
    for key in keys {
        let of = |spec: &'_ Spec| spec.args.iter().find(|arg| arg.key == key).cloned();
        match (of(there).map(|arg| arg.value), of(asked).map(|arg| arg.value)) {
            (Some(SpecValue::Nested(a)), Some(SpecValue::Nested(b))) => {
                compare(place, &format!("{path}{key}."), &a, &b, found);
            }
            (a, b) if a == b => {}
            (a, b) => {
                let text = |v: Option<SpecValue>| v.map_or("none".to_string(), |v| v.to_string());
                found.push(told(&format!("{place}`{path}{key}`"), &text(a), &text(b)));
            }
        }
    }
}

fn told(what: &str, there: &str, asked: &str) -> String {
    format!("{what} ({} there, {} asked)", brief(there), brief(asked))
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
