//! The placed tiles, the squares beside them, and how a tile joins its neighbours.

use super::features::Features;
use super::tiles::{CITY, Kind, MAX_TILES, NONE, ORIENTED, Oriented, ROAD, START};
use spielbaum_core::zobrist;

/// Squares are numbered `37 x + 38 y` modulo 2813. That is the perfect Lee code of radius 37 (Golomb
/// and Welch 1970): two squares share a number only if they lie at least 75 steps apart. Connected
/// tiles lie at most 71 steps apart, the squares beside them or diagonal to them at most 74 from
/// whatever is looked up, so no two squares in use share one; half the memory of a torus of 74 × 74.
pub(super) const CELLS: usize = 2813;
/// What a step to the north, east, south, west adds to a number.
const STEPS: [u16; 4] = [2813 - 38, 37, 38, 2813 - 37];
/// `n` connected squares have at most `2n + 2` empty neighbours.
pub(super) const MAX_OPEN: usize = 2 * MAX_TILES + 2;
/// In the grid: 0 is far from all tiles, then come the tiles, then the empty neighbours.
const OPEN: u8 = 1 + MAX_TILES as u8;
/// Cloisters in the box.
const CLOISTERS: usize = 6;

/// The number of a square.
#[inline]
pub(super) fn cell(x: i8, y: i8) -> u16 {
    (37 * i32::from(x) + 38 * i32::from(y)).rem_euclid(CELLS as i32) as u16
}

#[inline]
fn step(cell: u16, side: usize) -> u16 {
    let next = cell + STEPS[side];
    if next >= CELLS as u16 { next - CELLS as u16 } else { next }
}

/// A tile on the board.
#[derive(Clone, Copy)]
pub(super) struct Tile {
    pub(super) x: i8,
    pub(super) y: i8,
    /// `4 * type + rotation`.
    pub(super) oriented: u8,
    /// Number of its first segment.
    pub(super) first: u8,
    /// Where a meeple was put when it was placed: 0 nowhere, else 1 + the segment on the tile.
    pub(super) claim: u8,
}

impl Tile {
    const EMPTY: Tile = Tile { x: 0, y: 0, oriented: 0, first: 0, claim: 0 };

    #[inline]
    pub(super) fn look(&self) -> &'static Oriented {
        &ORIENTED[self.oriented as usize]
    }

    pub(super) fn kind(&self) -> usize {
        self.oriented as usize / 4
    }
}

/// An empty square beside a tile.
#[derive(Clone, Copy)]
pub(super) struct Open {
    pub(super) cell: u16,
    pub(super) x: i8,
    pub(super) y: i8,
    /// The tile on each side, or [`NONE`].
    pub(super) beside: [u8; 4],
}

/// Everything that lies on the table. Flat memory: a copy is one `memcpy`.
#[derive(Clone, Copy)]
pub(super) struct Board {
    grid: [u8; CELLS],
    /// What the edges around each open square are, two bits a side: all that placing asks.
    edges: [u8; MAX_OPEN],
    open: [Open; MAX_OPEN],
    tiles: [Tile; MAX_TILES],
    pub(super) features: Features,
    /// Tiles with a cloister that is not complete.
    cloisters: [u8; CLOISTERS],
    waiting: u8,
    open_len: u8,
    placed: u8,
    /// Hash of the tiles as they look.
    pub(super) key: u64,
}

impl Board {
    /// The start tile alone. `once`: tiles count once in a feature, not once for each segment.
    pub(super) fn new(once: bool) -> Self {
        let nowhere = Open { cell: 0, x: 0, y: 0, beside: [NONE; 4] };
        let mut board = Board {
            grid: [0; CELLS],
            edges: [0; MAX_OPEN],
            open: [nowhere; MAX_OPEN],
            tiles: [Tile::EMPTY; MAX_TILES],
            features: Features::new(once),
            cloisters: [0; CLOISTERS],
            waiting: 0,
            open_len: 0,
            placed: 0,
            key: 0,
        };
        board.grid[cell(0, 0) as usize] = OPEN;
        board.open_len = 1;
        board.place(0, 4 * START);
        board
    }

