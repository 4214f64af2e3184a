//! What users are told: the problem, the place, the help.

use crate::tables::{game, player};

/// The marked part, the problem, and what the help contains.
const PLAYERS: &[(&str, &str, &str, &str)] = &[
    // Names and keys.
    ("", "", "no player is given", "choose from: random, mcts, uct, hybrid, alphabeta, root"),
    ("utc:c=1", "utc", "unknown player `utc`", "did you mean `uct`? choose from: random, mcts"),
    ("UCT", "UCT", "unknown player `UCT`", "did you mean `uct`?"),
    ("uct:kk=1", "kk", "unknown parameter `kk` of player `uct`", "parameters: c, bias, scale"),
    ("uct:C=1", "C", "unknown parameter `C` of player `uct`", "did you mean `c`?"),
    (
        "uct:k=16",
        "k",
        "unknown parameter `k` of player `uct`",
        "`k` belongs to `mast`: `playout=mast(k=…)`; parameters: c, bias",
    ),
    ("random:c=1", "c", "unknown parameter `c` of player `random`", "`random` has no parameters"),
    ("uct:c=1,c=2", "c", "parameter `c` of player `uct` is given twice", "before it was `c=1`"),
    (
        "uct:playout=mats",
        "mats",
        "unknown playout `mats`",
        "did you mean `mast`? choose from: random",
    ),
    ("uct:playout=mast(x=1)", "x", "unknown parameter `x` of playout `mast`", "parameters: k, tau"),
    // Values.
    ("uct:c", "c", "parameter `c` has no value", "write `c=VALUE`"),
    ("uct:c=", "c", "parameter `c` has no value", "write `c=VALUE`"),
    ("uct:c=,depth=1", "c", "parameter `c` has no value", "write `c=VALUE`"),
    (
        "uct:c=abc",
        "abc",
        "parameter `c` of player `uct`: `abc` is not a number",
        "`c` (exploration) is a number, 0 or more",
    ),
    ("uct:c=inf", "inf", "parameter `c` of player `uct`: `inf` is not a number", "0 or more"),
    ("uct:c=1e999", "1e999", "parameter `c` of player `uct`: `1e999` is too large", "0 or more"),
    ("uct:c=-1", "-1", "parameter `c` of player `uct`: -1 is out of the range 0..", "0 or more"),
    (
        "uct:depth=2.5",
        "2.5",
        "parameter `depth` of player `uct`: `2.5` is not an integer",
        "an integer from 1 to",
    ),
    (
        "uct:nodes=0",
        "0",
        "parameter `nodes` of player `uct`: 0 is out of the range 1..",
        "an integer, 1 or more",
    ),
    ("uct:nodes=1__0", "1__0", "parameter `nodes` of player `uct`: `1__0` is not an integer", ""),
    (
        "uct:nodes=1m",
        "1m",
        "parameter `nodes` of player `uct`: `1m` is not an integer",
        "a million is written `1M`",
    ),
    (
        "uct:nodes=9999999999999999999",
        "9999999999999999999",
        "parameter `nodes` of player `uct`: `9999999999999999999` is too large",
        "",
    ),
    (
        "uct:scale=sined",
        "sined",
        "parameter `scale` of player `uct`: there is no `sined`",
        "did you mean `signed`? choose from: unit, signed, observed",
    ),
    (
        "uct:solver=maybe",
        "maybe",
        "parameter `solver` of player `uct`: `maybe` is not true or false",
        "",
    ),
    (
        "uct:playout=mast(k=0)",
        "0",
        "parameter `k` of playout `mast`: 0 is out of the range 1..1000",
        "`k` (prior visits) is an integer from 1 to 1000",
    ),
    (
        "uct:c=\"1\"",
        "\"1\"",
        "parameter `c` of player `uct`: a text in quotes is not a real number",
        "leave out the quotes",
    ),
    (
        "uct:playout=\"mast\"",
        "\"mast\"",
        "parameter `playout` of player `uct`: a text in quotes is not a nested specification",
        "leave out the quotes",
    ),
    (
        "uct:c=mast(k=1)",
        "mast(k=1)",
        "parameter `c` of player `uct`: `mast(…)` is not a real number",
        "",
    ),
    (
        "uct:net=a(b=1)",
        "a(b=1)",
        "parameter `net` of player `uct`: `a(…)` is not a text",
        "in quotes",
    ),
    // Times.
    (
        "uct:time=2",
        "2",
        "parameter `time` of player `uct`: `2` has no unit of time",
        "write `2s` for seconds",
    ),
    (
        "uct:clock=60+1s",
        "60+1s",
        "parameter `clock` of player `uct`: `60+1s` has no unit of time",
        "write `60s",
    ),
    (
        "uct:time=0s",
        "0s",
        "parameter `time` of player `uct`: `0s` is not a positive time",
        "a duration such as 2s",
    ),
    ("uct:time=-2s", "-2s", "parameter `time` of player `uct`: `-2s` is not a positive time", ""),
    (
        "uct:clock=0s+1s",
        "0s+1s",
        "parameter `clock` of player `uct`: `0s+1s` is not a positive time",
        "a clock such as 60s+0.5s",
    ),
    ("uct:time=2x", "2x", "parameter `time` of player `uct`: `2x` is not a duration", ""),
    (
        "uct:time=9000h",
        "9000h",
        "parameter `time` of player `uct`: `9000h` is longer than a year",
        "",
    ),
    (
        "uct:time=0.1ns",
        "0.1ns",
        "parameter `time` of player `uct`: `0.1ns` is finer than a nanosecond",
        "",
    ),
    // The grammar.
    ("uct:playout=mast(k=1", "(", "the parenthesis is never closed", "`)`"),
    ("uct:playout=mast(", "(", "the parenthesis is never closed", "`)`"),
    ("uct(c=1", "(", "the parenthesis is never closed", "`)`"),
    ("uct:c=1)", ")", "the parenthesis was never opened", ""),
    ("uct(c=1)x", "x", "unexpected `x`", "has ended before this"),
    ("uct:", "", "a parameter is missing here", "`KEY=VALUE`"),
    ("uct:c=1,", "", "a parameter is missing here", "`KEY=VALUE`"),
    ("uct:,c=1", ",", "a parameter is missing here", "`KEY=VALUE`"),
    ("uct:net=\"abc", "\"abc", "the quoted text is never closed", "close it with `\"`"),
    ("uct:net=\"abc\\\"", "\"abc\\\"", "the quoted text is never closed", "close it with `\"`"),
    ("uct:net=\"a\\nb\"", "\\n", "unknown escape in a quoted text", "`\\\\` for a backslash"),
    ("uct:c=[1,2]", "[1,2]", "a list is not allowed here: give one value", ""),
    ("[uct,ab]", "[uct,ab]", "a list is not allowed here: give one value", ""),
    ("uct:playout=mast:k=1", ":", "unexpected `:`", "`mast(KEY=VALUE)`"),
    ("c=0.9", "c", "a parameter stands where a name should be", "`NAME:c=…`"),
    ("uct c=0.9", "c", "unexpected `c`", "`uct:KEY=VALUE,…`"),
    ("uct:c=1;depth=2", ";", "unexpected `;`", "parameters are separated by commas"),
    ("uct:c=1 depth=2", "depth", "unexpected `depth`", "parameters are separated by commas"),
    ("uct:c==1", "=", "unexpected `=`", "a value is expected"),
    ("uct:mast(k=1)", "(", "unexpected `(`", "`KEY=mast(…)`"),
    ("\"uct\"", "\"", "unexpected `\"`", "not written in quotes"),
];

