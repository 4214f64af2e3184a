//! How a Monte-Carlo search goes about it: threads, chance it does not know, widening, hints of an
//! evaluation. All of it is unset unless given, so that older records read as they were.

use super::eval;
use super::mcts::{CUTOFF, Made, plain_playout};
use crate::bandit::Scale;
use crate::hop::Hop;
use crate::leaf::Leaf;
use crate::mcts::{Choice, Mcts, MctsConfig};
use crate::policy::Greedy;
use crate::root::Root;
use crate::tree::Widening;
use crate::volley::Volley;
use spielbaum_core::param::{Args, Kind, Param, Schema};
use spielbaum_core::{Game, NamedEval, Player};

pub(super) const PARAMS: &[Param] = &[
    Param::unset(
        "hop",
        Kind::Int { min: 1, max: 100_000 },
        "hindsight optimisation: so many samples of chance, each searched, added up",
    ),
    Param::unset(
        "widening",
        Kind::Real { min: 1e-3, max: 1e6 },
        "progressive widening: a node of n visits has k n^power children; this is k",
    ),
    Param::unset(
        "widening-power",
        Kind::Real { min: 0.01, max: 1.0 },
        "the power of progressive widening; 0.5 unless given",
    ),
    Param::unset(
        "threads",
        Kind::Int { min: 1, max: 1024 },
        "workers that search side by side; budgets are shared out, memory too",
    ),
    Param::unset(
        "parallel",
        Kind::Choice(&[
            ("root", "a tree for each worker, root moves added up"),
            ("leaf", "one tree, a playout for each worker from every new leaf, averaged"),
        ]),
        "what the workers do; root unless given",
    ),
];

pub(super) static GREEDY: Schema = Schema {
    name: "greedy",
    aliases: &[],
    help: "of a few random moves the one that an evaluation would try first",
    params: &[&[
        Param::int("draws", "3", 1, 10_000, "moves drawn"),
        Param::real("epsilon", "0.1", 0.0, 1.0, "share of moves that are merely random"),
        Param::unset("eval", super::EVALUATION, "the evaluation; the game's first unless named"),
        CUTOFF,
    ]],
    presets: &[],
};

pub(super) fn greedy<G: Game>(args: &Args, evals: &'static [NamedEval<G>]) -> Made<Greedy<G>> {
    let playout = args.nested("playout");
    let draws = playout.int("draws") as u32;
    Ok(Greedy::new(eval(playout, evals)?, draws, playout.real("epsilon")))
}

fn threads(args: &Args) -> usize {
    args.opt_int("threads").map_or(1, |n| n as usize)
}

fn is_leaf_parallel(args: &Args) -> bool {
    args.opt_choice("parallel") == Some("leaf")
}

/// How many trees share the memory.
pub(super) fn trees(args: &Args) -> usize {
    if is_leaf_parallel(args) { 1 } else { threads(args) }
}

pub(super) fn widening(args: &Args) -> Option<Widening> {
    let power = args.opt_real("widening-power").unwrap_or(0.5);
    args.opt_real("widening").map(|k| Widening::new(k, power))
}

/// What does not go together, whatever the game.
pub(super) fn check(args: &Args) -> Made<()> {
    let open = args.choice("chance") == "open";
    let hop = args.opt_int("hop").is_some();
    let playout = args.nested("playout").schema().name;
    let learns = !matches!(playout, "random" | "none" | "decisive" | "greedy" | "minimax");
    if args.choice("store") == "graph" {
        check_graph(args, open || hop)?;
    }
    if open && hop {
        return Err(args
            .error("hop", "an open-loop search draws on each way down")
            .help("chance=open or hop=…"));
    }
    if (open || hop) && args.flag("reuse") {
        return Err(args
            .error("reuse", "what is drawn for a move says nothing about the next")
            .help("reuse=false"));
    }
    if hop && (playout == "greedy" || playout == "minimax" || args.choice("value") == "eval") {
        let name = if args.choice("value") == "eval" { "value" } else { "playout" };
        return Err(args
            .error(name, "hindsight optimisation has no evaluation in its playouts")
            .help("value=reward and playout=random, decisive, or one that learns"));
    }
    if hop && args.choice("chance") != "sampled" {
        return Err(args
            .error("chance", "in a sample of hindsight optimisation all chance is decided")
            .help("chance=sampled"));
    }
    if open && matches!(args.choice("select"), "ucb1-tuned" | "sp" | "puct") {
        return Err(args
            .error("select", "an open-loop tree has no such bound")
            .help("select=ucb1, root-c, quotient-in-log or even"));
    }
    if args.opt_real("widening").is_some() && (open || args.choice("expansion") != "one") {
        return Err(args
            .error("widening", "children must come one by one")
            .help("expansion=one, without chance=open"));
    }
    if (open || hop) && args.choice("order") == "eval" {
        return Err(args
            .error("order", "no evaluation orders the moves of this tree")
            .help("order=random or generation"));
    }
    if args.opt_choice("parallel").is_some() && args.opt_int("threads").is_none() {
        return Err(args.error("parallel", "how many workers?").help("set threads=…"));
    }
    if is_leaf_parallel(args) && (hop || learns) {
        return Err(args
            .error(
                "parallel",
                "workers at a leaf need playouts that do not learn, and \
                                           one tree",
            )
            .help("parallel=root"));
    }
    if matches!(args.choice("final"), "secure")
        && args.choice("scale") == "observed"
        && (hop || trees(args) > 1)
    {
        return Err(args
            .error(
                "final",
                "the margin of a secure child needs a scale that all \
                                        searches share",
            )
            .help("scale=unit, signed or raw"));
    }
    Ok(())
}

