//! Every player with its parameters, and how a specification becomes one.
//!
//! A new algorithm adds a [`Schema`] to [`PLAYERS`] and an arm to the builder of the games it
//! can play: [`any_game`], [`one_player`], [`two_player`] or [`with_points`].

mod carcassonne;
mod expectimax;
mod family;
mod learning;
mod manner;
mod mcts;

pub use expectimax::EXPECTIMAX;
pub use family::ALPHABETA;
pub use mcts::{MCTS, MCTS_ANY};

use crate::annealed::{Annealed, AnnealedConfig};
use crate::minimax::{Minimax, MinimaxConfig};
use crate::nrpa::{Nrpa, NrpaConfig};
use crate::random::Random;
use crate::solver::{Solver, SolverConfig};
use crate::trace::Coding;
use spielbaum_core::param::{Args, BUDGET, Kind, Param, Schema};
use spielbaum_core::spec::SpecError;
use spielbaum_core::{ChosenEval, Eval, Game, NamedEval, OnePlayer, Player, Reward, TwoPlayer};

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

/// Nested rollout policy adaptation.
pub static NRPA: Schema = Schema {
    name: "nrpa",
    aliases: &[],
    help: "nested rollout policy adaptation, for one player without chance (Rosin 2011)",
    params: &[
        &[
            Param::int(
                "level",
                "3",
                1,
                12,
                "levels above the playouts, of which there are n^level",
            ),
            Param::int("n", "100", 1, 1_000_000, "calls of the level below"),
            Param::real("alpha", "1", 1e-9, 1e6, "size of a step of adaptation"),
            Param::flag("features", "false", "know moves by the game's features"),
        ],
        BUDGET,
    ],
    presets: &[],
};

/// Brügmann's annealed player.
pub static ANNEALED: Schema = Schema {
    name: "annealed",
    aliases: &[],
    help: "Monte Carlo by simulated annealing of the order of moves (Brügmann 1993)",
    params: &[
        &[
            REWARD,
            Param::real(
                "hot",
                "10",
                0.0,
                1e6,
                "temperature of the first game, in places of the list",
            ),
            Param::real("cold", "0.5", 0.0, 1e6, "temperature of the last game"),
            Param::unset(
                "cutoff",
                Kind::Int { min: 1, max: u32::MAX as i64 },
                "settle the game as it stands after so many moves",
            ),
        ],
        BUDGET,
    ],
    presets: &[],
};

