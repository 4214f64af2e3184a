//! What a search may know about a game beyond its rules.

use crate::{Game, Turn, math};

/// A static evaluation of positions, with hints for move ordering. A game may have several,
/// chosen by name.
pub trait Eval<G: Game>: Send + Sync {
    /// Value for the player to act, in hundredths of the game's unit (a pawn, a point); where
    /// chance acts, for the first player. Smaller in size than any proven result: below 100 000.
    fn eval(&self, pos: &G) -> i32;

    /// Larger is searched earlier.
    fn order(&self, _pos: &G, _m: G::Move) -> i32 {
        0
    }

    /// Whether the move changes the evaluation so much that the horizon must not fall behind it.
    fn noisy(&self, _pos: &G, _m: G::Move) -> bool {
        false
    }

    /// Expected payoff of the player whose evaluation is `score`.
    fn payoff(&self, score: i32) -> f32 {
        math::logistic(score as f64 / 400.0) as f32
    }

    /// What `seat` may expect, on one scale for all positions, finished ones included: what a
    /// search averages over chance. The payoff unless the evaluation has a scale of its own.
    fn expected(&self, pos: &G, seat: usize) -> f32 {
        if pos.is_over() {
            return pos.payoffs()[seat];
        }
        let mover = match pos.turn() {
            Turn::Player(mover) => usize::from(mover),
            Turn::Chance => 0,
        };
        let score = self.eval(pos);
        self.payoff(if mover == seat { score } else { -score })
    }

    /// The largest [`expected`](Eval::expected) value one move on for `seat`, who is to move,
    /// and the number of moves; after the end the value of the end and no moves. `None`: the
    /// search looks for itself. Overridden where the positions come cheaper together.
    fn expected_next(&self, _pos: &G, _seat: usize) -> Option<(f32, u32)> {
        None
    }

    /// Hash of what the values of a search with this evaluation rest on: positions with the
    /// same key are worth the same at every depth. The key of the position, unless part of it
    /// does not matter here, such as points already made.
    fn key(&self, pos: &G) -> u64 {
        pos.key()
    }

    /// How many plies are worth searching from here, the first move included, if the evaluation
    /// can tell.
    fn depth_hint(&self, _pos: &G) -> Option<u32> {
        None
    }
}

/// Nothing but the rules: 0 for every position that is not over. Every game has it, as `zero`.
#[derive(Clone, Copy, Debug, Default)]
pub struct ZeroEval;

impl<G: Game> Eval<G> for ZeroEval {
    fn eval(&self, _pos: &G) -> i32 {
        0
    }

    /// As if play stopped here.
    fn expected(&self, pos: &G, seat: usize) -> f32 {
        pos.payoffs()[seat]
    }
}

/// An entry in a game's list of evaluations.
pub struct NamedEval<G: Game> {
    /// The name in a specification: `eval=NAME`.
    pub name: &'static str,
    /// One line for people.
    pub help: &'static str,
    /// Makes it.
    pub make: fn() -> Box<dyn Eval<G>>,
}
