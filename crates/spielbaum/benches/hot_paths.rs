//! The hot paths, in instructions and in nanoseconds.
//!
//! `cargo bench` runs every case twice natively and once under `valgrind --tool=callgrind`
//! (skipped if valgrind is not installed). Instruction counts are repeatable on a busy
//! machine; they are compared with `benches/instructions.txt`, and a case that needs over 5 %
//! more than recorded there fails the run. `SPIELBAUM_BLESS=1 cargo bench` records anew.

use spielbaum_core::param::resolve;
use spielbaum_core::{Eval, Game, Limits, Player, Registered, Rng, Task, TwoPlayer, perft::perft};
use spielbaum_games::carcassonne::{self, Carcassonne, Options, Outlook, Weights};
use spielbaum_games::g2048::G2048;
use spielbaum_games::gomoku::Gomoku;
use spielbaum_games::lion::{Lion, Material, Rules};
use spielbaum_games::morpion::{Morpion, Variant};
use spielbaum_games::pig::Pig;
use spielbaum_games::xiangqi::{self, Xiangqi};
use spielbaum_search::alphabeta::{AlphaBeta, AlphaBetaConfig, Method, Order};
use spielbaum_search::bandit::Scale;
use spielbaum_search::expectimax::{Expectimax, ExpectimaxConfig};
use spielbaum_search::mcts::{Mcts, MctsConfig};
use spielbaum_search::nrpa::{Nrpa, NrpaConfig};
use spielbaum_search::spec::{PLAYERS, any_game};
use spielbaum_search::tree::Solver;
use std::collections::BTreeMap;
use std::hint::black_box;
use std::process::{Command, ExitCode};
use std::time::Instant;

/// Work of a given size; returns how many units were done.
struct Case {
    name: &'static str,
    unit: &'static str,
    size: u64,
    run: fn(u64) -> u64,
}

