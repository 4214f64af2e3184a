//! What is wrong with experiment files, and what is told: a golden file.

use crate::experiment::CATALOG;
use spielbaum_lab::{Experiment, RunOptions, Source};
use std::fs;

const FILE: &str = include_str!("experiment/mistakes.toml");
const GOLDEN: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/lab/experiment/mistakes.txt");

#[test]
fn every_mistake_is_told_at_its_place() {
    let source = Source::new("mistakes.toml", FILE);
    let mistakes = Experiment::parse(source, RunOptions::default(), CATALOG).unwrap_err();
    assert!(mistakes.list().len() >= 25, "{}", mistakes.list().len());
    for mistake in mistakes.list() {
        let line = FILE.lines().nth(mistake.line - 1).unwrap();
        assert_eq!(mistake.error.text, line);
        let before: String = line.chars().take(mistake.column - 1).collect();
        assert_eq!(mistake.error.span.start, before.len(), "{}", mistake.error);
    }
    assert!(mistakes.list().is_sorted_by_key(|m| (m.line, m.column)));
    // Those beyond what is shown at once are in the golden file as well.
    let all = mistakes.list().iter();
    let told: String =
        all.map(|m| format!("mistakes.toml:{}:{}: {}\n\n", m.line, m.column, m.error)).collect();
    if std::env::var_os("UPDATE_GOLDEN").is_some() {
        fs::write(GOLDEN, &told).unwrap();
        return;
    }
    let golden = fs::read_to_string(GOLDEN).unwrap();
    for (told, golden) in told.split("\n\n").zip(golden.split("\n\n")) {
        assert_eq!(told, golden, "UPDATE_GOLDEN=1 accepts the change");
    }
    assert_eq!(told.len(), golden.len());
}
