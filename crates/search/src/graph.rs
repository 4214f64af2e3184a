//! The transposition graph: a node for each position, whatever the way to it.
//!
//! A node counts its visits, and each of its tried moves, an *edge*, its own visits and the payoffs of
//! the player who moves; so positions with several ways to them share what is known of their moves,
//! and selection compares edges as the [tree](crate::tree::Tree) compares children. A position is
//! known by its [key](Game::key). It is evaluated when it is met first, its moves are listed when it
//! is met again, and edges lie side by side in blocks that double.
//!
//! Ways through a graph can go in circles: a simulation ends where it meets a position for the third
//! time, and the game is settled as it stands, where most games say a draw. What has ended only by its
//! [history](Game::ended_by_history) ends the way too, and says nothing about the position.
//!
//! Nothing is proven here: a result may rest on the way, which a graph does not know.

mod arena;
mod index;
mod sweep;
mod view;

use crate::bandit::{Arms, Bandit};
use crate::trace::Witness;
use crate::tree::{Expansion, MOST_MOVES, Order, Stage, stage};
use index::Index;
use spielbaum_core::{Game, Meter, Payoffs, Rng, Turn};

/// Index of a node.
type Place = u32;

/// No node.
const NONE: Place = u32::MAX;

/// A position that comes up so often in one simulation ends it.
const OCCURRENCES: usize = 3;

#[derive(Clone, Copy, Default)]
struct Node {
    key: u64,
    /// Simulations that came by, the first of them to evaluate it.
    visits: u32,
    /// Where the list of moves and the block of edges begin.
    moves: u32,
    edges: u32,
    /// Legal moves, and how many of them have an edge.
    legal: u16,
    tried: u16,
    stage: Stage,
    /// The seat to move, 0 at chance nodes.
    mover: u8,
}

/// A move that was tried.
#[derive(Clone, Copy)]
struct Edge {
    /// Payoffs of the player who moves, added up.
    sum: f64,
    visits: u32,
    /// The position after it, if it was ever played.
    to: Place,
}

/// A move of the current simulation.
#[derive(Clone, Copy)]
struct Step {
    node: Place,
    edge: u32,
}

/// How the way of a simulation ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum End {
    /// At a position to be evaluated.
    Open,
    /// At a position that came up for the third time: the game is settled as it stands.
    Circle,
}

/// A graph for a game with moves `M`.
pub struct Graph<M> {
    nodes: Vec<Node>,
    index: Index,
    edges: Vec<Edge>,
    /// What selection reads, side by side for the edges of a node.
    means: Vec<f32>,
    widths: Vec<f32>,
    /// Variances of the payoffs; empty unless they are tracked for the bandit.
    spreads: Vec<f32>,
    tracks_spreads: bool,
    moves: Vec<M>,
    expansion: Expansion,
    order: Order,
    /// Free blocks of 2, 4, 8, … edges.
    free: Vec<Vec<u32>>,
    path: Vec<Step>,
    /// The position at the end of the path, if it counts the visit.
    last: Place,
    root: Place,
    scratch: Vec<M>,
    memory: usize,
    full: bool,
    /// What was done to keep within the memory before this search.
    swept: Option<String>,
    depth: u32,
}

impl<M: Copy + Eq> Graph<M> {
    /// An empty graph that may grow to about `memory` bytes.
    pub fn growing(memory: usize, expansion: Expansion, order: Order) -> Self {
        Graph {
            nodes: Vec::new(),
            index: Index::new(),
            edges: Vec::new(),
            means: Vec::new(),
            widths: Vec::new(),
            spreads: Vec::new(),
            tracks_spreads: false,
            moves: Vec::new(),
            expansion,
            order,
            free: Vec::new(),
            path: Vec::new(),
            last: NONE,
            root: NONE,
            scratch: Vec::new(),
            memory,
            full: false,
            swept: None,
            depth: 0,
        }
    }

    /// The same graph, and it tracks the variances that the bandit asks for.
    pub fn serving(mut self, bandit: &Bandit) -> Self {
        self.tracks_spreads = bandit.needs_spreads();
        self
    }

