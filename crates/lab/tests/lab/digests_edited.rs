//! Digests that were edited: what contradicts itself is refused, by `--from` and by `report`.

use crate::common::folder;
use crate::experiment::CATALOG;
use crate::studies::{ALL_KINDS, adopt, carry_out, digest_of, edited, interrupt, refused, study};
use serde_json::{Value, json};
use spielbaum_lab::{Access, Donor, Offer, Results, RunDir};
use std::path::Path;

#[test]
fn statistics_that_cannot_be_are_refused() {
    let experiment = study(ALL_KINDS);
    let first = folder("edited-first");
    carry_out(&first, &experiment, None);
    let digest = digest_of(&first, "edited.json");
    let empty = json!({"seconds": [], "moves": [], "longest": [], "games": 0.0});
    let edits: &[(&str, &[&str], Value)] = &[
        ("pair-001", &["match", "games"], json!(5)),
        ("pair-001", &["match", "games"], json!(u64::MAX)),
        ("pair-001", &["match", "rounds"], json!(49)),
        ("pair-001", &["match", "wins"], json!(u64::MAX)),
        ("pair-001", &["match", "pairs"], json!([50])),
        ("pair-001", &["match", "players"], json!([])),
        ("pair-001", &["match", "seats"], json!([0.5])),
        ("pair-001", &["times"], empty),
        ("alone-001", &["match", "draws"], json!(77)),
        ("narrow-001", &["match", "games"], json!(0)),
        ("deep-001", &["exam", "answers"], json!(1)),
        ("deep-001", &["exam", "questions"], json!(1)),
        ("deep-001", &["exam", "failures"], json!(99)),
    ];
    for (at, (part, keys, value)) in edits.iter().enumerate() {
        let edited = edited(&digest, "edited-one.json", part, |part| {
            *keys.iter().fold(part, |value, key| &mut value[*key]) = value.clone();
        });
        let dir = folder(&format!("edited-{at}"));
        let told = refused(&dir, &experiment, &edited);
        assert!(told.contains("edited-one.json") && told.contains(part), "{keys:?}: {told}");
        assert!(!dir.exists(), "{keys:?}");
        let told = Results::read_digest(&edited, CATALOG).unwrap_err().to_string();
        assert!(told.contains("edited-one.json") && told.contains(part), "{keys:?}: {told}");
    }
}

/// What can be computed from the counts is computed, and what contradicts them is told by its name.
#[test]
fn what_does_not_follow_from_the_counts_is_refused() {
    let experiment = study(&ALL_KINDS.replace("width = 0.3", "sprt = \"elo0=0,elo1=200\""));
    let first = folder("follows-first");
    carry_out(&first, &experiment, None);
    let digest = digest_of(&first, "follows.json");
    let same = edited(&digest, "follows-same.json", "pair-001", |_| {});
    Results::read_digest(&same, CATALOG).unwrap();
    let edits: &[(&str, &str, Value)] = &[
        ("pair-001", "/match/score", json!(0.9)),
        ("pair-001", "/match/score", Value::Null),
        ("pair-001", "/match/score_ci", json!([0.5, 0.501])),
        ("pair-001", "/match/elo", json!(0.0)),
        ("pair-001", "/match/elo_ci", json!([1.0, 2.0])),
        ("pair-001", "/match/elo_ci/0", Value::Null),
        ("pair-001", "/match/elo_ci_games", json!([1.0, 2.0])),
        ("pair-001", "/match/nelo", json!(1.0)),
        ("pair-001", "/match/los", json!(0.999)),
        ("pair-001", "/match/pairs", json!([0, 0, 50, 0, 0])),
        (
            "pair-001",
            "/match/by_seat",
            json!([{"wins": 100, "draws": 0, "losses": 0},
            {"wins": 0, "draws": 0, "losses": 0}]),
        ),
        ("pair-001", "/match/first_pairs", json!([50, 0, 0, 0, 0])),
        ("pair-001", "/match/plies", json!(99.0)),
        ("pair-001", "/match/stopped", json!(true)),
        ("pair-001", "/match/players/0/player", json!("coin")),
        ("pair-001", "/match/players/0/points/mean", json!(1e6)),
        ("pair-001", "/match/players/1/payoff/mean", json!(-1.0)),
        ("table-001", "/match/score_ci", json!([0.5, 0.501])),
        ("table-001", "/match/los", json!(1.5)),
        ("table-001", "/match/players/0/place/mean", json!(1.0)),
        ("table-001", "/match/players/0/places", json!([0.9, 0.9, 0.9])),
        ("alone-001", "/match/score", json!(0.123)),
        ("alone-001", "/match/players/1/player", json!("greedy:least=3")),
        ("narrow-001", "/match/sprt/llr", json!(0.5)),
        ("narrow-001", "/match/sprt/elo1", json!(20.0)),
        ("narrow-001", "/match/sprt/decision", json!("h0")),
        ("narrow-001", "/match/sprt", Value::Null),
        ("deep-001", "/exam/player", json!("coin")),
        ("deep-001", "/exam/nodes", json!(77.0)),
        ("deep-001", "/exam/proofs", json!(3)),
        (
            "deep-001",
            "/exam/depths/1",
            json!({"question": 1, "depth": 4, "nodes": 0, "value": null, "best": null}),
        ),
    ];
    for (at, (part, place, value)) in edits.iter().enumerate() {
        let edited = edited(&digest, "follows-one.json", part, |part| {
            let (parent, key) = place.rsplit_once('/').unwrap();
            match part.pointer_mut(parent).unwrap() {
                Value::Array(items) => items[key.parse::<usize>().unwrap()] = value.clone(),
                object => object[key] = value.clone(),
            }
        });
        let field = place.split('/').rfind(|key| *key != "mean" && key.parse::<u32>().is_err());
        let field = field.unwrap().replace("elo1", "sprt");
        for told in [
            refused(&folder(&format!("follows-{at}")), &experiment, &edited),
            Results::read_digest(&edited, CATALOG).unwrap_err().to_string(),
        ] {
            for text in ["follows-one.json", &format!("part `{part}`"), &format!("`{field}`")] {
                assert!(told.contains(text), "{place}: {told}");
            }
        }
    }
}

