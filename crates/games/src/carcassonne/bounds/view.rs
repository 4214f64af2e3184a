//! What there is to gain from: features that can grow, squares, turns.

use super::super::Carcassonne;
use super::super::board::{Open, Tile};
use super::super::score::Meeple;
use super::super::tiles::{CITY, FIELD, FITS, Kind, MAX_SPOTS, NONE, ORIENTED, ROAD, TYPES};

/// Features of a kind that are looked at, at most; with more there are no bounds.
const ROOM: usize = 48;

/// A city, road or field that can still grow, seen by both players.
#[derive(Clone, Copy)]
pub(super) struct Growing {
    pub(super) root: u8,
    /// Points as it stands.
    pub(super) worth: i32,
    /// Sides to be closed.
    pub(super) open: u8,
    pub(super) meeples: [u16; 2],
}

impl Growing {
    /// 1: the seat's alone, -1: the opponent's alone, 0: nobody's or both's.
    pub(super) fn owned(&self, seat: usize) -> i32 {
        (self.meeples[seat].cmp(&self.meeples[1 - seat])) as i32
    }

    pub(super) fn is_empty(&self) -> bool {
        self.meeples == [0, 0]
    }
}

/// Features of one kind.
pub(super) struct List {
    all: [Growing; ROOM],
    len: usize,
}

impl List {
    fn new() -> Self {
        let none = Growing { root: NONE, worth: 0, open: 0, meeples: [0; 2] };
        List { all: [none; ROOM], len: 0 }
    }

    pub(super) fn known(&self) -> &[Growing] {
        &self.all[..self.len]
    }

    /// Adds a feature unless it is there; `None` if there is no room.
    fn add(&mut self, feature: Growing) -> Option<&mut Growing> {
        let at = self.known().iter().position(|g| g.root == feature.root).unwrap_or(self.len);
        if at == self.len {
            *self.all.get_mut(at)? = feature;
            self.len += 1;
        }
        self.all.get_mut(at)
    }
}

/// Features that each segment of a type can touch.
pub(super) static CONTACTS: [[u8; MAX_SPOTS]; TYPES] = {
    let mut all = [[0; MAX_SPOTS]; TYPES];
    let mut tile = 0;
    while tile < TYPES {
        let look = &ORIENTED[4 * tile];
        let mut spot = 0;
        while spot < look.spots as usize {
            let reach = look.reach[spot];
            let mut side = 0;
            while side < 4 {
                let halves = reach >> (2 * side) & 3;
                all[tile][spot] += match (look.kinds[spot], look.edges >> (2 * side) & 3) {
                    (Kind::Field, ROAD) => (halves & 1) + (halves >> 1),
                    (Kind::Field, FIELD) => (halves != 0) as u8,
                    (Kind::City | Kind::Road, _) => reach >> side & 1,
                    _ => 0,
                };
                side += 1;
            }
            spot += 1;
        }
        tile += 1;
    }
    all
};

/// What both bounds look at.
pub(in super::super) struct View<'a> {
    pub(super) pos: &'a Carcassonne,
    pub(super) tiles: &'a [u8],
    pub(super) cities: List,
    pub(super) roads: List,
    /// Their worth is that of the completed cities beside them.
    pub(super) fields: List,
    /// Sides and segments of cities to come.
    pub(super) city_sides: u8,
    pub(super) city_segments: u8,
    /// The most tiles around a square on which a tile to come may lie, before it comes.
    pub(super) around: i32,
    /// From which tile to come on it is not sure whose turn it is, because one before may fit nowhere.
    pub(super) unsure: usize,
}

impl<'a> View<'a> {
    pub(in super::super) fn new(pos: &'a Carcassonne, tiles: &'a [u8]) -> Option<Self> {
        let mut view = View {
            pos,
            tiles,
            cities: List::new(),
            roads: List::new(),
            fields: List::new(),
            city_sides: 0,
            city_segments: 0,
            around: 0,
            unsure: tiles.len(),
        };
        let (mut any_cloister, mut any_field) = (false, false);
        for &tile in tiles {
            let look = &ORIENTED[4 * usize::from(tile)];
            any_cloister |= look.of_kind[Kind::Cloister as usize] != 0;
            any_field |= look.of_kind[Kind::Field as usize] != 0;
            // Cities are the first segments of a tile.
            let cities = look.of_kind[Kind::City as usize].count_ones();
            view.city_segments += cities as u8;
            view.city_sides += CONTACTS[usize::from(tile)][..cities as usize].iter().sum::<u8>();
        }
        view.lines()?;
        if any_field || view.city_segments > 0 {
            view.farms()?;
        }
        if any_cloister {
            view.surroundings();
        }
        view.turns();
        Some(view)
    }

