//! The incremental engine against a slow one that knows only the description of the tiles and the
//! list of placements, and floods the board anew after every move.

#![allow(clippy::unwrap_used)]

#[path = "carcassonne/flood.rs"]
mod flood;

use flood::Flood;
use spielbaum_core::{Game, Rng};
use spielbaum_games::carcassonne::{Carcassonne, Options, Order};
use std::collections::BTreeSet;

/// Plays a random game, mostly claiming, and compares after every move.
fn compare(options: &Options<'_>, seed: u64) {
    let mut pos = Carcassonne::new(options).unwrap();
    let mut slow = Flood::new(options.players, options.paper);
    let mut rng = Rng::new(seed);
    let (mut moves, mut scratch) = (Vec::new(), Vec::new());
    while let Some(drawn) = pos.random_move(&mut rng, &mut scratch) {
        if drawn.is_draw() {
            pos.play(drawn);
            continue;
        }
        moves.clear();
        pos.moves(&mut moves);
        let found: BTreeSet<String> = moves.iter().map(ToString::to_string).collect();
        let tile = pos.hand().unwrap();
        let expected = slow.moves(tile, options.all_rotations);
        assert_eq!(found, expected, "seed {seed}: {pos}");
        assert_eq!(pos.count_moves(), expected.len(), "seed {seed}: {pos}");
        pos.play(drawn);
        slow.play(&drawn.to_string());
        let settled = pos.settled()[..options.players].to_vec();
        assert_eq!(settled, slow.settled(), "seed {seed}: {pos}");
        if !pos.is_over() {
            assert_eq!(pos.scores().unwrap()[..options.players], slow.scores, "seed {seed}: {pos}");
        }
        let supply: Vec<usize> = (0..options.players).map(|s| pos.supply(s)).collect();
        assert_eq!(supply, slow.supply, "seed {seed}: {pos}");
    }
    assert_eq!(pos.scores().unwrap()[..options.players], slow.settled(), "seed {seed}: {pos}");
}

#[test]
fn two_players() {
    (0..12).for_each(|seed| compare(&Options::default(), seed));
}

#[test]
fn more_players_and_every_rotation() {
    for players in 3..=5 {
        let options = Options { players, all_rotations: true, ..Options::default() };
        (0..4).for_each(|seed| compare(&options, seed));
    }
}

#[test]
fn the_rules_of_the_paper() {
    let options = Options { paper: true, order: Order::Shuffled(3), ..Options::default() };
    (0..4).for_each(|seed| compare(&options, seed));
    let options = Options { paper: true, ..Options::default() };
    (0..4).for_each(|seed| compare(&options, seed));
}

/// Tiles with several cities or roads alone: loops, shared tiles and indirect occupation abound.
#[test]
fn crossings_and_caps() {
    let tiles = Some("HHHIILLLWWWWXVVVVVVVVVEEEEEUUUUJJJKKKMN");
    for paper in [false, true] {
        let options = Options { tiles, paper, ..Options::default() };
        (0..16).for_each(|seed| compare(&options, seed));
    }
}

/// A road that ends at a cloister leaves one field on both its sides: the way in which a segment is
/// occupied only through another of the same tile.
#[test]
fn roads_that_end() {
    for paper in [false, true] {
        let options = Options { tiles: Some("AAUUUUGFFEEE"), paper, ..Options::default() };
        (0..150).for_each(|seed| compare(&options, seed));
    }
}
