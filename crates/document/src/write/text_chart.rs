//! Charts for a terminal.

use super::strip::{Ruler, bar, blocks};
use super::text::paragraph;
use super::text_table::table_text;
use super::width::{left, line, right, space, width};
use crate::{
    Arrangement, Bars, BoxPlot, Cell, Chart, Column, Curve, Density, Estimate, Forest, HeatMap,
    Plot, Profile, Table, X,
};

const MEASURED: char = '●';
const PUBLISHED: char = '◇';
/// Parts of a stacked bar.
const FILLS: [&str; 4] = ["█", "▓", "▒", "░"];

/// A chart for a terminal of so many columns.
#[must_use]
pub fn chart_text(chart: &Chart, columns: usize) -> String {
    let mut out = String::new();
    if !chart.caption.is_empty() {
        paragraph(&mut out, &chart.caption, "", "", columns);
    }
    if chart.is_empty() {
        out.push_str("(no data)\n");
        return out;
    }
    let drawn = match &chart.plot {
        Plot::Curve(plot) => curve(plot, columns),
        Plot::HeatMap(plot) => Some(heat_map(plot, columns)),
        Plot::BoxPlot(plot) => box_plot(plot, columns),
        Plot::Density(plot) => density(plot, columns),
        Plot::Bars(plot) => bars(plot, columns),
        Plot::Forest(plot) => forest(plot, columns),
        Plot::Profile(plot) => profile(plot, columns),
    };
    out.push_str(&drawn.unwrap_or_else(|| {
        let mut table = chart.table();
        table.caption.clear();
        table_text(&table, columns)
    }));
    out
}

/// A line: a name, something drawn, something said.
struct Line {
    name: String,
    drawn: String,
    said: String,
}

impl Line {
    fn new(name: &str, drawn: impl IntoIterator<Item = char>, said: &str) -> Self {
        Line { name: line(name), drawn: drawn.into_iter().collect(), said: line(said) }
    }
}

/// Columns left for the drawing, or `None` if that is too little to see anything.
fn room(names: &[&str], said: &[String], columns: usize) -> Option<(usize, usize)> {
    let names = names.iter().map(|name| width(&line(name))).max().unwrap_or(0).min(columns / 3);
    let said = said.iter().map(|said| width(&line(said))).max().unwrap_or(0);
    let room = columns.checked_sub(names + said + 4)?;
    (room >= 12).then_some((names, room.min(60)))
}

fn write_lines(lines: &[Line], names: usize, wide: usize, foot: Option<String>) -> String {
    let mut out = String::new();
    // Value and interval each in a column of their own.
    let parts = |line: &Line| {
        let at = line.said.find('[').unwrap_or(line.said.len());
        (line.said[..at].to_string(), line.said[at..].to_string())
    };
    let said = lines.iter().map(|line| width(&parts(line).0)).max().unwrap_or(0);
    for line in lines {
        let (name, (value, interval)) = (left(&line.name, names), parts(line));
        let full =
            format!("{name}  {}  {}{interval}", left(&line.drawn, wide), right(&value, said));
        out.push_str(full.trim_end());
        out.push('\n');
    }
    if let Some(foot) = foot {
        out.push_str(&space(names + 2));
        out.push_str(foot.trim_end());
        out.push('\n');
    }
    out
}

fn key(published: bool, reference: Option<&str>) -> String {
    let mut parts = Vec::new();
    if published {
        parts.push(format!("{MEASURED} measured  {PUBLISHED} published"));
    }
    if let Some(label) = reference.filter(|label| !label.is_empty()) {
        parts.push(format!("┊ {}", line(label)));
    }
    if parts.is_empty() { String::new() } else { parts.join("  ") + "\n" }
}

