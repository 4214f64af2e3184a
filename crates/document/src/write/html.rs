//! One self-contained page: styles, charts and their program inside, no network.

use std::fmt::Write as _;

use serde_json::{Value, json};

use crate::outline::Outline;
use crate::table::note_mark;
use crate::{
    Align, Block, Cell, Chart, Content, Document, Kind, List, Section, Span, Table, Text, vega,
};

const STYLE: &str = include_str!("../../assets/style.css");
const DRAW: &str = include_str!("../../assets/charts.js");
const LICENCES: &str = include_str!("../../assets/LICENSES.txt");
const PROGRAMS: [&str; 3] = [
    include_str!("../../assets/vega.min.js"),
    include_str!("../../assets/vega-lite.min.js"),
    include_str!("../../assets/vega-embed.min.js"),
];
/// Nothing is loaded from anywhere. Vega compiles its expressions, hence `unsafe-eval`.
const POLICY: &str = "default-src 'none'; script-src 'unsafe-inline' 'unsafe-eval'; \
                      style-src 'unsafe-inline'; img-src data: blob:";

/// The document as one HTML file that needs nothing else: light or dark as the reader prefers,
/// charts with their data as tables below them, fit for print. About 0.85 MB if there are charts.
#[must_use]
pub fn html(document: &Document) -> String {
    Writer::new(document).document(document)
}

/// Text as HTML; control characters, which HTML forbids, become U+FFFD.
pub(super) fn escape(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&#39;"),
            '\n' | '\t' => out.push(c),
            c if c.is_control() => out.push('\u{fffd}'),
            c => out.push(c),
        }
    }
    out
}

/// JSON inside a script element: no `</script>` and no `<!--` can come about.
fn script_json(value: &Value) -> String {
    value
        .to_string()
        .replace('<', "\\u003c")
        .replace('\u{2028}', "\\u2028")
        .replace('\u{2029}', "\\u2029")
}

struct Writer {
    out: String,
    outline: Outline,
    /// How many sections, tables were written.
    sections: usize,
    tables: usize,
    charts: Vec<Value>,
}

impl Writer {
    fn new(document: &Document) -> Self {
        let outline = Outline::new(document);
        Writer { out: String::new(), outline, sections: 0, tables: 0, charts: Vec::new() }
    }

    fn put(&mut self, markup: &str) {
        self.out.push_str(markup);
    }

    fn document(mut self, document: &Document) -> String {
        let title = escape(&document.title);
        self.put("<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n");
        self.put("<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n");
        self.put("<meta name=\"color-scheme\" content=\"light dark\">\n");
        let _ = writeln!(
            self.out,
            "<meta http-equiv=\"Content-Security-Policy\" content=\"{POLICY}\">"
        );
        let _ =
            writeln!(self.out, "<title>{title}</title>\n<style>\n{STYLE}</style>\n</head>\n<body>");
        let _ = writeln!(self.out, "<header>\n<h1>{title}</h1>");
        if !document.subtitle.is_empty() {
            let _ = writeln!(self.out, "<p class=\"subtitle\">{}</p>", escape(&document.subtitle));
        }
        if !document.meta.is_empty() {
            self.put("<dl class=\"meta\">\n");
            for (key, value) in &document.meta {
                let (key, value) = (escape(key), escape(value));
                let _ = writeln!(self.out, "<div><dt>{key}</dt><dd>{value}</dd></div>");
            }
            self.put("</dl>\n");
        }
        self.put("</header>\n");
        if document.sections.len()
            + document.sections.iter().map(|s| s.sections.len()).sum::<usize>()
            > 1
        {
            self.put("<nav class=\"contents\" aria-label=\"Contents\">\n<p>Contents</p>\n");
            let mut number = 0;
            self.contents(&document.sections, &mut number);
            self.put("</nav>\n");
        }
        self.put("<main>\n");
        for section in &document.sections {
            self.section(section, 2);
        }
        self.put("</main>\n");
        self.programs();
        self.put("</body>\n</html>\n");
        self.out
    }

    fn contents(&mut self, sections: &[Section], number: &mut usize) {
        self.put("<ol>\n");
        for section in sections {
            let (anchor, title) = (self.outline.nth(*number).to_string(), escape(&section.title));
            *number += 1;
            let _ = write!(self.out, "<li><a href=\"#{anchor}\">{title}</a>");
            if !section.sections.is_empty() {
                self.put("\n");
                self.contents(&section.sections, number);
            }
            self.put("</li>\n");
        }
        self.put("</ol>\n");
    }

