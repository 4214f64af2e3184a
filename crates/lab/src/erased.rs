//! The one type-erased door: above it everything is text and plain data, generics stop here.
//!
//! [`AnyGame`] is a row of the catalog. It opens an [`AnyTable`] for commands that look at one
//! position (analyse, play, perft) and a [`Worker`] for matches.

use crate::answers::{Candidate, Sitting};
use crate::network::Network;
use crate::openings::Opening;
use crate::plan::Plan;
use crate::playable::Playable;
use crate::record::{GameRecord, GameTimes};
use crate::schedule::Job;
use crate::session::Session;
use crate::traps::{self, Probe, Risk};
use crate::worker::Seats;
use crate::{Exam, LabError, budget, replay};
use spielbaum_core::param::{Args, Schema, resolve};
use spielbaum_core::spec::SpecError;
use spielbaum_core::{
    ChosenEval, Forfeit, Game, Limits, NamedEval, ParseError, Registered, Report, Stop, check,
};
use std::marker::PhantomData;

/// Reads the specification of a player.
pub type ReadPlayer = fn(&str) -> Result<Args, SpecError>;

/// A game of the catalog, whatever its type.
pub trait AnyGame: Send + Sync {
    /// Name, help and parameters of the game.
    fn schema(&self) -> &'static Schema;

    /// The openings of a match that names none.
    fn openings(&self) -> &'static str;

    /// The players that can play it.
    fn players(&self) -> Vec<&'static Schema>;

    /// Its evaluations, the default one first.
    fn evals(&self) -> Vec<Evaluation>;

    /// A player with all that depends on the game looked up, so that its texts tell the
    /// parameters of evaluations too.
    fn complete(&self, player: &Args) -> Result<Args, SpecError>;

    /// Reads a player of this game, [complete](AnyGame::complete): for those who meet its text when
    /// the catalog is out of reach.
    fn reader(&self) -> ReadPlayer;

    /// The names of its [statistics](spielbaum_core::Game::STATISTICS).
    fn statistics(&self) -> &'static [&'static str];

    /// Runs the conformance suite on the game, from its start position.
    fn conform(&self, game: &Args) -> Result<(), String>;

    /// Opens a table with the start position of a specification, nobody seated.
    fn open(&self, game: &Args) -> Result<Box<dyn AnyTable>, SpecError>;

    /// Builds a player, which shows the errors of its specification before anything runs, and
    /// returns its [budget](crate::budget), completed; `given` is what is set for all players.
    fn budget(&self, player: &Args, given: Limits) -> Result<Limits, SpecError>;

    /// Whether a player can play this game, and not only others of its kind; the error says why not.
    fn admit(&self, game: &Args, player: &Args) -> Result<(), SpecError>;

    /// The network that a player uses in a game, if it uses one.
    fn network(&self, game: &Args, player: &Args) -> Result<Option<Network>, SpecError>;

    /// Checks that an opening can be played from the start and leaves a game to be played.
    fn check_opening(&self, game: &Args, opening: &Opening) -> Result<(), ParseError>;

    /// Builds the players of a match, for one thread.
    fn worker(&self, plan: &Plan) -> Result<Box<dyn Worker>, SpecError>;

    /// Builds the player of an exam, for one thread.
    fn candidate(&self, exam: &Exam) -> Result<Box<dyn Candidate>, SpecError>;

    /// Plays a recorded game again by its moves; what differs from the rules, if anything.
    fn verify(&self, plan: &Plan, record: &GameRecord) -> Result<(), LabError>;

    /// Whether there are [traps](crate::traps) to find: two players, no chance.
    fn has_traps(&self) -> bool;

    /// The traps in the positions of a recorded game.
    fn traps(&self, plan: &Plan, record: &GameRecord, probe: &Probe)
    -> Result<Vec<Risk>, LabError>;
}

/// An evaluation of a game.
#[derive(Clone, Copy, Debug)]
pub struct Evaluation {
    /// The name in a specification: `eval=NAME`.
    pub name: &'static str,
    /// One line for people.
    pub help: &'static str,
    /// Its parameters, if it has any.
    pub schema: Option<&'static Schema>,
}

