//! Hindsight optimisation (HOP): what is best on average if chance were known beforehand (Chong,
//! Givan, Chang 2000; Yoon et al. 2008).
//!
//! Several ways in which the game may go are drawn; each of them, a game without chance, is searched
//! with an equal share of the budget, and the root moves are added up. Each search profits from what
//! it cannot know (strategy fusion), so values are too high; the move is the one that is good in
//! general and not for one order.

use crate::determined::Determined;
use crate::mcts::{Choice, Mcts};
use crate::merge::merge;
use spielbaum_core::{Forfeit, Game, Player, Report, Rng, Task};

/// Hindsight optimisation as a player.
pub struct Hop<G: Game> {
    search: Mcts<Determined<G>>,
    samples: u64,
    choice: Choice,
    /// Whether hidden parts are drawn anew for each sample.
    redraws: bool,
    rng: Rng,
}

impl<G: Game> Hop<G> {
    /// So many samples, each searched by `search` with its share of the budget. `redraws` unless
    /// the player may see hidden parts. A margin of [`Choice::Secure`] is in rewards.
    pub fn new(
        search: Mcts<Determined<G>>,
        samples: u64,
        choice: Choice,
        redraws: bool,
        seed: u64,
    ) -> Self {
        Hop { search, samples: samples.max(1), choice, redraws, rng: Rng::new(seed) }
    }
}

impl<G: Game> Player<G> for Hop<G> {
    fn think(&mut self, pos: &G, task: &mut Task<'_, G::Move>) -> Result<Report<G::Move>, Forfeit> {
        let seat = pos.turn().player().unwrap_or(0);
        let samples = task.meter.parts(self.samples);
        let mut reports: Vec<Report<G::Move>> = Vec::new();
        for i in 0..samples {
            let mut turn = Task::metered(task.meter.turn(i, samples)).only(task.choice());
            // Time may be up; somebody has to answer.
            if !turn.meter.check() && !reports.is_empty() {
                break;
            }
            let root = if self.redraws { pos.hide(seat, &mut self.rng) } else { pos.clone() };
            let root = Determined::new(root, self.rng.next());
            self.search.restart(self.rng.next());
            let mut report = self.search.think(&root, &mut turn)?;
            // What follows holds in this sample only.
            report.pv.truncate(1);
            reports.push(report);
            task.meter.check();
            if task.is_due()
                && let Some(report) = merge(&reports, self.choice, &task.meter)
            {
                task.publish(&report);
            }
        }
        let (iterations, nodes) =
            reports.iter().fold((0, 0), |(i, n), r| (i + r.iterations, n + r.nodes));
        task.meter.charge(iterations, nodes);
        merge(&reports, self.choice, &task.meter)
            .ok_or_else(|| Forfeit::Crashed("there is no move to choose from".into()))
    }

    fn restart(&mut self, seed: u64) {
        self.rng = Rng::new(seed);
        self.search.restart(seed);
    }

    fn bytes(&self) -> usize {
        self.search.bytes()
    }
}
