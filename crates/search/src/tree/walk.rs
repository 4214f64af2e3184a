//! The way down: selection and expansion.

use super::arena::reserve;
use super::proof::{self, Solver};
use super::{ChanceNodes, Expansion, MOST_MOVES, Node, Order, ROOT, Slot, Stage, Tree, stage};
use crate::bandit::{Arms, Bandit};
use crate::trace::{Unseen, Witness};
use spielbaum_core::{Game, Meter, Proof, Rng, Turn};

/// For how many moves there is always room before they are listed: more than games here have.
const FEW_MOVES: usize = 512;

impl<M: Copy + Eq> Tree<M> {
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
    pub(super) fn arms(&self, node: &Node) -> Arms<'_> {
        let range = node.children as usize..node.children as usize + node.tried as usize;
        let (means, widths) = (&self.means[range.clone()], &self.widths[range.clone()]);
        let spreads = if self.tracks_spreads { &self.spreads[range] } else { &[][..] };
        Arms { means, widths, spreads }
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

fn seat(turn: Turn, otherwise: u8) -> u8 {
    match turn {
        Turn::Player(seat) => seat,
        Turn::Chance => otherwise,
    }
}
