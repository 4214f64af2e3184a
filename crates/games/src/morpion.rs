//! Morpion Solitaire: points on a grid, and lines of five through them, as many as can be drawn.
//!
//! The game begins with a cross of 36 points. A move adds a point and draws a line of five points
//! in a row that goes through it; the other four must be there. Two lines of one direction may
//! not share a point in the *disjoint* game (5D); in the *touching* game (5T) they may share an end,
//! but no segment. The score is the number of lines. The longest games known have 82 (5D) and 178 (5T).
//!
//! The grid has 32 x 32 points with the cross in its middle, and no line leaves it.
//!
//! A move is written as its new point, the direction of the line (`h`orizontal, `v`ertical, `r`ising,
//! `f`alling) and the place of the point in the line, counted from its left or lower end, from 0:
//! `o11h0`. A position is written as the variant and the moves that led to it.
//!
//! ```
//! use spielbaum_core::{Game, text};
//! use spielbaum_games::morpion::{Morpion, Variant};
//! let mut game = Morpion::new(Variant::Disjoint);
//! assert_eq!(game.count_moves(), 28);
//! text::play_moves(&mut game, "s12h4").unwrap();
//! assert_eq!(game.to_string(), "5D s12h4");
//! assert_eq!(game.payoffs()[0], 1.0);
//! ```

mod lines;
mod text;

pub use lines::Variant;

use lines::{Candidate, SIDE, Tracks, decode};
use spielbaum_core::param::{Args, Param, Schema};
use spielbaum_core::spec::SpecError;
use spielbaum_core::{
    Game, MAX_PLAYERS, OnePlayer, ParseError, Payoffs, Registered, Rng, Turn, zobrist,
};

/// A line with its new point.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Move(u16);

/// A position, with the moves that can be made kept up to date.
pub struct Morpion {
    tracks: Tracks,
    candidates: Vec<Candidate>,
    played: Vec<Move>,
    key: u64,
}

/// `clone_from` keeps the memory of the lists: a playout does not allocate.
impl Clone for Morpion {
    fn clone(&self) -> Self {
        Morpion {
            tracks: self.tracks,
            candidates: self.candidates.clone(),
            played: self.played.clone(),
            key: self.key,
        }
    }

    fn clone_from(&mut self, source: &Self) {
        self.tracks = source.tracks;
        self.candidates.clone_from(&source.candidates);
        self.played.clone_from(&source.played);
        self.key = source.key;
    }
}

/// The start, from top to bottom.
const CROSS: [&str; 10] = [
    "...oooo...",
    "...o..o...",
    "...o..o...",
    "oooo..oooo",
    "o........o",
    "o........o",
    "oooo..oooo",
    "...o..o...",
    "...o..o...",
    "...oooo...",
];

/// Column and row of the cross's lower left corner.
const CORNER: i32 = (SIDE - CROSS.len() as i32) / 2;

/// Its points.
fn cross() -> impl Iterator<Item = (i32, i32)> {
    (CORNER..).zip(CROSS).flat_map(|(y, row)| {
        let points = (CORNER..).zip(row.chars()).filter(|&(_, c)| c == 'o');
        points.map(move |(x, _)| (x, y))
    })
}

impl Morpion {
    /// The start.
    pub fn new(variant: Variant) -> Self {
        let mut tracks = Tracks::new(variant);
        cross().for_each(|point| tracks.add_point(point));
        let mut candidates: Vec<Candidate> = Vec::new();
        for point in cross() {
            tracks.add_candidates(point, &mut candidates);
        }
        // Each line was seen from each of its four points.
        candidates.sort_by_key(|c| c.code);
        candidates.dedup_by_key(|c| c.code);
        Morpion { tracks, candidates, played: Vec::new(), key: zobrist::key(0x3d, 0) }
    }

    /// Which lines may touch.
    pub fn variant(&self) -> Variant {
        self.tracks.variant()
    }

    /// The moves played.
    pub fn played(&self) -> &[Move] {
        &self.played
    }
}

impl Game for Morpion {
    type Move = Move;

    fn players(&self) -> usize {
        1
    }

    fn turn(&self) -> Turn {
        Turn::Player(0)
    }

    fn moves(&self, out: &mut Vec<Move>) {
        out.extend(self.candidates.iter().map(|c| Move(c.code)));
    }

    fn play(&mut self, m: Move) {
        debug_assert!(self.candidates.iter().any(|c| c.code == m.0), "{m} is not legal");
        let (line, nth) = decode(m.0);
        self.tracks.draw(line, nth, &mut self.candidates);
        self.played.push(m);
        // The lines make the position, whichever of their points came last.
        self.key ^= zobrist::key(0x3e, u64::from(m.0) / 5);
    }

    fn payoffs(&self) -> Payoffs {
        [self.played.len() as f32, 0.0, 0.0, 0.0, 0.0]
    }

    fn scores(&self) -> Option<[i32; MAX_PLAYERS]> {
        Some([self.played.len() as i32, 0, 0, 0, 0])
    }

    fn key(&self) -> u64 {
        self.key
    }

    fn code(&self, m: Move) -> usize {
        m.0.into()
    }

    fn codes(&self) -> usize {
        lines::CODES
    }

    fn parse(&self, text: &str) -> Result<Self, ParseError> {
        let name = self.variant().name();
        let (variant, moves) = text.split_once(' ').unwrap_or((text, ""));
        if variant != name {
            return Err(ParseError::new(format!("`{variant}` is not the variant `{name}`"))
                .at(0..variant.len())
                .help(format!("`{name}` and the moves from the start")));
        }
        let mut pos = Morpion::new(self.variant());
        let offset = text.len() - moves.len();
        match spielbaum_core::text::play_moves(&mut pos, moves) {
            Ok(_) => Ok(pos),
            Err(e) => {
                let at = e.at.clone().map(|at| at.start + offset..at.end + offset);
                Err(ParseError { at, ..e })
            }
        }
    }

    fn is_over(&self) -> bool {
        self.candidates.is_empty()
    }

    fn count_moves(&self) -> usize {
        self.candidates.len()
    }

    fn random_move(&self, rng: &mut Rng, _scratch: &mut Vec<Move>) -> Option<Move> {
        let n = self.candidates.len();
        (n > 0).then(|| Move(self.candidates[rng.below(n)].code))
    }
}

impl OnePlayer for Morpion {}

impl Registered for Morpion {
    const SCHEMA: &'static Schema = &Schema {
        name: "morpion",
        aliases: &[],
        help: "Morpion Solitaire: one player draws as many lines of five as possible",
        params: &[&[Param::choice(
            "variant",
            "5D",
            &[
                ("5D", "disjoint: lines of one direction share no point"),
                ("5T", "touching: lines of one direction may share an end"),
            ],
            "what lines may share",
        )]],
        presets: &[],
    };

    fn start(args: &Args) -> Result<Self, SpecError> {
        Ok(Morpion::new(match args.choice("variant") {
            "5T" => Variant::Touching,
            _ => Variant::Disjoint,
        }))
    }
}
