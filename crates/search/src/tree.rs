//! The search tree: one arena for games of one to five players, with and without chance.
//!
//! A node holds the payoffs of **the player who moved into it**, which is all that selection
//! ever asks; so one, two and five players share one tree, and a chance node differs only in
//! how its child is picked.
//!
//! Children lie side by side in blocks that double when they are full: a node with 225 moves
//! and three visits takes a block of two. Its list of moves is kept in a second arena, tried
//! moves first; child `i` is the position after move `i`.

use crate::bandit::Bandit;
use spielbaum_core::{Game, Meter, Payoffs, Rng, Turn};

/// Index of a node in the arena.
pub type Slot = u32;

const ROOT: Slot = 0;

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
}

#[derive(Clone, Copy, Default, PartialEq, Eq)]
enum Stage {
    /// Moves not yet listed: they are at the second visit.
    #[default]
    Leaf,
    /// A player chooses.
    Choice,
    /// Chance chooses.
    Chance,
    /// The game has ended here.
    Over,
}

/// A node's statistics, for reports.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Visited<M> {
    /// The move into the node.
    pub mv: M,
    /// Simulations through it.
    pub visits: u64,
    /// Mean payoff of the player who made the move.
    pub mean: f64,
    slot: Slot,
}

/// An arena of nodes for a game with moves `M`.
pub struct Tree<M> {
    nodes: Vec<Node>,
    /// What selection reads, side by side for the children of a node: the mean payoff and
    /// 1/√visits.
    means: Vec<f32>,
    widths: Vec<f32>,
    moves: Vec<M>,
    /// Free blocks of 2, 4, 8, … nodes.
    free: Vec<Vec<u32>>,
    /// Nodes of the current simulation, root first.
    path: Vec<Slot>,
    scratch: Vec<M>,
    memory: usize,
    full: bool,
    depth: u32,
}

const NODE_BYTES: usize = size_of::<Node>() + 2 * size_of::<f32>();
const FIRST_BLOCK: usize = 2;

