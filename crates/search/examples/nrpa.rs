//! Nested searches of Morpion Solitaire and their speed:
//! `cargo run --release --example nrpa -- 5D 3 10` makes ten of level 3.
#![allow(clippy::unwrap_used)]

use spielbaum_core::{Limits, Player, Task};
use spielbaum_games::morpion::{Morpion, Variant};
use spielbaum_search::nrpa::{Nrpa, NrpaConfig};
use std::time::Instant;

fn main() {
    let words: Vec<String> = std::env::args().collect();
    let number = |i: usize, default| words.get(i).map_or(default, |w| w.parse().unwrap());
    let variant = match words.get(1).map(String::as_str) {
        Some("5T") => Variant::Touching,
        _ => Variant::Disjoint,
    };
    let (level, runs) = (number(2, 2), number(3, 3));
    let game = Morpion::new(variant);
    let mut scores = Vec::new();
    for seed in 1..=u64::from(runs) {
        let started = Instant::now();
        let mut nrpa = Nrpa::new(NrpaConfig { level, ..NrpaConfig::default() }, seed);
        let report = nrpa.think(&game, &mut Task::new(Limits::default())).unwrap();
        let seconds = started.elapsed().as_secs_f64();
        let speed = report.iterations as f64 / seconds;
        println!("seed {seed}: {} in {seconds:.1} s, {speed:.0} playouts/s", report.value);
        scores.push(report.value);
    }
    scores.sort_by(f32::total_cmp);
    let n = scores.len();
    println!("median {}", (scores[(n - 1) / 2] + scores[n / 2]) / 2.0);
}
