//! A game whose chance has been decided beforehand: one of the ways in which it may go.

use spielbaum_core::{Game, MAX_PLAYERS, ParseError, Payoffs, Rng, Turn};
use std::fmt;

/// A position in which the outcomes of chance follow from a seed and are played by themselves.
/// The n-th of them depends on the seed, n and the position alone, as at a table.
///
/// ```
/// use spielbaum_core::{Game, Turn, synthetic::Literal};
/// use spielbaum_search::determined::Determined;
/// let game = Literal::new(1, "(3 ?(9:2 1:20))").unwrap();
/// let mut seen = std::collections::BTreeSet::new();
/// for seed in 0..99 {
///     let mut one = Determined::new(game.clone(), seed);
///     let mut moves = Vec::new();
///     one.moves(&mut moves);
///     one.play(moves[1]);
///     assert!(one.is_over());
///     seen.insert(one.payoffs()[0] as u32);
/// }
/// assert_eq!(seen.into_iter().collect::<Vec<_>>(), [2, 20]);
/// ```
pub struct Determined<G: Game> {
    pos: G,
    seed: u64,
    /// Chance events so far.
    events: u64,
    scratch: Vec<G::Move>,
}

impl<G: Game> Determined<G> {
    /// The position with the chance of a seed.
    pub fn new(pos: G, seed: u64) -> Self {
        let mut determined = Determined { pos, seed, events: 0, scratch: Vec::new() };
        determined.settle();
        determined
    }

    /// Plays what chance decides until a player is to move.
    fn settle(&mut self) {
        while self.pos.turn() == Turn::Chance {
            let mut rng = Rng::new(Rng::split(self.seed, self.events));
            let Some(m) = self.pos.random_move(&mut rng, &mut self.scratch) else { break };
            self.pos.play(m);
            self.events += 1;
        }
    }
}

impl<G: Game> Clone for Determined<G> {
    fn clone(&self) -> Self {
        let (pos, scratch) = (self.pos.clone(), Vec::new());
        Determined { pos, scratch, seed: self.seed, events: self.events }
    }

    /// Keeps the working memory.
    fn clone_from(&mut self, from: &Self) {
        self.pos.clone_from(&from.pos);
        (self.seed, self.events) = (from.seed, from.events);
    }
}

impl<G: Game> fmt::Display for Determined<G> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.pos.fmt(f)
    }
}

impl<G: Game> Game for Determined<G> {
    type Move = G::Move;

    fn turn(&self) -> Turn {
        self.pos.turn()
    }

    fn moves(&self, out: &mut Vec<G::Move>) {
        self.pos.moves(out);
    }

    #[inline]
    fn play(&mut self, m: G::Move) {
        self.pos.play(m);
        self.settle();
    }

    fn payoffs(&self) -> Payoffs {
        self.pos.payoffs()
    }

    fn key(&self) -> u64 {
        self.pos.key() ^ Rng::split(self.seed, self.events)
    }

    fn code(&self, m: G::Move) -> usize {
        self.pos.code(m)
    }

    fn codes(&self) -> usize {
        self.pos.codes()
    }

    fn parse(&self, text: &str) -> Result<Self, ParseError> {
        Ok(Determined::new(self.pos.parse(text)?, self.seed))
    }

    fn players(&self) -> usize {
        self.pos.players()
    }

    fn seat_name(&self, seat: usize) -> String {
        self.pos.seat_name(seat)
    }

    fn scores(&self) -> Option<[i32; MAX_PLAYERS]> {
        self.pos.scores()
    }

    fn pattern(&self, m: G::Move) -> u64 {
        self.pos.pattern(m)
    }

    fn patterns(&self) -> usize {
        self.pos.patterns()
    }

    fn is_over(&self) -> bool {
        self.pos.is_over()
    }

    fn count_moves(&self) -> usize {
        self.pos.count_moves()
    }

    #[inline]
    fn random_move(&self, rng: &mut Rng, scratch: &mut Vec<G::Move>) -> Option<G::Move> {
        self.pos.random_move(rng, scratch)
    }

    fn ended_by_history(&self) -> bool {
        self.pos.ended_by_history()
    }
}
