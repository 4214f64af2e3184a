//! The tree kept between moves.

use spielbaum_core::synthetic::{Hashed, HashedOptions};
use spielbaum_core::{Game, Limits, Player, Report, Rng, Task, Turn, check};
use spielbaum_games::gomoku::Gomoku;
use spielbaum_games::pig::Pig;
use spielbaum_search::mcts::{Mcts, MctsConfig};
use spielbaum_search::tree::{Expansion, Solver};

fn kept() -> MctsConfig {
    MctsConfig { reuse: true, ..MctsConfig::default() }
}

fn think<G: Game>(player: &mut impl Player<G>, pos: &G, iterations: u64) -> Report<G::Move> {
    player.think(pos, &mut Task::new(Limits::iterations(iterations))).unwrap()
}

fn visits<M>(report: &Report<M>) -> u64 {
    report.lines.iter().map(|l| l.visits).sum()
}

/// The visits below a played move are those that the search had counted for it (its own first
/// one has no move below), and new simulations come on top.
#[test]
fn visits_carry_over() {
    for chance in [0, 100] {
        for expansion in [Expansion::One, Expansion::All] {
            for seed in 0..40 {
                let options =
                    HashedOptions { seed, chance, depth: 9, ending: 0, ..Default::default() };
                let root = options.root();
                let mut search = Mcts::new(&MctsConfig { expansion, ..kept() }, seed);
                let before = think(&mut search, &root, 500);
                let played = &before.lines[seed as usize % before.lines.len()];
                search.observe(&root, played.mv);
                let mut pos = root;
                pos.play(played.mv);
                if pos.turn() == Turn::Chance {
                    continue;
                }
                let after = think(&mut search, &pos, 100);
                assert_eq!(after.iterations, 100);
                assert_eq!(visits(&after), played.visits - 1 + 100, "{options:?}");
            }
        }
    }
}

/// A whole game with chance: the tree is followed through outcomes and replies, and the search
/// is never smaller than a new one.
#[test]
fn the_tree_follows_a_game_through_chance() {
    let start = Pig::new(2, 20).unwrap();
    let mut rng = Rng::new(2);
    let mut search = Mcts::new(&kept(), 1);
    let (mut pos, mut larger, mut asked) = (start, 0, 0);
    while !pos.is_over() {
        let m = if pos.turn() == Turn::Chance {
            pos.random_move(&mut rng, &mut Vec::new()).unwrap()
        } else {
            let report = think(&mut search, &pos, 400);
            assert!(visits(&report) >= 400);
            larger += u32::from(visits(&report) > 400);
            asked += 1;
            report.best
        };
        search.observe(&pos, m);
        pos.play(m);
    }
    assert!(asked > 3 && larger + 1 >= asked, "{larger} of {asked}");
}

/// Without a node for the move, or in a position that no observed move led to.
#[test]
fn a_move_that_was_not_seen_begins_anew() {
    let start = Gomoku::new(15, 15, 5).unwrap();
    let mut search = Mcts::new(&kept(), 1);
    think(&mut search, &start, 20);
    // More moves than simulations: some have no node.
    let mut moves = Vec::new();
    start.moves(&mut moves);
    let seen: Vec<_> = think(&mut search, &start, 1).lines.iter().map(|l| l.mv).collect();
    let unseen = moves.into_iter().find(|m| !seen.contains(m)).unwrap();
    search.observe(&start, unseen);
    let mut pos = start;
    pos.play(unseen);
    assert_eq!(visits(&think(&mut search, &pos, 50)), 50);
    // A position from elsewhere does so too.
    assert_eq!(visits(&think(&mut search, &Gomoku::new(15, 15, 5).unwrap(), 50)), 50);
}

/// A kept tree with proofs is as good as a new one: results agree with exact values to the end.
#[test]
fn proofs_survive_the_move() {
    for seed in 0..300 {
        let root = HashedOptions { seed, depth: 7, ..Default::default() }.two_player();
        let mut search =
            Mcts::new(&kept(), seed).solving(Solver::new().in_selection_at(3, 2).in_backup(2));
        let mut pos = root;
        let mut rng = Rng::new(seed);
        while !pos.is_over() {
            let report = think(&mut search, &pos, 40);
            let seat = pos.turn().player().unwrap();
            for line in &report.lines {
                let exact = crate::exact(&crate::after(&pos, line.mv), seat);
                assert!(line.proven.is_none_or(|p| crate::agrees(p, exact)), "{seed} {}", line.mv);
            }
            if let Some(proof) = report.proven {
                assert!(crate::agrees(proof, crate::exact(&pos, seat)), "{seed}");
            }
            // Not always the best, so that lost and drawn branches are kept too.
            let m = report.lines[rng.below(report.lines.len())].mv;
            search.observe(&pos, m);
            pos.play(m);
        }
    }
}

#[test]
fn a_restarted_player_with_a_kept_tree_equals_a_fresh_one() {
    let root = HashedOptions { chance: 40, depth: 9, ending: 0, ..Default::default() }.root();
    let make = |seed| {
        let mut player = Mcts::<Hashed>::new(&kept(), 0);
        player.restart(seed);
        Box::new(player) as Box<dyn Player<Hashed>>
    };
    check::player(&root, Limits::iterations(300), &check::Options::quick(), make).unwrap();
}
