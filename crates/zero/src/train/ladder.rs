//! The ladder of UCT opponents: who wins (almost) everything climbs, who loses it steps down.

use super::config::TrainConfig;
use super::selfplay::lock;
use crate::evaluator::Playouts;
use crate::network::{Network, shape_of};
use crate::player::{Zero, ZeroConfig};
use crate::search::SearchConfig;
use spielbaum_core::{Limits, Planes, Player, Rng, Stop, Task, TwoPlayer};
use spielbaum_net::{CpuNet, Weights};
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};

/// Temperature of the duels (the gomoku paper's evaluations during training).
const TEMPERATURE: f64 = 1e-4;

/// Where the network stands.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Ladder {
    /// Simulations of the opponent.
    pub uct: u64,
    /// The greatest strength so far.
    pub best: f64,
}

/// The results of a trial.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Trial {
    /// Wins, draws and losses of the network moving first.
    pub first: [u64; 3],
    /// And moving second.
    pub second: [u64; 3],
}

impl Trial {
    /// Wins, draws and losses.
    pub fn all(&self) -> [u64; 3] {
        std::array::from_fn(|i| self.first[i] + self.second[i])
    }

    /// Wins and half of the draws.
    pub fn points(&self) -> f64 {
        let [wins, draws, _] = self.all();
        wins as f64 + draws as f64 / 2.0
    }

    /// Points of all games.
    pub fn rate(&self) -> f64 {
        self.points() / self.all().iter().sum::<u64>().max(1) as f64
    }
}

impl Ladder {
    /// The lowest level.
    pub fn new(config: &TrainConfig) -> Self {
        Ladder { uct: config.step, best: 0.0 }
    }

    /// The strength S of the gomoku paper in its program's form:
    /// (n / step - 1) m + w + t / 2, with m games at each level.
    pub fn strength(&self, trial: &Trial, config: &TrainConfig) -> f64 {
        let games: u64 = trial.all().iter().sum();
        (self.uct as f64 / config.step as f64 - 1.0) * games as f64 + trial.points()
    }

    /// Takes up a trial; returns whether the network is the strongest so far. The gomoku paper's
    /// program begins to count anew after each step, and would keep a network that has stepped down.
    pub fn climb(&mut self, trial: &Trial, config: &TrainConfig) -> bool {
        let (rate, strength) = (trial.rate(), self.strength(trial, config));
        let is_best = strength > self.best;
        self.best = self.best.max(strength);
        if rate >= config.perfect && self.uct < config.top {
            self.uct = (self.uct + config.step).min(config.top);
        } else if rate <= 1.0 - config.perfect && self.uct > config.step {
            self.uct = (self.uct - config.step).max(config.step);
        }
        is_best
    }
}

/// Plays a trial against UCT; `None` when stopped. Games are shared out to threads, and each is
/// a function of the seed and its number.
pub fn trial<G: TwoPlayer + Planes>(
    start: &G,
    config: &TrainConfig,
    weights: &Weights,
    uct: u64,
    seed: u64,
    threads: usize,
    stop: &Stop,
) -> Result<Option<Trial>, String> {
    let next = AtomicU64::new(0);
    let result = Mutex::new((Trial::default(), 0));
    let failed: Mutex<Option<String>> = Mutex::new(None);
    std::thread::scope(|scope| {
        for _ in 0..threads.max(1) {
            scope.spawn(|| {
                let duel = || -> Result<(), String> {
                    let mut zero = network_player(start, config, weights)?;
                    let mut rival = Zero::new(&uct_config(), Box::new(Playouts), 0);
                    loop {
                        let number = next.fetch_add(1, Ordering::Relaxed);
                        if number >= config.duels || stop.is_set() {
                            return Ok(());
                        }
                        let seed = Rng::split(seed, number);
                        let begins = match config.random_starter {
                            true => Rng::new(Rng::split(seed, 2)).below(2) == 0,
                            false => number.is_multiple_of(2),
                        };
                        zero.restart(Rng::split(seed, 0));
                        rival.restart(Rng::split(seed, 1));
                        let budgets = [config.play, uct];
                        let payoff = play(start, [&mut zero, &mut rival], budgets, begins)?;
                        let mut result = lock(&result);
                        let side = if begins { &mut result.0.first } else { &mut result.0.second };
                        side[if payoff > 0.5 { 0 } else { 1 + usize::from(payoff < 0.5) }] += 1;
                        result.1 += 1;
                    }
                };
                if let Err(problem) = duel() {
                    *lock(&failed) = Some(problem);
                }
            });
        }
    });
    if let Some(problem) = lock(&failed).take() {
        return Err(problem);
    }
    let (trial, played) = *lock(&result);
    Ok((played == config.duels).then_some(trial))
}

