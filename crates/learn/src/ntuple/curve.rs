//! What games come to: the points of a learning curve.

use serde::{Deserialize, Serialize};
use spielbaum_core::Cells;

/// The results of some games.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Tally {
    /// Games.
    pub games: u64,
    /// Moves of the player.
    pub moves: u64,
    /// Sum of the scores.
    pub scores: f64,
    /// Sum of their squares.
    pub squares: f64,
    /// The best score.
    pub best: f64,
    /// Games by the largest content of a cell at the end.
    pub largest: [u64; 16],
}

impl Tally {
    pub(super) fn add(&mut self, score: f64, moves: u64, largest: u32) {
        self.games += 1;
        self.moves += moves;
        self.scores += score;
        self.squares += score * score;
        self.best = self.best.max(score);
        self.largest[largest as usize & 15] += 1;
    }

    pub(super) fn merge(&mut self, other: &Tally) {
        self.games += other.games;
        self.moves += other.moves;
        self.scores += other.scores;
        self.squares += other.squares;
        self.best = self.best.max(other.best);
        for (mine, theirs) in self.largest.iter_mut().zip(other.largest) {
            *mine += theirs;
        }
    }

    /// Mean score and its standard error.
    pub fn mean(&self) -> (f64, f64) {
        let n = self.games.max(1) as f64;
        let mean = self.scores / n;
        let variance = (self.squares / n - mean * mean).max(0.0);
        (mean, (variance / (n - 1.0).max(1.0)).sqrt())
    }

    /// The contents that were the largest of some game, by name, with the share of games that came
    /// as far or further.
    pub fn reached<G: Cells>(&self) -> Vec<(String, f64)> {
        let mut games = 0;
        let mut shares: Vec<(String, f64)> = (0..16u32)
            .rev()
            .filter_map(|content| {
                games += self.largest[content as usize];
                let share = games as f64 / self.games.max(1) as f64;
                (self.largest[content as usize] > 0).then(|| (G::content_name(content), share))
            })
            .collect();
        shares.reverse();
        shares
    }
}

/// A point of a learning curve: what the games since the last one came to.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Point {
    /// Games played in all.
    pub games: u64,
    /// Moves made in all.
    pub moves: u64,
    /// Mean score of the games since the last point.
    pub mean: f64,
    /// Its standard error.
    pub error: f64,
    /// The best of them.
    pub best: f64,
    /// What the largest cell came to, with the share of games that came as far or further.
    pub reached: Vec<(String, f64)>,
}

impl Point {
    /// The point after so many games and moves in all.
    pub fn new<G: Cells>(games: u64, moves: u64, since: &Tally) -> Self {
        let (mean, error) = since.mean();
        Point { games, moves, mean, error, best: since.best, reached: since.reached::<G>() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use spielbaum_games::g2048::G2048;

    #[test]
    fn games_are_added_up() {
        let (mut a, mut b) = (Tally::default(), Tally::default());
        a.add(100.0, 10, 5);
        b.add(300.0, 20, 7);
        b.add(200.0, 15, 7);
        a.merge(&b);
        assert_eq!((a.games, a.moves, a.best, a.mean().0), (3, 45, 300.0, 200.0));
        assert!((a.mean().1 - (20_000.0f64 / 3.0 / 2.0).sqrt()).abs() < 1e-9);
        let point = Point::new::<G2048>(3, 45, &a);
        assert_eq!(point.reached, [("32".to_string(), 1.0), ("128".to_string(), 2.0 / 3.0)]);
    }
}
