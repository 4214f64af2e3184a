//! Searches by name: those of the papers, and ours.

use crate::spec::{carcassonne, learning};
use spielbaum_core::param::Preset;

/// How many of the presets any game can have.
pub(super) const FOR_ANY_GAME: usize = 11 + carcassonne::PRESETS.len();

/// What the 2048 study's two players share: a rollout is eight slides with a new tile after each.
const STUDY_C: (&str, &str) = ("c", "1.4142135623730951");
const STUDY_SCALE: (&str, &str) = ("scale", "raw");
const STUDY_PLAYOUT: (&str, &str) = ("playout", "random(cutoff=16)");
const BY_EVAL: (&str, &str) = ("value", "eval");
const EMPTY: (&str, &str) = ("eval", "empty/default");
const BY_MEAN: (&str, &str) = ("final", "max");

/// The lion paper's players have values from -1 to 1, c = √2, rollouts of at most 100 plies and
/// the secure child. Those with `-code` are the readings of its public program where that
/// differs from the text: the constant under the root, moves in generation order, the secure
/// child with a plus, rollouts by evaluation.
pub(super) const PRESETS: [Preset; 19 + carcassonne::PRESETS.len()] = [
    Preset {
        name: "uct",
        help: "UCB1 in the tree and uniform playouts (Kocsis and Szepesvári 2006)",
        sets: &[("playout", "random")],
    },
    Preset {
        name: "flat-ucb",
        help: "UCB1 over the root moves only, no tree",
        sets: &[("playout", "random"), ("depth", "1")],
    },
    Preset {
        name: "mcts-2048",
        help: "MCTS of the 2048 study: outcomes fixed at first sight, 8 random moves and the empty \
               cells after them",
        sets: &[("chance", "fixed"), STUDY_C, STUDY_SCALE, STUDY_PLAYOUT, BY_EVAL, EMPTY, BY_MEAN],
    },
    Preset {
        name: "mctse",
        help: "MCTSE of the 2048 study: the same with nodes of chance (Kutsch 2017)",
        sets: &[
            ("chance", "through"),
            STUDY_C,
            STUDY_SCALE,
            STUDY_PLAYOUT,
            BY_EVAL,
            EMPTY,
            BY_MEAN,
        ],
    },
    learning::UCT_XIANGQI,
    learning::LEARNERS[0],
    learning::LEARNERS[1],
    learning::LEARNERS[2],
    learning::LEARNERS[3],
    learning::LEARNERS[4],
    learning::LEARNERS[5],
    carcassonne::PRESETS[0],
    carcassonne::PRESETS[1],
    carcassonne::PRESETS[2],
    carcassonne::PRESETS[3],
    carcassonne::PRESETS[4],
    carcassonne::PRESETS[5],
    carcassonne::PRESETS[6],
    Preset {
        name: "mcts-solver",
        help: "proves wins, draws and losses in the tree (Winands, Björnsson, Saito 2008)",
        sets: &[
            ("scale", "signed"),
            ("playout", "random(cutoff=100)"),
            ("solver", "true"),
            ("final", "secure"),
        ],
    },
    Preset {
        name: "mcts-mr",
        help: "mcts-solver with minimax in the rollouts (Baier and Winands 2014)",
        sets: &[
            ("scale", "signed"),
            ("playout", "minimax"),
            ("solver", "true"),
            ("final", "secure"),
        ],
    },
    Preset {
        name: "mcts-ms",
        help: "mcts-solver with minimax in selection (Baier and Winands 2014)",
        sets: &[
            ("scale", "signed"),
            ("playout", "random(cutoff=100)"),
            ("solver", "true"),
            ("in-selection", "minimax"),
            ("final", "secure"),
        ],
    },
    Preset {
        name: "mcts-mb",
        help: "mcts-solver with minimax in backup (Baier and Winands 2014)",
        sets: &[
            ("scale", "signed"),
            ("playout", "random(cutoff=100)"),
            ("solver", "true"),
            ("in-backup", "minimax"),
            ("final", "secure"),
        ],
    },
    Preset {
        name: "mcts-solver-code",
        help: "mcts-solver as the lion paper's program has it",
        sets: &[
            ("select", "root-c"),
            ("scale", "signed"),
            ("order", "generation"),
            ("playout", "random(cutoff=100)"),
            ("solver", "true"),
            ("final", "secure"),
            ("secure-sign", "paper"),
        ],
    },
    Preset {
        name: "mcts-mr-code",
        help: "mcts-mr as the lion paper's program has it: evaluation in the rollouts",
        sets: &[
            ("select", "root-c"),
            ("scale", "signed"),
            ("order", "generation"),
            ("playout", "minimax(value=eval,eval=material-code/default)"),
            ("solver", "true"),
            ("final", "secure"),
            ("secure-sign", "paper"),
        ],
    },
    Preset {
        name: "mcts-ms-code",
        help: "mcts-ms as the lion paper's program has it",
        sets: &[
            ("select", "root-c"),
            ("scale", "signed"),
            ("order", "generation"),
            ("playout", "random(cutoff=100)"),
            ("solver", "true"),
            ("in-selection", "minimax"),
            ("final", "secure"),
            ("secure-sign", "paper"),
        ],
    },
    Preset {
        name: "mcts-mb-code",
        help: "mcts-mb as the lion paper's program has it",
        sets: &[
            ("select", "root-c"),
            ("scale", "signed"),
            ("order", "generation"),
            ("playout", "random(cutoff=100)"),
            ("solver", "true"),
            ("in-backup", "minimax"),
            ("final", "secure"),
            ("secure-sign", "paper"),
        ],
    },
];
