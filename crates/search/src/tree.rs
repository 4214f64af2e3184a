//! The search tree: one arena for games of one to five players, with and without chance.
//!
//! A node holds the payoffs of **the player who moved into it**, which is all that selection
//! ever asks; so one, two and five players share one tree, and a chance node differs only in
//! how its child is picked.
//!
//! Children lie side by side in blocks that double when they are full: a node with 225 moves
//! and three visits takes a block of two. Its list of moves is kept in a second arena, tried
//! moves first; child `i` is the position after move `i`.

pub(crate) mod arena;
mod judged;
mod proof;
mod reroot;
mod view;
mod widening;

pub use judged::{Arrival, Descent, Edge};
pub use proof::Solver;
pub(crate) use proof::{payoff, rank};
pub use view::Visited;
pub use widening::Widening;

use crate::bandit::{Arms, Bandit};
use crate::trace::{Unseen, Witness};
use arena::reserve;
use spielbaum_core::{Game, Meter, Payoffs, Proof, Rng, Turn};

/// Index of a node in the arena.
pub type Slot = u32;

pub(crate) const ROOT: Slot = 0;

/// The conformance suite does not let a game have more in a position.
pub(crate) const MOST_MOVES: usize = u16::MAX as usize;

/// For how many there is always room before they are listed: more than games here have.
const FEW_MOVES: usize = 512;

#[derive(Clone, Copy, Default)]
struct Node {
    /// Payoffs of `mover`, added up. `f64`: margins over ten million visits need it.
    sum: f64,
    visits: u32,
    /// Where the list of moves and the block of children begin.
    moves: u32,
    children: u32,
    /// Legal moves, and how many of them have a child.
    legal: u16,
    tried: u16,
    stage: Stage,
    /// The seat that moved into this node; below a chance node, the last seat that moved.
    mover: u8,
    /// The result for `mover`, if proven.
    proof: Option<Proof>,
    /// Whether the backup has asked the prover about this node.
    searched: bool,
    /// Of a chance node the sum of its outcomes' odds, once it is known; of a choice in trees with
    /// priors the bits of the mean of children that were never visited.
    extra: u32,
}

#[derive(Clone, Copy, Default, PartialEq, Eq)]
pub(crate) enum Stage {
    /// Moves not yet listed: they are at the second visit.
    #[default]
    Leaf,
    /// A player chooses.
    Choice,
    /// Chance chooses.
    Chance,
    /// The game has ended here.
    Over,
    /// The result is proven: no simulation goes below.
    Settled,
}

/// When the children of a node come into being.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Expansion {
    /// One with each simulation that comes by; the bandit is asked once all have been visited.
    #[default]
    One,
    /// All at once when the node is entered. The bandit judges the unvisited too: under the UCB
    /// rules they come first, so only the memory differs; under PUCT some may never be visited.
    All,
    /// All at once when the node is first reached, and that simulation goes on from one of them:
    /// as the Carcassonne paper has it. The newest level of the tree then has one visit more.
    Ahead,
}

/// What a simulation does where chance acts.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum ChanceNodes {
    /// An outcome is drawn by its odds, and one that is new ends the simulation's way down.
    #[default]
    Sampled,
    /// An outcome is drawn by its odds, and the way goes on: it ends behind the first new move of
    /// a player and the chance that follows it (MCTSE, Kutsch 2017).
    Through,
    /// The same, but only the first outcome is drawn and stays for good: the tree is one sample of
    /// the game.
    Fixed,
}

/// In which order the children of a node are first visited.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Order {
    /// Drawn at random.
    #[default]
    Random,
    /// As the game lists its moves.
    Generation,
}

/// An arena of nodes for a game with moves `M`.
pub struct Tree<M> {
    /// Those in use, and some more.
    nodes: Vec<Node>,
    used: usize,
    /// What selection reads, side by side for the children of a node: the mean payoff and
    /// 1/√visits.
    means: Vec<f32>,
    widths: Vec<f32>,
    /// Variances of the payoffs; empty unless they are tracked for the bandit.
    spreads: Vec<f32>,
    tracks_spreads: bool,
    /// Priors of the moves into the nodes; empty unless nodes are judged from outside.
    priors: Vec<f32>,
    tracks_priors: bool,
    moves: Vec<M>,
    expansion: Expansion,
    order: Order,
    chance: ChanceNodes,
    widening: Option<Widening>,
    /// Free blocks of 2, 4, 8, … nodes.
    free: Vec<Vec<u32>>,
    /// Nodes of the current simulation, root first.
    path: Vec<Slot>,
    scratch: Vec<M>,
    memory: usize,
    full: bool,
    depth: u32,
}

