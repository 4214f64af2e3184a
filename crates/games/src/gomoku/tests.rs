//! Rules, texts and knowledge of gomoku.

use super::*;
use spielbaum_core::{Eval, text::parse_move, text::play_moves};

fn played(m: usize, n: usize, k: usize, moves: &str) -> Gomoku {
    let mut game = Gomoku::new(m, n, k).unwrap();
    play_moves(&mut game, moves).unwrap();
    game
}

#[test]
fn impossible_boards_are_errors() {
    for (m, n, k) in [(0, 3, 1), (3, 0, 1), (20, 3, 3), (3, 20, 3), (3, 3, 0), (3, 3, 4)] {
        assert!(Gomoku::new(m, n, k).is_err(), "{m},{n},{k}");
    }
    assert!(Gomoku::new(3, 9, 9).is_ok());
}

/// Rows in all directions, at all edges, and not one around an edge.
#[test]
fn every_row_wins_and_nothing_else() {
    let (m, n, k) = (5, 4, 3);
    let directions = [(1i32, 0i32), (0, 1), (1, 1), (1, -1)];
    let inside = |c: i32, r: i32| (0..m as i32).contains(&c) && (0..n as i32).contains(&r);
    let mut rows = Vec::new();
    for (column, row) in (0..m as i32).flat_map(|c| (0..n as i32).map(move |r| (c, r))) {
        for (dc, dr) in directions {
            let line: Vec<(i32, i32)> =
                (0..k as i32).map(|i| (column + i * dc, row + i * dr)).collect();
            if line.iter().all(|&(c, r)| inside(c, r)) {
                rows.push(line);
            }
        }
    }
    // Every three points: a row or not.
    let points: Vec<(i32, i32)> = (0..m * n).map(|i| ((i % m) as i32, (i / m) as i32)).collect();
    let at = |(column, row): (i32, i32)| Point { column: column as u8, row: row as u8 };
    let mut wins = 0;
    for a in 0..points.len() {
        for b in 0..a {
            for c in 0..b {
                let three = [points[a], points[b], points[c]];
                let mut others = points.iter().filter(|p| !three.contains(p));
                let mut game = Gomoku::new(m, n, k).unwrap();
                for (i, p) in three.into_iter().enumerate() {
                    game.play(at(p));
                    if i < 2 {
                        // Replies far apart: the second player has two stones only.
                        game.play(at(*others.next().unwrap()));
                    }
                }
                let row = rows.iter().any(|row| row.iter().all(|p| three.contains(p)));
                assert_eq!(game.winner() == Some(0), row, "{game:#}");
                wins += usize::from(row);
            }
        }
    }
    assert_eq!(wins, rows.len());
}

#[test]
fn longer_rows_win_as_well() {
    let game = played(15, 15, 5, "a1 a15 b1 b15 c1 c15 e1 d15 f1 f14 d1");
    assert_eq!(game.winner(), Some(0));
    assert_eq!(game.payoffs()[..2], [1.0, 0.0]);
}

#[test]
fn a_full_board_is_a_draw_and_the_last_point_may_win() {
    let game = played(3, 3, 3, "a1 b1 c1 b2 b3 a2 c2 c3 a3");
    assert!(game.is_over() && game.winner().is_none());
    assert_eq!(game.payoffs()[..2], [0.5, 0.5]);
    let game = played(3, 3, 3, "a1 b1 b2 b3 a2 a3 c1 c2 c3");
    assert_eq!((game.winner(), game.count_moves()), (Some(0), 0));
}

#[test]
fn texts_and_diagrams() {
    let game = played(4, 3, 3, "a1 d3 b2");
    assert_eq!(game.to_string(), "3O/1X2/X3 o");
    let diagram = " 3  .  .  .  O \n 2  . (X) .  . \n 1  X  .  .  . \n    a  b  c  d \nO to move";
    assert_eq!(format!("{game:#}"), diagram);
    assert_eq!(Gomoku::new(15, 15, 5).unwrap().to_string(), format!("{}15 x", "15/".repeat(14)));
    assert!(parse_move(&game, "d3").is_err() && parse_move(&game, "e1").is_err());
}

#[test]
fn wrong_texts_are_explained() {
    let rules = Gomoku::new(3, 3, 3).unwrap();
    for (text, at, problem) in [
        ("3/3/3", None, "side to move"),
        ("3/3 x", Some(0..3), "2 rows"),
        ("3/4/3 x", Some(2..3), "more than 3"),
        ("3/99999999999999999999999/3 x", Some(2..25), "no part"),
        ("3/2/3 x", Some(2..3), "2 points instead of 3"),
        ("3/1Z1/3 x", Some(3..4), "`Z`"),
        ("3/1é1/3 x", Some(3..5), "`é`"),
        ("3/0X2/3 o", Some(2..3), "`0`"),
        ("3/1O1/3 o", Some(0..7), "0 stones X and 1 stones O"),
        ("3/1X1/3 x", Some(8..9), "not to move"),
        ("XXX/OOO/3 x", Some(0..9), "X has 3 in a row"),
        ("XXX/OO1/O2 x", Some(0..10), "X has 3 in a row"),
        ("OOO/XX1/XX1 o", Some(0..11), "O has 3 in a row"),
    ] {
        let error = rules.parse(text).unwrap_err();
        assert!(error.problem.contains(problem), "{text}: {error}");
        assert_eq!(error.at, at, "{text}: {error}");
    }
    let rules = Gomoku::new(5, 3, 3).unwrap();
    let error = rules.parse("XXX2/O1O1O/XXX1O o").unwrap_err();
    assert!(error.problem.contains("4 stones O") || error.problem.contains("no single move"));
    let error = rules.parse("XXX2/OO1OO/XXX1O o").unwrap_err();
    assert!(error.problem.contains("no single move"), "{error}");
    // Two rows through one stone are fine.
    assert_eq!(rules.parse("XXX2/X1O1O/X1OO1 o").unwrap().winner(), Some(0));
}

