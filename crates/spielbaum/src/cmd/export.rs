//! `export`: a run as a table for other programs.

mod csv;
#[cfg(feature = "parquet")]
mod parquet;

use crate::catalog::RECORDED;
use crate::cmd::report::is_stdout;
use crate::failure::{Failure, Outcome};
use crate::layout;
use crate::output::Output;
use clap::Args;
use spielbaum_lab::{Replacement, Results};
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};

const AFTER_HELP: &str = "\
A row for each game or answer that is recorded: section, part and setting, the game,
its number, round, opening, length and end; for each seat the player, what it got and
what it spent (`payoff_1`, `nodes_1`, ...); the answer of an exam; the moves.

CSV is as RFC 4180 has it, in UTF-8, with a heading; an empty field is no value.
Parquet needs a program built with the feature `parquet`.

A digest is small: the experiment, the statistics of its parts, and of parts that are
not complete the results of the games, without their moves. `spielbaum report FILE`
reads it, and `spielbaum run … --from FILE` goes on from it.

A file that is there is replaced once the new one is complete; a link leads to its file.

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

    /// Write a digest to this file: what a report needs, and what another run needs to go on; `-`: to
    /// standard output
    #[arg(long, value_name = "FILE", group = "format")]
    digest: Option<PathBuf>,
}

/// What a run's directory holds that it cannot do without.
const RECORDS: [&str; 5] = ["run.json", "experiment.toml", "files", "parts", "timing"];

impl Export {
    pub(crate) fn run(&self, out: &mut Output) -> Outcome {
        if [&self.csv, &self.digest].iter().all(|path| path.as_deref().is_some_and(is_stdout)) {
            let text = "only one of --csv and --digest can go to standard output";
            return Err(Failure::Input(text.to_string()));
        }
        for path in [&self.csv, &self.digest, &self.parquet].into_iter().flatten() {
            self.spare_records(path)?;
        }
        match &self.digest {
            Some(path) if is_stdout(path) => {
                out.write_all(&Results::read(&self.dir, RECORDED)?.digest()?)?;
            }
            Some(path) => Results::read(&self.dir, RECORDED)?.write_digest(path)?,
            None => {}
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
            Some(path) if is_stdout(path) => csv::write(&results, out)?,
            Some(path) => write_csv(&results, path)?,
            None => {}
        }
        match &self.parquet {
            Some(path) => self.write_parquet(&results, path),
            None => Ok(()),
        }
    }

    /// Refuses to write over a file of the run itself.
    fn spare_records(&self, path: &Path) -> Outcome {
        let whole = |path: &Path| std::fs::canonicalize(path).ok();
        let (Some(file), Some(dir)) = (whole(path), whole(&self.dir)) else { return Ok(()) };
        let inside = file.strip_prefix(&dir).ok().and_then(|inside| inside.iter().next());
        let is_record = inside.is_some_and(|first| RECORDS.iter().any(|&name| first == name));
        if is_stdout(path) || !is_record {
            return Ok(());
        }
        let (path, dir) = (path.display(), self.dir.display());
        Err(Failure::Input(format!("{path} is a file of the run {dir}; choose another name")))
    }

    #[cfg(feature = "parquet")]
    fn write_parquet(&self, results: &Results, path: &Path) -> Outcome {
        if is_stdout(path) {
            let text = "--parquet needs the name of a file; --csv can go to standard output";
            return Err(Failure::Input(text.to_string()));
        }
        let target = Replacement::begin(path)?;
        parquet::write(results, target.file().try_clone().map_err(failed(path))?)?;
        Ok(target.finish()?)
    }

    #[cfg(not(feature = "parquet"))]
    fn write_parquet(&self, _results: &Results, _path: &Path) -> Outcome {
        Err(Failure::Input(
            "this program was built without Parquet; build it with `--features parquet`, or use \
             --csv"
                .to_string(),
        ))
    }
}

fn write_csv(results: &Results, path: &Path) -> Outcome {
    let target = Replacement::begin(path)?;
    let mut file = BufWriter::new(target.file());
    csv::write(results, &mut file)?;
    file.flush().map_err(failed(path))?;
    drop(file);
    Ok(target.finish()?)
}

fn failed(path: &Path) -> impl FnOnce(std::io::Error) -> Failure + '_ {
    move |e| Failure::Task(format!("{}: {e}", path.display()))
}
