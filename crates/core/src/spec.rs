//! Specifications as text: `uct:c=0.9,playout=mast(k=16),time=1.5s`.
//!
//! One grammar for the command line, experiment files and records:
//!
//! ```text
//! spec   = name [ ":" args | "(" [args] ")" ]     ":" only at the top
//! args   = arg { "," arg }
//! arg    = key "=" value
//! value  = word | quoted | name "(" [args] ")"
//! quoted = '"' { any character, \" or \\ } '"'
//! ```
//!
//! A word is any run of characters other than white space and `, ; = : ( ) [ ] { } "`; space
//! around the parts is ignored. What the words mean is the business of [`param`](crate::param).

mod error;
mod parse;

pub use error::{Span, SpecError};
pub(crate) use parse::shown;
use std::fmt;

/// The longest text that is read, in bytes.
pub const MAX_LENGTH: usize = 1 << 16;

/// How deep specifications may be nested.
pub const MAX_DEPTH: usize = 32;

/// A name with arguments, not yet looked up anywhere.
///
/// ```
/// use spielbaum_core::spec::{Spec, Value};
/// let spec = Spec::parse("uct( c = 0.9, playout = mast(k=16) )")?;
/// assert_eq!(spec.name, "uct");
/// assert_eq!(spec.args[0].value, Value::Word("0.9".into()));
/// assert_eq!(spec.to_string(), "uct:c=0.9,playout=mast(k=16)");
/// # Ok::<(), spielbaum_core::spec::SpecError>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Spec {
    /// What is specified.
    pub name: String,
    /// Where the name stands.
    pub name_span: Span,
    /// Its arguments, as given.
    pub args: Vec<Arg>,
    /// Where all of it stands.
    pub span: Span,
}

/// `key=value`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Arg {
    /// The parameter.
    pub key: String,
    /// Where the key stands.
    pub key_span: Span,
    /// What it is set to.
    pub value: Value,
    /// Where the value stands.
    pub value_span: Span,
}

/// What a parameter is set to.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Value {
    /// A number, a duration, a name: anything without delimiters.
    Word(String),
    /// A text in quotes, its escapes resolved.
    Quoted(String),
    /// A name with parentheses.
    Nested(Spec),
}

impl Spec {
    /// Reads a specification; the whole text must be one.
    pub fn parse(text: &str) -> Result<Spec, SpecError> {
        parse::spec(text)
    }

    fn write_args(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (i, arg) in self.args.iter().enumerate() {
            let comma = if i > 0 { "," } else { "" };
            write!(f, "{comma}{}={}", arg.key, arg.value)?;
        }
        Ok(())
    }
}

impl Value {
    /// Reads the text of a single value, as it stands behind `key=`.
    pub fn parse(text: &str) -> Result<Value, SpecError> {
        parse::value(text)
    }
}

/// The canonical text: no space, `:` at the top.
impl fmt::Display for Spec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.name)?;
        if !self.args.is_empty() {
            f.write_str(":")?;
            self.write_args(f)?;
        }
        Ok(())
    }
}

impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Value::Word(word) => f.write_str(word),
            Value::Quoted(text) => f.write_str(&quote(text)),
            Value::Nested(spec) if spec.args.is_empty() => f.write_str(&spec.name),
            Value::Nested(spec) => {
                write!(f, "{}(", spec.name)?;
                spec.write_args(f)?;
                f.write_str(")")
            }
        }
    }
}

/// Whether a character can be part of a word.
fn is_word(c: char) -> bool {
    !c.is_whitespace() && !c.is_control() && !",;=:()[]{}\"".contains(c)
}

/// The text as a value: bare where that reads back as the same text, otherwise in quotes.
///
/// ```
/// use spielbaum_core::spec::text_value;
/// assert_eq!(text_value("net/best.bin"), "net/best.bin");
/// assert_eq!(text_value("a, b.bin"), r#""a, b.bin""#);
/// ```
pub fn text_value(text: &str) -> String {
    if !text.is_empty() && text.chars().all(is_word) { text.to_string() } else { quote(text) }
}

fn quote(text: &str) -> String {
    format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\""))
}
