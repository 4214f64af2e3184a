//! Expectimax in all its variants equals the plain walk of the tree.

use crate::oracle::{after, moves, timeless};
use spielbaum_core::synthetic::{Hashed, HashedOptions};
use spielbaum_core::{
    Eval, Game, Limits, NamedEval, Player, Registered, Report, Reward, Rng, Stop, Task, Turn,
    ZeroEval, check,
};
use spielbaum_games::g2048::{EVALS, G2048, Heuristic, Weights};
use spielbaum_games::{pig::Pig, reroll::Reroll};
use spielbaum_search::expectimax::{Expectimax, ExpectimaxConfig, Keep, Plies, TableRule};
use spielbaum_search::minimax::maxn;
use std::time::Duration;

/// Searches that all find the value of the depth.
fn exact() -> Vec<ExpectimaxConfig> {
    let plain = ExpectimaxConfig { table: false, deepening: false, ..Default::default() };
    let table = ExpectimaxConfig {
        table: true,
        table_rule: TableRule::Exact,
        ..ExpectimaxConfig::default()
    };
    vec![
        plain.clone(),
        ExpectimaxConfig { deepening: true, step: 2, ..plain },
        ExpectimaxConfig { memory: 512, ..table.clone() },
        ExpectimaxConfig { deepening: false, ..table.clone() },
        ExpectimaxConfig { keep: Keep::Move, ..table.clone() },
        table,
    ]
}

pub(crate) fn think<G: Game>(
    config: &ExpectimaxConfig,
    eval: Box<dyn Eval<G>>,
    pos: &G,
    limits: Limits,
) -> Report<G::Move> {
    Expectimax::new(config, eval).think(pos, &mut Task::new(limits)).unwrap()
}

/// Trees of one and of two players, with chance and transpositions.
fn tree(seed: u64) -> Hashed {
    HashedOptions {
        seed,
        players: 1 + (seed % 2) as u8,
        chance: [60, 120][seed as usize / 2 % 2],
        transpositions: (seed / 4).is_multiple_of(2),
        levels: 7,
        ..Default::default()
    }
    .root()
}

#[test]
fn synthetic_trees_have_the_value_of_plain_minimax() {
    for seed in 0..300 {
        let root = tree(seed);
        for depth in 1..=6 {
            let expected = maxn(&root, depth, Reward::Win)[0];
            for config in exact() {
                let report = think(&config, Box::new(ZeroEval), &root, Limits::depth(depth));
                assert!((f64::from(report.value) - expected).abs() < 1e-6, "{seed} {config:?}");
                for line in &report.lines {
                    let value = maxn(&after(&root, line.mv), depth - 1, Reward::Win)[0];
                    assert!((f64::from(line.value) - value).abs() < 1e-6, "{seed} {config:?}");
                }
                assert_eq!(report.best, report.lines[0].mv);
                let visits: u64 = report.lines.iter().map(|l| l.visits).sum();
                assert_eq!(visits, report.nodes);
            }
        }
    }
}

#[test]
fn real_games_have_the_value_of_plain_minimax() {
    let mut rng = Rng::new(4);
    let mut pig = Pig::new(2, 30).unwrap();
    pig.playout(9, &mut rng, &mut Vec::new());
    while pig.turn() == Turn::Chance {
        pig.play(moves(&pig)[3]);
    }
    let mut reroll = Reroll::new(3).unwrap();
    reroll.play(moves(&reroll)[2]);
    for config in exact() {
        for depth in 1..8 {
            let found = think(&config, Box::new(ZeroEval), &reroll, Limits::depth(depth)).value;
            let expected = maxn(&reroll, depth, Reward::Win)[0];
            assert!((f64::from(found) - expected).abs() < 1e-5, "{config:?} {depth}");
            let Some(seat) = pig.turn().player() else { panic!("a player is to move") };
            let found = think(&config, Box::new(ZeroEval), &pig, Limits::depth(depth)).value;
            let expected = maxn(&pig, depth, Reward::Win)[seat];
            assert!((f64::from(found) - expected).abs() < 1e-5, "{config:?} {depth}");
        }
    }
}

