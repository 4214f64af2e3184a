//! Expectimax: one player, and its members by name.

use super::EVALUATION;
use crate::expectimax::{Expectimax, ExpectimaxConfig, Keep, Plies, Prune, TableRule};
use spielbaum_core::param::{Args, BUDGET, Kind, Param, Preset, Schema};
use spielbaum_core::spec::SpecError;
use spielbaum_core::{Game, NamedEval, Player};

/// The expectimax family.
pub static EXPECTIMAX: Schema = Schema {
    name: "expectimax",
    aliases: &[],
    help: "the best expectation over the outcomes of chance, with table and cut-off",
    params: &[
        &[
            Param::unset(
                "eval",
                EVALUATION,
                "evaluation at the horizon; the game's first unless named; a/b is b where there is no a",
            ),
            Param::choice(
                "plies",
                "all",
                &[
                    ("all", "depth 1 is the root move"),
                    ("below", "depth 1 is the ply after the root move, as the 2048 study counts"),
                    ("moves", "each after the first adds an outcome of chance and a move"),
                ],
                "which plies the depth counts, those of chance among them",
            ),
            Param::flag("table", "true", "use a table of chance nodes"),
            Param::choice(
                "table-rule",
                "stored",
                &[
                    ("exact", "entries of the same depth, or with nothing left to search"),
                    ("stored", "entries of the same depth or more"),
                    ("literal", "entries of the same depth or less: the 2048 study's listing"),
                ],
                "which entries of the table are used",
            ),
            Param::choice(
                "keep",
                "game",
                &[("game", "for the whole game"), ("move", "for a move")],
                "how long the table lives; with table-rule=literal no longer than a depth",
            ),
            Param::int(
                "memory",
                "64",
                1,
                1 << 20,
                "MiB of the table; what a cache of the processor holds is found sooner",
            ),
            Param::real(
                "cutoff",
                "0",
                0.0,
                1.0,
                "evaluate what is reached with a smaller probability; 0 for nothing",
            ),
            Param::flag("adaptive", "false", "search no deeper than the evaluation suggests"),
            Param::flag(
                "deepening",
                "true",
                "depth after depth, not the greatest at once; always so where time or nodes are limited",
            ),
            Param::int("step", "1", 1, 64, "plies from one depth to the next"),
            Param::unset(
                "prune",
                Kind::Choice(&[
                    ("none", "nothing is left out"),
                    ("star1", "by the bounds of the evaluation (Ballard 1983)"),
                    ("star2", "by probing each outcome first, too"),
                    ("auto", "star2 if the evaluation has bounds, else none"),
                ]),
                "what is left out because it cannot matter; none unless given",
            ),
            Param::unset(
                "probes",
                Kind::Int { min: 1, max: 1000 },
                "moves that star2 probes after each outcome, 1 unless given; with more it is star2.5",
            ),
        ],
        BUDGET,
    ],
    presets: &[
        Preset {
            name: "expectimax-paper",
            help: "the 2048 study's: its evaluation and count of plies, one depth, a table for the game",
            sets: &[
                ("eval", "paper/default"),
                ("plies", "below"),
                ("memory", "1024"),
                ("deepening", "false"),
            ],
        },
        Preset {
            name: "expectimax-listing",
            help: "the same with the table's test as the study's listing has it: its figures fit this",
            sets: &[
                ("eval", "paper/default"),
                ("plies", "below"),
                ("table-rule", "literal"),
                ("memory", "1024"),
                ("deepening", "false"),
            ],
        },
        Preset {
            name: "expectimax-cut",
            help: "cut-off at 1 in 10000, depth as the evaluation suggests, leaves of one kind",
            sets: &[("cutoff", "0.0001"), ("adaptive", "true"), ("step", "2")],
        },
        Preset {
            name: "2048-best",
            help: "a player of 2048 that has learned nothing: cut-off at 2 in 1000, thirteen plies, which only \
                   boards with few empty cells come to, and a table that the cache of a processor holds",
            sets: &[
                ("cutoff", "0.002"),
                ("deepening", "false"),
                ("step", "2"),
                ("depth", "13"),
                ("memory", "1"),
            ],
        },
        Preset {
            name: "carcassonne-best",
            help: "a strong player of Carcassonne: Star2.5 with the evaluation `outlook`, leaves of one kind; \
                   it does not know the tiles to come",
            sets: &[("eval", "outlook/default"), ("step", "2"), ("prune", "auto"), ("probes", "3")],
        },
    ],
};

