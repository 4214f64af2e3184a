//! Pig: the dice game of pressing one's luck, and the example of how to write a game.
//!
//! Who is on turn rolls a die, and goes on rolling for as long as he likes. Every 2 to 6 goes into
//! the pot; a 1 empties the pot and ends the turn; `hold` moves the pot to the player's score and
//! ends the turn, too. The first to have the target wins.
//!
//! A game is a position (here `Pig`) with its text and its rules (`impl Game`). Moves may be any
//! type that has a text; here they are their own texts. The die is rolled by *chance*: after
//! `roll` it is chance's turn, and the moves of chance are the six faces.
//!
//! ```
//! use spielbaum_core::{Game, text};
//! use spielbaum_games::pig::Pig;
//! let mut game = Pig::new(2, 100).unwrap();
//! text::play_moves(&mut game, "roll 5 roll 6 hold roll 1").unwrap();
//! assert_eq!(game.to_string(), "scores=11,0 turn=0 pot=0");
//! ```

use spielbaum_core::param::{Args, Param, Schema};
use spielbaum_core::spec::SpecError;
use spielbaum_core::{Game, MAX_PLAYERS, ParseError, Payoffs, Registered, Turn, zobrist};
use std::fmt;

/// A position of Pig: everything the rules need to know.
#[derive(Clone, Copy, Debug)]
pub struct Pig {
    players: usize,
    target: i32,
    scores: [i32; MAX_PLAYERS],
    turn: usize,
    pot: i32,
    rolling: bool,
}

/// All moves, those of the players and those of chance. Their places here are their codes.
const MOVES: [&str; 8] = ["roll", "1", "2", "3", "4", "5", "6", "hold"];

impl Pig {
    /// The start for 2 to 5 players; 100 is the usual target.
    pub fn new(players: usize, target: i32) -> Result<Self, ParseError> {
        if !(2..=MAX_PLAYERS).contains(&players) || !(1..=1_000_000).contains(&target) {
            return Err(ParseError::new(format!("Pig of {players} players to {target} points"))
                .help("2 to 5 players, a target of 1 to 1000000"));
        }
        Ok(Pig { players, target, scores: [0; MAX_PLAYERS], turn: 0, pot: 0, rolling: false })
    }

    /// What the player on turn has if he holds.
    fn reach(&self) -> i32 {
        self.scores[self.turn] + self.pot
    }
}

impl Game for Pig {
    type Move = &'static str;

    fn players(&self) -> usize {
        self.players
    }

    fn turn(&self) -> Turn {
        if self.rolling { Turn::Chance } else { Turn::Player(self.turn as u8) }
    }

    // A turn begins with a roll; who can win must hold. No moves means: the game is over.
    fn moves(&self, out: &mut Vec<&'static str>) {
        if self.rolling {
            out.extend(&MOVES[1..=6]);
        } else {
            out.extend((self.reach() < self.target).then_some("roll"));
            out.extend((self.pot > 0).then_some("hold"));
        }
    }

    fn play(&mut self, m: &'static str) {
        self.rolling = m == "roll";
        match m {
            "roll" => {}
            "2" | "3" | "4" | "5" | "6" => self.pot += self.code(m) as i32,
            _ => {
                // A 1 or `hold` ends the turn. The winner stays on turn.
                self.scores[self.turn] += if m == "hold" { self.pot } else { 0 };
                self.pot = 0;
                if self.reach() < self.target {
                    self.turn = (self.turn + 1) % self.players;
                }
            }
        }
    }

    // The winner gets 1. If play stops earlier, those who lead share it.
    fn payoffs(&self) -> Payoffs {
        let scores = &self.scores[..self.players];
        let leads = |seat: usize| scores.get(seat).is_some_and(|s| Some(s) == scores.iter().max());
        let leaders = (0..self.players).filter(|&seat| leads(seat)).count();
        std::array::from_fn(|seat| if leads(seat) { 1.0 / leaders as f32 } else { 0.0 })
    }

    fn scores(&self) -> Option<[i32; MAX_PLAYERS]> {
        Some(self.scores)
    }

    // A hash of each number and its place: equal numbers in two places differ.
    fn key(&self) -> u64 {
        let numbers = [self.turn as i32, self.pot, self.rolling.into()];
        let placed = numbers.into_iter().chain(self.scores).enumerate();
        placed.fold(0, |key, (place, n)| key ^ zobrist::key(place as u64, n as u64))
    }

    fn code(&self, m: &'static str) -> usize {
        MOVES.iter().position(|&name| name == m).unwrap_or(0)
    }

    fn codes(&self) -> usize {
        MOVES.len()
    }

