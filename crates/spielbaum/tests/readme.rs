//! The README's examples run and print what it shows.

#![allow(clippy::unwrap_used)]

use std::path::Path;
use std::process::Command;

const README: &str = include_str!("../../../README.md");

/// Commands of the `console` blocks with the lines shown below each.
fn examples() -> Vec<(Vec<String>, Vec<&'static str>)> {
    let mut found: Vec<(Vec<String>, Vec<&str>)> = Vec::new();
    let mut is_console = false;
    for line in README.lines() {
        match line {
            "```console" => is_console = true,
            "```" => is_console = false,
            _ if !is_console => {}
            _ => match line.strip_prefix("$ spielbaum ") {
                Some(command) => found.push((words(command), Vec::new())),
                None => found.last_mut().unwrap().1.push(line),
            },
        }
    }
    found
}

/// Splits at blanks outside of double quotes.
fn words(command: &str) -> Vec<String> {
    let quoted = command.split('"').enumerate();
    let mut words: Vec<String> = Vec::new();
    for (i, part) in quoted {
        match i % 2 {
            1 => words.push(part.to_string()),
            _ => words.extend(part.split_whitespace().map(String::from)),
        }
    }
    words
}

#[test]
fn every_command_runs_and_prints_what_is_shown() {
    let examples = examples();
    assert!(examples.len() >= 6);
    let dir = std::env::temp_dir().join(format!("spielbaum-readme-{}", std::process::id()));
    let folder = dir.join("experiments");
    std::fs::create_dir_all(&folder).unwrap();
    let from = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../experiments");
    for entry in std::fs::read_dir(from).unwrap() {
        let path = entry.unwrap().path();
        std::fs::copy(&path, folder.join(path.file_name().unwrap())).unwrap();
    }
    for (command, shown) in examples {
        let program = env!("CARGO_BIN_EXE_spielbaum");
        let output = Command::new(program).args(&command).current_dir(&dir).output().unwrap();
        let text = String::from_utf8(output.stdout).unwrap();
        assert!(
            output.status.success(),
            "{command:?}: {}",
            String::from_utf8_lossy(&output.stderr)
        );
        for line in shown {
            assert!(text.contains(line), "{command:?} does not print\n{line}\nbut\n{text}");
        }
    }
    std::fs::remove_dir_all(&dir).unwrap();
}

#[test]
fn links_lead_somewhere() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let targets = README.split("](").skip(1).map(|rest| rest.split(')').next().unwrap());
    for target in targets.filter(|t| !t.starts_with("http")) {
        assert!(root.join(target).exists(), "{target}");
    }
}