/// A whole tree ends the search, and its value is that of best play: 14/3 a die.
#[test]
fn a_whole_tree_ends_the_search() {
    let mut reroll = Reroll::new(2).unwrap();
    reroll.play(moves(&reroll)[0]);
    let report =
        think(&ExpectimaxConfig::default(), Box::new(ZeroEval), &reroll, Limits::depth(99));
    assert_eq!(report.best.to_string(), "again");
    // Two rolls of the first die are left: 4.25, and 14/3 of the second.
    assert!((f64::from(report.value) - (4.25 + 14.0 / 3.0)).abs() < 1e-5, "{}", report.value);
    assert!(report.depth < 15);
}

/// Hides what an evaluation offers beyond its value.
struct Bare(Box<dyn Eval<G2048>>);

impl Eval<G2048> for Bare {
    fn eval(&self, pos: &G2048) -> i32 {
        self.0.eval(pos)
    }
    fn expected(&self, pos: &G2048, seat: usize) -> f32 {
        self.0.expected(pos, seat)
    }
}

/// Expectimax as the 2048 study's listing means it; counts its calls.
fn study(pos: &G2048, d: u32, eval: &dyn Eval<G2048>, calls: &mut u64) -> f64 {
    *calls += 1;
    let list = moves(pos);
    if d == 0 || list.is_empty() {
        return eval.expected(pos, 0).into();
    }
    if pos.turn() == Turn::Chance {
        let cells = list.len() as f64 / 2.0;
        let values = list.iter().map(|&m| {
            let p = if m.to_string().starts_with('2') { 0.9 } else { 0.1 };
            p / cells * study(&after(pos, m), d - 1, eval, calls)
        });
        return values.sum();
    }
    let values = list.iter().map(|&m| study(&after(pos, m), d - 1, eval, calls));
    values.fold(f64::NEG_INFINITY, f64::max)
}

pub(crate) fn random_position(rows: usize, columns: usize, plies: u32, rng: &mut Rng) -> G2048 {
    loop {
        let mut pos = G2048::new(rows, columns).unwrap();
        pos.playout(plies, rng, &mut Vec::new());
        if pos.turn() != Turn::Chance && pos.count_moves() > 1 {
            return pos;
        }
    }
}

#[test]
fn the_study_is_followed_call_by_call() {
    let mut rng = Rng::new(6);
    let names = ["heuristic", "paper", "paper-log2", "score"];
    let find = |name: &str| -> &NamedEval<G2048> { EVALS.iter().find(|e| e.name == name).unwrap() };
    for i in 0..12 {
        let (rows, columns) = [(4, 4), (3, 3), (3, 2)][i % 3];
        let pos = random_position(rows, columns, [60, 20, 10][i % 3], &mut rng);
        let named = find(names[i % 4]);
        for d in 1..=3 {
            let (mut calls, eval) = (0, (named.make)());
            let values: Vec<(f64, _)> = (moves(&pos).iter())
                .map(|&m| (study(&after(&pos, m), d, &*eval, &mut calls), m))
                .collect();
            let best = values.iter().map(|v| v.0).fold(f64::NEG_INFINITY, f64::max);
            for config in exact() {
                let config = ExpectimaxConfig { plies: Plies::Below, ..config };
                let full = think(&config, (named.make)(), &pos, Limits::depth(d));
                let bare = think(&config, Box::new(Bare((named.make)())), &pos, Limits::depth(d));
                assert_eq!(full.value, bare.value, "bit by bit");
                let near = |a: f64, b: f64| (a - b).abs() <= 1e-5 * (1.0 + b.abs());
                assert!(near(full.value.into(), best), "{pos} {} {best}", full.value);
                for line in &full.lines {
                    let (value, _) = values.iter().find(|v| v.1 == line.mv).unwrap();
                    assert!(near(line.value.into(), *value), "{pos} {config:?}");
                }
                assert_eq!(full.depth, d);
                if !config.table && !config.deepening {
                    assert_eq!((full.nodes, bare.nodes), (calls, calls), "one play, one call");
                }
            }
        }
    }
}

