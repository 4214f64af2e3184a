//! Gomoku and its relatives: the first to have `k` stones in a row on a board of `m` columns and
//! `n` rows wins, longer rows count as well (free style); a full board is a draw.
//! Tic-tac-toe is 3, 3, 3.
//!
//! A position is written as its rows from the top, runs of empty points as numbers, and the side
//! to move: `3/1X1/O2 x`. A move is a column letter and a row number from the bottom: `b2`.
//!
//! ```
//! use spielbaum_core::{Game, text};
//! use spielbaum_games::gomoku::Gomoku;
//! let mut game = Gomoku::new(3, 3, 3).unwrap();
//! text::play_moves(&mut game, "b2 a1 b1 b3 c2").unwrap();
//! assert_eq!(game.to_string(), "1O1/1XX/OX1 o");
//! text::play_moves(&mut game, "a3 a2").unwrap();
//! assert!(game.is_over());
//! assert_eq!(game.payoffs()[..2], [1.0, 0.0]);
//! ```

mod bits;
mod eval;
mod planes;
mod playout;
#[cfg(test)]
mod tests;
mod text;
mod wins;

pub use eval::{EVALS, Lines};

use bits::{FIELD, MAX_SIDE, WORDS};
use spielbaum_core::param::{Args, Param, Schema};
use spielbaum_core::spec::SpecError;
use spielbaum_core::{
    Game, NamedEval, ParseError, Payoffs, Registered, Rng, Turn, TwoPlayer, math, zobrist,
};
use std::fmt;

/// A point of the board.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Point {
    /// From 0 at the left.
    pub column: u8,
    /// From 0 at the bottom.
    pub row: u8,
}

impl fmt::Display for Point {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", char::from(b'a' + self.column), self.row + 1)
    }
}

/// A position of the m,n,k game. Seat 0 has the stones `X` and begins, seat 1 has `O`.
///
/// Small enough (120 bytes) that `explore` by copy is as fast as taking moves back.
#[derive(Clone, Copy)]
pub struct Gomoku {
    /// Word by word, the stones of both seats side by side: one vector holds both.
    stones: [[u64; 2]; WORDS],
    key: u64,
    /// Stones on the board.
    count: u16,
    /// Stones from which on a random game may well be decided; see `playout`.
    ripe: u16,
    columns: u8,
    rows: u8,
    k: u8,
    winner: Option<u8>,
    last: Option<Point>,
}

/// A key for each point and seat: `2 * bit + seat`.
static KEYS: [u64; 1024] = zobrist::keys(0x60_0064);

impl Gomoku {
    /// The empty board with `m` columns and `n` rows, at most 19 each, on which `k` in a row win.
    pub fn new(m: usize, n: usize, k: usize) -> Result<Self, ParseError> {
        for (name, side) in [("columns (m)", m), ("rows (n)", n)] {
            if !(1..=MAX_SIDE).contains(&side) {
                let problem = format!("a board of {side} {name}");
                return Err(ParseError::new(problem).help(format!("1 to {MAX_SIDE} are possible")));
            }
        }
        if k < 1 || k > m.max(n) {
            return Err(ParseError::new(format!("{k} in a row on a board of {m} by {n}"))
                .help(format!("k is 1 to {}", m.max(n))));
        }
        let rules = (m << 16 | n << 8 | k) as u64;
        Ok(Gomoku {
            stones: [[0; 2]; WORDS],
            key: zobrist::key(0x60_0065, rules),
            count: 0,
            ripe: ripe(m, n, k),
            columns: m as u8,
            rows: n as u8,
            k: k as u8,
            winner: None,
            last: None,
        })
    }

    /// Number of columns (m).
    pub fn columns(&self) -> usize {
        self.columns.into()
    }

    /// Number of rows (n).
    pub fn rows(&self) -> usize {
        self.rows.into()
    }

