//! What texts mean, and what accessors give.

use crate::tables::{GAMES, LOOKAHEAD, MCTS, PLAYERS, game, player};
use spielbaum_core::param::{BUDGET, Kind, Param, Preset, Schema, check_all, resolve};
use spielbaum_core::{Clock, Limits};
use std::time::Duration;

#[test]
fn every_parameter_has_its_value() {
    let args = player("uct").unwrap();
    assert_eq!((args.name(), args.schema().name), ("uct", "mcts"));
    assert_eq!(args.preset().map(|p| p.name), Some("uct"));
    assert_eq!(args.real("c"), 1.4); // the preset's
    assert_eq!(args.choice("scale"), "signed");
    assert_eq!(args.real("bias"), -0.25); // the schema's
    assert!(!args.flag("solver"));
    assert_eq!(args.nested("playout").name(), "random");
    assert_eq!(args.duration("warmup"), Duration::from_millis(100));
    assert_eq!(args.text("label"), "a, \"b\"");
    assert_eq!(args.opt_text("net"), None);
    assert_eq!(args.opt_int("depth"), None);
    assert!(args.opt_nested("prior").is_none());
    assert_eq!(args.limits(), Limits::default());
    assert_eq!(args.canonical(), "uct");
    assert_eq!(
        args.full(),
        r#"mcts:c=1.4,bias=-0.25,scale=signed,solver=false,playout=random,warmup=100ms,pace=60s+0.5s,label="a, \"b\"""#
    );
}

#[test]
fn what_is_given_wins_over_presets_and_defaults() {
    let args = player("uct:c=0.7,bias=-0.25,solver=yes,time=1.5s,clock=1m+250ms,depth=6").unwrap();
    assert_eq!(args.real("c"), 0.7);
    assert!(args.flag("solver"));
    assert!(args.is_given("c") && args.is_given("bias") && !args.is_given("scale"));
    let clock = Clock { remaining: Duration::from_secs(60), increment: Duration::from_millis(250) };
    assert_eq!(
        args.limits(),
        Limits {
            time: Some(Duration::from_millis(1500)),
            clock: Some(clock),
            depth: Some(6),
            ..Limits::default()
        }
    );
    // 0.7 is the schema's default but not the preset's; -0.25 is no news.
    assert_eq!(args.to_string(), "uct:c=0.7,solver=true,time=1.5s,clock=60s+0.25s,depth=6");
    assert_eq!(format!("{args:>5}"), args.canonical());
    let values: Vec<_> = args.values().filter_map(|(p, v)| Some((p.name, v?))).collect();
    assert_eq!(values[0], ("c", "0.7".to_string()));
    assert_eq!(values.last().unwrap(), &("depth", "6".to_string()));
}