/// What a transposition graph cannot have.
fn check_graph(args: &Args, draws: bool) -> Made<()> {
    let wrong = |name: &str, problem: &str, right: &str| {
        Err(args.error(name, problem).help(format!("{right}, or store=tree")))
    };
    if args.flag("solver") {
        return Err(args
            .error("store", "nothing is proven on a graph: a result may rest on the way")
            .help("store=tree, or solver=false"));
    }
    if draws {
        return wrong(
            "store",
            "a graph knows positions, not samples",
            "chance=sampled without hop",
        );
    }
    if args.choice("chance") != "sampled" {
        return wrong("chance", "a graph samples where chance acts", "chance=sampled");
    }
    if args.opt_real("widening").is_some() {
        return wrong("widening", "a graph has no progressive widening", "no widening");
    }
    if args.choice("order") == "eval" {
        return wrong("order", "no evaluation orders the moves of a graph", "order=random");
    }
    if args.choice("expansion") == "ahead" {
        return wrong("expansion", "a graph grows by one position a simulation", "expansion=one");
    }
    Ok(())
}

/// Whether chance and hidden parts are drawn before or while a tree is searched.
pub(super) fn draws(args: &Args) -> bool {
    args.choice("chance") == "open" || args.opt_int("hop").is_some()
}

/// One worker, or as many as there are threads.
pub(super) fn side_by_side<G: Game>(
    args: &Args,
    make: impl Fn() -> Made<Box<dyn Player<G>>>,
) -> Made<Box<dyn Player<G>>> {
    let workers = trees(args);
    if workers == 1 {
        return make();
    }
    let workers = (0..workers).map(|_| make()).collect::<Made<Vec<_>>>()?;
    Ok(Box::new(Root::new(workers, in_rewards(&super::mcts::config(args)), 0)))
}

/// The choice with its margin in rewards.
fn in_rewards(config: &MctsConfig) -> Choice {
    match (config.choice, config.scale) {
        (Choice::Secure(a), Scale::Signed) => Choice::Secure(a / 2.0),
        (choice, _) => choice,
    }
}

/// The leaf, or one for each thread.
pub(super) fn volley<G: Game>(
    args: &Args,
    make: impl Fn() -> Made<Box<dyn Leaf<G>>>,
) -> Made<Box<dyn Leaf<G>>> {
    let leaf = make()?;
    if !is_leaf_parallel(args) || threads(args) == 1 {
        return Ok(leaf);
    }
    let others = (1..threads(args)).map(|_| make()).collect::<Made<Vec<_>>>()?;
    Ok(Box::new(Volley::new(leaf, others)))
}

/// The search with its children in the order of an evaluation, if that is asked for.
pub(super) fn ranked<G: Game>(
    args: &Args,
    search: Mcts<G>,
    evals: &'static [NamedEval<G>],
) -> Made<Mcts<G>> {
    if args.choice("order") != "eval" {
        return Ok(search);
    }
    Ok(search.ranked_by(eval(args, evals)?))
}

/// Hindsight optimisation.
pub(super) fn hop<G: Game>(
    args: &Args,
    config: &MctsConfig,
    samples: i64,
) -> Made<Box<dyn Player<G>>> {
    let mut search = Mcts::new(config, 0);
    if let Some(leaf) = plain_playout(args, &[])? {
        search = search.evaluated_by(leaf);
    }
    let choice = in_rewards(config);
    Ok(Box::new(Hop::new(search, samples as u64, choice, !args.sees_all(), 0)))
}
