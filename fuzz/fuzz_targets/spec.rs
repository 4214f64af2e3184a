//! Specifications of players and games, durations and clocks.
#![no_main]

use libfuzzer_sys::fuzz_target;
use spielbaum_core::param::{self, Schema, resolve};
use spielbaum_core::spec::{Spec, Value, text_value};
use spielbaum_fuzz::{games, spec_error};
use spielbaum_search::spec::PLAYERS;

fuzz_target!(|text: &str| {
    match Spec::parse(text) {
        Ok(spec) => {
            let printed = spec.to_string();
            let again = Spec::parse(&printed).expect("a printed specification is one");
            assert_eq!(again.to_string(), printed);
        }
        Err(e) => spec_error(&e),
    }
    if let Err(e) = Value::parse(text) {
        spec_error(&e);
    }
    if let Ok(Value::Word(value) | Value::Quoted(value)) = Value::parse(&text_value(text)) {
        assert_eq!(value, text);
    }
    let schemas: Vec<&'static Schema> = games().iter().map(|g| g.schema()).collect();
    resolves(text, "player", PLAYERS);
    resolves(text, "game", &schemas);
    match spielbaum_fuzz::game(text) {
        Ok((game, args)) => drop(game.open(&args).map_err(|e| spec_error(&e))),
        Err(e) => spec_error(&e),
    }
    if let Some(time) = param::parse_duration(text) {
        assert_eq!(param::parse_duration(&param::format_duration(time)), Some(time));
    }
    if let Some(clock) = param::parse_clock(text) {
        assert_eq!(param::parse_clock(&param::format_clock(&clock)), Some(clock));
    }
});

/// Both printed forms stand for the same values, and print as themselves.
fn resolves(text: &str, what: &'static str, schemas: &[&'static Schema]) {
    let args = match resolve(text, what, schemas) {
        Ok(args) => args,
        Err(e) => return spec_error(&e),
    };
    let (canonical, full) = (args.canonical(), args.full());
    for printed in [&canonical, &full] {
        let again = resolve(printed, what, schemas).expect("a printed specification resolves");
        assert!(again.same_values(&args), "{printed}");
        assert_eq!(again.full(), full);
    }
    let again = resolve(&canonical, what, schemas).map(|a| a.canonical());
    assert_eq!(again.as_deref(), Ok(canonical.as_str()));
}