#[test]
fn texts_of_one_meaning_have_one_canonical_text() {
    for (text, canonical) in [
        ("uct", "uct"),
        ("uct()", "uct"),
        (" uct ( c = 1.4 ) ", "uct"),
        ("monte-carlo:c=.50", "mcts:c=0.5"),
        ("mcts:c=1.4,scale=signed", "mcts:c=1.4,scale=signed"),
        ("mcts:depth=4,c=1", "mcts:c=1,depth=4"),
        ("mcts:c=1e3,bias=+1_000.5", "mcts:c=1000,bias=1000.5"),
        ("mcts:c=1e300,bias=-1e-300", "mcts:c=1e300,bias=-1e-300"),
        ("mcts:c=-0", "mcts:c=0"),
        ("mcts:iterations=20k", "mcts:iterations=20000"),
        ("mcts:iterations=20_000,nodes=1.5M", "mcts:iterations=20000,nodes=1500000"),
        ("mcts:nodes=2e6,offset=-3k", "mcts:offset=-3000,nodes=2000000"),
        ("mcts:nodes=1G", "mcts:nodes=1000000000"),
        ("mcts:solver=on", "mcts:solver=true"),
        ("mcts:solver=no", "mcts"),
        ("mcts:time=0.5s", "mcts:time=500ms"),
        ("mcts:time=120s", "mcts:time=2m"),
        ("mcts:time=90s", "mcts:time=90s"),
        ("mcts:time=90m", "mcts:time=90m"),
        ("mcts:time=60m", "mcts:time=1h"),
        ("mcts:time=2min", "mcts:time=2m"),
        ("mcts:time=0.25ms", "mcts:time=250us"),
        ("mcts:time=1.5µs", "mcts:time=1.5us"),
        ("mcts:time=1001ms", "mcts:time=1.001s"),
        ("mcts:clock=1m+500ms", "mcts:clock=60s+0.5s"),
        ("mcts:clock=1h", "mcts:clock=3600s"),
        ("mcts:clock=10s+0s", "mcts:clock=10s"),
        ("mcts:pace=60s+0.5s", "mcts"),
        (r#"mcts:net="best.bin""#, "mcts:net=best.bin"),
        (r#"mcts:net="a, b.bin""#, r#"mcts:net="a, b.bin""#),
        (r#"mcts:net="\"\\""#, r#"mcts:net="\"\\""#),
        (r#"mcts:net="""#, r#"mcts:net="""#),
        (r"mcts:net=C\獅.bin", r"mcts:net=C\獅.bin"),
        ("mcts:playout=random()", "mcts"),
        ("mcts:playout=mast(k=16)", "mcts:playout=mast"),
        ("mcts:playout=mast-cold(tau=1)", "mcts:playout=mast-cold(tau=1)"),
        ("mcts:playout=la(base=la(plies=2))", "mcts:playout=lookahead(base=lookahead(plies=2))"),
        ("mcts:prior=random", "mcts:prior=random"),
        ("hybrid:playout=la(base=mast(k=8),plies=2)", "hybrid"),
        ("hybrid:playout=lookahead", "hybrid:playout=lookahead"),
        ("hybrid:iterations=5", "hybrid:iterations=5"),
        ("ab", "alphabeta"),
        ("root:player=uct", "root"),
        (
            "root:player=root(player=ab(depth=6),workers=4)",
            "root:player=root(workers=4,player=alphabeta(depth=6))",
        ),
    ] {
        let args = player(text).unwrap_or_else(|e| panic!("{e}"));
        assert_eq!(args.canonical(), canonical, "{text}");
        crate::tables::assert_round_trip(&args);
    }
}

#[test]
fn games_are_specified_alike() {
    let args = game("gomoku:m=6,n=6,k=4").unwrap();
    assert_eq!((args.int("m"), args.int("n"), args.int("k")), (6, 6, 4));
    assert_eq!(args.full(), "gomoku:m=6,n=6,k=4");
    assert_eq!(game("tictactoe").unwrap().full(), "gomoku:m=3,n=3,k=3");
    assert_eq!(game("mnk:k=5").unwrap().canonical(), "gomoku");
    assert_eq!(game("2048").unwrap().full(), "2048");
    assert_eq!(game("gomoku").unwrap().limits(), Limits::default());
}

#[test]
fn equality_is_of_names_and_values() {
    let uct = player("uct").unwrap();
    let same = player("mcts:c=1.4,scale=signed").unwrap();
    assert_ne!(uct, same);
    assert!(uct.same_values(&same));
    assert_eq!(uct, player("uct:c=1.40").unwrap());
    assert_ne!(uct, player("uct:depth=1").unwrap());
}

#[test]
fn builders_can_point_at_a_parameter() {
    let args = player("root:player=uct(net=\"no such\",c=2)").unwrap();
    let inner = args.nested("player");
    assert_eq!(
        inner.error("net", "there is no such file").help("train one").to_string(),
        "parameter `net` of player `uct`: there is no such file\n\
         \x20 root:player=uct(net=\"no such\",c=2)\n\
         \x20                     ^^^^^^^^^\n\
         train one"
    );
    // Not given: at the name. Built in: at the name that brought it.
    assert_eq!(&args.nested("player").error("depth", "is needed").span, &(12..15));
    assert_eq!(args.error("workers", "too many").span, 0..4);
    assert_eq!(inner.nested("playout").name_error("is slow").span, 12..15);
}

#[test]
#[should_panic(expected = "`mcts` declares no parameter `depht`")]
fn undeclared_names_are_mistakes_of_the_program() {
    player("uct").unwrap().opt_int("depht");
}

#[test]
#[should_panic(expected = "`c` of `mcts` is a real number, not an integer")]
fn wrong_kinds_are_mistakes_of_the_program() {
    player("uct").unwrap().int("c");
}

#[test]
#[should_panic(expected = "`depth` of `mcts` has no default")]
fn unset_values_must_be_asked_for_as_such() {
    player("uct").unwrap().int("depth");
}

#[test]
fn kinds_have_a_short_text() {
    let kind = |name| MCTS.param(name).unwrap().kind.to_string();
    assert_eq!(kind("c"), "real 0..");
    assert_eq!(kind("bias"), "real");
    assert_eq!(kind("scale"), "unit | signed | observed");
    assert_eq!(kind("solver"), "true | false");
    assert_eq!(kind("playout"), "random | mast(...) | mast-cold(...) | lookahead(...)");
    assert_eq!(kind("time"), "duration");
    assert_eq!(kind("clock"), "clock");
    assert_eq!(kind("net"), "text");
    assert_eq!(kind("offset"), "integer");
    assert_eq!(kind("iterations"), "1..");
    assert_eq!(LOOKAHEAD.param("plies").unwrap().kind.to_string(), "1..6");
    assert_eq!(Kind::Int { min: i64::MIN, max: 3 }.to_string(), "..3");
    assert_eq!(Kind::Real { min: f64::NEG_INFINITY, max: 0.5 }.to_string(), "real ..0.5");
}

#[test]
fn good_tables_pass() {
    assert_eq!(check_all(PLAYERS), Vec::<String>::new());
    assert_eq!(check_all(GAMES), Vec::<String>::new());
}

static BAD: Schema = Schema {
    name: "bad",
    aliases: &["b d", "twin"],
    help: "",
    params: &[
        &[
            Param::int("m", "20", 1, 19, "columns"),
            Param::int("n", "5", 6, 5, "rows"),
            Param::real("x", "fast", 0.0, f64::NAN, "speed"),
            Param::choice("way", "up", &[("down", ""), ("down", "")], "way"),
            Param::text("file", "", "an empty text is written with quotes"),
            Param::nested("loop", "bad", BADS, "bad within bad within bad"),
            Param::duration("depth", "2", ""),
        ],
        BUDGET,
    ],
    presets: &[Preset { name: "twin", help: "", sets: &[("q", "1"), ("m", "3"), ("m", "x")] }],
};
static BADS: &[&Schema] = &[&BAD];

#[test]
fn bad_tables_are_told() {
    let problems = check_all(BADS);
    assert_eq!(problems.iter().filter(|p| *p == "name `twin` occurs twice").count(), 1);
    for expected in [
        "name `twin` occurs twice",
        "bad: name `twin` occurs twice",
        "bad: `b d` cannot be written as a name",
        "bad: parameter `depth` occurs twice",
        "bad: has no help",
        "bad: default m=20: parameter `m` of `bad`: 20 is out of the range 1..19",
        "bad: the range of `n` is empty",
        "bad: the range of `x` is empty",
        "bad: default x=fast: parameter `x` of `bad`: `fast` is not a number",
        "bad: choice of `way`: `down` occurs twice",
        "bad: default way=up: parameter `way` of `bad`: there is no `up`",
        "bad: default file=: the value is empty",
        "bad: parameter `depth` has no help",
        "bad: default depth=2: parameter `depth` of `bad`: `2` has no unit of time",
        "bad: preset `twin` has no help",
        "bad: preset `twin` sets the unknown `q`",
        "bad: key of preset `twin`: `m` occurs twice",
        "bad: preset `twin`, m=x: parameter `m` of `bad`: `x` is not an integer",
    ] {
        assert!(problems.iter().any(|p| p == expected), "{expected}\nnot in {problems:#?}");
    }
}

static ENDLESS: Schema = Schema {
    name: "endless",
    aliases: &[],
    help: "a default that contains itself",
    params: &[&[Param::nested("next", "endless", &[&ENDLESS], "itself")]],
    presets: &[],
};

#[test]
fn endless_defaults_are_an_error_and_end() {
    assert_eq!(ENDLESS.check(), ["endless: default next=endless: nested more than 32 levels deep"]);
    assert!(resolve("endless", "player", &[&ENDLESS]).is_err());
}
