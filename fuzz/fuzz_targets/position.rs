//! Positions: a game's specification in the first line, then the position.
#![no_main]

use libfuzzer_sys::fuzz_target;
use spielbaum_core::{Game, zobrist};
use spielbaum_fuzz::{Visit, parse_error, sound, visit};

struct Parse;

impl Visit for Parse {
    fn visit<G: Game>(start: &G, text: &str) {
        match start.parse(text) {
            Ok(pos) => {
                // The random game depends on the input alone.
                let seed = text.bytes().fold(0, |seed, b| zobrist::key(seed, b.into()));
                sound(start, pos, seed);
            }
            Err(e) => parse_error(&e, text),
        }
    }
}

fuzz_target!(|input: &str| visit::<Parse>(input));
