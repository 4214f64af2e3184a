//! A kept graph at its memory limit: what the root cannot reach any more goes.

use super::{Graph, NONE, Node, Place};
use crate::tree::arena::FIRST_BLOCK;

impl<M: Copy + Eq> Graph<M> {
    /// Keeps what can be reached from the root by edges; if that is not much less than all,
    /// nothing. The positions move into new memory; for that moment both graphs are held.
    pub(super) fn sweep(&mut self) {
        let before = self.nodes.len();
        let mut new = Graph::growing(self.memory, self.expansion, self.order);
        new.tracks_spreads = self.tracks_spreads;
        // Where each node goes, in the order in which they are met.
        let mut places = vec![NONE; before];
        let mut met = vec![self.root];
        places[self.root as usize] = 0;
        let mut next = 0;
        while let Some(&old) = met.get(next) {
            let node = new.take(self, old);
            for edge in node.edges as usize..node.edges as usize + node.tried as usize {
                let to = new.edges[edge].to;
                if to == NONE {
                    continue;
                }
                if places[to as usize] == NONE {
                    places[to as usize] = met.len() as Place;
                    met.push(to);
                }
                new.edges[edge].to = places[to as usize];
            }
            next += 1;
        }
        for place in 0..new.nodes.len() {
            new.index.insert(new.nodes[place].key, place as Place, &new.nodes);
        }
        let kept = new.nodes.len();
        new.root = 0;
        std::mem::swap(&mut new.path, &mut self.path);
        std::mem::swap(&mut new.scratch, &mut self.scratch);
        *self = new;
        if self.bytes() > self.memory / 4 * 3 {
            self.clear();
            self.swept = Some(format!(
                "the graph was at its memory limit and begins anew: {before} positions forgotten"
            ));
        } else {
            self.swept = Some(format!(
                "the graph was at its memory limit: {kept} of {before} positions kept, those that can still come up"
            ));
        }
    }

    /// Appends a node of another graph with its moves and edges, which still lead to the other's
    /// nodes.
    fn take(&mut self, from: &Graph<M>, at: Place) -> Node {
        let mut node = from.nodes[at as usize];
        if node.legal > 0 {
            let first = node.moves as usize;
            node.moves = self.moves.len() as u32;
            self.moves.extend_from_slice(&from.moves[first..first + node.legal as usize]);
        }
        if node.tried > 0 {
            let (old, tried) = (node.edges as usize, node.tried as usize);
            let new = self.edges.len();
            // Blocks are as long as if they had grown here.
            self.append(tried.next_power_of_two().max(FIRST_BLOCK));
            node.edges = new as u32;
            self.edges[new..new + tried].copy_from_slice(&from.edges[old..old + tried]);
            self.means[new..new + tried].copy_from_slice(&from.means[old..old + tried]);
            self.widths[new..new + tried].copy_from_slice(&from.widths[old..old + tried]);
            if self.tracks_spreads {
                self.spreads[new..new + tried].copy_from_slice(&from.spreads[old..old + tried]);
            }
        }
        self.nodes.push(node);
        node
    }
}
