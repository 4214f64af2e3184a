//! Brügmann's player (1993), the first to play by random games in a tree: simulated annealing of the
//! order in which moves are played.
//!
//! Each seat has a value for every move, by its [code](Game::code): the mean reward of the games in
//! which it made that move, wherever in the game. In each game every player makes the legal move of
//! highest value, but the order is perturbed: one goes down the list step by step as long as the
//! [Metropolis rule](spielbaum_core::metropolis::accept) accepts a step of energy 1, so that the n-th
//! move is tried with odds `exp(-n/T)`. The temperature falls as the budget is spent;
//! at first games are nearly random, in the end everybody plays what has proven best. Then the root
//! move of highest value is played.

use crate::random::choices;
use spielbaum_core::metropolis::{Cooling, accept};
use spielbaum_core::{
    Bound, Forfeit, Game, Line, MAX_PLAYERS, Player, Report, Reward, Rng, Task, Turn,
};

/// What makes one such player different from another.
#[derive(Clone, PartialEq, Debug)]
pub struct AnnealedConfig {
    /// What it maximises.
    pub reward: Reward,
    /// The temperature of the first game, in places of the list.
    pub hot: f64,
    /// That of the last.
    pub cold: f64,
    /// Games end after so many moves, if set.
    pub cutoff: Option<u32>,
}

impl Default for AnnealedConfig {
    fn default() -> Self {
        AnnealedConfig { reward: Reward::Win, hot: 10.0, cold: 0.5, cutoff: None }
    }
}

/// A value of a move of a seat.
#[derive(Clone, Copy, Default)]
struct Mean {
    sum: f64,
    games: u32,
}

impl Mean {
    fn add(&mut self, reward: f32) {
        self.sum += f64::from(reward);
        self.games += 1;
    }

    fn value(self, otherwise: f64) -> f64 {
        if self.games == 0 { otherwise } else { self.sum / f64::from(self.games) }
    }
}

/// The annealed Monte-Carlo player.
///
/// ```
/// use spielbaum_core::{Limits, Player, Task, synthetic::Literal};
/// use spielbaum_search::annealed::{Annealed, AnnealedConfig};
/// let game = Literal::two_player("(0 = 1)").unwrap();
/// let mut player = Annealed::new(&AnnealedConfig::default(), 7);
/// let report = player.think(&game, &mut Task::new(Limits::iterations(200))).unwrap();
/// assert_eq!(report.best.to_string(), "3");
/// ```
pub struct Annealed<G: Game> {
    config: AnnealedConfig,
    cooling: Cooling,
    /// A row for each seat, and which cells are in use.
    means: Vec<Mean>,
    used: Vec<u32>,
    /// Of all games, for each seat: what a move is worth that nobody made.
    overall: [Mean; MAX_PLAYERS],
    /// Cells of the moves of a game.
    made: Vec<u32>,
    /// Moves to choose from, with their values.
    list: Vec<(f64, G::Move)>,
    moves: Vec<G::Move>,
    rng: Rng,
}

impl<G: Game> Annealed<G> {
    /// The player of a seed.
    pub fn new(config: &AnnealedConfig, seed: u64) -> Self {
        Annealed {
            cooling: Cooling::linear(config.hot, config.cold),
            config: config.clone(),
            means: Vec::new(),
            used: Vec::new(),
            overall: [Mean::default(); MAX_PLAYERS],
            made: Vec::new(),
            list: Vec::new(),
            moves: Vec::new(),
            rng: Rng::new(seed),
        }
    }

