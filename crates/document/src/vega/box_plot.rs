//! Boxes lie flat, so that long names of players stay readable.

use serde_json::{Value, json};

use super::{channel, labelled, num};
use crate::BoxPlot;

pub(super) fn spec(plot: &BoxPlot) -> Value {
    let labels: Vec<String> = plot.boxes.iter().map(|b| b.label.clone()).collect();
    let mut rows = Vec::new();
    let mut beyond = Vec::new();
    for (at, summary) in plot.boxes.iter().enumerate() {
        if plot.shows(summary) {
            let shown = summary.five().map(|x| plot.value.shown(x.into())).join(" · ");
            let mean = summary.mean.filter(|&x| plot.value.shows(x)).map_or(Value::Null, num);
            rows.push(json!({
                "r": at, "label": summary.label, "low": num(summary.low), "lower": num(summary.lower),
                "median": num(summary.median), "upper": num(summary.upper), "high": num(summary.high),
                "mean": mean, "shown": shown, "count": summary.count,
            }));
        }
        let drawn = summary.outliers.iter().filter(|&&x| plot.value.shows(x));
        beyond.extend(
            drawn.map(|&x| json!({"r": at, "low": num(x), "shown": plot.value.shown(x.into())})),
        );
    }
    let y = labelled("r", &plot.label_title, &labels);
    let all =
        || plot.boxes.iter().flat_map(|b| b.five().into_iter().chain(b.outliers.iter().copied()));
    let x = |field: &str| channel(field, &plot.value, all());
    let mut tooltip = vec![
        json!({"field": "label", "title": if plot.label_title.is_empty() { "of" } else { &plot.label_title }}),
        json!({"field": "shown", "title": "low · quartile · median · quartile · high"}),
    ];
    if plot.boxes.iter().any(|b| b.count.is_some()) {
        tooltip.push(json!({"field": "count", "title": "count"}));
    }
    let mut layers = json!([
            {"mark": {"type": "rule", "style": "whisker"},
             "encoding": {"y": y, "x": x("low"), "x2": {"field": "high"}, "tooltip": tooltip}},
            {"mark": {"type": "tick", "style": "whisker", "thickness": 1.2, "size": 8},
             "encoding": {"y": y, "x": x("low")}},
            {"mark": {"type": "tick", "style": "whisker", "thickness": 1.2, "size": 8},
             "encoding": {"y": y, "x": x("high")}},
            {"mark": {"type": "bar", "style": "box", "height": 16},
             "encoding": {"y": y, "x": x("lower"), "x2": {"field": "upper"}, "tooltip": tooltip}},
            {"mark": {"type": "tick", "style": "median", "thickness": 2.5, "size": 16},
             "encoding": {"y": y, "x": x("median"), "tooltip": tooltip}},
            {"transform": [{"filter": "isValid(datum.mean)"}],
             "mark": {"type": "point", "style": "mean", "shape": "diamond", "filled": true},
             "encoding": {"y": y, "x": x("mean"), "tooltip": tooltip}},
    ]);
    if let (Some(layers), false) = (layers.as_array_mut(), beyond.is_empty()) {
        layers.push(json!({
            "data": {"values": beyond}, "mark": {"type": "point", "style": "outlier"},
            "encoding": {"y": y, "x": x("low"), "tooltip": [{"field": "shown", "title": "value"}]},
        }));
    }
    json!({"height": {"step": 34}, "data": {"values": rows}, "layer": layers})
}
