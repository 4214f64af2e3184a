//! Learning playouts as players: the contract, convergence, budgets, and that they learn.

use crate::legal;
use spielbaum_core::param::resolve;
use spielbaum_core::synthetic::{HashedOptions, Literal};
use spielbaum_core::{Game, Limits, Player, Report, Rng, Task, Turn, check};
use spielbaum_games::gomoku::Gomoku;
use spielbaum_games::lion::Lion;
use spielbaum_games::pig::Pig;
use spielbaum_search::adaptive::{Adaptive, AdaptiveConfig, Learning, Subtract};
use spielbaum_search::leaf::Leaf;
use spielbaum_search::spec::{PLAYERS, any_game};
use spielbaum_search::trace::Coding;
use std::time::{Duration, Instant};

const SPECS: [&str; 12] = [
    "uct-xiangqi",
    "ppa",
    "ppap",
    "ppaf",
    "ppafp",
    "mast",
    "mastf",
    "ppa:playout=ppa(warm=true)",
    "ppap:playout=ppap(subtract=winner-only,draws=skip,warm=true,cutoff=9),reuse=true",
    "ppafp:order=random,expansion=all",
    "mast:playout=mast(untried=0.6,draws=skip)",
    "mastf:playout=mastf(k=4,warm=true),select=root-c",
];

fn player<G: Game>(spec: &str, seed: u64) -> Box<dyn Player<G>> {
    let args = resolve(spec, "player", PLAYERS).unwrap();
    let mut player = any_game::<G>(&args, &[]).unwrap().unwrap_or_else(|e| panic!("{e}"));
    player.restart(seed);
    player
}

fn think<G: Game>(spec: &str, pos: &G, limits: Limits) -> Report<G::Move> {
    player::<G>(spec, 1).think(pos, &mut Task::new(limits)).unwrap()
}

/// Legal moves, the same game from the same seed, and a restarted player is a fresh one: what
/// was learned in a game is forgotten.
#[test]
fn learners_keep_the_contract() {
    fn conforms<G: Game>(start: &G, spec: &str) {
        let make = |seed| player::<G>(spec, seed);
        check::player(start, Limits::iterations(60), &check::Options::quick(), make)
            .unwrap_or_else(|e| panic!("{spec}: {e}"));
    }
    for spec in SPECS {
        conforms(&Lion::default(), spec);
        conforms(&Gomoku::new(6, 6, 4).unwrap(), spec);
        conforms(&Pig::new(3, 30).unwrap(), spec);
        conforms(&HashedOptions { players: 1, chance: 60, ..Default::default() }.root(), spec);
        conforms(&HashedOptions { players: 5, ..Default::default() }.root(), spec);
    }
}

/// The exact payoff of the first player, by looking at everything.
fn exact<G: Game>(pos: &G) -> f64 {
    let moves = legal(pos);
    let after = |&m: &G::Move| {
        let mut next = pos.clone();
        next.play(m);
        exact(&next)
    };
    match pos.turn() {
        _ if moves.is_empty() => f64::from(pos.payoffs()[0]),
        Turn::Chance => {
            let total: f64 = moves.iter().map(|&m| f64::from(pos.weight(m))).sum();
            moves.iter().map(|m| f64::from(pos.weight(*m)) / total * after(m)).sum()
        }
        Turn::Player(0) => moves.iter().map(after).fold(f64::MIN, f64::max),
        Turn::Player(_) => moves.iter().map(after).fold(f64::MAX, f64::min),
    }
}

/// However playouts are drawn, the tree above them finds the best move.
#[test]
fn learners_converge_on_small_trees() {
    for spec in SPECS {
        for players in [1, 2] {
            for chance in [0, 90] {
                for seed in 0..6 {
                    let root = HashedOptions {
                        seed,
                        players,
                        chance,
                        depth: 4,
                        levels: 5,
                        ..Default::default()
                    }
                    .root();
                    let spec = format!("{spec}{}c=1", if spec.contains(':') { "," } else { ":" });
                    let report = think(&spec, &root, Limits::iterations(20_000));
                    let mut next = root;
                    next.play(report.best);
                    let lost = exact(&root) - exact(&next);
                    assert!(lost < 0.05, "{spec} {players} {chance} {seed}: loses {lost}");
                }
            }
        }
    }
}

#[test]
fn budgets_hold() {
    for spec in SPECS {
        for nodes in [10, 1000, 20_000] {
            let report = think(spec, &Lion::default(), Limits::nodes(nodes));
            assert!((nodes..nodes + 450).contains(&report.nodes), "{spec}: {}", report.nodes);
        }
        let started = Instant::now();
        let time = Duration::from_millis(30);
        think(spec, &Gomoku::new(15, 15, 5).unwrap(), Limits::time(time));
        assert!(started.elapsed() < 20 * time, "{spec}: {:?}", started.elapsed());
    }
}

/// A game of six plies with three moves each: who has played the second one more often wins.
fn count(first: i32, plies: u32) -> String {
    if plies == 6 {
        return if first > 0 {
            "1"
        } else if first < 0 {
            "0"
        } else {
            "="
        }
        .to_string();
    }
    let gain = if plies.is_multiple_of(2) { 1 } else { -1 };
    let below = |move_: usize| count(first + if move_ == 1 { gain } else { 0 }, plies + 1);
    format!("({} {} {})", below(0), below(1), below(2))
}

/// Every rule learns the move that is always good, for both sides.
#[test]
fn playouts_learn_what_is_good() {
    let root = Literal::two_player(&count(0, 0)).unwrap();
    let ppap = |subtract| Learning::Ppap { alpha: 0.04, p: 1.0, subtract };
    for learning in [
        Learning::Ppa { alpha: 0.1 },
        ppap(Subtract::Both),
        ppap(Subtract::WinnerOnly),
        Learning::Mast { k: 4.0, untried: 0.0 },
    ] {
        let mut leaf = Adaptive::new(crate::config(learning, Coding::Code));
        let mut rng = Rng::new(5);
        leaf.begin(&root);
        for _ in 0..1000 {
            leaf.evaluate(&mut root.clone(), &mut rng, &mut crate::endless());
        }
        for seat in 0..2 {
            let weights = [0, 1, 2].map(|code| leaf.weight(seat, code));
            assert!(weights[1] > weights[0].max(weights[2]), "{learning:?}: {weights:?}");
        }
    }
}

/// A warm policy is kept for the next move of a game and forgotten with the game.
#[test]
fn warm_weights_are_kept() {
    let root = Gomoku::new(3, 3, 3).unwrap();
    let learned = |warm| {
        let plain = crate::config(Learning::Ppa { alpha: 1.0 }, Coding::Code);
        let mut leaf = Adaptive::new(AdaptiveConfig { warm, ..plain });
        let mut rng = Rng::new(5);
        leaf.begin(&root);
        for _ in 0..50 {
            leaf.evaluate(&mut root.clone(), &mut rng, &mut crate::endless());
        }
        let before: Vec<f64> = (0..9).map(|code| leaf.weight(1, code)).collect();
        leaf.begin(&root);
        let after: Vec<f64> = (0..9).map(|code| leaf.weight(1, code)).collect();
        leaf.restart();
        leaf.begin(&root);
        assert!((0..9).all(|code| leaf.weight(1, code) == 0.0));
        (before, after)
    };
    let (before, after) = learned(true);
    assert_eq!(before, after);
    let (before, after) = learned(false);
    assert!(before != after && after == [0.0; 9]);
}