fn curve(plot: &Curve, columns: usize) -> Option<String> {
    let said: Vec<String> = plot.points().map(|(_, _, point)| plot.y.shown(point.y)).collect();
    let positions: Vec<String> = plot.positions().iter().map(X::shown).collect();
    let names: Vec<&str> = positions.iter().map(String::as_str).collect();
    let (wide_name, wide) = room(&names, &said, columns)?;
    let reference = plot.reference.as_ref();
    let at = reference.map(|reference| reference.value);
    let values = plot.points().flat_map(|(_, _, point)| point.y.values()).chain(at);
    let ruler = Ruler::new(&plot.y, values, wide)?;
    let mut out = String::new();
    for series in &plot.series {
        let mut lines = Vec::new();
        for (position, name) in plot.positions().iter().zip(&names) {
            let ours = series.points.iter().filter(|point| point.x == *position);
            let theirs = series.published.iter().filter(|point| point.x == *position);
            let marked = ours.map(|p| (p, MEASURED)).chain(theirs.map(|p| (p, PUBLISHED)));
            for (again, (point, mark)) in marked.enumerate() {
                let mut cells = ruler.blank(at);
                ruler.estimate(&mut cells, point.y, mark);
                let name = if again == 0 { name } else { "" };
                lines.push(Line::new(name, cells, &plot.y.shown(point.y)));
            }
        }
        if !series.name.is_empty() {
            paragraph(&mut out, &series.name, "", "", columns);
        }
        out.push_str(&write_lines(&lines, wide_name, wide, Some(ruler.ends())));
    }
    Some(out + &key(plot.has_published(), reference.map(|reference| reference.label.as_str())))
}

fn forest(plot: &Forest, columns: usize) -> Option<String> {
    let both = |row: &crate::ForestRow| [(row.measured, MEASURED), (row.published, PUBLISHED)];
    let all = plot.rows.iter().flat_map(both).filter_map(|(estimate, _)| estimate);
    let values: Vec<f64> = all.flat_map(Estimate::values).collect();
    let mut rows: Vec<(&str, Estimate, char, String)> = Vec::new();
    for row in &plot.rows {
        let present = both(row).into_iter().filter_map(|(estimate, mark)| Some((estimate?, mark)));
        for (again, (estimate, mark)) in present.enumerate() {
            let mut said = plot.value.shown(estimate);
            if plot.has_verdicts() {
                let sign = row.verdict.filter(|_| again == 0).map_or(" ", |verdict| verdict.sign());
                said = format!("{said} {sign}");
            }
            rows.push((if again == 0 { &row.label } else { "" }, estimate, mark, said));
        }
    }
    let names: Vec<&str> = rows.iter().map(|row| row.0).collect();
    let said: Vec<String> = rows.iter().map(|row| row.3.clone()).collect();
    let (wide_name, wide) = room(&names, &said, columns)?;
    let reference = plot.reference.as_ref();
    let at = reference.map(|reference| reference.value);
    let ruler = Ruler::new(&plot.value, values.into_iter().chain(at), wide)?;
    let lines: Vec<Line> = rows
        .iter()
        .map(|(name, estimate, mark, said)| {
            let mut cells = ruler.blank(at);
            ruler.estimate(&mut cells, *estimate, *mark);
            Line::new(name, cells, said)
        })
        .collect();
    let published = plot.rows.iter().any(|row| row.published.is_some());
    let key = key(published, reference.map(|reference| reference.label.as_str()));
    Some(write_lines(&lines, wide_name, wide, Some(ruler.ends())) + &key)
}

