//! Every search algorithm, generic over games; one idea per file.

pub mod adaptive;
pub mod alphabeta;
pub mod annealed;
pub mod bandit;
pub mod determined;
pub mod expectimax;
pub mod graph;
pub mod hop;
pub mod leaf;
pub mod mcts;
pub mod merge;
pub mod minimax;
pub mod nrpa;
pub mod open_loop;
pub mod open_tree;
pub mod policy;
pub mod prover;
pub mod random;
pub mod ranking;
pub mod root;
pub mod score;
pub mod softmax;
pub mod solver;
pub mod spec;
mod store;
pub mod table;
pub mod trace;
pub mod traps;
pub mod tree;
pub mod volley;

/// The README's Rust examples, as doc tests.
#[cfg(doctest)]
#[doc = include_str!("../../../README.md")]
struct Readme;
