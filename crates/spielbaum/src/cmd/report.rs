//! `report`: what a run has found, for people.

use crate::catalog::RECORDED;
use crate::cmd::train;
use crate::failure::{Failure, Outcome};
use crate::output::{Output, write_file};
use crate::paint;
use clap::Args;
use spielbaum_document::{Document, html, latex, markdown, text};
use spielbaum_lab::tune::Tuned;
use spielbaum_lab::{self as lab, Results};
use std::path::{Path, PathBuf};

/// Columns of text where nobody says how wide the terminal is.
const COLUMNS: usize = 100;

const AFTER_HELP: &str = "\
Without options the report goes to the terminal, and as a page with charts to
DIR/report.html. The page needs nothing but itself: no network, no other files. It
may be made while the run goes on; what is missing is told. A run of a paper is
compared with what was published, and its claims are decided.

DIR may also be the directory of one match (`spielbaum match --out DIR`), of a training
(`spielbaum train --out DIR`) or of a tuning (`spielbaum tune --out DIR`), or the file of a digest.

Everything in it but the wall times, which are marked, is the same for the same run.

Examples:
  spielbaum report runs/depth
  spielbaum report runs/depth --html depth.html --latex depth.tex
  spielbaum report runs/depth --markdown - | less";

/// Report on a run: tables, charts, and how sure they are
#[derive(Args)]
#[command(after_help = AFTER_HELP)]
pub(crate) struct Report {
    /// The directory of a run, a match, a training or a tuning, or the file of a digest
    dir: PathBuf,

    /// Write a page with charts to this file; `-`: to standard output
    #[arg(long, value_name = "FILE")]
    html: Option<PathBuf>,

    /// Write Markdown to this file; `-`: to standard output
    #[arg(long, value_name = "FILE")]
    markdown: Option<PathBuf>,

    /// Write LaTeX to this file; `-`: to standard output
    #[arg(long, value_name = "FILE")]
    latex: Option<PathBuf>,

    /// Answer in JSON: the document with its tables and charts as data
    #[arg(long)]
    json: bool,
}

impl Report {
    pub(crate) fn run(&self, out: &mut Output) -> Outcome {
        let asked: [(&Option<PathBuf>, Writer); 3] =
            [(&self.html, html), (&self.markdown, markdown), (&self.latex, latex)];
        let piped = asked.iter().filter(|(path, _)| path.as_deref().is_some_and(is_stdout)).count();
        if piped + usize::from(self.json) > 1 {
            let text =
                "only one of --html, --markdown, --latex and --json can go to standard output";
            return Err(Failure::Input(text.to_string()));
        }
        let document = if let Some(learner) = train::dir::learner_of(&self.dir)? {
            match learner.as_str() {
                train::zero::LEARNER => train::zero::document(&self.dir)?,
                _ => train::ntuple::document(&self.dir)?,
            }
        } else if Tuned::is_in(&self.dir) {
            lab::tune::report(&Tuned::read(&self.dir, RECORDED)?)
        } else if self.dir.is_dir() {
            lab::report(&Results::read(&self.dir, RECORDED)?)
        } else {
            lab::report(&Results::read_digest(&self.dir, RECORDED)?)
        };
        if asked.iter().all(|(path, _)| path.is_none()) {
            return tell_document(&document, &self.dir, self.json, out);
        }
        for (path, writer) in asked {
            match path {
                Some(path) if is_stdout(path) => out.text(&writer(&document))?,
                Some(path) => write_file(path, &writer(&document))?,
                None => {}
            }
        }
        if self.json { out.json(&document) } else { Ok(()) }
    }
}

/// Tells what a run has found: on the terminal, and as a page in its directory, or beside the
/// file of a digest.
pub(crate) fn tell(results: &Results, dir: &Path, json: bool, out: &mut Output) -> Outcome {
    tell_document(&lab::report(results), dir, json, out)
}

/// Tells a document: on the terminal, and as a page beside what it is about.
pub(crate) fn tell_document(
    document: &Document,
    dir: &Path,
    json: bool,
    out: &mut Output,
) -> Outcome {
    if json {
        return out.json(document);
    }
    out.text(&text(document, columns()))?;
    // Beside a digest, which is data, nothing is left that was not asked for.
    if !dir.is_dir() {
        return Ok(out.text("\nThe same with charts: --html FILE\n")?);
    }
    let page = page(document, dir)?;
    Ok(out.text(&format!("\nThe same with charts: {}\n", page.display()))?)
}

/// Writes the page of a document; where.
pub(crate) fn page(document: &Document, dir: &Path) -> Result<PathBuf, Failure> {
    let page = dir.join("report.html");
    write_file(&page, &html(document))?;
    Ok(page)
}

type Writer = fn(&Document) -> String;

/// Whether this is what stands for standard output.
pub(crate) fn is_stdout(path: &Path) -> bool {
    path.as_os_str() == "-"
}

/// How wide the terminal is, as far as it can be told.
fn columns() -> usize {
    let asked = std::env::var("COLUMNS").ok().and_then(|text| text.parse().ok());
    let wide = asked.filter(|_| paint::is_screen()).unwrap_or(COLUMNS);
    wide.clamp(40, 160)
}
