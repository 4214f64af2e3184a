//! What a search may know about a game beyond its rules.

use crate::{Game, math};

/// A static evaluation of positions, with hints for move ordering. A game may have several,
/// chosen by name.
pub trait Eval<G: Game>: Send + Sync {
    /// Value for the player to act, in hundredths of the game's unit (a pawn, a point).
    /// Smaller in size than any proven result: below 100 000.
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
}

/// Nothing but the rules: 0 for every position that is not over. Every game has it, as `zero`.
#[derive(Clone, Copy, Debug, Default)]
pub struct ZeroEval;

impl<G: Game> Eval<G> for ZeroEval {
    fn eval(&self, _pos: &G) -> i32 {
        0
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
