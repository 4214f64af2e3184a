//! Monte-Carlo tree search: select and expand, evaluate, back up.
//!
//! Its parts are orthogonal: the [rule](Rule) of selection on its [scale](Scale), how the tree
//! [grows](Expansion), what [evaluates](Leaf) a new node, what is [proven](Solver), which move is
//! [chosen](Choice) in the end, where the statistics [are](Store), and whether they are kept between
//! moves.

use crate::bandit::{Bandit, Rule, Scale};
use crate::graph::End;
use crate::leaf::{Leaf, Playout};
use crate::policy::Uniform;
use crate::ranking::{Ranked, Ranking};
use crate::store::Shape;
pub use crate::store::Store;
use crate::trace::Unseen;
use crate::tree::{
    ChanceNodes, Expansion, Order, ROOT, Slot, Solver, Visited, Widening, payoff, rank,
};
use spielbaum_core::{
    Bound, Eval, Forfeit, Game, Line, Meter, Player, Proof, Report, Reward, Rng, Task, TwoPlayer,
};

/// What makes one Monte-Carlo search different from another. Playouts other than uniform ones
/// and proofs are given to [`Mcts::evaluated_by`] and [`Mcts::solving`].
#[derive(Clone, PartialEq, Debug)]
pub struct MctsConfig {
    /// The bound that selection compares.
    pub rule: Rule,
    /// Its exploration constant, on the scale below.
    pub c: f64,
    /// The constant of [`Rule::SinglePlayer`], on the same scale squared.
    pub d: f64,
    /// The scale on which rewards meet `c`.
    pub scale: Scale,
    /// What the search maximises.
    pub reward: Reward,
    /// Uniform playouts end after so many moves, if set.
    pub cutoff: Option<u32>,
    /// When children come into being.
    pub expansion: Expansion,
    /// In which order they are first visited.
    pub order: Order,
    /// What happens where chance acts.
    pub chance: ChanceNodes,
    /// How the number of a node's children is held back, if it is; for [`Expansion::One`].
    pub widening: Option<Widening>,
    /// Which root move is played in the end.
    pub choice: Choice,
    /// Where the statistics are.
    pub store: Store,
    /// Whether they are kept between moves: the visits of the new root carry over, and the
    /// simulations of a search come on top of them. For a tree the moves must have been
    /// [observed](Player::observe).
    pub reuse: bool,
    /// Memory for the tree or graph, in bytes.
    pub memory: usize,
}

impl Default for MctsConfig {
    fn default() -> Self {
        MctsConfig {
            rule: Rule::Ucb1,
            c: 1.414,
            d: 1.0,
            scale: Scale::Observed,
            reward: Reward::Win,
            cutoff: None,
            expansion: Expansion::One,
            order: Order::Random,
            chance: ChanceNodes::Sampled,
            widening: None,
            choice: Choice::Robust,
            store: Store::Tree,
            reuse: false,
            memory: 1 << 30,
        }
    }
}

/// Which root move is played in the end. Whatever the rule, a proven win comes first and proven
/// losses last.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub enum Choice {
    /// The most visits; of equals the best mean.
    #[default]
    Robust,
    /// The best mean.
    Max,
    /// The best bound `v + a / √n` of the mean `v` on the scale of selection after `n` visits:
    /// the secure child (Chaslot et al. 2008), a lower bound, has a negative `a`; the
    /// literature prints a plus. A proven draw is as good as it is, without a margin.
    Secure(f64),
}

impl Choice {
    /// How good a root move is, `unit` being the width of a unit of the scale.
    fn merit<M>(self, root: &Visited<M>, unit: f64) -> (f64, f64) {
        match self {
            Choice::Secure(_) if root.proof == Some(Proof::Draw) => (root.mean, 0.0),
            _ => self.value(root.visits, root.mean, unit),
        }
    }

    /// The same of a move that is not proven.
    pub(crate) fn value(self, visits: u64, mean: f64, unit: f64) -> (f64, f64) {
        match self {
            Choice::Robust => (visits as f64, mean),
            Choice::Max => (mean, 0.0),
            Choice::Secure(a) => (mean + a * unit / (visits.max(1) as f64).sqrt(), 0.0),
        }
    }
}

