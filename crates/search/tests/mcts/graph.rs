//! The transposition graph against the one of a textbook, and what it does at its limits.

use spielbaum_core::param::resolve;
use spielbaum_core::synthetic::{Duel, Hashed, HashedOptions, Literal};
use spielbaum_core::{Game, Limits, Meter, Payoffs, Player, Report, Rng, Stop, Task, Turn, check};
use spielbaum_games::xiangqi::{Rules, Xiangqi};
use spielbaum_search::bandit::{Bandit, Scale};
use spielbaum_search::graph::{End, Graph};
use spielbaum_search::mcts::{Mcts, MctsConfig, Store};
use spielbaum_search::spec::{PLAYERS, two_player};
use spielbaum_search::trace::Unseen;
use spielbaum_search::tree::{Expansion, Order};
use std::collections::HashMap;

/// An entry as the paper has it: its playouts, and for each move playouts and payoffs.
struct Entry<M> {
    playouts: u32,
    moves: Vec<(M, u32, f64)>,
}

/// The paper's search, recursive, on a map by keys.
struct Textbook<G: Game> {
    entries: HashMap<u64, Entry<G::Move>>,
    /// Keys of the line from the root.
    line: Vec<u64>,
    circles: u32,
    order: Order,
    c: f32,
}

impl<G: Game> Textbook<G> {
    fn simulate(&mut self, pos: &mut G, rng: &mut Rng) -> Payoffs {
        if pos.is_over() {
            return pos.payoffs();
        }
        let key = pos.key();
        let Some(entry) = self.entries.get(&key) else {
            let mut moves = Vec::new();
            pos.moves(&mut moves);
            let moves = moves.into_iter().map(|m| (m, 0, 0.0)).collect();
            self.entries.insert(key, Entry { playouts: 1, moves });
            pos.playout(u32::MAX, rng, &mut Vec::new());
            return pos.payoffs();
        };
        if self.line.iter().filter(|&&k| k == key).count() == 2 {
            self.circles += 1;
            return pos.payoffs();
        }
        self.line.push(key);
        let moves = &entry.moves;
        let index = match pos.turn() {
            Turn::Chance => rng.pick_weighted(moves, |m| pos.weight(m.0)),
            Turn::Player(_) => {
                let untried: Vec<usize> = (0..moves.len()).filter(|&i| moves[i].1 == 0).collect();
                let tried = moves.len() - untried.len();
                match self.order {
                    Order::Generation if !untried.is_empty() => untried[0],
                    // Tried moves stand first, in the order in which they were tried.
                    Order::Random if !untried.is_empty() => tried + rng.below(untried.len()),
                    _ => {
                        let root = (f64::from(entry.playouts).ln()).sqrt() as f32;
                        let bound = |&(_, n, sum): &(G::Move, u32, f64)| {
                            let mean = (sum / f64::from(n)) as f32;
                            mean + self.c * root * (1.0 / f64::from(n).sqrt()) as f32
                        };
                        let mut best = 0;
                        for i in 1..moves.len() {
                            if bound(&moves[i]) > bound(&moves[best]) {
                                best = i;
                            }
                        }
                        best
                    }
                }
            }
        };
        let (turn, m) = (pos.turn(), moves[index].0);
        pos.play(m);
        let payoffs = self.simulate(pos, rng);
        let seat = turn.player().unwrap_or(0);
        let entry = self.entries.get_mut(&key).unwrap();
        entry.playouts += 1;
        // Found again, for the way may have come by here twice.
        let mut index = entry.moves.iter().position(|e| e.0 == m).unwrap();
        if entry.moves[index].1 == 0 {
            let tried = entry.moves.iter().filter(|e| e.1 > 0).count();
            entry.moves.swap(index, tried);
            index = tried;
        }
        let (_, n, sum) = &mut entry.moves[index];
        *n += 1;
        *sum += f64::from(payoffs[seat]);
        payoffs
    }
}

