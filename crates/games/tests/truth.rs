//! Known truths, counted and computed to the end.

use spielbaum_core::{Game, Rng, Turn, perft::perft, text::play_moves};
use spielbaum_games::{gomoku::Gomoku, pig::Pig, reroll::Reroll};
use std::collections::{HashMap, HashSet};

fn tic_tac_toe() -> Gomoku {
    Gomoku::new(3, 3, 3).expect("a board")
}

fn legal<G: Game>(pos: &G) -> Vec<G::Move> {
    let mut moves = Vec::new();
    pos.moves(&mut moves);
    moves
}

/// Counts games by result, first player's win, draw, loss, and collects keys and texts.
fn all_games(
    pos: &mut Gomoku,
    results: &mut [u64; 3],
    keys: &mut HashSet<u64>,
    texts: &mut HashSet<String>,
) {
    keys.insert(pos.key());
    texts.insert(pos.to_string());
    let moves = legal(pos);
    if moves.is_empty() {
        let value = pos.payoffs()[0];
        results[if value == 1.0 { 0 } else { 1 + usize::from(value == 0.0) }] += 1;
    }
    for m in moves {
        pos.explore(m, |next| all_games(next, results, keys, texts));
    }
}

/// All games and positions of tic-tac-toe: 255,168 and 5,478; 131,184 games are won by the first
/// player, 77,904 by the second.
#[test]
fn all_of_tic_tac_toe() {
    let (mut results, mut keys, mut texts) = ([0; 3], HashSet::new(), HashSet::new());
    all_games(&mut tic_tac_toe(), &mut results, &mut keys, &mut texts);
    assert_eq!(results, [131_184, 46_080, 77_904]);
    assert_eq!(results.iter().sum::<u64>(), 255_168);
    assert_eq!((keys.len(), texts.len()), (5_478, 5_478));
}

#[test]
fn tic_tac_toe_perft() {
    let expected = [1, 9, 72, 504, 3_024, 15_120, 54_720, 148_176, 200_448, 127_872];
    for (depth, count) in expected.into_iter().enumerate() {
        assert_eq!(perft(&tic_tac_toe(), depth as u32), count, "depth {depth}");
    }
    assert_eq!(perft(&tic_tac_toe(), 10), 0);
}

/// With rows too long to be made in so few moves, every order of points is a game.
#[test]
fn perft_of_larger_boards() {
    let falling = |n: u64, depth: u64| (0..depth).map(|i| n - i).product::<u64>();
    for (m, n, k, depth) in [(15, 15, 5, 3), (19, 19, 5, 2), (7, 6, 4, 4), (6, 6, 4, 4)] {
        let start = Gomoku::new(m, n, k).unwrap();
        assert_eq!(perft(&start, depth), falling((m * n) as u64, depth.into()), "{m},{n},{k}");
    }
    // 4 x 4 with three in a row has 24 rows; 3! orders of stones and 13 x 12 replies in between
    // make the games that end with the fifth move.
    let start = Gomoku::new(4, 4, 3).unwrap();
    let all = falling(16, 5);
    let ended = 24 * 6 * 13 * 12;
    assert_eq!(perft(&start, 5), all);
    assert_eq!(perft(&start, 6), (all - ended) * 11);
}

fn negamax(pos: &mut Gomoku, known: &mut HashMap<u64, i32>) -> i32 {
    if let Some(&value) = known.get(&pos.key()) {
        return value;
    }
    let moves = legal(pos);
    let value = match (moves.is_empty(), pos.winner()) {
        (true, Some(_)) => -1, // the last move won
        (true, None) => 0,
        (false, _) => {
            moves.into_iter().map(|m| pos.explore(m, |p| -negamax(p, known))).max().unwrap_or(0)
        }
    };
    known.insert(pos.key(), value);
    value
}

/// Three in a row are won by the first player on all boards but 3 x 3; with four in a row on
/// 4 x 3 a reply in the same row always draws.
#[test]
fn small_boards_are_solved() {
    for (m, n, k, value) in
        [(3, 3, 3, 0), (4, 3, 3, 1), (3, 4, 3, 1), (4, 3, 4, 0), (1, 1, 1, 1), (2, 2, 2, 1)]
    {
        let mut start = Gomoku::new(m, n, k).unwrap();
        assert_eq!(negamax(&mut start, &mut HashMap::new()), value, "{m},{n},{k}");
    }
}

/// The best lines on 6 x 6 with four in a row, of Ay 2024 and of Liang et al. 2023: the first
/// player wins with the last move, not earlier.
#[test]
fn published_lines_win_with_the_last_move() {
    for (line, row) in [
        ("c3 d4 d2 b4 c4 c5 c2 c1 e2 f2 b2", "b2 c2 d2 e2"),
        ("c3 d4 d2 b4 c4 c2 c5 c6 d3 b3 b5 b2 e2", "b5 c4 d3 e2"),
    ] {
        let mut game = Gomoku::new(6, 6, 4).unwrap();
        let (before, last) = line.rsplit_once(' ').unwrap();
        play_moves(&mut game, before).unwrap();
        assert!(!game.is_over(), "{game:#}");
        play_moves(&mut game, last).unwrap();
        assert_eq!(game.winner(), Some(0), "{game:#}");
        assert!(game.is_over() && game.count_moves() == 0);
        assert_eq!(game.payoffs()[..2], [1.0, 0.0]);
        // The stones of the row named in the paper are the winner's.
        for point in row.split(' ') {
            let m = legal(&Gomoku::new(6, 6, 4).unwrap())
                .into_iter()
                .find(|m| m.to_string() == point)
                .unwrap();
            assert_eq!(game.stone(m), Some(0), "{point}");
        }
    }
}