/// A Monte-Carlo tree search as a player.
///
/// ```
/// use spielbaum_core::{Limits, Player, Proof, Task, synthetic::Literal};
/// use spielbaum_search::mcts::{Mcts, MctsConfig};
/// use spielbaum_search::tree::Solver;
/// let game = Literal::two_player("((1 0) (1 1) (0 0))").unwrap();
/// let mut uct = Mcts::new(&MctsConfig::default(), 7);
/// let report = uct.think(&game, &mut Task::new(Limits::iterations(200))).unwrap();
/// assert_eq!(report.best.to_string(), "2");
///
/// let mut solver = Mcts::new(&MctsConfig::default(), 7).solving(Solver::new());
/// let report = solver.think(&game, &mut Task::new(Limits::iterations(200))).unwrap();
/// assert_eq!(report.proven, Some(Proof::Win));
/// assert!(report.iterations < 20);
/// ```
pub struct Mcts<G: Game> {
    shape: Shape<G::Move>,
    bandit: Bandit,
    leaf: Box<dyn Leaf<G>>,
    solver: Option<Solver<G>>,
    ranking: Option<Ranking<G>>,
    choice: Choice,
    rng: Rng,
    reuse: bool,
    /// Where the game has come to in the kept tree: the key of the position and its node. A kept
    /// graph finds any position again, so the node is of no use there.
    here: Option<(u64, Slot)>,
}

impl<G: Game> Mcts<G> {
    /// A search with uniform playouts.
    pub fn new(config: &MctsConfig, seed: u64) -> Self {
        let bandit = Bandit::with(config.rule, config.c, config.scale).doubting(config.d);
        Mcts {
            shape: Shape::new(config, &bandit),
            bandit,
            leaf: Box::new(Playout::new(Uniform, config.reward, config.cutoff)),
            solver: None,
            ranking: None,
            choice: config.choice,
            rng: Rng::new(seed),
            reuse: config.reuse,
            here: None,
        }
    }

    /// The same search with other playouts, or whatever else judges new nodes.
    pub fn evaluated_by(mut self, leaf: Box<dyn Leaf<G>>) -> Self {
        self.leaf = leaf;
        self
    }

    /// The same search with children in the order of an evaluation, best first. The configuration's
    /// order must be [`Order::Generation`].
    pub fn ranked_by(mut self, eval: Box<dyn Eval<G>>) -> Self {
        self.ranking = Some(Ranking::new(eval));
        self
    }

    /// Makes tree or graph ready for a search: the kept one, if it leads here, or a new one.
    /// Returns whether all moves of the position are admitted.
    fn prepare(&mut self, root: &G, task: &Task<'_, G::Move>) -> bool {
        let mut moves = Vec::new();
        root.moves(&mut moves);
        let is_whole = moves.iter().all(|&m| task.admits(m));
        let here = self.here.take();
        match &mut self.shape {
            Shape::Graph(graph) if is_whole && here.is_some() => graph.resume(root),
            Shape::Graph(graph) => graph.plant(root, |m| task.admits(m)),
            Shape::Tree(tree) => {
                match here {
                    Some((key, slot)) if is_whole && key == root.key() => tree.reroot(slot, root),
                    _ => tree.plant(root, |m| task.admits(m)),
                }
                if let Some(ranking) = &mut self.ranking {
                    tree.rank_root(|moves| ranking.sort(root, moves));
                }
                if self.solver.is_some() {
                    tree.prove_root(root, |m| task.admits(m));
                }
            }
        }
        is_whole
    }

    /// One simulation, from a copy of the root.
    #[inline(always)]
    fn simulate(&mut self, root: &G, pos: &mut G, meter: &mut Meter) {
        let (rng, bandit) = (&mut self.rng, &mut self.bandit);
        match &mut self.shape {
            Shape::Graph(graph) => {
                let end = match self.leaf.trace() {
                    None => graph.descend(pos, bandit, &mut Unseen, rng, meter),
                    Some(trace) => graph.descend(pos, bandit, trace, rng, meter),
                };
                let rewards = match end {
                    End::Open => self.leaf.evaluate(pos, rng, meter),
                    End::Circle => self.leaf.settle(pos),
                };
                bandit.observe(&rewards, root.players());
                graph.backup(&rewards, bandit);
            }
            Shape::Tree(tree) => {
                let proof = match (&mut self.solver, self.leaf.trace(), &mut self.ranking) {
                    (None, None, None) => {
                        tree.descend(pos, bandit, rng, meter);
                        None
                    }
                    (None, Some(trace), None) => {
                        tree.descend_seen(pos, bandit, trace, rng, meter);
                        None
                    }
                    (None, trace, Some(ranking)) => {
                        let mut ranked = Ranked { ranking, trace };
                        tree.descend_seen(pos, bandit, &mut ranked, rng, meter);
                        None
                    }
                    (Some(solver), None, None) => {
                        tree.descend_proving(pos, bandit, solver, &mut Unseen, rng, meter)
                    }
                    (Some(solver), Some(seen), None) => {
                        tree.descend_proving(pos, bandit, solver, seen, rng, meter)
                    }
                    (Some(solver), trace, Some(ranking)) => {
                        let seen = &mut Ranked { ranking, trace };
                        tree.descend_proving(pos, bandit, solver, seen, rng, meter)
                    }
                };
                if let (Some(proof), Some(solver)) = (proof, &mut self.solver)
                    && tree.backup_proof(proof, root, bandit, solver, meter)
                {
                    return;
                }
                let rewards = self.leaf.evaluate(pos, rng, meter);
                bandit.observe(&rewards, root.players());
                tree.backup(&rewards, bandit);
            }
        }
    }

