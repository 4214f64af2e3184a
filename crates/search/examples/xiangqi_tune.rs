//! Fits the weights of the default evaluation of xiangqi to games of self-play (Texel's method).
//!
//! `xiangqi_tune GAMES NODES SEED JOBS` plays the games from random openings under the official
//! rules, keeps the quiet positions, and prints `weights.rs` with the weights of a logistic regression
//! in hundredths, where 400 is a factor e of the odds. What is to be predicted is the result of the
//! game and, as much, the value the search gave; weights are pulled towards those in use, so that
//! what is rare stays as it is.

use spielbaum_core::math::logistic;
use spielbaum_core::{Eval, Game, Limits, Player, Rng, Task};
use spielbaum_games::xiangqi::{Placed, Xiangqi};
use spielbaum_search::alphabeta::{AlphaBeta, AlphaBetaConfig};
use spielbaum_search::score;
use std::error::Error;

/// The terms of a position that count, and what to expect for its player to move.
struct Sample {
    terms: Vec<(u16, f32)>,
    target: f64,
}

/// The share of the result; the rest is the value of the search.
const RESULT: f64 = 0.5;
/// Evaluations are a factor e of the odds for so much.
const SCALE: f64 = 400.0;
/// How much a weight is pulled towards what it was, for each sample: what holds out best is taken.
const PULLS: [f64; 4] = [1e-4, 3e-4, 1e-3, 3e-3];

fn play(rng: &mut Rng, player: &mut AlphaBeta<Xiangqi>, nodes: u64, out: &mut Vec<Sample>) {
    let mut pos = Xiangqi::default();
    pos.playout(4 + rng.below(8) as u32, rng, &mut Vec::new());
    player.restart(0);
    let first = out.len();
    let mut movers = Vec::new();
    let mut result = 0.5;
    for _ in 0..300 {
        if pos.is_over() {
            result = f64::from(pos.payoffs()[0]);
            break;
        }
        let seat = pos.turn().player().unwrap_or(0);
        let Ok(report) = player.think(&pos, &mut Task::new(Limits::nodes(nodes))) else { return };
        let value = player.score();
        if score::is_decisive(value) {
            result = if (value > 0) == (seat == 0) { 1.0 } else { 0.0 };
            break;
        }
        let quiet = !pos.is_check() && !pos.is_capture(report.best);
        if quiet && value.abs() < 1500 {
            let mut sums = vec![0.0; Placed::TERMS];
            Placed::terms(&pos, |term, share| sums[term] += share as f32);
            let terms = (0..).zip(sums).filter(|t| t.1 != 0.0).collect();
            out.push(Sample { terms, target: logistic(f64::from(value) / SCALE) });
            movers.push(seat);
        }
        // Some variety.
        let m = if rng.below(25) == 0 { pos.random_move(rng, &mut Vec::new()) } else { None };
        pos.play(m.unwrap_or(report.best));
    }
    for (sample, seat) in out[first..].iter_mut().zip(movers) {
        let own = if seat == 0 { result } else { 1.0 - result };
        sample.target = RESULT * own + (1.0 - RESULT) * sample.target;
    }
}

fn value(weights: &[f64], sample: &Sample) -> f64 {
    sample.terms.iter().map(|t| weights[t.0 as usize] * f64::from(t.1)).sum()
}

/// Mean squared error, in thousandths.
fn error(weights: &[f64], samples: &[Sample]) -> f64 {
    let square = |s: &Sample| (logistic(value(weights, s) / SCALE) - s.target).powi(2);
    1000.0 * samples.iter().map(square).sum::<f64>() / samples.len() as f64
}

/// Stochastic gradient descent with falling steps (Adagrad). Some of the games are kept
/// to see whether what was learnt holds.
fn fit(samples: &[Sample], rng: &mut Rng) -> Vec<f64> {
    let before: Vec<f64> = Placed::weights().into_iter().map(f64::from).collect();
    let (held, learnt) = samples.split_at(samples.len() / 8);
    let mut least = error(&before, held);
    eprintln!("before: {:.3}, held out {least:.3}", error(&before, learnt));
    let mut best = before.clone();
    for pull in PULLS {
        let weights = pulled(&before, pull, learnt, rng);
        let [seen, unseen] = [error(&weights, learnt), error(&weights, held)];
        eprintln!("pull {pull}: {seen:.3}, held out {unseen:.3}");
        if unseen < least {
            (least, best) = (unseen, weights);
        }
    }
    best
}

