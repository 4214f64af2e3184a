//! The minimax family: one player, and its members by name.

use super::EVALUATION;
use crate::alphabeta::{
    AlphaBeta, AlphaBetaConfig, DepthRule, Guess, Method, Order, Parts, Switch,
};
use crate::table::Replace;
use spielbaum_core::param::{Args, BUDGET, Kind, Param, Preset, Schema};
use spielbaum_core::spec::SpecError;
use spielbaum_core::{NamedEval, Player, TwoPlayer};

/// The minimax family.
pub static ALPHABETA: Schema = Schema {
    name: "alphabeta",
    aliases: &["ab"],
    help: "alpha-beta with iterative deepening, for two-player games without chance",
    params: &[
        &[
            Param::unset(
                "eval",
                EVALUATION,
                "evaluation at the horizon; the game's first unless named; a/b is b where there is no a",
            ),
            Param::choice(
                "method",
                "pvs",
                &[
                    ("minimax", "no pruning"),
                    ("alphabeta", "the whole window"),
                    ("pvs", "principal-variation search"),
                    ("mtdf", "MTD(f): a chain of null windows"),
                ],
                "how the window of the search is chosen",
            ),
            Param::choice(
                "guess",
                "previous",
                &[
                    ("previous", "the value of the last depth"),
                    ("parity", "the value of the last depth of the same parity"),
                ],
                "what MTD(f) guesses first",
            ),
            Param::int("step", "1", 1, 100_000, "width of MTD(f)'s windows, in hundredths"),
            Param::unset(
                "aspiration",
                Kind::Int { min: 0, max: 100_000 },
                "half the first window around the last value, in hundredths; 0 for an open one, the default unless selective",
            ),
            Param::choice(
                "order",
                "dynamic",
                &[
                    ("none", "as the game lists its moves"),
                    ("static", "by the evaluation's order alone"),
                    (
                        "dynamic",
                        "the table's move, a win at once, noisy moves, killers, history of cuts",
                    ),
                ],
                "which moves are searched first",
            ),
            Param::flag("killers", "true", "killer moves in the dynamic order"),
            Param::flag("history", "true", "history of cuts in the dynamic order"),
            Param::flag("answers", "true", "selective: learn which move answers which"),
            Param::flag(
                "wins",
                "true",
                "look for a win at once first, in the dynamic order, unless selective",
            ),
            Param::flag("selective-wins", "false", "selective: look for a win at once first"),
            switch(
                "selective",
                "search some lines deeper than others; auto: as the evaluation advises",
            ),
            Param::flag("quiescence", "true", "selective: noisy moves beyond the horizon"),
            Param::flag("null-move", "true", "selective: ask what a pass would be worth"),
            Param::flag("reductions", "true", "selective: less depth for late quiet moves"),
            Param::flag("extensions", "true", "selective: a ply more for moves that give check"),
            Param::flag("futility", "true", "selective: prune near the horizon by the evaluation"),
            Param::flag("exchange", "true", "selective: losing captures last, or not at all"),
            Param::flag("reuse", "true", "begin a depth with the best move of the one before"),
            Param::flag("table", "true", "use a transposition table"),
            Param::int("memory", "16", 1, 1 << 20, "MiB of the table"),
            Param::choice(
                "replace",
                "shallow",
                &[
                    ("shallow", "of four candidates the shallowest, older searches first"),
                    ("always", "the one in the place of the new entry"),
                ],
                "which entry of a full table goes",
            ),
            Param::choice(
                "depth-rule",
                "auto",
                &[
                    ("auto", "exact, at-least in a selective search"),
                    ("exact", "where the entry holds as if it were searched again"),
                    ("equal", "where it has the same depth"),
                    ("at-least", "where it has the same depth or more"),
                ],
                "where an entry of the table is used",
            ),
            Param::flag(
                "narrow",
                "false",
                "bounds of the table narrow the window; not if selective",
            ),
            Param::flag("partial", "true", "use better moves found by an unfinished iteration"),
        ],
        BUDGET,
    ],
    presets: &[
        Preset {
            name: "pvs",
            help: "principal-variation search with everything at its best",
            sets: &[("method", "pvs")],
        },
        Preset {
            name: "mtdf",
            help: "MTD(f) with everything at its best",
            sets: &[("method", "mtdf"), ("guess", "parity")],
        },
        Preset {
            name: "abs",
            help: "the xiangqi paper's alpha-beta: valuable pieces move first, table with bounds, completed depths only",
            sets: &ABS,
        },
        Preset {
            name: "minimax-paper",
            help: "the lion paper's minimax: no pruning, completed depths only",
            sets: &paper("minimax", "false", MATERIAL),
        },
        Preset {
            name: "ab-paper",
            help: "the lion paper's alpha-beta: its move order, no table, completed depths only",
            sets: &paper("alphabeta", "false", MATERIAL),
        },
        Preset {
            name: "abtt-paper",
            help: "the same with a table of 2^20 entries, newest wins, equal depth",
            sets: &paper("alphabeta", "true", MATERIAL),
        },
        Preset {
            name: "mtdf-paper",
            help: "the lion paper's MTD(f) as printed: guess the value of the last depth",
            sets: &mtdf_paper("previous", MATERIAL),
        },
        Preset {
            name: "ab-code",
            help: "ab-paper with the evaluation and move order of the paper's program",
            sets: &paper("alphabeta", "false", CODE),
        },
        Preset {
            name: "abtt-code",
            help: "abtt-paper with the evaluation and move order of the paper's program",
            sets: &paper("alphabeta", "true", CODE),
        },
        Preset {
            name: "mtdf-code",
            help: "MTD(f) as in the paper's program: guesses by parity, its evaluation and order",
            sets: &mtdf_paper("parity", CODE),
        },
    ],
};