fn uct_config() -> ZeroConfig {
    ZeroConfig { temperature: TEMPERATURE, ..ZeroConfig::default() }
}

/// The network's player of trials.
pub(super) fn network_player<G: TwoPlayer + Planes>(
    start: &G,
    config: &TrainConfig,
    weights: &Weights,
) -> Result<Zero<G>, String> {
    let net = CpuNet::new(weights).map_err(|e| e.to_string())?;
    // Nothing random about what the network sees when it counts.
    let asking = crate::network::Asking { turning: Default::default(), ..config.asking };
    let network = Network::new(Box::new(net), shape_of(start), asking);
    let search = SearchConfig { noise: None, ..config.search.clone() };
    let reuse = config.reuse;
    let config = ZeroConfig { search, temperature: TEMPERATURE, reuse, ..ZeroConfig::default() };
    Ok(Zero::new(&config, Box::new(network), 0))
}

/// One game; what the first of the players gets. Each has its simulations.
fn play<G: TwoPlayer>(
    start: &G,
    mut players: [&mut Zero<G>; 2],
    simulations: [u64; 2],
    begins: bool,
) -> Result<f32, String> {
    let mut pos = start.clone();
    let seat = usize::from(!begins);
    while !pos.is_over() {
        let mover = usize::from(pos.turn().player() != Some(seat));
        let mut task = Task::new(Limits::iterations(simulations[mover]));
        let report = players[mover].think(&pos, &mut task).map_err(|e| e.to_string())?;
        players.iter_mut().for_each(|player| player.observe(&pos, report.best));
        pos.play(report.best);
    }
    Ok(pos.payoffs()[seat])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::train::TRAINING;
    use spielbaum_core::param::resolve;

    #[test]
    fn the_ladder_is_climbed_and_descended() {
        let args = resolve("paper", "training", &[&TRAINING]).unwrap();
        let config = TrainConfig::new(&args, 36).unwrap();
        let mut ladder = Ladder::new(&config);
        let trial = |wins, draws, losses| Trial { first: [wins, draws, losses], second: [0; 3] };
        assert_eq!(ladder.strength(&trial(7, 1, 2), &config), 7.5);
        assert!(ladder.climb(&trial(7, 1, 2), &config));
        assert!(!ladder.climb(&trial(7, 0, 3), &config));
        assert_eq!(ladder.uct, 1000);
        assert!(ladder.climb(&trial(10, 0, 0), &config));
        assert_eq!(ladder, Ladder { uct: 2000, best: 10.0 });
        assert_eq!(ladder.strength(&trial(3, 0, 7), &config), 13.0);
        assert!(!ladder.climb(&trial(0, 0, 10), &config));
        assert_eq!(ladder.uct, 1000);
        assert!(!ladder.climb(&trial(9, 0, 1), &config), "below what it was");
        ladder.climb(&trial(0, 0, 10), &config);
        assert_eq!(ladder.uct, 1000);
        for _ in 0..9 {
            ladder.climb(&trial(10, 0, 0), &config);
        }
        assert_eq!(ladder.uct, 5000);
    }
}
