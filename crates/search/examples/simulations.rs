//! Simulations per second of a player from the start of a game, of 2048 from a late position.
//!
//! `cargo run --release -p spielbaum-search --example simulations -- lion mcts-solver 200000`

use spielbaum_core::param::{Args, resolve};
use spielbaum_core::{Game, Limits, Player, Registered, Task};
use spielbaum_games::{g2048, gomoku, lion, pig, xiangqi};
use spielbaum_search::spec::{Built, PLAYERS, any_game, two_player};
use std::error::Error;

fn measure<G: Game>(start: &G, built: Built<G>, simulations: u64) -> Result<(), Box<dyn Error>> {
    let mut player: Box<dyn Player<G>> = built.ok_or("it cannot play this game")??;
    player.restart(7);
    let report = player.think(start, &mut Task::new(Limits::iterations(simulations)))?;
    let rate = report.iterations as f64 / report.elapsed.as_secs_f64();
    println!(
        "{} simulations, {} plays, {rate:.0} simulations/s; {} {:.4} {:?}",
        report.iterations, report.nodes, report.best, report.value, report.proven
    );
    Ok(())
}

fn main() -> Result<(), Box<dyn Error>> {
    let words: Vec<String> = std::env::args().collect();
    let word = |i: usize, otherwise: &str| words.get(i).map_or(otherwise.into(), String::clone);
    let player: Args = resolve(&word(2, "uct"), "player", PLAYERS)?;
    let simulations = word(3, "100000").parse()?;
    let gomoku = |size, k| gomoku::Gomoku::new(size, size, k);
    match word(1, "lion").as_str() {
        "gomoku15" => measure(&gomoku(15, 5)?, two_player(&player, gomoku::EVALS), simulations),
        "gomoku6" => measure(&gomoku(6, 4)?, two_player(&player, gomoku::EVALS), simulations),
        "pig" => measure(&pig::Pig::new(2, 100)?, any_game(&player, pig::Pig::EVALS), simulations),
        "2048" => {
            let late = g2048::G2048::new(4, 4)?.parse("2,4,16,512/2,8,128,256/.,2,32,4/.,.,.,2")?;
            measure(&late, any_game(&player, g2048::EVALS), simulations)
        }
        "xiangqi" => {
            measure(&xiangqi::Xiangqi::default(), two_player(&player, xiangqi::EVALS), simulations)
        }
        "xiangqi-paper" => measure(
            &xiangqi::Xiangqi::new(xiangqi::Rules::PAPER),
            two_player(&player, xiangqi::EVALS),
            simulations,
        ),
        _ => measure(&lion::Lion::default(), two_player(&player, lion::EVALS), simulations),
    }
}
