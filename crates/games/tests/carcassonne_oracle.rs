//! Carcassonne against games of an independent engine: every placement, spot, score and supply.
//! `SPIELBAUM_ORACLES` names another folder with data of the same format.

#![allow(clippy::unwrap_used)]

#[allow(dead_code, reason = "shared with the oracle tests of other games")]
mod oracle;

use serde_json::Value;
use spielbaum_core::{Game, text};
use spielbaum_games::carcassonne::{Carcassonne, Kind, Move, Options, Order};
use std::collections::{BTreeMap, BTreeSet};

fn games() -> Vec<Value> {
    oracle::rows("carcassonne_games.jsonl")
}

fn number(value: &Value) -> i64 {
    value.as_i64().unwrap_or_else(|| panic!("{value} is not a number"))
}

fn numbers(value: &Value) -> Vec<i64> {
    value.as_array().unwrap().iter().map(number).collect()
}

fn word(value: &Value) -> &str {
    value.as_str().unwrap_or_else(|| panic!("{value} is not a text"))
}

fn letters(value: &Value) -> String {
    value.as_array().unwrap().iter().map(word).collect()
}

fn legal(pos: &Carcassonne) -> Vec<Move> {
    let mut moves = Vec::new();
    pos.moves(&mut moves);
    assert_eq!(moves.len(), pos.count_moves());
    moves
}

/// Squares with a mask of rotations, from the moves without a meeple.
fn squares(moves: &[Move]) -> BTreeMap<(i8, i8), i64> {
    let mut squares = BTreeMap::new();
    for m in moves.iter().filter(|m| m.meeple().is_none()) {
        *squares.entry(m.at()).or_insert(0) |= 1 << m.rotation();
    }
    squares
}

/// Plays one game under both ways to list rotations, in an order that is known or hidden.
fn replay(game: &Value, hidden: bool) {
    let id = word(&game["id"]);
    let players = number(&game["players"]) as usize;
    let order = if hidden { Order::Hidden } else { Order::Listed };
    let tiles = Some(word(&game["tile_order"]));
    let options = Options { players, order, tiles, ..Options::default() };
    let mut merged = Carcassonne::new(&options).unwrap();
    let mut all = Carcassonne::new(&Options { all_rotations: true, ..options }).unwrap();
    let mut drawn = word(&game["tile_order"]).chars();
    let mut discarded = String::new();
    let draw = |pos: &mut Carcassonne, tile: &str| {
        pos.play(text::parse_move(pos, tile).unwrap());
    };
    for (nth, turn) in game["turns"].as_array().unwrap().iter().enumerate() {
        let about = format!("{id}, turn {nth}");
        let tile = word(&turn["tile"]);
        let skipped = letters(&turn["discarded"]);
        for c in skipped.chars().chain(tile.chars()) {
            assert_eq!(drawn.next(), Some(c), "{about}");
            if hidden {
                draw(&mut merged, &c.to_string());
                draw(&mut all, &c.to_string());
            }
        }
        discarded += &skipped;
        assert_eq!(all.discarded(), discarded, "{about}");
        assert_eq!(all.hand(), tile.chars().next(), "{about}");
        assert_eq!(all.turn().player(), Some(number(&turn["player"]) as usize), "{about}");
        let moves = legal(&all);
        let expected: BTreeMap<(i8, i8), i64> = (turn["legal"].as_array().unwrap().iter())
            .map(numbers)
            .map(|l| ((l[0] as i8, l[1] as i8), l[2]))
            .collect();
        assert_eq!(squares(&moves), expected, "{about}");
        let placements = |moves: &[Move]| moves.iter().filter(|m| m.meeple().is_none()).count();
        assert_eq!(placements(&moves) as i64, number(&turn["n_placements"]), "{about}");
        assert_eq!(moves.len() as i64, number(&turn["n_actions"]), "{about}");
        let once = legal(&merged);
        assert_eq!(placements(&once) as i64, number(&turn["n_placements_sym"]), "{about}");
        assert_eq!(once.len() as i64, number(&turn["n_actions_sym"]), "{about}");
        assert!(once.iter().all(|m| moves.contains(m)), "{about}");

        let at = (number(&turn["x"]) as i8, number(&turn["y"]) as i8);
        let r = number(&turn["r"]) as usize;
        let here = |m: &&Move| m.at() == at && m.rotation() == r;
        let spots: BTreeSet<String> =
            moves.iter().filter(here).filter_map(|m| m.meeple()).collect();
        let expected: Vec<&str> = turn["spots"].as_array().unwrap().iter().map(word).collect();
        assert_eq!(spots.iter().map(String::as_str).collect::<Vec<_>>(), expected, "{about}");

        let meeple = turn["meeple"].as_str();
        let m = moves.iter().filter(here).find(|m| m.meeple().as_deref() == meeple);
        let m = *m.unwrap_or_else(|| panic!("{about}: {meeple:?} is not legal"));
        let name = m.to_string();
        all.play(m);
        // Where the rotation is not listed, one that looks the same is: it gives the same position.
        let twin = once.iter().copied().find(|&t| {
            let mut next = merged;
            next.play(t);
            t.at() == at && next.key() == all.key()
        });
        merged.play(twin.unwrap_or_else(|| panic!("{about}: nothing looks like {name}")));

        let is_last = all.is_over();
        for pos in [&all, &merged] {
            let mut score: Vec<i64> =
                pos.scores().unwrap()[..players].iter().map(|&s| s.into()).collect();
            if is_last {
                let added = pos.final_points();
                (score.iter_mut().zip(added))
                    .for_each(|(s, a)| *s -= i64::from(a.iter().sum::<i32>()));
            }
            assert_eq!(score, numbers(&turn["score"]), "{about}");
            let supply: Vec<i64> = (0..players).map(|s| pos.supply(s) as i64).collect();
            assert_eq!(supply, numbers(&turn["supply"]), "{about}");
        }
    }
    let rest = letters(&game["end_discarded"]);
    for c in rest.chars() {
        assert_eq!(drawn.next(), Some(c), "{id}");
        if hidden {
            draw(&mut all, &c.to_string());
        }
    }
    assert_eq!(drawn.next(), None, "{id}");
    assert!(all.is_over(), "{id}");
    assert_eq!(all.discarded(), discarded + &rest, "{id}");
    let scores: Vec<i64> = all.scores().unwrap()[..players].iter().map(|&s| s.into()).collect();
    assert_eq!(scores, numbers(&game["final"]), "{id}");
    let added = all.final_points();
    let before: Vec<i64> =
        (scores.iter().zip(added)).map(|(s, a)| s - i64::from(a.iter().sum::<i32>())).collect();
    assert_eq!(before, numbers(&game["score_before_final"]), "{id}");
    for kind in Kind::ALL {
        let found: Vec<i64> = added[..players].iter().map(|a| a[kind as usize].into()).collect();
        assert_eq!(found, numbers(&game["final_points"][kind.name()]), "{id}: {}", kind.name());
    }
    let used: u32 = all.statistics().meeples.iter().flatten().sum();
    let claims = game["turns"].as_array().unwrap().iter().filter(|t| !t["meeple"].is_null());
    assert_eq!(used as usize, claims.count(), "{id}");
}

#[test]
fn oracle_games_in_a_known_order() {
    games().iter().for_each(|game| replay(game, false));
}

#[test]
fn oracle_games_in_a_hidden_order() {
    games().iter().for_each(|game| replay(game, true));
}
