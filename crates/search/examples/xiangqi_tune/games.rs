//! Games of self-play and their quiet positions.

use super::{opening, spread};
use spielbaum_core::{Eval, Game, Limits, Player, Rng, Task};
use spielbaum_games::xiangqi::{Placed, Xiangqi};
use spielbaum_search::alphabeta::{AlphaBeta, AlphaBetaConfig};
use spielbaum_search::score;
use std::error::Error;
use std::io::Write;

/// Values beyond are decided and teach nothing.
const DECIDED: i32 = 1500;

/// The quiet positions of a game: position, value and result for the player to move.
fn play(rng: &mut Rng, nodes: u64) -> Vec<String> {
    let config = AlphaBetaConfig { memory: 2 << 20, ..AlphaBetaConfig::default() };
    let mut player = AlphaBeta::new(&config, Box::new(Placed) as Box<dyn Eval<Xiangqi>>);
    let mut pos = opening(rng);
    let mut found = Vec::new();
    let mut result = 0.5;
    for _ in 0..300 {
        if pos.is_over() {
            result = f64::from(pos.payoffs()[0]);
            break;
        }
        let seat = pos.turn().player().unwrap_or(0);
        let Ok(report) = player.think(&pos, &mut Task::new(Limits::nodes(nodes))) else { break };
        let value = player.score();
        if score::is_decisive(value) {
            result = if (value > 0) == (seat == 0) { 1.0 } else { 0.0 };
            break;
        }
        if !pos.is_check() && !pos.is_capture(report.best) && value.abs() < DECIDED {
            found.push((pos.to_string(), value, seat));
        }
        // Some variety.
        let m = if rng.below(40) == 0 { pos.random_move(rng, &mut Vec::new()) } else { None };
        pos.play(m.unwrap_or(report.best));
    }
    let own = |seat| if seat == 0 { result } else { 1.0 - result };
    found.into_iter().map(|(pos, value, seat)| format!("{pos};{value};{}", own(seat))).collect()
}

/// Plays games and writes their positions, one in a line, with an empty line after a game.
pub(crate) fn write(games: u64, nodes: u64, seed: u64, jobs: u64) -> Result<(), Box<dyn Error>> {
    let mut out = std::io::stdout().lock();
    // In portions, so that something is there if it is stopped.
    let portion = 100;
    for first in (0..games).step_by(portion as usize) {
        let count = portion.min(games - first);
        let played =
            spread(count, jobs, |i| play(&mut Rng::new(Rng::split(seed, first + i)), nodes));
        for game in played {
            for line in game {
                writeln!(out, "{line}")?;
            }
            writeln!(out)?;
        }
        out.flush()?;
        eprintln!("{} games", first + count);
    }
    Ok(())
}