fn compare<G: Game>(root: &G, order: Order, simulations: u32) -> (usize, u32) {
    let c = 0.8;
    let bandit = Bandit::new(c.into(), Scale::Unit);
    let mut graph = Graph::growing(1 << 28, Expansion::One, order);
    graph.plant(root, |_| true);
    let mut book = Textbook { entries: HashMap::new(), line: Vec::new(), circles: 0, order, c };
    let mut moves = Vec::new();
    root.moves(&mut moves);
    let moves = moves.into_iter().map(|m| (m, 0, 0.0)).collect();
    book.entries.insert(root.key(), Entry { playouts: 0, moves });
    let (mut a, mut b) = (Rng::new(11), Rng::new(11));
    let mut meter = Meter::new(Limits::default(), Stop::new());
    for simulation in 0..simulations {
        let mut pos = root.clone();
        let end = graph.descend(&mut pos, &bandit, &mut Unseen, &mut a, &mut meter);
        if end == End::Open {
            pos.playout(u32::MAX, &mut a, &mut Vec::new());
        }
        graph.backup(&pos.payoffs(), &bandit);
        book.line.clear();
        let payoffs = book.simulate(&mut root.clone(), &mut b);
        assert_eq!(payoffs, pos.payoffs(), "simulation {simulation}");
        let root_moves = &book.entries[&root.key()].moves;
        for line in graph.root_moves() {
            let &(_, n, sum) = root_moves.iter().find(|e| e.0 == line.mv).unwrap();
            assert_eq!((line.visits, line.mean), (n.into(), sum / f64::from(n)), "{simulation}");
        }
    }
    assert_eq!(a.next(), b.next(), "both have used as many random numbers");
    (book.entries.len(), book.circles)
}

#[test]
fn the_graph_equals_a_textbook_graph() {
    for seed in 0..6 {
        for (players, chance) in [(2, 0), (3, 0), (2, 60)] {
            let options = HashedOptions {
                seed,
                players,
                chance,
                branching: (1, 9),
                depth: 8,
                transpositions: true,
                ..Default::default()
            };
            let root = options.root();
            let order = if chance == 0 { Order::Random } else { Order::Generation };
            compare(&root, order, 2000);
        }
    }
}

/// Chariots and generals alone: ways meet and go in circles.
const CIRCLES: &str = "3k5/9/9/9/9/9/9/9/4K4/9 w - - 0 1";

#[test]
fn ways_in_circles_equal_those_of_the_textbook() {
    let rules = Rules { plies: 60, ..Rules::PAPER };
    let root = Xiangqi::new(rules).parse(CIRCLES).unwrap();
    let (entries, circles) = compare(&root, Order::Generation, 3000);
    assert!(circles > 100 && entries < 200, "{circles} circles among {entries} positions");
    // From the start circles are rare, but ways meet.
    compare(&Xiangqi::new(rules), Order::Generation, 3000);
}

fn graph() -> MctsConfig {
    MctsConfig { store: Store::Graph, reuse: true, ..MctsConfig::default() }
}

fn think<G: Game>(player: &mut impl Player<G>, pos: &G, iterations: u64) -> Report<G::Move> {
    player.think(pos, &mut Task::new(Limits::iterations(iterations))).unwrap()
}

/// Where no two ways meet, a graph is a tree.
#[test]
fn without_transpositions_it_plays_as_the_tree() {
    for seed in 0..20 {
        let root = HashedOptions { seed, depth: 8, branching: (2, 6), ..Default::default() }.root();
        for expansion in [Expansion::One, Expansion::All] {
            let tree = MctsConfig { expansion, ..MctsConfig::default() };
            let graph = MctsConfig { store: Store::Graph, ..tree.clone() };
            let a = think(&mut Mcts::new(&tree, seed), &root, 1000);
            let b = think(&mut Mcts::new(&graph, seed), &root, 1000);
            assert_eq!((a.lines, a.pv, a.nodes), (b.lines, b.pv, b.nodes), "{seed}");
        }
    }
}

