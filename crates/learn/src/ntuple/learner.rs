//! Temporal-difference learning of afterstates, by the net's own greedy play.

use super::curve::Tally;
use super::file::{self, Header, Kind, NetError, Training};
use super::network::{Network, Row};
use super::shape::Shape;
use super::step::{Coherent, Even, Step};
use serde::{Deserialize, Serialize};
use spielbaum_core::{Cells, IMAGES, Registered, Rng, largest_content};
use std::marker::PhantomData;
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

/// How far steps go.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Method {
    /// The same share of the error for all weights: TD(0).
    Td,
    /// Less for weights whose errors cancel out: temporal coherence.
    #[default]
    Tc,
}

/// What is learned, and how.
#[derive(Clone, PartialEq, Debug)]
pub struct Config {
    /// The tuples.
    pub shape: Shape,
    /// How far steps go.
    pub method: Method,
    /// The share of an error that a step makes up.
    pub alpha: f32,
    /// The value of every board at first. A high one makes the net try what it does not know
    /// (optimistic initialisation, Guei et al. 2021).
    pub init: f32,
    /// Seed of all games.
    pub seed: u64,
}

impl Config {
    fn first_weight(&self) -> f32 {
        self.init / (self.shape.tuples().len() * IMAGES) as f32
    }
}

/// Seeds of games that train are of another branch than those of games that test.
const TRAINING: u64 = 0x7e41;
const TESTING: u64 = 0x7e57;

/// A net that learns.
///
/// Game number n depends on the seed, n and the weights alone. With one thread the weights are
/// the same bit for bit whenever training is interrupted and taken up again; several threads
/// write into one net without locks, and which of two steps counts is a matter of chance.
///
/// ```
/// use spielbaum_games::g2048::G2048;
/// use spielbaum_learn::ntuple::{Config, Learner, Method};
/// let config =
///     Config { shape: "0123-0145".parse().unwrap(), method: Method::Tc, alpha: 1.0, init: 0.0, seed: 1 };
/// let mut learner = Learner::new(G2048::new(3, 3).unwrap(), "2048-3x3", config);
/// learner.train(200, 1, &|| false);
/// let early = learner.take_tally().mean().0;
/// learner.train(1000, 1, &|| false);
/// assert!(learner.take_tally().mean().0 > 1.2 * early);
/// ```
pub struct Learner<G: Cells> {
    start: G,
    /// The game as users name it.
    game: String,
    config: Config,
    net: Network,
    games: u64,
    moves: u64,
    tally: Tally,
}

impl<G: Cells> Learner<G> {
    /// A learner that knows nothing. `game` is the full specification of the start.
    pub fn new(start: G, game: &str, config: Config) -> Self {
        let (shape, weight) = (config.shape.clone(), config.first_weight());
        let net = match config.method {
            Method::Td => Network::new(shape, weight),
            Method::Tc => Network::coherent(shape, weight),
        };
        let (games, moves, tally) = (0, 0, Tally::default());
        Learner { start, game: game.to_string(), config, net, games, moves, tally }
    }

    /// What a file has kept of a learner of the same game and configuration.
    pub fn resume(start: G, game: &str, config: Config, path: &Path) -> Result<Self, NetError>
    where
        G: Registered,
    {
        let mut learner = Learner::new(start, game, config);
        let header = file::read_checkpoint(path, |header| {
            let expected = learner.header(Kind::Checkpoint);
            let same = |h: &Header| (h.game.clone(), h.shape.clone(), h.training.clone());
            let ((a, b, c), (x, y, z)) = (same(header), same(&expected));
            let same_training =
                c.seed == z.seed && (c.method, c.alpha, c.init) == (z.method, z.alpha, z.init);
            if (a, b) == (x, y) && same_training && header.kind == Kind::Checkpoint {
                Ok(&learner.net)
            } else {
                Err("it is not of a training of this kind".to_string())
            }
        })?;
        learner.games = header.training.games;
        learner.moves = header.training.moves;
        learner.tally = header.training.tally;
        Ok(learner)
    }

    /// Games played so far.
    pub fn games(&self) -> u64 {
        self.games
    }

    /// Moves made so far.
    pub fn moves(&self) -> u64 {
        self.moves
    }

