//! Markdown as GitHub reads it; charts as tables of their data.

use std::fmt::Write as _;

use crate::outline::Outline;
use crate::table::note_mark;
use crate::{Align, Block, Content, Document, Section, Span, Table, Text, number};

/// The document as Markdown (CommonMark with tables).
#[must_use]
pub fn markdown(document: &Document) -> String {
    let mut writer = Writer { out: String::new(), outline: Outline::new(document), sections: 0 };
    let _ = writeln!(writer.out, "# {}", escape(&document.title));
    if !document.subtitle.is_empty() {
        let _ = writeln!(writer.out, "\n{}", escape(&document.subtitle));
    }
    if !document.meta.is_empty() {
        writer.out.push('\n');
        for (key, value) in &document.meta {
            let _ = writeln!(writer.out, "- **{}**: {}", escape(key), escape(value));
        }
    }
    for section in &document.sections {
        writer.section(section, 2);
    }
    writer.out
}

/// A table as Markdown: caption, table, notes.
///
/// ```
/// use spielbaum_document::{Cell, Column, Table, table_markdown};
/// let table = Table::new("Scores")
///     .column(Column::label("a|b"))
///     .column(Column::number("n"))
///     .row([Cell::text("x_y"), Cell::integer(2)]);
/// assert_eq!(table_markdown(&table), "Scores\n\n| a\\|b | n |\n|:--|--:|\n| x\\_y | 2 |\n");
/// ```
#[must_use]
pub fn table_markdown(table: &Table) -> String {
    let mut out = String::new();
    if !table.caption.is_empty() {
        let _ = writeln!(out, "{}\n", escape(&table.caption));
    }
    if table.columns.is_empty() {
        out.push_str("(no data)\n");
        return out;
    }
    out.push('|');
    for column in &table.columns {
        let _ = write!(out, " {} |", escape(&column.heading()));
    }
    out.push_str("\n|");
    for column in &table.columns {
        out.push_str(match column.align {
            Align::Left => ":--|",
            Align::Center => ":-:|",
            Align::Right => "--:|",
        });
    }
    out.push('\n');
    let notes = table.notes();
    for row in 0..table.rows.len() {
        out.push('|');
        for (at, column) in table.columns.iter().enumerate() {
            let cell = table.cell(row, at);
            let (value, spread) = cell.shown(column.in_percent());
            let mut shown = match &cell.content {
                Content::Code(_) => code(&value).replace('|', "\\|"),
                _ => escape(&value),
            };
            if cell.strong && !shown.is_empty() {
                shown = format!("**{shown}**");
            }
            if !spread.is_empty() {
                let _ = write!(shown, " {}", escape(&spread));
            }
            if let Some(note) = &cell.note {
                let mark = note_mark(notes.iter().position(|n| n == note).unwrap_or(0));
                let _ = write!(shown, " <sup>{mark}</sup>");
            }
            let _ = write!(out, " {} |", shown.trim_start());
        }
        out.push('\n');
    }
    for (at, note) in notes.iter().enumerate() {
        let _ = write!(out, "\n<sup>{}</sup> {}\n", note_mark(at), escape(note));
    }
    out
}

/// Text with everything escaped that Markdown could take for markup, on one line.
fn escape(text: &str) -> String {
    let plain = number::plain(text);
    let words: Vec<&str> =
        plain.split(char::is_whitespace).filter(|word| !word.is_empty()).collect();
    let mut out = String::with_capacity(plain.len());
    for (at, word) in words.iter().enumerate() {
        if at > 0 {
            out.push(' ');
        }
        // Only at the start of a line: `1.` or `-` would begin a list, `=` underline a heading.
        let digits = word.trim_start_matches(|c: char| c.is_ascii_digit());
        let list = at == 0 && digits.len() < word.len() && matches!(digits, "." | ")");
        for (place, c) in word.char_indices() {
            let opens = at == 0 && place == 0 && matches!(c, '-' | '+' | '=');
            let lists = list && place == word.len() - digits.len();
            if opens || lists || "\\`*_[]<>#|&$~!".contains(c) {
                out.push('\\');
            }
            out.push(if c.is_control() { '\u{fffd}' } else { c });
        }
    }
    out
}