impl<M: Copy + Eq> Tree<M> {
    /// An empty tree that may grow to about `memory` bytes.
    pub fn new(memory: usize) -> Self {
        Tree {
            nodes: Vec::new(),
            means: Vec::new(),
            widths: Vec::new(),
            moves: Vec::new(),
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
        self.nodes.clear();
        self.means.clear();
        self.widths.clear();
        self.moves.clear();
        self.free.iter_mut().for_each(Vec::clear);
        self.full = false;
        self.depth = 0;
        // The root is a block of its own, and grows whatever the limit.
        self.nodes.push(Node::default());
        self.means.push(0.0);
        self.widths.push(0.0);
        self.scratch.clear();
        pos.moves(&mut self.scratch);
        self.moves.extend(self.scratch.iter().copied().filter(|&m| admit(m)));
        let root = &mut self.nodes[ROOT as usize];
        root.legal = self.moves.len() as u16;
        root.stage = stage(pos.turn(), self.moves.len());
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
        self.path.clear();
        self.path.push(ROOT);
        let mut slot = ROOT;
        while meter.allows_depth(self.path.len() as u32) {
            let mut node = self.nodes[slot as usize];
            if node.stage == Stage::Leaf {
                node = match self.open(slot, pos) {
                    Some(opened) => opened,
                    None => break,
                };
            }
            let (index, mover) = match node.stage {
                Stage::Over | Stage::Leaf => break,
                Stage::Choice if node.tried < node.legal => {
                    let untried = (node.legal - node.tried) as usize;
                    (node.tried + rng.below(untried) as u16, seat(pos.turn(), node.mover))
                }
                Stage::Choice => {
                    let range =
                        node.children as usize..node.children as usize + node.tried as usize;
                    let (means, widths) = (&self.means[range.clone()], &self.widths[range]);
                    (bandit.select(node.visits, means, widths) as u16, seat(pos.turn(), node.mover))
                }
                Stage::Chance => (self.sample(&node, pos, rng), node.mover),
            };
            let is_new = index >= node.tried;
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
            pos.play(self.moves[node.moves as usize + index as usize]);
            meter.node();
            slot = self.nodes[slot as usize].children + u32::from(index);
            self.path.push(slot);
            if is_new {
                break;
            }
        }
        self.depth = self.depth.max(self.path.len() as u32 - 1);
    }

    /// Adds the result of a simulation to every node of the path of the last
    /// [`descend`](Tree::descend).
    pub fn backup(&mut self, payoffs: &Payoffs) {
        for &slot in &self.path {
            let i = slot as usize;
            let node = &mut self.nodes[i];
            node.visits += 1;
            node.sum += f64::from(payoffs[node.mover as usize]);
            let visits = f64::from(node.visits);
            self.means[i] = (node.sum / visits) as f32;
            self.widths[i] = (1.0 / visits.sqrt()) as f32;
        }
    }

    /// Lists the moves of a leaf on its second visit. `None`: no memory.
    fn open<G: Game<Move = M>>(&mut self, slot: Slot, pos: &G) -> Option<Node> {
        self.scratch.clear();
        pos.moves(&mut self.scratch);
        let legal = self.scratch.len();
        debug_assert!(legal <= u16::MAX as usize);
        let room = self.memory.saturating_sub(self.node_bytes());
        if !reserve(&mut self.moves, legal, room) {
            self.full = true;
            return None;
        }
        let first = self.moves.len() as u32;
        self.moves.extend_from_slice(&self.scratch);
        let node = &mut self.nodes[slot as usize];
        node.moves = first;
        node.legal = legal as u16;
        node.stage = stage(pos.turn(), legal);
        Some(*node)
    }

    /// Picks an outcome by its odds.
    fn sample<G: Game<Move = M>>(&self, node: &Node, pos: &G, rng: &mut Rng) -> u16 {
        let first = node.moves as usize;
        let outcomes = &self.moves[first..first + node.legal as usize];
        rng.pick_weighted(outcomes.iter().map(|&m| pos.weight(m))) as u16
    }

    /// Appends a child to a node's block, moving the block if it is full.
    fn add_child(&mut self, slot: Slot, mover: u8) -> bool {
        let node = self.nodes[slot as usize];
        let tried = node.tried as usize;
        let is_full = tried == 0 || (tried >= FIRST_BLOCK && tried.is_power_of_two());
        let mut children = node.children;
        if is_full {
            let Some(block) = self.allocate((tried * 2).max(FIRST_BLOCK)) else {
                return false;
            };
            if tried > 0 {
                let old = children as usize..children as usize + tried;
                self.nodes.copy_within(old.clone(), block as usize);
                self.means.copy_within(old.clone(), block as usize);
                self.widths.copy_within(old, block as usize);
                self.free[class(tried)].push(children);
            }
            children = block;
        }
        let child = children as usize + tried;
        self.nodes[child] = Node { mover, ..Node::default() };
        let node = &mut self.nodes[slot as usize];
        node.children = children;
        node.tried += 1;
        true
    }

    fn allocate(&mut self, size: usize) -> Option<u32> {
        let class = class(size);
        if self.free.len() <= class {
            self.free.resize(class + 1, Vec::new());
        }
        if let Some(block) = self.free[class].pop() {
            return Some(block);
        }
        let first = self.nodes.len();
        let room = self.memory.saturating_sub(self.move_bytes());
        let room = room / NODE_BYTES * size_of::<Node>();
        if first + size > u32::MAX as usize || !reserve(&mut self.nodes, size, room) {
            self.full = true;
            return None;
        }
        self.nodes.resize(first + size, Node::default());
        self.means.reserve_exact(self.nodes.capacity() - first);
        self.means.resize(first + size, 0.0);
        self.widths.reserve_exact(self.nodes.capacity() - first);
        self.widths.resize(first + size, 0.0);
        Some(first as u32)
    }

    fn node_bytes(&self) -> usize {
        self.nodes.capacity() * NODE_BYTES
    }

    fn move_bytes(&self) -> usize {
        self.moves.capacity() * size_of::<M>()
    }

    /// Memory in use by nodes and moves.
    pub fn bytes(&self) -> usize {
        self.nodes.len() * NODE_BYTES + self.moves.len() * size_of::<M>()
    }

    /// Whether the tree has stopped growing at its memory limit.
    pub fn is_full(&self) -> bool {
        self.full
    }

    /// The longest path so far.
    pub fn depth(&self) -> u32 {
        self.depth
    }

    /// Simulations through the root.
    pub fn visits(&self) -> u64 {
        u64::from(self.nodes[ROOT as usize].visits)
    }

    /// The visited root moves.
    pub fn root_moves(&self) -> impl Iterator<Item = Visited<M>> + '_ {
        self.below(ROOT)
    }

    fn below(&self, slot: Slot) -> impl Iterator<Item = Visited<M>> + '_ {
        let node = self.nodes[slot as usize];
        (0..u32::from(node.tried)).map(move |i| {
            let child = &self.nodes[(node.children + i) as usize];
            Visited {
                mv: self.moves[(node.moves + i) as usize],
                visits: u64::from(child.visits),
                mean: child.sum / f64::from(child.visits.max(1)),
                slot: node.children + i,
            }
        })
    }

    /// The most visited line that begins with a root move; outcomes of chance are part of it.
    pub fn principal_variation(&self, from: &Visited<M>) -> Vec<M> {
        let mut line = vec![from.mv];
        let mut slot = from.slot;
        // Of equally visited moves the first: `max_by_key` would take the last.
        while let Some(next) =
            self.below(slot).reduce(|a, b| if b.visits > a.visits { b } else { a })
        {
            line.push(next.mv);
            slot = next.slot;
        }
        line
    }
}

fn stage(turn: Turn, moves: usize) -> Stage {
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

/// Blocks of 2, 4, 8, … nodes are of class 0, 1, 2, …
fn class(size: usize) -> usize {
    (size / FIRST_BLOCK).ilog2() as usize
}

/// Makes room for `extra` elements within `limit` bytes, doubling as long as that fits.
fn reserve<T>(items: &mut Vec<T>, extra: usize, limit: usize) -> bool {
    let needed = items.len() + extra;
    if needed <= items.capacity() {
        return true;
    }
    let most = limit / size_of::<T>().max(1);
    if needed > most {
        return false;
    }
    let capacity = needed.max(items.capacity() * 2).max(1024).min(most);
    items.reserve_exact(capacity - items.len());
    true
}
