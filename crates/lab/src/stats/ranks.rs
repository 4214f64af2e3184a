//! Places at tables of three to five seats.

use super::{Estimate, Level, Mean};

/// A place, perhaps shared: two who share the best payoff are both first, and two are tied.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Place {
    /// The best of the shared places, from 1.
    pub first: usize,
    /// How many share it, themselves included.
    pub tied: usize,
}

impl Place {
    /// The mean of the shared places: 1.5 for two winners.
    pub fn mean(&self) -> f64 {
        self.first as f64 + (self.tied - 1) as f64 / 2.0
    }
}

/// The places of a game by its payoffs, the highest first; equal ones share theirs.
///
/// ```
/// use spielbaum_lab::stats::ranks::places;
/// let means: Vec<f64> = places(&[3.0, 8.0, 3.0, 1.0]).iter().map(|p| p.mean()).collect();
/// assert_eq!(means, [2.5, 1.0, 2.5, 4.0]);
/// ```
pub fn places(payoffs: &[f64]) -> Vec<Place> {
    // Equal shares of a win may differ in their last bit.
    let count = |test: &dyn Fn(f64) -> bool| payoffs.iter().filter(|&&x| test(x)).count();
    payoffs
        .iter()
        .map(|&own| Place {
            first: 1 + count(&|x| x - own > 1e-6),
            tied: count(&|x| (x - own).abs() <= 1e-6).max(1),
        })
        .collect()
}

/// The places of one player, round by round: the games of a round share opening and chance
/// events and are not independent.
///
/// ```
/// use spielbaum_lab::stats::ranks::{Places, places};
/// let mut own = Places::new(3);
/// for winner in [0, 0, 1, 0, 2, 0] {
///     let payoffs: Vec<f64> = (0..3).map(|seat| f64::from(u8::from(seat == winner))).collect();
///     own.add(&[places(&payoffs)[0]]); // our player sits in seat 0
/// }
/// // Who does not win shares places 2 and 3 with the other loser.
/// let shares = own.distribution().unwrap();
/// assert!((shares[0] - 4.0 / 6.0).abs() < 1e-12);
/// assert!((shares[1] - 1.0 / 6.0).abs() < 1e-12 && shares[1] == shares[2]);
/// ```
#[derive(Clone, PartialEq, Debug)]
pub struct Places {
    seats: usize,
    games: u64,
    shares: Vec<f64>,
    place: Mean,
}

impl Places {
    /// No rounds yet, at tables of so many seats.
    pub fn new(seats: usize) -> Self {
        Places { seats, games: 0, shares: vec![0.0; seats], place: Mean::default() }
    }

    /// Adds the places that the player's seats took in the games of a round. A round without
    /// the player says nothing; places that are not at this table do not count.
    pub fn add(&mut self, round: &[Place]) {
        let seats = self.seats;
        let valid = |p: &&Place| p.first > 0 && p.tied > 0 && p.first + p.tied <= seats + 1;
        let round: Vec<Place> = round.iter().filter(valid).copied().collect();
        if round.is_empty() {
            return;
        }
        let n = round.len() as f64;
        self.games += round.len() as u64;
        self.place.add(round.iter().map(Place::mean).sum::<f64>() / n);
        for place in &round {
            let shared = &mut self.shares[place.first - 1..place.first + place.tied - 1];
            shared.iter_mut().for_each(|share| *share += 1.0 / place.tied as f64);
        }
    }

    /// Seats played, all games together.
    pub fn games(&self) -> u64 {
        self.games
    }

    /// The share of games in each place; shared places count in parts for each of them.
    pub fn distribution(&self) -> Option<Vec<f64>> {
        (self.games > 0).then(|| self.shares.iter().map(|s| s / self.games as f64).collect())
    }

    /// The mean place.
    pub fn mean_place(&self) -> Option<f64> {
        self.place.mean()
    }

    /// The mean place with its interval by rounds, within the places there are; `None` with
    /// fewer than two rounds or where nothing varies.
    pub fn place(&self, level: Level) -> Option<Estimate> {
        let [low, high] = self.place.interval_at(level)?;
        let interval = [low.max(1.0), high.min(self.seats as f64)];
        Some(Estimate { value: self.place.mean()?, interval })
    }
}