    /// Tiles in the order in which they were placed, the start tile first.
    pub(super) fn tiles(&self) -> &[Tile] {
        &self.tiles[..self.placed as usize]
    }

    #[inline]
    pub(super) fn tile(&self, index: u8) -> &Tile {
        &self.tiles[index as usize]
    }

    /// Notes that the tile placed last was claimed.
    pub(super) fn claim_last(&mut self, spot: usize) {
        self.tiles[self.placed as usize - 1].claim = 1 + spot as u8;
    }

    /// The empty squares beside tiles.
    #[inline]
    pub(super) fn open(&self) -> &[Open] {
        &self.open[..self.open_len as usize]
    }

    /// The edges around them, in the same order.
    #[inline]
    pub(super) fn edges(&self) -> &[u8] {
        &self.edges[..self.open_len as usize]
    }

    /// The place of a square in [`open`](Board::open), if it is empty and beside a tile.
    pub(super) fn find_open(&self, x: i8, y: i8) -> Option<usize> {
        let index = usize::from(self.grid[cell(x, y) as usize].checked_sub(OPEN)?);
        // Far away another square has the same number.
        (self.open[index].x == x && self.open[index].y == y).then_some(index)
    }

    /// As [`find_open`](Board::find_open), for a square that is known to be there.
    #[inline]
    pub(super) fn open_at(&self, x: i8, y: i8) -> usize {
        usize::from(self.grid[cell(x, y) as usize].saturating_sub(OPEN))
    }

    /// Puts a tile on an open square; returns the cloisters that this completed, as tiles. Whether
    /// it fits is the caller's duty.
    #[inline]
    pub(super) fn place(&mut self, at: usize, oriented: usize) -> Completed {
        let Open { cell, x, y, beside } = self.open[at];
        let look = &ORIENTED[oriented];
        let index = self.placed;
        let first = self.features.add(look);
        self.tiles[index as usize] = Tile { x, y, oriented: oriented as u8, first, claim: 0 };
        self.placed += 1;
        self.key ^= tile_key(x, y, oriented);
        self.close(at);
        self.grid[cell as usize] = 1 + index;
        for (side, neighbour) in beside.into_iter().enumerate() {
            if neighbour == NONE {
                self.touch(step(cell, side), x, y, side, index, look.edges >> (2 * side) & 3);
            } else {
                self.join(first, look, side, neighbour);
            }
        }
        self.surround(index, x, y, cell)
    }

    /// Joins the segments on both sides of an edge.
    #[inline]
    fn join(&mut self, first: u8, look: &Oriented, side: usize, neighbour: u8) {
        let other = self.tiles[neighbour as usize];
        let across = other.look();
        let (a, b) = (first + look.side[side], other.first + across.side[side ^ 2]);
        match look.edges >> (2 * side) & 3 {
            CITY => self.features.join_line(a, b),
            ROAD => {
                self.features.join_line(a, b);
                for (here, there) in
                    [(2 * side, 2 * (side ^ 2) + 1), (2 * side + 1, 2 * (side ^ 2))]
                {
                    let (a, b) = (first + look.half[here], other.first + across.half[there]);
                    self.features.join(a, b);
                }
            }
            _ => _ = self.features.join(a, b),
        }
    }

    /// Takes a square from the list of open ones; the last takes its place.
    #[inline]
    fn close(&mut self, at: usize) {
        let last = self.open_len as usize - 1;
        self.open_len -= 1;
        if at != last {
            self.open[at] = self.open[last];
            self.edges[at] = self.edges[last];
            self.grid[self.open[at].cell as usize] = OPEN + at as u8;
        }
    }

