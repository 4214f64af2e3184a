//! `export`: a run as a table for other programs.

mod csv;
#[cfg(feature = "parquet")]
mod parquet;

use crate::catalog::RECORDED;
use crate::failure::{Failure, Outcome};
use crate::layout;
use crate::output::Output;
use clap::Args;
use spielbaum_lab::Results;
use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::PathBuf;

const AFTER_HELP: &str = "\
A row for each game or answer that is recorded: section, part and setting, the game,
its number, round, opening, length and end; for each seat the player, what it got and
what it spent (`payoff_1`, `nodes_1`, ...); the answer of an exam; the moves.

CSV is as RFC 4180 has it, in UTF-8, with a heading; an empty field is no value.
Parquet needs a program built with the feature `parquet`.

A digest is small: the experiment, the statistics of its parts, and of parts that are
not complete the results of the games, without their moves. `spielbaum report FILE`
reads it, and `spielbaum run … --from FILE` goes on from it.

Examples:
  spielbaum export runs/depth --csv depth.csv
  spielbaum export runs/depth --csv - | head
  spielbaum export runs/depth --parquet depth.parquet
  spielbaum export runs/depth --digest depth.json";

/// Export the games of a run as a table
#[derive(Args)]
#[command(after_help = AFTER_HELP)]
#[command(group = clap::ArgGroup::new("format").required(true).multiple(true))]
pub(crate) struct Export {
    /// The directory of the run
    dir: PathBuf,

    /// Write CSV to this file; `-`: to standard output
    #[arg(long, value_name = "FILE", group = "format")]
    csv: Option<PathBuf>,

    /// Write Parquet to this file
    #[arg(long, value_name = "FILE", group = "format")]
    parquet: Option<PathBuf>,

    /// Write a digest to this file: what a report needs, and what another run needs to go on
    #[arg(long, value_name = "FILE", group = "format")]
    digest: Option<PathBuf>,
}

impl Export {
    pub(crate) fn run(&self, out: &mut Output) -> Outcome {
        if let Some(path) = &self.digest {
            Results::read(&self.dir, RECORDED)?.write_digest(path)?;
        }
        if self.csv.is_none() && self.parquet.is_none() {
            return Ok(());
        }
        let results = Results::glance(&self.dir, RECORDED)?;
        if results.without_rows() > 0 {
            let note = format!(
                "note: {} games or answers have no row: they were taken over from a digest, which \
                 holds their statistics alone",
                layout::count(results.without_rows())
            );
            let _ = writeln!(std::io::stderr(), "{note}");
        }
        match &self.csv {
            Some(path) if path.as_os_str() == "-" => csv::write(&results, out)?,
            Some(path) => {
                let mut file = BufWriter::new(create(path)?);
                csv::write(&results, &mut file)?;
                file.flush().map_err(|e| Failure::Task(format!("{}: {e}", path.display())))?;
            }
            None => {}
        }
        match &self.parquet {
            Some(path) => self.write_parquet(&results, path),
            None => Ok(()),
        }
    }

    #[cfg(feature = "parquet")]
    fn write_parquet(&self, results: &Results, path: &std::path::Path) -> Outcome {
        parquet::write(results, create(path)?)
    }

    #[cfg(not(feature = "parquet"))]
    fn write_parquet(&self, _results: &Results, _path: &std::path::Path) -> Outcome {
        Err(Failure::Input(
            "this program was built without Parquet; build it with `--features parquet`, or use \
             --csv"
                .to_string(),
        ))
    }
}

fn create(path: &std::path::Path) -> Result<File, Failure> {
    File::create(path).map_err(|e| Failure::Task(format!("{}: {e}", path.display())))
}
