//! The rules of Carcassonne case by case, where each can go wrong.

#![allow(clippy::unwrap_used)]

use spielbaum_core::{Game, Rng, Turn, text};
use spielbaum_games::carcassonne::{Carcassonne, Kind, Options, Order};

/// A game of two with these placements, and tiles to come behind them.
fn played(moves: &str, to_come: &str) -> Carcassonne {
    played_with(&Options::default(), moves, to_come)
}

fn played_with(options: &Options<'_>, moves: &str, to_come: &str) -> Carcassonne {
    let tiles: String = moves.split(' ').filter_map(|m| m.chars().next()).collect();
    let tiles = tiles + to_come;
    let options = Options { order: Order::Listed, tiles: Some(&tiles), ..*options };
    let mut game = Carcassonne::new(&options).unwrap();
    text::play_moves(&mut game, moves).unwrap_or_else(|e| panic!("{e}\n{game:#}"));
    game
}

const PAPER: Options<'static> =
    Options { players: 2, order: Order::Hidden, tiles: None, paper: true, all_rotations: false };

fn scores(game: &Carcassonne) -> [i32; 2] {
    let [a, b, ..] = game.scores().unwrap();
    [a, b]
}

fn supply(game: &Carcassonne) -> [usize; 2] {
    [game.supply(0), game.supply(1)]
}

/// The spots of a placement, `-` for none, in the order of the list.
fn spots(game: &Carcassonne, place: &str) -> String {
    let mut moves = Vec::new();
    game.moves(&mut moves);
    let here = moves.iter().map(ToString::to_string);
    let here = here.filter_map(|m| Some(m.strip_prefix(place)?.to_string()));
    here.map(|s| if s.is_empty() { "-".into() } else { s }).collect::<Vec<_>>().concat()
}

#[test]
fn case_1_a_feature_is_closed_and_claimed_in_one_turn() {
    let game = played("E@0:-1r2+city0", "U");
    assert_eq!((scores(&game), supply(&game)), ([4, 0], [7, 7]));
    assert_eq!(game.statistics().meeples[0], [1, 0, 0, 0]);
    assert_eq!(game.statistics().points_per_meeple(0, Kind::City), Some(4.0));
    assert_eq!(game.statistics().points_per_meeple(0, Kind::Road), None);
}

/// Not in the data of the oracle: completed features won against another player's meeples.
#[test]
fn case_2_joined_meeples_add_up_and_the_majority_scores() {
    let road = "U@1:0r1+road0 B@1:1r0 B@0:1r0 U@2:1r0+road0 B@-1:1r0 A@2:2r2 U@-2:1r0+road0 A@-2:2r2 \
                V@2:0r0 U@-1:0r1";
    let before = played(road, "VU");
    assert_eq!((scores(&before), supply(&before)), ([0, 0], [5, 6]));
    let game = played(&format!("{road} V@-2:0r3"), "U");
    assert_eq!((scores(&game), supply(&game)), ([9, 0], [7, 7]));

    let city = "R@0:-1r1+city0 U@1:0r1 E@0:-2r2 U@2:0r1 E@1:-2r2+city0 E@2:-1r3+city0 R@1:-1r0";
    let game = played(city, "U");
    assert_eq!((scores(&game), supply(&game)), ([12, 0], [7, 7]));
    // Without the second red meeple it is a tie, and both get all of it.
    let tied = city.replace("E@1:-2r2+city0", "E@1:-2r2");
    let game = played(&tied, "U");
    assert_eq!((scores(&game), supply(&game)), ([12, 12], [7, 7]));
}

#[test]
fn case_3_a_free_feature_that_joins_an_occupied_one_cannot_be_claimed() {
    let game = played("U@1:0r1+road0", "V");
    assert_eq!(spots(&game, "V@2:0r0"), "-+field0+field1");
    assert_eq!(spots(&game, "V@-1:0r3"), "-+field0+field1");
    let free = played("U@1:0r1", "V");
    assert_eq!(spots(&free, "V@2:0r0"), "-+road0+field0+field1");
}