    fn section(&mut self, section: &Section, level: usize) {
        let anchor = self.outline.nth(self.sections).to_string();
        self.sections += 1;
        let heading = level.min(6);
        let title = escape(&section.title);
        let _ = writeln!(
            self.out,
            "<section id=\"{anchor}\">\n<h{heading}>{title} <a class=\"anchor\" href=\"#{anchor}\" \
             aria-label=\"Link to this section\">#</a></h{heading}>"
        );
        for block in &section.blocks {
            self.block(block);
        }
        for inner in &section.sections {
            self.section(inner, level + 1);
        }
        self.put("</section>\n");
    }

    fn block(&mut self, block: &Block) {
        match block {
            Block::Paragraph(text) => {
                let text = self.inline(text);
                let _ = writeln!(self.out, "<p>{text}</p>");
            }
            Block::Notice(notice) => {
                let (class, word) = (notice.kind.class(), notice.kind.word());
                let text = self.inline(&notice.text);
                let _ = writeln!(
                    self.out,
                    "<p class=\"notice {class}\" role=\"note\"><strong>{word}.</strong> {text}</p>"
                );
            }
            Block::List(List { ordered, items }) => {
                let tag = if *ordered { "ol" } else { "ul" };
                let _ = writeln!(self.out, "<{tag}>");
                for item in items {
                    let item = self.inline(item);
                    let _ = writeln!(self.out, "<li>{item}</li>");
                }
                let _ = writeln!(self.out, "</{tag}>");
            }
            Block::Table(table) => self.table(table, true),
            Block::Chart(chart) => self.chart(chart),
            Block::Details { summary, blocks } => {
                let _ = writeln!(self.out, "<details>\n<summary>{}</summary>", escape(summary));
                for block in blocks {
                    self.block(block);
                }
                self.put("</details>\n");
            }
        }
    }

    fn inline(&self, text: &Text) -> String {
        let mut out = String::new();
        for span in &text.0 {
            let words = escape(span.words());
            let _ = match span {
                Span::Plain(_) => write!(out, "{words}"),
                Span::Emphasis(_) => write!(out, "<em>{words}</em>"),
                Span::Strong(_) => write!(out, "<strong>{words}</strong>"),
                Span::Code(_) => write!(out, "<code>{words}</code>"),
                Span::Link { section, .. } => match self.outline.find(section) {
                    Some(anchor) => write!(out, "<a href=\"#{anchor}\">{words}</a>"),
                    None => write!(out, "{words}"),
                },
            };
        }
        out
    }

    fn table(&mut self, table: &Table, captioned: bool) {
        self.tables += 1;
        let id = format!("t{}", self.tables);
        let caption = escape(&table.caption);
        let _ = write!(
            self.out,
            "<div class=\"table\" role=\"region\" tabindex=\"0\" aria-label=\"{caption}\">\n<table>\n"
        );
        if captioned && !caption.is_empty() {
            let _ = writeln!(self.out, "<caption>{caption}</caption>");
        }
        self.put("<thead>\n<tr>");
        for column in &table.columns {
            let (class, title) = (class(column.align), escape(&column.heading()));
            let _ = write!(self.out, "<th scope=\"col\"{class}>{title}</th>");
        }
        self.put("</tr>\n</thead>\n<tbody>\n");
        let notes = table.notes();
        // Intervals of a column get one width, so that the values before them stay aligned.
        let spreads: Vec<f64> = (0..table.columns.len())
            .map(|at| {
                let spreads = (0..table.rows.len()).map(|row| table.cell(row, at).shown(true).1);
                spreads.map(|spread| room(&spread)).fold(0.0, f64::max)
            })
            .collect();
        for row in 0..table.rows.len() {
            self.put("<tr>");
            for (at, column) in table.columns.iter().enumerate() {
                let cell = table.cell(row, at);
                let note = cell.note.as_ref().map_or_else(String::new, |note| {
                    let mark = note_mark(notes.iter().position(|n| n == note).unwrap_or(0));
                    let note = escape(note);
                    format!("<sup><a href=\"#{id}-{mark}\" title=\"{note}\">{mark}</a></sup>")
                });
                let inside = content(cell, column.in_percent(), spreads[at], &note);
                let class = class(column.align);
                let _ = match column.kind {
                    Kind::Label => write!(self.out, "<th scope=\"row\"{class}>{inside}</th>"),
                    _ => write!(self.out, "<td{class}>{inside}</td>"),
                };
            }
            self.put("</tr>\n");
        }
        if table.rows.is_empty() {
            let span = table.columns.len().max(1);
            let _ =
                writeln!(self.out, "<tr><td class=\"empty\" colspan=\"{span}\">No data.</td></tr>");
        }
        self.put("</tbody>\n</table>\n");
        if !notes.is_empty() {
            self.put("<ol class=\"notes\">\n");
            for (at, note) in notes.iter().enumerate() {
                let mark = note_mark(at);
                let _ = writeln!(
                    self.out,
                    "<li id=\"{id}-{mark}\"><sup>{mark}</sup> {}</li>",
                    escape(note)
                );
            }
            self.put("</ol>\n");
        }
        self.put("</div>\n");
    }

