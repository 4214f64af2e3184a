//! Tables: cells are values with their intervals, never formatted text.

use serde::Serialize;

use crate::number;

/// A table.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Table {
    /// What it shows.
    pub caption: String,
    /// The columns.
    pub columns: Vec<Column>,
    /// The rows; missing cells at the end of one are empty, surplus ones are not shown.
    pub rows: Vec<Vec<Cell>>,
}

impl Table {
    /// A table without columns and rows.
    #[must_use]
    pub fn new(caption: impl Into<String>) -> Self {
        Table { caption: caption.into(), ..Table::default() }
    }

    /// The same with one more column.
    #[must_use]
    pub fn column(mut self, column: Column) -> Self {
        self.columns.push(column);
        self
    }

    /// The same with one more row.
    #[must_use]
    pub fn row(mut self, cells: impl IntoIterator<Item = Cell>) -> Self {
        self.push(cells);
        self
    }

    /// Adds a row.
    pub fn push(&mut self, cells: impl IntoIterator<Item = Cell>) {
        self.rows.push(cells.into_iter().collect());
    }

    /// The cell of a row and a column; empty where the row ends before it.
    pub(crate) fn cell(&self, row: usize, column: usize) -> &Cell {
        const EMPTY: &Cell = &Cell { content: Content::Empty, note: None, strong: false };
        self.rows[row].get(column).unwrap_or(EMPTY)
    }

    /// Has a column an interval in any row? Then writers align values and intervals apart.
    pub(crate) fn spread(&self, column: usize) -> bool {
        (0..self.rows.len()).any(|row| !self.cell(row, column).shown(true).1.is_empty())
    }

    /// The notes of its cells in reading order, each once.
    pub(crate) fn notes(&self) -> Vec<&str> {
        let mut notes: Vec<&str> = Vec::new();
        let shown = self.rows.iter().flat_map(|row| row.iter().take(self.columns.len()));
        for note in shown.filter_map(|cell| cell.note.as_deref()) {
            if !notes.contains(&note) {
                notes.push(note);
            }
        }
        notes
    }
}

/// The mark of the n-th note: a, b, …, z, aa, ab, …
pub(crate) fn note_mark(n: usize) -> String {
    let mut mark = if n < 26 { String::new() } else { note_mark(n / 26 - 1) };
    mark.push(char::from(b'a' + (n % 26) as u8));
    mark
}

/// A column.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Column {
    /// The heading.
    pub title: String,
    /// The unit, shown in the heading; with `%` the cells leave it out.
    pub unit: Option<String>,
    /// What it holds.
    pub kind: Kind,
    /// How it is aligned.
    pub align: Align,
}

impl Column {
    fn new(title: impl Into<String>, kind: Kind, align: Align) -> Self {
        Column { title: title.into(), unit: None, kind, align }
    }

    /// A column that names its row.
    #[must_use]
    pub fn label(title: impl Into<String>) -> Self {
        Column::new(title, Kind::Label, Align::Left)
    }

    /// A column of words.
    #[must_use]
    pub fn text(title: impl Into<String>) -> Self {
        Column::new(title, Kind::Text, Align::Left)
    }

    /// A column of numbers.
    #[must_use]
    pub fn number(title: impl Into<String>) -> Self {
        Column::new(title, Kind::Number, Align::Right)
    }

    /// A column of verdicts.
    #[must_use]
    pub fn verdict(title: impl Into<String>) -> Self {
        Column::new(title, Kind::Verdict, Align::Left)
    }

    /// The same with a unit.
    #[must_use]
    pub fn unit(mut self, unit: impl Into<String>) -> Self {
        self.unit = Some(unit.into());
        self
    }

    /// The same aligned otherwise.
    #[must_use]
    pub fn align(mut self, align: Align) -> Self {
        self.align = align;
        self
    }

    /// Heading with unit.
    pub(crate) fn heading(&self) -> String {
        match self.unit.as_deref() {
            Some(unit) if !unit.is_empty() => format!("{} ({unit})", self.title).trim().to_string(),
            _ => self.title.clone(),
        }
    }

