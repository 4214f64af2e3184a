//! Tables with booktabs: values and intervals in columns of their own, notes below.

use std::fmt::Write as _;

use super::latex::escape;
use crate::table::note_mark;
use crate::{Align, Content, Kind, Table};

/// From so many rows on a table may break across pages.
const LONG: usize = 40;
/// Words longer than this are set in lines.
const WORDS: usize = 44;

/// Shrinks what is wider than the text.
pub(super) const FIT: &str =
    "\\resizebox{\\ifdim\\width>\\linewidth\\linewidth\\else\\width\\fi}{!}{%\n";

/// A table as LaTeX, ready to be input by a thesis: needs `booktabs`, `graphicx`, `array`, `amssymb`,
/// and `longtable` if it has more than 40 rows.
#[must_use]
pub fn table_latex(table: &Table) -> String {
    let mut out = String::new();
    let caption = escape(&table.caption);
    if table.columns.is_empty() {
        let _ = writeln!(out, "\\begin{{quote}}\n{caption} (no data)\n\\end{{quote}}");
        return out;
    }
    let spread: Vec<bool> = (0..table.columns.len()).map(|at| table.spread(at)).collect();
    let format = format(table, &spread);
    let mut head = String::new();
    for (at, column) in table.columns.iter().enumerate() {
        let title = escape(&column.heading());
        let gap = if at == 0 { "" } else { " & " };
        let _ = match spread[at] {
            true => write!(head, "{gap}\\multicolumn{{2}}{{c}}{{{title}}}"),
            false => write!(head, "{gap}{}", braced(&title)),
        };
    }
    head.push_str(" \\\\\n\\midrule\n");
    let body = body(table, &spread);
    let notes = notes(table);
    if table.rows.len() > LONG {
        let _ = write!(out, "{{\\small\n\\begin{{longtable}}{{{format}}}\n");
        if !caption.is_empty() {
            let _ = writeln!(out, "\\caption{{{caption}}}\\\\");
        }
        let _ = write!(
            out,
            "\\toprule\n{head}\\endhead\n\\bottomrule\n\\endfoot\n{body}\\end{{longtable}}\n{notes}}}\n"
        );
        return out;
    }
    out.push_str("\\begin{table}[!htbp]\n\\centering\n");
    if !caption.is_empty() {
        let _ = writeln!(out, "\\caption{{{caption}}}");
    }
    let _ = write!(
        out,
        "{FIT}\\begin{{tabular}}{{{format}}}\n\\toprule\n{head}{body}\\bottomrule\n\\end{{tabular}}}}\n"
    );
    if !notes.is_empty() {
        let _ = writeln!(out, "\n{notes}");
    }
    out.push_str("\\end{table}\n");
    out
}

fn format(table: &Table, spread: &[bool]) -> String {
    let mut format = String::new();
    for (at, column) in table.columns.iter().enumerate() {
        let words =
            (0..table.rows.len()).map(|row| table.cell(row, at).shown(true).0.chars().count());
        let wide = words.max().unwrap_or(0) > WORDS && column.kind != Kind::Number;
        format.push_str(match (spread[at], wide, column.align) {
            (true, _, _) => "r@{~}l",
            (_, true, _) => ">{\\raggedright\\arraybackslash}p{0.4\\linewidth}",
            (_, _, Align::Left) => "l",
            (_, _, Align::Center) => "c",
            (_, _, Align::Right) => "r",
        });
    }
    format
}

/// A row that began with a bracket or a star would be read as an argument of the line before.
fn braced(text: &str) -> String {
    if text.starts_with(['[', '*']) { format!("{{}}{text}") } else { text.to_string() }
}

fn body(table: &Table, spread: &[bool]) -> String {
    let mut out = String::new();
    let notes = table.notes();
    for row in 0..table.rows.len() {
        for (at, column) in table.columns.iter().enumerate() {
            let cell = table.cell(row, at);
            let (value, interval) = cell.shown(column.in_percent());
            let mut shown = escape(&value);
            if matches!(cell.content, Content::Code(_)) {
                shown = format!("\\texttt{{{shown}}}");
            }
            if cell.strong {
                shown = format!("\\textbf{{{shown}}}");
            }
            let mark = cell.note.as_ref().map_or_else(String::new, |note| {
                let mark = note_mark(notes.iter().position(|n| n == note).unwrap_or(0));
                format!("\\textsuperscript{{{mark}}}")
            });
            let gap = if at == 0 { "" } else { " & " };
            let shown = braced(&shown);
            let _ = match spread[at] {
                true => write!(out, "{gap}{shown} & {}{mark}", escape(&interval)),
                false => write!(out, "{gap}{shown}{mark}"),
            };
        }
        out.push_str(" \\\\\n");
    }
    if table.rows.is_empty() {
        let cells: usize = spread.iter().map(|&two| 1 + usize::from(two)).sum();
        let _ = writeln!(out, "\\multicolumn{{{cells}}}{{l}}{{\\emph{{no data}}}} \\\\");
    }
    out
}

fn notes(table: &Table) -> String {
    let notes = table.notes();
    if notes.is_empty() {
        return String::new();
    }
    let one = |(at, note): (usize, &&str)| {
        format!("\\textsuperscript{{{}}}~{}", note_mark(at), escape(note))
    };
    let all: Vec<String> = notes.iter().enumerate().map(one).collect();
    format!(
        "\\begin{{minipage}}{{\\linewidth}}\\footnotesize\n{}\n\\end{{minipage}}",
        all.join("\\\\\n")
    )
}
