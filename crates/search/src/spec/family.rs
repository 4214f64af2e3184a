//! The minimax family: one player, and its members by name.

use super::EVALUATION;
use crate::alphabeta::{AlphaBeta, AlphaBetaConfig, DepthRule, Guess, Method, Order};
use crate::table::Replace;
use spielbaum_core::param::{Args, BUDGET, Param, Preset, Schema};
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
            Param::int(
                "aspiration",
                "0",
                0,
                100_000,
                "half the first window around the last value, in hundredths; 0 for an open one",
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
                "exact",
                &[
                    ("exact", "where the entry holds as if it were searched again"),
                    ("equal", "where it has the same depth"),
                    ("at-least", "where it has the same depth or more"),
                ],
                "where an entry of the table is used",
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

type Sets<const N: usize> = [(&'static str, &'static str); N];

/// What the paper's searches have in common. 2^20 entries are 16 MiB.
const fn paper(method: &'static str, table: &'static str, eval: &'static str) -> Sets<9> {
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
    ]
}

/// The paper's MTD(f) has a step of 1, which is 100 hundredths.
const fn mtdf_paper(guess: &'static str, eval: &'static str) -> Sets<11> {
    let [a, b, c, d, e, f, g, h, i] = paper("mtdf", "true", eval);
    [a, b, c, d, e, f, g, h, i, ("guess", guess), ("step", "100")]
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
        aspiration: args.int("aspiration") as i32,
        order: match args.choice("order") {
            "none" => Order::None,
            "static" => Order::Static,
            _ => Order::Dynamic,
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
            _ => DepthRule::Exact,
        },
        partial: args.flag("partial"),
    }
}

/// The player that a specification describes.
pub(super) fn build<G: TwoPlayer>(
    args: &Args,
    evals: &'static [NamedEval<G>],
) -> Result<Box<dyn Player<G>>, SpecError> {
    Ok(Box::new(AlphaBeta::new(&config(args), super::eval(args, evals)?)))
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
            aspiration: 0,
            order: Order::Static,
            reuse: false,
            table: true,
            memory: 16 << 20,
            replace: Replace::Always,
            depth_rule: DepthRule::Equal,
            partial: false,
        };
        assert_eq!(read("mtdf-paper"), paper);
        assert_eq!(read("mtdf-code"), AlphaBetaConfig { guess: Guess::Parity, ..paper });
        let ab = AlphaBetaConfig { method: Method::AlphaBeta, step: 1, ..paper };
        assert_eq!(read("abtt-paper"), ab);
        assert_eq!(read("ab-paper"), AlphaBetaConfig { table: false, ..ab });
        assert_eq!(read("pvs:aspiration=30").aspiration, 30);
        assert_eq!(read("pvs:order=none").order, Order::None);
        assert_eq!(read("pvs:depth-rule=at-least").depth_rule, DepthRule::AtLeast);
    }
}
