//! Nested rollout policy adaptation: against its listing, as a player, within budgets.

use crate::legal;
use spielbaum_core::synthetic::{Hashed, HashedOptions};
use spielbaum_core::{
    Game, Limits, OnePlayer, ParseError, Payoffs, Player, Rng, Stop, Task, Turn, check, math,
};
use spielbaum_games::morpion::{Morpion, Variant};
use spielbaum_search::nrpa::{Nrpa, NrpaConfig};
use std::collections::BTreeMap;
use std::fmt;
use std::time::{Duration, Instant};

/// A hashed tree of one player.
#[derive(Clone)]
struct Alone(Hashed);

impl Alone {
    fn new(seed: u64) -> Self {
        let options =
            HashedOptions { seed, players: 1, depth: 12, levels: 200, ..Default::default() };
        Alone(options.root())
    }
}

impl fmt::Display for Alone {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl Game for Alone {
    type Move = <Hashed as Game>::Move;

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
        self.0.parse(text).map(Alone)
    }

    fn players(&self) -> usize {
        1
    }
}

impl OnePlayer for Alone {}

type Policy = BTreeMap<usize, f64>;

/// The listing as it stands: positions replayed, exponentials computed, policies copied.
struct Literal {
    n: u32,
    alpha: f64,
    rng: Rng,
}

impl Literal {
    fn odds<G: Game>(pos: &G, policy: &Policy) -> (Vec<f64>, f64) {
        let weight = |m| policy.get(&pos.code(m)).copied().unwrap_or(0.0);
        let odds: Vec<f64> = legal(pos).into_iter().map(|m| math::exp(weight(m))).collect();
        let sum = odds.iter().sum();
        (odds, sum)
    }

    fn playout<G: Game>(&mut self, root: &G, policy: &Policy) -> (f32, Vec<G::Move>) {
        let (mut pos, mut seq) = (root.clone(), Vec::new());
        while !pos.is_over() {
            let moves = legal(&pos);
            let mut index = 0;
            if moves.len() > 1 {
                let (odds, sum) = Self::odds(&pos, policy);
                let (target, mut so_far) = (self.rng.unit() * sum, odds[0]);
                while so_far <= target {
                    index += 1;
                    so_far += odds[index];
                }
            }
            seq.push(moves[index]);
            pos.play(moves[index]);
        }
        (pos.payoffs()[0], seq)
    }

    fn nrpa<G: Game>(&mut self, root: &G, level: u32, mut policy: Policy) -> (f32, Vec<G::Move>) {
        if level == 0 {
            return self.playout(root, &policy);
        }
        let mut best = (f32::NEG_INFINITY, Vec::new());
        for _ in 0..self.n {
            let found = self.nrpa(root, level - 1, policy.clone());
            if found.0 >= best.0 {
                best = found;
            }
            policy = self.adapt(root, &policy, &best.1);
        }
        best
    }

    fn adapt<G: Game>(&self, root: &G, policy: &Policy, seq: &[G::Move]) -> Policy {
        let (mut pos, mut new) = (root.clone(), policy.clone());
        for &m in seq {
            *new.entry(pos.code(m)).or_default() += self.alpha;
            let (odds, sum) = Self::odds(&pos, policy);
            for (l, odd) in legal(&pos).into_iter().zip(odds) {
                *new.entry(pos.code(l)).or_default() -= self.alpha * (odd / sum);
            }
            pos.play(m);
        }
        new
    }
}

#[test]
fn the_search_is_its_listing() {
    fn compare<G: OnePlayer>(root: &G, level: u32, n: u32, alpha: f64, seed: u64) {
        let config = NrpaConfig { level, n, alpha, ..NrpaConfig::default() };
        let report =
            Nrpa::new(config, seed).think(root, &mut Task::new(Limits::default())).unwrap();
        let mut slow = Literal { n, alpha, rng: Rng::new(seed) };
        let (value, sequence) = slow.nrpa(root, level, Policy::new());
        assert_eq!((report.value, report.pv), (value, sequence), "{root} {config:?}");
        assert_eq!(report.iterations, u64::from(n).pow(level));
    }
    for seed in 0..10 {
        for (level, n, alpha) in [(1, 30, 1.0), (2, 9, 1.0), (3, 6, 0.5), (4, 3, 2.0)] {
            compare(&Alone::new(seed), level, n, alpha, seed);
        }
    }
    compare(&Morpion::new(Variant::Disjoint), 1, 20, 1.0, 3);
    compare(&Morpion::new(Variant::Touching), 2, 6, 1.0, 4);
}

