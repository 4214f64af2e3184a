//! Each row: what was measured above what was published, with their intervals; the verdict at the
//! right.

use serde_json::{Value, json};

use super::{channel, labelled, put, reference, row};
use crate::{Estimate, Forest, Verdict};

pub(super) fn spec(plot: &Forest) -> Value {
    let labels: Vec<String> = plot.rows.iter().map(|row| row.label.clone()).collect();
    let mut rows = Vec::new();
    let mut verdicts = Vec::new();
    for (at, line) in plot.rows.iter().enumerate() {
        for (k, source, estimate) in
            [(0, "measured", line.measured), (1, "published", line.published)]
        {
            let Some(estimate) = estimate.filter(|estimate| plot.value.shows(estimate.value))
            else {
                continue;
            };
            let mut datum = row(json!({"r": at, "s": k, "label": line.label, "source": source}));
            put(&mut datum, &plot.value, estimate);
            rows.push(datum);
        }
        if let Some(verdict) = line.verdict {
            verdicts.push(json!({"r": at, "verdict": verdict.word(), "sign": verdict.sign()}));
        }
    }
    let sources = ["measured".to_string(), "published".to_string()];
    let published = plot.rows.iter().any(|row| row.published.is_some());
    let mut y = labelled("r", &plot.label_title, &labels);
    y["scale"]["paddingInner"] = json!(0.35);
    y["axis"]["labelOverlap"] = json!(false);
    let all = plot.rows.iter().flat_map(|row| row.measured.into_iter().chain(row.published));
    let x = channel("y", &plot.value, all.flat_map(Estimate::values));
    let mut colour = super::colour(&sources);
    let mut shape = json!({
        "field": "s", "type": "nominal", "legend": {"title": null, "labelExpr": super::by_number(&sources)},
        "scale": {"domain": [0, 1], "range": ["circle", "diamond"]},
    });
    let mut offset = json!({"field": "s", "type": "nominal", "scale": {"domain": [0, 1]}});
    if plot.reference.is_some() {
        // The name of the line stands between.
        colour["legend"]["offset"] = json!(22);
        shape["legend"]["offset"] = json!(22);
    }
    if !published {
        colour["legend"] = Value::Null;
        shape["legend"] = Value::Null;
        offset["scale"]["domain"] = json!([0]);
    }
    let tooltip = json!([
        {"field": "label", "title": if plot.label_title.is_empty() { "of" } else { &plot.label_title }},
        {"field": "source", "title": "source"},
        {"field": "shown", "title": plot.value.heading()},
    ]);
    let interval = |k: usize, style: &str| {
        json!({
            "transform": [{"filter": format!("datum.s === {k} && isValid(datum.low) && isValid(datum.high)")}],
            "mark": {"type": "rule", "style": style, "clip": true},
            "encoding": {"y": y, "yOffset": offset, "color": colour,
                "x": {"field": "low", "type": "quantitative"}, "x2": {"field": "high"},
                "tooltip": tooltip},
        })
    };
    let point = |k: usize, style: &str| {
        json!({
            "transform": [{"filter": format!("datum.s === {k}")}],
            "mark": {"type": "point", "style": style, "filled": k == 0},
            "encoding": {"y": y, "yOffset": offset, "color": colour, "shape": shape, "x": x,
                "tooltip": tooltip},
        })
    };
    let mut layers = reference(plot.reference.as_ref(), &plot.value, "x");
    layers.push(interval(0, "measured-interval"));
    layers.push(point(0, "measured"));
    if published {
        layers.push(interval(1, "published-interval"));
        layers.push(point(1, "published"));
    }
    for verdict in Verdict::ALL {
        let (word, style) = (verdict.word(), verdict.style());
        if verdicts.iter().any(|datum| datum["verdict"] == word) {
            layers.push(json!({
                "data": {"values": verdicts},
                "transform": [{"filter": format!("datum.verdict === '{word}'")}],
                "mark": {"type": "text", "style": style, "align": "left", "dx": 8, "x": "width"},
                "encoding": {"y": y, "text": {"field": "sign"}, "tooltip": {"field": "verdict"}},
            }));
        }
    }
    json!({"height": {"step": 30, "for": "position"}, "data": {"values": rows}, "layer": layers})
}
