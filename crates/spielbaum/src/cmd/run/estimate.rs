//! `run --dry-run`: what would be run, and about how long.

use crate::catalog::{GAMES, RECORDED};
use crate::cmd::status::{self, Setting};
use crate::failure::{Failure, Outcome};
use crate::layout;
use crate::output::{FORMAT, Output};
use serde::Serialize;
use spielbaum_lab::{self as lab, Experiment, Labour, Offer, Part, Results, Work};
use std::path::Path;
use std::time::Duration;

/// A part is tried for at most so long, for each of its players where they play alone, and all parts together.
const EACH: Duration = Duration::from_secs(1);
const ALL: Duration = Duration::from_secs(30);

#[derive(Serialize)]
struct Answer<'a> {
    format: u32,
    title: &'a str,
    parts: Vec<Row<'a>>,
    games: u64,
    core_hours: f64,
}

#[derive(Serialize)]
struct Row<'a> {
    part: &'a str,
    section: &'a str,
    setting: Setting<'a>,
    /// What is neither recorded nor taken over.
    games: u64,
    seconds: f64,
    /// Whether it may take many times as long.
    at_least: bool,
}

pub(super) fn run(
    experiment: &Experiment,
    dir: &Path,
    wanted: &dyn Fn(&Part) -> bool,
    offer: Option<&Offer<'_>>,
    first: Option<u64>,
    json: bool,
    out: &mut Output,
) -> Outcome {
    // What is recorded already need not be run; a directory that is not there has nothing.
    let recorded = Results::glance(dir, RECORDED).ok();
    let parts: Vec<_> =
        experiment.parts().enumerate().filter(|(_, (_, part))| wanted(part)).collect();
    let all: u32 = parts.iter().map(|(_, (_, part))| tries(part)).sum();
    let each = EACH.min(ALL / all.max(1));
    let mut rows = Vec::new();
    for (at, (section, part)) in parts {
        let args = match &part.work {
            Work::Match(plan) => &plan.game,
            Work::Exam(exam) => &exam.game,
        };
        let game = GAMES.iter().find(|game| game.schema().name == args.schema().name);
        let game = *game.ok_or_else(|| Failure::task("a game that is not in the catalog"))?;
        let asked = lab::estimate(game, Labour::from(&part.work), first, each * tries(part))?;
        let there = recorded.as_ref().and_then(|results| {
            let at = results.experiment.parts().position(|(_, p)| p.name == part.name)?;
            let found = &results.parts[at];
            Some(match &part.work {
                _ if found.complete => asked.games,
                Work::Match(_) => found.outcome.items(),
                // Questions that are spared are done with, as those are that were answered.
                Work::Exam(exam) => (0..found.done).map(|unit| exam.unit(unit).len() as u64).sum(),
            })
        });
        let offered = offer.map_or(0, |offer| offer.done(at));
        let games = asked.games.saturating_sub(there.unwrap_or(0).saturating_add(offered));
        rows.push(Row {
            part: &part.name,
            section: &section.id,
            setting: status::setting(section, part),
            games,
            seconds: asked.seconds * games as f64 / asked.games.max(1) as f64,
            at_least: asked.at_least && games > 0,
        });
    }
    let core_hours = rows.iter().map(|row| row.seconds).sum::<f64>() / 3600.0;
    let games = rows.iter().map(|row| row.games).sum();
    let answer =
        Answer { format: FORMAT, title: &experiment.title, parts: rows, games, core_hours };
    if json { out.json(&answer) } else { Ok(out.text(&describe(&answer))?) }
}

/// In how many ways a part is tried: those who play alone have games of their own.
fn tries(part: &Part) -> u32 {
    match &part.work {
        Work::Match(plan) if plan.seats == 1 => plan.players.len() as u32,
        _ => 1,
    }
}

fn describe(answer: &Answer<'_>) -> String {
    let rows = (answer.parts.iter())
        .map(|row| {
            let (name, games) = (row.part.to_string(), layout::count(row.games));
            (vec![name, games, least(row.at_least) + &layout::about(row.seconds)], &row.setting)
        })
        .collect();
    let heading = ["part", "games", "one core", "setting"];
    let table = status::table_with_settings(&heading, rows);
    let seconds = layout::about(answer.core_hours * 3600.0);
    let at_least = answer.parts.iter().any(|row| row.at_least);
    let (about, note) = match at_least {
        true => (
            "at least ",
            "At least: games went on when the try ended, perhaps many times as long.\n",
        ),
        false => ("about ", ""),
    };
    format!(
        "{}\n\n{table}\n{} parts, {} games to be run, {about}{seconds} of one core \
         ({:.2} core-hours).\nAn estimate from a little of each part: games differ.\n{note}",
        answer.title,
        answer.parts.len(),
        layout::count(answer.games),
        answer.core_hours
    )
}

fn least(at_least: bool) -> String {
    if at_least { "at least " } else { "" }.to_string()
}
