//! The document for a terminal.

use super::text_chart::chart_text;
use super::text_table::table_text;
use super::width::{line, space, width, wrap};
use crate::{Block, Document, Section, Span, Text};

/// The document for a terminal of so many columns (at least 20): tables aligned, charts as strips,
/// bars and lines of blocks.
#[must_use]
pub fn text(document: &Document, columns: usize) -> String {
    let columns = columns.max(20);
    let mut out = String::new();
    heading(&mut out, &document.title, '═', columns);
    if !document.subtitle.is_empty() {
        paragraph(&mut out, &document.subtitle, "", "", columns);
    }
    let keys: Vec<String> = document.meta.iter().map(|(key, _)| line(key)).collect();
    let key_width = keys.iter().map(|key| width(key)).max().unwrap_or(0).min(columns / 2);
    for (key, (_, value)) in keys.iter().zip(&document.meta) {
        let first = super::width::left(key, key_width) + "  ";
        paragraph(&mut out, value, &first, &space(key_width + 2), columns);
    }
    for section in &document.sections {
        write_section(&mut out, section, 0, columns);
    }
    out
}

fn write_section(out: &mut String, section: &Section, depth: usize, columns: usize) {
    out.push('\n');
    heading(out, &section.title, if depth == 0 { '─' } else { '╌' }, columns);
    blocks(out, &section.blocks, columns);
    for inner in &section.sections {
        write_section(out, inner, depth + 1, columns);
    }
}

fn heading(out: &mut String, title: &str, rule: char, columns: usize) {
    let lines = wrap(title, columns);
    let wide = lines.iter().map(|line| width(line)).max().unwrap_or(0);
    for line in lines {
        out.push_str(&line);
        out.push('\n');
    }
    out.extend(std::iter::repeat_n(rule, wide));
    out.push('\n');
}

fn blocks(out: &mut String, blocks_: &[Block], columns: usize) {
    for (at, block) in blocks_.iter().enumerate() {
        if at > 0 {
            out.push('\n');
        }
        match block {
            Block::Paragraph(text) => paragraph(out, &spoken(text), "", "", columns),
            Block::Notice(notice) => {
                let words =
                    format!("{}: {}", notice.kind.word().to_uppercase(), spoken(&notice.text));
                paragraph(out, &words, "▌ ", "▌ ", columns);
            }
            Block::List(list) => {
                let digits = list.items.len().to_string().len();
                for (at, item) in list.items.iter().enumerate() {
                    let mark = match list.ordered {
                        true => format!("{:>digits$}. ", at + 1),
                        false => "• ".into(),
                    };
                    let indent = space(width(&mark));
                    paragraph(out, &spoken(item), &mark, &indent, columns);
                }
            }
            Block::Table(table) => out.push_str(&table_text(table, columns)),
            Block::Chart(chart) => out.push_str(&chart_text(chart, columns)),
            Block::Details { summary, blocks: inside } => {
                paragraph(out, summary, "▾ ", "  ", columns);
                blocks(out, inside, columns);
            }
        }
    }
}

/// Running text as a terminal shows it: code in quotes, stress between stars.
fn spoken(text: &Text) -> String {
    let show = |span: &Span| match span {
        Span::Plain(s) | Span::Link { text: s, .. } => s.clone(),
        Span::Emphasis(s) | Span::Strong(s) => format!("*{s}*"),
        Span::Code(s) => format!("`{s}`"),
    };
    text.0.iter().map(show).collect()
}

pub(super) fn paragraph(out: &mut String, words: &str, first: &str, then: &str, columns: usize) {
    for (at, text) in wrap(words, columns.saturating_sub(width(first))).iter().enumerate() {
        let full = format!("{}{text}", if at == 0 { first } else { then });
        out.push_str(full.trim_end());
        out.push('\n');
    }
}