/// Proofs of margins.
pub static SOLVER: Schema = Schema {
    name: "solver",
    aliases: &[],
    help: "proves the margin of points that can be forced, for two players without chance",
    params: &[
        &[
            Param::unset("eval", EVALUATION, "the evaluation that orders the moves"),
            Param::int("memory", "256", 1, 1 << 20, "MiB of the table"),
        ],
        BUDGET,
    ],
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
pub static PLAYERS: &[&Schema] =
    &[&RANDOM, &MINIMAX, &EXPECTIMAX, &ALPHABETA, &MCTS, &ANNEALED, &NRPA, &SOLVER];

/// The players of games of two players without chance.
pub static TWO_PLAYER: &[&Schema] = &[&RANDOM, &MINIMAX, &EXPECTIMAX, &ALPHABETA, &MCTS, &ANNEALED];

/// The players of games of one player without chance.
pub static ONE_PLAYER: &[&Schema] = &[&RANDOM, &MINIMAX, &EXPECTIMAX, &MCTS_ANY, &ANNEALED, &NRPA];

/// The players of games with points that can be for two without chance, by their parameters.
pub static WITH_POINTS: &[&Schema] =
    &[&RANDOM, &MINIMAX, &EXPECTIMAX, &MCTS_ANY, &ANNEALED, &SOLVER];

/// The players of games of any kind.
pub static ANY_GAME: &[&Schema] = &[&RANDOM, &MINIMAX, &EXPECTIMAX, &MCTS_ANY, &ANNEALED];

/// A player or what is wrong with its specification; `None` if it is of another kind.
pub type Built<G> = Option<Result<Box<dyn Player<G>>, SpecError>>;

/// Builds a player that any game can have, with these evaluations, the default one first.
pub fn any_game<G: Game>(args: &Args, evals: &'static [NamedEval<G>]) -> Built<G> {
    let player: Box<dyn Player<G>> = match args.schema().name {
        "random" => Box::new(Random::new(0)),
        "minimax" => Box::new(Minimax::new(&MinimaxConfig { reward: reward(args) })),
        "expectimax" => return Some(expectimax::build(args, evals)),
        "mcts" => return Some(mcts::any_game(args, evals)),
        "annealed" => Box::new(Annealed::new(
            &AnnealedConfig {
                reward: reward(args),
                hot: args.real("hot"),
                cold: args.real("cold"),
                cutoff: args.opt_int("cutoff").map(|n| n as u32),
            },
            0,
        )),
        _ => return None,
    };
    Some(Ok(player))
}

/// Builds a player for a game of one player without chance.
pub fn one_player<G: OnePlayer>(args: &Args, evals: &'static [NamedEval<G>]) -> Built<G> {
    if args.schema().name != "nrpa" {
        return any_game(args, evals);
    }
    let config = NrpaConfig {
        level: args.int("level") as u32,
        n: args.int("n") as u32,
        alpha: args.real("alpha"),
        coding: if args.flag("features") { Coding::Pattern } else { Coding::Code },
    };
    Some(Ok(Box::new(Nrpa::new(config, 0))))
}

/// Builds a player for a game with points that can be for two without chance; where it is not, the
/// solver [says so](Player::fits).
pub fn with_points<G: Game>(args: &Args, evals: &'static [NamedEval<G>]) -> Built<G> {
    if args.schema().name != "solver" {
        return any_game(args, evals);
    }
    let memory = (args.int("memory") as usize) << 20;
    let config = SolverConfig { memory, sees_all: args.sees_all() };
    Some(eval(args, evals).map(|eval| Box::new(Solver::new(&config, eval)) as _))
}

/// Builds a player for a two-player game with these evaluations, the default one first.
pub fn two_player<G: TwoPlayer>(args: &Args, evals: &'static [NamedEval<G>]) -> Built<G> {
    match args.schema().name {
        "alphabeta" => Some(family::build(args, evals)),
        "mcts" => Some(mcts::two_player(args, evals)),
        _ => any_game(args, evals),
    }
}

/// What [`eval`] reads: the evaluations are the game's.
const EVALUATION: Kind = Kind::Open("evaluation");

/// The evaluation that `eval=` names, or the game's first.
fn eval<G: Game>(
    args: &Args,
    evals: &'static [NamedEval<G>],
) -> Result<Box<dyn Eval<G>>, SpecError> {
    ChosenEval::new(args, "eval", evals).map(|chosen| chosen.eval)
}

fn reward(args: &Args) -> Reward {
    match args.choice("reward") {
        "margin" => Reward::Margin,
        "score" => Reward::Score,
        _ => Reward::Win,
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
        for name in TWO_PLAYER.iter().flat_map(|s| s.names()) {
            let args = resolve(name, "player", PLAYERS).unwrap();
            let built = two_player::<Duel<Literal>>(&args, EVALS);
            assert!(built.is_some_and(|r| r.is_ok()), "{name}");
        }
    }

    /// The studies' players must not follow when a game gets a better default evaluation.
    #[test]
    fn players_of_a_study_name_their_evaluation() {
        for name in PLAYERS.iter().flat_map(|s| s.names()) {
            let args = resolve(name, "player", PLAYERS).unwrap();
            let of_a_study = name.ends_with("-paper") || name.ends_with("-code");
            let evaluates = args.schema().name == "alphabeta" || args.full().contains("value=eval");
            if of_a_study && evaluates {
                assert!(args.full().contains("eval=material"), "{name}: {}", args.full());
            }
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
