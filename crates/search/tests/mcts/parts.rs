//! Choices, growth, playouts and presets.

use crate::{player, think};
use spielbaum_core::param::resolve;
use spielbaum_core::synthetic::{HashedOptions, Literal};
use spielbaum_core::{Game, Limits, NamedEval, Player, Registered, Report, Task, TwoPlayer, check};
use spielbaum_games::gomoku::{self, Gomoku};
use spielbaum_games::lion::{self, Lion};
use spielbaum_games::pig::Pig;
use spielbaum_search::mcts::{Choice, Mcts, MctsConfig};
use spielbaum_search::spec::{MCTS, MCTS_ANY, PLAYERS, any_game, two_player};

fn conforms<G: TwoPlayer>(start: &G, spec: &str, evals: &'static [NamedEval<G>]) {
    let make = |seed| {
        let mut player = player(spec, evals);
        player.restart(seed);
        player
    };
    let result = check::player(start, Limits::iterations(80), &check::Options::quick(), make);
    result.unwrap_or_else(|e| panic!("{spec}: {e}"));
}

/// Legal moves, the same game from the same seed, and a restarted player is a fresh one.
#[test]
fn every_preset_conforms_on_lion_and_gomoku() {
    let gomoku = Gomoku::new(6, 6, 4).unwrap();
    for preset in MCTS.presets {
        // What is drawn for a move says nothing about the next.
        let draws = ["uct-hidden", "hop"].contains(&preset.name);
        for reuse in [false, true].into_iter().filter(|reuse| !(draws && *reuse)) {
            let spec = format!("{}:reuse={reuse}", preset.name);
            conforms(&Lion::default(), &spec, lion::EVALS);
            conforms(&gomoku, &spec, gomoku::EVALS);
        }
    }
    for spec in [
        "uct:select=puct,expansion=all,c=5",
        "uct:select=ucb1-tuned,c=1,expansion=all",
        "uct:select=quotient-in-log,order=generation",
        "uct:playout=decisive,final=max",
        "mcts-mr:playout=minimax(depth=2)",
    ] {
        conforms(&Lion::default(), spec, lion::EVALS);
        conforms(&gomoku, spec, gomoku::EVALS);
    }
}

/// The chosen move by the rule's own formula from the statistics in the report.
#[test]
fn the_final_choice_follows_its_formula() {
    let root = HashedOptions { branching: (6, 9), depth: 7, ..Default::default() }.two_player();
    let mut chosen = std::collections::BTreeSet::new();
    for seed in 0..60 {
        for (spec, a) in [
            ("robust", None),
            ("max", Some(0.0)),
            ("secure", Some(-1.0)),
            ("secure,a=3", Some(-3.0)),
            ("secure,secure-sign=paper", Some(1.0)),
        ] {
            let spec = format!("uct:scale=signed,final={spec}");
            let report = think(&spec, &root, 60, seed);
            let merit = |i: usize| {
                let line = &report.lines[i];
                let n = line.visits as f64;
                match a {
                    None => n,
                    Some(a) => 2.0 * f64::from(line.value) - 1.0 + a / n.sqrt(),
                }
            };
            for i in 1..report.lines.len() {
                assert!(merit(0) >= merit(i) - 1e-6, "{spec}: {:?}", report.lines);
            }
            chosen.insert((seed, report.best.0));
        }
    }
    assert!(chosen.len() > 64, "the rules differ: {}", chosen.len());
}

/// Under UCB1 all children at once are the same search in another order of random numbers; in
/// generation order it is the same search.
#[test]
fn growing_at_once_and_one_by_one_agree_in_generation_order() {
    for seed in 0..20 {
        let root =
            HashedOptions { seed, branching: (1, 9), depth: 7, ..Default::default() }.two_player();
        for rule in ["ucb1", "root-c", "quotient-in-log", "ucb1-tuned"] {
            let one = format!("uct:select={rule},order=generation");
            let all = format!("{one},expansion=all");
            let (one, all) = (think(&one, &root, 700, seed), think(&all, &root, 700, seed));
            assert_eq!((one.lines, one.pv), (all.lines, all.pv));
        }
    }
}

#[test]
fn puct_need_not_visit_every_child() {
    let game = Literal::two_player("(1 0 0 0 0 0 0 0 0 0 0 0)").unwrap();
    let report =
        think("uct:select=puct,c=0.5,scale=signed,expansion=all,order=generation", &game, 100, 3);
    assert_eq!(report.best.0, 0);
    assert!(report.lines.len() < 4, "{:?}", report.lines);
    let report = think("uct:select=puct,c=0.5,scale=signed", &game, 100, 3);
    assert_eq!(report.lines.len(), 12);
}

