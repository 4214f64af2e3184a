//! A match becomes numbered jobs: a pure function, so that any process can compute any job.
//!
//! A **round** is one opening played in all seatings with the same chance events: both sides of
//! a two-player game, each player alone in a one-player game, all seatings at a larger table.
//! A **unit** is a few consecutive rounds, the smallest thing that is recorded.
//!
//! Seeds: match seed → `split(round)` → `split(8 · game in the round + seat)` for the players,
//! and two further branches for the opening and for chance.

use crate::budget;
use crate::openings::{self, Opening, Openings};
use serde::{Deserialize, Serialize};
use spielbaum_core::{Game, ParseError, Rng};
use std::ops::Range;

/// Which seatings a round has at a table of three to five.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Seating {
    /// Every assignment of players to seats in which each player sits at least once.
    #[default]
    All,
    /// The players in the order given, moved on by one seat from game to game.
    Rotate,
}

/// How a game begins.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Beginning {
    /// At the start, or with a prepared opening.
    Prepared(Opening),
    /// With random moves.
    Random {
        /// How many.
        plies: u32,
        /// From which seed.
        seed: u64,
    },
}

impl Beginning {
    /// Text of the position it begins with, if that is not the start of the game.
    pub fn position(&self) -> Option<&String> {
        match self {
            Beginning::Prepared(opening) => opening.position.as_ref(),
            Beginning::Random { .. } => None,
        }
    }

    /// The position it begins with and the moves from there.
    pub(crate) fn set_up<G: Game>(&self, start: &G) -> Result<(G, Vec<G::Move>), ParseError> {
        match self {
            Beginning::Prepared(opening) => opening.set_up(start),
            Beginning::Random { plies, seed } => {
                Ok((start.clone(), openings::draw(start, *plies, *seed)))
            }
        }
    }
}

/// One game to be played.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Job {
    /// Number of the game in the match.
    pub game: u64,
    /// Number of its round.
    pub round: u64,
    /// The player in each seat.
    pub seats: Vec<usize>,
    /// How it begins.
    pub beginning: Beginning,
    /// Seed of chance, the same for all games of the round.
    pub chance: u64,
    /// Seed of each seat's player.
    pub seeds: Vec<u64>,
}

/// The jobs of a match.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Schedule {
    seed: u64,
    rounds: u64,
    rounds_per_unit: u64,
    seatings: Vec<Vec<usize>>,
    openings: Openings,
}

impl Schedule {
    /// At least `games` games of about `plays` plays each, rounded up to whole rounds.
    pub fn new(
        seed: u64,
        games: u64,
        plays: u64,
        seatings: Vec<Vec<usize>>,
        openings: Openings,
    ) -> Self {
        let rounds = games.div_ceil(seatings.len() as u64);
        let alone = seatings.iter().all(|seats| seats.len() == 1);
        let most = if alone { (rounds / LEAST_ALONE).max(1) } else { u64::MAX };
        let rounds_per_unit = rounds_per_unit(rounds, seatings.len() as u64, plays).min(most);
        Schedule { seed, rounds, rounds_per_unit, seatings, openings }
    }

    /// The same games, but more or fewer, in units of this size.
    pub(crate) fn of_size(&self, rounds: u64, rounds_per_unit: u64) -> Schedule {
        Schedule { rounds, rounds_per_unit: rounds_per_unit.max(1), ..self.clone() }
    }

    /// Number of games.
    pub fn games(&self) -> u64 {
        self.rounds * self.seatings.len() as u64
    }

    /// Number of rounds.
    pub fn rounds(&self) -> u64 {
        self.rounds
    }

    /// Rounds in each unit but the last, which may be shorter.
    pub fn rounds_per_unit(&self) -> u64 {
        self.rounds_per_unit
    }

    /// Number of units.
    pub fn units(&self) -> u64 {
        self.rounds.div_ceil(self.rounds_per_unit)
    }

    /// The seatings of a round: for each the player in each seat.
    pub fn seatings(&self) -> &[Vec<usize>] {
        &self.seatings
    }

    /// Whether equal players have equal chances to win a game: there are two, and each seating
    /// has one in which they have changed places. Then, and only then, a score of ½ means equal
    /// strength; one of five equal players wins a fifth of its games.
    pub fn is_even(&self) -> bool {
        let swapped = |seats: &Vec<usize>| seats.iter().map(|&p| 1 - p).collect::<Vec<_>>();
        self.seatings.iter().flatten().all(|&p| p < 2)
            && self.seatings.iter().all(|seats| self.seatings.contains(&swapped(seats)))
    }

    /// How the games begin.
    pub fn openings(&self) -> &Openings {
        &self.openings
    }

