//! What the fuzz targets share: the catalog of the program, and what holds of every position.

/// The program's own catalog, so that the targets read by the real tables.
#[allow(dead_code)]
#[path = "../../crates/spielbaum/src/catalog.rs"]
mod catalog;

pub mod json;

use spielbaum_core::param::{Args, resolve};
use spielbaum_core::spec::SpecError;
use spielbaum_core::text::parse_move;
use spielbaum_core::{Game, ParseError, Registered, Rng};
use spielbaum_games::carcassonne::Carcassonne;
use spielbaum_games::{g2048::G2048, gomoku::Gomoku, lion::Lion, pig::Pig, reroll::Reroll};
use spielbaum_games::xiangqi::Xiangqi;
use spielbaum_games::morpion::Morpion;
use spielbaum_lab::AnyGame;

/// Every game of the program.
pub fn games() -> &'static [&'static dyn AnyGame] {
    catalog::GAMES
}

/// The game of a specification, as every command looks it up.
pub fn game(text: &str) -> Result<(&'static dyn AnyGame, Args), SpecError> {
    catalog::game(text)
}

/// Something done with the start of a game and a text.
pub trait Visit {
    /// Does it.
    fn visit<G: Game>(start: &G, text: &str);
}

/// Input of the targets about games: a game's specification in the first line, then the text.
pub fn visit<V: Visit>(input: &str) {
    fn start<G: Registered, V: Visit>(args: &Args, text: &str) {
        match G::start(args) {
            Ok(start) => V::visit(&start, text),
            Err(e) => spec_error(&e),
        }
    }
    let Some((spec, text)) = input.split_once('\n') else { return };
    let schemas = [
        Lion::SCHEMA,
        Gomoku::SCHEMA,
        Carcassonne::SCHEMA,
        Pig::SCHEMA,
        Reroll::SCHEMA,
        G2048::SCHEMA,
        Xiangqi::SCHEMA,
        Morpion::SCHEMA,
    ];
    let Ok(args) = resolve(spec, "game", &schemas) else { return };
    match args.schema().name {
        "lion" => start::<Lion, V>(&args, text),
        "gomoku" => start::<Gomoku, V>(&args, text),
        "carcassonne" => start::<Carcassonne, V>(&args, text),
        "pig" => start::<Pig, V>(&args, text),
        "reroll" => start::<Reroll, V>(&args, text),
        "2048" => start::<G2048, V>(&args, text),
        "xiangqi" => start::<Xiangqi, V>(&args, text),
        "morpion" => start::<Morpion, V>(&args, text),
        other => unreachable!("the schema of {other} is not in the list"),
    }
}

/// An error about a specification: its place is in the text, and it can be shown.
pub fn spec_error(error: &SpecError) {
    assert!(error.text.get(error.span.clone()).is_some(), "outside the text: {error:?}");
    assert!(!error.problem.trim().is_empty(), "says nothing: {error:?}");
    assert!(!error.to_string().is_empty());
}

/// An error about a position or a move: the same.
pub fn parse_error(error: &ParseError, text: &str) {
    let at = error.at.clone();
    assert!(at.is_none_or(|at| text.get(at).is_some()), "outside the text: {error:?}");
    assert!(!error.problem.trim().is_empty(), "says nothing: {error:?}");
    assert!(!error.to_string().is_empty());
}

/// Plies of the random game that follows a text that was read.
const PLIES: usize = 12;

/// A position that was read, and some that follow from it, keep the contract of [`Game`].
pub fn sound<G: Game>(start: &G, first: G, seed: u64) {
    let mut rng = Rng::new(seed);
    let (mut pos, mut moves) = (first, Vec::new());
    for _ in 0..PLIES {
        moves.clear();
        pos.moves(&mut moves);
        reads_back(start, &pos);
        assert_eq!(pos.is_over(), moves.is_empty(), "{pos}");
        assert_eq!(pos.count_moves(), moves.len(), "{pos}");
        assert!(pos.payoffs().iter().all(|p| p.is_finite()), "{pos}");
        assert!(!format!("{pos:#}").is_empty());
        let Some(m) = pos.random_move(&mut rng, &mut Vec::new()) else {
            assert!(moves.is_empty(), "{pos}: no random move");
            return;
        };
        assert!(moves.contains(&m), "{pos}: {m} is not legal");
        for &m in &moves {
            assert_eq!(parse_move(&pos, &m.to_string()), Ok(m), "{pos}");
            assert!(pos.code(m) < pos.codes(), "{pos}: code of {m}");
        }
        let here = (pos.to_string(), pos.key());
        let mut next = pos.clone();
        next.play(m);
        let explored = pos.explore(m, |p| (p.to_string(), p.key()));
        assert_eq!(explored, (next.to_string(), next.key()), "{} {m}", here.0);
        assert_eq!((pos.to_string(), pos.key()), here, "`explore` of {m} does not restore");
        pos = next;
    }
    pos.playout(64, &mut rng, &mut moves);
    reads_back(start, &pos);
}

/// The text of a position is read as the same position.
fn reads_back<G: Game>(start: &G, pos: &G) {
    let text = pos.to_string();
    match start.parse(&text) {
        Ok(again) => {
            assert_eq!(again.to_string(), text);
            assert_eq!(again.key(), pos.key(), "{text}");
        }
        Err(e) => panic!("`{text}` is not read back: {e}"),
    }
}
