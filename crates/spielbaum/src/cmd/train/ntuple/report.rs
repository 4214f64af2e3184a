//! The learning curve as a document.

use super::super::dir::{Timing, lines, read_header};
use super::Test;
use crate::cmd::train::at;
use crate::failure::Failure;
use spielbaum_document::{
    Axis, Cell, Chart, Column, Curve, Document, Estimate, Section, Series, Table,
};
use spielbaum_learn::ntuple::{self as learn, Point};
use std::path::Path;

/// Points of a curve that are drawn.
const SHOWN: usize = 200;

/// Half the width of an interval of 95 % in standard errors.
const WIDTH: f64 = 1.96;

/// What a training has come to so far.
pub(crate) fn document(dir: &Path) -> Result<Document, Failure> {
    let Some(header) = read_header(dir)? else {
        return Err(Failure::Input(format!("{} holds no training", dir.display())));
    };
    let points: Vec<Point> = lines(&dir.join("curve.jsonl"))?;
    let times: Vec<Timing> = lines(&dir.join("timing.jsonl"))?;
    let mut document = Document::new(format!("Training of {}", header.game))
        .subtitle("An n-tuple network that learns from its own play");
    for (name, value) in header.settings {
        document = document.meta(name, value);
    }
    // Of a net that cannot be read the curve still tells.
    let net = learn::read_header(&dir.join("net.ntuple"));
    if let Some(games) = net.ok().and_then(|header| header.training.cooled) {
        document = document.meta("steps of a tenth", format!("after {games} games"));
    }
    if let Some(last) = points.last() {
        document = document.meta("games", last.games.to_string());
        document = document.meta("moves", last.moves.to_string());
    }
    // The last of each stretch stands for it.
    let stretch = points.len().div_ceil(SHOWN).max(1);
    let drawn: Vec<&Point> = points.chunks(stretch).filter_map(<[Point]>::last).collect();
    document = document.section(scores(&drawn)).section(rates(&drawn));
    let test = dir.join("test.json");
    if test.exists() {
        let text = std::fs::read_to_string(&test).map_err(at(&test))?;
        let found: Test = serde_json::from_str(&text)
            .map_err(|e| Failure::Input(format!("{}: {e}", test.display())))?;
        document = document.section(tested(&found));
    }
    Ok(document.section(speed(&times, stretch)))
}

fn scores(points: &[&Point]) -> Section {
    let mean = points.iter().fold(Series::new("mean score"), |series, p| {
        let half = WIDTH * p.error;
        series.point(p.games as f64, Estimate::new(p.mean).between(p.mean - half, p.mean + half))
    });
    let best = points
        .iter()
        .fold(Series::new("best score"), |series, p| series.point(p.games as f64, p.best));
    let curve = |series| Curve::new(Axis::new("games", 0), Axis::new("score", 0)).series(series);
    Section::new("scores", "Scores")
        .paragraph(
            "Games of training: the net plays greedily and learns from each move. Each point is \
             of the games since the one before, with an interval of 95 %.",
        )
        .block(Chart::new("Mean score over games of training", curve(mean)))
        .block(Chart::new("Best score over games of training", curve(best)))
}

fn rates(points: &[&Point]) -> Section {
    let mut names: Vec<&str> = Vec::new();
    for (name, _) in points.last().map_or(&[][..], |p| &p.reached) {
        names.push(name);
    }
    // The last ones are those that matter.
    let names = &names[names.len().saturating_sub(6)..];
    let mut curve = Curve::new(Axis::new("games", 0), Axis::percent("games that came so far"));
    for &name in names {
        let at = |p: &Point| reached(&p.reached, name);
        let series = points.iter().fold(Series::new(name), |s, p| s.point(p.games as f64, at(p)));
        curve = curve.series(series);
    }
    Section::new("reached", "How far games came")
        .block(Chart::new("Games by their largest cell, over games of training", curve))
}

/// The share of games that came as far as `name` or further: contents that no game ended with are
/// not listed, so it is that of the next one.
fn reached(shares: &[(String, f64)], name: &str) -> f64 {
    let number = |text: &str| text.parse::<f64>().unwrap_or(0.0);
    let found = shares.iter().find(|(n, _)| number(n) >= number(name));
    found.map_or(0.0, |(_, share)| *share)
}

fn tested(test: &Test) -> Section {
    let mut table = Table::new("Games by their largest cell")
        .column(Column::label("reached"))
        .column(Column::number("games").unit("%"));
    for (name, share) in &test.reached {
        table.push([Cell::text(name.clone()), Cell::percent(*share)]);
    }
    let (low, high) = (test.mean - WIDTH * test.error, test.mean + WIDTH * test.error);
    let text = format!(
        "{} games after {} games of training, with seeds that training never uses, greedily: mean \
         score {:.0} (95 % interval {low:.0} to {high:.0}), best {:.0}.",
        test.games, test.trained, test.mean, test.best
    );
    Section::new("test", "Games after training").paragraph(text).block(table)
}

fn speed(times: &[Timing], stretch: usize) -> Section {
    let series = times
        .chunks(stretch)
        .filter_map(<[Timing]>::last)
        .fold(Series::new("moves/s"), |s, t| s.point(t.games as f64, t.moves_per_second));
    let curve = Curve::new(Axis::new("games", 0), Axis::new("moves per second", 0)).series(series);
    let hours = times.last().map_or(0.0, |t| t.seconds / 3600.0);
    Section::new("times", "Wall times")
        .paragraph(format!("{hours:.2} hours of training. Times differ from run to run."))
        .block(Chart::new("Moves of training per second", curve))
}
