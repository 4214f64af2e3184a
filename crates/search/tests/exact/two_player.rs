//! Alpha-beta against plain minimax.

use crate::oracle::{after, check_position, check_report, configs, moves, score_of};
use spielbaum_core::synthetic::{Duel, Hashed, HashedEval, HashedOptions, Literal};
use spielbaum_core::{Eval, Game, Limits, Player, Proof, Rng, Task};
use spielbaum_search::alphabeta::{AlphaBeta, AlphaBetaConfig};
use spielbaum_search::minimax::negamax;
use spielbaum_search::score;

/// A tree of random shape.
fn hashed(rng: &mut Rng, transpositions: bool) -> Duel<Hashed> {
    let least = 1 + rng.below(3) as u8;
    HashedOptions {
        seed: rng.next(),
        branching: (least, least + rng.below(4) as u8),
        depth: 2 + rng.below(if transpositions { 7 } else { 5 }) as u8,
        ending: [0, 24, 60][rng.below(3)],
        levels: [2, 3, 3, 5][rng.below(4)],
        transpositions,
        ..Default::default()
    }
    .two_player()
}

fn eval(rng: &mut Rng) -> HashedEval {
    HashedEval { seed: rng.next(), spread: [0, 2, 50, 700][rng.below(4)] }
}

#[test]
fn hashed_trees() {
    let mut rng = Rng::new(1);
    for i in 0..3000 {
        let root = hashed(&mut rng, i % 2 == 0);
        let eval = eval(&mut rng);
        check_position(&root, || Box::new(eval), 1 + rng.below(7) as u32, true);
    }
}

#[test]
fn a_game_with_one_table() {
    // The table lives on from move to move, and what it knows must still be right.
    let mut rng = Rng::new(2);
    for i in 0..300 {
        let mut pos = hashed(&mut rng, i % 4 != 0);
        let eval = eval(&mut rng);
        let mut players: Vec<_> =
            configs().into_iter().map(|c| (AlphaBeta::new(&c, Box::new(eval)), c)).collect();
        while !pos.is_over() {
            let depth = 1 + rng.below(5) as u32;
            for (player, config) in &mut players {
                let report = player.think(&pos, &mut Task::new(Limits::depth(depth))).unwrap();
                check_report(&pos, &eval, depth, config, &report, player.score(), true);
            }
            let legal = moves(&pos);
            pos.play(legal[rng.below(legal.len())]);
        }
    }
}

/// A random tree as text.
fn literal(rng: &mut Rng, depth: usize) -> String {
    if depth == 0 || rng.below(5) == 0 {
        return ["1", "0", "=", "=", "0.25", "0.9"][rng.below(6)].into();
    }
    let children: Vec<String> = (0..1 + rng.below(4)).map(|_| literal(rng, depth - 1)).collect();
    format!("({})", children.join(" "))
}

#[test]
fn literal_trees() {
    let mut rng = Rng::new(3);
    for _ in 0..1500 {
        let text = format!("({} {})", literal(&mut rng, 4), literal(&mut rng, 4));
        let game = Literal::two_player(&text).unwrap();
        let eval = eval(&mut rng);
        check_position(&game, || Box::new(eval), 1 + rng.below(6) as u32, true);
    }
}

const FLAT: HashedEval = HashedEval { seed: 0, spread: 0 };

fn think(text: &str, depth: u32) -> (spielbaum_core::Report<String>, i32) {
    let game = Literal::two_player(text).unwrap();
    let mut player = AlphaBeta::new(&AlphaBetaConfig::default(), Box::new(FLAT));
    let report = player.think(&game, &mut Task::new(Limits::depth(depth))).unwrap();
    (report.map(ToString::to_string), player.score())
}

#[test]
fn a_quick_win_is_better_and_a_slow_loss_too() {
    let (report, score) = think("((((1))) (1) =)", 9);
    assert_eq!((report.best.as_str(), score), ("2", score::WIN - 2));
    assert_eq!(report.pv, ["2", "1"]);
    let (report, score) = think("((0) ((0 (0)) (0)))", 9);
    assert_eq!((report.best.as_str(), report.proven), ("2", Some(Proof::Loss)));
    assert_eq!(score, 3 - score::WIN);
}

