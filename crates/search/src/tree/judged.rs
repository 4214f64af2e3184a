//! A tree whose nodes are judged from outside, by a network or a playout: priors for the moves
//! and a value. The judge may take its time: many descents can be under way.
//!
//! Selection reads the same two arrays as always. Under PUCT a child's width is its prior times
//! the width of its visits, so the loop over children knows nothing of priors.
//!
//! A descent under way counts as a lost visit at every node of its path, so that the next one
//! goes elsewhere. [`Tree::resume`] takes that back, and no trace of it remains: means and
//! widths are functions of sums and visits, and a lost visit adds nothing to a sum.

use super::arena::FIRST_BLOCK;
use super::{Node, ROOT, Slot, Stage, Tree, proof};
use crate::bandit::{Bandit, Rule};
use spielbaum_core::{Game, Meter, Payoffs, Proof, Turn};

/// Where a descent has come to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Arrival {
    /// At a node that has not been judged.
    New,
    /// At the end of the game.
    Over,
    /// At a node whose result is known, for the player who moved into it.
    Proven(Proof),
    /// At the depth limit, where the node has been judged before.
    Deep,
}

/// A path from the root whose end is being judged.
#[derive(Clone, Debug, Default)]
pub struct Descent {
    path: Vec<Slot>,
}

impl Descent {
    /// Whether both end at the same node.
    pub fn meets(&self, other: &Descent) -> bool {
        self.path.last() == other.path.last()
    }
}

/// A move at the root of a judged tree.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Edge<M> {
    /// The move.
    pub mv: M,
    /// Its prior, noise included.
    pub prior: f32,
    /// Simulations through it.
    pub visits: u64,
    /// Mean payoff of the player who makes it; 0 without visits.
    pub mean: f64,
    /// The result for the player who makes it, if proven.
    pub proof: Option<Proof>,
}

impl<M: Copy + Eq> Tree<M> {
    /// The same tree, and its nodes are judged from outside.
    pub fn judged(mut self) -> Self {
        self.tracks_priors = true;
        self
    }

    /// Plays from the root to a node that has not been judged, or to an end. `moves` receives
    /// the moves of a new node. With `proving`, a new node in which somebody wins at once needs
    /// no judge.
    pub fn descend_judged<G: Game<Move = M>>(
        &mut self,
        pos: &mut G,
        bandit: &Bandit,
        proving: bool,
        moves: &mut Vec<M>,
        meter: &mut Meter,
    ) -> Arrival {
        self.path.clear();
        self.path.push(ROOT);
        let mut slot = ROOT;
        let arrival = loop {
            let node = self.nodes[slot as usize];
            match node.stage {
                Stage::Leaf => break self.arrive(slot, pos, proving, moves),
                Stage::Choice | Stage::Chance if node.tried == 0 => {
                    break self.arrive(slot, pos, proving, moves);
                }
                Stage::Over if proving => break ended(pos, node.mover),
                Stage::Over => break Arrival::Over,
                Stage::Settled => break node.proof.map_or(Arrival::Over, Arrival::Proven),
                Stage::Choice | Stage::Chance => {}
            }
            if !meter.allows_depth(self.path.len() as u32) {
                break Arrival::Deep;
            }
            debug_assert!(node.stage == Stage::Choice, "chance has no priors");
            let index = bandit.select_weighted(node.visits, self.arms(&node)) as u32;
            pos.play(self.moves[(node.moves + index) as usize]);
            meter.node();
            slot = node.children + index;
            self.path.push(slot);
        };
        self.depth = self.depth.max(self.path.len() as u32 - 1);
        arrival
    }

    fn arrive<G: Game<Move = M>>(
        &mut self,
        slot: Slot,
        pos: &G,
        proving: bool,
        moves: &mut Vec<M>,
    ) -> Arrival {
        moves.clear();
        pos.moves(moves);
        if moves.is_empty() {
            self.nodes[slot as usize].stage = Stage::Over;
            let mover = self.nodes[slot as usize].mover;
            return if proving { ended(pos, mover) } else { Arrival::Over };
        }
        if proving
            && slot != ROOT
            && let Some(proof) = self.first_visit(slot, pos)
        {
            return Arrival::Proven(proof);
        }
        Arrival::New
    }

    /// Whether the root has been judged.
    pub fn is_judged(&self) -> bool {
        self.nodes[ROOT as usize].tried > 0
    }

    /// Leaves the path of the last descent to `descent`, until its end is judged: a lost visit
    /// at every node.
    pub fn suspend(&mut self, descent: &mut Descent, bandit: &Bandit) {
        std::mem::swap(&mut self.path, &mut descent.path);
        for &slot in &descent.path {
            self.nodes[slot as usize].visits += 1;
            self.refresh(slot, None, bandit);
        }
    }

