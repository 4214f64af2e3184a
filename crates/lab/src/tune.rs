//! Tuning: numeric parameters of a player, varied until it plays better.
//!
//! A [`TuneRequest`] is checked into a [`Tuning`]; [`TuneDir::run`] plays it. An optimiser asks for the
//! values of a few players at a time, a *step*; each plays the same games, that is with the same
//! openings, chance events and seeds, and the optimiser is told how they did. At the end the player
//! that was found and the one it began with play fresh games.
//!
//! Seeds: the games of step n come from `split(split(seed, 0), n)`, the fresh ones from
//! `split(seed, 1)`, the optimiser's own from `split(seed, 2)`. So no game by which anything was
//! chosen is among those by which it is judged.

mod anneal;
mod cma_es;
mod eigen;
mod log;
mod method;
mod objective;
mod optimiser;
mod player;
mod recorded;
mod report;
mod space;
mod spsa;

pub use anneal::Anneal;
pub use cma_es::CmaEs;
pub use log::{Judged, Trial, TrialTime, TuneDir, TuneNews, TuneStep, TuneSummary, Tuned};
pub use method::METHODS;
pub use objective::Objective;
pub use optimiser::Optimiser;
pub use report::report;
pub use space::{Scale, Varied, mirrored};
pub use spsa::Spsa;

use crate::budget::Budget;
use crate::erased::ReadPlayer;
use crate::openings::Openings;
use crate::{AnyGame, Detail, FORMAT, LabError, MAX_PLIES, Match, Plan, Seating, SpecText};
use player::Varying;
use serde::{Deserialize, Serialize};
use spielbaum_core::param::Args;
use spielbaum_core::{Limits, Rng};

/// A tuning as it is asked for.
#[derive(Clone, Debug)]
pub struct TuneRequest {
    /// The game.
    pub game: Args,
    /// The player, with the values it begins with.
    pub player: Args,
    /// Its opponents, in games of several seats.
    pub against: Vec<Args>,
    /// What is varied.
    pub vary: Vec<Varied>,
    /// The optimiser, by [`METHODS`].
    pub method: Args,
    /// What is tuned for; `None`: by the number of seats.
    pub objective: Option<Objective>,
    /// Steps of the optimiser.
    pub steps: u64,
    /// Games of each player of a step, rounded up to whole rounds.
    pub games: u64,
    /// Games of each of two players at the end.
    pub fresh: u64,
    /// Seed of everything random.
    pub seed: u64,
    /// Budget keys that replace those of every player.
    pub limits: Limits,
    /// How games begin; `None`: the game's default.
    pub openings: Option<Openings>,
    /// Plies after which a game is settled as it stands.
    pub max_plies: u32,
}

impl TuneRequest {
    /// A tuning with the defaults of the command line.
    pub fn new(game: Args, player: Args, vary: Vec<Varied>, method: Args) -> Self {
        TuneRequest {
            game,
            player,
            against: Vec::new(),
            vary,
            method,
            objective: None,
            steps: 50,
            games: 20,
            fresh: 400,
            seed: 1,
            limits: Limits::default(),
            openings: None,
            max_plies: MAX_PLIES,
        }
    }
}

/// The header of a tuning: everything that decides it.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TuneHeader {
    /// Version of the format.
    pub format: u32,
    /// Version of the program.
    pub version: String,
    /// The game.
    pub game: SpecText,
    /// The player as it begins.
    pub player: SpecText,
    /// Its opponents.
    pub against: Vec<SpecText>,
    /// What is varied, as [`Varied::read`] reads it.
    pub vary: Vec<String>,
    /// The optimiser.
    pub method: SpecText,
    /// What is tuned for.
    pub objective: Objective,
    /// Steps of the optimiser.
    pub steps: u64,
    /// Games of each player of a step.
    pub games: u64,
    /// Games of each of two players at the end.
    pub fresh: u64,
    /// Seed of everything random.
    pub seed: u64,
    /// Budget keys that replace those of every player.
    pub limits: Budget,
    /// How games begin, by name.
    pub openings: String,
    /// The openings of a list.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub lines: Vec<String>,
    /// Plies after which a game is settled as it stands.
    pub max_plies: u32,
}

/// A tuning ready to be run.
#[derive(Clone, Debug)]
pub struct Tuning {
    game: Args,
    varying: Varying,
    against: Vec<Args>,
    method: Args,
    limits: Limits,
    openings: Openings,
    seats: usize,
    read: ReadPlayer,
    header: TuneHeader,
}

/// The branches of the seed.
const TRAINING: u64 = 0;
const FRESH: u64 = 1;
const OPTIMISER: u64 = 2;

/// The seed of the games of a step.
fn training_seed(seed: u64, step: u64) -> u64 {
    Rng::split(Rng::split(seed, TRAINING), step)
}

/// The seed of the games at the end.
fn fresh_seed(seed: u64) -> u64 {
    Rng::split(seed, FRESH)
}

/// Most steps, and most games of a player in one.
pub const MOST_GAMES: u64 = 1_000_000;

