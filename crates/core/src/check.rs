//! The conformance suite: what every game and every player must keep, written once.
//!
//! A game passes with one call; the failure says which game, position and move.
//!
//! ```
//! use spielbaum_core::{check, synthetic::Literal};
//! let game = Literal::two_player("(1 (0 = 1))").unwrap();
//! check::game(&game, &check::Options::default()).unwrap();
//! check::two_player(&game, &check::Options::default()).unwrap();
//! ```

mod cells;
mod chance;
mod eval;
mod mutation;
mod planes;
mod player;
mod position;
#[cfg(test)]
mod tests;

pub use cells::cells;
pub use eval::{after_chance, eval, parameters};
pub use planes::planes;
pub use player::player;

use crate::{Game, OnePlayer, Rng, Turn, TwoPlayer};
use std::fmt;

/// How thoroughly to look. The same options look at the same positions.
#[derive(Clone, Debug)]
pub struct Options {
    /// Seed of everything random in the suite.
    pub seed: u64,
    /// Random games to play through.
    pub games: u32,
    /// Positions to examine closely, spread evenly over these games; ends of games come on top.
    pub positions: u32,
    /// No game may be longer than this.
    pub longest: u32,
    /// Random playouts for each comparison of distributions.
    pub playouts: u32,
    /// Damaged position texts to read.
    pub mutations: u32,
}

impl Default for Options {
    fn default() -> Self {
        Options {
            seed: 1,
            games: 24,
            positions: 600,
            longest: 20_000,
            playouts: 2_000,
            mutations: 2_000,
        }
    }
}

impl Options {
    /// For large or slow games: a tenth of the work.
    pub fn quick() -> Self {
        Options { games: 6, positions: 60, playouts: 300, mutations: 200, ..Options::default() }
    }
}

/// What a game or a player got wrong, and where.
#[derive(Clone, PartialEq, Eq)]
pub struct Failure {
    /// The type of the game.
    pub game: String,
    /// Text of the position.
    pub position: String,
    /// Notation of the move, if one is to blame.
    pub mv: Option<String>,
    /// What is wrong.
    pub problem: String,
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}\n  position `{}`", self.game, self.problem, self.position)?;
        if let Some(mv) = &self.mv {
            write!(f, "\n  move `{mv}`")?;
        }
        Ok(())
    }
}

/// As `Display`, so that `unwrap` in a test is readable.
impl fmt::Debug for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl std::error::Error for Failure {}

impl Failure {
    fn new<G: Game>(pos: &G, problem: impl Into<String>) -> Self {
        Failure {
            game: std::any::type_name::<G>().to_owned(),
            position: pos.to_string(),
            mv: None,
            problem: problem.into(),
        }
    }

    fn mv<M: fmt::Display>(mut self, m: M) -> Self {
        self.mv = Some(m.to_string());
        self
    }
}

/// Fails with a formatted problem unless a condition holds.
macro_rules! ensure {
    ($holds:expr, $pos:expr, $($problem:tt)+) => {
        let holds: bool = $holds;
        if !holds {
            return Err($crate::check::Failure::new($pos, format!($($problem)+)));
        }
    };
}
use ensure;

