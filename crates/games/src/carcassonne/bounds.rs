//! Between which margins a game with a known order must end: what the tiles to come can add at most.
//!
//! The bound of a player is his lead as the position stands, and the most that may come on top. At the
//! end a feature consists of features that are there now and of segments of tiles to come. If the
//! player has most meeples on it, he gains, against the position as it stands,
//!
//! * the new segments, in a completed city twice;
//! * what joined it and is nobody's now, and twice what is the opponent's now;
//! * in a completed city what was there, once more.
//!
//! A new segment with `n` sides joins at most `n` features to each other, so at most `n - 1` to what he has,
//! and `n` if he claims it. A claim needs a turn of his, and there is one in a turn. A city is completed if
//! each of its open sides meets a side of a city to come. None of it asks for the shape of the board.

mod view;

pub(super) use view::View;

use super::tiles::{Kind, MAX_SPOTS, NONE, ORIENTED};
use super::{Carcassonne, Phase};
use view::{CONTACTS, Growing, List};

/// With more tiles to come than this the bounds say too little to be worth their time.
const MOST: usize = 16;

/// The largest sums of one, two, ... of some worths.
#[derive(Clone, Copy, Default)]
struct Sums([i32; MAX_SPOTS + 1]);

impl Sums {
    fn new(worths: impl Iterator<Item = i32>) -> Self {
        let mut top = [0; MAX_SPOTS];
        for mut worth in worths {
            for best in &mut top {
                if worth > *best {
                    std::mem::swap(&mut worth, best);
                }
            }
        }
        let mut sums = [0; MAX_SPOTS + 1];
        for (i, best) in top.into_iter().enumerate() {
            sums[i + 1] = sums[i] + best;
        }
        Sums(sums)
    }

    fn of(&self, n: u8) -> i32 {
        self.0[usize::from(n).min(MAX_SPOTS)]
    }
}

impl Carcassonne {
    /// Between which the margin of the first player lies at the end of best play; `None` where the order is
    /// not known, or too many tiles are to come.
    pub(super) fn bounds(&self) -> Option<(i32, i32)> {
        if self.setup.players != 2 {
            return None;
        }
        let scores = self.settled();
        let lead = scores[0] - scores[1];
        if self.phase == Phase::Over {
            return Some((lead, lead));
        }
        if !self.setup.known || self.phase != Phase::Place {
            return None;
        }
        let tiles = &self.order[self.drawn as usize - 1..self.dealt as usize];
        if tiles.len() > MOST {
            return None;
        }
        let view = View::new(self, tiles)?;
        Some((lead - view.gain(1), lead + view.gain(0)))
    }
}

