//! The tree of an open-loop search: over moves of players alone.
//!
//! What chance does is drawn anew on each way down and is not part of the tree, so a node stands for
//! all positions that the same moves lead to, and which of its moves are legal differs from one visit
//! to the next. A move's bound therefore counts how often it was *available* and not how often its
//! node was visited (Cowling, Powley, Whitehouse 2012).

use crate::bandit::Bandit;
use crate::trace::Witness;
use spielbaum_core::{Game, Meter, Payoffs, Rng, Turn};

#[derive(Clone, Copy, Default)]
struct Node {
    /// Payoffs of `mover`, added up.
    sum: f64,
    visits: u32,
    /// Visits of the node above in which this move was legal.
    available: u32,
    mover: u8,
}

/// A node's statistics.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Seen {
    /// Simulations through it.
    pub visits: u64,
    /// Mean payoff of the player who moved into it.
    pub mean: f64,
}

/// Nodes in the order in which they came, and a hash table from node and move to node.
pub struct OpenTree {
    nodes: Vec<Node>,
    edges: Edges,
    path: Vec<u32>,
    /// Children that are legal now: index among the moves, node.
    here: Vec<(u32, u32)>,
    /// Indices of the moves without a node.
    untried: Vec<u32>,
    memory: usize,
    full: bool,
    depth: u32,
    in_order: bool,
}

const ROOT: u32 = 0;

impl OpenTree {
    /// An empty tree that may grow to about `memory` bytes. Moves are first tried as the game lists
    /// them, or at random.
    pub fn new(memory: usize, in_order: bool) -> Self {
        OpenTree {
            nodes: Vec::new(),
            edges: Edges::default(),
            path: Vec::new(),
            here: Vec::new(),
            untried: Vec::new(),
            memory,
            full: false,
            depth: 0,
            in_order,
        }
    }

    /// Forgets everything but the root.
    pub fn clear(&mut self) {
        self.nodes.clear();
        self.nodes.push(Node::default());
        self.edges.clear();
        self.full = false;
        self.depth = 0;
    }

    /// Plays from the root to the node to be evaluated. `moves` is working memory; `admit` is asked
    /// about the moves at the root.
    #[allow(clippy::too_many_arguments)]
    pub fn descend<G: Game, W: Witness<G>>(
        &mut self,
        pos: &mut G,
        bandit: &Bandit,
        witness: &mut W,
        moves: &mut Vec<G::Move>,
        admit: impl Fn(G::Move) -> bool,
        rng: &mut Rng,
        meter: &mut Meter,
    ) {
        witness.begins();
        self.path.clear();
        self.path.push(ROOT);
        let mut slot = ROOT;
        while meter.allows_depth(self.path.len() as u32) {
            let Turn::Player(seat) = pos.turn() else {
                let Some(m) = pos.random_move(rng, moves) else { break };
                pos.play(m);
                meter.node();
                continue;
            };
            moves.clear();
            pos.moves(moves);
            if slot == ROOT {
                moves.retain(|&m| admit(m));
            }
            let Some((index, child, is_new)) = self.step(slot, seat, pos, moves, bandit, rng)
            else {
                break;
            };
            if W::LOOKS {
                witness.sees(pos, moves, index);
            }
            pos.play(moves[index]);
            meter.node();
            slot = child;
            self.path.push(slot);
            if is_new {
                break;
            }
        }
        self.depth = self.depth.max(self.path.len() as u32 - 1);
    }

    /// The next move, its node, and whether that is new. `None`: the game is over, or there is no
    /// memory.
    fn step<G: Game>(
        &mut self,
        slot: u32,
        seat: u8,
        pos: &G,
        moves: &[G::Move],
        bandit: &Bandit,
        rng: &mut Rng,
    ) -> Option<(usize, u32, bool)> {
        self.here.clear();
        self.untried.clear();
        for (i, &m) in moves.iter().enumerate() {
            match self.edges.get(key(slot, pos.code(m))) {
                Some(child) => {
                    self.nodes[child as usize].available += 1;
                    self.here.push((i as u32, child));
                }
                None => self.untried.push(i as u32),
            }
        }
        if !self.untried.is_empty() && self.has_room() {
            let pick = if self.in_order { 0 } else { rng.below(self.untried.len()) };
            let index = self.untried[pick] as usize;
            let child = self.nodes.len() as u32;
            self.nodes.push(Node { available: 1, mover: seat, ..Node::default() });
            self.edges.insert(key(slot, pos.code(moves[index])), child);
            return Some((index, child, true));
        }
        let mut best = None;
        for &(index, child) in &self.here {
            let node = &self.nodes[child as usize];
            let mean = (node.sum / f64::from(node.visits.max(1))) as f32;
            let bound = bandit.bound(node.available, node.visits, mean);
            if best.is_none_or(|(highest, _, _)| bound > highest) {
                best = Some((bound, index as usize, child));
            }
        }
        best.map(|(_, index, child)| (index, child, false))
    }

