//! Catch the Lion: what the oracle data cannot show. Repetition, length, the rule sets' contested
//! arrivals, notation, evaluations, and the conformance suite.

#![allow(clippy::unwrap_used)]

use spielbaum_core::{Eval, Game, Rng, check, perft, text};
use spielbaum_games::lion::{EVALS, End, Extended, Lion, Material, Move, Rules};

fn position(rules: Rules, fen: &str) -> Lion {
    Lion::new(rules).parse(fen).unwrap()
}

fn after(pos: &Lion, moves: &str) -> Lion {
    let mut pos = pos.clone();
    text::play_moves(&mut pos, moves).unwrap();
    pos
}

fn moves(pos: &Lion) -> Vec<Move> {
    let mut moves = Vec::new();
    pos.moves(&mut moves);
    moves
}

/// Both sides' giraffes forth and back: the position before returns.
const CYCLE: &str = "c1c2 a4a3 c2c1 a3a4 ";

#[test]
fn every_rule_set_conforms() {
    for preset in Rules::PRESETS {
        let start = Lion::new(preset.rules);
        check::two_player(&start, &check::Options::default())
            .unwrap_or_else(|e| panic!("{}: {e}", preset.name));
        check::two_player(&start.without_history(), &check::Options::quick())
            .unwrap_or_else(|e| panic!("{} without history: {e}", preset.name));
        for eval in EVALS {
            for start in [&start, &start.without_history()] {
                let options = check::Options { positions: 5000, ..Default::default() };
                check::eval(start, &*(eval.make)(), &options)
                    .unwrap_or_else(|e| panic!("{}, {}: {e}", preset.name, eval.name));
            }
        }
    }
}

#[test]
fn the_third_occurrence_is_a_draw_in_official() {
    let start = Lion::new(Rules::OFFICIAL);
    let mut pos = after(&start, CYCLE);
    text::play_moves(&mut pos, "c1c2 a4a3 c2c1").unwrap();
    assert_eq!(pos.end(), None);
    let last = text::parse_move(&pos, "a3a4").unwrap();
    pos.explore(last, |next| {
        assert_eq!(next.end(), Some(End::Repetition));
        assert!(moves(next).is_empty());
        assert_eq!(next.payoffs()[..2], [0.5, 0.5]);
        assert_eq!(next.key(), start.key());
    });
    assert_eq!(pos.end(), None, "explore takes the move back, and the past with it");
    pos.explore(last, |next| assert_eq!(next.end(), Some(End::Repetition)));
    assert!(!after(&start, &CYCLE.repeat(2)).without_history().is_over());
}

#[test]
fn other_rule_sets_count_otherwise() {
    assert_eq!(after(&Lion::new(Rules::FSF), &CYCLE.repeat(2)).end(), None);
    assert_eq!(after(&Lion::new(Rules::FSF), &CYCLE.repeat(3)).end(), Some(End::Repetition));
    assert_eq!(after(&Lion::new(Rules::CODE), &CYCLE.repeat(20)).end(), None);
}

#[test]
fn a_copy_keeps_its_own_past() {
    let start = Lion::new(Rules::OFFICIAL);
    let once = after(&start, CYCLE);
    let mut working = after(&start, "b2b3 b4b3");
    working.clone_from(&once);
    assert_eq!(after(&working, CYCLE).end(), Some(End::Repetition));
    assert_eq!(after(&start, CYCLE).end(), None);
}

#[test]
fn a_game_of_more_than_a_hundred_plies_is_a_draw_in_the_paper() {
    let pos = after(&Lion::new(Rules::PAPER), &CYCLE.repeat(25));
    assert_eq!(pos.end(), None);
    let pos = after(&pos, "c1c2");
    assert_eq!(pos.end(), Some(End::Length));
    assert!(pos.is_over());
    // The number of the move in a text is the length so far.
    assert_eq!(position(Rules::PAPER, &pos.to_string()).end(), Some(End::Length));
    assert_eq!(position(Rules::PAPER.without_history(), &pos.to_string()).end(), None);
    // A win comes first.
    let pos = position(Rules::PAPER, "gle/1C1/3/ELG[C] w - - 0 51");
    assert_eq!(after(&pos, "b3b4+").end(), Some(End::Capture(0)));
}

/// White's lion on a4 can be taken by the giraffe on a3 alone.
const CONTESTED: &str = "L1e/g1l/1C1/E1G[C] b - - 2 3";