    /// The cities and roads that go on at an open square.
    fn lines(&mut self) -> Option<()> {
        let board = &self.pos.board;
        for (open, &known) in board.open().iter().zip(board.edges()) {
            for side in 0..4 {
                let list = match known >> (2 * side) & 3 {
                    CITY => &mut self.cities,
                    ROAD => &mut self.roads,
                    _ => continue,
                };
                let tile = board.tile(open.beside[side]);
                let root = board.features.root(tile.first + tile.look().side[side ^ 2]);
                let feature = board.features.at(root);
                list.add(Growing {
                    root,
                    worth: i32::from(feature.tiles) + i32::from(feature.shields),
                    open: feature.open,
                    meeples: [feature.count(0), feature.count(1)],
                })?;
            }
        }
        Some(())
    }

    /// The fields beside completed cities, and those with meeples.
    fn farms(&mut self) -> Option<()> {
        let board = &self.pos.board;
        let field = |root: u8| {
            let feature = board.features.at(root);
            Growing { root, worth: 0, open: 0, meeples: [feature.count(0), feature.count(1)] }
        };
        let mut pairs = [(NONE, NONE); ROOM];
        let mut len = 0;
        for tile in board.tiles() {
            let look = tile.look();
            for spot in (0..usize::from(look.spots)).filter(|&s| look.cities[s] != 0) {
                for city in (0..2).filter(|c| look.cities[spot] >> c & 1 != 0) {
                    let city = board.features.root(tile.first + city);
                    if board.features.at(city).open != 0 {
                        continue;
                    }
                    let root = board.features.root(tile.first + spot as u8);
                    if !pairs[..len].contains(&(root, city)) {
                        *pairs.get_mut(len)? = (root, city);
                        len += 1;
                        self.fields.add(field(root))?.worth += 3;
                    }
                }
            }
        }
        for (_, meeple) in self.pos.seats.on_board() {
            let tile = board.tile(meeple.tile);
            if tile.look().kinds[usize::from(meeple.segment - tile.first)] == Kind::Field {
                self.fields.add(field(board.features.root(meeple.segment)))?;
            }
        }
        Some(())
    }

    /// How full it may be around a new cloister.
    fn surroundings(&mut self) {
        let board = &self.pos.board;
        let others = self.tiles.len() as i32 - 1;
        let tile = usize::from(self.tiles[0]);
        // A square that no tile is beside yet has four corners at most.
        let mut most = if others > 0 { 4 } else { 0 };
        for (open, &known) in board.open().iter().zip(board.edges()) {
            if others > 0 || FITS[1][tile][known as usize] != 0 {
                most = most.max(i32::from(board.tiles_around(open.cell)));
            }
        }
        self.around = (most + others).min(8);
    }

    /// A tile spoils four open squares at most for another: its own, and three that it touches. So one that
    /// fits more than four for each tile before it is sure to be placed.
    fn turns(&mut self) {
        for (before, &tile) in self.tiles.iter().enumerate().skip(1) {
            let row = &FITS[0][usize::from(tile)];
            let edges = self.pos.board.edges();
            let fitting = edges.iter().filter(|&&e| row[e as usize] != 0).count();
            if fitting <= 4 * before {
                self.unsure = before + 1;
                return;
            }
        }
    }

    /// Whether a field is worth something.
    pub(in super::super) fn any_farm(&self) -> bool {
        self.fields.known().iter().any(|f| f.worth > 0)
    }

    /// What a field is worth.
    pub(in super::super) fn farm(&self, root: u8) -> i32 {
        self.fields.known().iter().find(|f| f.root == root).map_or(0, |f| f.worth)
    }

    /// What a tile on a square adds to the cloisters beside it, for a seat against the other.
    pub(in super::super) fn beside(&self, open: &Open, seat: usize) -> i32 {
        let near = |tile: &Tile| tile.x.abs_diff(open.x) <= 1 && tile.y.abs_diff(open.y) <= 1;
        let count = |seat: usize| {
            let own = self.pos.seats.meeples[seat].iter().filter(|m| m.tile != NONE);
            own.filter(|m| self.on_cloister(m) && near(self.pos.board.tile(m.tile))).count() as i32
        };
        count(seat) - count(1 - seat)
    }

    pub(super) fn on_cloister(&self, meeple: &Meeple) -> bool {
        let tile = self.pos.board.tile(meeple.tile);
        tile.look().kinds[usize::from(meeple.segment - tile.first)] == Kind::Cloister
    }
}