    /// Forgets everything but keeps the memory, and begins at a position with the moves for which
    /// `admit` is true. Unless they are all, the root stands apart: a way back to its position
    /// finds all of its moves.
    pub fn plant<G: Game<Move = M>>(&mut self, pos: &G, admit: impl Fn(M) -> bool) {
        self.clear();
        let key = pos.key();
        self.nodes.push(Node { key, ..Node::default() });
        self.root = 0;
        self.list_root(pos, &admit);
        if self.moves.len() == self.scratch.len() {
            self.index.insert(key, 0, &self.nodes);
        }
    }

    /// Goes on from a position with all that is known from earlier searches of the game. At the
    /// memory limit what cannot come up any more is forgotten.
    pub fn resume<G: Game<Move = M>>(&mut self, pos: &G) {
        let Some(root) = self.index.find(pos.key(), &self.nodes) else {
            return self.advance(pos);
        };
        self.root = root;
        self.swept = None;
        if self.full || self.bytes() > self.memory / 4 * 3 {
            self.sweep();
        }
        if self.root == NONE {
            let told = self.swept.take();
            self.plant(pos, |_| true);
            self.swept = told;
            return;
        }
        self.begin(pos);
    }

    /// Goes on from a position that was not met before.
    fn advance<G: Game<Move = M>>(&mut self, pos: &G) {
        let is_empty = self.index.is_empty();
        if is_empty || !self.has_room_for_node() {
            let forgotten = self.nodes.len();
            self.plant(pos, |_| true);
            if !is_empty {
                self.swept = Some(format!(
                    "the graph was at its memory limit and begins anew: {forgotten} positions forgotten"
                ));
            }
            return;
        }
        self.swept = None;
        self.root = self.enter(pos.key());
        self.begin(pos);
    }

    fn begin<G: Game<Move = M>>(&mut self, pos: &G) {
        self.full = false;
        // Only paths of this search count.
        self.depth = 0;
        if self.nodes[self.root as usize].stage == Stage::Leaf {
            self.list_root(pos, &|_| true);
        }
    }

    /// The root's list of moves is there whatever the limit.
    fn list_root<G: Game<Move = M>>(&mut self, pos: &G, admit: &impl Fn(M) -> bool) {
        let first = self.moves.len();
        self.scratch.clear();
        pos.moves(&mut self.scratch);
        self.scratch.truncate(MOST_MOVES);
        self.moves.extend(self.scratch.iter().copied().filter(|&m| admit(m)));
        let legal = self.moves.len() - first;
        self.set_moves(self.root, pos.turn(), first, legal);
    }

    fn set_moves(&mut self, at: Place, turn: Turn, first: usize, legal: usize) -> Node {
        let node = &mut self.nodes[at as usize];
        node.moves = first as u32;
        node.legal = legal as u16;
        node.stage = stage(turn, legal);
        node.mover = turn.player().unwrap_or(0) as u8;
        *node
    }

    /// Forgets everything but keeps the memory.
    pub fn clear(&mut self) {
        self.nodes.clear();
        self.index.clear();
        self.edges.clear();
        self.means.clear();
        self.widths.clear();
        self.spreads.clear();
        self.moves.clear();
        self.free.iter_mut().for_each(Vec::clear);
        self.root = NONE;
        self.last = NONE;
        self.full = false;
        self.swept = None;
        self.depth = 0;
    }

