//! A measured value over the axes of a section: a curve over a numeric axis, a matrix of two, a
//! row for each setting otherwise.

use super::axes::{self, Scale};
use super::found::Found;
use super::words::estimate;
use crate::Part;
use crate::experiment::paper::{Metric, Published, Relation, Side};
use crate::replication::published_interval;
use spielbaum_document::{
    self as doc, Block, Chart, Curve, Forest, ForestRow, HeatMap, Reference, Series,
};

/// More curves than this nobody tells apart.
const CURVES: usize = 8;
/// More rows than this are a table, not a chart.
const ROWS: usize = 40;

/// A value of a part.
pub(super) struct Value<'a> {
    pub(super) part: &'a Part,
    pub(super) value: doc::Estimate,
}

/// What the values are.
pub(super) struct Quantity {
    pub(super) metric: Metric,
    /// The title of the axis.
    pub(super) title: &'static str,
    /// The sentence under the chart, before what it is drawn over.
    pub(super) caption: &'static str,
    pub(super) reference: Option<Reference>,
}

/// The charts of some values.
pub(super) fn charts(found: &Found<'_>, quantity: &Quantity, values: &[Value<'_>]) -> Vec<Block> {
    let parts: Vec<&Part> = values.iter().map(|v| v.part).collect();
    let varied = found.varied_among(&parts);
    if values.len() < 2 || varied.is_empty() {
        return Vec::new();
    }
    let scales = varied.iter().filter_map(|&at| Some((at, Scale::of(&found.section.axes[at])?)));
    // The longest numeric axis; of equal ones the first.
    let across = scales.rev().max_by_key(|(at, _)| found.section.axes[*at].values.len());
    let mut blocks = Vec::new();
    match across {
        Some((at, scale)) => blocks.extend(curve(found, quantity, values, &varied, (at, &scale))),
        None => blocks.extend(rows(found, quantity, values, &varied)),
    }
    // Beside a curve a small matrix says nothing new.
    let least = if blocks.is_empty() { 3 } else { 4 };
    blocks.extend(matrix(found, quantity, values, &varied, least));
    blocks.into_iter().map(Block::from).collect()
}

/// The published numbers about this quantity that can be drawn, with their parts.
fn published<'a>(found: &Found<'a>, quantity: &Quantity) -> Vec<(&'a Part, doc::Estimate)> {
    let drawn = |p: &&Published| {
        let exact = matches!(p.relation, Relation::Equal | Relation::About);
        p.metric == quantity.metric && p.of == Side::A && exact
    };
    let mut all = Vec::new();
    for row in found.section.published.iter().filter(drawn) {
        if let [pick] = found.section.select(&row.at)[..] {
            let value = estimate(row.value, published_interval(row));
            all.push((&found.section.parts[pick.part], value));
        }
    }
    all
}

fn curve(
    found: &Found<'_>,
    quantity: &Quantity,
    values: &[Value<'_>],
    varied: &[usize],
    (across, scale): (usize, &Scale),
) -> Option<Chart> {
    let others: Vec<usize> = varied.iter().copied().filter(|&at| at != across).collect();
    let parts: Vec<&Part> = values.iter().map(|v| v.part).collect();
    let groups = axes::groups(&parts, |part| part, &others);
    if groups.len() > CURVES {
        return None;
    }
    let theirs = published(found, quantity);
    let mut curve = Curve::new(scale.axis(), doc::Axis::percent(quantity.title).domain(0.0, 1.0));
    curve.reference.clone_from(&quantity.reference);
    for (_, members) in &groups {
        let name = axes::label(found.section, &members[0].setting, &others);
        let mut series = Series::new(if name.is_empty() { "measured".to_string() } else { name });
        for value in values.iter().filter(|v| members.iter().any(|m| m.name == v.part.name)) {
            if let Some(x) = scale.at(&value.part.setting[across]) {
                series = series.point(x, value.value);
            }
        }
        for (part, value) in &theirs {
            let own = members.iter().any(|m| m.name == part.name);
            if let Some(x) = scale.at(&part.setting[across]).filter(|_| own) {
                series = series.published(x, *value);
            }
        }
        series.points.sort_by(|a, b| position(a).total_cmp(&position(b)));
        curve = curve.series(series);
    }
    let caption = format!("{} over {}, with 95 % intervals.", quantity.caption, scale.title);
    Some(Chart::new(caption, curve)).filter(|chart| !chart.is_empty())
}

fn position(point: &doc::Point) -> f64 {
    if let doc::X::Number(x) = point.x { x } else { f64::NAN }
}

/// Settings without numbers: a row for each.
fn rows(
    found: &Found<'_>,
    quantity: &Quantity,
    values: &[Value<'_>],
    varied: &[usize],
) -> Option<Chart> {
    if values.len() > ROWS {
        return None;
    }
    let theirs = published(found, quantity);
    let title = varied.iter().map(|&at| found.section.axes[at].name.as_str()).collect::<Vec<_>>();
    let mut forest = Forest::new(title.join(", "), doc::Axis::percent(quantity.title));
    forest.reference.clone_from(&quantity.reference);
    for value in values {
        let label = axes::label(found.section, &value.part.setting, varied);
        let mut row = ForestRow::new(label).measured(value.value);
        row.published = theirs.iter().find(|(part, _)| part.name == value.part.name).map(|p| p.1);
        forest = forest.row(row);
    }
    let caption = format!("{} with 95 % intervals.", quantity.caption);
    Some(Chart::new(caption, forest))
}

/// Two axes of several values each: a matrix.
fn matrix(
    found: &Found<'_>,
    quantity: &Quantity,
    values: &[Value<'_>],
    varied: &[usize],
    least: usize,
) -> Option<Chart> {
    let [rows, columns] = *varied else { return None };
    let [row_axis, column_axis] = [rows, columns].map(|at| &found.section.axes[at]);
    if row_axis.values.len() < least || column_axis.values.len() < least {
        return None;
    }
    let axis = doc::Axis::percent(quantity.title).domain(0.0, 1.0);
    let mut map =
        HeatMap::new(axis).titles(&row_axis.name, &column_axis.name).columns(&column_axis.values);
    for row in &row_axis.values {
        let cell = |column: &String| {
            let fits =
                |v: &&Value<'_>| v.part.setting[rows] == *row && v.part.setting[columns] == *column;
            values.iter().find(fits).map(|v| v.value)
        };
        map = map.row(row, column_axis.values.iter().map(cell).collect::<Vec<_>>());
    }
    let caption = format!("{} over {} and {}.", quantity.caption, row_axis.name, column_axis.name);
    Some(Chart::new(caption, map)).filter(|chart| !chart.is_empty())
}
