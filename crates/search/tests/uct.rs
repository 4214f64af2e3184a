//! Monte-Carlo tree search against exact values, and its bookkeeping.
#![allow(clippy::unwrap_used)]

use spielbaum_core::synthetic::{Hashed, HashedOptions, Literal};
use spielbaum_core::{Game, Limits, Meter, Payoffs, Player, Report, Rng, Stop, Task, Turn, check};
use spielbaum_search::bandit::{Bandit, Scale};
use spielbaum_search::mcts::{Mcts, MctsConfig};
use spielbaum_search::tree::Tree;
use std::time::{Duration, Instant};

fn uct<G: Game>(pos: &G, limits: Limits, seed: u64) -> Report<G::Move> {
    Mcts::new(&MctsConfig::default(), seed).think(pos, &mut Task::new(limits)).unwrap()
}

/// Exact values by max^n and expectation, written without any of the searches.
fn exact<G: Game>(pos: &G) -> [f64; 5] {
    let mut moves = Vec::new();
    pos.moves(&mut moves);
    if moves.is_empty() {
        return pos.payoffs().map(f64::from);
    }
    let after = |m| {
        let mut next = pos.clone();
        next.play(m);
        exact(&next)
    };
    match pos.turn() {
        Turn::Player(seat) => {
            let values = moves.iter().map(|&m| after(m));
            values.reduce(|a, b| if b[seat as usize] > a[seat as usize] { b } else { a }).unwrap()
        }
        Turn::Chance => {
            let total: f64 = moves.iter().map(|&m| f64::from(pos.weight(m))).sum();
            let mut mean = [0.0; 5];
            for &m in &moves {
                let share = f64::from(pos.weight(m)) / total;
                mean.iter_mut().zip(after(m)).for_each(|(a, v)| *a += share * v);
            }
            mean
        }
    }
}

/// How much worse the chosen move is than the best one, for the player to move.
fn regret<G: Game>(pos: &G, m: G::Move) -> f64 {
    let seat = pos.turn().player().unwrap();
    let mut next = pos.clone();
    next.play(m);
    exact(pos)[seat] - exact(&next)[seat]
}

/// The smallest difference between the best and the second best move, over all decisions.
/// Where it is tiny, the mover takes long to find out, and meanwhile the others are misled.
fn clarity<G: Game>(pos: &G) -> f64 {
    let mut moves = Vec::new();
    pos.moves(&mut moves);
    let mut values = Vec::new();
    let mut least = f64::INFINITY;
    for &m in &moves {
        let mut next = pos.clone();
        next.play(m);
        least = least.min(clarity(&next));
        if let Turn::Player(seat) = pos.turn() {
            values.push(exact(&next)[seat as usize]);
        }
    }
    values.sort_by(|a, b| b.total_cmp(a));
    if values.len() > 1 { least.min(values[0] - values[1]) } else { least }
}

#[test]
fn converges_on_trees_with_chance_and_one_to_five_players() {
    for players in 1..=5 {
        for chance in [0, 90] {
            let trees = (0..).map(|seed| {
                let options = HashedOptions {
                    seed,
                    players,
                    chance,
                    levels: 17,
                    branching: (2, 3),
                    depth: 4,
                    ..HashedOptions::default()
                };
                options.root()
            });
            // With ties the value of a game of several players is not unique.
            let clear = trees.filter(|root: &Hashed| players <= 2 || clarity(root) > 0.1);
            for (seed, root) in clear.take(12).enumerate() {
                let report = uct(&root, Limits::iterations(50_000), seed as u64);
                let seat = root.turn().player().unwrap();
                let lost = regret(&root, report.best);
                let options = root.options();
                assert!(lost < 0.03, "{options:?}: {} loses {lost}", report.best);
                let gap = (f64::from(report.value) - exact(&root)[seat]).abs();
                assert!(gap < 0.06, "{options:?}: value {} is off by {gap}", report.value);
            }
        }
    }
}

#[test]
fn scores_of_any_size_are_searched_on_the_observed_scale() {
    // One player: a sure 700 points against a gamble worth 500 and a sure loss of 100.
    let game = Literal::new(1, "([700] ?(1:[1000] 1:[0]) [-100])").unwrap();
    let report = uct(&game, Limits::iterations(500), 1);
    assert_eq!(report.best.to_string(), "1");
    assert_eq!(report.value, 700.0);
    assert!(report.lines[0].visits < 490, "the others are explored too: {:?}", report.lines);
}

