//! Greedy play of a net, many games on some threads, and learning from it.

use super::curve::Tally;
use super::network::{Network, Row};
use super::path::{Backward, Path};
use super::step::Step;
use spielbaum_core::{Cells, IMAGES, Rng, largest_content};
use std::marker::PhantomData;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

/// How games are learned from.
#[derive(Clone, Copy)]
pub(super) struct Learning {
    /// The share of an error that a step makes up.
    pub(super) alpha: f32,
    /// After the end of a game, backwards; else during it.
    pub(super) backward: Option<Backward>,
}

/// Plays the games of these numbers on some threads, and learns from them if it is told how.
pub(super) fn play<G: Cells, S: Step>(
    net: &Network,
    learning: Option<Learning>,
    start: &G,
    seed: u64,
    games: std::ops::Range<u64>,
    threads: usize,
    halt: &(dyn Fn() -> bool + Sync),
) -> Tally {
    let next = AtomicU64::new(games.start);
    let work = || {
        let mut worker = Worker::<G, S>::new(net, learning);
        while !halt() {
            // Whoever takes a number plays the game: those played have no gap.
            let number = next.fetch_add(1, Relaxed);
            if number >= games.end {
                break;
            }
            let rng = &mut Rng::new(Rng::split(seed, number));
            match learning {
                Some(Learning { alpha, backward: Some(backward) }) => {
                    worker.game_backward(start, alpha, backward, rng);
                }
                _ => worker.game(start, rng),
            }
        }
        worker.tally
    };
    if threads <= 1 {
        return work();
    }
    let mut total = Tally::default();
    std::thread::scope(|scope| {
        let all: Vec<_> = (0..threads).map(|_| scope.spawn(work)).collect();
        for one in all {
            match one.join() {
                Ok(tally) => total.merge(&tally),
                Err(panic) => std::panic::resume_unwind(panic),
            }
        }
    });
    total
}

/// One thread's play.
struct Worker<'a, G: Cells, S> {
    net: &'a Network,
    /// How far steps go that are made during a game.
    alpha: Option<f32>,
    /// Moves to choose from.
    choices: Vec<Choice<G::Move>>,
    /// The weights that they meet, as many rows for each as there are tuples.
    rows: Vec<Row>,
    /// Those of the last choice and of the one before.
    last: Vec<Row>,
    before: Vec<Row>,
    /// What was played, where it is learned from afterwards.
    path: Path<G>,
    scratch: Vec<G::Move>,
    tally: Tally,
    step: PhantomData<S>,
}

#[derive(Clone, Copy)]
struct Choice<M> {
    mv: M,
    /// The board after it.
    after: u64,
    /// What the move earns.
    reward: f32,
    /// With the value of the board.
    total: f32,
}

impl<'a, G: Cells, S: Step> Worker<'a, G, S> {
    fn new(net: &'a Network, learning: Option<Learning>) -> Self {
        let tuples = net.shape().tuples().len();
        Worker {
            net,
            alpha: learning.map(|learning| learning.alpha),
            choices: Vec::new(),
            rows: Vec::new(),
            last: vec![[0; IMAGES]; tuples],
            before: vec![[0; IMAGES]; tuples],
            path: Path::new(tuples),
            scratch: Vec::new(),
            tally: Tally::default(),
            step: PhantomData,
        }
    }

    /// What a choice teaches about the one before is learned after the weights of the next choices
    /// are asked for and before they are read: memory works meanwhile, and nothing else changes.
    fn game(&mut self, start: &G, rng: &mut Rng) {
        let mut pos = start.clone();
        let (mut due, mut moves) = (None, 0);
        loop {
            self.chance(&mut pos, rng);
            self.look(&pos);
            self.learn(due);
            let best = self.best();
            // What comes after the end is nothing.
            due = (moves > 0).then(|| best.map_or(0.0, |best| self.choices[best].total));
            let width = self.last.len();
            std::mem::swap(&mut self.last, &mut self.before);
            let Some(best) = best else { break };
            self.last.copy_from_slice(&self.rows[best * width..][..width]);
            S::expect(self.net, &self.last);
            let chosen = self.choices[best];
            pos.play_to(chosen.mv, chosen.after, chosen.reward);
            moves += 1;
        }
        self.learn(due);
        self.tally.add(pos.payoffs()[0].into(), moves, largest_content(pos.word()));
    }

    /// A game that is learned from after its end, and those that begin in the middle of it.
    fn game_backward(&mut self, start: &G, alpha: f32, how: Backward, rng: &mut Rng) {
        let (mut pos, mut is_whole) = (start.clone(), true);
        loop {
            self.path.clear();
            loop {
                self.chance(&mut pos, rng);
                self.look(&pos);
                let Some(best) = self.best() else { break };
                let Choice { mv, after, reward, .. } = self.choices[best];
                pos.play_to(mv, after, reward);
                self.path.push(&pos, reward);
            }
            let moves = self.path.len() as u64;
            if is_whole {
                self.tally.add(pos.payoffs()[0].into(), moves, largest_content(pos.word()));
            } else {
                self.tally.moves += moves;
            }
            self.path.learn::<S>(self.net, alpha, how.lambda);
            match self.path.middle(how.restart) {
                Some(middle) => (pos, is_whole) = (middle, false),
                None => break,
            }
        }
    }

    /// Lets chance move until it is the player's turn.
    #[inline]
    fn chance(&mut self, pos: &mut G, rng: &mut Rng) {
        while pos.turn().player().is_none()
            && let Some(outcome) = pos.random_move(rng, &mut self.scratch)
        {
            pos.play(outcome);
        }
    }

    /// The choices in a position, without the values of their boards.
    #[inline]
    fn look(&mut self, pos: &G) {
        let (net, choices, rows) = (self.net, &mut self.choices, &mut self.rows);
        let width = self.last.len();
        choices.clear();
        pos.afterstates(|mv, after, reward| {
            let begin = choices.len() * width;
            if rows.len() < begin + width {
                rows.resize(begin + width, [0; IMAGES]);
            }
            net.find(&pos.images(after), &mut rows[begin..][..width]);
            choices.push(Choice { mv, after, reward, total: reward });
        });
    }

    #[inline]
    fn learn(&self, target: Option<f32>) {
        if let (Some(alpha), Some(target)) = (self.alpha, target) {
            S::learn(self.net, &self.before, alpha, target);
        }
    }

    /// The first of the best. Nobody foresees which it is, and a wrong guess would throw away what
    /// goes on while weights come from memory: no branch.
    #[inline]
    fn best(&mut self) -> Option<usize> {
        let width = self.last.len();
        let mut best = 0;
        for (i, rows) in (0..self.choices.len()).zip(self.rows.chunks(width)) {
            self.choices[i].total += self.net.sum(rows);
            let is_better = self.choices[i].total > self.choices[best].total;
            best = std::hint::select_unpredictable(is_better, i, best);
        }
        (!self.choices.is_empty()).then_some(best)
    }
}
