//! What a game tells about its players: meeples and points by kind of feature.

use super::{Carcassonne, Kind, Phase};
use spielbaum_core::{Game, MAX_PLAYERS};

/// Meeples put on each kind of feature and points won with it, for each seat: the numbers that
/// Kummer (2019) gives for his games. Kinds are in the order of [`Kind::ALL`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Statistics {
    /// Seats in use.
    pub players: usize,
    /// Meeples put on each kind, returned ones included.
    pub meeples: [[u32; 4]; MAX_PLAYERS],
    /// Points from each kind; those of the final scoring only once the game is over.
    pub points: [[i32; 4]; MAX_PLAYERS],
    /// Whether the game is over.
    pub is_over: bool,
}

impl Statistics {
    /// Points per meeple of a kind, or nothing if no meeple was put on any.
    pub fn points_per_meeple(&self, seat: usize, kind: Kind) -> Option<f64> {
        let (meeples, points) = (self.meeples.get(seat)?, self.points.get(seat)?);
        let (meeples, points) = (meeples[kind as usize], points[kind as usize]);
        (meeples > 0).then(|| f64::from(points) / f64::from(meeples))
    }
}

/// Meeples, points, and points for each meeple, by kind of feature and for all of them together.
pub(super) const NAMES: &[&str] = &[
    "city meeples",
    "city points",
    "city points per meeple",
    "road meeples",
    "road points",
    "road points per meeple",
    "field meeples",
    "field points",
    "field points per meeple",
    "cloister meeples",
    "cloister points",
    "cloister points per meeple",
    "meeples",
    "points per meeple",
];

impl Statistics {
    /// The [`NAMES`] of a seat.
    pub(super) fn of(&self, seat: usize) -> Vec<Option<f64>> {
        let sums = |kinds: &[Kind]| {
            let meeples: u32 = kinds.iter().map(|&k| self.meeples[seat][k as usize]).sum();
            let points: i32 = kinds.iter().map(|&k| self.points[seat][k as usize]).sum();
            let (meeples, points) = (f64::from(meeples), f64::from(points));
            [Some(meeples), Some(points), (meeples > 0.0).then(|| points / meeples)]
        };
        let kinds = [Kind::City, Kind::Road, Kind::Field, Kind::Cloister];
        // The points of all are the score.
        let [meeples, _, quotient] = sums(&kinds);
        kinds.iter().flat_map(|&kind| sums(&[kind])).chain([meeples, quotient]).collect()
    }
}

impl Carcassonne {
    /// Meeples and points by kind of feature so far.
    ///
    /// ```
    /// use spielbaum_core::{Game, Rng};
    /// use spielbaum_games::carcassonne::{Carcassonne, Kind};
    /// let mut game = Carcassonne::default();
    /// game.playout(u32::MAX, &mut Rng::new(1), &mut Vec::new());
    /// let statistics = game.statistics();
    /// assert_eq!(statistics.points[0].iter().sum::<i32>(), game.scores().unwrap()[0]);
    /// assert!(statistics.points_per_meeple(0, Kind::Road).is_some());
    /// ```
    pub fn statistics(&self) -> Statistics {
        Statistics {
            players: self.players(),
            meeples: self.seats.used.map(|kinds| kinds.map(u32::from)),
            points: self.seats.points.map(|kinds| kinds.map(i32::from)),
            is_over: self.phase == Phase::Over,
        }
    }
}