/// One thread's players of a match.
pub trait Worker {
    /// Plays one game. Whatever a player does is part of the record; only a player that
    /// cannot be built is an error.
    fn play(&mut self, job: &Job) -> Result<(GameRecord, GameTimes), LabError>;
}

/// Where live reports of a search go, about ten a second.
pub type Live<'a> = &'a mut dyn FnMut(&Report<String>);

/// Who acts at a table.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Acting {
    /// The player in this seat.
    Seat(usize),
    /// Chance.
    Chance,
    /// Nobody, the game is over.
    Over,
}

/// One position with its history and its players. A slot is a place for a player; nobody asks
/// whether it is also the player's seat, so one player can answer for all seats.
pub trait AnyTable: Send {
    /// The position as one line.
    fn text(&self) -> String;
    /// The position as a diagram for people.
    fn diagram(&self) -> String;
    /// The position as a drawing in SVG, where the game can draw.
    fn picture(&self) -> Option<String>;
    /// Number of seats.
    fn seats(&self) -> usize;
    /// What people call a seat.
    fn seat_name(&self, seat: usize) -> String;
    /// Who acts.
    fn acting(&self) -> Acting;
    /// The legal moves, or the possible outcomes of chance; none when the game is over.
    fn moves(&self) -> Vec<String>;
    /// The outcomes of chance with their odds; none where a player acts.
    fn outcomes(&self) -> Vec<(String, u32)>;
    /// What each seat gets if play stops here.
    fn payoffs(&self) -> Vec<f32>;
    /// Points of each seat, in games that count points.
    fn scores(&self) -> Option<Vec<i32>>;
    /// Hash of the position.
    fn key(&self) -> u64;

    /// Sets the table back to the start of the game.
    fn reset(&mut self);
    /// Starts from this position instead; forgets the history.
    fn set_position(&mut self, text: &str) -> Result<(), ParseError>;
    /// Plays a move or an outcome of chance.
    fn play(&mut self, text: &str) -> Result<(), ParseError>;
    /// Plays a sequence, all of it or (on an error) nothing; returns its length.
    fn play_moves(&mut self, text: &str) -> Result<usize, ParseError>;
    /// Takes the last move back and returns it.
    fn undo(&mut self) -> Option<String>;
    /// The moves since the position was set.
    fn history(&self) -> Vec<String>;
    /// The position text with which the history began, if it is not the start of the game.
    fn origin(&self) -> Option<String>;
    /// Seeds the chance of this table. The n-th event of a history depends on the seed and n
    /// alone: taking a move back does not buy another throw.
    fn seed(&mut self, seed: u64);
    /// Plays an outcome of chance; `None` where a player acts or the game is over.
    fn roll(&mut self) -> Option<String>;

    /// Puts a player into a slot. It sees the history as if it had been there.
    fn sit(&mut self, slot: usize, player: &Args, seed: u64) -> Result<(), SpecError>;
    /// Asks the player in a slot for a move in this position, which is not played. `limits`
    /// win over the player's own, key by key (see [`budget`](crate::budget)). `only` restricts
    /// the choice to these moves (empty: no restriction). Live reports go to `live`.
    fn think(
        &mut self,
        slot: usize,
        limits: Limits,
        only: &[String],
        stop: &Stop,
        live: Option<Live<'_>>,
    ) -> Result<Report<String>, Forfeit>;
    /// Memory of the player in a slot.
    fn bytes(&self, slot: usize) -> usize;

    /// Number of move sequences of this length.
    fn perft(&self, depth: u32) -> u64;
    /// As [`perft`](AnyTable::perft), apart for each move.
    fn divide(&self, depth: u32) -> Vec<(String, u64)>;
    /// Plays `games` random games from here, the position stays; returns the plies made.
    fn playouts(&self, games: u64, seed: u64) -> u64;
}

/// A type as a row of the catalog: `&Of::<Row>::NEW`.
pub struct Of<R>(PhantomData<fn() -> R>);

