//! Nested searches of Morpion Solitaire and their speed:
//! `cargo run --release --example nrpa -- 5D 3 10` makes ten of level 3, with the seeds 1 to 10;
//! `-- 5D 4 1 7` makes one of level 4 with seed 7, which takes about 20 minutes.
//! What is found is told when it is found, and at the end the best game is drawn and written out.

use spielbaum_core::{Game, Limits, Player, Report, Task};
use spielbaum_games::morpion::{Morpion, Move, Variant};
use spielbaum_search::nrpa::{Nrpa, NrpaConfig};
use std::error::Error;
use std::time::Instant;

fn main() -> Result<(), Box<dyn Error>> {
    let words: Vec<String> = std::env::args().collect();
    let number = |i: usize, default| words.get(i).map_or(Ok(default), |w| w.parse::<u32>());
    let variant = match words.get(1).map(String::as_str) {
        Some("5T") => Variant::Touching,
        _ => Variant::Disjoint,
    };
    let (level, runs, first) = (number(2, 2)?, number(3, 3)?, number(4, 1)?);
    let start = Morpion::new(variant);
    let mut scores = Vec::new();
    let mut best: Option<Report<Move>> = None;
    for seed in first..first + runs {
        let began = Instant::now();
        let mut nrpa = Nrpa::new(NrpaConfig { level, ..NrpaConfig::default() }, seed.into());
        let mut most = 0.0;
        let mut tell = |report: &Report<Move>| {
            if report.value > most {
                most = report.value;
                eprintln!("seed {seed}: {most} after {:.0} s", report.elapsed.as_secs_f64());
            }
        };
        let report = nrpa.think(&start, &mut Task::new(Limits::default()).live(&mut tell))?;
        let seconds = began.elapsed().as_secs_f64();
        let speed = report.iterations as f64 / seconds;
        println!("seed {seed}: {} in {seconds:.1} s, {speed:.0} playouts/s", report.value);
        scores.push(report.value);
        if best.as_ref().is_none_or(|b| report.value > b.value) {
            best = Some(report);
        }
    }
    scores.sort_by(f32::total_cmp);
    if let Some(best) = best {
        let n = scores.len();
        println!("median {}", (scores[(n - 1) / 2] + scores[n / 2]) / 2.0);
        let mut end = start;
        best.pv.iter().for_each(|&m| end.play(m));
        println!("{end:#}\n{end}");
    }
    Ok(())
}
