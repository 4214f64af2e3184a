//! `train` for games with a network: AlphaZero.

pub(crate) use super::zero_report::document;
use super::zero_watch::Watch;
use super::{SEED, Train, ntuple, zero_duels};
use crate::args::count_to;
use crate::cmd::report::tell_document;
use crate::failure::{Failure, Outcome};
use crate::interrupt;
use crate::output::Output;
use clap::Args as ClapArgs;
use serde::Serialize;
use spielbaum_core::param::{Args, resolve};
use spielbaum_core::{Planes, Registered, TwoPlayer};
use spielbaum_net::{Architecture, Device, Shape, Weights};
use spielbaum_zero::shape_of;
use spielbaum_zero::train::{
    Dir, Ended, Event, Header, TRAINING, TrainConfig, Training, read_curve,
};
use std::path::Path;

/// What it is, for people.
pub(super) const KIND: &str = "networks with policy and value";

/// The learner's name in the directory.
pub(crate) const LEARNER: &str = "zero";

/// What only a network needs to know.
#[derive(ClapArgs)]
#[group(skip)]
#[command(next_help_heading = "Networks with policy and value (gomoku)")]
pub(crate) struct Options {
    /// How it is trained: `ours` or `paper`, with parameters [default: ours]
    #[arg(long, value_name = "TEXT")]
    config: Option<String>,

    /// Where the network runs: cpu, cuda, cuda:NUMBER, auto [default: cpu]
    #[arg(long, value_name = "DEVICE")]
    device: Option<String>,

    /// Games that a thread has in hand, so that batches fill [default: 16; cuda: 512]
    #[arg(long, value_name = "N", value_parser = count_to(65_536))]
    together: Option<u32>,
}

impl Options {
    /// The names of what was given.
    pub(super) fn given(&self) -> Vec<&'static str> {
        let all = [
            ("config", self.config.is_some()),
            ("device", self.device.is_some()),
            ("together", self.together.is_some()),
        ];
        all.iter().filter(|(_, given)| *given).map(|&(name, _)| name).collect()
    }
}

#[derive(Serialize)]
struct Answer {
    games: u64,
    seconds: f64,
    ended: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    strength: Option<f64>,
}

/// Trains a network for a game.
pub(crate) fn train<G: Registered + TwoPlayer + Planes>(
    train: &Train,
    args: &Args,
    out: &mut Output,
) -> Outcome {
    let start = G::start(args)?;
    super::refuse_options_of(ntuple::KIND, KIND, &train.ntuple.given())?;
    let shape = shape_of(&start);
    let options = &train.zero;
    let told = options.config.as_deref().unwrap_or("ours");
    let mut spec = resolve(told, "training", &[&TRAINING])?;
    if let Some(games) = train.games {
        // The number of games belongs to the configuration: the learning rate follows it.
        let joint = if told.contains(':') { ',' } else { ':' };
        let text = format!("{told}{joint}total={games}");
        spec = resolve(&text, "training", &[&TRAINING])?;
    }
    let config = TrainConfig::new(&spec, shape.cells())?;
    let device: Device =
        options.device.as_deref().unwrap_or("cpu").parse().map_err(Failure::input)?;
    device.check().map_err(Failure::input)?;
    let from = train.from.as_deref().map(|path| weights(path, config.architecture, shape));
    let from = from.transpose()?;
    let mut header = Header::new(args.full(), config.text.clone(), train.seed.unwrap_or(SEED));
    if let (Some(path), Some(weights)) = (&train.from, &from) {
        header = header.with("from", origin(path, weights));
    }
    if device != Device::Cpu {
        header = header.with("device", device.to_string());
    }
    let dir = Dir::open(&train.out, &header).map_err(Failure::Input)?;
    let message = "stopping; what is complete is saved, the same command goes on";
    let stop = interrupt::on_ctrl_c(if train.quiet { "" } else { message })?;
    let watch = Watch::new(train.quiet, train.time);
    let is_gpu = device != Device::Cpu;
    let training = Training {
        start,
        game: args.full(),
        dir,
        seed: train.seed.unwrap_or(SEED),
        device,
        threads: train.threads(),
        together: options.together.map_or(if is_gpu { 512 } else { 16 }, |n| n as usize),
        time: train.time,
        from,
        stop,
        watch: &|event: &Event<'_>| watch.see(event),
        config,
    };
    let ended = training.run().map_err(Failure::Task)?;
    watch.finish();
    zero_duels::write(&train.out, &training.game, &training.config)?;
    tell(train, ended, out)
}

/// Weights to begin with, of these layers and for this board.
fn weights(path: &Path, layers: Architecture, shape: Shape) -> Result<Weights, Failure> {
    let weights = Weights::load(path).map_err(Failure::input)?;
    let theirs = weights.architecture();
    if theirs != layers {
        let problem = format!("--from has a network {theirs}, and {layers} is to learn");
        return Err(Failure::Input(problem));
    }
    let (planes, own) = (weights.shape().planes, shape.planes);
    if planes != own {
        let problem = format!("--from has a network for {planes} planes, and the game has {own}");
        return Err(Failure::Input(problem));
    }
    let fitted = weights.for_board(shape.height, shape.width);
    fitted.map_err(|e| Failure::Input(format!("--from: {e}")))
}

/// Which weights a training began with.
fn origin(path: &Path, weights: &Weights) -> String {
    let of = |key| weights.metadata.get(key).map_or("?", String::as_str);
    let name = path.file_name().unwrap_or(path.as_os_str()).display();
    format!("{name}: {}, {} games, seed {}", of("game"), of("games"), of("seed"))
}

fn tell(train: &Train, ended: Ended, out: &mut Output) -> Outcome {
    let (curve, trials, times) = read_curve(&train.out).map_err(Failure::Task)?;
    let answer = Answer {
        games: curve.last().map_or(0, |p| p.games),
        seconds: times.last().map_or(0.0, |t| t.seconds),
        ended: match ended {
            Ended::Complete => "complete",
            Ended::Time => "time",
            Ended::Stopped => "stopped",
        },
        strength: trials.last().map(|t| t.strength),
    };
    if train.json {
        out.json(&answer)?;
    } else if !train.quiet {
        tell_document(&document(&train.out)?, &train.out, false, out)?;
    }
    match ended {
        Ended::Stopped => {
            let text = format!("stopped after {} games", answer.games);
            Err(Failure::Interrupted(text))
        }
        _ => Ok(()),
    }
}