/// The paper's evaluation as printed, and as its program has it.
const MATERIAL: &str = "material/default";
const CODE: &str = "material-code/material/default";

const fn switch(name: &'static str, help: &'static str) -> Param {
    const CHOICES: &[(&str, &str)] = &[("auto", "by default"), ("on", "always"), ("off", "never")];
    Param::choice(name, "auto", CHOICES, help)
}

fn switched(args: &Args, name: &str) -> Switch {
    match args.choice(name) {
        "on" => Switch::On,
        "off" => Switch::Off,
        _ => Switch::Auto,
    }
}

type Sets<const N: usize> = [(&'static str, &'static str); N];

/// What the paper's searches have in common. 2^20 entries are 16 MiB.
const fn paper(method: &'static str, table: &'static str, eval: &'static str) -> Sets<10> {
    [
        ("eval", eval),
        ("method", method),
        ("order", "static"),
        ("reuse", "false"),
        ("table", table),
        ("memory", "16"),
        ("replace", "always"),
        ("depth-rule", "equal"),
        ("partial", "false"),
        ("selective", "off"),
    ]
}

/// The xiangqi paper's alpha-beta: 2^22 entries, the newest one stays, usable at its depth and
/// below; moves by the value of the piece that moves and nothing else.
const ABS: Sets<11> = [
    ("eval", "paper/default"),
    ("method", "alphabeta"),
    ("order", "static"),
    ("reuse", "false"),
    ("table", "true"),
    ("memory", "64"),
    ("replace", "always"),
    ("depth-rule", "at-least"),
    ("narrow", "true"),
    ("partial", "false"),
    ("selective", "off"),
];

/// The paper's MTD(f) has a step of 1, which is 100 hundredths.
const fn mtdf_paper(guess: &'static str, eval: &'static str) -> Sets<12> {
    let [a, b, c, d, e, f, g, h, i, j] = paper("mtdf", "true", eval);
    [a, b, c, d, e, f, g, h, i, j, ("guess", guess), ("step", "100")]
}

