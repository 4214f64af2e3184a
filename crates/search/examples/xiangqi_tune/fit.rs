//! Logistic regression: the weights that make the positions' results likeliest.

use spielbaum_core::Game;
use spielbaum_core::math::logistic;
use spielbaum_games::xiangqi::{Placed, Xiangqi};
use std::error::Error;

/// The terms of a position that count, and what to expect for its player to move.
struct Sample {
    terms: Vec<(u16, f32)>,
    value: f64,
    result: f64,
    target: f64,
}

/// The share of the result in what is to be expected; the rest is the value of the search. All positions of a game
/// share its result, so much of it teaches chance: of 600 games at 3000 plays weights fitted to 340 000 positions
/// won 31 % with 1, 56 % with a half, 68 % with a quarter and 65 % with nothing.
const RESULT: f64 = 0.25;
/// How much weights are pulled towards those in use, so that what is rare stays as it is: the
/// strength that holds out best is taken. 1 is as strong as some 130 positions.
const PULLS: [f64; 6] = [100.0, 30.0, 10.0, 3.0, 1.0, 0.3];
/// Steps of the descent for each of them.
const STEPS: i32 = 200;

/// Reads positions; every eighth game is held out.
fn read(files: &[&str]) -> Result<[Vec<Sample>; 2], Box<dyn Error>> {
    let start = Xiangqi::default();
    let mut sets = [Vec::new(), Vec::new()];
    let mut game = 0;
    for file in files {
        let text = std::fs::read_to_string(file).map_err(|e| format!("{file}: {e}"))?;
        for line in text.lines() {
            if line.is_empty() {
                game += 1;
                continue;
            }
            let [pos, value, result] = line.split(';').collect::<Vec<_>>()[..] else {
                return Err(format!("not POSITION;VALUE;RESULT: {line}").into());
            };
            let pos = start.parse(pos).map_err(|e| e.to_string())?;
            let mut sums = vec![0.0; Placed::TERMS];
            Placed::terms(&pos, |term, share| sums[term] += share as f32);
            let terms = (0..).zip(sums).filter(|t| t.1 != 0.0).collect();
            let (value, result) = (value.parse()?, result.parse()?);
            sets[usize::from(game % 8 == 0)].push(Sample { terms, value, result, target: result });
        }
    }
    Ok(sets)
}

/// The log loss of a probability.
fn loss(p: f64, target: f64) -> f64 {
    let p = p.clamp(1e-9, 1.0 - 1e-9);
    -(target * p.ln() + (1.0 - target) * (1.0 - p).ln())
}

/// So many units of the evaluation are a factor e of the odds, by the values of the search.
fn scale(samples: &[Sample]) -> f64 {
    let lost = |scale: f64| -> f64 {
        samples.iter().map(|s| loss(logistic(s.value / scale), s.result)).sum()
    };
    let scales = (10..200).map(|i| f64::from(i) * 10.0);
    scales.min_by(|a, b| lost(*a).total_cmp(&lost(*b))).unwrap_or(400.0)
}

/// What weights make of a position.
fn value(weights: &[f64], sample: &Sample) -> f64 {
    sample.terms.iter().map(|t| weights[t.0 as usize] * f64::from(t.1)).sum()
}

/// The mean log loss.
fn error(weights: &[f64], scale: f64, samples: &[Sample]) -> f64 {
    let lost = |s: &Sample| loss(logistic(value(weights, s) / scale), s.target);
    samples.iter().map(lost).sum::<f64>() / samples.len() as f64
}

/// Descends from some weights along the gradient over all samples (Adam, with falling steps).
fn descend(weights: &mut [f64], before: &[f64], pull: f64, scale: f64, samples: &[Sample]) {
    let n = weights.len();
    let (mut mean, mut square) = (vec![0.0; n], vec![0.0; n]);
    for step in 1..=STEPS {
        let mut slope: Vec<f64> =
            weights.iter().zip(before).map(|(w, b)| 2.0 * pull * (w - b) / 1e4).collect();
        for s in samples {
            let miss = (logistic(value(weights, s) / scale) - s.target) / scale;
            for &(term, share) in &s.terms {
                slope[term as usize] += miss * f64::from(share);
            }
        }
        let rate = 4.0 * (1.0 - f64::from(step) / f64::from(STEPS + 1));
        for i in 0..n {
            mean[i] += 0.1 * (slope[i] - mean[i]);
            square[i] += 0.02 * (slope[i] * slope[i] - square[i]);
            let (m, s) =
                (mean[i] / (1.0 - 0.9f64.powi(step)), square[i] / (1.0 - 0.98f64.powi(step)));
            weights[i] -= rate * m / (s.sqrt() + 1e-12);
        }
    }
}

/// Fits the weights to positions in files and prints them.
pub(crate) fn fit(files: &[&str]) -> Result<(), Box<dyn Error>> {
    let [mut learnt, mut held] = read(files)?;
    let scale = scale(&learnt);
    for s in learnt.iter_mut().chain(&mut held) {
        s.target = RESULT * s.result + (1.0 - RESULT) * logistic(s.value / scale);
    }
    eprintln!("{} positions, {} held out; scale {scale}", learnt.len(), held.len());
    let before: Vec<f64> = Placed::weights().into_iter().map(f64::from).collect();
    let mut least = error(&before, scale, &held);
    eprintln!("before: {:.5}, held out {least:.5}", error(&before, scale, &learnt));
    let mut best = before.clone();
    let mut weights = before.clone();
    for pull in PULLS {
        descend(&mut weights, &before, pull, scale, &learnt);
        let [seen, unseen] = [&learnt, &held].map(|samples| error(&weights, scale, samples));
        eprintln!("pull {pull}: {seen:.5}, held out {unseen:.5}");
        if unseen < least {
            least = unseen;
            best.clone_from(&weights);
        }
    }
    fill(&mut best, &learnt);
    print(&best);
    Ok(())
}

/// What is counted and was never met is worth what the next smaller count is.
fn fill(weights: &mut [f64], samples: &[Sample]) {
    let mut met = vec![false; weights.len()];
    samples.iter().flat_map(|s| &s.terms).for_each(|t| met[t.0 as usize] = true);
    let mut first = weights.len() - Placed::counted_rows().sum::<usize>();
    for length in Placed::counted_rows() {
        for term in first + 1..first + length {
            if !met[term] {
                weights[term] = weights[term - 1];
            }
        }
        first += length;
    }
}

/// The file of weights.
fn print(weights: &[f64]) {
    let list = |weights: &[f64], indent: &str| {
        let words: Vec<String> = weights.iter().map(|w| format!("{},", w.round() as i32)).collect();
        println!("{indent}{}", words.join(" "));
    };
    println!(
        "//! Weights of the default evaluation, about hundredths of a soldier: see [`super::placed`].
//!
//! Written by `xiangqi_tune fit` (an example of the searches).

use super::moves::KINDS;
use super::placed::COUNTS;

/// In the middle game and in the endgame, by kind and place: ten ranks of five files, from the
/// owner's side.
#[rustfmt::skip]
pub(super) const STANDS: [[[i16; 50]; KINDS]; 2] = ["
    );
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
    println!(
        "];

/// What is counted: reach of chariots, horses and cannons, squares of the palace, advisors by the enemy's
/// chariots, elephants by his cannons, a hollow cannon, the right to move.
#[rustfmt::skip]
pub(super) const COUNTED: [i16; COUNTS] = ["
    );
    let mut rest = &weights[700..];
    for length in Placed::counted_rows() {
        let (part, more) = rest.split_at(length);
        list(part, "    ");
        rest = more;
    }
    println!("];");
}
