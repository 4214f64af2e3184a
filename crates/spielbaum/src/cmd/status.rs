//! `status`: how far a run is.

use crate::catalog::RECORDED;
use crate::failure::Outcome;
use crate::layout;
use crate::output::{FORMAT, Output};
use clap::Args;
use serde::Serialize;
use spielbaum_lab::{
    self as lab, Ending, ExamSummary, Outcome as Found, Part, PartResult, Results, Section,
    Summary, TakenOver,
};
use std::collections::BTreeSet;
use std::path::PathBuf;

const AFTER_HELP: &str = "\
States: `complete`, `decided` (by its test, or its interval is as narrow as asked),
`running`, `unfinished` (nobody works on it; `spielbaum run DIR` goes on), `missing`
(not begun), `damaged` (a file is not what was written; what to do is told below).

JSON: {\"format\", \"title\", \"complete\", \"worked_on_by\", \"parts\": [{\"part\", \"section\",
  \"setting\", \"state\", \"units\", \"units_of_part\", \"games\", \"problem\", \"taken_over\",
  \"match\" or \"exam\": {...}}]}; the statistics are those of the completed games, in order

Examples:
  spielbaum status runs/depth
  spielbaum status runs/depth --json";

/// Show how far a run is
#[derive(Args)]
#[command(after_help = AFTER_HELP)]
pub(crate) struct Status {
    /// The directory of the run
    dir: PathBuf,

    /// Answer in JSON
    #[arg(long)]
    json: bool,
}

impl Status {
    pub(crate) fn run(&self, out: &mut Output) -> Outcome {
        answer(&Results::glance(&self.dir, RECORDED)?, &|_| true, self.json, out)
    }
}

/// Axis and value, in order.
pub(crate) type Setting<'a> = Vec<(&'a str, &'a str)>;

#[derive(Serialize)]
struct Answer<'a> {
    format: u32,
    title: &'a str,
    complete: bool,
    worked_on_by: Option<String>,
    parts: Vec<Row<'a>>,
}

#[derive(Serialize)]
struct Row<'a> {
    part: &'a str,
    section: &'a str,
    setting: Setting<'a>,
    state: &'static str,
    units: u64,
    units_of_part: u64,
    games: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    problem: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    taken_over: Option<&'a TakenOver>,
    #[serde(rename = "match", skip_serializing_if = "Option::is_none")]
    match_: Option<&'a Summary>,
    #[serde(skip_serializing_if = "Option::is_none")]
    exam: Option<&'a ExamSummary>,
}

/// The setting of a part.
pub(crate) fn setting<'a>(section: &'a Section, part: &'a Part) -> Setting<'a> {
    lab::setting(section, part)
}

/// A setting in one line of at most so many columns. Who plays needs no word before it.
pub(crate) fn setting_text(setting: &Setting<'_>, columns: usize) -> String {
    let text = |&(axis, value): &(&str, &str)| match axis {
        "player" | "opponent" => value.to_string(),
        _ => format!("{axis}={value}"),
    };
    let text = setting.iter().map(text).collect::<Vec<_>>().join("  ");
    match text.chars().count() > columns {
        true => text.chars().take(columns.saturating_sub(1)).chain("…".chars()).collect(),
        false => text,
    }
}

