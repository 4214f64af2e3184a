//! AlphaZero: a tree search whose new positions are judged by a network, and the training of
//! that network by games of the search against itself.

mod choice;
mod evaluator;
pub mod models;
mod network;
mod player;
mod search;
pub mod spec;
pub mod train;

pub use choice::{dirichlet, draw, policy};
pub use evaluator::{Evaluator, Leaf, Leaves, Mixed, Playouts};
pub use network::{Asking, Network, Turning, shape_of};
pub use player::{Zero, ZeroConfig};
pub use search::{Noise, Search, SearchConfig};