impl View<'_> {
    /// Whether a seat may put a meeple on this tile to come.
    fn may_claim(&self, seat: usize, index: usize) -> bool {
        let own = (usize::from(self.pos.seat) + index) % 2 == seat;
        // With all meeples out the next turn is too early for one that comes back.
        let at_hand = self.pos.seats.supply[seat] > 0 || index > 0;
        (own || index >= self.unsure) && at_hand
    }

    /// The most that a seat's lead can grow.
    fn gain(&self, seat: usize) -> i32 {
        let last = self.tiles.len() == 1;
        let kin =
            [(Kind::City, &self.cities), (Kind::Road, &self.roads), (Kind::Field, &self.fields)]
                .map(|(kind, list)| {
                    Kin::new(seat, list, self.claims(seat, kind), self.splits(kind))
                });
        let joins = self.city_segments > 1 || self.city_sides > 1;
        // The last tile completes either what he holds, and what it joins to that, or what he claims.
        let held = self.doubled(|c| c.meeples[seat] > 0 || joins);
        let claimed = self.doubled(|c| !last || c.is_empty());
        let completed = self.completed();
        let farmed = self.fields.known().iter().filter(|f| f.meeples[seat] > 0).count() as i32;
        let mut total = 3 * completed * farmed + self.cloisters(seat);
        if !last && (kin[0].held || kin[0].claims > 0) {
            total += claimed.0;
        }
        for (index, &tile) in self.tiles.iter().enumerate() {
            let tile = usize::from(tile);
            let look = &ORIENTED[4 * tile];
            let may_claim = self.may_claim(seat, index);
            let (mut free, mut extra) = (0, 0);
            let segments = CONTACTS[tile].into_iter().zip(look.kinds).take(usize::from(look.spots));
            for (spot, (sides, kind)) in segments.enumerate() {
                if kind == Kind::Cloister {
                    extra = extra.max(1 + self.around);
                    continue;
                }
                let new = match kind {
                    Kind::City => 1 + i32::from(look.shield && spot == 0),
                    Kind::Road => 1,
                    _ => 0,
                };
                let kin = &kin[kind as usize];
                let covered = kin.held || kin.claims > usize::from(may_claim);
                let mut unclaimed = kin.joined(covered).of(sides.saturating_sub(1));
                unclaimed += if covered { new } else { 0 };
                let mut mine = new + kin.nobodys.of(sides);
                match kind {
                    Kind::City if last => {
                        mine += claimed.0 + if claimed.1 { new } else { 0 };
                        unclaimed +=
                            if covered { held.0 + if held.1 { new } else { 0 } } else { 0 };
                    }
                    Kind::City if claimed.1 || self.city_segments > 1 => {
                        mine += new;
                        unclaimed += if covered { new } else { 0 };
                    }
                    Kind::Field => mine += 3 * completed,
                    _ => {}
                }
                free += unclaimed;
                extra = extra.max(mine - unclaimed);
            }
            total += free + if may_claim { extra } else { 0 };
        }
        total
    }

    /// Segments of a kind on tiles to come that a seat may claim.
    fn claims(&self, seat: usize, kind: Kind) -> usize {
        let able = (0..self.tiles.len()).filter(|&i| self.may_claim(seat, i));
        let segments = able.map(|i| &ORIENTED[4 * usize::from(self.tiles[i])].of_kind);
        segments.map(|of| of[kind as usize].count_ones() as usize).sum()
    }

    /// What a feature that is joined to another of the same owner may lose because both count the same:
    /// a tile with a segment in each, where tiles count once, or a city beside both fields.
    fn splits(&self, kind: Kind) -> i32 {
        match kind {
            Kind::Field => i32::MAX,
            _ if self.pos.setup.paper => 0,
            _ => i32::from(self.pos.board.features.splits(kind)),
        }
    }

    /// What the cities are worth together, as they stand, that the tiles to come can complete, and whether
    /// there are any; of those that may be used.
    fn doubled(&self, may_use: impl Fn(&Growing) -> bool) -> (i32, bool) {
        let sides = usize::from(self.city_sides);
        if sides == 0 {
            return (0, false);
        }
        // The best worth for each number of closed sides.
        let mut best = [-1; 4 * MOST + 1];
        best[0] = 0;
        for city in self.cities.known().iter().filter(|c| may_use(c)) {
            let open = usize::from(city.open);
            for at in (open..=sides).rev() {
                if best[at - open] >= 0 {
                    best[at] = best[at].max(best[at - open] + city.worth);
                }
            }
        }
        // A segment alone has all its own sides to close.
        let found = match self.city_segments {
            1 => best[sides],
            _ => best[..=sides].iter().copied().max().unwrap_or(0),
        };
        (found.max(0), found > 0)
    }

    /// How many cities the tiles to come can complete, anyone's.
    fn completed(&self) -> i32 {
        let (sides, segments) = (self.city_sides, i32::from(self.city_segments));
        let near = self.cities.known().iter().filter(|c| c.open <= sides).count() as i32;
        (near + segments / 2).min(segments)
    }

    /// What the cloisters on the board can gain.
    fn cloisters(&self, seat: usize) -> i32 {
        let board = &self.pos.board;
        let tiles = self.tiles.len() as i32;
        let own = self.pos.seats.meeples[seat].iter().filter(|m| m.tile != NONE);
        own.filter(|m| self.on_cloister(m))
            .map(|m| i32::from(board.features.at(m.segment).open).min(tiles))
            .sum()
    }
}

/// The features of a kind, for one seat.
struct Kin {
    /// Whether he has a meeple on one that can grow.
    held: bool,
    /// Segments to come that he may claim.
    claims: usize,
    /// What joining them to something of his gains.
    captured: Sums,
    /// What the opponent loses if two of his own are joined.
    merged: Sums,
    /// Worth of those that are nobody's.
    nobodys: Sums,
}

impl Kin {
    fn new(seat: usize, list: &List, claims: usize, shared: i32) -> Self {
        let known = list.known();
        let theirs = |g: &&Growing| g.owned(seat) < 0;
        let several = shared > 0 && known.iter().filter(theirs).count() > 1;
        let merged = known.iter().filter(|g| several && theirs(g)).map(|g| g.worth.min(shared));
        Kin {
            held: known.iter().any(|g| g.meeples[seat] > 0),
            claims,
            captured: Sums::new(known.iter().map(|g| (1 - g.owned(seat)) * g.worth)),
            merged: Sums::new(merged),
            nobodys: Sums::new(known.iter().filter(|g| g.is_empty()).map(|g| g.worth)),
        }
    }

    /// What a segment to come gains by joining features, if something there is or becomes the seat's.
    fn joined(&self, covered: bool) -> &Sums {
        if covered { &self.captured } else { &self.merged }
    }
}
