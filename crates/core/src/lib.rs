//! The vocabulary of Spielbaum: what a game is, what a player is, what a search may spend.
//!
//! A [`Game`] is a position with its rules; a [`Player`] answers a position with a
//! [`Report`]; a [`Meter`] counts what the search spends against its [`Limits`].
//! Games and searches depend on this crate and never on each other.

mod cells;
pub mod check;
mod game;
mod knowledge;
mod limits;
pub mod math;
mod meter;
pub mod metropolis;
pub mod param;
pub mod perft;
mod planes;
mod player;
mod registered;
mod rng;
mod shared;
pub mod spec;
pub mod synthetic;
pub mod text;
pub mod zobrist;

pub use cells::{Cells, IMAGES, LARGEST_CONTENT, largest_content};
pub use game::{Game, History, MAX_PLAYERS, OnePlayer, Payoffs, Reward, Turn, TwoPlayer};
pub use knowledge::{
    AfterChance, ChosenEval, Eval, Hint, MakeEval, NamedEval, Parameters, ZeroEval,
};
pub use limits::{Clock, Limits};
pub use meter::{Meter, Stop};
pub use planes::{Planes, Symmetry};
pub use player::{Bound, Forfeit, Line, Player, Proof, Report, Task};
pub use registered::Registered;
pub use rng::Rng;
pub use shared::Shared;
pub use text::ParseError;
