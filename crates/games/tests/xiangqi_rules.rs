//! Xiangqi: what the oracle data cannot show. Both rule sets, repetition, limits, notation,
//! evaluations, and the conformance suite.

#![allow(clippy::unwrap_used)]

use spielbaum_core::{Eval, Game, Rng, check, text};
use spielbaum_games::xiangqi::{End, Move, Paper, Rules, Xiangqi};

fn position(rules: Rules, fen: &str) -> Xiangqi {
    Xiangqi::new(rules).parse(fen).unwrap()
}

fn after(pos: &Xiangqi, moves: &str) -> Xiangqi {
    let mut pos = pos.clone();
    text::play_moves(&mut pos, moves).unwrap();
    pos
}

fn moves(pos: &Xiangqi) -> Vec<Move> {
    let mut moves = Vec::new();
    pos.moves(&mut moves);
    moves
}

fn names(pos: &Xiangqi) -> Vec<String> {
    let mut names: Vec<String> = moves(pos).iter().map(ToString::to_string).collect();
    names.sort();
    names
}

/// Both sides' chariots forth and back: the position before returns.
const CYCLE: &str = "a1a2 a10a9 a2a1 a9a10 ";

#[test]
fn every_rule_set_conforms() {
    for preset in Rules::PRESETS {
        let start = Xiangqi::new(preset.rules);
        check::two_player(&start, &check::Options::default())
            .unwrap_or_else(|e| panic!("{}: {e}", preset.name));
    }
    // Without limits a game between bare generals would never end.
    let rules = Rules { plies: 300, ..Rules::OFFICIAL.without_history() };
    check::two_player(&Xiangqi::new(rules), &check::Options::quick()).unwrap();
    let fen = "4k4/4a4/4b4/9/9/9/9/4B4/4A4/4K1R2 w";
    let end = position(Rules::PAPER, fen);
    check::game(&end, &check::Options { playouts: 20_000, ..check::Options::quick() }).unwrap();
    let end = position(Rules { plies: 60, ..Rules::OFFICIAL }, fen);
    check::game(&end, &check::Options { playouts: 20_000, ..check::Options::quick() }).unwrap();
}

#[test]
fn the_third_occurrence_ends_an_official_game() {
    let start = Xiangqi::default();
    let mut pos = after(&start, CYCLE);
    text::play_moves(&mut pos, "a1a2 a10a9 a2a1").unwrap();
    assert_eq!(pos.end(), None);
    let last = text::parse_move(&pos, "a9a10").unwrap();
    pos.explore(last, |next| {
        assert_eq!(next.end(), Some(End::Repetition));
        assert!(moves(next).is_empty() && next.ended_by_history());
        assert_eq!(next.payoffs()[..2], [0.5, 0.5]);
        assert_eq!(next.key(), start.key());
    });
    assert_eq!(pos.end(), None, "explore takes the move back, and the past with it");
    assert!(!after(&start, &CYCLE.repeat(2)).without_history().is_over());
    assert_eq!(after(&Xiangqi::new(Rules::PAPER), &CYCLE.repeat(20)).end(), None);
    let often = Rules { repetition: 5, ..Rules::OFFICIAL };
    assert_eq!(after(&Xiangqi::new(often), &CYCLE.repeat(3)).end(), None);
    assert_eq!(after(&Xiangqi::new(often), &CYCLE.repeat(4)).end(), Some(End::Repetition));
}

#[test]
fn a_lone_perpetual_check_loses() {
    // The chariot checks along the first and the second rank, the general steps up and down.
    let pos = position(Rules::OFFICIAL, "4k4/4a4/9/9/9/9/9/9/r8/3K5 b");
    let cycle = "a2a1 d1d2 a1a2 d2d1 ";
    let end = after(&pos, &cycle.repeat(2));
    assert_eq!(end.end(), Some(End::PerpetualCheck(0)));
    assert_eq!(end.payoffs()[..2], [1.0, 0.0]);
    // The checked side completes the circle and wins by it.
    let last = after(&pos, &format!("{cycle}a2a1 d1d2 a1a2"));
    let wins = last.winning_move(&mut Vec::new()).map(|m| m.to_string());
    assert_eq!(wins.as_deref(), Some("d2d1"));
}

