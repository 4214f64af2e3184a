//! Playouts that learn from the playouts before them: playout policy adaptation (PPA, Cazenave
//! 2016), with penalties (PPAP) and features (PPAF, PPAFP), and move-average sampling (MAST,
//! Finnsson and Björnsson 2008), as the xiangqi paper has them.
//!
//! A move is drawn with odds exp(k w) of the weight w of its code (with features, its pattern),
//! a table for each seat. What is learned from are all decisions from the root of the search to the
//! end of the playout; outcomes of chance are sampled and not learned.

use crate::leaf::Leaf;
use crate::softmax::{Softmax, Step};
use crate::trace::{Coding, Trace};
use spielbaum_core::{Game, MAX_PLAYERS, Meter, Payoffs, Reward, Rng, Turn};

/// How weights follow from results.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Learning {
    /// PPA: winners' moves gain `alpha`, and lose it again in proportion to their probability,
    /// as do their alternatives.
    Ppa {
        /// Size of a step.
        alpha: f64,
    },
    /// PPAP: moves of others than winners lose `alpha / p`.
    Ppap {
        /// Size of a step.
        alpha: f64,
        /// Divisor of the penalty.
        p: f64,
        /// From whom `alpha` times the probability is subtracted.
        subtract: Subtract,
    },
    /// MAST: the weight is the share of won playouts in which the move was played.
    Mast {
        /// Factor of the weights in the exponent.
        k: f64,
        /// Weight of a move that was never played; the paper's is 0, that of a sure loss.
        untried: f64,
    },
}

/// At whose decisions PPAP subtracts probabilities.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Subtract {
    /// At everybody's, as printed.
    #[default]
    Both,
    /// At the winners', so that PPAP comes near PPA for large p.
    WinnerOnly,
}

/// What is learned from a playout that nobody has won.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Draws {
    /// Nobody won: as printed.
    #[default]
    Literal,
    /// Nothing.
    Skip,
}

/// A learning playout.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct AdaptiveConfig {
    /// The rule.
    pub learning: Learning,
    /// What moves are known by.
    pub coding: Coding,
    /// What is learned from draws.
    pub draws: Draws,
    /// Whether the weights are kept for the next move of a game.
    pub warm: bool,
    /// What playouts are settled by.
    pub reward: Reward,
    /// Playouts end after so many moves, if set.
    pub cutoff: Option<u32>,
}

/// Games and wins of a cell, for MAST.
#[derive(Clone, Copy, Debug, Default)]
struct Average {
    games: u32,
    wins: u32,
}

/// Learning playouts as the evaluation of leaves.
///
/// ```
/// use spielbaum_core::{Limits, Player, Reward, Task, synthetic::Literal};
/// use spielbaum_search::adaptive::{Adaptive, AdaptiveConfig, Draws, Learning};
/// use spielbaum_search::mcts::{Mcts, MctsConfig};
/// use spielbaum_search::trace::Coding;
/// let mast = Adaptive::new(AdaptiveConfig {
///     learning: Learning::Mast { k: 16.0, untried: 0.0 },
///     coding: Coding::Code,
///     draws: Draws::Literal,
///     warm: false,
///     reward: Reward::Win,
///     cutoff: None,
/// });
/// let mut player = Mcts::new(&MctsConfig::default(), 7).evaluated_by(Box::new(mast));
/// let game = Literal::two_player("((1 0) (1 1) (0 0))").unwrap();
/// let report = player.think(&game, &mut Task::new(Limits::iterations(200))).unwrap();
/// assert_eq!(report.best.to_string(), "2");
/// ```
pub struct Adaptive<G: Game> {
    config: AdaptiveConfig,
    policy: Softmax,
    trace: Trace,
    averages: Vec<Average>,
    /// Cells of a row, that is of a seat.
    width: usize,
    /// Rewards of a single player so far, and how many.
    alone: (f64, u32),
    moves: Vec<G::Move>,
}

impl<G: Game> Adaptive<G> {
    /// Playouts that have learned nothing.
    pub fn new(config: AdaptiveConfig) -> Self {
        let (k, whole) = match config.learning {
            Learning::Mast { k, .. } => (k, false),
            Learning::Ppa { .. } | Learning::Ppap { .. } => (1.0, true),
        };
        Adaptive {
            config,
            policy: Softmax::new(k),
            trace: Trace::new(config.coding, whole),
            averages: Vec::new(),
            width: 0,
            alone: (0.0, 0),
            moves: Vec::new(),
        }
    }

    /// The weight of a move of a seat by its number.
    pub fn weight(&self, seat: usize, number: usize) -> f64 {
        self.policy.weight((seat * self.width + number) as u32)
    }