    // Takes the numbers from the text. The position they make must be possible, and must print as
    // the same text.
    fn parse(&self, text: &str) -> Result<Self, ParseError> {
        let words = text.split(|c: char| !c.is_ascii_digit());
        let numbers: Vec<i32> = words.filter_map(|word| word.parse().ok()).collect();
        let mut pos = Pig { rolling: text.ends_with("rolling"), ..*self };
        let most = self.target + 5;
        if let [scores @ .., turn, pot] = &numbers[..]
            && scores.len() == self.players
            && (scores.iter().chain([pot])).all(|&n| n <= most)
        {
            pos.scores[..self.players].copy_from_slice(scores);
            (pos.turn, pos.pot) = (*turn as usize % self.players, *pot);
            let won = |seat: usize| pos.scores[seat] >= self.target;
            let possible = (0..self.players).all(|seat| !won(seat) || seat == pos.turn)
                && (!won(pos.turn) || pos.pot == 0)
                && pos.reach() <= if pos.rolling { self.target - 1 } else { most };
            if possible && pos.to_string() == text {
                return Ok(pos);
            }
        }
        Err(ParseError::new("not a position of this game").help(format!("as in `{self}`")))
    }
}

/// How users name it: `pig:players=3`.
impl Registered for Pig {
    const SCHEMA: &'static Schema = &Schema {
        name: "pig",
        aliases: &[],
        help: "roll on or take the pot; a one loses it",
        params: &[&[
            Param::int("players", "2", 2, 5, "seats at the table"),
            Param::int("target", "100", 1, 1_000_000, "points that win"),
        ]],
        presets: &[],
    };

    fn start(args: &Args) -> Result<Self, SpecError> {
        let (players, target) = (args.int("players") as usize, args.int("target") as i32);
        Pig::new(players, target).map_err(|e| args.misfit("target", e))
    }
}

/// `scores=11,0 turn=1 pot=7`, with ` rolling` behind while the die rolls.
impl fmt::Display for Pig {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let scores = self.scores[..self.players].iter().map(i32::to_string).collect::<Vec<_>>();
        write!(f, "scores={} turn={} pot={}", scores.join(","), self.turn, self.pot)?;
        write!(f, "{}", if self.rolling { " rolling" } else { "" })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use spielbaum_core::text::play_moves;

    fn played(players: usize, target: i32, moves: &str) -> Pig {
        let mut game = Pig::new(players, target).unwrap();
        play_moves(&mut game, moves).unwrap();
        game
    }

    #[test]
    fn a_one_empties_the_pot() {
        assert_eq!(played(2, 100, "roll 6 roll 5").to_string(), "scores=0,0 turn=0 pot=11");
        assert_eq!(played(2, 100, "roll 6 roll 1").to_string(), "scores=0,0 turn=1 pot=0");
        assert_eq!(played(3, 100, "roll 6 hold roll 2").to_string(), "scores=6,0,0 turn=1 pot=2");
    }

    #[test]
    fn a_turn_begins_with_a_roll_and_the_target_ends_it() {
        let mut moves = Vec::new();
        played(2, 10, "").moves(&mut moves);
        assert_eq!(moves, ["roll"]);
        moves.clear();
        let mut game = played(2, 10, "roll 6 roll 5");
        game.moves(&mut moves);
        assert_eq!(moves, ["hold"]);
        game.play("hold");
        assert!(game.is_over());
        assert_eq!(game.payoffs(), [1.0, 0.0, 0.0, 0.0, 0.0]);
    }

    #[test]
    fn leaders_share() {
        let game = played(4, 100, "roll 6 hold roll 3 hold roll 6 hold");
        assert_eq!(game.payoffs(), [0.5, 0.0, 0.5, 0.0, 0.0]);
        assert_eq!(played(4, 100, "").payoffs(), [0.25, 0.25, 0.25, 0.25, 0.0]);
    }

    #[test]
    fn impossible_tables_and_positions_are_errors() {
        assert!(Pig::new(1, 100).is_err() && Pig::new(6, 100).is_err() && Pig::new(2, 0).is_err());
        let game = Pig::new(2, 100).unwrap();
        for text in [
            "",
            "scores=1,2,3 turn=0 pot=0",
            "scores=1,2 turn=2 pot=0",
            "scores=100,100 turn=0 pot=0",
            "scores=100,0 turn=1 pot=0",
            "scores=100,0 turn=0 pot=3",
            "scores=90,0 turn=0 pot=12 rolling",
            "scores=90,0 turn=0 pot=16",
            "scores=-1,0 turn=0 pot=0",
            "scores=1,0 turn=0 pot=99999999999999",
            "scores=01,0 turn=0 pot=0",
        ] {
            assert!(game.parse(text).is_err(), "{text}");
        }
        assert!(game.parse("scores=103,99 turn=0 pot=0").unwrap().is_over());
    }
}
