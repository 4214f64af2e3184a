//! The catalog: the only file that names both games and algorithms.
//!
//! A row per game says how its text becomes a start position, which openings a match has by
//! default and which players can play it. Everything else comes from the schemas.

use spielbaum_core::param::{Args, Schema, find, resolve};
use spielbaum_core::spec::SpecError;
use spielbaum_core::Player;
use spielbaum_games::{Gomoku, Pig, Reroll, gomoku, pig, reroll};
use spielbaum_lab::{AnyGame, Of, Playable};
use spielbaum_search::spec::{PLAYERS, any_game, two_player};

/// Every game, in the order of `list`.
pub(crate) static GAMES: &[&dyn AnyGame] =
    &[&Of::<GomokuRow>::NEW, &Of::<PigRow>::NEW, &Of::<RerollRow>::NEW];