fn small() -> NrpaConfig {
    NrpaConfig { level: 2, n: 8, ..NrpaConfig::default() }
}

#[test]
fn the_player_keeps_the_contract() {
    fn conforms<G: OnePlayer>(start: &G) {
        for limits in [Limits::default(), Limits::iterations(20), Limits::nodes(100)] {
            check::player(start, limits, &check::Options::quick(), |seed| {
                Box::new(Nrpa::<G>::new(small(), seed))
            })
            .unwrap();
        }
    }
    check::one_player(&Alone::new(1), &check::Options::quick()).unwrap();
    conforms(&Alone::new(1));
    conforms(&Morpion::new(Variant::Disjoint));
}

/// One search, and the game is played by its plan; a move beside it makes a new one.
#[test]
fn the_sequence_found_is_played() {
    let mut pos = Morpion::new(Variant::Disjoint);
    let mut player = Nrpa::new(small(), 5);
    let found = player.think(&pos, &mut Task::new(Limits::default())).unwrap();
    assert_eq!(found.iterations, 64);
    for &m in &found.pv[..found.pv.len() - 1] {
        let report = player.think(&pos, &mut Task::new(Limits::default())).unwrap();
        assert_eq!((report.best, report.value, report.iterations), (m, found.value, 0));
        player.observe(&pos, m);
        pos.play(m);
    }
    let mut other = Morpion::new(Variant::Disjoint);
    let first = player.think(&other, &mut Task::new(Limits::default())).unwrap();
    assert_eq!(first.iterations, 64);
    let beside = legal(&other).into_iter().find(|&m| m != first.best).unwrap();
    player.observe(&other, beside);
    other.play(beside);
    let report = player.think(&other, &mut Task::new(Limits::default())).unwrap();
    assert_eq!(report.iterations, 64);
}

#[test]
fn budgets_end_it() {
    let game = Morpion::new(Variant::Touching);
    let endless = NrpaConfig { level: 9, ..NrpaConfig::default() };
    let think = |limits| Nrpa::new(endless, 1).think(&game, &mut Task::new(limits)).unwrap();
    for n in [1, 2, 99, 100, 101, 350] {
        let report = think(Limits::iterations(n));
        assert_eq!(report.iterations, n);
        assert_eq!(report.lines.iter().map(|l| l.visits).sum::<u64>(), n);
        assert_eq!(report.pv.len() as f32, report.value);
        assert_eq!(report.lines[0].mv, report.best);
        assert_eq!(report.lines[0].value, report.value);
    }
    for n in [1, 50, 5000] {
        let report = think(Limits::nodes(n));
        assert!((n..n + 200).contains(&report.nodes), "{}", report.nodes);
    }
    let started = Instant::now();
    think(Limits::time(Duration::from_millis(50)));
    assert!(started.elapsed() < Duration::from_secs(1));
    let report = think(Limits { iterations: Some(30), ..Limits::depth(3) });
    assert!(report.pv.len() == 3 && report.value == 3.0);
    let stop = Stop::new();
    stop.set();
    let mut task = Task::stoppable(Limits::default(), stop);
    Nrpa::new(endless, 1).think(&game, &mut task).unwrap();
}

/// Adaptation finds more than as many random games.
#[test]
fn nesting_is_better_than_chance() {
    let game = Morpion::new(Variant::Disjoint);
    for seed in 0..3 {
        let mut rng = Rng::new(seed);
        let random = (0..2500).map(|_| {
            let mut pos = game.clone();
            pos.playout(u32::MAX, &mut rng, &mut Vec::new())
        });
        let random = random.max().unwrap() as f32;
        let config = NrpaConfig { level: 2, n: 50, ..NrpaConfig::default() };
        let report =
            Nrpa::new(config, seed).think(&game, &mut Task::new(Limits::default())).unwrap();
        assert!(report.value >= random, "{} against {random}", report.value);
        assert!(report.value >= 58.0, "{}", report.value);
    }
}
