//! What the catalog says about a game so that the laboratory can run it.

use spielbaum_core::param::{Args, Schema};
use spielbaum_core::spec::SpecError;
use spielbaum_core::{Game, Player};

/// A game with its row in the catalog: how a specification becomes a start position, and
/// which players can play it.
pub trait Playable: Game {
    /// Name, help and parameters of the game.
    const SCHEMA: &'static Schema;

    /// The openings of a match that names none: `none`, or `random:PLIES` for games in which
    /// two deterministic players would repeat one game for ever.
    const OPENINGS: &'static str;

    /// The start position of a validated specification.
    fn start(args: &Args) -> Result<Self, SpecError>;

    /// The player of a validated specification.
    fn player(args: &Args) -> Result<Box<dyn Player<Self>>, SpecError>;

    /// The players that can play this game.
    fn roster() -> Vec<&'static Schema>;
}
