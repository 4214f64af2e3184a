//! Charts as Vega-Lite 6 specifications; a file for each kind.
//!
//! The data have fixed field names and labels are reached by number, so no text of a user is ever
//! part of a field name or of an expression that is not a literal.

mod bars;
mod box_plot;
mod curve;
mod density;
mod forest;
mod heat_map;
mod profile;
mod theme;

pub(crate) use theme::theme;

use serde_json::{Map, Value, json};

use crate::{Axis, Chart, Estimate, Plot, Reference, Scale, number};

/// The Vega-Lite specification of a chart on its own: opens in Altair, `vl-convert` and the Vega
/// editor.
///
/// ```
/// use spielbaum_document::{Axis, Chart, Curve, Series, spec};
/// let curve = Curve::new(Axis::new("depth", 0), Axis::percent("score"))
///     .series(Series::new("a").point(1.0, 0.5));
/// assert_eq!(spec(&Chart::new("Scores", curve))["width"], 640);
/// ```
#[must_use]
pub fn spec(chart: &Chart) -> Value {
    let mut spec = embedded(chart);
    if let Value::Object(spec) = &mut spec {
        spec.insert("$schema".into(), json!("https://vega.github.io/schema/vega-lite/v6.json"));
        spec.insert("width".into(), json!(size(chart).1.min(640)));
        spec.insert("autosize".into(), json!({"type": "pad"}));
        spec.insert("description".into(), json!(chart.alternative()));
        let title = json!({"text": chart.caption, "anchor": "start", "fontSize": 13});
        spec.insert("title".into(), title);
        spec.insert("config".into(), theme(false));
    }
    spec
}

/// The specification as a page embeds it: as wide as the page allows, coloured by the page's theme.
pub(crate) fn embedded(chart: &Chart) -> Value {
    let mut spec = match &chart.plot {
        Plot::Curve(plot) => curve::spec(plot),
        Plot::HeatMap(plot) => heat_map::spec(plot),
        Plot::BoxPlot(plot) => box_plot::spec(plot),
        Plot::Density(plot) => density::spec(plot),
        Plot::Bars(plot) => bars::spec(plot),
        Plot::Forest(plot) => forest::spec(plot),
        Plot::Profile(plot) => profile::spec(plot),
    };
    spec["width"] = json!("container");
    spec["autosize"] = json!({"type": "fit-x", "contains": "padding"});
    spec
}

/// The least and the greatest width in pixels that suit a chart.
pub(crate) fn size(chart: &Chart) -> (usize, usize) {
    match &chart.plot {
        Plot::HeatMap(plot) => {
            let columns = plot.columns.len();
            (110 + 36 * columns, 220 + 76 * columns)
        }
        _ => (0, 760),
    }
}

/// A number as data; what is not finite is no value.
fn num(x: f64) -> Value {
    if x.is_finite() { json!(number::rounded(x)) } else { Value::Null }
}

/// Adds value and interval as far as the axis shows them, and what a reader sees on pointing.
fn put(row: &mut Map<String, Value>, axis: &Axis, estimate: Estimate) {
    let drawn = |x: f64| if axis.shows(x) { num(x) } else { Value::Null };
    row.insert("y".into(), drawn(estimate.value));
    if let Some((low, high)) = estimate.interval {
        row.insert("low".into(), drawn(low));
        row.insert("high".into(), drawn(high));
    }
    row.insert("shown".into(), json!(axis.shown(estimate)));
}

fn row(pairs: Value) -> Map<String, Value> {
    match pairs {
        Value::Object(map) => map,
        _ => Map::new(),
    }
}

