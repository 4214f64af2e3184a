//! One thread's players of a match, built once and restarted for each game.

use crate::erased::Worker;
use crate::playable::Build;
use crate::record::{End, GameRecord, GameTimes, statistics};
use crate::schedule::Job;
use crate::table::{self, Seat, Setting};
use crate::{Detail, LabError, Plan};
use spielbaum_core::param::Args;
use spielbaum_core::{Game, Limits, Player};

/// Players of a match on one thread. A player that sits in several seats of a game needs as
/// many copies, built when they are first needed.
pub(crate) struct Seats<G: Game> {
    start: G,
    build: Build<G>,
    players: Vec<Args>,
    limits: Vec<Limits>,
    max_plies: u32,
    record: Detail,
    /// The copies of each player.
    copies: Vec<Vec<Box<dyn Player<G>>>>,
}

impl<G: Game> Seats<G> {
    pub(crate) fn new(plan: &Plan, start: G, build: Build<G>) -> Self {
        Seats {
            start,
            build,
            players: plan.players.clone(),
            limits: plan.limits.clone(),
            max_plies: plan.max_plies,
            record: plan.record,
            copies: plan.players.iter().map(|_| Vec::new()).collect(),
        }
    }
}

impl<G: Game> Worker for Seats<G> {
    fn play(&mut self, job: &Job) -> Result<(GameRecord, GameTimes), LabError> {
        let (origin, opening) = (job.beginning.set_up(&self.start))
            .map_err(|e| LabError::Request(format!("the opening of game {}: {e}", job.game)))?;
        for (player, copies) in self.copies.iter_mut().enumerate() {
            let needed = job.seats.iter().filter(|&&p| p == player).count();
            while copies.len() < needed {
                copies.push((self.build)(&self.players[player])?);
            }
        }
        // Each seat takes the next copy of its player.
        let mut free: Vec<_> = self.copies.iter_mut().map(|copies| copies.iter_mut()).collect();
        let mut seats: Vec<Seat<'_, G>> = Vec::new();
        for (&player, &seed) in job.seats.iter().zip(&job.seeds) {
            if let Some(copy) = free[player].next() {
                let failure = table::guarded(|| copy.restart(seed)).err();
                let limits = self.limits[player];
                let sees_all = self.players[player].sees_all();
                seats.push(Seat { player: copy.as_mut(), limits, sees_all, failure });
            }
        }
        let setting = Setting {
            origin: &origin,
            opening: &opening,
            chance: job.chance,
            max_plies: self.max_plies,
        };
        let mut played = table::play(&setting, &mut seats);
        played.times.game = job.game;
        let n = seats.len();
        let moves: Vec<String> = played.moves.iter().map(ToString::to_string).collect();
        let record = GameRecord {
            game: job.game,
            round: job.round,
            seats: job.seats.clone(),
            position: job.beginning.position().cloned(),
            opening: opening.len(),
            moves: moves.join(" "),
            digest: None,
            payoffs: played.payoffs[..n].to_vec(),
            scores: played.last.scores().map(|s| s[..n].to_vec()),
            statistics: statistics(&played.last),
            plies: played.plies,
            end: played.end,
            forfeit: played.forfeit,
            counts: played.counts,
        };
        if record.end == End::Forfeit {
            // Whatever went wrong may have left a player in disorder: build new ones.
            self.copies.iter_mut().for_each(Vec::clear);
        }
        match self.record {
            Detail::Full => Ok((record, played.times)),
            Detail::Results => Ok((record.without_moves(), played.times)),
        }
    }
}