    /// The net.
    pub fn net(&self) -> &Network {
        &self.net
    }

    /// The results of the games since this was last asked.
    pub fn take_tally(&mut self) -> Tally {
        std::mem::take(&mut self.tally)
    }

    /// Whether the values that the net gives are numbers: steps that are too large end in values
    /// beyond all bounds. One game is played to see it.
    pub fn is_finite(&self) -> bool {
        let rng = Rng::new(Rng::split(self.config.seed, TESTING));
        is_finite(&self.net, &self.start, rng)
    }

    /// Learns until so many games are played in all, or `halt` says that it is enough: it is asked
    /// before each game.
    pub fn train(&mut self, until: u64, threads: usize, halt: &(dyn Fn() -> bool + Sync)) {
        let seed = Rng::split(self.config.seed, TRAINING);
        let tally = self.play(Some(self.config.alpha), seed, self.games..until, threads, halt);
        self.games += tally.games;
        self.moves += tally.moves;
        self.tally.merge(&tally);
    }

    /// Plays games with the net as it is. Their seeds have nothing to do with those of training,
    /// and the results are the same on any number of threads.
    pub fn test(&self, games: u64, threads: usize, halt: &(dyn Fn() -> bool + Sync)) -> Tally {
        let seed = Rng::split(self.config.seed, TESTING);
        self.play(None, seed, 0..games, threads, halt)
    }

    fn play(
        &self,
        learning: Option<f32>,
        seed: u64,
        games: std::ops::Range<u64>,
        threads: usize,
        halt: &(dyn Fn() -> bool + Sync),
    ) -> Tally {
        let play = match self.config.method {
            Method::Td => play::<G, Even>,
            Method::Tc => play::<G, Coherent>,
        };
        play(&self.net, learning, &self.start, seed, games, threads, halt)
    }

    /// Keeps everything in a file that appears at once.
    pub fn save(&self, path: &Path) -> Result<(), NetError> {
        file::publish(path, &self.header(Kind::Checkpoint), self.net())
    }

    /// Keeps the net for playing, in 16 bits a weight.
    pub fn export(&self, path: &Path) -> Result<(), NetError> {
        file::publish(path, &self.header(Kind::Small), self.net())
    }

    fn header(&self, kind: Kind) -> Header {
        let (rows, columns) = self.start.board_size();
        Header {
            format: file::FORMAT,
            kind,
            game: self.game.clone(),
            board: [rows, columns],
            shape: self.config.shape.to_string(),
            blank: self.config.first_weight(),
            scales: Vec::new(),
            training: Training {
                seed: self.config.seed,
                method: self.config.method,
                alpha: self.config.alpha,
                init: self.config.init,
                games: self.games,
                moves: self.moves,
                tally: self.tally.clone(),
            },
        }
    }
}

fn is_finite<G: Cells>(net: &Network, start: &G, mut rng: Rng) -> bool {
    let (mut pos, mut scratch) = (start.clone(), Vec::new());
    loop {
        while pos.turn().player().is_none()
            && let Some(outcome) = pos.random_move(&mut rng, &mut scratch)
        {
            pos.play(outcome);
        }
        match net.best(&pos) {
            // Nothing is better than what is no number: it comes as less than everything.
            Some((_, value, _)) if !value.is_finite() => return false,
            Some((mv, ..)) => pos.play(mv),
            None => return true,
        }
    }
}

/// Plays the games of these numbers on some threads, and learns from them if it is told how far
/// steps go.
fn play<G: Cells, S: Step>(
    net: &Network,
    learning: Option<f32>,
    start: &G,
    seed: u64,
    games: std::ops::Range<u64>,
    threads: usize,
    halt: &(dyn Fn() -> bool + Sync),
) -> Tally {
    let next = AtomicU64::new(games.start);
    let work = || {
        let mut worker = Worker::<G::Move, S>::new(net, learning);
        while !halt() {
            // Whoever takes a number plays the game: those played have no gap.
            let number = next.fetch_add(1, Relaxed);
            if number >= games.end {
                break;
            }
            worker.game(start, &mut Rng::new(Rng::split(seed, number)));
        }
        worker.tally
    };
    if threads <= 1 {
        return work();
    }
    let mut total = Tally::default();
    std::thread::scope(|scope| {
        let all: Vec<_> = (0..threads).map(|_| scope.spawn(work)).collect();
        for one in all {
            match one.join() {
                Ok(tally) => total.merge(&tally),
                Err(panic) => std::panic::resume_unwind(panic),
            }
        }
    });
    total
}

