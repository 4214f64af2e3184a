//! Root parallelism: one search for each thread, their root moves added up (Cazenave and
//! Jouandeau 2007; Chaslot, Winands, van den Herik 2008).
//!
//! The number of workers is part of the player, not of the machine: each has its own seed and its
//! share of the simulations and plays, and reports are merged in the order of the workers. So with
//! such a budget the answer is the same on one core as on many. Each worker keeps its own tree
//! between moves if it is told to.

use crate::mcts::Choice;
use crate::merge::merge;
use spielbaum_core::{Forfeit, Game, Limits, Player, Report, Rng, Task};
use std::panic::resume_unwind;
use std::thread;

/// A bundle of players of one kind that search side by side.
///
/// ```
/// use spielbaum_core::{Limits, Player, Task, synthetic::Literal};
/// use spielbaum_search::mcts::{Choice, Mcts, MctsConfig};
/// use spielbaum_search::root::Root;
/// let game = Literal::two_player("((1 0) (1 1) (0 0))").unwrap();
/// let worker = || Box::new(Mcts::new(&MctsConfig::default(), 0)) as Box<dyn Player<_>>;
/// let mut player = Root::new(vec![worker(), worker()], Choice::Robust, 7);
/// let report = player.think(&game, &mut Task::new(Limits::iterations(201))).unwrap();
/// assert_eq!((report.best.to_string().as_str(), report.iterations), ("2", 201));
/// ```
pub struct Root<G: Game> {
    workers: Vec<Box<dyn Player<G>>>,
    choice: Choice,
}

impl<G: Game> Root<G> {
    /// These workers, seeded; a margin of [`Choice::Secure`] is in rewards.
    pub fn new(workers: Vec<Box<dyn Player<G>>>, choice: Choice, seed: u64) -> Self {
        let mut root = Root { workers, choice };
        root.restart(seed);
        root
    }
}

impl<G: Game> Player<G> for Root<G> {
    /// Live reports are those of the first worker, about its own share.
    fn think(&mut self, pos: &G, task: &mut Task<'_, G::Move>) -> Result<Report<G::Move>, Forfeit> {
        let parts = task.meter.parts(self.workers.len() as u64);
        let active = &mut self.workers[..parts as usize];
        let meters: Vec<_> = (0..parts).map(|i| task.meter.part(i, parts)).collect();
        let only = task.choice();
        let mut publish = |report: &Report<G::Move>| task.publish(report);
        let answers: Vec<_> = thread::scope(|scope| {
            let mut pairs = active.iter_mut().zip(meters);
            let first = pairs.next();
            let handles: Vec<_> = pairs
                .map(|(worker, meter)| {
                    scope.spawn(move || worker.think(pos, &mut Task::metered(meter).only(only)))
                })
                .collect();
            // This thread is a worker, too.
            let own = first.map(|(worker, meter)| {
                worker.think(pos, &mut Task::metered(meter).only(only).live(&mut publish))
            });
            let others = handles.into_iter().map(|h| h.join().unwrap_or_else(|e| resume_unwind(e)));
            own.into_iter().chain(others).collect()
        });
        let reports = answers.into_iter().collect::<Result<Vec<_>, _>>()?;
        let (iterations, nodes) =
            reports.iter().fold((0, 0), |(i, n), r| (i + r.iterations, n + r.nodes));
        task.meter.charge(iterations, nodes);
        merge(&reports, self.choice, &task.meter)
            .ok_or_else(|| Forfeit::Crashed("there is no move to choose from".into()))
    }

    fn restart(&mut self, seed: u64) {
        for (i, worker) in self.workers.iter_mut().enumerate() {
            worker.restart(Rng::split(seed, i as u64));
        }
    }

    fn observe(&mut self, pos: &G, m: G::Move) {
        for worker in &mut self.workers {
            worker.observe(pos, m);
        }
    }

    fn is_bounded_by(&self, limits: &Limits) -> bool {
        self.workers.iter().all(|w| w.is_bounded_by(limits))
    }

    fn bytes(&self) -> usize {
        self.workers.iter().map(|w| w.bytes()).sum()
    }
}