    fn report(
        &self,
        root: &G,
        is_whole: bool,
        task: &Task<'_, G::Move>,
    ) -> Option<Report<G::Move>> {
        let mut roots = self.shape.root_moves();
        let unit = self.bandit.unit();
        let merit = |v: &Visited<G::Move>| self.choice.merit(v, unit);
        // A stable sort: of equals the first.
        roots.sort_by(|a, b| {
            let ((x, x2), (y, y2)) = (merit(a), merit(b));
            let by_merit = y.total_cmp(&x).then(y2.total_cmp(&x2));
            rank(b.proof).cmp(&rank(a.proof)).then(by_merit)
        });
        let best = roots.first()?;
        let value = |v: &Visited<G::Move>| v.proof.map_or(v.mean as f32, payoff);
        let mut report = Report::new(best.mv, value(best), &task.meter);
        // With some moves left out, only a win says something about the position.
        report.proven = self.shape.proof().filter(|&p| is_whole || p == Proof::Win);
        report.pv = self.shape.principal_variation(root, best);
        report.depth = self.shape.depth();
        report.note = self.shape.note();
        report.lines = (roots.iter())
            .map(|r| Line {
                mv: r.mv,
                visits: r.visits,
                value: value(r),
                bound: Bound::Exact,
                prior: None,
                proven: r.proof,
            })
            .collect();
        Some(report)
    }
}

impl<G: TwoPlayer> Mcts<G> {
    /// The same search with proven results in its tree. It ends as soon as the root is proven.
    /// Results are those of the official payoffs: a search that maximises points
    /// ([`Reward`]) has no use for it, nor has one on a [graph](Store::Graph), which proves
    /// nothing.
    pub fn solving(mut self, solver: Solver<G>) -> Self {
        self.solver = Some(solver);
        self
    }
}

impl<G: Game> Player<G> for Mcts<G> {
    fn think(
        &mut self,
        root: &G,
        task: &mut Task<'_, G::Move>,
    ) -> Result<Report<G::Move>, Forfeit> {
        self.bandit.reset();
        self.leaf.begin(root);
        let is_whole = self.prepare(root, task);
        let mut pos = root.clone();
        while self.shape.proof().is_none() && task.meter.iteration() {
            pos.clone_from(root);
            self.simulate(root, &mut pos, &mut task.meter);
            if task.is_due()
                && let Some(report) = self.report(root, is_whole, task)
            {
                task.publish(&report);
            }
        }
        if self.reuse && is_whole {
            self.here = Some((root.key(), ROOT));
        }
        self.report(root, is_whole, task)
            .ok_or_else(|| Forfeit::Crashed("there is no move to choose from".into()))
    }

    fn restart(&mut self, seed: u64) {
        self.rng = Rng::new(seed);
        self.leaf.restart();
        self.here = None;
    }

    /// Follows the game through the kept tree. A move that no simulation tried, or that was
    /// played elsewhere, loses it.
    fn observe(&mut self, pos: &G, m: G::Move) {
        let Shape::Tree(tree) = &self.shape else { return };
        self.here = self.here.take().filter(|&(key, _)| key == pos.key()).and_then(|(_, slot)| {
            let child = tree.child(slot, m)?;
            let mut next = pos.clone();
            next.play(m);
            Some((next.key(), child))
        });
    }

    fn bytes(&self) -> usize {
        self.shape.bytes() + self.leaf.bytes()
    }
}
