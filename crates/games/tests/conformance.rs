//! Every game passes the conformance suite, in several sizes.

use spielbaum_core::check::{self, Options};
use spielbaum_games::gomoku::{EVALS, Gomoku};
use spielbaum_games::{g2048::G2048, pig::Pig, reroll::Reroll};

#[test]
fn gomoku() {
    let boards = [
        (1, 1, 1),
        (3, 3, 3),
        (2, 3, 1),
        (1, 7, 3),
        (7, 1, 2),
        (4, 4, 4),
        (7, 6, 4),
        (6, 6, 4),
        (8, 8, 5),
        (10, 10, 5),
        (5, 19, 12),
        (12, 12, 3),
        (15, 15, 5),
        (19, 19, 5),
        (19, 19, 19),
        (19, 4, 6),
    ];
    for (m, n, k) in boards {
        let start = Gomoku::new(m, n, k).unwrap();
        let options = Options { games: 12, positions: 150, mutations: 500, ..Options::default() };
        check::game(&start, &options).unwrap_or_else(|e| panic!("{m},{n},{k}: {e}"));
        check::two_player(&start, &options).unwrap();
        check::planes(&start, &options).unwrap_or_else(|e| panic!("{m},{n},{k}: {e}"));
        for eval in EVALS {
            check::eval(&start, &*(eval.make)(), &options)
                .unwrap_or_else(|e| panic!("{m},{n},{k} {}: {e}", eval.name));
        }
    }
}

/// More playouts than the suite makes by default: an override must be the same distribution.
#[test]
fn gomoku_playouts_are_uniform_play() {
    for (m, n, k) in [(3, 3, 3), (5, 5, 3), (6, 6, 4), (11, 9, 4)] {
        let start = Gomoku::new(m, n, k).unwrap();
        let options = Options { games: 2, playouts: 40_000, mutations: 0, ..Options::default() };
        check::game(&start, &options).unwrap();
    }
}

#[test]
fn pig() {
    for (players, target) in [(2, 100), (3, 40), (5, 25), (2, 1)] {
        let start = Pig::new(players, target).unwrap();
        let options = Options { longest: 100_000, ..Options::default() };
        check::game(&start, &options).unwrap();
    }
}

#[test]
fn reroll() {
    for dice in [1, 5, 40] {
        check::game(&Reroll::new(dice).unwrap(), &Options::default()).unwrap();
    }
}

#[test]
fn g2048() {
    for (rows, columns) in [(4, 4), (3, 3), (2, 2), (2, 4), (4, 3)] {
        let start = G2048::new(rows, columns).unwrap();
        check::game(&start, &Options { longest: 100_000, ..Options::default() }).unwrap();
    }
}

/// The override plays slides in random order; more playouts than the suite makes by default.
#[test]
fn g2048_playouts_are_uniform_play() {
    for (rows, columns) in [(2, 2), (4, 4)] {
        let start = G2048::new(rows, columns).unwrap();
        let options = Options { games: 2, playouts: 6_000, mutations: 0, ..Options::default() };
        check::game(&start, &options).unwrap();
    }
}
