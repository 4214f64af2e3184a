//! The curves of a training as a document.

use super::zero_duels;
use crate::failure::Failure;
use crate::layout;
use spielbaum_document::{Axis, Cell, Chart, Column, Curve, Document, Section, Series, Table};
use spielbaum_zero::train::{
    Line, LineMove, Point, Timing, TrialPoint, read_curve, read_header, read_line,
};
use std::collections::BTreeMap;
use std::path::Path;

/// Points that a curve has at most; more are averaged.
const POINTS: usize = 200;

/// What a training was like, complete or not.
pub(crate) fn document(dir: &Path) -> Result<Document, Failure> {
    let header = read_header(dir).map_err(Failure::Task)?;
    let header = header
        .ok_or_else(|| Failure::Input(format!("{}: no training is kept here", dir.display())))?;
    let (curve, trials, times) = read_curve(dir).map_err(Failure::Input)?;
    let mut document = Document::new("Training of a network").subtitle(header.game.clone());
    for (name, value) in &header.settings {
        document = document.meta(name.clone(), value.clone());
    }
    if let Some(last) = curve.last() {
        let steps: u64 = curve.iter().map(|p| p.steps).sum();
        document =
            document.meta("games", layout::count(last.games)).meta("steps", layout::count(steps));
    }
    let mut learning = Section::new("learning", "Learning");
    for (title, unit, measures) in charts() {
        learning = learning.block(chart(title, unit, &measures, &curve));
    }
    document = document.section(strength(&trials)).section(levels(&trials));
    document.sections.extend(zero_duels::sections(dir)?);
    if let Some(line) = read_line(dir).map_err(Failure::Input)? {
        document = document.section(best_line(&line));
    }
    Ok(document.section(learning).section(wall_times(&times, &trials)))
}

/// All trials at each level of UCT, by seat: how the score of the network came about.
fn levels(trials: &[TrialPoint]) -> Section {
    let mut sums: BTreeMap<u64, [[u64; 3]; 2]> = BTreeMap::new();
    for trial in trials {
        let sum = sums.entry(trial.uct).or_default();
        for (sum, of) in sum.iter_mut().zip([trial.first, trial.second]) {
            sum.iter_mut().zip(of).for_each(|(sum, n)| *sum += n);
        }
    }
    let mut table = Table::new("Trials at each level")
        .column(Column::label("UCT"))
        .column(Column::number("games"))
        .column(Column::number("moving first").unit("%"))
        .column(Column::number("moving second").unit("%"))
        .column(Column::number("all").unit("%"));
    for (uct, [first, second]) in sums {
        let all: [u64; 3] = std::array::from_fn(|i| first[i] + second[i]);
        let games = |wdl: [u64; 3]| wdl.iter().sum::<u64>();
        let rate = |wdl: [u64; 3]| (wdl[0] as f64 + wdl[1] as f64 / 2.0) / games(wdl).max(1) as f64;
        table.push([
            Cell::count(uct),
            Cell::count(games(all)),
            Cell::percent(rate(first)),
            Cell::percent(rate(second)),
            Cell::percent(rate(all)),
        ]);
    }
    Section::new("levels", "By level and seat").block(table)
}

