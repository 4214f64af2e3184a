//! The listings of the xiangqi paper written down as they stand, slowly: the position is replayed
//! from the root, moves are generated again, every exponential is computed. Given the same
//! random numbers the weights must be the same, bit for bit.

use crate::{all, endless, legal};
use spielbaum_core::synthetic::HashedOptions;
use spielbaum_core::{Game, ParseError, Payoffs, Reward, Rng, Turn, math};
use spielbaum_games::gomoku::Gomoku;
use spielbaum_games::lion::Lion;
use spielbaum_games::pig::Pig;
use spielbaum_search::adaptive::{Adaptive, AdaptiveConfig, Draws, Learning, Subtract};
use spielbaum_search::leaf::Leaf;
use spielbaum_search::trace::{Coding, Witness};
use std::collections::BTreeMap;
use std::fmt;

type Key = (usize, usize);

struct Literal {
    config: AdaptiveConfig,
    policy: BTreeMap<Key, f64>,
    games: BTreeMap<Key, u32>,
    wins: BTreeMap<Key, u32>,
    rewards: Vec<f64>,
    /// Weights enter the exponent less the greatest: the same policy, other roundings.
    shifted: bool,
}

impl Literal {
    fn new(config: AdaptiveConfig, shifted: bool) -> Self {
        let (policy, games, wins) = Default::default();
        Literal { config, policy, games, wins, rewards: Vec::new(), shifted }
    }

    fn key<G: Game>(&self, pos: &G, m: G::Move) -> Key {
        let number = match self.config.coding {
            Coding::Code => pos.code(m),
            Coding::Pattern => pos.pattern(m) as usize,
        };
        (pos.turn().player().unwrap(), number)
    }

    fn weight(&self, key: Key) -> f64 {
        let start = match self.config.learning {
            Learning::Mast { untried, .. } => untried,
            _ => 0.0,
        };
        self.policy.get(&key).copied().unwrap_or(start)
    }

    /// Probabilities of the legal moves, not yet divided by their sum, and the sum.
    fn odds<G: Game>(&self, pos: &G) -> (Vec<f64>, f64) {
        let k = match self.config.learning {
            Learning::Mast { k, .. } => k,
            _ => 1.0,
        };
        let weights = legal(pos).into_iter().map(|m| self.weight(self.key(pos, m)));
        let top = if self.shifted { weights.clone().fold(f64::MIN, f64::max) } else { 0.0 };
        let odds: Vec<f64> = weights.map(|weight| math::exp(k * (weight - top))).collect();
        let sum = odds.iter().sum();
        (odds, sum)
    }

    fn playout<G: Game>(&self, pos: &mut G, rng: &mut Rng, seq: &mut Vec<G::Move>) {
        for _ in 0..self.config.cutoff.unwrap_or(u32::MAX) {
            let moves = legal(pos);
            if moves.is_empty() {
                break;
            }
            let index = if pos.turn() == Turn::Chance {
                rng.pick_weighted(&moves, |&m| pos.weight(m))
            } else if moves.len() == 1 {
                0
            } else {
                let (odds, sum) = self.odds(pos);
                let target = rng.unit() * sum;
                let mut so_far = 0.0;
                let mut index = 0;
                for odd in odds {
                    so_far += odd;
                    if so_far > target {
                        break;
                    }
                    index += 1;
                }
                index
            };
            seq.push(moves[index]);
            pos.play(moves[index]);
        }
    }

    fn won(&self, rewards: &Payoffs, players: usize, seat: usize) -> bool {
        let mean = if players == 1 {
            let n = self.rewards.len();
            if n == 0 {
                return false;
            }
            self.rewards.iter().sum::<f64>() / n as f64
        } else {
            rewards[..players].iter().map(|&r| f64::from(r)).sum::<f64>() / players as f64
        };
        // The means of these tests are exact or far from any reward.
        f64::from(rewards[seat]) > mean + 1e-9
    }

    fn adapt<G: Game>(&mut self, root: &G, seq: &[G::Move], rewards: &Payoffs) {
        let players = root.players();
        let nobody = !(0..players).any(|seat| self.won(rewards, players, seat));
        if !(self.config.draws == Draws::Skip && nobody) {
            let mut new = self.policy.clone();
            let mut pos = root.clone();
            for &m in seq {
                if let Turn::Player(seat) = pos.turn() {
                    let won = self.won(rewards, players, seat.into());
                    let key = self.key(&pos, m);
                    match self.config.learning {
                        Learning::Ppa { alpha } => {
                            if won {
                                *new.entry(key).or_default() += alpha;
                                self.subtract(&pos, alpha, &mut new);
                            }
                        }
                        Learning::Ppap { alpha, p, subtract } => {
                            *new.entry(key).or_default() += if won { alpha } else { -alpha / p };
                            if won || subtract == Subtract::Both {
                                self.subtract(&pos, alpha, &mut new);
                            }
                        }
                        Learning::Mast { .. } => {
                            *self.games.entry(key).or_default() += 1;
                            *self.wins.entry(key).or_default() += u32::from(won);
                            let share = f64::from(self.wins[&key]) / f64::from(self.games[&key]);
                            new.insert(key, share);
                        }
                    }
                }
                pos.play(m);
            }
            self.policy = new;
        }
        self.rewards.push(f64::from(rewards[0]));
    }

    fn subtract<G: Game>(&self, pos: &G, alpha: f64, new: &mut BTreeMap<Key, f64>) {
        let (odds, sum) = self.odds(pos);
        for (l, odd) in legal(pos).into_iter().zip(odds) {
            // Alpha times the probability, rounded as the tables round it.
            *new.entry(self.key(pos, l)).or_default() -= alpha / sum * odd;
        }
    }
}