/// A table whose last column, the settings, gets what is left of the width.
pub(crate) fn table_with_settings(
    heading: &[&str],
    rows: Vec<(Vec<String>, &Setting<'_>)>,
) -> String {
    const LEAST: usize = 24;
    let width = |i: usize| {
        let cells = rows.iter().map(|(cells, _)| cells[i].chars().count());
        cells.chain([heading[i].chars().count()]).max().unwrap_or(0) + 2
    };
    let used: usize = (0..heading.len() - 1).map(width).sum();
    let columns = layout::WIDTH.saturating_sub(used + 2).max(LEAST);
    let full: Vec<Vec<String>> = (rows.into_iter())
        .map(|(mut cells, setting)| {
            cells.push(setting_text(setting, columns));
            cells
        })
        .collect();
    layout::table(heading, &full)
}

/// Tells how the parts asked for stand.
pub(crate) fn answer(
    results: &Results,
    wanted: &dyn Fn(&Part) -> bool,
    json: bool,
    out: &mut Output,
) -> Outcome {
    let worked_on_by = results.worked_on_by();
    let parts = (results.experiment.parts().zip(&results.parts))
        .filter(|((_, part), _)| wanted(part))
        .map(|((section, part), result)| Row {
            part: &part.name,
            section: &section.id,
            setting: setting(section, part),
            state: state(result, worked_on_by.is_some()),
            units: result.done,
            units_of_part: result.units,
            games: result.outcome.items(),
            problem: result.problem.as_deref(),
            taken_over: result.taken_over.as_ref(),
            match_: match &result.outcome {
                Found::Match { summary, .. } => Some(summary),
                Found::Exam { .. } => None,
            },
            exam: match &result.outcome {
                Found::Match { .. } => None,
                Found::Exam { summary, .. } => Some(summary),
            },
        })
        .collect();
    let title = results.experiment.title.as_str();
    let complete = results.is_complete();
    let answer = Answer { format: FORMAT, title, complete, worked_on_by, parts };
    if json { out.json(&answer) } else { Ok(out.text(&describe(&answer))?) }
}

fn state(result: &PartResult, at_work: bool) -> &'static str {
    match (result.ending, &result.problem) {
        (_, Some(_)) => "damaged",
        (Some(Ending::Decided(_) | Ending::Narrow), _) => "decided",
        (Some(_), _) => "complete",
        (None, _) if result.done == 0 => "missing",
        (None, _) if at_work => "running",
        (None, _) => "unfinished",
    }
}

fn percent(share: f64, [low, high]: [f64; 2]) -> String {
    format!("{:.1} % ({:.1}-{:.1})", 100.0 * share, 100.0 * low, 100.0 * high)
}

fn score(row: &Row<'_>) -> String {
    let of_match = row.match_.and_then(|summary| {
        let means = || summary.players.iter().filter_map(|p| p.points.map(|points| points.mean));
        let (low, high) = (means().reduce(f64::min), means().reduce(f64::max));
        // Players who are alone have no score against each other: the least and the best of their means.
        let points = || match (low?, high?) {
            (low, high) if low < high => Some(format!("{low:.2} to {high:.2} points")),
            (mean, _) => Some(format!("{mean:.2} points")),
        };
        let of_two = summary.score.zip(summary.score_ci).filter(|_| summary.seats.len() > 1);
        of_two.map(|(s, ci)| percent(s, ci)).or_else(points)
    });
    let of_exam = row.exam.and_then(|summary| {
        let deepest = summary.depths.last().map(|row| format!("depth {}", row.depth));
        summary.kept.map(|kept| percent(kept.share, kept.ci)).or(deepest)
    });
    of_match.or(of_exam).unwrap_or_else(|| "-".to_string())
}

/// Which parts are from digests: their moves, or their games altogether, are not here.
fn taken_over(answer: &Answer<'_>) -> String {
    let mut text = String::new();
    for (whole, what) in [(true, "statistics without games"), (false, "games without moves")] {
        let of = |row: &Row<'_>| row.taken_over.filter(|t| t.whole == whole).map(TakenOver::names);
        let names: BTreeSet<String> = answer.parts.iter().filter_map(of).collect();
        for name in names {
            let parts: Vec<&str> = (answer.parts.iter())
                .filter(|row| of(row).as_ref() == Some(&name))
                .map(|row| row.part)
                .collect();
            let line = format!("{what}, from {name}: {}", parts.join(", "));
            text += &format!("\n{}", layout::hang(0, "", 2, &line));
        }
    }
    text
}

fn describe(answer: &Answer<'_>) -> String {
    let rows = (answer.parts.iter())
        .map(|row| {
            let cells = vec![
                row.part.to_string(),
                format!("{}/{}", row.units, row.units_of_part),
                layout::count(row.games),
                score(row),
                row.state.to_string(),
            ];
            (cells, &row.setting)
        })
        .collect();
    let heading = ["part", "units", "games", "score (95 %)", "state", "setting"];
    let mut text = format!("{}\n\n{}", answer.title, table_with_settings(&heading, rows));
    for row in &answer.parts {
        if let Some(problem) = row.problem {
            text += &format!("\n{}: {problem}\n", row.part);
        }
    }
    text += &taken_over(answer);
    let through = answer.parts.iter().filter(|r| ["complete", "decided"].contains(&r.state));
    text += &format!("\n{} of {} parts are complete", through.count(), answer.parts.len());
    if let Some(process) = &answer.worked_on_by {
        text += &format!("; process {process} works on it");
    }
    text + "\n"
}
