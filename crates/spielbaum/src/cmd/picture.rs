//! `picture`: a position as a drawing.

use crate::args::Place;
use crate::failure::{Failure, Outcome};
use crate::output::{Output, write_file};
use clap::Args;
use std::path::PathBuf;

const AFTER_HELP: &str = "\
Draws a position in SVG, complete in itself, for games that can draw themselves.

Examples:
  spielbaum picture carcassonne --moves \"E E@0:-1r2+city0 U\" > position.svg
  spielbaum picture carcassonne:order=known,seed=7 --out start.svg";

/// Draw a position in SVG
#[derive(Args)]
#[command(after_help = AFTER_HELP)]
pub(crate) struct Picture {
    #[command(flatten)]
    place: Place,

    /// Write the drawing to this file [default: standard output]
    #[arg(long, short, value_name = "FILE")]
    out: Option<PathBuf>,
}

impl Picture {
    pub(crate) fn run(&self, out: &mut Output) -> Outcome {
        let found = self.place.find()?;
        let Some(svg) = found.table.picture() else {
            let name = found.game.schema().name;
            let text =
                format!("{name} cannot draw itself; `spielbaum moves {name}` shows a diagram");
            return Err(Failure::Input(text));
        };
        match &self.out {
            None => Ok(out.text(&svg)?),
            Some(path) => write_file(path, &svg),
        }
    }
}
