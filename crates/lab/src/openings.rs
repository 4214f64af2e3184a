//! How the games of a match begin.

use crate::LabError;
use spielbaum_core::text::play_moves;
use spielbaum_core::{Game, ParseError, Rng, Turn};
use std::fmt;
use std::path::Path;

/// One prepared opening: a position, moves from it, or both.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Opening {
    /// Where it begins, if not at the start of the game.
    pub position: Option<String>,
    /// Moves and outcomes of chance, separated by blanks.
    pub moves: String,
}

impl Opening {
    /// Reads `MOVE MOVE …` or `position: TEXT`.
    pub fn read(line: &str) -> Opening {
        match line.strip_prefix("position:") {
            Some(text) => Opening { position: Some(text.trim().to_string()), moves: String::new() },
            None => Opening { position: None, moves: line.trim().to_string() },
        }
    }

    /// The position it begins with and its moves; an error if the game ends in it.
    pub fn set_up<G: Game>(&self, start: &G) -> Result<(G, Vec<G::Move>), ParseError> {
        let origin = match &self.position {
            Some(text) => start.parse(text)?,
            None => start.clone(),
        };
        let mut end = origin.clone();
        let moves = play_moves(&mut end, &self.moves)?;
        if end.is_over() {
            return Err(ParseError::new("the game is over after the opening"));
        }
        Ok((origin, moves))
    }
}

impl fmt::Display for Opening {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.position {
            Some(text) => write!(f, "position: {text}"),
            None => write!(f, "{}", self.moves),
        }
    }
}

/// The openings of a match. Every game of a round begins alike.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Openings {
    /// The start of the game.
    None,
    /// So many random moves from the start, drawn anew for each round.
    Random(u32),
    /// A list, gone through in order and again from its beginning: round `r` has opening
    /// `r mod length`.
    List {
        /// What the user called it.
        name: String,
        /// The openings.
        lines: Vec<Opening>,
        /// The line of the file in which each stands.
        numbers: Vec<usize>,
    },
}

impl Openings {
    /// Reads `none`, `random:PLIES`, or the name of a file with one opening in a line.
    pub fn read(text: &str) -> Result<Openings, LabError> {
        if text == "none" {
            return Ok(Openings::None);
        }
        if let Some(plies) = text.strip_prefix("random:") {
            return match plies.parse() {
                Ok(plies @ 1..=1000) => Ok(Openings::Random(plies)),
                _ => Err(LabError::Request(format!(
                    "openings `{text}`: random: takes a number of moves from 1 to 1000"
                ))),
            };
        }
        let contents = std::fs::read_to_string(text).map_err(|e| {
            LabError::Request(format!(
                "openings `{text}`: {e}; openings are `none`, `random:PLIES` or a file"
            ))
        })?;
        let name = Path::new(text).file_name().unwrap_or(text.as_ref()).to_string_lossy();
        Openings::list(&name, &contents)
    }

    /// Reads a list: one opening in a line, either moves separated by blanks or
    /// `position: TEXT`; `#` begins a comment where a line or a word begins.
    pub fn list(name: &str, contents: &str) -> Result<Openings, LabError> {
        let (numbers, lines): (Vec<usize>, Vec<Opening>) = (contents.lines().enumerate())
            .map(|(i, line)| (i + 1, without_comment(line).trim()))
            .filter(|(_, line)| !line.is_empty())
            .map(|(number, line)| (number, Opening::read(line)))
            .unzip();
        if lines.is_empty() {
            return Err(LabError::Request(format!("openings `{name}`: the file has no openings")));
        }
        Ok(Openings::List { name: name.to_string(), lines, numbers })
    }

    /// The openings of a list, each as a line.
    pub fn texts(&self) -> Vec<String> {
        match self {
            Openings::List { lines, .. } => lines.iter().map(ToString::to_string).collect(),
            _ => Vec::new(),
        }
    }

    /// As the user wrote it, for records.
    pub fn name(&self) -> String {
        match self {
            Openings::None => "none".to_string(),
            Openings::Random(plies) => format!("random:{plies}"),
            Openings::List { name, .. } => name.clone(),
        }
    }
}

/// A `#` may be part of a position's text, but not begin a word of it.
fn without_comment(line: &str) -> &str {
    let begins = |&(at, _): &(usize, &str)| {
        at == 0 || line[..at].ends_with(|before: char| before.is_whitespace())
    };
    match line.match_indices('#').find(begins) {
        Some((at, _)) => &line[..at],
        None => line,
    }
}

/// Random moves of the players from `start`, with chance in between, after which the game goes
/// on. An opening that ends the game is drawn again; a game too short for `plies` moves gets a
/// shorter opening.
pub(crate) fn draw<G: Game>(start: &G, plies: u32, seed: u64) -> Vec<G::Move> {
    const TRIES: u32 = 64;
    let mut rng = Rng::new(seed);
    let mut scratch = Vec::new();
    for length in (1..=plies).rev() {
        for _ in 0..TRIES {
            if let Some(moves) = attempt(start, length, &mut rng, &mut scratch) {
                return moves;
            }
        }
    }
    Vec::new()
}

fn attempt<G: Game>(
    start: &G,
    plies: u32,
    rng: &mut Rng,
    scratch: &mut Vec<G::Move>,
) -> Option<Vec<G::Move>> {
    let mut pos = start.clone();
    let mut moves = Vec::new();
    let mut made = 0;
    while made < plies {
        made += u32::from(pos.turn() != Turn::Chance);
        let m = pos.random_move(rng, scratch)?;
        pos.play(m);
        moves.push(m);
    }
    (!pos.is_over()).then_some(moves)
}