/// The cut-off leaves out what is improbable and nothing else; the table of the right rule never
/// makes a search shallower, the literal one does.
#[test]
fn variants_differ_as_they_should() {
    let mut rng = Rng::new(8);
    let heuristic = || (G2048::EVALS[0].make)();
    let (mut cut_saves, mut table_saves, mut literal_differs) = (0, 0, 0);
    for _ in 0..6 {
        let pos = random_position(4, 4, 80, &mut rng);
        let plain = ExpectimaxConfig { table: false, deepening: false, ..Default::default() };
        let cut = |cutoff| ExpectimaxConfig { cutoff, ..plain.clone() };
        let whole = think(&plain, heuristic(), &pos, Limits::depth(5));
        let tiny = think(&cut(1e-9), heuristic(), &pos, Limits::depth(5));
        assert_eq!(timeless(&whole), timeless(&tiny));
        let rare = think(&cut(0.05), heuristic(), &pos, Limits::depth(5));
        cut_saves += u32::from(rare.nodes < whole.nodes);
        // Nothing is likely enough: move, tile, move.
        let all = think(&cut(1.0), heuristic(), &pos, Limits::depth(99));
        assert_eq!(all.value, think(&plain, heuristic(), &pos, Limits::depth(3)).value);

        let table = ExpectimaxConfig { table: true, ..plain.clone() };
        let with = think(&table, heuristic(), &pos, Limits::depth(5));
        table_saves += u32::from(with.nodes < whole.nodes);
        let right = ExpectimaxConfig { deepening: true, ..table.clone() };
        assert_eq!(think(&right, heuristic(), &pos, Limits::depth(5)).value, whole.value);
        // One tile of 4 and two of 2 lead to the same board at different depths, from depth 7 on.
        let literal = ExpectimaxConfig { table_rule: TableRule::Literal, ..table };
        let [shallow, deep] =
            [literal, right].map(|config| think(&config, heuristic(), &pos, Limits::depth(7)));
        literal_differs += u32::from(shallow.value != deep.value);
    }
    assert_eq!((cut_saves, table_saves), (6, 6));
    assert!(literal_differs >= 3, "{literal_differs}");
}

/// A budget that may end the first depth is spent depth after depth, whatever was asked for; what is
/// answered is then never worse founded than the depth before.
#[test]
fn what_may_run_out_is_spent_depth_after_depth() {
    let mut rng = Rng::new(9);
    let think = |deepening, limits| {
        let config =
            ExpectimaxConfig { deepening, step: 2, cutoff: 0.003, ..ExpectimaxConfig::default() };
        move |pos: &G2048| think(&config, (G2048::EVALS[0].make)(), pos, limits)
    };
    for nodes in [1, 4, 300, 20_000] {
        let pos = random_position(4, 4, 80, &mut rng);
        let limits = Limits { nodes: Some(nodes), ..Limits::depth(13) };
        let found = think(false, limits)(&pos);
        assert_eq!(timeless(&found), timeless(&think(true, limits)(&pos)));
        assert!(found.depth < 13 && (nodes < 300 || found.depth >= 3), "{nodes}: {}", found.depth);
        if found.depth > 0 {
            let whole = think(false, Limits::depth(found.depth))(&pos);
            assert_eq!((found.best, found.value), (whole.best, whole.value));
        }
    }
}