#[test]
fn a_lone_perpetual_chase_loses() {
    // The chariot runs after a horse that has no root.
    let cycle = "a5b7 a2b2 b7a5 b2a2 ".repeat(2);
    let pos = position(Rules::OFFICIAL, "3k5/9/9/9/9/n8/9/9/R8/5K3 b");
    assert_eq!(after(&pos, &cycle).end(), Some(End::PerpetualChase(1)));
    // A chariot on the rank is a root on one of the two squares.
    let pos = position(Rules::OFFICIAL, "3k5/9/9/9/9/n7r/9/9/R8/5K3 b");
    assert_eq!(after(&pos, &cycle).end(), Some(End::Repetition));
    // It is none if it is pinned to its general's file.
    let pos = position(Rules::OFFICIAL, "3k5/9/9/9/9/n2r5/9/9/R2R5/5K3 b");
    assert_eq!(after(&pos, &cycle).end(), Some(End::PerpetualChase(1)));
}

#[test]
fn a_hundred_and_twenty_plies_without_capture_are_a_draw() {
    let pos = position(Rules::OFFICIAL, "4k4/4a4/9/9/9/9/9/9/r8/3K5 b - - 118 70");
    let pos = after(&pos, "a2b2 d1e1");
    assert_eq!(pos.end(), Some(End::NoCapture));
    assert!(pos.ended_by_history() && !pos.without_history().is_over());
    // A mate comes first, and a capture begins anew.
    let pos = position(Rules::OFFICIAL, "3k5/8R/7R1/9/9/9/9/9/9/4K4 w - - 119 70");
    assert_eq!(after(&pos, "h8h10").end(), Some(End::Checkmate(0)));
    let pos = position(Rules::OFFICIAL, "3k5/8n/8R/9/9/9/9/9/9/5K3 w - - 119 70");
    assert_eq!(after(&pos, "i8i9").end(), None);
}

#[test]
fn a_ply_limit_draws() {
    let rules = Rules { plies: 4, ..Rules::PAPER };
    let pos = after(&Xiangqi::new(rules), "h3e3 h10g8 h1g3");
    assert_eq!(pos.end(), None);
    assert_eq!(pos.history().plies, Some(1));
    let pos = after(&pos, "i10h10");
    assert_eq!(pos.end(), Some(End::Length));
    assert_eq!(position(rules, &pos.to_string()).end(), Some(End::Length));
    assert_eq!(position(rules.without_history(), &pos.to_string()).end(), None);
    // A capture of the general comes first.
    let pos = position(rules, "3k5/9/9/9/9/9/9/9/9/3K5 b - - 0 2");
    let pos = after(&pos, "d10d1");
    assert_eq!(pos.end(), Some(End::Capture(1)));
    assert_eq!(position(rules, &pos.to_string()).end(), Some(End::Capture(1)));
}

#[test]
fn in_the_paper_generals_are_captured_along_the_file() {
    let pos = position(Rules::PAPER, "4k4/9/9/9/9/9/9/9/9/4K4 w");
    assert!(names(&pos).contains(&"e1e10".to_string()));
    assert_eq!(pos.winning_move(&mut Vec::new()).unwrap().to_string(), "e1e10");
    let pos = after(&pos, "e1e10");
    assert_eq!((pos.end(), pos.payoffs()[0]), (Some(End::Capture(0)), 1.0));
    assert!(moves(&pos).is_empty() && pos.is_over() && !pos.ended_by_history());
    // Leaving the general in danger is allowed there, and not in the game as it is played.
    let fen = "4k4/9/9/9/4r4/9/9/4A4/9/4K4 w";
    let fen = fen.replace("4A4/9", "9/4A4");
    assert!(names(&position(Rules::PAPER, &fen)).contains(&"e2d3".to_string()));
    assert_eq!(names(&position(Rules::OFFICIAL, &fen)), ["e1d1", "e1f1"]);
}

#[test]
fn no_move_loses() {
    let pos = position(Rules::OFFICIAL, "3k5/4P4/9/9/9/9/9/9/9/4K4 b");
    assert_eq!(pos.end(), Some(End::Stalemate(0)));
    assert_eq!(pos.payoffs()[..2], [1.0, 0.0]);
    let pos = position(Rules::OFFICIAL, "3k5/9/4P4/9/9/9/9/9/9/4K4 w");
    let wins = pos.winning_move(&mut Vec::new()).unwrap().to_string();
    assert_eq!(after(&pos, &wins).end(), Some(End::Stalemate(0)), "{wins}");
}