#[test]
fn official_a_contested_lion_is_taken_or_wins() {
    let pos = position(Rules::OFFICIAL, CONTESTED);
    assert_eq!(moves(&pos).len(), 8);
    for m in moves(&pos) {
        let mut next = pos.clone();
        next.play(m);
        let expected = if m.to_string() == "a3a4" { End::Capture(1) } else { End::Try(0) };
        assert_eq!(next.end(), Some(expected), "{m}");
    }
    assert!(pos.winning_move(&mut Vec::new()).is_some_and(|m| m.to_string() == "a3a4"));
    // Even a safe arrival of the other lion is too late.
    let pos = position(Rules::OFFICIAL, "L1e/g2/1Cl/E2[GC] b");
    assert_eq!(after(&pos, "c2c1").end(), Some(End::Try(0)));
    assert_eq!(pos.winning_move(&mut Vec::new()).map(|m| m.to_string()), Some("a3a4".into()));
}

#[test]
fn fsf_a_contested_lion_stays() {
    let pos = position(Rules::FSF, CONTESTED);
    assert_eq!(after(&pos, "c3c2").end(), None);
    assert_eq!(after(&pos, "a3a2").end(), Some(End::Try(0)));
    assert_eq!(after(&pos, "a3a4").end(), Some(End::Capture(1)));
    let pos = position(Rules::FSF, "L1e/g2/1Cl/E2[GC] b");
    assert_eq!(after(&pos, "c2c1").end(), Some(End::Try(1)), "safe at home, the other is not");
    let pos = position(Rules::FSF, "1L1/1G1/2l/E2[GCC] b");
    assert_eq!(pos.end(), Some(End::Try(0)));
}

#[test]
fn fsf_two_safe_lions_draw() {
    // Both lions are home and attacked; the giraffe gives up one attack and ends the other.
    let pos = position(Rules::FSF, "L2/g2/G2/l2[CCEE] b");
    assert_eq!(pos.end(), None);
    let pos = after(&pos, "a3a2");
    assert_eq!(pos.end(), Some(End::BothHome));
    assert_eq!(pos.payoffs()[..2], [0.5, 0.5]);
    assert!(moves(&pos).is_empty());
}

#[test]
fn paper_and_code_an_arrival_wins_at_once() {
    for rules in [Rules::PAPER, Rules::CODE] {
        let pos = position(rules, "2e/gL1/1Cl/E1G[C] w");
        let pos = after(&pos, "b3a4");
        assert_eq!(pos.end(), Some(End::Try(0)));
        assert_eq!(pos.payoffs()[..2], [1.0, 0.0]);
    }
}

#[test]
fn chicks_on_the_far_rank() {
    let fen = "1l1/3/3/EL1[CGceg] w";
    let dropped = |rules| {
        let names: Vec<String> =
            moves(&position(rules, fen)).iter().map(ToString::to_string).collect();
        (names.contains(&"C@a4".to_string()), names.contains(&"G@a4".to_string()))
    };
    assert_eq!(dropped(Rules::PAPER), (true, true));
    assert_eq!(dropped(Rules::CODE), (false, true));
    // There it is stuck, and is not promoted.
    let pos = after(&position(Rules::OFFICIAL, fen), "C@a4 b4b3");
    assert!(pos.to_string().starts_with("C2/1l1/"), "{pos}");
    assert!(moves(&pos).iter().all(|m| !m.to_string().starts_with("a4")));
    // Moved there it becomes a hen, which is taken as a chick.
    let pos = after(&position(Rules::OFFICIAL, "2l/C2/3/EL1[Gceg] w"), "a3a4+ c4b4 a4b4");
    assert_eq!(pos.to_string(), "1+C1/3/3/EL1[LGgce] b - - 0 2");
    let pos = after(&position(Rules::OFFICIAL, "1l1/C2/3/EL1[Gceg] w"), "a3a4+ b4a4");
    assert_eq!(pos.to_string(), "l2/3/3/EL1[Ggcce] w - - 0 2");
}

