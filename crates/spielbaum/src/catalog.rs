//! The catalog: the only file that names both games and algorithms.
//!
//! A row per game says how its text becomes a start position, how matches begin and which
//! players can play it. Everything else, from error messages to `list`, comes from the tables.

use spielbaum_core::param::{Args, Param, Schema, resolve};
use spielbaum_core::spec::SpecError;
use spielbaum_core::{Game, NamedEval, ParseError, Player};
use spielbaum_games::gomoku::{self, Gomoku};
use spielbaum_games::pig::Pig;
use spielbaum_games::reroll::Reroll;
use spielbaum_lab::{AnyGame, Of, Playable};
use spielbaum_search::spec::{ANY_GAME, Built, PLAYERS, any_game, two_player};

/// Every game, in the order of `list`.
pub(crate) static GAMES: &[&dyn AnyGame] =
    &[&Of::<GomokuRow>::NEW, &Of::<PigRow>::NEW, &Of::<RerollRow>::NEW];

struct GomokuRow;

impl Playable for GomokuRow {
    type Game = Gomoku;

    const SCHEMA: &'static Schema = &Schema {
        name: "gomoku",
        aliases: &["mnk"],
        help: "k or more stones in a row win; 3,3,3 is tic-tac-toe",
        params: &[&[
            Param::int("m", "15", 1, 19, "columns"),
            Param::int("n", "15", 1, 19, "rows"),
            Param::int("k", "5", 1, 19, "stones in a row that win"),
        ]],
        presets: &[],
    };
    const OPENINGS: &'static str = "random:2";

    fn start(args: &Args) -> Result<Gomoku, SpecError> {
        let size = |name| args.int(name) as usize;
        Gomoku::new(size("m"), size("n"), size("k")).map_err(|e| misfit(args, "k", e))
    }

    fn player(args: &Args) -> Result<Box<dyn Player<Gomoku>>, SpecError> {
        built(args, Self::SCHEMA, two_player(args, gomoku::EVALS))
    }

    fn roster() -> Vec<&'static Schema> {
        PLAYERS.to_vec()
    }

    fn evals() -> Vec<(&'static str, &'static str)> {
        named(gomoku::EVALS)
    }
}

struct PigRow;

impl Playable for PigRow {
    type Game = Pig;

    const SCHEMA: &'static Schema = &Schema {
        name: "pig",
        aliases: &[],
        help: "roll on or take the pot; a one loses it",
        params: &[&[
            Param::int("players", "2", 2, 5, "seats at the table"),
            Param::int("target", "100", 1, 1_000_000, "points that win"),
        ]],
        presets: &[],
    };
    const OPENINGS: &'static str = "none";

    fn start(args: &Args) -> Result<Pig, SpecError> {
        let (players, target) = (args.int("players") as usize, args.int("target") as i32);
        Pig::new(players, target).map_err(|e| misfit(args, "target", e))
    }

    fn player(args: &Args) -> Result<Box<dyn Player<Pig>>, SpecError> {
        built(args, Self::SCHEMA, any_game(args))
    }

    fn roster() -> Vec<&'static Schema> {
        ANY_GAME.to_vec()
    }
}

struct RerollRow;

impl Playable for RerollRow {
    type Game = Reroll;

    const SCHEMA: &'static Schema = &Schema {
        name: "reroll",
        aliases: &[],
        help: "one player, some dice; keep a die or roll it again, twice at most",
        params: &[&[Param::int("dice", "5", 1, 1_000_000, "dice of the game")]],
        presets: &[],
    };
    const OPENINGS: &'static str = "none";

    fn start(args: &Args) -> Result<Reroll, SpecError> {
        Reroll::new(args.int("dice") as u32).map_err(|e| misfit(args, "dice", e))
    }

    fn player(args: &Args) -> Result<Box<dyn Player<Reroll>>, SpecError> {
        built(args, Self::SCHEMA, any_game(args))
    }

    fn roster() -> Vec<&'static Schema> {
        ANY_GAME.to_vec()
    }
}

/// Every player, in the order of `list`.
pub(crate) fn players() -> &'static [&'static Schema] {
    PLAYERS
}

/// The game of a text.
pub(crate) fn game(text: &str) -> Result<(&'static dyn AnyGame, Args), SpecError> {
    let schemas: Vec<&'static Schema> = GAMES.iter().map(|g| g.schema()).collect();
    let args = resolve(text, "game", &schemas)?;
    match GAMES.iter().find(|g| g.schema().name == args.schema().name) {
        Some(&game) => Ok((game, args)),
        None => Err(args.name_error("no such game")),
    }
}

/// The player of a text, if it can play the game.
pub(crate) fn player(game: &dyn AnyGame, text: &str) -> Result<Args, SpecError> {
    let args = resolve(text, "player", PLAYERS)?;
    if game.players().iter().any(|p| p.name == args.schema().name) {
        Ok(args)
    } else {
        Err(cannot_play(&args, game.schema(), &game.players()))
    }
}

fn cannot_play(player: &Args, game: &Schema, able: &[&'static Schema]) -> SpecError {
    let names: Vec<&str> = able.iter().flat_map(|p| p.names()).collect();
    player
        .name_error(format!("player `{}` cannot play {}", player.name(), game.name))
        .help(format!("players of {}: {}", game.name, names.join(", ")))
}

/// A builder's answer; a player it does not know cannot play the game.
fn built<G: Game>(
    args: &Args,
    game: &'static Schema,
    player: Built<G>,
) -> Result<Box<dyn Player<G>>, SpecError> {
    player.unwrap_or_else(|| Err(cannot_play(args, game, &[])))
}

/// Values that are each possible and do not go together.
fn misfit(args: &Args, key: &str, e: ParseError) -> SpecError {
    let error = args.error(key, e.problem);
    match e.help {
        Some(help) => error.help(help),
        None => error,
    }
}

fn named<G: Game>(evals: &[NamedEval<G>]) -> Vec<(&'static str, &'static str)> {
    evals.iter().map(|e| (e.name, e.help)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use spielbaum_core::Limits;

    #[test]
    fn the_tables_are_sound() {
        let problems: Vec<String> = GAMES.iter().flat_map(|g| g.schema().check()).collect();
        assert_eq!(problems, Vec::<String>::new());
    }

    #[test]
    fn every_game_starts_and_every_player_of_its_roster_is_built() {
        for entry in GAMES {
            let name = entry.schema().name;
            let (game, args) = game(name).unwrap();
            assert!(!game.open(&args).unwrap().moves().is_empty(), "{name}");
            for player_name in game.players().iter().flat_map(|p| p.names()) {
                let player = player(game, player_name).unwrap();
                game.budget(&player, Limits::default()).unwrap();
            }
        }
    }

    #[test]
    fn a_player_of_another_kind_of_game_is_refused_with_those_that_can() {
        let (pig, _) = game("pig").unwrap();
        let error = player(pig, "alphabeta:depth=3").unwrap_err();
        assert_eq!(error.problem, "player `alphabeta` cannot play pig");
        assert!(error.help.unwrap().contains("uct"));
    }

    #[test]
    fn values_that_do_not_go_together_are_shown() {
        let (gomoku, args) = game("gomoku:m=3,n=3,k=5").unwrap();
        let error = gomoku.open(&args).err().unwrap();
        assert_eq!(&error.text[error.span.clone()], "5");
    }
}
