//! The shallow search against one that looks at everything, and the choices made with it.

use crate::{after, legal};
use spielbaum_core::synthetic::{HashedOptions, Literal};
use spielbaum_core::{Game, Limits, Meter, Proof, Rng, Stop, TwoPlayer};
use spielbaum_games::lion::Lion;
use spielbaum_search::prover::Prover;

fn meter(limits: Limits) -> Meter {
    Meter::new(limits, Stop::new())
}

/// Whether the seat to move wins (1) or loses (-1) within so many plies, if the last ply is
/// only asked for wins.
fn plain<G: TwoPlayer>(pos: &G, seat: usize, depth: u32) -> i32 {
    let moves = legal(pos);
    if moves.is_empty() {
        let payoff = pos.payoffs()[seat];
        return if depth < 2 { 0 } else { i32::from(payoff == 1.0) - i32::from(payoff == 0.0) };
    }
    let wins = |m: &G::Move| {
        let next = after(pos, *m);
        next.is_over() && next.payoffs()[seat] == 1.0
    };
    match depth {
        _ if moves.iter().any(wins) => 1,
        0 | 1 => 0,
        _ => moves.iter().map(|&m| -plain(&after(pos, m), seat ^ 1, depth - 1)).max().unwrap(),
    }
}

#[test]
fn the_prover_equals_a_plain_search() {
    let mut prover = Prover::new();
    for seed in 0..2000 {
        let options = HashedOptions {
            seed,
            branching: (1, 4),
            depth: 6,
            ending: 60,
            levels: 2 + (seed % 3) as u8,
            ..Default::default()
        };
        let mut root = options.two_player();
        for depth in 1..=6 {
            let proof = prover.prove(&mut root, depth, &mut meter(Limits::default()));
            let value = proof.map_or(0, |p| if p == Proof::Win { 1 } else { -1 });
            assert_eq!(value, plain(&root, 0, depth), "{options:?} depth {depth}");
            // A spent budget may hide a result but never invents one.
            let mut short = meter(Limits::nodes(1 + seed % 9));
            let hasty = prover.prove(&mut root, depth, &mut short);
            assert!(hasty.is_none() || hasty == proof);
            assert!(short.nodes() <= 1 + seed % 9);
        }
    }
}

#[test]
fn equals_are_drawn_fairly() {
    // Moves 1, 3 and 5 are equally good, 2 and 4 lose to the reply.
    let mut game = Literal::two_player("((= =) (0 1) (= 1) (1 0) ((1 0) =))").unwrap();
    let (mut prover, mut rng) = (Prover::new(), Rng::new(5));
    let mut counts = [0u32; 5];
    for _ in 0..9000 {
        let m = prover.choose(&mut game, 2, &mut rng, &mut meter(Limits::default()));
        counts[usize::from(m.unwrap().0)] += 1;
    }
    assert_eq!((counts[1], counts[3]), (0, 0));
    for n in [counts[0], counts[2], counts[4]] {
        assert!((2800..3200).contains(&n), "{counts:?}");
    }
}

/// Depth 2 on real positions: it takes a win, and walks into a loss only if every way does.
#[test]
fn looking_two_plies_ahead_avoids_what_can_be_avoided() {
    let (mut prover, mut rng) = (Prover::new(), Rng::new(1));
    let is_lost = |pos: &Lion| {
        pos.winning_move(&mut Vec::new()).is_some()
            || pos.is_over() && pos.payoffs()[pos.turn().player().unwrap()] == 1.0
    };
    let mut dangers = 0;
    for _ in 0..300 {
        let mut pos = Lion::default();
        for _ in 0..rng.below(20) {
            if let Some(m) = pos.random_move(&mut rng, &mut Vec::new()) {
                pos.play(m);
            }
        }
        let Some(m) = prover.choose(&mut pos, 2, &mut rng, &mut meter(Limits::default())) else {
            continue;
        };
        let moves = legal(&pos);
        assert!(moves.contains(&m));
        if let Some(wins) = pos.winning_move(&mut Vec::new()) {
            assert_eq!(m, wins);
            continue;
        }
        let safe = moves.iter().filter(|&&m| !is_lost(&after(&pos, m))).count();
        dangers += usize::from(safe > 0 && safe < moves.len());
        assert!(safe == 0 || !is_lost(&after(&pos, m)), "{pos} {m}");
    }
    assert!(dangers > 50, "{dangers}");
}
