//! Published numbers beside ours, section by section.

use super::found::Found;
use super::setup::sentence;
use super::words::{charted, estimate};
use crate::experiment::paper::{Metric, Relation, Side};
use crate::replication::{Agreement, Comparison, Measured, comparisons};
use crate::stats::elo::expected;
use crate::stats::{Estimate, Level};
use spielbaum_document::{
    self as doc, Block, Cell, Chart, Column, Content, Forest, ForestRow, Reference, Table, Verdict,
};

/// What was published about a section.
pub(super) fn blocks(found: &Found<'_>) -> Vec<Block> {
    let rows = comparisons(found.results, found.section);
    let (shares, others): (Vec<_>, Vec<_>) =
        rows.iter().partition(|row| row.published.metric.is_share());
    let mut blocks = Vec::new();
    if !shares.is_empty() {
        blocks.push(table(&shares).into());
        blocks.extend(forest(&shares, "Published and measured, with 95 % intervals.", false));
    }
    if !others.is_empty() {
        blocks.push(table(&others).into());
    }
    blocks
}

/// An interval that is wider agrees with too much to say so: of a share, of the score behind an Elo difference, and
/// of others as a part of the number itself.
const WIDE: f64 = 0.1;

/// What is to be said of a number of games that was not fixed beforehand.
const UNPLANNED: &str = "their number was not fixed before a look at them: shares of games have an interval that holds \
                         whenever one looks, other numbers are what they are so far";

/// Whether ours is known well enough to say that it agrees.
fn is_sharp(row: &Comparison<'_>) -> bool {
    let metric = row.published.metric;
    let sharp = |e: Estimate| {
        let ([low, high], most) = match metric {
            Metric::Elo => (e.interval.map(expected), WIDE),
            _ if metric.is_share() => (e.interval, WIDE),
            _ => (e.interval, WIDE * e.value.abs()),
        };
        high - low <= most
    };
    let printed = matches!(row.published.relation, Relation::Greater | Relation::Less);
    printed || row.ours.iter().filter_map(|m| m.compared(Level::P95)).all(sharp)
}

/// Whether games are to come that may change it, or looks at them have chosen their number.
fn is_so_far(row: &Comparison<'_>) -> bool {
    row.ours.iter().any(Measured::is_so_far)
}

/// How ours relates to what was published, in words.
fn words(row: &Comparison<'_>) -> String {
    let words = match row.agreement {
        Agreement::Agrees if !is_sharp(row) => return "no contradiction".to_string(),
        Agreement::Open => return "too few games".to_string(),
        Agreement::Beside => return "not comparable".to_string(),
        Agreement::Agrees => "agrees",
        Agreement::Higher => "ours is higher",
        Agreement::Lower => "ours is lower",
        Agreement::Contradicts => "contradicts",
    };
    format!("{words}{}", if is_so_far(row) { " so far" } else { "" })
}

fn verdict(row: &Comparison<'_>) -> Option<Verdict> {
    let so_far = is_so_far(row);
    match row.agreement {
        Agreement::Agrees if !is_sharp(row) => Some(Verdict::Open),
        Agreement::Agrees if so_far => Some(Verdict::ConfirmedSoFar),
        Agreement::Agrees => Some(Verdict::Confirmed),
        Agreement::Higher | Agreement::Lower | Agreement::Contradicts if so_far => {
            Some(Verdict::RefutedSoFar)
        }
        Agreement::Higher | Agreement::Lower | Agreement::Contradicts => Some(Verdict::Refuted),
        Agreement::Open => Some(Verdict::Open),
        Agreement::Beside => None,
    }
}

/// Where a number was measured, in words.
pub(super) fn place(row: &Comparison<'_>) -> String {
    let at: Vec<String> = (row.published.at.iter())
        .map(|(axis, value)| {
            // A number or a flag says nothing by itself, the name of a player does.
            let is_bare = value.parse::<f64>().is_ok() || value.parse::<bool>().is_ok();
            if is_bare { format!("{axis} {value}") } else { value.clone() }
        })
        .collect();
    if at.is_empty() { "all".to_string() } else { at.join(", ") }
}

/// What was measured, in words.
fn quantity(row: &Comparison<'_>) -> String {
    match (row.published.metric, row.published.of) {
        (metric, Side::A) => metric.to_string(),
        (metric, Side::B) => format!("{metric} of the second player"),
        (Metric::Score, Side::Draw) => "draws".to_string(),
        (metric, Side::Draw) => format!("{metric} (draws)"),
    }
}

