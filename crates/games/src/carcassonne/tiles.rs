//! The 24 types of tiles, and what the engine reads of each in each orientation.
//!
//! Sides are N, E, S, W = 0 to 3. Half-edges are 0 to 7, clockwise from the west half of the north
//! side: side `k` has the half-edges `2k` and `2k + 1`. A rotation is a quarter turn clockwise.
//! `data/carcassonne/tiles.toml` describes the same tiles in words; a test compares the two.

/// What a meeple can stand on.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Kind {
    /// Walled squares of a town.
    City,
    /// Ends at crossings, cloisters and cities.
    Road,
    /// Meadows; scored at the end by the completed cities that they feed.
    Field,
    /// Scores the squares around it.
    Cloister,
}

impl Kind {
    /// All four, in the order of [`Statistics`](super::Statistics).
    pub const ALL: [Kind; 4] = [Kind::City, Kind::Road, Kind::Field, Kind::Cloister];

    /// What it is called in notations: `city`, `road`, `field`, `cloister`.
    pub const fn name(self) -> &'static str {
        match self {
            Kind::City => "city",
            Kind::Road => "road",
            Kind::Field => "field",
            Kind::Cloister => "cloister",
        }
    }
}

/// Number of types.
pub(super) const TYPES: usize = 24;
/// Tiles in the box, the start tile included.
pub(super) const MAX_TILES: usize = 72;
/// The most segments on one tile: the four roads and four fields of type X.
pub(super) const MAX_SPOTS: usize = 8;
/// The start tile's type, D, which lies unrotated at 0:0.
pub(super) const START: usize = 3;
/// No segment.
pub(super) const NONE: u8 = u8::MAX;

/// Edges in the two bits of a side; 0 is an edge that nothing is known about.
pub(super) const CITY: u8 = 1;
pub(super) const ROAD: u8 = 2;
pub(super) const FIELD: u8 = 3;

const N: u8 = 1;
const E: u8 = 2;
const S: u8 = 4;
const W: u8 = 8;

/// A type as it lies in the box.
#[derive(Clone, Copy)]
pub(super) struct Type {
    pub(super) copies: u8,
    /// Sides of each city segment, then of each road segment.
    pub(super) cities: &'static [u8],
    pub(super) roads: &'static [u8],
    /// Half-edges of each field segment, and which of the city segments it borders.
    pub(super) fields: &'static [(u8, u8)],
    pub(super) shield: bool,
    pub(super) cloister: bool,
    /// Orientations that look different: 1, 2 or 4.
    pub(super) rotations: u8,
}

const fn plain(
    copies: u8,
    cities: &'static [u8],
    roads: &'static [u8],
    fields: &'static [(u8, u8)],
    rotations: u8,
) -> Type {
    Type { copies, cities, roads, fields, shield: false, cloister: false, rotations }
}

const fn shield(of: Type) -> Type {
    Type { shield: true, ..of }
}

const fn cloister(of: Type) -> Type {
    Type { cloister: true, ..of }
}

/// Half-edges as a mask, from a number whose digits they are; half-edge 0 is the digit 8.
const fn halves(mut digits: u64) -> u8 {
    let mut mask = 0;
    while digits > 0 {
        mask |= 1 << (digits % 10 % 8);
        digits /= 10;
    }
    mask
}

/// Types A to X.
pub(super) static TILES: [Type; TYPES] = [
    cloister(plain(2, &[], &[S], &[(0xff, 0)], 4)),
    cloister(plain(4, &[], &[], &[(0xff, 0)], 1)),
    shield(plain(1, &[N | E | S | W], &[], &[], 1)),
    plain(4, &[N], &[E | W], &[(halves(27), 1), (halves(3456), 0)], 4),
    plain(5, &[N], &[], &[(halves(234567), 1)], 4),
    shield(plain(2, &[E | W], &[], &[(halves(81), 1), (halves(45), 1)], 2)),
    plain(1, &[E | W], &[], &[(halves(81), 1), (halves(45), 1)], 2),
    plain(3, &[E, W], &[], &[(halves(8145), 3)], 2),
    plain(2, &[N, E], &[], &[(halves(4567), 3)], 4),
    plain(3, &[N], &[E | S], &[(halves(2567), 1), (halves(34), 0)], 4),
    plain(3, &[N], &[S | W], &[(halves(2347), 1), (halves(56), 0)], 4),
    plain(3, &[N], &[E, S, W], &[(halves(27), 1), (halves(34), 0), (halves(56), 0)], 4),
    shield(plain(2, &[N | W], &[], &[(halves(2345), 1)], 4)),
    plain(3, &[N | W], &[], &[(halves(2345), 1)], 4),
    shield(plain(2, &[N | W], &[E | S], &[(halves(25), 1), (halves(34), 0)], 4)),
    plain(3, &[N | W], &[E | S], &[(halves(25), 1), (halves(34), 0)], 4),
    shield(plain(1, &[N | E | W], &[], &[(halves(45), 1)], 4)),
    plain(3, &[N | E | W], &[], &[(halves(45), 1)], 4),
    shield(plain(2, &[N | E | W], &[S], &[(halves(4), 1), (halves(5), 1)], 4)),
    plain(1, &[N | E | W], &[S], &[(halves(4), 1), (halves(5), 1)], 4),
    plain(8, &[], &[N | S], &[(halves(1234), 0), (halves(8567), 0)], 2),
    plain(9, &[], &[S | W], &[(halves(812347), 0), (halves(56), 0)], 4),
    plain(4, &[], &[E, S, W], &[(halves(8127), 0), (halves(34), 0), (halves(56), 0)], 4),
    plain(
        1,
        &[],
        &[N, E, S, W],
        &[(halves(12), 0), (halves(34), 0), (halves(56), 0), (halves(87), 0)],
        1,
    ),
];

