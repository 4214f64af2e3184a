//! The heat map for LaTeX: a table with coloured cells.

use std::fmt::Write as _;

use super::latex::escape;
use super::latex_table::FIT;
use crate::HeatMap;

pub(super) fn heat_map(plot: &HeatMap) -> String {
    let mut out = String::from(FIT);
    let _ = writeln!(out, "\\begin{{tabular}}{{l*{{{}}}{{c}}}}", plot.columns.len());
    for name in &plot.columns {
        let _ = write!(out, " & \\rotatebox{{60}}{{{}}}", escape(name));
    }
    out.push_str(" \\\\\n");
    let reach = plot.reach();
    for (row, name) in plot.rows.iter().enumerate() {
        out.push_str("{}");
        out.push_str(&escape(name));
        for column in 0..plot.columns.len() {
            out.push_str(" & ");
            let Some((_, _, estimate)) =
                plot.cells().find(|cell| cell.0 == row && cell.1 == column)
            else {
                continue;
            };
            let share = (estimate.value - plot.middle) / reach;
            let shown = escape(&plot.value.cell(estimate.value.into()).shown(true).0);
            let shown =
                if share.abs() > 0.66 { format!("\\textcolor{{white}}{{{shown}}}") } else { shown };
            let _ = write!(out, "\\cellcolor[HTML]{{{}}}{shown}", diverging(share));
        }
        out.push_str(" \\\\\n");
    }
    out.push_str("\\end{tabular}}\n");
    out
}

/// Orange below, blue above, nearly white in the middle; `share` from -1 to 1.
fn diverging(share: f64) -> String {
    const STOPS: [[f64; 3]; 5] = [
        [198.0, 81.0, 2.0],
        [243.0, 185.0, 140.0],
        [246.0, 247.0, 249.0],
        [146.0, 193.0, 227.0],
        [10.0, 102.0, 168.0],
    ];
    let place = (share.clamp(-1.0, 1.0) + 1.0) * 2.0;
    let below = (place.floor() as usize).min(3);
    let mix = |at: usize| {
        let (from, to) = (STOPS[below][at], STOPS[below + 1][at]);
        (from + (to - from) * (place - below as f64)).round() as u8
    };
    format!("{:02X}{:02X}{:02X}", mix(0), mix(1), mix(2))
}
