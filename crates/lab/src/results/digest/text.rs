//! JSON that people can read and that stays small: spread over lines down to a few levels, in one
//! line below them, so that a digest has a line for each game.

use crate::LabError;
use serde::Serialize;
use serde_json::ser::{Formatter, PrettyFormatter, Serializer};
use std::io::{Result, Write};

/// Digest, parts, part, statistics: what lies deeper stands in one line.
const LEVELS: usize = 4;

/// The text of a value.
pub(super) fn text<T: Serialize>(value: &T) -> std::result::Result<Vec<u8>, LabError> {
    let mut bytes = Vec::new();
    let layout = Layout { level: 0, spread: PrettyFormatter::new() };
    value
        .serialize(&mut Serializer::with_formatter(&mut bytes, layout))
        .map_err(|e| LabError::Request(format!("a digest cannot be written: {e}")))?;
    bytes.push(b'\n');
    Ok(bytes)
}

struct Layout {
    level: usize,
    spread: PrettyFormatter<'static>,
}

impl Layout {
    fn is_spread(&self) -> bool {
        self.level <= LEVELS
    }

    fn next<W: ?Sized + Write>(writer: &mut W, first: bool) -> Result<()> {
        if first { Ok(()) } else { writer.write_all(b",") }
    }
}

impl Formatter for Layout {
    fn begin_array<W: ?Sized + Write>(&mut self, writer: &mut W) -> Result<()> {
        self.level += 1;
        if self.is_spread() { self.spread.begin_array(writer) } else { writer.write_all(b"[") }
    }

    fn end_array<W: ?Sized + Write>(&mut self, writer: &mut W) -> Result<()> {
        let spread = self.is_spread();
        self.level -= 1;
        if spread { self.spread.end_array(writer) } else { writer.write_all(b"]") }
    }

    fn begin_array_value<W: ?Sized + Write>(&mut self, writer: &mut W, first: bool) -> Result<()> {
        match self.is_spread() {
            true => self.spread.begin_array_value(writer, first),
            false => Self::next(writer, first),
        }
    }

    fn end_array_value<W: ?Sized + Write>(&mut self, writer: &mut W) -> Result<()> {
        if self.is_spread() { self.spread.end_array_value(writer) } else { Ok(()) }
    }

    fn begin_object<W: ?Sized + Write>(&mut self, writer: &mut W) -> Result<()> {
        self.level += 1;
        if self.is_spread() { self.spread.begin_object(writer) } else { writer.write_all(b"{") }
    }

    fn end_object<W: ?Sized + Write>(&mut self, writer: &mut W) -> Result<()> {
        let spread = self.is_spread();
        self.level -= 1;
        if spread { self.spread.end_object(writer) } else { writer.write_all(b"}") }
    }

    fn begin_object_key<W: ?Sized + Write>(&mut self, writer: &mut W, first: bool) -> Result<()> {
        match self.is_spread() {
            true => self.spread.begin_object_key(writer, first),
            false => Self::next(writer, first),
        }
    }

    fn begin_object_value<W: ?Sized + Write>(&mut self, writer: &mut W) -> Result<()> {
        writer.write_all(if self.is_spread() { b": " } else { b":" })
    }

    fn end_object_value<W: ?Sized + Write>(&mut self, writer: &mut W) -> Result<()> {
        if self.is_spread() { self.spread.end_object_value(writer) } else { Ok(()) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn deep_values_stand_in_one_line_and_are_the_same() {
        let value = json!({"parts": [{"rows": [[0, [1.5, null]], []], "of": {"a": {"b": "c"}}}]});
        let written = text(&value).unwrap();
        assert_eq!(serde_json::from_slice::<serde_json::Value>(&written).unwrap(), value);
        let written = String::from_utf8(written).unwrap();
        assert!(written.contains("\n        [0,[1.5,null]],\n        []\n"), "{written}");
        assert!(written.contains("\"a\": {\"b\":\"c\"}\n"), "{written}");
    }
}
