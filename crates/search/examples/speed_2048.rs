//! Speed of 2048: slides, random games, and expectimax on ten positions with nneonneo's depth,
//! cut-off and weights, which are the defaults.
//!
//! `cargo run --release -p spielbaum-search --example speed_2048 -- [LEVELS] [REPEAT] [PART]`
//! searches at most so many pairs of tile and slide below the root move (0: as the hint says).
//! PART is 1, 2 or 3, for one of the three alone.

use spielbaum_core::{Game, Limits, Player, Registered, Rng, Task, Turn};
use spielbaum_games::g2048::{Direction, G2048, Move};
use spielbaum_search::expectimax::{Expectimax, ExpectimaxConfig};
use std::error::Error;
use std::hint::black_box;
use std::time::Instant;

const POSITIONS: [u64; 10] = [
    0x0000_0000_0000_0021,
    0x0010_0020_0131_0242,
    0x0120_1132_2431_5642,
    0x1023_2154_3647_5869,
    0x0213_1425_3246_5768,
    0x0012_0233_1456_25ab,
    0x0123_1345_2467_389b,
    0x1022_1335_2456_389c,
    0x0011_1223_2435_4ba9,
    0x1232_2465_2637_8bcd,
];

fn position(board: u64) -> Result<G2048, Box<dyn Error>> {
    let tile = |i: usize| match board >> (4 * i) & 15 {
        0 => ".".to_string(),
        rank => (1u32 << rank).to_string(),
    };
    let row = |r: usize| (0..4).map(|c| tile(4 * r + c)).collect::<Vec<_>>().join(",");
    Ok(G2048::new(4, 4)?.parse(&(0..4).map(row).collect::<Vec<_>>().join("/"))?)
}

/// Seconds of the fastest of some runs.
fn fastest(repeat: u32, mut f: impl FnMut()) -> f64 {
    let times = (0..repeat).map(|_| {
        let begin = Instant::now();
        f();
        begin.elapsed().as_secs_f64()
    });
    times.fold(f64::INFINITY, f64::min)
}

fn main() -> Result<(), Box<dyn Error>> {
    let words: Vec<u32> = std::env::args().skip(1).map(|w| w.parse()).collect::<Result<_, _>>()?;
    let levels = words.first().copied().unwrap_or(3);
    let repeat = words.get(1).copied().unwrap_or(3);
    let part = words.get(2).copied();
    let positions = POSITIONS.into_iter().map(position).collect::<Result<Vec<_>, _>>()?;

    if part.is_none_or(|p| p == 1) {
        slides(&positions, repeat);
    }
    if part.is_none_or(|p| p == 2) {
        games(repeat)?;
    }
    if part.is_none_or(|p| p == 3) {
        searches(&positions, levels, repeat);
    }
    Ok(())
}

fn slides(positions: &[G2048], repeat: u32) {
    let (mut made, mut sum) = (0, 0u64);
    let seconds = fastest(repeat, || {
        made = 0u64;
        for _ in 0..20_000 {
            for pos in black_box(positions) {
                for direction in Direction::ALL {
                    made += 1;
                    sum = sum.wrapping_add(pos.slid(direction));
                }
            }
        }
        black_box(sum);
    });
    println!("slides: {:.1} M/s", made as f64 / seconds / 1e6);
}

fn games(repeat: u32) -> Result<(), Box<dyn Error>> {
    let (start, mut scratch) = (G2048::new(4, 4)?, Vec::new());
    let (games, mut plies) = (2000, 0);
    let seconds = fastest(repeat, || {
        let mut rng = Rng::new(1);
        plies = 0;
        for _ in 0..games {
            let mut pos = start;
            plies += u64::from(pos.playout(u32::MAX, &mut rng, &mut scratch));
            black_box(pos);
        }
    });
    let (games, moves) = (f64::from(games), plies as f64 / 2.0);
    println!("random: {:.0} games/s, {:.2} M moves/s", games / seconds, moves / seconds / 1e6);
    Ok(())
}

fn searches(positions: &[G2048], levels: u32, repeat: u32) {
    let config = ExpectimaxConfig {
        cutoff: 1e-4,
        adaptive: true,
        deepening: false,
        ..ExpectimaxConfig::default()
    };
    let mut player = Expectimax::new(&config, (G2048::EVALS[0].make)());
    let limits = if levels > 0 { Limits::depth(1 + 2 * levels) } else { Limits::default() };
    let (mut nodes, mut picks): (u64, Vec<(Move, f32)>) = (0, Vec::new());
    let seconds = fastest(repeat, || {
        (nodes, picks) = (0, Vec::new());
        for pos in positions.iter().filter(|p| p.turn() != Turn::Chance) {
            player.restart(0);
            if let Ok(report) = player.think(pos, &mut Task::new(limits)) {
                nodes += report.nodes;
                picks.push((report.best, report.value));
            }
        }
    });
    let picks: Vec<String> = picks.iter().map(|(m, v)| format!("{m} {v:.0}")).collect();
    println!(
        "search: {nodes} nodes in {:.2} ms, {:.1} M nodes/s; {}",
        seconds * 1e3,
        nodes as f64 / seconds / 1e6,
        picks.join(", ")
    );
}