/// The study's listing takes shallower entries for deep ones; not those of its own depth before.
#[test]
fn by_the_listing_each_depth_is_searched_anew() {
    let mut rng = Rng::new(11);
    let config = ExpectimaxConfig { table_rule: TableRule::Literal, ..Default::default() };
    for _ in 0..5 {
        let pos = random_position(4, 4, 80, &mut rng);
        let found = |deepening| {
            let config = ExpectimaxConfig { deepening, ..config.clone() };
            let report = think(&config, (G2048::EVALS[0].make)(), &pos, Limits::depth(6));
            let values: Vec<_> = report.lines.iter().map(|line| (line.mv, line.value)).collect();
            (report.best, report.value, values)
        };
        assert_eq!(found(true), found(false));
    }
}

#[test]
fn the_hint_limits_the_depth() {
    let game = G2048::new(4, 4).unwrap();
    let pos = game.parse("2,4,8,16/4,2,32,64/.,2,4,128/.,.,.,2").unwrap();
    let hint = G2048::EVALS[0].make;
    assert_eq!(hint().depth_hint(&pos), Some(1 + 2 * 5));
    let config = ExpectimaxConfig {
        adaptive: true,
        cutoff: 0.01,
        deepening: false,
        ..ExpectimaxConfig::default()
    };
    assert_eq!(think(&config, hint(), &pos, Limits::default()).depth, 11);
    assert_eq!(think(&config, hint(), &pos, Limits::depth(5)).depth, 5);
}

#[test]
fn budgets_are_kept_and_unfinished_depths_do_not_count() {
    let mut rng = Rng::new(10);
    for i in 0..40 {
        let pos = random_position(4, 4, 100, &mut rng);
        let config = ExpectimaxConfig { step: 1 + i % 2, ..ExpectimaxConfig::default() };
        let nodes = 50 + rng.below(40_000) as u64;
        let eval = || (G2048::EVALS[0].make)();
        let report = think(&config, eval(), &pos, Limits::nodes(nodes));
        assert!((nodes..nodes + 4).contains(&report.nodes), "{} of {nodes}", report.nodes);
        assert_eq!(report.lines.iter().map(|l| l.visits).sum::<u64>(), report.nodes);
        let finished = think(&config, eval(), &pos, Limits::depth(report.depth));
        assert_eq!((report.best, report.value), (finished.best, finished.value));
        assert_eq!(
            timeless(&report),
            timeless(&think(&config, eval(), &pos, Limits::nodes(nodes)))
        );
    }
}

/// Without an earlier depth the finished moves of the first count.
#[test]
fn of_an_unfinished_first_depth_the_best_finished_move_is_the_answer() {
    let (mut rng, mut better) = (Rng::new(11), 0);
    for _ in 0..40 {
        let pos = random_position(4, 4, 100, &mut rng);
        let (config, eval) = (ExpectimaxConfig::default(), || (G2048::EVALS[0].make)());
        let all = think(&config, eval(), &pos, Limits::depth(1));
        let order = moves(&pos);
        for budget in 1..order.len() {
            let report = think(&config, eval(), &pos, Limits::nodes(budget as u64));
            let finished = all.lines.iter().filter(|line| order[..budget].contains(&line.mv));
            let most = finished.map(|line| line.value).fold(f32::NEG_INFINITY, f32::max);
            assert_eq!((report.depth, report.nodes, report.value), (0, budget as u64, most));
            let best = all.lines.iter().find(|line| line.mv == report.best).unwrap();
            assert_eq!(best.value, most, "{pos}");
            better += usize::from(report.best != order[0]);
        }
    }
    assert!(better > 10, "{better}");
}