/// A type in one of its four orientations: tables for the engine. Segments are numbered on
/// the tile, cities first, then roads, fields and the cloister; that does not depend on rotation.
#[derive(Clone, Copy)]
pub(super) struct Oriented {
    /// The four edges, two bits each, north lowest.
    pub(super) edges: u8,
    /// Number of segments.
    pub(super) spots: u8,
    /// Kind of each segment.
    pub(super) kinds: [Kind; MAX_SPOTS],
    /// The segments of each kind, as a mask.
    pub(super) of_kind: [u8; 4],
    /// Sides of a city or road, half-edges of a field.
    pub(super) reach: [u8; MAX_SPOTS],
    /// The segment on each side: the city, the road, or the field where there is neither.
    pub(super) side: [u8; 4],
    /// The field on each half-edge.
    pub(super) half: [u8; 8],
    /// The cities that a field borders, as a mask of segments.
    pub(super) cities: [u8; MAX_SPOTS],
    /// Whether the first segment, a city, has a coat of arms.
    pub(super) shield: bool,
    /// The kind of which two segments are separate here and may join elsewhere: cities or roads.
    pub(super) split: Option<Kind>,
}

const fn orient(of: &Type, r: u32) -> Oriented {
    let mut tile = Oriented {
        edges: 0,
        spots: 0,
        kinds: [Kind::City; MAX_SPOTS],
        of_kind: [0; 4],
        reach: [0; MAX_SPOTS],
        side: [NONE; 4],
        half: [NONE; 8],
        cities: [0; MAX_SPOTS],
        shield: of.shield,
        split: match (of.cities.len(), of.roads.len()) {
            (2.., _) => Some(Kind::City),
            (_, 2..) => Some(Kind::Road),
            _ => None,
        },
    };
    let mut n = 0;
    let lines = of.cities.len() + of.roads.len();
    while n < lines {
        let is_city = n < of.cities.len();
        let mask = if is_city { of.cities[n] } else { of.roads[n - of.cities.len()] };
        tile.kinds[n] = if is_city { Kind::City } else { Kind::Road };
        tile.of_kind[if is_city { 0 } else { 1 }] |= 1 << n;
        tile.reach[n] = (mask << r | mask >> (4 - r)) & 15;
        let mut side = 0;
        while side < 4 {
            if tile.reach[n] >> side & 1 != 0 {
                tile.side[side] = n as u8;
                tile.edges |= (if is_city { CITY } else { ROAD }) << (2 * side);
            }
            side += 1;
        }
        n += 1;
    }
    let mut i = 0;
    while i < of.fields.len() {
        let (mask, cities) = of.fields[i];
        tile.kinds[n] = Kind::Field;
        tile.of_kind[2] |= 1 << n;
        tile.reach[n] = mask.rotate_left(2 * r);
        tile.cities[n] = cities;
        let mut half = 0;
        while half < 8 {
            if tile.reach[n] >> half & 1 != 0 {
                tile.half[half] = n as u8;
                if tile.edges >> (half / 2 * 2) & 3 == 0 {
                    tile.side[half / 2] = n as u8;
                }
            }
            half += 1;
        }
        n += 1;
        i += 1;
    }
    if of.cloister {
        tile.kinds[n] = Kind::Cloister;
        tile.of_kind[3] |= 1 << n;
        n += 1;
    }
    tile.spots = n as u8;
    let mut side = 0;
    while side < 4 {
        if tile.edges >> (2 * side) & 3 == 0 {
            tile.edges |= FIELD << (2 * side);
        }
        side += 1;
    }
    tile
}

/// Every type in every orientation: `4 * type + rotation`.
pub(super) static ORIENTED: [Oriented; 4 * TYPES] = {
    let mut all = [orient(&TILES[0], 0); 4 * TYPES];
    let mut i = 0;
    while i < all.len() {
        all[i] = orient(&TILES[i / 4], i as u32 % 4);
        i += 1;
    }
    all
};