    /// Stones in a row that win.
    pub fn k(&self) -> usize {
        self.k.into()
    }

    /// The seat whose stone is on a point.
    pub fn stone(&self, at: Point) -> Option<usize> {
        let bit = self.bit(at);
        (0..2).find(|&seat| self.has(seat, bit as i32))
    }

    /// The seat that has `k` in a row.
    pub fn winner(&self) -> Option<usize> {
        self.winner.map(usize::from)
    }

    /// The last move, where it is known: a position from a text has none.
    pub fn last(&self) -> Option<Point> {
        self.last
    }

    /// Bits from one row to the next: a column that stays empty keeps lines from running over
    /// the edge.
    fn stride(&self) -> usize {
        self.columns as usize + 1
    }

    fn bit(&self, at: Point) -> usize {
        at.row as usize * self.stride() + at.column as usize
    }

    fn point(&self, bit: usize) -> Point {
        Point { column: (bit % self.stride()) as u8, row: (bit / self.stride()) as u8 }
    }

    /// Steps between neighbours on a line, in bits: along a row, a column, both diagonals.
    fn directions(&self) -> [usize; 4] {
        let stride = self.stride();
        [1, stride - 1, stride, stride + 1]
    }

    fn mover(&self) -> usize {
        (self.count & 1).into()
    }

    fn points(&self) -> usize {
        self.columns() * self.rows()
    }

    fn free(&self, word: usize) -> u64 {
        let [x, o] = self.stones[word];
        FIELD[self.columns()][self.rows()][word] & !(x | o)
    }

    fn has(&self, seat: usize, bit: i32) -> bool {
        let word = self.stones.get((bit >> 6) as usize);
        word.is_some_and(|w| w[seat] >> (bit & 63) & 1 == 1)
    }

    /// Length of the row of a seat's stones that begins beside `bit` and runs in one direction.
    fn run(&self, seat: usize, bit: usize, step: i32) -> usize {
        let mut at = bit as i32 + step;
        let mut length = 0;
        while self.has(seat, at) {
            at += step;
            length += 1;
        }
        length
    }

    /// Stones of the seat on the longest row through `bit`, not counting `bit` itself. Kept out of
    /// `play`, whose first moves cannot win.
    #[inline(never)]
    fn longest(&self, seat: usize, bit: usize) -> usize {
        let line = |d: usize| self.run(seat, bit, d as i32) + self.run(seat, bit, -(d as i32));
        self.directions().into_iter().map(line).max().unwrap_or(0)
    }

    fn put(&mut self, seat: usize, bit: usize) {
        self.stones[bit >> 6][seat] ^= 1 << (bit & 63);
        self.key ^= KEYS[2 * bit + seat];
    }
}

/// The number of stones at which a random game is decided one time in five, roughly: with a part
/// `f` of the points taken, about 8 m n (f / 2)^k lines of k are of one colour.
fn ripe(m: usize, n: usize, k: usize) -> u16 {
    let lines = (8 * m * n) as f64;
    let part = 2.0 * math::pow(0.2 / lines, 1.0 / k as f64);
    (part.min(1.0) * (m * n) as f64) as u16
}

impl Game for Gomoku {
    type Move = Point;

    fn turn(&self) -> Turn {
        Turn::Player(self.mover() as u8)
    }

    fn seat_name(&self, seat: usize) -> String {
        text::STONES[seat % 2].to_string()
    }

    fn moves(&self, out: &mut Vec<Point>) {
        if self.winner.is_some() {
            return;
        }
        out.reserve(self.count_moves());
        for row in 0..self.rows {
            let first = self.bit(Point { column: 0, row });
            let (word, shift) = (first >> 6, first & 63);
            let mut free = self.free(word) >> shift;
            if shift > 0 && word + 1 < WORDS {
                free |= self.free(word + 1) << (64 - shift);
            }
            free &= (1 << self.columns) - 1;
            while free != 0 {
                out.push(Point { column: free.trailing_zeros() as u8, row });
                free &= free - 1;
            }
        }
    }

