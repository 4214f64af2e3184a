//! Temporal-difference learning of afterstates, by the net's own greedy play.

use super::curve::Tally;
use super::file::{self, Header, Kind, NetError, Origin, Training};
use super::network::Network;
use super::path::Backward;
use super::play::{Learning, play};
use super::shape::Shape;
use super::step::{Coherent, Even, Promoting};
use serde::{Deserialize, Serialize};
use spielbaum_core::{Cells, IMAGES, Registered, Rng};
use std::path::Path;

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

impl Method {
    /// As users name it.
    pub fn name(self) -> &'static str {
        match self {
            Method::Td => "td",
            Method::Tc => "tc",
        }
    }
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
    /// Learning after the end of a game, backwards; else during it, each move from the next.
    pub backward: Option<Backward>,
    /// Whether weights that are met for the first time begin with what is known of
    /// [like](Cells::likened) contents; for temporal coherence alone, which knows what was met.
    pub promote: bool,
    /// Seed of all games.
    pub seed: u64,
}

impl Config {
    fn first_weight(&self) -> f32 {
        self.init / (self.shape.tuples().len() * IMAGES) as f32
    }

    /// Whether a training of this game may begin with the net of a file: one of the same game, tuples, method
    /// and first value. The error says what is different.
    pub fn may_begin_with(&self, game: &str, header: &Header) -> Result<(), String> {
        if header.kind != Kind::Checkpoint {
            let text = "it is for playing alone; give the net.ntuple of a training";
            return Err(text.to_string());
        }
        let (theirs, shape) = (&header.training, self.shape.to_string());
        let all = [
            ("game", header.game.as_str(), game),
            ("net", &header.shape, &shape),
            ("method", theirs.method.name(), self.method.name()),
            ("init", &theirs.init.to_string(), &self.init.to_string()),
        ];
        match all.into_iter().find(|(_, theirs, own)| theirs != own) {
            Some((name, theirs, own)) => Err(format!("its {name} is {theirs}, not {own}")),
            None => Ok(()),
        }
    }
}

/// Seeds of games that train are of another branch than those of games that test.
const TRAINING: u64 = 0x7e41;
const TESTING: u64 = 0x7e57;

/// What a step of a [cooled](Learner::cool) training makes up, of what it made up before. Files do not
/// hold it: with another value trainings under way would go on otherwise.
const COOLED: f32 = 0.1;

/// A net that learns.
///
/// Game number n depends on the seed, n and the weights alone. With one thread the weights are
/// the same bit for bit whenever training is interrupted and taken up again; several threads
/// write into one net without locks, and which of two steps counts is a matter of chance.
///
/// ```
/// use spielbaum_games::g2048::G2048;
/// use spielbaum_learn::ntuple::{Backward, Config, Learner, Method};
/// let config = Config {
///     shape: "0124-0145".parse().unwrap(),
///     method: Method::Tc,
///     alpha: 1.0,
///     init: 0.0,
///     backward: Some(Backward { lambda: 0.5, restart: None }),
///     promote: true,
///     seed: 1,
/// };
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
    /// What was learned before the first game.
    origin: Option<Origin>,
    /// The games after which it was cooled.
    cooled: Option<u64>,
    games: u64,
    moves: u64,
    tally: Tally,
}

impl<G: Cells> Learner<G> {
    /// A learner that knows nothing. `game` is the full specification of the start, on whose board
    /// the tuples should [lie](Shape::fits).
    pub fn new(start: G, game: &str, config: Config) -> Self {
        let (shape, weight) = (config.shape.clone(), config.first_weight());
        let net = match config.method {
            Method::Td => Network::new(shape, weight),
            Method::Tc => Network::coherent(shape, weight),
        };
        let (games, moves, tally) = (0, 0, Tally::default());
        let (origin, cooled, game) = (None, None, game.to_string());
        Learner { start, game, config, net, origin, cooled, games, moves, tally }
    }

    /// A learner that begins with what another training has left in its checkpoint, if it
    /// [may](Config::may_begin_with). Its games begin with number 0 again; with another seed they are others.
    pub fn begin_with(start: G, game: &str, config: Config, path: &Path) -> Result<Self, NetError> {
        let mut learner = Learner::new(start, game, config);
        let header = file::read_checkpoint(path, |header| {
            learner.config.may_begin_with(&learner.game, header).map(|()| &learner.net)
        })?;
        learner.origin = Some(header.training.as_origin());
        Ok(learner)
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
            let same_training = (c.seed, c.method, c.alpha, c.init)
                == (z.seed, z.method, z.alpha, z.init)
                && (c.backward, c.promote) == (z.backward, z.promote);
            if (a, b) == (x, y) && same_training && header.kind == Kind::Checkpoint {
                Ok(&learner.net)
            } else {
                Err("it is not of a training of this kind".to_string())
            }
        })?;
        learner.origin = header.training.origin;
        learner.cooled = header.training.cooled;
        learner.games = header.training.games;
        learner.moves = header.training.moves;
        learner.tally = header.training.tally;
        Ok(learner)
    }

    /// Games played so far.
    pub fn games(&self) -> u64 {
        self.games
    }

    /// Moves made so far, those of games begun in the middle included.
    pub fn moves(&self) -> u64 {
        self.moves
    }

    /// From now on steps make up a tenth of what they made up before, to the end of the training.
    pub fn cool(&mut self) {
        self.cooled = self.cooled.or(Some(self.games));
    }

    /// The games after which it was [cooled](Self::cool), if it was.
    pub fn cooled(&self) -> Option<u64> {
        self.cooled
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
        let Config { alpha, backward, .. } = self.config;
        let alpha = if self.cooled.is_some() { COOLED * alpha } else { alpha };
        let learning = Some(Learning { alpha, backward });
        let tally = self.play(learning, seed, self.games..until, threads, halt);
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
        learning: Option<Learning>,
        seed: u64,
        games: std::ops::Range<u64>,
        threads: usize,
        halt: &(dyn Fn() -> bool + Sync),
    ) -> Tally {
        let play = match self.config.method {
            Method::Td => play::<G, Even>,
            Method::Tc if self.config.promote => play::<G, Promoting<G>>,
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
                backward: self.config.backward,
                promote: self.config.promote,
                cooled: self.cooled,
                origin: self.origin,
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

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    #[test]
    fn no_game_of_a_test_is_one_of_training() {
        let seeds = |seed: u64, branch: u64| {
            (0..10_000).map(move |game| Rng::split(Rng::split(seed, branch), game))
        };
        for seed in 0..5 {
            let trained: HashSet<u64> = seeds(seed, TRAINING).collect();
            assert_eq!(trained.len(), 10_000);
            assert!((0..5).flat_map(|s| seeds(s, TESTING)).all(|game| !trained.contains(&game)));
        }
    }
}