    /// Forgets what was learned, and makes the tables large enough for a game.
    fn forget(&mut self, width: usize, players: usize) {
        self.width = width;
        self.alone = (0.0, 0);
        let untried = match self.config.learning {
            Learning::Mast { untried, .. } => untried,
            _ => 0.0,
        };
        self.policy.reset(width * players, untried);
        self.averages.clear();
        if matches!(self.config.learning, Learning::Mast { .. }) {
            self.averages.resize(width * players, Average::default());
        }
        self.trace.set_width(width);
    }

    /// Plays to the end and writes the decisions into the trace.
    fn play_out(&mut self, pos: &mut G, rng: &mut Rng, meter: &mut Meter) {
        for _ in 0..self.config.cutoff.unwrap_or(u32::MAX) {
            self.moves.clear();
            pos.moves(&mut self.moves);
            if self.moves.is_empty() {
                break;
            }
            let index = match pos.turn() {
                Turn::Player(seat) => {
                    let cells = self.trace.offer(pos, seat, &self.moves);
                    let (index, total) = self.policy.draw_weighed(cells, rng);
                    self.trace.decide_by(total, seat, self.moves.len(), index);
                    index
                }
                Turn::Chance => rng.pick_weighted(&self.moves, |&m| pos.weight(m)),
            };
            pos.play(self.moves[index]);
            meter.node();
            if meter.is_expired() {
                break;
            }
        }
    }

    /// Who has won. Of several seats those above the mean reward: of two the one with more.
    /// A single player has won with more than the mean of all playouts before.
    fn winners(&mut self, rewards: &Payoffs, players: usize) -> [bool; MAX_PLAYERS] {
        let (sum, count) = if players == 1 {
            let before = self.alone;
            self.alone = (before.0 + f64::from(rewards[0]), before.1 + 1);
            if before.1 == 0 { (f64::from(rewards[0]), 1) } else { before }
        } else {
            // Exact: payoffs have 24 bits.
            (rewards[..players].iter().map(|&r| f64::from(r)).sum(), players as u32)
        };
        let mut won = [false; MAX_PLAYERS];
        for (won, &reward) in won.iter_mut().zip(&rewards[..players]) {
            *won = f64::from(count) * f64::from(reward) > sum;
        }
        won
    }

    fn learn(&mut self, won: [bool; MAX_PLAYERS]) {
        if self.config.draws == Draws::Skip && !won.contains(&true) {
            return;
        }
        let step = match self.config.learning {
            Learning::Mast { .. } => return self.average(&won),
            Learning::Ppa { alpha } => [Step::default(), Step { gain: alpha, rate: alpha }],
            Learning::Ppap { alpha, p, subtract } => {
                let rate = if subtract == Subtract::Both { alpha } else { 0.0 };
                [Step { gain: -alpha / p, rate }, Step { gain: alpha, rate: alpha }]
            }
        };
        self.policy.adapt(&self.trace, &won.map(|won| step[usize::from(won)]));
    }

    fn average(&mut self, won: &[bool; MAX_PLAYERS]) {
        for decision in self.trace.decisions() {
            let average = &mut self.averages[decision.chosen as usize];
            average.games += 1;
            average.wins += u32::from(won[decision.seat as usize]);
            let weight = f64::from(average.wins) / f64::from(average.games);
            self.policy.set(decision.chosen, weight);
        }
        self.policy.install();
    }
}

impl<G: Game> Leaf<G> for Adaptive<G> {
    fn evaluate(&mut self, pos: &mut G, rng: &mut Rng, meter: &mut Meter) -> Payoffs {
        self.play_out(pos, rng, meter);
        self.settle(pos)
    }

    /// Learns from what has been decided on the way here.
    fn settle(&mut self, pos: &G) -> Payoffs {
        let rewards = self.config.reward.of(pos);
        let won = self.winners(&rewards, pos.players());
        self.learn(won);
        self.trace.clear();
        rewards
    }

    fn begin(&mut self, root: &G) {
        let (width, players) = (self.config.coding.count(root), root.players());
        let is_kept = self.config.warm && width <= self.width;
        if !is_kept || self.policy.len() != self.width * players {
            self.forget(width, players);
        }
    }

    fn restart(&mut self) {
        self.forget(0, 0);
    }

    fn trace(&mut self) -> Option<&mut Trace> {
        Some(&mut self.trace)
    }

    fn bytes(&self) -> usize {
        self.policy.bytes() + self.trace.bytes() + size_of_val(&self.averages[..])
    }
}
