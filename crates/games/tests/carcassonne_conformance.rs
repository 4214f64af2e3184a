//! Carcassonne passes the conformance suite under every option.

#![allow(clippy::unwrap_used)]

use spielbaum_core::check::{self, Options as Checks};
use spielbaum_games::carcassonne::{Carcassonne, Options, Order};

fn conforms(options: &Options<'_>, checks: &Checks) {
    let start = Carcassonne::new(options).unwrap();
    check::game(&start, checks).unwrap_or_else(|e| panic!("{options:?}: {e}"));
}

#[test]
fn the_whole_game_conforms() {
    for players in 2..=5 {
        conforms(&Options { players, ..Options::default() }, &Checks::quick());
    }
}

#[test]
fn known_orders_conform() {
    for order in [Order::Dealt, Order::Shuffled(7)] {
        conforms(&Options { order, ..Options::default() }, &Checks::quick());
    }
}

#[test]
fn other_rules_conform() {
    conforms(&Options { paper: true, ..Options::default() }, &Checks::quick());
    conforms(&Options { all_rotations: true, ..Options::default() }, &Checks::quick());
}

/// Short games, in which transpositions, ends and discarded tiles are frequent.
#[test]
fn short_games_conform() {
    for tiles in ["U", "EC", "XCQ", "CEEHQ", "UJLBOVSJKA"].map(Some) {
        for order in [Order::Hidden, Order::Dealt, Order::Listed, Order::Shuffled(1)] {
            let options = Options { order, tiles, players: 3, ..Options::default() };
            conforms(&options, &Checks { positions: 300, ..Checks::quick() });
        }
    }
}