/// Examines a game, from this position on:
///
/// * position texts are one line and read back as the same position: key, turn, moves, payoffs
///   and scores; damaged texts are errors or sound positions, never a panic;
/// * notations are unique and read back; codes are unique and below the start's `codes`,
///   patterns below its `patterns`;
/// * `moves` appends, `count_moves` and `is_over` agree with it, every game ends;
/// * equal texts have equal keys, equal keys have the same turn and moves;
/// * `explore` shows what `play` does and restores the position;
/// * odds are positive, payoffs finite, unused seats zero, points there always or never;
/// * `random_move` is legal and fair, `playout` draws from the distribution of uniform play,
///   keeps its limit and its seed;
/// * bounds of the margin do not contradict those after the moves;
/// * `hide` changes nothing that the seat can see.
pub fn game<G: Game>(start: &G, options: &Options) -> Result<(), Failure> {
    let mut positions = position::Examiner::new(start)?;
    let mut rng = Rng::new(Rng::split(options.seed, 0));
    let mut texts = vec![start.to_string()];
    let mut lengths = 0u64;
    for nth in 0..options.games {
        // About as many positions as asked for, whatever the length of the games.
        let expected = lengths * u64::from(options.games) / u64::from(nth.max(1));
        let stride = (expected / u64::from(options.positions.max(1))).max(1);
        let mut ply = u64::from(nth) % stride;
        lengths += walk(start, options.longest, &mut rng, |pos, moves, rng| {
            if moves.is_empty() || ply.is_multiple_of(stride) {
                positions.examine(pos, moves, rng)?;
                texts.push(pos.to_string());
            }
            ply += 1;
            Ok(())
        })?;
    }
    let mut rng = Rng::new(Rng::split(options.seed, 1));
    chance::random_moves(start, options, &mut rng)?;
    chance::playouts(start, options, &mut rng)?;
    let mut rng = Rng::new(Rng::split(options.seed, 2));
    mutation::mutations(start, &texts, options, &mut rng)
}

/// Examines what [`TwoPlayer`] promises: two seats that alternate strictly, no chance, payoffs
/// in [0, 1] with the sum 1.
pub fn two_player<G: TwoPlayer>(start: &G, options: &Options) -> Result<(), Failure> {
    let mut rng = Rng::new(Rng::split(options.seed, 3));
    ensure!(start.players() == 2, start, "{} players", start.players());
    for _ in 0..options.games {
        let mut before = None;
        walk(start, options.longest, &mut rng, |pos, moves, _| {
            let [first, second, ..] = pos.payoffs();
            ensure!((first + second - 1.0).abs() < 1e-6, pos, "payoffs {first} + {second} ≠ 1");
            ensure!((0.0..=1.0).contains(&first), pos, "payoff {first} is outside [0, 1]");
            if !moves.is_empty() {
                let Turn::Player(seat) = pos.turn() else {
                    return Err(Failure::new(pos, "chance acts in a game without chance"));
                };
                ensure!(before != Some(seat), pos, "player {seat} moves twice in a row");
                before = Some(seat);
            }
            Ok(())
        })?;
    }
    Ok(())
}

/// Examines what [`OnePlayer`] promises: one seat and no chance.
pub fn one_player<G: OnePlayer>(start: &G, options: &Options) -> Result<(), Failure> {
    let mut rng = Rng::new(Rng::split(options.seed, 4));
    ensure!(start.players() == 1, start, "{} players", start.players());
    for _ in 0..options.games {
        walk(start, options.longest, &mut rng, |pos, moves, _| {
            let alone = moves.is_empty() || pos.turn() == Turn::Player(0);
            ensure!(alone, pos, "chance acts in a game without chance");
            Ok(())
        })?;
    }
    Ok(())
}

/// Plays a uniformly random game through `moves` and `play` alone, trusting no override; shows
/// every position, the last included. Returns the number of moves made.
fn walk<G: Game>(
    start: &G,
    longest: u32,
    rng: &mut Rng,
    mut visit: impl FnMut(&G, &[G::Move], &mut Rng) -> Result<(), Failure>,
) -> Result<u64, Failure> {
    let mut pos = start.clone();
    let mut moves = Vec::new();
    for ply in 0..=longest {
        moves.clear();
        pos.moves(&mut moves);
        visit(&pos, &moves, rng)?;
        let Some(m) = draw(&pos, &moves, rng) else { return Ok(u64::from(ply)) };
        pos.play(m);
    }
    Err(Failure::new(&pos, format!("the game goes on after {longest} moves")))
}

/// One of the listed moves, uniformly or by odds: the reference for `random_move`.
fn draw<G: Game>(pos: &G, moves: &[G::Move], rng: &mut Rng) -> Option<G::Move> {
    if moves.is_empty() {
        return None;
    }
    Some(match pos.turn() {
        Turn::Player(_) => moves[rng.below(moves.len())],
        Turn::Chance => moves[rng.pick_weighted(moves, |&m| pos.weight(m))],
    })
}