    /// Do the cells leave the percent sign out?
    pub(crate) fn in_percent(&self) -> bool {
        self.unit.as_deref() == Some("%")
    }
}

/// What a column holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Kind {
    /// What names the row.
    Label,
    /// Words.
    Text,
    /// Numbers.
    Number,
    /// Verdicts.
    Verdict,
}

/// How a column is aligned.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Align {
    /// At the left.
    Left,
    /// In the middle.
    Center,
    /// At the right, as numbers with the same number of decimals are.
    Right,
}

/// A cell: its content, and perhaps a note.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Cell {
    /// The content.
    pub content: Content,
    /// A remark: a footnote of the table.
    pub note: Option<String>,
    /// Set in bold: the best of a column, say.
    pub strong: bool,
}

/// What a cell holds.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Content {
    /// Nothing.
    Empty,
    /// Words.
    Text(String),
    /// A specification, a move, a file name.
    Code(String),
    /// A whole number.
    Integer(i64),
    /// A number.
    Real {
        /// The number.
        value: f64,
        /// How sure it is.
        spread: Spread,
        /// Decimals shown.
        digits: u8,
    },
    /// A share, shown in percent.
    Percent {
        /// The share, between 0 and 1.
        value: f64,
        /// How sure it is, as shares.
        spread: Spread,
        /// Decimals shown of the percent.
        digits: u8,
    },
    /// What became of a claim.
    Verdict(Verdict),
}

/// How sure a value is.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Spread {
    /// Not said.
    None,
    /// So much to either side.
    PlusMinus(f64),
    /// An interval.
    Between(f64, f64),
}

/// What became of a claim.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Verdict {
    /// It holds.
    Confirmed,
    /// Its opposite holds.
    Refuted,
    /// It holds as far as the data go, and more of them are to come.
    ConfirmedSoFar,
    /// Its opposite holds as far as the data go.
    RefutedSoFar,
    /// The data do not decide it.
    Open,
}

impl Verdict {
    /// All of them.
    pub const ALL: [Verdict; 5] = [
        Verdict::Confirmed,
        Verdict::Refuted,
        Verdict::ConfirmedSoFar,
        Verdict::RefutedSoFar,
        Verdict::Open,
    ];

    /// The name of its style: a verdict so far looks like the one it may become, less strong.
    #[must_use]
    pub fn style(self) -> &'static str {
        match self {
            Verdict::Confirmed => "confirmed",
            Verdict::Refuted => "refuted",
            Verdict::ConfirmedSoFar => "confirmed so-far",
            Verdict::RefutedSoFar => "refuted so-far",
            Verdict::Open => "open",
        }
    }

    /// The word.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Verdict::Confirmed => "confirmed",
            Verdict::Refuted => "refuted",
            Verdict::ConfirmedSoFar => "confirmed so far",
            Verdict::RefutedSoFar => "refuted so far",
            Verdict::Open => "open",
        }
    }

    /// The sign: never colour alone.
    #[must_use]
    pub fn sign(self) -> &'static str {
        match self {
            Verdict::Confirmed => "✓",
            Verdict::Refuted => "✗",
            Verdict::ConfirmedSoFar => "(✓)",
            Verdict::RefutedSoFar => "(✗)",
            Verdict::Open => "?",
        }
    }
}

impl Cell {
    /// A cell with this content.
    #[must_use]
    pub fn new(content: Content) -> Self {
        Cell { content, note: None, strong: false }
    }

    /// Nothing.
    #[must_use]
    pub fn empty() -> Self {
        Cell::new(Content::Empty)
    }

    /// Words.
    #[must_use]
    pub fn text(words: impl Into<String>) -> Self {
        Cell::new(Content::Text(words.into()))
    }

    /// A specification, a move, a file name.
    #[must_use]
    pub fn code(code: impl Into<String>) -> Self {
        Cell::new(Content::Code(code.into()))
    }

    /// A whole number.
    #[must_use]
    pub fn integer(value: i64) -> Self {
        Cell::new(Content::Integer(value))
    }

