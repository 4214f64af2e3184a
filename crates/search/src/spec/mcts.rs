//! The parameters of Monte-Carlo tree search, and its named settings.

mod presets;

use self::presets::{FOR_ANY_GAME, PRESETS};
use super::{EVALUATION, REWARD, eval, learning, manner, reward};
use crate::bandit::{Rule, Scale};
use crate::leaf::{Judged, Leaf, Playout};
use crate::mcts::{Choice, Mcts, MctsConfig, Store};
use crate::open_loop::OpenLoop;
use crate::policy::{Decisive, EvalLookahead, Lookahead, Policy, Uniform};
use crate::tree::{ChanceNodes, Expansion, Order, Solver};
use spielbaum_core::param::{Args, BUDGET, Kind, Param, Schema};
use spielbaum_core::spec::SpecError;
use spielbaum_core::{Eval, Game, NamedEval, Player, Reward, TwoPlayer};

/// Monte-Carlo tree search.
pub static MCTS: Schema = Schema {
    name: "mcts",
    aliases: &[],
    help: "Monte-Carlo tree search, for any number of players, with and without chance",
    params: &[PARAMS, manner::PARAMS, BUDGET],
    presets: &PRESETS,
};

/// The same with the named settings that games of any kind can have: no proofs.
pub static MCTS_ANY: Schema = Schema { presets: PRESETS.split_at(FOR_ANY_GAME).0, ..MCTS };

