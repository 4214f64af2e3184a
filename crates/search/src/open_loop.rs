//! Open-loop Monte-Carlo tree search: chance, and what is hidden, is drawn anew on each way down
//! (Perez et al. 2015 for chance; as single-observer information-set search, Cowling, Powley,
//! Whitehouse 2012, for what is hidden).

use crate::bandit::Bandit;
use crate::leaf::{Leaf, Playout};
use crate::mcts::{Choice, MctsConfig};
use crate::open_tree::OpenTree;
use crate::policy::Uniform;
use crate::random::choices;
use crate::trace::Unseen;
use crate::tree::Order;
use spielbaum_core::{Bound, Forfeit, Game, Line, Player, Report, Rng, Task};

/// An open-loop search as a player. Of its configuration, expansion and reuse have no meaning
/// here.
///
/// ```
/// use spielbaum_core::{Limits, Player, Task, synthetic::Literal};
/// use spielbaum_search::mcts::MctsConfig;
/// use spielbaum_search::open_loop::OpenLoop;
/// let game = Literal::new(1, "(0.3 ?(1:0 1:1))").unwrap();
/// let mut player = OpenLoop::new(&MctsConfig::default(), true, 7);
/// let report = player.think(&game, &mut Task::new(Limits::iterations(500))).unwrap();
/// assert_eq!(report.best.to_string(), "2");
/// ```
pub struct OpenLoop<G: Game> {
    tree: OpenTree,
    bandit: Bandit,
    leaf: Box<dyn Leaf<G>>,
    choice: Choice,
    redraws: bool,
    rng: Rng,
    moves: Vec<G::Move>,
}

impl<G: Game> OpenLoop<G> {
    /// A search with uniform playouts. `redraws` unless the player may see hidden parts.
    pub fn new(config: &MctsConfig, redraws: bool, seed: u64) -> Self {
        OpenLoop {
            tree: OpenTree::new(config.memory, config.order == Order::Generation),
            bandit: Bandit::with(config.rule, config.c, config.scale),
            leaf: Box::new(Playout::new(Uniform, config.reward, config.cutoff)),
            choice: config.choice,
            redraws,
            rng: Rng::new(seed),
            moves: Vec::new(),
        }
    }

    /// The same search with other playouts.
    pub fn evaluated_by(mut self, leaf: Box<dyn Leaf<G>>) -> Self {
        self.leaf = leaf;
        self
    }

    fn report(
        &self,
        root: &G,
        moves: &[G::Move],
        task: &Task<'_, G::Move>,
    ) -> Option<Report<G::Move>> {
        let line = |&mv: &G::Move| {
            let seen = self.tree.root_move(root.code(mv))?;
            let (visits, value) = (seen.visits, seen.mean as f32);
            Some(Line { mv, visits, value, bound: Bound::Exact, prior: None, proven: None })
        };
        let mut lines: Vec<_> = moves.iter().filter_map(line).collect();
        let unit = self.bandit.unit();
        let merit = |l: &Line<G::Move>| self.choice.value(l.visits, f64::from(l.value), unit);
        lines.sort_by(|a, b| {
            let ((x, x2), (y, y2)) = (merit(a), merit(b));
            y.total_cmp(&x).then(y2.total_cmp(&x2))
        });
        let best = lines.first()?;
        let mut report = Report::new(best.mv, best.value, &task.meter);
        report.depth = self.tree.depth();
        report.lines = lines;
        if self.tree.is_full() {
            let kib = self.tree.bytes() >> 10;
            report.note = Some(format!("the tree stopped growing at its memory limit ({kib} KiB)"));
        }
        Some(report)
    }
}

impl<G: Game> Player<G> for OpenLoop<G> {
    fn think(
        &mut self,
        root: &G,
        task: &mut Task<'_, G::Move>,
    ) -> Result<Report<G::Move>, Forfeit> {
        let (seat, legal) = choices(root, task)?;
        let is_whole = root.count_moves() == legal.len();
        let players = root.players();
        self.bandit.reset();
        self.leaf.begin(root);
        self.tree.clear();
        let mut pos = root.clone();
        while task.meter.iteration() {
            if self.redraws {
                pos = root.hide(seat, &mut self.rng);
            } else {
                pos.clone_from(root);
            }
            let admit = |m: G::Move| is_whole || legal.contains(&m);
            let (rng, meter) = (&mut self.rng, &mut task.meter);
            let (tree, bandit, moves) = (&mut self.tree, &mut self.bandit, &mut self.moves);
            match self.leaf.trace() {
                None => tree.descend(&mut pos, bandit, &mut Unseen, moves, admit, rng, meter),
                Some(trace) => tree.descend(&mut pos, bandit, trace, moves, admit, rng, meter),
            }
            let rewards = self.leaf.evaluate(&mut pos, rng, meter);
            bandit.observe(&rewards, players);
            tree.backup(&rewards);
            if task.is_due()
                && let Some(report) = self.report(root, &legal, task)
            {
                task.publish(&report);
            }
        }
        self.report(root, &legal, task)
            .ok_or_else(|| Forfeit::Crashed("there is no move to choose from".into()))
    }

    fn restart(&mut self, seed: u64) {
        self.rng = Rng::new(seed);
        self.leaf.restart();
    }

    fn bytes(&self) -> usize {
        self.tree.bytes() + self.leaf.bytes()
    }
}
