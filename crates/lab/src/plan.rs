//! What is to be played: the request of a user, checked and completed into a plan, and the
//! plan as the header of a record.

mod recorded;

use crate::budget::{self, Budget};
use crate::erased::ReadPlayer;
use crate::network::NetworkText;
use crate::openings::Openings;
use crate::schedule::{Schedule, Seating, seatings};
use crate::stats::sprt::Sprt;
use crate::{AnyGame, LabError, former};
use serde::{Deserialize, Serialize};
use spielbaum_core::Limits;
use spielbaum_core::param::Args;
use spielbaum_core::spec::SpecError;

/// The version of all formats written here.
pub const FORMAT: u32 = 1;

/// Plies of players after which a game is settled by [`payoffs`](spielbaum_core::Game::payoffs)
/// as it stands, unless the request says otherwise. Long enough for every game of the catalog.
pub const MAX_PLIES: u32 = 100_000;

/// A match as it is asked for.
#[derive(Clone, Debug)]
pub struct Match {
    /// The game.
    pub game: Args,
    /// The players; the first is the one the statistics speak about.
    pub players: Vec<Args>,
    /// Budget keys that replace those of every player.
    pub limits: Limits,
    /// How games begin; `None`: the game's default.
    pub openings: Option<Openings>,
    /// Seed of everything random.
    pub seed: u64,
    /// Number of games, rounded up to whole rounds.
    pub games: u64,
    /// Seatings of a table of three to five.
    pub seating: Seating,
    /// Plies after which a game is settled as it stands.
    pub max_plies: u32,
    /// Early stopping.
    pub sprt: Option<Sprt>,
    /// Early stopping once the 95 % interval of the score is no wider than this.
    pub width: Option<f64>,
    /// What is kept of a game.
    pub record: Detail,
}

/// What a record keeps of each game.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Detail {
    /// Everything: it can be replayed.
    #[default]
    Full,
    /// The result without the moves.
    Results,
}

impl Detail {
    fn is_full(&self) -> bool {
        *self == Detail::Full
    }
}

impl Match {
    /// A match with the defaults of the command line.
    pub fn new(game: Args, players: Vec<Args>) -> Self {
        Match {
            game,
            players,
            limits: Limits::default(),
            openings: None,
            seed: 1,
            games: 100,
            seating: Seating::All,
            max_plies: MAX_PLIES,
            sprt: None,
            width: None,
            record: Detail::Full,
        }
    }
}

/// A match ready to be run.
#[derive(Clone, Debug)]
pub struct Plan {
    /// The game.
    pub game: Args,
    /// The players.
    pub players: Vec<Args>,
    /// The budget of each player, complete.
    pub limits: Vec<Limits>,
    /// Seats at the table.
    pub seats: usize,
    /// The jobs.
    pub schedule: Schedule,
    /// Plies after which a game is settled as it stands.
    pub max_plies: u32,
    /// Early stopping.
    pub sprt: Option<Sprt>,
    /// Early stopping once the 95 % interval of the score is no wider than this.
    pub width: Option<f64>,
    /// What is kept of a game.
    pub record: Detail,
    /// Reads players of its game.
    pub(crate) read: ReadPlayer,
    header: Header,
}

/// A specification in a record: short for people, and with every value because defaults change.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct SpecText {
    /// The canonical text.
    pub spec: String,
    /// The same with all defaults.
    pub full: String,
    /// The network that a player uses, by its bytes; records of older versions do not tell.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub net: Option<NetworkText>,
}

impl From<&Args> for SpecText {
    fn from(args: &Args) -> Self {
        SpecText { spec: args.to_string(), full: args.full(), net: None }
    }
}

impl SpecText {
    /// What was recorded, by today's tables: equal to what is asked for if it means the same, and
    /// as it stands if it cannot be read any more.
    pub(crate) fn renewed(
        &self,
        asked: Option<&SpecText>,
        read: impl Fn(&str) -> Result<Args, SpecError>,
    ) -> SpecText {
        let full = former::renewed(&self.full);
        let full = read(&full).map_or(full, |args| args.full());
        match asked {
            Some(asked) if asked.full == full && asked.has_network_of(self) => asked.clone(),
            _ => SpecText { spec: self.spec.clone(), full, net: self.net.clone() },
        }
    }

    /// Whether it may be called this: by its own short text, or by another that means the same.
    pub(crate) fn is_called(
        &self,
        name: &str,
        read: impl Fn(&str) -> Result<Args, SpecError>,
    ) -> bool {
        self.spec == name || read(&former::renewed(name)).is_ok_and(|args| args.full() == self.full)
    }
}