impl<M: Copy + Eq> Tree<M> {
    /// An empty tree that may grow to about `memory` bytes, child by child in random order.
    pub fn new(memory: usize) -> Self {
        Self::growing(memory, Expansion::One, Order::Random)
    }

    /// The same tree, and it tracks the variances that the bandit asks for.
    pub fn serving(mut self, bandit: &Bandit) -> Self {
        self.tracks_spreads = bandit.needs_spreads();
        self
    }

    /// The same tree with this way through chance.
    pub fn meeting(mut self, chance: ChanceNodes) -> Self {
        self.chance = chance;
        self
    }

    /// The same tree, and its nodes get their children one by one as they are visited.
    pub fn widening(mut self, widening: Option<Widening>) -> Self {
        self.widening = widening;
        self
    }

    /// An empty tree that may grow to about `memory` bytes.
    pub fn growing(memory: usize, expansion: Expansion, order: Order) -> Self {
        Tree {
            nodes: Vec::new(),
            used: 0,
            means: Vec::new(),
            widths: Vec::new(),
            spreads: Vec::new(),
            tracks_spreads: false,
            priors: Vec::new(),
            tracks_priors: false,
            moves: Vec::new(),
            expansion,
            order,
            chance: ChanceNodes::Sampled,
            widening: None,
            free: Vec::new(),
            path: Vec::new(),
            scratch: Vec::new(),
            memory,
            full: false,
            depth: 0,
        }
    }

    /// Forgets everything but keeps the memory, and opens the root with the moves for which
    /// `admit` is true.
    pub fn plant<G: Game<Move = M>>(&mut self, pos: &G, admit: impl Fn(M) -> bool) {
        self.clear();
        // The root and its list of moves are there whatever the limit.
        self.used = 1;
        if self.nodes.is_empty() {
            self.extend(1);
        }
        let root = ROOT as usize;
        self.nodes[root] = Node { mover: opponent(pos), ..Node::default() };
        (self.means[root], self.widths[root]) = (0.0, 0.0);
        self.spreads.iter_mut().take(1).for_each(|spread| *spread = 0.0);
        self.priors.iter_mut().take(1).for_each(|prior| *prior = 1.0);
        self.list_root(pos, admit);
    }

    /// Forgets everything but keeps the memory.
    pub fn clear(&mut self) {
        self.used = 0;
        self.moves.clear();
        self.free.iter_mut().for_each(Vec::clear);
        self.full = false;
        self.depth = 0;
    }

    fn list_root<G: Game<Move = M>>(&mut self, pos: &G, admit: impl Fn(M) -> bool) {
        let first = self.moves.len();
        self.scratch.clear();
        pos.moves(&mut self.scratch);
        self.moves.extend(self.scratch.iter().copied().filter(|&m| admit(m)));
        self.moves.truncate(first + MOST_MOVES);
        let legal = self.moves.len() - first;
        let root = &mut self.nodes[ROOT as usize];
        root.moves = first as u32;
        root.legal = legal as u16;
        root.stage = stage(pos.turn(), legal);
    }

    /// Selection and expansion: plays from the root to the node to be evaluated, which is new,
    /// at the end of the game, at the depth limit, or where the memory ends.
    pub fn descend<G: Game<Move = M>>(
        &mut self,
        pos: &mut G,
        bandit: &Bandit,
        rng: &mut Rng,
        meter: &mut Meter,
    ) {
        self.descend_seen(pos, bandit, &mut Unseen, rng, meter);
    }

    /// As [`descend`](Tree::descend), and a witness sees the decisions of players on the way.
    #[inline(always)]
    pub fn descend_seen<G: Game<Move = M>>(
        &mut self,
        pos: &mut G,
        bandit: &Bandit,
        witness: &mut impl Witness<G>,
        rng: &mut Rng,
        meter: &mut Meter,
    ) {
        self.walk::<G, _, false>(pos, bandit, None, witness, rng, meter);
    }

