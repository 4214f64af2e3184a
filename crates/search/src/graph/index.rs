//! Which node is the position with a key: open addressing, at most half full.

use super::{NONE, Node, Place};

const FIRST_SIZE: usize = 1 << 10;

/// A table of nodes by their keys, which the nodes themselves hold.
pub(super) struct Index {
    slots: Vec<Place>,
    /// Nodes in the table.
    count: usize,
}

impl Index {
    pub(super) fn new() -> Self {
        Index { slots: Vec::new(), count: 0 }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.count == 0
    }

    /// As small as a new one, so that the memory limit is met where a new graph meets it.
    pub(super) fn clear(&mut self) {
        self.slots.clear();
        self.count = 0;
    }

    /// The slot of a key: where its node is, or where it would be put.
    #[inline]
    fn slot(&self, key: u64, nodes: &[Node]) -> usize {
        let mask = self.slots.len() - 1;
        // The high bits of the product depend on all bits of the key.
        let mut at = (key.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 32) as usize & mask;
        while self.slots[at] != NONE && nodes[self.slots[at] as usize].key != key {
            at = (at + 1) & mask;
        }
        at
    }

    /// The node with a key.
    #[inline]
    pub(super) fn find(&self, key: u64, nodes: &[Node]) -> Option<Place> {
        if self.slots.is_empty() {
            return None;
        }
        let place = self.slots[self.slot(key, nodes)];
        (place != NONE).then_some(place)
    }

    /// Puts a node into the table, in which no node has its key.
    pub(super) fn insert(&mut self, key: u64, place: Place, nodes: &[Node]) {
        if self.is_growing() {
            let old = std::mem::take(&mut self.slots);
            self.slots = vec![NONE; (old.len() * 2).max(FIRST_SIZE)];
            for place in old.into_iter().filter(|&p| p != NONE) {
                let at = self.slot(nodes[place as usize].key, nodes);
                self.slots[at] = place;
            }
        }
        let at = self.slot(key, nodes);
        self.slots[at] = place;
        self.count += 1;
    }

    /// Whether the next node doubles the table.
    fn is_growing(&self) -> bool {
        self.count * 2 >= self.slots.len()
    }

    /// Memory that the next node takes here.
    pub(super) fn next_bytes(&self) -> usize {
        if self.is_growing() { self.bytes().max(FIRST_SIZE * size_of::<Place>()) } else { 0 }
    }

    pub(super) fn bytes(&self) -> usize {
        size_of_val(&self.slots[..])
    }
}
