//! Charts for LaTeX: pgfplots, so that type and width are the thesis's own.

use std::fmt::Write as _;

use super::latex::escape;
use super::latex_heat_map::heat_map;
use super::latex_table::FIT;
use crate::{
    Arrangement, Axis, Bars, BoxPlot, Chart, Curve, Density, Estimate, Forest, Plot, Profile,
    Reference, Scale, X, number,
};

/// The palette of the other writers.
const COLOURS: [&str; 8] =
    ["0072B2", "D55E00", "009E73", "B5538A", "C98A00", "3F9FD8", "6B4FA0", "5F6B76"];
/// Half the height of a violin, in rows.
const HALF: f64 = 0.42;

/// A chart as a LaTeX figure: needs `pgfplots` with its library `statistics`, `graphicx`, `amssymb`,
/// and `xcolor` with its option `table`.
#[must_use]
pub fn chart_latex(chart: &Chart) -> String {
    let caption = escape(&chart.caption);
    let drawn = match &chart.plot {
        _ if chart.is_empty() => "\\emph{no data}\n".into(),
        Plot::Curve(plot) => picture(&curve(plot)),
        Plot::HeatMap(plot) => heat_map(plot),
        Plot::BoxPlot(plot) => picture(&box_plot(plot)),
        Plot::Density(plot) => picture(&density(plot)),
        Plot::Bars(plot) => picture(&bars(plot)),
        Plot::Forest(plot) => picture(&forest(plot)),
        Plot::Profile(plot) => picture(&profile(plot)),
    };
    format!(
        "\\begin{{figure}}[!htbp]\n\\centering\n{drawn}\\caption{{{caption}}}\n\\end{{figure}}\n"
    )
}

fn picture(axis: &str) -> String {
    let mut colours = String::new();
    for (at, colour) in COLOURS.iter().enumerate() {
        let _ = writeln!(colours, "\\definecolor{{series{at}}}{{HTML}}{{{colour}}}");
    }
    format!("{colours}{FIT}\\begin{{tikzpicture}}\n{axis}\\end{{tikzpicture}}}}\n")
}

fn series(at: usize) -> String {
    format!("series{}", at % COLOURS.len())
}

/// A number as pgfplots reads it; shares in percent.
fn num(axis: &Axis, x: f64) -> String {
    number::rounded(if axis.is_percent() { 100.0 * x } else { x }).to_string()
}

/// The options of an axis: `x` or `y`.
fn options(axis: &Axis, letter: char) -> String {
    let title = escape(&axis.heading());
    let title = if axis.is_percent() { format!("{title} (\\%)") } else { title };
    let mut out = format!("{letter}label={{{}}},\n", title.trim());
    if axis.scale == Scale::Log {
        let _ = writeln!(out, "{letter}mode=log,");
    }
    if let Some((low, high)) = axis.extent(std::iter::empty()) {
        let _ = writeln!(out, "{letter}min={}, {letter}max={},", num(axis, low), num(axis, high));
    }
    out
}

/// Labels by number along `x` or `y`.
fn labels(letter: char, title: &str, labels: &[String], turned: bool) -> String {
    let numbers: Vec<String> = (0..labels.len()).map(|at| at.to_string()).collect();
    let names: Vec<String> = labels.iter().map(|label| format!("{{{}}}", escape(label))).collect();
    let mut out = format!(
        "{letter}label={{{}}},\n{letter}tick={{{}}},\n{letter}ticklabels={{{}}},\n\
         {letter}min=-0.6, {letter}max={},\n",
        escape(title),
        numbers.join(","),
        names.join(","),
        labels.len() as f64 - 0.4,
    );
    if letter == 'y' {
        out.push_str("y dir=reverse,\n");
    }
    if turned {
        out.push_str("xticklabel style={rotate=40, anchor=north east},\n");
    }
    out
}

fn reference(reference: Option<&Reference>, axis: &Axis, letter: char) -> String {
    let Some(reference) = reference.filter(|reference| axis.shows(reference.value)) else {
        return String::new();
    };
    format!(
        "extra {letter} ticks={{{}}}, extra {letter} tick labels={{}},\n\
         extra {letter} tick style={{grid=major, grid style={{densely dashed, gray}}}},\n",
        num(axis, reference.value)
    )
}

