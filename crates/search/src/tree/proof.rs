//! Proven results in the tree: MCTS-Solver (Winands, Björnsson, Saito 2008), with draws.
//!
//! Two players without chance only: there one proven child, or all of them, say everything
//! about a node. Other games have no [`Solver`], so their nodes stay unproven.
//!
//! A node keeps its result for the player who moved into it, as it keeps its payoffs. A proven
//! loss has the mean -∞ and is never selected again; a proven draw stays in the race as an
//! ordinary child whose every visit is a draw. While its parent is unproven, a proven loss that
//! was just found counts as one ordinary loss on the way up, and neither it nor a proven win
//! counts as a visit of the node itself.

use super::{Node, ROOT, Slot, Stage, Tree};
use crate::bandit::Bandit;
use crate::prover::Prover;
use spielbaum_core::{Game, MAX_PLAYERS, Meter, Payoffs, Proof, TwoPlayer};

/// Proves results inside the tree, and where it searches for them beyond the first look.
pub struct Solver<G: Game> {
    prover: Prover<G>,
    /// Depth and visits of the search in selection.
    selection: Option<(u32, u32)>,
    /// Depth of the search in backup.
    backup: Option<u32>,
    /// For the way back to a node whose siblings are searched.
    pos: Option<G>,
}

impl<G: TwoPlayer> Solver<G> {
    /// MCTS-Solver: winning moves are seen when a node is first entered, and proofs go up.
    pub fn new() -> Self {
        Solver { prover: Prover::new(), selection: None, backup: None, pos: None }
    }

    /// MCTS-MS: a node other than the root is searched so many plies deep when it is entered
    /// with `threshold` visits, once.
    pub fn in_selection_at(mut self, depth: u32, threshold: u32) -> Self {
        self.selection = Some((depth, threshold));
        self
    }

    /// MCTS-MB: when a proven loss comes up, its siblings are searched so many plies deep, each
    /// at most once, up to the first about which nothing is known.
    pub fn in_backup(mut self, depth: u32) -> Self {
        self.backup = Some(depth);
        self
    }
}

impl<G: TwoPlayer> Default for Solver<G> {
    fn default() -> Self {
        Self::new()
    }
}

impl<G: Game> Solver<G> {
    /// Visits at which a node is searched.
    pub(super) fn threshold(&self) -> u32 {
        self.selection.map_or(u32::MAX, |(_, threshold)| threshold)
    }

    /// The search in selection; the result is for the player who moved into the position.
    pub(super) fn in_selection(&mut self, pos: &mut G, meter: &mut Meter) -> Option<Proof> {
        let (depth, _) = self.selection?;
        self.prover.prove(pos, depth, meter).map(Proof::flip)
    }
}

/// The result of an ended game for a seat; payoffs between win, draw and loss prove nothing.
pub(super) fn of_end<G: Game>(pos: &G, seat: u8) -> Option<Proof> {
    match pos.payoffs()[seat as usize] {
        1.0 => Some(Proof::Win),
        0.5 => Some(Proof::Draw),
        0.0 => Some(Proof::Loss),
        _ => None,
    }
}

/// Proven wins before everything, proven losses after.
pub(crate) fn rank(proof: Option<Proof>) -> u8 {
    match proof {
        Some(Proof::Win) => 2,
        None | Some(Proof::Draw) => 1,
        Some(Proof::Loss) => 0,
    }
}

/// What both players get, seen from one seat.
fn payoffs(proof: Proof, seat: u8) -> Payoffs {
    let mut payoffs = [0.0; MAX_PLAYERS];
    payoffs[seat as usize] = payoff(proof);
    payoffs[(seat ^ 1) as usize] = payoff(proof.flip());
    payoffs
}

/// What a result pays.
pub(crate) fn payoff(proof: Proof) -> f32 {
    match proof {
        Proof::Win => 1.0,
        Proof::Draw => 0.5,
        Proof::Loss => 0.0,
    }
}

impl<M: Copy + Eq> Tree<M> {
    /// The result of the root for the player to move, if proven.
    pub fn proof(&self) -> Option<Proof> {
        self.nodes[ROOT as usize].proof.map(Proof::flip)
    }

    /// Looks for a winning move at the root and, in a tree that was kept, for what its moves
    /// prove already.
    pub fn prove_root<G: Game<Move = M>>(&mut self, pos: &G, admit: impl Fn(M) -> bool) {
        if let Some(m) = pos.winning_move(&mut self.scratch)
            && admit(m)
        {
            let root = self.nodes[ROOT as usize];
            let first = root.moves as usize;
            let listed = &self.moves[first..first + root.legal as usize];
            if let Some(index) = listed.iter().position(|&l| l == m)
                && (index < root.tried as usize || {
                    self.moves.swap(first + index, first + root.tried as usize);
                    self.add_child(ROOT, root.mover ^ 1)
                })
            {
                let children = self.nodes[ROOT as usize].children;
                let child = children + index.min(root.tried as usize) as u32;
                self.settle(child, Proof::Win);
                self.settle(ROOT, Proof::Loss);
            }
            return;
        }
        if let Some(proof) = self.verdict(ROOT) {
            self.settle(ROOT, proof.flip());
        }
    }

    /// The first look at a node on its second visit: does a move win at once? If so only that
    /// move is listed, and the result for the player who moved into the node is returned.
    pub(super) fn first_visit<G: Game<Move = M>>(&mut self, slot: Slot, pos: &G) -> Option<Proof> {
        let m = pos.winning_move(&mut self.scratch)?;
        if self.reserve_moves(1) {
            let node = &mut self.nodes[slot as usize];
            node.moves = self.moves.len() as u32;
            node.legal = 1;
            self.moves.push(m);
        }
        Some(Proof::Loss)
    }

