//! Pictures of single tiles, a hundred units wide, drawn from the tables: no image files.

use super::tiles::{Kind, ORIENTED, TILES, Type};
use std::fmt::Write as _;

/// A point on a tile.
pub(super) type Point = (f64, f64);

/// Where farmers stand on each type's fields, unrotated.
const FARMERS: [&[(u8, u8)]; 24] = [
    &[(20, 24)],
    &[(20, 24)],
    &[],
    &[(85, 34), (50, 76)],
    &[(50, 66)],
    &[(50, 11), (50, 89)],
    &[(50, 11), (50, 89)],
    &[(50, 50)],
    &[(34, 66)],
    &[(26, 64), (84, 84)],
    &[(74, 64), (16, 84)],
    &[(84, 33), (80, 80), (20, 80)],
    &[(70, 70)],
    &[(70, 70)],
    &[(86, 31), (85, 85)],
    &[(86, 31), (85, 85)],
    &[(50, 90)],
    &[(50, 90)],
    &[(74, 92), (26, 92)],
    &[(74, 92), (26, 92)],
    &[(77, 50), (23, 50)],
    &[(66, 30), (17, 83)],
    &[(50, 22), (80, 80), (20, 80)],
    &[(80, 20), (80, 80), (20, 80), (20, 20)],
];

/// A point turned clockwise around the middle of the tile.
pub(super) fn turned((x, y): Point, quarters: usize) -> Point {
    (0..quarters % 4).fold((x, y), |(x, y), _| (100.0 - y, x))
}

/// Where a meeple stands on a segment of an unrotated tile.
pub(super) fn stand(tile: usize, spot: usize) -> Point {
    let look = &ORIENTED[4 * tile];
    let first = |kind: Kind| look.of_kind[kind as usize].trailing_zeros() as usize;
    let reach = look.reach[spot];
    let (turns, sides) = normal(reach);
    match look.kinds[spot] {
        Kind::Cloister => (50.0, 50.0),
        Kind::Field => {
            let (x, y) = FARMERS[tile][spot - first(Kind::Field)];
            (f64::from(x), f64::from(y))
        }
        Kind::City => turned(
            match sides {
                0b0001 => (50.0, 12.0),
                0b1001 => (27.0, 27.0),
                0b1011 => (50.0, 40.0),
                _ => (50.0, 50.0),
            },
            turns,
        ),
        Kind::Road => turned(
            match sides {
                0b0001 if TILES[tile].cities.first().is_some_and(|c| c.count_ones() > 2) => {
                    (50.0, 10.0)
                }
                0b0001 => (50.0, 20.0),
                0b1001 => (37.0, 37.0),
                _ => (50.0, 50.0),
            },
            turns,
        ),
    }
}

/// Sides as one of N, N + W, N + S, N + E + W or all, turned clockwise so many times.
fn normal(reach: u8) -> (usize, u8) {
    let back = |turns: usize| (reach >> turns | reach << (4 - turns)) & 15;
    let known = [0b0001, 0b1001, 0b0101, 0b1011, 0b1111];
    let found = (0..4).find(|&turns| known.contains(&back(turns)));
    found.map_or((0, reach), |turns| (turns, back(turns)))
}

