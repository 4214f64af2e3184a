//! A game as users name it.

use crate::param::{Args, Schema};
use crate::spec::SpecError;
use crate::{Game, NamedEval, ZeroEval};

/// What a game says about itself so that it can be named in a specification, such as
/// `gomoku:m=6,n=6,k=4`.
pub trait Registered: Game {
    /// Name, help and parameters.
    const SCHEMA: &'static Schema;

    /// The openings of a match that names none: `none`, or `random:PLIES` for games in which
    /// two deterministic players would repeat one game for ever.
    const OPENINGS: &'static str = "none";

    /// Evaluations for searches that look ahead, the default one first.
    const EVALS: &'static [NamedEval<Self>] =
        &[NamedEval { name: "zero", help: "nothing but the rules", make: || Box::new(ZeroEval) }];

    /// The start position with these parameters. Each of them is within its range; what they
    /// may not be together is an error ([`Args::misfit`]).
    fn start(args: &Args) -> Result<Self, SpecError>;
}