#[test]
fn a_proof_ends_the_search() {
    let (report, _) = think("((= (1 0)) (0 1))", 200);
    assert_eq!((report.proven, report.depth), (Some(Proof::Draw), 3));
    let (report, _) = think("((= (1 (= 0))) ((((((1)))))))", 3);
    assert_eq!((report.proven, report.depth), (None, 3));
    // An uneven share is no win, draw or loss, but the end all the same.
    let (report, score) = think("(0.75 (0.5 0.25))", 200);
    assert_eq!((report.proven, report.depth, score), (None, 2, 500));
    assert_eq!(report.value, 0.75);
    // A sure loss is proven move by move, a sure draw need not be.
    let (report, _) = think("(0 (0 1) =)", 200);
    assert_eq!(report.lines.iter().filter(|l| l.proven == Some(Proof::Loss)).count(), 2);
}

#[test]
fn one_legal_move_takes_one_ply() {
    let (report, score) = think("(((1 0) (= =)))", 50);
    assert_eq!((report.depth, report.nodes, report.best.as_str()), (1, 1, "1"));
    assert_eq!((score, report.value, report.proven), (0, 0.5, None));
}

#[test]
fn only_admitted_moves_are_searched() {
    let mut rng = Rng::new(4);
    for _ in 0..300 {
        let root = hashed(&mut rng, true);
        let eval = eval(&mut rng);
        let legal = moves(&root);
        let only: Vec<_> = legal.iter().copied().filter(|_| rng.below(2) == 0).collect();
        let admitted = if only.is_empty() { &legal } else { &only };
        let depth = 1 + rng.below(5) as u32;
        for config in configs() {
            let mut player = AlphaBeta::new(&config, Box::new(eval));
            let mut task = Task::new(Limits::depth(depth)).only(&only);
            let report = player.think(&root, &mut task).unwrap();
            let depth = if legal.len() == 1 { 1 } else { depth };
            let best = admitted.iter().map(|&m| score_of(&root, m, depth, &eval)).max();
            assert_eq!(Some(player.score()), best);
            assert_eq!(report.lines.len(), admitted.len());
            assert!(report.lines.iter().all(|l| admitted.contains(&l.mv)));
            let truth = score::proof(negamax(&root, 250, &eval), true);
            assert!(report.proven.is_none() || report.proven == truth);
        }
    }
}

#[test]
fn alpha_beta_prunes_and_the_table_saves() {
    let spend = |config: &AlphaBetaConfig, root: &Duel<Hashed>| {
        let mut player = AlphaBeta::new(config, Box::new(HashedEval { seed: 5, spread: 500 }));
        player.think(root, &mut Task::new(Limits::depth(7))).unwrap().nodes
    };
    let shape = HashedOptions { branching: (5, 5), depth: 8, ending: 0, ..Default::default() };
    let with = AlphaBetaConfig::default();
    let without = AlphaBetaConfig { table: false, ..with };
    let tree = shape.two_player();
    let all: u64 = (1..=7).map(|d| (1..=d).map(|k| 5u64.pow(k)).sum::<u64>()).sum();
    assert!(spend(&without, &tree) * 4 < all, "{} of {all}", spend(&without, &tree));
    let graph = HashedOptions { transpositions: true, depth: 14, ..shape }.two_player();
    assert!(spend(&with, &graph) * 3 < spend(&without, &graph));
}

#[test]
fn evaluations_beyond_the_limit_prove_nothing() {
    #[derive(Clone, Copy)]
    struct Boastful;
    impl Eval<Duel<Hashed>> for Boastful {
        fn eval(&self, pos: &Duel<Hashed>) -> i32 {
            if pos.key().is_multiple_of(2) { i32::MAX } else { i32::MIN }
        }
    }
    let shape = HashedOptions { levels: 3, ending: 0, depth: 6, ..Default::default() };
    for seed in 0..50 {
        let root = HashedOptions { seed, ..shape }.two_player();
        check_position(&root, || Box::new(Boastful), 4, true);
        let first = moves(&root)[0];
        check_position(&after(&root, first), || Box::new(Boastful), 3, true);
    }
}
