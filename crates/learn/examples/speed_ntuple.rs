//! Speed and strength of training: moves per second on one thread.
//!
//! `cargo run --release -p spielbaum-learn --example speed_ntuple -- [NET] [td|tc] [GAMES] [TESTS]
//! [SECONDS] [LAMBDA] [RESTART] [PROMOTE] [FILE]` trains for so many games, or as many thousands as fit into so many
//! seconds, backwards with this λ and games begun in the middle of those of more than so many moves
//! (`none` for either), weights promoted or not (`true`, `false`), plays so many to test, and writes the net to a file in 16 bits.

use spielbaum_games::g2048::G2048;
use spielbaum_learn::ntuple::{Backward, Config, Learner, Method};
use std::error::Error;
use std::time::Instant;

fn main() -> Result<(), Box<dyn Error>> {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let word = |i: usize, default: &'static str| words.get(i).map_or(default, String::as_str);
    let method = match word(1, "tc") {
        "td" => Method::Td,
        "tc" => Method::Tc,
        other => return Err(format!("`{other}` is neither td nor tc").into()),
    };
    let alpha = if method == Method::Td { 0.1 } else { 1.0 };
    let (games, tests): (u64, u64) = (word(2, "2000").parse()?, word(3, "0").parse()?);
    let seconds: f64 = word(4, "inf").parse()?;
    let restart = match word(6, "none") {
        "none" => None,
        most => Some(most.parse()?),
    };
    let backward = match word(5, "none") {
        "none" => None,
        lambda => Some(Backward { lambda: lambda.parse()?, restart }),
    };
    let promote = word(7, "false").parse()?;
    let shape = word(0, "4x6").parse()?;
    let config = Config { shape, method, alpha, init: 0.0, backward, promote, seed: 1 };
    let mut learner = Learner::new(G2048::new(4, 4)?, "2048:rows=4,columns=4", config);
    let begin = Instant::now();
    while learner.games() < games && begin.elapsed().as_secs_f64() < seconds {
        learner.train((learner.games() / 1000 + 1) * 1000, 1, &|| false);
        let (tally, moves) = (learner.take_tally(), learner.moves());
        let rate = moves as f64 / begin.elapsed().as_secs_f64() / 1e6;
        let mean = tally.mean().0;
        println!("{} games, {moves} moves, mean {mean:.0}, {rate:.3} M moves/s", learner.games());
    }
    if tests > 0 {
        let begin = Instant::now();
        let tally = learner.test(tests, 1, &|| false);
        let rate = tally.moves as f64 / begin.elapsed().as_secs_f64() / 1e6;
        let (mean, error) = tally.mean();
        println!("playing: {tests} games, mean {mean:.0} ± {error:.0}, {rate:.3} M moves/s");
        println!("{:?}", tally.reached::<G2048>());
    }
    if let Some(file) = words.get(8) {
        learner.export(file.as_ref())?;
    }
    Ok(())
}
