//! What a player is worth: the value that is tuned, out of the games it has played.

use crate::record::GameRecord;
use crate::stats::ranks::places;
use crate::summary::{MeanText, Summary};
use crate::{LabError, Plan};
use serde::{Deserialize, Serialize};

/// What is tuned for.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Objective {
    /// Mean points; the payoff in games that count none.
    Points,
    /// The share of games won against the opponents, half of those drawn.
    Score,
    /// The mean place at a table of three to five, the smaller the better.
    Place,
}

impl Objective {
    /// What a game of so many seats is tuned for if nobody says otherwise.
    pub fn of_seats(seats: usize) -> Objective {
        match seats {
            1 => Objective::Points,
            2 => Objective::Score,
            _ => Objective::Place,
        }
    }

    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Objective::Points => "points",
            Objective::Score => "score",
            Objective::Place => "place",
        }
    }

    /// Whether it can be told at a table of so many seats.
    pub(super) fn check(self, seats: usize) -> Result<(), LabError> {
        let fits = match self {
            Objective::Points => true,
            Objective::Score => seats > 1,
            Objective::Place => seats > 2,
        };
        let least = if self == Objective::Score { "two" } else { "three" };
        let name = self.name();
        match fits {
            true => Ok(()),
            false => Err(LabError::Request(format!("a {name} needs a table of {least} or more"))),
        }
    }

    /// A value with larger ones better, for optimisers.
    pub(super) fn gain(self, value: f64) -> f64 {
        if self == Objective::Place { -value } else { value }
    }

    /// The value of the first player of a match.
    pub(super) fn of(self, summary: &Summary) -> Option<MeanText> {
        let first = summary.players.first()?;
        match self {
            Objective::Points => first.points.or(first.payoff),
            Objective::Score => Some(MeanText { mean: summary.score?, ci: summary.score_ci }),
            Objective::Place => first.place,
        }
    }

    /// The value of the first player in each round of a match, for comparisons game by game.
    pub(super) fn by_round(self, plan: &Plan, records: &[GameRecord]) -> Vec<f64> {
        let games = plan.schedule.seatings().len();
        let mean = |values: Vec<f64>| values.iter().sum::<f64>() / values.len().max(1) as f64;
        let round = |round: &[GameRecord]| mean(round.iter().flat_map(|g| self.game(g)).collect());
        records.chunks(games).map(round).collect()
    }

    /// The value of each seat of the first player in a game; one for all of them if it is a score.
    fn game(self, game: &GameRecord) -> Vec<f64> {
        let payoffs: Vec<f64> = game.payoffs.iter().map(|&x| f64::from(x)).collect();
        let of = |values: &[f64], own: bool| -> Vec<f64> {
            let seats = game.seats.iter().zip(values);
            seats.filter(|(player, _)| (**player == 0) == own).map(|(_, &x)| x).collect()
        };
        match self {
            Objective::Points => match &game.scores {
                Some(scores) => of(&scores.iter().map(|&x| f64::from(x)).collect::<Vec<_>>(), true),
                None => of(&payoffs, true),
            },
            Objective::Place => {
                of(&places(&payoffs).iter().map(|p| p.mean()).collect::<Vec<_>>(), true)
            }
            Objective::Score => {
                let mean = |x: Vec<f64>| x.iter().sum::<f64>() / x.len().max(1) as f64;
                let lead = mean(of(&payoffs, true)) - mean(of(&payoffs, false));
                // Equal shares of a win may differ in their last bit.
                vec![if lead.abs() <= 1e-6 { 0.5 } else { f64::from(u8::from(lead > 0.0)) }]
            }
        }
    }
}
