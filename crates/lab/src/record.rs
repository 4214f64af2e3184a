//! One line for one game: what it was, in fields that do not depend on the machine.

use crate::store::fnv1a;
use serde::{Deserialize, Serialize};
use spielbaum_core::Game;
use std::collections::BTreeMap;

/// How a game ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum End {
    /// By the rules.
    Over,
    /// By the move limit of the match, settled as it stood.
    Limit,
    /// By a forfeit.
    Forfeit,
}

impl End {
    /// Its name in a record.
    pub fn name(self) -> &'static str {
        match self {
            End::Over => "over",
            End::Limit => "limit",
            End::Forfeit => "forfeit",
        }
    }
}

/// Who forfeited, and why.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ForfeitRecord {
    /// The seat.
    pub seat: usize,
    /// The reason, for people.
    pub reason: String,
}

/// What a seat's player spent in a game.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Counts {
    /// Moves it was asked for.
    pub moves: u64,
    /// Simulations or root iterations.
    pub iterations: u64,
    /// Plays on a board.
    pub nodes: u64,
    /// Sum of the depths of its searches.
    pub depth: u64,
}

/// Saturates: a record that was edited may hold any number.
impl std::ops::AddAssign for Counts {
    fn add_assign(&mut self, other: Counts) {
        self.moves = self.moves.saturating_add(other.moves);
        self.iterations = self.iterations.saturating_add(other.iterations);
        self.nodes = self.nodes.saturating_add(other.nodes);
        self.depth = self.depth.saturating_add(other.depth);
    }
}

/// One game.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct GameRecord {
    /// Number of the game in the match.
    pub game: u64,
    /// Number of its round.
    pub round: u64,
    /// The player in each seat.
    pub seats: Vec<usize>,
    /// The position with which the moves begin, if it is not the start of the game.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub position: Option<String>,
    /// How many of the moves are the opening.
    pub opening: usize,
    /// All moves and outcomes of chance, separated by blanks; empty where only results are
    /// recorded.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub moves: String,
    /// The FNV-1a hash of the moves where they are not recorded: it tells games that are
    /// repeated, and what players play again.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub digest: Option<String>,
    /// What each seat gets.
    pub payoffs: Vec<f32>,
    /// The points of each seat, in games that count points.
    pub scores: Option<Vec<i32>>,
    /// What else the game [tells](spielbaum_core::Game::STATISTICS) about each seat; nothing where a
    /// number has no meaning.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub statistics: BTreeMap<String, Vec<Option<f64>>>,
    /// Moves of players, the opening included, outcomes of chance not.
    pub plies: u32,
    /// How it ended.
    pub end: End,
    /// The forfeit, if that is how it ended.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub forfeit: Option<ForfeitRecord>,
    /// What the players spent, for each seat.
    pub counts: Vec<Counts>,
}

impl GameRecord {
    /// The same game without its moves.
    pub(crate) fn without_moves(mut self) -> Self {
        self.digest = Some(self.fingerprint());
        self.moves.clear();
        self
    }

    /// The hash of the moves, recorded or not.
    pub(crate) fn fingerprint(&self) -> String {
        let hash = || format!("{:016x}", fnv1a(self.moves.as_bytes()));
        self.digest.clone().unwrap_or_else(hash)
    }

    /// The line of the record, without its end.
    pub fn line(&self) -> String {
        serde_json::to_string(self).expect("a record has no value JSON lacks")
    }
}

/// What a game tells about its seats.
pub(crate) fn statistics<G: Game>(pos: &G) -> BTreeMap<String, Vec<Option<f64>>> {
    let seats: Vec<Vec<Option<f64>>> = match G::STATISTICS {
        [] => Vec::new(),
        _ => (0..pos.players()).map(|seat| pos.statistics_of(seat)).collect(),
    };
    let of_all = |i: usize| seats.iter().filter_map(|seat| seat.get(i).copied()).collect();
    G::STATISTICS.iter().enumerate().map(|(i, name)| (name.to_string(), of_all(i))).collect()
}

/// The wall times of a game, which no record promises.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct GameTimes {
    /// Number of the game.
    pub game: u64,
    /// Seconds of the whole game.
    pub seconds: f64,
    /// Seconds each seat thought.
    pub seats: Vec<f64>,
    /// The longest a seat thought about one move.
    pub longest: Vec<f64>,
    /// Moves each seat thought about; nothing in times of the first versions.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub moves: Vec<u64>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_of_an_edited_record_do_not_overflow() {
        let most = Counts { moves: 1, iterations: u64::MAX, nodes: u64::MAX, depth: u64::MAX };
        let mut sum = most;
        sum += most;
        assert_eq!(sum, Counts { moves: 2, ..most });
    }
}
