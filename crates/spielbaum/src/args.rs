//! Arguments that several commands share.

use crate::catalog;
use crate::failure::Failure;
use clap::Args as ClapArgs;
use spielbaum_core::param::{Args, resolve};
use spielbaum_core::spec::SpecError;
use spielbaum_core::{Limits, ParseError};
use spielbaum_lab::{AnyGame, AnyTable};

/// A game and a position in it.
#[derive(ClapArgs)]
pub(crate) struct Place {
    /// The game, such as `gomoku:m=6,n=6,k=4`
    game: String,

    /// A position as text, instead of the start of the game
    #[arg(long, value_name = "TEXT", allow_hyphen_values = true)]
    position: Option<String>,

    /// Moves and outcomes of chance to play from there
    #[arg(long, value_name = "MOVES", allow_hyphen_values = true)]
    moves: Option<String>,
}

/// A game found in the catalog, with a table set up.
pub(crate) struct Found {
    pub(crate) game: &'static dyn AnyGame,
    pub(crate) args: Args,
    pub(crate) table: Box<dyn AnyTable>,
}

impl Place {
    /// Finds the game and sets up the position.
    pub(crate) fn find(&self) -> Result<Found, Failure> {
        let (game, args) = catalog::game(&self.game)?;
        let mut table = game.open(&args)?;
        if let Some(text) = &self.position {
            table.set_position(text).map_err(|e| in_text("position", text, e))?;
        }
        if let Some(text) = &self.moves {
            table.play_moves(text).map_err(|e| in_text("moves", text, e))?;
        }
        Ok(Found { game, args, table })
    }
}

/// A parse error shown at its place in what the user wrote.
pub(crate) fn in_text(what: &str, text: &str, e: ParseError) -> Failure {
    let at = e.at.clone().unwrap_or(0..text.len());
    let error = SpecError::new(text, at, format!("{what}: {}", e.problem));
    Failure::input(match e.help {
        Some(help) => error.help(help),
        None => error,
    })
}

/// What a search may spend on a move; goes before what the player's own text says.
#[derive(ClapArgs)]
#[command(next_help_heading = "Budget of a move, before what the player's text says")]
pub(crate) struct Budget {
    /// Wall time: 500ms, 2s, 1m
    #[arg(long, value_name = "TIME", value_parser = time)]
    time: Option<Limits>,

    /// Clock for a game: 60s+0.5s
    #[arg(long, value_name = "CLOCK", value_parser = clock)]
    clock: Option<Limits>,

    /// Simulations, or root iterations: 20000, 20k
    #[arg(long, value_name = "N", value_parser = iterations)]
    iterations: Option<Limits>,

    /// Plays on a board, the same for every kind of search
    #[arg(long, value_name = "N", value_parser = nodes)]
    nodes: Option<Limits>,

    /// Plies, or levels of a tree
    #[arg(long, value_name = "N", value_parser = depth)]
    depth: Option<Limits>,
}

impl Budget {
    /// All of it together.
    pub(crate) fn limits(&self) -> Limits {
        [self.time, self.clock, self.iterations, self.nodes, self.depth]
            .into_iter()
            .flatten()
            .fold(Limits::default(), Limits::or)
    }
}

/// The flags are read by the table that reads the keys of a player's text.
fn budget(key: &str, text: &str) -> Result<Limits, String> {
    let spec = format!("budget:{key}={}", spielbaum_core::spec::text_value(text));
    resolve(&spec, "budget", &[&spielbaum_lab::budget::SCHEMA]).map(|args| args.limits()).map_err(
        |e| {
            // The flag is named by clap; what is left to say comes after the colon.
            let problem = e.problem.split_once(": ").map_or(&*e.problem, |(_, rest)| rest);
            e.help.map_or(problem.to_string(), |help| format!("{problem}; {help}"))
        },
    )
}

/// A positive number as specifications write it: 200, 20k, 1M.
pub(crate) fn count(text: &str) -> Result<u64, String> {
    let limits = budget("iterations", text).ok();
    let number = limits.and_then(|limits| limits.iterations);
    number.ok_or_else(|| "not a positive number, such as 200, 20k or 1M".to_string())
}

/// As [`count`], and not more than so many.
pub(crate) fn count_to(
    most: u32,
) -> impl Fn(&str) -> Result<u32, String> + Clone + Send + Sync + 'static {
    move |text| {
        let number = u32::try_from(count(text)?).ok().filter(|&number| number <= most);
        number.ok_or_else(|| format!("more than {most}"))
    }
}

fn time(text: &str) -> Result<Limits, String> {
    budget("time", text)
}

fn clock(text: &str) -> Result<Limits, String> {
    budget("clock", text)
}

fn iterations(text: &str) -> Result<Limits, String> {
    budget("iterations", text)
}

fn nodes(text: &str) -> Result<Limits, String> {
    budget("nodes", text)
}

fn depth(text: &str) -> Result<Limits, String> {
    budget("depth", text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_are_read_as_in_specifications() {
        assert_eq!(count("20k"), Ok(20_000));
        assert_eq!(count_to(65_536)("1_000"), Ok(1000));
        assert_eq!(count_to(65_536)("10k"), Ok(10_000));
        assert_eq!(count_to(65_536)("100k"), Err("more than 65536".to_string()));
        assert_eq!(count_to(u32::MAX)("5G"), Err("more than 4294967295".to_string()));
        for wrong in ["0", "-1", "1.5", "x", ""] {
            assert!(count_to(100)(wrong).unwrap_err().contains("not a positive number"), "{wrong}");
        }
    }
}
