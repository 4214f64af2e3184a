//! Running text: plain words, emphasis, code and links to sections.

use serde::Serialize;

/// A piece of running text.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Span {
    /// Words.
    Plain(String),
    /// Stressed words.
    Emphasis(String),
    /// Strongly stressed words.
    Strong(String),
    /// A specification, a command, a file name.
    Code(String),
    /// A link to a section of the same document.
    Link {
        /// The section's `id`; a link to an unknown one is written as plain text.
        section: String,
        /// What is shown.
        text: String,
    },
}

impl Span {
    /// What is shown, without the markup.
    #[must_use]
    pub fn words(&self) -> &str {
        match self {
            Span::Plain(s) | Span::Emphasis(s) | Span::Strong(s) | Span::Code(s) => s,
            Span::Link { text, .. } => text,
        }
    }
}

/// Running text. A string becomes plain text, whatever it contains; see [`Text::markup`] for
/// sentences with markup.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(transparent)]
pub struct Text(pub Vec<Span>);

impl Text {
    /// Reads `*emphasis*`, `**strong**`, `` `code` `` and `[words](#section)`; a backslash takes the
    /// next character as it is. What is not closed stays as it is written, so that nothing is lost.
    ///
    /// ```
    /// use spielbaum_document::{Span, Text};
    /// let text = Text::markup("see [depths](#L4), `c=1` and 2*3");
    /// assert_eq!(text.0[1], Span::Link { section: "L4".into(), text: "depths".into() });
    /// assert_eq!(text.0[3], Span::Code("c=1".into()));
    /// assert_eq!(text.words(), "see depths, c=1 and 2*3");
    /// ```
    #[must_use]
    pub fn markup(source: &str) -> Self {
        let mut spans = Vec::new();
        let mut plain = String::new();
        let mut rest = source;
        while let Some(first) = rest.chars().next() {
            if let Some((span, after)) = marked(rest) {
                if !plain.is_empty() {
                    spans.push(Span::Plain(std::mem::take(&mut plain)));
                }
                spans.push(span);
                rest = after;
                continue;
            }
            rest = &rest[first.len_utf8()..];
            match (first, rest.chars().next()) {
                ('\\', Some(next)) if next.is_ascii_punctuation() => {
                    plain.push(next);
                    rest = &rest[1..];
                }
                _ => plain.push(first),
            }
        }
        if !plain.is_empty() {
            spans.push(Span::Plain(plain));
        }
        Text(spans)
    }

    /// The same with more plain words.
    #[must_use]
    pub fn plain(self, words: impl Into<String>) -> Self {
        self.with(Span::Plain(words.into()))
    }

    /// The same with stressed words.
    #[must_use]
    pub fn emphasis(self, words: impl Into<String>) -> Self {
        self.with(Span::Emphasis(words.into()))
    }

    /// The same with code.
    #[must_use]
    pub fn code(self, code: impl Into<String>) -> Self {
        self.with(Span::Code(code.into()))
    }

    /// The same with a link to a section.
    #[must_use]
    pub fn link(self, section: impl Into<String>, text: impl Into<String>) -> Self {
        self.with(Span::Link { section: section.into(), text: text.into() })
    }

    fn with(mut self, span: Span) -> Self {
        self.0.push(span);
        self
    }

    /// What is shown, without the markup.
    #[must_use]
    pub fn words(&self) -> String {
        self.0.iter().map(Span::words).collect()
    }

    /// Is there nothing to show?
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.iter().all(|span| span.words().is_empty())
    }
}

/// The markup that `rest` begins with, and what follows it.
fn marked(rest: &str) -> Option<(Span, &str)> {
    // Markup hugs its words: `2 * 3 * 4` has none.
    let hugging = |s: &str| {
        !s.is_empty() && !s.starts_with(char::is_whitespace) && !s.ends_with(char::is_whitespace)
    };
    let closed = |open: &str| {
        let (inner, after) = rest.strip_prefix(open)?.split_once(open)?;
        (hugging(inner) && !inner.contains('*')).then(|| (inner.to_string(), after))
    };
    match rest.as_bytes()[0] {
        b'`' => {
            let (inner, after) = rest[1..].split_once('`')?;
            (!inner.is_empty()).then(|| (Span::Code(inner.into()), after))
        }
        b'*' => closed("**")
            .map(|(inner, after)| (Span::Strong(inner), after))
            .or_else(|| closed("*").map(|(inner, after)| (Span::Emphasis(inner), after))),
        b'[' => {
            let (text, after) = rest[1..].split_once("](#")?;
            let (section, after) = after.split_once(')')?;
            let plain = !text.contains(['[', ']']) && !section.contains(char::is_whitespace);
            (plain && !text.is_empty() && !section.is_empty())
                .then(|| (Span::Link { section: section.into(), text: text.into() }, after))
        }
        _ => None,
    }
}

impl From<&str> for Text {
    fn from(words: &str) -> Self {
        Text(vec![Span::Plain(words.into())])
    }
}

impl From<String> for Text {
    fn from(words: String) -> Self {
        Text(vec![Span::Plain(words)])
    }
}

impl From<Span> for Text {
    fn from(span: Span) -> Self {
        Text(vec![span])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_not_closed_stays() {
        for plain in ["2 * 3 * 4", "a*", "`", "``", "[x](#", "[x](y)", "[](#a)", "**", "* a*", "É*"]
        {
            assert_eq!(Text::markup(plain), plain.into(), "{plain}");
        }
        assert_eq!(Text::markup(r"\*a\*"), "*a*".into());
        assert_eq!(Text::markup(""), Text::default());
    }

    #[test]
    fn strong_before_emphasis() {
        let text = Text::markup("**a** *b*");
        assert_eq!(text.0[0], Span::Strong("a".into()));
        assert_eq!(text.0[2], Span::Emphasis("b".into()));
    }
}