/// Capture, and whether the opponent attacks the target, the moving piece set aside.
#[test]
fn patterns_carry_two_features() {
    let pos = position(Rules::PAPER, "3k5/9/9/r8/9/4p4/9/R3C4/9/4K4 w");
    let features = |name: &str| {
        let m = text::parse_move(&pos, name).unwrap();
        assert_eq!((pos.pattern(m) / 4) as usize, pos.code(m));
        assert_eq!(pos.code(m), usize::from(m.from()) * 90 + usize::from(m.to()));
        (pos.pattern(m) & 1 == 1, pos.pattern(m) >> 1 & 1 == 1)
    };
    assert_eq!(features("a3a7"), (true, false));
    assert_eq!(features("a3a6"), (false, true), "by the chariot");
    assert_eq!(features("a3a1"), (false, true), "through the square it leaves");
    assert_eq!(features("e3e4"), (false, true), "by the soldier");
    assert_eq!(features("e1d1"), (false, false));
}

#[test]
fn evaluations_count_what_they_say() {
    let value = |fen: &str| Paper.eval(&position(Rules::PAPER, fen));
    assert_eq!(Paper.eval(&Xiangqi::default()), 0);
    assert_eq!(value("4k4/9/9/9/9/9/9/9/4A4/4K4 w"), 120);
    assert_eq!(value("4k4/9/9/9/9/9/9/9/4A4/4K4 b"), -120);
    assert_eq!(value("9/9/9/9/9/9/9/9/9/3K5 b"), -6000);
    let chariot = value("4k4/9/9/9/9/9/9/9/9/R3K4 w");
    assert!((580..=620).contains(&chariot), "{chariot}");
    // Generals, chariots, cannons, horses, elephants and advisors, soldiers.
    let start = Xiangqi::default();
    let mut order: Vec<i32> = moves(&start).iter().map(|&m| Paper.order(&start, m)).collect();
    order.sort_unstable();
    order.dedup();
    assert_eq!(order, [30, 120, 270, 285, 600, 6000]);
}

#[test]
fn moves_in_the_notation_of_the_federation() {
    for (fen, list) in [
        // The examples of an independent program's tests.
        (
            "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w",
            "h1g3 H2+3 c1e3 E7+5 h3h10 C2+7 h3h5 C2+2 e1e2 K5+1",
        ),
        (
            "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR b",
            "h10g8 H8+7 b8e8 C2=5 a7a6 P1+1 i10i9 R9+1",
        ),
        ("4k4/4a3R/9/9/9/9/9/9/4K4/9 w", "i9e9 R1=5 i9i10 R1+1"),
        // Tandem chariots, cannons and horses of both sides.
        ("3k5/9/4C4/9/9/9/9/4C4/9/2R1K4 w", "e8e9 C++1 e3e4 C-+1 e8a8 C+=9 e3a3 C-=9 c1c2 R7+1"),
        ("3k5/9/1n7/9/9/1n7/9/9/9/4K4 b", "b5c3 H++3 b8d9 H--4 b8c6 H-+3 b5d4 H++4"),
        // Advisors and elephants on one file need no sign.
        ("3k5/9/9/9/9/2B6/9/9/9/2BAKA3 w", "c5e3 E7-5 c1e3 E7+5 d1e2 A6+5"),
        // Two soldiers, three soldiers, two pairs.
        ("3k5/9/9/4P4/4P4/9/9/9/9/4K4 w", "e7e8 P++1 e6d6 P-=6"),
        ("3k5/9/9/4P4/4P4/9/4P4/9/9/4K4 w", "e7d7 15=6 e6d6 25=6 e4e5 35+1"),
        ("4k4/9/9/3P1P3/3P1P3/9/9/9/9/3K5 w", "d7e7 16=5 f6e6 24=5"),
        ("4k4/9/9/9/9/9/3p1p3/3p1p3/9/3K5 b", "d3c3 14=3 f4e4 26=5"),
    ] {
        let pos = position(Rules::OFFICIAL, fen);
        let words: Vec<&str> = list.split(' ').collect();
        for pair in words.chunks(2) {
            let m = text::parse_move(&pos, pair[0]).unwrap();
            assert_eq!(pos.wxf(m), pair[1], "{} in {fen}", pair[0]);
        }
    }
}

/// No two legal moves of a position share their name.
#[test]
fn the_federations_names_are_unique() {
    let (mut rng, mut scratch) = (Rng::new(9), Vec::new());
    for _ in 0..60 {
        let mut pos = Xiangqi::default();
        while let Some(m) = pos.random_move(&mut rng, &mut scratch) {
            let all = moves(&pos);
            let mut names: Vec<String> = all.iter().map(|&m| pos.wxf(m)).collect();
            names.sort();
            names.dedup();
            assert_eq!(names.len(), all.len(), "{pos}");
            pos.play(m);
        }
    }
}