    /// Plays a game at a temperature and notes the moves.
    fn game(&mut self, pos: &mut G, root: &[G::Move], heat: f64, task: &mut Task<'_, G::Move>) {
        let width = pos.codes();
        self.made.clear();
        for ply in 0..self.config.cutoff.unwrap_or(u32::MAX) {
            let m = match pos.turn() {
                Turn::Chance => {
                    let Some(m) = pos.random_move(&mut self.rng, &mut self.moves) else { break };
                    m
                }
                Turn::Player(seat) => {
                    self.moves.clear();
                    pos.moves(&mut self.moves);
                    if ply == 0 {
                        self.moves.clear();
                        self.moves.extend_from_slice(root);
                    }
                    if self.moves.is_empty() {
                        break;
                    }
                    let seat = usize::from(seat);
                    let m = self.choose(pos, seat, heat);
                    self.made.push((seat * width + pos.code(m)) as u32);
                    m
                }
            };
            pos.play(m);
            task.meter.node();
            if task.meter.is_expired() {
                break;
            }
        }
    }

    /// The best move, or one further down the list.
    fn choose(&mut self, pos: &G, seat: usize, heat: f64) -> G::Move {
        let mut place = 0;
        while place + 1 < self.moves.len() && accept(1.0, heat, &mut self.rng) {
            place += 1;
        }
        self.list.clear();
        let (row, unknown) = (seat * pos.codes(), self.overall[seat].value(0.0));
        let value = |m| self.means[row + pos.code(m)].value(unknown);
        let valued = self.moves.iter().map(|&m| (value(m), m));
        self.list.extend(valued);
        // Equal values stand in random order, above all those of moves that nobody made.
        self.rng.shuffle(&mut self.list);
        self.list.select_nth_unstable_by(place, |a, b| b.0.total_cmp(&a.0)).1.1
    }

    fn report(
        &self,
        root: &G,
        seat: usize,
        moves: &[G::Move],
        task: &Task<'_, G::Move>,
    ) -> Option<Report<G::Move>> {
        let line = |&mv: &G::Move| {
            let mean = self.means[seat * root.codes() + root.code(mv)];
            let (visits, value) = (u64::from(mean.games), mean.value(0.0) as f32);
            let line = Line { mv, visits, value, bound: Bound::Exact, prior: None, proven: None };
            (visits > 0).then_some(line)
        };
        let mut lines: Vec<_> = moves.iter().filter_map(line).collect();
        lines.sort_by(|a, b| b.value.total_cmp(&a.value).then(b.visits.cmp(&a.visits)));
        let best = lines.first()?;
        let mut report = Report::new(best.mv, best.value, &task.meter);
        report.lines = lines;
        Some(report)
    }
}

impl<G: Game> Player<G> for Annealed<G> {
    fn think(
        &mut self,
        root: &G,
        task: &mut Task<'_, G::Move>,
    ) -> Result<Report<G::Move>, Forfeit> {
        let (seat, legal) = choices(root, task)?;
        let width = root.codes();
        // Tables may be large, and games use little of them.
        self.used.drain(..).for_each(|cell| self.means[cell as usize] = Mean::default());
        self.means.resize(width * root.players(), Mean::default());
        self.overall = [Mean::default(); MAX_PLAYERS];
        let mut pos = root.clone();
        while task.meter.iteration() {
            let heat = self.cooling.at(task.meter.progress());
            pos.clone_from(root);
            self.game(&mut pos, &legal, heat, task);
            let rewards = self.config.reward.of(&pos);
            // A move that was made twice in a game counts once.
            self.made.sort_unstable();
            self.made.dedup();
            for &cell in &self.made {
                let mean = &mut self.means[cell as usize];
                if mean.games == 0 {
                    self.used.push(cell);
                }
                mean.add(rewards[cell as usize / width]);
            }
            for (overall, &reward) in self.overall.iter_mut().zip(&rewards) {
                overall.add(reward);
            }
            if task.is_due()
                && let Some(report) = self.report(root, seat, &legal, task)
            {
                task.publish(&report);
            }
        }
        self.report(root, seat, &legal, task)
            .ok_or_else(|| Forfeit::Crashed("there is no move to choose from".into()))
    }

    fn restart(&mut self, seed: u64) {
        self.rng = Rng::new(seed);
    }

    fn bytes(&self) -> usize {
        size_of_val(&self.means[..])
    }
}
