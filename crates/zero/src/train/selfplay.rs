//! Games of the search against itself, many side by side so that batches fill.
//!
//! A game is a function of its seed and the network: what it gets does not depend on its
//! neighbours in a batch, on threads or on how many games are played at once.

use super::config::TrainConfig;
use super::record::{GameRecord, Lesson, parts};
use crate::choice::{dirichlet, draw, policy};
use crate::evaluator::{Evaluator, Leaves};
use crate::search::{Noise, Search};
use spielbaum_core::{Limits, Meter, Planes, Proof, Rng, Stop, TwoPlayer};
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};

/// Temperature after the first moves.
const COOL: f64 = 0.25;

/// What all games of an iteration share.
pub struct SelfPlay<'a, G> {
    /// Where they begin.
    pub start: &'a G,
    /// How they are played.
    pub config: &'a TrainConfig,
    /// The seed of all games.
    pub seed: u64,
    /// Games that a thread has in hand.
    pub together: usize,
    /// Asks for an end.
    pub stop: &'a Stop,
    /// Is told of every finished game.
    pub seen: &'a (dyn Fn() + Sync),
}

impl<G: TwoPlayer + Planes> SelfPlay<'_, G> {
    /// Plays the games of these numbers, in a thread for each judge; `None` when stopped.
    pub fn play(
        &self,
        numbers: std::ops::Range<u64>,
        judges: Vec<Box<dyn Evaluator<G>>>,
    ) -> Result<Option<Vec<GameRecord>>, String> {
        let next = AtomicU64::new(numbers.start);
        let take = || {
            let number = next.fetch_add(1, Ordering::Relaxed);
            (number < numbers.end).then_some(number)
        };
        let finished = Mutex::new(Vec::new());
        let failed: Mutex<Option<String>> = Mutex::new(None);
        std::thread::scope(|scope| {
            for judge in judges {
                let (take, finished, failed) = (&take, &finished, &failed);
                scope.spawn(move || match self.group(judge, take) {
                    Ok(games) => lock(finished).extend(games),
                    Err(problem) => *lock(failed) = Some(problem),
                });
            }
        });
        if let Some(problem) = lock(&failed).take() {
            return Err(problem);
        }
        let mut games = std::mem::take(&mut *lock(&finished));
        games.sort_by_key(|game: &GameRecord| game.number);
        Ok((games.len() as u64 == numbers.end - numbers.start).then_some(games))
    }

    /// The games of one thread.
    fn group(
        &self,
        mut judge: Box<dyn Evaluator<G>>,
        take: &dyn Fn() -> Option<u64>,
    ) -> Result<Vec<GameRecord>, String> {
        let mut finished = Vec::new();
        let begin = || take().map(|number| Game::new(self.start, self.config, self.seed, number));
        let mut games: Vec<Game<'_, G>> = (0..self.together).map_while(|_| begin()).collect();
        let mut leaves = Leaves::default();
        while !games.is_empty() && !self.stop.is_set() {
            leaves.clear();
            let mut i = 0;
            while i < games.len() {
                let game = &mut games[i];
                if game.think(&mut leaves) {
                    i += 1;
                    continue;
                }
                // The game is over: another one takes its place.
                let next = begin();
                (self.seen)();
                finished.push(match next {
                    Some(next) => std::mem::replace(game, next).record,
                    None => games.swap_remove(i).record,
                });
            }
            judge.judge(leaves.filled())?;
            for (game, leaf) in games.iter_mut().zip(leaves.filled().chunks(1)) {
                game.search.absorb(leaf, &mut game.meter);
            }
        }
        Ok(finished)
    }
}

pub(super) fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
}

/// A game in hand.
struct Game<'a, G: TwoPlayer> {
    config: &'a TrainConfig,
    pos: G,
    search: Search<G>,
    meter: Meter,
    is_full: bool,
    rng: Rng,
    record: GameRecord,
}