/// Columns are numbered, so that long names fit; values without intervals.
fn heat_map(plot: &HeatMap, columns: usize) -> String {
    let short = plot.columns.iter().all(|name| width(name) <= 6);
    let mut table = Table::new("").column(Column::label(&plot.row_title));
    for (at, name) in plot.columns.iter().enumerate() {
        let title = if short { name.clone() } else { (at + 1).to_string() };
        table.columns.push(Column::number(title));
    }
    for (row, name) in plot.rows.iter().enumerate() {
        let mut cells = vec![Cell::text(name)];
        for column in 0..plot.columns.len() {
            let value = plot.values.get(row).and_then(|values| *values.get(column)?);
            cells.push(value.map_or_else(Cell::empty, |estimate| {
                Cell::text(plot.value.cell(estimate.value.into()).shown(true).0)
            }));
        }
        table.push(cells);
    }
    let mut out = table_text(&table, columns);
    let value = line(&plot.value.heading());
    let unit = if plot.value.is_percent() { " in %" } else { "" };
    paragraph(&mut out, &format!("Values: {value}{unit}"), "", "", columns);
    if !short && plot.rows != plot.columns {
        let named = plot.columns.iter().enumerate().map(|(at, name)| format!("{} {name}", at + 1));
        paragraph(&mut out, &named.collect::<Vec<_>>().join(", "), "", "", columns);
    } else if !short {
        out.push_str("Columns are numbered in the order of the rows.\n");
    }
    out
}

fn box_plot(plot: &BoxPlot, columns: usize) -> Option<String> {
    let names: Vec<&str> = plot.boxes.iter().map(|b| b.label.as_str()).collect();
    let said: Vec<String> = plot.boxes.iter().map(|b| plot.value.shown(b.median.into())).collect();
    let (wide_name, wide) = room(&names, &said, columns)?;
    let ruler = Ruler::new(&plot.value, plot.boxes.iter().flat_map(|b| b.five()), wide)?;
    let mut lines = Vec::new();
    for (summary, said) in plot.boxes.iter().zip(&said) {
        let mut cells = ruler.blank(None);
        if plot.shows(summary) {
            ruler.five(&mut cells, summary.five());
        }
        lines.push(Line::new(&summary.label, cells, said));
    }
    let out = write_lines(&lines, wide_name, wide, Some(ruler.ends()));
    Some(out + "▒ quartiles  ┃ median, at the right  ─ whiskers\n")
}

fn density(plot: &Density, columns: usize) -> Option<String> {
    let names: Vec<&str> = plot.distributions.iter().map(|d| d.label.as_str()).collect();
    let median = |five: Option<[f64; 5]>| {
        five.map_or(String::new(), |five| plot.value.shown(five[2].into()))
    };
    let said: Vec<String> = plot.distributions.iter().map(|d| median(d.five())).collect();
    let (wide_name, wide) = room(&names, &said, columns)?;
    let outlines: Vec<Vec<(f64, f64)>> =
        plot.distributions.iter().map(|d| plot.outline(d)).collect();
    let ruler = Ruler::new(&plot.value, outlines.iter().flatten().map(|point| point.0), wide)?;
    let mut lines = Vec::new();
    for ((outline, name), said) in outlines.iter().zip(&names).zip(&said) {
        let points = outline.iter().map(|&(x, height)| (ruler.place(x), height));
        lines.push(Line::new(name, blocks(&spread(points, wide)).chars(), said));
    }
    let out = write_lines(&lines, wide_name, wide, Some(ruler.ends()));
    Some(out + "Median at the right.\n")
}

/// The greatest height at each place; between places that have one, straight lines.
fn spread(points: impl Iterator<Item = (usize, f64)>, wide: usize) -> Vec<Option<f64>> {
    let mut heights: Vec<Option<f64>> = vec![None; wide];
    for (at, height) in points {
        heights[at] = Some(heights[at].map_or(height, |known| known.max(height)));
    }
    let known: Vec<usize> = (0..wide).filter(|&at| heights[at].is_some()).collect();
    for pair in known.windows(2) {
        if let (Some(from), Some(to)) = (heights[pair[0]], heights[pair[1]]) {
            for (at, height) in heights.iter_mut().enumerate().take(pair[1]).skip(pair[0] + 1) {
                let share = (at - pair[0]) as f64 / (pair[1] - pair[0]) as f64;
                *height = Some(from + (to - from) * share);
            }
        }
    }
    heights
}

