//! The parser: recursive descent over bytes, every part with its place.

use super::error::printable;
use super::{Arg, MAX_DEPTH, MAX_LENGTH, Span, Spec, SpecError, Value, is_word};

/// Reads a whole text as a specification.
pub(super) fn spec(text: &str) -> Result<Spec, SpecError> {
    let mut parser = Parser::new(text)?;
    let name_span = parser.word();
    if name_span.is_empty() {
        return Err(match parser.peek() {
            None => parser.error(0..text.len(), "the specification is empty"),
            Some('[' | '{') => parser.list(),
            Some('"') => parser.unexpected("a name is not written in quotes"),
            Some(_) => parser.unexpected("a specification begins with a name"),
        });
    }
    let name = text[name_span.clone()].to_string();
    let args = match parser.peek() {
        None => Vec::new(),
        Some(':') => {
            parser.pos += 1;
            parser.args(None, 1)?
        }
        Some('(') => {
            let open = parser.pos;
            parser.pos += 1;
            parser.args(Some(open), 1)?
        }
        Some('=') => {
            let help = format!("begin with the name, `NAME:{}=…`", shown(&name));
            return Err(parser
                .error(name_span, "a parameter stands where a name should be")
                .help(help));
        }
        Some(_) => {
            let help = format!("parameters follow a colon: `{}:KEY=VALUE,…`", shown(&name));
            return Err(parser.unexpected(&help));
        }
    };
    let span = name_span.start..parser.pos;
    match parser.peek() {
        None => Ok(Spec { name, name_span, args, span }),
        Some(_) => Err(parser.unexpected("the specification has ended before this")),
    }
}

/// Reads a whole text as a value.
pub(super) fn value(text: &str) -> Result<Value, SpecError> {
    let mut parser = Parser::new(text)?;
    let Some((value, _)) = parser.value(1)? else {
        return Err(match parser.peek() {
            None => parser.error(0..text.len(), "the value is empty"),
            Some(_) => parser.unexpected("a value is expected"),
        });
    };
    match parser.peek() {
        None => Ok(value),
        Some(_) => Err(parser.unexpected("the value has ended before this")),
    }
}

/// A piece of the text as it appears within a message: short, on one line.
pub(crate) fn shown(text: &str) -> String {
    const LENGTH: usize = 40;
    let mut piece: String = text.chars().take(LENGTH).map(printable).collect();
    if text.chars().nth(LENGTH).is_some() {
        piece.push('…');
    }
    piece
}

struct Parser<'a> {
    text: &'a str,
    /// Always at the border of a character.
    pos: usize,
}

impl<'a> Parser<'a> {
    fn new(text: &'a str) -> Result<Self, SpecError> {
        if text.len() > MAX_LENGTH {
            let problem = format!(
                "a specification of {} bytes is too long: {MAX_LENGTH} at most",
                text.len()
            );
            return Err(SpecError::new(text, MAX_LENGTH..text.len(), problem));
        }
        Ok(Parser { text, pos: 0 })
    }

    /// The next character after white space, not consumed.
    fn peek(&mut self) -> Option<char> {
        let rest = &self.text[self.pos..];
        self.pos += rest.len() - rest.trim_start().len();
        self.text[self.pos..].chars().next()
    }

    /// Consumes a word, perhaps an empty one.
    fn word(&mut self) -> Span {
        self.peek();
        let rest = &self.text[self.pos..];
        let length = rest.find(|c| !is_word(c)).unwrap_or(rest.len());
        self.pos += length;
        self.pos - length..self.pos
    }

    /// Consumes arguments up to the parenthesis that closes `open`, or to the end.
    fn args(&mut self, open: Option<usize>, depth: usize) -> Result<Vec<Arg>, SpecError> {
        let mut args = Vec::new();
        if open.is_some() && self.peek() == Some(')') {
            self.pos += 1;
            return Ok(args);
        }
        loop {
            args.push(self.arg(open, depth)?);
            match (self.peek(), open) {
                (Some(','), _) => self.pos += 1,
                (Some(')'), Some(_)) => {
                    self.pos += 1;
                    return Ok(args);
                }
                (None, None) => return Ok(args),
                (None, Some(open)) => return Err(self.unclosed(open)),
                (Some(')'), None) => return Err(self.unopened()),
                (Some('='), _) => {
                    return Err(self.unexpected("a comma stands between two parameters"));
                }
                (Some(_), _) => return Err(self.unexpected("parameters are separated by commas")),
            }
        }
    }

