//! Games for tests: trees written down ([`Literal`]) and trees made by hashing ([`Hashed`]).
//!
//! They are small, complete [`Game`]s whose true values can be computed by other means, so
//! every search is checked on them before it meets a real game.

mod duel;
mod hashed;
mod literal;
mod reader;

pub use duel::Duel;
pub use hashed::{Hashed, HashedEval, HashedOptions};
pub use literal::Literal;

#[allow(unused_imports)] // for the links above
use crate::Game;
use std::fmt;

/// A move in a synthetic tree: the child with this index. Prints counting from 1.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Branch(pub u16);

impl fmt::Display for Branch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", u32::from(self.0) + 1)
    }
}