#[test]
fn a_part_that_is_there_twice_is_refused() {
    let experiment = study(TWICE);
    let first = folder("double-first");
    carry_out(&first, &experiment, None);
    interrupt(&first, "two-001", 9);
    let digest = digest_of(&first, "double.json");
    for part in 0..2 {
        let mut value: Value = serde_json::from_slice(&std::fs::read(&digest).unwrap()).unwrap();
        let parts = value["parts"].as_array_mut().unwrap();
        parts.push(parts[part].clone());
        let double = digest.with_file_name("double-one.json");
        std::fs::write(&double, value.to_string()).unwrap();
        let name = ["one-001", "two-001"][part];
        for told in [
            refused(&folder("double-on"), &experiment, &double),
            Results::read_digest(&double, CATALOG).unwrap_err().to_string(),
        ] {
            assert!(told.contains(&format!("part `{name}`: it is there twice")), "{told}");
        }
    }
}

#[test]
fn games_that_are_not_those_of_the_statistics_are_refused() {
    let experiment = study(ALL_KINDS);
    let first = folder("rows-first");
    carry_out(&first, &experiment, None);
    interrupt(&first, "pair-001", 7);
    interrupt(&first, "deeper-001", 1);
    let digest = digest_of(&first, "rows.json");
    // Columns of a row: 0 the number, 2 the hash, 5 the payoffs, 7 what was spent, 8 the statistics.
    let edits: &[(&str, &str, Value)] = &[
        ("pair-001", "/rows/3/5", json!([0.25, 0.75])),
        ("pair-001", "/rows/3/5", json!([1e39, 0.0])),
        ("pair-001", "/rows/3/5", json!([1.0])),
        ("pair-001", "/rows/3/2", json!("not a hash")),
        ("pair-001", "/rows/3/7/0/0", json!(1000)),
        ("pair-001", "/rows/3/8", json!([null, null, null, null])),
        ("pair-001", "/rows/3/0", json!(2)),
        ("pair-001", "/rows/13/0", json!(99)),
        ("pair-001", "/rows/13/0", json!(100)),
        ("pair-001", "/match/distinct", json!(1)),
        ("deeper-001", "/answered/0/1/2/iterations", json!(12345)),
        ("deeper-001", "/answered/0/0", json!(1)),
        ("deeper-001", "/exam/failures", json!(1)),
    ];
    for (at, (part, place, value)) in edits.iter().enumerate() {
        let edited = edited(&digest, "rows-one.json", part, |part| {
            *part.pointer_mut(place).unwrap() = value.clone();
        });
        let dir = folder(&format!("rows-{at}"));
        let told = refused(&dir, &experiment, &edited);
        assert!(told.contains("rows-one.json") && told.contains(part), "{place}: {told}");
        let told = Results::read_digest(&edited, CATALOG).unwrap_err().to_string();
        assert!(told.contains("rows-one.json") && told.contains(part), "{place}: {told}");
        // Nothing is left behind.
        assert!(!dir.exists(), "{place}");
    }
}

/// Two parts of one match, so that each offers its games to both.
const TWICE: &str = r#"
seed = 5
game = "dice:length=1"
format = "match"
games = 100
players = ["greedy", "coin"]
[[experiment]]
id = "one"
[[experiment]]
id = "two"
"#;