impl<'a, G: TwoPlayer + Planes> Game<'a, G> {
    fn new(start: &G, config: &'a TrainConfig, seed: u64, number: u64) -> Self {
        let seed = Rng::split(seed, number);
        let mut game = Game {
            config,
            pos: start.clone(),
            search: Search::new(&config.search, Rng::split(seed, 0)),
            meter: Meter::new(Limits::default(), Stop::new()),
            is_full: true,
            rng: Rng::new(Rng::split(seed, 1)),
            record: GameRecord { number, ..GameRecord::default() },
        };
        let (part, most) = config.random;
        if part > 0.0 && game.rng.unit() < part {
            let moves = 1 + game.rng.below(most);
            for _ in 0..moves {
                game.play_at_random();
            }
        }
        game.begin();
        game
    }

    /// One random move, unless it ends the game.
    fn play_at_random(&mut self) {
        if let Some(m) = self.pos.random_move(&mut self.rng, &mut Vec::new()) {
            let mut next = self.pos.clone();
            next.play(m);
            if !next.is_over() {
                self.record.moves.push(self.pos.policy_index(m) as u16);
                self.pos = next;
            }
        }
    }

    fn begin(&mut self) {
        let config = self.config;
        self.is_full = config.full >= 1.0 || self.rng.unit() < config.full;
        let simulations = if self.is_full { config.simulations } else { config.fast };
        self.meter = Meter::new(Limits::iterations(simulations), Stop::new());
        self.search.set_noise(config.root_noise.filter(|_| self.is_full));
        self.search.begin(&self.pos, |_| true);
    }

    /// Goes on until a position waits for the judge; `false` at the end of the game.
    fn think(&mut self, leaves: &mut Leaves<G>) -> bool {
        while self.search.gather(1, leaves, &mut self.meter) == 0 {
            self.make_move();
            if self.pos.is_over() {
                let [first, second, ..] = self.pos.payoffs();
                self.record.outcome = first - second;
                return false;
            }
            self.begin();
        }
        true
    }

    fn make_move(&mut self) {
        let edges = self.search.edges();
        let proof = self.search.proof();
        self.learn(proof);
        let warm = (self.record.moves.len() as u64) < self.config.warm;
        let mut chances = policy(&edges, if warm { 1.0 } else { COOL });
        if let Some(Noise { part, alpha }) = self.config.move_noise {
            let noise = dirichlet(alpha, chances.len(), &mut self.rng);
            chances.iter_mut().zip(noise).for_each(|(p, n)| *p = (1.0 - part) * *p + part * n);
        }
        let m = edges[draw(&chances, &mut self.rng)].mv;
        if self.config.reuse {
            self.search.keep();
            self.search.follow(&self.pos, m);
        }
        self.record.moves.push(self.pos.policy_index(m) as u16);
        self.pos.play(m);
    }

    /// Notes what the search has found, if it is worth learning: full searches, and results.
    fn learn(&mut self, proof: Option<Proof>) {
        if !self.is_full && proof.is_none() {
            return;
        }
        // For the first player.
        let sign = if self.pos.turn().player() == Some(0) { 1.0 } else { -1.0 };
        let value = match proof {
            Some(Proof::Win) => 1.0,
            Some(Proof::Draw) => 0.0,
            Some(Proof::Loss) => -1.0,
            None => 2.0 * self.search.value() - 1.0,
        };
        let edges = self.search.edges();
        let found = policy(&edges, 1.0);
        // In a lost position all moves are equally good.
        let policy = match proof {
            Some(Proof::Loss) => Vec::new(),
            _ => {
                let index = |m| self.pos.policy_index(m);
                parts(edges.iter().zip(found).map(|(e, p)| (index(e.mv), p)))
            }
        };
        self.record.lessons.push(Lesson {
            ply: self.record.moves.len() as u16,
            policy,
            value: (sign * value) as f32,
            is_proven: proof.is_some(),
        });
    }
}
