//! 2048: slide the tiles, merge equals, and survive what chance adds (Cirulli 2014).
//!
//! A slide moves all tiles as far as they go; two equal tiles that meet become one of their sum,
//! which is scored. After each slide chance lays a 2 (nine times in ten) or a 4 on one of the
//! empty cells, all alike; the game begins with two such tiles. It is over when nothing can slide.
//! Cells have four bits, so 32768 is the largest tile: two of them do not merge.
//!
//! A position is written in rows from the top, with score and turn; `.` is an empty cell. Rows are
//! numbered from the top, so `2@b3` lays a 2 in the second column of the third row.
//!
//! ```
//! use spielbaum_core::{Game, text::play_moves};
//! use spielbaum_games::g2048::G2048;
//! let mut game = G2048::new(4, 4).unwrap();
//! play_moves(&mut game, "2@b3 2@b1 up").unwrap();
//! assert_eq!(game.to_string(), ".,4,.,./.,.,.,./.,.,.,./.,.,.,. score=4 turn=chance");
//! ```

mod board;
mod cells;
mod eval;
mod heuristic;
mod lines;
mod moves;
mod paper;
mod text;

pub use board::Direction;
pub use eval::{EVALS, EmptyCells};
pub use heuristic::{HEURISTIC, Heuristic, Weights};
pub use moves::Move;
pub use paper::{Paper, TileScale};

use board::tables;
use spielbaum_core::param::{Args, Param, Preset, Schema};
use spielbaum_core::spec::SpecError;
use spielbaum_core::{
    Game, MAX_PLAYERS, NamedEval, ParseError, Payoffs, Registered, Rng, Turn, zobrist,
};

/// Odds of a 2 against one of a 4.
const TWO: u32 = 9;
const FOUR: u32 = 1;

/// A position of 2048.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct G2048 {
    board: u64,
    score: u32,
    rows: u8,
    columns: u8,
    /// Whether chance is to lay a tile.
    chance: bool,
}

impl G2048 {
    /// The start on a board of 2 to 4 rows and columns: empty, chance lays two tiles.
    pub fn new(rows: usize, columns: usize) -> Result<Self, ParseError> {
        if !(2..=4).contains(&rows) || !(2..=4).contains(&columns) {
            return Err(ParseError::new(format!("2048 on a board of {rows} x {columns}"))
                .help("2 to 4 rows and columns"));
        }
        Ok(G2048 { board: 0, score: 0, rows: rows as u8, columns: columns as u8, chance: true })
    }

    /// The cells, four bits each, from the top left along the rows of the largest board: the
    /// binary logarithm of the tile, 0 for none.
    pub fn board(&self) -> u64 {
        self.board
    }

    /// Points made by merging.
    pub fn score(&self) -> u32 {
        self.score
    }

    /// The tile in a row and column, counted from 0 from the top left; 0 for none.
    pub fn tile(&self, row: usize, column: usize) -> u32 {
        match self.board >> (16 * row + 4 * column) & 15 {
            0 => 0,
            rank => 1 << rank,
        }
    }

    /// The largest tile, 0 on an empty board.
    pub fn largest(&self) -> u32 {
        let rank = board::kinds(self.board).ilog2();
        if rank == 0 { 0 } else { 1 << rank }
    }

    /// The board after a slide; the same if nothing moves.
    #[inline]
    pub fn slid(&self, direction: Direction) -> u64 {
        tables().slide(self.board, direction, self.rows.into(), self.columns.into())
    }

    /// The lowest bits of the empty cells.
    fn empty(&self) -> u64 {
        board::empty(self.board, self.cells())
    }

    fn slides(&self) -> impl Iterator<Item = Direction> + '_ {
        Direction::ALL.into_iter().filter(|&d| self.slid(d) != self.board)
    }

    /// An outcome of chance by its odds, as cell and whether it is a four. The board is not full.
    #[inline]
    fn spawn(&self, cells: u64, rng: &mut Rng) -> (u32, bool) {
        let empty = board::empty(self.board, cells);
        let count = empty.count_ones();
        // The same pick from the same draw as by the list of outcomes and their weights.
        let pick = rng.below((count * (TWO + FOUR)) as usize) as u32;
        let n = pick / (TWO + FOUR);
        // Only the empty board has as many cells as `nth` cannot tell.
        let cell = if count == 16 { n } else { board::nth(empty, n) };
        (cell, pick % (TWO + FOUR) >= TWO)
    }

    fn cells(&self) -> u64 {
        board::cells(self.rows.into(), self.columns.into())
    }
}

impl Game for G2048 {
    type Move = Move;

    fn players(&self) -> usize {
        1
    }

    fn seat_name(&self, _seat: usize) -> String {
        "player".to_string()
    }

    fn turn(&self) -> Turn {
        if self.chance { Turn::Chance } else { Turn::Player(0) }
    }

    fn moves(&self, out: &mut Vec<Move>) {
        if self.chance {
            let mut empty = self.empty();
            while empty != 0 {
                let cell = empty.trailing_zeros() / 4;
                out.extend([Move::spawn(cell, false), Move::spawn(cell, true)]);
                empty &= empty - 1;
            }
        } else {
            out.extend(self.slides().map(Move::slide));
        }
    }

