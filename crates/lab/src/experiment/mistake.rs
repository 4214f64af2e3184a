//! What is wrong with an experiment file: all of it, each mistake at its place.

use spielbaum_core::spec::{Span, SpecError};
use std::cell::{Cell, RefCell};
use std::fmt;

/// Mistakes that are shown; of more only the number is told.
const SHOWN: usize = 40;

/// Everything that is wrong with a file, in the order of its lines.
///
/// Its [`Display`](fmt::Display) shows each mistake as on the command line, with the line and
/// a caret, and ends with their number.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Mistakes {
    name: String,
    list: Vec<Mistake>,
}

/// One mistake.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Mistake {
    /// Its line, from 1.
    pub line: usize,
    /// Its column in characters, from 1.
    pub column: usize,
    /// The line with the place in it, what is wrong, and what would be right.
    pub error: SpecError,
}

impl Mistakes {
    /// All of them, in the order of their places; never empty.
    pub fn list(&self) -> &[Mistake] {
        &self.list
    }

    /// Something is wrong, and nobody said what.
    pub(super) fn unknown(name: &str, text: &str) -> Mistakes {
        let problem = "the experiment cannot be understood".to_string();
        Mistakes { name: name.to_string(), list: vec![locate(text, &(0..0), problem, None)] }
    }

    /// What the file is called.
    pub fn name(&self) -> &str {
        &self.name
    }
}

impl std::error::Error for Mistakes {}

impl fmt::Display for Mistakes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (i, Mistake { line, column, error }) in self.list.iter().take(SHOWN).enumerate() {
            let gap = if i > 0 { "\n\n" } else { "" };
            write!(f, "{gap}{}:{line}:{column}: {error}", self.name)?;
        }
        match self.list.len() {
            1 => Ok(()),
            n @ ..=SHOWN => write!(f, "\n\n{n} mistakes in {}", self.name),
            n => write!(f, "\n\n{n} mistakes in {}, the first {SHOWN} are shown", self.name),
        }
    }
}

/// Gathers mistakes while a file is read. Reading goes on after each.
pub(super) struct Log<'a> {
    text: &'a str,
    found: RefCell<Vec<(Span, String, Option<String>)>>,
    full: Cell<bool>,
}

/// No file has so many different mistakes that someone would read them.
const MOST: usize = 1000;

impl<'a> Log<'a> {
    pub(super) fn new(text: &'a str) -> Self {
        Log { text, found: RefCell::default(), full: Cell::new(false) }
    }

    /// The text of the file.
    pub(super) fn text(&self) -> &'a str {
        self.text
    }

    /// A mistake without a word about what would be right.
    pub(super) fn wrong(&self, span: Span, problem: impl Into<String>) {
        self.add(span, problem.into(), None);
    }

    /// A mistake, and what would be right.
    pub(super) fn help(&self, span: Span, problem: impl Into<String>, help: impl Into<String>) {
        self.add(span, problem.into(), Some(help.into()));
    }

    /// One mistake may show in many expanded texts: it is told once.
    fn add(&self, span: Span, problem: String, help: Option<String>) {
        let mut found = self.found.borrow_mut();
        let mistake = (span, problem, help);
        if !self.full.get() && !found.contains(&mistake) {
            found.push(mistake);
            self.full.set(found.len() >= MOST);
        }
    }

    /// How many there are so far.
    pub(super) fn count(&self) -> usize {
        self.found.borrow().len()
    }

    /// All of them, sorted.
    pub(super) fn finish(self, name: &str) -> Option<Mistakes> {
        let mut found = self.found.into_inner();
        found.sort_by(|a, b| (a.0.start, a.0.end, &a.1).cmp(&(b.0.start, b.0.end, &b.1)));
        let place = |(span, problem, help)| locate(self.text, &span, problem, help);
        let list: Vec<Mistake> = found.into_iter().map(place).collect();
        (!list.is_empty()).then(|| Mistakes { name: name.to_string(), list })
    }
}

/// A span of the text as line and column, with what of it is in its first line.
fn locate(text: &str, span: &Span, problem: String, help: Option<String>) -> Mistake {
    let mut start = span.start.min(text.len());
    while !text.is_char_boundary(start) {
        start -= 1;
    }
    let first = text[..start].rfind('\n').map_or(0, |at| at + 1);
    let shown = text[first..].lines().next().unwrap_or("");
    let end = span.end.saturating_sub(first).min(shown.len());
    let mut error = SpecError::new(shown, start - first..end, problem);
    error.help = help;
    Mistake {
        line: text[..first].matches('\n').count() + 1,
        column: text[first..start].chars().count() + 1,
        error,
    }
}
