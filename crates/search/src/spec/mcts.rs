//! Monte-Carlo tree search: how a specification becomes one.

mod params;
mod presets;

pub(super) use self::params::CUTOFF;

use self::params::PARAMS;
use self::presets::{FOR_ANY_GAME, PRESETS};
use super::{eval, learning, manner, reward};
use crate::bandit::{Rule, Scale};
use crate::leaf::{Judged, Leaf, Playout};
use crate::mcts::{Choice, Mcts, MctsConfig, Store};
use crate::open_loop::OpenLoop;
use crate::policy::{Decisive, EvalLookahead, Lookahead, Policy, Uniform};
use crate::tree::{ChanceNodes, Expansion, Order, Solver};
use spielbaum_core::param::{Args, BUDGET, Schema};
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