/// The drawing of a type, unrotated, as the inside of an SVG group.
pub(super) fn tile(index: usize) -> String {
    let tile = &TILES[index];
    let mut svg = String::from(r##"<rect width="100" height="100" fill="#a3c76d"/>"##);
    meadow(&mut svg, index);
    for &reach in tile.cities {
        city(&mut svg, reach);
    }
    for &reach in tile.roads {
        road(&mut svg, tile, reach);
    }
    if tile.roads.len() > 1 {
        svg += r##"<circle cx="50" cy="50" r="10" fill="#d9c79b" stroke="#7d6b4a" stroke-width="2"/>"##;
        for (x, y) in [(46, 51), (54, 53)] {
            house(&mut svg, f64::from(x), f64::from(y), 0.7);
        }
    }
    if tile.cloister {
        cloister(&mut svg);
    }
    if tile.shield {
        shield(&mut svg, tile.cities[0]);
    }
    svg + r##"<rect x="0.5" y="0.5" width="99" height="99" fill="none" stroke="#40502a" stroke-opacity="0.45"/>"##
}

/// A few tufts of grass, at places that depend on the type.
fn meadow(svg: &mut String, index: usize) {
    for i in 0..9u32 {
        let place = index as u32 * 37 + i * 61;
        let (x, y) = (8 + place * 29 % 84, 10 + place * 53 % 82);
        let _ = write!(
            svg,
            r##"<path d="M{x} {y}l-2 -4M{x} {y}l0 -5M{x} {y}l2 -4" stroke="#7fa64e" stroke-width="1" fill="none"/>"##
        );
    }
}

/// The wall, the ground behind it, and some houses.
fn city(svg: &mut String, reach: u8) {
    let (turns, sides) = normal(reach);
    // The wall runs between corners of the tile; the ground is what lies behind it.
    let (walls, ground, houses): (&str, &str, &[(u8, u8)]) = match sides {
        0b0001 => ("M0 0C24 33 76 33 100 0", "Z", &[(30, 9), (70, 9), (50, 19)]),
        0b1001 => ("M0 100Q36 36 100 0", "H0Z", &[(10, 52), (52, 8), (12, 20), (34, 40), (14, 74)]),
        0b0101 => (
            "M0 0Q44 50 0 100M100 100Q56 50 100 0",
            "",
            &[(50, 12), (32, 30), (66, 28), (36, 74), (68, 76), (50, 88)],
        ),
        0b1011 => (
            "M0 100Q50 62 100 100",
            "V0H0Z",
            &[(30, 16), (78, 18), (16, 44), (84, 50), (30, 66), (68, 66), (54, 14)],
        ),
        _ => ("", "", &[(50, 14), (76, 26), (16, 50), (84, 62), (30, 78), (64, 84), (50, 70)]),
    };
    let area = match sides {
        0b0101 => "M0 0Q44 50 0 100H100Q56 50 100 0Z".to_string(),
        0b1111 => "M0 0H100V100H0Z".to_string(),
        _ => format!("{walls}{ground}"),
    };
    let _ = write!(
        svg,
        r##"<g transform="rotate({} 50 50)"><path d="{area}" fill="#d8b27c"/><path d="{walls}" fill="none" stroke="#6b4a2b" stroke-width="7"/><path d="{walls}" fill="none" stroke="#c9b79c" stroke-width="4" stroke-dasharray="5 2.5"/></g>"##,
        90 * turns
    );
    for &(x, y) in houses {
        let (x, y) = turned((f64::from(x), f64::from(y)), turns);
        house(svg, x, y, 1.0);
    }
}

/// Houses stand upright on the unrotated tile.
fn house(svg: &mut String, x: f64, y: f64, size: f64) {
    let _ = write!(
        svg,
        r##"<g transform="translate({x} {y}) scale({size})"><rect x="-4" y="-1" width="8" height="6" fill="#f2e3c4" stroke="#7a4a2a" stroke-width="0.8"/><path d="M-5.5 -1L0 -6L5.5 -1Z" fill="#b4502e" stroke="#7a3018" stroke-width="0.8"/></g>"##
    );
}

fn road(svg: &mut String, tile: &Type, reach: u8) {
    let (turns, sides) = normal(reach);
    let to_city = tile.cities.first().is_some_and(|c| c.count_ones() > 2);
    let path = match sides {
        0b0001 if to_city => "M50 0V19",
        0b0001 => "M50 0V50",
        0b1001 => "M50 0Q50 50 0 50",
        _ => "M50 0V100",
    };
    let _ = write!(
        svg,
        r##"<g transform="rotate({} 50 50)" fill="none"><path d="{path}" stroke="#86795a" stroke-width="12"/><path d="{path}" stroke="#f6f0e0" stroke-width="8.5"/></g>"##,
        90 * turns
    );
}

fn cloister(svg: &mut String) {
    *svg += r##"<ellipse cx="50" cy="54" rx="30" ry="24" fill="#8cb257" stroke="#6b8f3c"/>
<g stroke="#5a3a22" stroke-width="1.2" stroke-linejoin="round"><rect x="33" y="46" width="40" height="20" fill="#f4e9d2"/>
<path d="M29 46L38 34H68L77 46Z" fill="#b4402a"/><rect x="27" y="36" width="14" height="30" fill="#efe0c2"/>
<path d="M25 36L34 20L43 36Z" fill="#8f2f20"/><path d="M34 20V10M30 13.5H38" stroke-width="2.2" fill="none"/>
<path d="M54 66V57a4 4 0 0 1 8 0V66Z" fill="#6b4a2b"/><path d="M32 50h4v7h-4Z" fill="#5d7f9c"/></g>"##;
}

fn shield(svg: &mut String, reach: u8) {
    let (turns, sides) = normal(reach);
    let place = match sides {
        0b1001 => (62.0, 10.0),
        0b0101 => (50.0, 22.0),
        0b1011 => (17.0, 18.0),
        _ => (22.0, 22.0),
    };
    let (x, y) = turned(place, turns);
    let _ = write!(
        svg,
        r##"<g transform="translate({x} {y})"><path d="M-8 -8H8V1C8 6 3 9 0 10C-3 9 -8 6 -8 1Z" fill="#2f62b5" stroke="#fff" stroke-width="1.8"/><path d="M0 -8V10M-8 -1H8" stroke="#fff" stroke-width="1.8"/></g>"##
    );
}

/// A standing meeple, or a farmer lying in the grass.
pub(super) fn meeple(svg: &mut String, (x, y): Point, size: f64, colour: &str, lies: bool) {
    const BODY: &str = "M0 -11C3.8 -11 5 -8 4.2 -5C8 -4 12 -2 12 0.6C12 3 8 2.8 5.4 2.8C6.5 5.5 9.5 8.5 9.5 \
                        10.2C9.5 11.4 8.8 11.5 7.6 11.5H2.8C1.6 11.5 1.2 8.6 0 8.6C-1.2 8.6 -1.6 11.5 -2.8 11.5\
                        H-7.6C-8.8 11.5 -9.5 11.4 -9.5 10.2C-9.5 8.5 -6.5 5.5 -5.4 2.8C-8 2.8 -12 3 -12 0.6C-12 \
                        -2 -8 -4 -4.2 -5C-5 -8 -3.8 -11 0 -11Z";
    let angle = if lies { 90.0 } else { 0.0 };
    let _ = write!(
        svg,
        r##"<g transform="translate({x:.1} {y:.1}) rotate({angle}) scale({size})"><path d="{BODY}" fill="none" stroke="#fff" stroke-width="4.5" stroke-linejoin="round"/><path d="{BODY}" fill="{colour}" stroke="#1d1d1d" stroke-width="1.3"/></g>"##
    );
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Meeples stand on the tile, and no two spots of a tile are at one place.
    #[test]
    fn spots_are_apart() {
        for tile in 0..TILES.len() {
            let spots = usize::from(ORIENTED[4 * tile].spots);
            let places: Vec<Point> = (0..spots).map(|s| stand(tile, s)).collect();
            for (i, &(x, y)) in places.iter().enumerate() {
                assert!((8.0..=92.0).contains(&x) && (8.0..=92.0).contains(&y));
                for &(u, v) in &places[..i] {
                    assert!((x - u).hypot(y - v) > 14.0, "type {tile}, spot {i}");
                }
            }
        }
    }
}
