//! Lines with bands, published points as hollow diamonds; error bars over categories.

use serde_json::{Value, json};

use super::{by_number, channel, colour, longest, num, put, reference, row};
use crate::{Curve, X};

pub(super) fn spec(plot: &Curve) -> Value {
    let categorical = plot.is_categorical();
    let names: Vec<String> = plot.series.iter().map(|series| series.name.clone()).collect();
    let positions = plot.positions();
    let mut rows = Vec::new();
    for (series, published, point) in plot.points() {
        let x = match (&point.x, categorical) {
            (X::Number(x), false) if plot.x.shows(*x) => num(*x),
            (X::Number(_), false) => continue,
            _ => json!(positions.iter().position(|x| *x == point.x)),
        };
        let source = if published { "published" } else { "measured" };
        let mut datum = row(json!({
            "s": series, "k": 2 * series + usize::from(published), "name": names[series],
            "source": source, "x": x, "at": point.x.shown(),
        }));
        put(&mut datum, &plot.y, point.y);
        rows.push(datum);
    }

    let ys: Vec<f64> = plot.points().flat_map(|(_, _, point)| point.y.values()).collect();
    let y = channel("y", &plot.y, ys.into_iter());
    let colour = colour(&names);
    let tooltip = json!([
        {"field": "name", "title": "series"},
        {"field": "source", "title": "source"},
        {"field": "at", "title": plot.x.heading()},
        {"field": "shown", "title": plot.y.heading()},
    ]);
    let mut shape = json!({
        "field": "source", "type": "nominal", "legend": {"title": null},
        "scale": {"domain": ["measured", "published"], "range": ["circle", "diamond"]},
    });
    if !plot.has_published() {
        shape["legend"] = Value::Null;
    }
    let x = match categorical {
        true => {
            let labels: Vec<String> = positions.iter().map(X::shown).collect();
            let turned = longest(&labels) * labels.len() > 70;
            json!({
                "field": "x", "type": "ordinal",
                "scale": {"domain": super::numbers(labels.len()), "paddingInner": 0.3},
                "axis": {"title": plot.x.heading(), "labelExpr": by_number(&labels),
                    "labelAngle": if turned { -35 } else { 0 }},
            })
        }
        false => channel("x", &plot.x, plot.points().filter_map(|(_, _, point)| point.x.number())),
    };
    let ours = json!([{"filter": "datum.source === 'measured'"}]);
    let theirs = json!([{"filter": "datum.source === 'published'"}]);
    let interval = "isValid(datum.low) && isValid(datum.high)";
    let span = json!({"y": {"field": "low", "type": "quantitative"}, "y2": {"field": "high"}});

    let mut layers = reference(plot.reference.as_ref(), &plot.y, "y");
    if categorical {
        layers.push(json!({
            "transform": [{"filter": format!("datum.source === 'measured' && {interval}")}],
            "mark": {"type": "rule", "style": "measured-interval"}, "encoding": span,
        }));
    } else {
        layers.push(json!({
            "transform": [{"filter": format!("datum.source === 'measured' && {interval}")}],
            "mark": {"type": "area", "style": "band", "clip": true}, "encoding": span,
        }));
        layers.push(json!({
            "transform": ours,
            "mark": {"type": "line", "clip": true, "interpolate": "linear"}, "encoding": {"y": y},
        }));
    }
    let sure = plot.points().any(|(_, published, point)| published && point.y.interval.is_some());
    layers.extend(sure.then(|| {
        json!({
            "transform": [{"filter": format!("datum.source === 'published' && {interval}")}],
            "mark": {"type": "rule", "style": "published-interval", "clip": true}, "encoding": span,
        })
    }));
    layers.push(json!({
        "transform": ours,
        "mark": {"type": "point", "style": "measured", "filled": true},
        "encoding": {"y": y, "shape": shape, "tooltip": tooltip},
    }));
    if plot.has_published() {
        layers.push(json!({
            "transform": theirs,
            "mark": {"type": "point", "style": "published"},
            "encoding": {"y": y, "shape": shape, "tooltip": tooltip},
        }));
    }
    for layer in &mut layers {
        // The reference brings its own data.
        if layer.get("data").is_none() {
            layer["encoding"]["x"] = x.clone();
            layer["encoding"]["color"] = colour.clone();
            if categorical {
                let domain = super::numbers(2 * names.len());
                layer["encoding"]["xOffset"] = json!({"field": "k", "scale": {"domain": domain}});
            }
        }
    }
    json!({"height": 320, "data": {"values": rows}, "layer": layers})
}