    /// The games of a unit.
    pub fn unit(&self, unit: u64) -> Range<u64> {
        let first = unit * self.rounds_per_unit;
        let last = (first + self.rounds_per_unit).min(self.rounds);
        let n = self.seatings.len() as u64;
        first * n..last * n
    }

    /// A game of the match.
    pub fn job(&self, game: u64) -> Job {
        const CHANCE: u64 = u64::MAX;
        const OPENING: u64 = u64::MAX - 1;
        let n = self.seatings.len() as u64;
        let (round, nth) = (game / n, game % n);
        let seed = Rng::split(self.seed, round);
        let seats = self.seatings[nth as usize].clone();
        let beginning = match &self.openings {
            Openings::None => Beginning::Prepared(Opening::default()),
            Openings::Random(plies) => {
                Beginning::Random { plies: *plies, seed: Rng::split(seed, OPENING) }
            }
            Openings::List { lines, .. } => {
                Beginning::Prepared(lines[(round % lines.len() as u64) as usize].clone())
            }
        };
        let seeds = (0..seats.len() as u64).map(|seat| Rng::split(seed, 8 * nth + seat)).collect();
        Job { game, round, seats, beginning, chance: Rng::split(seed, CHANCE), seeds }
    }
}

/// Units of a match of one player, if it has as many rounds: its games may be a hundred times as long
/// as is guessed, and a budget, of depth mostly, does not tell.
const LEAST_ALONE: u64 = 32;

/// One round in a unit up to a hundred rounds, then about a hundred units, of at most 128 games
/// or one round: little work is lost when a match is killed, and long matches do not drown in
/// files. But quick games are put together, up to a thousand, until a unit is worth its file.
fn rounds_per_unit(rounds: u64, games_per_round: u64, plays: u64) -> u64 {
    let at_most = |games: u64| (games / games_per_round).max(1);
    let long = budget::A_UNIT / plays.saturating_mul(games_per_round).max(1);
    let rule = rounds.div_ceil(100).clamp(1, at_most(128));
    rule.max(long.min(at_most(1024)).min(rounds)).max(1)
}

/// The seatings of `players` players at a table of `seats` seats, in a fixed order.
///
/// ```
/// use spielbaum_lab::{Seating, seatings};
/// assert_eq!(seatings(2, 2, Seating::All), [[0, 1], [1, 0]]);
/// assert_eq!(seatings(2, 1, Seating::All), [[0], [1]]);
/// assert_eq!(seatings(5, 5, Seating::All).len(), 120);
/// assert_eq!(seatings(2, 3, Seating::All).len(), 6); // 2³ without AAA and BBB
/// assert_eq!(seatings(3, 3, Seating::Rotate), [[0, 1, 2], [2, 0, 1], [1, 2, 0]]);
/// ```
pub fn seatings(players: usize, seats: usize, seating: Seating) -> Vec<Vec<usize>> {
    if seats == 1 {
        return (0..players).map(|p| vec![p]).collect();
    }
    let mut all: Vec<Vec<usize>> = Vec::new();
    match seating {
        Seating::All => {
            for number in 0..players.pow(seats as u32) {
                // The digits of `number` to the base `players`, the first seat leading.
                let digit = |seat: usize| number / players.pow((seats - 1 - seat) as u32) % players;
                let seated: Vec<usize> = (0..seats).map(digit).collect();
                if (0..players).all(|p| seated.contains(&p)) {
                    all.push(seated);
                }
            }
        }
        Seating::Rotate => {
            for turn in 0..seats {
                let seated = (0..seats).map(|s| (s + seats - turn) % seats % players).collect();
                if !all.contains(&seated) {
                    all.push(seated);
                }
            }
        }
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    fn units(games: u64, plays: u64, players: usize, seats: usize) -> u64 {
        let seatings = seatings(players, seats, Seating::All);
        Schedule::new(1, games, plays, seatings, Openings::None).units()
    }

    #[test]
    fn matches_of_one_player_have_units_for_every_core() {
        // However quick the games are guessed to be.
        for plays in [1, 32, 10_000, 1 << 40] {
            assert!(units(100, plays, 1, 1) >= 32 && units(128, plays, 4, 1) == 32);
            assert_eq!((units(20, plays, 1, 1), units(60, plays, 3, 1)), (20, 20));
        }
        assert_eq!(
            (units(100, 1, 1, 1), units(1000, 1, 1, 1), units(100_000, 1, 1, 1)),
            (34, 33, 98)
        );
        // Long matches do not drown in files, and others are cut as ever.
        assert_eq!(units(1_000_000, 1 << 40, 1, 1), 7813);
        assert_eq!((units(100, 1, 2, 2), units(100, 1 << 40, 2, 2)), (1, 50));
    }
}