    /// The empty square on a side of the tile at `x`, `y` gets an edge; it opens if it was not yet.
    #[inline]
    fn touch(&mut self, cell: u16, x: i8, y: i8, side: usize, tile: u8, edge: u8) {
        let mut value = self.grid[cell as usize];
        if value == 0 {
            let (dx, dy) = [(0, -1), (1, 0), (0, 1), (-1, 0)][side];
            value = OPEN + self.open_len;
            self.grid[cell as usize] = value;
            let at = self.open_len as usize;
            self.open[at] = Open { cell, x: x + dx, y: y + dy, beside: [NONE; 4] };
            self.edges[at] = 0;
            self.open_len += 1;
        }
        let at = usize::from(value - OPEN);
        self.open[at].beside[side ^ 2] = tile;
        self.edges[at] |= edge << (2 * (side ^ 2));
    }

    /// How many of the eight squares around one have tiles.
    #[inline]
    pub(super) fn tiles_around(&self, cell: u16) -> u8 {
        let is_tile = |cell: u16| (1..OPEN).contains(&self.grid[cell as usize]);
        let mut filled = 0;
        for side in 0..4 {
            let edge = step(cell, side);
            filled += u8::from(is_tile(edge));
            filled += u8::from(is_tile(step(edge, (side + 1) % 4)));
        }
        filled
    }

    /// Counts the new tile for the cloisters around it, and the tiles around a new cloister.
    #[inline]
    fn surround(&mut self, index: u8, x: i8, y: i8, cell: u16) -> Completed {
        let mut completed = Completed { tiles: [0; CLOISTERS], len: 0 };
        let mut i = 0;
        while i < usize::from(self.waiting) {
            let tile = self.tiles[self.cloisters[i] as usize];
            if tile.x.abs_diff(x) <= 1 && tile.y.abs_diff(y) <= 1 {
                let feature = self.features.at_mut(cloister_of(&tile));
                feature.open -= 1;
                feature.tiles += 1;
                if feature.open == 0 {
                    completed.push(self.cloisters[i]);
                    self.waiting -= 1;
                    self.cloisters[i] = self.cloisters[usize::from(self.waiting)];
                    continue;
                }
            }
            i += 1;
        }
        let tile = self.tiles[index as usize];
        if tile.look().of_kind[Kind::Cloister as usize] != 0 {
            let filled = self.tiles_around(cell);
            let feature = self.features.at_mut(cloister_of(&tile));
            (feature.open, feature.tiles) = (8 - filled, 1 + filled);
            if filled == 8 {
                completed.push(index);
            } else {
                self.cloisters[usize::from(self.waiting)] = index;
                self.waiting += 1;
            }
        }
        completed
    }
}

/// The segment of a tile's cloister: the last one.
pub(super) fn cloister_of(tile: &Tile) -> u8 {
    tile.first + tile.look().spots - 1
}

/// Cloisters completed by a placement.
pub(super) struct Completed {
    tiles: [u8; CLOISTERS],
    len: u8,
}

impl Completed {
    fn push(&mut self, tile: u8) {
        self.tiles[self.len as usize] = tile;
        self.len += 1;
    }

    pub(super) fn tiles(&self) -> &[u8] {
        &self.tiles[..self.len as usize]
    }
}

/// Rotations that look the same have the same key.
fn tile_key(x: i8, y: i8, oriented: usize) -> u64 {
    let tile = &super::tiles::TILES[oriented / 4];
    let look = oriented / 4 * 4 + oriented % 4 % usize::from(tile.rotations);
    zobrist::key(1, (u64::from(x as u8) << 16) | (u64::from(y as u8) << 8) | look as u64)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Squares nearer to each other than 75 steps have different numbers.
    #[test]
    fn near_squares_have_different_numbers() {
        let aliases = (-80i32..=80).flat_map(|x| (-80i32..=80).map(move |y| (x, y)));
        let nearest = aliases
            .filter(|&(x, y)| (x, y) != (0, 0) && (37 * x + 38 * y) % CELLS as i32 == 0)
            .map(|(x, y)| x.abs() + y.abs())
            .min();
        assert_eq!(nearest, Some(75));
    }

    #[test]
    fn a_board_is_a_few_kilobytes() {
        assert!(size_of::<Board>() < 7 * 1024, "{}", size_of::<Board>());
    }
}
