//! Threads, chance that is drawn and not known, widening, hints.

use spielbaum_core::param::resolve;
use spielbaum_core::synthetic::{HashedOptions, Literal};
use spielbaum_core::{Game, Limits, NamedEval, Player, Report, Rng, Task, Turn, check};
use spielbaum_games::carcassonne::{self, Carcassonne, Options, Order};
use spielbaum_games::gomoku::{self, Gomoku};
use spielbaum_games::pig::Pig;
use spielbaum_search::spec::{PLAYERS, any_game};

fn player<G: Game>(spec: &str, evals: &'static [NamedEval<G>], seed: u64) -> Box<dyn Player<G>> {
    let args = resolve(spec, "player", PLAYERS).unwrap();
    let mut player = any_game(&args, evals).unwrap().unwrap_or_else(|e| panic!("{spec}: {e}"));
    player.restart(seed);
    player
}

fn think<G: Game>(spec: &str, pos: &G, limits: Limits) -> Report<G::Move> {
    player(spec, &[], 1).think(pos, &mut Task::new(limits)).unwrap()
}

fn conforms<G: Game>(start: &G, spec: &str, evals: &'static [NamedEval<G>]) {
    let make = |seed| player(spec, evals, seed);
    check::player(start, Limits::iterations(70), &check::Options::quick(), make)
        .unwrap_or_else(|e| panic!("{spec}: {e}"));
}

/// A short game, its order hidden.
fn short(order: Order, tiles: &'static str, players: usize) -> Carcassonne {
    let options = Options { order, tiles: Some(tiles), players, ..Options::default() };
    Carcassonne::new(&options).unwrap()
}

const ANYWHERE: [&str; 13] = [
    "annealed",
    "uct:threads=3",
    "uct:threads=2,reuse=true",
    "uct:threads=3,parallel=leaf",
    "uct:threads=2,parallel=leaf,reuse=true",
    "uct:widening=1.5,widening-power=0.6",
    "uct:expansion=ahead,reuse=true",
    "uct:chance=open,playout=mast",
    "uct:hop=5",
    "uct:hop=3,threads=2",
    "mc-carcassonne",
    "flat-ucb-carcassonne-code",
    "uct-carcassonne",
];

const WITH_EVAL: [&str; 4] = [
    "uct:order=eval,widening=1",
    "uct:order=eval,widening=1,playout=mast",
    "uct:playout=greedy,reward=margin",
    "uct:playout=greedy(draws=6,epsilon=0),threads=2,parallel=leaf",
];

const LEARNERS: [&str; 6] = ["ppa", "ppap", "ppaf", "ppafp", "mast", "mastf"];

#[test]
fn whatever_the_manner_the_contract_is_kept() {
    let known = short(Order::Shuffled(1), "EUVLBRSTAD", 2);
    let hidden = short(Order::Hidden, "EUVLBRSTAD", 3);
    for spec in ANYWHERE {
        conforms(&hidden, spec, &[]);
        conforms(&known, spec, &[]);
        conforms(&Pig::new(3, 30).unwrap(), spec, &[]);
        conforms(&HashedOptions { players: 1, chance: 60, ..Default::default() }.root(), spec, &[]);
        conforms(&HashedOptions { players: 5, ..Default::default() }.root(), spec, &[]);
    }
    for spec in WITH_EVAL {
        conforms(&hidden, spec, carcassonne::EVALS);
        conforms(&Gomoku::new(6, 6, 4).unwrap(), spec, gomoku::EVALS);
    }
    for spec in LEARNERS {
        conforms(&hidden, spec, &[]);
        conforms(&known, spec, &[]);
    }
}

/// Totals, whatever the number of workers.
#[test]
fn budgets_are_totals() {
    let game = Gomoku::new(6, 6, 4).unwrap();
    for threads in [1, 2, 3, 7] {
        for parallel in ["root", "leaf"] {
            for iterations in [1, 2, 5, 100, 301] {
                let spec = format!("uct:threads={threads},parallel={parallel}");
                let report = think(&spec, &game, Limits::iterations(iterations));
                assert_eq!(report.iterations, iterations, "{spec}");
                if parallel == "root" {
                    let visits: u64 = report.lines.iter().map(|l| l.visits).sum();
                    assert_eq!(visits, iterations, "{spec}");
                }
                let report = think(&spec, &game, Limits::nodes(2000));
                assert!((2000..2000 + 40 * threads).contains(&report.nodes), "{spec}");
            }
        }
    }
    for hop in [1, 4, 50] {
        let spec = format!("uct:hop={hop}");
        let game = short(Order::Hidden, "EUVLBRSTAD", 2);
        let mut game = game;
        game.play(legal(&game)[0]);
        assert_eq!(think(&spec, &game, Limits::iterations(33)).iterations, 33);
    }
}