/// The east field of the last U joins the red one and the one around the cloister; the west field
/// touches only the latter.
#[test]
fn case_4_indirect_occupation() {
    let moves = "A@0:1r0 G@1:1r1 E@1:2r0+field0";
    assert_eq!(spots(&played(moves, "U"), "U@0:2r0"), "-+road0");
    assert_eq!(spots(&played_with(&PAPER, moves, "U"), "U@0:2r0"), "-+road0+field1");
}

#[test]
fn case_5_either_of_two_segments_of_one_feature_may_be_named() {
    assert_eq!(spots(&played("A@0:1r0", "U"), "U@0:2r0"), "-+road0+field0+field1");
}

/// Not in the data of the oracle: a cloister completed by its own placement.
#[test]
fn case_6_a_cloister_in_a_full_ring() {
    let ring = "U@1:0r1 U@-1:0r1 B@1:1r0 B@-1:1r0 E@1:2r2 E@-1:2r2 E@0:2r2";
    let game = played(&format!("{ring} B@0:1r0+cloister"), "U");
    assert_eq!((scores(&game), supply(&game)), ([0, 9], [7, 7]));
    let game = played(&format!("{ring} B@0:1r0"), "U");
    assert_eq!((scores(&game), supply(&game)), ([0, 0], [7, 7]));
    // The ring is closed by another tile: the cloister was claimed before.
    let closed = "U@1:0r1 B@0:1r0+cloister U@-1:0r1 B@1:1r0 B@-1:1r0 E@1:2r2 E@-1:2r2 E@0:2r2";
    let game = played(closed, "U");
    assert_eq!((scores(&game), supply(&game)), ([0, 9], [7, 7]));
}

#[test]
fn case_7_and_14_one_tile_completes_several_features() {
    let moves = "U@1:0r1 B@1:-1r0+cloister B@1:-2r0 E@0:-2r2+city0 H@0:-1r1+city0";
    let game = played(moves, "U");
    assert_eq!((scores(&game), supply(&game)), ([4, 4], [7, 6]));
    // A crossing ends two roads, and counts for both.
    let game = played("A@-1:0r3+road0 B@0:1r0 B@0:2r0 A@1:1r2+road0 X@1:0r0", "U");
    assert_eq!((scores(&game), supply(&game)), ([3, 2], [7, 7]));
}

#[test]
fn case_8_loops_and_roads_back_to_their_crossing() {
    let game = played("V@1:0r0+road0 V@1:1r1 U@0:1r1 V@-1:1r2 V@-1:0r3", "U");
    assert_eq!((scores(&game), supply(&game)), ([6, 0], [7, 7]));
    let back = "X@1:0r0 V@2:0r0+road0 V@2:1r1 V@1:1r2";
    assert_eq!(scores(&played(back, "U")), [0, 4]);
    assert_eq!(scores(&played_with(&PAPER, back, "U")), [0, 5]);
}

/// The last tile of all fits nowhere: not in the data of the oracle.
#[test]
fn case_9_tiles_that_fit_nowhere() {
    let game = played("E@0:-1r2+city0", "CU");
    assert_eq!((game.discarded().as_str(), game.hand()), ("C", Some('U')));
    assert_eq!(game.turn(), Turn::Player(1));
    assert_eq!(game.to_string(), "D@0:0r0 E@0:-1r2+city0 C | U");

    let game = played("E@0:-1r2+city0", "C");
    assert!(game.is_over());
    assert_eq!((game.discarded().as_str(), scores(&game)), ("C", [4, 0]));

    let options = Options { tiles: Some("ECU"), ..Options::default() };
    let mut game = Carcassonne::new(&options).unwrap();
    text::play_moves(&mut game, "E E@0:-1r2+city0 C").unwrap();
    assert_eq!((game.turn(), game.hand()), (Turn::Chance, None));
    assert_eq!(game.to_string(), "D@0:0r0 E@0:-1r2+city0 C");
    let mut other = game;
    text::play_moves(&mut game, "U").unwrap();
    assert_eq!(game.turn(), Turn::Player(1));
    // The same as the very last tile.
    let mut last = other.parse("D@0:0r0 E@0:-1r2+city0 U@1:0r1").unwrap();
    assert_eq!((last.turn(), last.is_over()), (Turn::Chance, false));
    text::play_moves(&mut last, "C").unwrap();
    assert!(last.is_over());
    assert_eq!(last.payoffs()[..2], [1.0, 0.0]);
    text::play_moves(&mut other, "U U@1:0r1+road0").unwrap();
    assert!(other.is_over());
    assert_eq!(scores(&other), [4, 2]);
}

