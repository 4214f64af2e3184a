//! Plays and time of fixed depths from the start of a game.
//!
//! `depths GAME SECONDS PLAYER...`: each player searches depth 1, 2, 3 … until one takes longer
//! than so many seconds. Short searches are repeated for a quarter of a second, three times, and
//! the best mean counts. Time is that of the processor where the system tells it (Linux), so that
//! other work on the machine matters less. The game is written as in a specification:
//! `lion:rules=code`.

use spielbaum_core::{Limits, Registered, Task, TwoPlayer, param};
use spielbaum_games::gomoku::Gomoku;
use spielbaum_games::lion::Lion;
use spielbaum_games::xiangqi::Xiangqi;
use spielbaum_search::spec;
use std::error::Error;
use std::time::Instant;

/// How long a search is repeated, in seconds, and how long it is if not at all.
const BATCH: f64 = 0.25;
const LONG: f64 = 2.0;

/// Seconds that this thread has run, or that have passed.
fn spent(since: Instant) -> f64 {
    // The first number is nanoseconds on a processor.
    let stat = std::fs::read_to_string("/proc/thread-self/schedstat").unwrap_or_default();
    let run = stat.split(' ').next().and_then(|ns| ns.parse::<f64>().ok());
    run.map_or_else(|| since.elapsed().as_secs_f64(), |ns| ns / 1e9)
}

fn measure<G: Registered + TwoPlayer>(
    game: &str,
    most: f64,
    players: &[String],
) -> Result<(), Box<dyn Error>> {
    let game = param::resolve(game, "game", &[G::SCHEMA]).map_err(|e| e.to_string())?;
    let start = G::start(&game).map_err(|e| e.to_string())?;
    let began = Instant::now();
    for name in players {
        let args = param::resolve(name, "player", spec::PLAYERS).map_err(|e| e.to_string())?;
        println!("{name}");
        for depth in 1..=40 {
            let built = spec::two_player::<G>(&args, G::EVALS).ok_or("not a player")?;
            let mut player = built.map_err(|e| e.to_string())?;
            let mut nodes = 0;
            let mut run = |times: u32| -> Result<f64, Box<dyn Error>> {
                let before = spent(began);
                for _ in 0..times {
                    player.restart(0);
                    nodes = player.think(&start, &mut Task::new(Limits::depth(depth)))?.nodes;
                }
                Ok((spent(began) - before) / f64::from(times))
            };
            // Clocks of processors tick coarsely: one look at the end of many searches.
            let mut times = 1;
            let mut best = run(times)?;
            while best * f64::from(times) < BATCH {
                times *= 2;
                best = run(times)?;
            }
            if best < LONG {
                best = best.min(run(times)?).min(run(times)?);
            }
            println!("  {depth:2} {nodes:12} plays {best:12.6} s");
            if best > most {
                break;
            }
        }
    }
    Ok(())
}

fn main() -> Result<(), Box<dyn Error>> {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let [game, seconds, players @ ..] = &args[..] else {
        return Err("depths GAME SECONDS PLAYER...".into());
    };
    let most = seconds.parse()?;
    if game.starts_with("gomoku") {
        measure::<Gomoku>(game, most, players)
    } else if game.starts_with("xiangqi") {
        measure::<Xiangqi>(game, most, players)
    } else {
        measure::<Lion>(game, most, players)
    }
}
