//! What a search answers.

use super::root::RootMove;
use crate::score;
use spielbaum_core::{Bound, Eval, Line, Proof, Report, Task, TwoPlayer};

/// The best so far.
pub(super) struct Answer<M> {
    /// Index of the root move.
    pub(super) best: usize,
    /// The last completed depth.
    pub(super) depth: u32,
    pub(super) pv: Vec<M>,
}

impl<M: Copy + Eq> Answer<M> {
    pub(super) fn report<G: TwoPlayer<Move = M>>(
        &self,
        roots: &[RootMove<M>],
        restricted: bool,
        eval: &dyn Eval<G>,
        task: &Task<'_, M>,
    ) -> Report<M> {
        let payoff = |r: &RootMove<M>| {
            if r.settled && r.depth > 0 { score::to_payoff(r.score) } else { eval.payoff(r.score) }
        };
        // An upper bound proves a loss and nothing else.
        let proof = |r: &RootMove<M>| {
            let exact = r.bound == Bound::Exact;
            score::proof(r.score, r.settled).filter(|&p| exact || p == Proof::Loss)
        };
        let line = |r: &RootMove<M>| Line {
            mv: r.mv,
            visits: r.nodes,
            value: payoff(r),
            bound: r.bound,
            prior: None,
            proven: proof(r),
        };
        let best = &roots[self.best];
        let mut others: Vec<_> = roots.iter().filter(|r| r.mv != best.mv).collect();
        others.sort_by_key(|r| std::cmp::Reverse(r.score));
        // A draw or a loss also needs that no other move can be better.
        let settled = |r: &RootMove<M>| r.settled && r.depth > 0 && r.score <= best.score;
        let all = !restricted && roots.iter().all(settled);
        Report {
            best: best.mv,
            value: payoff(best),
            proven: proof(best).filter(|&p| p == Proof::Win || all),
            lines: std::iter::once(best).chain(others).map(line).collect(),
            pv: self.pv.clone(),
            depth: self.depth,
            iterations: u64::from(self.depth),
            nodes: task.meter.nodes(),
            elapsed: task.meter.elapsed(),
            note: None,
        }
    }
}
