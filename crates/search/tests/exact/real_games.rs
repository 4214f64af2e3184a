//! Alpha-beta on thousands of random positions of real games; plain minimax on dice.

use crate::oracle::check_position;
use spielbaum_core::{Game, Limits, Player, Proof, Rng, Task};
use spielbaum_games::gomoku::{EVALS, Gomoku};
use spielbaum_games::pig::Pig;
use spielbaum_games::reroll::Reroll;
use spielbaum_search::alphabeta::{AlphaBeta, AlphaBetaConfig};
use spielbaum_search::mcts::{Mcts, MctsConfig};
use spielbaum_search::minimax::maxn;

/// Random positions with at least `free` moves left, not over.
fn positions(start: Gomoku, free: usize, count: usize) -> Vec<Gomoku> {
    let mut rng = Rng::new(12);
    let mut found = Vec::new();
    let cells = start.count_moves();
    while found.len() < count {
        let mut pos = start;
        let plies = rng.below(cells - free + 1) as u32;
        pos.playout(plies, &mut rng, &mut Vec::new());
        if !pos.is_over() {
            found.push(pos);
        }
    }
    found
}

#[test]
fn alpha_beta_equals_minimax_on_random_gomoku_positions() {
    // Columns, rows, k, positions, depth; a full solve where the board is small.
    for (m, n, k, count, depth, solve) in [
        (3, 3, 3, 1500, 9, true),
        (4, 3, 3, 300, 3, false),
        (6, 6, 4, 200, 2, false),
        (15, 15, 5, 4, 2, false),
    ] {
        let start = Gomoku::new(m, n, k).unwrap();
        // Plain minimax must be able to follow: small boards are solved from the third stone on.
        let free = if solve { 1 } else { depth as usize };
        for pos in positions(start, free, count) {
            if solve && pos.count_moves() > 7 {
                continue;
            }
            for eval in EVALS {
                check_position(&pos, eval.make, depth, solve);
            }
        }
    }
}

#[test]
fn tic_tac_toe_is_a_draw_for_every_player_that_proves() {
    let start = Gomoku::new(3, 3, 3).unwrap();
    for eval in EVALS {
        let mut player = AlphaBeta::new(&AlphaBetaConfig::default(), (eval.make)());
        let report = player.think(&start, &mut Task::new(Limits::depth(9))).unwrap();
        assert_eq!((report.proven, report.value), (Some(Proof::Draw), 0.5));
    }
    // Exploration draws the mean away from the value; it fades with visits, and with c.
    let mut gap = 0.5;
    for iterations in [300, 10_000, 300_000] {
        let mut uct = Mcts::new(&MctsConfig { c: 0.5, ..MctsConfig::default() }, 1);
        let report = uct.think(&start, &mut Task::new(Limits::iterations(iterations))).unwrap();
        assert!((report.value - 0.5).abs() < gap, "{} after {iterations}", report.value);
        gap = (report.value - 0.5).abs();
    }
    assert!(gap < 0.02, "{gap}");
}

/// Rolling again pays below the mean of what follows: 14/3 for three throws of each die.
#[test]
fn reroll_is_worth_fourteen_thirds_a_die() {
    let value = maxn(&Reroll::new(2).unwrap(), 40, Default::default())[0];
    assert!((value - 28.0 / 3.0).abs() < 1e-6, "{value}");
    let start = Reroll::new(5).unwrap();
    let mut rng = Rng::new(4);
    let mut pos = start;
    pos.play(pos.random_move(&mut rng, &mut Vec::new()).unwrap());
    let report = Mcts::new(&MctsConfig::default(), 1)
        .think(&pos, &mut Task::new(Limits::iterations(100_000)))
        .unwrap();
    assert!(report.value > 20.0 && report.value < 26.0, "{}", report.value);
}

/// With nothing at stake but one throw, the better choice is known: 18 of 20 points are on the
/// table, so any throw but a one wins at once when the pot is full.
#[test]
fn uct_holds_a_winning_pot() {
    let start = Pig::new(2, 20).unwrap();
    let mut pos = start;
    for m in ["roll", "6", "roll", "6", "roll", "6", "roll", "6"] {
        pos.play(spielbaum_core::text::parse_move(&pos, m).unwrap());
    }
    let report = Mcts::new(&MctsConfig::default(), 1)
        .think(&pos, &mut Task::new(Limits::iterations(5000)))
        .unwrap();
    assert_eq!(report.best.to_string(), "hold");
    assert!(report.value > 0.95);
}