#[test]
fn case_10_only_the_eight_squares_around_a_cloister_matter() {
    let cloister = |moves: &str| played(moves, "U").final_points()[0][Kind::Cloister as usize];
    assert_eq!(cloister("B@0:1r0+cloister"), 2);
    assert_eq!(cloister("B@0:1r0+cloister B@1:1r0"), 3);
    assert_eq!(cloister("B@0:1r0+cloister B@1:1r0 B@2:1r0"), 3);
    assert_eq!(cloister("B@0:1r0+cloister B@1:1r0 B@2:1r0 B@1:2r0"), 4);
}

#[test]
fn case_11_without_meeples_a_placement_is_one_move() {
    let (mut rng, mut scratch, mut seen) = (Rng::new(1), Vec::new(), 0);
    for _ in 0..5 {
        let mut game = Carcassonne::default();
        while game.playout(1, &mut rng, &mut scratch) > 0 {
            let Some(seat) = game.turn().player().filter(|_| !game.is_over()) else { continue };
            scratch.clear();
            game.moves(&mut scratch);
            let claims = scratch.iter().filter(|m| m.meeple().is_some()).count();
            if game.supply(seat) == 0 {
                assert_eq!(claims, 0, "{game}");
                seen += 1;
            }
        }
    }
    assert!(seen > 0, "nobody ran out of meeples");
}

#[test]
fn case_12_shields_are_in_the_first_city() {
    let game = played("M@0:-1r2+city0", "E");
    assert_eq!(game.settled()[..2], [3, 0]);
    let game = played("M@0:-1r2+city0 E@1:-1r3", "U");
    assert_eq!(scores(&game), [8, 0]);
    assert_eq!(spots(&played("U@1:0r1", "M"), "M@0:-1r2"), "-+city0+field0");
}

/// On U a half turn swaps the names of the fields.
#[test]
fn case_13_equal_pictures_are_equal_positions() {
    let all = Options { all_rotations: true, ..Options::default() };
    let one = played_with(&all, "U@1:0r1+field0", "V");
    let other = played_with(&all, "U@1:0r3+field1", "V");
    let different = played_with(&all, "U@1:0r3+field0", "V");
    assert_eq!(one.key(), other.key());
    assert_ne!(one.key(), different.key());
    let count = |options: &Options<'_>| played_with(options, "B@0:1r0", "X").count_moves();
    assert_eq!(count(&all), 4 * count(&Options::default()));
}

#[test]
fn case_15_the_order_is_hidden_and_the_rest_is_public() {
    let order = Order::Shuffled(5);
    let mut game = Carcassonne::new(&Options { order, ..Options::default() }).unwrap();
    game.playout(20, &mut Rng::new(2), &mut Vec::new());
    // A seat that may not know it gets the game in which chance draws: the same tiles, no order.
    let (text, hidden) = (game.to_string(), game.hide(0, &mut Rng::new(3)));
    let (played, to_come) = text.split_once('|').unwrap();
    let hand = game.hand().unwrap();
    assert_eq!(hidden.to_string(), format!("{played}{hand} | ?"));
    let mut letters: Vec<char> = to_come.trim().chars().collect();
    assert_eq!(letters.remove(0), hand);
    letters.sort_unstable();
    let mut next = hidden;
    let mut moves = Vec::new();
    next.moves(&mut moves);
    next.play(moves[0]);
    assert_eq!(next.turn(), Turn::Chance);
    moves.clear();
    next.moves(&mut moves);
    let odds = moves.iter().flat_map(|&m| (0..next.weight(m)).map(move |_| m.letter()));
    assert_eq!(odds.collect::<Vec<char>>(), letters);
    assert_eq!(game.parse(&hidden.to_string()).unwrap().to_string(), hidden.to_string());

    // Odds are the copies left, and add up to the tiles that are left.
    let mut game = Carcassonne::default();
    game.playout(20, &mut Rng::new(2), &mut Vec::new());
    assert_eq!(game.turn(), Turn::Chance);
    let mut draws = Vec::new();
    game.moves(&mut draws);
    let odds: u32 = draws.iter().map(|&m| game.weight(m)).sum();
    assert_eq!(odds as usize, 71 - 10 - game.discarded().len());
}

