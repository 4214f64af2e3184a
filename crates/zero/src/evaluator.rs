//! Who judges new positions of a search: a network or a playout.

use spielbaum_core::{Game, Payoffs, Rng};

/// A position to be judged, and the judgement.
pub struct Leaf<G: Game> {
    /// The position; its judge may play on in it, if it is not asked for again.
    pub pos: G,
    /// Its legal moves, in the order of the game.
    pub moves: Vec<G::Move>,
    /// Random bits of the game that asks, so that no judgement depends on its neighbours.
    pub luck: u64,
    /// A probability for each move.
    pub priors: Vec<f32>,
    /// What each seat may expect.
    pub payoffs: Payoffs,
    /// Plays that the judge has made on a board.
    pub plays: u64,
}

/// A list of positions that keeps its memory.
pub struct Leaves<G: Game> {
    all: Vec<Leaf<G>>,
    used: usize,
}

impl<G: Game> Default for Leaves<G> {
    fn default() -> Self {
        Leaves { all: Vec::new(), used: 0 }
    }
}

impl<G: Game> Leaves<G> {
    /// How many there are.
    pub fn len(&self) -> usize {
        self.used
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.used == 0
    }

    /// Forgets all.
    pub fn clear(&mut self) {
        self.used = 0;
    }

    /// One more, at a position.
    pub fn push(&mut self, pos: &G) -> &mut Leaf<G> {
        match self.all.get_mut(self.used) {
            Some(leaf) => leaf.pos.clone_from(pos),
            None => self.all.push(Leaf {
                pos: pos.clone(),
                moves: Vec::new(),
                luck: 0,
                priors: Vec::new(),
                payoffs: Payoffs::default(),
                plays: 0,
            }),
        }
        self.used += 1;
        &mut self.all[self.used - 1]
    }

    /// Forgets the last one.
    pub fn pop(&mut self) {
        self.used = self.used.saturating_sub(1);
    }

    /// All of them.
    pub fn filled(&mut self) -> &mut [Leaf<G>] {
        &mut self.all[..self.used]
    }
}

/// Judges positions: fills priors, payoffs and plays.
pub trait Evaluator<G: Game>: Send {
    /// Judges each of the positions, in which a player is to move. What a position gets depends
    /// on the position and its luck alone. An error says why there is no judgement.
    fn judge(&mut self, leaves: &mut [Leaf<G>]) -> Result<(), String>;

    /// Whether it can judge positions of the game of this one; the error says why not.
    fn fits(&mut self, _pos: &G) -> Result<(), String> {
        Ok(())
    }

    /// Memory held, in bytes.
    fn bytes(&self) -> usize {
        0
    }
}

/// Uniform priors, and one random game to the end as value: with it PUCT is the gomoku paper's
/// UCT.
#[derive(Clone, Copy, Debug, Default)]
pub struct Playouts;

impl<G: Game> Evaluator<G> for Playouts {
    fn judge(&mut self, leaves: &mut [Leaf<G>]) -> Result<(), String> {
        let mut scratch = Vec::new();
        for leaf in leaves {
            leaf.priors.clear();
            leaf.priors.resize(leaf.moves.len(), 1.0 / leaf.moves.len() as f32);
            // The position itself is needed again when the node grows.
            let mut pos = leaf.pos.clone();
            let mut rng = Rng::new(leaf.luck);
            leaf.plays = u64::from(pos.playout(u32::MAX, &mut rng, &mut scratch));
            leaf.payoffs = pos.payoffs();
        }
        Ok(())
    }
}

/// Another judge's priors, and of its value a part replaced by the mean of random games: in a
/// lost position they tell where a fallible opponent is most likely to go wrong, which a good
/// network cannot.
pub struct Mixed<E> {
    /// The other judge.
    pub judge: E,
    /// Random games for each position.
    pub playouts: u32,
    /// Their part of the value.
    pub part: f32,
}

/// Replaces a part of what judged positions are worth by the mean of so many random games.
pub(crate) fn play_out<G: Game>(leaves: &mut [Leaf<G>], playouts: u32, part: f32) {
    let mut scratch = Vec::new();
    for leaf in leaves {
        let mut rng = Rng::new(Rng::split(leaf.luck, 1));
        let mut sum = Payoffs::default();
        for _ in 0..playouts {
            let mut pos = leaf.pos.clone();
            leaf.plays += u64::from(pos.playout(u32::MAX, &mut rng, &mut scratch));
            sum.iter_mut().zip(pos.payoffs()).for_each(|(sum, payoff)| *sum += payoff);
        }
        for (payoff, sum) in leaf.payoffs.iter_mut().zip(sum) {
            *payoff += part * (sum / playouts.max(1) as f32 - *payoff);
        }
    }
}

impl<G: Game, E: Evaluator<G>> Evaluator<G> for Mixed<E> {
    fn judge(&mut self, leaves: &mut [Leaf<G>]) -> Result<(), String> {
        self.judge.judge(leaves)?;
        play_out(leaves, self.playouts, self.part);
        Ok(())
    }

    fn fits(&mut self, pos: &G) -> Result<(), String> {
        self.judge.fits(pos)
    }

    fn bytes(&self) -> usize {
        self.judge.bytes()
    }
}
