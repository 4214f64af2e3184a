//! Random games of Carcassonne per second, moves listed per second, copies per second:
//! `cargo run --release -p spielbaum-games --example carcassonne`.

use spielbaum_core::{Game, Rng};
use spielbaum_games::carcassonne::{Carcassonne, Options, Order};
use std::hint::black_box;
use std::time::Instant;

fn main() {
    let known = Options { order: Order::Shuffled(1), ..Options::default() };
    let five = Options { players: 5, ..Options::default() };
    for (name, options) in [("hidden", Options::default()), ("known", known), ("hidden, 5", five)] {
        let Ok(start) = Carcassonne::new(&options) else { continue };
        let (mut rng, mut scratch) = (Rng::new(1), Vec::new());
        let games = best(200, || {
            let mut game = black_box(start);
            game.playout(u32::MAX, &mut rng, &mut scratch);
            game.scores().map_or(0, |s| s[0] as u64)
        });
        let mut middle = start;
        while middle.count_moves() < 60 || middle.turn().player().is_none() {
            middle.playout(1, &mut rng, &mut scratch);
        }
        let lists = best(500, || {
            scratch.clear();
            black_box(&middle).moves(&mut scratch);
            scratch.len() as u64
        });
        let count = middle.count_moves();
        let mut copy = start;
        let copies = best(2000, || {
            copy.clone_from(black_box(&middle));
            black_box(&copy);
            0
        });
        println!(
            "{name:>10}: {games:>8.0} games/s, {:.2} µs to list {count} moves, {:.0} ns to copy {} bytes",
            1e6 / lists,
            1e9 / copies,
            size_of::<Carcassonne>()
        );
    }
}

/// Calls per second in the fastest of 100 batches, which a busy machine disturbs least.
fn best(batch: u32, mut f: impl FnMut() -> u64) -> f64 {
    let mut best = f64::INFINITY;
    for _ in 0..100 {
        let begin = Instant::now();
        for _ in 0..batch {
            black_box(f());
        }
        best = best.min(begin.elapsed().as_secs_f64());
    }
    f64::from(batch) / best
}
