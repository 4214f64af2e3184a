//! Every search algorithm, generic over games; one idea per file.

pub mod adaptive;
pub mod alphabeta;
pub mod bandit;
pub mod expectimax;
pub mod graph;
pub mod leaf;
pub mod mcts;
pub mod minimax;
pub mod nrpa;
pub mod policy;
pub mod prover;
pub mod random;
pub mod score;
pub mod softmax;
pub mod spec;
mod store;
pub mod table;
pub mod trace;
pub mod traps;
pub mod tree;

/// The README's Rust examples, as doc tests.
#[cfg(doctest)]
#[doc = include_str!("../../../README.md")]
struct Readme;
