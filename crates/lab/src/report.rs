//! A run as a document: what was run, what came of it, how sure that is, and what is missing.
//!
//! Everything is a pure function of the [`Results`] but the wall times, which stand apart.

mod accuracy;
mod axes;
mod claims;
mod compared;
mod curves;
mod depths;
mod duels;
mod found;
mod large;
mod names;
mod paper;
mod samples;
mod scores;
mod setup;
mod spent;
mod state;
mod statistics;
mod times;
mod tournament;
mod traps;
mod words;

use crate::replication::Replication;
use crate::{Format, Outcome, PartResult, Results};
use found::Found;
use spielbaum_document::{Block, Document, Notice, NoticeKind, Section, Text};
use words::plural;

/// The report on a run, complete or not.
pub fn report(results: &Results) -> Document {
    let experiment = &results.experiment;
    let replication = Replication::of(results);
    let mut document = Document::new(&experiment.title);
    let kind = if replication.is_some() { "Replication" } else { "Report" };
    let parts = plural(results.parts.len() as u64, "part");
    let done = results.parts.iter().filter(|part| part.complete).count();
    document.subtitle = match done == results.parts.len() {
        true => format!("{kind} on {parts}: {}", items(results)),
        false => format!("{kind} on an unfinished run: {done} of {parts} complete"),
    };
    document.meta = meta(results);
    document.sections.push(overview(results));
    if let Some(replication) = &replication {
        document.sections.extend(paper::sections(results, replication));
    }
    for found in Found::all(results) {
        document.sections.push(section(&found));
    }
    document
}

/// Games and answers, as far as there are any.
fn items(results: &Results) -> String {
    let of = |exams: bool| -> u64 {
        let kind = |part: &&PartResult| matches!(part.outcome, Outcome::Exam { .. }) == exams;
        results.parts.iter().filter(kind).map(|part| part.outcome.items()).sum()
    };
    let counts = [(of(false), "game"), (of(true), "answer")];
    let texts: Vec<String> =
        counts.iter().filter(|(n, _)| *n > 0).map(|(n, word)| plural(*n, word)).collect();
    texts.join(" and ")
}

fn meta(results: &Results) -> Vec<(String, String)> {
    let mut meta = vec![("Program".to_string(), format!("spielbaum {}", results.version))];
    if let Some(paper) = &results.experiment.paper {
        let parts = [paper.author.clone(), paper.title.clone(), paper.year.map(|y| y.to_string())];
        let text: Vec<String> = parts.into_iter().flatten().collect();
        meta.push((
            "Paper".to_string(),
            if text.is_empty() { paper.id.clone() } else { text.join(", ") },
        ));
    }
    for stamp in results.environment() {
        let cores = plural(stamp.cores as u64, "core");
        meta.push(("Machine".to_string(), format!("{}, {cores}, {}", stamp.cpu, stamp.os)));
    }
    meta.dedup();
    meta
}

/// How to read it, and what is missing.
fn overview(results: &Results) -> Section {
    let mut section = Section::new("overview", "About this run");
    if results.experiment.options.quick {
        let text = "This run was made with `--quick`: far fewer games, perhaps smaller budgets. It shows \
                    that everything works; its numbers decide nothing.";
        section.blocks.push(Notice::new(NoticeKind::QuickRun, Text::markup(text)).into());
    }
    if results.experiment.options.paper_time {
        let text = "This run was made with `--paper-time`: budgets are seconds, as in the paper, so that \
                    the results depend on the machine and cannot be repeated exactly.";
        section.blocks.push(Notice::new(NoticeKind::Warning, Text::markup(text)).into());
    }
    section.blocks.extend(state::of_run(results));
    if let Some(basis) = &results.experiment.basis {
        section.blocks.push(Block::Paragraph(Text::markup(&setup::sentence(basis))));
    }
    section.paragraph(
        "Brackets hold 95 % intervals: in nineteen of twenty cases the true value lies inside. Games \
         with the same opening and the same chance events form a round; intervals and tests take \
         rounds, not games, as independent wherever that matters.",
    )
}

fn section(found: &Found<'_>) -> Section {
    let mut section = Section::new(&found.section.id, found.title());
    section.blocks.extend(setup::blocks(found));
    section.blocks.extend(state::of_section(found));
    match found.section.format {
        Format::Depths => section.blocks.extend(depths::blocks(found)),
        Format::Accuracy => section.blocks.extend(accuracy::blocks(found)),
        _ => section.blocks.extend(games(found)),
    }
    section.blocks.extend(compared::blocks(found));
    section.blocks.extend(traps::blocks(found));
    section.blocks.extend(statistics::blocks(found));
    section.blocks.extend(spent::blocks(found));
    section.blocks.extend(times::blocks(found));
    section
}

/// What the games of a section say, by the number of seats.
fn games(found: &Found<'_>) -> Vec<Block> {
    let mut blocks = scores::blocks(found);
    blocks.extend(match found.section.format {
        Format::RoundRobin => tournament::blocks(found),
        _ => duels::blocks(found),
    });
    blocks.extend(large::blocks(found));
    blocks
}
