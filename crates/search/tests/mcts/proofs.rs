//! The solver on synthetic trees: no falsehood, everything in the end, the paper's bookkeeping.

use crate::{agrees, exact, legal, player, proving, think};
use spielbaum_core::synthetic::{Duel, Hashed, HashedOptions, Literal};
use spielbaum_core::{Game, Limits, Player, Proof, Task};
use spielbaum_search::bandit::Scale;
use spielbaum_search::mcts::{Mcts, MctsConfig};
use spielbaum_search::tree::Solver;

fn tree(seed: u64) -> Duel<Hashed> {
    HashedOptions {
        seed,
        branching: [(1, 3), (2, 4), (2, 7)][seed as usize % 3],
        depth: 2 + (seed % 5) as u8,
        levels: [2, 3, 3, 5][seed as usize % 4],
        transpositions: seed.is_multiple_of(7),
        ..HashedOptions::default()
    }
    .two_player()
}

fn check_proofs(spec: &str, root: &Duel<Hashed>, iterations: u64, seed: u64) -> Option<Proof> {
    let report = think(spec, root, iterations, seed);
    let seat = root.turn().player().unwrap();
    if let Some(proof) = report.proven {
        let value = exact(root, seat);
        assert!(agrees(proof, value), "{spec} on {:?}: {proof:?}, not {value}", root.inner());
        assert!(agrees(proof, report.value), "{spec}: {} is not {proof:?}", report.value);
        assert_eq!(exact(&crate::after(root, report.best), seat), value, "the best move keeps it");
    }
    for line in &report.lines {
        if let Some(proof) = line.proven {
            let value = exact(&crate::after(root, line.mv), seat);
            assert!(agrees(proof, value), "{spec} on {:?} {}", root.inner(), line.mv);
            assert_eq!(line.value, value);
        }
    }
    report.proven
}

/// Every variant at every stage of a search, on a thousand trees each.
#[test]
fn nothing_false_is_ever_proven() {
    let others = [
        "mcts-solver:expansion=all",
        "mcts-solver:select=puct,expansion=all",
        "mcts-solver:select=ucb1-tuned,c=1,order=generation",
        "mcts-ms:in-selection=minimax(depth=4,threshold=3)",
        "mcts-mb:in-backup=minimax(depth=1)",
        "mcts-mb:in-backup=minimax(depth=6),in-selection=minimax(depth=1,threshold=2)",
        "mcts-solver:final=max,nodes=300",
    ];
    let specs: Vec<&str> = proving().filter(|n| *n != "mcts-mr-code").chain(others).collect();
    for seed in 0..7_000 {
        let spec = specs[seed as usize % specs.len()];
        check_proofs(spec, &tree(seed), 1 << (seed % 11), seed);
    }
}

/// Where there are no draws: a proven draw stays in the race and takes its share of simulations.
#[test]
fn everything_is_proven_in_the_end() {
    for seed in 0..500 {
        let root = tree(seed);
        if root.inner().options().levels > 2 {
            continue;
        }
        for spec in ["mcts-solver", "mcts-mr", "mcts-ms", "mcts-mb", "mcts-solver:expansion=all"] {
            let proof = check_proofs(spec, &root, 200_000, seed);
            assert!(proof.is_some(), "{spec} on {:?}", root.inner());
        }
    }
}

/// The same search with a larger budget begins alike, so what was proven stays proven.
#[test]
fn proofs_are_never_taken_back() {
    for seed in 0..60 {
        let root = tree(3 * seed + 2);
        let mut proven: Vec<(u16, Proof)> = Vec::new();
        for iterations in (1..40).map(|i| 5 * i) {
            let report = think("mcts-mb", &root, iterations, seed);
            let now: Vec<_> =
                report.lines.iter().filter_map(|l| Some((l.mv.0, l.proven?))).collect();
            assert!(proven.iter().all(|p| now.contains(p)), "{proven:?} then {now:?}");
            proven = now;
        }
    }
}

