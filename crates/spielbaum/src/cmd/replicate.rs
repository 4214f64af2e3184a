//! `replicate`: the experiments of a paper, its published figures beside ours, its claims decided.

use super::report;
use super::run::{Manner, run_name};
use crate::catalog::{GAMES, RECORDED};
use crate::failure::{Failure, Outcome};
use crate::layout;
use crate::output::Output;
use clap::Args;
use spielbaum_lab::{Experiment, Results, RunOptions, Source};
use std::path::{Path, PathBuf};

const AFTER_HELP: &str = "\
Each paper is an experiment file with its published figures and its claims, each with
the rule that decides it; `--list` names them. Budgets correspond to the papers' work
for a move, in plays, so that days of their machines are minutes here; --paper-time
takes their seconds instead.

The default is --quick: a few games of each pairing, to see how it works; most claims
stay open. --full plays all games of the paper's file, as many as the paper did or, where
that is cheap, more: `--dry-run` says how long that takes. Both are ordinary runs:
interrupt them, and the same command goes on. Verdicts count once the paper's anchor, one
published figure, has come out again. With --only and several papers, those that have
nothing of these names are left out.

Examples:
  spielbaum replicate lion
  spielbaum replicate lion --full --only L4,L7
  spielbaum replicate lion --full --from data/replication/lion.json
  spielbaum report runs/lion --html lion.html";

/// The papers there are: a short name and the file.
pub(crate) const PAPERS: &[(&str, &str)] = &[
    ("lion", include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/../../papers/lion.toml"))),
    ("xiangqi", include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/../../papers/xiangqi.toml"))),
    ("2048", include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/../../papers/2048.toml"))),
    ("gomoku", include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/../../papers/gomoku.toml"))),
    (
        "carcassonne",
        include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/../../papers/carcassonne.toml")),
    ),
];

/// Repeat the experiments of a paper and judge its claims
#[derive(Args)]
#[command(after_help = AFTER_HELP)]
pub(crate) struct Replicate {
    /// The papers [default: all]
    papers: Vec<String>,

    /// A few games of each pairing (the default)
    #[arg(long, conflicts_with = "full")]
    quick: bool,

    /// All games: as many as the paper played, or more
    #[arg(long)]
    full: bool,

    /// Record the runs under this directory
    #[arg(long, value_name = "DIR", default_value = "runs")]
    out: PathBuf,

    /// Name the papers
    #[arg(long)]
    list: bool,

    #[command(flatten)]
    manner: Manner,
}

impl Replicate {
    pub(crate) fn run(&self, out: &mut Output) -> Outcome {
        if self.list {
            return self.name_papers(out);
        }
        let names: Vec<&str> = match self.papers.is_empty() {
            true => PAPERS.iter().map(|p| p.0).collect(),
            false => self.papers.iter().map(String::as_str).collect(),
        };
        let options = RunOptions::new(!self.full, self.manner.paper_time);
        // Every mistake is told before anything runs.
        let mut papers = Vec::new();
        for name in names {
            let dir = self.out.join(run_name(Path::new(name), options));
            papers.push((experiment(name, options)?, dir));
        }
        let all: Vec<&Experiment> = papers.iter().map(|(experiment, _)| experiment).collect();
        self.manner.only.check(&all)?;
        // What is asked for by name may be of one paper and not of another, which has nothing to do then.
        let concerned = |e: &Experiment| !self.manner.only.parts(e).is_empty();
        let others: Vec<&str> = (all.iter().filter(|experiment| !concerned(experiment)))
            .filter_map(|experiment| Some(experiment.paper.as_ref()?.id.as_str()))
            .collect();
        if !others.is_empty() {
            let text = format!("nothing of{} in {}", self.manner.only.option(), others.join(", "));
            self.manner.note(&text);
        }
        papers.retain(|(experiment, _)| concerned(experiment));
        let donor = self.manner.donor()?;
        let prepared: Vec<_> = (papers.iter())
            .map(|(experiment, dir)| self.manner.prepare(experiment, dir, donor.as_ref()))
            .collect::<Result<_, _>>()?;
        for (prepared, (_, dir)) in prepared.into_iter().zip(&papers) {
            self.manner.perform(prepared, out, |out, _, json| {
                report::tell(&Results::read(dir, RECORDED)?, dir, json, out)
            })?;
        }
        Ok(())
    }

    fn name_papers(&self, out: &mut Output) -> Outcome {
        for (name, _) in PAPERS {
            let experiment = experiment(name, RunOptions::default())?;
            let paper = experiment.paper.as_ref();
            let author = paper.and_then(|p| p.author.as_deref()).unwrap_or_default();
            let year = paper.and_then(|p| p.year).map(|y| format!(" {y}")).unwrap_or_default();
            let claims = paper.map_or(0, |p| p.claims.len());
            let rows: usize = experiment.sections.iter().map(|s| s.published.len()).sum();
            let what = format!("{}: {}", format!("{author}{year}").trim(), experiment.title);
            let counts = format!(
                "{} experiments, {} parts, {rows} published figures, {claims} claims",
                experiment.sections.len(),
                experiment.parts().count()
            );
            out.text(&layout::hang(0, name, 14, &format!("{what}; {counts}")))?;
        }
        Ok(())
    }
}

/// The experiments of a paper.
fn experiment(name: &str, options: RunOptions) -> Result<Experiment, Failure> {
    let Some((name, text)) = PAPERS.iter().find(|p| p.0 == name) else {
        let names: Vec<&str> = PAPERS.iter().map(|p| p.0).collect();
        let text = format!("no paper `{name}`; there are: {}", names.join(", "));
        return Err(Failure::Input(text));
    };
    let source = Source::new(format!("papers/{name}.toml"), *text);
    Experiment::parse(source, options, GAMES).map_err(Failure::input)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_paper_can_be_read_in_each_manner() {
        for (name, _) in PAPERS {
            for (quick, paper_time) in [(false, false), (true, false), (false, true)] {
                let read = experiment(name, RunOptions::new(quick, paper_time));
                let experiment = read.unwrap_or_else(|e| panic!("{e}"));
                let paper = experiment.paper.as_ref().expect("it is a paper");
                assert_eq!(paper.id, *name);
                assert!(paper.anchor.is_some() != paper.no_anchor.is_some(), "{name}");
                assert!(!paper.claims.is_empty());
            }
        }
    }
}
