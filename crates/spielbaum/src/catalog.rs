//! The catalog: the only file that names both games and algorithms.
//!
//! A row per game says which players can play it. Everything else, from error messages to
//! `list`, comes from the tables.

use crate::cmd::train::{self, Learning};
use crate::models::MODELS;
use spielbaum_core::param::{Args, Schema, resolve};
use spielbaum_core::spec::SpecError;
use spielbaum_core::{Cells, NamedEval, OnePlayer, Planes, Player, Registered, TwoPlayer};
use spielbaum_games::carcassonne::Carcassonne;
use spielbaum_games::g2048::G2048;
use spielbaum_games::gomoku::Gomoku;
use spielbaum_games::lion::Lion;
use spielbaum_games::morpion::Morpion;
use spielbaum_games::pig::Pig;
use spielbaum_games::reroll::Reroll;
use spielbaum_games::xiangqi::Xiangqi;
use spielbaum_lab::{Absent, AnyGame, Archived, FindTraps, Network, Of, Playable};
use spielbaum_learn::ntuple;
use spielbaum_search::spec::{
    ANY_GAME, Built, ONE_PLAYER, PLAYERS, TWO_PLAYER, WITH_POINTS, any_game, one_player,
    two_player, with_points,
};
use spielbaum_search::traps::traps;
use spielbaum_zero::models;
use spielbaum_zero::spec::{ZERO, learned, network};
use std::marker::PhantomData;
use std::sync::LazyLock;

macro_rules! catalog {
    ($($row:ty,)*) => {
        /// Every game, in the order of `list`: a row each.
        pub(crate) static GAMES: &[&dyn AnyGame] = &[$(&Of::<$row>::NEW,)*];

        /// The same for commands that read records and play nothing: they need no networks.
        pub(crate) static RECORDED: &[&dyn AnyGame] = &[$(&Of::<Archived<$row>>::NEW,)*];
    };
}

catalog! {
    Duel<Lion>,
    Duel<Xiangqi>,
    Grid<G2048>,
    Learned<Gomoku>,
    Points<Carcassonne>,
    Any<Pig>,
    Any<Reroll>,
    Solo<Morpion>,
}

/// Who learns which game.
pub(crate) static LEARNERS: &[Learning] = &[
    Learning { game: G2048::SCHEMA.name, train: train::ntuple::train::<G2048> },
    Learning { game: Gomoku::SCHEMA.name, train: train::zero::train::<Gomoku> },
];

/// A row for a game of any kind.
struct Any<G>(PhantomData<G>);

impl<G: Registered> Playable for Any<G> {
    type Game = G;

    fn player(args: &Args) -> Result<Box<dyn Player<G>>, SpecError> {
        built::<Self>(args, any_game(args, G::EVALS))
    }

    fn roster() -> &'static [&'static Schema] {
        ANY_GAME
    }

    fn evals() -> &'static [NamedEval<G>] {
        G::EVALS
    }
}

/// A row for a game with points that can be for two players without chance, by its parameters.
struct Points<G>(PhantomData<G>);

impl<G: Registered> Playable for Points<G> {
    type Game = G;

    fn player(args: &Args) -> Result<Box<dyn Player<G>>, SpecError> {
        built::<Self>(args, with_points(args, G::EVALS))
    }

    fn roster() -> &'static [&'static Schema] {
        WITH_POINTS
    }

    fn evals() -> &'static [NamedEval<G>] {
        G::EVALS
    }
}

/// A row for a game of one player and chance on a small board.
struct Grid<G>(PhantomData<G>);

/// The players of such games.
static GRID: LazyLock<Vec<&Schema>> = LazyLock::new(|| [ANY_GAME, &[&ntuple::NTUPLE]].concat());

impl<G: Registered + Cells> Playable for Grid<G> {
    type Game = G;

