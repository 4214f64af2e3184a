//! What the catalog says about a game so that the laboratory can run it.

use crate::Network;
use spielbaum_core::param::{Args, Schema};
use spielbaum_core::spec::SpecError;
use spielbaum_core::{Game, NamedEval, Player, Registered};
use std::marker::PhantomData;

/// Makes the player of a validated specification.
pub type Build<G> = fn(&Args) -> Result<Box<dyn Player<G>>, SpecError>;

/// Finds the traps among the moves of a position, up to a level; each with its level. And says
/// whether every move loses up to that level.
pub type FindTraps<G> = fn(&mut G, u32) -> (Vec<(<G as Game>::Move, u32)>, bool);

/// A row of the catalog: a game and the players that can play it. A type of its own rather than
/// the game's, because the catalog owns neither the game nor this trait.
pub trait Playable: 'static {
    /// The game.
    type Game: Registered;

    /// The player of a validated specification.
    fn player(args: &Args) -> Result<Box<dyn Player<Self::Game>>, SpecError>;

    /// The network that a player uses, if it uses one.
    fn network(_args: &Args, _start: &Self::Game) -> Result<Option<Network>, SpecError> {
        Ok(None)
    }

    /// The player of a specification in a record that is only read: one whose network is not there
    /// any more may be [absent](crate::Absent).
    fn archived(args: &Args) -> Result<Box<dyn Player<Self::Game>>, SpecError> {
        Self::player(args)
    }

    /// The players that can play this game.
    fn roster() -> &'static [&'static Schema];

    /// The evaluations that its players can use.
    fn evals() -> &'static [NamedEval<Self::Game>] {
        &[]
    }

    /// How traps are found, in games of two players without chance.
    fn traps() -> Option<FindTraps<Self::Game>> {
        None
    }
}

/// A row for those who read records and play nothing: no network is needed for that, nor compared.
pub struct Archived<R>(PhantomData<R>);

impl<R: Playable> Playable for Archived<R> {
    type Game = R::Game;

    fn player(args: &Args) -> Result<Box<dyn Player<R::Game>>, SpecError> {
        R::archived(args)
    }

    fn roster() -> &'static [&'static Schema] {
        R::roster()
    }

    fn evals() -> &'static [NamedEval<R::Game>] {
        R::evals()
    }

    fn traps() -> Option<FindTraps<R::Game>> {
        R::traps()
    }
}
