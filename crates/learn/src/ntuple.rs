//! N-tuple networks: the value of a board as a sum of table entries (Szubert and Jaśkowski 2014).
//!
//! Each *tuple* is a group of cells with a table of weights, one for each filling of the cells. A
//! tuple is laid on the board in all eight images of it, and all of them share the table. The value
//! is that of an *afterstate*, the board after a move and before chance answers, and is learned by
//! temporal differences while the net plays greedily: [`Learner`]. The net then plays as an
//! evaluation of [expectimax](spielbaum_search::expectimax): [`NetEval`], [`player`].

mod curve;
mod eval;
mod file;
mod learner;
mod loading;
mod network;
mod pages;
mod path;
mod play;
mod player;
mod shape;
mod step;

pub use curve::{Point, Tally};
pub use eval::NetEval;
pub use file::{Header, Kind, NetError, Origin, Training, read, read_header, write};
pub use learner::{Config, Learner, Method};
pub use loading::{Loaded, Model, load};
pub use network::Network;
pub use path::Backward;
pub use player::{NTUPLE, player};
pub use shape::{NETS, NamedNet, Shape};