fn axis(height: f64, options: &str, plots: &str) -> String {
    const ENTRY: &str = "\\addlegendentry";
    let mut plots = plots.to_string();
    if plots.matches(ENTRY).count() < 2 {
        // A single series needs no legend.
        plots = plots
            .lines()
            .filter(|line| !line.starts_with(ENTRY))
            .map(|line| format!("{line}\n"))
            .collect();
    }
    format!(
        "\\begin{{axis}}[width=13cm, height={height:.1}cm, axis lines=left, grid=major,\n\
         grid style={{gray!20}}, scaled ticks=false, max space between ticks=55,\n\
         tick label style={{font=\\small, /pgf/number format/fixed}}, label style={{font=\\small}},\n\
         legend style={{font=\\small, draw=none, at={{(0.5,1.02)}}, anchor=south, legend columns=-1,\n\
         /tikz/every even column/.append style={{column sep=8pt}}}},\n\
         {options}]\n{plots}\\end{{axis}}\n"
    )
}

/// A point with its error bar along `x` or `y`.
fn point(value: &Axis, place: &str, estimate: Estimate, letter: char) -> String {
    let (low, high) = match estimate.interval {
        Some((low, high)) if value.shows(low) && value.shows(high) => (low, high),
        _ => (estimate.value, estimate.value),
    };
    let v = num(value, estimate.value);
    let (up, down) = (num(value, high - estimate.value), num(value, estimate.value - low));
    match letter {
        'y' => format!("({place},{v}) += (0,{up}) -= (0,{down})\n"),
        _ => format!("({v},{place}) += ({up},0) -= ({down},0)\n"),
    }
}

const PUBLISHED: &str = "mark=diamond*, mark size=2.6pt, mark options={fill=white, solid}";

fn curve(plot: &Curve) -> String {
    let categorical = plot.is_categorical();
    let positions = plot.positions();
    let groups = 2 * plot.series.len();
    let place = |x: &X, group: usize| match (x, categorical) {
        (X::Number(x), false) => num(&plot.x, *x),
        _ => {
            let at = positions.iter().position(|known| known == x).unwrap_or(0) as f64;
            let shift = (group as f64 + 0.5) / groups as f64 - 0.5;
            number::rounded(at + 0.6 * shift).to_string()
        }
    };
    let mut plots = String::new();
    for (at, one) in plot.series.iter().enumerate() {
        let colour = series(at);
        let drawn = |published: bool| {
            let points = if published { &one.published } else { &one.points };
            let group = 2 * at + usize::from(published);
            let points = points.iter().filter(|p| plot.shows(p));
            points.map(move |p| (place(&p.x, group), p.y)).collect::<Vec<_>>()
        };
        let (ours, theirs) = (drawn(false), drawn(true));
        let sure = |(_, y): &&(String, Estimate)| {
            y.interval.is_some_and(|(low, high)| plot.y.shows(low) && plot.y.shows(high))
        };
        if !categorical && ours.iter().filter(sure).count() > 1 {
            let end = |(x, y): &(String, Estimate), top: bool| {
                let (low, high) = y.interval.unwrap_or((y.value, y.value));
                format!("({x},{}) ", num(&plot.y, if top { high } else { low }))
            };
            let there = ours.iter().filter(sure).map(|p| end(p, true));
            let back = ours.iter().filter(sure).rev().map(|p| end(p, false));
            let outline: String = there.chain(back).collect();
            let _ = writeln!(
                plots,
                "\\addplot[draw=none, fill={colour}, fill opacity=0.15, forget plot] coordinates {{{outline}}};"
            );
        }
        let name = escape(&one.name);
        if !ours.is_empty() {
            let style = if categorical { "only marks, " } else { "thick, " };
            let bars = if categorical { ", error bars/.cd, y dir=both, y explicit" } else { "" };
            let points: String = ours.iter().map(|(x, y)| point(&plot.y, x, *y, 'y')).collect();
            let _ = writeln!(
                plots,
                "\\addplot[{colour}, {style}mark=*, mark size=1.6pt{bars}] coordinates {{\n{points}}};\n\
                 \\addlegendentry{{{name}}}"
            );
        }
        if !theirs.is_empty() {
            let points: String = theirs.iter().map(|(x, y)| point(&plot.y, x, *y, 'y')).collect();
            let _ = writeln!(
                plots,
                "\\addplot[{colour}, only marks, {PUBLISHED}, error bars/.cd, y dir=both, y explicit] \
                 coordinates {{\n{points}}};\n\\addlegendentry{{{name}, published}}"
            );
        }
    }
    let across = match categorical {
        true => {
            let names: Vec<String> = positions.iter().map(X::shown).collect();
            labels('x', &plot.x.heading(), &names, names.iter().any(|name| name.len() > 8))
        }
        false => {
            let (whole, extent) = {
                let xs = || plot.points().filter_map(|(_, _, point)| point.x.number());
                (xs().all(|x| x.fract() == 0.0), plot.x.extent(xs()))
            };
            // Depths and plies are whole.
            let few = extent.is_some_and(|(low, high)| high - low <= 20.0);
            let step = if whole && few && plot.x.scale == Scale::Linear {
                "xtick distance=1,\n"
            } else {
                ""
            };
            options(&plot.x, 'x') + step + "enlarge x limits=0.04,\n"
        }
    };
    let options =
        across + &options(&plot.y, 'y') + &reference(plot.reference.as_ref(), &plot.y, 'y');
    axis(8.0, &(options + "legend columns=2,\n"), &plots)
}

