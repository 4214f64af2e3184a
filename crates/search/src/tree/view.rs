//! What the tree tells about itself.

use super::{ROOT, Slot, Tree, proof};
use spielbaum_core::Proof;

/// A node's statistics, for reports.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Visited<M> {
    /// The move into the node.
    pub mv: M,
    /// Simulations through it.
    pub visits: u64,
    /// Mean payoff of the player who made the move.
    pub mean: f64,
    /// The result for the player who made the move, if proven.
    pub proof: Option<Proof>,
    pub(crate) slot: Slot,
}

impl<M: Copy + Eq> Tree<M> {
    /// Whether the tree has stopped growing at its memory limit.
    pub fn is_full(&self) -> bool {
        self.full
    }

    /// The longest path so far.
    pub fn depth(&self) -> u32 {
        self.depth
    }

    /// Simulations through the root.
    pub fn visits(&self) -> u64 {
        u64::from(self.nodes[ROOT as usize].visits)
    }

    /// The root moves that were visited or whose result is proven.
    pub fn root_moves(&self) -> impl Iterator<Item = Visited<M>> + '_ {
        self.below(ROOT)
    }

    fn below(&self, slot: Slot) -> impl Iterator<Item = Visited<M>> + '_ {
        let node = self.nodes[slot as usize];
        let all = (0..u32::from(node.tried)).map(move |i| {
            let child = &self.nodes[(node.children + i) as usize];
            Visited {
                mv: self.moves[(node.moves + i) as usize],
                visits: u64::from(child.visits),
                mean: child.sum / f64::from(child.visits.max(1)),
                proof: child.proof,
                slot: node.children + i,
            }
        });
        all.filter(|v| v.visits > 0 || v.proof.is_some())
    }

    /// The most visited line that begins with a root move, proven wins first and proven losses
    /// last; outcomes of chance are part of it.
    pub fn principal_variation(&self, from: &Visited<M>) -> Vec<M> {
        let mut line = vec![from.mv];
        let mut slot = from.slot;
        let rank = |v: &Visited<M>| (proof::rank(v.proof), v.visits);
        // Of equals the first: `max_by_key` would take the last.
        while let Some(next) =
            self.below(slot).reduce(|a, b| if rank(&b) > rank(&a) { b } else { a })
        {
            line.push(next.mv);
            slot = next.slot;
        }
        line.extend(self.winning_move_in(slot));
        line
    }
}