    /// Takes back what [`suspend`](Tree::suspend) did; the path is the current one again.
    pub fn resume(&mut self, descent: &mut Descent, bandit: &Bandit) {
        std::mem::swap(&mut self.path, &mut descent.path);
        let mut parent = None;
        for level in 0..self.path.len() {
            let slot = self.path[level];
            self.nodes[slot as usize].visits -= 1;
            self.refresh(slot, parent, bandit);
            parent = Some(slot);
        }
    }

    /// The path of the last descent, to be compared.
    pub fn is_at_end_of(&self, descent: &Descent) -> bool {
        self.path.last() == descent.path.last()
    }

    /// Brings mean and width of a node up to date with its visits.
    fn refresh(&mut self, slot: Slot, parent: Option<Slot>, bandit: &Bandit) {
        let at = slot as usize;
        let weight = self.weight(at, bandit.rule());
        let node = &mut self.nodes[at];
        let visits = f64::from(node.visits);
        match node.proof {
            Some(Proof::Draw) => node.sum = 0.5 * visits,
            Some(_) => {}
            None if node.visits > 0 => self.means[at] = (node.sum / visits) as f32,
            None => {
                // As `grow` or, at the root, `plant` left it.
                let (_, width) = bandit.unseen();
                let fresh =
                    parent.map(|p| (f32::from_bits(self.nodes[p as usize].extra), weight * width));
                (self.means[at], self.widths[at]) = fresh.unwrap_or((0.0, 0.0));
                return;
            }
        }
        self.widths[at] = weight * bandit.width(node.visits.max(1));
    }

    /// The factor that the prior of a node is to its width.
    #[inline]
    pub(super) fn weight(&self, at: usize, rule: Rule) -> f32 {
        if self.tracks_priors && rule == Rule::Puct { self.priors[at] } else { 1.0 }
    }

    /// Makes the children of the node at the end of the path. `moves` and `priors` are those of
    /// the position; `first` is the mean of children that were never visited. At the memory limit
    /// nothing happens, and the node will be judged again.
    pub fn grow<G: Game<Move = M>>(
        &mut self,
        pos: &G,
        moves: &[M],
        priors: &[f32],
        first: f32,
        bandit: &Bandit,
    ) {
        let Some(&slot) = self.path.last() else { return };
        let node = self.nodes[slot as usize];
        if node.tried > 0 || node.stage == Stage::Settled {
            return;
        }
        if node.stage == Stage::Leaf {
            if !self.reserve_moves(moves.len()) {
                return;
            }
            let begin = self.moves.len() as u32;
            self.moves.extend_from_slice(moves);
            let node = &mut self.nodes[slot as usize];
            node.moves = begin;
            node.legal = moves.len() as u16;
            node.stage = super::stage(pos.turn(), moves.len());
        }
        let node = self.nodes[slot as usize];
        let legal = node.legal as usize;
        let Some(block) = self.allocate(legal.next_power_of_two().max(FIRST_BLOCK)) else { return };
        let mover = match pos.turn() {
            Turn::Player(seat) => seat,
            Turn::Chance => node.mover,
        };
        let (unseen, width) = bandit.unseen();
        let first = if unseen.is_finite() { first } else { unseen };
        let mut listed = moves.iter().zip(priors);
        for i in 0..legal {
            // The root may list a part of the moves, in the same order.
            let own = self.moves[node.moves as usize + i];
            let prior = listed.find(|(m, _)| **m == own).map_or(0.0, |(_, &p)| p);
            let child = block as usize + i;
            self.nodes[child] = Node { mover, ..Node::default() };
            self.priors[child] = prior;
            self.means[child] = first;
            self.widths[child] = width * self.weight(child, bandit.rule());
        }
        if self.tracks_spreads {
            self.spreads[block as usize..block as usize + legal].fill(0.0);
        }
        let node = &mut self.nodes[slot as usize];
        node.children = block;
        node.tried = node.legal;
        debug_assert!(node.stage == Stage::Choice, "chance keeps the sum of its odds there");
        node.extra = first.to_bits();
    }

    /// As `backup`, with widths that are weighted by priors. A node that was proven while its
    /// descent was under way keeps its result, and what is below it does not count.
    pub(super) fn add_weighted(&mut self, levels: usize, payoffs: &Payoffs, bandit: &Bandit) {
        let rule = bandit.rule();
        for level in 0..levels {
            let at = self.path[level] as usize;
            if self.nodes[at].proof.is_some() {
                return;
            }
            let weight = self.weight(at, rule);
            let node = &mut self.nodes[at];
            node.visits += 1;
            node.sum += f64::from(payoffs[node.mover as usize]);
            self.means[at] = (node.sum / f64::from(node.visits)) as f32;
            self.widths[at] = weight * bandit.width(node.visits);
        }
    }

