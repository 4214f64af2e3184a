//! Max^n and expectimax against an evaluator that never sees the game: it walks the tree the
//! text was made from.

use crate::oracle::{moves, timeless};
use spielbaum_core::synthetic::{HashedOptions, Literal};
use spielbaum_core::{
    Game, Limits, MAX_PLAYERS, Player, Proof, Reward, Rng, Stop, Task, perft::perft,
};
use spielbaum_search::minimax::{Minimax, MinimaxConfig, maxn, negamax};
use std::time::Duration;

enum Tree {
    Leaf([f32; MAX_PLAYERS]),
    Decision(usize, Vec<Tree>),
    Chance(Vec<(u32, Tree)>),
}

fn random_tree(rng: &mut Rng, players: usize, depth: usize, root: bool) -> Tree {
    if !root && (depth == 0 || rng.below(5) == 0) {
        let levels = [2, 3, 5][rng.below(3)];
        let mut payoffs = [0.0; MAX_PLAYERS];
        payoffs[..players].fill_with(|| rng.below(levels) as f32 / (levels - 1) as f32);
        return Tree::Leaf(payoffs);
    }
    let n = 1 + rng.below(4);
    if !root && rng.below(3) == 0 {
        let outcome = |_| (1 + rng.below(9) as u32, random_tree(rng, players, depth - 1, false));
        return Tree::Chance((0..n).map(outcome).collect());
    }
    let seat = rng.below(players);
    Tree::Decision(seat, (0..n).map(|_| random_tree(rng, players, depth - 1, false)).collect())
}

fn print(tree: &Tree, players: usize) -> String {
    let join = |parts: Vec<String>| parts.join(" ");
    match tree {
        Tree::Leaf(p) => {
            format!("[{}]", join(p[..players].iter().map(ToString::to_string).collect()))
        }
        Tree::Decision(seat, children) => {
            format!("{seat}({})", join(children.iter().map(|c| print(c, players)).collect()))
        }
        Tree::Chance(outcomes) => {
            let each = outcomes.iter().map(|(w, c)| format!("{w}:{}", print(c, players)));
            format!("?({})", join(each.collect()))
        }
    }
}

fn value(tree: &Tree) -> [f64; MAX_PLAYERS] {
    match tree {
        Tree::Leaf(payoffs) => payoffs.map(f64::from),
        Tree::Decision(seat, children) => {
            let mut best = value(&children[0]);
            for child in &children[1..] {
                let next = value(child);
                if next[*seat] > best[*seat] {
                    best = next;
                }
            }
            best
        }
        Tree::Chance(outcomes) => {
            let total: f64 = outcomes.iter().map(|o| f64::from(o.0)).sum();
            let mut mean = [0.0; MAX_PLAYERS];
            for (weight, child) in outcomes {
                let next = value(child);
                for seat in 0..MAX_PLAYERS {
                    mean[seat] += f64::from(*weight) * next[seat];
                }
            }
            mean.map(|sum| sum / total)
        }
    }
}

#[test]
fn literal_trees_of_one_to_five_players_with_chance() {
    let mut rng = Rng::new(1);
    for i in 0..2500 {
        let players = 1 + i % MAX_PLAYERS;
        let tree = random_tree(&mut rng, players, 5, true);
        let text = print(&tree, players);
        let game = Literal::new(players, &text).unwrap();
        let expected = value(&tree);
        assert_eq!(maxn(&game, 99, Reward::Win), expected, "{text}");

        let report = Minimax::default().think(&game, &mut Task::new(Limits::default())).unwrap();
        let seat = game.turn().player().unwrap();
        assert_eq!(report.value, expected[seat] as f32, "{text}");
        let Tree::Decision(_, children) = &tree else { panic!("the root is a decision") };
        for line in &report.lines {
            let child = &children[game.code(line.mv)];
            assert_eq!(line.value, value(child)[seat] as f32, "{text}");
        }
        assert_eq!(report.lines[0].mv, report.best);
        let first = (0..children.len()).find(|&i| value(&children[i])[seat] == expected[seat]);
        assert_eq!(Some(game.code(report.best)), first, "equals keep the first: {text}");
    }
}

