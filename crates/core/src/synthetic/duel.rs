//! The two-player versions of the synthetic games.

use crate::{Game, MAX_PLAYERS, ParseError, Payoffs, Rng, Turn, TwoPlayer};
use std::fmt;

/// A synthetic game known to be [`TwoPlayer`]. Only the constructors that guarantee it
/// ([`Literal::two_player`](super::Literal::two_player),
/// [`HashedOptions::two_player`](super::HashedOptions::two_player)) make one, so a search for two
/// players cannot be handed a tree with chance by mistake.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Duel<G>(pub(super) G);

impl<G> Duel<G> {
    /// The game without the guarantee.
    pub fn inner(&self) -> &G {
        &self.0
    }
}

impl<G: Game> TwoPlayer for Duel<G> {}

impl<G: Game> Game for Duel<G> {
    type Move = G::Move;

    fn turn(&self) -> Turn {
        self.0.turn()
    }

    fn moves(&self, out: &mut Vec<Self::Move>) {
        self.0.moves(out);
    }

    fn play(&mut self, m: Self::Move) {
        self.0.play(m);
    }

    fn payoffs(&self) -> Payoffs {
        self.0.payoffs()
    }

    fn key(&self) -> u64 {
        self.0.key()
    }

    fn code(&self, m: Self::Move) -> usize {
        self.0.code(m)
    }

    fn codes(&self) -> usize {
        self.0.codes()
    }

    fn parse(&self, text: &str) -> Result<Self, ParseError> {
        self.0.parse(text).map(Duel)
    }

    fn scores(&self) -> Option<[i32; MAX_PLAYERS]> {
        self.0.scores()
    }

    fn pattern(&self, m: Self::Move) -> u64 {
        self.0.pattern(m)
    }

    fn patterns(&self) -> usize {
        self.0.patterns()
    }

    fn is_over(&self) -> bool {
        self.0.is_over()
    }

    fn count_moves(&self) -> usize {
        self.0.count_moves()
    }

    fn random_move(&self, rng: &mut Rng, scratch: &mut Vec<Self::Move>) -> Option<Self::Move> {
        self.0.random_move(rng, scratch)
    }

    fn explore<R>(&mut self, m: Self::Move, f: impl FnOnce(&mut Self) -> R) -> R {
        let mut next = self.clone();
        next.0.play(m);
        f(&mut next)
    }
}

impl<G: fmt::Display> fmt::Display for Duel<G> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}