#[test]
fn time_is_kept_and_stops_are_obeyed() {
    let pos = random_position(4, 4, 100, &mut Rng::new(12));
    let mut player = Expectimax::new(&ExpectimaxConfig::default(), (G2048::EVALS[0].make)());
    let budget = Duration::from_millis(30);
    let report = player.think(&pos, &mut Task::new(Limits::time(budget))).unwrap();
    assert!(report.elapsed < budget + Duration::from_millis(60), "{:?}", report.elapsed);
    assert!(report.depth >= 3);
    let stop = Stop::new();
    stop.set();
    let report = player.think(&pos, &mut Task::stoppable(Limits::default(), stop)).unwrap();
    assert_eq!((report.nodes, report.depth), (0, 0));
}

#[test]
fn expectimax_keeps_the_contract_of_players() {
    let cut = ExpectimaxConfig { cutoff: 0.01, adaptive: true, step: 2, ..Default::default() };
    let literal = ExpectimaxConfig { table_rule: TableRule::Literal, ..Default::default() };
    let paper = ExpectimaxConfig { plies: Plies::Below, deepening: false, ..Default::default() };
    for config in exact().into_iter().chain([ExpectimaxConfig::default(), cut, literal, paper]) {
        for limits in
            [Limits::nodes(1), Limits::nodes(900), Limits::depth(3), Limits::iterations(2)]
        {
            // A search of one depth that is not limited is as deep as the nodes allow.
            let start = G2048::new(3, 3).unwrap();
            let options = check::Options::quick();
            check::player(&start, limits, &options, |_| {
                Box::new(Expectimax::new(&config, (G2048::EVALS[0].make)()))
            })
            .unwrap();
            for seed in 0..6 {
                let root = HashedOptions { players: 1 + seed as u8 % 5, ..tree(seed).options() };
                check::player(&root.root(), limits, &options, |_| {
                    Box::new(Expectimax::new(&config, Box::new(ZeroEval)))
                })
                .unwrap();
            }
        }
    }
}

/// Best slides and values by nneonneo's 2048-ai (41e298f), three pairs of tile and slide below the
/// root move, its probability cut-off switched off; values less the 8 x 200 000 that it adds to
/// those of positions that are not lost. The heuristic has its weights.
const PEER: &[(&str, &str, f32)] = &[
    ("2,4,.,./.,.,.,./.,.,.,./.,.,.,.", "down", 8160.0),
    ("4,16,4,./2,8,2,./.,4,.,./.,2,.,.", "down", 1237.0),
    ("4,16,64,32/2,8,16,4/4,8,2,2/.,4,2,.", "right", -40716.0),
    ("512,64,256,32/128,16,64,8/16,32,2,4/8,4,.,2", "left", -339362.0),
    ("256,64,128,32/64,16,4,8/32,4,16,2/8,2,4,.", "down", -1600000.0),
    ("2048,1024,32,4/64,32,16,2/8,8,4,./4,2,.,.", "down", -189981.0),
    ("2048,512,256,8/128,64,16,4/32,16,8,2/8,4,2,.", "down", -224324.0),
    ("4096,512,256,8/64,32,16,4/32,8,8,2/4,4,.,2", "right", -240015.0),
    ("512,1024,2048,16/32,8,16,4/8,4,4,2/2,2,.,.", "left", -606129.0),
    ("8192,4096,2048,256/128,8,64,4/32,64,16,4/4,8,4,2", "up", -815551.0),
];

#[test]
fn an_independent_program_finds_the_same_values() {
    let game = G2048::new(4, 4).unwrap();
    let weights = Weights {
        lost: 1_600_000.0,
        empty: 270.0,
        merge: 700.0,
        order: 47.0,
        order_power: 4.0,
        sum: 11.0,
        sum_power: 3.5,
    };
    let config = ExpectimaxConfig { deepening: false, ..ExpectimaxConfig::default() };
    for &(text, best, value) in PEER {
        let eval = Box::new(Heuristic::new(&weights));
        let report = think(&config, eval, &game.parse(text).unwrap(), Limits::depth(7));
        assert_eq!(report.best.to_string(), best, "{text}");
        assert!((report.value - value).abs() <= 2.0, "{text}: {} {value}", report.value);
    }
}
