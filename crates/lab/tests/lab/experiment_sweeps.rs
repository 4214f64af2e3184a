//! Sweeps: how many parts, in which order, and where their mistakes are. Whatever is in a file,
//! reading it does not panic.

use crate::experiment::{CATALOG, parse};
use proptest::prelude::*;
use spielbaum_lab::{Experiment, MAX_PARTS, RunOptions, Source};

fn list(values: &[u32]) -> String {
    let values: Vec<String> = values.iter().map(ToString::to_string).collect();
    format!("[{}]", values.join(","))
}

/// Different numbers, so many of them.
fn numbers(most: usize) -> impl Strategy<Value = Vec<u32>> {
    (1..=most).prop_map(|n| (1..=n as u32).collect())
}

proptest! {
    #[test]
    fn parts_are_the_product_in_order(
        (work, least) in (numbers(4), numbers(4)),
        (length, vary) in (numbers(3), numbers(3)),
        (opponents, tables) in (numbers(3), any::<bool>()),
    ) {
        let player = match tables {
            true => format!("{{name='greedy',work={},least='{}'}}", list(&work), list(&least)),
            false => format!("'greedy:work={},least={}'", list(&work), list(&least)),
        };
        let text = format!(
            "game = 'dice:length={}'\nformat = 'gauntlet'\nplayers = {player}\n\
             opponents = ['coin:iterations={},depth=$v']\nvary = {{v = {}}}\n",
            list(&length), list(&opponents), list(&vary),
        );
        let section = parse(&text).unwrap().sections.remove(0);
        let axes: Vec<&str> = section.axes.iter().map(|a| a.name.as_str()).collect();
        prop_assert_eq!(&axes, &["v", "length", "work", "least", "iterations"]);
        let sizes = [vary.len(), length.len(), work.len(), least.len(), opponents.len()];
        prop_assert_eq!(section.parts.len(), sizes.iter().product::<usize>());
        // Read as numbers with a digit for each axis, the settings ascend: the last changes
        // fastest, and none comes twice.
        let settings: Vec<Vec<u32>> = (section.parts.iter())
            .map(|part| part.setting.iter().map(|value| value.parse().unwrap()).collect())
            .collect();
        prop_assert!(settings.is_sorted_by(|a, b| a < b));
        let again = parse(&text).unwrap().sections.remove(0);
        prop_assert!(section.parts.iter().zip(&again.parts).all(|(a, b)| a.setting == b.setting));
    }

    #[test]
    fn no_text_panics(text in "\\PC{0,200}") {
        let _ = parse(&text);
    }

    #[test]
    fn no_specification_panics(
        spec in r#"(greedy|coin|\$a|:|=|,|\[|\]|\(|\)|1\.\.3|least|9|\\"| |ö|\.){0,24}"#,
        budget in r#"(nodes|=|,|\[|\]|\$a|5|\.\.|[a-zé]){0,8}"#,
    ) {
        let text = format!(
            "game = \"dice\"\nformat = \"match\"\nplayers = [\"{spec}\", \"greedy\"]\n\
             budget = \"{budget}\"\nvary = {{a = [1, \"coin\"]}}\n"
        );
        // A mistake lies within the file.
        if let Err(mistakes) = parse(&text) {
            for mistake in mistakes.list() {
                prop_assert!(mistake.line <= 5, "{mistakes}");
            }
        }
    }

    /// Files made of the right words in any order.
    #[test]
    fn no_document_panics(
        lines in prop::collection::vec((0..WORDS.len(), 0..VALUES.len()), 0..20),
        headers in prop::collection::vec(0..HEADERS.len(), 0..20),
        quick in any::<bool>(),
    ) {
        let mut text = String::new();
        for (i, (key, value)) in lines.iter().enumerate() {
            if let Some(header) = headers.get(i) {
                text.push_str(HEADERS[*header]);
            }
            text.push_str(&format!("{} = {}\n", WORDS[*key], VALUES[*value]));
        }
        let options = RunOptions::new(quick, !quick);
        let _ = Experiment::parse(Source::new("any.toml", text), options, CATALOG);
    }
}

const HEADERS: &[&str] = &[
    "",
    "",
    "",
    "[[experiment]]\n",
    "[vary]\n",
    "[quick]\n",
    "[stop]\n",
    "[paper]\n",
    "[[claim]]\n",
    "[[experiment.published]]\n",
    "[experiment.vary]\n",
];

