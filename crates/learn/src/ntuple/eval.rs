//! The net as an evaluation for searches.

use super::loading::Loaded;
use spielbaum_core::{Cells, Eval, Turn};
use std::sync::Arc;

/// What a net says of positions: the payoff so far and what it expects to come.
pub struct NetEval(pub Arc<Loaded>);

impl<G: Cells> Eval<G> for NetEval {
    /// In the hundredths of a thousand, so that it stays small.
    fn eval(&self, pos: &G) -> i32 {
        let value = Eval::<G>::expected(self, pos, 0) / 10.0;
        (value.round() as i32).clamp(-99_999, 99_999)
    }

    /// An afterstate is valued as it is, a decision by its best move.
    #[inline]
    fn expected(&self, pos: &G, seat: usize) -> f32 {
        let payoff = pos.payoffs()[seat];
        match pos.turn() {
            Turn::Chance => payoff + self.0.net.value(&pos.images(pos.word())),
            Turn::Player(_) => payoff + self.0.net.best(pos).map_or(0.0, |(_, value, _)| value),
        }
    }

    #[inline]
    fn expected_next(&self, pos: &G, seat: usize) -> Option<(f32, u32)> {
        let payoff = pos.payoffs()[seat];
        match pos.turn() {
            Turn::Chance => None,
            Turn::Player(_) => Some(match self.0.net.best(pos) {
                Some((_, value, moves)) => (payoff + value, moves),
                None => (payoff, 0),
            }),
        }
    }
}