/// The bundle is its workers, each with its seed and its share.
#[test]
fn a_bundle_adds_up_what_its_workers_find() {
    let game = Gomoku::new(5, 5, 4).unwrap();
    let bundle = think("uct:threads=3", &game, Limits::iterations(500));
    let mut visits = std::collections::BTreeMap::new();
    for (i, share) in [167, 167, 166].into_iter().enumerate() {
        let mut worker = player("uct", &[], Rng::split(1, i as u64));
        let report = worker.think(&game, &mut Task::new(Limits::iterations(share))).unwrap();
        for line in report.lines {
            *visits.entry(line.mv.to_string()).or_insert(0) += line.visits;
        }
    }
    assert_eq!(bundle.lines.len(), visits.len());
    for line in &bundle.lines {
        assert_eq!(visits[&line.mv.to_string()], line.visits);
    }
    assert!(bundle.lines.windows(2).all(|w| w[0].visits >= w[1].visits));
}

fn legal<G: Game>(pos: &G) -> Vec<G::Move> {
    let mut moves = Vec::new();
    pos.moves(&mut moves);
    moves
}

/// The exact payoff of the first player, by looking at everything.
fn exact<G: Game>(pos: &G) -> f64 {
    let moves = legal(pos);
    let after = |&m: &G::Move| {
        let mut next = pos.clone();
        next.play(m);
        exact(&next)
    };
    match pos.turn() {
        _ if moves.is_empty() => f64::from(pos.payoffs()[0]),
        Turn::Chance => {
            let total: f64 = moves.iter().map(|&m| f64::from(pos.weight(m))).sum();
            moves.iter().map(|m| f64::from(pos.weight(*m)) / total * after(m)).sum()
        }
        Turn::Player(0) => moves.iter().map(after).fold(f64::MIN, f64::max),
        Turn::Player(_) => moves.iter().map(after).fold(f64::MAX, f64::min),
    }
}

/// Where moves after chance are told apart by their codes, an open loop loses nothing.
#[test]
fn an_open_loop_finds_the_best_move_where_nothing_is_confused() {
    // Chance comes last: what follows a move is its expectation.
    for text in [
        "(0.3 ?(1:0 1:1))",
        "(?(1:0.2 1:0.4) (0.1 ?(3:0 1:1)) ?(5:0.2 1:0.3))",
        "((0.9 ?(1:0 9:0.5)) (?(1:0.6 2:0.7) 0.8))",
    ] {
        let game = Literal::new(2, text).unwrap();
        let after = |m| {
            let mut next = game.clone();
            next.play(m);
            exact(&next)
        };
        let best = exact(&game);
        let report = think("uct:chance=open", &game, Limits::iterations(20_000));
        assert!((after(report.best) - best).abs() < 1e-9, "{text}: {}", report.best);
        assert!((f64::from(report.value) - best).abs() < 0.05, "{text}: {}", report.value);
    }
}

/// The known defect of hindsight: whoever knows the coin bets on it (strategy fusion). A search
/// with chance nodes, and one with an open loop, take the sure thing.
#[test]
fn hindsight_bets_on_what_it_cannot_know() {
    let game = Literal::new(1, "(0.6 (?(1:1 1:0) ?(1:0 1:1)))").unwrap();
    for spec in ["uct", "uct:chance=open"] {
        let report = think(spec, &game, Limits::iterations(4000));
        assert_eq!(report.best.to_string(), "1", "{spec}");
    }
    let report = think("uct:hop=40", &game, Limits::iterations(4000));
    assert_eq!(report.best.to_string(), "2");
    assert!(report.value > 0.9, "{}", report.value);
}

#[test]
fn a_widening_node_has_a_power_of_its_visits_in_children() {
    let game = Gomoku::new(15, 15, 5).unwrap();
    let root = think("uct:widening=1", &game, Limits::iterations(900));
    assert!((29..=31).contains(&root.lines.len()), "{}", root.lines.len());
    let all = think("uct", &game, Limits::iterations(900));
    assert_eq!(all.lines.len(), 225);
    assert!(root.depth > all.depth);
}

