//! Oracle data, from the folder that `SPIELBAUM_ORACLES` names or the project's own.

use serde_json::Value;
use spielbaum_core::Game;
use std::path::PathBuf;

/// The text of a file.
pub(crate) fn read(file: &str) -> String {
    let folder = std::env::var_os("SPIELBAUM_ORACLES").map_or_else(
        || PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../../data/oracles")),
        PathBuf::from,
    );
    let path = folder.join(file);
    std::fs::read_to_string(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display()))
}

/// The rows of a file of JSON lines.
pub(crate) fn rows(file: &str) -> Vec<Value> {
    let rows: Vec<Value> =
        read(file).lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert!(!rows.is_empty(), "{file} has no rows");
    rows
}

/// A text in a row.
pub(crate) fn text_of<'a>(row: &'a Value, key: &str) -> &'a str {
    row[key].as_str().unwrap_or_else(|| panic!("no {key} in {row}"))
}

/// The names of the legal moves, sorted.
pub(crate) fn legal<G: Game>(pos: &G) -> Vec<String> {
    let mut moves = Vec::new();
    pos.moves(&mut moves);
    let mut names: Vec<String> = moves.iter().map(ToString::to_string).collect();
    names.sort();
    names
}
