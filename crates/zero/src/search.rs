//! Tree search with a judge outside: it gathers positions, and takes up what was said of them.
//!
//! Nobody waits inside a search, so many searches can fill one batch: all gather, the judge
//! answers all at once, all absorb.

use crate::choice::dirichlet;
use crate::evaluator::{Leaf, Leaves};
use spielbaum_core::{Game, Meter, Proof, Rng, TwoPlayer};
use spielbaum_search::bandit::{Bandit, Rule, Scale};
use spielbaum_search::tree::{Arrival, Descent, Edge, Expansion, Order, Slot, Solver, Tree};

/// What makes one search different from another.
#[derive(Clone, PartialEq, Debug)]
pub struct SearchConfig {
    /// The bound that selection compares, on values from -1 to 1.
    pub rule: Rule,
    /// Its exploration constant.
    pub c: f64,
    /// What a move is worth before its first visit: so much less than its position, on the scale
    /// from -1 to 1. `None`: a draw.
    pub urgency: Option<f64>,
    /// Whether results are proven in the tree.
    pub solver: bool,
    /// Noise on the priors at the root.
    pub noise: Option<Noise>,
    /// Memory for the tree, in bytes.
    pub memory: usize,
}

impl Default for SearchConfig {
    fn default() -> Self {
        SearchConfig {
            rule: Rule::Puct,
            c: 5.0,
            urgency: None,
            solver: false,
            noise: None,
            memory: 1 << 30,
        }
    }
}

/// Dirichlet noise.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Noise {
    /// Its part of the mixture.
    pub part: f64,
    /// Its concentration: the smaller, the fewer moves share it.
    pub alpha: f64,
}

/// One search, which can be kept from move to move.
pub struct Search<G: Game> {
    tree: Tree<G::Move>,
    bandit: Bandit,
    solver: Option<Solver<G>>,
    urgency: Option<f32>,
    noise: Option<Noise>,
    rng: Rng,
    root: Option<G>,
    /// Where the game has come to in the kept tree.
    here: Option<(u64, Slot)>,
    pending: Vec<Descent>,
    spare: Vec<Descent>,
    /// A simulation was granted that led to a position which is being judged already.
    owed: bool,
}

impl<G: TwoPlayer> Search<G> {
    /// A search that has seen nothing.
    pub fn new(config: &SearchConfig, seed: u64) -> Self {
        let bandit = Bandit::with(config.rule, config.c, Scale::Signed);
        let tree = Tree::growing(config.memory, Expansion::All, Order::Generation);
        Search {
            tree: tree.serving(&bandit).judged(),
            bandit,
            solver: config.solver.then(Solver::new),
            urgency: config.urgency.map(|u| (u / 2.0) as f32),
            noise: config.noise,
            rng: Rng::new(seed),
            root: None,
            here: None,
            pending: Vec::new(),
            spare: Vec::new(),
            owed: false,
        }
    }

    /// Forgets everything.
    pub fn restart(&mut self, seed: u64) {
        self.rng = Rng::new(seed);
        self.here = None;
    }

    /// Noise for the next searches.
    pub fn set_noise(&mut self, noise: Option<Noise>) {
        self.noise = noise;
    }

    /// Random numbers of this search.
    pub fn rng(&mut self) -> &mut Rng {
        &mut self.rng
    }

    /// Begins at a position, with the kept tree if it leads there. Only moves for which `admit`
    /// is true are considered at the root; then no tree is kept.
    pub fn begin(&mut self, pos: &G, admit: impl Fn(G::Move) -> bool) {
        // Descents of a search that was broken off.
        self.spare.append(&mut self.pending);
        self.owed = false;
        let mut moves = Vec::new();
        pos.moves(&mut moves);
        let is_whole = moves.iter().all(|&m| admit(m));
        match self.here.take() {
            Some((key, slot)) if is_whole && key == pos.key() => {
                self.tree.reroot(slot, pos);
                if self.tree.is_judged() {
                    self.add_noise();
                }
            }
            _ => self.tree.plant(pos, &admit),
        }
        if self.solver.is_some() {
            self.tree.prove_root(pos, &admit);
        }
        match &mut self.root {
            Some(root) => root.clone_from(pos),
            None => self.root = Some(pos.clone()),
        }
    }