impl<R: Playable> Of<R> {
    /// The row.
    pub const NEW: Self = Of(PhantomData);
}

fn complete<R: Playable>(player: &Args) -> Result<Args, SpecError> {
    player.completed(&|args, param| {
        ChosenEval::new(args, param.name, R::evals()).map(|chosen| chosen.args)
    })
}

impl<R: Playable> AnyGame for Of<R> {
    fn schema(&self) -> &'static Schema {
        R::Game::SCHEMA
    }

    fn openings(&self) -> &'static str {
        R::Game::OPENINGS
    }

    fn players(&self) -> Vec<&'static Schema> {
        R::roster().to_vec()
    }

    fn evals(&self) -> Vec<Evaluation> {
        let of = |e: &NamedEval<R::Game>| {
            let schema = (e.make)().parameters().map(|p| p.schema);
            Evaluation { name: e.name, help: e.help, schema }
        };
        R::evals().iter().map(of).collect()
    }

    fn complete(&self, player: &Args) -> Result<Args, SpecError> {
        complete::<R>(player)
    }

    fn reader(&self) -> ReadPlayer {
        |text| complete::<R>(&resolve(text, "player", R::roster())?)
    }

    fn statistics(&self) -> &'static [&'static str] {
        <R::Game as Game>::STATISTICS
    }

    fn conform(&self, game: &Args) -> Result<(), String> {
        let start = R::Game::start(game).map_err(|e| e.to_string())?;
        let options = check::Options::quick();
        check::game(&start, &options).map_err(|e| e.to_string())?;
        for eval in R::evals() {
            let failed = |e| format!("evaluation `{}`: {e}", eval.name);
            let made = (eval.make)();
            check::eval(&start, &*made, &options).map_err(failed)?;
            if let Some(parameters) = made.parameters() {
                let failed = |problem| format!("evaluation `{}`: {problem}", eval.name);
                check::parameters(&start, eval.name, &*made, &parameters, &options)
                    .map_err(failed)?;
            }
        }
        Ok(())
    }

    fn open(&self, game: &Args) -> Result<Box<dyn AnyTable>, SpecError> {
        Ok(Box::new(Session::new(R::Game::start(game)?, R::player)))
    }

    fn budget(&self, player: &Args, given: Limits) -> Result<Limits, SpecError> {
        Ok(budget::complete(R::player(player)?.as_ref(), player.limits(), given))
    }

    fn admit(&self, game: &Args, player: &Args) -> Result<(), SpecError> {
        let fits = R::player(player)?.fits(&R::Game::start(game)?);
        fits.map_err(|problem| player.name_error(problem))
    }

    fn network(&self, game: &Args, player: &Args) -> Result<Option<Network>, SpecError> {
        R::network(player, &R::Game::start(game)?)
    }

    fn check_opening(&self, game: &Args, opening: &Opening) -> Result<(), ParseError> {
        let start = R::Game::start(game).map_err(|e| ParseError::new(e.to_string()))?;
        opening.set_up(&start).map(drop)
    }

    fn worker(&self, plan: &Plan) -> Result<Box<dyn Worker>, SpecError> {
        Ok(Box::new(Seats::new(plan, R::Game::start(&plan.game)?, R::player)))
    }

    fn candidate(&self, exam: &Exam) -> Result<Box<dyn Candidate>, SpecError> {
        Ok(Box::new(Sitting::new(R::Game::start(&exam.game)?, R::player)))
    }

    fn verify(&self, plan: &Plan, record: &GameRecord) -> Result<(), LabError> {
        replay::verify(&R::Game::start(&plan.game)?, plan, record)
    }

    fn has_traps(&self) -> bool {
        R::traps().is_some()
    }

    fn traps(
        &self,
        plan: &Plan,
        record: &GameRecord,
        probe: &Probe,
    ) -> Result<Vec<Risk>, LabError> {
        let find = R::traps().ok_or_else(|| traps::none(R::Game::SCHEMA.name))?;
        traps::of_game(&R::Game::start(&plan.game)?, find, plan, record, probe)
    }
}