#[test]
fn nothing_of_a_part_is_taken_before_all_of_it_is_checked() {
    let experiment = study(TWICE);
    let first = folder("checked-first");
    carry_out(&first, &experiment, None);
    interrupt(&first, "one-001", 7);
    interrupt(&first, "two-001", 9);
    let digest = digest_of(&first, "checked.json");
    let wrong = edited(&digest, "checked-wrong.json", "two-001", |part| {
        part["rows"][16][2] = json!("not a hash");
    });
    let has_units = |dir: &Path| {
        let begun = |part: &str| dir.join("parts").join(part).join("units/000000.jsonl").exists();
        begun("one-001") || begun("two-001")
    };
    let dir = folder("checked-digest");
    let told = refused(&dir, &experiment, &wrong);
    for text in ["checked-wrong.json", "part `two-001`", "game 16", "`export --digest`"] {
        assert!(told.contains(text), "{told}");
    }
    assert!(!has_units(&dir));
    // The same of a directory.
    let unit = first.join("parts/two-001/units/000008.jsonl");
    let good = std::fs::read_to_string(&unit).unwrap();
    std::fs::write(&unit, good.replacen("\"over\"", "\"limit\"", 1)).unwrap();
    let dir = folder("checked-dir");
    let told = refused(&dir, &experiment, &first);
    assert!(told.contains("two-001/units/000008.jsonl") && told.contains("delete it"), "{told}");
    assert!(!has_units(&dir));
    // What is whole is taken by both.
    std::fs::write(&unit, good).unwrap();
    assert_eq!(adopt(&dir, &experiment, &digest).unwrap().items, 2 * 18);
}

#[test]
fn units_that_an_exam_does_not_have_are_refused() {
    let experiment = study(ALL_KINDS);
    let first = folder("stray-first");
    carry_out(&first, &experiment, None);
    interrupt(&first, "deeper-001", 1);
    let digest = digest_of(&first, "stray.json");
    let add = |unit: &dyn Fn(&Value) -> Value| {
        let stray = edited(&digest, "stray-one.json", "deeper-001", |part| {
            let unit = unit(&part["answered"][0]);
            part["answered"].as_array_mut().unwrap().push(unit);
        });
        let dir = folder("stray-on");
        let told = refused(&dir, &experiment, &stray);
        assert!(told.contains("stray-one.json") && told.contains("deeper-001"), "{told}");
        assert!(!dir.exists());
        told
    };
    let told = add(&|_| json!([7, [], []]));
    assert!(told.contains("unit 7 is none of its 2"), "{told}");
    let told = add(&|first| first.clone());
    assert!(told.contains("unit 0 is there twice"), "{told}");
}

/// A digest, or a directory, whose last part is damaged gives nothing of the others.
#[test]
fn nothing_is_taken_before_all_parts_are_checked() {
    let experiment = study(ALL_KINDS);
    let first = folder("all-first");
    carry_out(&first, &experiment, None);
    let digest = digest_of(&first, "all.json");
    let wrong = edited(&digest, "all-wrong.json", "deeper-001", |part| {
        part["exam"]["failures"] = json!(99);
    });
    let unit = first.join("parts/deeper-001/units/000001.jsonl");
    let good = std::fs::read_to_string(&unit).unwrap();
    std::fs::write(&unit, good.replacen("\"depth\"", "\"death\"", 1)).unwrap();
    // A run that is there already stays as it is, and one that is not there is not begun.
    let dir = folder("all-on");
    for from in [&wrong, &first] {
        assert!(refused(&dir, &experiment, from).contains("deeper-001"));
        assert!(!dir.exists());
    }
    drop(RunDir::create(&dir, &experiment, Access::Alone).unwrap());
    for from in [&wrong, &first] {
        assert!(refused(&dir, &experiment, from).contains("deeper-001"));
        assert!(!dir.join("parts").exists());
    }
    assert_eq!(adopt(&dir, &experiment, &digest).unwrap().whole, 8);
}

/// What a run would take over is what it does take over, part by part.
#[test]
fn an_offer_tells_what_is_taken_over() {
    let experiment = study(ALL_KINDS);
    let (first, on) = (folder("offer-first"), folder("offer-on"));
    carry_out(&first, &experiment, None);
    interrupt(&first, "pair-001", 7);
    interrupt(&first, "deeper-001", 1);
    let digest = digest_of(&first, "offer.json");
    let donor = Donor::open(&digest, CATALOG).unwrap();
    let done = |offer: &Offer<'_>| (0..8).map(|part| offer.done(part)).collect::<Vec<_>>();
    let offer = donor.offer(&experiment, &on).unwrap();
    assert_eq!(done(&offer), [14, 100, 100, 30, 60, 2000, 8, 9]);
    assert!(!on.exists());
    assert_eq!(adopt(&on, &experiment, &digest).unwrap(), offer.adopted());
    let again = donor.offer(&experiment, &on).unwrap();
    assert_eq!(done(&again), [0; 8]);
    assert_eq!(again.adopted().there, offer.adopted().items);
    // Another experiment is told as such.
    let other = study(&ALL_KINDS.replace("seed = 5", "seed = 6"));
    let told = donor.offer(&other, &on).err().unwrap().to_string();
    assert!(told.contains("holds another experiment"), "{told}");
}