/// The configuration that a specification describes.
fn config(args: &Args) -> AlphaBetaConfig {
    AlphaBetaConfig {
        method: match args.choice("method") {
            "minimax" => Method::Minimax,
            "alphabeta" => Method::AlphaBeta,
            "mtdf" => Method::Mtdf,
            _ => Method::Pvs,
        },
        guess: match args.choice("guess") {
            "parity" => Guess::Parity,
            _ => Guess::Previous,
        },
        step: args.int("step") as i32,
        aspiration: args.opt_int("aspiration").map(|half| half as i32),
        order: match args.choice("order") {
            "none" => Order::None,
            "static" => Order::Static,
            _ => Order::Dynamic,
        },
        killers: args.flag("killers"),
        history: args.flag("history"),
        answers: args.flag("answers"),
        wins: args.flag("wins"),
        selective_wins: args.flag("selective-wins"),
        selective: switched(args, "selective"),
        parts: Parts {
            quiescence: args.flag("quiescence"),
            null_move: args.flag("null-move"),
            reductions: args.flag("reductions"),
            extensions: args.flag("extensions"),
            futility: args.flag("futility"),
            exchange: args.flag("exchange"),
        },
        reuse: args.flag("reuse"),
        table: args.flag("table"),
        memory: (args.int("memory") as usize) << 20,
        replace: match args.choice("replace") {
            "always" => Replace::Always,
            _ => Replace::Shallow,
        },
        depth_rule: match args.choice("depth-rule") {
            "equal" => DepthRule::Equal,
            "at-least" => DepthRule::AtLeast,
            "exact" => DepthRule::Exact,
            _ => DepthRule::Auto,
        },
        narrow: args.flag("narrow"),
        partial: args.flag("partial"),
    }
}

/// The player that a specification describes.
pub(super) fn build<G: TwoPlayer>(
    args: &Args,
    evals: &'static [NamedEval<G>],
) -> Result<Box<dyn Player<G>>, SpecError> {
    let config = config(args);
    if config.method == Method::Minimax && config.selective == Switch::On {
        return Err(args
            .error("selective", "minimax searches every line to the full depth")
            .help("method=alphabeta, pvs or mtdf can be selective"));
    }
    Ok(Box::new(AlphaBeta::new(&config, super::eval(args, evals)?)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use spielbaum_core::param::resolve;

    /// A specification without options is the default configuration, and every option arrives.
    #[test]
    fn specifications_and_configurations_agree() {
        let read = |text: &str| config(&resolve(text, "player", &[&ALPHABETA]).unwrap());
        assert_eq!(read("alphabeta"), AlphaBetaConfig::default());
        assert_eq!(read("pvs"), AlphaBetaConfig::default());
        let paper = AlphaBetaConfig {
            method: Method::Mtdf,
            guess: Guess::Previous,
            step: 100,
            aspiration: None,
            order: Order::Static,
            selective: Switch::Off,
            reuse: false,
            table: true,
            memory: 16 << 20,
            replace: Replace::Always,
            depth_rule: DepthRule::Equal,
            partial: false,
            ..AlphaBetaConfig::default()
        };
        assert_eq!(read("mtdf-paper"), paper);
        assert_eq!(read("mtdf-code"), AlphaBetaConfig { guess: Guess::Parity, ..paper });
        let ab = AlphaBetaConfig { method: Method::AlphaBeta, step: 1, ..paper };
        assert_eq!(read("abtt-paper"), ab);
        assert_eq!(read("ab-paper"), AlphaBetaConfig { table: false, ..ab });
        let abs = AlphaBetaConfig {
            memory: 64 << 20,
            depth_rule: DepthRule::AtLeast,
            narrow: true,
            ..ab
        };
        assert_eq!(read("abs"), abs);
        assert_eq!(read("pvs:aspiration=30").aspiration, Some(30));
        assert_eq!(read("pvs:order=none").order, Order::None);
        assert_eq!(read("pvs:selective=on").selective, Switch::On);
        for name in ["quiescence", "null-move", "reductions", "extensions", "futility", "exchange"]
        {
            let off = read(&format!("pvs:{name}=false")).parts;
            assert_ne!(off, Parts::ALL, "{name}");
        }
        assert_eq!(read("pvs:depth-rule=at-least").depth_rule, DepthRule::AtLeast);
    }

    /// Minimax leaves nothing out, so it cannot be selective.
    #[test]
    fn minimax_is_never_selective() {
        use spielbaum_core::Registered;
        use spielbaum_games::lion::Lion;
        let built = |text| {
            let args = resolve(text, "player", &[&ALPHABETA]).unwrap();
            build::<Lion>(&args, Lion::EVALS)
        };
        assert!(built("alphabeta:method=minimax").is_ok());
        let refused = built("alphabeta:method=minimax,selective=on").err().unwrap().to_string();
        assert!(refused.contains("every line to the full depth"), "{refused}");
    }
}