/// Root: move 1 leads to a node whose mover wins at once, move 2 to a draw.
///
/// The entry into node 1 on its second visit proves it without a playout and without counting
/// as a visit; the root takes an ordinary loss for it and never goes there again.
#[test]
fn a_proven_loss_counts_once_and_is_left_alone() {
    let game = Literal::two_player("((1 0) (= (= (= =))))").unwrap();
    let config = MctsConfig { c: 1.0, scale: Scale::Signed, ..MctsConfig::default() };
    for seed in 0..20 {
        let think = |iterations| {
            let mut search = Mcts::new(&config, seed).solving(Solver::new());
            search.think(&game, &mut Task::new(Limits::iterations(iterations))).unwrap()
        };
        let first = think(2);
        assert_eq!(first.lines.iter().map(|l| l.visits).collect::<Vec<_>>(), [1, 1]);
        assert!(first.lines.iter().all(|l| l.proven.is_none()));
        let last = think(1000);
        assert_eq!(last.proven, Some(Proof::Draw));
        assert_eq!((last.best.0, last.value), (1, 0.5));
        assert!(last.iterations < 30, "{}", last.iterations);
        let lost = &last.lines[1];
        assert_eq!((lost.mv.0, lost.proven, lost.value), (0, Some(Proof::Loss), 0.0));
        // Its playout was lucky or not: if not, the draw was preferred and the proof came late.
        assert!(lost.visits <= 2, "{}", lost.visits);
    }
}

/// The backup of the solver, worked by hand: a node is lost only when the last of its moves is.
#[test]
fn a_node_is_lost_when_all_its_moves_are() {
    // The first player has three moves; the second wins at once after each.
    let game = Literal::two_player("((1 0) (0 1) (0 =))").unwrap();
    let report = think("mcts-solver:order=generation", &game, 1000, 1);
    assert_eq!(report.proven, Some(Proof::Loss));
    // Three first contacts, three proofs, nothing else.
    assert_eq!(report.iterations, 6);
    assert!(report.lines.iter().all(|l| l.proven == Some(Proof::Loss) && l.visits == 1));
    assert_eq!(report.value, 0.0);
}

#[test]
fn a_winning_move_needs_no_simulation() {
    let game = Literal::two_player("(0 (1 0) 1 =)").unwrap();
    for spec in proving().filter(|n| *n != "mcts-mr-code") {
        let report = think(spec, &game, 100, 1);
        assert_eq!((report.best.0, report.proven, report.value), (2, Some(Proof::Win), 1.0));
        assert_eq!(report.iterations, 0);
    }
}

/// Between two losing moves nothing is said about the moves that were not admitted.
#[test]
fn with_moves_left_out_only_a_win_is_the_positions() {
    let game = Literal::two_player("(1 (1 0) (0 1) ((0 1) (1 (= 1))))").unwrap();
    let moves = legal(&game);
    let mut search = player("mcts-solver", &[]);
    let report =
        search.think(&game, &mut Task::new(Limits::iterations(500)).only(&moves[1..3])).unwrap();
    assert_eq!(report.proven, None);
    assert!(report.lines.iter().all(|l| l.proven == Some(Proof::Loss)));
    assert!(report.iterations < 500, "it stops all the same");
    let mut task = Task::new(Limits::iterations(500)).only(&moves[..2]);
    assert_eq!(search.think(&game, &mut task).unwrap().proven, Some(Proof::Win));
}

/// The principal variation of a proven result is a way that has it.
#[test]
fn a_proven_line_ends_as_proven() {
    for seed in 0..300 {
        let root = tree(seed);
        let report = think("mcts-solver", &root, 20_000, seed);
        let seat = root.turn().player().unwrap();
        if report.proven == Some(Proof::Win) {
            let mut pos = root;
            for &m in &report.pv {
                assert!(legal(&pos).contains(&m));
                pos.play(m);
                assert_eq!(exact(&pos, seat), 1.0);
            }
        }
    }
}