/// Farmers: each completed city once for each field, and only bordering ones.
#[test]
fn fields_are_paid_by_completed_cities() {
    // Both caps of the city border fields; the one below the start tile's road does not.
    let above = played("E@0:-1r2+field0 U@1:0r1", "U");
    assert_eq!(above.final_points()[0], [0, 0, 3, 0]);
    let below = played("E@0:-1r2 B@0:1r0+field0", "U");
    assert_eq!(below.final_points()[1], [0; 4]);
    // An incomplete city pays nothing.
    let open = played("R@0:-1r1+field0", "U");
    assert_eq!(open.final_points()[0], [0; 4]);
}

#[test]
fn options_that_do_not_fit_are_errors() {
    let error = |options: Options<'_>| Carcassonne::new(&options).unwrap_err().to_string();
    assert!(error(Options { players: 1, ..Options::default() }).contains("2 to 5"));
    assert!(error(Options { players: 6, ..Options::default() }).contains("2 to 5"));
    let tiles = |tiles| error(Options { tiles: Some(tiles), ..Options::default() });
    assert!(tiles("UVZ").contains("`Z` is not a tile"));
    assert!(tiles("XX").contains("there is 1 tile X to draw"));
    assert!(tiles("").contains("no tiles"));
    assert!(tiles("DDDD").contains("there are 3 tiles D to draw"));
}

#[test]
fn wrong_positions_are_explained() {
    let game = Carcassonne::default();
    let known = Carcassonne::new(&Options { order: Order::Dealt, ..Options::default() }).unwrap();
    for (text, word) in [
        ("", "begins with the start tile"),
        ("D@0:0r1", "begins with the start tile"),
        ("D@0:0r0 Y", "neither a tile nor a placement"),
        ("D@0:0r0 U@1:0r1+city0", "neither a tile nor a placement"),
        ("D@0:0r0 U@01:0r1", "neither a tile nor a placement"),
        ("D@0:0r0 U@2:0r1", "not an empty square beside a tile"),
        ("D@0:0r0 U@1:0r0", "an edge does not fit"),
        ("D@0:0r0 U@1:0r3", "looks like r1"),
        ("D@0:0r0 U@1:0r1+road0 V@2:0r0+road0", "someone stands"),
        ("D@0:0r0 U V", "has to be placed first"),
        ("D@0:0r0 X@1:0r0 X", "no tile X is left"),
        ("D@0:0r0 | U", "hidden here"),
    ] {
        let error = game.parse(text).unwrap_err();
        assert!(error.to_string().contains(word), "{text}: {error}");
    }
    for (text, word) in [
        ("D@0:0r0", "to come are missing"),
        ("D@0:0r0 | XX", "too many tiles X"),
        ("D@0:0r0 | X?", "not a tile to come"),
        ("D@0:0r0 U@1:0r1 | V", "69 tiles to come are missing"),
    ] {
        let error = known.parse(text).unwrap_err();
        assert!(error.to_string().contains(word), "{text}: {error}");
    }
    let two = Carcassonne::new(&Options {
        order: Order::Listed,
        tiles: Some("EU"),
        ..Options::default()
    })
    .unwrap();
    assert!(two.parse("D@0:0r0 E | U").unwrap_err().to_string().contains("wrong side"));
    let error = two.parse("D@0:0r0 U@1:0r1 E@0:-1r2 U@2:0r1 |").unwrap_err().to_string();
    assert!(error.contains("too many tiles U"), "{error}");
    assert_eq!(two.parse("D@0:0r0 U@1:0r1 | E").unwrap().hand(), Some('E'));
}