/// A quantitative channel that shows `values`.
fn channel(field: &str, axis: &Axis, values: impl Iterator<Item = f64>) -> Value {
    let mut guide = json!({"title": axis.heading()});
    let mut scale = match axis.scale {
        Scale::Linear => json!({"zero": false, "nice": true}),
        Scale::Log => json!({"type": "log", "nice": false}),
    };
    match axis.extent(std::iter::empty()) {
        Some((low, high)) => scale["domain"] = json!([num(low), num(high)]),
        // Room for the marks at the ends.
        None => scale["padding"] = json!(8),
    }
    match axis.scale {
        Scale::Log => {
            // The data as they are, no prefixes: a thousandth of a millisecond is no `1m`.
            guide["labelExpr"] = json!(
                "format(datum.value, datum.value < 10000 ? '.3~r' : datum.value < 1e15 ? '.3~s' : '.0~e')"
            );
            guide["values"] =
                axis.extent(values).map_or(Value::Null, |(low, high)| decades(low, high));
        }
        Scale::Linear if axis.is_percent() => {
            guide["labelExpr"] = json!("format(100 * datum.value, '.4~g') + '\u{202f}%'");
        }
        Scale::Linear => {
            // Depths and plies are whole.
            if values.into_iter().all(|x| x.fract() == 0.0) {
                guide["tickMinStep"] = json!(1);
            }
        }
    }
    json!({"field": field, "type": "quantitative", "scale": scale, "axis": guide})
}

/// Ticks of a logarithmic axis: powers of ten, and 2 and 5 times those if they are few.
fn decades(low: f64, high: f64) -> Value {
    let power = |k: i32| format!("1e{k}").parse().unwrap_or(f64::NAN);
    let within = |factors: &[f64]| -> Vec<f64> {
        let all = (-300..=300).flat_map(|k| factors.iter().map(move |f| f * power(k)));
        all.filter(|x| (low / 1.5..=high * 1.5).contains(x)).map(number::rounded).collect()
    };
    let tens = within(&[1.0]);
    match tens.len() {
        0..3 => json!(within(&[1.0, 2.0, 5.0])),
        3..10 => json!(tens),
        n => json!(tens.into_iter().step_by(n.div_ceil(8)).collect::<Vec<_>>()),
    }
}

/// Labels by number: they may repeat and contain anything.
fn by_number(labels: &[String]) -> String {
    let clean: Vec<String> = labels.iter().map(|label| shortened(&visible(label))).collect();
    format!("{}[datum.value]", Value::from(clean))
}

/// One line without control characters.
fn visible(label: &str) -> String {
    label.chars().map(|c| if c.is_control() { ' ' } else { c }).collect()
}

/// Specifications differ at their ends, so a long one is shortened in the middle.
fn shortened(label: &str) -> String {
    let count = label.chars().count();
    if count <= 42 {
        return label.into();
    }
    let (head, tail) = (label.chars().take(20), label.chars().skip(count - 20));
    head.chain(['…']).chain(tail).collect()
}

/// A channel of labels in their order.
fn labelled(field: &str, title: &str, labels: &[String]) -> Value {
    let title = if title.is_empty() { Value::Null } else { json!(title) };
    json!({
        "field": field, "type": "ordinal", "scale": {"domain": numbers(labels.len())},
        "axis": {"title": title, "labelExpr": by_number(labels)},
    })
}

fn numbers(n: usize) -> Value {
    json!((0..n).collect::<Vec<_>>())
}

/// Colours by series; a single one needs no legend.
fn colour(names: &[String]) -> Value {
    let mut colour = json!({
        "field": "s", "type": "nominal", "scale": {"domain": numbers(names.len())},
        "legend": {"title": null, "labelExpr": by_number(names)},
    });
    if names.len() < 2 {
        colour["legend"] = Value::Null;
    }
    colour
}

fn longest(labels: &[String]) -> usize {
    labels.iter().map(|label| label.chars().count()).max().unwrap_or(0)
}

/// A line to compare with, and its name, across (`y`) or down (`x`) the chart.
fn reference(reference: Option<&Reference>, axis: &Axis, channel: &str) -> Vec<Value> {
    let Some(reference) = reference.filter(|reference| axis.shows(reference.value)) else {
        return Vec::new();
    };
    let at = json!({"datum": num(reference.value)});
    let data = json!({"values": [{}]});
    let mark = match channel {
        "y" => {
            json!({"type": "text", "style": "reference-label", "align": "right", "baseline": "bottom",
            "dy": -3, "text": visible(&reference.label), "x": "width"})
        }
        _ => {
            json!({"type": "text", "style": "reference-label", "align": "center", "baseline": "bottom",
            "dy": -3, "text": visible(&reference.label), "y": 0})
        }
    };
    vec![
        json!({"data": data, "mark": {"type": "rule", "style": "reference"}, "encoding": {channel: at}}),
        json!({"data": data, "mark": mark, "encoding": {channel: at}}),
    ]
}