/// Nothing is lost between moves, observed or not, and simulations come on top.
#[test]
fn visits_carry_over_whatever_is_played() {
    let start = Xiangqi::new(Rules::PAPER);
    let total = |r: &Report<_>| r.lines.iter().map(|l| l.visits).sum::<u64>();
    let mut player = Mcts::new(&graph(), 3);
    let first = think(&mut player, &start, 3000);
    assert_eq!(total(&first), 3000);
    for line in &first.lines {
        let next = crate::after(&start, line.mv);
        let known = total(&think(&mut player, &next, 10));
        // Its own first visit has no move below; ways from elsewhere may have led here too.
        assert!(known >= line.visits - 1 + 10, "{}: {known} of {}", line.mv, line.visits);
    }
    // Searches below have told the root nothing: nobody came through it.
    assert_eq!(total(&think(&mut player, &start, 1)), 3001);
    player.restart(3);
    assert_eq!(think(&mut player, &start, 3000).lines, first.lines);
}

#[test]
fn a_graph_at_its_memory_limit_says_what_it_did() {
    let start = Xiangqi::new(Rules::PAPER);
    let memory = 1 << 20;
    let mut player = Mcts::new(&MctsConfig { memory, ..graph() }, 3);
    let first = think(&mut player, &start, 20_000);
    assert!(first.note.unwrap().contains("stopped growing"));
    assert!(player.bytes() <= memory + 4096, "{}", player.bytes());
    let mut pos = start;
    pos.play(first.best);
    pos.play(first.pv[1]);
    let second = think(&mut player, &pos, 100);
    let note = second.note.unwrap();
    assert!(note.contains("positions kept"), "{note}");
    let kept: u64 = second.lines.iter().map(|l| l.visits).sum();
    assert!(kept > 100, "what can still come up stays: {kept}");
    assert!(think(&mut Mcts::new(&graph(), 3), &pos, 100).note.is_none());
}

#[test]
fn a_restarted_player_with_a_graph_equals_a_fresh_one() {
    let options = HashedOptions {
        chance: 40,
        depth: 9,
        ending: 0,
        transpositions: true,
        ..Default::default()
    };
    for (memory, iterations) in [(1 << 30, 300), (1 << 15, 3000)] {
        let make = |seed| {
            let mut player = Mcts::<Hashed>::new(&MctsConfig { memory, ..graph() }, 0);
            player.restart(seed);
            Box::new(player) as Box<dyn Player<Hashed>>
        };
        let limits = Limits::iterations(iterations);
        check::player(&options.root(), limits, &check::Options::quick(), make).unwrap();
    }
}

/// A choice among some of the moves leaves nothing behind.
#[test]
fn root_moves_can_be_restricted() {
    let game = Literal::two_player("((1 0) (1 1) (0 0))").unwrap();
    let mut moves = Vec::new();
    game.moves(&mut moves);
    let mut player = Mcts::new(&graph(), 1);
    let mut task = Task::new(Limits::iterations(50)).only(&moves[..1]);
    let report = player.think(&game, &mut task).unwrap();
    assert_eq!((report.best, report.lines.len()), (moves[0], 1));
    let report = think(&mut player, &game, 200);
    assert_eq!((report.best, report.lines.len()), (moves[1], 3));
}

#[test]
fn proofs_on_a_graph_are_refused() {
    let args = resolve("mcts-solver:store=graph", "player", PLAYERS).unwrap();
    let error = two_player::<Duel<Literal>>(&args, &[]).unwrap().err().unwrap().to_string();
    assert!(error.contains("nothing is proven on a graph"), "{error}");
    for name in ["uct-xiangqi", "ppa", "ppap", "ppaf", "ppafp", "mast", "mastf"] {
        let full = resolve(name, "player", PLAYERS).unwrap().full();
        assert!(full.contains("store=graph") && full.contains("reuse=true"), "{full}");
    }
}
