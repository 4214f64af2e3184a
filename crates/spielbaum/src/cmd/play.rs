//! `play`: a person at the table.

mod commands;
mod dialogue;
mod saved;
mod sitting;
mod words;

use crate::args::{Budget, in_text};
use crate::catalog;
use crate::failure::{Failure, Outcome};
use crate::output::Output;
use clap::Args as ClapArgs;
use dialogue::Dialogue;
use saved::Saved;
use sitting::{Chair, Mind, Sitting};
use spielbaum_lab::AnyGame;
use std::path::PathBuf;
use std::time::{SystemTime, UNIX_EPOCH};

/// Who plays where nobody is named, and who gives hints where nobody thinks.
const DEFAULT: &str = "uct";
/// A person, in the place of a player.
const HUMAN: &str = "human";

const AFTER_HELP: &str = "\
At the prompt: a move in the notation of the game, or
  help, moves, hint, analyze, undo, redo, position, save FILE, resign, new, quit

You sit in the first seat, unless --seat or --second says otherwise; the players
take the other seats in turn order, the last of them all that are left. Dice are
rolled by the program. A player without a budget thinks for a second. Ctrl-C makes
the program move at once while it thinks, and ends the game at the prompt.

Examples:
  spielbaum play gomoku:m=6,n=6,k=4 uct --second
  spielbaum play gomoku alphabeta --time 2s --hint uct:iterations=100k
  spielbaum play pig:players=3 uct random
  spielbaum play reroll
  spielbaum play gomoku:m=3,n=3,k=3 human
  spielbaum play --load evening.json";

/// Play against any player in the terminal
#[derive(ClapArgs)]
#[command(after_help = AFTER_HELP)]
pub(crate) struct Play {
    /// The game, such as `gomoku:m=6,n=6,k=4`
    #[arg(required_unless_present = "load")]
    game: Option<String>,

    /// The players of the other seats, or `human` [default: uct]
    #[arg(value_name = "PLAYER")]
    players: Vec<String>,

    /// Your seat, counted from 1
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u8).range(1..=5))]
    seat: Option<u8>,

    /// Take the second seat
    #[arg(long, conflicts_with = "seat")]
    second: bool,

    /// A position as text, instead of the start of the game
    #[arg(long, value_name = "TEXT", allow_hyphen_values = true)]
    position: Option<String>,

    /// Moves and outcomes of chance to play from there
    #[arg(long, value_name = "MOVES", allow_hyphen_values = true)]
    moves: Option<String>,

    /// Go on with a game that was saved
    #[arg(long, value_name = "FILE")]
    #[arg(conflicts_with_all = ["game", "players", "seat", "second", "position", "moves", "seed"])]
    load: Option<PathBuf>,

    /// The player that is asked for hints [default: the first of the players that thinks]
    #[arg(long, value_name = "PLAYER")]
    hint: Option<String>,

    /// Seed of dice and players [default: another one each time]
    #[arg(long, value_name = "S")]
    seed: Option<u64>,

    #[command(flatten)]
    budget: Budget,
}

impl Play {
    pub(crate) fn run(&self, out: &mut Output) -> Outcome {
        let sitting = match &self.load {
            Some(path) => Saved::read(path)?.sit_down(self)?,
            None => self.sit_down()?,
        };
        Dialogue::new(sitting, out)?.run()
    }

    fn sit_down(&self) -> Result<Sitting, Failure> {
        let (game, args) = catalog::game(self.game.as_deref().unwrap_or_default())?;
        let mut table = game.open(&args)?;
        let seats = table.seats();
        if let Some(text) = &self.position {
            table.set_position(text).map_err(|e| in_text("position", text, e))?;
        }
        if let Some(text) = &self.moves {
            table.play_moves(text).map_err(|e| in_text("moves", text, e))?;
        }
        let own = if self.second { 2 } else { self.seat.unwrap_or(1) };
        let own = usize::from(own) - 1;
        if own >= seats {
            let problem = format!("there is no seat {} at a table of {seats}", own + 1);
            return Err(Failure::Input(problem));
        }
        let (chairs, spare) = self.chairs(game, seats, own)?;
        let hint = self.hint_player(game, spare.iter().chain(&chairs))?;
        let seed = self.seed.unwrap_or_else(another_seed);
        Sitting::new(args, table, chairs, (hint, self.budget.limits(), seed, 0))
    }

    /// The chairs in seat order, and a player named for a game that has no seat for it.
    fn chairs(
        &self,
        game: &dyn AnyGame,
        seats: usize,
        own: usize,
    ) -> Result<(Vec<Chair>, Option<Chair>), Failure> {
        let named =
            (self.players.iter()).map(|text| chair(game, text)).collect::<Result<Vec<_>, _>>()?;
        let room = (seats - 1).max(1);
        if named.len() > room {
            return Err(Failure::Input(format!(
                "{} players for {}",
                named.len(),
                match seats {
                    1 => "a game of one: name one that gives hints, or none".to_string(),
                    2 => "one seat beside yours".to_string(),
                    n => format!("{} seats beside yours", n - 1),
                }
            )));
        }
        if seats == 1 {
            return Ok((vec![Chair::Human], named.into_iter().next()));
        }
        let others = if named.is_empty() { vec![chair(game, DEFAULT)?] } else { named };
        let last = others.len() - 1;
        let mut chairs: Vec<Chair> = (0..seats - 1).map(|i| others[i.min(last)].clone()).collect();
        chairs.insert(own, Chair::Human);
        Ok((chairs, None))
    }

    /// Who gives hints.
    fn hint_player<'a>(
        &self,
        game: &dyn AnyGame,
        chairs: impl Iterator<Item = &'a Chair>,
    ) -> Result<Mind, Failure> {
        if let Some(text) = &self.hint {
            return Mind::new(game, text);
        }
        match chairs.filter_map(Chair::mind).find(|mind| mind.thinks()) {
            Some(mind) => Ok(mind.clone()),
            None => Mind::new(game, DEFAULT),
        }
    }
}

/// A chair by the text of its player.
fn chair(game: &dyn AnyGame, text: &str) -> Result<Chair, Failure> {
    if text == HUMAN {
        return Ok(Chair::Human);
    }
    Ok(Chair::Computer(Mind::new(game, text)?))
}

/// Another game each time: people do not want the dice of yesterday. The seed is told, and
/// with it the game can be repeated.
fn another_seed() -> u64 {
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    let mixed = now.as_secs() ^ u64::from(now.subsec_nanos()) ^ u64::from(std::process::id());
    mixed % 1_000_000
}
