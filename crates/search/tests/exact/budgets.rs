//! Budgets of alpha-beta: exact, reproducible, in time.

use crate::oracle::{configs, moves, score_of, timeless};
use spielbaum_core::synthetic::{Duel, Hashed, HashedEval, HashedOptions};
use spielbaum_core::{Game, Limits, Player, Report, Rng, Stop, Task};
use spielbaum_search::alphabeta::{AlphaBeta, AlphaBetaConfig};
use std::time::{Duration, Instant};

const EVAL: HashedEval = HashedEval { seed: 3, spread: 90 };

fn player(config: &AlphaBetaConfig) -> AlphaBeta<Duel<Hashed>> {
    AlphaBeta::new(config, Box::new(EVAL))
}

fn think<G: spielbaum_core::TwoPlayer>(
    player: &mut AlphaBeta<G>,
    pos: &G,
    limits: Limits,
) -> Report<G::Move> {
    player.think(pos, &mut Task::new(limits)).unwrap()
}

fn tree(seed: u64, transpositions: bool) -> Duel<Hashed> {
    let branching = (2, 5);
    HashedOptions { seed, branching, depth: 12, transpositions, levels: 5, ..Default::default() }
        .two_player()
}

/// A tree nobody finishes.
fn endless() -> Duel<Hashed> {
    HashedOptions { branching: (6, 9), depth: 200, ending: 0, ..Default::default() }.two_player()
}

#[test]
fn depth_budgets_are_exact() {
    for config in configs() {
        for depth in 0..6 {
            let report = think(&mut player(&config), &endless(), Limits::depth(depth));
            assert_eq!((report.depth, report.iterations), (depth, u64::from(depth)));
            let iterations = Limits::iterations(u64::from(depth));
            let same = think(&mut player(&config), &endless(), iterations);
            assert_eq!(timeless(&same), timeless(&report));
        }
    }
}

#[test]
fn node_budgets_are_exact_and_reproducible() {
    let mut rng = Rng::new(1);
    for i in 0..40 {
        let root = tree(i, i % 2 == 0);
        let nodes = 1 + rng.below(if i % 3 == 0 { 30 } else { 3000 }) as u64;
        for config in configs() {
            let whole = think(&mut player(&config), &root, Limits::depth(12));
            let report = think(&mut player(&config), &root, Limits::nodes(nodes));
            assert_eq!(report.nodes, nodes.min(whole.nodes));
            assert_eq!(report.lines.iter().map(|l| l.visits).sum::<u64>(), report.nodes);
            let again = think(&mut player(&config), &root, Limits::nodes(nodes));
            assert_eq!(timeless(&report), timeless(&again));
            assert!(moves(&root).contains(&report.best));
        }
    }
}

#[test]
fn an_unfinished_depth_counts_only_where_it_found_better() {
    let mut rng = Rng::new(2);
    let mut improved = 0;
    for i in 0..400 {
        let root = tree(1000 + i, i % 2 == 0);
        let limits = Limits::nodes(20 + rng.below(1500) as u64);
        for config in configs() {
            let strict = AlphaBetaConfig { partial: false, ..config.clone() };
            let report = think(&mut player(&strict), &root, limits);
            if report.depth == 0 {
                continue;
            }
            let mut finisher = player(&strict);
            let finished = think(&mut finisher, &root, Limits::depth(report.depth));
            assert_eq!((report.best, report.value), (finished.best, finished.value));
            assert_eq!(report.pv, finished.pv);

            let mut hasty = player(&config);
            let partial = think(&mut hasty, &root, limits);
            assert_eq!((partial.depth, partial.nodes), (report.depth, report.nodes));
            assert_eq!(partial.pv[0], partial.best);
            if partial.best != report.best {
                improved += 1;
                let deeper = report.depth + 1;
                let new = score_of(&root, partial.best, deeper, &EVAL);
                assert_eq!(hasty.score(), new);
                assert!(new > score_of(&root, report.best, deeper, &EVAL));
            }
        }
    }
    assert!(improved > 50, "only {improved} searches improved");
}

