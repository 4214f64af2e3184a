//! The tree kept between moves: what lies below the move that was played stays.

use super::arena::FIRST_BLOCK;
use super::{Node, ROOT, Slot, Stage, Tree};
use spielbaum_core::Game;

impl<M: Copy + Eq> Tree<M> {
    /// The root.
    pub fn root(&self) -> Slot {
        ROOT
    }

    /// Orders the moves of a root that has no children yet, best first.
    pub fn rank_root(&mut self, rank: impl FnOnce(&mut [M])) {
        let root = self.nodes[ROOT as usize];
        if root.tried == 0 {
            rank(&mut self.moves[root.moves as usize..][..root.legal as usize]);
        }
    }

    /// The visited child of a node after a move.
    pub fn child(&self, slot: Slot, m: M) -> Option<Slot> {
        let node = self.nodes.get(slot as usize)?;
        let tried = &self.moves[node.moves as usize..node.moves as usize + node.tried as usize];
        let index = tried.iter().position(|&t| t == m)?;
        let child = node.children + index as u32;
        (self.nodes[child as usize].visits > 0).then_some(child)
    }

    /// Makes a node the root and forgets everything that is not below it. Its visits and
    /// payoffs stay. The nodes move into new memory, block after block; for that moment both
    /// trees are held.
    pub fn reroot<G: Game<Move = M>>(&mut self, slot: Slot, pos: &G) {
        if slot != ROOT {
            self.copy_below(slot);
        }
        // Only paths of the next search count.
        self.depth = 0;
        let root = &mut self.nodes[ROOT as usize];
        root.mover = super::opponent(pos);
        // The root must know why it is won or lost, and all of its moves.
        root.proof = None;
        if root.tried == 0 {
            self.list_root(pos, |_| true);
        } else if root.stage == Stage::Settled {
            root.stage = super::stage(pos.turn(), root.legal as usize);
        }
    }

    fn copy_below(&mut self, slot: Slot) {
        let at = slot as usize;
        let mut new = Tree::growing(self.memory, self.expansion, self.order);
        new.tracks_spreads = self.tracks_spreads;
        new.widening = self.widening.take();
        new.tracks_priors = self.tracks_priors;
        new.chance = self.chance;
        new.push(self, at);
        let mut next = 0;
        while next < new.nodes.len() {
            let Node { moves, legal, children, tried, .. } = new.nodes[next];
            if legal > 0 {
                new.nodes[next].moves = new.moves.len() as u32;
                let first = moves as usize;
                new.moves.extend_from_slice(&self.moves[first..first + legal as usize]);
            }
            if tried > 0 {
                let block = new.nodes.len();
                new.nodes[next].children = block as u32;
                for child in children as usize..children as usize + tried as usize {
                    new.push(self, child);
                }
                // Blocks are as long as if they had grown here.
                let size = (tried as usize).next_power_of_two().max(FIRST_BLOCK);
                new.nodes.resize(block + size, Node::default());
                new.means.resize(block + size, 0.0);
                new.widths.resize(block + size, 0.0);
                if new.tracks_spreads {
                    new.spreads.resize(block + size, 0.0);
                }
                if new.tracks_priors {
                    new.priors.resize(block + size, 0.0);
                }
            }
            next += 1;
        }
        std::mem::swap(&mut new.path, &mut self.path);
        std::mem::swap(&mut new.scratch, &mut self.scratch);
        new.used = new.nodes.len();
        *self = new;
    }

    fn push(&mut self, from: &Tree<M>, at: usize) {
        self.nodes.push(from.nodes[at]);
        self.means.push(from.means[at]);
        self.widths.push(from.widths[at]);
        if self.tracks_spreads {
            self.spreads.push(from.spreads[at]);
        }
        if self.tracks_priors {
            self.priors.push(from.priors[at]);
        }
    }
}
