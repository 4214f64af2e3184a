//! The memory of the tree: blocks of children that double, within a limit.

use super::{Node, Order, Slot, Tree};
use crate::bandit::Bandit;
use spielbaum_core::Rng;

const NODE_BYTES: usize = size_of::<Node>() + 2 * size_of::<f32>();
pub(crate) const FIRST_BLOCK: usize = 2;
/// Nodes made at a time beyond those asked for.
const AHEAD: usize = 1024;

impl<M: Copy + Eq> Tree<M> {
    /// Makes all children of a node at once, unvisited. `None`: no memory.
    pub(super) fn expand(
        &mut self,
        slot: Slot,
        mover: u8,
        bandit: &Bandit,
        rng: &mut Rng,
    ) -> Option<Node> {
        let node = self.nodes[slot as usize];
        let legal = node.legal as usize;
        let block = self.allocate(legal.next_power_of_two().max(FIRST_BLOCK))?;
        if self.order == Order::Random {
            let first = node.moves as usize;
            rng.shuffle(&mut self.moves[first..first + legal]);
        }
        let (mean, width) = bandit.unseen();
        for child in block as usize..block as usize + legal {
            self.nodes[child] = Node { mover, ..Node::default() };
            (self.means[child], self.widths[child]) = (mean, width);
        }
        if self.tracks_spreads {
            self.spreads[block as usize..block as usize + legal].fill(0.0);
        }
        let node = &mut self.nodes[slot as usize];
        node.children = block;
        node.tried = node.legal;
        Some(*node)
    }

    /// Appends a child to a node's block, moving the block if it is full.
    #[inline(always)]
    pub(super) fn add_child(&mut self, slot: Slot, mover: u8) -> bool {
        let node = self.nodes[slot as usize];
        let tried = node.tried as usize;
        let is_full = tried == 0 || (tried >= FIRST_BLOCK && tried.is_power_of_two());
        let mut children = node.children;
        if is_full {
            let Some(block) = self.allocate((tried * 2).max(FIRST_BLOCK)) else {
                return false;
            };
            if tried > 0 {
                let old = children as usize..children as usize + tried;
                self.nodes.copy_within(old.clone(), block as usize);
                self.means.copy_within(old.clone(), block as usize);
                self.widths.copy_within(old.clone(), block as usize);
                if self.tracks_spreads {
                    self.spreads.copy_within(old.clone(), block as usize);
                }
                if self.tracks_priors {
                    self.priors.copy_within(old, block as usize);
                }
                self.free[class(tried)].push(children);
            }
            children = block;
        }
        let child = children as usize + tried;
        self.nodes[child] = Node { mover, ..Node::default() };
        if self.tracks_spreads {
            self.spreads[child] = 0.0;
        }
        let node = &mut self.nodes[slot as usize];
        node.children = children;
        node.tried += 1;
        true
    }

    pub(super) fn allocate(&mut self, size: usize) -> Option<u32> {
        let class = class(size);
        if self.free.len() <= class {
            self.free.resize(class + 1, Vec::new());
        }
        if let Some(block) = self.free[class].pop() {
            return Some(block);
        }
        let first = self.used;
        if !self.has_room(size * self.node_size(), first + size) {
            return None;
        }
        self.used += size;
        if self.used > self.nodes.len() {
            self.extend(self.used + AHEAD);
        }
        Some(first as u32)
    }

    /// Makes nodes up to this number. Nobody looks at one that is in no block, or behind the
    /// children tried in its block.
    #[cold]
    pub(super) fn extend(&mut self, nodes: usize) {
        let most = self.memory / self.node_size();
        let extra = nodes - self.nodes.len();
        grow(&mut self.nodes, extra, most, Node::default());
        grow(&mut self.means, extra, most, 0.0);
        grow(&mut self.widths, extra, most, 0.0);
        if self.tracks_spreads {
            grow(&mut self.spreads, extra, most, 0.0);
        }
        if self.tracks_priors {
            grow(&mut self.priors, extra, most, 0.0);
        }
    }

    /// Whether so many bytes more are within the limit, and an index still fits. A function of
    /// what is in the tree, never of memory that earlier searches have left: a restarted player
    /// must stop growing where a fresh one does.
    #[inline]
    pub(super) fn has_room(&mut self, bytes: usize, last: usize) -> bool {
        let fits = self.bytes() + bytes <= self.memory && last <= u32::MAX as usize;
        self.full |= !fits;
        fits
    }

    /// Makes room for so many more moves; `false` at the memory limit.
    pub(super) fn reserve_moves(&mut self, extra: usize) -> bool {
        let fits = self.has_room(extra * size_of::<M>(), self.moves.len() + extra);
        if fits {
            reserve(&mut self.moves, extra, self.memory / size_of::<M>().max(1));
        }
        fits
    }

    fn node_size(&self) -> usize {
        let tracked = usize::from(self.tracks_spreads) + usize::from(self.tracks_priors);
        NODE_BYTES + tracked * size_of::<f32>()
    }

    /// Memory in use by nodes and moves.
    pub fn bytes(&self) -> usize {
        self.used * self.node_size() + self.moves.len() * size_of::<M>()
    }
}

/// Blocks of 2, 4, 8, … nodes are of class 0, 1, 2, …
pub(crate) fn class(size: usize) -> usize {
    (size / FIRST_BLOCK).ilog2() as usize
}

/// Makes room for `extra` elements by doubling, but not beyond `most`.
pub(crate) fn reserve<T>(items: &mut Vec<T>, extra: usize, most: usize) {
    let needed = items.len() + extra;
    if needed > items.capacity() {
        let capacity = (items.capacity() * 2).max(1024).min(most).max(needed);
        items.reserve_exact(capacity - items.len());
    }
}

/// Appends `extra` elements.
pub(crate) fn grow<T: Copy>(items: &mut Vec<T>, extra: usize, most: usize, element: T) {
    reserve(items, extra, most);
    items.resize(items.len() + extra, element);
}
