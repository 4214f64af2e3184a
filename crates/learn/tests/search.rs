//! A net in a search: the same as by hand.

#![allow(clippy::unwrap_used)]

use spielbaum_core::param::resolve;
use spielbaum_core::{Cells, Eval, Game, Limits, Player, Rng, Task, Turn};
use spielbaum_games::g2048::G2048;
use spielbaum_learn::ntuple::{
    Header, Kind, Loaded, Method, NTUPLE, NetEval, Network, Tally, Training, player, write,
};
use spielbaum_search::expectimax::{Expectimax, ExpectimaxConfig, Plies};
use std::sync::Arc;

/// A net of random weights.
fn loaded() -> Arc<Loaded> {
    let shape = "012-0145-126";
    let net = Network::new(shape.parse().unwrap(), 0.0);
    let mut rng = Rng::new(4);
    for i in 0..net.shape().weights() {
        net.set_weight(i, rng.below(1000) as f32 / 8.0);
    }
    let training = Training {
        seed: 0,
        method: Method::Td,
        alpha: 1.0,
        init: 0.0,
        backward: None,
        promote: false,
        cooled: None,
        origin: None,
        games: 0,
        moves: 0,
        tally: Tally::default(),
    };
    let header = Header {
        format: 1,
        kind: Kind::Small,
        game: "2048:rows=3,columns=3".to_string(),
        board: [3, 3],
        shape: shape.to_string(),
        blank: 0.0,
        scales: Vec::new(),
        training,
    };
    Arc::new(Loaded { header, net })
}

/// The best expectation of so many moves, the score included, by the definition.
fn by_hand(net: &Network, pos: &G2048, moves: u32) -> f64 {
    let mut list = Vec::new();
    pos.moves(&mut list);
    let after = |m| {
        let mut next = *pos;
        next.play(m);
        next
    };
    match pos.turn() {
        Turn::Player(_) if list.is_empty() => pos.payoffs()[0].into(),
        Turn::Player(_) => {
            let values = list.iter().map(|&m| by_hand(net, &after(m), moves - 1));
            values.fold(f64::NEG_INFINITY, f64::max)
        }
        Turn::Chance if moves == 0 => {
            f64::from(pos.payoffs()[0]) + f64::from(net.value(&pos.images(pos.word())))
        }
        Turn::Chance => {
            let total: f64 = list.iter().map(|&m| f64::from(pos.weight(m))).sum();
            let each = |&m: &_| f64::from(pos.weight(m)) * by_hand(net, &after(m), moves);
            list.iter().map(each).sum::<f64>() / total
        }
    }
}

#[test]
fn a_search_with_a_net_finds_the_expectation() {
    let loaded = loaded();
    let mut rng = Rng::new(9);
    let mut scratch = Vec::new();
    for depth in 1..=3 {
        let config =
            ExpectimaxConfig { plies: Plies::Moves, step: 2, ..ExpectimaxConfig::default() };
        let mut search = Expectimax::new(&config, Box::new(NetEval(loaded.clone())));
        let mut pos = G2048::new(3, 3).unwrap();
        let mut seen = 0;
        while let Some(m) = pos.random_move(&mut rng, &mut scratch) {
            if pos.turn() != Turn::Chance && pos.count_moves() > 1 && seen < 12 {
                seen += 1;
                let task = &mut Task::new(Limits::depth(depth));
                let report = search.think(&pos, task).unwrap();
                let truth = by_hand(&loaded.net, &pos, depth);
                let error = (f64::from(report.value) - truth).abs();
                assert!(error < 1e-4 * truth.abs().max(1.0), "{pos}: {} {truth}", report.value);
                assert_eq!(report.depth, depth);
            }
            pos.play(m);
        }
        assert!(seen >= 10);
    }
}

/// A player that lowers boards plays as one that is shown the lowered board.
#[test]
fn a_lowered_board_is_searched_as_it_is_seen() {
    let file = std::env::temp_dir().join(format!("spielbaum-lower-{}.ntuple", std::process::id()));
    let mut bytes = Vec::new();
    let loaded = loaded();
    write(&mut bytes, &loaded.header, &loaded.net).unwrap();
    std::fs::write(&file, bytes).unwrap();
    let player = |lower: u32| {
        let text = format!("ntuple:net={},depth=2,lower={lower}", file.display());
        player::<G2048>(&resolve(&text, "player", &[&NTUPLE]).unwrap(), &[]).unwrap()
    };
    let (mut plain, mut lowering, mut rarely) = (player(0), player(8), player(10));
    let (mut different, mut rng, mut scratch) = (0, Rng::new(3), Vec::new());
    let answer = |player: &mut Box<dyn Player<G2048>>, pos: &G2048| {
        let report = player.think(pos, &mut Task::new(Limits::depth(2))).unwrap();
        (report.best, report.value, report.nodes)
    };
    let mut start = G2048::new(3, 3).unwrap();
    while start.turn() == Turn::Chance {
        start.play(start.random_move(&mut rng, &mut scratch).unwrap());
    }
    for _ in 0..60 {
        // 256, 64, 32 and smaller ones: 128 is missing, and no gap is wide.
        let small =
            (0..6).fold(0, |row, cell| row | (rng.below(5) as u64) << (4 * cell + cell / 3 * 4));
        let [real, seen] = [0x568, 0x567].map(|row| start.with_word(small | row << 32));
        if real.count_moves() < 2 {
            continue;
        }
        let (a, b) = (answer(&mut lowering, &real), answer(&mut plain, &seen));
        assert_eq!(a, b, "{real}");
        let c = answer(&mut plain, &real);
        assert_eq!(answer(&mut rarely, &real), c);
        different += usize::from(a != c);
    }
    assert!(different > 5, "{different}");
    std::fs::remove_file(&file).unwrap();
}

/// The same value whether a search asks for it or the net is asked for a move.
#[test]
fn greedy_is_depth_one() {
    let loaded = loaded();
    let config = ExpectimaxConfig {
        plies: Plies::Moves,
        default_depth: Some(1),
        ..ExpectimaxConfig::default()
    };
    let mut search = Expectimax::new(&config, Box::new(NetEval(loaded.clone())));
    let mut pos = G2048::new(3, 3).unwrap();
    let (mut rng, mut scratch) = (Rng::new(1), Vec::new());
    while let Some(m) = pos.random_move(&mut rng, &mut scratch) {
        if let Some((best, value, moves)) = loaded.net.best(&pos) {
            let report = search.think(&pos, &mut Task::new(Limits::default())).unwrap();
            assert_eq!((report.best, report.value), (best, pos.payoffs()[0] + value));
            let eval = NetEval(loaded.clone());
            assert_eq!(eval.expected_next(&pos, 0), Some((report.value, moves)));
        }
        pos.play(m);
    }
}