impl Tuning {
    /// Checks a request: every error a user can make appears here, before anything runs.
    pub fn new(game: &dyn AnyGame, request: TuneRequest) -> Result<Tuning, LabError> {
        let seats = game.open(&request.game)?.seats();
        check_numbers(&request, seats)?;
        let objective = request.objective.unwrap_or(Objective::of_seats(seats));
        objective.check(seats)?;
        let varying = Varying::new(game, &request.player, &request.vary)?;
        let against = (request.against.iter())
            .map(|player| game.complete(player))
            .collect::<Result<Vec<_>, _>>()?;
        let openings = match request.openings {
            Some(openings) => openings,
            None => Openings::read(game.openings())?,
        };
        let named = |player: &Args| SpecText::of_player(game, &request.game, player);
        let header = TuneHeader {
            format: FORMAT,
            version: env!("CARGO_PKG_VERSION").to_string(),
            game: SpecText::from(&request.game),
            player: named(&varying.player)?,
            against: against.iter().map(named).collect::<Result<_, _>>()?,
            vary: varying.varied.iter().map(ToString::to_string).collect(),
            method: SpecText::from(&request.method),
            objective,
            steps: request.steps,
            games: request.games,
            fresh: request.fresh,
            seed: request.seed,
            limits: Budget::from(&request.limits),
            openings: openings.name(),
            lines: openings.texts(),
            max_plies: request.max_plies,
        };
        let tuning = Tuning {
            game: request.game,
            varying,
            against,
            method: request.method,
            limits: request.limits,
            openings,
            seats,
            read: game.reader(),
            header,
        };
        // What is wrong with a match is told now, and not after the first step.
        tuning.plan(game, tuning.varying.player.clone(), 0, tuning.header.games)?;
        Ok(tuning)
    }

    /// The header of the record.
    pub fn header(&self) -> &TuneHeader {
        &self.header
    }

    /// What is varied, with the values it begins with.
    pub fn varied(&self) -> impl Iterator<Item = (&Varied, f64)> {
        self.varying.varied.iter().zip(self.varying.values.iter().copied())
    }

    /// The match of one player: the same for all of a step but for the player.
    fn plan(
        &self,
        game: &dyn AnyGame,
        player: Args,
        seed: u64,
        games: u64,
    ) -> Result<Plan, LabError> {
        let mut players = vec![player];
        // At a larger table the player has one seat, and opponents take the others in turn.
        players.extend(self.against.iter().cycle().take(self.seats - 1).cloned());
        let request = Match {
            limits: self.limits,
            openings: Some(self.openings.clone()),
            seed,
            games,
            seating: Seating::Rotate,
            max_plies: self.header.max_plies,
            record: Detail::Results,
            ..Match::new(self.game.clone(), players)
        };
        Plan::new(game, request)
    }

    /// The optimiser at its start.
    fn optimiser(&self) -> Box<dyn Optimiser> {
        let start: Vec<f64> = self.varied().map(|(varied, value)| varied.place(value)).collect();
        let seed = Rng::split(self.header.seed, OPTIMISER);
        method::optimiser(&self.method, &start, self.header.steps, seed)
    }

    /// The values that a point stands for.
    fn values(&self, point: &[f64]) -> Vec<f64> {
        self.varying.varied.iter().zip(point).map(|(varied, &at)| varied.value(at)).collect()
    }
}

fn check_numbers(request: &TuneRequest, seats: usize) -> Result<(), LabError> {
    let wrong = |text: String| Err(LabError::Request(text));
    match (seats, request.against.len()) {
        (1, 0) => {}
        (1, _) => return wrong("a game of one player has no opponents".to_string()),
        (_, 0) => return wrong("an opponent is missing: --against PLAYER".to_string()),
        (_, n) if n >= seats => {
            return wrong(format!("{n} opponents and {seats} seats: one is the player's"));
        }
        _ => {}
    }
    for (name, number) in [("steps", request.steps), ("games", request.games)] {
        if number == 0 || number > MOST_GAMES {
            return wrong(format!("{number} {name}: the number must be from 1 to {MOST_GAMES}"));
        }
    }
    if request.fresh < 2 || request.fresh > MOST_GAMES {
        return wrong(format!(
            "{} fresh games: the number must be from 2 to {MOST_GAMES}",
            request.fresh
        ));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Schedule;
    use std::collections::HashSet;

    #[test]
    fn no_game_is_both_trained_on_and_judged_by() {
        let chances = |seed: u64, games: u64| {
            let schedule = Schedule::new(seed, games, 1, vec![vec![0]], Openings::None);
            (0..games).map(move |game| schedule.job(game).chance).collect::<Vec<_>>()
        };
        for seed in 0..5 {
            let steps = (0..200).flat_map(|step| chances(training_seed(seed, step), 50));
            let trained: HashSet<u64> = steps.collect();
            assert_eq!(trained.len(), 10_000, "each step plays other games");
            assert!(chances(fresh_seed(seed), 5000).iter().all(|c| !trained.contains(c)));
        }
    }
}