    /// As [`descend`](Tree::descend), but the way may also end at a node whose result is known:
    /// then that is returned, for the player who moved into the node, and
    /// [`backup_proof`](Tree::backup_proof) takes it up.
    pub fn descend_proving<G: Game<Move = M>>(
        &mut self,
        pos: &mut G,
        bandit: &Bandit,
        solver: &mut Solver<G>,
        witness: &mut impl Witness<G>,
        rng: &mut Rng,
        meter: &mut Meter,
    ) -> Option<Proof> {
        self.walk::<G, _, true>(pos, bandit, Some(solver), witness, rng, meter)
    }

    /// Compiled for each combination, so that a search without proofs or without a witness does
    /// not pay for them.
    #[inline(always)]
    fn walk<G: Game<Move = M>, W: Witness<G>, const PROVING: bool>(
        &mut self,
        pos: &mut G,
        bandit: &Bandit,
        mut solver: Option<&mut Solver<G>>,
        witness: &mut W,
        rng: &mut Rng,
        meter: &mut Meter,
    ) -> Option<Proof> {
        witness.begins();
        self.path.clear();
        self.path.push(ROOT);
        let threshold = solver.as_ref().map_or(u32::MAX, |s| s.threshold());
        let mut slot = ROOT;
        let mut proof = None;
        let mut has_grown = false;
        let mut is_last = false;
        while meter.allows_depth(self.path.len() as u32) {
            let mut node = self.nodes[slot as usize];
            if node.stage == Stage::Leaf {
                if PROVING {
                    proof = self.first_visit(slot, pos);
                    if proof.is_some() {
                        break;
                    }
                }
                node = match self.open(slot, pos, witness) {
                    Some(opened) => opened,
                    None => break,
                };
            }
            if PROVING && node.visits == threshold && slot != ROOT && node.stage == Stage::Choice {
                proof = solver.as_mut().and_then(|s| s.in_selection(pos, meter));
                if proof.is_some() {
                    break;
                }
            }
            let (index, mover) = match node.stage {
                Stage::Leaf => break,
                Stage::Over => {
                    if PROVING {
                        proof = proof::of_end(pos, node.mover);
                    }
                    break;
                }
                Stage::Settled => {
                    proof = node.proof;
                    break;
                }
                Stage::Choice if self.tries_another(&node) => {
                    let untried = (node.legal - node.tried) as usize;
                    let skip = match self.order {
                        Order::Random => rng.below(untried) as u16,
                        Order::Generation => 0,
                    };
                    (node.tried + skip, seat(pos.turn(), node.mover))
                }
                Stage::Choice => {
                    let mover = seat(pos.turn(), node.mover);
                    if node.tried == 0 {
                        node = match self.expand(slot, mover, bandit, rng) {
                            Some(expanded) => expanded,
                            None => break,
                        };
                        is_last |= self.expansion == Expansion::Ahead;
                    }
                    (bandit.select(node.visits, self.arms(&node)) as u16, mover)
                }
                Stage::Chance if self.chance == ChanceNodes::Fixed && node.tried > 0 => {
                    (0, node.mover)
                }
                Stage::Chance => (self.sample(slot, pos, rng), node.mover),
            };
            let by_choice = node.stage == Stage::Choice;
            let mut is_new = index >= node.tried;
            let index = if is_new {
                let tried = node.tried;
                let first = node.moves as usize;
                self.moves.swap(first + index as usize, first + tried as usize);
                if !self.add_child(slot, mover) {
                    break;
                }
                tried
            } else {
                index
            };
            if W::LOOKS {
                let legal = &self.moves[node.moves as usize..][..node.legal as usize];
                witness.sees(pos, legal, index as usize);
            }
            pos.play(self.moves[node.moves as usize + index as usize]);
            meter.node();
            slot = self.nodes[slot as usize].children + u32::from(index);
            self.path.push(slot);
            is_new |= self.expansion == Expansion::All && self.nodes[slot as usize].visits == 0;
            has_grown |= is_new && (by_choice || self.chance == ChanceNodes::Sampled);
            let is_behind = self.chance == ChanceNodes::Sampled || pos.turn() != Turn::Chance;
            if is_behind && (is_last || has_grown) {
                break;
            }
        }
        self.depth = self.depth.max(self.path.len() as u32 - 1);
        proof
    }

    /// Whether a new child is next. A tree at its memory limit goes on with those it has.
    #[inline]
    fn tries_another(&self, node: &Node) -> bool {
        node.tried < node.legal
            && self.expansion == Expansion::One
            && !(self.full && node.tried > 0)
            && self.widening.as_ref().is_none_or(|w| w.admits(node.visits, node.tried))
    }

