//! The parameters of playouts that learn, and the xiangqi paper's players.

use super::mcts::CUTOFF;
use super::reward;
use crate::adaptive::{Adaptive, AdaptiveConfig, Draws, Learning, Subtract};
use crate::leaf::Leaf;
use crate::trace::Coding;
use spielbaum_core::Game;
use spielbaum_core::param::{Args, Param, Preset, Schema};

/// A step of learning, whatever its default.
const fn alpha(default: &'static str) -> Param {
    Param::real("alpha", default, 1e-9, 1e6, "size of a step of learning")
}

const fn penalty(default: &'static str) -> Param {
    Param::real("p", default, 1e-6, 1e12, "moves of others than winners lose alpha / p")
}

const SUBTRACT: Param = Param::choice(
    "subtract",
    "both",
    &[
        ("both", "at everybody's decisions, as printed"),
        ("winner-only", "at winners' decisions: near PPA for large p"),
    ],
    "where alpha times its probability is subtracted from every legal move",
);

const DRAWS: Param = Param::choice(
    "draws",
    "literal",
    &[("literal", "nobody has won, as printed"), ("skip", "nothing")],
    "what is learned from a playout without a winner",
);

const WARM: Param =
    Param::flag("warm", "false", "keep what was learned for the next move of the game");

const K: Param = Param::real("k", "16", 0.0, 1e6, "factor of the share of wins in the exponent");

const UNTRIED: Param =
    Param::real("untried", "0", 0.0, 1.0, "share of wins of a move never played, 0 as printed");

pub(super) static PPA: Schema = Schema {
    name: "ppa",
    aliases: &[],
    help: "playout policy adaptation: towards the moves of winners (Cazenave 2016)",
    params: &[&[alpha("1"), WARM, CUTOFF]],
    presets: &[],
};

pub(super) static PPAP: Schema = Schema {
    name: "ppap",
    aliases: &[],
    help: "ppa with penalties for the moves of losers",
    params: &[&[alpha("0.04"), penalty("1"), SUBTRACT, DRAWS, WARM, CUTOFF]],
    presets: &[],
};

pub(super) static PPAF: Schema = Schema {
    name: "ppaf",
    aliases: &[],
    help: "ppa with the game's features of moves",
    params: &[&[alpha("1"), WARM, CUTOFF]],
    presets: &[],
};

pub(super) static PPAFP: Schema = Schema {
    name: "ppafp",
    aliases: &[],
    help: "ppap with the game's features of moves",
    params: &[&[alpha("0.32"), penalty("2"), SUBTRACT, DRAWS, WARM, CUTOFF]],
    presets: &[],
};

pub(super) static MAST: Schema = Schema {
    name: "mast",
    aliases: &[],
    help: "moves by their share of won playouts (Finnsson and Björnsson 2008)",
    params: &[&[K, UNTRIED, DRAWS, WARM, CUTOFF]],
    presets: &[],
};

pub(super) static MASTF: Schema = Schema {
    name: "mastf",
    aliases: &[],
    help: "mast with the game's features of moves",
    params: &[&[K, UNTRIED, DRAWS, WARM, CUTOFF]],
    presets: &[],
};

/// A learning playout; `None` if it is of another kind.
pub(super) fn playout<G: Game>(args: &Args) -> Option<Box<dyn Leaf<G>>> {
    let playout = args.nested("playout");
    let name = playout.schema().name;
    let learning = match name {
        "ppa" | "ppaf" => Learning::Ppa { alpha: playout.real("alpha") },
        "ppap" | "ppafp" => Learning::Ppap {
            alpha: playout.real("alpha"),
            p: playout.real("p"),
            subtract: match playout.choice("subtract") {
                "winner-only" => Subtract::WinnerOnly,
                _ => Subtract::Both,
            },
        },
        "mast" | "mastf" => {
            Learning::Mast { k: playout.real("k"), untried: playout.real("untried") }
        }
        _ => return None,
    };
    let config = AdaptiveConfig {
        learning,
        coding: match name {
            "ppaf" | "ppafp" | "mastf" => Coding::Pattern,
            _ => Coding::Code,
        },
        // PPA learns from winners alone.
        draws: match learning {
            Learning::Ppa { .. } => Draws::Literal,
            _ if playout.choice("draws") == "skip" => Draws::Skip,
            _ => Draws::Literal,
        },
        warm: playout.flag("warm"),
        reward: reward(args),
        cutoff: playout.opt_int("cutoff").map(|n| n as u32),
    };
    Some(Box::new(Adaptive::new(config)))
}

/// The xiangqi paper's players: payoffs from 0 to 1 with draws half, moves first tried as the
/// game lists them, playouts of at most 200 moves, the most visited move, a graph that is kept for the
/// whole game while the policy is new for every move, and the parameters that the paper has found
/// best.
pub(super) const UCT_XIANGQI: Preset = Preset {
    name: "uct-xiangqi",
    help: "uct as the xiangqi paper has it",
    sets: &[
        ("scale", "unit"),
        ("order", "generation"),
        ("playout", "random(cutoff=200)"),
        ("store", "graph"),
        ("reuse", "true"),
    ],
};

macro_rules! preset {
    ($name:literal, $c:literal, $playout:literal, $help:literal) => {
        Preset {
            name: $name,
            help: $help,
            sets: &[
                ("c", $c),
                ("scale", "unit"),
                ("order", "generation"),
                ("playout", $playout),
                ("store", "graph"),
                ("reuse", "true"),
            ],
        }
    };
}

pub(super) const LEARNERS: [Preset; 6] = [
    preset!(
        "ppa",
        "1.414",
        "ppa(alpha=1,cutoff=200)",
        "uct with playout policy adaptation, as the xiangqi paper has it"
    ),
    preset!(
        "ppap",
        "0.4",
        "ppap(alpha=0.04,p=1,cutoff=200)",
        "ppa with penalties, tuned as in the xiangqi paper"
    ),
    preset!(
        "ppaf",
        "1.414",
        "ppaf(alpha=1,cutoff=200)",
        "ppa with features, as the xiangqi paper has it"
    ),
    preset!(
        "ppafp",
        "0.4",
        "ppafp(alpha=0.32,p=2,cutoff=200)",
        "ppa with features and penalties, tuned as in the xiangqi paper"
    ),
    preset!(
        "mast",
        "0.9",
        "mast(k=16,cutoff=200)",
        "uct with move-average sampling, tuned as in the xiangqi paper"
    ),
    preset!(
        "mastf",
        "0.9",
        "mastf(k=16,cutoff=200)",
        "mast with features, which the xiangqi paper names and does not run"
    ),
];
