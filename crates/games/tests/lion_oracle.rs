//! Catch the Lion against data of independent programs: Fairy-Stockfish's move generator and a
//! tablebase. `SPIELBAUM_ORACLES` names another folder with data of the same formats.

#![allow(clippy::unwrap_used)]

mod oracle;

use oracle::{legal, read, rows, text_of};
use spielbaum_core::{Game, perft, text};
use spielbaum_games::lion::{End, Lion, Rules};

#[test]
fn oracle_perft() {
    let start = Lion::new(Rules::FSF.without_history());
    let data = read("dobutsu_perft.csv");
    let mut lines = data.lines();
    assert_eq!(lines.next(), Some("fen,depth,nodes"));
    let mut count = 0;
    for line in lines {
        let fields: Vec<&str> = line.split(',').collect();
        let [fen, depth, nodes] = fields[..] else { panic!("not three fields: {line}") };
        let pos = start.parse(fen).unwrap();
        assert_eq!(
            perft::perft(&pos, depth.parse().unwrap()),
            nodes.parse::<u64>().unwrap(),
            "{line}"
        );
        count += 1;
    }
    assert!(count > 0, "no rows");
}

#[test]
fn oracle_legal_moves_and_status() {
    let start = Lion::new(Rules::FSF.without_history());
    for row in rows("dobutsu_legal_moves.jsonl") {
        let fen = text_of(&row, "fen");
        let mut pos = start.parse(fen).unwrap();
        assert_eq!(pos.to_string(), fen);
        let expected: Vec<&str> =
            row["moves"].as_array().unwrap().iter().map(|m| m.as_str().unwrap()).collect();
        assert_eq!(legal(&pos), expected, "{fen}");
        assert_eq!(pos.count_moves() as u64, row["n"].as_u64().unwrap(), "{fen}");
        let seat = pos.turn().player().unwrap();
        let (status, reason) = match pos.end() {
            None => ("ongoing", None),
            Some(end) => (
                match end.winner() {
                    None => "draw",
                    Some(winner) if winner == seat => "win",
                    Some(_) => "loss",
                },
                Some(match end {
                    End::Capture(_) => "lion_captured",
                    End::NoMoves(_) => "no_moves",
                    _ => "try",
                }),
            ),
        };
        assert_eq!(status, text_of(&row, "status"), "{fen}");
        assert_eq!(reason, row["reason"].as_str(), "{fen}");
        if let Some(attacked) = row["lion_attacked"].as_bool() {
            assert_eq!(pos.is_attacked(), attacked, "{fen}");
        }
        if let Some(name) = row["sample_move"].as_str() {
            pos.play(text::parse_move(&pos, name).unwrap());
            assert_eq!(pos.to_string(), text_of(&row, "sample_fen_after"), "{fen} {name}");
        }
    }
}

/// Whether the player to move can force a win within so many plies.
fn wins_within(pos: &mut Lion, plies: u32) -> bool {
    if pos.winning_move(&mut Vec::new()).is_some() {
        return plies > 0;
    }
    let mut moves = Vec::new();
    pos.moves(&mut moves);
    plies >= 3 && moves.iter().any(|&m| pos.explore(m, |next| loses_within(next, plies - 1)))
}

/// Whether the player to move has lost or cannot avoid to lose within so many plies.
fn loses_within(pos: &mut Lion, plies: u32) -> bool {
    if let Some(end) = pos.end() {
        return end.winner().is_some_and(|seat| Some(seat) != pos.turn().player());
    }
    let mut moves = Vec::new();
    pos.moves(&mut moves);
    plies >= 2 && moves.iter().all(|&m| pos.explore(m, |next| wins_within(next, plies - 1)))
}

/// How far the exhaustive search looks.
const WIN: u32 = 5;
const LOSS: u32 = 4;

/// Compares a claimed value with the exhaustive search: exact within its horizon, beyond it
/// only that there is nothing within. The value is the claimant's at a distance from `pos`,
/// where it is the claimant's turn.
fn check_value(pos: &mut Lion, result: &str, distance: Option<u32>, about: &str) {
    for plies in (1..=WIN).step_by(2) {
        let claimed = result == "win" && distance.unwrap() <= plies;
        assert_eq!(wins_within(pos, plies), claimed, "win within {plies} of {about}");
    }
    for plies in (0..=LOSS).step_by(2) {
        let claimed = result == "loss" && distance.unwrap() <= plies;
        assert_eq!(loses_within(pos, plies), claimed, "loss within {plies} of {about}");
    }
}

fn check_values(file: &str, rules: Rules) {
    let start = Lion::new(rules.without_history());
    for row in rows(file) {
        let fen = text_of(&row, "fen");
        let mut pos = start.parse(fen).unwrap();
        let distance = row["dtm"].as_u64().map(|n| n as u32);
        check_value(&mut pos, text_of(&row, "result"), distance, fen);
        let moves = row["moves"].as_object().unwrap();
        let mut names: Vec<&str> = moves.keys().map(String::as_str).collect();
        names.sort_unstable();
        assert_eq!(legal(&pos), names, "{fen}");
        for (name, value) in moves {
            let about = format!("{fen} after {name}");
            let value = value.as_str().unwrap();
            let m = text::parse_move(&pos, name).unwrap();
            // The value is the mover's, counted from before the move: the opponent's is the
            // opposite, one ply nearer.
            let distance = value[1..].parse::<u32>().ok().map(|n| n - 1);
            let result = match &value[..1] {
                "W" => "loss",
                "L" => "win",
                _ => "draw",
            };
            pos.explore(m, |next| check_value(next, result, distance, &about));
        }
    }
}

#[test]
fn oracle_values_official() {
    check_values("dobutsu_values.jsonl", Rules::OFFICIAL);
}

#[test]
fn oracle_values_fsf() {
    check_values("dobutsu_values.jsonl", Rules::FSF);
}

#[test]
fn oracle_values_code() {
    check_values("dobutsu_values_seedrules.jsonl", Rules::CODE);
}

/// Perft of the start under the four rule sets, depths 1 to 9, from an independent generator.
const PRESETS: [(&str, [u64; 9]); 4] = [
    ("fsf", [4, 17, 123, 976, 8122, 71677, 643982, 5866031, 53105138]),
    ("official", [4, 17, 123, 976, 8122, 71677, 635117, 5684459, 50503579]),
    ("code", [4, 17, 118, 898, 7170, 59086, 500308, 4294947, 36704619]),
    ("paper", [4, 17, 123, 976, 8122, 70628, 623381, 5580272, 49277672]),
];

fn check_presets(depths: std::ops::RangeInclusive<u32>) {
    for (name, counts) in PRESETS {
        let pos = Lion::new(Rules::named(name).unwrap().without_history());
        for depth in depths.clone() {
            let expected = counts[depth as usize - 1];
            assert_eq!(perft::perft(&pos, depth), expected, "{name} at depth {depth}");
        }
    }
}

#[test]
fn perft_of_the_presets_to_depth_7() {
    check_presets(1..=7);
}

#[test]
#[ignore = "takes seconds in a release build, longer in others"]
fn perft_of_the_presets_to_depth_9() {
    check_presets(8..=9);
}