/// A name, and what the network or its search thought of a move.
type Thought = (&'static str, fn(&LineMove) -> f64);

/// The line that the network of the last trial thinks best, with its value and policy.
fn best_line(line: &Line) -> Section {
    let moves: Vec<&str> = line.moves.iter().map(|m| m.text.as_str()).collect();
    let text = format!(
        "What the network after {} games plays against itself with {} simulations a move: {}.",
        layout::count(line.games),
        layout::count(line.simulations),
        moves.join(" ")
    );
    let over = |title: &str, unit: &str, measures: &[Thought]| {
        let mut curve = Curve::new(Axis::new("ply", 0), Axis::new(unit, 2));
        for (name, measure) in measures {
            let series = (line.moves.iter().enumerate())
                .fold(Series::new(*name), |s, (i, m)| s.point((i + 1) as f64, measure(m)));
            curve = curve.series(series);
        }
        Chart::new(title, curve)
    };
    Section::new("line", "Best line")
        .paragraph(text)
        .block(over("Value for the first player", "value", &[("search", |m| m.value)]))
        .block(over(
            "Probability of the move",
            "probability",
            &[("network", |m| m.prior), ("search", |m| m.visits)],
        ))
}

type Measure = (&'static str, fn(&Point) -> f64);

fn charts() -> Vec<(&'static str, &'static str, Vec<Measure>)> {
    vec![
        (
            "Loss",
            "loss",
            vec![("all", |p| p.loss), ("policy", |p| p.policy_loss), ("value", |p| p.value_loss)],
        ),
        ("Entropy of the policy", "nats", vec![("entropy", |p| p.entropy)]),
        ("Divergence from the policy before", "nats", vec![("KL", |p| p.kl)]),
        (
            "Explained variance of the value",
            "part",
            vec![("before", |p| p.explained[0]), ("after", |p| p.explained[1])],
        ),
        (
            "Change of the explained variance",
            "part",
            vec![("change", |p| p.explained[1] - p.explained[0])],
        ),
        ("Learning rate", "rate", vec![("rate", |p| p.rate)]),
        ("Length of the games", "plies", vec![("plies", |p| p.plies)]),
        (
            "Results of self-play",
            "part of the games",
            vec![
                ("first player", |p| share(p, 0)),
                ("draw", |p| share(p, 1)),
                ("second player", |p| share(p, 2)),
            ],
        ),
    ]
}

fn share(point: &Point, which: usize) -> f64 {
    point.results[which] as f64 / point.results.iter().sum::<u64>().max(1) as f64
}

fn chart(title: &str, unit: &str, measures: &[Measure], curve: &[Point]) -> Chart {
    let learned: Vec<&Point> = curve.iter().filter(|p| p.steps > 0).collect();
    let width = learned.len().div_ceil(POINTS).max(1);
    let mut curve = Curve::new(Axis::new("games", 0), Axis::new(unit, 4));
    for (name, measure) in measures {
        let mut series = Series::new(*name);
        for part in learned.chunks(width) {
            let n = part.len() as f64;
            let games = part.last().map_or(0, |p| p.games);
            let mean = part.iter().map(|p| measure(p)).sum::<f64>() / n;
            series = series.point(games as f64, mean);
        }
        curve = curve.series(series);
    }
    Chart::new(title, curve)
}

fn strength(trials: &[TrialPoint]) -> Section {
    let mut section = Section::new("strength", "Strength");
    let text = "S = (n / step - 1) m + w + t / 2 after trials of m games against UCT with n \
                simulations, w won and t drawn; a score of `perfect` climbs by a step.";
    section = section.paragraph(text);
    let over = |name: &str, value: &dyn Fn(&TrialPoint) -> f64| {
        let points = trials
            .iter()
            .fold(Series::new(name), |series, t| series.point(t.games as f64, value(t)));
        Curve::new(Axis::new("games", 0), Axis::new(name, 1)).series(points)
    };
    section
        .block(Chart::new("Strength", over("S", &|t| t.strength)))
        .block(Chart::new("Opponent", over("simulations of UCT", &|t| t.uct as f64)))
}

fn wall_times(times: &[Timing], trials: &[TrialPoint]) -> Section {
    let mut section = Section::new("times", "Wall times");
    if let Some(last) = times.last() {
        let all = |f: fn(&Timing) -> f64| times.iter().map(f).sum::<f64>();
        let (play, learn, trial) = (all(|t| t.self_play), all(|t| t.learning), all(|t| t.trial));
        section = section.paragraph(format!(
            "{} in all: {} of self-play, {} of learning, {} of trials, on {} threads.",
            layout::seconds(last.seconds),
            layout::seconds(play),
            layout::seconds(learn),
            layout::seconds(trial),
            last.threads
        ));
    }
    let minutes =
        |iteration| times.iter().find(|t| t.iteration == iteration).map(|t| t.seconds / 60.0);
    let points = trials.iter().fold(Series::new("S"), |series, t| match minutes(t.iteration) {
        Some(x) => series.point(x, t.strength),
        None => series,
    });
    let curve = Curve::new(Axis::new("minutes", 1), Axis::new("S", 1)).series(points);
    section.block(Chart::new("Strength against minutes", curve))
}