    fn player(args: &Args) -> Result<Box<dyn Player<G>>, SpecError> {
        match args.schema().name {
            "ntuple" => ntuple::player(args, MODELS),
            _ => built::<Self>(args, any_game(args, G::EVALS)),
        }
    }

    fn network(args: &Args, _start: &G) -> Result<Option<Network>, SpecError> {
        let shipped = |name: &str| MODELS.iter().find(|model| model.name == name).map(|m| m.bytes);
        let name = (args.schema().name == ntuple::NTUPLE.name).then(|| args.text("net"));
        Ok(name.map(|name| Network::new(name, shipped(name))))
    }

    fn archived(args: &Args) -> Result<Box<dyn Player<G>>, SpecError> {
        // It is greedy where no budget says otherwise.
        absent(args, ntuple::NTUPLE.name, true, Self::player(args))
    }

    fn roster() -> &'static [&'static Schema] {
        &GRID
    }

    fn evals() -> &'static [NamedEval<G>] {
        G::EVALS
    }
}

/// A row for a game of one player without chance.
struct Solo<G>(PhantomData<G>);

impl<G: Registered + OnePlayer> Playable for Solo<G> {
    type Game = G;

    fn player(args: &Args) -> Result<Box<dyn Player<G>>, SpecError> {
        built::<Self>(args, one_player(args, G::EVALS))
    }

    fn roster() -> &'static [&'static Schema] {
        ONE_PLAYER
    }

    fn evals() -> &'static [NamedEval<G>] {
        G::EVALS
    }
}

/// A row for a game of two players without chance.
struct Duel<G>(PhantomData<G>);

impl<G: Registered + TwoPlayer> Playable for Duel<G> {
    type Game = G;

    fn player(args: &Args) -> Result<Box<dyn Player<G>>, SpecError> {
        built::<Self>(args, two_player(args, G::EVALS))
    }

    fn roster() -> &'static [&'static Schema] {
        TWO_PLAYER
    }

    fn evals() -> &'static [NamedEval<G>] {
        G::EVALS
    }

    fn traps() -> Option<FindTraps<G>> {
        Some(|pos, levels| {
            let found = traps(pos, levels);
            (found.traps.iter().map(|t| (t.mv, t.level)).collect(), found.is_lost)
        })
    }
}

/// A row for a game of two players without chance that a network can look at.
struct Learned<G>(PhantomData<G>);

/// The players of such games.
static LEARNED: LazyLock<Vec<&Schema>> = LazyLock::new(|| [TWO_PLAYER, &[&ZERO]].concat());

impl<G: Registered + TwoPlayer + Planes> Playable for Learned<G> {
    type Game = G;

    fn player(args: &Args) -> Result<Box<dyn Player<G>>, SpecError> {
        built::<Self>(args, learned(args).or_else(|| two_player(args, G::EVALS)))
    }

    fn network(args: &Args, start: &G) -> Result<Option<Network>, SpecError> {
        let name = network(args, start).transpose()?;
        Ok(name.map(|name| Network::new(&name, models::bytes_of(&name))))
    }

    fn archived(args: &Args) -> Result<Box<dyn Player<G>>, SpecError> {
        absent(args, ZERO.name, false, Self::player(args))
    }

    fn roster() -> &'static [&'static Schema] {
        &LEARNED
    }

    fn evals() -> &'static [NamedEval<G>] {
        G::EVALS
    }

    fn traps() -> Option<FindTraps<G>> {
        Duel::<G>::traps()
    }
}

/// A player of a record, which may be one with a network that is not there any more. `ends`: whether
/// its searches end by themselves where no budget says so.
fn absent<G: Registered>(
    args: &Args,
    learner: &str,
    ends: bool,
    player: Result<Box<dyn Player<G>>, SpecError>,
) -> Result<Box<dyn Player<G>>, SpecError> {
    match player {
        Err(error) if args.schema().name == learner => {
            Ok(Box::new(Absent::new(error.to_string(), ends)))
        }
        player => player,
    }
}

