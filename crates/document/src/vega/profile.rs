//! Areas over the course of something.

use serde_json::{Value, json};

use super::{channel, colour, num};
use crate::{Profile, number};

pub(super) fn spec(plot: &Profile) -> Value {
    let names: Vec<String> = plot.layers.iter().map(|layer| layer.name.clone()).collect();
    let rows: Vec<Value> = plot
        .points()
        .map(|(layer, x, y)| {
            let at = if plot.x.is_percent() { plot.x.tick(x) } else { number::short(x, 6) };
            json!({
                "s": layer, "name": names[layer], "x": num(x), "y": num(y), "at": at,
                "shown": plot.y.shown(y.into()),
            })
        })
        .collect();
    let mut x = channel("x", &plot.x, plot.points().map(|point| point.1));
    x["scale"]["nice"] = json!(false);
    x["scale"]["padding"] = json!(0);
    let mut y = channel("y", &plot.y, plot.points().map(|point| point.2));
    y["scale"]["padding"] = json!(0);
    y["stack"] = if plot.stacked { json!("zero") } else { Value::Null };
    if plot.y.scale == crate::Scale::Linear {
        y["scale"]["zero"] = json!(true);
    }
    let colour = colour(&names);
    let tooltip = json!([
        {"field": "name", "title": "series"},
        {"field": "at", "title": plot.x.heading()},
        {"field": "shown", "title": plot.y.heading()},
    ]);
    let order = json!({"field": "s", "type": "quantitative"});
    let layers = match plot.stacked {
        true => json!([{
            "mark": {"type": "area", "fillOpacity": 0.85, "clip": true},
            "encoding": {"x": x, "y": y, "color": colour, "order": order, "tooltip": tooltip},
        }]),
        false => json!([
            {"mark": {"type": "area", "style": "wash", "clip": true},
             "encoding": {"x": x, "y": y, "color": colour}},
            {"mark": {"type": "line", "clip": true},
             "encoding": {"x": x, "y": y, "color": colour}},
            {"mark": {"type": "point", "filled": true, "size": 18, "opacity": 1},
             "encoding": {"x": x, "y": y, "color": colour, "tooltip": tooltip}},
        ]),
    };
    json!({"height": 260, "data": {"values": rows}, "layer": layers})
}