const CASES: &[Case] = &[
    Case {
        name: "playout gomoku 15x15/5",
        unit: "game",
        size: 2000,
        run: |n| playouts(&board(15, 5), n),
    },
    Case {
        name: "playout gomoku 6x6/4",
        unit: "game",
        size: 10_000,
        run: |n| playouts(&board(6, 4), n),
    },
    Case { name: "playout pig, 2 players", unit: "game", size: 200, run: |n| playouts(&pig(), n) },
    Case {
        name: "uct gomoku 15x15/5",
        unit: "simulation",
        size: 5000,
        run: |n| uct(&board(15, 5), n),
    },
    Case {
        name: "uct gomoku 6x6/4",
        unit: "simulation",
        size: 20_000,
        run: |n| uct(&board(6, 4), n),
    },
    Case { name: "uct pig, 2 players", unit: "simulation", size: 500, run: |n| uct(&pig(), n) },
    Case {
        name: "alphabeta gomoku 6x6/4",
        unit: "node",
        size: 50_000,
        run: |n| alphabeta(&board(6, 4), n),
    },
    Case {
        name: "perft tic-tac-toe",
        unit: "node",
        size: 7,
        run: |n| perft(&board(3, 3), n as u32),
    },
    Case { name: "playout lion", unit: "game", size: 5000, run: |n| playouts(&Lion::default(), n) },
    Case { name: "uct lion", unit: "simulation", size: 10_000, run: |n| uct(&Lion::default(), n) },
    Case { name: "mcts-solver lion", unit: "simulation", size: 10_000, run: solver },
    Case {
        name: "alphabeta lion",
        unit: "node",
        size: 50_000,
        run: |n| alphabeta(&Lion::default(), n),
    },
    Case { name: "plain alphabeta lion", unit: "node", size: 50_000, run: plain },
    Case {
        name: "alphabeta xiangqi",
        unit: "node",
        size: 50_000,
        run: |n| alphabeta(&Xiangqi::default(), n),
    },
    Case { name: "mast lion", unit: "simulation", size: 5000, run: |n| by("mast", &lion(), n) },
    Case { name: "ppap lion", unit: "simulation", size: 5000, run: |n| by("ppap", &lion(), n) },
    Case { name: "ppafp lion", unit: "simulation", size: 5000, run: |n| by("ppafp", &lion(), n) },
    Case {
        name: "mast gomoku 6x6/4",
        unit: "simulation",
        size: 5000,
        run: |n| by("mast", &board(6, 4), n),
    },
    Case {
        name: "ppap gomoku 6x6/4",
        unit: "simulation",
        size: 5000,
        run: |n| by("ppap", &board(6, 4), n),
    },
    Case {
        name: "mast gomoku 15x15/5",
        unit: "simulation",
        size: 500,
        run: |n| by("mast", &board(15, 5), n),
    },
    Case {
        name: "ppap gomoku 15x15/5",
        unit: "simulation",
        size: 500,
        run: |n| by("ppap", &board(15, 5), n),
    },
    Case { name: "nrpa morpion", unit: "playout", size: 5000, run: nrpa },
    Case {
        name: "uct xiangqi paper",
        unit: "simulation",
        size: 2000,
        run: |n| by("uct-xiangqi", &paper(), n),
    },
    Case {
        name: "uct xiangqi paper, tree",
        unit: "simulation",
        size: 2000,
        run: |n| by("uct-xiangqi:store=tree", &paper(), n),
    },
    Case {
        name: "uct xiangqi official",
        unit: "simulation",
        size: 2000,
        run: |n| by("uct-xiangqi", &Xiangqi::default(), n),
    },
    Case {
        name: "mast xiangqi paper",
        unit: "simulation",
        size: 2000,
        run: |n| by("mast", &paper(), n),
    },
    Case {
        name: "mast xiangqi official",
        unit: "simulation",
        size: 1000,
        run: |n| by("mast", &Xiangqi::default(), n),
    },
    Case {
        name: "ppap xiangqi paper",
        unit: "simulation",
        size: 2000,
        run: |n| by("ppap", &paper(), n),
    },
    Case {
        name: "ppap xiangqi official",
        unit: "simulation",
        size: 1000,
        run: |n| by("ppap", &Xiangqi::default(), n),
    },
    Case {
        name: "ppafp xiangqi paper",
        unit: "simulation",
        size: 2000,
        run: |n| by("ppafp", &paper(), n),
    },
    Case {
        name: "ppafp xiangqi official",
        unit: "simulation",
        size: 1000,
        run: |n| by("ppafp", &Xiangqi::default(), n),
    },
    Case {
        name: "playout carcassonne",
        unit: "game",
        size: 500,
        run: |n| playouts(&carcassonne(carcassonne::Order::Hidden), n),
    },
    Case {
        name: "uct carcassonne",
        unit: "simulation",
        size: 1000,
        run: |n| uct(&carcassonne(carcassonne::Order::Shuffled(7)), n),
    },
    Case {
        name: "open loop carcassonne",
        unit: "simulation",
        size: 1000,
        run: |n| by("uct-hidden", &carcassonne(carcassonne::Order::Shuffled(7)), n),
    },
    Case { name: "outlook carcassonne", unit: "position", size: 200_000, run: outlook },
    Case { name: "playout 2048", unit: "game", size: 2000, run: |n| playouts(&g2048(), n) },
    Case { name: "mctse 2048", unit: "simulation", size: 20_000, run: |n| study("mctse", n) },
    Case { name: "mcts 2048", unit: "simulation", size: 20_000, run: |n| study("mcts-2048", n) },
    Case { name: "expectimax 2048", unit: "node", size: 11, run: expectimax },
    Case { name: "perft lion", unit: "node", size: 7, run: |n| perft(&Lion::default(), n as u32) },
];

fn board(size: usize, k: usize) -> Gomoku {
    Gomoku::new(size, size, k).expect("a valid board")
}

fn pig() -> Pig {
    Pig::new(2, 100).expect("a valid game")
}

