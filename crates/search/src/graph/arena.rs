//! The memory of the graph: nodes, and blocks of edges that double, within a limit.

use super::{Edge, Graph, NONE, Node, Place};
use crate::bandit::Bandit;
use crate::tree::arena::{FIRST_BLOCK, class, grow, reserve};
use crate::tree::{MOST_MOVES, Order};
use spielbaum_core::{Game, Rng};

const EMPTY: Edge = Edge { sum: 0.0, visits: 0, to: NONE };
const EDGE_BYTES: usize = size_of::<Edge>() + 2 * size_of::<f32>();

impl<M: Copy + Eq> Graph<M> {
    /// The node of the position with this key, new if need be; there must be
    /// [room](Graph::has_room_for_node).
    #[inline]
    pub(super) fn enter(&mut self, key: u64) -> Place {
        if let Some(place) = self.index.find(key, &self.nodes) {
            return place;
        }
        let place = self.nodes.len() as Place;
        let most = self.memory / size_of::<Node>();
        grow(&mut self.nodes, 1, most, Node { key, ..Node::default() });
        self.index.insert(key, place, &self.nodes);
        place
    }

    /// Lists the moves of a position that is met again. `None`: no memory.
    pub(super) fn open<G: Game<Move = M>>(&mut self, at: Place, pos: &G) -> Option<Node> {
        self.scratch.clear();
        pos.moves(&mut self.scratch);
        self.scratch.truncate(MOST_MOVES);
        let (first, legal) = (self.moves.len(), self.scratch.len());
        if !self.has_room(legal * size_of::<M>(), first + legal) {
            return None;
        }
        reserve(&mut self.moves, legal, self.memory / size_of::<M>().max(1));
        self.moves.extend_from_slice(&self.scratch);
        Some(self.set_moves(at, pos.turn(), first, legal))
    }

    /// The edge of a node's move, added after those tried if it is new, and the place of the
    /// move in its list then. `None`: no memory for it or for the position it leads to.
    #[inline(always)]
    pub(super) fn edge(&mut self, at: Place, index: u16) -> Option<(usize, u32)> {
        let node = self.nodes[at as usize];
        if index < node.tried {
            let edge = node.edges + u32::from(index);
            let is_known = self.edges[edge as usize].to != NONE;
            return (is_known || self.has_room_for_node()).then_some((index.into(), edge));
        }
        let tried = node.tried as usize;
        if !self.has_room_for_node() {
            return None;
        }
        let is_full = tried == 0 || (tried >= FIRST_BLOCK && tried.is_power_of_two());
        let mut edges = node.edges;
        if is_full {
            let block = self.allocate((tried * 2).max(FIRST_BLOCK))?;
            if tried > 0 {
                let old = edges as usize..edges as usize + tried;
                self.edges.copy_within(old.clone(), block as usize);
                self.means.copy_within(old.clone(), block as usize);
                self.widths.copy_within(old.clone(), block as usize);
                if self.tracks_spreads {
                    self.spreads.copy_within(old, block as usize);
                }
                self.free[class(tried)].push(edges);
                self.move_path(at, edges, block);
            }
            edges = block;
        }
        let first = node.moves as usize;
        self.moves.swap(first + index as usize, first + tried);
        let edge = edges + tried as u32;
        self.edges[edge as usize] = EMPTY;
        if self.tracks_spreads {
            self.spreads[edge as usize] = 0.0;
        }
        let node = &mut self.nodes[at as usize];
        node.edges = edges;
        node.tried += 1;
        Some((tried, edge))
    }

    /// A way that has come by this node before must know where its edges are now.
    fn move_path(&mut self, at: Place, from: u32, to: u32) {
        for step in self.path.iter_mut().filter(|s| s.node == at) {
            step.edge = step.edge - from + to;
        }
    }

    /// Makes all edges of a node at once, unvisited. `None`: no memory.
    pub(super) fn expand(&mut self, at: Place, bandit: &Bandit, rng: &mut Rng) -> Option<Node> {
        let node = self.nodes[at as usize];
        let legal = node.legal as usize;
        let block = self.allocate(legal.next_power_of_two().max(FIRST_BLOCK))?;
        if self.order == Order::Random {
            let first = node.moves as usize;
            rng.shuffle(&mut self.moves[first..first + legal]);
        }
        let (mean, width) = bandit.unseen();
        let range = block as usize..block as usize + legal;
        self.edges[range.clone()].fill(EMPTY);
        self.means[range.clone()].fill(mean);
        self.widths[range.clone()].fill(width);
        if self.tracks_spreads {
            self.spreads[range].fill(0.0);
        }
        let node = &mut self.nodes[at as usize];
        node.edges = block;
        node.tried = node.legal;
        Some(*node)
    }

    pub(super) fn allocate(&mut self, size: usize) -> Option<u32> {
        let class = class(size);
        if self.free.len() <= class {
            self.free.resize(class + 1, Vec::new());
        }
        if let Some(block) = self.free[class].pop() {
            return Some(block);
        }
        let first = self.edges.len();
        if !self.has_room(size * self.edge_size(), first + size) {
            return None;
        }
        self.append(size);
        Some(first as u32)
    }

    /// Appends so many empty edges, whatever the limit.
    pub(super) fn append(&mut self, size: usize) {
        let most = self.memory / self.edge_size();
        grow(&mut self.edges, size, most, EMPTY);
        grow(&mut self.means, size, most, 0.0);
        grow(&mut self.widths, size, most, 0.0);
        if self.tracks_spreads {
            grow(&mut self.spreads, size, most, 0.0);
        }
    }

    /// Whether so many bytes more are within the limit, and an index still fits: a function of
    /// what is in the graph, as in the tree.
    #[inline]
    fn has_room(&mut self, bytes: usize, last: usize) -> bool {
        let fits = self.bytes() + bytes <= self.memory && last < NONE as usize;
        self.full |= !fits;
        fits
    }

    /// Whether another position fits.
    #[inline]
    pub(super) fn has_room_for_node(&mut self) -> bool {
        self.has_room(size_of::<Node>() + self.index.next_bytes(), self.nodes.len() + 1)
    }

    fn edge_size(&self) -> usize {
        EDGE_BYTES + if self.tracks_spreads { size_of::<f32>() } else { 0 }
    }

    /// Memory in use by positions, edges and moves.
    #[inline]
    pub fn bytes(&self) -> usize {
        self.nodes.len() * size_of::<Node>()
            + self.index.bytes()
            + self.edges.len() * self.edge_size()
            + self.moves.len() * size_of::<M>()
    }
}