    /// A number of things; what does not fit 63 bits is shown as the largest that does.
    #[must_use]
    pub fn count(value: u64) -> Self {
        Cell::integer(i64::try_from(value).unwrap_or(i64::MAX))
    }

    /// A number with so many decimals.
    #[must_use]
    pub fn real(value: f64, digits: u8) -> Self {
        Cell::new(Content::Real { value, spread: Spread::None, digits })
    }

    /// A share between 0 and 1, shown in percent with one decimal.
    #[must_use]
    pub fn percent(value: f64) -> Self {
        Cell::new(Content::Percent { value, spread: Spread::None, digits: 1 })
    }

    /// A verdict.
    #[must_use]
    pub fn verdict(verdict: Verdict) -> Self {
        Cell::new(Content::Verdict(verdict))
    }

    /// The same with an interval; only numbers and shares have one.
    #[must_use]
    pub fn between(self, low: f64, high: f64) -> Self {
        self.with(Spread::Between(low, high))
    }

    /// The same with ±; only numbers and shares have one.
    #[must_use]
    pub fn plus_minus(self, half: f64) -> Self {
        self.with(Spread::PlusMinus(half))
    }

    fn with(mut self, new: Spread) -> Self {
        if let Content::Real { spread, .. } | Content::Percent { spread, .. } = &mut self.content {
            *spread = new;
        }
        self
    }

    /// The same with other decimals; only numbers and shares have any.
    #[must_use]
    pub fn digits(mut self, new: u8) -> Self {
        if let Content::Real { digits, .. } | Content::Percent { digits, .. } = &mut self.content {
            *digits = new;
        }
        self
    }

    /// The same with a remark.
    #[must_use]
    pub fn note(mut self, note: impl Into<String>) -> Self {
        self.note = Some(note.into());
        self
    }

    /// The same in bold.
    #[must_use]
    pub fn strong(mut self) -> Self {
        self.strong = true;
        self
    }

    /// Value and spread as they are shown. `in_percent`: the column says `%` already.
    pub(crate) fn shown(&self, in_percent: bool) -> (String, String) {
        let both = |value: f64, spread: Spread, digits: u8, factor: f64| {
            let shown = |x: f64| number::real(x * factor, digits);
            let spread = match spread {
                Spread::None => String::new(),
                Spread::PlusMinus(half) => format!("± {}", shown(half)),
                Spread::Between(low, high) => format!("[{}, {}]", shown(low), shown(high)),
            };
            (shown(value), spread)
        };
        match &self.content {
            Content::Empty => (String::new(), String::new()),
            Content::Text(words) | Content::Code(words) => (words.clone(), String::new()),
            Content::Integer(n) => (number::integer(*n), String::new()),
            Content::Real { value, spread, digits } => both(*value, *spread, *digits, 1.0),
            Content::Percent { value, spread, digits } => {
                let (mut value, spread) = both(*value, *spread, *digits, 100.0);
                if !in_percent && value != number::NONE {
                    value.push(number::THIN);
                    value.push('%');
                }
                (value, spread)
            }
            Content::Verdict(v) => (format!("{} {}", v.sign(), v.word()), String::new()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn notes_are_numbered_once() {
        assert_eq!([0, 25, 26, 701, 702].map(note_mark), ["a", "z", "aa", "zz", "aaa"]);
        let table = Table::new("")
            .column(Column::text("x"))
            .row([Cell::empty().note("n")])
            .row([Cell::empty().note("m"), Cell::empty().note("unseen")])
            .row([Cell::empty().note("n")]);
        assert_eq!(table.notes(), ["n", "m"]);
    }

    #[test]
    fn percent_with_and_without_sign() {
        let cell = Cell::percent(0.7551).between(0.7269, 0.781);
        assert_eq!(cell.shown(true), ("75.5".into(), "[72.7, 78.1]".into()));
        assert_eq!(cell.shown(false).0, "75.5\u{202f}%");
        assert_eq!(Cell::percent(f64::NAN).shown(false).0, "–");
        assert_eq!(Cell::real(25.0, 0).plus_minus(3.4).shown(false).1, "± 3");
    }
}
