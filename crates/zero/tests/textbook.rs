//! The search in the arena equals the gomoku paper's search, written out as the paper has it,
//! simulation by simulation.

#![allow(clippy::unwrap_used)]

use spielbaum_core::{Game, Limits, Meter, Payoffs, Rng, Stop, TwoPlayer, math, zobrist};
use spielbaum_games::gomoku::Gomoku;
use spielbaum_search::bandit::Rule;
use spielbaum_zero::{Evaluator, Leaf, Leaves, Playouts, Search, SearchConfig};

/// Priors and values without sense that depend on the position alone.
struct Hashed;

impl<G: Game> Evaluator<G> for Hashed {
    fn judge(&mut self, leaves: &mut [Leaf<G>]) -> Result<(), String> {
        for leaf in leaves {
            let part = |i: u64| (zobrist::key(leaf.pos.key(), i) >> 40) as f32 / (1 << 24) as f32;
            leaf.priors = (0..leaf.moves.len() as u64).map(|i| part(i + 1)).collect();
            leaf.payoffs = [part(0), 1.0 - part(0), 0.0, 0.0, 0.0];
            leaf.plays = 0;
        }
        Ok(())
    }
}

/// A node of the paper: Q is the mean for the player who moved here, from -1 to 1.
struct Node {
    mv: Option<<Gomoku as Game>::Move>,
    prior: f32,
    n: u32,
    sum: f64,
    children: Vec<Node>,
}

impl Node {
    fn new(mv: Option<<Gomoku as Game>::Move>, prior: f32) -> Self {
        Node { mv, prior, n: 0, sum: 0.0, children: Vec::new() }
    }

    /// The score of a child; halved, so that the same roundings happen as on the scale from 0
    /// to 1, and a draw before the first visit.
    fn score(&self, parent: u32, config: &SearchConfig) -> f32 {
        let n = f64::from(self.n);
        let mean = if self.n == 0 { 0.5 } else { (self.sum / n) as f32 };
        let c = (config.c * 0.5) as f32;
        match config.rule {
            Rule::Puct => {
                let width = self.prior * (1.0 / (1.0 + n)) as f32;
                mean + c * f64::from(parent).sqrt() as f32 * width
            }
            _ if self.n == 0 => f32::INFINITY,
            _ => mean + c * math::ln(f64::from(parent)).sqrt() as f32 * (1.0 / n.sqrt()) as f32,
        }
    }

    /// One simulation; returns the payoffs, absolute.
    fn iterate(
        &mut self,
        pos: &mut Gomoku,
        config: &SearchConfig,
        judge: &mut dyn Evaluator<Gomoku>,
        rng: &mut Rng,
    ) -> Payoffs {
        // The player who moved here; the turn alternates beyond the end as well.
        let mover = 1 - pos.turn().player().unwrap();
        let payoffs = if pos.is_over() {
            pos.payoffs()
        } else if self.children.is_empty() {
            let mut leaves = Leaves::default();
            let leaf = leaves.push(pos);
            leaf.moves.clear();
            pos.moves(&mut leaf.moves);
            leaf.luck = rng.next();
            judge.judge(leaves.filled()).unwrap();
            let leaf = &leaves.filled()[0];
            let moves = leaf.moves.iter().zip(&leaf.priors);
            self.children = moves.map(|(&m, &p)| Node::new(Some(m), p)).collect();
            leaf.payoffs
        } else {
            let scores: Vec<f32> = self.children.iter().map(|c| c.score(self.n, config)).collect();
            let mut best = 0;
            for i in 1..scores.len() {
                if scores[i] > scores[best] {
                    best = i;
                }
            }
            pos.play(self.children[best].mv.unwrap());
            self.children[best].iterate(pos, config, judge, rng)
        };
        self.n += 1;
        self.sum += f64::from(payoffs[mover]);
        payoffs
    }
}

fn search<G: TwoPlayer>(
    search: &mut Search<G>,
    start: &G,
    judge: &mut dyn Evaluator<G>,
    batch: usize,
    iterations: u64,
) {
    let mut meter = Meter::new(Limits::iterations(iterations), Stop::new());
    let mut leaves = Leaves::default();
    search.begin(start, |_| true);
    loop {
        leaves.clear();
        if search.gather(batch, &mut leaves, &mut meter) == 0 {
            break;
        }
        judge.judge(leaves.filled()).unwrap();
        search.absorb(leaves.filled(), &mut meter);
    }
}