/// Code between as many backticks as it needs.
fn code(text: &str) -> String {
    let text: String = text.chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
    if text.trim().is_empty() {
        return String::new();
    }
    let (mut longest, mut run) = (0, 0);
    for c in text.chars() {
        run = if c == '`' { run + 1 } else { 0 };
        longest = longest.max(run);
    }
    let fence = "`".repeat(longest + 1);
    let pad = if text.starts_with('`') || text.ends_with('`') { " " } else { "" };
    format!("{fence}{pad}{text}{pad}{fence}")
}

struct Writer {
    out: String,
    outline: Outline,
    sections: usize,
}

impl Writer {
    fn section(&mut self, section: &Section, level: usize) {
        // Markdown makes its own anchors from titles, each reader in another way; these are ours.
        let anchor = self.outline.nth(self.sections).to_string();
        self.sections += 1;
        let (marks, title) = ("#".repeat(level.min(6)), escape(&section.title));
        let _ = writeln!(self.out, "\n<a id=\"{anchor}\"></a>\n\n{marks} {title}");
        self.blocks(&section.blocks);
        for inner in &section.sections {
            self.section(inner, level + 1);
        }
    }

    fn blocks(&mut self, blocks: &[Block]) {
        for block in blocks {
            self.out.push('\n');
            match block {
                Block::Paragraph(text) => {
                    let text = self.inline(text);
                    let _ = writeln!(self.out, "{text}");
                }
                Block::Notice(notice) => {
                    let (word, text) = (notice.kind.word(), self.inline(&notice.text));
                    let _ = writeln!(self.out, "> **{word}.** {text}");
                }
                Block::List(list) => {
                    for (at, item) in list.items.iter().enumerate() {
                        let item = self.inline(item);
                        let _ = match list.ordered {
                            true => writeln!(self.out, "{}. {item}", at + 1),
                            false => writeln!(self.out, "- {item}"),
                        };
                    }
                }
                Block::Table(table) => self.out.push_str(&table_markdown(table)),
                Block::Chart(chart) => self.out.push_str(&table_markdown(&chart.table())),
                Block::Details { summary, blocks } => {
                    let summary = super::html::escape(summary);
                    let _ = writeln!(self.out, "<details>\n<summary>{summary}</summary>");
                    self.blocks(blocks);
                    self.out.push_str("\n</details>\n");
                }
            }
        }
    }

    fn inline(&self, text: &Text) -> String {
        let mut out = String::new();
        for span in &text.0 {
            let raw = span.words();
            let words = escape(raw);
            // Escaping trims; the spaces between pieces stay.
            if raw.starts_with(char::is_whitespace) && !out.is_empty() && !out.ends_with(' ') {
                out.push(' ');
            }
            let blank = words.is_empty();
            let _ = match span {
                _ if blank => Ok(()),
                Span::Plain(_) => write!(out, "{words}"),
                Span::Emphasis(_) => write!(out, "*{words}*"),
                Span::Strong(_) => write!(out, "**{words}**"),
                Span::Code(_) => write!(out, "{}", code(raw)),
                Span::Link { section, .. } => match self.outline.find(section) {
                    Some(anchor) => write!(out, "[{words}](#{anchor})"),
                    None => write!(out, "{words}"),
                },
            };
            if raw.ends_with(char::is_whitespace) && !blank {
                out.push(' ');
            }
        }
        out.truncate(out.trim_end().len());
        out
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_is_taken_for_markup() {
        assert_eq!(escape("1. a"), "1\\. a");
        assert_eq!(escape("- a-b"), "\\- a-b");
        assert_eq!(escape("a\n# b"), "a \\# b");
        assert_eq!(escape("<b>&amp;"), "\\<b\\>\\&amp;");
        assert_eq!(code("a`b"), "``a`b``");
        assert_eq!(code("`"), "`` ` ``");
    }
}