    fn chart(&mut self, chart: &Chart) {
        let (caption, alternative) = (escape(&chart.caption), escape(chart.alternative()));
        self.put("<figure>\n");
        if chart.is_empty() {
            self.put("<p class=\"empty\">No data.</p>\n");
        } else {
            let (least, most) = vega::size(chart);
            let id = self.charts.len();
            let _ = writeln!(
                self.out,
                "<div class=\"scroll\"><div class=\"chart\" id=\"chart-{id}\" role=\"img\" \
                 aria-label=\"{alternative}\" style=\"min-width:{least}px;max-width:{most}px\"></div></div>"
            );
            self.charts.push(vega::embedded(chart));
        }
        let _ = writeln!(self.out, "<figcaption>{caption}</figcaption>");
        if !chart.is_empty() {
            // Open until the chart is drawn: without scripts the data are what one sees.
            self.put(
                "<noscript><p class=\"empty\">Drawn with scripts; the data are:</p></noscript>\n",
            );
            self.put("<details class=\"data\" open>\n<summary>Data</summary>\n");
            self.table(&chart.table(), false);
            self.put("</details>\n");
        }
        self.put("</figure>\n");
    }

    fn programs(&mut self) {
        if self.charts.is_empty() {
            return;
        }
        let _ =
            writeln!(self.out, "<script type=\"text/plain\" id=\"licences\">\n{LICENCES}</script>");
        for program in PROGRAMS {
            let _ = writeln!(self.out, "<script>{}</script>", program.trim_end());
        }
        let themes = json!({"light": vega::theme(false), "dark": vega::theme(true)});
        let data = json!({"themes": themes, "charts": std::mem::take(&mut self.charts)});
        let data = script_json(&data);
        let _ =
            writeln!(self.out, "<script type=\"application/json\" id=\"charts\">{data}</script>");
        let _ = writeln!(self.out, "<script>\n{DRAW}</script>");
    }
}

fn class(align: Align) -> &'static str {
    match align {
        Align::Left => "",
        Align::Center => " class=\"center\"",
        Align::Right => " class=\"right\"",
    }
}

/// The width of an interval in digits; other characters are about half as wide.
fn room(spread: &str) -> f64 {
    let room = |c: char| match c {
        '0'..='9' => 1.0,
        '∞' | '±' | crate::number::MINUS => 1.4,
        _ => 0.55,
    };
    spread.chars().map(room).sum()
}

fn content(cell: &Cell, in_percent: bool, spread_width: f64, note: &str) -> String {
    let (value, spread) = cell.shown(in_percent);
    let (mut out, spread) = (escape(&value), escape(&spread));
    out = match &cell.content {
        Content::Verdict(verdict) => {
            format!("<span class=\"verdict {}\">{out}</span>", verdict.style())
        }
        Content::Code(_) => format!("<code>{out}</code>"),
        _ => out,
    };
    if cell.strong {
        out = format!("<strong>{out}</strong>");
    }
    let number = matches!(
        cell.content,
        Content::Real { .. } | Content::Percent { .. } | Content::Integer(_)
    );
    if spread_width > 0.0 && number {
        return format!(
            "{out} <span class=\"spread\" style=\"width:{spread_width:.1}ch\">{spread}{note}</span>"
        );
    }
    out + note
}