#[test]
fn errors_say_what_where_and_how_to_mend_it() {
    for &(text, marked, problem, help) in PLAYERS {
        let Err(error) = player(text) else { panic!("{text} is accepted") };
        assert_eq!(error.problem, problem, "{text}");
        assert_eq!(&text[error.span.clone()], marked, "{error}");
        assert!(error.help.clone().unwrap_or_default().contains(help), "{error}");
    }
}

#[test]
fn an_error_takes_a_few_lines() {
    assert_eq!(
        game("gomoku:m=25,n=6").unwrap_err().to_string(),
        "parameter `m` of game `gomoku`: 25 is out of the range 1..19\n\
         \x20 gomoku:m=25,n=6\n\
         \x20          ^^\n\
         `m` (columns) is an integer from 1 to 19"
    );
    assert_eq!(
        game("gomoku:15,15,5").unwrap_err().to_string(),
        "parameter `15` has no value\n\
         \x20 gomoku:15,15,5\n\
         \x20        ^^\n\
         a value comes with the name of its parameter: `KEY=15`"
    );
    assert_eq!(
        game("").unwrap_err().to_string(),
        "no game is given\nchoose from: gomoku, tictactoe, 2048"
    );
    assert_eq!(
        game("2084").unwrap_err().to_string(),
        "unknown game `2084`\n  2084\n  ^^^^\n\
         did you mean `2048`? choose from: gomoku, tictactoe, 2048"
    );
}

/// The second and third line: the text and the carets.
fn picture(text: &str) -> (String, String) {
    let Err(error) = player(text) else { panic!("{text} is accepted") };
    let shown = error.to_string();
    let lines: Vec<&str> = shown.lines().collect();
    (lines[1].to_string(), lines[2].to_string())
}

#[test]
fn carets_stand_under_the_place() {
    // Two columns for each of the wide characters, none for a combining accent.
    let wide = picture("uct:net=獅子,cc=1");
    assert_eq!(wide, ("  uct:net=獅子,cc=1".into(), "               ^^".into()));
    assert_eq!(picture("uct:獅子=1").1, "      ^^^^");
    assert_eq!(picture("uct:net=e\u{301}ü,cc=1").1, "             ^^");
    // What would break the line or turn its direction is replaced.
    let odd = picture("uct:net=\"\n\t\u{202e}\u{0}\",cc=1");
    assert_eq!(odd, ("  uct:net=\"  \u{fffd}\u{fffd}\",cc=1".into(), "                 ^^".into()));
}

#[test]
fn long_texts_are_cut_around_the_place() {
    let long = "a".repeat(500);
    let (line, carets) = picture(&format!("uct:net={long},itrations=5,label={long}"));
    assert!(line.starts_with("  …aaa") && line.ends_with("aaa…") && line.chars().count() <= 80);
    let at = line.chars().position(|c| c == ',').unwrap() + 1;
    assert_eq!(carets, format!("{}^^^^^^^^^", " ".repeat(at)));
    // At both ends.
    let (line, carets) = picture(&format!("uct:itrations=5,label={long}"));
    assert!(line.starts_with("  uct:itrations=5,label=aaa") && line.ends_with('…'));
    assert_eq!(carets, "      ^^^^^^^^^");
    let (line, carets) = picture(&format!("uct:net={long},itrations=5"));
    assert!(line.starts_with("  …aaa") && line.ends_with(",itrations=5"));
    assert_eq!(carets.len(), line.chars().count() - 2);
    // A place longer than the line.
    let (line, carets) = picture(&format!("uct:{long}=5"));
    assert!(line.chars().count() <= 80 && carets.len() < line.chars().count());
}
