//! Parts whose names depend on the game: read at once, looked up later, errors at their places.

use crate::tables::MAST;
use spielbaum_core::param::{Args, Kind, Param, Preset, Schema, resolve};
use spielbaum_core::spec::SpecError;

static INNER: Schema = Schema {
    name: "inner",
    aliases: &[],
    help: "a part with an open part",
    params: &[&[OPEN]],
    presets: &[],
};

static OUTER: Schema = Schema {
    name: "outer",
    aliases: &[],
    help: "a player",
    params: &[&[OPEN, Param::nested("part", "inner", &[&INNER], "a part")]],
    presets: &[Preset { name: "study", help: "names one", sets: &[("eval", "paper/mast")] }],
};

const OPEN: Param = Param::unset("eval", Kind::Open("evaluation"), "what the game has");

fn read(text: &str) -> Args {
    resolve(text, "player", &[&OUTER]).expect("it is right")
}

/// A game that has one evaluation with parameters, `mast`, and one without, `zero`.
fn completed(args: &Args) -> Result<Args, SpecError> {
    args.completed(&|args, param| {
        let open = args.opt_open(param.name).expect("it has a value");
        match open.names().find(|name| ["mast", "zero"].contains(name)) {
            Some("mast") => open.arguments("mast", Some(&MAST)),
            Some(name) => open.arguments(name, None),
            None => Err(args.error(param.name, "this game has none of them")),
        }
    })
}

#[test]
fn texts_tell_the_values_once_they_are_looked_up() {
    for (text, canonical, full) in [
        ("outer", "outer", "outer:part=inner"),
        ("outer:eval=zero", "outer:eval=zero", "outer:eval=zero,part=inner"),
        ("outer:eval=mast", "outer:eval=mast", "outer:eval=mast(k=16,tau=1),part=inner"),
        (
            "outer( eval = mast( tau = 2.50, k = 16 ) )",
            "outer:eval=mast(tau=2.5)",
            "outer:eval=mast(k=16,tau=2.5),part=inner",
        ),
        ("study", "study", "outer:eval=mast(k=16,tau=1),part=inner"),
        ("outer:eval=none/zero", "outer:eval=none/zero", "outer:eval=none/zero,part=inner"),
        (
            "outer:part=inner(eval=mast(k=3))",
            "outer:part=inner(eval=mast(k=3))",
            "outer:part=inner(eval=mast(k=3,tau=1))",
        ),
    ] {
        let args = completed(&read(text)).unwrap();
        assert_eq!((args.canonical().as_str(), args.full().as_str()), (canonical, full), "{text}");
        // Both texts read back as the same; looking up twice changes nothing.
        assert_eq!(completed(&args).unwrap().full(), full);
        for printed in [canonical, full] {
            assert_eq!(completed(&read(printed)).unwrap().full(), full, "{printed}");
        }
    }
}

#[test]
fn what_was_not_looked_up_is_printed_as_it_was_given() {
    let args = read("outer(eval = mast( k = 7 ))");
    assert_eq!(args.canonical(), "outer:eval=mast(k=7)");
    assert_eq!(read(&args.full()), args);
    assert_ne!(read("outer:eval=mast(k=8)"), args);
}

#[test]
fn errors_stand_at_their_places() {
    for (text, place, problem) in [
        ("outer:eval=mast(k=0)", "0", "parameter `k` of evaluation `mast`: 0 is out of the range"),
        ("outer:eval=mast(q=1)", "q", "unknown parameter `q` of evaluation `mast`"),
        ("outer:eval=zero(k=1)", "k", "unknown parameter `k` of evaluation `zero`"),
        ("outer:part=inner(eval=mast(k=x))", "x", "`x` is not an integer"),
        ("outer:eval=other(k=1)", "other(k=1)", "this game has none of them"),
    ] {
        let error = completed(&read(text)).unwrap_err();
        assert!(error.problem.contains(problem), "{text}: {}", error.problem);
        assert_eq!(&error.text[error.span.clone()], place, "{text}");
    }
    let error = resolve("outer:eval=\"mast\"", "player", &[&OUTER]).unwrap_err();
    assert!(error.problem.contains("a text in quotes is not a name"), "{error}");
}