#[test]
fn wrong_positions_are_explained() {
    let start = Xiangqi::default();
    let tail = "9/9/9/9/9/9/9/9/4K4 w";
    for (fen, part) in [
        ("".to_string(), "there is no position"),
        ("4k4/9/9".into(), "ends before its ninetieth square"),
        (format!("4k4/9/{tail}"), "more than ten ranks"),
        (format!("3k4/{tail}"), "rank 10 has 8 squares, not 9"),
        (format!("4k5/{tail}"), "rank 10 has more than 9 squares"),
        (format!("4x4/{tail}"), "`x` is not a piece"),
        (format!("4é4/{tail}"), "`é` is not a piece"),
        (format!("k8/{tail}"), "Black's general cannot be on a10"),
        (format!("4k4/{}", tail.replace("4K4", "K8")), "Red's general cannot be on a1"),
        (
            format!("3kK4/9/{}", tail.replacen("9/", "", 1).replace("4K4", "9")),
            "Red's general cannot be on e10",
        ),
        (format!("3k1A3/{tail}"), "Red's advisor cannot be on f10"),
        (format!("1b1k5/{tail}"), "Black's elephant cannot be on b10"),
        (format!("3k5/{}", tail.replace("4K4", "4K3P")), "Red's soldier cannot be on i1"),
        (format!("3kk4/{tail}"), "Black has more than 1 general"),
        (format!("rr1k1r3/{tail}"), "Black has more than 2 chariots"),
        (format!("9/{tail}"), "Black has no general"),
        ("9/9/9/9/9/9/9/9/9/9 w".into(), "there is no general"),
        (format!("4k4/{tail}"), "Red is to move and could capture Black's general"),
        (format!("3k5/{}", tail.replace('w', "x")), "`x` is not a side"),
        (format!("3k5/{tail} KQ - 0 1"), "`KQ` stands where `-`"),
        (format!("3k5/{tail} - - x 1"), "`x` is not a number"),
        (format!("3k5/{tail} - - 0 0"), "`0` is not a number from 1"),
        (format!("3k5/{tail} - - 0 1 2"), "`2` is too much"),
    ] {
        match start.parse(&fen) {
            Ok(pos) => panic!("`{fen}` was read as {pos}"),
            Err(e) => {
                assert!(e.to_string().contains(part), "{fen}: {e}");
                assert!(e.at.is_none_or(|at| fen.get(at).is_some()), "{fen}: bad range");
            }
        }
    }
    let line = start.to_string();
    for short in [line.split(' ').next().unwrap(), &line[..line.len() - 4], &format!(" {line} ")] {
        assert_eq!(start.parse(short).unwrap().to_string(), line);
    }
}

#[test]
fn the_board_is_drawn() {
    let pos = position(Rules::OFFICIAL, "2bakab2/9/9/9/9/r8/9/9/4A4/R3KAB2 w");
    let drawn = "   a   b   c   d   e   f   g   h   i
10 ┌───┬───b───a───k───a───b───┬───┐
   │   │   │   │ ╲ │ ╱ │   │   │   │
 9 ├───┼───┼───┼───┼───┼───┼───┼───┤
   │   │   │   │ ╱ │ ╲ │   │   │   │
 8 ├───┼───┼───┼───┼───┼───┼───┼───┤
   │   │   │   │   │   │   │   │   │
 7 ├───┼───┼───┼───┼───┼───┼───┼───┤
   │   │   │   │   │   │   │   │   │
 6 ├───┴───┴───┴───┴───┴───┴───┴───┤
   │                               │
 5 r───┬───┬───┬───┬───┬───┬───┬───┤
   │   │   │   │   │   │   │   │   │
 4 ├───┼───┼───┼───┼───┼───┼───┼───┤
   │   │   │   │   │   │   │   │   │
 3 ├───┼───┼───┼───┼───┼───┼───┼───┤
   │   │   │   │ ╲ │ ╱ │   │   │   │
 2 ├───┼───┼───┼───A───┼───┼───┼───┤
   │   │   │   │ ╱ │ ╲ │   │   │   │
 1 R───┴───┴───┴───K───A───B───┴───┘
Red to move";
    assert_eq!(format!("{pos:#}"), drawn);
}