/// The most promising children come first, and with widening only they.
#[test]
fn hints_decide_which_children_there_are() {
    let mut game = short(Order::Shuffled(3), "EUVLBRADEUVLBRUVE", 2);
    for _ in 0..4 {
        game.play(legal(&game)[0]);
    }
    let eval = (carcassonne::EVALS[0].make)();
    let mut ranked: Vec<i32> = legal(&game).iter().map(|&m| eval.order(&game, m)).collect();
    ranked.sort_unstable_by_key(|&order| std::cmp::Reverse(order));
    let mut search = player("uct:order=eval,widening=1", carcassonne::EVALS, 1);
    let report = search.think(&game, &mut Task::new(Limits::iterations(20))).unwrap();
    let worst = report.lines.iter().map(|l| eval.order(&game, l.mv)).min().unwrap();
    assert!(report.lines.len() < ranked.len());
    assert_eq!(worst, ranked[report.lines.len() - 1]);
}

/// Simple Monte Carlo shares its budget evenly; the study's UCT is a level ahead of others.
#[test]
fn the_studys_players_are_what_they_say() {
    let mut game = short(Order::Shuffled(7), "EUVLBRADEUVLBRUVE", 2);
    game.play(legal(&game)[3]);
    let report =
        think("mc-carcassonne", &game, Limits { depth: Some(1), ..Limits::iterations(500) });
    let visits = || report.lines.iter().map(|l| l.visits);
    assert!(visits().max().unwrap() - visits().min().unwrap() <= 1);
    assert!(report.lines.windows(2).all(|w| w[0].value >= w[1].value));
    assert_eq!((report.depth, report.lines.len()), (1, legal(&game).len()));
    for (spec, depth) in [("uct:expansion=all", 1), ("uct-carcassonne", 2)] {
        assert_eq!(think(spec, &game, Limits::iterations(2)).depth, depth, "{spec}");
    }
}

/// A tree of either kind keeps to its memory, shared out among threads, goes on searching and says so.
#[test]
fn memory_is_kept_to_by_all_trees() {
    let game = Carcassonne::new(&Options { order: Order::Shuffled(7), ..Options::default() });
    let game = game.unwrap();
    for spec in [
        "uct-carcassonne:memory=1",
        "uct:expansion=all,memory=1",
        "uct-hidden:memory=1",
        "uct-carcassonne:threads=2,memory=2",
    ] {
        let mut player = player(spec, carcassonne::EVALS, 1);
        let report = player.think(&game, &mut Task::new(Limits::iterations(30_000))).unwrap();
        assert_eq!(report.iterations, 30_000, "{spec}");
        let (bytes, limit) =
            (player.bytes(), if spec.contains("threads") { 2 << 20 } else { 1 << 20 });
        assert!(bytes <= limit && bytes > limit / 3, "{spec}: {bytes}");
        assert!(report.note.is_some_and(|note| note.contains("memory limit")), "{spec}");
    }
}

/// Values follow moves wherever they are made, and the falling temperature settles on the best
/// where replies mean the same after every move.
#[test]
fn annealing_settles_on_what_wins() {
    for text in ["(0 = 1)", "((1 0) (1 1) (0 0))", "((= =) (0 0) (1 =))"] {
        let game = Literal::two_player(text).unwrap();
        let report = think("annealed", &game, Limits::iterations(3000));
        let best = legal(&game).into_iter().map(|m| {
            let mut next = game.clone();
            next.play(m);
            exact(&next)
        });
        let best: Vec<f64> = best.collect();
        let chosen = legal(&game).iter().position(|&m| m == report.best).unwrap();
        assert!(best.iter().all(|&v| v <= best[chosen]), "{text}: {}", report.best);
    }
}

#[test]
fn what_does_not_go_together_is_refused() {
    for (spec, about) in [
        ("uct:chance=open,hop=3", "hop"),
        ("uct:hop=3,reuse=true", "reuse"),
        ("uct:chance=open,select=puct", "select"),
        ("uct:widening=1,expansion=all", "widening"),
        ("uct:parallel=leaf", "parallel"),
        ("ppa:threads=2,parallel=leaf", "parallel"),
        ("uct:threads=2,final=secure", "final"),
        ("uct:chance=open,order=eval", "order"),
        ("uct:hop=3,chance=fixed", "chance"),
        ("uct:hop=3,value=eval", "value"),
    ] {
        let args = resolve(spec, "player", PLAYERS).unwrap();
        let error = any_game::<Pig>(&args, &[]).unwrap().err().unwrap();
        assert!(error.problem.contains(&format!("`{about}`")), "{spec}: {}", error.problem);
        assert!(error.help.is_some(), "{spec}");
    }
    let args = resolve("uct:hop=3,solver=true", "player", PLAYERS).unwrap();
    assert!(spielbaum_search::spec::two_player::<Gomoku>(&args, &[]).unwrap().is_err());
}
