//! Xiangqi against data of independent programs: the move generators of Fairy-Stockfish and
//! Pikafish. `SPIELBAUM_ORACLES` names another folder with data of the same formats.

#![allow(clippy::unwrap_used)]

mod oracle;

use oracle::{legal, read, rows, text_of};
use spielbaum_core::{Game, perft, text};
use spielbaum_games::xiangqi::{End, Rules, Xiangqi};

#[test]
fn oracle_perft() {
    let start = Xiangqi::default();
    let data = read("xiangqi_perft.csv");
    let mut lines = data.lines();
    assert_eq!(lines.next(), Some("fen,depth,nodes"));
    let mut count = 0;
    for line in lines {
        let fields: Vec<&str> = line.split(',').collect();
        let [fen, depth, nodes] = fields[..] else { panic!("not three fields: {line}") };
        let pos = start.parse(fen).unwrap();
        let nodes: u64 = nodes.parse().unwrap();
        assert_eq!(perft::perft(&pos, depth.parse().unwrap()), nodes, "{line}");
        count += 1;
    }
    assert!(count > 0, "no rows");
}

#[test]
fn oracle_legal_moves_and_status() {
    let start = Xiangqi::new(Rules::OFFICIAL.without_history());
    for row in rows("xiangqi_legal_moves.jsonl") {
        let fen = text_of(&row, "fen");
        let mut pos = start.parse(fen).unwrap();
        assert_eq!(pos.to_string(), fen);
        let expected: Vec<&str> =
            row["moves"].as_array().unwrap().iter().map(|m| m.as_str().unwrap()).collect();
        assert_eq!(legal(&pos), expected, "{fen}");
        assert_eq!(pos.count_moves() as u64, row["n"].as_u64().unwrap(), "{fen}");
        assert_eq!(pos.is_check(), row["in_check"].as_bool().unwrap(), "{fen}");
        let seat = pos.turn().player().unwrap() as u8;
        let status = match pos.end() {
            None => "ongoing",
            Some(End::Checkmate(winner)) if winner != seat => "checkmate",
            Some(End::Stalemate(winner)) if winner != seat => "stalemate",
            Some(end) => panic!("{fen}: {end:?}"),
        };
        assert_eq!(status, text_of(&row, "status"), "{fen}");
        if let Some(name) = row["sample_move"].as_str() {
            pos.play(text::parse_move(&pos, name).unwrap());
            assert_eq!(pos.to_string(), text_of(&row, "sample_fen_after"), "{fen} {name}");
        }
    }
}

/// Perpetual checks and plain draws are rules; chases are reported.
#[test]
fn oracle_repetition() {
    let start = Xiangqi::default();
    let (mut chases, mut agreed) = (0, 0);
    for row in rows("xiangqi_repetition.jsonl") {
        let fen = text_of(&row, "fen");
        let mut pos = start.parse(fen).unwrap();
        let seat = pos.turn().player().unwrap();
        for (i, name) in row["moves"].as_array().unwrap().iter().enumerate() {
            assert_eq!(pos.end(), None, "{fen} after {i} plies");
            pos.play(text::parse_move(&pos, name.as_str().unwrap()).unwrap());
        }
        let end = pos.end().unwrap_or_else(|| panic!("{fen}: no end after {}", row["moves"]));
        let found = match end.winner() {
            None => "draw",
            Some(winner) if winner == seat => "win",
            Some(_) => "loss",
        };
        let expected = text_of(&row, "result_for_side_to_move");
        let check = row["perpetual_check_by_someone"].as_bool().unwrap();
        if check || (expected == "draw" && !matches!(end, End::PerpetualChase(_))) {
            assert_eq!(found, expected, "{row}");
            assert_eq!(check && expected != "draw", matches!(end, End::PerpetualCheck(_)), "{row}");
        } else {
            chases += 1;
            if found == expected {
                agreed += 1;
            } else {
                println!("{end:?} instead of {expected}: {row}");
            }
        }
    }
    println!("chases: {agreed} of {chases} verdicts agree");
}

const PERFT: [u64; 6] = [44, 1920, 79_666, 3_290_240, 133_312_995, 5_392_831_844];

fn check_start(depths: std::ops::RangeInclusive<usize>) {
    for depth in depths {
        let found = perft::perft(&Xiangqi::default(), depth as u32);
        assert_eq!(found, PERFT[depth - 1], "depth {depth}");
    }
}

#[test]
fn perft_of_the_start_to_depth_5() {
    check_start(1..=5);
}

#[test]
#[ignore = "takes half a minute in a release build"]
fn perft_of_the_start_at_depth_6() {
    check_start(6..=6);
}
