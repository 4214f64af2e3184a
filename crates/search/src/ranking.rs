//! Moves in the order of an evaluation, best first, for trees that try them one by one.

use crate::trace::{Trace, Witness};
use spielbaum_core::{Eval, Game, Hint, Turn};

/// An evaluation as an order of moves.
pub struct Ranking<G: Game> {
    eval: Box<dyn Eval<G>>,
    hints: Vec<Hint>,
    pairs: Vec<(i32, G::Move)>,
}

impl<G: Game> Ranking<G> {
    /// By [`Eval::order`].
    pub fn new(eval: Box<dyn Eval<G>>) -> Self {
        Ranking { eval, hints: Vec::new(), pairs: Vec::new() }
    }

    /// Puts the moves of a player into order; equals stay as they are, and so does chance.
    pub fn sort(&mut self, pos: &G, moves: &mut [G::Move]) {
        if pos.turn() == Turn::Chance {
            return;
        }
        self.hints.clear();
        self.eval.hints(pos, moves, &mut self.hints);
        self.pairs.clear();
        self.pairs.extend(self.hints.iter().map(|h| h.order).zip(moves.iter().copied()));
        self.pairs.sort_by_key(|&(order, _)| std::cmp::Reverse(order));
        for (m, &(_, sorted)) in moves.iter_mut().zip(&self.pairs) {
            *m = sorted;
        }
    }
}

/// A witness that also orders the moves of a node.
pub(crate) struct Ranked<'a, G: Game> {
    pub(crate) ranking: &'a mut Ranking<G>,
    pub(crate) trace: Option<&'a mut Trace>,
}

impl<G: Game> Witness<G> for Ranked<'_, G> {
    const LOOKS: bool = true;

    fn begins(&mut self) {
        if let Some(trace) = &mut self.trace {
            Witness::<G>::begins(*trace);
        }
    }

    fn lists(&mut self, pos: &G, moves: &mut [G::Move]) {
        self.ranking.sort(pos, moves);
    }

    fn sees(&mut self, pos: &G, legal: &[G::Move], chosen: usize) {
        if let Some(trace) = &mut self.trace {
            trace.sees(pos, legal, chosen);
        }
    }
}
