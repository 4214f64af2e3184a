//! Text that knows where in the file each piece of it stands, however it was put together.

use spielbaum_core::spec::Span;

/// A text pieced together from a file.
#[derive(Clone, Debug, Default)]
pub(super) struct Text {
    text: String,
    pieces: Vec<Piece>,
}

#[derive(Clone, Debug)]
struct Piece {
    /// Where it begins in the text.
    at: usize,
    /// Where it stands in the file.
    place: Span,
    /// Whether it stands there letter by letter; otherwise the place is that of all of it.
    exact: bool,
    /// Where the value of the file begins to which it belongs.
    root: usize,
}

impl Text {
    /// A string of the file: its content, and the span with the quotes. If the content stands
    /// there letter by letter (no escapes), its letters have places of their own.
    pub(super) fn of_string(file: &str, span: &Span, content: &str) -> Text {
        let raw = file.get(span.clone()).unwrap_or("");
        // Quotes of one or three letters; a line break after three of them does not count.
        let inside = [1, 3, 4, 5].into_iter().find(|&quotes| {
            raw.get(quotes..quotes + content.len()) == Some(content)
                && (quotes > 1 || raw.len() == content.len() + 2)
                && !raw[..quotes].trim_matches(['"', '\'']).contains(|c: char| !c.is_whitespace())
                && (quotes == 1 || raw.starts_with("\"\"\"") || raw.starts_with("'''"))
        });
        let (place, exact) = match inside {
            Some(quotes) => (span.start + quotes..span.start + quotes + content.len(), true),
            None => (span.clone(), false),
        };
        let root = span.start;
        Text { text: content.to_string(), pieces: vec![Piece { at: 0, place, exact, root }] }
    }

    /// A text that stands for a place without being written there.
    pub(super) fn at(text: impl Into<String>, place: &Span) -> Text {
        let piece = Piece { at: 0, place: place.clone(), exact: false, root: place.start };
        Text { text: text.into(), pieces: vec![piece] }
    }

    /// The text itself.
    pub(super) fn as_str(&self) -> &str {
        &self.text
    }

    /// Appends another text.
    pub(super) fn push(&mut self, other: &Text) {
        let shift = self.text.len();
        self.text.push_str(&other.text);
        let moved = |piece: &Piece| Piece { at: piece.at + shift, ..piece.clone() };
        self.pieces.extend(other.pieces.iter().map(moved));
    }

    /// A part of it. The range lies within the text, at borders of characters.
    pub(super) fn slice(&self, range: Span) -> Text {
        let mut pieces = Vec::new();
        for (i, piece) in self.pieces.iter().enumerate() {
            let end = self.end_of(i);
            let (from, to) = (piece.at.max(range.start), end.min(range.end));
            if from < to || (from == to && pieces.is_empty() && from == range.start) {
                let place = match piece.exact {
                    true => {
                        piece.place.start + (from - piece.at)..piece.place.start + (to - piece.at)
                    }
                    false => piece.place.clone(),
                };
                pieces.push(Piece { at: from - range.start, place, ..*piece });
            }
        }
        Text { text: self.text[range].to_string(), pieces }
    }

    /// Without white space around it.
    pub(super) fn trim(&self) -> Text {
        let start = self.text.len() - self.text.trim_start().len();
        self.slice(start..start + self.text.trim().len())
    }

    /// Where all of it stands.
    pub(super) fn span(&self) -> Span {
        self.place(&(0..self.text.len()))
    }

    /// Where a range of it stands in the file. Of a range that was pieced together from several
    /// values the first counts.
    pub(super) fn place(&self, range: &Span) -> Span {
        let first = self.pieces.partition_point(|piece| piece.at <= range.start).saturating_sub(1);
        let Some(piece) = self.pieces.get(first) else { return 0..0 };
        let within = |i: usize, at: usize| {
            let piece = &self.pieces[i];
            piece.place.start + at.min(self.end_of(i)).saturating_sub(piece.at)
        };
        let start = if piece.exact { within(first, range.start) } else { piece.place.start };
        let mut end = start;
        for i in first..self.pieces.len() {
            let next = &self.pieces[i];
            let overlaps = i == first || next.at < range.end;
            if !overlaps || next.root != piece.root {
                break;
            }
            end = end.max(if next.exact { within(i, range.end) } else { next.place.end });
        }
        start..end
    }

    fn end_of(&self, piece: usize) -> usize {
        self.pieces.get(piece + 1).map_or(self.text.len(), |next| next.at)
    }
}
