//! Fits the weights of the default evaluation of xiangqi to games of self-play, and plays old weights
//! against new ones.
//!
//! - `xiangqi_tune games GAMES NODES SEED JOBS` plays games from random openings under the official
//!   rules and writes their quiet positions, each with the value of the search and the result.
//! - `xiangqi_tune fit FILE...` reads such positions and writes `weights.rs` with the weights of a
//!   logistic regression (Texel's method).
//! - `xiangqi_tune match A B GAMES NODES SEED JOBS` plays two files of weights against each other, from
//!   random openings that are played twice with sides swapped. `-` stands for the weights in use.

mod arena;
mod fit;
mod games;

use spielbaum_core::Rng;
use spielbaum_games::xiangqi::Xiangqi;
use std::error::Error;

/// The position after a random opening.
fn opening(rng: &mut Rng) -> Xiangqi {
    use spielbaum_core::Game;
    loop {
        let mut pos = Xiangqi::default();
        pos.playout(4 + rng.below(8) as u32, rng, &mut Vec::new());
        if !pos.is_over() {
            return pos;
        }
    }
}

/// Works through so many items on so many threads; the answers are in the order of the items.
fn spread<T: Send>(items: u64, jobs: u64, work: impl Fn(u64) -> T + Sync) -> Vec<T> {
    let mut found: Vec<(u64, T)> = std::thread::scope(|scope| {
        let job = |first| {
            let work = &work;
            scope.spawn(move || {
                (first..items).step_by(jobs as usize).map(|i| (i, work(i))).collect::<Vec<_>>()
            })
        };
        let threads: Vec<_> = (0..jobs).map(job).collect();
        threads.into_iter().flat_map(|t| t.join().unwrap_or_default()).collect()
    });
    found.sort_by_key(|f| f.0);
    found.into_iter().map(|f| f.1).collect()
}

fn main() -> Result<(), Box<dyn Error>> {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = args.iter().map(String::as_str).collect();
    match words[..] {
        ["games", games, nodes, seed, jobs] => {
            games::write(games.parse()?, nodes.parse()?, seed.parse()?, jobs.parse()?)
        }
        ["fit", ref files @ ..] if !files.is_empty() => fit::fit(files),
        ["match", a, b, games, nodes, seed, jobs] => {
            arena::play([a, b], games.parse()?, nodes.parse()?, seed.parse()?, jobs.parse()?)
        }
        _ => Err("xiangqi_tune games GAMES NODES SEED JOBS, fit FILE..., or \
                  match A B GAMES NODES SEED JOBS"
            .into()),
    }
}
