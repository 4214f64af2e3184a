//! `bench`: how fast a search and the rules of a game are on this machine.

use crate::args::{Place, count};
use crate::catalog;
use crate::cmd::analyze::can_think;
use crate::failure::{Failure, Outcome};
use crate::layout;
use crate::output::Output;
use clap::Args;
use serde::Serialize;
use spielbaum_core::{Limits, Report, Stop};
use spielbaum_lab::AnyTable;
use std::time::{Duration, Instant};

const AFTER_HELP: &str = "\
Searches the position with a fresh player of the same seed, --repeat times, then
plays random games from it, as often. Rates are those of the fastest repetition.
A budget without wall time gives the same counts on every machine; with --seconds
the counts are those of the fastest repetition.

JSON: {\"iterations_per_second\", \"nodes_per_second\", \"games_per_second\", \"bytes\",
       \"iterations\", \"nodes\", \"depth\", \"best\", \"value\", \"seconds\", \"repeat\",
       \"random\": {\"games\", \"plies\", \"seconds\", \"plies_per_second\"}}

Examples:
  spielbaum bench gomoku:m=15,n=15,k=5 uct --iterations 100000
  spielbaum bench gomoku alphabeta --seconds 2 --json";

/// Measure the speed of a search
#[derive(Args)]
#[command(after_help = AFTER_HELP)]
pub(crate) struct Bench {
    #[command(flatten)]
    place: Place,

    /// The player, such as `uct:c=0.9`
    player: String,

    /// Search for so long [default: 1, if nothing else limits the search]
    #[arg(long, value_name = "S", conflicts_with = "iterations", value_parser = positive)]
    seconds: Option<f64>,

    /// Search for so many simulations, or root iterations
    #[arg(long, value_name = "N", value_parser = count)]
    iterations: Option<u64>,

    /// Repetitions, of which the fastest counts
    #[arg(long, value_name = "N", default_value_t = 3, value_parser = clap::value_parser!(u32).range(1..))]
    repeat: u32,

    /// Random games to play in each repetition
    #[arg(long, value_name = "N", default_value_t = 10_000, value_parser = count)]
    games: u64,

    /// Seed of player and random games
    #[arg(long, value_name = "S", default_value_t = 1)]
    seed: u64,

    /// Answer in JSON
    #[arg(long)]
    json: bool,
}

fn positive(text: &str) -> Result<f64, String> {
    match text.trim_end_matches('s').parse::<f64>() {
        Ok(s) if s > 0.0 && s <= 86_400.0 => Ok(s),
        _ => Err("a number of seconds, more than 0 and at most a day".to_string()),
    }
}

#[derive(Serialize)]
struct Answer {
    iterations_per_second: f64,
    nodes_per_second: f64,
    games_per_second: f64,
    bytes: usize,
    iterations: u64,
    nodes: u64,
    depth: u32,
    best: String,
    value: f32,
    seconds: f64,
    repeat: u32,
    game: String,
    player: String,
    random: Random,
}

#[derive(Serialize)]
struct Random {
    games: u64,
    plies: u64,
    seconds: f64,
    plies_per_second: f64,
}

impl Bench {
    pub(crate) fn run(&self, out: &mut Output) -> Outcome {
        let found = self.place.find()?;
        let player = catalog::player(found.game, &self.player)?;
        let mut table = found.table;
        can_think(table.as_ref())?;

        let limits = match (self.iterations, self.seconds) {
            (Some(n), _) => Limits::iterations(n),
            (None, Some(s)) => Limits::time(Duration::from_secs_f64(s)),
            (None, None) if player.limits().is_empty() => Limits::time(Duration::from_secs(1)),
            (None, None) => Limits::default(),
        };
        let mut best: Option<Report<String>> = None;
        for _ in 0..self.repeat {
            table.sit(0, &player, self.seed)?;
            let report = table
                .think(0, limits, &[], &Stop::new(), None)
                .map_err(|e| Failure::Task(format!("player `{player}` {e}")))?;
            if best.as_ref().is_none_or(|b| speed(&report) > speed(b)) {
                best = Some(report);
            }
        }
        let report = best.ok_or_else(|| Failure::input("--repeat 0 measures nothing"))?;
        let random = self.random(table.as_ref());

        let seconds = report.elapsed.as_secs_f64();
        let answer = Answer {
            iterations_per_second: report.iterations as f64 / seconds,
            nodes_per_second: report.nodes as f64 / seconds,
            games_per_second: random.games as f64 / random.seconds,
            bytes: table.bytes(0),
            iterations: report.iterations,
            nodes: report.nodes,
            depth: report.depth,
            best: report.best,
            value: report.value,
            seconds,
            repeat: self.repeat,
            game: found.args.to_string(),
            player: player.to_string(),
            random,
        };
        if self.json { out.json(&answer) } else { Ok(out.text(&describe(&answer))?) }
    }

    /// The same random games in every repetition; the fastest time counts.
    fn random(&self, table: &dyn AnyTable) -> Random {
        let mut plies = 0;
        let mut seconds = f64::INFINITY;
        for _ in 0..self.repeat {
            let started = Instant::now();
            plies = table.playouts(self.games, self.seed);
            seconds = seconds.min(started.elapsed().as_secs_f64());
        }
        Random { games: self.games, plies, seconds, plies_per_second: plies as f64 / seconds }
    }
}

/// What a repetition is judged by: plays, which every search counts.
fn speed(report: &Report<String>) -> f64 {
    report.nodes as f64 / report.elapsed.as_secs_f64()
}

fn describe(a: &Answer) -> String {
    let row = |name: &str, rate: f64, count: u64| {
        vec![name.to_string(), layout::short(rate), layout::count(count)]
    };
    let rows = [
        row("iterations", a.iterations_per_second, a.iterations),
        row("nodes", a.nodes_per_second, a.nodes),
        row("random games", a.games_per_second, a.random.games),
        row("random plies", a.random.plies_per_second, a.random.plies),
    ];
    format!(
        "{} plays {}\n\n{}\nsearch: depth {}, best {}, value {}, {}, {}; fastest of {}\n",
        a.player,
        a.game,
        layout::table(&["", "per second", "count"], &rows),
        a.depth,
        a.best,
        layout::value(a.value),
        layout::seconds(a.seconds),
        layout::bytes(a.bytes as u64),
        a.repeat,
    )
}
