//! Violins, lying flat one above the other; the bar spans the quartiles, the dot is the median.

use serde_json::{Value, json};

use super::{by_number, channel, num};
use crate::Density;

/// Half the height of a violin, in rows.
const HALF: f64 = 0.42;

pub(super) fn spec(plot: &Density) -> Value {
    let labels: Vec<String> = plot.distributions.iter().map(|d| d.label.clone()).collect();
    let mut shapes = Vec::new();
    let mut fives = Vec::new();
    for (at, distribution) in plot.distributions.iter().enumerate() {
        let row = at as f64;
        for (x, height) in plot.outline(distribution) {
            shapes.push(json!({
                "r": at, "x": num(x), "from": num(row - HALF * height), "to": num(row + HALF * height),
            }));
        }
        if let Some(five) =
            distribution.five().filter(|five| five.iter().all(|&x| plot.value.shows(x)))
        {
            fives.push(json!({
                "r": at, "y": row, "label": distribution.label, "lower": num(five[1]),
                "median": num(five[2]), "upper": num(five[3]),
                "shown": five.map(|x| plot.value.shown(x.into())).join(" · "),
            }));
        }
    }
    let rows = labels.len();
    let title = if plot.label_title.is_empty() { Value::Null } else { json!(plot.label_title) };
    let y = |field: &str| {
        json!({
            "field": field, "type": "quantitative",
            "scale": {"domain": [rows as f64 - 0.5, -0.5], "nice": false, "zero": false},
            "axis": {"title": title, "values": super::numbers(rows), "labelExpr": by_number(&labels),
                "labelOverlap": false},
        })
    };
    let ends = || {
        plot.distributions.iter().flat_map(|d| d.bins.iter().flat_map(|bin| [bin.low, bin.high]))
    };
    let x = |field: &str| channel(field, &plot.value, ends());
    let tooltip = json!([
        {"field": "label", "title": if plot.label_title.is_empty() { "of" } else { &plot.label_title }},
        {"field": "shown", "title": "low · quartile · median · quartile · high"},
    ]);
    json!({
        "height": usize::max(56 * rows, 90),
        "layer": [
            {"data": {"values": shapes},
             "mark": {"type": "area", "style": "shape", "line": false},
             "encoding": {"x": x("x"), "y": y("from"), "y2": {"field": "to"},
                 "detail": {"field": "r", "type": "nominal"}}},
            {"data": {"values": fives}, "mark": {"type": "rule", "style": "quartiles"},
             "encoding": {"x": x("lower"), "x2": {"field": "upper"}, "y": y("y"), "tooltip": tooltip}},
            {"data": {"values": fives}, "mark": {"type": "point", "style": "mean", "shape": "circle", "filled": true},
             "encoding": {"x": x("median"), "y": y("y"), "tooltip": tooltip}},
        ],
    })
}