/// The configuration that a specification describes.
fn config(args: &Args) -> ExpectimaxConfig {
    ExpectimaxConfig {
        plies: match args.choice("plies") {
            "below" => Plies::Below,
            "moves" => Plies::Moves,
            _ => Plies::All,
        },
        table: args.flag("table"),
        table_rule: match args.choice("table-rule") {
            "exact" => TableRule::Exact,
            "literal" => TableRule::Literal,
            _ => TableRule::Stored,
        },
        keep: match args.choice("keep") {
            "move" => Keep::Move,
            _ => Keep::Game,
        },
        memory: (args.int("memory") as usize) << 20,
        cutoff: args.real("cutoff") as f32,
        adaptive: args.flag("adaptive"),
        default_depth: None,
        deepening: args.flag("deepening"),
        step: args.int("step") as u32,
        prune: match args.opt_choice("prune") {
            Some("star1") => Prune::Star1,
            Some("star2" | "auto") => {
                Prune::Star2 { probes: args.opt_int("probes").unwrap_or(1) as u32 }
            }
            _ => Prune::None,
        },
    }
}

/// The player that a specification describes.
pub(super) fn build<G: Game>(
    args: &Args,
    evals: &'static [NamedEval<G>],
) -> Result<Box<dyn Player<G>>, SpecError> {
    let (mut config, eval) = (config(args), super::eval(args, evals)?);
    if args.opt_choice("prune") == Some("auto") && eval.range().is_none() {
        config.prune = Prune::None;
    }
    if config.prune != Prune::None && eval.range().is_none() {
        return Err(args
            .error("prune", "the evaluation does not say between which values it lies")
            .help("another evaluation, or prune=none"));
    }
    Ok(Box::new(Expectimax::new(&config, eval)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use spielbaum_core::param::resolve;

    /// A specification without options is the default configuration, and every option arrives.
    #[test]
    fn specifications_and_configurations_agree() {
        let read = |text: &str| config(&resolve(text, "player", &[&EXPECTIMAX]).unwrap());
        let plain = ExpectimaxConfig::default();
        assert_eq!(read("expectimax"), plain);
        let paper =
            ExpectimaxConfig { plies: Plies::Below, memory: 1 << 30, deepening: false, ..plain };
        assert_eq!(read("expectimax-paper"), paper);
        let literal = ExpectimaxConfig { table_rule: TableRule::Literal, ..paper };
        assert_eq!(read("expectimax-listing"), literal);
        let literal = ExpectimaxConfig { keep: Keep::Move, ..literal };
        assert_eq!(read("expectimax-paper:table-rule=literal,keep=move"), literal);
        let bare = ExpectimaxConfig { table: false, table_rule: TableRule::Exact, ..paper };
        assert_eq!(read("expectimax-paper:table=false,table-rule=exact"), bare);
        let cut = ExpectimaxConfig { cutoff: 1e-4, adaptive: true, step: 2, ..plain };
        assert_eq!(read("expectimax-cut"), cut);
        let best = ExpectimaxConfig { cutoff: 2e-3, step: 2, memory: 1 << 20, ..plain };
        let best = ExpectimaxConfig { deepening: false, ..best };
        assert_eq!(read("2048-best"), best);
        let args = resolve("2048-best", "player", &[&EXPECTIMAX]).unwrap();
        assert_eq!(args.opt_int("depth"), Some(13));
        let star = ExpectimaxConfig { prune: Prune::Star2 { probes: 3 }, ..plain };
        assert_eq!(read("expectimax:prune=star2,probes=3"), star);
        assert_eq!(read("carcassonne-best"), ExpectimaxConfig { step: 2, ..star });
        let star = ExpectimaxConfig { prune: Prune::Star2 { probes: 1 }, ..plain };
        assert_eq!(read("expectimax:prune=star2"), star);
        let star = ExpectimaxConfig { prune: Prune::Star1, ..plain };
        assert_eq!(read("expectimax:prune=star1"), star);
    }
}
