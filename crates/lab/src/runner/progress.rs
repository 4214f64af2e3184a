//! News of a run.

use super::line::Told;

/// How far a run is.
pub struct Progress<'a> {
    /// Games finished, recorded before or played now; questions of exams count as games.
    pub played: u64,
    /// Games of the whole run, as far as they are known to be needed.
    pub games: u64,
    /// Games that were recorded before.
    pub recorded: u64,
    /// The share of the work that is done, and the share that was recorded before: games
    /// weighed by the budgets of their players.
    pub share: [f64; 2],
    /// Parts that are through.
    pub through: usize,
    /// The parts at work, in order.
    pub parts: Vec<PartProgress<'a>>,
    /// What a batch system says of its tasks.
    pub note: &'a str,
    /// The parts that ended since the last news: number, games, and how they stand in one line.
    pub ended: &'a [(usize, u64, String)],
    /// What is done once the games are: they are searched for traps.
    pub traps: Option<TrapSearch>,
}

/// How far the trap profiles of a run are.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TrapSearch {
    /// The part at work.
    pub part: usize,
    /// Games that were searched, of all parts.
    pub done: u64,
    /// Games to be searched, of all parts.
    pub games: u64,
}

/// How far a part at work is.
pub struct PartProgress<'a> {
    /// Its number in the run.
    pub part: usize,
    /// Games finished.
    pub played: u64,
    /// Games in the completed prefix.
    pub counted: u64,
    /// All games of the part.
    pub games: u64,
    pub(super) line: &'a dyn Told,
}

impl PartProgress<'_> {
    /// A's score, or the share of moves that keep the value.
    pub fn score(&self) -> Option<f64> {
        self.line.score()
    }

    /// How the completed prefix stands, in one line.
    pub fn line(&self) -> String {
        self.line.line()
    }
}

/// Where news of a run go. It is called on the thread that publishes.
pub type Watcher<'a> = &'a mut dyn FnMut(&Progress<'_>);