/// One thread's play.
struct Worker<'a, M, S> {
    net: &'a Network,
    learning: Option<f32>,
    /// Moves to choose from.
    choices: Vec<Choice<M>>,
    /// The weights that they meet, as many rows for each as there are tuples.
    rows: Vec<Row>,
    /// Those of the last choice and of the one before.
    last: Vec<Row>,
    before: Vec<Row>,
    scratch: Vec<M>,
    tally: Tally,
    step: PhantomData<S>,
}

#[derive(Clone, Copy)]
struct Choice<M> {
    mv: M,
    /// The board after it.
    after: u64,
    /// What the move earns.
    reward: f32,
    /// With the value of the board.
    total: f32,
}

impl<'a, M: Copy, S: Step> Worker<'a, M, S> {
    fn new(net: &'a Network, learning: Option<f32>) -> Self {
        Worker {
            net,
            learning,
            choices: Vec::new(),
            rows: Vec::new(),
            last: vec![[0; IMAGES]; net.shape().tuples().len()],
            before: vec![[0; IMAGES]; net.shape().tuples().len()],
            scratch: Vec::new(),
            tally: Tally::default(),
            step: PhantomData,
        }
    }

    /// What a choice teaches about the one before is learned after the weights of the next choices
    /// are asked for and before they are read: memory works meanwhile, and nothing else changes.
    fn game<G: Cells<Move = M>>(&mut self, start: &G, rng: &mut Rng) {
        let mut pos = start.clone();
        let (mut due, mut moves) = (None, 0);
        loop {
            while pos.turn().player().is_none()
                && let Some(outcome) = pos.random_move(rng, &mut self.scratch)
            {
                pos.play(outcome);
            }
            self.look(&pos);
            self.learn(due);
            let best = self.best();
            // What comes after the end is nothing.
            due = (moves > 0).then(|| best.map_or(0.0, |best| self.choices[best].total));
            let width = self.last.len();
            std::mem::swap(&mut self.last, &mut self.before);
            let Some(best) = best else { break };
            self.last.copy_from_slice(&self.rows[best * width..][..width]);
            S::expect(self.net, &self.last);
            let chosen = self.choices[best];
            pos.play_to(chosen.mv, chosen.after, chosen.reward);
            moves += 1;
        }
        self.learn(due);
        self.tally.add(pos.payoffs()[0].into(), moves, largest_content(pos.word()));
    }

    /// The choices in a position, without the values of their boards.
    #[inline]
    fn look<G: Cells<Move = M>>(&mut self, pos: &G) {
        let (net, choices, rows) = (self.net, &mut self.choices, &mut self.rows);
        let width = self.last.len();
        choices.clear();
        pos.afterstates(|mv, after, reward| {
            let begin = choices.len() * width;
            if rows.len() < begin + width {
                rows.resize(begin + width, [0; IMAGES]);
            }
            net.find(&pos.images(after), &mut rows[begin..][..width]);
            choices.push(Choice { mv, after, reward, total: reward });
        });
    }

    #[inline]
    fn learn(&self, target: Option<f32>) {
        if let (Some(alpha), Some(target)) = (self.learning, target) {
            S::learn(self.net, &self.before, alpha, target);
        }
    }

    /// The first of the best. Nobody foresees which it is, and a wrong guess would throw away what
    /// goes on while weights come from memory: no branch.
    #[inline]
    fn best(&mut self) -> Option<usize> {
        let width = self.last.len();
        let mut best = 0;
        for (i, rows) in (0..self.choices.len()).zip(self.rows.chunks(width)) {
            self.choices[i].total += self.net.sum(rows);
            let is_better = self.choices[i].total > self.choices[best].total;
            best = std::hint::select_unpredictable(is_better, i, best);
        }
        (!self.choices.is_empty()).then_some(best)
    }
}