    #[inline]
    fn arms(&self, node: &Node) -> Arms<'_> {
        let range = node.children as usize..node.children as usize + node.tried as usize;
        let (means, widths) = (&self.means[range.clone()], &self.widths[range.clone()]);
        let spreads = if self.tracks_spreads { &self.spreads[range] } else { &[][..] };
        Arms { means, widths, spreads }
    }

    /// Adds the result of a simulation to every node of the path of the last
    /// [`descend`](Tree::descend).
    #[inline(always)]
    pub fn backup(&mut self, payoffs: &Payoffs, bandit: &Bandit) {
        self.backup_above(self.path.len(), payoffs, bandit);
    }

    /// Adds a result to the first `levels` nodes of the path.
    #[inline(always)]
    fn backup_above(&mut self, levels: usize, payoffs: &Payoffs, bandit: &Bandit) {
        if self.tracks_spreads {
            self.track_spreads(levels, payoffs);
        }
        if self.tracks_priors {
            return self.add_weighted(levels, payoffs, bandit);
        }
        for &slot in &self.path[..levels] {
            let i = slot as usize;
            let node = &mut self.nodes[i];
            node.visits += 1;
            node.sum += f64::from(payoffs[node.mover as usize]);
            self.means[i] = (node.sum / f64::from(node.visits)) as f32;
            self.widths[i] = bandit.width(node.visits);
        }
    }

    /// The variance of n values from that of n - 1 and their mean (Welford 1962).
    #[inline(never)]
    fn track_spreads(&mut self, levels: usize, payoffs: &Payoffs) {
        for &slot in &self.path[..levels] {
            let i = slot as usize;
            let node = &self.nodes[i];
            let payoff = f64::from(payoffs[node.mover as usize]);
            let before = f64::from(node.visits);
            let mean = if node.visits == 0 { payoff } else { node.sum / before };
            let off = payoff - mean;
            let spread = f64::from(self.spreads[i]) + off * off / (before + 1.0);
            self.spreads[i] = (spread * before / (before + 1.0)) as f32;
        }
    }

    /// Lists the moves of a leaf on its second visit. `None`: no memory.
    fn open<G: Game<Move = M>>(
        &mut self,
        slot: Slot,
        pos: &G,
        witness: &mut impl Witness<G>,
    ) -> Option<Node> {
        let first = self.moves.len();
        // The usual number without a look at each move; whether they may stay is asked below.
        reserve(&mut self.moves, FEW_MOVES, self.memory / size_of::<M>().max(1));
        pos.moves(&mut self.moves);
        witness.lists(pos, &mut self.moves[first..]);
        self.moves.truncate(first + MOST_MOVES);
        let legal = self.moves.len() - first;
        if !self.has_room(0, self.moves.len()) {
            self.moves.truncate(first);
            return None;
        }
        let node = &mut self.nodes[slot as usize];
        node.moves = first as u32;
        node.legal = legal as u16;
        node.stage = stage(pos.turn(), legal);
        Some(*node)
    }

    /// Picks an outcome by its odds.
    #[inline]
    fn sample<G: Game<Move = M>>(&mut self, slot: Slot, pos: &G, rng: &mut Rng) -> u16 {
        let node = &mut self.nodes[slot as usize];
        let outcomes = &self.moves[node.moves as usize..][..node.legal as usize];
        if node.extra == 0 {
            node.extra = outcomes.iter().map(|&m| pos.weight(m)).sum();
        }
        rng.pick_of_total(node.extra, outcomes, |&m| pos.weight(m)) as u16
    }
}

/// Who has moved into a root, so that proofs are seen from one side at every node.
fn opponent<G: Game>(pos: &G) -> u8 {
    match pos.turn() {
        Turn::Player(seat) if pos.players() == 2 => seat ^ 1,
        _ => 0,
    }
}

pub(crate) fn stage(turn: Turn, moves: usize) -> Stage {
    match turn {
        _ if moves == 0 => Stage::Over,
        Turn::Player(_) => Stage::Choice,
        Turn::Chance => Stage::Chance,
    }
}

fn seat(turn: Turn, otherwise: u8) -> u8 {
    match turn {
        Turn::Player(seat) => seat,
        Turn::Chance => otherwise,
    }
}