    fn arg(&mut self, open: Option<usize>, depth: usize) -> Result<Arg, SpecError> {
        let key_span = self.word();
        let key = &self.text[key_span.clone()];
        let next = self.peek();
        if key.is_empty() {
            return Err(match (next, open) {
                (None, Some(open)) => self.unclosed(open),
                (Some(')'), None) => self.unopened(),
                (None | Some(',' | ')'), _) => {
                    let at = self.pos;
                    self.error(at..at + usize::from(next.is_some()), "a parameter is missing here")
                        .help("write `KEY=VALUE`, or leave out the separator")
                }
                (Some('[' | '{'), _) => self.list(),
                (Some(_), _) => self.unexpected("a parameter is expected: `KEY=VALUE`"),
            });
        }
        match next {
            Some('=') => self.pos += 1,
            None | Some(',' | ')') => return Err(self.no_value(key_span)),
            Some('(' | ':') => {
                let help = format!("a parameter comes with its name: `KEY={}(…)`", shown(key));
                return Err(self.unexpected(&help));
            }
            Some(_) => return Err(self.unexpected("a parameter is expected: `KEY=VALUE`")),
        }
        match self.value(depth)? {
            Some((value, value_span)) => {
                Ok(Arg { key: key.to_string(), key_span, value, value_span })
            }
            None => match self.peek() {
                None | Some(',' | ')') => Err(self.no_value(key_span)),
                Some(_) => Err(self.unexpected("a value is expected, in quotes if need be")),
            },
        }
    }

    /// Consumes a value; `None` where none begins.
    fn value(&mut self, depth: usize) -> Result<Option<(Value, Span)>, SpecError> {
        match self.peek() {
            Some('"') => return self.quoted().map(Some),
            Some('[' | '{') => return Err(self.list()),
            _ => {}
        }
        let name_span = self.word();
        if name_span.is_empty() {
            return Ok(None);
        }
        let name = self.text[name_span.clone()].to_string();
        match self.peek() {
            Some('(') if depth >= MAX_DEPTH => {
                let problem = format!("nested more than {MAX_DEPTH} levels deep");
                Err(self.error(name_span, problem))
            }
            Some('(') => {
                let open = self.pos;
                self.pos += 1;
                let args = self.args(Some(open), depth + 1)?;
                let span = name_span.start..self.pos;
                let spec = Spec { name, name_span, args, span: span.clone() };
                Ok(Some((Value::Nested(spec), span)))
            }
            Some(':') => {
                let help = format!(
                    "parameters of a nested name stand in parentheses, `{}(KEY=VALUE)`; \
                     a text with a colon stands in quotes",
                    shown(&name)
                );
                Err(self.unexpected(&help))
            }
            _ => Ok(Some((Value::Word(name), name_span))),
        }
    }

    fn quoted(&mut self) -> Result<(Value, Span), SpecError> {
        let start = self.pos;
        let mut content = String::new();
        let mut chars = self.text[start..].char_indices().skip(1);
        while let Some((at, c)) = chars.next() {
            match c {
                '"' => {
                    self.pos = start + at + 1;
                    return Ok((Value::Quoted(content), start..self.pos));
                }
                '\\' => match chars.next() {
                    Some((_, escaped @ ('"' | '\\'))) => content.push(escaped),
                    Some((_, other)) => {
                        let end = start + at + 1 + other.len_utf8();
                        return Err(self
                            .error(start + at..end, "unknown escape in a quoted text")
                            .help("there are `\\\"` for a quote and `\\\\` for a backslash"));
                    }
                    None => break,
                },
                c => content.push(c),
            }
        }
        let problem = "the quoted text is never closed";
        Err(self.error(start..self.text.len(), problem).help("close it with `\"`"))
    }

    fn error(&self, span: Span, problem: impl Into<String>) -> SpecError {
        SpecError::new(self.text, span, problem)
    }

    /// An error about what stands here: a word or a single character.
    fn unexpected(&mut self, help: &str) -> SpecError {
        let start = self.pos;
        let mut span = self.word();
        if span.is_empty() {
            span.end += self.text[start..].chars().next().map_or(0, char::len_utf8);
        }
        let problem = format!("unexpected `{}`", shown(&self.text[span.clone()]));
        self.error(span, problem).help(help)
    }

    fn no_value(&self, key_span: Span) -> SpecError {
        let key = &self.text[key_span.clone()];
        let help = if key.starts_with(|c: char| c.is_ascii_digit() || c == '-') {
            format!("a value comes with the name of its parameter: `KEY={}`", shown(key))
        } else {
            format!("write `{}=VALUE`", shown(key))
        };
        self.error(key_span, format!("parameter `{}` has no value", shown(key))).help(help)
    }

    fn unclosed(&self, open: usize) -> SpecError {
        self.error(open..open + 1, "the parenthesis is never closed").help("close it with `)`")
    }

    fn unopened(&self) -> SpecError {
        self.error(self.pos..self.pos + 1, "the parenthesis was never opened")
            .help("leave out the `)`, or open it before")
    }

    /// An error about the list that begins here; sweeps are expanded before a specification
    /// is read.
    fn list(&self) -> SpecError {
        let rest = &self.text[self.pos..];
        let length = rest.find([']', '}']).map_or(1, |at| at + 1);
        self.error(self.pos..self.pos + length, "a list is not allowed here: give one value")
    }
}