    /// Keeps the tree for the position after the next [`follow`](Search::follow).
    pub fn keep(&mut self) {
        self.here = self.root.as_ref().map(|root| (root.key(), self.tree.root()));
    }

    /// Sees a move of the game. A move that no simulation tried loses the tree.
    pub fn follow(&mut self, pos: &G, m: G::Move) {
        self.here = self.here.take().filter(|&(key, _)| key == pos.key()).and_then(|(_, slot)| {
            let child = self.tree.child(slot, m)?;
            let mut next = pos.clone();
            next.play(m);
            Some((next.key(), child))
        });
    }

    /// Starts simulations until `most` positions wait for a judge, the meter says stop or the
    /// root is proven. Simulations that end without a judge are finished at once. Returns how
    /// many positions were appended.
    pub fn gather(&mut self, most: usize, leaves: &mut Leaves<G>, meter: &mut Meter) -> usize {
        let Some(root) = &self.root else { return 0 };
        let before = leaves.len();
        while leaves.len() - before < most && self.tree.proof().is_none() {
            if !self.owed && !meter.iteration() {
                break;
            }
            self.owed = false;
            let leaf = leaves.push(root);
            let (tree, bandit) = (&mut self.tree, &self.bandit);
            let proving = self.solver.is_some();
            match tree.descend_judged(&mut leaf.pos, bandit, proving, &mut leaf.moves, meter) {
                Arrival::New if self.pending.iter().any(|d| tree.is_at_end_of(d)) => {
                    self.owed = true;
                    leaves.pop();
                    break;
                }
                Arrival::New => {
                    leaf.luck = self.rng.next();
                    let mut descent = self.spare.pop().unwrap_or_default();
                    tree.suspend(&mut descent, bandit);
                    self.pending.push(descent);
                    continue;
                }
                Arrival::Over => tree.backup(&leaf.pos.payoffs(), bandit),
                Arrival::Deep => tree.backup(&tree.worth_here(), bandit),
                Arrival::Proven(proof) => {
                    if let Some(solver) = &mut self.solver {
                        tree.backup_proof(proof, root, bandit, solver, meter);
                    }
                }
            }
            leaves.pop();
        }
        leaves.len() - before
    }

    /// Takes up the judgements of the positions that the last [`gather`](Search::gather)
    /// appended, in their order.
    pub fn absorb(&mut self, leaves: &[Leaf<G>], meter: &mut Meter) {
        let mut pending = std::mem::take(&mut self.pending);
        for (descent, leaf) in pending.iter_mut().zip(leaves) {
            self.tree.resume(descent, &self.bandit);
            let was_judged = self.tree.is_judged();
            let first = match (self.urgency, leaf.pos.turn().player()) {
                (Some(urgency), Some(seat)) => leaf.payoffs[seat] - urgency,
                _ => 0.5,
            };
            self.tree.grow(&leaf.pos, &leaf.moves, &leaf.priors, first, &self.bandit);
            self.tree.backup(&leaf.payoffs, &self.bandit);
            if !was_judged && self.tree.is_judged() {
                self.add_noise();
            }
            meter.plays(leaf.plays);
        }
        self.spare.append(&mut pending);
    }

    fn add_noise(&mut self) {
        let Some(Noise { part, alpha }) = self.noise else { return };
        let drawn = dirichlet(alpha, self.tree.root_edges().count(), &mut self.rng);
        let mixed =
            |i: usize, prior: f32| ((1.0 - part) * f64::from(prior) + part * drawn[i]) as f32;
        self.tree.reweigh_root(&self.bandit, mixed);
    }

    /// The result of the root for the player to move, if proven.
    pub fn proof(&self) -> Option<Proof> {
        self.tree.proof()
    }

    /// The moves at the root; none before it is judged.
    pub fn edges(&self) -> Vec<Edge<G::Move>> {
        self.tree.root_edges().collect()
    }

    /// What the player to move may expect by the visits of the root, from 0 to 1.
    pub fn value(&self) -> f64 {
        1.0 - self.tree.root_mean()
    }

    /// The tree, for reports.
    pub fn tree(&self) -> &Tree<G::Move> {
        &self.tree
    }
}