/// The same position with left and right exchanged.
fn mirror(pos: &Lion) -> Lion {
    let line = pos.to_string();
    let (board, rest) = line.split_once('[').unwrap();
    let rank = |rank: &str| {
        let mut reversed = String::new();
        for letter in rank.chars().rev() {
            // The sign of a hen stands before it.
            let place = if letter == '+' { reversed.len() - 1 } else { reversed.len() };
            reversed.insert(place, letter);
        }
        reversed
    };
    let board: Vec<String> = board.split('/').map(rank).collect();
    pos.parse(&format!("{}[{rest}", board.join("/"))).unwrap()
}

#[test]
fn random_games_keep_the_promises() {
    let mut rng = Rng::new(3);
    let mut scratch = Vec::new();
    for preset in Rules::PRESETS {
        let start = Lion::new(preset.rules).without_history();
        for _ in 0..150 {
            let mut pos = start.clone();
            while let Some(m) = pos.random_move(&mut rng, &mut scratch) {
                let seat = pos.turn().player();
                let wins = |&m: &Move| {
                    let mut next = pos.clone();
                    next.play(m);
                    next.end().is_some_and(|end| end.winner().is_some() && end.winner() == seat)
                };
                let winning: Vec<Move> = moves(&pos).into_iter().filter(wins).collect();
                match pos.winning_move(&mut Vec::new()) {
                    Some(m) => assert!(winning.contains(&m), "{m} in {pos}"),
                    None => assert!(winning.is_empty(), "{winning:?} in {pos}"),
                }
                let mirrored = mirror(&pos);
                assert_eq!(perft::perft(&pos, 2), perft::perft(&mirrored, 2), "{pos}");
                for eval in EVALS {
                    let eval = (eval.make)();
                    assert_eq!(eval.eval(&pos), eval.eval(&mirrored), "{pos}");
                }
                pos.play(m);
            }
        }
    }
}

#[test]
fn evaluations_count_what_they_say() {
    let material = |fen: &str| Material::default().eval(&position(Rules::OFFICIAL, fen));
    assert_eq!(material("gle/1c1/1C1/ELG[] w"), 0);
    assert_eq!(material("1l1/3/3/ELG[CCge] w"), 600);
    assert_eq!(material("1l1/3/1+C1/ELG[Cge] w"), 1000);
    assert_eq!(material("1l1/3/1+C1/ELG[Cge] b"), -1000);
    assert_eq!(Material { hen: 600 }.eval(&position(Rules::OFFICIAL, "+Cl1/3/3/1L1[] w")), 600);
    // White: giraffe, half a chick, lion on its second rank; 8 steps of the lion (one takes the
    // hen), 2 of the giraffe, 8 drops. Black: hen, whose steps do not count, 5 of the lion.
    let pos = position(Rules::OFFICIAL, "1l1/3/1L+c/2G[C] w");
    let white = 500 + 50 + 200 + 50 * (8 - 1 + 1 + 1 + 8);
    let black = 700 + 50 * 5;
    assert_eq!(Extended.eval(&pos), white - black);
}

#[test]
fn the_order_is_the_papers() {
    // The hen falls to the giraffe sooner than to the lion, then the elephant to the chick.
    let pos = position(Rules::OFFICIAL, "1l1/1eg/1C+c/1LG[] w");
    let eval = Material::default();
    let mut order: Vec<(i32, String)> =
        moves(&pos).iter().map(|&m| (-eval.order(&pos, m), m.to_string())).collect();
    order.sort();
    let names: Vec<&str> = order.iter().map(|(_, name)| name.as_str()).collect();
    assert_eq!(names, ["c1c2", "b1c2", "b2b3", "b1a1", "b1a2"]);
    let pos = position(Rules::OFFICIAL, "1e1/1l1/Lcg/2G[CE] w");
    let best = moves(&pos).into_iter().max_by_key(|&m| eval.order(&pos, m)).unwrap();
    assert_eq!(best.to_string(), "a2b3");
    let pos = position(Rules::OFFICIAL, "2e/L1l/c2/2G[CE] w");
    let best = moves(&pos).into_iter().max_by_key(|&m| eval.order(&pos, m)).unwrap();
    assert_eq!(best.to_string(), "a3a4", "safe there, and not on b4");
    let drops = moves(&pos).into_iter().filter(|m| m.to_string().contains('@'));
    assert!(drops.into_iter().all(|m| eval.order(&pos, m) < 0));
}