    /// What the node at the end of the path is worth by its visits so far.
    pub fn worth_here(&self) -> Payoffs {
        let mut payoffs = Payoffs::default();
        if let Some(&slot) = self.path.last() {
            let node = &self.nodes[slot as usize];
            let mean = (node.sum / f64::from(node.visits.max(1))) as f32;
            payoffs[node.mover as usize] = mean;
            payoffs[(node.mover ^ 1) as usize] = 1.0 - mean;
        }
        payoffs
    }

    /// Mean payoff at the root of the player who has moved there; a draw before any visit.
    pub fn root_mean(&self) -> f64 {
        let root = &self.nodes[ROOT as usize];
        if root.visits == 0 { 0.5 } else { root.sum / f64::from(root.visits) }
    }

    /// All moves at the root, in the order of the game; none before it is judged.
    pub fn root_edges(&self) -> impl Iterator<Item = Edge<M>> + '_ {
        let root = self.nodes[ROOT as usize];
        (0..u32::from(root.tried)).map(move |i| {
            let at = (root.children + i) as usize;
            let child = &self.nodes[at];
            Edge {
                mv: self.moves[(root.moves + i) as usize],
                prior: self.priors[at],
                visits: u64::from(child.visits),
                mean: child.sum / f64::from(child.visits.max(1)),
                proof: child.proof,
            }
        })
    }

    /// Gives the moves at the root other priors: noise.
    pub fn reweigh_root(&mut self, bandit: &Bandit, mut prior: impl FnMut(usize, f32) -> f32) {
        let root = self.nodes[ROOT as usize];
        for i in 0..root.tried as usize {
            let at = root.children as usize + i;
            self.priors[at] = prior(i, self.priors[at]);
            self.refresh(at as Slot, Some(ROOT), bandit);
        }
    }
}

fn ended<G: Game>(pos: &G, mover: u8) -> Arrival {
    proof::of_end(pos, mover).map_or(Arrival::Over, Arrival::Proven)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bandit::Scale;
    use crate::tree::{Expansion, Order};
    use spielbaum_core::synthetic::HashedOptions;
    use spielbaum_core::{Limits, Stop};

    /// Lost visits are taken back to the last bit, in whatever order.
    #[test]
    fn a_descent_under_way_leaves_no_trace() {
        for rule in [Rule::Puct, Rule::Ucb1] {
            let bandit = Bandit::with(rule, 1.5, Scale::Signed);
            let growing = Tree::growing(1 << 20, Expansion::All, Order::Generation);
            let mut tree = growing.serving(&bandit).judged();
            let root = HashedOptions { depth: 9, ..Default::default() }.two_player();
            tree.plant(&root, |_| true);
            let mut meter = Meter::new(Limits::default(), Stop::new());
            let mut moves = Vec::new();
            for round in 0..200u32 {
                let state = (tree.means.clone(), tree.widths.clone());
                let mut descents: Vec<Descent> = (0..round % 7)
                    .map(|_| {
                        let mut pos = root;
                        tree.descend_judged(&mut pos, &bandit, false, &mut moves, &mut meter);
                        let mut descent = Descent::default();
                        tree.suspend(&mut descent, &bandit);
                        descent
                    })
                    .collect();
                let under_way = (tree.means.clone(), tree.widths.clone());
                if round % 2 == 0 {
                    descents.reverse();
                }
                for descent in &mut descents {
                    tree.resume(descent, &bandit);
                }
                assert_eq!(state, (tree.means.clone(), tree.widths.clone()), "{rule:?}");
                assert!(round % 7 == 0 || state != under_way);
                let mut pos = root;
                let arrival = tree.descend_judged(&mut pos, &bandit, false, &mut moves, &mut meter);
                if arrival == Arrival::New {
                    let part = |i: usize| ((pos.key() >> i) & 255) as f32 / 256.0;
                    let priors: Vec<f32> = (0..moves.len()).map(part).collect();
                    tree.grow(&pos, &moves, &priors, 0.4, &bandit);
                }
                let value = (pos.key() >> 56) as f32 / 256.0;
                tree.backup(&[value, 1.0 - value, 0.0, 0.0, 0.0], &bandit);
            }
            assert_eq!(tree.visits(), 200);
        }
    }
}
