//! What a Monte-Carlo search keeps: a tree or a graph.

use crate::bandit::Bandit;
use crate::graph::Graph;
use crate::mcts::MctsConfig;
use crate::tree::{Tree, Visited};
use spielbaum_core::{Game, Proof};

/// Where the statistics of a search are.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Store {
    /// A node for each way to a position.
    #[default]
    Tree,
    /// A node for each position, whatever the way to it. Nothing is proven.
    Graph,
}

/// One of them; asked once for each simulation.
pub(crate) enum Shape<M> {
    Tree(Tree<M>),
    Graph(Graph<M>),
}

impl<M: Copy + Eq> Shape<M> {
    pub(crate) fn new(config: &MctsConfig, bandit: &Bandit) -> Self {
        let MctsConfig { memory, expansion, order, chance, .. } = *config;
        match config.store {
            Store::Tree => {
                let tree = Tree::growing(memory, expansion, order).serving(bandit);
                Shape::Tree(tree.meeting(chance).widening(config.widening.clone()))
            }
            Store::Graph => Shape::Graph(Graph::growing(memory, expansion, order).serving(bandit)),
        }
    }

    /// The result of the root, if proven.
    #[inline]
    pub(crate) fn proof(&self) -> Option<Proof> {
        match self {
            Shape::Tree(tree) => tree.proof(),
            Shape::Graph(_) => None,
        }
    }

    pub(crate) fn root_moves(&self) -> Vec<Visited<M>> {
        match self {
            Shape::Tree(tree) => tree.root_moves().collect(),
            Shape::Graph(graph) => graph.root_moves().collect(),
        }
    }

    pub(crate) fn principal_variation<G: Game<Move = M>>(
        &self,
        root: &G,
        from: &Visited<M>,
    ) -> Vec<M> {
        match self {
            Shape::Tree(tree) => tree.principal_variation(from),
            Shape::Graph(graph) => graph.principal_variation(root, from),
        }
    }

    pub(crate) fn depth(&self) -> u32 {
        match self {
            Shape::Tree(tree) => tree.depth(),
            Shape::Graph(graph) => graph.depth(),
        }
    }

    /// What the user should know of the memory.
    pub(crate) fn note(&self) -> Option<String> {
        match self {
            Shape::Tree(tree) => tree.is_full().then(|| {
                let kib = tree.bytes() >> 10;
                format!("the tree stopped growing at its memory limit ({kib} KiB)")
            }),
            Shape::Graph(graph) => graph.note(),
        }
    }

    pub(crate) fn bytes(&self) -> usize {
        match self {
            Shape::Tree(tree) => tree.bytes(),
            Shape::Graph(graph) => graph.bytes(),
        }
    }
}
