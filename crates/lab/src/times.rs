//! Wall times, which no record promises.

use crate::record::GameTimes;
use crate::stats::{Level, Ratio};
use serde::{Deserialize, Serialize};

/// Wall times of games, for each player.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct Times {
    /// Thinking time in seconds.
    pub seconds: Vec<f64>,
    /// Moves in that time.
    pub moves: Vec<u64>,
    /// The longest a player thought about one move, in seconds.
    pub longest: Vec<f64>,
    /// Sum of the games' wall times.
    pub games: f64,
    /// Seconds of a move, round by round; not of games whose times tell no moves.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub each_move: Vec<Ratio>,
}

/// The times of a game and what they belong to.
pub(crate) struct Timed<'a> {
    pub(crate) round: u64,
    /// The player in each seat.
    pub(crate) seats: &'a [usize],
    pub(crate) times: &'a GameTimes,
}

impl Times {
    pub(crate) fn new(players: usize) -> Self {
        let zeros = vec![0.0; players];
        Times {
            seconds: zeros.clone(),
            moves: vec![0; players],
            longest: zeros,
            games: 0.0,
            each_move: vec![Ratio::default(); players],
        }
    }

    /// Adds games in their order, whole rounds of them.
    pub(crate) fn add(&mut self, games: &[Timed<'_>]) {
        for round in games.chunk_by(|a, b| a.round == b.round) {
            let mut spent = vec![(0.0, 0.0); self.each_move.len()];
            for game in round {
                let times = game.times;
                self.games += times.seconds;
                let seats = game.seats.iter().zip(&times.seats).zip(&times.longest);
                for (seat, ((&player, seconds), longest)) in seats.enumerate() {
                    self.seconds[player] += seconds;
                    self.longest[player] = self.longest[player].max(*longest);
                    if let (Some(spent), Some(&moves)) =
                        (spent.get_mut(player), times.moves.get(seat))
                    {
                        self.moves[player] += moves;
                        *spent = (spent.0 + seconds, spent.1 + moves as f64);
                    }
                }
            }
            for (ratio, (seconds, moves)) in self.each_move.iter_mut().zip(spent) {
                ratio.add(seconds, moves);
            }
        }
    }

    /// Mean thinking time of a player, in seconds.
    pub fn per_move(&self, player: usize) -> Option<f64> {
        let (&moves, seconds) = (self.moves.get(player)?, self.seconds.get(player)?);
        (moves > 0).then(|| seconds / moves as f64)
    }

    /// Its 95 % interval by rounds, where the times of all moves tell it.
    pub fn per_move_ci(&self, player: usize) -> Option<[f64; 2]> {
        let (&moves, ratio) = (self.moves.get(player)?, self.each_move.get(player)?);
        ratio.mean_interval(Level::P95).filter(|_| ratio.cases() == moves as f64)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn game(game: u64, seats: [f64; 2], moves: &[u64]) -> GameTimes {
        let longest = seats.map(|seconds| seconds / 2.0).to_vec();
        GameTimes { game, seconds: 9.0, seats: seats.to_vec(), longest, moves: moves.to_vec() }
    }

    /// Rounds of two games with sides swapped: what a player spent in both is one case.
    #[test]
    fn times_of_a_move_have_intervals_by_rounds() {
        let games = [
            game(0, [1.0, 4.0], &[2, 2]),
            game(1, [6.0, 1.0], &[3, 2]),
            game(2, [3.0, 2.0], &[2, 2]),
            game(3, [2.0, 3.0], &[2, 2]),
        ];
        let timed = |i: usize| Timed {
            round: i as u64 / 2,
            seats: if i.is_multiple_of(2) { &[0, 1] } else { &[1, 0] },
            times: &games[i],
        };
        let mut times = Times::new(2);
        times.add(&[timed(0), timed(1)]);
        times.add(&[timed(2), timed(3)]);
        assert_eq!((times.games, times.per_move(0)), (36.0, Some(1.0)));
        assert_eq!(times.longest, [1.5, 3.0]);
        let mut rounds = Ratio::default();
        for (seconds, moves) in [(2.0, 4.0), (6.0, 4.0)] {
            rounds.add(seconds, moves);
        }
        assert_eq!(times.per_move_ci(0), rounds.mean_interval(Level::P95));
        assert!(times.per_move_ci(0).is_some() && times.per_move_ci(2).is_none());
        // One game of the first versions, whose moves the summary tells, and nothing is known of the whole.
        let old = game(4, [1.0, 1.0], &[]);
        times.add(&[Timed { round: 2, seats: &[0, 1], times: &old }]);
        times.moves = vec![10, 11];
        assert_eq!((times.per_move(0), times.per_move_ci(0)), (Some(0.9), None));
    }
}
