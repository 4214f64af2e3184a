//! Bars from nought; long names of categories lie at the left.

use serde_json::{Value, json};

use super::{channel, colour, labelled, longest, num, row};
use crate::{Arrangement, Bars};

pub(super) fn spec(plot: &Bars) -> Value {
    let names: Vec<String> = plot.series.iter().map(|(name, _)| name.clone()).collect();
    let axis = plot.axis();
    let mut rows = Vec::new();
    for (series, category, estimate) in plot.bars() {
        let mut datum = row(json!({
            "s": series, "c": category, "name": names[series], "category": plot.categories[category],
            "y": num(estimate.value), "shown": axis.shown(estimate),
        }));
        if let Some((low, high)) = estimate.interval {
            datum.insert("low".into(), num(low));
            datum.insert("high".into(), num(high));
        }
        rows.push(datum);
    }
    let flat = longest(&plot.categories) > 10;
    let (across, up) = if flat { ("y", "x") } else { ("x", "y") };
    let offset = format!("{across}Offset");
    let mut categories = labelled("c", &plot.category_title, &plot.categories);
    let turned = !flat && longest(&plot.categories) * plot.categories.len() > 90;
    categories["axis"]["labelAngle"] = json!(if turned { -40 } else { 0 });
    categories["axis"]["labelOverlap"] = json!(!flat);
    categories["scale"]["paddingInner"] = json!(0.25);
    categories["scale"]["paddingOuter"] = json!(0.15);
    let mut value = channel("y", &axis, plot.bars().map(|bar| bar.2.value));
    value["scale"]["zero"] = json!(true);
    value["scale"]["padding"] = json!(0);
    let grouped = plot.arrangement == Arrangement::Grouped;
    value["stack"] = if grouped { Value::Null } else { json!("zero") };

    let mut encoding = row(json!({
        "color": colour(&names),
        "order": {"field": "s", "type": "quantitative"},
        "tooltip": [
            {"field": "name", "title": "series"},
            {"field": "category",
             "title": if plot.category_title.is_empty() { "category" } else { &plot.category_title }},
            {"field": "shown", "title": axis.heading()},
        ],
    }));
    encoding.insert(across.into(), categories.clone());
    encoding.insert(up.into(), value.clone());
    let mut span = row(json!({}));
    span.insert(across.into(), categories);
    span.insert(up.into(), json!({"field": "low", "type": "quantitative"}));
    span.insert(format!("{up}2"), json!({"field": "high"}));
    let beside = grouped && names.len() > 1;
    if beside {
        let by = json!({"field": "s", "type": "nominal", "scale": {"domain": super::numbers(names.len())}});
        encoding.insert(offset.clone(), by.clone());
        span.insert(offset, by);
    }
    let mut layers =
        vec![json!({"mark": {"type": "bar", "cornerRadiusEnd": 1}, "encoding": encoding})];
    if grouped && plot.bars().any(|bar| bar.2.interval.is_some()) {
        layers.push(json!({
            "transform": [{"filter": "isValid(datum.low) && isValid(datum.high)"}],
            "mark": {"type": "rule", "style": "bar-interval"}, "encoding": span,
        }));
    }
    let height = match (flat, beside) {
        (true, true) => json!({"step": 14, "for": "offset"}),
        (true, false) => json!({"step": 26}),
        (false, _) => json!(280),
    };
    json!({"height": height, "data": {"values": rows}, "layer": layers})
}
