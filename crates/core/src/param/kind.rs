//! What a parameter may be set to.

use super::Schema;
use std::fmt;

/// What a parameter may be set to.
///
/// `{}` is a short text for tables: `1..19`, `real 0..`, `random | mast(...)`, `duration`.
#[derive(Clone, Copy, Debug)]
pub enum Kind {
    /// An integer in `min..=max`.
    Int {
        /// The smallest; `i64::MIN` for no bound.
        min: i64,
        /// The largest; `i64::MAX` for no bound.
        max: i64,
    },
    /// A finite number in `min..=max`.
    Real {
        /// The smallest, or an infinity for no bound.
        min: f64,
        /// The largest, or an infinity for no bound.
        max: f64,
    },
    /// True or false.
    Bool,
    /// One of these names; each has a line for people.
    Choice(&'static [(&'static str, &'static str)]),
    /// A positive wall time.
    Duration,
    /// Time for a game and time added after each move.
    Clock,
    /// Any text.
    Text,
    /// A specification by one of these schemas.
    Nested(&'static [&'static Schema]),
    /// A specification by one of the schemas that the game has for this: its
    /// [evaluations](crate::NamedEval), `"evaluation"`. They are looked up when the game is known.
    Open(&'static str),
}

impl Kind {
    /// Integers from `min` on.
    pub const fn at_least(min: i64) -> Self {
        Kind::Int { min, max: i64::MAX }
    }

    /// What is expected, as part of a sentence: `an integer from 1 to 19`.
    pub fn describe(&self) -> String {
        match *self {
            Kind::Int { min, max } => {
                bounds("an integer", min != i64::MIN, max != i64::MAX, &min, &max)
            }
            Kind::Real { min, max } => {
                bounds("a number", min.is_finite(), max.is_finite(), &min, &max)
            }
            Kind::Bool => "true or false".to_string(),
            Kind::Choice(choices) => {
                format!("one of: {}", choices.iter().map(|c| c.0).collect::<Vec<_>>().join(", "))
            }
            Kind::Duration => "a duration such as 2s, 150ms or 5m".to_string(),
            Kind::Clock => {
                "a clock such as 60s+0.5s: time for a game + time for each move".to_string()
            }
            Kind::Text => "a text, in quotes if it is not a single word".to_string(),
            Kind::Nested(schemas) => format!("one of: {}", names(schemas).join(", ")),
            Kind::Open(what) => format!("an {what} of the game, see `list GAME`"),
        }
    }

    /// What it is called in messages to programmers.
    pub(super) fn noun(&self) -> &'static str {
        match self {
            Kind::Int { .. } => "an integer",
            Kind::Real { .. } => "a real number",
            Kind::Bool => "a flag",
            Kind::Choice(_) => "a choice",
            Kind::Duration => "a duration",
            Kind::Clock => "a clock",
            Kind::Text => "a text",
            Kind::Nested(_) => "a nested specification",
            Kind::Open(_) => "a name",
        }
    }
}

fn bounds(
    noun: &str,
    has_min: bool,
    has_max: bool,
    min: &dyn fmt::Display,
    max: &dyn fmt::Display,
) -> String {
    match (has_min, has_max) {
        (true, true) => format!("{noun} from {min} to {max}"),
        (true, false) => format!("{noun}, {min} or more"),
        (false, true) => format!("{noun}, {max} or less"),
        (false, false) => noun.to_string(),
    }
}

/// All names that select one of these schemas, aliases left out.
pub(super) fn names(schemas: &[&'static Schema]) -> Vec<&'static str> {
    schemas.iter().flat_map(|s| s.names()).collect()
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Kind::Int { min: i64::MIN, max: i64::MAX } => f.write_str("integer"),
            Kind::Int { min, max: i64::MAX } => write!(f, "{min}.."),
            Kind::Int { min: i64::MIN, max } => write!(f, "..{max}"),
            Kind::Int { min, max } => write!(f, "{min}..{max}"),
            Kind::Real { min, max } => match (min.is_finite(), max.is_finite()) {
                (true, true) => write!(f, "real {min}..{max}"),
                (true, false) => write!(f, "real {min}.."),
                (false, true) => write!(f, "real ..{max}"),
                (false, false) => f.write_str("real"),
            },
            Kind::Bool => f.write_str("true | false"),
            Kind::Choice(choices) => {
                f.write_str(&choices.iter().map(|c| c.0).collect::<Vec<_>>().join(" | "))
            }
            Kind::Duration => f.write_str("duration"),
            Kind::Clock => f.write_str("clock"),
            Kind::Text => f.write_str("text"),
            Kind::Open(what) => f.write_str(what),
            Kind::Nested(schemas) => {
                let mut separator = "";
                for schema in schemas {
                    let more = if schema.all_params().next().is_some() { "(...)" } else { "" };
                    for name in schema.names() {
                        write!(f, "{separator}{name}{more}")?;
                        separator = " | ";
                    }
                }
                Ok(())
            }
        }
    }
}