#[test]
fn visits_and_nodes_add_up() {
    let root = HashedOptions { players: 3, chance: 60, depth: 6, ..Default::default() }.root();
    for iterations in [1, 2, 3, 10, 1000, 5000] {
        let report = uct(&root, Limits::iterations(iterations), 5);
        assert_eq!(report.iterations, iterations);
        assert_eq!(report.lines.iter().map(|l| l.visits).sum::<u64>(), iterations);
        assert!(report.nodes >= iterations && report.nodes <= iterations * 6);
        assert_eq!(report.lines[0].mv, report.best);
        assert_eq!(report.pv[0], report.best);
        let mut pos = root;
        for &m in &report.pv {
            let mut legal = Vec::new();
            pos.moves(&mut legal);
            assert!(legal.contains(&m));
            pos.play(m);
        }
    }
}

#[test]
fn node_budgets_end_with_the_simulation_that_reaches_them() {
    let root = HashedOptions { depth: 9, ending: 0, ..Default::default() }.root();
    for nodes in [1, 10, 100, 1234, 20_000] {
        let report = uct(&root, Limits::nodes(nodes), 2);
        assert!(report.nodes >= nodes && report.nodes < nodes + 9, "{} of {nodes}", report.nodes);
        assert_eq!(report.nodes, uct(&root, Limits::nodes(nodes), 2).nodes);
    }
}

#[test]
fn a_depth_limit_keeps_the_tree_flat() {
    let root = HashedOptions { depth: 9, ending: 0, ..Default::default() }.root();
    let limits = Limits { depth: Some(1), ..Limits::iterations(500) };
    let report = uct(&root, limits, 2);
    assert_eq!(report.depth, 1);
    assert_eq!(report.pv.len(), 1);
    assert!(uct(&root, Limits::iterations(500), 2).depth > 3);
}

#[test]
fn root_moves_can_be_restricted() {
    let game = Literal::two_player("(1 0 =)").unwrap();
    let mut moves = Vec::new();
    game.moves(&mut moves);
    let mut task = Task::new(Limits::iterations(50)).only(&moves[1..]);
    let report = Mcts::new(&MctsConfig::default(), 1).think(&game, &mut task).unwrap();
    assert_eq!(report.best, moves[2]);
    assert_eq!(report.lines.len(), 2);
}

#[test]
fn the_tree_stops_growing_at_its_memory_limit_and_says_so() {
    let root =
        HashedOptions { branching: (8, 12), depth: 12, ending: 0, ..Default::default() }.root();
    let memory = 1 << 20;
    let config = MctsConfig { memory, ..MctsConfig::default() };
    let mut player = Mcts::new(&config, 3);
    let report = player.think(&root, &mut Task::new(Limits::iterations(100_000))).unwrap();
    assert_eq!(report.iterations, 100_000);
    assert!(player.bytes() <= memory && player.bytes() > memory / 2, "{}", player.bytes());
    assert!(report.note.unwrap().contains("memory limit"));
    assert!(uct(&root, Limits::iterations(100), 3).note.is_none());
}

#[test]
fn a_restarted_player_equals_a_fresh_one() {
    let root = HashedOptions { chance: 40, depth: 7, ..Default::default() }.root();
    // At the memory limit too, where what earlier searches left must not matter.
    for (memory, iterations) in [(1 << 30, 300), (1 << 15, 3000)] {
        let config = MctsConfig { memory, ..MctsConfig::default() };
        let make = |seed| {
            let mut player = Mcts::<Hashed>::new(&config, 0);
            player.restart(seed);
            Box::new(player) as Box<dyn Player<Hashed>>
        };
        let limits = Limits::iterations(iterations);
        check::player(&root, limits, &check::Options::quick(), make).unwrap();
    }
}

#[test]
fn a_stopped_search_answers_at_once_and_time_is_kept() {
    let root =
        HashedOptions { depth: 60, ending: 0, branching: (2, 9), ..Default::default() }.root();
    let stop = Stop::new();
    let mut task = Task::stoppable(Limits::default(), stop.clone());
    let started = Instant::now();
    let handle = std::thread::spawn(move || {
        std::thread::sleep(Duration::from_millis(50));
        stop.set();
        Instant::now()
    });
    let report = Mcts::new(&MctsConfig::default(), 3).think(&root, &mut task).unwrap();
    let answered = Instant::now();
    let asked = handle.join().unwrap();
    // Generous: the machine that runs the tests may be busy.
    assert!(answered - asked < Duration::from_millis(100), "{:?}", answered - asked);
    assert!(report.iterations > 0 && answered > started);

    let report = uct(&root, Limits::time(Duration::from_millis(60)), 3);
    assert!(report.elapsed >= Duration::from_millis(60));
    assert!(report.elapsed < Duration::from_millis(160), "{:?}", report.elapsed);
}