/// Expected points under best play.
fn best_points(pos: &Reroll, known: &mut HashMap<u64, f64>) -> f64 {
    if let Some(&value) = known.get(&pos.key()) {
        return value;
    }
    let moves = legal(pos);
    let after = moves.iter().map(|&m| {
        let mut next = *pos;
        next.play(m);
        (f64::from(pos.weight(m)), next)
    });
    let value = match pos.turn() {
        _ if moves.is_empty() => f64::from(pos.payoffs()[0]),
        Turn::Chance => {
            let total: f64 = moves.iter().map(|&m| f64::from(pos.weight(m))).sum();
            after.map(|(w, next)| w / total * best_points(&next, known)).sum()
        }
        Turn::Player(_) => after.map(|(_, next)| best_points(&next, known)).fold(0.0, f64::max),
    };
    known.insert(pos.key(), value);
    value
}

#[test]
fn reroll_is_worth_fourteen_thirds_a_die() {
    for dice in [1, 2, 5, 12] {
        let value = best_points(&Reroll::new(dice).unwrap(), &mut HashMap::new());
        assert!((value - f64::from(dice) * 14.0 / 3.0).abs() < 1e-9, "{dice} dice: {value}");
    }
}

const TARGET: usize = 100;

fn index(own: usize, other: usize, pot: usize) -> usize {
    (own * TARGET + other) * TARGET + pot
}

/// The probability that the player on turn wins, by own score, other score and pot.
fn solve_pig() -> Vec<f64> {
    let mut win = vec![0.0f64; TARGET * TARGET * TARGET];
    // Higher sums of scores first. Two positions between turns depend on each other only if their
    // scores are the same, swapped.
    let sums = (0..2 * TARGET - 1).rev();
    for (low, high) in sums.flat_map(|s| (0..=s / 2).map(move |a| (a, s - a))) {
        let mut change = 1.0;
        while high < TARGET && change > 1e-12 {
            change = 0.0;
            for (own, other) in [(low, high), (high, low)] {
                for pot in (0..TARGET - own).rev() {
                    let at =
                        |pot| if own + pot < TARGET { win[index(own, other, pot)] } else { 1.0 };
                    let faces: f64 = (2..=6).map(|face| at(pot + face)).sum();
                    let roll = (1.0 - win[index(other, own, 0)] + faces) / 6.0;
                    let hold = 1.0 - win[index(other, own + pot, 0)];
                    let best = if pot == 0 { roll } else { roll.max(hold) };
                    change = f64::max(change, (best - at(pot)).abs());
                    win[index(own, other, pot)] = best;
                }
            }
        }
    }
    win
}

/// The probability that seat 0 wins, one ply or two deep in the game itself.
fn pig_value(pos: &Pig, win: &[f64]) -> f64 {
    let after = |m| {
        let mut next = *pos;
        next.play(m);
        next
    };
    if pos.is_over() {
        return f64::from(pos.payoffs()[0]);
    }
    if pos.turn() == Turn::Chance {
        return legal(pos).into_iter().map(|m| pig_value(&after(m), win)).sum::<f64>() / 6.0;
    }
    let text = pos.to_string();
    let words = text.split(|c: char| !c.is_ascii_digit());
    let numbers: Vec<usize> = words.filter_map(|w| w.parse().ok()).collect();
    let [a, b, turn, pot] = numbers[..] else { panic!("{text}") };
    let (own, other) = if turn == 0 { (a, b) } else { (b, a) };
    let value = if own + pot < TARGET { win[index(own, other, pot)] } else { 1.0 };
    if turn == 0 { value } else { 1.0 - value }
}

/// Optimal play of Pig (Neller and Presser 2004): the first of two players wins with probability
/// 0.5306. The values are those of the game: in random positions they agree with its own moves.
#[test]
fn the_first_player_of_pig_wins_53_percent() {
    let win = solve_pig();
    assert!((win[0] - 0.5306).abs() < 5e-5, "{}", win[0]);
    let rules = Pig::new(2, TARGET as i32).unwrap();
    let mut rng = Rng::new(5);
    for _ in 0..5_000 {
        let (own, other) = (rng.below(TARGET), rng.below(TARGET));
        let pot = rng.below(TARGET - own);
        let pos = rules.parse(&format!("scores={own},{other} turn=0 pot={pot}")).unwrap();
        let best = (legal(&pos).into_iter())
            .map(|m| {
                let mut next = pos;
                next.play(m);
                pig_value(&next, &win)
            })
            .fold(0.0, f64::max);
        assert!((best - win[index(own, other, pot)]).abs() < 1e-9, "{pos}");
    }
}
