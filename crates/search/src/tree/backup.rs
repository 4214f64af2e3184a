//! The way back: what a simulation came to, added to the nodes of its path.

use super::Tree;
use crate::bandit::Bandit;
use spielbaum_core::Payoffs;

impl<M: Copy + Eq> Tree<M> {
    /// Adds the result of a simulation to every node of the path of the last
    /// [`descend`](Tree::descend).
    #[inline(always)]
    pub fn backup(&mut self, payoffs: &Payoffs, bandit: &Bandit) {
        self.backup_above(self.path.len(), payoffs, bandit);
    }

    /// Adds a result to the first `levels` nodes of the path.
    #[inline(always)]
    pub(super) fn backup_above(&mut self, levels: usize, payoffs: &Payoffs, bandit: &Bandit) {
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
}
