//! Meeples and points: who stands where, what is scored during play and at the end.

use super::board::{Board, Completed, cloister_of};
use super::features::Feature;
use super::tiles::{Kind, NONE};
use spielbaum_core::{MAX_PLAYERS, zobrist};

/// Meeples of each player.
pub(super) const MEEPLES: usize = 7;

/// Points by kind, for each seat.
pub(super) type PointsByKind = [[i16; 4]; MAX_PLAYERS];

/// A meeple on the board: the tile and the segment. Off the board the tile is [`NONE`].
#[derive(Clone, Copy)]
pub(super) struct Meeple {
    pub(super) tile: u8,
    pub(super) segment: u8,
}

/// What the players have.
#[derive(Clone, Copy)]
pub(super) struct Seats {
    pub(super) supply: [u8; MAX_PLAYERS],
    pub(super) meeples: [[Meeple; MEEPLES]; MAX_PLAYERS],
    /// Meeples put on each kind of feature so far.
    pub(super) used: [[u8; 4]; MAX_PLAYERS],
    /// Points from each kind of feature so far.
    pub(super) points: PointsByKind,
}

impl Seats {
    pub(super) fn new() -> Self {
        let away = Meeple { tile: NONE, segment: 0 };
        Seats {
            supply: [MEEPLES as u8; MAX_PLAYERS],
            meeples: [[away; MEEPLES]; MAX_PLAYERS],
            used: [[0; 4]; MAX_PLAYERS],
            points: [[0; 4]; MAX_PLAYERS],
        }
    }

    pub(super) fn scores(&self) -> [i32; MAX_PLAYERS] {
        self.points.map(|kinds| kinds.iter().map(|&p| i32::from(p)).sum())
    }

    /// The meeples on the board, with their owners.
    pub(super) fn on_board(&self) -> impl Iterator<Item = (usize, Meeple)> + '_ {
        let all = self.meeples.iter().enumerate();
        all.flat_map(|(seat, own)| own.iter().map(move |&m| (seat, m)))
            .filter(|(_, m)| m.tile != NONE)
    }

    /// Puts a meeple on a segment of a tile.
    #[inline]
    pub(super) fn claim(&mut self, board: &mut Board, seat: usize, tile: u8, spot: usize) {
        let placed = board.tile(tile);
        let (segment, kind) = (placed.first + spot as u8, placed.look().kinds[spot]);
        if let Some(free) = self.meeples[seat].iter_mut().find(|m| m.tile == NONE) {
            *free = Meeple { tile, segment };
        }
        self.supply[seat] -= 1;
        self.used[seat][kind as usize] += 1;
        let root = board.features.root(segment);
        board.features.at_mut(root).meeples += 1 << (3 * seat);
    }

    /// Scores what the placement of a tile completed. Empty features score nothing, and a feature
    /// just scored is empty, so that one met twice counts once.
    #[inline]
    pub(super) fn complete(&mut self, board: &mut Board, tile: u8, cloisters: &Completed) {
        let placed = *board.tile(tile);
        let look = placed.look();
        let lines = look.of_kind[Kind::City as usize] | look.of_kind[Kind::Road as usize];
        for spot in 0..lines.count_ones() as u8 {
            let root = board.features.root(placed.first + spot);
            let feature = board.features.at(root);
            if feature.open == 0 && feature.meeples != 0 {
                let worth = if look.kinds[spot as usize] == Kind::City { 2 } else { 1 };
                let points = worth * (i16::from(feature.tiles) + i16::from(feature.shields));
                self.score(board, root, look.kinds[spot as usize], points);
            }
        }
        for &tile in cloisters.tiles() {
            let root = cloister_of(board.tile(tile));
            let points = i16::from(board.features.at(root).tiles);
            self.score(board, root, Kind::Cloister, points);
        }
    }

    /// Pays a completed feature and sends its meeples home.
    fn score(&mut self, board: &mut Board, root: u8, kind: Kind, points: i16) {
        let feature = *board.features.at(root);
        pay(&mut self.points, &feature, kind, points);
        for seat in (0..MAX_PLAYERS).filter(|&seat| feature.count(seat) > 0) {
            for meeple in &mut self.meeples[seat] {
                if meeple.tile != NONE && board.features.root(meeple.segment) == root {
                    meeple.tile = NONE;
                    self.supply[seat] += 1;
                }
            }
        }
        board.features.at_mut(root).meeples = 0;
    }

    /// What the end of the game adds: incomplete features, and fields.
    pub(super) fn final_points(&self, board: &Board) -> PointsByKind {
        let mut points = [[0; 4]; MAX_PLAYERS];
        let mut seen = Set::default();
        let mut fields = Set::default();
        for (_, meeple) in self.on_board() {
            let tile = board.tile(meeple.tile);
            let kind = tile.look().kinds[usize::from(meeple.segment - tile.first)];
            let root = board.features.root(meeple.segment);
            if !seen.insert(root) {
                continue;
            }
            if kind == Kind::Field {
                fields.insert(root);
            } else {
                let feature = board.features.at(root);
                let worth = i16::from(feature.tiles) + i16::from(feature.shields);
                pay(&mut points, feature, kind, worth);
            }
        }
        if !fields.is_empty() {
            farm(board, &fields, &mut points);
        }
        points
    }

    /// Hash of the meeples as they stand, and of the points.
    pub(super) fn key(&self, board: &Board) -> u64 {
        let standing = self.on_board().map(|(seat, m)| {
            let tile = board.tile(m.tile);
            let (look, spot) = (tile.look(), usize::from(m.segment - tile.first));
            // By what the segment reaches and not by its name, which turns with the tile.
            let place = (u64::from(tile.x as u8) << 8) | u64::from(tile.y as u8);
            let what = (u64::from(look.reach[spot]) << 2) | look.kinds[spot] as u64;
            zobrist::key(2, (place << 16) | (what << 4) | seat as u64)
        });
        let scores = self.scores().into_iter().enumerate();
        let points = scores.map(|(seat, n)| zobrist::key(3, ((seat as u64) << 32) | n as u64));
        standing.chain(points).fold(0, |key, part| key ^ part)
    }
}

