//! Two sets of weights against each other at equal plays.

use super::{opening, spread};
use spielbaum_core::{Eval, Game, Hint, Limits, Player, Rng, Task};
use spielbaum_games::xiangqi::{Move, Placed, Xiangqi};
use spielbaum_search::alphabeta::{AlphaBeta, AlphaBetaConfig};
use std::error::Error;

/// The default evaluation with other weights, added up anew for every position. Moves are
/// ordered as by the weights in use.
#[derive(Clone)]
struct Weighted(Vec<f64>);

impl Weighted {
    /// The weights of a file as [`super::fit::fit`] writes it, or those in use for `-`.
    fn read(file: &str) -> Result<Self, Box<dyn Error>> {
        if file == "-" {
            return Ok(Weighted(Placed::weights().into_iter().map(f64::from).collect()));
        }
        let text = std::fs::read_to_string(file).map_err(|e| format!("{file}: {e}"))?;
        let rows = text.lines().filter(|l| l.starts_with("    ") && !l.contains("//"));
        let numbers = rows.flat_map(|l| l.split([',', '[', ']', ' '])).filter(|w| !w.is_empty());
        let weights = numbers.map(str::parse).collect::<Result<Vec<f64>, _>>()?;
        match weights.len() {
            Placed::TERMS => Ok(Weighted(weights)),
            n => Err(format!("{file} has {n} weights instead of {}", Placed::TERMS).into()),
        }
    }
}

impl Eval<Xiangqi> for Weighted {
    fn eval(&self, pos: &Xiangqi) -> i32 {
        let mut sum = 0.0;
        if pos.end().is_none() {
            Placed::terms(pos, |term, share| sum += self.0[term] * share);
        }
        sum as i32
    }
    fn order(&self, pos: &Xiangqi, m: Move) -> i32 {
        Placed.order(pos, m)
    }
    fn hints(&self, pos: &Xiangqi, moves: &[Move], out: &mut Vec<Hint>) {
        Placed.hints(pos, moves, out);
    }
    fn noisy(&self, pos: &Xiangqi, m: Move) -> bool {
        Placed.noisy(pos, m)
    }
    fn is_selective(&self) -> bool {
        true
    }
    fn noisy_moves(&self, pos: &Xiangqi, out: &mut Vec<Move>) {
        Placed.noisy_moves(pos, out);
    }
    fn gains(&self, pos: &Xiangqi, m: Move, least: i32) -> bool {
        Placed.gains(pos, m, least)
    }
    fn in_check(&self, pos: &Xiangqi) -> bool {
        Placed.in_check(pos)
    }
    fn motif(&self, pos: &Xiangqi, m: Move) -> usize {
        Placed.motif(pos, m)
    }
    fn motifs(&self) -> usize {
        Placed.motifs()
    }
    fn gives_check(&self, pos: &Xiangqi, m: Move) -> bool {
        Placed.gives_check(pos, m)
    }
    fn may_pass(&self, pos: &Xiangqi) -> bool {
        Placed.may_pass(pos)
    }
}

/// The payoff of the first of two, who has this seat.
fn game(pos: &Xiangqi, players: &mut [AlphaBeta<Xiangqi>; 2], seat: usize, nodes: u64) -> f64 {
    players.iter_mut().for_each(|p| p.restart(0));
    let mut pos = pos.clone();
    for _ in 0..400 {
        let Some(mover) = pos.turn().player().filter(|_| !pos.is_over()) else { break };
        let task = &mut Task::new(Limits::nodes(nodes));
        let Ok(report) = players[mover ^ seat].think(&pos, task) else { break };
        pos.play(report.best);
    }
    if pos.is_over() { f64::from(pos.payoffs()[seat]) } else { 0.5 }
}

/// Plays a match and prints the score of the first with its 95 % interval.
pub(crate) fn play(
    files: [&str; 2],
    games: u64,
    nodes: u64,
    seed: u64,
    jobs: u64,
) -> Result<(), Box<dyn Error>> {
    let [a, b] = files.map(Weighted::read);
    let evals = [a?, b?];
    let config = AlphaBetaConfig { memory: 4 << 20, ..AlphaBetaConfig::default() };
    let pairs = spread(games.div_ceil(2), jobs, |i| {
        let pos = opening(&mut Rng::new(Rng::split(seed, i)));
        let player =
            |e: &Weighted| AlphaBeta::new(&config, Box::new(e.clone()) as Box<dyn Eval<_>>);
        let mut players = [player(&evals[0]), player(&evals[1])];
        [0, 1].map(|seat| game(&pos, &mut players, seat, nodes))
    });
    let n = pairs.len() as f64;
    let scores: Vec<f64> = pairs.iter().map(|p| (p[0] + p[1]) / 2.0).collect();
    let mean = scores.iter().sum::<f64>() / n;
    let spread = scores.iter().map(|s| (s - mean).powi(2)).sum::<f64>() / (n - 1.0).max(1.0);
    let half = 1.96 * (spread / n).sqrt();
    let elo = |p: f64| 400.0 * (p / (1.0 - p)).log10();
    let count = |r: f64| pairs.iter().flatten().filter(|&&p| p == r).count();
    let [wins, draws, losses] = [1.0, 0.5, 0.0].map(count);
    println!("{wins} won, {draws} drawn, {losses} lost of {}", 2 * pairs.len());
    println!(
        "{:.1} % ± {:.1}, {:+.0} Elo [{:+.0}, {:+.0}]",
        100.0 * mean,
        100.0 * half,
        elo(mean),
        elo(mean - half),
        elo(mean + half)
    );
    Ok(())
}
