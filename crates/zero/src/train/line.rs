//! The game that a network thinks best for both sides, with what it thought of each move.

use super::config::TrainConfig;
use super::ladder::network_player;
use serde::{Deserialize, Serialize};
use spielbaum_core::{Limits, Planes, Player, Task, TwoPlayer};
use spielbaum_net::Weights;

/// The best line: `line.json`.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct Line {
    /// Games of the training behind the network.
    pub games: u64,
    /// Simulations for each move.
    pub simulations: u64,
    /// Its moves, in order.
    pub moves: Vec<LineMove>,
}

/// A move of the best line.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct LineMove {
    /// The move.
    #[serde(rename = "move")]
    pub text: String,
    /// What the first player may expect, -1 to 1, by the search.
    pub value: f64,
    /// The network's probability of the move.
    pub prior: f64,
    /// The search's: its part of the visits.
    pub visits: f64,
}

/// Plays the best line of a network, by its search without any chance.
pub fn best_line<G: TwoPlayer + Planes>(
    start: &G,
    config: &TrainConfig,
    weights: &Weights,
    games: u64,
) -> Result<Line, String> {
    let mut player = network_player(start, config, weights)?;
    let mut line = Line { games, simulations: config.play, moves: Vec::new() };
    let mut pos = start.clone();
    while !pos.is_over() {
        let mut task = Task::new(Limits::iterations(config.play));
        let report = player.think(&pos, &mut task).map_err(|e| e.to_string())?;
        let sign = if pos.turn().player() == Some(0) { 1.0 } else { -1.0 };
        let all: u64 = report.lines.iter().map(|l| l.visits).sum();
        let best = report.lines.iter().find(|l| l.mv == report.best);
        // A proven move need not have been visited.
        let visits = best.filter(|_| all > 0).map_or(1.0, |b| b.visits as f64 / all as f64);
        line.moves.push(LineMove {
            text: report.best.to_string(),
            value: sign * (2.0 * f64::from(report.value) - 1.0),
            prior: best.and_then(|b| b.prior).map_or(0.0, f64::from),
            visits,
        });
        player.observe(&pos, report.best);
        pos.play(report.best);
    }
    Ok(line)
}
