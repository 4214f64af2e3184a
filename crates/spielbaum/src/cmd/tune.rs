//! `tune`: vary numbers of a player until it plays better.

use crate::args::{Budget, count, count_to};
use crate::catalog::{self, GAMES, RECORDED};
use crate::cmd::report;
use crate::failure::{Failure, Outcome};
use crate::interrupt;
use crate::layout;
use crate::output::Output;
use crate::watch::Watch;
use clap::{Args, ValueEnum};
use spielbaum_core::param::resolve;
use spielbaum_core::spec::text_value;
use spielbaum_lab::tune::{
    METHODS, MOST_GAMES, Objective, TuneDir, TuneHeader, TuneNews, TuneRequest, TuneStep,
    TuneSummary, Tuned, Tuning, Varied, report as document,
};
use spielbaum_lab::{self as lab, AnyGame, Openings};
use std::io::Write;
use std::path::PathBuf;

const AFTER_HELP: &str = "\
What is varied is named as in the player's text, parameters of parts with a point:
`c`, `playout.cutoff`, `eval.empty`. The values that the player has are the start.

Methods, each with parameters in the same form (`cma-es:population=12,sigma=0.3`):
  cma-es  evolution strategy that learns how parameters depend on each other;
          4 + 3 ln n players with each step
  spsa    a gradient from two players with each step, for many parameters
  anneal  simulated annealing: a proposal with each step, losses accepted as Metropolis does

All players of a step play the same games. In games of one player the value is the
mean of the points; with opponents it is the score of two, the mean place of more.
At the end the player that was found and the one it began with play --fresh games,
whose seeds were never used before.

Every step is recorded in DIR: kill it, and the same command goes on, or
`spielbaum tune --resume --out DIR`. The records are the same on any number of threads,
interrupted or not, for budgets without wall time. `spielbaum report DIR` shows how it
went, complete or not.

JSON: {\"format\", \"objective\", \"games\", \"fresh\", \"before\": {\"player\", \"mean\", \"ci\"},
  \"after\": {...}, \"gain\": {\"mean\", \"ci\"}, \"superiority\"}

Examples:
  spielbaum tune 2048 expectimax:depth=3 --vary eval.empty=50..1000:log \\
    --vary eval.merge=100..3000:log --steps 30 --games 50 --out weights
  spielbaum tune gomoku:m=6,n=6,k=4 uct:iterations=500 --vary c=0.1..3:log \\
    --against uct:iterations=500 --method spsa --steps 100 --games 40 --out exploration";

/// Vary numbers of a player until it plays better
#[derive(Args)]
#[command(after_help = AFTER_HELP)]
pub(crate) struct Tune {
    /// The game, such as `2048`
    #[arg(required_unless_present = "resume")]
    game: Option<String>,

    /// The player, with the values to begin with
    #[arg(required_unless_present = "resume")]
    player: Option<String>,

    /// A parameter and its range; `:log` divides it by ratios. May be repeated
    #[arg(long, value_name = "NAME=LOW..HIGH[:log]")]
    vary: Vec<String>,

    /// The optimiser: anneal, cma-es or spsa
    #[arg(long, value_name = "METHOD", default_value = "cma-es")]
    method: String,

    /// Steps of the optimiser
    #[arg(long, value_name = "N", default_value_t = 50, value_parser = count)]
    steps: u64,

    /// Games of each player of a step
    #[arg(long, value_name = "N", default_value_t = 20, value_parser = count)]
    games: u64,

    /// Games of both players at the end, on seeds of their own [default: 20 times --games]
    #[arg(long, value_name = "N", value_parser = count)]
    fresh: Option<u64>,

    /// An opponent, in games of several seats. May be repeated
    #[arg(long, value_name = "PLAYER")]
    against: Vec<String>,

    /// What is tuned for [default: by the number of seats]
    #[arg(long, value_enum)]
    objective: Option<Aim>,

    /// Seed of everything random
    #[arg(long, value_name = "S", default_value_t = 1)]
    seed: u64,

    /// How games begin: `none`, `random:PLIES`, or a file with an opening in each line
    /// [default: the game's, see `list`]
    #[arg(long, value_name = "OPENINGS")]
    openings: Option<String>,

    /// Settle a game as it stands after so many moves
    #[arg(long, value_name = "N", default_value_t = lab::MAX_PLIES, value_parser = count_to(u32::MAX))]
    max_plies: u32,

    /// Threads [default: one for each core]
    #[arg(long, value_name = "J", value_parser = clap::value_parser!(u16).range(1..=1024))]
    jobs: Option<u16>,

    /// Record the tuning in this directory, or go on with the one recorded there
    #[arg(long, value_name = "DIR")]
    out: PathBuf,

    /// Go on with the tuning in DIR as it was begun
    #[arg(long, conflicts_with_all = [
        "game", "player", "vary", "method", "steps", "games", "fresh", "against", "objective", "seed",
        "openings", "max_plies", "time", "clock", "iterations", "nodes", "depth",
    ])]
    resume: bool,

    /// Do not show how it goes
    #[arg(long, short)]
    quiet: bool,

    /// Answer in JSON
    #[arg(long)]
    json: bool,

    #[command(flatten)]
    budget: Budget,
}

