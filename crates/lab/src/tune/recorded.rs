//! A tuning that is recorded, perhaps by an older version.

use super::{METHODS, Trial, TrialTime, TuneHeader, TuneRequest, TuneSummary, Tuning, Varied};
use crate::openings::Openings;
use crate::store::Recorded;
use crate::{AnyGame, LabError, SpecText, former};
use spielbaum_core::Limits;
use spielbaum_core::param::{Args, resolve};
use spielbaum_core::spec::SpecError;

impl Tuning {
    /// The tuning of a record, with the game found in the catalog.
    pub fn of_header<'a>(
        header: &TuneHeader,
        catalog: &[&'a dyn AnyGame],
    ) -> Result<(&'a dyn AnyGame, Tuning), LabError> {
        let schemas: Vec<_> = catalog.iter().map(|g| g.schema()).collect();
        let args = recorded(&header.game, |text| resolve(text, "game", &schemas))?;
        let game = *(catalog.iter())
            .find(|g| g.schema().name == args.schema().name)
            .ok_or_else(|| LabError::Request(format!("no game `{}`", args.name())))?;
        let players = game.players();
        let player = |text: &SpecText| {
            recorded(text, |text| game.complete(&resolve(text, "player", &players)?))
        };
        let openings = match header.lines.as_slice() {
            [] => Openings::read(&header.openings)?,
            lines => Openings::list(&header.openings, &lines.join("\n"))?,
        };
        let request = TuneRequest {
            game: args,
            player: player(&header.player)?,
            against: header.against.iter().map(player).collect::<Result<_, SpecError>>()?,
            vary: header.vary.iter().map(|text| Varied::read(text)).collect::<Result<_, _>>()?,
            method: recorded(&header.method, |text| resolve(text, "method", METHODS))?,
            objective: Some(header.objective),
            steps: header.steps,
            games: header.games,
            fresh: header.fresh,
            seed: header.seed,
            limits: Limits::from(&header.limits),
            openings: Some(openings),
            max_plies: header.max_plies,
        };
        Ok((game, Tuning::new(game, request)?))
    }
}

/// A specification of a record under the name that the user gave it, a preset's perhaps; by its long
/// text if the short one has come to mean something else.
fn recorded(
    text: &SpecText,
    read: impl Fn(&str) -> Result<Args, SpecError>,
) -> Result<Args, SpecError> {
    match read(&text.spec) {
        Ok(args) if args.full() == text.full => Ok(args),
        _ => read(&former::renewed(&text.full)),
    }
}

impl Recorded for Tuning {
    type Header = TuneHeader;
    type Record = Trial;
    type Times = TrialTime;
    type Summary = TuneSummary;
    type Sums = ();
    const FILE: &'static str = "tune.json";
    const NAME: &'static str = "tuning";

    fn header(&self) -> &TuneHeader {
        &self.header
    }

    fn renewed(&self, there: TuneHeader) -> TuneHeader {
        let asked = &self.header;
        let against = (0..).zip(&there.against);
        let opponent =
            |(i, text): (usize, &SpecText)| text.renewed(asked.against.get(i), self.read);
        TuneHeader {
            version: asked.version.clone(),
            game: there
                .game
                .renewed(Some(&asked.game), |text| resolve(text, "game", &[self.game.schema()])),
            player: there.player.renewed(Some(&asked.player), self.read),
            against: against.map(opponent).collect(),
            method: there
                .method
                .renewed(Some(&asked.method), |text| resolve(text, "method", METHODS)),
            ..there
        }
    }

    fn units(&self) -> u64 {
        self.header.steps
    }

    fn check(&self, unit: u64, records: &[Trial]) -> Result<(), String> {
        let numbered =
            |(trial, record): (u64, &Trial)| (record.step, record.trial) == (unit, trial);
        match !records.is_empty() && (0..).zip(records).all(numbered) {
            true => Ok(()),
            false => Err(format!("its trials are not those of step {unit}")),
        }
    }
}
