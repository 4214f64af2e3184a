//! What is wrong with a specification, shown at its place.

use std::fmt;

/// A range of bytes in the text of a specification.
pub type Span = std::ops::Range<usize>;

/// What is wrong with a specification, where, and what would be right.
///
/// Its [`Display`](fmt::Display) takes several lines, none of them ended by a line break:
///
/// ```
/// use spielbaum_core::spec::SpecError;
/// let error = SpecError::new("uct:itrations=20000", 4..13, "unknown parameter `itrations`")
///     .help("did you mean `iterations`?");
/// assert_eq!(
///     error.to_string(),
///     "unknown parameter `itrations`\n  uct:itrations=20000\n      ^^^^^^^^^\n\
///      did you mean `iterations`?"
/// );
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SpecError {
    /// The whole text.
    pub text: String,
    /// The offending part: within the text, at borders of characters.
    pub span: Span,
    /// What is wrong, in one line.
    pub problem: String,
    /// What would be right, in one line.
    pub help: Option<String>,
}

impl SpecError {
    /// An error about a part of a text. A span that does not fit the text is made to.
    pub fn new(text: impl Into<String>, span: Span, problem: impl Into<String>) -> Self {
        let text = text.into();
        let length = text.len();
        let (mut start, mut end) = (span.start.min(length), span.end.min(length));
        while !text.is_char_boundary(start) {
            start -= 1;
        }
        while !text.is_char_boundary(end) {
            end += 1;
        }
        let end = end.max(start);
        SpecError { text, span: start..end, problem: problem.into(), help: None }
    }

    /// Says what would be right.
    pub fn help(mut self, help: impl Into<String>) -> Self {
        self.help = Some(help.into());
        self
    }
}

impl std::error::Error for SpecError {}

impl fmt::Display for SpecError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.problem)?;
        if !self.text.trim().is_empty() {
            let (line, before, carets) = excerpt(&self.text, &self.span);
            write!(f, "\n  {line}\n  {:before$}{:^<carets$}", "", "")?;
        }
        if let Some(help) = &self.help {
            write!(f, "\n{help}")?;
        }
        Ok(())
    }
}

/// Columns of text shown; longer texts are cut around the place.
const COLUMNS: usize = 76;

/// The line to show, the columns before the carets, and how many carets.
fn excerpt(text: &str, span: &Span) -> (String, usize, usize) {
    let cells: Vec<(usize, char, usize)> = (text.char_indices())
        .map(|(at, c)| (at, printable(c)))
        .map(|(at, c)| (at, c, width(c)))
        .collect();
    let columns = |part: &[(usize, char, usize)]| part.iter().map(|c| c.2).sum::<usize>();
    let place = cells.partition_point(|c| c.0 < span.start);
    let place_end = cells.partition_point(|c| c.0 < span.end);

    let (mut from, mut to) = (0, cells.len());
    if columns(&cells) > COLUMNS {
        // A third of the line leads up to the place, the rest is for what follows.
        let fit = |cells: &mut dyn Iterator<Item = &(usize, char, usize)>, room: usize| {
            let mut used = 0;
            cells.take_while(|c| (used += c.2, used <= room).1).count()
        };
        to = place + fit(&mut cells[place..].iter(), COLUMNS * 2 / 3);
        let room = COLUMNS - columns(&cells[place..to]);
        from = place - fit(&mut cells[..place].iter().rev(), room);
    }
    let (cut_left, cut_right) = (from > 0, to < cells.len());
    let mut line: String = cells[from..to].iter().map(|c| c.1).collect();
    if cut_left {
        line.insert(0, '…');
    }
    if cut_right {
        line.push('…');
    }
    let before = columns(&cells[from..place]) + usize::from(cut_left);
    let carets = columns(&cells[place..place_end.clamp(place, to.max(place))]).max(1);
    (line, before, carets)
}

/// A character that takes its place on a line: neither breaks it nor changes its direction.
pub(super) fn printable(c: char) -> char {
    match c {
        c if c.is_whitespace() => ' ',
        '\u{ad}' | '\u{61c}' | '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' => '\u{fffd}',
        '\u{2060}'..='\u{206f}' | '\u{feff}' => '\u{fffd}',
        c if c.is_control() => '\u{fffd}',
        c => c,
    }
}

/// Columns of a character on a terminal: the large blocks of Unicode's East Asian Width and
/// of combining marks; enough to put carets under names people type.
fn width(c: char) -> usize {
    match c as u32 {
        0x300..=0x36f | 0x483..=0x489 | 0x591..=0x5bd | 0x610..=0x61a | 0x64b..=0x65f => 0,
        0x1ab0..=0x1aff | 0x1dc0..=0x1dff | 0x20d0..=0x20ff | 0xfe00..=0xfe0f => 0,
        0xfe20..=0xfe2f | 0xe0100..=0xe01ef => 0,
        0x1100..=0x115f | 0x2e80..=0x303e | 0x3041..=0xa4cf | 0xa960..=0xa97f => 2,
        0xac00..=0xd7a3 | 0xf900..=0xfaff | 0xfe30..=0xfe6f | 0xff00..=0xff60 => 2,
        0xffe0..=0xffe6 | 0x1f300..=0x1f64f | 0x1f680..=0x1f6ff | 0x1f900..=0x1faff => 2,
        0x20000..=0x3fffd => 2,
        _ => 1,
    }
}
