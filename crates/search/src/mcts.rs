//! Monte-Carlo tree search: select and expand, evaluate, back up.

use crate::bandit::{Bandit, Scale};
use crate::leaf::{Leaf, UniformPlayout};
use crate::tree::Tree;
use spielbaum_core::{Forfeit, Game, Line, Player, Report, Reward, Rng, Task};

/// What makes one Monte-Carlo search different from another.
#[derive(Clone, PartialEq, Debug)]
pub struct MctsConfig {
    /// Exploration constant of UCB1, on the scale below.
    pub c: f64,
    /// The scale on which rewards meet `c`.
    pub scale: Scale,
    /// What the search maximises.
    pub reward: Reward,
    /// Playouts end after so many moves, if set.
    pub cutoff: Option<u32>,
    /// Memory for the tree, in bytes.
    pub memory: usize,
}

impl Default for MctsConfig {
    fn default() -> Self {
        MctsConfig {
            c: 1.414,
            scale: Scale::Observed,
            reward: Reward::Win,
            cutoff: None,
            memory: 1 << 30,
        }
    }
}

/// A Monte-Carlo tree search as a player.
///
/// ```
/// use spielbaum_core::{Limits, Player, Task, synthetic::Literal};
/// use spielbaum_search::mcts::{Mcts, MctsConfig};
/// let game = Literal::two_player("((1 0) (1 1) (0 0))").unwrap();
/// let mut uct = Mcts::new(&MctsConfig::default(), 7);
/// let report = uct.think(&game, &mut Task::new(Limits::iterations(200))).unwrap();
/// assert_eq!(report.best.to_string(), "2");
/// ```
pub struct Mcts<G: Game> {
    tree: Tree<G::Move>,
    bandit: Bandit,
    leaf: Box<dyn Leaf<G>>,
    rng: Rng,
}

impl<G: Game> Mcts<G> {
    /// A search with uniform playouts.
    pub fn new(config: &MctsConfig, seed: u64) -> Self {
        Mcts {
            tree: Tree::new(config.memory),
            bandit: Bandit::new(config.c, config.scale),
            leaf: Box::new(UniformPlayout::new(config.reward, config.cutoff)),
            rng: Rng::new(seed),
        }
    }

    fn report(&self, task: &Task<'_, G::Move>) -> Option<Report<G::Move>> {
        let mut roots: Vec<_> = self.tree.root_moves().collect();
        // The most visited move is the most robust choice; equals are told apart by their mean.
        roots.sort_by(|a, b| b.visits.cmp(&a.visits).then(b.mean.total_cmp(&a.mean)));
        let best = roots.first()?;
        let mut report = Report::new(best.mv, best.mean as f32, &task.meter);
        report.pv = self.tree.principal_variation(best);
        report.depth = self.tree.depth();
        report.lines = (roots.iter())
            .map(|r| Line {
                mv: r.mv,
                visits: r.visits,
                value: r.mean as f32,
                prior: None,
                proven: None,
            })
            .collect();
        if self.tree.is_full() {
            let mib = self.tree.bytes() >> 20;
            report.note = Some(format!("the tree stopped growing at its memory limit ({mib} MiB)"));
        }
        Some(report)
    }
}

impl<G: Game> Player<G> for Mcts<G> {
    fn think(
        &mut self,
        root: &G,
        task: &mut Task<'_, G::Move>,
    ) -> Result<Report<G::Move>, Forfeit> {
        self.bandit.reset();
        self.tree.plant(root, |m| task.admits(m));
        let players = root.players();
        let mut pos = root.clone();
        while task.meter.iteration() {
            pos.clone_from(root);
            self.tree.descend(&mut pos, &self.bandit, &mut self.rng, &mut task.meter);
            let rewards = self.leaf.evaluate(&mut pos, &mut self.rng, &mut task.meter);
            self.bandit.observe(&rewards, players);
            self.tree.backup(&rewards);
            if task.is_due()
                && let Some(report) = self.report(task)
            {
                task.publish(&report);
            }
        }
        self.report(task).ok_or_else(|| Forfeit::Crashed("there is no move to choose from".into()))
    }

    fn restart(&mut self, seed: u64) {
        self.rng = Rng::new(seed);
    }

    fn bytes(&self) -> usize {
        self.tree.bytes()
    }
}
