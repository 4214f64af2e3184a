//! No text makes the parser panic, and every error points into its text.

use crate::generate;
use crate::tables::{PLAYERS, assert_round_trip, player};
use proptest::prelude::*;
use spielbaum_core::Rng;
use spielbaum_core::spec::{MAX_DEPTH, MAX_LENGTH, Spec, SpecError, Value};

fn assert_placed(error: &SpecError, text: &str) {
    assert_eq!(error.text, text);
    assert!(error.span.start <= error.span.end && error.span.end <= text.len(), "{error:?}");
    assert!(text.is_char_boundary(error.span.start) && text.is_char_boundary(error.span.end));
    assert!(!error.problem.is_empty() && !error.problem.contains('\n'), "{error:?}");
    let shown = error.to_string();
    assert!(shown.starts_with(&error.problem));
    if !text.trim().is_empty() {
        let lines: Vec<&str> = shown.lines().collect();
        assert!(lines.len() >= 3, "{shown}");
        assert!(lines[1].chars().count() <= 90 && lines[2].chars().count() <= 90, "{shown}");
        assert!(lines[2].trim_start().starts_with('^'), "{shown}");
        assert!(lines[2].trim_matches(' ').chars().all(|c| c == '^'), "{shown}");
    }
}

/// Reads a text in every way there is.
fn probe(text: &str) {
    match player(text) {
        Ok(args) => assert_round_trip(&args),
        Err(error) => assert_placed(&error, text),
    }
    match Spec::parse(text) {
        Ok(spec) => {
            let printed = spec.to_string();
            assert_eq!(Spec::parse(&printed).map(|s| s.to_string()), Ok(printed));
            assert!(text.get(spec.span).is_some_and(|s| s.starts_with(&spec.name)));
        }
        Err(error) => assert_placed(&error, text),
    }
    if let Err(error) = Value::parse(text) {
        assert_placed(&error, text);
    }
}

const PIECES: &[&str] = &[
    ",",
    "=",
    ":",
    "(",
    ")",
    "[",
    "]",
    "\"",
    "\\",
    " ",
    ";",
    "-",
    "+",
    "_",
    ".",
    "0",
    "9",
    "k",
    "M",
    "s",
    "ms",
    "e",
    "inf",
    "NaN",
    "é",
    "獅",
    "\u{301}",
    "\u{202e}",
    "\u{0}",
    "\n",
    "uct",
    "playout",
    "mast(k=1)",
    "99999999999999999999",
    "root(player=",
];

fn mutate(text: &str, rng: &mut Rng) -> String {
    let mut chars: Vec<char> = text.chars().collect();
    for _ in 0..1 + rng.below(3) {
        let (a, b) = (rng.below(chars.len() + 1), rng.below(chars.len() + 1));
        let range = a.min(b)..a.max(b).min(a.min(b) + 6);
        match rng.below(4) {
            0 => drop(chars.drain(range)),
            1 => {
                let copy: Vec<char> = chars[range].to_vec();
                chars.splice(b..b, copy);
            }
            2 => chars[range].reverse(),
            _ => drop(chars.splice(a..a, PIECES[rng.below(PIECES.len())].chars())),
        }
    }
    chars.into_iter().collect()
}

proptest! {
    #![proptest_config(crate::config())]

    #[test]
    fn any_text(text: String) {
        probe(&text);
    }

    #[test]
    fn any_value_of_any_parameter(key in "c|bias|scale|solver|playout|pace|net|offset|time|depth", value: String) {
        probe(&format!("uct:{key}={value}"));
    }

    #[test]
    fn numbers_of_odd_form(text in "[-+]?[0-9._]{0,24}(e[-+]?[0-9]{0,5}|[kKmMGsh]|ms|us|ns)?") {
        probe(&format!("uct:c={text},offset={text}"));
        probe(&format!("uct:bias={text}"));
        probe(&format!("uct:offset={text}"));
        probe(&format!("uct:time={text}"));
        probe(&format!("uct:clock={text}+{text}"));
    }

    #[test]
    fn pieces_in_any_order(pieces in prop::collection::vec(prop::sample::select(PIECES), 0..12)) {
        probe(&pieces.concat());
        probe(&format!("uct:c={}", pieces.concat()));
    }

    #[test]
    fn valid_texts_damaged(seed: u64) {
        let mut rng = Rng::new(seed);
        let text = generate::spec(&mut rng, PLAYERS, 0);
        probe(&mutate(&text, &mut rng));
    }
}

#[test]
fn deep_texts_are_refused_not_followed() {
    for levels in [MAX_DEPTH - 2, MAX_DEPTH, 5000] {
        let text = "root(player=".repeat(levels) + "random" + &")".repeat(levels);
        probe(&text);
        let result = player(&text);
        if levels < MAX_DEPTH {
            assert!(result.is_ok());
        } else {
            assert!(result.unwrap_err().problem.contains("levels deep"));
        }
    }
    probe(&"root(player=".repeat(MAX_LENGTH));
    probe(&"(".repeat(MAX_LENGTH));
    probe(&"uct:c=".repeat(1000));
}

#[test]
fn long_texts_are_refused_or_read() {
    let content = "x".repeat(MAX_LENGTH - 1000);
    let args = player(&format!("uct:net={content}")).unwrap_or_else(|e| panic!("{e}"));
    assert_eq!(args.text("net"), content);
    let text = "é".repeat(MAX_LENGTH);
    probe(&text);
    assert!(player(&text).unwrap_err().problem.contains("too long"));
    for text in ["1", "m", "_", ".", "-", "\\", "獅"].map(|s| s.repeat(10_000)) {
        for key in ["c", "offset", "time", "clock", "net", "playout", "scale", "solver"] {
            probe(&format!("uct:{key}={text}"));
        }
        probe(&text);
        probe(&format!("uct:{text}=1"));
    }
}