fn carcassonne(order: carcassonne::Order) -> Carcassonne {
    Carcassonne::new(&Options { order, ..Options::default() }).expect("valid options")
}

/// The evaluation in the middle of a game.
fn outlook(positions: u64) -> u64 {
    let eval = Outlook::new(&Weights::default());
    let mut middle = carcassonne(carcassonne::Order::Shuffled(7));
    middle.playout(40, &mut Rng::new(7), &mut Vec::new());
    for _ in 0..positions {
        black_box(eval.eval(black_box(&middle)));
    }
    positions
}

fn playouts<G: Game>(start: &G, games: u64) -> u64 {
    let (mut rng, mut scratch) = (Rng::new(7), Vec::new());
    for _ in 0..games {
        let mut pos = start.clone();
        pos.playout(u32::MAX, &mut rng, &mut scratch);
        black_box(&pos);
    }
    games
}

fn uct<G: Game>(start: &G, simulations: u64) -> u64 {
    let mut player = Mcts::new(&MctsConfig::default(), 7);
    let report = player.think(start, &mut Task::new(Limits::iterations(simulations)));
    report.expect("searches do not forfeit").iterations
}

/// A search by its specification.
fn by<G: Game>(spec: &str, start: &G, simulations: u64) -> u64 {
    let args = resolve(spec, "player", PLAYERS).expect("a player");
    let mut player = any_game::<G>(&args, &[]).and_then(Result::ok).expect("a player of any game");
    player.restart(7);
    let report = player.think(start, &mut Task::new(Limits::iterations(simulations)));
    report.expect("searches do not forfeit").iterations
}

fn nrpa(playouts: u64) -> u64 {
    let mut player = Nrpa::new(NrpaConfig::default(), 7);
    let task = &mut Task::new(Limits::iterations(playouts));
    let report = player.think(&Morpion::new(Variant::Disjoint), task);
    report.expect("searches do not forfeit").iterations
}

/// 2048 in the middle of a game.
fn g2048() -> G2048 {
    let start = G2048::new(4, 4).expect("a valid board");
    start.parse("4,.,.,2/16,4,.,./64,8,2,./512,256,32,4").expect("a position")
}

/// A player of the 2048 study.
fn study(spec: &str, simulations: u64) -> u64 {
    let args = resolve(spec, "player", PLAYERS).expect("a player");
    let player = any_game::<G2048>(&args, G2048::EVALS).and_then(Result::ok);
    let task = &mut Task::new(Limits::iterations(simulations));
    let report = player.expect("a player of any game").think(&g2048(), task);
    report.expect("searches do not forfeit").iterations
}

/// To a depth, with 2048's heuristic, a table and a cut-off.
fn expectimax(depth: u64) -> u64 {
    let config = ExpectimaxConfig { cutoff: 1e-4, deepening: false, ..ExpectimaxConfig::default() };
    let mut player = Expectimax::new(&config, (G2048::EVALS[0].make)());
    let report = player.think(&g2048(), &mut Task::new(Limits::depth(depth as u32)));
    report.expect("searches do not forfeit").nodes
}

fn lion() -> Lion {
    Lion::default()
}

/// The xiangqi study's game.
fn paper() -> Xiangqi {
    Xiangqi::new(xiangqi::Rules::PAPER)
}

fn solver(simulations: u64) -> u64 {
    let config = MctsConfig { scale: Scale::Signed, ..MctsConfig::default() };
    let mut player = Mcts::new(&config, 7).solving(Solver::new());
    let task = &mut Task::new(Limits::iterations(simulations));
    player.think(&Lion::default(), task).expect("searches do not forfeit").iterations
}

fn alphabeta<G: Registered + TwoPlayer>(start: &G, nodes: u64) -> u64 {
    let mut player = AlphaBeta::new(&AlphaBetaConfig::default(), (G::EVALS[0].make)());
    let report = player.think(start, &mut Task::new(Limits::nodes(nodes)));
    report.expect("searches do not forfeit").nodes
}

