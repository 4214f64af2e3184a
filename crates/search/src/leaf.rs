//! What a simulation thinks of the position where it leaves the tree.

use spielbaum_core::{Game, Meter, Payoffs, Reward, Rng};

/// Estimates the rewards from a position. Called once for each simulation, so it may be `dyn`.
pub trait Leaf<G: Game>: Send {
    /// The rewards of all seats. May play on in `pos`, which is the caller's working copy,
    /// and counts the plays it makes.
    fn evaluate(&mut self, pos: &mut G, rng: &mut Rng, meter: &mut Meter) -> Payoffs;
}

/// Uniformly random moves to the end of the game.
pub struct UniformPlayout<G: Game> {
    reward: Reward,
    cutoff: u32,
    scratch: Vec<G::Move>,
}

impl<G: Game> UniformPlayout<G> {
    /// Playouts of at most `cutoff` moves; beyond that the position is settled as it stands.
    pub fn new(reward: Reward, cutoff: Option<u32>) -> Self {
        UniformPlayout { reward, cutoff: cutoff.unwrap_or(u32::MAX), scratch: Vec::new() }
    }
}

impl<G: Game> Leaf<G> for UniformPlayout<G> {
    fn evaluate(&mut self, pos: &mut G, rng: &mut Rng, meter: &mut Meter) -> Payoffs {
        let plies = pos.playout(self.cutoff, rng, &mut self.scratch);
        meter.plays(u64::from(plies));
        self.reward.of(pos)
    }
}