/// The header of a record: everything that decides the games.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Header {
    /// Version of the format.
    pub format: u32,
    /// Version of the program.
    pub version: String,
    /// The game.
    pub game: SpecText,
    /// The players, A first.
    pub players: Vec<SpecText>,
    /// Their budgets.
    pub limits: Vec<Budget>,
    /// How games begin, by name.
    pub openings: String,
    /// The openings of a list, so that the record needs no other file.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub lines: Vec<String>,
    /// Seed of everything random.
    pub seed: u64,
    /// Number of games, whole rounds.
    pub games: u64,
    /// Which seatings a round has.
    pub seating: Seating,
    /// Plies after which a game is settled as it stands.
    pub max_plies: u32,
    /// Early stopping.
    pub sprt: Option<Sprt>,
    /// Early stopping once the 95 % interval of the score is no wider than this.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub width: Option<f64>,
    /// What is kept of a game.
    #[serde(default, skip_serializing_if = "Detail::is_full")]
    pub record: Detail,
    /// Games in a round.
    pub games_per_round: u64,
    /// Rounds in a unit.
    pub rounds_per_unit: u64,
    /// Number of units, if none is spared by early stopping.
    pub units: u64,
}

impl Plan {
    /// Checks a request: every error a user can make appears here, before anything runs.
    pub fn new(game: &dyn AnyGame, request: Match) -> Result<Plan, LabError> {
        let seats = game.open(&request.game)?.seats();
        check_numbers(&request, seats)?;
        let Match { game: args, players, limits, openings, .. } = request;
        let Match { seed, games, seating, max_plies, sprt, width, record, .. } = request;
        let players = players.iter().map(|p| game.complete(p)).collect::<Result<Vec<_>, _>>()?;
        players.iter().try_for_each(|p| game.admit(&args, p))?;
        let limits =
            players.iter().map(|p| game.budget(p, limits)).collect::<Result<Vec<_>, _>>()?;
        let openings = match openings {
            Some(openings) => openings,
            None => Openings::read(game.openings())?,
        };
        if let Openings::List { name, lines, numbers } = &openings {
            for (line, number) in lines.iter().zip(numbers) {
                game.check_opening(&args, line).map_err(|e| {
                    LabError::Request(format!("openings `{name}`, line {number}: {e}"))
                })?;
            }
        }
        let seatings = seatings(players.len(), seats, seating);
        let plays = plays_per_game(&limits, max_plies);
        let schedule = Schedule::new(seed, games, plays, seatings, openings);
        if sprt.is_some() && !schedule.is_even() {
            return Err(LabError::Request(
                "a sequential test needs two players who change places".to_string(),
            ));
        }
        let header = Header {
            format: FORMAT,
            version: env!("CARGO_PKG_VERSION").to_string(),
            game: SpecText::from(&args),
            players: (players.iter())
                .map(|player| SpecText::of_player(game, &args, player))
                .collect::<Result<_, _>>()?,
            limits: limits.iter().map(Budget::from).collect(),
            openings: schedule.openings().name(),
            lines: schedule.openings().texts(),
            seed,
            games: schedule.games(),
            seating,
            max_plies,
            sprt,
            width,
            record,
            games_per_round: schedule.seatings().len() as u64,
            rounds_per_unit: schedule.rounds_per_unit(),
            units: schedule.units(),
        };
        Ok(Plan {
            game: args,
            players,
            limits,
            seats,
            schedule,
            max_plies,
            sprt,
            width,
            record,
            read: game.reader(),
            header,
        })
    }

    /// The header of the record.
    pub fn header(&self) -> &Header {
        &self.header
    }

    /// Whether the same seed gives the same games: no budget is wall time.
    pub fn is_deterministic(&self) -> bool {
        self.limits.iter().all(Limits::is_deterministic)
    }
}

/// About how many plays a game takes, by what its players may spend on a move.
fn plays_per_game(limits: &[Limits], max_plies: u32) -> u64 {
    const PLIES: u64 = 32;
    let moves = limits.iter().map(budget::plays).sum::<u64>() / limits.len().max(1) as u64;
    moves.saturating_mul(PLIES.min(u64::from(max_plies)))
}

fn check_numbers(request: &Match, seats: usize) -> Result<(), LabError> {
    let (players, games) = (request.players.len(), request.games);
    let wrong = |text: String| Err(LabError::Request(text));
    match (seats, players) {
        (1, 1..) => {}
        (2, 2) => {}
        (3.., n) if (2..=seats).contains(&n) => {}
        (1, _) => return wrong("a one-player game needs at least one player".to_string()),
        (2, n) => return wrong(format!("a two-player game needs two players, not {n}")),
        (_, n) => {
            return wrong(format!("a table of {seats} needs two to {seats} players, not {n}"));
        }
    }
    if games == 0 || games > 1_000_000_000 {
        return wrong(format!("{games} games: the number must be from 1 to 1000000000"));
    }
    if request.max_plies == 0 {
        return wrong("a game of at most 0 plies is none".to_string());
    }
    match request.width {
        Some(_) if seats == 1 => {
            return wrong("a width is of the score against opponents; here are none".to_string());
        }
        Some(width) if !(width > 0.0 && width < 1.0) => {
            return wrong(format!("width {width}: it must lie between 0 and 1"));
        }
        _ => {}
    }
    Ok(())
}
