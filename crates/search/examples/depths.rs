//! Plays and time of fixed depths from the start of a game.
//!
//! `depths GAME SECONDS PLAYER...`: each player searches depth 1, 2, 3 … until one takes longer
//! than so many seconds; the best of twenty times counts where they are short. The game is
//! written as in a specification: `lion:rules=code`.

use spielbaum_core::{Limits, Registered, Task, TwoPlayer, param};
use spielbaum_games::gomoku::Gomoku;
use spielbaum_games::lion::Lion;
use spielbaum_search::spec;
use std::error::Error;

fn measure<G: Registered + TwoPlayer>(
    game: &str,
    most: f64,
    players: &[String],
) -> Result<(), Box<dyn Error>> {
    let game = param::resolve(game, "game", &[G::SCHEMA]).map_err(|e| e.to_string())?;
    let start = G::start(&game).map_err(|e| e.to_string())?;
    for name in players {
        let args = param::resolve(name, "player", spec::PLAYERS).map_err(|e| e.to_string())?;
        println!("{name}");
        for depth in 1..=40 {
            let mut best = f64::INFINITY;
            let mut nodes = 0;
            for _ in 0..20 {
                let built = spec::two_player::<G>(&args, G::EVALS).ok_or("not a player")?;
                let mut player = built.map_err(|e| e.to_string())?;
                let report = player.think(&start, &mut Task::new(Limits::depth(depth)))?;
                nodes = report.nodes;
                best = best.min(report.elapsed.as_secs_f64());
                if best > 0.1 {
                    break;
                }
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
    } else {
        measure::<Lion>(game, most, players)
    }
}