    /// Selection and expansion: plays from the root to the position to be evaluated, which is
    /// new, at the end of the game, at the depth limit, or where the memory or a circle ends. A
    /// witness sees the decisions of players on the way.
    #[inline(always)]
    pub fn descend<G: Game<Move = M>, W: Witness<G>>(
        &mut self,
        pos: &mut G,
        bandit: &Bandit,
        witness: &mut W,
        rng: &mut Rng,
        meter: &mut Meter,
    ) -> End {
        witness.begins();
        self.path.clear();
        let mut at = self.root;
        let mut end = End::Open;
        while meter.allows_depth(self.path.len() as u32 + 1) {
            let mut node = self.nodes[at as usize];
            if node.stage == Stage::Leaf {
                node = match self.open(at, pos) {
                    Some(opened) => opened,
                    None => break,
                };
            }
            let index = match node.stage {
                Stage::Leaf | Stage::Over | Stage::Settled => break,
                Stage::Choice if self.is_trying(&node) => node.tried - 1,
                Stage::Choice if self.tries_another(&node) => {
                    let untried = (node.legal - node.tried) as usize;
                    let skip = match self.order {
                        Order::Random => rng.below(untried) as u16,
                        Order::Generation => 0,
                    };
                    node.tried + skip
                }
                Stage::Choice => {
                    if node.tried == 0 {
                        node = match self.expand(at, bandit, rng) {
                            Some(expanded) => expanded,
                            None => break,
                        };
                    }
                    bandit.select(node.visits, self.arms(&node)) as u16
                }
                Stage::Chance => {
                    let outcomes = &self.moves[node.moves as usize..][..node.legal as usize];
                    rng.pick_weighted(outcomes, |&m| pos.weight(m)) as u16
                }
            };
            let Some((index, edge)) = self.edge(at, index) else { break };
            if W::LOOKS {
                let legal = &self.moves[node.moves as usize..][..node.legal as usize];
                witness.sees(pos, legal, index);
            }
            pos.play(self.moves[node.moves as usize + index]);
            meter.node();
            self.path.push(Step { node: at, edge });
            let mut next = self.edges[edge as usize].to;
            if next == NONE {
                next = self.enter(pos.key());
                self.edges[edge as usize].to = next;
            }
            at = next;
            if pos.ended_by_history() {
                at = NONE;
                break;
            }
            if self.nodes[at as usize].visits == 0 {
                break;
            }
            if self.path.iter().filter(|s| s.node == at).count() + 1 >= OCCURRENCES {
                at = NONE;
                end = End::Circle;
                break;
            }
        }
        self.last = at;
        self.depth = self.depth.max(self.path.len() as u32);
        end
    }

    /// Whether the last edge of a node is being tried in this very simulation, which has come by
    /// again: it is still the untried one.
    #[inline]
    fn is_trying(&self, node: &Node) -> bool {
        self.expansion == Expansion::One
            && node.tried > 0
            && self.edges[node.edges as usize + node.tried as usize - 1].visits == 0
    }

    /// Whether a new edge is next. A graph at its memory limit goes on with those it has.
    #[inline]
    fn tries_another(&self, node: &Node) -> bool {
        node.tried < node.legal
            && self.expansion == Expansion::One
            && !(self.full && node.tried > 0)
    }

    #[inline]
    fn arms(&self, node: &Node) -> Arms<'_> {
        let range = node.edges as usize..node.edges as usize + node.tried as usize;
        let (means, widths) = (&self.means[range.clone()], &self.widths[range.clone()]);
        let spreads = if self.tracks_spreads { &self.spreads[range] } else { &[][..] };
        Arms { means, widths, spreads }
    }

    /// Adds the result of a simulation to every move of the path of the last
    /// [`descend`](Graph::descend).
    #[inline(always)]
    pub fn backup(&mut self, payoffs: &Payoffs, bandit: &Bandit) {
        if self.tracks_spreads {
            self.track_spreads(payoffs);
        }
        for step in &self.path {
            let node = &mut self.nodes[step.node as usize];
            node.visits += 1;
            let i = step.edge as usize;
            let edge = &mut self.edges[i];
            edge.visits += 1;
            edge.sum += f64::from(payoffs[node.mover as usize]);
            self.means[i] = (edge.sum / f64::from(edge.visits)) as f32;
            self.widths[i] = bandit.width(edge.visits);
        }
        if let Some(last) = self.nodes.get_mut(self.last as usize) {
            last.visits += 1;
        }
    }

    /// As the tree does it (Welford 1962).
    #[inline(never)]
    fn track_spreads(&mut self, payoffs: &Payoffs) {
        for step in &self.path {
            let i = step.edge as usize;
            let edge = &self.edges[i];
            let payoff = f64::from(payoffs[self.nodes[step.node as usize].mover as usize]);
            let before = f64::from(edge.visits);
            let mean = if edge.visits == 0 { payoff } else { edge.sum / before };
            let off = payoff - mean;
            let spread = f64::from(self.spreads[i]) + off * off / (before + 1.0);
            self.spreads[i] = (spread * before / (before + 1.0)) as f32;
        }
    }
}
