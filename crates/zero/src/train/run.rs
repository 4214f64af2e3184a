//! The loop of a training: games, learning, now and then a trial, and the state on disk.

use super::config::TrainConfig;
use super::dir::{Dir, Point, Timing, TrialPoint};
use super::ladder::{self, Ladder, Trial};
use super::learner::{Fit, Learner};
use super::line::best_line;
use super::record::GameRecord;
use super::selfplay::SelfPlay;
use crate::evaluator::Evaluator;
use crate::network::{Network, shape_of};
use spielbaum_core::{Planes, Rng, Stop, TwoPlayer};
use spielbaum_net::{Device, Optimiser, Tensors, Weights};
use std::collections::BTreeMap;
use std::time::{Duration, Instant};

/// A training in its directory.
pub struct Training<'a, G> {
    /// The game.
    pub start: G,
    /// Its full specification, for the header of the weights.
    pub game: String,
    /// What is done.
    pub config: TrainConfig,
    /// Where.
    pub dir: Dir,
    /// The seed of everything.
    pub seed: u64,
    /// Where the network runs and learns.
    pub device: Device,
    /// Threads.
    pub threads: usize,
    /// Games that a thread has in hand.
    pub together: usize,
    /// Wall time of the whole training.
    pub time: Option<Duration>,
    /// Weights to begin with, from another training; fresh ones without.
    pub from: Option<Weights>,
    /// Asks for an end.
    pub stop: Stop,
    /// Is told how it goes.
    pub watch: &'a (dyn Fn(&Event<'_>) + Sync),
}

/// What happens in a training.
#[derive(Debug)]
pub enum Event<'a> {
    /// A game has ended: one more of this iteration.
    Game,
    /// Self-play of an iteration begins, with so many games.
    Playing(u64),
    /// An iteration is complete.
    Iteration(&'a Point, &'a Timing),
    /// A trial has been played.
    Trial(&'a TrialPoint),
}

/// Why a training has ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Ended {
    /// All games are played.
    Complete,
    /// The time is up.
    Time,
    /// It was stopped.
    Stopped,
}

/// How far a training is.
#[derive(Clone, Copy, PartialEq, Debug)]
struct Progress {
    iteration: u64,
    games: u64,
    ladder: Ladder,
    seconds: f64,
}

/// Streams of random numbers.
const GAMES: u64 = 1;
const BATCHES: u64 = 2;
const DUELS: u64 = 3;
const START: u64 = 4;

