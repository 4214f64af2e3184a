//! Tables with every kind of parameter, nested in each other in a cycle.

use spielbaum_core::param::{Args, BUDGET, Kind, Param, Preset, Schema, resolve};
use spielbaum_core::spec::SpecError;

pub(crate) static RANDOM: Schema = Schema::plain("random", "uniformly random moves");

pub(crate) static MAST: Schema = Schema {
    name: "mast",
    aliases: &[],
    help: "moves that did well elsewhere",
    params: &[&[
        Param::int("k", "16", 1, 1000, "prior visits"),
        Param::real("tau", "1", 1e-300, 1e300, "temperature"),
    ]],
    presets: &[Preset { name: "mast-cold", help: "nearly greedy", sets: &[("tau", "1e-9")] }],
};

pub(crate) static LOOKAHEAD: Schema = Schema {
    name: "lookahead",
    aliases: &["la"],
    help: "a shallow search around a policy",
    params: &[&[
        Param::int("plies", "1", 1, 6, "plies searched"),
        Param::nested("base", "random", PLAYOUTS, "the policy inside"),
    ]],
    presets: &[],
};

pub(crate) static PLAYOUTS: &[&Schema] = &[&RANDOM, &MAST, &LOOKAHEAD];

const SCALES: &[(&str, &str)] =
    &[("unit", "between 0 and 1"), ("signed", "between -1 and 1"), ("observed", "as seen")];

pub(crate) static MCTS: Schema = Schema {
    name: "mcts",
    aliases: &["monte-carlo"],
    help: "Monte-Carlo tree search",
    params: &[
        &[
            Param::real("c", "0.7", 0.0, f64::INFINITY, "exploration"),
            Param::real("bias", "-0.25", f64::NEG_INFINITY, f64::INFINITY, "added to values"),
            Param::choice("scale", "unit", SCALES, "scale of values"),
            Param::flag("solver", "off", "propagate proofs"),
            Param::nested("playout", "random", PLAYOUTS, "how games are finished"),
            Param::duration("warmup", "100ms", "time before the first report"),
            Param::clock("pace", "60s+0.5s", "a clock to pretend"),
            Param::text("label", r#""a, \"b\"""#, "a label"),
            Param::unset("net", Kind::Text, "a network"),
            Param::unset("eval", Kind::Open("evaluation"), "an evaluation of the game"),
            Param::unset("offset", Kind::Int { min: i64::MIN, max: i64::MAX }, "any integer"),
            Param::unset("prior", Kind::Nested(PLAYOUTS), "a second policy"),
        ],
        BUDGET,
    ],
    presets: &[
        Preset { name: "uct", help: "as published", sets: &[("c", "1.4"), ("scale", "signed")] },
        Preset {
            name: "hybrid",
            help: "playouts with a search inside",
            sets: &[("playout", "lookahead(plies=2,base=mast(k=8))"), ("iterations", "20k")],
        },
    ],
};

pub(crate) static ALPHABETA: Schema = Schema {
    name: "alphabeta",
    aliases: &["ab"],
    help: "depth-first search",
    params: &[&[Param::int("table", "20", 0, 40, "log2 of the entries")], BUDGET],
    presets: &[],
};

pub(crate) static ROOT: Schema = Schema {
    name: "root",
    aliases: &[],
    help: "several players at once",
    params: &[&[
        Param::int("workers", "2", 1, 256, "threads"),
        Param::nested("player", "uct", PLAYERS, "what each worker plays"),
    ]],
    presets: &[],
};

pub(crate) static PLAYERS: &[&Schema] = &[&RANDOM, &MCTS, &ALPHABETA, &ROOT];

pub(crate) static GOMOKU: Schema = Schema {
    name: "gomoku",
    aliases: &["mnk"],
    help: "k in a row",
    params: &[&[
        Param::int("m", "15", 1, 19, "columns"),
        Param::int("n", "15", 1, 19, "rows"),
        Param::int("k", "5", 1, 19, "stones in a row"),
    ]],
    presets: &[Preset {
        name: "tictactoe",
        help: "the small one",
        sets: &[("m", "3"), ("n", "3"), ("k", "3")],
    }],
};

pub(crate) static G2048: Schema = Schema::plain("2048", "slide and merge");

pub(crate) static GAMES: &[&Schema] = &[&GOMOKU, &G2048];

pub(crate) fn player(text: &str) -> Result<Args, SpecError> {
    resolve(text, "player", PLAYERS)
}

pub(crate) fn game(text: &str) -> Result<Args, SpecError> {
    resolve(text, "game", GAMES)
}

/// All values are equal, asked one by one.
pub(crate) fn assert_same_values(a: &Args, b: &Args) {
    assert_eq!(a.schema().name, b.schema().name);
    for Param { name, kind, .. } in a.schema().all_params() {
        match kind {
            Kind::Int { .. } => assert_eq!(a.opt_int(name), b.opt_int(name)),
            Kind::Real { .. } => {
                assert_eq!(a.opt_real(name).map(f64::to_bits), b.opt_real(name).map(f64::to_bits));
            }
            Kind::Bool => assert_eq!(a.opt_flag(name), b.opt_flag(name)),
            Kind::Choice(_) => assert_eq!(a.opt_choice(name), b.opt_choice(name)),
            Kind::Duration => assert_eq!(a.opt_duration(name), b.opt_duration(name)),
            Kind::Clock => assert_eq!(a.opt_clock(name), b.opt_clock(name)),
            Kind::Text => assert_eq!(a.opt_text(name), b.opt_text(name)),
            Kind::Open(_) => assert_eq!(a.opt_open(name), b.opt_open(name)),
            Kind::Nested(_) => match (a.opt_nested(name), b.opt_nested(name)) {
                (Some(a), Some(b)) => assert_same_values(a, b),
                (a, b) => assert_eq!(a.is_some(), b.is_some()),
            },
        }
    }
}

/// Every text that is printed reads back as the same arguments.
pub(crate) fn assert_round_trip(args: &Args) {
    let short = player(&args.canonical()).unwrap_or_else(|e| panic!("{e}"));
    assert_eq!(&short, args, "{args}");
    assert_same_values(&short, args);
    assert_eq!(short.canonical(), args.canonical());
    let full = player(&args.full()).unwrap_or_else(|e| panic!("{e}"));
    assert_same_values(&full, args);
    assert!(full.same_values(args));
    assert_eq!(full.full(), args.full());
    assert_eq!(args.limits(), full.limits());
}
