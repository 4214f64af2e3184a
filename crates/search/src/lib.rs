//! Every search algorithm, generic over games; one idea per file.

pub mod bandit;
pub mod leaf;
pub mod mcts;
pub mod tree;
