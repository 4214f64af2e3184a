//! Budgets: what a search may spend.

use std::time::Duration;

/// What a search may spend. All parts are optional; the first to bind ends the search.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Limits {
    /// Plies of a depth-first search; levels of the tree of a Monte-Carlo search.
    pub depth: Option<u32>,
    /// Simulations of a Monte-Carlo search; root iterations of a deepening one.
    pub iterations: Option<u64>,
    /// Plays on a board, wherever the search makes them: the budget that is fair across
    /// algorithms, independent of the machine and reproducible.
    pub nodes: Option<u64>,
    /// Wall time of this move.
    pub time: Option<Duration>,
    /// A clock for the whole game.
    pub clock: Option<Clock>,
}

/// What a game clock shows.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Clock {
    /// Time left for the rest of the game.
    pub remaining: Duration,
    /// Time added after each move.
    pub increment: Duration,
}

impl Clock {
    /// The time to spend on one move: a twentieth of what is left and most of the increment,
    /// keeping a reserve for the overhead of a move.
    pub fn allotment(&self) -> Duration {
        let reserve = Duration::from_millis(20).min(self.remaining / 4);
        let spendable = self.remaining - reserve;
        spendable.min(self.remaining / 20 + self.increment * 3 / 4)
    }
}

impl Limits {
    /// A number of simulations.
    pub fn iterations(n: u64) -> Self {
        Limits { iterations: Some(n), ..Limits::default() }
    }

    /// A number of plays.
    pub fn nodes(n: u64) -> Self {
        Limits { nodes: Some(n), ..Limits::default() }
    }

    /// A depth.
    pub fn depth(plies: u32) -> Self {
        Limits { depth: Some(plies), ..Limits::default() }
    }

    /// A wall time.
    pub fn time(time: Duration) -> Self {
        Limits { time: Some(time), ..Limits::default() }
    }

    /// The same limits with what is missing taken from `other`.
    pub fn or(self, other: Limits) -> Limits {
        Limits {
            depth: self.depth.or(other.depth),
            iterations: self.iterations.or(other.iterations),
            nodes: self.nodes.or(other.nodes),
            time: self.time.or(other.time),
            clock: self.clock.or(other.clock),
        }
    }

    /// Whether nothing is limited.
    pub fn is_empty(&self) -> bool {
        *self == Limits::default()
    }

    /// Whether the same seed gives the same search: no wall time is involved.
    pub fn is_deterministic(&self) -> bool {
        self.time.is_none() && self.clock.is_none()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_clock_never_allots_more_than_it_shows() {
        for ms in [0, 1, 10, 50, 1000, 60_000] {
            let clock = Clock {
                remaining: Duration::from_millis(ms),
                increment: Duration::from_millis(500),
            };
            assert!(clock.allotment() <= clock.remaining);
        }
    }
}
