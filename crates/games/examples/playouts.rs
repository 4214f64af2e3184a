//! Random games per second: `cargo run --release -p spielbaum-games --example playouts`.
//!
//! For each board the best of many short runs, which a busy machine disturbs least, for playouts
//! in bulk, for the same moves one by one, and for the evaluation.

use spielbaum_core::{Eval, Game, Rng};
use spielbaum_games::gomoku::{Gomoku, Lines};
use std::hint::black_box;
use std::time::Instant;

fn main() {
    println!(
        "{:>10} {:>8} {:>12} {:>12} {:>12}",
        "board", "moves", "playouts/s", "stepwise/s", "evals/s"
    );
    for (m, n, k) in
        [(3, 3, 3), (7, 6, 4), (6, 6, 4), (8, 8, 5), (10, 10, 5), (15, 15, 5), (19, 19, 5)]
    {
        let Ok(start) = Gomoku::new(m, n, k) else { continue };
        let mut rng = Rng::new(1);
        let mut scratch = Vec::new();
        let (mut made, mut games) = (0u64, 0u64);
        let bulk = best(2000, || {
            let mut game = start;
            made += u64::from(game.playout(u32::MAX, &mut rng, &mut scratch));
            games += 1;
            game.key()
        });
        let stepwise = best(200, || {
            let mut game = start;
            while let Some(m) = game.random_move(&mut rng, &mut scratch) {
                game.play(m);
            }
            game.key()
        });
        let mut middle = start;
        middle.playout((m * n / 4) as u32, &mut rng, &mut scratch);
        let evals = best(2000, || Lines.eval(black_box(&middle)) as u64);
        let mean = made as f64 / games as f64;
        println!(
            "{:>10} {mean:>8.1} {bulk:>12.0} {stepwise:>12.0} {evals:>12.0}",
            format!("{m}x{n},{k}")
        );
    }
}

/// Calls per second in the fastest of 200 batches.
fn best(batch: u32, mut f: impl FnMut() -> u64) -> f64 {
    let mut best = f64::INFINITY;
    for _ in 0..200 {
        let begin = Instant::now();
        for _ in 0..batch {
            black_box(f());
        }
        best = best.min(begin.elapsed().as_secs_f64());
    }
    f64::from(batch) / best
}