const PARAMS: &[Param] = &[
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

pub(super) const CUTOFF: Param =
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

pub(super) type Made<T> = Result<T, SpecError>;

/// The search with what every game can have.
pub(super) fn any_game<G: Game>(
    args: &Args,
    evals: &'static [NamedEval<G>],
) -> Made<Box<dyn Player<G>>> {
    const NEEDS: &str = "needs a game of two players without chance";
    if args.flag("solver") {
        return Err(args.error("solver", format!("a proof {NEEDS}")));
    }
    search_without_solver(args)?;
    manner::check(args)?;
    manner::side_by_side(args, || {
        let leaf = manner::volley(args, || match plain_playout(args, evals)? {
            Some(leaf) => Ok(leaf),
            None => Err(args.error("playout", format!("minimax {NEEDS}"))),
        })?;
        let config = config(args);
        if let Some(samples) = args.opt_int("hop") {
            return manner::hop(args, &config, samples);
        }
        if args.choice("chance") == "open" {
            let search = OpenLoop::new(&config, !args.sees_all(), 0).evaluated_by(leaf);
            return Ok(Box::new(search));
        }
        let search = Mcts::new(&config, 0).evaluated_by(leaf);
        Ok(Box::new(manner::ranked(args, search, evals)?))
    })
}

/// The search for a two-player game with these evaluations.
pub(super) fn two_player<G: TwoPlayer>(
    args: &Args,
    evals: &'static [NamedEval<G>],
) -> Made<Box<dyn Player<G>>> {
    if manner::draws(args) {
        return any_game(args, evals);
    }
    manner::check(args)?;
    manner::side_by_side(args, || {
        let leaf = manner::volley(args, || match plain_playout(args, evals)? {
            Some(leaf) => Ok(leaf),
            None => minimax_playout(args, evals),
        })?;
        let search = Mcts::new(&config(args), 0).evaluated_by(leaf);
        let mut search = manner::ranked(args, search, evals)?;
        if args.flag("solver") {
            if reward(args) != Reward::Win {
                return Err(args
                    .error("reward", "a proof is about the official result, not about points")
                    .help("reward=win, or solver=false"));
            }
            search = search.solving(solver(args));
        } else {
            search_without_solver(args)?;
        }
        Ok(Box::new(search))
    })
}

/// Searches inside the tree are there to prove something.
fn search_without_solver(args: &Args) -> Made<()> {
    for name in ["in-selection", "in-backup"] {
        if args.nested(name).name() != "none" {
            return Err(args
                .error(name, "nothing is proven without the solver")
                .help("set solver=true, for a game of two players without chance"));
        }
    }
    Ok(())
}

fn solver<G: TwoPlayer>(args: &Args) -> Solver<G> {
    let mut solver = Solver::new();
    let selection = args.nested("in-selection");
    if selection.name() == "minimax" {
        let (depth, threshold) = (selection.int("depth"), selection.int("threshold"));
        solver = solver.in_selection_at(depth as u32, threshold as u32);
    }
    let backup = args.nested("in-backup");
    if backup.name() == "minimax" {
        solver = solver.in_backup(backup.int("depth") as u32);
    }
    solver
}

/// A playout that any game can have; `None` if it is of another kind.
pub(super) fn plain_playout<G: Game>(
    args: &Args,
    evals: &'static [NamedEval<G>],
) -> Made<Option<Box<dyn Leaf<G>>>> {
    let judge = match args.choice("value") {
        "eval" => Some(eval(args, evals)?),
        _ => None,
    };
    Ok(match args.nested("playout").schema().name {
        "random" | "none" => Some(playout(Uniform, judge, args)),
        "decisive" => Some(playout(Decisive { otherwise: Uniform }, judge, args)),
        "greedy" => Some(playout(manner::greedy(args, evals)?, judge, args)),
        _ if judge.is_some() => {
            return Err(args
                .error("value", "only short playouts are judged by an evaluation")
                .help("playout=none, random, decisive or greedy, or value=reward"));
        }
        _ => learning::playout(args),
    })
}

fn minimax_playout<G: TwoPlayer>(
    args: &Args,
    evals: &'static [NamedEval<G>],
) -> Made<Box<dyn Leaf<G>>> {
    let minimax = args.nested("playout");
    let depth = minimax.int("depth") as u32;
    Ok(match minimax.choice("value") {
        "eval" => playout(EvalLookahead::new(depth, eval(minimax, evals)?), None, args),
        _ => playout(Lookahead::new(depth), None, args),
    })
}

fn playout<G: Game>(
    policy: impl Policy<G> + 'static,
    judge: Option<Box<dyn Eval<G>>>,
    args: &Args,
) -> Box<dyn Leaf<G>> {
    let playout = args.nested("playout");
    let cutoff = match playout.name() {
        "none" => Some(0),
        _ => playout.opt_int("cutoff").map(|n| n as u32),
    };
    match judge {
        Some(eval) => Box::new(Judged::new(policy, eval, cutoff)),
        None => Box::new(Playout::new(policy, reward(args), cutoff)),
    }
}

pub(super) fn config(args: &Args) -> MctsConfig {
    MctsConfig {
        rule: match args.choice("select") {
            "root-c" => Rule::RootC,
            "quotient-in-log" => Rule::QuotientInLog,
            "ucb1-tuned" => Rule::Tuned,
            "sp" => Rule::SinglePlayer,
            "puct" => Rule::Puct,
            "even" => Rule::Even,
            _ => Rule::Ucb1,
        },
        c: args.real("c"),
        d: args.real("d"),
        scale: match args.choice("scale") {
            "unit" => Scale::Unit,
            "signed" => Scale::Signed,
            "raw" => Scale::Raw,
            _ => Scale::Observed,
        },
        reward: reward(args),
        cutoff: None,
        expansion: match args.choice("expansion") {
            "all" => Expansion::All,
            "ahead" => Expansion::Ahead,
            _ => Expansion::One,
        },
        order: match args.choice("order") {
            "generation" | "eval" => Order::Generation,
            _ => Order::Random,
        },
        chance: match args.choice("chance") {
            "through" => ChanceNodes::Through,
            "fixed" => ChanceNodes::Fixed,
            _ => ChanceNodes::Sampled,
        },
        widening: manner::widening(args),
        choice: match (args.choice("final"), args.choice("secure-sign")) {
            ("max", _) => Choice::Max,
            ("secure", "paper") => Choice::Secure(args.real("a")),
            ("secure", _) => Choice::Secure(-args.real("a")),
            _ => Choice::Robust,
        },
        store: match args.choice("store") {
            "graph" => Store::Graph,
            _ => Store::Tree,
        },
        reuse: args.flag("reuse"),
        memory: ((args.int("memory") as usize) << 20) / manner::trees(args),
    }
}
