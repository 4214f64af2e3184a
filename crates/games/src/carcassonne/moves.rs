//! Moves: a tile placed, with or without a meeple, or a tile drawn.

use super::board::{self, CELLS};
use super::tiles::{MAX_SPOTS, TYPES, letter, of_letter, spot_name};
use std::fmt;

/// A move in 32 bits. Its notation:
///
/// * `U@3:-2r1` – tile U goes to x = 3, y = -2 (x grows to the east, y to the **south**, the start tile
///   lies at 0:0), turned once clockwise;
/// * `U@3:-2r1+road0` – the same, with a meeple on its first road;
/// * `U` – chance draws the tile U.
///
/// Spots are named by the segment in the tile's own frame, whatever the rotation: `city0`, `city1`,
/// `road0` to `road3`, `field0` to `field3`, `cloister`.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Move(u32);

const DRAW: u32 = 1 << 31;

/// Rotations and spots, none included, of a square.
const PER_CELL: usize = 4 * (MAX_SPOTS + 1);

impl Move {
    /// Codes of all moves: squares by rotation and spot, then the draws.
    pub(super) const CODES: usize = CELLS * PER_CELL + TYPES;

    pub(super) fn draw(tile: usize) -> Self {
        Move(DRAW | tile as u32)
    }

    /// `spot` is 0 for no meeple, else 1 + the segment.
    #[inline]
    pub(super) fn place(tile: usize, x: i8, y: i8, rotation: usize, spot: usize) -> Self {
        let (x, y) = (u32::from(x as u8) << 8, u32::from(y as u8) << 16);
        Move(tile as u32 | (rotation as u32) << 5 | x | y | (spot as u32) << 24)
    }

    /// Whether chance draws a tile here, and no player places one.
    pub fn is_draw(self) -> bool {
        self.0 & DRAW != 0
    }

    #[inline]
    pub(super) fn tile(self) -> usize {
        (self.0 & 31) as usize
    }

    /// The letter of the tile, `A` to `X`.
    pub fn letter(self) -> char {
        letter(self.tile())
    }

    /// Where the tile goes: x to the east, y to the south of the start tile.
    #[inline]
    pub fn at(self) -> (i8, i8) {
        ((self.0 >> 8) as u8 as i8, (self.0 >> 16) as u8 as i8)
    }

    /// Quarter turns clockwise.
    #[inline]
    pub fn rotation(self) -> usize {
        (self.0 >> 5 & 3) as usize
    }

    /// 0 for no meeple, else 1 + the segment.
    #[inline]
    pub(super) fn spot(self) -> usize {
        (self.0 >> 24 & 15) as usize
    }

    /// The name of the spot that gets a meeple, if one does.
    pub fn meeple(self) -> Option<String> {
        self.spot().checked_sub(1).map(|s| spot_name(self.tile(), s))
    }

    pub(super) fn code(self) -> usize {
        if self.is_draw() {
            return CELLS * PER_CELL + self.tile();
        }
        let (x, y) = self.at();
        let turned = self.rotation() * (MAX_SPOTS + 1) + self.spot();
        usize::from(board::cell(x, y)) * PER_CELL + turned
    }

    /// Reads the notation of a placement, and nothing but it.
    pub(super) fn parse_place(text: &str) -> Option<Self> {
        let (tile, rest) = text.split_once('@')?;
        let tile = of_letter(tile.chars().next()?)?;
        let (at, spot) = rest.split_once('+').map_or((rest, None), |(at, s)| (at, Some(s)));
        let (at, rotation) = at.split_once('r')?;
        let (x, y) = at.split_once(':')?;
        let rotation = rotation.parse().ok().filter(|&r: &usize| r < 4)?;
        let place =
            |spot| Some(Move::place(tile, x.parse().ok()?, y.parse().ok()?, rotation, spot));
        let spots = usize::from(super::tiles::ORIENTED[4 * tile].spots);
        let m = place(match spot {
            None => 0,
            Some(name) => 1 + (0..spots).find(|&s| spot_name(tile, s) == name)?,
        })?;
        (m.to_string() == text).then_some(m)
    }
}

impl fmt::Display for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.is_draw() {
            return f.pad(&self.letter().to_string());
        }
        let (x, y) = self.at();
        let meeple = self.meeple().map(|s| format!("+{s}")).unwrap_or_default();
        f.pad(&format!("{}@{x}:{y}r{}{meeple}", self.letter(), self.rotation()))
    }
}

impl fmt::Debug for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}