#[test]
fn wrong_positions_are_explained() {
    let start = Lion::default();
    for (fen, part) in [
        ("", "there is no position"),
        ("gle/1c1/1C1", "ends before its twelfth square"),
        ("gle/1c1/1C1/ELG/3[] w", "more than four ranks"),
        ("gle/1c/1C1/ELG[] w", "rank 3 has 2 squares"),
        ("gle/1c2/1C1/ELG[] w", "rank 3 has more than 3 squares"),
        ("gle/1c1/1C1/EL4[] w", "`4` is not a man"),
        ("gle/1x1/1C1/ELG[] w", "`x` is not a man"),
        ("gle/1é1/1C1/ELG[] w", "`é` is not a man"),
        ("+gle/1c1/1C1/ELG[] w", "only a chick is promoted"),
        ("gle/1c1/1C1/EL+[] w", "a chick is missing"),
        ("gle/1c1/1C1/ELG[ w", "the hand is not closed"),
        ("gle/1c1/1C1/EL1[x] w", "`x` cannot be in a hand"),
        ("1l1/3/3/1L1[CCC] w", "too many `C`"),
        ("gle/1c1/1C1/ELG[C] w", "there are 3 chicks"),
        ("glg/1c1/1C1/ELG[] w", "there are 3 giraffes"),
        ("ele/1c1/1C1/ELG[] w", "there are 3 elephants"),
        ("g1e/1c1/1C1/ELG[] w", "Black has no lion"),
        ("gle/1c1/1C1/LLG[] w", "White has 2 lions"),
        ("gle/1c1/1C1/ELG[L] w", "Black's lion is on the board and in the hand"),
        ("g1e/1c1/1C1/E1G[Ll] w", "both lions are in hand"),
        ("gle/1c1/1C1/ELG[] x", "`x` is not a side"),
        ("gle/1c1/1C1/ELG[] w KQ - 0 1", "`KQ` stands where `-`"),
        ("gle/1c1/1C1/ELG[] w - - x 1", "`x` is not a number"),
        ("gle/1c1/1C1/ELG[] w - - 0 0", "`0` is not a number from 1"),
        ("gle/1c1/1C1/ELG[] w - - 0 99999", "`99999` is not a number"),
        ("gle/1c1/1C1/ELG[] w - - 0 1 2", "`2` is too much"),
    ] {
        match start.parse(fen) {
            Ok(pos) => panic!("`{fen}` was read as {pos}"),
            Err(e) => {
                assert!(e.to_string().contains(part), "{fen}: {e}");
                assert!(e.at.is_none_or(|at| fen.get(at).is_some()), "{fen}: bad range");
            }
        }
    }
    for short in ["gle/1c1/1C1/ELG", "gle/1c1/1C1/ELG[-] w - -", " gle/1c1/1C1/ELG[] w "] {
        assert_eq!(start.parse(short).unwrap().to_string(), start.to_string());
    }
}

#[test]
fn a_game_without_limits_can_always_be_written_down() {
    let rules = Rules::OFFICIAL.without_history();
    for fen in ["gle/1c1/1C1/ELG[] w - - 9999 1", "gle/1c1/1C1/ELG[] b - - 65535 9999"] {
        let mut pos = position(rules, fen);
        // No capture, no chick: the clock runs.
        text::play_moves(&mut pos, if fen.contains(" w ") { "c1c2 a4a3" } else { "a4a3 c1c2" })
            .unwrap();
        assert_eq!(position(rules, &pos.to_string()).to_string(), pos.to_string());
    }
    // The ply of the last turn starts again at 1, with the same player to move.
    let pos = position(rules, "gle/1c1/1C1/ELG[] b - - 0 32768");
    let pos = after(&pos, "a4a3");
    assert!(pos.to_string().ends_with(" w - - 1 1"), "{pos}");
    assert_eq!(position(rules, &pos.to_string()).key(), pos.key());
}

#[test]
fn the_board_is_drawn() {
    let pos = position(Rules::OFFICIAL, "gl1/1e1/+C2/1LG[Ec] b - - 3 7");
    let drawn = "    a   b   c
  ┌───┬───┬───┐
4 │ g │ l │   │  Black holds c
  ├───┼───┼───┤
3 │   │ e │   │
  ├───┼───┼───┤
2 │+C │   │   │
  ├───┼───┼───┤
1 │   │ L │ G │  White holds E
  └───┴───┴───┘
Black to move";
    assert_eq!(format!("{pos:#}"), drawn);
}
