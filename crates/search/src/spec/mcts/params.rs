//! The parameters: one table, and those of its parts.

use crate::spec::{EVALUATION, REWARD, learning, manner};
use spielbaum_core::param::{Kind, Param, Schema};

/// What only this search is told.
pub(super) const PARAMS: &[Param] = &[
    Param::choice(
        "select",
        "ucb1",
        &[
            ("ucb1", "mean + c √(ln N / n)"),
            ("root-c", "mean + √(c ln N / n), as the lion paper's program"),
            ("quotient-in-log", "mean + c √(ln (N / n)), as the Carcassonne paper's program"),
            ("ucb1-tuned", "mean + c √(ln N / n · min(¼, variance + √(2 ln N / n)))"),
            ("sp", "mean + c √(ln N / n) + √(variance + d / n), for one player (SP-MCTS)"),
            ("puct", "mean + c P √N / (1 + n), P uniform"),
            ("even", "the fewest visits: every move as often"),
        ],
        "the bound that selects a child: N visits of the node, n of the child",
    ),
    Param::real("c", "1.414", 0.0, 1e6, "exploration constant of the bound"),
    Param::real("d", "1", 0.0, 1e12, "how much select=sp doubts few visits"),
    Param::choice(
        "scale",
        "observed",
        &[
            ("observed", "rewards seen in this search stretched to 0 … 1"),
            ("unit", "payoffs as they are, 0 … 1"),
            ("signed", "payoffs stretched to -1 … 1"),
            ("raw", "rewards as they are, such as points"),
        ],
        "the scale on which rewards meet c",
    ),
    REWARD,
    Param::choice(
        "expansion",
        "one",
        &[
            ("one", "one child with each simulation, the bound is asked when all are there"),
            ("all", "all children at once, the bound judges the unvisited too"),
            ("ahead", "all children of a leaf, and the simulation goes on from one of them"),
        ],
        "when the children of a node come into being",
    ),
    Param::choice(
        "order",
        "random",
        &[
            ("random", "drawn at random"),
            ("generation", "as the game lists its moves"),
            ("eval", "by an evaluation, the most promising first"),
        ],
        "in which order children are first visited",
    ),
    Param::choice(
        "chance",
        "sampled",
        &[
            ("sampled", "nodes of chance, a new outcome ends the way down"),
            ("through", "the way down goes on behind chance to a new move (MCTSE)"),
            ("fixed", "the same, and the first outcome stays: one sample of the game"),
            ("open", "a tree over moves alone: chance and hidden parts drawn on each way down"),
        ],
        "what a simulation does where chance acts",
    ),
    Param::nested("playout", "random", PLAYOUTS, "how a simulation is finished"),
    Param::choice(
        "value",
        "reward",
        &[
            ("reward", "what `reward` says of the position where the playout ends"),
            ("eval", "what an evaluation expects there"),
        ],
        "what a simulation brings home",
    ),
    Param::unset(
        "eval",
        EVALUATION,
        "the evaluation of value=eval and order=eval; the game's first unless named",
    ),
    Param::flag("solver", "false", "prove results in the tree and stop at a proven root"),
    Param::nested(
        "in-selection",
        "none",
        SELECTION_SEARCHES,
        "search a node when it has been visited so often (MCTS-MS)",
    ),
    Param::nested(
        "in-backup",
        "none",
        BACKUP_SEARCHES,
        "search the siblings of a proven loss (MCTS-MB)",
    ),
    Param::choice(
        "final",
        "robust",
        &[
            ("robust", "the most visits"),
            ("max", "the best mean"),
            ("secure", "the best bound v - a/√n on the scale of selection"),
        ],
        "which move is played; a proven win comes first, proven losses last",
    ),
    Param::real("a", "1", 0.0, 1e6, "margin of the secure child"),
    Param::choice(
        "secure-sign",
        "lower",
        &[("lower", "v - a/√n, a lower bound"), ("paper", "v + a/√n, as printed")],
        "sign of the secure child's margin",
    ),
    Param::choice(
        "store",
        "tree",
        &[
            ("tree", "a node for each way to a position"),
            ("graph", "one for each position, whatever the way; it proves nothing"),
        ],
        "where the statistics of the search are",
    ),
    Param::flag("reuse", "false", "keep tree or graph between moves; simulations come on top"),
    Param::int("memory", "1024", 1, 1 << 20, "MiB of tree or graph; at the limit it stops growing"),
];

const PLAYOUTS: &[&Schema] = &[
    &PLAYOUT_RANDOM,
    &PLAYOUT_NONE,
    &PLAYOUT_DECISIVE,
    &manner::GREEDY,
    &PLAYOUT_MINIMAX,
    &learning::PPA,
    &learning::PPAP,
    &learning::PPAF,
    &learning::PPAFP,
    &learning::MAST,
    &learning::MASTF,
];
const SELECTION_SEARCHES: &[&Schema] = &[&NO_SEARCH, &SELECTION_MINIMAX];
const BACKUP_SEARCHES: &[&Schema] = &[&NO_SEARCH, &BACKUP_MINIMAX];

/// When playouts are broken off.
pub(in crate::spec) const CUTOFF: Param =
    Param::unset("cutoff", MOVES, "settle the game as it stands after so many moves");
const MOVES: Kind = Kind::Int { min: 1, max: u32::MAX as i64 };

static PLAYOUT_RANDOM: Schema = Schema {
    name: "random",
    aliases: &["uniform"],
    help: "uniformly random moves",
    params: &[&[CUTOFF]],
    presets: &[],
};

static PLAYOUT_NONE: Schema = Schema::plain("none", "no moves: the position is judged as it is");

static PLAYOUT_DECISIVE: Schema = Schema {
    name: "decisive",
    aliases: &[],
    help: "win if you can, else a random move",
    params: &[&[CUTOFF]],
    presets: &[],
};

static PLAYOUT_MINIMAX: Schema = Schema {
    name: "minimax",
    aliases: &[],
    help: "the choice of a shallow search, for two-player games (MCTS-MR)",
    params: &[&[
        DEPTH_1,
        Param::choice(
            "value",
            "winloss",
            &[
                ("winloss", "won and lost positions only, a random one of equal moves"),
                ("eval", "an evaluation, the first of equal moves: as the lion paper's program"),
            ],
            "what the search knows",
        ),
        Param::unset("eval", EVALUATION, "the evaluation; the game's first unless named"),
        Param::int(
            "cutoff",
            "100",
            1,
            u32::MAX as i64,
            "settle the game as it stands after so many moves",
        ),
    ]],
    presets: &[],
};

const DEPTH_1: Param = Param::int("depth", "1", 1, 64, "plies of the search");

static NO_SEARCH: Schema = Schema::plain("none", "no search");

static SELECTION_MINIMAX: Schema = Schema {
    name: "minimax",
    aliases: &[],
    help: "a win/loss search of fixed depth",
    params: &[&[
        Param::int("depth", "2", 1, 64, "plies of the search"),
        Param::int("threshold", "1", 1, u32::MAX as i64 - 1, "visits at which it is made, once"),
    ]],
    presets: &[],
};

static BACKUP_MINIMAX: Schema = Schema {
    name: "minimax",
    aliases: &[],
    help: "a win/loss search of fixed depth, once for each child",
    params: &[&[Param::int("depth", "3", 1, 64, "plies of the search")]],
    presets: &[],
};
