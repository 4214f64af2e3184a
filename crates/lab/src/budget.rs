//! What each seat may spend on a move.
//!
//! A player's budget is what its specification says, `mtdf:time=2s`. Budgets given for all
//! players, on the command line, replace it key by key: `--nodes 5000` and `uct:depth=3` is a
//! tree of three levels within 5000 plays. If all that does not end a search, which the player
//! knows ([`Player::is_bounded_by`]; depth ends a depth-first search, but not a Monte-Carlo
//! one), the budget is completed by [`DEFAULT_NODES`]: fair across algorithms and reproducible.

use serde::{Deserialize, Serialize};
use spielbaum_core::param::{LIMITS, Schema};
use spielbaum_core::{Clock, Game, Limits, Player};
use std::time::Duration;

/// Plays for a move of a player without a budget.
pub const DEFAULT_NODES: u64 = 1_000_000;

/// A budget alone, `budget:nodes=5000,depth=3`, by the table that reads those of players.
pub static SCHEMA: Schema =
    Schema { name: "budget", aliases: &[], help: "a budget", params: &[LIMITS], presets: &[] };

/// The budget of a player: `given` for all, then its `own`, then the default.
pub fn complete<G: Game>(player: &dyn Player<G>, own: Limits, given: Limits) -> Limits {
    let limits = given.or(own);
    if player.is_bounded_by(&limits) { limits } else { limits.or(Limits::nodes(DEFAULT_NODES)) }
}

/// Plays of a unit that is worth a file of its own, which costs up to a millisecond: a tenth of
/// a second to a few.
pub(crate) const A_UNIT: u64 = 10_000_000;

/// Plays that stand for a second.
pub(crate) const A_SECOND: f64 = 5e6;

/// About how many plays a move within these limits takes, at least 1. A guess by the order of
/// magnitude, for sizes and shares of work: nothing that is measured rests on it.
pub fn plays(limits: &Limits) -> u64 {
    const A_PLAYOUT: u64 = 32;
    const A_PLY: u64 = 8;
    let seconds = |time: Duration| (time.as_secs_f64() * A_SECOND) as u64;
    let parts = [
        limits.nodes,
        limits.iterations.map(|n| n.saturating_mul(A_PLAYOUT)),
        limits.depth.map(|plies| A_PLY.saturating_pow(plies)),
        limits.time.map(seconds),
        limits.clock.map(|clock| seconds(clock.allotment())),
    ];
    parts.into_iter().flatten().min().unwrap_or(1).clamp(1, 1 << 40)
}

/// Limits in a record. Times are seconds.
#[derive(Clone, Copy, PartialEq, Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Budget {
    /// Depth.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub depth: Option<u32>,
    /// Simulations or root iterations.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub iterations: Option<u64>,
    /// Plays on a board.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub nodes: Option<u64>,
    /// Wall time of a move.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub time: Option<f64>,
    /// Wall time of a game.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub clock: Option<f64>,
    /// What the clock gains with each move.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub increment: Option<f64>,
}

impl From<&Limits> for Budget {
    fn from(limits: &Limits) -> Self {
        Budget {
            depth: limits.depth,
            iterations: limits.iterations,
            nodes: limits.nodes,
            time: limits.time.map(|t| t.as_secs_f64()),
            clock: limits.clock.map(|c| c.remaining.as_secs_f64()),
            increment: limits.clock.map(|c| c.increment.as_secs_f64()),
        }
    }
}

impl From<&Budget> for Limits {
    fn from(budget: &Budget) -> Self {
        // A record that was edited may hold any number; none of them panics.
        let duration = |seconds: f64| Duration::try_from_secs_f64(seconds).unwrap_or_default();
        Limits {
            depth: budget.depth,
            iterations: budget.iterations,
            nodes: budget.nodes,
            time: budget.time.map(duration),
            clock: budget.clock.map(|remaining| Clock {
                remaining: duration(remaining),
                increment: duration(budget.increment.unwrap_or_default()),
            }),
        }
    }
}
