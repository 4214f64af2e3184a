//! Every player with its parameters, and how a specification becomes one.
//!
//! A new algorithm adds a [`Schema`] to [`PLAYERS`] and an arm to the builder of the games it
//! can play: [`any_game`] or [`two_player`].

use crate::bandit::Scale;
use crate::mcts::{Mcts, MctsConfig};
use crate::minimax::{Minimax, MinimaxConfig};
use crate::random::Random;
use spielbaum_core::param::{Args, BUDGET, Kind, Param, Preset, Schema};
use spielbaum_core::spec::SpecError;
use spielbaum_core::{Eval, Game, NamedEval, Player, Reward, TwoPlayer};

mod family;

pub use family::ALPHABETA;

/// Uniformly random moves.
pub static RANDOM: Schema = Schema {
    name: "random",
    aliases: &[],
    help: "uniformly random legal moves",
    params: &[BUDGET],
    presets: &[],
};

/// Plain minimax, the oracle of the others.
pub static MINIMAX: Schema = Schema {
    name: "minimax",
    aliases: &["maxn"],
    help: "plain search of all lines: minimax, expectation at chance nodes, max^n for several players",
    params: &[&[REWARD], BUDGET],
    presets: &[],
};

/// Monte-Carlo tree search.
pub static MCTS: Schema = Schema {
    name: "mcts",
    aliases: &[],
    help: "Monte-Carlo tree search, for any number of players, with and without chance",
    params: &[
        &[
            Param::real("c", "1.414", 0.0, 1e6, "exploration constant of UCB1"),
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
            Param::nested("playout", "random", &[&PLAYOUT_RANDOM], "how a simulation is finished"),
            Param::int(
                "memory",
                "1024",
                1,
                1 << 20,
                "MiB of the tree; at the limit it stops growing",
            ),
        ],
        BUDGET,
    ],
    presets: &[
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
    ],
};

static PLAYOUT_RANDOM: Schema = Schema {
    name: "random",
    aliases: &["uniform"],
    help: "uniformly random moves",
    params: &[&[Param::unset(
        "cutoff",
        Kind::at_least(1),
        "settle the game as it stands after so many moves",
    )]],
    presets: &[],
};

const REWARD: Param = Param::choice(
    "reward",
    "win",
    &[
        ("win", "the official payoff"),
        ("margin", "own points minus the best other player's"),
        ("score", "own points"),
    ],
    "what the search maximises",
);

/// All players.
pub static PLAYERS: &[&Schema] = &[&RANDOM, &MINIMAX, &ALPHABETA, &MCTS];

/// The players of games of any kind.
pub static ANY_GAME: &[&Schema] = &[&RANDOM, &MINIMAX, &MCTS];

/// A player or what is wrong with its specification; `None` if it is of another kind.
pub type Built<G> = Option<Result<Box<dyn Player<G>>, SpecError>>;

/// Builds a player that any game can have.
pub fn any_game<G: Game>(args: &Args) -> Built<G> {
    let player: Box<dyn Player<G>> = match args.schema().name {
        "random" => Box::new(Random::new(0)),
        "minimax" => Box::new(Minimax::new(&MinimaxConfig { reward: reward(args) })),
        "mcts" => Box::new(Mcts::new(&mcts_config(args), 0)),
        _ => return None,
    };
    Some(Ok(player))
}

/// Builds a player for a two-player game with these evaluations, the default one first.
pub fn two_player<G: TwoPlayer>(args: &Args, evals: &'static [NamedEval<G>]) -> Built<G> {
    match args.schema().name {
        "alphabeta" => Some(family::build(args, evals)),
        _ => any_game(args),
    }
}

/// The evaluation that `eval=` names, or the game's first. Of several names with strokes between
/// them the first that the game knows counts, and `default` is one that every game knows.
fn eval<G: TwoPlayer>(
    args: &Args,
    evals: &'static [NamedEval<G>],
) -> Result<Box<dyn Eval<G>>, SpecError> {
    let named = |name: &str| match name {
        "default" => evals.first(),
        _ => evals.iter().find(|e| e.name == name),
    };
    let found = args.opt_text("eval").unwrap_or("default").split('/').find_map(named);
    found.map(|e| (e.make)()).ok_or_else(|| {
        let names: Vec<&str> = evals.iter().map(|e| e.name).collect();
        let name = args.opt_text("eval").unwrap_or_default();
        args.error("eval", format!("this game has no evaluation `{name}`"))
            .help(format!("evaluations: {}", names.join(", ")))
    })
}

fn reward(args: &Args) -> Reward {
    match args.choice("reward") {
        "margin" => Reward::Margin,
        "score" => Reward::Score,
        _ => Reward::Win,
    }
}

fn mcts_config(args: &Args) -> MctsConfig {
    MctsConfig {
        c: args.real("c"),
        scale: match args.choice("scale") {
            "unit" => Scale::Unit,
            "signed" => Scale::Signed,
            "raw" => Scale::Raw,
            _ => Scale::Observed,
        },
        reward: reward(args),
        cutoff: args.nested("playout").opt_int("cutoff").map(|n| n.min(u32::MAX.into()) as u32),
        memory: (args.int("memory") as usize) << 20,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use spielbaum_core::param::{check_all, resolve};
    use spielbaum_core::synthetic::{Duel, Literal};

    #[test]
    fn the_tables_are_sound() {
        assert_eq!(check_all(PLAYERS), Vec::<String>::new());
    }

    #[test]
    fn every_player_is_built_for_a_two_player_game() {
        for name in PLAYERS.iter().flat_map(|s| s.names()) {
            let args = resolve(name, "player", PLAYERS).unwrap();
            let built = two_player::<Duel<Literal>>(&args, EVALS);
            assert!(built.is_some_and(|r| r.is_ok()), "{name}");
        }
    }

    #[test]
    fn an_unknown_evaluation_is_named_with_those_there_are() {
        let args = resolve("alphabeta:eval=zer", "player", PLAYERS).unwrap();
        let error = two_player::<Duel<Literal>>(&args, EVALS).unwrap().err().unwrap();
        assert!(error.to_string().contains("hashed"), "{error}");
    }

    fn hashed() -> Box<dyn Eval<Duel<Literal>>> {
        Box::new(spielbaum_core::synthetic::HashedEval { seed: 1, spread: 100 })
    }

    const EVALS: &[NamedEval<Duel<Literal>>] =
        &[NamedEval { name: "hashed", help: "no sense", make: hashed }];
}