#[test]
fn depth_limits_are_exact() {
    let mut rng = Rng::new(2);
    for i in 0..300 {
        let shape = HashedOptions {
            seed: rng.next(),
            players: 1 + (i % 5) as u8,
            chance: [0, 60][rng.below(2)],
            transpositions: rng.below(2) == 0,
            ..Default::default()
        };
        let root = shape.root();
        let depth = 1 + rng.below(5) as u32;
        let report = Minimax::default().think(&root, &mut Task::new(Limits::depth(depth))).unwrap();
        let height = (0..).find(|&d| perft(&root, d + 1) == 0).unwrap();
        assert_eq!(report.depth, depth.min(height));
        let plays = |d: u32| (1..=d).map(|k| perft(&root, k)).sum::<u64>();
        assert_eq!(report.nodes, (1..=report.depth).map(plays).sum::<u64>());
        assert_eq!(report.lines.iter().map(|l| l.visits).sum::<u64>(), report.nodes);
        assert_eq!(report.value, maxn(&root, depth, Reward::Win)[0] as f32);
        // The variation is legal and as long as the search was deep.
        let mut pos = root;
        for &m in &report.pv {
            assert!(moves(&pos).contains(&m));
            pos.play(m);
        }
        assert!(pos.is_over() || report.pv.len() as u32 == depth);
    }
}

#[test]
fn an_unfinished_depth_does_not_count() {
    let mut rng = Rng::new(3);
    for _ in 0..200 {
        let root = HashedOptions { seed: rng.next(), chance: 40, ..Default::default() }.root();
        let nodes = 1 + rng.below(300) as u64;
        let think = |limits| Minimax::default().think(&root, &mut Task::new(limits)).unwrap();
        let report = think(Limits::nodes(nodes));
        assert_eq!(timeless(&report), timeless(&think(Limits::nodes(nodes))));
        let finished = think(Limits::depth(report.depth));
        assert_eq!(report.best, finished.best);
        assert_eq!((report.value, &report.pv), (finished.value, &finished.pv));
        if report.nodes < nodes {
            assert_eq!(timeless(&finished), timeless(&think(Limits::depth(99))));
        } else {
            assert_eq!(report.nodes, nodes);
        }
        assert_eq!(report.lines.iter().map(|l| l.visits).sum::<u64>(), report.nodes);
    }
}

#[test]
fn minimax_for_two_and_for_many_agree() {
    let mut rng = Rng::new(4);
    let eval = spielbaum_core::synthetic::HashedEval { seed: 0, spread: 0 };
    for _ in 0..500 {
        let root = HashedOptions { seed: rng.next(), ..Default::default() }.two_player();
        let score = negamax(&root, 99, &eval);
        let payoff = maxn(&root, 99, Reward::Win)[0];
        assert_eq!(spielbaum_search::score::to_payoff(score), payoff as f32);
        let report = Minimax::default().think(&root, &mut Task::new(Limits::default())).unwrap();
        assert_eq!(report.proven, spielbaum_search::score::proof(score, true));
    }
}

#[test]
fn proofs_need_certainty() {
    let proven = |text: &str, limits| {
        let game = Literal::new(2, text).unwrap();
        Minimax::default().think(&game, &mut Task::new(limits)).unwrap().proven
    };
    let all = Limits::default();
    assert_eq!(proven("(?(1:1 1:1) 0)", all), Some(Proof::Win));
    assert_eq!(proven("(?(1:1 1:0) 0)", all), None, "a coin is no draw");
    assert_eq!(proven("(= 0)", all), Some(Proof::Draw));
    assert_eq!(proven("(0 ?(1:0 2:0))", all), Some(Proof::Loss));
    assert_eq!(proven("((1 0) (1 =))", Limits::depth(1)), None);
    assert_eq!(proven("([1 1] [0 0])", all), None, "not a game of wins and losses");
    let game = Literal::new(2, "(0 1)").unwrap();
    let loss = &moves(&game)[..1];
    let mut task = Task::new(all).only(loss);
    let report = Minimax::default().think(&game, &mut task).unwrap();
    assert_eq!((report.proven, report.lines[0].proven), (None, Some(Proof::Loss)));
}

#[test]
fn rewards_are_what_is_maximised() {
    // Without points, every reward is the payoff.
    let game = Literal::new(3, "([0 1 0] [1 0 0])").unwrap();
    for reward in [Reward::Win, Reward::Margin, Reward::Score] {
        let mut player = Minimax::new(&MinimaxConfig { reward });
        let report = player.think(&game, &mut Task::new(Limits::depth(3))).unwrap();
        assert_eq!((report.best.to_string().as_str(), report.value), ("2", 1.0));
    }
}

#[test]
fn stopped_and_late_searches_answer() {
    let root = HashedOptions {
        branching: (5, 5),
        depth: 200,
        ending: 0,
        chance: 20,
        ..Default::default()
    }
    .root();
    let stop = Stop::new();
    stop.set();
    let mut task = Task::stoppable(Limits::default(), stop);
    let report = Minimax::default().think(&root, &mut task).unwrap();
    assert_eq!((report.nodes, report.depth, report.best), (0, 0, moves(&root)[0]));
    let budget = Duration::from_millis(40);
    let report = Minimax::default().think(&root, &mut Task::new(Limits::time(budget))).unwrap();
    assert!(report.elapsed < budget + Duration::from_millis(60), "{:?}", report.elapsed);
    assert!(report.depth > 3);
}
