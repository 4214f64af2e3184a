//! A judged search as a player.

use crate::choice::{dirichlet, draw, is_hopeless, policy};
use crate::evaluator::{Evaluator, Leaves, play_out};
use crate::search::{Noise, Search, SearchConfig};
use spielbaum_core::{
    Bound, Forfeit, Game, Line, Meter, Player, Proof, Report, Rng, Task, TwoPlayer,
};
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
    /// Random games that judge each position of the search in a lost position; 0: there is no
    /// such search.
    pub resist: u32,
}

/// Parts of the budget after which the player asks itself whether it has lost.
const LOOKS: [f64; 2] = [0.25, 0.5];

/// Exploration constant of the search in lost positions: random games are as noisy a value as in the
/// gomoku paper's UCT, which has the same.
const RESISTING: f64 = 5.0;

impl Default for ZeroConfig {
    fn default() -> Self {
        ZeroConfig {
            search: SearchConfig::default(),
            batch: 1,
            temperature: 0.001,
            noise: None,
            reuse: false,
            resist: 0,
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
    /// The search in lost positions.
    resistance: Option<Search<G>>,
    evaluator: Box<dyn Evaluator<G>>,
    leaves: Leaves<G>,
    config: ZeroConfig,
    /// Draws moves; the search has its own numbers.
    rng: Rng,
}

impl<G: TwoPlayer> Zero<G> {
    /// A player with this judge.
    pub fn new(config: &ZeroConfig, evaluator: Box<dyn Evaluator<G>>, seed: u64) -> Self {
        let resisting =
            SearchConfig { c: RESISTING, solver: false, noise: None, ..config.search.clone() };
        Zero {
            search: Search::new(&config.search, Rng::split(seed, 0)),
            resistance: (config.resist > 0).then(|| Search::new(&resisting, Rng::split(seed, 2))),
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

    /// Searches until the budget is spent, the result is proven or the position turns out to be
    /// lost while something is left to resist with.
    fn explore(&mut self, is_whole: bool, task: &mut Task<'_, G::Move>) -> Result<(), Forfeit> {
        let mut looks = LOOKS.iter().filter(|_| self.resistance.is_some()).peekable();
        let batch = self.config.batch;
        while ask(
            &mut self.search,
            &mut *self.evaluator,
            &mut self.leaves,
            batch,
            0,
            &mut task.meter,
        )? {
            if task.is_due()
                && let Some(report) = self.report(is_whole, None, task)
            {
                task.publish(&report);
            }
            if looks.next_if(|&&look| task.meter.progress() >= look).is_some()
                && is_hopeless(&self.search.edges())
            {
                break;
            }
        }
        Ok(())
    }

    /// The move in a lost position, with what is left of the budget: a search with the network's
    /// probabilities in which random games are the value and nothing is proven. The network tells
    /// no lost positions apart; random games tell in which of them few answers win, and there a
    /// fallible opponent goes wrong. Moves that lose at once are left out. `None`: the position is
    /// not lost, or nothing is left.
    fn resist(
        &mut self,
        root: &G,
        task: &mut Task<'_, G::Move>,
    ) -> Result<Option<G::Move>, Forfeit> {
        let edges = self.search.edges();
        let Some(search) = self.resistance.as_mut().filter(|_| is_hopeless(&edges)) else {
            return Ok(None);
        };
        // What was refuted without a visit is refuted by anyone.
        let holds = |e: &&Edge<G::Move>| e.visits > 0 || e.proof != Some(Proof::Loss);
        let moves: Vec<G::Move> = edges.iter().filter(holds).map(|e| e.mv).collect();
        if moves.len() < 2 || task.meter.is_unlimited() {
            return Ok(None);
        }
        search.begin(root, |m| moves.contains(&m) && task.admits(m));
        let (batch, playouts) = (self.config.batch, self.config.resist);
        let (evaluator, leaves) = (&mut *self.evaluator, &mut self.leaves);
        while ask(search, evaluator, leaves, batch, playouts, &mut task.meter)? {}
        let found = search.edges();
        if found.iter().all(|e| e.visits == 0) {
            return Ok(None);
        }
        Ok(Some(found[self.choose(&found)].mv))
    }

    /// What the search has found. Without a chosen move it is a look on the way, which must not
    /// use up random numbers.
    fn report(
        &self,
        is_whole: bool,
        chosen: Option<G::Move>,
        task: &Task<'_, G::Move>,
    ) -> Option<Report<G::Move>> {
        let mut edges = self.search.edges();
        let best = match chosen {
            _ if edges.is_empty() => return None,
            Some(chosen) => *edges.iter().find(|e| e.mv == chosen)?,
            None => first_best(&edges),
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
                bound: Bound::Exact,
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

/// One round of a search: positions are gathered, judged and taken up; `false` at its end. With
/// `playouts`, random games judge in the place of the network's value.
fn ask<G: TwoPlayer>(
    search: &mut Search<G>,
    evaluator: &mut dyn Evaluator<G>,
    leaves: &mut Leaves<G>,
    batch: usize,
    playouts: u32,
    meter: &mut Meter,
) -> Result<bool, Forfeit> {
    leaves.clear();
    if search.gather(batch, leaves, meter) == 0 {
        return Ok(false);
    }
    evaluator.judge(leaves.filled()).map_err(Forfeit::Crashed)?;
    if playouts > 0 {
        play_out(leaves.filled(), playouts, 1.0);
    }
    search.absorb(leaves.filled(), meter);
    if leaves.filled().iter().all(|leaf| leaf.plays == 0) {
        // A network takes long and makes no plays that would look at the clock.
        meter.check();
    }
    Ok(true)
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
        self.explore(is_whole, task)?;
        if self.config.reuse && is_whole {
            self.search.keep();
        }
        let chosen = match self.resist(root, task)? {
            Some(chosen) => Some(chosen),
            None => {
                let edges = self.search.edges();
                (!edges.is_empty()).then(|| edges[self.choose(&edges)].mv)
            }
        };
        (chosen.and_then(|chosen| self.report(is_whole, Some(chosen), task)))
            .ok_or_else(|| Forfeit::Crashed("there is no move to choose from".into()))
    }

    fn fits(&mut self, start: &G) -> Result<(), String> {
        self.evaluator.fits(start)
    }

    fn restart(&mut self, seed: u64) {
        self.search.restart(Rng::split(seed, 0));
        self.rng = Rng::new(Rng::split(seed, 1));
        if let Some(search) = &mut self.resistance {
            search.restart(Rng::split(seed, 2));
        }
    }

    fn observe(&mut self, pos: &G, m: G::Move) {
        self.search.follow(pos, m);
    }

    fn bytes(&self) -> usize {
        let resistance = self.resistance.as_ref().map_or(0, |search| search.tree().bytes());
        self.search.tree().bytes() + resistance + self.evaluator.bytes()
    }
}
