//! Claimed features, what is next to them, and which tiles would complete them.

use super::super::Carcassonne;
use super::super::tiles::{FIELD, Kind, NONE, ORIENTED};
use std::sync::LazyLock;

/// Which types fit a square by the edges around it, and which of them end what comes in on a side: a
/// bit for each type.
pub(super) struct Fitting {
    pub(super) fits: u32,
    pub(super) closes: [u32; 4],
}

pub(super) static FITTING: LazyLock<Vec<Fitting>> =
    LazyLock::new(|| (0..=255).map(fitting).collect());

fn fitting(known: u8) -> Fitting {
    let mut found = Fitting { fits: 0, closes: [0; 4] };
    let open = (0..4).filter(|s| known >> (2 * s) & 3 == 0).fold(0, |mask, s| mask | 1 << s);
    for (i, look) in ORIENTED.iter().enumerate() {
        let fits =
            |s: &u8| matches!(known >> (2 * s) & 3, 0) || (known ^ look.edges) >> (2 * s) & 3 == 0;
        if !(0..4).all(|s| fits(&s)) {
            continue;
        }
        found.fits |= 1 << (i / 4);
        for side in 0..4 {
            let is_line = !matches!(known >> (2 * side) & 3, 0 | FIELD);
            if is_line && look.reach[look.side[side] as usize] & open == 0 {
                found.closes[side] |= 1 << (i / 4);
            }
        }
    }
    found
}

/// What is to be known of a feature.
#[derive(Clone, Copy)]
pub(super) struct Prospect {
    pub(super) root: u8,
    pub(super) kind: Kind,
    /// The chance to be completed, of cities and roads.
    pub(super) chance: f32,
    /// The open square that was seen last.
    pub(super) square: u8,
    pub(super) claimed: bool,
}

/// Claimed features and the cities beside claimed fields.
pub(super) struct Prospects {
    pub(super) all: [Prospect; 128],
    pub(super) len: usize,
    /// Their places by root.
    pub(super) index: [u8; 256],
}

impl Prospects {
    pub(super) fn new() -> Self {
        let none =
            Prospect { root: 0, kind: Kind::Field, chance: 1.0, square: NONE, claimed: false };
        Prospects { all: [none; 128], len: 0, index: [NONE; 256] }
    }

    pub(super) fn add(&mut self, root: u8, kind: Kind, claimed: bool) -> &mut Prospect {
        let mut at = usize::from(self.index[root as usize]);
        if at == usize::from(NONE) {
            at = self.len.min(self.all.len() - 1);
            self.len = at + 1;
            self.index[root as usize] = at as u8;
            self.all[at] = Prospect { root, kind, chance: 1.0, square: NONE, claimed };
        }
        &mut self.all[at]
    }

    pub(super) fn known(&self) -> &[Prospect] {
        &self.all[..self.len]
    }
}

/// Claimed fields with the cities that they border, each pair once.
pub(super) struct Pairs {
    pub(super) all: [(u8, u8); 256],
    pub(super) len: usize,
}

impl Pairs {
    pub(super) fn find(&mut self, pos: &Carcassonne, prospects: &mut Prospects) {
        let features = &pos.board.features;
        for tile in pos.board.tiles() {
            let look = tile.look();
            for spot in 0..usize::from(look.spots) {
                if look.cities[spot] == 0 {
                    continue;
                }
                let field = features.root(tile.first + spot as u8);
                if prospects.index[field as usize] == NONE {
                    continue;
                }
                for city in (0..2).filter(|c| look.cities[spot] >> c & 1 != 0) {
                    let city = features.root(tile.first + city);
                    if self.all[..self.len].contains(&(field, city)) {
                        continue;
                    }
                    self.all[self.len] = (field, city);
                    self.len += 1;
                    if features.at(city).open > 0 {
                        prospects.add(city, Kind::City, false);
                    }
                }
            }
        }
    }

    /// Cities beside a field, those that are not complete by their chance.
    pub(super) fn cities(
        &self,
        pos: &Carcassonne,
        field: u8,
        prospects: &Prospects,
        share: f32,
    ) -> f32 {
        let own = self.all[..self.len].iter().filter(|p| p.0 == field);
        own.map(|&(_, city)| match pos.board.features.at(city).open {
            0 => 1.0,
            _ => {
                let place = prospects.index[city as usize];
                share * prospects.all[usize::from(place)].chance
            }
        })
        .sum()
    }
}
