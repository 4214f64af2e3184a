//! The rules of 2048, case by case, and whole games against a board of numbers.

#![allow(clippy::unwrap_used)] // helpers of tests may as well

use spielbaum_core::text::{parse_move, play_moves};
use spielbaum_core::{Game, Rng, Turn};
use spielbaum_games::g2048::G2048;

fn board(rows: usize, columns: usize) -> G2048 {
    G2048::new(rows, columns).unwrap()
}

fn names(pos: &G2048) -> Vec<String> {
    let mut moves = Vec::new();
    pos.moves(&mut moves);
    moves.iter().map(ToString::to_string).collect()
}

#[test]
fn chance_begins_with_two_tiles() {
    let mut game = board(4, 4);
    assert_eq!(game.turn(), Turn::Chance);
    assert_eq!(game.count_moves(), 32);
    play_moves(&mut game, "2@a1").unwrap();
    assert_eq!(game.turn(), Turn::Chance);
    assert_eq!(game.count_moves(), 30);
    play_moves(&mut game, "4@d4").unwrap();
    assert_eq!(game.turn(), Turn::Player(0));
    assert_eq!(game.to_string(), "2,.,.,./.,.,.,./.,.,.,./.,.,.,4 score=0 turn=player");
}

#[test]
fn twos_come_nine_times_as_often_as_fours() {
    let game = board(2, 2).parse("2,4/.,2 turn=chance").unwrap();
    let mut moves = Vec::new();
    game.moves(&mut moves);
    let odds: Vec<_> = moves.iter().map(|&m| (m.to_string(), game.weight(m))).collect();
    assert_eq!(odds, [("2@a2".to_string(), 9), ("4@a2".to_string(), 1)]);
}

#[test]
fn pairs_merge_from_the_wall_and_once_only() {
    let slide = |row: &str, m: &str| {
        let mut pos = board(2, 4).parse(&format!("{row}/.,.,.,.")).unwrap();
        play_moves(&mut pos, m).unwrap();
        let text = pos.to_string();
        format!("{} {}", text.split('/').next().unwrap(), pos.score())
    };
    assert_eq!(slide("2,2,2,.", "left"), "4,2,.,. 4");
    assert_eq!(slide("2,2,2,.", "right"), ".,.,2,4 4");
    assert_eq!(slide("2,2,2,2", "left"), "4,4,.,. 8");
    assert_eq!(slide("4,2,2,.", "left"), "4,4,.,. 4");
    assert_eq!(slide("8,.,.,8", "right"), ".,.,.,16 16");
    assert_eq!(slide("16384,16384,.,2", "left"), "32768,2,.,. 32768");
    assert_eq!(slide("32768,32768,.,2", "left"), "32768,32768,2,. 0");
}

#[test]
fn a_slide_must_move_something() {
    let pos = board(4, 4).parse("2,4,8,16/.,.,.,./.,.,.,./.,.,.,.").unwrap();
    assert_eq!(names(&pos), ["down"]);
    assert!(parse_move(&pos, "left").is_err());
    let over = board(2, 2).parse("2,4/4,2 score=8").unwrap();
    assert!(over.is_over() && names(&over).is_empty());
    assert_eq!(over.payoffs()[0], 8.0);
    assert!(format!("{over:#}").ends_with("score 8, over"));
}

#[test]
fn boards_are_drawn() {
    let pos = board(2, 3).parse("2,.,1024/.,4,. score=9000").unwrap();
    let drawn = [
        "  +------+------+------+",
        "1 |  2   |      | 1024 |",
        "  +------+------+------+",
        "2 |      |  4   |      |",
        "  +------+------+------+",
        "      a      b      c   ",
        "score 9000, to move",
    ];
    assert_eq!(format!("{pos:#}"), drawn.join("\n"));
}

#[test]
fn positions_may_be_typed_short_and_errors_say_where() {
    let game = board(2, 2);
    assert_eq!(game.parse("2,0/_,-").unwrap().to_string(), "2,./.,. score=0 turn=player");
    assert_eq!(game.parse(".,./.,.").unwrap().to_string(), game.to_string());
    for (text, at) in [
        ("", None),
        ("2,2", Some("2,2")),
        ("2,2,2/2,2", Some("2,2,2")),
        ("2,3/.,.", Some("3")),
        ("2,65536/.,.", Some("65536")),
        ("2,2/.,. score=2", Some("score=2")),
        ("2,2/.,. score=99999999", Some("score=99999999")),
        ("2,2/.,. turn=north", Some("turn=north")),
        ("2,2/.,. turn=player turn=player", Some("turn=player")),
        ("2,2/2,2 turn=chance", Some("2,2/2,2")),
        (".,./.,. turn=player", Some(".,./.,.")),
        (".,./.,. score=4", None),
    ] {
        let error = game.parse(text).unwrap_err();
        assert_eq!(error.at.clone().map(|at| &text[at]), at, "{text}: {error}");
        assert!(error.help.is_some(), "{text}: {error}");
    }
    assert!(G2048::new(1, 4).is_err() && G2048::new(4, 5).is_err());
}

/// The score is what merges made: the worth of the tiles less the fours that chance laid.
#[test]
fn the_score_adds_up_in_whole_games() {
    let mut rng = Rng::new(9);
    for (rows, columns) in [(4, 4), (3, 3), (2, 3)] {
        for _ in 0..30 {
            let (mut pos, mut scratch, mut laid) = (board(rows, columns), Vec::new(), 0);
            while let Some(m) = pos.random_move(&mut rng, &mut scratch) {
                laid += 4 * u32::from(m.to_string().starts_with('4'));
                pos.play(m);
                let tiles = (0..rows).flat_map(|r| (0..columns).map(move |c| (r, c)));
                let worth = tiles.map(|(r, c)| match pos.tile(r, c) {
                    0 => 0,
                    tile => tile * (tile.ilog2() - 1),
                });
                assert_eq!(pos.score() + laid, worth.sum::<u32>());
            }
            assert!(pos.is_over());
        }
    }
}
