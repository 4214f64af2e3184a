//! Where a meeple may stand on a tile that is about to be placed.

use super::board::{Board, Open};
use super::tiles::{Kind, NONE, Oriented, ROAD};

/// Roots of the features that a segment would touch: at most one for each half-edge.
pub(super) struct Touched {
    roots: [u8; 8],
    len: usize,
}

impl Touched {
    pub(super) fn roots(&self) -> &[u8] {
        &self.roots[..self.len]
    }

    fn meets(&self, other: &Touched) -> bool {
        self.roots().iter().any(|r| other.roots().contains(r))
    }
}

impl Board {
    /// Whether the feature to which a segment would belong is without meeples. With `indirect`
    /// all of it is looked at, also what another segment of the same tile joins to it (rule case
    /// 4); without, only what the segment itself touches.
    #[inline]
    pub(super) fn is_free(&self, at: usize, look: &Oriented, spot: usize, indirect: bool) -> bool {
        let open = &self.open()[at];
        let kind = look.kinds[spot];
        if kind == Kind::Cloister {
            return true;
        }
        if self.touches_meeple(open, look, spot) {
            return false;
        }
        let others = look.of_kind[kind as usize] & !(1 << spot);
        if !indirect || others == 0 {
            return true;
        }
        let hot = spots(others).filter(|&s| self.touches_meeple(open, look, s));
        let hot: u8 = hot.map(|s| 1 << s).sum();
        hot == 0 || !self.leads_to(open, look, spot, others, hot)
    }

    #[inline]
    fn touches_meeple(&self, open: &Open, look: &Oriented, spot: usize) -> bool {
        let mut found = false;
        self.each_contact(open, look, spot, |segment| {
            found = self.features.is_occupied(segment);
            found
        });
        found
    }

    /// Whether a segment and one of the `hot` ones would become one feature, by way of features
    /// that both touch.
    #[cold]
    fn leads_to(&self, open: &Open, look: &Oriented, spot: usize, others: u8, hot: u8) -> bool {
        let start = self.touched(open, look, spot);
        let (mut reached, mut left) = (few(start), others);
        let mut next = 0;
        while next < reached.len {
            for s in spots(left) {
                let touched = self.touched(open, look, s);
                if touched.meets(&reached.all[next]) {
                    if hot >> s & 1 != 0 {
                        return true;
                    }
                    left &= !(1 << s);
                    reached.push(touched);
                }
            }
            next += 1;
        }
        false
    }

    pub(super) fn touched(&self, open: &Open, look: &Oriented, spot: usize) -> Touched {
        let mut touched = Touched { roots: [NONE; 8], len: 0 };
        self.each_contact(open, look, spot, |segment| {
            touched.roots[touched.len] = self.features.root(segment);
            touched.len += 1;
            false
        });
        touched
    }

    /// Calls `f` with the segments of neighbours that a segment would touch, until it returns true.
    #[inline]
    fn each_contact(
        &self,
        open: &Open,
        look: &Oriented,
        spot: usize,
        mut f: impl FnMut(u8) -> bool,
    ) {
        let reach = look.reach[spot];
        let is_field = look.kinds[spot] == Kind::Field;
        for side in 0..4 {
            let here = if is_field { reach >> (2 * side) & 3 } else { reach >> side & 1 };
            if here == 0 || open.beside[side] == NONE {
                continue;
            }
            let tile = self.tile(open.beside[side]);
            let across = tile.look();
            if is_field && look.edges >> (2 * side) & 3 == ROAD {
                for half in 0..2 {
                    let there = across.half[2 * (side ^ 2) + (half ^ 1)];
                    if here >> half & 1 != 0 && f(tile.first + there) {
                        return;
                    }
                }
            } else if f(tile.first + across.side[side ^ 2]) {
                return;
            }
        }
    }
}

/// Up to four segments of one kind.
struct Few {
    all: [Touched; 4],
    len: usize,
}

impl Few {
    fn push(&mut self, touched: Touched) {
        self.all[self.len] = touched;
        self.len += 1;
    }
}

fn few(first: Touched) -> Few {
    let none = || Touched { roots: [NONE; 8], len: 0 };
    Few { all: [first, none(), none(), none()], len: 1 }
}

/// The segments of a mask.
fn spots(mask: u8) -> impl Iterator<Item = usize> {
    (0..8).filter(move |s| mask >> s & 1 != 0)
}
