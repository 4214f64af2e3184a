//! Learning by play on a small board: what it comes to, bit for bit.

#![allow(clippy::unwrap_used)]

use spielbaum_games::g2048::G2048;
use spielbaum_learn::ntuple::{Backward, Config, Learner, Method, Network};

fn learner(method: Method, backward: Option<Backward>) -> Learner<G2048> {
    with(method, backward, false)
}

fn with(method: Method, backward: Option<Backward>, promote: bool) -> Learner<G2048> {
    let alpha = if method == Method::Td { 0.1 } else { 1.0 };
    let shape = "012-0134-1245".parse().unwrap();
    let config = Config { shape, method, alpha, init: 320.0, backward, promote, seed: 7 };
    Learner::new(G2048::new(3, 3).unwrap(), "2048-3x3", config)
}

/// A fingerprint of the weights (FNV-1a over their bits).
fn fingerprint(net: &Network) -> u64 {
    let bits = (0..net.shape().weights()).map(|i| u64::from(net.weight(i).to_bits()));
    bits.fold(0xcbf2_9ce4_8422_2325, |hash, bits| (hash ^ bits).wrapping_mul(0x0100_0000_01b3))
}

/// As it was before there was learning after the game.
#[test]
fn learning_during_the_game_is_what_it_always_was() {
    let golden = [
        (Method::Td, 0x9a1b_4c12_a96c_4f6c, 25_297, 245_140.0),
        (Method::Tc, 0x1292_303e_00b9_357e, 28_523, 295_860.0),
    ];
    for (method, weights, moves, scores) in golden {
        let mut learner = learner(method, None);
        learner.train(300, 1, &|| false);
        assert_eq!(fingerprint(learner.net()), weights);
        assert_eq!((learner.moves(), learner.take_tally().scores), (moves, scores));
    }
}

/// What `train` does unless it is told otherwise.
#[test]
fn learning_by_default_is_what_it_was() {
    let mut learner = with(Method::Tc, Some(Backward { lambda: 0.5, restart: None }), true);
    learner.train(300, 1, &|| false);
    assert_eq!(fingerprint(learner.net()), 0xe57a_1773_d12e_fca7);
    assert_eq!((learner.moves(), learner.take_tally().scores), (30_539, 326_092.0));
}

/// Games begun in the middle are learned from, and are no games of their own: the first whole game
/// is the same with and without them.
#[test]
fn only_whole_games_are_counted() {
    let after_one = |restart| {
        let mut learner = learner(Method::Tc, Some(Backward { lambda: 0.5, restart }));
        learner.train(1, 1, &|| false);
        (fingerprint(learner.net()), learner.games(), learner.moves(), learner.take_tally())
    };
    let (plain, more) = (after_one(None), after_one(Some(10)));
    assert_ne!(plain.0, more.0);
    assert_eq!((plain.1, more.1), (1, 1));
    assert!(more.2 > plain.2, "{} {}", more.2, plain.2);
    assert_eq!((plain.3.scores, plain.3.largest), (more.3.scores, more.3.largest));
    // No game of fewer moves begins another, and one that does begins the same one: a chain that
    // ends later only goes on.
    assert_eq!(after_one(Some(plain.2 as u32)).0, plain.0);
    let moves: Vec<u64> = [1000, 60, 30, 10, 1].map(|most| after_one(Some(most)).2).to_vec();
    assert!(moves.is_sorted() && moves[0] == plain.2 && moves[4] > moves[1], "{moves:?}");
}

/// All ways to learn come to better play in the end, and to different nets.
#[test]
fn all_ways_learn() {
    let backward = |lambda, restart| Some(Backward { lambda, restart });
    let ways = [None, backward(0.0, None), backward(0.5, None), backward(0.5, Some(10))];
    for method in [Method::Td, Method::Tc] {
        let mut nets = Vec::new();
        for way in ways {
            let mut learner = learner(method, way);
            let before = learner.test(200, 1, &|| false).mean().0;
            learner.train(1500, 1, &|| false);
            let after = learner.test(200, 1, &|| false).mean().0;
            assert!(after > 1.5 * before, "{method:?} {way:?}: {before} {after}");
            nets.push(fingerprint(learner.net()));
        }
        nets.sort_unstable();
        nets.dedup();
        assert_eq!(nets.len(), ways.len());
    }
}

/// What is known of smaller tiles is of use for larger ones: as many games come to more.
#[test]
fn weights_that_begin_with_what_is_known_learn_faster() {
    let mean = |promote| {
        let backward = Some(Backward { lambda: 0.5, restart: None });
        let shape = "012456".parse().unwrap();
        let method = Method::Tc;
        let config = Config { shape, method, alpha: 1.0, init: 0.0, backward, promote, seed: 7 };
        let mut learner = Learner::new(G2048::new(4, 4).unwrap(), "2048", config);
        learner.train(1500, 1, &|| false);
        learner.take_tally();
        learner.train(2000, 1, &|| false);
        learner.take_tally().mean().0
    };
    // 15 184 and 14 045.
    let (without, with) = (mean(false), mean(true));
    assert!(with > 1.04 * without, "{with} {without}");
}
