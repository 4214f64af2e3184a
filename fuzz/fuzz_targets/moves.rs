//! Moves and lists of openings: a game's specification in the first line, then the text.
#![no_main]

use libfuzzer_sys::fuzz_target;
use spielbaum_core::{Game, text};
use spielbaum_fuzz::{Visit, game, parse_error, visit};
use spielbaum_lab::Openings;

struct Play;

impl Visit for Play {
    fn visit<G: Game>(start: &G, text: &str) {
        let mut end = start.clone();
        match text::play_moves(&mut end, text) {
            Ok(moves) => {
                let names: Vec<String> = moves.iter().map(ToString::to_string).collect();
                let mut again = start.clone();
                assert_eq!(text::play_moves(&mut again, &names.join(" ")), Ok(moves));
                assert_eq!(again.to_string(), end.to_string());
                assert_eq!(again.key(), end.key());
            }
            Err(e) => parse_error(&e, text),
        }
    }
}

fuzz_target!(|input: &str| {
    visit::<Play>(input);
    table(input);
    openings(input);
});

/// A table plays all of a text or nothing, and takes everything back.
fn table(input: &str) {
    let Some((spec, text)) = input.split_once('\n') else { return };
    let Some(mut table) = game(spec).ok().and_then(|(game, args)| game.open(&args).ok()) else {
        return;
    };
    let start = (table.text(), table.key());
    // The first of several lines may be a position instead.
    let (position, moves) = text.split_once('\n').unwrap_or(("", text));
    match table.set_position(position) {
        Ok(()) => assert_eq!(table.origin().as_deref(), Some(position)),
        Err(e) => {
            parse_error(&e, position);
            assert_eq!((table.text(), table.key()), start);
        }
    }
    let origin = (table.text(), table.key());
    match table.play_moves(moves) {
        Ok(n) => assert_eq!(table.history().len(), n),
        Err(e) => {
            parse_error(&e, moves);
            assert_eq!((table.text(), table.key()), origin);
        }
    }
    while table.undo().is_some() {}
    assert_eq!((table.text(), table.key()), origin);
}

/// A list whose openings can be played reads back from the lines that a record keeps.
fn openings(input: &str) {
    let Some((spec, text)) = input.split_once('\n') else { return };
    let Ok((game, args)) = game(spec) else { return };
    let Ok(list) = Openings::list("list", text) else { return };
    let Openings::List { lines, .. } = &list else { unreachable!("a list is a list") };
    let playable = lines.iter().all(|line| game.check_opening(&args, line).is_ok());
    if playable {
        let again = Openings::list("list", &list.texts().join("\n")).map(|l| l.texts());
        assert_eq!(again.ok(), Some(list.texts()));
    }
}