    /// The winning move that [`first_visit`](Tree::first_visit) found.
    pub(super) fn winning_move_in(&self, slot: Slot) -> Option<M> {
        let node = &self.nodes[slot as usize];
        let is_won = node.proof == Some(Proof::Loss) && node.tried == 0 && node.legal == 1;
        is_won.then(|| self.moves[node.moves as usize])
    }

    /// Takes up a proof at the end of the path of the last [`descend`](Tree::descend), for the
    /// player who moved there, and carries it as far up as it goes; further up it is an
    /// ordinary result. `root` is the position at the root. Returns whether there was a path.
    pub fn backup_proof<G: Game<Move = M>>(
        &mut self,
        mut proof: Proof,
        root: &G,
        bandit: &Bandit,
        solver: &mut Solver<G>,
        meter: &mut Meter,
    ) -> bool {
        let Some(&end) = self.path.last() else { return false };
        // The seat for which `proof` holds: it is to move in the next node up.
        let mut seat = self.nodes[end as usize].mover;
        self.settle(end, proof);
        let mut level = self.path.len() - 1;
        if proof == Proof::Draw {
            self.visit(level, &payoffs(proof, seat), bandit);
        }
        while level > 0 {
            level -= 1;
            let slot = self.path[level];
            let verdict = match proof {
                Proof::Win => Some(Proof::Win),
                Proof::Draw => self.verdict(slot),
                Proof::Loss => {
                    let known = self.verdict(slot);
                    known.or_else(|| self.search_siblings(level, root, solver, meter))
                }
            };
            let result = payoffs(verdict.unwrap_or(proof), seat);
            let Some(verdict) = verdict else {
                self.backup_above(level + 1, &result, bandit);
                return true;
            };
            self.visit(level, &result, bandit);
            proof = verdict.flip();
            seat ^= 1;
            self.settle(slot, proof);
        }
        true
    }

    /// Counts a visit of the node on a level of the path.
    fn visit(&mut self, level: usize, payoffs: &Payoffs, bandit: &Bandit) {
        let at = self.path[level] as usize;
        let node = &mut self.nodes[at];
        node.visits += 1;
        node.sum += f64::from(payoffs[node.mover as usize]);
        let width = bandit.width(node.visits);
        self.widths[at] = self.weight(at, bandit.rule()) * width;
    }

    /// Records the result of a node for the player who moved into it.
    fn settle(&mut self, slot: Slot, proof: Proof) {
        let node = &mut self.nodes[slot as usize];
        debug_assert!(node.proof.is_none_or(|p| p == proof), "a proof is final");
        node.proof = Some(proof);
        node.stage = Stage::Settled;
        self.means[slot as usize] = match proof {
            Proof::Win => f32::INFINITY,
            Proof::Draw => 0.5,
            Proof::Loss => f32::NEG_INFINITY,
        };
        if proof == Proof::Draw {
            node.sum = 0.5 * f64::from(node.visits);
        }
    }

    /// What the children of a node prove for the player to move in it: a win if one of them is
    /// won, else the best of them if all are proven.
    fn verdict(&self, slot: Slot) -> Option<Proof> {
        let node = &self.nodes[slot as usize];
        let children = self.children_of(node);
        if children.iter().any(|c| c.proof == Some(Proof::Win)) {
            return Some(Proof::Win);
        }
        if node.tried == 0 || node.tried < node.legal {
            return None;
        }
        let mut best = Proof::Loss;
        for child in children {
            if child.proof? == Proof::Draw {
                best = Proof::Draw;
            }
        }
        Some(best)
    }

    fn children_of(&self, node: &Node) -> &[Node] {
        &self.nodes[node.children as usize..node.children as usize + node.tried as usize]
    }

    /// MCTS-MB at the node on this level of the path: the result for the player to move there.
    fn search_siblings<G: Game<Move = M>>(
        &mut self,
        level: usize,
        root: &G,
        solver: &mut Solver<G>,
        meter: &mut Meter,
    ) -> Option<Proof> {
        let depth = solver.backup?;
        let node = self.nodes[self.path[level] as usize];
        if node.tried < node.legal {
            return None;
        }
        let mut unproven = self.children_of(&node).iter().filter(|c| c.proof.is_none());
        if unproven.next().is_some_and(|c| c.searched) {
            return None;
        }
        let mut pos = match solver.pos.take() {
            Some(mut pos) => {
                pos.clone_from(root);
                pos
            }
            None => root.clone(),
        };
        for i in 0..level {
            let above = &self.nodes[self.path[i] as usize];
            let index = self.path[i + 1] - above.children;
            pos.play(self.moves[(above.moves + index) as usize]);
            meter.node();
        }
        let mut result = None;
        for i in 0..u32::from(node.tried) {
            let slot = node.children + i;
            let child = &mut self.nodes[slot as usize];
            match child.proof {
                Some(Proof::Win) => unreachable!("its parent would be proven"),
                Some(_) => continue,
                None if child.searched => break,
                None => child.searched = true,
            }
            let m = self.moves[(node.moves + i) as usize];
            meter.node();
            // For the player to move in the child, who is the other one.
            match pos.explore(m, |next| solver.prover.prove(next, depth, meter)) {
                Some(Proof::Win) => self.settle(slot, Proof::Loss),
                Some(Proof::Loss) => {
                    self.settle(slot, Proof::Win);
                    result = Some(Proof::Win);
                    break;
                }
                _ => break,
            }
        }
        solver.pos = Some(pos);
        result.or_else(|| self.verdict(self.path[level]))
    }
}
