//! Positions as text: one line, and a diagram.

use super::bits::{WORDS, pair, rows_of};
use super::{Gomoku, Point};
use spielbaum_core::ParseError;
use std::fmt;

pub(super) const STONES: [char; 2] = ['X', 'O'];
const SIDES: [&str; 2] = ["x", "o"];

impl fmt::Display for Gomoku {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if f.alternate() { self.diagram(f) } else { self.line(f) }
    }
}

impl fmt::Debug for Gomoku {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Gomoku({self})")
    }
}

impl Gomoku {
    fn line(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for row in (0..self.rows).rev() {
            let mut empty = 0;
            for column in 0..self.columns {
                let Some(seat) = self.stone(Point { column, row }) else {
                    empty += 1;
                    continue;
                };
                if empty > 0 {
                    write!(f, "{empty}")?;
                }
                write!(f, "{}", STONES[seat])?;
                empty = 0;
            }
            if empty > 0 {
                write!(f, "{empty}")?;
            }
            if row > 0 {
                write!(f, "/")?;
            }
        }
        write!(f, " {}", SIDES[self.mover()])
    }

    /// Rows from the top; the last move stands in brackets.
    fn diagram(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for row in (0..self.rows).rev() {
            write!(f, "{:>2} ", row + 1)?;
            for column in 0..self.columns {
                let at = Point { column, row };
                let stone = self.stone(at).map_or('.', |seat| STONES[seat]);
                if self.last == Some(at) {
                    write!(f, "({stone})")?;
                } else {
                    write!(f, " {stone} ")?;
                }
            }
            writeln!(f)?;
        }
        write!(f, "   ")?;
        for column in 0..self.columns {
            write!(f, " {} ", char::from(b'a' + column))?;
        }
        writeln!(f)?;
        match self.winner() {
            Some(seat) => write!(f, "{} wins", STONES[seat]),
            None if self.count as usize == self.points() => write!(f, "draw"),
            None => write!(f, "{} to move", STONES[self.mover()]),
        }
    }
}

/// Reads a line on the board of `rules`.
pub(super) fn parse(rules: &Gomoku, text: &str) -> Result<Gomoku, ParseError> {
    let (columns, rows, k) = (rules.columns(), rules.rows(), rules.k());
    let mut game = Gomoku::new(columns, rows, k)?;
    let at = |part: &str| {
        let from = part.as_ptr() as usize - text.as_ptr() as usize;
        from..from + part.len()
    };
    let words: Vec<&str> = text.split_ascii_whitespace().collect();
    let [board, side] = words[..] else {
        return Err(ParseError::new("a position is the board and the side to move")
            .help("as in `3/1X1/O2 x`"));
    };
    let lines: Vec<&str> = board.split('/').collect();
    if lines.len() != rows {
        let problem = format!("{} rows on a board of {rows}", lines.len());
        return Err(ParseError::new(problem).at(at(board)).help("rows from the top, between `/`"));
    }
    let mut counts = [0usize; 2];
    for (line, row) in lines.into_iter().zip((0..rows).rev()) {
        let mut column = 0;
        let mut rest = line;
        while let Some(c) = rest.chars().next() {
            let digits = rest.len() - rest.trim_start_matches(|c: char| c.is_ascii_digit()).len();
            let (part, after) = rest.split_at(if digits > 0 { digits } else { c.len_utf8() });
            let seat = STONES.iter().position(|&s| s == c);
            let width = match (seat, part.parse::<usize>()) {
                (Some(_), _) => 1,
                (None, Ok(n)) if n > 0 => n,
                _ => {
                    return Err(ParseError::new(format!("`{part}` is no part of a row"))
                        .at(at(part))
                        .help("X, O or a number of empty points"));
                }
            };
            if width > columns - column {
                let problem = format!("a row of more than {columns} points");
                return Err(ParseError::new(problem).at(at(line)));
            }
            if let Some(seat) = seat {
                game.put(seat, game.bit(Point { column: column as u8, row: row as u8 }));
                counts[seat] += 1;
            }
            column += width;
            rest = after;
        }
        if column < columns {
            let problem = format!("a row of {column} points instead of {columns}");
            return Err(ParseError::new(problem).at(at(line)));
        }
    }
    let [x, o] = counts;
    if x != o && x != o + 1 {
        return Err(ParseError::new(format!("{x} stones X and {o} stones O"))
            .at(at(board))
            .help("X begins: as many X as O, or one more"));
    }
    game.count = (x + o) as u16;
    if side != SIDES[game.mover()] {
        return Err(ParseError::new(format!("`{side}` is not to move"))
            .at(at(side))
            .help(format!("with {x} X and {o} O it is `{}`", SIDES[game.mover()])));
    }
    game.winner = winner(&game).map_err(|e| e.at(at(board)))?;
    Ok(game)
}

/// Who has a row, if the game can have come to that.
fn winner(game: &Gomoku) -> Result<Option<u8>, ParseError> {
    let wins = |game: &Gomoku, seat: usize| {
        let board = pair::<{ 2 * WORDS }>(&game.stones);
        let rows = game.directions().map(|d| rows_of(&board, game.k(), d));
        rows.iter().any(|rows| rows.iter().skip(seat).step_by(2).any(|&r| r != 0))
    };
    let mover = game.mover();
    if wins(game, mover) {
        let problem = format!("{} has {} in a row and is to move", STONES[mover], game.k());
        return Err(ParseError::new(problem).help("the game ended before the last move"));
    }
    let last = 1 - mover;
    if !wins(game, last) {
        return Ok(None);
    }
    // One last stone must be part of all rows.
    let removed = (0..WORDS * 64).filter(|&bit| game.has(last, bit as i32)).map(|bit| {
        let mut before = *game;
        before.put(last, bit);
        before
    });
    if removed.into_iter().all(|before| wins(&before, last)) {
        let problem = format!("{} has rows that no single move can have made", STONES[last]);
        return Err(ParseError::new(problem).help("the game ended with the first of them"));
    }
    Ok(Some(last as u8))
}
