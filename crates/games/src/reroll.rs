//! Reroll: the smallest game with chance and points, for one player; its value is known.
//!
//! Dice are rolled one after the other. Each may be kept or rolled again, twice at most; a kept
//! die counts its face. Best play keeps 5 and 6 at first, then 4, too, and makes 14/3 per die.
//!
//! A position is written as the dice still to come, the rolls left for the die on the table, its
//! face (`-` while it rolls) and the points: `dice=4 rerolls=1 face=3 points=6`.

use spielbaum_core::param::{Args, Param, Schema};
use spielbaum_core::spec::SpecError;
use spielbaum_core::{Game, MAX_PLAYERS, ParseError, Payoffs, Registered, Turn, zobrist};
use std::fmt;

/// How often a die may be rolled again.
const REROLLS: u32 = 2;
/// Dice of the longest game.
const MAX_DICE: u32 = 1_000_000;

/// A position of Reroll.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Reroll {
    /// All dice of the game.
    dice: u32,
    /// Dice not yet kept, the one on the table included.
    left: u32,
    rerolls: u32,
    /// 0 while the die rolls.
    face: u32,
    points: u32,
}

/// What the player may do, and what the die may show.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Move {
    /// Count the face and go on to the next die.
    Keep,
    /// Roll the same die again.
    Again,
    /// The die shows this face.
    Face(u8),
}

impl fmt::Display for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Move::Keep => write!(f, "keep"),
            Move::Again => write!(f, "again"),
            Move::Face(n) => write!(f, "{n}"),
        }
    }
}

impl fmt::Display for Reroll {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let face = if self.face == 0 { "-".to_owned() } else { self.face.to_string() };
        let (left, rerolls, points) = (self.left, self.rerolls, self.points);
        write!(f, "dice={left} rerolls={rerolls} face={face} points={points}")
    }
}

impl Reroll {
    /// The start of a game with so many dice; 5 are usual.
    pub fn new(dice: u32) -> Result<Self, ParseError> {
        if !(1..=MAX_DICE).contains(&dice) {
            return Err(ParseError::new(format!("Reroll with {dice} dice"))
                .help(format!("1 to {MAX_DICE} are possible")));
        }
        Ok(Reroll { dice, left: dice, rerolls: REROLLS, face: 0, points: 0 })
    }

    /// Dice not yet kept.
    pub fn left(&self) -> u32 {
        self.left
    }
}

impl Game for Reroll {
    type Move = Move;

    fn players(&self) -> usize {
        1
    }

    fn turn(&self) -> Turn {
        if self.face == 0 { Turn::Chance } else { Turn::Player(0) }
    }

    fn moves(&self, out: &mut Vec<Move>) {
        if self.left == 0 {
            return;
        }
        if self.face == 0 {
            out.extend((1..=6).map(Move::Face));
            return;
        }
        out.push(Move::Keep);
        if self.rerolls > 0 {
            out.push(Move::Again);
        }
    }

    fn play(&mut self, m: Move) {
        debug_assert!(self.left > 0, "the game is over");
        match m {
            Move::Keep => {
                self.points += self.face;
                self.left -= 1;
                self.rerolls = REROLLS;
                self.face = 0;
            }
            Move::Again => {
                debug_assert!(self.rerolls > 0, "no roll is left");
                self.rerolls -= 1;
                self.face = 0;
            }
            Move::Face(n) => self.face = n.into(),
        }
    }

    fn payoffs(&self) -> Payoffs {
        [self.points as f32, 0.0, 0.0, 0.0, 0.0]
    }

    fn scores(&self) -> Option<[i32; MAX_PLAYERS]> {
        Some([self.points as i32, 0, 0, 0, 0])
    }

    fn key(&self) -> u64 {
        let parts = [self.left, self.rerolls, self.face, self.points];
        let keys = parts.iter().enumerate();
        keys.fold(0, |key, (i, &part)| key ^ zobrist::key(0x4e + i as u64, part.into()))
    }

