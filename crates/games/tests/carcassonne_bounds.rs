//! The bounds of the final margin hold, whatever is played.

#![allow(clippy::unwrap_used)] // helpers of tests may as well

use spielbaum_core::{Game, Rng, Turn};
use spielbaum_games::carcassonne::{Carcassonne, Move, Options, Order};

/// A game of some tiles of the box in a random order.
fn deal(rng: &mut Rng, tiles: usize) -> Carcassonne {
    let box_of = "AABBBBCDDDEEEEEFFGHHHIIJJJKKKLLLMMNNNOOPPPQRRRSSTUUUUUUUUVVVVVVVVVWWWWX";
    let mut letters: Vec<char> = box_of.chars().collect();
    rng.shuffle(&mut letters);
    let list: String = letters[..tiles].iter().collect();
    let options = Options {
        order: Order::Listed,
        tiles: Some(&list),
        paper: rng.below(2) == 0,
        all_rotations: rng.below(4) == 0,
        ..Options::default()
    };
    Carcassonne::new(&options).unwrap()
}

fn lead(pos: &Carcassonne) -> i32 {
    let scores = pos.settled();
    scores[0] - scores[1]
}

/// Plays on to the end: at random, or both players for the margin of one of them. The margin at the end.
fn play_on(start: &Carcassonne, rng: &mut Rng, aim: i32, greed: usize) -> i32 {
    let mut pos = *start;
    let mut moves = Vec::new();
    loop {
        moves.clear();
        pos.moves(&mut moves);
        if moves.is_empty() {
            return lead(&pos);
        }
        let mut best = moves[rng.below(moves.len())];
        if rng.below(100) < greed {
            let after = |m| {
                let mut next = pos;
                next.play(m);
                aim * lead(&next)
            };
            rng.shuffle(&mut moves);
            best = moves.iter().copied().max_by_key(|&m| after(m)).unwrap_or(best);
        }
        pos.play(best);
    }
}

#[test]
fn games_end_between_the_bounds() {
    let mut rng = Rng::new(11);
    let mut asked = 0u64;
    for _ in 0..400 {
        let tiles = 2 + rng.below(13);
        let mut pos = deal(&mut rng, tiles);
        // Games of several characters lead to different positions.
        let (aim, greed) = ([-1, 1][rng.below(2)], rng.below(101));
        loop {
            let Some((low, high)) = pos.margin_bounds() else { panic!("no bounds: {pos}") };
            for aim in [-1, 1] {
                for greed in [0, 70, 100] {
                    let end = play_on(&pos, &mut rng, aim, greed);
                    assert!(
                        (low..=high).contains(&end),
                        "{end} is not in {low}..={high}: {pos:#}\n{pos}"
                    );
                    asked += 1;
                }
            }
            let mut moves = Vec::new();
            pos.moves(&mut moves);
            if moves.is_empty() {
                assert_eq!(low, high);
                break;
            }
            let greedy = rng.below(100) < greed;
            let m = if greedy {
                let after = |m| {
                    let mut next = pos;
                    next.play(m);
                    aim * lead(&next)
                };
                moves.iter().copied().max_by_key(|&m| after(m)).unwrap_or(moves[0])
            } else {
                moves[rng.below(moves.len())]
            };
            pos.play(m);
        }
    }
    assert!(asked > 10_000, "{asked}");
}

/// A position with so many tiles to come, the one in hand included, after a game of some character.
fn late(rng: &mut Rng, left: usize) -> Option<Carcassonne> {
    let tiles = left + rng.below(11);
    let mut pos = deal(rng, tiles);
    let greed = rng.below(101);
    for _ in left..tiles {
        let mut moves = Vec::new();
        pos.moves(&mut moves);
        let aim = if pos.turn() == Turn::Player(0) { 1 } else { -1 };
        let pick = *moves.get(rng.below(moves.len().max(1)))?;
        let best = moves.iter().copied().max_by_key(|&m| aim * lead(&after(&pos, m)));
        pos.play(if rng.below(100) < greed { best.unwrap_or(pick) } else { pick });
    }
    // Tiles that fitted nowhere are missing.
    (!pos.is_over() && pos.discarded().is_empty()).then_some(pos)
}

fn after(pos: &Carcassonne, m: Move) -> Carcassonne {
    let mut next = *pos;
    next.play(m);
    next
}

/// The margin of best play, by playing everything.
fn value(pos: &Carcassonne) -> i32 {
    let mut moves = Vec::new();
    pos.moves(&mut moves);
    let values = moves.iter().map(|&m| value(&after(pos, m)));
    let best = if pos.turn() == Turn::Player(0) { values.max() } else { values.min() };
    best.unwrap_or_else(|| lead(pos))
}

/// What is told of the moves with the last tile is what they lead to.
#[test]
fn the_last_tile_is_told_exactly() {
    let mut rng = Rng::new(12);
    let mut told = 0;
    for _ in 0..3000 {
        let Some(pos) = late(&mut rng, 1) else { continue };
        let (mut moves, mut margins) = (Vec::new(), Vec::new());
        pos.moves(&mut moves);
        assert!(pos.margins_after(&moves, &mut margins), "{pos}");
        let (low, high) = pos.margin_bounds().unwrap();
        for (&m, &margin) in moves.iter().zip(&margins) {
            let end = lead(&after(&pos, m));
            assert_eq!(margin, (end, end), "{m}: {pos}");
            assert!((low..=high).contains(&end), "{end} is not in {low}..={high}: {pos}");
        }
        told += moves.len();
    }
    assert!(told > 50_000, "{told}");
}

/// Bounds of the moves with the last tile but one hold what best play leads to, and most of them say something.
#[test]
fn the_last_tile_but_one_is_bounded() {
    let mut rng = Rng::new(13);
    let (mut told, mut useful) = (0, 0);
    for _ in 0..500 {
        let Some(pos) = late(&mut rng, 2) else { continue };
        let (mut moves, mut margins) = (Vec::new(), Vec::new());
        pos.moves(&mut moves);
        assert!(pos.margins_after(&moves, &mut margins), "{pos}");
        for (&m, &(low, high)) in moves.iter().zip(&margins) {
            let value = value(&after(&pos, m));
            assert!((low..=high).contains(&value), "{value} is not in {low}..={high}: {m} {pos}");
            told += 1;
            useful += usize::from(high.min(-low) < 100);
        }
    }
    assert!(told > 5_000 && useful * 2 > told, "{useful} of {told}");
}
