//! Colours and type of the charts, light and dark.

use serde_json::{Value, json};

/// After Okabe and Ito (2008), told apart with any colour vision; yellow and black left out,
/// the last two darker.
const LIGHT: [&str; 8] =
    ["#0072b2", "#d55e00", "#009e73", "#b5538a", "#c98a00", "#3f9fd8", "#6b4fa0", "#5f6b76"];
/// The same order on a dark ground.
const DARK: [&str; 8] =
    ["#4aa8e0", "#f0833a", "#2fc197", "#de8fb9", "#e8b23a", "#8fd0f5", "#a78fe0", "#a3adb8"];

/// A Vega-Lite configuration. Marks are named by style, so a specification holds no colour.
pub(crate) fn theme(dark: bool) -> Value {
    let pick = |light: &'static str, night: &'static str| if dark { night } else { light };
    let ink = pick("#1f2933", "#dfe5ec");
    let soft = pick("#52606d", "#9fb0c0");
    let line = pick("#9aa5b1", "#5b6875");
    let grid = pick("#e8ecf0", "#2c343c");
    let ground = pick("#ffffff", "#14181d");
    let font = "system-ui, -apple-system, 'Segoe UI', Roboto, 'Helvetica Neue', Arial, sans-serif";
    json!({
        "background": ground,
        "font": font,
        "view": {"stroke": null},
        "range": {
            "category": if dark { DARK } else { LIGHT },
            // Blue above the middle, orange below: told apart with any colour vision.
            "diverging": if dark {
                ["#d9691e", "#7d4a2a", "#262d35", "#2a5a80", "#2f8fd0"]
            } else {
                ["#c65102", "#f3b98c", "#f6f7f9", "#92c1e3", "#0a66a8"]
            },
        },
        "axis": {
            "labelColor": soft, "titleColor": ink, "domainColor": line, "tickColor": line,
            "gridColor": grid, "labelFontSize": 11, "titleFontSize": 12, "titleFontWeight": 500,
            "titlePadding": 8, "labelPadding": 4, "tickSize": 4, "labelLimit": 240,
            "labelOverlap": true, "labelFlush": false, "maxExtent": 400,
        },
        "axisY": {"domain": false, "ticks": false},
        "legend": {
            "labelColor": ink, "titleColor": soft, "labelFontSize": 12, "titleFontSize": 12,
            "titleFontWeight": 500, "orient": "top", "direction": "horizontal", "labelLimit": 320,
            "symbolStrokeWidth": 2, "symbolBaseFillColor": soft, "symbolBaseStrokeColor": soft, "offset": 10, "columnPadding": 16, "gradientLength": 180,
            "gradientThickness": 10,
        },
        "title": {"color": ink, "fontWeight": 600},
        "line": {"strokeWidth": 2},
        "point": {"size": 45},
        "style": {
            "reference": {"color": soft, "strokeDash": [4, 3], "strokeWidth": 1},
            "reference-label": {"color": soft, "fontSize": 11},
            "band": {"fillOpacity": if dark { 0.22 } else { 0.15 }},
            "wash": {"fillOpacity": if dark { 0.12 } else { 0.08 }},
            "measured": {"fillOpacity": 1, "opacity": 1},
            "published": {"fill": ground, "strokeWidth": 1.8, "opacity": 1, "size": 70},
            "published-interval": {"strokeWidth": 1.4, "strokeDash": [2, 2], "opacity": 1},
            "measured-interval": {"strokeWidth": 2, "opacity": 1},
            "bar-interval": {"color": ink, "strokeWidth": 1.2, "opacity": 0.8},
            "cell": {"stroke": ground, "strokeWidth": 2},
            "cell-near": {"color": ink, "fontSize": 12},
            "cell-far": {"color": "#ffffff", "fontSize": 12},
            "box": {"color": pick("#0072b2", "#4aa8e0"), "fillOpacity": 0.25,
                "stroke": pick("#0072b2", "#4aa8e0"), "strokeWidth": 1.2},
            "whisker": {"color": pick("#0072b2", "#4aa8e0"), "strokeWidth": 1.2},
            "median": {"color": ink},
            "mean": {"color": ground, "stroke": ink, "strokeWidth": 1.4, "size": 36, "opacity": 1},
            "outlier": {"color": soft, "size": 14, "opacity": 0.7},
            "shape": {"color": pick("#0072b2", "#4aa8e0"), "fillOpacity": 0.3,
                "stroke": pick("#0072b2", "#4aa8e0"), "strokeWidth": 1},
            "quartiles": {"color": ink, "strokeWidth": 3, "opacity": 0.8},
            "confirmed": {"color": pick("#00795a", "#2fc197"), "fontSize": 13, "fontWeight": 700},
            "refuted": {"color": pick("#c04a00", "#f0833a"), "fontSize": 13, "fontWeight": 700},
            "confirmed so-far": {"color": pick("#00795a", "#2fc197"), "fontSize": 13},
            "refuted so-far": {"color": pick("#c04a00", "#f0833a"), "fontSize": 13},
            "open": {"color": soft, "fontSize": 13, "fontWeight": 700},
        },
    })
}