fn forest(plot: &Forest) -> String {
    let mut plots = String::new();
    let mut add =
        |name: &str, style: &str, shift: f64, of: fn(&crate::ForestRow) -> Option<Estimate>| {
            let mut points = String::new();
            for (at, row) in plot.rows.iter().enumerate() {
                if let Some(estimate) = of(row).filter(|estimate| plot.value.shows(estimate.value))
                {
                    points += &point(&plot.value, &(at as f64 + shift).to_string(), estimate, 'x');
                }
            }
            if !points.is_empty() {
                let _ = writeln!(
                    plots,
                    "\\addplot[{style}, only marks, error bars/.cd, x dir=both, x explicit] \
                 coordinates {{\n{points}}};\n\\addlegendentry{{{name}}}"
                );
            }
        };
    add("measured", "series0, mark=*, mark size=1.8pt", -0.15, |row| row.measured);
    add("published", &format!("series1, {PUBLISHED}"), 0.15, |row| row.published);
    let names: Vec<String> = plot
        .rows
        .iter()
        .map(|row| match row.verdict {
            Some(verdict) => format!("{} {}", row.label, verdict.sign()),
            None => row.label.clone(),
        })
        .collect();
    let options = labels('y', &plot.label_title, &names, false)
        + &options(&plot.value, 'x')
        + "enlarge x limits=0.05,\n"
        + &reference(plot.reference.as_ref(), &plot.value, 'x');
    axis(2.5 + 0.65 * plot.rows.len() as f64, &options, &plots)
}

fn box_plot(plot: &BoxPlot) -> String {
    let mut plots = String::new();
    for (at, summary) in plot.boxes.iter().enumerate() {
        if plot.shows(summary) {
            let [low, lower, median, upper, high] = summary.five().map(|x| num(&plot.value, x));
            let _ = writeln!(
                plots,
                "\\addplot[series0, fill=series0!20, boxplot prepared={{draw position={at}, box extend=0.5, \
                 lower whisker={low}, lower quartile={lower}, median={median}, upper quartile={upper}, \
                 upper whisker={high}}}] coordinates {{}};"
            );
        }
    }
    let names: Vec<String> = plot.boxes.iter().map(|b| b.label.clone()).collect();
    let options = String::from("boxplot/draw direction=x,\n")
        + &labels('y', &plot.label_title, &names, false)
        + &options(&plot.value, 'x')
        + "enlarge x limits=0.05,\n";
    axis(2.5 + 0.7 * names.len() as f64, &options, &plots)
}