fn profile(plot: &Profile, columns: usize) -> Option<String> {
    let top = plot.points().map(|point| point.2).fold(0.0, f64::max);
    if top <= 0.0 {
        return None;
    }
    let names: Vec<&str> = plot.layers.iter().map(|layer| layer.name.as_str()).collect();
    let most = |at: usize| {
        let values = plot.points().filter(|point| point.0 == at).map(|point| point.2);
        let most = values.fold(f64::NAN, f64::max);
        format!("max {}", plot.y.shown(most.into()))
    };
    let said: Vec<String> = (0..names.len()).map(most).collect();
    let (wide_name, wide) = room(&names, &said, columns)?;
    let ruler = Ruler::new(&plot.x, plot.points().map(|point| point.1), wide)?;
    let mut lines = Vec::new();
    for (at, (name, said)) in names.iter().zip(&said).enumerate() {
        let points = plot.points().filter(|point| point.0 == at);
        let points = points.map(|(_, x, y)| (ruler.place(x), y / top));
        lines.push(Line::new(name, blocks(&spread(points, wide)).chars(), said));
    }
    let out = write_lines(&lines, wide_name, wide, Some(ruler.ends()));
    Some(out + &format!("Height: {}\n", line(&plot.y.heading())))
}

fn bars(plot: &Bars, columns: usize) -> Option<String> {
    let axis = plot.axis();
    let names: Vec<&str> = plot.categories.iter().map(String::as_str).collect();
    if plot.bars().any(|(_, _, estimate)| estimate.value < 0.0) {
        return None;
    }
    let value = |series: usize, category: usize| {
        plot.bars().find(|bar| bar.0 == series && bar.1 == category).map(|bar| bar.2)
    };
    if plot.arrangement == Arrangement::Grouped {
        let said: Vec<String> = plot.bars().map(|(_, _, estimate)| axis.shown(estimate)).collect();
        let (wide_name, wide) = room(&names, &said, columns)?;
        let top = plot.bars().map(|bar| bar.2.value).fold(0.0, f64::max);
        let mut out = String::new();
        for (series, (title, _)) in plot.series.iter().enumerate() {
            if plot.series.len() > 1 {
                paragraph(&mut out, title, "", "", columns);
            }
            let lines: Vec<Line> = (0..names.len())
                .filter_map(|category| {
                    let estimate = value(series, category)?;
                    let drawn = bar(if top > 0.0 { estimate.value / top } else { 0.0 }, wide);
                    Some(Line::new(names[category], drawn.chars(), &axis.shown(estimate)))
                })
                .collect();
            out.push_str(&write_lines(&lines, wide_name, wide, None));
        }
        return Some(out);
    }
    if plot.series.len() > FILLS.len() {
        return None;
    }
    let sum = |category: usize| -> f64 {
        (0..plot.series.len()).filter_map(|series| value(series, category)).map(|e| e.value).sum()
    };
    let top = (0..names.len()).map(sum).fold(0.0, f64::max);
    let said: Vec<String> = (0..names.len()).map(|at| axis.shown(sum(at).into())).collect();
    let said = if plot.arrangement == Arrangement::Shares {
        vec![String::new(); names.len()]
    } else {
        said
    };
    let (wide_name, wide) = room(&names, &said, columns)?;
    let mut lines = Vec::new();
    for (category, said) in said.iter().enumerate() {
        let (mut drawn, mut total, mut used) = (String::new(), 0.0, 0);
        for (series, fill) in FILLS.iter().enumerate().take(plot.series.len()) {
            total += value(series, category).map_or(0.0, |estimate| estimate.value);
            let end = if top > 0.0 { (total / top * wide as f64).round() as usize } else { 0 };
            drawn += &fill.repeat(end.saturating_sub(used));
            used = used.max(end);
        }
        lines.push(Line::new(names[category], drawn.chars(), said));
    }
    let key: Vec<String> = plot
        .series
        .iter()
        .zip(FILLS)
        .map(|((name, _), fill)| format!("{fill} {}", line(name)))
        .collect();
    Some(write_lines(&lines, wide_name, wide, None) + &key.join("  ") + "\n")
}