    fn code(&self, m: Move) -> usize {
        match m {
            Move::Keep => 0,
            Move::Again => 7,
            Move::Face(n) => n.into(),
        }
    }

    fn codes(&self) -> usize {
        8
    }

    fn is_over(&self) -> bool {
        self.left == 0
    }

    fn parse(&self, text: &str) -> Result<Self, ParseError> {
        let mut from = 0;
        let mut numbers = [0; 4];
        let mut words = text.split(' ');
        let bad = |problem: String, from: usize, word: &str| {
            ParseError::new(problem)
                .at(from..from + word.len())
                .help("as in `dice=4 rerolls=1 face=3 points=6`")
        };
        for (name, number) in ["dice", "rerolls", "face", "points"].iter().zip(&mut numbers) {
            let word = words.next().unwrap_or("");
            let value = word.strip_prefix(name).and_then(|w| w.strip_prefix('='));
            *number = match value {
                Some("-") if *name == "face" => 0,
                Some(value) => (value.parse())
                    .map_err(|_| bad(format!("`{value}` is not a number"), from, word))?,
                None => {
                    return Err(bad(format!("`{name}=` is missing"), from.min(text.len()), word));
                }
            };
            from += word.len() + 1;
        }
        if let Some(word) = words.next() {
            return Err(bad(format!("`{word}` is too much"), from, word));
        }
        let [left, rerolls, face, points] = numbers;
        let kept = self.dice.checked_sub(left);
        // A kept die has one to six points.
        if kept.is_none_or(|kept| points < kept || points > 6 * kept) {
            return Err(ParseError::new(format!("{points} points with {left} dice to come"))
                .help(format!("the game has {} dice", self.dice)));
        }
        if face > 6 || rerolls > REROLLS || (left == 0 && (face > 0 || rerolls < REROLLS)) {
            return Err(ParseError::new(format!("face {face} with {rerolls} rolls left"))
                .help("1 to 6 or `-`; a die is rolled again twice at most"));
        }
        Ok(Reroll { dice: self.dice, left, rerolls, face, points })
    }
}

impl Registered for Reroll {
    const SCHEMA: &'static Schema = &Schema {
        name: "reroll",
        aliases: &[],
        help: "one player, some dice; keep a die or roll it again, twice at most",
        params: &[&[Param::int("dice", "5", 1, 1_000_000, "dice of the game")]],
        presets: &[],
    };

    fn start(args: &Args) -> Result<Self, SpecError> {
        Reroll::new(args.int("dice") as u32).map_err(|e| args.misfit("dice", e))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use spielbaum_core::text::{parse_move, play_moves};

    #[test]
    fn a_die_is_rolled_three_times_at_most() {
        let mut game = Reroll::new(2).unwrap();
        play_moves(&mut game, "1 again 2 again 3").unwrap();
        assert!(parse_move(&game, "again").is_err());
        play_moves(&mut game, "keep 6 keep").unwrap();
        assert!(game.is_over());
        assert_eq!(game.payoffs()[0], 9.0);
        assert_eq!(game.to_string(), "dice=0 rerolls=2 face=- points=9");
    }

    #[test]
    fn impossible_positions_are_errors() {
        assert!(Reroll::new(0).is_err());
        let game = Reroll::new(5).unwrap();
        for text in [
            "",
            "dice=6 rerolls=2 face=- points=0",
            "dice=4 rerolls=2 face=- points=7",
            "dice=4 rerolls=2 face=- points=0",
            "dice=4 rerolls=3 face=- points=3",
            "dice=4 rerolls=2 face=7 points=3",
            "dice=0 rerolls=2 face=3 points=9",
            "dice=5 rerolls=2 face=- points=0 more",
            "dice=5 rerolls=2 face=-",
        ] {
            assert!(game.parse(text).is_err(), "{text}");
        }
        let error = game.parse("dice=5 rerolls=two face=- points=0").unwrap_err();
        assert_eq!(error.at, Some(7..18));
    }
}
