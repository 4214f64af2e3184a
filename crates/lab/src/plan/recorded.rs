//! The plan of a match that is recorded, perhaps by an older version.

use super::{Detail, Header, Match, Plan, SpecText};
use crate::openings::Openings;
use crate::record::GameRecord;
use crate::results::check_match;
use crate::store::{Recorded, differences, header_of};
use crate::{AnyGame, LabError, former};
use spielbaum_core::Limits;
use spielbaum_core::param::resolve;
use std::path::Path;

impl Plan {
    /// The plan of a record, with the game found in the catalog.
    pub fn of_header<'a>(
        header: &Header,
        catalog: &[&'a dyn AnyGame],
    ) -> Result<(&'a dyn AnyGame, Plan), LabError> {
        let schemas: Vec<_> = catalog.iter().map(|g| g.schema()).collect();
        let args = resolve(&header.game.full, "game", &schemas)?;
        let game = *(catalog.iter())
            .find(|g| g.schema().name == args.name())
            .ok_or_else(|| LabError::Request(format!("no game `{}`", args.name())))?;
        let known = game.players();
        let players = (header.players.iter())
            .map(|p| resolve(&former::renewed(&p.full), "player", &known))
            .collect::<Result<Vec<_>, _>>()?;
        // A file may be called anything, `none` included: it has lines.
        let openings = match header.lines.as_slice() {
            [] => Openings::read(&header.openings)?,
            lines => Openings::list(&header.openings, &lines.join("\n"))?,
        };
        let request = Match {
            openings: Some(openings),
            seed: header.seed,
            games: header.games,
            seating: header.seating,
            max_plies: header.max_plies,
            sprt: header.sprt,
            width: header.width,
            record: header.record,
            ..Match::new(args, players)
        };
        // Units are as they were cut.
        let mut plan = Plan::new(game, request)?.of_size(header.games, header.rounds_per_unit);
        // The recorded budgets hold the overrides of the command line.
        plan.limits = header.limits.iter().map(Limits::from).collect();
        let (version, game_text) = (header.version.clone(), header.game.clone());
        let (players, limits) = (header.players.clone(), header.limits.clone());
        plan.header = Header { version, game: game_text, players, limits, ..plan.header };
        if plan.header != *header || plan.limits.len() != plan.players.len() {
            return Err(LabError::Request(
                "the header contradicts itself: its games, units and limits do not belong together"
                    .to_string(),
            ));
        }
        Ok((game, plan))
    }

    /// Whether this can be the record of a game; if not, why.
    pub(crate) fn check_game(&self, game: u64, record: &GameRecord) -> Result<(), String> {
        let (job, n) = (self.schedule.job(game), self.seats);
        let lengths = [record.payoffs.len(), record.counts.len()];
        let scores = record.scores.as_ref().is_none_or(|s| s.len() == n);
        let forfeit = record.forfeit.as_ref().is_none_or(|f| f.seat < n);
        if (record.game, record.round, &record.seats) != (job.game, job.round, &job.seats)
            || lengths != [n; 2]
            || !scores
            || !forfeit
        {
            return Err(format!("game {} is not game {game} of this match", record.game));
        }
        if !record.payoffs.iter().all(|payoff| payoff.is_finite()) {
            return Err(format!("game {game}: a payoff is no finite number"));
        }
        let is_hash =
            |text: &String| text.len() == 16 && text.bytes().all(|digit| digit.is_ascii_hexdigit());
        if !record.digest.as_ref().is_none_or(is_hash) {
            return Err(format!("game {game}: its hash does not have 16 hexadecimal digits"));
        }
        Ok(())
    }

    /// The same match with another number of games, recorded in units of this size.
    fn of_size(&self, games: u64, rounds_per_unit: u64) -> Plan {
        let rounds = games / self.header.games_per_round;
        let schedule = self.schedule.of_size(rounds, rounds_per_unit);
        let header = Header {
            games: schedule.games(),
            rounds_per_unit: schedule.rounds_per_unit(),
            units: schedule.units(),
            ..self.header.clone()
        };
        Plan { schedule, header, ..self.clone() }
    }

    /// A header with as many games as this match and in its units.
    fn resized(&self, header: &Header) -> Header {
        let Header { games, rounds_per_unit, units, .. } = self.header;
        Header { games, rounds_per_unit, units, ..self.renewed(header.clone()) }
    }

    /// The match of a header, if it is this one with more or fewer games or in other units.
    pub(crate) fn alike(&self, header: &Header) -> Option<Plan> {
        let alike = self.resized(header) == self.header;
        alike.then(|| self.of_size(header.games, header.rounds_per_unit))
    }

    /// The settings in which the match of a header is not this one, each with both values.
    pub(crate) fn differences(&self, header: &Header) -> Vec<String> {
        differences(&self.header, &self.resized(header))
    }

    /// What tells this match from that of a header, if it is a network alone.
    pub(crate) fn other_network(&self, header: &Header) -> Option<String> {
        let mut nameless = header.clone();
        nameless.players.iter_mut().for_each(|player| player.net = None);
        self.alike(&nameless)?;
        let mut players = self.header.players.iter().zip(&header.players);
        players.find_map(|(asked, there)| asked.other_network(there))
    }

    /// This match in the units in which it is recorded in a directory, if it is: older versions
    /// cut some matches otherwise.
    #[must_use]
    pub fn as_recorded(self, dir: &Path) -> Plan {
        let there = header_of::<Plan>(dir).ok().and_then(|header| self.alike(&header));
        let same = |plan: &Plan| plan.schedule.games() == self.schedule.games();
        there.filter(same).unwrap_or(self)
    }
}

impl Recorded for Plan {
    type Header = Header;
    type Record = GameRecord;
    type Times = crate::GameTimes;
    type Summary = crate::Summary;
    type Sums = crate::Times;
    const FILE: &'static str = "match.json";
    const NAME: &'static str = "match";

    fn header(&self) -> &Self::Header {
        Plan::header(self)
    }

    fn renewed(&self, there: Self::Header) -> Self::Header {
        let asked = self.header();
        let players = (0..).zip(&there.players);
        let player = |(i, text): (usize, &SpecText)| text.renewed(asked.players.get(i), self.read);
        Header {
            version: asked.version.clone(),
            game: there
                .game
                .renewed(Some(&asked.game), |text| resolve(text, "game", &[self.game.schema()])),
            players: players.map(player).collect(),
            ..there
        }
    }

    fn units(&self) -> u64 {
        self.schedule.units()
    }

    fn check(&self, unit: u64, records: &[GameRecord]) -> Result<(), String> {
        let games = self.schedule.unit(unit);
        if games.end - games.start != records.len() as u64 {
            return Err(format!("it has {} games, not {}", records.len(), games.end - games.start));
        }
        for (game, record) in games.zip(records) {
            self.check_game(game, record)?;
        }
        Ok(())
    }

    fn is_from_digest(&self, record: &GameRecord) -> Option<bool> {
        (self.record == Detail::Full).then_some(record.digest.is_some())
    }

    fn check_statistics(
        &self,
        summary: &Self::Summary,
        times: Option<&Self::Sums>,
        complete: bool,
    ) -> Result<(), String> {
        check_match(self, summary, times, complete)
    }
}
