//! Speed of xiangqi: `cargo run --release -p spielbaum-games --example xiangqi [DEPTH [RULES]]`.
//!
//! Perft of the start position with the last ply counted, and random games a second under both
//! rule sets, capped at 200 plies. Best of several runs, and where the system tells it seconds
//! of the processor: a busy machine disturbs them least.

use spielbaum_core::{Game, Rng, perft::perft};
use spielbaum_games::xiangqi::{Rules, Xiangqi};
use std::hint::black_box;
use std::time::Instant;

const RUNS: u32 = 9;
const GAMES: u32 = 4_000;

fn main() {
    let depth = std::env::args().nth(1).and_then(|d| d.parse().ok()).unwrap_or(5);
    let start = Xiangqi::default();
    let mut nodes = 0;
    let time = best(|| nodes = perft(black_box(&start), depth));
    println!("perft {depth}: {nodes} in {time:.3} s, {:.1} M nodes/s", nodes as f64 / time / 1e6);
    let only = std::env::args().nth(2);
    for rules in [Rules::PAPER, Rules { plies: 200, ..Rules::OFFICIAL }] {
        if only.as_deref().is_some_and(|name| name != rules.name()) {
            continue;
        }
        let start = Xiangqi::new(rules);
        let (mut rng, mut scratch) = (Rng::new(1), Vec::new());
        let (mut game, mut plies) = (start.clone(), 0);
        let time = best(|| {
            plies = 0;
            for _ in 0..GAMES {
                game.clone_from(&start);
                plies += u64::from(game.playout(200, &mut rng, &mut scratch));
            }
        });
        println!(
            "{}: {:.0} playouts/s of {:.1} plies, {:.1} ns a ply",
            rules.name(),
            f64::from(GAMES) / time,
            plies as f64 / f64::from(GAMES),
            time * 1e9 / plies as f64
        );
    }
}

/// Seconds of the fastest run.
fn best(mut f: impl FnMut()) -> f64 {
    let clock = Instant::now();
    let now = || processor().unwrap_or_else(|| clock.elapsed().as_secs_f64());
    let mut best = f64::INFINITY;
    for _ in 0..RUNS {
        let begin = now();
        f();
        best = best.min(now() - begin);
    }
    best
}

/// Seconds this process has had of a processor, on Linux.
fn processor() -> Option<f64> {
    let stat = std::fs::read_to_string("/proc/self/schedstat").ok()?;
    Some(stat.split(' ').next()?.parse::<f64>().ok()? / 1e9)
}