impl<G: TwoPlayer + Planes> Training<'_, G> {
    /// Begins, or goes on where the directory says.
    pub fn run(&self) -> Result<Ended, String> {
        let (mut learner, mut progress) = self.take_up()?;
        let started = Instant::now();
        let before = progress.seconds;
        let elapsed = || before + started.elapsed().as_secs_f64();
        while progress.games < self.config.total {
            if self.time.is_some_and(|time| elapsed() >= time.as_secs_f64()) {
                return Ok(Ended::Time);
            }
            if self.stop.is_set() {
                return Ok(Ended::Stopped);
            }
            if self.iterate(&mut learner, &mut progress, &elapsed)?.is_none() {
                return Ok(Ended::Stopped);
            }
        }
        Ok(Ended::Complete)
    }

    /// One iteration; `None` if it was stopped, then nothing of it counts.
    fn iterate(
        &self,
        learner: &mut Learner<G>,
        progress: &mut Progress,
        elapsed: &dyn Fn() -> f64,
    ) -> Result<Option<()>, String> {
        let config = &self.config;
        let iteration = progress.iteration + 1;
        let until = progress.games + config.games_after(progress.games);
        let clock = Instant::now();
        let weights = learner.weights()?;
        (self.watch)(&Event::Playing(until - progress.games));
        let self_play = SelfPlay {
            start: &self.start,
            config,
            seed: Rng::split(self.seed, GAMES),
            together: self.together,
            stop: &self.stop,
            seen: &|| (self.watch)(&Event::Game),
        };
        let games = self_play.play(progress.games..until, self.judges(&weights)?)?;
        let Some(games) = games else { return Ok(None) };
        let self_play = clock.elapsed().as_secs_f64();
        self.dir.write_games(iteration, &games)?;

        let clock = Instant::now();
        let new = learner.take(&games, config)?;
        let mut rng = Rng::new(Rng::split(Rng::split(self.seed, BATCHES), iteration));
        let done = until as f64 / config.total as f64;
        let spent = self.time.map_or(0.0, |time| elapsed() / time.as_secs_f64());
        let fit = learner.fit(config, new, done.max(spent), &mut rng)?;
        if let Some(fit) = &fit {
            fit.check().map_err(|e| format!("iteration {iteration}: {e}"))?;
        }
        let learning = clock.elapsed().as_secs_f64();

        let clock = Instant::now();
        let is_due = until / config.every > progress.games / config.every || until == config.total;
        let mut ladder = progress.ladder;
        if is_due && fit.is_some() {
            let weights = self.named(learner.weights()?, iteration, until);
            if self.try_out(&weights, &mut ladder, iteration, until)?.is_none() {
                return Ok(None);
            }
        }
        let trial = clock.elapsed().as_secs_f64();

        let point = point(iteration, until, new, &games, fit);
        self.dir.append(&point)?;
        let seconds = elapsed();
        let threads = self.threads;
        let timing =
            Timing { iteration, games: until, seconds, self_play, learning, trial, threads };
        self.dir.append(&timing)?;
        *progress = Progress { iteration, games: until, ladder, seconds };
        self.commit(learner, progress)?;
        (self.watch)(&Event::Iteration(&point, &timing));
        Ok(Some(()))
    }

    /// A trial with the weights, which are kept as a checkpoint.
    fn try_out(
        &self,
        weights: &Weights,
        ladder: &mut Ladder,
        iteration: u64,
        games: u64,
    ) -> Result<Option<()>, String> {
        let seed = Rng::split(Rng::split(self.seed, DUELS), iteration);
        let (config, stop) = (&self.config, &self.stop);
        let trial =
            ladder::trial(&self.start, config, weights, ladder.uct, seed, self.threads, stop)?;
        let Some(trial) = trial else { return Ok(None) };
        let point = trial_point(iteration, games, ladder, &trial, config);
        self.dir.write_net(&format!("checkpoints/{games:08}.safetensors"), weights)?;
        if ladder.climb(&trial, config) {
            self.dir.write_net("best.safetensors", weights)?;
        }
        self.dir.write_line(&best_line(&self.start, config, weights, games)?)?;
        self.dir.append(&point)?;
        (self.watch)(&Event::Trial(&point));
        Ok(Some(()))
    }

    fn judges(&self, weights: &Weights) -> Result<Vec<Box<dyn Evaluator<G>>>, String> {
        let judge = |_| {
            let net = self.device.network(weights).map_err(|e| e.to_string())?;
            let network = Network::new(net, weights.shape(), self.config.asking);
            Ok(Box::new(network) as Box<dyn Evaluator<G>>)
        };
        (0..self.threads.max(1)).map(judge).collect()
    }

    /// Weights with a header that says where they come from.
    fn named(&self, mut weights: Weights, iteration: u64, games: u64) -> Weights {
        let texts = [
            ("game", self.game.clone()),
            ("training", self.config.text.clone()),
            ("seed", self.seed.to_string()),
            ("iteration", iteration.to_string()),
            ("games", games.to_string()),
        ];
        weights.metadata = texts.into_iter().map(|(k, v)| (k.to_string(), v)).collect();
        weights
    }

    fn commit(&self, learner: &mut Learner<G>, progress: &Progress) -> Result<(), String> {
        let weights = self.named(learner.weights()?, progress.iteration, progress.games);
        self.dir.write_net("net.safetensors", &weights)?;
        let rate = learner.trainer().learning_rate();
        let wins = learner.wins();
        let mut state = learner.trainer().state().map_err(|e| e.to_string())?;
        let mut set =
            |key: &str, text: String| state.metadata.insert(format!("training.{key}"), text);
        set("iteration", progress.iteration.to_string());
        set("games", progress.games.to_string());
        set("uct", progress.ladder.uct.to_string());
        set("best", progress.ladder.best.to_string());
        set("rate", rate.to_string());
        set("first-wins", wins[0].to_string());
        set("second-wins", wins[1].to_string());
        self.dir.commit(&state)
    }

    /// The learner as the directory has it, and how far the training is.
    fn take_up(&self) -> Result<(Learner<G>, Progress), String> {
        let config = &self.config;
        let problem = |e: spielbaum_net::NetError| e.to_string();
        let shape = shape_of(&self.start);
        let fresh = match &self.from {
            Some(weights) => weights.for_board(shape.height, shape.width).map_err(problem)?,
            None => Weights::new(config.architecture, shape, Rng::split(self.seed, START))
                .map_err(problem)?,
        };
        let optimiser = Optimiser {
            learning_rate: config.rate,
            weight_decay: config.decay,
            ..Optimiser::default()
        };
        let trainer = self.device.trainer(fresh, optimiser, self.threads).map_err(problem)?;
        let mut learner = Learner::new(&self.start, trainer, self.device);
        let mut progress =
            Progress { iteration: 0, games: 0, ladder: Ladder::new(config), seconds: 0.0 };
        if let Some(mut state) = self.dir.state()? {
            let texts = take_texts(&mut state);
            let number = |key| number(&texts, key);
            progress = Progress {
                iteration: number("iteration")? as u64,
                games: number("games")? as u64,
                ladder: Ladder { uct: number("uct")? as u64, best: number("best")? },
                seconds: 0.0,
            };
            learner.trainer().restore(&state).map_err(problem)?;
            learner.trainer().set_learning_rate(number("rate")?);
            self.fill(&mut learner, progress.iteration)?;
            learner.set_wins([number("first-wins")? as u64, number("second-wins")? as u64]);
        }
        self.dir.rewind::<Point>(progress.iteration)?;
        self.dir.rewind::<TrialPoint>(progress.iteration)?;
        let times = self.dir.rewind::<Timing>(progress.iteration)?;
        progress.seconds = times.last().map_or(0.0, |t| t.seconds);
        Ok((learner, progress))
    }

    /// Fills the buffer with the last games.
    fn fill(&self, learner: &mut Learner<G>, iteration: u64) -> Result<(), String> {
        let mut first = iteration + 1;
        let mut positions = 0;
        let mut files = Vec::new();
        while first > 1 && positions < self.config.buffer {
            first -= 1;
            let games = self.dir.read_games(first)?;
            positions += games.iter().map(|g| g.lessons.len()).sum::<usize>();
            files.push(games);
        }
        for games in files.iter().rev() {
            learner.take(games, &self.config)?;
        }
        Ok(())
    }
}

