//! A game in a file.

use super::sitting::{Chair, Mind, Sitting};
use super::{Play, chair};
use crate::args::in_text;
use crate::catalog;
use crate::failure::Failure;
use crate::output::FORMAT;
use serde::{Deserialize, Serialize};
use spielbaum_core::{Forfeit, Limits};
use spielbaum_lab::budget::Budget;
use std::path::Path;

/// What `save` writes and `--load` reads.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Saved {
    format: u32,
    /// The version of the program that wrote it.
    version: String,
    /// The game with every parameter, because defaults change.
    game: String,
    /// Where the moves begin, if that is not the start of the game.
    position: Option<String>,
    moves: Vec<String>,
    /// A player or `human` for each seat.
    seats: Vec<String>,
    hint: String,
    /// What the command line gave every player.
    limits: Budget,
    seed: u64,
    round: u64,
    /// The seat that gave up, counted from 0.
    resigned: Option<usize>,
}

impl Saved {
    pub(super) fn of(sitting: &Sitting) -> Self {
        Saved {
            format: FORMAT,
            version: env!("CARGO_PKG_VERSION").to_string(),
            game: sitting.game.full(),
            position: sitting.table.origin(),
            moves: sitting.table.history(),
            seats: sitting.chairs.iter().map(ToString::to_string).collect(),
            hint: sitting.hint.args.to_string(),
            limits: Budget::from(&sitting.limits),
            seed: sitting.seed,
            round: sitting.round,
            resigned: match &sitting.forfeit {
                Some((seat, Forfeit::Resigned)) => Some(*seat),
                _ => None,
            },
        }
    }

    /// Writes the file. A file that is no saved game is never overwritten.
    pub(super) fn write(&self, path: &Path) -> Result<(), Failure> {
        let failed = |e: &dyn std::fmt::Display| {
            Failure::Task(format!("cannot save to {}: {e}", path.display()))
        };
        if path.exists() && Saved::read(path).is_err() {
            return Err(failed(&"there is another file of this name"));
        }
        let text = serde_json::to_string_pretty(self).map_err(|e| failed(&e))?;
        // Whole or not at all: the old game is not lost if the disk is full.
        let mut name = path.as_os_str().to_owned();
        name.push(".new");
        let draft = Path::new(&name);
        std::fs::write(draft, text + "\n").map_err(|e| failed(&e))?;
        std::fs::rename(draft, path).map_err(|e| {
            let _ = std::fs::remove_file(draft);
            failed(&e)
        })
    }

    /// Reads a file; what it says is checked by [`sit_down`](Saved::sit_down).
    pub(super) fn read(path: &Path) -> Result<Self, Failure> {
        let wrong = |e: &dyn std::fmt::Display| Failure::Input(format!("{}: {e}", path.display()));
        let text = std::fs::read_to_string(path).map_err(|e| wrong(&e))?;
        let value: serde_json::Value =
            serde_json::from_str(&text).map_err(|e| wrong(&format!("not a saved game: {e}")))?;
        let format = value.get("format").and_then(serde_json::Value::as_u64);
        match format {
            Some(format) if format == u64::from(FORMAT) => {}
            Some(format) => {
                let text = format!("format {format}, and this program reads format {FORMAT}");
                return Err(wrong(&text));
            }
            None => return Err(wrong(&"not a saved game: it has no `format`")),
        }
        serde_json::from_value(value).map_err(|e| wrong(&format!("not a saved game: {e}")))
    }

    /// Sets up the game as it was. What the command line says about budget and hints wins.
    pub(super) fn sit_down(self, play: &Play) -> Result<Sitting, Failure> {
        let (game, args) = catalog::game(&self.game)?;
        let mut table = game.open(&args)?;
        if let Some(text) = &self.position {
            table.set_position(text).map_err(|e| in_text("position", text, e))?;
        }
        let moves = self.moves.join(" ");
        table.play_moves(&moves).map_err(|e| in_text("moves", &moves, e))?;
        let chairs =
            (self.seats.iter()).map(|text| chair(game, text)).collect::<Result<Vec<Chair>, _>>()?;
        if chairs.len() != table.seats() {
            let (chairs, seats) = (chairs.len(), table.seats());
            return Err(Failure::Input(format!(
                "the saved game has {chairs} players for {seats} seats"
            )));
        }
        if self.resigned.is_some_and(|seat| seat >= chairs.len()) {
            return Err(Failure::input("the saved game was resigned by a seat that is not there"));
        }
        let hint = Mind::new(game, play.hint.as_deref().unwrap_or(&self.hint))?;
        let limits = play.budget.limits().or(Limits::from(&self.limits));
        let mut sitting = Sitting::new(args, table, chairs, (hint, limits, self.seed, self.round))?;
        // `new` begins a game, it does not come back to where this one was saved.
        sitting.opening.clear();
        sitting.forfeit = self.resigned.map(|seat| (seat, Forfeit::Resigned));
        Ok(sitting)
    }
}