    fn play(&mut self, at: Point) {
        debug_assert!(self.winner.is_none() && at.column < self.columns && at.row < self.rows);
        debug_assert!(self.stone(at).is_none(), "{at} is taken");
        let (seat, bit) = (self.mover(), self.bit(at));
        self.put(seat, bit);
        self.count += 1;
        self.last = Some(at);
        // Nobody has k stones before move 2k - 1.
        if self.count as usize >= 2 * self.k() - 1 && self.longest(seat, bit) + 1 >= self.k() {
            self.winner = Some(seat as u8);
        }
    }

    fn winning_move(&self, _scratch: &mut Vec<Point>) -> Option<Point> {
        // Nobody has k stones before move 2k - 1.
        if self.winner.is_some() || self.count as usize + 2 < 2 * self.k() {
            return None;
        }
        wins::winning_bit(self, self.mover()).map(|bit| self.point(bit))
    }

    fn payoffs(&self) -> Payoffs {
        match self.winner {
            Some(0) => [1.0, 0.0, 0.0, 0.0, 0.0],
            Some(_) => [0.0, 1.0, 0.0, 0.0, 0.0],
            None => [0.5, 0.5, 0.0, 0.0, 0.0],
        }
    }

    fn key(&self) -> u64 {
        self.key
    }

    fn code(&self, at: Point) -> usize {
        at.row as usize * self.columns() + at.column as usize
    }

    fn codes(&self) -> usize {
        self.points()
    }

    fn parse(&self, text: &str) -> Result<Self, ParseError> {
        text::parse(self, text)
    }

    fn is_over(&self) -> bool {
        self.winner.is_some() || self.count as usize == self.points()
    }

    fn count_moves(&self) -> usize {
        if self.winner.is_some() { 0 } else { self.points() - self.count as usize }
    }

    fn random_move(&self, rng: &mut Rng, _: &mut Vec<Point>) -> Option<Point> {
        let free = self.count_moves();
        if free == 0 {
            return None;
        }
        // On a board with room, guess until a point is free.
        while 4 * free > self.points() {
            let column = rng.below(self.columns()) as u8;
            let at = Point { column, row: rng.below(self.rows()) as u8 };
            let [x, o] = self.stones[self.bit(at) >> 6];
            if (x | o) >> (self.bit(at) & 63) & 1 == 0 {
                return Some(at);
            }
        }
        let mut nth = rng.below(free);
        for word in 0..WORDS {
            let mut free = self.free(word);
            let here = free.count_ones() as usize;
            if nth < here {
                (0..nth).for_each(|_| free &= free - 1);
                return Some(self.point(word * 64 + free.trailing_zeros() as usize));
            }
            nth -= here;
        }
        unreachable!("the pick is below the number of free points")
    }

    fn playout(&mut self, limit: u32, rng: &mut Rng, _: &mut Vec<Point>) -> u32 {
        playout::playout(self, limit, rng)
    }
}

impl TwoPlayer for Gomoku {}

impl Registered for Gomoku {
    const SCHEMA: &'static Schema = &Schema {
        name: "gomoku",
        aliases: &["mnk"],
        help: "k or more stones in a row win; 3,3,3 is tic-tac-toe",
        params: &[&[
            Param::int("m", "15", 1, 19, "columns"),
            Param::int("n", "15", 1, 19, "rows"),
            Param::int("k", "5", 1, 19, "stones in a row that win"),
        ]],
        presets: &[],
    };
    const OPENINGS: &'static str = "random:2";
    const EVALS: &'static [NamedEval<Self>] = EVALS;

    fn start(args: &Args) -> Result<Self, SpecError> {
        let size = |name| args.int(name) as usize;
        Gomoku::new(size("m"), size("n"), size("k")).map_err(|e| args.misfit("k", e))
    }
}
