//! Positions as text: one line, and a drawn board.

use super::G2048;
use super::board::MAX_RANK;
use spielbaum_core::{Game, ParseError};
use std::fmt;

/// Scores that can be typed: with what the fullest board adds, payoffs remain exact (2^24).
const MAX_SCORE: u32 = 9_000_000;

const HELP: &str = "as in `.,2,.,4/.,.,2,8/.,.,.,./.,.,.,. score=24 turn=player`; score and turn \
                    may be left out";

impl fmt::Display for G2048 {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if f.alternate() { self.diagram(f) } else { self.line(f) }
    }
}

impl fmt::Debug for G2048 {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "G2048({self})")
    }
}

impl G2048 {
    fn cell(&self, row: u8, column: u8) -> String {
        match self.tile(row.into(), column.into()) {
            0 => ".".to_string(),
            tile => tile.to_string(),
        }
    }

    fn line(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let row = |r| (0..self.columns).map(|c| self.cell(r, c)).collect::<Vec<_>>().join(",");
        let rows: Vec<String> = (0..self.rows).map(row).collect();
        let turn = if self.chance { "chance" } else { "player" };
        write!(f, "{} score={} turn={turn}", rows.join("/"), self.score())
    }

    /// Rows from the top, numbered as in the notation of tiles.
    fn diagram(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let rule = "------+".repeat(self.columns.into());
        writeln!(f, "  +{rule}")?;
        for row in 0..self.rows {
            write!(f, "{} |", row + 1)?;
            for column in 0..self.columns {
                write!(f, "{:^6}|", self.cell(row, column).replace('.', ""))?;
            }
            writeln!(f, "\n  +{rule}")?;
        }
        write!(f, "   ")?;
        for column in 0..self.columns {
            write!(f, "{:^7}", char::from(b'a' + column))?;
        }
        let state = match (self.chance, self.is_over()) {
            (true, _) => "a tile is to come",
            (false, false) => "to move",
            (false, true) => "over",
        };
        write!(f, "\nscore {}, {state}", self.score())
    }
}

/// Reads a line on the board of `rules`.
pub(super) fn parse(rules: &G2048, text: &str) -> Result<G2048, ParseError> {
    let at = |part: &str| {
        let from = part.as_ptr() as usize - text.as_ptr() as usize;
        from..from + part.len()
    };
    let mut words = text.split_ascii_whitespace();
    let Some(board) = words.next() else {
        return Err(ParseError::new("the position is empty").help(HELP));
    };
    let mut pos = G2048 { board: 0, unearned: 0, chance: false, ..*rules };
    let lines: Vec<&str> = board.split('/').collect();
    if lines.len() != usize::from(rules.rows) {
        let problem = format!("{} rows on a board of {}", lines.len(), rules.rows);
        return Err(ParseError::new(problem).at(at(board)).help(HELP));
    }
    for (row, line) in lines.into_iter().enumerate() {
        let cells: Vec<&str> = line.split(',').collect();
        if cells.len() != usize::from(rules.columns) {
            let problem = format!("a row of {} cells instead of {}", cells.len(), rules.columns);
            return Err(ParseError::new(problem).at(at(line)).help(HELP));
        }
        for (column, cell) in cells.into_iter().enumerate() {
            let Some(rank) = rank(cell) else {
                return Err(ParseError::new(format!("`{cell}` is no tile"))
                    .at(at(cell))
                    .help("2, 4, 8 … 32768, or `.` for an empty cell"));
            };
            pos.board |= u64::from(rank) << (16 * row + 4 * column);
        }
    }
    let (mut score, mut turn) = (None, None);
    for word in words {
        let fail = |problem: String, help: &str| {
            Err(ParseError::new(problem).at(at(word)).help(help.to_string()))
        };
        match word.split_once('=') {
            Some(("score", n)) if score.is_none() => match n.parse::<u32>() {
                // Tiles are even and so are all merges, of which the least makes a 4.
                Ok(n) if n <= MAX_SCORE && n % 4 == 0 => score = Some(n),
                _ => {
                    let help = format!("a multiple of 4, at most {MAX_SCORE}");
                    return fail(format!("`{n}` is no score"), &help);
                }
            },
            Some(("turn", "player")) if turn.is_none() => turn = Some(false),
            Some(("turn", "chance")) if turn.is_none() => turn = Some(true),
            Some(("turn", other)) if turn.is_none() => {
                return fail(format!("`{other}` has no turn"), "turn=player or turn=chance");
            }
            _ => return fail(format!("`{word}` is too much"), HELP),
        }
    }
    pos = pos.with_score(score.unwrap_or(0));
    pos.chance = turn.unwrap_or(pos.board == 0);
    if pos.chance && pos.empty() == 0 {
        return Err(ParseError::new("chance is to lay a tile on a full board")
            .at(at(board))
            .help("turn=player"));
    }
    if !pos.chance && pos.board == 0 {
        return Err(ParseError::new("the player is to move on an empty board")
            .at(at(board))
            .help("turn=chance"));
    }
    if pos.board == 0 && pos.score() > 0 {
        return Err(ParseError::new("a score on an empty board").help("score=0"));
    }
    Ok(pos)
}

/// The binary logarithm of a tile; 0 for an empty cell.
fn rank(cell: &str) -> Option<u16> {
    if matches!(cell, "." | "0" | "_" | "-") {
        return Some(0);
    }
    (1..=MAX_RANK).find(|&rank| (1u32 << rank).to_string() == cell)
}