#[test]
fn the_arena_equals_the_paper_simulation_by_simulation() {
    let classic = SearchConfig { rule: Rule::Ucb1, c: 5.0 * 2f64.sqrt(), ..Default::default() };
    let low = SearchConfig { c: 0.7, ..Default::default() };
    for config in [SearchConfig::default(), low, classic] {
        for hashed in [false, true] {
            let judge = || -> Box<dyn Evaluator<Gomoku>> {
                if hashed { Box::new(Hashed) } else { Box::new(Playouts) }
            };
            let start = Gomoku::new(4, 4, 3).unwrap();
            let mut node = Node::new(None, 1.0);
            let (mut rng, mut theirs) = (Rng::new(5), judge());
            for n in 1..=700 {
                node.iterate(&mut start.clone(), &config, &mut *theirs, &mut rng);
                // The whole search again, so that every prefix is compared.
                if n % 50 > 3 {
                    continue;
                }
                let mut arena = Search::new(&config, 5);
                search(&mut arena, &start, &mut *judge(), 1, n);
                let ours: Vec<(u64, f64)> =
                    arena.edges().iter().map(|e| (e.visits, e.mean)).collect();
                let mean = |c: &Node| c.sum / f64::from(c.n.max(1));
                let paper: Vec<(u64, f64)> =
                    node.children.iter().map(|c| (u64::from(c.n), mean(c))).collect();
                assert_eq!(ours, paper, "{config:?} after {n}");
            }
        }
    }
}

/// Many positions at once: every simulation is counted once, and no virtual visit remains.
#[test]
fn batches_leave_nothing_behind() {
    let start = Gomoku::new(5, 5, 4).unwrap();
    for solver in [false, true] {
        for batch in [1, 3, 16, 64] {
            let config = SearchConfig { solver, c: 1.5, ..Default::default() };
            let mut arena = Search::new(&config, 1);
            search(&mut arena, &start, &mut Hashed, batch, 3000);
            assert_eq!(arena.tree().visits(), 3000, "batch {batch}");
            let below: u64 = arena.edges().iter().map(|e| e.visits).sum();
            assert_eq!(below, 2999, "batch {batch}");
            assert!(arena.edges().iter().all(|e| (0.0..=1.0).contains(&e.mean)));
        }
    }
}

/// Games side by side get what they would get alone.
#[test]
fn a_search_does_not_see_its_neighbours() {
    let config = SearchConfig::default();
    let starts: Vec<Gomoku> =
        [3, 4, 5, 6].iter().map(|&side| Gomoku::new(side, side, 3).unwrap()).collect();
    let alone: Vec<_> = (starts.iter().zip(0..))
        .map(|(start, seed)| {
            let mut arena = Search::new(&config, seed);
            search(&mut arena, start, &mut Playouts, 1, 300);
            arena.edges()
        })
        .collect();
    let mut games: Vec<Search<Gomoku>> = (0..4).map(|seed| Search::new(&config, seed)).collect();
    let mut meters: Vec<Meter> =
        (0..4).map(|_| Meter::new(Limits::iterations(300), Stop::new())).collect();
    starts.iter().zip(&mut games).for_each(|(start, game)| game.begin(start, |_| true));
    let mut leaves = Leaves::default();
    loop {
        leaves.clear();
        let counts: Vec<usize> = (games.iter_mut().zip(&mut meters))
            .map(|(game, meter)| game.gather(1, &mut leaves, meter))
            .collect();
        if leaves.is_empty() {
            break;
        }
        Playouts.judge(leaves.filled()).unwrap();
        let mut rest = &*leaves.filled();
        for ((game, meter), n) in games.iter_mut().zip(&mut meters).zip(counts) {
            let (own, others) = rest.split_at(n);
            game.absorb(own, meter);
            rest = others;
        }
    }
    for (game, alone) in games.iter().zip(&alone) {
        assert_eq!(game.edges(), *alone);
    }
}
