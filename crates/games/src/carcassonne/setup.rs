//! What is chosen before a game: players, tiles, rules.

use super::tiles::{MAX_TILES, START, TILES, TYPES, letter, of_letter};
use spielbaum_core::{MAX_PLAYERS, ParseError};

/// Tiles that can be drawn: all but the start tile.
pub(super) const DRAWN: usize = MAX_TILES - 1;

/// In which order the tiles come, and who decides it.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Order {
    /// Nobody knows: chance draws a tile before each turn.
    #[default]
    Hidden,
    /// Part of the position: chance deals the whole stack before the first turn, anew in each game.
    Dealt,
    /// Part of the position: shuffled by this seed.
    Shuffled(u64),
    /// Part of the position: as the tiles are listed.
    Listed,
}

/// What is chosen before a game. The default is the game as it is sold, for two.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Options<'a> {
    /// Seats, 2 to 5.
    pub players: usize,
    /// In which order the tiles come.
    pub order: Order,
    /// The letters of the tiles to draw, such as `UVLB`: none more often than it is in the box.
    /// All 71 unless given.
    pub tiles: Option<&'a str>,
    /// The two deviations of Kummer's program (2019): a tile with two segments in one city or road counts
    /// twice, and occupation through another segment of the new tile is not seen.
    pub paper: bool,
    /// Lists also the rotations that look like another one.
    pub all_rotations: bool,
}

impl Default for Options<'_> {
    fn default() -> Self {
        Options {
            players: 2,
            order: Order::Hidden,
            tiles: None,
            paper: false,
            all_rotations: false,
        }
    }
}

/// Options that were checked, as a position keeps them.
#[derive(Clone, Copy)]
pub(super) struct Setup {
    pub(super) players: u8,
    /// The order is part of the position.
    pub(super) known: bool,
    /// There is an order, but who holds this position may not know it.
    pub(super) veiled: bool,
    pub(super) paper: bool,
    pub(super) all_rotations: bool,
    /// Copies of each type to be drawn in a game.
    pub(super) set: Bag,
}

impl Setup {
    pub(super) fn new(options: &Options<'_>) -> Result<(Self, Vec<u8>), ParseError> {
        if !(2..=MAX_PLAYERS).contains(&options.players) {
            return Err(ParseError::new(format!("Carcassonne for {} players", options.players))
                .help("2 to 5 players"));
        }
        let list = match options.tiles {
            Some(text) => read_list(text)?,
            None => {
                let copies = Bag::FULL.copies;
                (0..TYPES as u8).flat_map(|t| (0..copies[t as usize]).map(move |_| t)).collect()
            }
        };
        let mut set = Bag::EMPTY;
        for &tile in &list {
            set.put(tile as usize);
        }
        let Options { players, order, paper, all_rotations, .. } = *options;
        let known = order != Order::Hidden;
        Ok((
            Setup { players: players as u8, known, veiled: false, paper, all_rotations, set },
            list,
        ))
    }

    /// Which of the tables of fitting rotations is used.
    #[inline]
    pub(super) fn table(&self) -> usize {
        usize::from(self.all_rotations)
    }
}

fn read_list(text: &str) -> Result<Vec<u8>, ParseError> {
    let mut left = Bag::FULL;
    let mut list = Vec::new();
    for (i, c) in text.char_indices() {
        let at = i..i + c.len_utf8();
        let Some(tile) = of_letter(c) else {
            return Err(ParseError::new(format!("`{c}` is not a tile"))
                .at(at)
                .help("tiles are the letters A to X, as in `tiles=UVLB`"));
        };
        if left.copies[tile] == 0 {
            let copies = Bag::FULL.copies[tile];
            let many = if copies == 1 { "is 1 tile" } else { &format!("are {copies} tiles") };
            return Err(ParseError::new(format!("too many tiles {}", letter(tile)))
                .at(at)
                .help(format!("there {many} {} to draw", letter(tile))));
        }
        left.take(tile);
        list.push(tile as u8);
    }
    if list.is_empty() {
        return Err(ParseError::new("no tiles to draw").help("letters A to X, as in `tiles=UVLB`"));
    }
    Ok(list)
}

/// How many tiles of each type there are.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) struct Bag {
    pub(super) copies: [u8; TYPES],
    pub(super) total: u8,
}

impl Bag {
    pub(super) const EMPTY: Bag = Bag { copies: [0; TYPES], total: 0 };

    /// All tiles but the start tile.
    const FULL: Bag = {
        let mut copies = [0; TYPES];
        let mut i = 0;
        while i < TYPES {
            copies[i] = TILES[i].copies - (i == START) as u8;
            i += 1;
        }
        Bag { copies, total: DRAWN as u8 }
    };

    pub(super) fn put(&mut self, tile: usize) {
        self.copies[tile] += 1;
        self.total += 1;
    }

    #[inline]
    pub(super) fn take(&mut self, tile: usize) {
        self.copies[tile] -= 1;
        self.total -= 1;
    }

    /// The type of the `nth` tile when they are sorted; `nth` is below `total`. Counts of eight types at a
    /// time are bytes of a word: a multiplication adds them up, a subtraction compares.
    #[inline]
    pub(super) fn nth(&self, mut nth: usize) -> usize {
        const ONES: u64 = 0x0101_0101_0101_0101;
        const TOPS: u64 = 0x8080_8080_8080_8080;
        let (words, _) = self.copies.as_chunks::<8>();
        for (i, &word) in words.iter().enumerate() {
            let sums = u64::from_le_bytes(word).wrapping_mul(ONES);
            let total = (sums >> 56) as usize;
            if nth < total {
                let above = ((sums | TOPS) - (nth as u64 + 1) * ONES) & TOPS;
                return 8 * i + 8 - above.count_ones() as usize;
            }
            nth -= total;
        }
        unreachable!("there are not so many tiles in the bag")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_nth_tile_is_found() {
        let (setup, list) = Setup::new(&Options::default()).unwrap();
        assert_eq!((list.len(), setup.set.total as usize), (DRAWN, DRAWN));
        for (nth, &tile) in list.iter().enumerate() {
            assert_eq!(setup.set.nth(nth), tile as usize);
        }
        let (setup, mut list) =
            Setup::new(&Options { tiles: Some("XVVA"), ..Options::default() }).unwrap();
        list.sort_unstable();
        for (nth, &tile) in list.iter().enumerate() {
            assert_eq!(setup.set.nth(nth), tile as usize);
        }
    }
}
