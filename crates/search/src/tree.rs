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
mod backup;
mod judged;
mod proof;
mod reroot;
mod view;
mod walk;
mod widening;

pub use judged::{Arrival, Descent, Edge};
pub use proof::Solver;
pub(crate) use proof::{payoff, rank};
pub use view::Visited;
pub use widening::Widening;

use crate::bandit::Bandit;
use spielbaum_core::{Game, Proof, Turn};

/// Index of a node in the arena.
pub type Slot = u32;

pub(crate) const ROOT: Slot = 0;

/// The conformance suite does not let a game have more in a position.
pub(crate) const MOST_MOVES: usize = u16::MAX as usize;

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
