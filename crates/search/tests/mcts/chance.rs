//! What a simulation does where chance acts.

use spielbaum_core::synthetic::{Hashed, HashedOptions, Literal};
use spielbaum_core::{Eval, Game, Limits, Meter, Player, Rng, Stop, Task, Turn};
use spielbaum_search::bandit::{Bandit, Rule, Scale};
use spielbaum_search::leaf::Judged;
use spielbaum_search::mcts::{Mcts, MctsConfig};
use spielbaum_search::policy::Uniform;
use spielbaum_search::tree::{ChanceNodes, Expansion, Order, Tree};

fn value_of_gamble(chance: ChanceNodes, seed: u64) -> f32 {
    // A sure 0.4 against one or nothing.
    let game = Literal::new(1, "([0.4] ?(1:[1] 1:[0]))").unwrap();
    let config = MctsConfig { chance, scale: Scale::Raw, ..MctsConfig::default() };
    let mut task = Task::new(Limits::iterations(4000));
    let report = Mcts::new(&config, seed).think(&game, &mut task).unwrap();
    report.lines.iter().find(|line| line.mv.to_string() == "2").unwrap().value
}

#[test]
fn a_fixed_outcome_is_one_sample_and_the_others_are_averaged() {
    let mut wins = 0;
    for seed in 0..40 {
        let fixed = value_of_gamble(ChanceNodes::Fixed, seed);
        assert!(fixed == 0.0 || fixed == 1.0, "{fixed}");
        wins += u32::from(fixed == 1.0);
        for chance in [ChanceNodes::Sampled, ChanceNodes::Through] {
            let mean = value_of_gamble(chance, seed);
            assert!((mean - 0.5).abs() < 0.05, "{chance:?}: {mean}");
        }
    }
    // 20 of 40 to be expected; outside of this range once in 10 000.
    assert!((9..=31).contains(&wins), "{wins}");
}

/// MCTSE: the way down ends behind a new move of a player and the chance after it, so each
/// simulation adds two nodes, or three where an outcome is new on the way.
#[test]
fn the_way_through_chance_ends_where_a_player_decides() {
    for chance in [ChanceNodes::Through, ChanceNodes::Fixed] {
        let root =
            HashedOptions { players: 1, chance: 60, depth: 9, ending: 0, ..Default::default() };
        let root = root.root();
        let bandit = Bandit::new(1.0, Scale::Unit);
        let mut tree =
            Tree::growing(1 << 24, Expansion::One, Order::Random).serving(&bandit).meeting(chance);
        tree.plant(&root, |_| true);
        let mut rng = Rng::new(5);
        let mut meter = Meter::new(Limits::default(), Stop::new());
        for _ in 0..2000 {
            let mut pos: Hashed = root;
            tree.descend(&mut pos, &bandit, &mut rng, &mut meter);
            assert!(pos.is_over() || pos.turn() != Turn::Chance);
            pos.playout(u32::MAX, &mut rng, &mut Vec::new());
            tree.backup(&pos.payoffs(), &bandit);
        }
    }
}

#[test]
fn through_chance_the_search_converges_too() {
    // 0.9 for sure, or a gamble behind which a decision brings 2 or 0.
    let game = Literal::new(1, "([0.9] ?(1:([0] ?(3:[2] 1:[0])) 1:([0] [0.3])))").unwrap();
    for rule in [Rule::Ucb1, Rule::Tuned, Rule::SinglePlayer] {
        let config = MctsConfig { chance: ChanceNodes::Through, rule, ..MctsConfig::default() };
        let mut task = Task::new(Limits::iterations(20_000));
        let report = Mcts::new(&config, 3).think(&game, &mut task).unwrap();
        // 0.5 · 1.5 + 0.5 · 0.3 = 0.9: equally good, so look at the values of both.
        for line in &report.lines {
            assert!((line.value - 0.9).abs() < 0.06, "{rule:?} {}: {}", line.mv, line.value);
        }
    }
}

/// A quarter wherever the game goes on.
struct Quarter;

impl Eval<Hashed> for Quarter {
    fn eval(&self, _pos: &Hashed) -> i32 {
        0
    }

    fn expected(&self, pos: &Hashed, seat: usize) -> f32 {
        if pos.is_over() { pos.payoffs()[seat] } else { 0.25 }
    }
}

#[test]
fn an_evaluation_judges_where_the_playout_is_cut() {
    let root = HashedOptions { depth: 12, ending: 0, ..Default::default() }.root();
    for (cutoff, nodes) in [(Some(0), 1), (Some(3), 4)] {
        let leaf = Judged::new(Uniform, Box::new(Quarter), cutoff);
        let mut search = Mcts::new(&MctsConfig::default(), 1).evaluated_by(Box::new(leaf));
        let report = search.think(&root, &mut Task::new(Limits::iterations(1))).unwrap();
        assert_eq!((report.value, report.nodes), (0.25, nodes));
    }
}
