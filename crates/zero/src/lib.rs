//! AlphaZero: a tree search whose new positions are judged by a network, and the training of
//! that network by games of the search against itself.

mod choice;
mod evaluator;
mod player;
mod search;

pub use choice::{dirichlet, draw, policy};
pub use evaluator::{Evaluator, Leaf, Leaves, Playouts};
pub use player::{Zero, ZeroConfig};
pub use search::{Noise, Search, SearchConfig};
