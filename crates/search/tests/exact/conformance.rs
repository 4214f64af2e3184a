//! The players keep the contract of players, on every kind of synthetic tree.

use crate::oracle::configs;
use spielbaum_core::synthetic::{Hashed, HashedEval, HashedOptions};
use spielbaum_core::{Game, Limits, Player, check};
use spielbaum_search::alphabeta::AlphaBeta;
use spielbaum_search::minimax::Minimax;
use spielbaum_search::random::Random;

fn check<G: Game>(start: &G, make: impl Fn(u64) -> Box<dyn Player<G>>) {
    for limits in [Limits::nodes(1), Limits::nodes(700), Limits::depth(3), Limits::iterations(2)] {
        check::player(start, limits, &check::Options::quick(), &make).unwrap();
    }
}

/// Trees of all kinds.
fn shapes() -> Vec<HashedOptions> {
    let mut shapes = Vec::new();
    for seed in 0..5 {
        for transpositions in [false, true] {
            let shape = HashedOptions { seed, depth: 9, transpositions, ..Default::default() };
            shapes.push(HashedOptions { players: seed as u8 + 1, chance: 50, ..shape });
            shapes.push(shape);
        }
    }
    shapes
}

#[test]
fn random_and_minimax_on_any_game() {
    for shape in shapes() {
        let root: Hashed = shape.root();
        check(&root, |seed| Box::new(Random::new(seed)));
        check(&root, |_| Box::new(Minimax::default()));
    }
}

#[test]
fn alpha_beta_on_games_of_two() {
    for shape in shapes() {
        for config in configs() {
            let eval = HashedEval { seed: 9, spread: 60 };
            check(&shape.two_player(), |_| Box::new(AlphaBeta::new(&config, Box::new(eval))));
        }
    }
}
