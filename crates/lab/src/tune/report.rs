//! What a tuning has found, for people.

use super::{Judged, Objective, TuneSummary, Tuned};
use crate::summary::MeanText;
use spielbaum_document::{
    Axis, Cell, Chart, Column, Curve, Document, Estimate, Notice, NoticeKind, Reference, Section,
    Series, Table,
};

/// The document of a tuning, complete or not.
pub fn report(tuned: &Tuned) -> Document {
    let header = tuned.tuning.header();
    let mut document =
        Document::new(format!("Tuning {} for {}", header.player.spec, header.game.spec))
            .meta("method", header.method.spec.clone())
            .meta("steps", format!("{} of {}", tuned.steps.len(), header.steps))
            .meta("games of a player in a step", header.games.to_string())
            .meta("seed", header.seed.to_string())
            .meta("version", header.version.clone());
    for opponent in &header.against {
        document = document.meta("against", opponent.spec.clone());
    }
    let mut found = Section::new("found", "What was found");
    found = match &tuned.summary {
        Some(summary) => found.paragraph(sentence(summary)).block(judged(summary)),
        None => found.block(Notice::new(
            NoticeKind::Warning,
            "The tuning is not complete: nothing has been judged by fresh games yet.",
        )),
    };
    found = found.block(parameters(tuned));
    let mut course = Section::new("course", "How it went");
    if !tuned.steps.is_empty() {
        course = course.block(values(tuned)).block(places(tuned));
    }
    document.section(found).section(course)
}

/// One sentence: is it better, and how sure is that?
fn sentence(summary: &TuneSummary) -> String {
    let digits = digits(summary.objective);
    let MeanText { mean, ci } = summary.gain;
    let percent = match summary.objective {
        Objective::Points if summary.before.value.mean != 0.0 => {
            format!(" ({:+.1} %)", 100.0 * mean / summary.before.value.mean.abs())
        }
        _ => String::new(),
    };
    let verdict = match ci {
        Some([low, _]) if low > 0.0 => "The player that was found is better",
        Some([_, high]) if high < 0.0 => "The player that was found is worse",
        _ => "No difference is certain",
    };
    let interval = ci.map_or(String::new(), |[low, high]| {
        format!(", 95 % interval {low:+.digits$} to {high:+.digits$}")
    });
    format!(
        "{verdict}: {} {mean:+.digits$}{percent}{interval}, in {} fresh games each with the same \
         openings and chance; {} games were played to find it.",
        summary.objective.name(),
        summary.fresh,
        summary.games
    )
}

fn digits(objective: Objective) -> usize {
    match objective {
        Objective::Points => 1,
        Objective::Score | Objective::Place => 3,
    }
}

fn judged(summary: &TuneSummary) -> Table {
    let objective = summary.objective;
    let mut table = Table::new("Before and after, in fresh games")
        .column(Column::label(""))
        .column(Column::number(objective.name()))
        .column(Column::text("player"));
    for (name, Judged { player, value }) in [("before", &summary.before), ("after", &summary.after)]
    {
        let cell = Cell::real(value.mean, digits(objective) as u8);
        let cell = match value.ci {
            Some([low, high]) => cell.between(low, high),
            None => cell,
        };
        table.push([Cell::text(name), cell, Cell::code(player)]);
    }
    table
}

fn parameters(tuned: &Tuned) -> Table {
    let mut table = Table::new("Parameters")
        .column(Column::label("parameter"))
        .column(Column::number("before"))
        .column(Column::number(if tuned.summary.is_some() { "after" } else { "now" }))
        .column(Column::text("range"));
    let answer = tuned.steps.last().map(|step| &step.answer);
    for (i, (varied, before)) in tuned.tuning.varied().enumerate() {
        let now = answer.map_or(Cell::empty(), |answer| Cell::text(answer[i].to_string()));
        let text = varied.to_string();
        let range = text.split_once('=').map_or("", |(_, range)| range);
        table.push([
            Cell::code(&varied.name),
            Cell::text(before.to_string()),
            now,
            Cell::text(range),
        ]);
    }
    table
}

/// The values of the players of each step.
fn values(tuned: &Tuned) -> Chart {
    let objective = tuned.tuning.header().objective;
    let (mut mean, mut best) = (Series::new("mean of the step"), Series::new("best of the step"));
    for (i, step) in tuned.steps.iter().enumerate() {
        mean = mean.point(i as f64 + 1.0, Estimate::new(step.mean()));
        best = best.point(i as f64 + 1.0, Estimate::new(step.best(objective)));
    }
    let value = Axis::new(objective.name(), digits(objective) as u8);
    let mut curve = Curve::new(Axis::new("step", 0), value).series(mean).series(best);
    if let Some(summary) = &tuned.summary {
        let before = summary.before.value.mean;
        curve = curve.reference(Reference::new(before, "before, in fresh games"));
    }
    Chart::new(
        "Values of the players of each step; all of a step play the same games, and the next step \
         plays others",
        curve,
    )
}

/// Where in their ranges the parameters are.
fn places(tuned: &Tuned) -> Chart {
    let mut curve =
        Curve::new(Axis::new("step", 0), Axis::percent("place in the range").domain(0.0, 1.0));
    for (at, (varied, before)) in tuned.tuning.varied().enumerate() {
        let mut series = Series::new(varied.name.clone()).point(0.0, varied.place(before));
        for (i, step) in tuned.steps.iter().enumerate() {
            series = series.point(i as f64 + 1.0, varied.place(step.answer[at]));
        }
        curve = curve.series(series);
    }
    Chart::new("What the optimiser would answer after each step", curve)
}
