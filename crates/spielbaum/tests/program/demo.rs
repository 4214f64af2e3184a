//! The show without arguments.

use crate::support::{command, error, stderr, stdout};
use std::time::{Duration, Instant};

fn show() -> String {
    let began = Instant::now();
    let output = command("").output().expect("the program starts");
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    assert!(began.elapsed() < Duration::from_secs(60), "{:?}", began.elapsed());
    assert!(output.stderr.is_empty(), "{}", stderr(&output));
    String::from_utf8(output.stdout).expect("UTF-8")
}

#[test]
fn help_is_asked_for_as_a_word_too() {
    for command in ["", "match", "train"] {
        assert_eq!(stdout(&format!("help {command}")), stdout(&format!("{command} --help")));
    }
    let message = error("help matches", 2);
    assert!(message.contains("matches") && message.contains("match"), "{message}");
}

#[test]
fn it_is_short_clean_and_always_the_same() {
    let text = show();
    assert!(!text.contains('\x1b'), "no escape codes without a terminal");
    assert!((30..=70).contains(&text.lines().count()), "{text}");
    let program = env!("CARGO_BIN_EXE_spielbaum");
    for line in text.lines().filter(|line| !line.contains(program)) {
        assert!(line.chars().count() <= 80 && line.trim_end() == line, "{line:?}");
    }
    for part in ["Four in a row", " wins", "95 %", "Elo", "Pig", "hold", "Try next"] {
        assert!(text.contains(part), "{part}: {text}");
    }
    assert_eq!(show(), text);
}

#[test]
fn every_command_it_recommends_works() {
    let text = show();
    let (_, next) = text.split_once("Try next").expect("it says what to try");
    let program = env!("CARGO_BIN_EXE_spielbaum");
    let lines: Vec<&str> = next.lines().filter_map(|l| l.trim().strip_prefix(program)).collect();
    assert!(lines.len() >= 5, "{next}");
    for line in lines {
        // What the command does stands behind it, after some blanks.
        let words = line.trim().split("   ").next().expect("a command");
        let output = command(words).output().expect("the program starts");
        assert_eq!(output.status.code(), Some(0), "{words}: {}", stderr(&output));
        assert!(!output.stdout.is_empty(), "{words}");
    }
}