const WORDS: &[&str] = &[
    "game",
    "players",
    "opponents",
    "format",
    "games",
    "seed",
    "budget",
    "openings",
    "record",
    "traps",
    "depths",
    "positions",
    "values",
    "questions",
    "id",
    "title",
    "rule",
    "at",
    "metric",
    "value",
    "anchor",
    "no-anchor",
    "sprt",
    "width",
    "n",
    "text",
    "interval",
];

const VALUES: &[&str] = &[
    "'dice'",
    "'dice:seats=[1,3,5]'",
    "['greedy', 'coin']",
    "[['greedy', 'coin'], 'greedy:work=$n']",
    "'match'",
    "'gauntlet'",
    "'round-robin'",
    "'scores'",
    "'depths'",
    "'accuracy'",
    "3",
    "-1",
    "0.5",
    "[]",
    "{}",
    "{name = 'greedy', work = [1, '2..4']}",
    "'nodes=[5,6]'",
    "'none'",
    "'$n'",
    "inf",
    "[1, 2, 3]",
    "{above = 1, of = 'main.score'}",
    "'main/1'",
    "'score'",
    "1979-05-27",
    "true",
    "'''\n1 take\n'''",
    "\"\\u00e9[1,2]\"",
    "{n = 1}",
    "[[[[1]]]]",
];

#[test]
fn mistakes_in_expanded_texts_are_where_they_stand() {
    let place = |text: &str| {
        let mistakes = parse(text).unwrap_err();
        let [mistake] = mistakes.list() else { panic!("one mistake: {mistakes}") };
        (mistake.line, mistake.error.text[mistake.error.span.clone()].to_string())
    };
    let with =
        |player: &str| format!("game = 'dice'\nformat = 'match'\nplayers = [{player}, 'coin']\n");
    assert_eq!(place(&with("'greedy:least=[1,77,2],work=[1,2]'")), (3, "77".to_string()));
    assert_eq!(place(&with("'greedy:work=[1..3],leats=1'")), (3, "leats".to_string()));
    assert_eq!(place(&with("'greedy:work=[1..3],least=[0..5]'")), (3, "0..5".to_string()));
    assert_eq!(place(&with("{name = 'greedy', least = [1, 77]}")), (3, "77".to_string()));
    assert_eq!(place(&with("{name = 'greedy', lest = 1}")), (3, "lest".to_string()));
    assert_eq!(place(&with("'''greedy:work=1,\n  least=[1,\n  88]'''")), (5, "88".to_string()));
    // An escape moves the letters: the string as a whole is meant.
    assert_eq!(
        place(&with(r#""greedy:least=\u0037""#)),
        (3, r#""greedy:least=\u0037""#.to_string())
    );
    let varied = format!("{}[vary]\nn = [1, 2, 66]\n", with("'greedy:least=$n'"));
    assert_eq!(place(&varied), (5, "66".to_string()));
    let varied = format!("{}[vary]\nn = [1, 'x=y']\n", with("'greedy:least=$n,work=4'"));
    assert_eq!(place(&varied).0, 5);
}

#[test]
fn there_is_an_end_to_everything() {
    let told = |player: &str, more: &str| {
        let text = format!("game = 'dice'\nformat = 'match'\nplayers = [{player}, 'coin']\n{more}");
        parse(&text).unwrap_err().to_string()
    };
    let deep = format!("'greedy:work={}1{}'", "[".repeat(500), "]".repeat(500));
    assert!(told(&deep, "").contains("nested more than 32 levels deep"));
    let long = format!("'greedy:work={}'", "9".repeat(70_000));
    assert!(told(&long, "").contains("65536"));
    assert!(told("'greedy:work=[1..99999999999]'", "").contains("more than 10000 numbers"));
    assert!(told("'greedy:work=[3..1]'", "").contains("has no numbers"));
    let wide = "'greedy:work=[1..9000],least=[0..4],depth=[1..9000],nodes=[1..9000]'";
    assert!(told(wide, "").contains("make"), "{}", told(wide, ""));
    let many = format!("vary = {{n = ['1..{MAX_PARTS}'], m = [1, 2]}}");
    assert!(told("'greedy:work=$n,depth=$m'", &many).contains("20000 parts"));
    let nested = format!("players = {}1{}", "[".repeat(5000), "]".repeat(5000));
    assert!(parse(&nested).is_err());
}
