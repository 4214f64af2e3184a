//! `train`: a program learns a game from its own play.

pub(crate) mod dir;
pub(crate) mod ntuple;
pub(crate) mod zero;
mod zero_duels;
mod zero_report;
mod zero_watch;

use crate::args::count;
use crate::catalog;
use crate::failure::{Failure, Outcome};
use crate::output::Output;
use clap::Args;
use spielbaum_core::param::parse_duration;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

const AFTER_HELP: &str = "\
Everything is kept in DIR, and the same command goes on where it was, after Ctrl-C or a
kill. Games and time are those of the whole training.

2048 is learned by an n-tuple network; a larger number of games or more time prolongs its
training, and with both the first that is reached ends it. One thread gives the same bytes
for the same seed and --games, however often it is interrupted, if neither --time nor a
--cool that is a time ends anything before; several write into one net without locks, and no
two such runs are alike. With --from another training's net.ntuple it begins with what that one
learned; its other settings, games and time are its own. What is cooled stays so, and
--from it another training goes on with full steps.
  DIR/net.ntuple    the net, with all that training needs to go on
  DIR/test.json     games after training (--test), of seeds that training never uses
JSON: {\"games\", \"moves\", \"seconds\", \"bytes\", \"cooled\": after so many games,
       \"point\": the last of the curve,
       \"test\": {\"games\", \"moves\", \"mean\", \"error\", \"best\", \"reached\",
                \"trained\": games that it had learned from}}
\"error\" is the standard error of the mean.

Gomoku is learned by a network with policy and value (AlphaZero). The number of games (20 000
unless given) belongs to what is trained, since the learning rate follows it; it also ends a
training with --time. The same seed, number of games, --from and kind of processor give the
same bytes on the processor without --time, whatever the number of threads.
  DIR/state.safetensors   how far it is, with all that training needs to go on
  DIR/net.safetensors     the network now: zero:net=DIR/net.safetensors plays with it
  DIR/best.safetensors    the strongest one of the trials (S of docs/zero.md)
  DIR/checkpoints/, games/, trials.jsonl   networks, games and trials on the way
  DIR/duels.toml          checkpoints against every level of UCT, to be run with --out DIR/duels
--config says how: `ours` or `paper` (the procedure of the gomoku paper), with
parameters, as in --config 'ours:simulations=100,net=\"res:blocks=2,channels=32\"'. A wrong
name is answered with all of them; docs/zero.md explains them.
JSON: {\"games\", \"seconds\", \"ended\": complete, time or stopped, \"strength\"}

Both write:
  DIR/train.json    what is trained
  DIR/curve.jsonl   the learning curve: a point in each line
  DIR/timing.jsonl  wall times, apart from all that can be repeated
  DIR/report.html   the curves, drawn; `spielbaum report DIR` draws them at any time

Examples:
  spielbaum train 2048 --net 4x6 --time 1h --cool 35m --out runs/4x6 --test 1000
  spielbaum match 2048 ntuple:net=runs/4x6/net.ntuple,depth=2 --games 100
  spielbaum train gomoku:m=6,n=6,k=4 --time 60m --threads 2 --games 300k --out runs/small
  spielbaum match gomoku:m=6,n=6,k=4 zerox:net=runs/small/net.safetensors,iterations=400 \\
      uct-gomoku:iterations=5000 --games 100";

/// The seed where none is given.
const SEED: u64 = 1;

/// Let a program learn a game from its own play
#[derive(Args)]
#[command(after_help = AFTER_HELP)]
pub(crate) struct Train {
    /// The game, such as `2048` or `gomoku:m=6,n=6,k=4`
    game: String,

    /// The directory of the training, or of one to go on with
    #[arg(long, value_name = "DIR")]
    pub(crate) out: PathBuf,

    /// Train until so many games are played in all
    #[arg(long, value_name = "N", value_parser = count)]
    pub(crate) games: Option<u64>,

    /// Train for so long in all: 90s, 20m, 1h
    #[arg(long, value_name = "TIME", value_parser = time)]
    pub(crate) time: Option<Duration>,

    /// Threads [default: one for each core]
    #[arg(long, value_name = "J", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub(crate) threads: Option<u16>,

    /// Seed of all games [default: 1]
    #[arg(long, value_name = "S")]
    pub(crate) seed: Option<u64>,

    /// Begin with the weights of this file instead of fresh ones: another training's net
    #[arg(long, value_name = "FILE")]
    pub(crate) from: Option<PathBuf>,

    /// Do not show how training goes
    #[arg(long, short)]
    pub(crate) quiet: bool,

    /// Answer in JSON
    #[arg(long)]
    pub(crate) json: bool,

    #[command(flatten)]
    pub(crate) ntuple: ntuple::Options,

    #[command(flatten)]
    pub(crate) zero: zero::Options,
}

pub(crate) fn time(text: &str) -> Result<Duration, String> {
    parse_duration(text).ok_or_else(|| "not a time, such as 90s, 20m or 1h".to_string())
}

impl Train {
    pub(crate) fn run(&self, out: &mut Output) -> Outcome {
        let (game, args) = catalog::game(&self.game)?;
        let name = game.schema().name;
        let Some(learning) = catalog::LEARNERS.iter().find(|l| l.game == name) else {
            let able: Vec<&str> = catalog::LEARNERS.iter().map(|l| l.game).collect();
            let error = args.name_error(format!("nothing here learns {name}"));
            return Err(error.help(format!("games that are learned: {}", able.join(", "))).into());
        };
        vacant(&self.out)?;
        (learning.train)(self, &args, out)
    }

    pub(crate) fn threads(&self) -> usize {
        let cores = || std::thread::available_parallelism().map_or(1, usize::from);
        self.threads.map_or_else(cores, usize::from)
    }
}

/// Refuses options that only another learner understands: `given` are the names of those that the
/// user gave.
fn refuse_options_of(other: &str, learner: &str, given: &[&str]) -> Outcome {
    if given.is_empty() {
        return Ok(());
    }
    let names: Vec<String> = given.iter().map(|name| format!("--{name}")).collect();
    let names = names.join(", ");
    Err(Failure::Input(format!("{names}: only for {other}, and this game is learned by {learner}")))
}

/// Who learns a game: a row of the catalog.
pub(crate) struct Learning {
    /// The game.
    pub(crate) game: &'static str,
    /// Carries the command out.
    pub(crate) train: fn(&Train, &spielbaum_core::param::Args, &mut Output) -> Outcome,
}

/// A failure of a file.
pub(crate) fn at(path: &std::path::Path) -> impl FnOnce(std::io::Error) -> Failure {
    let path = path.display().to_string();
    move |e| Failure::Task(format!("{path}: {e}"))
}

/// Refuses a directory that holds something else than a training.
fn vacant(dir: &Path) -> Result<(), Failure> {
    let Ok(entries) = fs::read_dir(dir) else { return Ok(()) };
    // A process killed at its very beginning leaves an empty lock.
    let mut names = entries.flatten().map(|entry| entry.file_name());
    if dir.join("train.json").exists()
        || names.all(|name| name == "lock" || name == "train.json.tmp")
    {
        return Ok(());
    }
    let text = format!("{} holds other files than a training's", dir.display());
    Err(Failure::Input(format!("{text}; choose another directory")))
}