/// The evaluation counts what a plain loop over all lines counts.
#[test]
fn lines_agree_with_a_plain_count() {
    let mut rng = Rng::new(3);
    for (m, n, k) in [(3, 3, 3), (7, 6, 4), (6, 6, 6), (15, 15, 5), (19, 19, 9), (19, 3, 10)] {
        for _ in 0..40 {
            let mut game = Gomoku::new(m, n, k).unwrap();
            game.playout(rng.below(m * n) as u32, &mut rng, &mut Vec::new());
            let mut sum = 0;
            for (column, row) in (0..m as i32).flat_map(|c| (0..n as i32).map(move |r| (c, r))) {
                for (dc, dr) in [(1, 0), (0, 1), (1, 1), (1, -1)] {
                    let line: Vec<(i32, i32)> =
                        (0..k as i32).map(|i| (column + i * dc, row + i * dr)).collect();
                    let (c, r) = line[k - 1];
                    if !(0..m as i32).contains(&c) || !(0..n as i32).contains(&r) {
                        continue;
                    }
                    let mut counts = [0; 2];
                    for (c, r) in line {
                        if let Some(seat) = game.stone(Point { column: c as u8, row: r as u8 }) {
                            counts[seat] += 1;
                        }
                    }
                    let value = |own: usize| *[0, 400, 100, 25, 6, 1].get(k - own).unwrap_or(&0);
                    match counts {
                        [own, 0] if own > 0 => sum += value(own),
                        [0, own] if own > 0 => sum -= value(own),
                        _ => {}
                    }
                }
            }
            let sign = if game.turn() == Turn::Player(0) { 1 } else { -1 };
            assert_eq!(Lines.eval(&game), (sign * sum).clamp(-90_000, 90_000), "{game:#}");
        }
    }
}

#[test]
fn winning_moves_come_first_then_blocks() {
    let game = played(7, 7, 4, "a1 a7 b1 b7 c1 c7");
    let mut moves = Vec::new();
    game.moves(&mut moves);
    moves.sort_by_key(|&m| -Lines.order(&game, m));
    let names: Vec<String> = moves.iter().take(2).map(ToString::to_string).collect();
    assert_eq!(names, ["d1", "d7"]);
    assert!(Lines.noisy(&game, moves[0]) && Lines.noisy(&game, moves[1]));
    assert!(!Lines.noisy(&game, moves[2]));
}

/// From every kind of middle: the end of a bulk playout is the end of the game step by step, if
/// the same stones are put in some order; here seen by playing its stones' text back.
#[test]
fn playouts_end_with_the_first_row() {
    let mut rng = Rng::new(9);
    for (m, n, k) in [(3, 3, 3), (5, 4, 3), (9, 9, 1), (12, 12, 3), (15, 15, 5), (19, 19, 8)] {
        for _ in 0..300 {
            let mut game = Gomoku::new(m, n, k).unwrap();
            let opening = game.playout(rng.below(m * n / 2) as u32, &mut rng, &mut Vec::new());
            let middle = game;
            let made = game.playout(u32::MAX, &mut rng, &mut Vec::new());
            let stones = |g: &Gomoku| g.stones.iter().flatten().map(|w| w.count_ones()).sum();
            let counts: [u32; 2] = [stones(&middle), stones(&game)];
            assert_eq!(counts, [opening, opening + made]);
            // The text is an error if any row was complete before the last move.
            let again = middle.parse(&game.to_string()).unwrap();
            assert_eq!((again.winner, again.key, again.count), (game.winner, game.key, game.count));
            // The last move is where the rows meet: without it nobody has won.
            if let (Some(seat), Some(last)) = (game.winner, game.last) {
                let mut before = game;
                before.put(seat.into(), game.bit(last));
                before.count -= 1;
                assert!(middle.parse(&before.to_string()).unwrap().winner.is_none());
            }
        }
    }
}

/// The points that complete a row are those that do when they are tried.
#[test]
fn winning_moves_are_those_that_win() {
    let mut rng = Rng::new(8);
    for (m, n, k) in
        [(3, 3, 3), (1, 7, 2), (7, 1, 3), (5, 4, 1), (8, 7, 4), (15, 15, 5), (19, 19, 5)]
    {
        let (mut wins, mut none) = (0, 0);
        for _ in 0..60 {
            let mut pos = Gomoku::new(m, n, k).unwrap();
            while !pos.is_over() {
                let mut moves = Vec::new();
                pos.moves(&mut moves);
                let seat = pos.turn().player().unwrap();
                let winning = |&m: &Point| {
                    let mut next = pos;
                    next.play(m);
                    next.payoffs()[seat] == 1.0
                };
                let expected = moves.iter().any(winning);
                let found = pos.winning_move(&mut Vec::new());
                assert_eq!(found.is_some(), expected, "{pos}");
                assert!(found.is_none_or(|m| moves.contains(&m) && winning(&m)), "{pos}");
                *(if expected { &mut wins } else { &mut none }) += 1;
                pos.play(moves[rng.below(moves.len())]);
            }
            assert_eq!(pos.winning_move(&mut Vec::new()), None);
        }
        assert!(wins > 0 && (none > 0 || k == 1));
    }
}
