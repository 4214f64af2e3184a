//! The parts of Monte-Carlo tree search: proofs, hybrids, choices, playouts, the kept tree.
#![allow(clippy::unwrap_used)]

mod chance;
mod lion;
mod manner;
mod parts;
mod proofs;
mod prover;
mod reuse;

use spielbaum_core::param::{Preset, resolve};
use spielbaum_core::{Game, Limits, NamedEval, Player, Proof, Report, Task, TwoPlayer};
use spielbaum_search::spec::{MCTS, PLAYERS, two_player};

/// The player of a specification.
fn player<G: TwoPlayer>(spec: &str, evals: &'static [NamedEval<G>]) -> Box<dyn Player<G>> {
    let args = resolve(spec, "player", PLAYERS).unwrap();
    two_player(&args, evals).unwrap().unwrap_or_else(|e| panic!("{e}"))
}

fn think<G: TwoPlayer>(spec: &str, pos: &G, iterations: u64, seed: u64) -> Report<G::Move> {
    let mut player = player(spec, &[]);
    player.restart(seed);
    player.think(pos, &mut Task::new(Limits::iterations(iterations))).unwrap()
}

/// The settings that prove.
fn proving() -> impl Iterator<Item = &'static str> {
    let proves = |p: &&Preset| p.sets.contains(&("solver", "true"));
    MCTS.presets.iter().filter(proves).map(|p| p.name)
}

fn legal<G: Game>(pos: &G) -> Vec<G::Move> {
    let mut moves = Vec::new();
    pos.moves(&mut moves);
    moves
}

fn after<G: Game>(pos: &G, m: G::Move) -> G {
    let mut next = pos.clone();
    next.play(m);
    next
}

/// The exact payoff of a seat, by looking at everything.
fn exact<G: TwoPlayer>(pos: &G, seat: usize) -> f32 {
    let values = legal(pos).into_iter().map(|m| exact(&after(pos, m), seat));
    let best = if pos.turn().player() == Some(seat) { f32::max } else { f32::min };
    values.reduce(best).unwrap_or_else(|| pos.payoffs()[seat])
}

/// Whether a proof agrees with an exact payoff.
fn agrees(proof: Proof, payoff: f32) -> bool {
    payoff
        == match proof {
            Proof::Win => 1.0,
            Proof::Draw => 0.5,
            Proof::Loss => 0.0,
        }
}
