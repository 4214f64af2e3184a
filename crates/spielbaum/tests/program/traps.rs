//! The trap profile of a game.

use crate::support::{json, stdout};

const LION: &str = "traps lion:rules=code mcts-solver:iterations=50 --games 6 --rollouts 20";

#[test]
fn a_profile_adds_up() {
    let profile = json(&format!("{LION} --levels 5 --json"));
    assert_eq!(profile["game"], "lion:rules=code");
    assert_eq!((&profile["games"], &profile["risk_level"]), (&6.into(), &3.into()));
    let sum = |rows: &str, key: &str| -> u64 {
        profile[rows].as_array().unwrap().iter().map(|row| row[key].as_u64().unwrap()).sum()
    };
    let (positions, at_risk) = (&profile["positions"], &profile["at_risk"]);
    assert_eq!((sum("plies", "positions"), sum("plies", "at_risk")), {
        (positions.as_u64().unwrap(), at_risk.as_u64().unwrap())
    });
    let levels = profile["levels"].as_array().unwrap();
    assert_eq!(levels.iter().map(|l| l["level"].as_u64().unwrap()).collect::<Vec<_>>(), [1, 3, 5]);
    for key in ["traps", "fallen"] {
        assert_eq!(sum("levels", key), profile["all"][key].as_u64().unwrap(), "{key}");
    }
    // Catch the Lion is full of them, and playouts are far from seeing it.
    assert!(profile["density"].as_f64().unwrap() > 0.5, "{profile}");
    let wrong = profile["all"]["wrong"].as_f64().unwrap();
    let ci: Vec<f64> = profile["all"]["wrong_ci"]
        .as_array()
        .unwrap()
        .iter()
        .map(|x| x.as_f64().unwrap())
        .collect();
    assert!(0.2 < wrong && wrong < 0.7 && ci[0] < wrong && wrong < ci[1], "{wrong} {ci:?}");
}

#[test]
fn the_seed_decides_and_not_the_number_of_threads() {
    let one = stdout(&format!("{LION} --jobs 1 --json"));
    assert_eq!(stdout(&format!("{LION} --jobs 3 --json")), one);
    assert_ne!(stdout(&format!("{LION} --jobs 1 --seed 2 --json")), one);
}

#[test]
fn lower_levels_do_not_depend_on_higher_ones() {
    let (low, high) = (json(&format!("{LION} --levels 1 --json")), json(&format!("{LION} --json")));
    for key in ["traps", "positions", "wrong"] {
        assert_eq!(low["levels"][0][key], high["levels"][0][key], "{key}");
    }
}

#[test]
fn a_game_that_nobody_can_lose_has_no_traps() {
    let text = stdout("traps gomoku:m=5,n=1,k=4 random --games 2");
    assert!(text.contains("0.0 % of them have a trap up to level 3"), "{text}");
    assert!(text.lines().any(|l| l.split_whitespace().eq(["all", "0", "0.0", "%", "0", "-", "-"])));
}

#[test]
fn people_see_levels_and_the_course_of_the_games() {
    let text = stdout(LION);
    for word in ["at risk", "playouts wrong", "fallen into", "plies", "###"] {
        assert!(text.contains(word), "no `{word}` in\n{text}");
    }
    assert!(text.lines().all(|l| l.chars().count() <= 80), "{text}");
}