fn density(plot: &Density) -> String {
    let mut plots = String::new();
    for (at, distribution) in plot.distributions.iter().enumerate() {
        let outline = plot.outline(distribution);
        let end = |&(x, height): &(f64, f64), side: f64| {
            format!(
                "({},{}) ",
                num(&plot.value, x),
                number::rounded(at as f64 + side * HALF * height)
            )
        };
        let there = outline.iter().map(|p| end(p, 1.0));
        let shape: String = there.chain(outline.iter().rev().map(|p| end(p, -1.0))).collect();
        let _ =
            writeln!(plots, "\\addplot[draw=series0, fill=series0!25] coordinates {{{shape}}};");
        if let Some([_, lower, median, upper, _]) = distribution.five()
            && [lower, median, upper].iter().all(|&x| plot.value.shows(x))
        {
            let [lower, median, upper] = [lower, median, upper].map(|x| num(&plot.value, x));
            let _ = writeln!(
                plots,
                "\\addplot[black, very thick] coordinates {{({lower},{at}) ({upper},{at})}};"
            );
            let _ = writeln!(
                plots,
                "\\addplot[black, only marks, mark=*, mark options={{fill=white}}] coordinates {{({median},{at})}};"
            );
        }
    }
    let names: Vec<String> = plot.distributions.iter().map(|d| d.label.clone()).collect();
    let options = labels('y', &plot.label_title, &names, false) + &options(&plot.value, 'x');
    axis(2.5 + 1.2 * names.len() as f64, &options, &plots)
}

fn bars(plot: &Bars) -> String {
    let value = plot.axis();
    let flat = plot.categories.iter().any(|name| name.chars().count() > 10);
    let (across, up) = if flat { ('y', 'x') } else { ('x', 'y') };
    let grouped = plot.arrangement == Arrangement::Grouped;
    let count = plot.series.len().max(1);
    let mut plots = String::new();
    for (at, (name, _)) in plot.series.iter().enumerate() {
        let mut points = String::new();
        for (_, category, estimate) in plot.bars().filter(|bar| bar.0 == at) {
            points += &point(&value, &category.to_string(), estimate, up);
        }
        let bars =
            format!(", error bars/.cd, {up} dir=both, {up} explicit, error bar style={{black}}");
        let colour = series(at);
        let _ = writeln!(
            plots,
            "\\addplot[fill={colour}, draw={colour}{}] coordinates {{\n{points}}};\n\\addlegendentry{{{}}}",
            if grouped { bars.as_str() } else { "" },
            escape(name)
        );
    }
    let style = if grouped { "bar=0pt" } else { "bar stacked" };
    let thick = if grouped { 0.8 / count as f64 } else { 0.7 };
    let turned = !flat && plot.categories.iter().map(|name| name.len()).sum::<usize>() > 60;
    let mut options = format!("{up}{style}, bar width={thick:.3},\n")
        + &labels(across, &plot.category_title, &plot.categories, turned)
        + &options(&value, up);
    if value.scale == Scale::Linear
        && value.domain.is_none()
        && plot.bars().all(|b| b.2.value >= 0.0)
    {
        let _ = writeln!(options, "{up}min=0,");
    }
    let height = if flat {
        2.5 + 0.5 * (plot.categories.len() * if grouped { count } else { 1 }) as f64
    } else {
        7.0
    };
    axis(height, &options, &plots)
}

fn profile(plot: &Profile) -> String {
    let mut plots = String::new();
    for (at, layer) in plot.layers.iter().enumerate() {
        let drawn = plot.points().filter(|point| point.0 == at);
        let points: String =
            drawn.map(|(_, x, y)| format!("({},{}) ", num(&plot.x, x), num(&plot.y, y))).collect();
        if points.is_empty() {
            continue;
        }
        let colour = series(at);
        let opacity = if plot.stacked { "0.8" } else { "0.15" };
        let _ = writeln!(
            plots,
            "\\addplot[draw={colour}, thick, fill={colour}, fill opacity={opacity}, text opacity=1, area legend] \
             coordinates {{{points}}} \\closedcycle;\n\\addlegendentry{{{}}}",
            escape(&layer.name)
        );
    }
    let mut options = options(&plot.x, 'x') + &options(&plot.y, 'y');
    if plot.stacked {
        options += "stack plots=y,\n";
    }
    if plot.y.scale == Scale::Linear && plot.y.domain.is_none() && plot.points().all(|p| p.2 >= 0.0)
    {
        options += "ymin=0,\n";
    }
    axis(7.0, &options, &plots)
}
