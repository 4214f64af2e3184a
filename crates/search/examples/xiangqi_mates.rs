//! Finds forced mates in random positions of xiangqi by searching everything.
//!
//! `xiangqi_mates COUNT SEED [NODES]` prints COUNT positions in which the player to move wins by
//! force, with the plies it takes: of 100, 15 take one ply, 40 three, 25 five and 20 seven. Each is
//! found by alpha-beta of full width, depth after depth, so nothing shorter exists; positions for
//! which that takes more than NODES plays are passed over. `data/xiangqi/mates.csv` is
//! `xiangqi_mates 100 1`.

use spielbaum_core::{Game, Limits, Player, Proof, Rng, Task};
use spielbaum_games::xiangqi::{Rules, WinLoss, Xiangqi};
use spielbaum_search::alphabeta::{AlphaBeta, AlphaBetaConfig, Switch};
use spielbaum_search::score;
use std::error::Error;

/// The longest mates.
const LONGEST: u32 = 7;

/// Kinds besides the general, with the most of each to draw.
const PIECES: [(char, usize); 6] = [('A', 2), ('B', 2), ('R', 2), ('N', 2), ('C', 2), ('P', 3)];

/// Squares (rank, file) on which a piece of Red may stand.
fn squares(piece: char) -> Vec<(usize, usize)> {
    let all = |rank: usize| (0..9).map(move |file| (rank, file));
    match piece {
        'K' => (0..3).flat_map(|rank| (3..6).map(move |file| (rank, file))).collect(),
        'A' => vec![(0, 3), (0, 5), (1, 4), (2, 3), (2, 5)],
        'B' => vec![(0, 2), (0, 6), (2, 0), (2, 4), (2, 8), (4, 2), (4, 6)],
        'P' => (5..10).flat_map(all).collect(),
        _ => (0..10).flat_map(all).collect(),
    }
}

/// A few pieces at random, Red to move; not always a position of the game.
fn placed(rng: &mut Rng) -> String {
    let mut board = [[None; 9]; 10];
    for black in [false, true] {
        let mut put = |piece: char, rng: &mut Rng| {
            let squares = squares(piece);
            let (rank, file) = squares[rng.below(squares.len())];
            let square = if black { &mut board[9 - rank][file] } else { &mut board[rank][file] };
            if square.is_none() {
                *square = Some(if black { piece.to_ascii_lowercase() } else { piece });
            }
        };
        put('K', rng);
        for (piece, most) in PIECES {
            let many = rng.below(most + 1);
            // Red attacks.
            let many = if black && !"AB".contains(piece) { many / 2 } else { many };
            (0..many).for_each(|_| put(piece, rng));
        }
    }
    let rank = |rank: &[Option<char>; 9]| {
        rank.iter().map(|p| p.map_or("1".to_string(), String::from)).collect::<String>()
    };
    let ranks: Vec<String> = board.iter().rev().map(rank).collect();
    format!("{} w", ranks.join("/"))
}

/// A random position as text: most are a few pieces placed, the others of random games.
fn random_position(start: &Xiangqi, rng: &mut Rng) -> String {
    if rng.below(8) > 0 {
        return placed(rng);
    }
    let mut pos = start.clone();
    pos.playout(20 + rng.below(100) as u32, rng, &mut Vec::new());
    pos.to_string()
}

fn main() -> Result<(), Box<dyn Error>> {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let number = |i: usize| args.get(i).map(|a| a.parse::<u64>());
    let (Some(count), Some(seed)) = (number(0), number(1)) else {
        return Err("xiangqi_mates COUNT SEED [NODES]".into());
    };
    let (count, mut rng) = (count?, Rng::new(seed?));
    let most = number(2).unwrap_or(Ok(100_000))?;
    let config = AlphaBetaConfig { selective: Switch::Off, ..AlphaBetaConfig::default() };
    let mut player = AlphaBeta::new(&config, Box::new(WinLoss));
    // How many of each length are still wanted: long ones are rare.
    let share = |percent: u64| count * percent / 100;
    let mut wanted = [share(15), share(40), share(25), 0];
    wanted[3] = count - wanted.iter().sum::<u64>();
    let start = Xiangqi::new(Rules::OFFICIAL);
    println!("position,plies");
    while wanted.iter().any(|&n| n > 0) {
        // Without its past, as others read it; what is no position of the game is passed over.
        let Ok(pos) = start.parse(&random_position(&start, &mut rng)) else { continue };
        if pos.is_over() {
            continue;
        }
        player.restart(0);
        let limits = Limits { depth: Some(LONGEST), ..Limits::nodes(most) };
        let report = player.think(&pos, &mut Task::new(limits))?;
        let Some(plies) = score::plies_to_end(player.score()) else { continue };
        if report.proven != Some(Proof::Win) || plies > LONGEST {
            continue;
        }
        let wanted = &mut wanted[plies as usize / 2];
        if *wanted > 0 {
            *wanted -= 1;
            println!("{pos},{plies}");
        }
    }
    Ok(())
}
