//! Coloured cells with their values printed.

use serde_json::{Value, json};

use super::{labelled, longest, num};
use crate::{Format, HeatMap, number};

pub(super) fn spec(plot: &HeatMap) -> Value {
    let reach = plot.reach();
    let mut rows = Vec::new();
    for (row, column, estimate) in plot.cells() {
        let value = estimate.value;
        let printed = match plot.value.format {
            // The legend says percent; cells are narrow.
            Format::Percent { .. } => number::real(100.0 * value, 0),
            Format::Number { digits } => number::real(value, digits),
        };
        let far = (value - plot.middle).abs() > 0.66 * reach;
        rows.push(json!({
            "r": row, "c": column, "row": plot.rows[row], "column": plot.columns[column],
            "y": num(value), "printed": printed, "far": far, "shown": plot.value.shown(estimate),
        }));
    }
    let (low, high) = (plot.middle - reach, plot.middle + reach);
    let mut x = labelled("c", &plot.column_title, &plot.columns);
    x["axis"]["orient"] = json!("top");
    x["axis"]["domain"] = json!(false);
    x["axis"]["ticks"] = json!(false);
    x["axis"]["labelAngle"] = json!(if longest(&plot.columns) > 6 { -38 } else { 0 });
    x["axis"]["labelOverlap"] = json!(false);
    let mut y = labelled("r", &plot.row_title, &plot.rows);
    y["axis"]["labelOverlap"] = json!(false);
    let mut legend = json!({"title": plot.value.heading(), "orient": "bottom"});
    if plot.value.is_percent() {
        legend["labelExpr"] = json!("format(100 * datum.value, '.4~g') + '\u{202f}%'");
    }
    let colour = json!({
        "field": "y", "type": "quantitative", "legend": legend,
        "scale": {"domain": [num(low), num(high)], "domainMid": num(plot.middle), "clamp": true, "interpolate": "rgb",
            "nice": false},
    });
    let tooltip = json!([
        {"field": "row", "title": if plot.row_title.is_empty() { "row" } else { &plot.row_title }},
        {"field": "column", "title": if plot.column_title.is_empty() { "column" } else { &plot.column_title }},
        {"field": "shown", "title": plot.value.heading()},
    ]);
    let text = |far: bool| {
        json!({
            "transform": [{"filter": if far { "datum.far" } else { "!datum.far" }}],
            "mark": {"type": "text", "style": if far { "cell-far" } else { "cell-near" }},
            "encoding": {"x": x, "y": y, "text": {"field": "printed"}, "tooltip": tooltip},
        })
    };
    json!({
        "height": {"step": 34},
        "data": {"values": rows},
        "layer": [
            {"mark": {"type": "rect", "style": "cell"},
             "encoding": {"x": x, "y": y, "color": colour, "tooltip": tooltip}},
            text(false), text(true),
        ],
    })
}
