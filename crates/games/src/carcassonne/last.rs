//! What the last two placements are worth, seen without playing each.
//!
//! The *effect* of a placement is what it changes in single features. There is none to tell where it
//! completes a city, joins fields that are worth something, or joins two segments of the tile with each other.
//!
//! Of the last tile the effect is the whole story, and placements without one are played. Before the last
//! tile but one, the opponent can answer a placement with any that stands *apart* from it: neither beside it nor
//! corner to corner, and touching none of its features. Such an answer is still legal and has the effect
//! that it has now, so the best of them bounds what the placement is worth.

use super::board::Open;
use super::bounds::View;
use super::score::Set;
use super::tiles::{FITS, Kind, MAX_SPOTS, ORIENTED, Oriented};
use super::{Carcassonne, Move, Phase};
use spielbaum_core::Game;

/// What a placement does to the lead of who makes it.
struct Effect {
    /// Without a meeple.
    plain: i32,
    /// What a meeple on each segment adds.
    meeple: [i32; MAX_SPOTS],
    /// The features that it touches.
    roots: Set,
}

/// An answer of the opponent.
struct Reply {
    gain: i32,
    x: i8,
    y: i8,
    roots: Set,
}

/// Answers that are kept, the best ones.
const REPLIES: usize = 24;
/// Beyond every margin.
const FAR: i32 = 1 << 20;

impl Carcassonne {
    /// Between which the first player's margin lies after each of these moves, if both play on as well as can
    /// be; `false`, and nothing told, with more than two tiles to come.
    pub(super) fn margins(&self, moves: &[Move], out: &mut Vec<(i32, i32)>) -> bool {
        let is_ours = self.setup.players == 2 && self.setup.known && self.phase == Phase::Place;
        let to_come = &self.order[self.drawn as usize..self.dealt as usize];
        if !is_ours || to_come.len() > 1 {
            return false;
        }
        let hand = [self.hand];
        let Some(view) = View::new(self, &hand) else { return false };
        let replies = to_come.first().map(|&tile| self.replies(&view, usize::from(tile)));
        let own = if self.seat == 0 { 1 } else { -1 };
        let scores = self.settled();
        let lead = own * (scores[0] - scores[1]);
        let (mut place, mut told) = (None, None);
        for &m in moves {
            let here = (m.at(), m.rotation());
            if place != Some(here) {
                (place, told) = (Some(here), self.told(&view, m, replies.as_deref()));
            }
            let (least, most) = match (&told, &replies) {
                (Some((effect, reply)), _) => {
                    let meeple = m.spot().checked_sub(1).map_or(0, |spot| effect.meeple[spot]);
                    let most = lead + effect.plain + meeple - reply;
                    (if replies.is_none() { most } else { -FAR }, most)
                }
                (None, None) => {
                    let mut next = *self;
                    next.play(m);
                    let margin = next.scores().map_or(0, |s| own * (s[0] - s[1]));
                    (margin, margin)
                }
                (None, Some(_)) => (-FAR, FAR),
            };
            out.push(if own == 1 { (least, most) } else { (-most, -least) });
        }
        true
    }

    /// The effect of a placement, and what the best answer apart from it gains; 0 if no tile is to come.
    fn told(&self, view: &View<'_>, m: Move, replies: Option<&[Reply]>) -> Option<(Effect, i32)> {
        let (x, y) = m.at();
        let open = &self.board.open()[self.board.open_at(x, y)];
        let look = &ORIENTED[4 * usize::from(self.hand) + m.rotation()];
        let effect = self.effect(view, usize::from(self.seat), open, look)?;
        let gain = match replies {
            Some(replies) => replies.iter().find(|r| r.is_apart_from(x, y, &effect.roots))?.gain,
            None => 0,
        };
        Some((effect, gain))
    }

    /// What the opponent can do with the last tile as the board is now, the best first.
    fn replies(&self, view: &View<'_>, tile: usize) -> Vec<Reply> {
        let seat = 1 - usize::from(self.seat);
        let row = &FITS[0][tile];
        let has_meeple = self.seats.supply[seat] > 0;
        let mut replies = Vec::with_capacity(64);
        for (open, &known) in self.board.open().iter().zip(self.board.edges()) {
            let fit = row[known as usize];
            for rotation in (0..4).filter(|r| fit >> r & 1 != 0) {
                let look = &ORIENTED[4 * tile + rotation];
                if let Some(effect) = self.effect(view, seat, open, look) {
                    let meeple = effect.meeple.into_iter().max().filter(|_| has_meeple);
                    let gain = effect.plain + meeple.unwrap_or(0).max(0);
                    replies.push(Reply { gain, x: open.x, y: open.y, roots: effect.roots });
                }
            }
        }
        replies.sort_by_key(|r| std::cmp::Reverse(r.gain));
        replies.truncate(REPLIES);
        replies
    }

    /// What a placement changes for a seat against the other; `None`: play it and see.
    fn effect(&self, view: &View<'_>, seat: usize, open: &Open, look: &Oriented) -> Option<Effect> {
        let features = &self.board.features;
        let mut effect = Effect {
            plain: view.beside(open, seat),
            meeple: [-FAR; MAX_SPOTS],
            roots: Set::default(),
        };
        for spot in 0..usize::from(look.spots) {
            let kind = look.kinds[spot];
            if kind == Kind::Cloister {
                effect.meeple[spot] = 1 + i32::from(self.board.tiles_around(open.cell));
                continue;
            }
            if kind == Kind::Field && !view.any_farm() {
                effect.meeple[spot] = 0;
                continue;
            }
            let touched = self.board.touched(open, look, spot);
            let roots = touched.roots();
            if kind == Kind::Field && roots.iter().all(|&r| view.farm(r) == 0) {
                effect.meeple[spot] = 0;
                continue;
            }
            let (mut worth, mut before, mut sides) = (0, 0, 0);
            let mut meeples = [0; 2];
            for (i, &root) in roots.iter().enumerate() {
                if roots[..i].contains(&root) {
                    continue;
                }
                if !effect.roots.insert(root) {
                    return None;
                }
                let feature = features.at(root);
                let counts = [feature.count(seat), feature.count(1 - seat)];
                let value = match kind {
                    Kind::Field => view.farm(root),
                    _ => i32::from(feature.tiles) + i32::from(feature.shields),
                };
                worth += value;
                sides += i32::from(feature.open);
                before += counts[0].cmp(&counts[1]) as i32 * value;
                meeples = [meeples[0] + counts[0], meeples[1] + counts[1]];
            }
            let several = roots.iter().any(|r| *r != roots[0]);
            if kind == Kind::Field {
                if several {
                    return None;
                }
            } else {
                let contacts = roots.len() as i32;
                let is_complete = sides + look.reach[spot].count_ones() as i32 == 2 * contacts;
                let shares = several && !self.setup.paper && features.splits(kind) > 0;
                if shares || is_complete && kind == Kind::City {
                    return None;
                }
                worth += 1 + i32::from(kind == Kind::City && look.shield && spot == 0);
            }
            effect.plain += meeples[0].cmp(&meeples[1]) as i32 * worth - before;
            if meeples == [0, 0] {
                effect.meeple[spot] = worth;
            }
        }
        Some(effect)
    }
}

impl Reply {
    /// Whether a placement leaves this answer as it is: other squares, so that it still fits and counts for no
    /// new cloister, and other features.
    fn is_apart_from(&self, x: i8, y: i8, roots: &Set) -> bool {
        self.x.abs_diff(x).max(self.y.abs_diff(y)) > 1 && !self.roots.meets(roots)
    }
}