/// Pays three points for each completed city to the owners of each field that borders it.
fn farm(board: &Board, fields: &Set, points: &mut PointsByKind) {
    // Fields with meeples are few, and each borders few cities: pairs, each once.
    let mut pairs = [(0u8, 0u8); 256];
    let mut len = 0;
    for tile in board.tiles() {
        let look = tile.look();
        for spot in 0..usize::from(look.spots) {
            if look.cities[spot] == 0 {
                continue;
            }
            let field = board.features.root(tile.first + spot as u8);
            if !fields.contains(field) {
                continue;
            }
            for city in (0..2).filter(|c| look.cities[spot] >> c & 1 != 0) {
                let city = board.features.root(tile.first + city);
                if board.features.at(city).open == 0 && !pairs[..len].contains(&(field, city)) {
                    pairs[len] = (field, city);
                    len += 1;
                    pay(points, board.features.at(field), Kind::Field, 3);
                }
            }
        }
    }
}

fn pay(points: &mut PointsByKind, feature: &Feature, kind: Kind, worth: i16) {
    let owners = feature.owners();
    for seat in (0..MAX_PLAYERS).filter(|seat| owners >> seat & 1 != 0) {
        points[seat][kind as usize] += worth;
    }
}

/// A set of segments.
#[derive(Default)]
pub(super) struct Set([u64; 4]);

impl Set {
    /// Whether both have a segment.
    pub(super) fn meets(&self, other: &Set) -> bool {
        self.0.iter().zip(other.0).any(|(a, b)| a & b != 0)
    }

    fn contains(&self, i: u8) -> bool {
        self.0[usize::from(i >> 6)] >> (i & 63) & 1 != 0
    }

    /// Whether it was not there yet.
    pub(super) fn insert(&mut self, i: u8) -> bool {
        let is_new = !self.contains(i);
        self.0[usize::from(i >> 6)] |= 1 << (i & 63);
        is_new
    }

    fn is_empty(&self) -> bool {
        self.0 == [0; 4]
    }
}
