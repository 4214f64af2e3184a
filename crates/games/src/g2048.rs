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
mod lower;
mod moves;
mod outcomes;
mod paper;
mod random;
mod tables;
mod text;

pub use board::Direction;
pub use eval::{EVALS, EmptyCells};
pub use heuristic::{HEURISTIC, Heuristic, Weights};
pub use moves::Move;
pub use paper::{Paper, TileScale};

use spielbaum_core::param::{Args, Param, Preset, Schema};
use spielbaum_core::spec::SpecError;
use spielbaum_core::{
    Game, MAX_PLAYERS, NamedEval, ParseError, Payoffs, Registered, Rng, Turn, largest_content,
    zobrist,
};
use tables::tables;

/// Odds of a 2 against one of a 4.
const TWO: u32 = 9;
const FOUR: u32 = 1;

/// A position of 2048.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct G2048 {
    board: u64,
    /// What the tiles are [worth](board::worth) beyond the score: fours that chance laid, and what
    /// stood there when the score began. So a slide need not count its points.
    unearned: u32,
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
        Ok(G2048 { board: 0, unearned: 0, rows: rows as u8, columns: columns as u8, chance: true })
    }

    /// The cells, four bits each, from the top left along the rows of the largest board: the
    /// binary logarithm of the tile, 0 for none.
    pub fn board(&self) -> u64 {
        self.board
    }

    /// Points made by merging.
    pub fn score(&self) -> u32 {
        board::worth(self.board).wrapping_sub(self.unearned)
    }

    /// The same board with this score.
    fn with_score(mut self, score: u32) -> Self {
        self.unearned = board::worth(self.board).wrapping_sub(score);
        self
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
        match largest_content(self.board) {
            0 => 0,
            rank => 1 << rank,
        }
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

    /// The slides that move something, a bit for each direction.
    #[inline]
    fn movable(&self) -> u32 {
        board::movable(self.board, self.cells())
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

    /// As many as there may be, and then no more than there are: nobody foresees how many.
    fn moves(&self, out: &mut Vec<Move>) {
        let first = out.len();
        if self.chance {
            let (empty, mut count) = (self.empty(), 0);
            let mut outcomes = [Move::slide(Direction::Up); 32];
            for cell in 0..16 {
                outcomes[count] = Move::spawn(cell, false);
                outcomes[count + 1] = Move::spawn(cell, true);
                count += 2 * (empty >> (4 * cell) & 1) as usize;
            }
            out.extend_from_slice(&outcomes);
            out.truncate(first + count);
        } else {
            let movable = self.movable();
            out.extend_from_slice(&SLIDES[movable as usize]);
            out.truncate(first + movable.count_ones() as usize);
        }
    }

    #[inline]
    fn play(&mut self, m: Move) {
        if let Some((cell, rank)) = m.spawned() {
            debug_assert!(self.chance && self.board >> (4 * cell) & 15 == 0, "{self} {m}");
            // The first of the two tiles of the start leaves chance on turn.
            self.chance = self.board == 0;
            self.board |= u64::from(rank) << (4 * cell);
            self.unearned = self.unearned.wrapping_add(4 * u32::from(rank == 2));
        } else {
            let (rows, columns) = (self.rows.into(), self.columns.into());
            let after = tables().slide(self.board, m.direction(), rows, columns);
            debug_assert!(!self.chance && after != self.board, "{self} {m}");
            self.board = after;
            self.chance = true;
        }
    }

    fn payoffs(&self) -> Payoffs {
        [self.score() as f32, 0.0, 0.0, 0.0, 0.0]
    }

    const STATISTICS: &'static [&'static str] = &["largest tile"];

    fn statistics_of(&self, _seat: usize) -> Vec<Option<f64>> {
        vec![Some(self.largest().into())]
    }

    fn scores(&self) -> Option<[i32; MAX_PLAYERS]> {
        Some([self.score() as i32, 0, 0, 0, 0])
    }

    fn key(&self) -> u64 {
        zobrist::key(2048, self.board)
            ^ zobrist::key(2049, u64::from(self.score()) << 1 | u64::from(self.chance))
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
        if outcome.is_four() { FOUR } else { TWO }
    }

    fn is_over(&self) -> bool {
        !self.chance && self.movable() == 0
    }

    fn count_moves(&self) -> usize {
        let count =
            if self.chance { 2 * self.empty().count_ones() } else { self.movable().count_ones() };
        count as usize
    }

    fn random_move(&self, rng: &mut Rng, _scratch: &mut Vec<Move>) -> Option<Move> {
        if self.chance {
            let empty = self.empty();
            let (bit, rank) = random::spawn(empty, empty.count_ones(), rng);
            return Some(Move::spawn(bit / 4, rank == 2));
        }
        random::slide(self.movable(), rng).map(Move::slide)
    }

    fn playout(&mut self, limit: u32, rng: &mut Rng, _scratch: &mut Vec<Move>) -> u32 {
        random::playout(self, limit, rng)
    }
}

/// The slides of each set of directions, and more to fill up.
static SLIDES: [[Move; 4]; 16] = {
    let mut slides = [[Move::slide(Direction::Up); 4]; 16];
    let mut set = 0;
    while set < 16 {
        let (mut count, mut i) = (0, 0);
        while i < 4 {
            if set >> i & 1 == 1 {
                slides[set][count] = Move::slide(Direction::ALL[i]);
                count += 1;
            }
            i += 1;
        }
        set += 1;
    }
    slides
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
