//! Counts → numbers for programs ([`Summary`], JSON) and for people ([`Summary::table`]).

mod derived;
mod estimates;
mod text;

pub(crate) use derived::Derived;
pub(crate) use estimates::mean_at;

use crate::plan::FORMAT;
use crate::stats::elo::{self, Bounds};
use crate::stats::sprt::{Decision, Sprt};
use crate::stats::{Estimate, Level, Mean, Places, Wdl};
use crate::tally::{PlayerTally, Statistic, Tally};
use crate::{LabError, Plan};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// The statistics of a match from A's side. All of it is deterministic; numbers are rounded to
/// six decimals so that the last bit of a logarithm cannot change a file.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Summary {
    /// Version of the format.
    pub format: u32,
    /// Games played.
    pub games: u64,
    /// How many of them differ in their moves or seats. Games that deterministic players repeat
    /// are no evidence: with far fewer than `games`, the intervals are too narrow.
    pub distinct: u64,
    /// Rounds played: games with the same opening and chance.
    pub rounds: u64,
    /// Games A won; in one-player games, rounds.
    pub wins: u64,
    /// Games drawn; in one-player games, rounds.
    pub draws: u64,
    /// Games A lost; in one-player games, rounds.
    pub losses: u64,
    /// A's share of the points.
    pub score: Option<f64>,
    /// Its 95 % interval: whatever lies in Wilson's or in that from the variance between rounds; at
    /// a table of three to five the latter alone ([`score_estimate`](elo::score_estimate)).
    pub score_ci: Option<[f64; 2]>,
    /// Elo difference; null where it is infinite, and where a score of ½ does not mean equal
    /// strength: one of five equal players wins a fifth of the games.
    pub elo: Option<f64>,
    /// Its 95 % interval from the variance between rounds (pentanomial for pairs).
    pub elo_ci: Option<Bounds>,
    /// Its 95 % interval as if all games were independent (trinomial).
    pub elo_ci_games: Option<Bounds>,
    /// Normalised Elo.
    pub nelo: Option<f64>,
    /// Likelihood of superiority, by wins and losses; at a table of three to five by `difference`.
    pub los: Option<f64>,
    /// Mean length of a game in moves of players.
    pub plies: Option<f64>,
    /// Its 95 % interval by rounds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub plies_ci: Option<[f64; 2]>,
    /// Length of the shortest and of the longest game.
    pub plies_range: Option<[u32; 2]>,
    /// Games ended by the move limit.
    pub limits: u64,
    /// Rounds by A's half points, from none to all: for two seats the pentanomial counts, for
    /// one losses, draws and wins.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub pairs: Vec<u64>,
    /// A's results in each seat, the one that moves first before the other; for two seats only.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub by_seat: Vec<Wdl>,
    /// Rounds by the half points of the seat that moves first, whoever sits there; for two seats
    /// only.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub first_pairs: Vec<u64>,
    /// A's mean payoff minus the others', paired by round; not for two seats, where the score
    /// says it.
    pub difference: Option<MeanText>,
    /// Whether its results, by a test or by the width of the interval, have ended it.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub stopped: bool,
    /// The sequential test, if there is one.
    pub sprt: Option<SprtState>,
    /// Mean payoff of each seat, whoever sat there.
    pub seats: Vec<Option<f64>>,
    /// Each player, A first.
    pub players: Vec<PlayerSummary>,
}

/// A mean with its 95 % interval (Student's t over rounds).
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
pub struct MeanText {
    /// The mean.
    pub mean: f64,
    /// Its interval; null with fewer than two rounds.
    pub ci: Option<[f64; 2]>,
}

impl MeanText {
    /// At a table of several seats payoffs are shares: no interval goes beyond 0 and 1.
    fn within(self, seats: usize) -> Self {
        let clamp = |ci: [f64; 2]| ci.map(|x| if seats > 1 { x.clamp(0.0, 1.0) } else { x });
        MeanText { ci: self.ci.map(clamp), ..self }
    }
}

