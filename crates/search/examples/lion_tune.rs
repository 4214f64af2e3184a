//! Fits the weights of the default evaluation of Catch the Lion to games of self-play.
//!
//! `lion_tune GAMES NODES SEED EVAL` plays the games from random openings under the official
//! rules, keeps the quiet positions with the result of their game, and prints the weights that a
//! logistic regression finds, in hundredths, where 400 is a factor e of the odds.

use spielbaum_core::{Game, Limits, Player, Proof, Registered, Rng, Task};
use spielbaum_games::lion::{Lion, Rules, Tuned};
use spielbaum_search::alphabeta::{AlphaBeta, AlphaBetaConfig};
use std::error::Error;

/// The terms of a position that count, and the result for its player to move.
struct Sample {
    terms: Vec<(u16, i8)>,
    result: f64,
}

const TERMS: usize = Tuned::TERMS;

fn sample(pos: &Lion) -> Vec<(u16, i8)> {
    let mut sums = [0i8; TERMS];
    Tuned::terms(pos, |term, sign| sums[term] += sign as i8);
    (0..).zip(sums).filter(|t| t.1 != 0).collect()
}

/// Whether nothing is about to happen: no win at once, the best move no capture.
fn is_quiet(pos: &Lion, best: <Lion as Game>::Move) -> bool {
    let eval = (Lion::EVALS[0].make)();
    pos.winning_move(&mut Vec::new()).is_none() && !eval.noisy(pos, best) && !pos.is_attacked()
}

fn play(rng: &mut Rng, player: &mut AlphaBeta<Lion>, nodes: u64, out: &mut Vec<Sample>) {
    let mut pos = Lion::new(Rules::OFFICIAL);
    let plies = rng.below(14) as u32;
    pos.playout(plies, rng, &mut Vec::new());
    if pos.is_over() {
        return;
    }
    player.restart(0);
    let first = out.len();
    let mut movers = Vec::new();
    let mut length = 0;
    let result = loop {
        if pos.is_over() {
            break f64::from(pos.payoffs()[0]);
        }
        let seat = pos.turn().player().unwrap_or(0);
        let Ok(report) = player.think(&pos, &mut Task::new(Limits::nodes(nodes))) else { return };
        match report.proven {
            Some(Proof::Win) => break if seat == 0 { 1.0 } else { 0.0 },
            Some(Proof::Loss) => break if seat == 0 { 0.0 } else { 1.0 },
            _ => {}
        }
        if length > 120 {
            break 0.5;
        }
        if is_quiet(&pos, report.best) {
            out.push(Sample { terms: sample(&pos), result: 0.0 });
            movers.push(seat);
        }
        // Some variety: every tenth move is a random one.
        let m = if rng.below(10) == 0 { pos.random_move(rng, &mut Vec::new()) } else { None };
        pos.play(m.unwrap_or(report.best));
        length += 1;
    };
    for (sample, seat) in out[first..].iter_mut().zip(movers) {
        sample.result = if seat == 0 { result } else { 1.0 - result };
    }
}

/// Stochastic gradient descent with falling steps (Adagrad) and a pull towards zero.
fn fit(samples: &[Sample], rng: &mut Rng) -> Vec<f64> {
    let mut weights = vec![0.0; TERMS];
    let mut squares = vec![1e-3; TERMS];
    for epoch in 0..30 {
        let mut loss = 0.0;
        for _ in 0..samples.len() {
            let s = &samples[rng.below(samples.len())];
            let sum: f64 = s.terms.iter().map(|t| weights[t.0 as usize] * f64::from(t.1)).sum();
            let p = 1.0 / (1.0 + (-sum).exp());
            loss -= s.result * p.max(1e-9).ln() + (1.0 - s.result) * (1.0 - p).max(1e-9).ln();
            for &(term, count) in &s.terms {
                let term = term as usize;
                let slope = (p - s.result) * f64::from(count) + 2e-5 * weights[term];
                squares[term] += slope * slope;
                weights[term] -= 0.1 * slope / f64::sqrt(squares[term]);
            }
        }
        if epoch % 10 == 9 {
            eprintln!("epoch {epoch}: loss {:.4}", loss / samples.len() as f64);
        }
    }
    weights
}

fn main() -> Result<(), Box<dyn Error>> {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let [games, nodes, seed, eval] = &args[..] else {
        return Err("lion_tune GAMES NODES SEED EVAL".into());
    };
    let named = Lion::EVALS.iter().find(|e| e.name == eval).ok_or("no such evaluation")?;
    let config = AlphaBetaConfig { memory: 1 << 20, ..AlphaBetaConfig::default() };
    let mut player = AlphaBeta::new(&config, (named.make)());
    let mut rng = Rng::new(seed.parse()?);
    let mut samples = Vec::new();
    let nodes = nodes.parse()?;
    for _ in 0..games.parse::<u64>()? {
        play(&mut rng, &mut player, nodes, &mut samples);
    }
    eprintln!("{} positions", samples.len());
    let weights = fit(&samples, &mut rng);
    let text: Vec<String> = weights.iter().map(|w| format!("{:.0}", w * 400.0)).collect();
    println!("{}", text.join(", "));
    Ok(())
}
