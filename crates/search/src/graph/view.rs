//! What the graph tells about itself.

use super::{Graph, NONE, Place};
use crate::tree::Visited;
use spielbaum_core::Game;

impl<M: Copy + Eq> Graph<M> {
    /// What the user should know of the memory.
    pub fn note(&self) -> Option<String> {
        let kib = self.bytes() >> 10;
        let full =
            self.full.then(|| format!("the graph stopped growing at its memory limit ({kib} KiB)"));
        match (self.swept.clone(), full) {
            (Some(swept), Some(full)) => Some(format!("{swept}; {full}")),
            (swept, full) => swept.or(full),
        }
    }

    /// The longest path of this search.
    pub fn depth(&self) -> u32 {
        self.depth
    }

    /// Positions in the graph.
    pub fn positions(&self) -> usize {
        self.nodes.len()
    }

    /// The root moves that were visited.
    pub fn root_moves(&self) -> impl Iterator<Item = Visited<M>> + '_ {
        self.below(self.root)
    }

    fn below(&self, at: Place) -> impl Iterator<Item = Visited<M>> + '_ {
        let node = self.nodes.get(at as usize).copied().unwrap_or_default();
        let all = (0..u32::from(node.tried)).map(move |i| {
            let edge = self.edges[(node.edges + i) as usize];
            Visited {
                mv: self.moves[(node.moves + i) as usize],
                visits: u64::from(edge.visits),
                mean: edge.sum / f64::from(edge.visits.max(1)),
                proof: None,
                slot: node.edges + i,
            }
        });
        all.filter(|v| v.visits > 0)
    }

    /// The most visited line from the root that begins with one of its moves, as far as it does not
    /// come back and the game goes on; outcomes of chance are part of it.
    pub fn principal_variation<G: Game<Move = M>>(&self, root: &G, from: &Visited<M>) -> Vec<M> {
        let mut pos = root.clone();
        let mut line = Vec::new();
        let mut seen = vec![self.root];
        let mut next = Some(*from);
        while let Some(step) = next {
            line.push(step.mv);
            pos.play(step.mv);
            let at = self.edges[step.slot as usize].to;
            if at == NONE || seen.contains(&at) || pos.ended_by_history() {
                break;
            }
            seen.push(at);
            // Of equals the first: `max_by_key` would take the last.
            next = self.below(at).reduce(|a, b| if b.visits > a.visits { b } else { a });
        }
        line
    }
}
