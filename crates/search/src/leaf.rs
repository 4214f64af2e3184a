//! What a simulation thinks of the position where it leaves the tree.

use crate::policy::Policy;
use crate::trace::Trace;
use spielbaum_core::{Eval, Game, Meter, Payoffs, Reward, Rng};

/// Estimates the rewards from a position. Called once for each simulation, so it may be `dyn`.
pub trait Leaf<G: Game>: Send {
    /// The rewards of all seats. May play on in `pos`, which is the caller's working copy,
    /// and counts the plays it makes.
    fn evaluate(&mut self, pos: &mut G, rng: &mut Rng, meter: &mut Meter) -> Payoffs;

    /// The rewards where a simulation ends before its game does, as after the last move of a
    /// playout: the position is settled as it stands.
    fn settle(&mut self, pos: &G) -> Payoffs {
        pos.payoffs()
    }

    /// A search from this position begins.
    fn begin(&mut self, _root: &G) {}

    /// Another game begins: what was learned is forgotten.
    fn restart(&mut self) {}

    /// Where the decisions on the way through the tree are written before
    /// [`evaluate`](Leaf::evaluate), for leaves that learn from them.
    fn trace(&mut self) -> Option<&mut Trace> {
        None
    }

    /// Memory held, in bytes.
    fn bytes(&self) -> usize {
        0
    }
}

/// The game is finished by moves of a policy.
pub struct Playout<G: Game, P> {
    policy: P,
    reward: Reward,
    cutoff: u32,
    scratch: Vec<G::Move>,
}

impl<G: Game, P: Policy<G>> Playout<G, P> {
    /// Playouts of at most `cutoff` moves; beyond that the position is settled as it stands.
    pub fn new(policy: P, reward: Reward, cutoff: Option<u32>) -> Self {
        Playout { policy, reward, cutoff: cutoff.unwrap_or(u32::MAX), scratch: Vec::new() }
    }
}

impl<G: Game, P: Policy<G>> Leaf<G> for Playout<G, P> {
    fn evaluate(&mut self, pos: &mut G, rng: &mut Rng, meter: &mut Meter) -> Payoffs {
        self.policy.finish(pos, self.cutoff, rng, meter, &mut self.scratch);
        self.reward.of(pos)
    }

    fn settle(&mut self, pos: &G) -> Payoffs {
        self.reward.of(pos)
    }
}

/// The game goes on by moves of a policy for a while, or not at all; then an evaluation judges.
pub struct Judged<G: Game, P> {
    policy: P,
    eval: Box<dyn Eval<G>>,
    cutoff: u32,
    scratch: Vec<G::Move>,
}

impl<G: Game, P: Policy<G>> Judged<G, P> {
    /// Playouts of at most `cutoff` moves, then what each seat may
    /// [expect](Eval::expected).
    pub fn new(policy: P, eval: Box<dyn Eval<G>>, cutoff: Option<u32>) -> Self {
        Judged { policy, eval, cutoff: cutoff.unwrap_or(u32::MAX), scratch: Vec::new() }
    }
}

impl<G: Game, P: Policy<G>> Leaf<G> for Judged<G, P> {
    fn evaluate(&mut self, pos: &mut G, rng: &mut Rng, meter: &mut Meter) -> Payoffs {
        self.policy.finish(pos, self.cutoff, rng, meter, &mut self.scratch);
        self.settle(pos)
    }

    fn settle(&mut self, pos: &G) -> Payoffs {
        let mut expected = Payoffs::default();
        for (seat, value) in expected.iter_mut().enumerate().take(pos.players()) {
            *value = self.eval.expected(pos, seat);
        }
        expected
    }
}
