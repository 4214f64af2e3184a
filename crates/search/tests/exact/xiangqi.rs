//! The selective default on xiangqi: mates it must find, and none that it makes up.

use spielbaum_core::{Game, Limits, Player, Proof, Registered, Rng, Task};
use spielbaum_games::xiangqi::{Rules, WinLoss, Xiangqi};
use spielbaum_search::alphabeta::{AlphaBeta, AlphaBetaConfig, Switch};
use spielbaum_search::score;

fn default() -> AlphaBeta<Xiangqi> {
    AlphaBeta::new(&AlphaBetaConfig::default(), (Xiangqi::EVALS[0].make)())
}

/// Whether the player to move wins (`true`) or loses by force within so many plies: full width.
fn is_forced(pos: &Xiangqi, plies: u32, wins: bool) -> bool {
    let mut moves = Vec::new();
    pos.moves(&mut moves);
    if moves.len() == 1 && plies > 1 {
        // A search does not look beyond a move that must be made.
        let mut next = pos.clone();
        next.play(moves[0]);
        return is_forced(&next, plies - 1, !wins);
    }
    let config =
        AlphaBetaConfig { selective: Switch::Off, table: false, ..AlphaBetaConfig::default() };
    let mut oracle = AlphaBeta::new(&config, Box::new(WinLoss));
    let report = oracle.think(pos, &mut Task::new(Limits::depth(plies))).unwrap();
    report.proven == Some(if wins { Proof::Win } else { Proof::Loss })
}

/// A hundred forced mates of up to seven plies, found by searching everything
/// (`examples/xiangqi_mates.rs`).
#[test]
fn forced_mates_are_found_within_100_000_plays() {
    let start = Xiangqi::new(Rules::OFFICIAL);
    let data = include_str!("../../../../data/xiangqi/mates.csv");
    let (mut count, mut solved) = (0, 0);
    let mut missed = Vec::new();
    for row in data.lines().skip(1) {
        let (fen, plies) = row.split_once(',').unwrap();
        let plies: u32 = plies.parse().unwrap();
        let pos = start.parse(fen).unwrap();
        let mut player = default();
        let report = player.think(&pos, &mut Task::new(Limits::nodes(100_000))).unwrap();
        count += 1;
        if report.proven == Some(Proof::Win) {
            solved += 1;
            let found = score::plies_to_end(player.score()).unwrap();
            assert!(found >= plies, "{fen}: {found} plies, the shortest is {plies}");
        } else {
            missed.push(format!("{fen} in {plies}, depth {}", report.depth));
        }
    }
    println!("{solved} of {count}; missed: {missed:#?}");
    assert_eq!(count, 100);
    assert!(solved >= 90, "{solved} of {count}: {missed:#?}");
}

/// Endgames with much checking, in which positions repeat: every short mate that is claimed is
/// one, also where a repetition decides.
#[test]
fn claimed_mates_are_real_under_all_rules() {
    let mut rng = Rng::new(3);
    let (mut wins, mut losses) = (0, 0);
    for game in 0..24 {
        let rules = Rules { repetition: [0, 2, 3][game % 3], ..Rules::OFFICIAL };
        let rules = if game % 8 == 7 { Rules::PAPER } else { rules };
        let mut pos = Xiangqi::new(rules);
        pos.playout(40 + rng.below(80) as u32, &mut rng, &mut Vec::new());
        let mut player = default();
        for _ in 0..60 {
            if pos.is_over() {
                break;
            }
            let nodes = 200 + rng.below(1500) as u64;
            let report = player.think(&pos, &mut Task::new(Limits::nodes(nodes))).unwrap();
            if let (Some(proof), Some(plies)) = (report.proven, score::plies_to_end(player.score()))
                && plies <= 4
            {
                let won = proof == Proof::Win;
                *if won { &mut wins } else { &mut losses } += 1;
                assert!(is_forced(&pos, plies, won), "{pos}: {proof:?} in {plies}, {rules:?}");
            }
            let m =
                if rng.below(3) == 0 { pos.random_move(&mut rng, &mut Vec::new()) } else { None };
            pos.play(m.unwrap_or(report.best));
        }
    }
    assert!(wins > 15 && losses > 5, "{wins} wins, {losses} losses");
}
