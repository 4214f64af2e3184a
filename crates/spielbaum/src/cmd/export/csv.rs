//! CSV as RFC 4180 has it: CRLF, quotes where they are needed.

use crate::failure::Outcome;
use spielbaum_lab::{Cell, Results};
use std::io::{self, Write};

pub(super) fn write(results: &Results, out: &mut dyn Write) -> Outcome {
    let heading = results.columns().into_iter().map(|column| Cell::Text(column.name));
    row(out, &heading.collect::<Vec<_>>())?;
    results.rows(|cells| Ok(row(out, &cells)?))
}

fn row(out: &mut dyn Write, cells: &[Cell]) -> io::Result<()> {
    for (i, cell) in cells.iter().enumerate() {
        if i > 0 {
            out.write_all(b",")?;
        }
        field(out, cell)?;
    }
    out.write_all(b"\r\n")
}

fn field(out: &mut dyn Write, cell: &Cell) -> io::Result<()> {
    match cell {
        Cell::Empty => Ok(()),
        Cell::Int(n) => write!(out, "{n}"),
        Cell::Real(x) => write!(out, "{x}"),
        Cell::Flag(flag) => write!(out, "{flag}"),
        Cell::Text(text) if text.contains([',', '"', '\r', '\n']) || text.is_empty() => {
            write!(out, "\"{}\"", text.replace('"', "\"\""))
        }
        Cell::Text(text) => out.write_all(text.as_bytes()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(cells: &[Cell]) -> String {
        let mut out = Vec::new();
        row(&mut out, cells).unwrap();
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn fields_are_quoted_where_they_must_be() {
        let text = |t: &str| Cell::Text(t.to_string());
        let row = [text("uct:c=0.9,time=2s"), text("a \"b\""), text("plain text"), text("")];
        assert_eq!(line(&row), "\"uct:c=0.9,time=2s\",\"a \"\"b\"\"\",plain text,\"\"\r\n");
        assert_eq!(line(&[text("two\nlines"), text("a\rb")]), "\"two\nlines\",\"a\rb\"\r\n");
        let row = [Cell::Empty, Cell::Int(-3), Cell::Real(0.25), Cell::Flag(true), Cell::Empty];
        assert_eq!(line(&row), ",-3,0.25,true,\r\n");
    }
}