/// Those that search, then those that learned.
static ALL: LazyLock<Vec<&Schema>> =
    LazyLock::new(|| [PLAYERS, &[&ZERO, &ntuple::NTUPLE]].concat());

/// Every player, in the order of `list`.
pub(crate) fn players() -> &'static [&'static Schema] {
    &ALL
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
    let args = resolve(text, "player", players())?;
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
fn built<R: Playable>(
    args: &Args,
    player: Built<R::Game>,
) -> Result<Box<dyn Player<R::Game>>, SpecError> {
    player.unwrap_or_else(|| Err(cannot_play(args, R::Game::SCHEMA, R::roster())))
}

#[cfg(test)]
mod tests {
    use super::*;
    use spielbaum_core::Limits;
    use spielbaum_lab::{Experiment, RunOptions};

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

    /// Whoever is listed plays the game, if need be with other parameters.
    #[test]
    fn nobody_is_listed_for_a_game_that_it_refuses() {
        for entry in GAMES {
            let name = entry.schema().name;
            let variants = match name {
                "carcassonne" => vec![name.to_string(), format!("{name}:order=known")],
                _ => vec![name.to_string()],
            };
            for player_name in entry.players().iter().flat_map(|p| p.names()) {
                let admits = variants.iter().map(|text| {
                    let (game, args) = game(text).unwrap();
                    game.admit(&args, &player(game, &format!("{player_name}:sees=all")).unwrap())
                });
                let refusals: Vec<_> = admits.filter_map(Result::err).collect();
                assert!(refusals.len() < variants.len(), "{player_name}: {}", refusals[0]);
            }
        }
    }

    #[test]
    fn the_solver_is_listed_where_margins_can_be_proved() {
        let able = GAMES.iter().filter(|g| g.players().iter().any(|p| p.name == "solver"));
        assert_eq!(able.map(|g| g.schema().name).collect::<Vec<_>>(), ["carcassonne"]);
    }

    /// The suite is run for whatever is in the catalog, with its defaults and a few variants.
    #[test]
    fn every_game_conforms() {
        for entry in GAMES {
            let name = entry.schema().name;
            let variants: &[&str] = match name {
                "lion" => &["rules=paper", "rules=code", "rules=fsf", "repetition=0,plies=0"],
                "gomoku" => &["m=3,n=3,k=3", "m=6,n=6,k=4", "m=19,n=1,k=5"],
                "carcassonne" => &["players=5,symmetric=all", "order=known,seed=1,rules=paper"],
                "pig" => &["players=5"],
                "2048" => &["rows=3,columns=3", "rows=2,columns=2"],
                "xiangqi" => &["rules=paper", "repetition=0,quiet=0,plies=300"],
                "morpion" => &["variant=5T"],
                _ => &[],
            };
            let texts = variants.iter().map(|v| format!("{name}:{v}"));
            for text in texts.chain([name.to_string()]) {
                let (game, args) = game(&text).unwrap();
                if let Err(problem) = game.conform(&args) {
                    panic!("{text}: {problem}");
                }
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
    fn every_example_experiment_is_read() {
        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../experiments");
        let mut read = 0;
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.extension().is_some_and(|ending| ending == "toml") {
                for quick in [false, true] {
                    let options = RunOptions::new(quick, quick);
                    let experiment = Experiment::load(&path, options, GAMES).unwrap();
                    let experiment = experiment.unwrap_or_else(|mistakes| panic!("{mistakes}"));
                    assert!(experiment.parts().count() > 0);
                    read += 1;
                }
            }
        }
        assert!(read >= 12, "only {read} examples");
    }

    #[test]
    fn values_that_do_not_go_together_are_shown() {
        let (gomoku, args) = game("gomoku:m=3,n=3,k=5").unwrap();
        let error = gomoku.open(&args).err().unwrap();
        assert_eq!(&error.text[error.span.clone()], "5");
    }
}