#[test]
fn a_search_of_one_node_answers() {
    for config in configs() {
        let report = think(&mut player(&config), &endless(), Limits::nodes(1));
        assert_eq!((report.nodes, report.depth, report.lines[0].visits), (1, 0, 1));
        assert_eq!(report.value, report.lines[0].value);
    }
}

#[test]
fn a_stop_is_obeyed_at_once() {
    let root = endless();
    for config in configs() {
        let stop = Stop::new();
        stop.set();
        let mut task = Task::stoppable(Limits::default(), stop.clone());
        let report = player(&config).think(&root, &mut task).unwrap();
        assert_eq!((report.nodes, report.depth), (0, 0));
        assert!(moves(&root).contains(&report.best));

        stop.clear();
        let mut task = Task::stoppable(Limits::default(), stop.clone());
        let (report, late) = std::thread::scope(|scope| {
            let stopped = scope.spawn(|| {
                std::thread::sleep(Duration::from_millis(30));
                stop.set();
                Instant::now()
            });
            let report = player(&config).think(&root, &mut task).unwrap();
            (report, stopped.join().unwrap().elapsed())
        });
        assert!(late < Duration::from_millis(60), "{late:?} after the stop");
        assert!(report.depth > 2);
    }
}

#[test]
fn time_is_kept() {
    let mut worst = Duration::ZERO;
    for config in configs() {
        for ms in [0, 5, 25] {
            let budget = Duration::from_millis(ms);
            let report = think(&mut player(&config), &endless(), Limits::time(budget));
            assert!(report.elapsed >= budget);
            worst = worst.max(report.elapsed - budget);
        }
    }
    // Generous, for machines that do other things as well.
    assert!(worst < Duration::from_millis(60), "{worst:?} too late");
}

#[test]
fn a_restarted_player_is_a_fresh_one() {
    for config in configs() {
        let mut used = player(&config);
        for seed in 0..40 {
            used.restart(seed);
            let mut fresh = player(&config);
            let mut pos = tree(seed, seed % 2 == 0);
            while !pos.is_over() {
                let limits = Limits::nodes(50 + 100 * (seed % 7));
                let (a, b) = (think(&mut used, &pos, limits), think(&mut fresh, &pos, limits));
                assert_eq!(timeless(&a), timeless(&b));
                assert_eq!(used.bytes(), fresh.bytes());
                pos.play(a.best);
            }
        }
    }
}

#[test]
fn live_reports_follow_the_depths() {
    let root = endless();
    let mut depths = Vec::new();
    let mut last = None;
    let mut sink = |report: &Report<_>| {
        depths.push(report.depth);
        last = Some(timeless(report));
    };
    let mut task = Task::new(Limits::depth(5)).live(&mut sink);
    let report = player(&AlphaBetaConfig::default()).think(&root, &mut task).unwrap();
    depths.dedup();
    assert_eq!(depths, [1, 2, 3, 4, 5]);
    assert_eq!(last, Some(timeless(&report)));

    let mut stamps = Vec::new();
    let mut sink = |report: &Report<_>| stamps.push(report.elapsed);
    let mut task = Task::new(Limits::time(Duration::from_millis(700))).live(&mut sink);
    player(&AlphaBetaConfig::default()).think(&root, &mut task).unwrap();
    let gap = stamps.windows(2).map(|w| w[1] - w[0]).max().unwrap();
    assert!(gap < Duration::from_millis(300), "{gap:?} without a word");
}

#[test]
fn tables_keep_to_their_memory() {
    let config = AlphaBetaConfig { memory: 1 << 16, ..Default::default() };
    let mut player = player(&config);
    assert_eq!(player.bytes(), 0);
    think(&mut player, &endless(), Limits::nodes(200_000));
    assert_eq!(player.bytes(), 1 << 16);
    player.restart(0);
    assert_eq!(player.bytes(), 0);
}
