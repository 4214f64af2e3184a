//! `list`: every game, player and parameter, from the tables that parse them.

mod json;
mod text;

use crate::catalog::{self, GAMES};
use crate::failure::{Failure, Outcome};
use crate::output::Output;
use clap::Args;
use spielbaum_core::param::{Schema, find};
use spielbaum_core::text::nearest;
use spielbaum_lab::AnyGame;

const AFTER_HELP: &str = "\
Examples:
  spielbaum list
  spielbaum list uct
  spielbaum list gomoku --json";

/// Show games, players and their parameters
#[derive(Args)]
#[command(after_help = AFTER_HELP)]
pub(crate) struct List {
    /// Show this game or player only, with all there is to say about it
    name: Option<String>,

    /// Answer in JSON
    #[arg(long)]
    json: bool,
}

/// What is to be listed.
struct Selection {
    games: Vec<&'static dyn AnyGame>,
    players: Vec<&'static Schema>,
}

impl List {
    pub(crate) fn run(&self, out: &mut Output) -> Outcome {
        let selection = match &self.name {
            None => Selection { games: GAMES.to_vec(), players: catalog::players().to_vec() },
            Some(name) => select(name)?,
        };
        if self.json {
            return out.json(&json::listing(&selection));
        }
        Ok(out.text(&match &self.name {
            None => text::overview(&selection),
            Some(_) => text::details(&selection),
        })?)
    }
}

fn select(name: &str) -> Result<Selection, Failure> {
    let is_called = |schema: &'static Schema| find(name, &[schema]).is_some();
    let games: Vec<_> = GAMES.iter().copied().filter(|g| is_called(g.schema())).collect();
    let players: Vec<_> = catalog::players().iter().copied().filter(|&p| is_called(p)).collect();
    if games.is_empty() && players.is_empty() {
        let schemas = GAMES.iter().map(|g| g.schema()).chain(catalog::players().iter().copied());
        let names: Vec<&str> = schemas.flat_map(Schema::names).collect();
        let near = nearest(name, &names).map(|n| format!("; did you mean `{n}`?"));
        return Err(Failure::Input(format!(
            "no game or player is called `{name}`{}\nthere are: {}",
            near.unwrap_or_default(),
            names.join(", ")
        )));
    }
    Ok(Selection { games, players })
}

/// The players of a game by all their names.
fn player_names(game: &dyn AnyGame) -> Vec<&'static str> {
    game.players().into_iter().flat_map(Schema::names).collect()
}

/// The games a player can play.
fn games_of(player: &Schema) -> Vec<&'static str> {
    (GAMES.iter())
        .filter(|g| g.players().iter().any(|p| p.name == player.name))
        .map(|g| g.schema().name)
        .collect()
}