/// A published number as a cell, with the relation that was printed.
fn printed(row: &Comparison<'_>) -> Cell {
    let p = row.published;
    let interval = row.interval.filter(|_| matches!(p.relation, Relation::Equal | Relation::About));
    let value = Estimate { value: p.value, interval: interval.unwrap_or([p.value; 2]) };
    let mut cell = cell(p.metric, value);
    if row.lent && interval.is_some() {
        cell = cell.note("no spread is printed; the interval has that of ours");
    }
    let sign = match p.relation {
        Relation::Equal => return cell,
        Relation::Greater => ">",
        Relation::Less => "<",
        Relation::About => "about",
    };
    let number = match cell.content {
        Content::Percent { value, .. } => format!("{:.1}", 100.0 * value),
        Content::Text(text) => text,
        _ => p.value.to_string(),
    };
    Cell { content: Content::Text(format!("{sign} {number}")), ..cell }
}

/// A value as a cell: shares are numbers, others carry their unit with them.
fn cell(metric: Metric, estimate: Estimate) -> Cell {
    let [low, high] = estimate.interval;
    if metric.is_share() {
        let cell = Cell::percent(estimate.value);
        return if low < high { cell.between(low, high) } else { cell };
    }
    Cell::text(metric.shown(estimate))
}

fn table(rows: &[&Comparison<'_>]) -> Table {
    let shares = rows.iter().all(|row| row.published.metric.is_share());
    let column = |title: &str| match shares {
        true => Column::number(title).unit("%"),
        false => Column::text(title),
    };
    let mut table = Table::new("What was published, and what was measured here.")
        .column(Column::label("setting"))
        .column(Column::text("what"))
        .column(column("published"))
        .column(column("measured"))
        .column(Column::number("games"))
        .column(Column::text("agreement"))
        .column(Column::text("source"));
    for row in rows {
        // A number about several parts stands beside each of them.
        let mut label = Cell::text(place(row));
        if let Some(note) = &row.published.note {
            label = label.note(sentence(note));
        }
        let source = row.published.source.as_deref().map_or_else(Cell::empty, Cell::text);
        let first = [label, Cell::text(quantity(row)), printed(row)];
        let blank = || [Cell::empty(), Cell::empty(), Cell::empty()];
        let last = [Cell::text(words(row)), source];
        if row.ours.is_empty() {
            let ours = [Cell::empty(), Cell::count(0)];
            table.push(first.into_iter().chain(ours).chain(last));
            continue;
        }
        let (mut first, mut last) = (Some(first), Some(last));
        for measured in &row.ours {
            let ours = measured.compared(Level::P95);
            let ours = ours.map_or_else(Cell::empty, |e| cell(row.published.metric, e));
            let games = Cell::count(measured.count);
            let games = match (measured.complete, measured.unplanned) {
                (false, _) => games.note("not finished"),
                (true, true) => games.note(UNPLANNED),
                (true, false) => games,
            };
            let head = first.take().unwrap_or_else(blank);
            let tail = last.take().unwrap_or_else(|| [Cell::empty(), Cell::empty()]);
            table.push(head.into_iter().chain([ours, games]).chain(tail));
        }
    }
    table
}

/// Published and measured shares side by side; `named` with their sections.
pub(super) fn forest(rows: &[&Comparison<'_>], caption: &str, named: bool) -> Option<Block> {
    let mut forest = Forest::new("", doc::Axis::percent("share").domain(0.0, 1.0))
        .reference(Reference::new(0.5, "even"));
    for row in rows.iter().filter(|row| row.ours.len() == 1) {
        let mut label = place(row);
        if row.published.metric != Metric::Score || row.published.of != Side::A {
            label = format!("{label} ({})", quantity(row));
        }
        if named {
            label = format!("{}: {label}", row.section.id);
        }
        let mut line = ForestRow::new(label);
        line.measured = row.ours[0].compared(Level::P95).map(charted);
        line.published = matches!(row.published.relation, Relation::Equal | Relation::About)
            .then(|| estimate(row.published.value, row.interval));
        line.verdict = verdict(row);
        forest = forest.row(line);
    }
    let chart = Chart::new(caption, forest);
    (!chart.is_empty()).then(|| chart.into())
}

/// How many numbers agree, in a sentence.
pub(super) fn tally(rows: &[Comparison<'_>]) -> String {
    let of = |wanted: Option<Verdict>| rows.iter().filter(|row| verdict(row) == wanted).count();
    let counted = |all: Verdict, so_far: Verdict| match (of(Some(all)), of(Some(so_far))) {
        (all, 0) => (all, String::new()),
        (all, so_far) => (all + so_far, format!(" ({so_far} of them so far)")),
    };
    let (agree, agree_so_far) = counted(Verdict::Confirmed, Verdict::ConfirmedSoFar);
    let (differ, differ_so_far) = counted(Verdict::Refuted, Verdict::RefutedSoFar);
    format!(
        "Published numbers: {agree} in agreement with ours{agree_so_far}, {differ} that differ more than chance \
         explains{differ_so_far}, {} that need more games, and {} that cannot be compared.",
        of(Some(Verdict::Open)),
        of(None)
    )
}