    #[inline]
    fn play(&mut self, m: Move) {
        if let Some((cell, rank)) = m.spawned() {
            debug_assert!(self.chance && self.board >> (4 * cell) & 15 == 0, "{self} {m}");
            // The first of the two tiles of the start leaves chance on turn.
            self.chance = self.board == 0;
            self.board |= u64::from(rank) << (4 * cell);
        } else {
            let direction = m.direction();
            let after = self.slid(direction);
            debug_assert!(!self.chance && after != self.board, "{self} {m}");
            self.score += match direction {
                Direction::Left | Direction::Right => tables().points(self.board),
                Direction::Up | Direction::Down => tables().points(board::transpose(self.board)),
            };
            self.board = after;
            self.chance = true;
        }
    }

    fn payoffs(&self) -> Payoffs {
        [self.score as f32, 0.0, 0.0, 0.0, 0.0]
    }

    const STATISTICS: &'static [&'static str] = &["largest tile"];

    fn statistics_of(&self, _seat: usize) -> Vec<Option<f64>> {
        let largest = (0..16).map(|cell| self.board >> (4 * cell) & 15).max().unwrap_or(0) as u32;
        vec![Some(if largest == 0 { 0.0 } else { f64::from(1u32 << largest) })]
    }

    fn scores(&self) -> Option<[i32; MAX_PLAYERS]> {
        Some([self.score as i32, 0, 0, 0, 0])
    }

    fn key(&self) -> u64 {
        zobrist::key(2048, self.board)
            ^ zobrist::key(2049, u64::from(self.score) << 1 | u64::from(self.chance))
    }

    fn code(&self, m: Move) -> usize {
        m.code()
    }

    fn codes(&self) -> usize {
        Move::CODES
    }

    fn parse(&self, text: &str) -> Result<Self, ParseError> {
        text::parse(self, text)
    }

    #[inline]
    fn weight(&self, outcome: Move) -> u32 {
        match outcome.spawned() {
            Some((_, 1)) => TWO,
            _ => FOUR,
        }
    }

    fn is_over(&self) -> bool {
        !self.chance && self.slides().next().is_none()
    }

    fn count_moves(&self) -> usize {
        if self.chance { 2 * self.empty().count_ones() as usize } else { self.slides().count() }
    }

    fn random_move(&self, rng: &mut Rng, scratch: &mut Vec<Move>) -> Option<Move> {
        if self.chance {
            let (cell, four) = self.spawn(self.cells(), rng);
            return Some(Move::spawn(cell, four));
        }
        scratch.clear();
        self.moves(scratch);
        if scratch.is_empty() { None } else { Some(scratch[rng.below(scratch.len())]) }
    }

    /// Tries the slides in random order: the first that moves anything is a fair choice. The
    /// score comes from the last board: only the fours that chance laid were not made.
    fn playout(&mut self, limit: u32, rng: &mut Rng, _scratch: &mut Vec<Move>) -> u32 {
        let (mut plies, mut fours) = (0, 0);
        let before = board::worth(self.board);
        let (rows, columns, cells) = (self.rows.into(), self.columns.into(), self.cells());
        let tables = tables();
        while plies < limit {
            if self.chance {
                let (cell, four) = self.spawn(cells, rng);
                self.chance = self.board == 0;
                self.board |= (1 + u64::from(four)) << (4 * cell);
                fours += u32::from(four);
            } else {
                let order = ORDERS[rng.below(ORDERS.len())];
                let slides = order.into_iter();
                let mut after = slides.map(|d| tables.slide_blindly(self.board, d, rows, columns));
                let Some(after) = after.find(|&a| a != self.board) else { break };
                self.board = after;
                self.chance = true;
            }
            plies += 1;
        }
        self.score += board::worth(self.board) - before - 4 * fours;
        plies
    }
}

/// All orders of the four directions.
static ORDERS: [[Direction; 4]; 24] = {
    let mut orders = [[Direction::Up; 4]; 24];
    let (mut n, mut i) = (0, 0);
    while i < 256 {
        let [a, b, c, d] = [i & 3, i >> 2 & 3, i >> 4 & 3, i >> 6];
        if 1 << a | 1 << b | 1 << c | 1 << d == 15 {
            let all = Direction::ALL;
            orders[n] = [all[a], all[b], all[c], all[d]];
            n += 1;
        }
        i += 1;
    }
    orders
};

/// How users name it: `2048`, `2048-3x3`, `2048:rows=2,columns=3`.
impl Registered for G2048 {
    const SCHEMA: &'static Schema = &Schema {
        name: "2048",
        aliases: &[],
        help: "one player slides tiles, equal ones merge; chance adds a 2 or a 4",
        params: &[&[
            Param::int("rows", "4", 2, 4, "rows of the board"),
            Param::int("columns", "4", 2, 4, "columns of the board"),
        ]],
        presets: &[
            Preset {
                name: "2048-3x3",
                help: "the board of nine cells, which can be solved",
                sets: &[("rows", "3"), ("columns", "3")],
            },
            Preset {
                name: "2048-2x2",
                help: "the board of four cells, which is solved at once",
                sets: &[("rows", "2"), ("columns", "2")],
            },
        ],
    };

    const EVALS: &'static [NamedEval<Self>] = EVALS;

    fn start(args: &Args) -> Result<Self, SpecError> {
        let (rows, columns) = (args.int("rows") as usize, args.int("columns") as usize);
        G2048::new(rows, columns).map_err(|e| args.misfit("rows", e))
    }
}
