//! Play in lost positions.

use spielbaum_core::{Game, Limits, Player, Report, Task, text};
use spielbaum_games::gomoku::{Gomoku, Point};
use spielbaum_zero::{Evaluator, Leaf, Zero, ZeroConfig};

/// Says the same of every position: what the first player gets.
struct Says(f32);

impl<G: Game> Evaluator<G> for Says {
    fn judge(&mut self, leaves: &mut [Leaf<G>]) -> Result<(), String> {
        for leaf in leaves {
            leaf.priors.clear();
            leaf.priors.resize(leaf.moves.len(), 1.0 / leaf.moves.len() as f32);
            leaf.plays = 0;
            leaf.payoffs[0] = self.0;
            leaf.payoffs[1] = 1.0 - self.0;
        }
        Ok(())
    }
}

/// What the second player does about three in a row with one open end, d3.
fn think(says: f32, resist: u32, solver: bool, seed: u64) -> Report<Point> {
    let mut config = ZeroConfig { resist, ..ZeroConfig::default() };
    config.search.solver = solver;
    let mut player = Zero::new(&config, Box::new(Says(says)), seed);
    let mut pos = Gomoku::new(6, 6, 4).expect("a board");
    text::play_moves(&mut pos, "a3 f6 b3 f5 c3").expect("legal moves");
    player.think(&pos, &mut Task::new(Limits::iterations(400))).expect("a move")
}

#[test]
fn a_network_without_hope_does_not_stop_the_resistance() {
    for seed in 1..6 {
        let report = think(1.0, 32, false, seed);
        assert_eq!((report.best.to_string().as_str(), report.iterations), ("d3", 400), "{seed}");
        assert!(report.value < 0.05, "{}", report.value);
    }
    let plain = (1..6).map(|seed| think(1.0, 0, false, seed).best.to_string());
    assert!(plain.collect::<Vec<_>>().iter().any(|m| m != "d3"), "nothing tells the moves apart");
}

#[test]
fn the_only_move_that_does_not_lose_at_once_needs_no_second_search() {
    let report = think(1.0, 32, true, 1);
    assert_eq!(report.best.to_string(), "d3");
}

#[test]
fn while_there_is_hope_nothing_changes() {
    for seed in 1..4 {
        let [plain, resisting] = [0, 32].map(|resist| think(0.5, resist, true, seed));
        assert_eq!(plain.best, resisting.best);
        assert_eq!((plain.iterations, plain.nodes), (resisting.iterations, resisting.nodes));
    }
}
