//! What the tree tells its leaf: the decisions on the way down, all of them, and the moves that
//! were legal there.

use crate::legal;
use spielbaum_core::synthetic::{Hashed, HashedOptions};
use spielbaum_core::{Game, Limits, Meter, Payoffs, Player, Rng, Task};
use spielbaum_games::gomoku::Gomoku;
use spielbaum_games::lion::Lion;
use spielbaum_games::pig::Pig;
use spielbaum_search::leaf::Leaf;
use spielbaum_search::mcts::{Mcts, MctsConfig};
use spielbaum_search::trace::{Coding, Trace};
use spielbaum_search::tree::{Expansion, Order, Solver};
use std::sync::{Arc, Mutex};

/// Replays what it is told and compares it with the position it is given.
struct Spy<G: Game> {
    trace: Trace,
    root: Option<G>,
    width: usize,
    /// Simulations, and decisions in all of them.
    seen: Arc<Mutex<(u64, u64)>>,
}

impl<G: Game> Leaf<G> for Spy<G> {
    fn evaluate(&mut self, pos: &mut G, rng: &mut Rng, meter: &mut Meter) -> Payoffs {
        let mut replayed = self.root.clone().unwrap();
        for decision in self.trace.decisions() {
            let seat = replayed.turn().player().unwrap();
            assert_eq!(usize::from(decision.seat), seat);
            let cell = |m| (seat * self.width + replayed.code(m)) as u32;
            let moves = legal(&replayed);
            let mut told = self.trace.legal(decision).to_vec();
            let mut expected: Vec<u32> = moves.iter().map(|&m| cell(m)).collect();
            told.sort_unstable();
            expected.sort_unstable();
            assert_eq!(told, expected);
            let chosen = moves.iter().find(|&&m| cell(m) == decision.chosen).unwrap();
            replayed.play(*chosen);
        }
        assert_eq!(replayed.to_string(), pos.to_string());
        let mut seen = self.seen.lock().unwrap();
        *seen = (seen.0 + 1, seen.1 + self.trace.decisions().len() as u64);
        pos.playout(u32::MAX, rng, &mut Vec::new());
        meter.node();
        pos.payoffs()
    }

    fn begin(&mut self, root: &G) {
        self.width = root.codes();
        self.trace.set_width(self.width);
        self.root = Some(root.clone());
    }

    fn trace(&mut self) -> Option<&mut Trace> {
        Some(&mut self.trace)
    }
}

fn spied<G: Game>(config: &MctsConfig) -> (Mcts<G>, Arc<Mutex<(u64, u64)>>) {
    let seen = Arc::new(Mutex::new((0, 0)));
    let trace = Trace::new(Coding::Code, true);
    let spy = Spy { trace, root: None, width: 0, seen: Arc::clone(&seen) };
    (Mcts::new(config, 3).evaluated_by(Box::new(spy)), seen)
}

#[test]
fn the_leaf_is_told_every_decision() {
    fn check<G: Game>(root: &G) {
        for (expansion, order, reuse) in [
            (Expansion::One, Order::Random, false),
            (Expansion::One, Order::Generation, true),
            (Expansion::All, Order::Random, true),
        ] {
            let config = MctsConfig { expansion, order, reuse, ..MctsConfig::default() };
            let (mut player, seen) = spied::<G>(&config);
            let mut pos = root.clone();
            for asked in 1..4 {
                let report = player.think(&pos, &mut Task::new(Limits::iterations(600))).unwrap();
                let (simulations, decisions) = *seen.lock().unwrap();
                assert_eq!(simulations, 600 * asked);
                assert!(decisions > simulations, "{decisions} decisions");
                player.observe(&pos, report.best);
                pos.play(report.best);
            }
        }
    }
    check(&Lion::default());
    check(&Gomoku::new(6, 6, 4).unwrap());
    for players in 1..=5 {
        check::<Hashed>(
            &HashedOptions { players, depth: 9, ending: 0, ..Default::default() }.root(),
        );
    }
}

#[test]
fn a_solving_search_tells_it_too() {
    let (player, seen) = spied::<Lion>(&MctsConfig::default());
    let mut player = player.solving(Solver::new().in_selection_at(2, 2));
    player.think(&Lion::default(), &mut Task::new(Limits::iterations(2000))).unwrap();
    let (simulations, decisions) = *seen.lock().unwrap();
    assert!(simulations > 1000 && decisions > simulations);
}

/// Sees a game with chance; its decisions are rolls and holds, whatever the dice show.
struct Dice(Trace, u64);

impl Leaf<Pig> for Dice {
    fn evaluate(&mut self, pos: &mut Pig, rng: &mut Rng, meter: &mut Meter) -> Payoffs {
        for decision in self.0.decisions() {
            let row = u32::from(decision.seat) * pos.codes() as u32;
            let number = |cell: u32| cell.checked_sub(row).unwrap();
            assert!(matches!(number(decision.chosen), 0 | 7));
            let legal: Vec<u32> = self.0.legal(decision).iter().map(|&c| number(c)).collect();
            assert!(legal == [0] || legal == [7] || legal.len() == 2, "{legal:?}");
            self.1 += 1;
        }
        meter.plays(pos.playout(u32::MAX, rng, &mut Vec::new()).into());
        pos.payoffs()
    }

    fn begin(&mut self, root: &Pig) {
        self.0.set_width(root.codes());
    }

    fn trace(&mut self) -> Option<&mut Trace> {
        Some(&mut self.0)
    }

    fn restart(&mut self) {
        assert!(self.1 > 2000, "{} decisions", self.1);
    }
}

#[test]
fn outcomes_of_chance_are_not_decisions() {
    let leaf = Box::new(Dice(Trace::new(Coding::Code, true), 0));
    let mut player = Mcts::new(&MctsConfig::default(), 3).evaluated_by(leaf);
    let pig = Pig::new(3, 30).unwrap();
    player.think(&pig, &mut Task::new(Limits::iterations(2000))).unwrap();
    Player::<Pig>::restart(&mut player, 1);
}
