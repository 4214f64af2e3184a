//! Pig: the dice game of pressing one's luck, and the example of how to write a game.
//!
//! Who is on turn rolls a die, and goes on rolling for as long as he likes. Every 2 to 6 goes into
//! the pot; a 1 empties the pot and ends the turn; `hold` moves the pot to the player's score and
//! ends the turn, too. The first to have the target wins.
//!
//! A game is a position (here `Pig`), its moves (`Move`), a text for both (`Display`) and the
//! rules (`impl Game`). The die is rolled by *chance*: after `roll` it is chance's turn, and the
//! moves of chance are the six faces.
//!
//! ```
//! use spielbaum_core::{Game, text};
//! use spielbaum_games::pig::Pig;
//! let mut game = Pig::new(2, 100).unwrap();
//! text::play_moves(&mut game, "roll 5 roll 6 hold roll 1").unwrap();
//! assert_eq!(game.to_string(), "scores=11,0 turn=0 pot=0");
//! ```

use spielbaum_core::{Game, MAX_PLAYERS, ParseError, Payoffs, Turn, zobrist};
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

/// What a player may do, and what the die may show.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Move {
    /// Roll the die once more.
    Roll,
    /// Take the pot and end the turn.
    Hold,
    /// The die shows this face.
    Face(u8),
}

impl fmt::Display for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Move::Roll => write!(f, "roll"),
            Move::Hold => write!(f, "hold"),
            Move::Face(n) => write!(f, "{n}"),
        }
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

    /// Can the game have come to this? Asked of positions that people type.
    fn is_possible(&self) -> bool {
        let below = |seat: usize| self.scores[seat] < self.target;
        (0..self.players).all(|seat| seat == self.turn || below(seat))
            && self.reach() < self.target + 6
            && (self.reach() < self.target || !self.rolling)
            && (below(self.turn) || self.pot == 0)
    }
}

impl Game for Pig {
    type Move = Move;

    fn players(&self) -> usize {
        self.players
    }

    fn turn(&self) -> Turn {
        if self.rolling { Turn::Chance } else { Turn::Player(self.turn as u8) }
    }

    // A list without moves means that the game is over.
    fn moves(&self, out: &mut Vec<Move>) {
        if self.rolling {
            out.extend((1..=6).map(Move::Face));
            return;
        }
        if self.reach() < self.target {
            out.push(Move::Roll);
        }
        if self.pot > 0 {
            out.push(Move::Hold);
        }
    }

    fn play(&mut self, m: Move) {
        self.rolling = m == Move::Roll;
        if let Move::Face(2..) = m {
            self.pot += self.code(m) as i32;
        } else if m != Move::Roll {
            // The turn ends. The winner stays on turn.
            self.scores[self.turn] += if m == Move::Hold { self.pot } else { 0 };
            self.pot = 0;
            if self.scores[self.turn] < self.target {
                self.turn = (self.turn + 1) % self.players;
            }
        }
    }

    // The winner gets 1. If play stops earlier, those who lead share it.
    fn payoffs(&self) -> Payoffs {
        let mut payoffs = [0.0; MAX_PLAYERS];
        let scores = &self.scores[..self.players];
        let leaders = (0..self.players).filter(|&seat| Some(&scores[seat]) == scores.iter().max());
        leaders.clone().for_each(|seat| payoffs[seat] = 1.0 / leaders.clone().count() as f32);
        payoffs
    }

    fn scores(&self) -> Option<[i32; MAX_PLAYERS]> {
        Some(self.scores)
    }

    // A hash of each number, with its place, so that equal numbers in two places differ.
    fn key(&self) -> u64 {
        let numbers = [self.turn as i32, self.pot, self.rolling.into()];
        let placed = numbers.into_iter().chain(self.scores).enumerate();
        placed.fold(0, |key, (place, n)| key ^ zobrist::key(place as u64, n as u64))
    }

    // A small number for each move: 0 to roll, the faces, 7 to hold.
    fn code(&self, m: Move) -> usize {
        match m {
            Move::Roll => 0,
            Move::Face(n) => n.into(),
            Move::Hold => 7,
        }
    }

    fn codes(&self) -> usize {
        8
    }

    // Takes the numbers from the text; the position they make must print as the same text.
    fn parse(&self, text: &str) -> Result<Self, ParseError> {
        let words = text.split(|c: char| !c.is_ascii_digit());
        let numbers: Vec<i32> = words.filter_map(|word| word.parse().ok()).collect();
        let mut pos = Pig { rolling: text.ends_with("rolling"), ..*self };
        if let [scores @ .., turn, pot] = &numbers[..]
            && scores.len() == self.players
            && scores.iter().chain([turn, pot]).all(|&n| n < self.target.max(5) + 6)
        {
            pos.scores[..self.players].copy_from_slice(scores);
            (pos.turn, pos.pot) = (*turn as usize % self.players, *pot);
            if pos.is_possible() && pos.to_string() == text {
                return Ok(pos);
            }
        }
        Err(ParseError::new("not a position of this game").help(format!("as in `{self}`")))
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
        assert_eq!(moves, [Move::Roll]);
        moves.clear();
        let mut game = played(2, 10, "roll 6 roll 5");
        game.moves(&mut moves);
        assert_eq!(moves, [Move::Hold]);
        game.play(Move::Hold);
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