/// The weights that a pull leads to.
fn pulled(before: &[f64], pull: f64, learnt: &[Sample], rng: &mut Rng) -> Vec<f64> {
    let mut weights = before.to_vec();
    let mut squares = vec![1e-2; weights.len()];
    for _ in 0..20 {
        for _ in 0..learnt.len() {
            let s = &learnt[rng.below(learnt.len())];
            let p = logistic(value(&weights, s) / SCALE);
            for &(term, share) in &s.terms {
                let term = term as usize;
                let slope =
                    (p - s.target) * f64::from(share) + pull * (weights[term] - before[term]);
                squares[term] += slope * slope;
                weights[term] -= 8.0 * slope / f64::sqrt(squares[term]);
            }
        }
    }
    weights
}

/// The file of weights.
fn print(weights: &[f64]) {
    let list = |weights: &[f64], indent: &str| {
        let words: Vec<String> = weights.iter().map(|w| format!("{:.0},", w)).collect();
        println!("{indent}{}", words.join(" ").replace("-0,", "0,"));
    };
    println!(
        "//! Weights of the default evaluation, in hundredths of a soldier: see [`super::placed`]."
    );
    println!("\nuse super::moves::KINDS;\nuse super::placed::COUNTS;\n");
    println!(
        "/// In the middle game and in the endgame, by kind and place: ten ranks of five files, from the"
    );
    println!("/// owner's side.\n#[rustfmt::skip]");
    println!("pub(super) const STANDS: [[[i16; 50]; KINDS]; 2] = [");
    let names = ["general", "advisor", "elephant", "horse", "chariot", "cannon", "soldier"];
    for phase in weights[..700].chunks(350) {
        println!("    [");
        for (kind, name) in phase.chunks(50).zip(names) {
            println!("        // {name}\n        [");
            kind.chunks(5).for_each(|row| list(row, "            "));
            println!("        ],");
        }
        println!("    ],");
    }
    println!("];\n");
    println!(
        "/// What is counted: reach of chariots and horses, a hollow cannon, the right to move."
    );
    println!("#[rustfmt::skip]\npub(super) const COUNTED: [i16; COUNTS] = [");
    let mut rest = &weights[700..];
    for length in [18, 9, 1, 1] {
        let (part, more) = rest.split_at(length);
        list(part, "    ");
        rest = more;
    }
    println!("];");
}

fn main() -> Result<(), Box<dyn Error>> {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let [games, nodes, seed, jobs] = &args[..] else {
        return Err("xiangqi_tune GAMES NODES SEED JOBS".into());
    };
    let (games, nodes): (u64, u64) = (games.parse()?, nodes.parse()?);
    let (seed, jobs): (u64, u64) = (seed.parse()?, jobs.parse()?);
    let config = AlphaBetaConfig { memory: 4 << 20, ..AlphaBetaConfig::default() };
    let work = |job: u64| {
        let mut player = AlphaBeta::new(&config, Box::new(Placed) as Box<dyn Eval<Xiangqi>>);
        let mut samples = Vec::new();
        for game in (job..games).step_by(jobs as usize) {
            play(&mut Rng::new(Rng::split(seed, game)), &mut player, nodes, &mut samples);
        }
        samples
    };
    let samples: Vec<Sample> = std::thread::scope(|scope| {
        let threads: Vec<_> = (0..jobs)
            .map(|job| {
                let work = &work;
                scope.spawn(move || work(job))
            })
            .collect();
        threads.into_iter().flat_map(|t| t.join().unwrap_or_default()).collect()
    });
    eprintln!("{} positions", samples.len());
    print(&fit(&samples, &mut Rng::new(seed)));
    Ok(())
}