/// One player's part.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct PlayerSummary {
    /// The player.
    pub player: String,
    /// Mean payoff of its seats; an equal share is 1 / seats.
    pub payoff: Option<MeanText>,
    /// Mean points of its seats, in games that count points.
    pub points: Option<MeanText>,
    /// What the game tells about its seats, by name.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub statistics: BTreeMap<String, StatisticSummary>,
    /// The share of games in each place, the first place first; shared places count in parts for
    /// each of them. For three to five seats only.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub places: Vec<f64>,
    /// Its mean place; for three to five seats only.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub place: Option<MeanText>,
    /// Moves it was asked for.
    pub moves: u64,
    /// Simulations or root iterations for each of them.
    pub iterations_per_move: Option<f64>,
    /// Plays for each of them.
    pub nodes_per_move: Option<f64>,
    /// Mean depth.
    pub depth: Option<f64>,
    /// The 95 % interval of the iterations, by rounds; nothing where they do not vary.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub iterations_ci: Option<[f64; 2]>,
    /// The 95 % interval of the plays.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub nodes_ci: Option<[f64; 2]>,
    /// The 95 % interval of the depth.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub depth_ci: Option<[f64; 2]>,
    /// Plays of a game; not in records of the first versions.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub game_nodes: Option<MeanText>,
    /// Games it forfeited.
    pub forfeits: u64,
    /// Why it forfeited the first of them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
}

/// What games tell about the seats of a player, over all in which it has a meaning.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct StatisticSummary {
    /// In how many.
    pub count: u64,
    /// Its mean, every round in which it has a meaning counting once.
    pub mean: f64,
    /// How many rounds these are.
    pub rounds: u64,
    /// The mean's 95 % interval (Student's t over rounds); null with fewer than two.
    pub ci: Option<[f64; 2]>,
    /// Its standard deviation between seats; null with fewer than two.
    pub deviation: Option<f64>,
    /// Each number, rounded down, with the seats that had it, the least first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub counts: Vec<(i64, u64)>,
}

impl StatisticSummary {
    fn new(statistic: &Statistic) -> Option<Self> {
        let counts = statistic.counts.iter().map(|(&value, &count)| (value, count)).collect();
        Some(StatisticSummary {
            count: statistic.seats.count(),
            mean: round(statistic.rounds.mean()?),
            rounds: statistic.rounds.count(),
            ci: statistic.rounds.interval().map(|ci| ci.map(round)),
            deviation: statistic.seats.deviation().map(round),
            counts,
        })
    }

    /// How many of how many seats had at least this much.
    pub fn at_least(&self, least: i64) -> (u64, u64) {
        let count = |from: i64| self.counts.iter().filter(|c| c.0 >= from).map(|c| c.1).sum();
        (count(least), count(i64::MIN))
    }
}

/// Where a sequential test stands.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
pub struct SprtState {
    /// The test.
    #[serde(flatten)]
    pub test: Sprt,
    /// The log-likelihood ratio.
    pub llr: f64,
    /// H0 is accepted below the first, H1 above the second.
    pub bounds: [f64; 2],
    /// What was accepted.
    pub decision: Option<Decision>,
}

fn round(x: f64) -> f64 {
    let rounded = (x * 1e6).round() / 1e6;
    rounded + 0.0 // no negative zero
}

fn round_bounds(bounds: Bounds) -> Bounds {
    bounds.map(|x| x.map(round))
}

fn mean_text(mean: &Mean) -> Option<MeanText> {
    let ci = mean.interval().map(|ci| ci.map(round));
    Some(MeanText { mean: round(mean.mean()?), ci })
}

impl PlayerTally {
    fn statistics(&self) -> BTreeMap<String, StatisticSummary> {
        let all = self.statistics.iter();
        all.filter_map(|(name, s)| Some((name.clone(), StatisticSummary::new(s)?))).collect()
    }