    /// Adds the result of a simulation to every node of the last way down.
    pub fn backup(&mut self, payoffs: &Payoffs) {
        for &slot in &self.path {
            let node = &mut self.nodes[slot as usize];
            node.visits += 1;
            node.sum += f64::from(payoffs[node.mover as usize]);
        }
    }

    /// What is known of a root move.
    pub fn root_move(&self, code: usize) -> Option<Seen> {
        let node = &self.nodes[self.edges.get(key(ROOT, code))? as usize];
        let mean = node.sum / f64::from(node.visits.max(1));
        (node.visits > 0).then_some(Seen { visits: u64::from(node.visits), mean })
    }

    /// Whether there is memory for another node, counting the table as it will be.
    fn has_room(&mut self) -> bool {
        let grown = self.edges.bytes_with_one_more();
        let fits = (self.nodes.len() + 1) * size_of::<Node>() + grown <= self.memory
            && self.nodes.len() < u32::MAX as usize;
        self.full |= !fits;
        fits
    }

    /// Whether the tree has stopped growing at its memory limit.
    pub fn is_full(&self) -> bool {
        self.full
    }

    /// The longest path so far, in moves of players.
    pub fn depth(&self) -> u32 {
        self.depth
    }

    /// Nodes, the root included.
    pub fn nodes(&self) -> usize {
        self.nodes.len()
    }

    /// Memory in use.
    pub fn bytes(&self) -> usize {
        self.nodes.len() * size_of::<Node>() + self.edges.bytes()
    }
}

fn key(slot: u32, code: usize) -> u64 {
    (u64::from(slot) << 32) | code as u64
}

/// From node and move to node: open addressing, at most three quarters full.
#[derive(Default)]
struct Edges {
    /// Key and node; the node 0, which nothing leads to, marks an empty cell.
    cells: Vec<(u64, u32)>,
    len: usize,
}

const FIRST_CELLS: usize = 1 << 10;

impl Edges {
    fn clear(&mut self) {
        self.cells.clear();
        self.len = 0;
    }

    #[inline]
    fn find(cells: &[(u64, u32)], key: u64) -> usize {
        let mask = cells.len() - 1;
        // Fibonacci hashing (Knuth, vol. 3, 6.4): codes of one node spread over the table.
        let mut i = (key.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 20) as usize & mask;
        while cells[i].1 != 0 && cells[i].0 != key {
            i = (i + 1) & mask;
        }
        i
    }

    #[inline]
    fn get(&self, key: u64) -> Option<u32> {
        if self.cells.is_empty() {
            return None;
        }
        let node = self.cells[Self::find(&self.cells, key)].1;
        (node != 0).then_some(node)
    }

    fn insert(&mut self, key: u64, node: u32) {
        if self.is_crowded() {
            let mut larger = vec![(0, 0); self.next_size()];
            for &cell in self.cells.iter().filter(|c| c.1 != 0) {
                let i = Self::find(&larger, cell.0);
                larger[i] = cell;
            }
            self.cells = larger;
        }
        let i = Self::find(&self.cells, key);
        self.cells[i] = (key, node);
        self.len += 1;
    }

    fn is_crowded(&self) -> bool {
        4 * (self.len + 1) > 3 * self.cells.len()
    }

    fn next_size(&self) -> usize {
        (self.cells.len() * 2).max(FIRST_CELLS)
    }

    fn bytes(&self) -> usize {
        size_of_val(&self.cells[..])
    }

    fn bytes_with_one_more(&self) -> usize {
        if self.is_crowded() { self.next_size() * size_of::<(u64, u32)>() } else { self.bytes() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeMap;

    #[test]
    fn edges_are_found_again() {
        let (mut edges, mut known) = (Edges::default(), BTreeMap::new());
        let mut rng = Rng::new(5);
        for node in 1..20_000 {
            let at = key(rng.below(300) as u32, rng.below(5000));
            if known.contains_key(&at) {
                continue;
            }
            assert_eq!(edges.get(at), None);
            edges.insert(at, node);
            known.insert(at, node);
        }
        assert_eq!(edges.len, known.len());
        assert!(known.iter().all(|(&at, &node)| edges.get(at) == Some(node)));
    }
}
