//! Pruning at chance nodes changes what a search costs and not what it finds.

use spielbaum_core::synthetic::{Hashed, HashedOptions};
use spielbaum_core::{Bound, Eval, Game, Limits, Player, Report, Rng, Task, Turn};
use spielbaum_games::carcassonne::{Carcassonne, Chances, Options, Order};
use spielbaum_games::pig::Pig;
use spielbaum_search::expectimax::{Expectimax, ExpectimaxConfig, Prune, TableRule};

/// The payoffs, which lie between 0 and 1, and an order that means nothing.
#[derive(Clone, Copy)]
struct Bounded;

impl<G: Game> Eval<G> for Bounded {
    fn eval(&self, _pos: &G) -> i32 {
        0
    }
    fn expected(&self, pos: &G, seat: usize) -> f32 {
        pos.payoffs()[seat]
    }
    fn order(&self, pos: &G, m: G::Move) -> i32 {
        (pos.key() % 7) as i32 * pos.code(m) as i32 % 5
    }
    fn range(&self) -> Option<(f32, f32)> {
        Some((0.0, 1.0))
    }
}

fn think<G: Game>(
    prune: Prune,
    table: bool,
    deepening: bool,
    eval: impl Eval<G> + 'static,
    pos: &G,
    depth: u32,
) -> Report<G::Move> {
    let table_rule = TableRule::Exact;
    let config = ExpectimaxConfig { prune, table, table_rule, deepening, ..Default::default() };
    let mut player = Expectimax::new(&config, Box::new(eval));
    player.think(pos, &mut Task::new(Limits::depth(depth))).unwrap()
}

const STARS: [Prune; 4] = [
    Prune::Star1,
    Prune::Star2 { probes: 1 },
    Prune::Star2 { probes: 3 },
    Prune::Star2 { probes: 99 },
];

/// The value is that of the plain search, the move is worth it, the others are no better.
fn agrees<G: Game>(plain: &Report<G::Move>, star: &Report<G::Move>, about: &str) {
    assert!((plain.value - star.value).abs() < 1e-6, "{about}: {} {}", plain.value, star.value);
    let value = |m: G::Move| plain.lines.iter().find(|l| l.mv == m).unwrap().value;
    assert!((value(star.best) - plain.value).abs() < 1e-6, "{about}");
    for line in &star.lines {
        let exact = value(line.mv);
        match line.bound == Bound::Upper {
            true => assert!(exact <= line.value + 1e-6, "{about}: {exact} {}", line.value),
            false => assert!((exact - line.value).abs() < 1e-6, "{about}"),
        }
    }
}

fn tree(seed: u64) -> Hashed {
    HashedOptions {
        seed,
        players: 1 + (seed % 3) as u8,
        chance: [60, 120, 200][seed as usize % 3],
        branching: (2, 5),
        transpositions: (seed / 4).is_multiple_of(2),
        levels: 7,
        ..Default::default()
    }
    .root()
}

#[test]
fn synthetic_trees_have_the_value_of_the_plain_search() {
    let mut saved = [0i64; 4];
    for seed in 0..300 {
        let root = tree(seed);
        for depth in 1..=6 {
            let plain = think(Prune::None, false, false, Bounded, &root, depth);
            for (star, saved) in STARS.into_iter().zip(&mut saved) {
                for (table, deepening) in [(false, false), (true, false), (true, true)] {
                    let found = think(star, table, deepening, Bounded, &root, depth);
                    agrees::<Hashed>(&plain, &found, &format!("{seed} {depth} {star:?} {table}"));
                    if !table {
                        *saved += plain.nodes as i64 - found.nodes as i64;
                    }
                }
            }
        }
    }
    // Three probes of two to five moves in no order are a search of nearly everything twice.
    assert!(saved[0] > 0 && saved[1] > 0, "{saved:?}");
}

#[test]
fn real_games_have_the_value_of_the_plain_search() {
    let mut rng = Rng::new(4);
    for start in 0..6 {
        let mut pig = Pig::new(2, 30).unwrap();
        pig.playout(4 + 3 * start, &mut rng, &mut Vec::new());
        while pig.turn() == Turn::Chance {
            let m = pig.random_move(&mut rng, &mut Vec::new()).unwrap();
            pig.play(m);
        }
        for depth in 1..7 {
            let plain = think(Prune::None, false, false, Bounded, &pig, depth);
            for star in STARS {
                let found = think(star, true, true, Bounded, &pig, depth);
                agrees::<Pig>(&plain, &found, &format!("{pig} {depth} {star:?}"));
            }
        }
    }
}

/// Move, draw, move: what one turn of looking ahead is in Carcassonne.
#[test]
fn carcassonne_is_pruned_to_a_part() {
    let options = Options { order: Order::Hidden, tiles: Some("EUVLBRST"), ..Options::default() };
    let mut rng = Rng::new(2);
    let (mut plain_nodes, mut star_nodes) = (0, 0);
    for plies in [1, 5, 9] {
        let mut game = Carcassonne::new(&options).unwrap();
        game.playout(plies, &mut rng, &mut Vec::new());
        while game.turn() == Turn::Chance && !game.is_over() {
            let m = game.random_move(&mut rng, &mut Vec::new()).unwrap();
            game.play(m);
        }
        if game.is_over() {
            continue;
        }
        let plain = think(Prune::None, false, false, Chances, &game, 3);
        plain_nodes += plain.nodes;
        for star in STARS {
            let found = think(star, false, true, Chances, &game, 3);
            agrees::<Carcassonne>(&plain, &found, &format!("{game} {star:?}"));
            if star == (Prune::Star2 { probes: 3 }) {
                star_nodes += found.nodes;
            }
        }
    }
    assert!(star_nodes < plain_nodes, "{star_nodes} of {plain_nodes}");
}
