//! Tables for a terminal: values and intervals aligned, long words wrapped, and what is still too
//! wide continued below with the first column repeated.

use super::text::paragraph;
use super::width::{left, line, right, space, width, wrap};
use crate::table::note_mark;
use crate::{Align, Kind, Table};

/// Between columns.
const GAP: usize = 2;
/// Columns of words do not shrink below this.
const LEAST: usize = 12;

/// A table for a terminal of so many columns.
#[must_use]
pub fn table_text(table: &Table, columns: usize) -> String {
    let mut out = String::new();
    if !table.caption.is_empty() {
        paragraph(&mut out, &table.caption, "", "", columns);
    }
    let mut grid: Vec<Strip> = (0..table.columns.len()).map(|at| Strip::new(table, at)).collect();
    shrink(&mut grid, columns);
    for block in split(&grid, columns) {
        write_block(&mut out, &block, table.rows.len());
    }
    if table.rows.is_empty() {
        out.push_str("(no data)\n");
    }
    for (at, note) in table.notes().iter().enumerate() {
        paragraph(&mut out, note, &format!("{}) ", note_mark(at)), "   ", columns);
    }
    out
}

/// A column as it is shown.
struct Strip {
    title: String,
    cells: Vec<String>,
    align: Align,
    /// May its words be wrapped?
    words: bool,
    wide: usize,
}

impl Strip {
    fn new(table: &Table, at: usize) -> Self {
        let column = &table.columns[at];
        let notes = table.notes();
        let shown: Vec<(String, String)> = (0..table.rows.len())
            .map(|row| {
                let cell = table.cell(row, at);
                let (mut value, mut spread) = cell.shown(column.in_percent());
                if cell.strong {
                    value = format!("*{value}");
                }
                if let Some(note) = &cell.note {
                    let mark = note_mark(notes.iter().position(|n| n == note).unwrap_or(0));
                    let end = if spread.is_empty() { &mut value } else { &mut spread };
                    *end = format!("{end} {mark})").trim_start().to_string();
                }
                (line(&value), line(&spread))
            })
            .collect();
        let widest = |of: fn(&(String, String)) -> &String| {
            shown.iter().map(|both| width(of(both))).max().unwrap_or(0)
        };
        let (value_wide, spread_wide) = (widest(|both| &both.0), widest(|both| &both.1));
        let cells: Vec<String> = match spread_wide {
            0 => shown.into_iter().map(|(value, _)| value).collect(),
            _ => shown
                .iter()
                .map(|(value, spread)| {
                    format!("{} {}", right(value, value_wide), left(spread, spread_wide))
                })
                .collect(),
        };
        let title = line(&column.heading());
        let wide = cells.iter().chain([&title]).map(|cell| width(cell)).max().unwrap_or(0);
        let words = matches!(column.kind, Kind::Label | Kind::Text);
        Strip { title, cells, align: column.align, words, wide }
    }

    fn place(&self, text: &str) -> String {
        match self.align {
            Align::Left => left(text, self.wide),
            Align::Right => right(text, self.wide),
            Align::Center => {
                let gap = self.wide.saturating_sub(width(text));
                left(&(space(gap / 2) + text), self.wide)
            }
        }
    }

    fn lines(&self, text: &str) -> Vec<String> {
        match self.words || width(text) > self.wide {
            true => wrap(text, self.wide),
            false => vec![text.to_string()],
        }
    }
}

/// Makes the widest columns of words narrower until the table fits, and long headings wrap.
fn shrink(grid: &mut [Strip], columns: usize) {
    let total = |grid: &[Strip]| grid.iter().map(|strip| strip.wide + GAP).sum::<usize>();
    if total(grid) > columns + GAP {
        for strip in grid.iter_mut().filter(|strip| !strip.words) {
            let cells = strip.cells.iter().map(|cell| width(cell)).max().unwrap_or(0);
            let word = strip.title.split_whitespace().map(width).max().unwrap_or(0);
            strip.wide = cells.max(word).max(1);
        }
    }
    while total(grid) > columns + GAP {
        let widest = grid.iter_mut().filter(|strip| strip.words && strip.wide > LEAST);
        match widest.max_by_key(|strip| strip.wide) {
            Some(strip) => strip.wide -= 1,
            None => break,
        }
    }
}

/// Columns that fit side by side; each further block begins with the first column again.
fn split(grid: &[Strip], columns: usize) -> Vec<Vec<&Strip>> {
    let mut blocks: Vec<Vec<&Strip>> = Vec::new();
    let mut used = usize::MAX;
    for strip in grid {
        if used.saturating_add(strip.wide) > columns {
            let first: Vec<&Strip> = grid.iter().take(usize::from(!blocks.is_empty())).collect();
            used = first.iter().map(|strip| strip.wide + GAP).sum();
            blocks.push(first);
        }
        used += strip.wide + GAP;
        if let Some(block) = blocks.last_mut() {
            block.push(strip);
        }
    }
    blocks
}

fn write_block(out: &mut String, block: &[&Strip], rows: usize) {
    write_row(out, block, |strip| strip.lines(&strip.title), true);
    let rules: Vec<String> = block.iter().map(|strip| "─".repeat(strip.wide)).collect();
    out.push_str(&rules.join(&space(GAP)));
    out.push('\n');
    for row in 0..rows {
        write_row(out, block, |strip| strip.lines(&strip.cells[row]), false);
    }
}

/// A row of the table; headings stand on the rule, cells hang from the top.
fn write_row(
    out: &mut String,
    block: &[&Strip],
    lines: impl Fn(&Strip) -> Vec<String>,
    bottom: bool,
) {
    let cells: Vec<Vec<String>> = block.iter().map(|strip| lines(strip)).collect();
    let height = cells.iter().map(Vec::len).max().unwrap_or(0);
    for at in 0..height {
        let mut full = String::new();
        for (strip, lines) in block.iter().zip(&cells) {
            let lift = if bottom { height - lines.len() } else { 0 };
            let text = at.checked_sub(lift).and_then(|at| lines.get(at));
            full += &strip.place(text.map_or("", String::as_str));
            full += &space(GAP);
        }
        out.push_str(full.trim_end());
        out.push('\n');
    }
}
