//! What the table knows: keys, which entries hold, what is stored.

use super::config::DepthRule;
use super::search::Search;
use super::value::{Value, Window, holds};
use crate::score;
use crate::table::Entry;
use spielbaum_core::{History, TwoPlayer, zobrist};

/// What the past adds to every key. It is mixed: sums of keys would meet others.
pub(super) fn past(history: &History) -> u64 {
    if history.key == 0 { 0 } else { zobrist::key(0xba57, history.key) }
}

impl<G: TwoPlayer> Search<'_, '_, G> {
    /// The key of a position; some games compute it, so once a node is enough, and none
    /// without a table. What of the past may end the game within this search is a part of it.
    pub(super) fn key(&self, pos: &G, ply: u32) -> u64 {
        if self.memory.table.is_none() {
            return 0;
        }
        let key = pos.key() ^ past(&self.history);
        // A selective search goes beyond its depth.
        let reach = if self.is_selective { 2 * self.depth + 8 } else { self.depth };
        match self.history.plies {
            Some(left) if left <= reach => {
                key ^ zobrist::key(0x1e57, u64::from(left.saturating_sub(ply)))
            }
            _ => key,
        }
    }

    pub(super) fn probe(&self, key: u64) -> Option<Entry> {
        self.memory.table.as_ref()?.probe(key)
    }

    /// Whether an entry holds for a search of this depth.
    pub(super) fn usable(&self, entry: &Entry, depth: u32) -> bool {
        let stored = u32::from(entry.depth);
        match self.depth_rule {
            DepthRule::Exact | DepthRule::Auto => holds(entry, depth),
            DepthRule::Equal => stored == depth,
            DepthRule::AtLeast => stored >= depth || holds(entry, depth),
        }
    }

    pub(super) fn store(
        &mut self,
        key: u64,
        depth: u32,
        ply: u32,
        window: Window,
        value: Value,
        code: Option<usize>,
    ) {
        let Some(table) = &mut self.memory.table else { return };
        let code = code.and_then(|c| u16::try_from(c).ok()).filter(|&c| c < u16::MAX);
        match value.shared(window.bound(value.score)) {
            Some(bound) => table.store(
                key,
                Entry {
                    score: score::to_node(value.score, ply),
                    depth: depth as u8,
                    bound,
                    settled: value.settled,
                    code,
                },
            ),
            None => {
                if let Some(code) = code {
                    table.store_move(key, depth as u8, code);
                }
            }
        }
    }
}
