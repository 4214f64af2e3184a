//! A judged search as a player.

use crate::choice::{dirichlet, draw, policy};
use crate::evaluator::{Evaluator, Leaves};
use crate::search::{Noise, Search, SearchConfig};
use spielbaum_core::{Forfeit, Game, Line, Player, Proof, Report, Rng, Task, TwoPlayer};
use spielbaum_search::tree::Edge;

/// How a player searches and chooses.
#[derive(Clone, PartialEq, Debug)]
pub struct ZeroConfig {
    /// The search.
    pub search: SearchConfig,
    /// Positions of one tree that are judged together.
    pub batch: usize,
    /// The move is drawn from visits^(1/temperature).
    pub temperature: f64,
    /// Noise on the distribution from which the move is drawn.
    pub noise: Option<Noise>,
    /// Whether the tree is kept between moves.
    pub reuse: bool,
}

impl Default for ZeroConfig {
    fn default() -> Self {
        ZeroConfig {
            search: SearchConfig::default(),
            batch: 1,
            temperature: 0.001,
            noise: None,
            reuse: false,
        }
    }
}

/// The players of the gomoku paper: UCT, Zero, ZeroX and Flat differ in who judges and in
/// configuration only.
///
/// ```
/// use spielbaum_core::{Limits, Player, Task, text};
/// use spielbaum_games::gomoku::Gomoku;
/// use spielbaum_zero::{Playouts, Zero, ZeroConfig};
/// let mut game = Gomoku::new(3, 3, 3).unwrap();
/// text::play_moves(&mut game, "b2 a1 a2 a3").unwrap();
/// let mut uct = Zero::new(&ZeroConfig::default(), Box::new(Playouts), 7);
/// let report = uct.think(&game, &mut Task::new(Limits::iterations(2000))).unwrap();
/// assert_eq!(report.best.to_string(), "c2");
/// ```
pub struct Zero<G: Game> {
    search: Search<G>,
    evaluator: Box<dyn Evaluator<G>>,
    leaves: Leaves<G>,
    config: ZeroConfig,
    /// Draws moves; the search has its own numbers.
    rng: Rng,
}

impl<G: TwoPlayer> Zero<G> {
    /// A player with this judge.
    pub fn new(config: &ZeroConfig, evaluator: Box<dyn Evaluator<G>>, seed: u64) -> Self {
        Zero {
            search: Search::new(&config.search, Rng::split(seed, 0)),
            evaluator,
            leaves: Leaves::default(),
            config: config.clone(),
            rng: Rng::new(Rng::split(seed, 1)),
        }
    }

    fn choose(&mut self, edges: &[Edge<G::Move>]) -> usize {
        let mut chances = policy(edges, self.config.temperature);
        if let Some(Noise { part, alpha }) = self.config.noise {
            let noise = dirichlet(alpha, chances.len(), &mut self.rng);
            for (p, n) in chances.iter_mut().zip(noise) {
                *p = (1.0 - part) * *p + part * n;
            }
        }
        draw(&chances, &mut self.rng)
    }

    /// What the search has found. The move is drawn at the end only: a look on the way must not
    /// use up random numbers.
    fn report(
        &mut self,
        is_whole: bool,
        is_final: bool,
        task: &Task<'_, G::Move>,
    ) -> Option<Report<G::Move>> {
        let mut edges = self.search.edges();
        let best = match is_final {
            _ if edges.is_empty() => return None,
            true => edges[self.choose(&edges)],
            false => first_best(&edges),
        };
        let rank = |e: &Edge<G::Move>| match e.proof {
            Some(Proof::Win) => 2,
            Some(Proof::Loss) => 0,
            _ => 1,
        };
        edges.sort_by(|a, b| {
            let by_mean = b.mean.total_cmp(&a.mean).then(b.prior.total_cmp(&a.prior));
            let is_best = (b.mv == best.mv).cmp(&(a.mv == best.mv));
            is_best.then(rank(b).cmp(&rank(a))).then(b.visits.cmp(&a.visits)).then(by_mean)
        });
        let value = |e: &Edge<G::Move>| match e.proof {
            Some(Proof::Win) => 1.0,
            Some(Proof::Draw) => 0.5,
            Some(Proof::Loss) => 0.0,
            None if e.visits > 0 => e.mean as f32,
            None => self.search.value() as f32,
        };
        let mut report = Report::new(best.mv, value(&best), &task.meter);
        let tree = self.search.tree();
        report.proven = self.search.proof().filter(|&p| is_whole || p == Proof::Win);
        if let Some(visited) = tree.root_moves().find(|v| v.mv == best.mv) {
            report.pv = tree.principal_variation(&visited);
        }
        report.depth = tree.depth();
        report.lines = (edges.iter())
            .filter(|e| e.visits > 0 || e.proof.is_some() || best.visits == 0)
            .map(|e| Line {
                mv: e.mv,
                visits: e.visits,
                value: value(e),
                is_bound: false,
                prior: Some(e.prior),
                proven: e.proof,
            })
            .collect();
        if tree.is_full() {
            let kib = tree.bytes() >> 10;
            report.note = Some(format!("the tree stopped growing at its memory limit ({kib} KiB)"));
        }
        Some(report)
    }
}

/// The first of the likeliest moves.
fn first_best<M: Copy>(edges: &[Edge<M>]) -> Edge<M> {
    let chances = policy(edges, 1.0);
    let best = (1..edges.len()).fold(0, |a, b| if chances[b] > chances[a] { b } else { a });
    edges[best]
}

impl<G: TwoPlayer> Player<G> for Zero<G> {
    fn think(
        &mut self,
        root: &G,
        task: &mut Task<'_, G::Move>,
    ) -> Result<Report<G::Move>, Forfeit> {
        self.search.begin(root, |m| task.admits(m));
        let mut moves = Vec::new();
        root.moves(&mut moves);
        let is_whole = moves.iter().all(|&m| task.admits(m));
        loop {
            self.leaves.clear();
            if self.search.gather(self.config.batch, &mut self.leaves, &mut task.meter) == 0 {
                break;
            }
            self.evaluator.judge(self.leaves.filled()).map_err(Forfeit::Crashed)?;
            self.search.absorb(self.leaves.filled(), &mut task.meter);
            if self.leaves.filled().iter().all(|leaf| leaf.plays == 0) {
                // A network takes long and makes no plays that would look at the clock.
                task.meter.check();
            }
            if task.is_due()
                && let Some(report) = self.report(is_whole, false, task)
            {
                task.publish(&report);
            }
        }
        if self.config.reuse && is_whole {
            self.search.keep();
        }
        self.report(is_whole, true, task)
            .ok_or_else(|| Forfeit::Crashed("there is no move to choose from".into()))
    }

    fn fits(&mut self, start: &G) -> Result<(), String> {
        self.evaluator.fits(start)
    }

    fn restart(&mut self, seed: u64) {
        self.search.restart(Rng::split(seed, 0));
        self.rng = Rng::new(Rng::split(seed, 1));
    }

    fn observe(&mut self, pos: &G, m: G::Move) {
        self.search.follow(pos, m);
    }

    fn bytes(&self) -> usize {
        self.search.tree().bytes() + self.evaluator.bytes()
    }
}