/// Which rotations of a type fit between known edges: a mask in the low four bits, their number
/// in the high ones. The first table lists those that look different once, the second all.
pub(super) static FITS: [[[u8; 256]; TYPES]; 2] = {
    let mut fits = [[[0; 256]; TYPES]; 2];
    let mut i = 0;
    while i < 4 * TYPES {
        let edges = ORIENTED[i].edges;
        let mut known = 0;
        while known < 256 {
            let mut fit = true;
            let mut side = 0;
            while side < 8 {
                let wanted = known as u8 >> side & 3;
                fit &= wanted == 0 || wanted == edges >> side & 3;
                side += 2;
            }
            if fit {
                fits[1][i / 4][known] += 1 << (i % 4) | 1 << 4;
                if (i % 4) < TILES[i / 4].rotations as usize {
                    fits[0][i / 4][known] += 1 << (i % 4) | 1 << 4;
                }
            }
            known += 1;
        }
        i += 1;
    }
    fits
};

/// The letter of a type.
pub(super) fn letter(tile: usize) -> char {
    (b'A' + tile as u8) as char
}

/// The type of a letter.
pub(super) fn of_letter(letter: char) -> Option<usize> {
    ('A'..='X').contains(&letter).then(|| letter as usize - 'A' as usize)
}

/// The name of a segment: `city0`, `road2`, `cloister`.
pub(super) fn spot_name(tile: usize, spot: usize) -> String {
    let tile = &ORIENTED[4 * tile];
    let kind = tile.kinds[spot];
    match kind {
        Kind::Cloister => kind.name().to_string(),
        _ => format!(
            "{}{}",
            kind.name(),
            spot - tile.of_kind[kind as usize].trailing_zeros() as usize
        ),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A value of a line `key = value` of the description, brackets and quotes left out.
    fn value<'a>(block: &'a str, key: &str) -> &'a str {
        let line = block.lines().find(|l| l.split(" = ").next() == Some(key));
        line.unwrap_or_else(|| panic!("no {key} in {block}")).split_once(" = ").unwrap().1
    }

    /// The innermost lists of a value, as words.
    fn lists(text: &str) -> Vec<Vec<&str>> {
        let parts = text.split('[').skip(1).filter(|p| p.contains(']'));
        let inner = parts.map(|p| p.split(']').next().unwrap_or_default());
        inner
            .map(|l| l.split(", ").map(|w| w.trim_matches('"')).filter(|w| !w.is_empty()).collect())
            .collect()
    }

    fn sides(words: &[&str]) -> u8 {
        words.iter().map(|w| 1 << "NESW".find(w).unwrap()).sum()
    }

    fn numbers(words: &[&str]) -> u8 {
        words.iter().map(|w| 1 << w.parse::<u32>().unwrap()).sum()
    }

    #[test]
    fn the_tables_say_what_the_description_says() {
        let text = include_str!("../../../../data/carcassonne/tiles.toml");
        let blocks: Vec<&str> = text.split("[[tile]]").skip(1).collect();
        assert_eq!(blocks.len(), TYPES);
        for (i, (block, tile)) in blocks.into_iter().zip(&TILES).enumerate() {
            let id = value(block, "id").trim_matches('"');
            assert_eq!(Some(i), of_letter(id.chars().next().unwrap()));
            assert_eq!(tile.copies.to_string(), value(block, "count"), "{id}");
            assert_eq!(tile.rotations.to_string(), value(block, "rotations"), "{id}");
            assert_eq!(u8::from(tile.shield).to_string(), value(block, "shields"), "{id}");
            assert_eq!(tile.cloister.to_string(), value(block, "cloister"), "{id}");
            let masks = |key| -> Vec<u8> {
                let list = value(block, key);
                if list == "[]" { vec![] } else { lists(list).iter().map(|l| sides(l)).collect() }
            };
            assert_eq!(tile.cities, masks("cities"), "{id}");
            assert_eq!(tile.roads, masks("roads"), "{id}");
            let fields: Vec<(u8, u8)> = (value(block, "fields").split('{').skip(1))
                .map(lists)
                .map(|l| (numbers(&l[0]), numbers(&l[1])))
                .collect();
            assert_eq!(tile.fields, fields, "{id}");
            let edges = &lists(value(block, "edges"))[0];
            let packed: u8 = (edges.iter().enumerate())
                .map(|(k, e)| match *e {
                    "C" => CITY << (2 * k),
                    "R" => ROAD << (2 * k),
                    _ => FIELD << (2 * k),
                })
                .sum();
            assert_eq!(ORIENTED[4 * i].edges, packed, "{id}");
        }
        let copies: usize = TILES.iter().map(|t| usize::from(t.copies)).sum();
        assert_eq!(copies, MAX_TILES);
    }

    /// Orientations look different exactly as often as the table says.
    #[test]
    fn rotations_are_symmetries() {
        for (i, tile) in TILES.iter().enumerate() {
            let look = |r: usize| {
                let o = &ORIENTED[4 * i + r];
                let mut parts: Vec<(Kind, u8)> =
                    (0..o.spots as usize).map(|s| (o.kinds[s], o.reach[s])).collect();
                parts.sort_by_key(|&(kind, reach)| (kind as u8, reach));
                parts
            };
            let different = (1..4).find(|&r| look(r) == look(0)).unwrap_or(4);
            assert_eq!(different, usize::from(tile.rotations), "{}", letter(i));
        }
    }
}