#[test]
fn live_reports_flow_while_the_search_runs() {
    let root = HashedOptions { depth: 30, ending: 0, ..Default::default() }.root();
    let mut seen = Vec::new();
    let mut sink = |r: &Report<_>| seen.push(r.iterations);
    let mut task = Task::new(Limits::time(Duration::from_millis(450))).live(&mut sink);
    Mcts::new(&MctsConfig::default(), 3).think(&root, &mut task).unwrap();
    assert!(seen.len() >= 2 && seen.is_sorted(), "{seen:?}");
}

/// The same search on a tree of boxes, as a textbook writes it.
struct Plain<M> {
    moves: Option<Vec<M>>,
    children: Vec<Plain<M>>,
    visits: u32,
    sum: f64,
    mover: usize,
}

impl<M: Copy + Eq> Plain<M> {
    fn new(mover: usize) -> Self {
        Plain { moves: None, children: Vec::new(), visits: 0, sum: 0.0, mover }
    }

    fn simulate<G: Game<Move = M>>(&mut self, mut pos: G, c: f32, rng: &mut Rng) -> Payoffs {
        let is_leaf = self.moves.is_none() && self.visits == 0;
        let payoffs = if is_leaf || pos.is_over() {
            pos.playout(u32::MAX, rng, &mut Vec::new());
            pos.payoffs()
        } else {
            let moves = self.moves.get_or_insert_with(|| {
                let mut moves = Vec::new();
                pos.moves(&mut moves);
                moves
            });
            let tried = self.children.len();
            let (i, mover) = match pos.turn() {
                Turn::Chance => (rng.pick_weighted(moves, |&m| pos.weight(m)), self.mover),
                Turn::Player(seat) if tried < moves.len() => {
                    (tried + rng.below(moves.len() - tried), seat as usize)
                }
                Turn::Player(seat) => {
                    let root = (f64::from(self.visits).ln()).sqrt() as f32;
                    let bound = |n: &Plain<M>| {
                        let mean = (n.sum / f64::from(n.visits)) as f32;
                        mean + c * root * (1.0 / f64::from(n.visits).sqrt()) as f32
                    };
                    let mut best = 0;
                    for i in 1..tried {
                        if bound(&self.children[i]) > bound(&self.children[best]) {
                            best = i;
                        }
                    }
                    (best, seat as usize)
                }
            };
            let i = if i >= tried {
                moves.swap(i, tried);
                self.children.push(Plain::new(mover));
                tried
            } else {
                i
            };
            pos.play(moves[i]);
            self.children[i].simulate(pos, c, rng)
        };
        self.visits += 1;
        self.sum += f64::from(payoffs[self.mover]);
        payoffs
    }
}

#[test]
fn the_arena_equals_a_tree_of_boxes() {
    for (seed, chance) in [(1, 0), (2, 50), (3, 120)] {
        let options = HashedOptions {
            seed,
            players: 3,
            chance,
            branching: (1, 20),
            depth: 6,
            ..Default::default()
        };
        let root = options.root();
        let mut plain = Plain::new(0);
        // The root is open from the start.
        let mut moves = Vec::new();
        root.moves(&mut moves);
        plain.moves = Some(moves);
        let mut tree = Tree::new(1 << 26);
        tree.plant(&root, |_| true);
        let bandit = Bandit::new(0.8, Scale::Unit);
        let (mut a, mut b) = (Rng::new(11), Rng::new(11));
        let mut meter = Meter::new(Limits::default(), Stop::new());
        for _ in 0..5000 {
            let mut pos = root;
            tree.descend(&mut pos, &bandit, &mut a, &mut meter);
            pos.playout(u32::MAX, &mut a, &mut Vec::new());
            tree.backup(&pos.payoffs(), &bandit);
            plain.simulate(root, 0.8, &mut b);
        }
        let moves = plain.moves.as_ref().unwrap();
        assert_eq!(tree.root_moves().count(), moves.len());
        for (line, (m, node)) in tree.root_moves().zip(moves.iter().zip(&plain.children)) {
            assert_eq!((line.mv, line.visits), (*m, u64::from(node.visits)));
            assert_eq!(line.mean, node.sum / f64::from(node.visits));
        }
        assert_eq!(a.next(), b.next(), "both have used as many random numbers");
    }
}
