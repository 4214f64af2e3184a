//! How playouts choose their moves: one static call for each ply.

use crate::prover::Prover;
use spielbaum_core::{Eval, Game, Meter, Rng, Turn, TwoPlayer};

/// Chooses the moves of playouts.
pub trait Policy<G: Game>: Send {
    /// A move or an outcome of chance; `None` once the game is over.
    fn pick(
        &mut self,
        pos: &mut G,
        rng: &mut Rng,
        meter: &mut Meter,
        scratch: &mut Vec<G::Move>,
    ) -> Option<G::Move>;

    /// Plays to the end of the game, at most `limit` moves, and counts them. When the time is
    /// up, the game is settled as it stands.
    fn finish(
        &mut self,
        pos: &mut G,
        limit: u32,
        rng: &mut Rng,
        meter: &mut Meter,
        scratch: &mut Vec<G::Move>,
    ) {
        for _ in 0..limit {
            let Some(m) = self.pick(pos, rng, meter, scratch) else { break };
            pos.play(m);
            meter.node();
            if meter.is_expired() {
                break;
            }
        }
    }
}

/// Moves between two looks at the clock in a playout.
const LOOK_AFTER: u32 = 1024;

/// Uniformly random moves, by the game's own playout.
#[derive(Clone, Copy, Debug, Default)]
pub struct Uniform;

impl<G: Game> Policy<G> for Uniform {
    #[inline]
    fn pick(
        &mut self,
        pos: &mut G,
        rng: &mut Rng,
        _meter: &mut Meter,
        scratch: &mut Vec<G::Move>,
    ) -> Option<G::Move> {
        pos.random_move(rng, scratch)
    }

    #[inline]
    fn finish(
        &mut self,
        pos: &mut G,
        limit: u32,
        rng: &mut Rng,
        meter: &mut Meter,
        scratch: &mut Vec<G::Move>,
    ) {
        let mut left = limit;
        while left > 0 && !meter.is_expired() {
            let plies = pos.playout(left.min(LOOK_AFTER), rng, scratch);
            meter.plays(u64::from(plies));
            if plies < LOOK_AFTER {
                break;
            }
            left -= plies;
        }
    }
}

/// "Win if you can": a move that wins at once, if there is one, else what `otherwise` picks
/// (decisive moves, Teytaud and Teytaud 2010).
#[derive(Clone, Copy, Debug, Default)]
pub struct Decisive<P> {
    /// Picks where nothing wins at once.
    pub otherwise: P,
}

impl<G: Game, P: Policy<G>> Policy<G> for Decisive<P> {
    #[inline]
    fn pick(
        &mut self,
        pos: &mut G,
        rng: &mut Rng,
        meter: &mut Meter,
        scratch: &mut Vec<G::Move>,
    ) -> Option<G::Move> {
        match pos.winning_move(scratch) {
            Some(m) => Some(m),
            None => self.otherwise.pick(pos, rng, meter, scratch),
        }
    }
}

/// Of a few moves drawn at random the one that an evaluation would try first; now and then any move.
/// Light: it looks at `draws` moves of a position, however many there are.
pub struct Greedy<G: Game> {
    eval: Box<dyn Eval<G>>,
    draws: u32,
    epsilon: f64,
}

impl<G: Game> Greedy<G> {
    /// The best of so many drawn moves by [`Eval::order`]; with probability `epsilon` the first
    /// drawn.
    pub fn new(eval: Box<dyn Eval<G>>, draws: u32, epsilon: f64) -> Self {
        Greedy { eval, draws: draws.max(1), epsilon }
    }
}

impl<G: Game> Policy<G> for Greedy<G> {
    fn pick(
        &mut self,
        pos: &mut G,
        rng: &mut Rng,
        _meter: &mut Meter,
        scratch: &mut Vec<G::Move>,
    ) -> Option<G::Move> {
        let mut best = pos.random_move(rng, scratch)?;
        if pos.turn() == Turn::Chance || self.draws == 1 || rng.unit() < self.epsilon {
            return Some(best);
        }
        let mut highest = self.eval.order(pos, best);
        for _ in 1..self.draws {
            let Some(m) = pos.random_move(rng, scratch) else { break };
            // A move drawn twice is asked about once.
            if m == best {
                continue;
            }
            let order = self.eval.order(pos, m);
            if order > highest {
                (best, highest) = (m, order);
            }
        }
        Some(best)
    }
}

/// The choice of a shallow win/loss search, a random one of equals: the rollouts of MCTS-MR
/// (Baier and Winands 2014). Once the budget is spent the rest of a playout is random.
pub struct Lookahead<G: Game> {
    prover: Prover<G>,
    depth: u32,
}

impl<G: TwoPlayer> Lookahead<G> {
    /// Looks so many plies ahead.
    pub fn new(depth: u32) -> Self {
        Lookahead { prover: Prover::new(), depth }
    }
}

impl<G: Game> Policy<G> for Lookahead<G> {
    #[inline]
    fn pick(
        &mut self,
        pos: &mut G,
        rng: &mut Rng,
        meter: &mut Meter,
        _scratch: &mut Vec<G::Move>,
    ) -> Option<G::Move> {
        self.prover.choose(pos, self.depth, rng, meter)
    }
}

/// The first best move of a shallow search with an evaluation: the rollouts of the lion paper's
/// program, which are deterministic. Once the budget is spent the rest of a playout is random.
pub struct EvalLookahead<G: Game> {
    prover: Prover<G>,
    depth: u32,
    eval: Box<dyn Eval<G>>,
}

impl<G: TwoPlayer> EvalLookahead<G> {
    /// Looks so many plies ahead, at least one.
    pub fn new(depth: u32, eval: Box<dyn Eval<G>>) -> Self {
        EvalLookahead { prover: Prover::new(), depth: depth.max(1), eval }
    }
}

impl<G: Game> Policy<G> for EvalLookahead<G> {
    fn pick(
        &mut self,
        pos: &mut G,
        rng: &mut Rng,
        meter: &mut Meter,
        scratch: &mut Vec<G::Move>,
    ) -> Option<G::Move> {
        if meter.is_stopped() {
            return pos.random_move(rng, scratch);
        }
        self.prover.choose_by(&*self.eval, pos, self.depth, meter)
    }
}