/// Takes the texts about the training out of a state.
fn take_texts(state: &mut Tensors) -> BTreeMap<String, String> {
    let all = std::mem::take(&mut state.metadata);
    let (ours, others) = all.into_iter().partition(|(key, _)| key.starts_with("training."));
    state.metadata = others;
    ours
}

fn number(texts: &BTreeMap<String, String>, key: &str) -> Result<f64, String> {
    let text = texts.get(&format!("training.{key}"));
    text.and_then(|t| t.parse().ok())
        .ok_or_else(|| format!("the state of the training does not say its {key}"))
}

fn point(iteration: u64, games: u64, new: u64, played: &[GameRecord], fit: Option<Fit>) -> Point {
    let count = |f: &dyn Fn(f32) -> bool| played.iter().filter(|g| f(g.outcome)).count() as u64;
    let plies: usize = played.iter().map(|g| g.moves.len()).sum();
    let fit = fit.unwrap_or_default();
    Point {
        iteration,
        games,
        positions: new,
        results: [count(&|o| o > 0.0), count(&|o| o == 0.0), count(&|o| o < 0.0)],
        plies: plies as f64 / played.len().max(1) as f64,
        steps: fit.steps,
        loss: fit.losses.total(),
        value_loss: fit.losses.value,
        policy_loss: fit.losses.policy,
        entropy: fit.losses.entropy,
        kl: fit.kl,
        explained: [fit.explained.0, fit.explained.1],
        rate: fit.rate,
    }
}

fn trial_point(
    iteration: u64,
    games: u64,
    ladder: &Ladder,
    trial: &Trial,
    config: &TrainConfig,
) -> TrialPoint {
    TrialPoint {
        iteration,
        games,
        uct: ladder.uct,
        first: trial.first,
        second: trial.second,
        strength: ladder.strength(trial, config),
    }
}