/// The search of the lion study: no table, its evaluation and move order.
fn plain(nodes: u64) -> u64 {
    let (method, order) = (Method::AlphaBeta, Order::Static);
    let config = AlphaBetaConfig { method, order, table: false, ..AlphaBetaConfig::default() };
    let mut player = AlphaBeta::new(&config, Box::new(Material::default()));
    let report = player.think(&Lion::new(Rules::CODE), &mut Task::new(Limits::nodes(nodes)));
    report.expect("searches do not forfeit").nodes
}

fn main() -> ExitCode {
    if let Ok(name) = std::env::var("SPIELBAUM_BENCH_CASE") {
        // The child under valgrind: `size` 0 measures what start-up costs.
        let empty = std::env::var("SPIELBAUM_BENCH_EMPTY").is_ok();
        if let Some(case) = CASES.iter().find(|c| c.name == name && !empty) {
            black_box((case.run)(case.size));
        }
        return ExitCode::SUCCESS;
    }
    let recorded = read_recorded();
    let mut counted = BTreeMap::new();
    let mut is_slower = false;
    println!("{:<26} {:>14} {:>12} {:>10}", "case", "instructions", "nanoseconds", "recorded");
    for case in CASES {
        let units = (case.run)(case.size);
        let started = Instant::now();
        black_box((case.run)(case.size));
        let nanos = started.elapsed().as_nanos() as f64 / units as f64;
        let count = instructions(case.name).map(|i| i as f64 / units as f64);
        let before = recorded.get(case.name).copied();
        let mark = match (count, before) {
            (Some(now), Some(then)) if now > then * 1.05 => {
                is_slower = true;
                "  SLOWER"
            }
            _ => "",
        };
        let show = |x: Option<f64>| x.map_or("-".to_string(), |x| format!("{x:.1}"));
        let (count_text, before_text) = (show(count), show(before));
        println!(
            "{:<26} {count_text:>14} {nanos:>12.1} {before_text:>10}  per {}{mark}",
            case.name, case.unit
        );
        counted.extend(count.map(|c| (case.name, c)));
    }
    if std::env::var("SPIELBAUM_BLESS").is_ok() {
        write_recorded(&counted);
        return ExitCode::SUCCESS;
    }
    if counted.is_empty() {
        println!("valgrind is not installed: no instruction counts");
    }
    if is_slower { ExitCode::FAILURE } else { ExitCode::SUCCESS }
}

/// Instructions of a case without those of starting the process.
fn instructions(case: &str) -> Option<u64> {
    let count = |empty: bool| {
        let mut command = Command::new("valgrind");
        command.args(["--tool=callgrind", "--callgrind-out-file=/dev/null"]);
        command.arg(std::env::current_exe().ok()?).env("SPIELBAUM_BENCH_CASE", case);
        if empty {
            command.env("SPIELBAUM_BENCH_EMPTY", "1");
        }
        let output = command.output().ok()?;
        let text = String::from_utf8_lossy(&output.stderr);
        let line = text.lines().find(|l| l.contains("Collected"))?;
        line.rsplit(' ').next()?.parse::<u64>().ok()
    };
    Some(count(false)?.saturating_sub(count(true)?))
}

const RECORDED: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/benches/instructions.txt");

fn read_recorded() -> BTreeMap<String, f64> {
    let text = std::fs::read_to_string(RECORDED).unwrap_or_default();
    let lines = text.lines().filter(|l| !l.starts_with('#'));
    lines
        .filter_map(|l| l.split_once(": ").and_then(|(k, v)| Some((k.into(), v.parse().ok()?))))
        .collect()
}

fn write_recorded(counted: &BTreeMap<&str, f64>) {
    let mut text = String::from(
        "# Instructions per unit of work; written by SPIELBAUM_BLESS=1 cargo bench.\n",
    );
    for (name, count) in counted {
        text += &format!("{name}: {count:.1}\n");
    }
    if let Err(error) = std::fs::write(RECORDED, text) {
        eprintln!("cannot write {RECORDED}: {error}");
    }
}