/// Each rule finds the best move of a small tree.
#[test]
fn every_rule_finds_the_best_move() {
    for seed in 0..40 {
        let root = HashedOptions { seed, depth: 4, ..Default::default() }.two_player();
        for rule in ["ucb1", "root-c", "quotient-in-log", "ucb1-tuned", "puct"] {
            for expansion in ["one", "all"] {
                let spec = format!("uct:select={rule},expansion={expansion},scale=unit,c=1");
                let report = think(&spec, &root, 20_000, seed);
                let best = crate::exact(&root, 0);
                assert_eq!(crate::exact(&crate::after(&root, report.best), 0), best, "{spec}");
            }
        }
    }
}

/// The variances that UCB1-Tuned reads: with rewards that never differ it hardly explores.
#[test]
fn tuned_explores_where_rewards_vary() {
    let game = Literal::new(1, "([0.6] [0.5] ?(1:[1] 1:[0]))").unwrap();
    let args = resolve("uct:select=ucb1-tuned,c=1,scale=unit", "player", PLAYERS).unwrap();
    let mut tuned = any_game::<Literal>(&args, &[]).unwrap().unwrap();
    let report = tuned.think(&game, &mut Task::new(Limits::iterations(5000))).unwrap();
    let visits = |i: u16| report.lines.iter().find(|l| l.mv.0 == i).unwrap().visits;
    assert_eq!(report.best.0, 0);
    assert!(2 * visits(2) > 3 * visits(1), "{:?}", report.lines);
}

fn report<G: TwoPlayer>(start: &G, spec: &str, evals: &'static [NamedEval<G>]) -> Report<G::Move> {
    let mut player = player(spec, evals);
    player.restart(3);
    let mut report = player.think(start, &mut Task::new(Limits::iterations(500))).unwrap();
    report.elapsed = Default::default();
    report
}

/// A win/loss search of one ply is "win if you can": move for move.
#[test]
fn minimax_of_one_ply_is_decisive() {
    let lion = Lion::default();
    let minimax = report(&lion, "mcts-mr", lion::EVALS);
    assert_eq!(minimax, report(&lion, "mcts-mr:playout=decisive(cutoff=100)", lion::EVALS));
    let gomoku = Gomoku::new(6, 6, 4).unwrap();
    let minimax = report(&gomoku, "mcts-mr", gomoku::EVALS);
    assert_eq!(minimax, report(&gomoku, "mcts-mr:playout=decisive(cutoff=100)", gomoku::EVALS));
    assert_ne!(minimax, report(&gomoku, "mcts-solver", gomoku::EVALS));
}

/// Node budgets hold for playouts that search: at most the rest of one playout is on top.
#[test]
fn budgets_bound_searching_playouts() {
    for spec in ["mcts-mr:playout=minimax(depth=3,cutoff=50)", "mcts-mr-code", "mcts-mb", "mcts-ms"]
    {
        for nodes in [10, 1000, 20_000] {
            let mut player = player(spec, lion::EVALS);
            player.restart(1);
            let report =
                player.think(&Lion::default(), &mut Task::new(Limits::nodes(nodes))).unwrap();
            assert!((nodes..nodes + 250).contains(&report.nodes), "{spec}: {}", report.nodes);
        }
    }
}

fn problem<G: Game>(
    built: Option<Result<Box<dyn Player<G>>, spielbaum_core::spec::SpecError>>,
) -> String {
    built.unwrap().err().unwrap().to_string()
}

#[test]
fn what_a_game_cannot_have_is_said() {
    let pig = |spec| {
        let args = resolve(spec, "player", PLAYERS).unwrap();
        problem::<Pig>(any_game(&args, Pig::EVALS))
    };
    assert!(pig("mcts-solver").contains("two players without chance"));
    assert!(pig("uct:playout=minimax").contains("minimax needs"));
    assert!(pig("uct:in-backup=minimax").contains("solver=true"));
    let gomoku = |spec| {
        let args = resolve(spec, "player", PLAYERS).unwrap();
        problem::<Gomoku>(two_player(&args, Gomoku::EVALS))
    };
    assert!(gomoku("uct:in-selection=minimax").contains("solver=true"));
    assert!(gomoku("mcts-solver:reward=margin").contains("official result"));
    assert!(gomoku("mcts-mr:playout=minimax(value=eval,eval=none-such)").contains("no evaluation"));
    for name in MCTS_ANY.names() {
        let args = resolve(name, "player", PLAYERS).unwrap();
        assert!(any_game::<Pig>(&args, Pig::EVALS).unwrap().is_ok(), "{name}");
    }
}

#[test]
fn the_choice_has_a_home_in_the_config() {
    let game = Literal::two_player("((1 0) (1 1) (0 0))").unwrap();
    let config = MctsConfig { choice: Choice::Secure(-1.0), ..MctsConfig::default() };
    let report =
        Mcts::new(&config, 1).think(&game, &mut Task::new(Limits::iterations(100))).unwrap();
    assert_eq!(report.best.0, 1);
}