#[derive(Clone, Copy, ValueEnum)]
enum Aim {
    /// Mean points
    Points,
    /// Share of games won
    Score,
    /// Mean place at a table of three to five
    Place,
}

impl Tune {
    pub(crate) fn run(&self, out: &mut Output) -> Outcome {
        let (game, tuning) = match self.resume {
            true => Tuning::of_header(&TuneHeader::read(&self.out)?, GAMES)?,
            false => self.tuning()?,
        };
        let place = TuneDir::create(&self.out, &tuning)?;
        let stop = interrupt::on_ctrl_c("giving up the step that is running")?;
        let jobs = self.jobs.map_or_else(cores, usize::from);
        let mut show = Show::new(&tuning, self.quiet);
        let summary = place.run(game, jobs, &stop, &mut |news| show.news(&news));
        show.finish();
        let Some(summary) = summary? else {
            let dir = text_value(&self.out.display().to_string());
            return Err(Failure::Interrupted(format!(
                "interrupted; what was finished is recorded, this goes on:\n  \
                 spielbaum tune --resume --out {dir}"
            )));
        };
        drop(place);
        self.tell(&summary, out)
    }

    fn tuning(&self) -> Result<(&'static dyn AnyGame, Tuning), Failure> {
        let (game, args) = catalog::game(self.game.as_deref().unwrap_or_default())?;
        let player = catalog::player(game, self.player.as_deref().unwrap_or_default())?;
        let vary = self.vary.iter().map(|text| Varied::read(text)).collect::<Result<_, _>>()?;
        let method = resolve(&self.method, "method", METHODS)?;
        let against = (self.against.iter())
            .map(|text| catalog::player(game, text))
            .collect::<Result<_, _>>()?;
        let request = TuneRequest {
            against,
            objective: self.objective.map(|aim| match aim {
                Aim::Points => Objective::Points,
                Aim::Score => Objective::Score,
                Aim::Place => Objective::Place,
            }),
            steps: self.steps,
            games: self.games,
            fresh: self.fresh.unwrap_or(self.games.saturating_mul(20).min(MOST_GAMES)),
            seed: self.seed,
            limits: self.budget.limits(),
            openings: self.openings.as_deref().map(Openings::read).transpose()?,
            max_plies: self.max_plies,
            ..TuneRequest::new(args, player, vary, method)
        };
        Ok((game, Tuning::new(game, request)?))
    }

    fn tell(&self, summary: &TuneSummary, out: &mut Output) -> Outcome {
        let document = document(&Tuned::read(&self.out, RECORDED)?);
        if self.json {
            report::page(&document, &self.out)?;
            return out.json(summary);
        }
        report::tell_document(&document, &self.out, false, out)?;
        Ok(out.text(&format!("The player that was found:\n  {}\n", summary.after.player))?)
    }
}

/// How it goes: a line for each step, then the fresh games as any match.
struct Show {
    quiet: bool,
    steps: u64,
    names: Vec<String>,
    objective: Objective,
    done: u64,
    recorded: u64,
    fresh: Option<Watch>,
}

impl Show {
    fn new(tuning: &Tuning, quiet: bool) -> Self {
        Show {
            quiet,
            steps: tuning.header().steps,
            names: tuning.varied().map(|(varied, _)| varied.name.clone()).collect(),
            objective: tuning.header().objective,
            done: 0,
            recorded: 0,
            fresh: None,
        }
    }

    fn news(&mut self, news: &TuneNews<'_>) {
        match news {
            TuneNews::Step(_, true) => {
                self.done += 1;
                self.recorded += 1;
            }
            TuneNews::Step(step, false) => {
                self.done += 1;
                if !self.quiet {
                    if self.recorded > 0 {
                        say(&format!("{} steps were recorded before", self.recorded));
                        self.recorded = 0;
                    }
                    say(&self.line(step));
                }
            }
            TuneNews::Fresh(progress) => {
                let names = || vec!["before".to_string(), "after".to_string()];
                let quiet = self.quiet;
                self.fresh.get_or_insert_with(|| Watch::new(names(), quiet)).show(progress);
            }
        }
    }

    /// `step 3/50  mean 1034  best 1203  sigma 0.18  eval.empty=310`
    fn line(&self, step: &TuneStep) -> String {
        let (done, steps) = (self.done, self.steps);
        let [mean, best] = [step.mean(), step.best(self.objective)].map(short);
        let values: Vec<String> =
            self.names.iter().zip(&step.answer).map(|(name, x)| format!("{name}={x}")).collect();
        let values = values.join(" ");
        format!("step {done}/{steps}  mean {mean}  best {best}  {}  {values}", step.note)
    }

    fn finish(&mut self) {
        if let Some(watch) = self.fresh.take() {
            watch.finish();
        }
    }
}

/// Shares with three decimals, points as people write them.
fn short(x: f64) -> String {
    if x.abs() < 100.0 { format!("{x:.3}") } else { layout::short(x) }
}

/// A closed standard error must not end the tuning.
fn say(line: &str) {
    let _ = writeln!(std::io::stderr(), "{line}");
}

fn cores() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}