    fn distribution(&self) -> Vec<f64> {
        let shares = self.places.as_ref().and_then(Places::distribution).unwrap_or_default();
        shares.into_iter().map(round).collect()
    }

    fn place(&self) -> Option<MeanText> {
        let places = self.places.as_ref()?;
        let ci = places.place(Level::P95).map(|estimate| estimate.interval.map(round));
        Some(MeanText { mean: round(places.mean_place()?), ci })
    }
}

impl Tally {
    /// The statistics of what is counted.
    pub fn summary(&self, plan: &Plan) -> Summary {
        let (wdl, rounds) = (self.wdl(), self.rounds());
        let derived = Derived::of(plan, wdl, rounds);
        let players = self.players().iter().zip(&plan.header().players);
        Summary {
            format: FORMAT,
            games: self.games(),
            distinct: self.distinct(),
            rounds: self.games() / plan.schedule.seatings().len() as u64,
            wins: wdl.wins,
            draws: wdl.draws,
            losses: wdl.losses,
            score: derived.score,
            score_ci: derived.score_ci,
            elo: derived.elo,
            elo_ci: derived.elo_ci,
            elo_ci_games: derived.elo_ci_games,
            nelo: derived.nelo,
            los: match self.seats() > 2 {
                true => self.difference().likelihood_above_zero().map(round),
                false => derived.los,
            },
            plies: self.plies().mean().map(round),
            plies_ci: self.round_plies().interval().map(|ci| ci.map(round)),
            plies_range: self.extremes(),
            limits: self.limits(),
            pairs: rounds.counts().to_vec(),
            by_seat: self.by_seat().to_vec(),
            first_pairs: self.first_move().map_or(Vec::new(), |f| f.rounds().counts().to_vec()),
            difference: mean_text(self.difference()).filter(|_| self.seats() != 2),
            stopped: derived.stopped,
            sprt: derived.sprt,
            seats: self.seat_payoffs().iter().map(|m| m.mean().map(round)).collect(),
            players: players
                .map(|(tally, text)| {
                    let moves = tally.counts.moves;
                    let each = |sum: u64| (moves > 0).then(|| round(sum as f64 / moves as f64));
                    let spread = tally.each_move.map(|ratio| ratio.mean_interval(Level::P95));
                    let [iterations_ci, nodes_ci, depth_ci] =
                        spread.map(|ci| ci.map(|ci| ci.map(round)));
                    PlayerSummary {
                        player: text.spec.clone(),
                        payoff: mean_text(&tally.payoff).map(|m| m.within(self.seats())),
                        points: mean_text(&tally.points),
                        statistics: tally.statistics(),
                        places: tally.distribution(),
                        place: tally.place(),
                        moves,
                        iterations_per_move: each(tally.counts.iterations),
                        nodes_per_move: each(tally.counts.nodes),
                        depth: each(tally.counts.depth),
                        iterations_ci,
                        nodes_ci,
                        depth_ci,
                        game_nodes: mean_text(&tally.game_nodes).filter(|_| tally.counts.nodes > 0),
                        forfeits: tally.forfeits,
                        reason: tally.reason.clone(),
                    }
                })
                .collect(),
        }
    }

    /// A's score with its interval.
    pub fn score(&self, level: Level) -> Option<Estimate> {
        elo::score_estimate(self.wdl(), self.rounds(), level)
    }
}

impl Summary {
    /// The statistics as JSON.
    pub fn json(&self) -> Result<String, LabError> {
        serde_json::to_string_pretty(self)
            .map_err(|e| LabError::Request(format!("the statistics cannot be written: {e}")))
    }
}

impl PlayerSummary {
    /// What the game tells about its seats under this name.
    pub fn statistic(&self, name: &str) -> Option<&StatisticSummary> {
        self.statistics.get(name)
    }
}
