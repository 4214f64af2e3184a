//! What the catalog says about a game so that the laboratory can run it.

use spielbaum_core::param::{Args, Schema};
use spielbaum_core::spec::SpecError;
use spielbaum_core::{Game, Player};

/// Makes the player of a validated specification.
pub type Build<G> = fn(&Args) -> Result<Box<dyn Player<G>>, SpecError>;

/// A row of the catalog: how a specification becomes a start position, and which players can
/// play it. A type of its own rather than the game's, because the catalog owns neither the
/// game nor this trait.
pub trait Playable: 'static {
    /// The game.
    type Game: Game;

    /// Name, help and parameters of the game.
    const SCHEMA: &'static Schema;

    /// The openings of a match that names none: `none`, or `random:PLIES` for games in which
    /// two deterministic players would repeat one game for ever.
    const OPENINGS: &'static str;

    /// The start position of a validated specification.
    fn start(args: &Args) -> Result<Self::Game, SpecError>;

    /// The player of a validated specification.
    fn player(args: &Args) -> Result<Box<dyn Player<Self::Game>>, SpecError>;

    /// The players that can play this game.
    fn roster() -> Vec<&'static Schema>;

    /// Name and help of each evaluation of the game.
    fn evals() -> Vec<(&'static str, &'static str)> {
        Vec::new()
    }
}
