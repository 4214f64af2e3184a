//! Who answers a position, and with what.

use crate::{Game, Limits, Meter, Stop};
use std::time::Duration;

/// Anything that chooses moves: a search, a person, a pipe to another program.
///
/// `restart` makes a player as good as new: a restarted player plays as a fresh one of the
/// same seed. Players are built once for each worker and restarted for each game.
pub trait Player<G: Game>: Send {
    /// Chooses a move in a position that is not over and in which a player is to act.
    /// A search that is stopped answers with the best it has; only people and engines forfeit.
    fn think(&mut self, pos: &G, task: &mut Task<'_, G::Move>) -> Result<Report<G::Move>, Forfeit>;

    /// Forgets everything and starts a new game with this seed.
    fn restart(&mut self, seed: u64);

    /// Sees a move or an outcome of chance, anyone's, played in `pos`; for players that keep
    /// a tree or a table between moves.
    fn observe(&mut self, _pos: &G, _m: G::Move) {}

    /// Whether it can play from this position, asked before a game: a network may have been made for
    /// another board. The error says why not.
    fn fits(&mut self, _start: &G) -> Result<(), String> {
        Ok(())
    }

    /// Whether these limits end a search, so that it needs no default budget. Wall time,
    /// simulations and plays end any. Depth ends a depth-first search, which overrides this;
    /// so does a player that does not search and needs no limit.
    fn is_bounded_by(&self, limits: &Limits) -> bool {
        Limits { depth: None, ..*limits } != Limits::default()
    }

    /// Memory held for the search, in bytes.
    fn bytes(&self) -> usize {
        0
    }
}

/// What is asked of one search: limits with their meter, root moves to choose from, and where
/// live reports go.
pub struct Task<'a, M> {
    /// Counts what is spent.
    pub meter: Meter,
    only: &'a [M],
    live: Option<Sink<'a, M>>,
}

/// Where live reports go.
type Sink<'a, M> = &'a mut dyn FnMut(&Report<M>);

impl<'a, M: Copy + Eq> Task<'a, M> {
    /// A search within limits, alone.
    pub fn new(limits: Limits) -> Self {
        Self::stoppable(limits, Stop::new())
    }

    /// A search within limits that can be stopped from outside.
    pub fn stoppable(limits: Limits, stop: Stop) -> Self {
        Task { meter: Meter::new(limits, stop), only: &[], live: None }
    }

    /// Restricts the choice at the root to these moves; empty: no restriction.
    pub fn only(mut self, moves: &'a [M]) -> Self {
        self.only = moves;
        self
    }

    /// A search that this meter watches: a [part](Meter::part) of another, perhaps on a thread of
    /// its own.
    pub fn metered(meter: Meter) -> Self {
        Task { meter, only: &[], live: None }
    }

    /// The moves to which the choice is restricted; empty: no restriction.
    pub fn choice(&self) -> &'a [M] {
        self.only
    }

    /// Sends a report to `sink` about ten times a second and after each completed depth.
    pub fn live(mut self, sink: Sink<'a, M>) -> Self {
        self.live = Some(sink);
        self
    }

    /// Whether a root move may be chosen.
    pub fn admits(&self, m: M) -> bool {
        self.only.is_empty() || self.only.contains(&m)
    }

    /// Whether a live report is due: a cheap question for the inner loop.
    #[inline]
    pub fn is_due(&mut self) -> bool {
        self.live.is_some() && self.meter.take_due()
    }

    /// Sends a live report.
    pub fn publish(&mut self, report: &Report<M>) {
        if let Some(sink) = &mut self.live {
            sink(report);
        }
    }
}

/// A result that needs no further search, for the player to move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Proof {
    /// Can be forced.
    Win,
    /// Neither side can do better.
    Draw,
    /// Cannot be avoided.
    Loss,
}

impl Proof {
    /// `win`, `draw` or `loss`.
    pub fn name(self) -> &'static str {
        match self {
            Proof::Win => "win",
            Proof::Draw => "draw",
            Proof::Loss => "loss",
        }
    }

    /// The same result seen by the opponent.
    pub fn flip(self) -> Self {
        match self {
            Proof::Win => Proof::Loss,
            Proof::Draw => Proof::Draw,
            Proof::Loss => Proof::Win,
        }
    }
}

/// What a score says about a value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Bound {
    /// The value is at most the score.
    Upper,
    /// The value is at least the score.
    Lower,
    /// The value is the score.
    Exact,
}

/// A root move as the search sees it.
#[derive(Clone, PartialEq, Debug)]
pub struct Line<M> {
    /// The move.
    pub mv: M,
    /// Simulations, or nodes below it.
    pub visits: u64,
    /// Expected payoff of the player to move.
    pub value: f32,
    /// What is known of the value: pruning proves of moves that are not best that they are worth no more, and a search
    /// that was stopped may know of the best that it is worth no less.
    pub bound: Bound,
    /// Probability before the search, if something gave one.
    pub prior: Option<f32>,
    /// Its result, if proven.
    pub proven: Option<Proof>,
}

/// What a search found.
#[derive(Clone, PartialEq, Debug)]
pub struct Report<M> {
    /// The move to play.
    pub best: M,
    /// Expected payoff of the player to move, on the scale of [`Game::payoffs`]; expected
    /// points or margin where the search maximises those.
    pub value: f32,
    /// Result of the position, if proven.
    pub proven: Option<Proof>,
    /// The root moves, best first.
    pub lines: Vec<Line<M>>,
    /// The principal variation, `best` first. Outcomes of chance are part of it.
    pub pv: Vec<M>,
    /// Completed depth of a deepening search; depth of the tree of a Monte-Carlo search.
    pub depth: u32,
    /// Simulations, or completed root iterations.
    pub iterations: u64,
    /// Plays on a board.
    pub nodes: u64,
    /// Wall time.
    pub elapsed: Duration,
    /// What the user should know, such as a tree that reached its memory limit.
    pub note: Option<String>,
}

impl<M: Copy> Report<M> {
    /// A report of one move, with the counts of the meter and nothing else.
    pub fn new(best: M, value: f32, meter: &Meter) -> Self {
        Report {
            best,
            value,
            proven: None,
            lines: Vec::new(),
            pv: vec![best],
            depth: 0,
            iterations: meter.iterations(),
            nodes: meter.nodes(),
            elapsed: meter.elapsed(),
            note: None,
        }
    }
}

impl<M> Report<M> {
    /// The same report about other names of the moves, such as their notation.
    pub fn map<N>(&self, mut f: impl FnMut(&M) -> N) -> Report<N> {
        Report {
            best: f(&self.best),
            value: self.value,
            proven: self.proven,
            lines: (self.lines.iter())
                .map(|l| Line {
                    mv: f(&l.mv),
                    visits: l.visits,
                    value: l.value,
                    bound: l.bound,
                    prior: l.prior,
                    proven: l.proven,
                })
                .collect(),
            pv: self.pv.iter().map(&mut f).collect(),
            depth: self.depth,
            iterations: self.iterations,
            nodes: self.nodes,
            elapsed: self.elapsed,
            note: self.note.clone(),
        }
    }
}

/// Why a player lost without the rules saying so.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum Forfeit {
    /// The player gave up.
    #[error("resigned")]
    Resigned,
    /// The clock ran out.
    #[error("overstepped the time: {0}")]
    Timeout(String),
    /// The move is not legal.
    #[error("played an illegal move: {0}")]
    Illegal(String),
    /// The player failed.
    #[error("failed: {0}")]
    Crashed(String),
}