/// Simulations whose first moves come from elsewhere, as from a tree, and the rest from the
/// policy.
fn compare<G: Game>(root: &G, config: AdaptiveConfig, simulations: u32, seed: u64) {
    let pairs = run(root, config, simulations, seed, false);
    for (found, expected) in &pairs {
        assert_eq!(found.to_bits(), expected.to_bits(), "{config:?}");
    }
    assert!(pairs.iter().any(|pair| pair.1 != 0.0), "nothing was learned");
}

/// All weights at the end, ours and theirs.
fn run<G: Game>(
    root: &G,
    config: AdaptiveConfig,
    simulations: u32,
    seed: u64,
    shifted: bool,
) -> Vec<(f64, f64)> {
    let mut fast = Adaptive::<G>::new(config);
    let mut slow = Literal::new(config, shifted);
    let (mut a, mut b, mut tree) = (Rng::new(seed), Rng::new(seed), Rng::new(!seed));
    fast.begin(root);
    for _ in 0..simulations {
        let (mut pos, mut seq) = (root.clone(), Vec::new());
        let trace = fast.trace().unwrap();
        Witness::<G>::begins(trace);
        for _ in 0..tree.below(5) {
            let moves = legal(&pos);
            if moves.is_empty() {
                break;
            }
            let index = tree.below(moves.len());
            trace.sees(&pos, &moves, index);
            seq.push(moves[index]);
            pos.play(moves[index]);
        }
        let mut other = pos.clone();
        let rewards = fast.evaluate(&mut pos, &mut a, &mut endless());
        slow.playout(&mut other, &mut b, &mut seq);
        slow.adapt(root, &seq, &Reward::Win.of(&other));
        assert_eq!(pos.to_string(), other.to_string(), "{config:?}");
        assert_eq!(rewards, other.payoffs());
        assert_eq!(a.next(), b.next());
    }
    let cells = (0..root.players())
        .flat_map(|seat| (0..config.coding.count(root)).map(move |number| (seat, number)));
    cells.map(|(seat, number)| (fast.weight(seat, number), slow.weight((seat, number)))).collect()
}

#[test]
fn weights_are_those_of_the_listings_on_lion_and_gomoku() {
    for config in all() {
        compare(&Lion::default(), config, 150, 1);
        compare(&Gomoku::new(6, 6, 4).unwrap(), AdaptiveConfig { cutoff: None, ..config }, 60, 2);
    }
}

/// One to five players, draws, chance.
#[test]
fn weights_are_those_of_the_listings_on_synthetic_trees() {
    for config in all() {
        for players in 1..=5 {
            for chance in [0, 80] {
                let (seed, depth) = (u64::from(players), 12);
                let options = HashedOptions { seed, players, chance, depth, ..Default::default() };
                compare(&options.root(), config, 200, seed);
            }
        }
    }
    for config in all() {
        compare(&Pig::new(3, 20).unwrap(), AdaptiveConfig { cutoff: None, ..config }, 40, 5);
    }
}

/// Gomoku, but a move's pattern tells whether it touches a stone.
#[derive(Clone)]
struct Touching(Gomoku);

impl fmt::Display for Touching {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl Game for Touching {
    type Move = <Gomoku as Game>::Move;

    fn turn(&self) -> Turn {
        self.0.turn()
    }

    fn moves(&self, out: &mut Vec<Self::Move>) {
        self.0.moves(out);
    }

    fn play(&mut self, m: Self::Move) {
        self.0.play(m);
    }

    fn payoffs(&self) -> Payoffs {
        self.0.payoffs()
    }

    fn key(&self) -> u64 {
        self.0.key()
    }

    fn code(&self, m: Self::Move) -> usize {
        self.0.code(m)
    }

    fn codes(&self) -> usize {
        self.0.codes()
    }

    fn parse(&self, text: &str) -> Result<Self, ParseError> {
        self.0.parse(text).map(Touching)
    }

    fn pattern(&self, m: Self::Move) -> u64 {
        let mut free = Vec::new();
        self.0.moves(&mut free);
        let near = free.iter().filter(|&&f| self.code(f).abs_diff(self.code(m)) == 1).count();
        2 * self.code(m) as u64 + u64::from(near < 2)
    }

    fn patterns(&self) -> usize {
        2 * self.codes()
    }
}

/// Patterns of a game that has them: more cells than codes.
#[test]
fn features_are_learned_apart() {
    let root = Touching(Gomoku::new(5, 5, 4).unwrap());
    spielbaum_core::check::game(&root, &spielbaum_core::check::Options::quick()).unwrap();
    for config in all() {
        compare(&root, AdaptiveConfig { cutoff: None, ..config }, 60, 3);
    }
}

/// PPAP for long with large steps: weights go far below what an exponential can hold, and the
/// probabilities are still those of the weights.
#[test]
fn weights_far_out_are_no_harm() {
    let root = Lion::default();
    for alpha in [20.0, 80.0] {
        let learning = Learning::Ppap { alpha, p: 0.5, subtract: Subtract::Both };
        let pairs = run(&root, crate::config(learning, Coding::Code), 300, 4, true);
        let least = pairs.iter().fold(0.0, |least: f64, pair| least.min(pair.1));
        assert!(least < -2000.0, "{least}");
        for (found, expected) in pairs {
            assert!(
                (found - expected).abs() < 1e-9 * expected.abs().max(1.0),
                "{found} {expected}"
            );
        }
    }
}
