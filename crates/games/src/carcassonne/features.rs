//! Cities, roads, fields and cloisters as they grow together: union by size on flat memory.

use super::tiles::{Kind, MAX_SPOTS, Oriented};
use spielbaum_core::MAX_PLAYERS;

/// Segments of all 72 tiles, cloisters included, are 243: their numbers fit into a byte.
const SEGMENTS: usize = 256;

/// A feature, kept at the root of its segments; elsewhere only `parent` means something.
#[derive(Clone, Copy)]
pub(super) struct Feature {
    parent: u8,
    /// Segments, for the union by size.
    size: u8,
    /// Sides at which a city or road goes on; empty squares around a cloister.
    pub(super) open: u8,
    /// Tiles, each once. Those of a cloister are itself and the squares filled around it.
    pub(super) tiles: u8,
    pub(super) shields: u8,
    /// Tiles that have another segment of the same kind, which may join this feature later: a bit
    /// for each of them. There are 5 such city tiles (H, I) and 8 such road tiles (L, W, X).
    split: u8,
    /// Three bits for each player: the meeples on it.
    pub(super) meeples: u16,
}

impl Feature {
    const EMPTY: Feature =
        Feature { parent: 0, size: 1, open: 0, tiles: 1, shields: 0, split: 0, meeples: 0 };

    /// Meeples of a player.
    pub(super) fn count(&self, seat: usize) -> u16 {
        self.meeples >> (3 * seat) & 7
    }

    /// The players with most meeples here, as a mask; nobody on an empty feature.
    pub(super) fn owners(&self) -> u8 {
        let most = (0..MAX_PLAYERS).map(|seat| self.count(seat)).max().unwrap_or(0);
        let has_most = |seat: &usize| most > 0 && self.count(*seat) == most;
        (0..MAX_PLAYERS).filter(has_most).map(|seat| 1 << seat).sum()
    }
}

/// All segments on the board.
#[derive(Clone, Copy)]
pub(super) struct Features {
    all: [Feature; SEGMENTS],
    used: u8,
    /// Placed tiles with two separate cities, and with two separate roads.
    splits: [u8; 2],
    /// Whether a tile counts once in a feature, however many of its segments belong to it.
    once: bool,
}

impl Features {
    pub(super) fn new(once: bool) -> Self {
        Features { all: [Feature::EMPTY; SEGMENTS], used: 0, splits: [0; 2], once }
    }

    /// Placed tiles with several separate segments of a kind, cities or roads.
    pub(super) fn splits(&self, kind: Kind) -> u8 {
        self.splits[kind as usize & 1]
    }

    /// The root of a segment: where its feature is kept.
    #[inline]
    pub(super) fn root(&self, mut segment: u8) -> u8 {
        loop {
            let parent = self.all[segment as usize].parent;
            if parent == segment {
                return segment;
            }
            segment = parent;
        }
    }

    /// The feature at a root.
    #[inline]
    pub(super) fn at(&self, root: u8) -> &Feature {
        &self.all[root as usize]
    }

    #[inline]
    pub(super) fn at_mut(&mut self, root: u8) -> &mut Feature {
        &mut self.all[root as usize]
    }

    /// Whether anyone stands on the feature of a segment.
    #[inline]
    pub(super) fn is_occupied(&self, segment: u8) -> bool {
        self.at(self.root(segment)).meeples != 0
    }

    /// Adds the segments of a tile, each a feature of its own; returns the first one's number.
    #[inline]
    pub(super) fn add(&mut self, tile: &Oriented) -> u8 {
        let first = self.used;
        self.used += tile.spots;
        // The bit of this tile among those with two separate cities, or two separate roads.
        let bit = match tile.split {
            Some(kind) => {
                let bit = 1 << self.splits[kind as usize & 1];
                self.splits[kind as usize & 1] += 1;
                bit
            }
            None => 0,
        };
        for spot in 0..usize::from(tile.spots).min(MAX_SPOTS) {
            let (segment, kind) = (first + spot as u8, tile.kinds[spot]);
            let is_line = matches!(kind, Kind::City | Kind::Road);
            self.all[segment as usize] = Feature {
                parent: segment,
                open: if is_line { tile.reach[spot].count_ones() as u8 } else { 0 },
                shields: u8::from(tile.shield && spot == 0),
                split: if tile.split == Some(kind) { bit } else { 0 },
                ..Feature::EMPTY
            };
        }
        first
    }

    /// Joins two segments of a city or road that meet at a side: it goes on at neither of them.
    #[inline]
    pub(super) fn join_line(&mut self, a: u8, b: u8) {
        let root = self.join(a, b);
        self.all[root as usize].open -= 2;
    }

    /// Makes one feature of the features of two segments; returns its root.
    #[inline]
    pub(super) fn join(&mut self, a: u8, b: u8) -> u8 {
        let (a, b) = (self.root(a), self.root(b));
        if a == b {
            return a;
        }
        let (small, large) = if self.at(a).size < self.at(b).size { (a, b) } else { (b, a) };
        let part = self.all[small as usize];
        self.all[small as usize].parent = large;
        let whole = &mut self.all[large as usize];
        // Tiles in both are those with a segment in each: only split tiles have two.
        let shared = if self.once { (whole.split & part.split).count_ones() as u8 } else { 0 };
        whole.size += part.size;
        whole.open += part.open;
        whole.tiles = whole.tiles + part.tiles - shared;
        whole.shields += part.shields;
        whole.split |= part.split;
        whole.meeples += part.meeples;
        large
    }
}
