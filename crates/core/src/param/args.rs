//! Validated arguments: what builders of games and players read.

use super::scalar::{format_clock, format_duration, format_real};
use super::{Kind, Open, Param, Preset, Schema};
use crate::spec::{Span, SpecError, text_value};
use crate::{Clock, Limits, ParseError};
use std::fmt::{self, Write};
use std::sync::Arc;
use std::time::Duration;

/// The arguments of a specification, validated and complete: every parameter of the schema
/// has the value that was given, else its preset's, else its default, else it is unset.
///
/// Two are equal if their names and all values are; how they were written does not matter.
///
/// Accessors panic on names that the schema does not declare with that kind, and those
/// without `opt_` on parameters that are unset: mistakes of a program, not of its user.
#[derive(Clone, Debug)]
pub struct Args {
    pub(super) schema: &'static Schema,
    pub(super) preset: Option<&'static Preset>,
    pub(super) what: &'static str,
    /// The whole text, of which this may be a nested part.
    pub(super) source: Arc<str>,
    pub(super) name_span: Span,
    /// One for each parameter, in table order.
    pub(super) entries: Vec<Entry>,
}

#[derive(Clone, Debug)]
pub(super) struct Entry {
    pub(super) value: Option<Datum>,
    /// Whether the value is another than it would be had nothing been said.
    pub(super) differs: bool,
    /// Where the value was given.
    pub(super) span: Option<Span>,
}

/// A value of one of the kinds.
#[derive(Clone, PartialEq, Debug)]
pub(super) enum Datum {
    Int(i64),
    Real(f64),
    Flag(bool),
    Choice(&'static str),
    Duration(Duration),
    Clock(Clock),
    Text(String),
    Nested(Box<Args>),
    Open(Box<Open>),
}

/// How much of a specification is printed.
#[derive(Clone, Copy, PartialEq)]
enum Style {
    /// What differs from the defaults.
    Short,
    /// Everything, under the schema's own name.
    Full,
}

macro_rules! accessors {
    ($($get:ident, $opt:ident, $variant:ident($x:ident) => $value:expr, $ty:ty, $noun:literal;)*) => {$(
        #[doc = concat!("The value of ", $noun, ".")]
        pub fn $get(&self, name: &str) -> $ty {
            self.$opt(name).unwrap_or_else(|| self.no_value(name))
        }

        #[doc = concat!("The value of ", $noun, ", if it has one.")]
        pub fn $opt(&self, name: &str) -> Option<$ty> {
            match self.declared(name, |kind| matches!(kind, Kind::$variant { .. }), $noun) {
                Some(accessors!(@datum $variant $x)) => Some($value),
                _ => None,
            }
        }
    )*};
    (@datum Bool $x:ident) => { Datum::Flag($x) };
    (@datum $variant:ident $x:ident) => { Datum::$variant($x) };
}

impl Args {
    accessors! {
        int, opt_int, Int(x) => *x, i64, "an integer";
        real, opt_real, Real(x) => *x, f64, "a real number";
        flag, opt_flag, Bool(x) => *x, bool, "a flag";
        choice, opt_choice, Choice(x) => x, &'static str, "a choice";
        text, opt_text, Text(x) => x.as_str(), &str, "a text";
        duration, opt_duration, Duration(x) => *x, Duration, "a duration";
        clock, opt_clock, Clock(x) => *x, Clock, "a clock";
        nested, opt_nested, Nested(x) => &**x, &Args, "a nested specification";
    }

    /// The name that was given, aliases resolved: the schema's or a preset's.
    pub fn name(&self) -> &'static str {
        self.preset.map_or(self.schema.name, |p| p.name)
    }

    /// The table behind it.
    pub fn schema(&self) -> &'static Schema {
        self.schema
    }

    /// The preset, if one was named.
    pub fn preset(&self) -> Option<&'static Preset> {
        self.preset
    }

    /// Whether the text itself gives the parameter a value, be it the default.
    pub fn is_given(&self, name: &str) -> bool {
        self.entry(name).1.span.is_some()
    }

    /// All parameters in table order, each with its value in canonical text.
    pub fn values(&self) -> impl Iterator<Item = (&'static Param, Option<String>)> + '_ {
        self.schema.all_params().zip(&self.entries).map(|(param, entry)| {
            let text = entry.value.as_ref().map(|datum| {
                let mut text = String::new();
                datum.write(&mut text, Style::Short);
                text
            });
            (param, text)
        })
    }

    /// What the [`BUDGET`](super::BUDGET) parameters say, as far as the schema has them.
    pub fn limits(&self) -> Limits {
        let mut limits = Limits::default();
        for (param, entry) in self.schema.all_params().zip(&self.entries) {
            match (param.name, &entry.value) {
                ("time", &Some(Datum::Duration(time))) => limits.time = Some(time),
                ("clock", &Some(Datum::Clock(clock))) => limits.clock = Some(clock),
                ("iterations", &Some(Datum::Int(n))) => limits.iterations = u64::try_from(n).ok(),
                ("nodes", &Some(Datum::Int(n))) => limits.nodes = u64::try_from(n).ok(),
                ("depth", &Some(Datum::Int(n))) => limits.depth = u32::try_from(n).ok(),
                _ => {}
            }
        }
        limits
    }

    /// Whether it is a player that sees hidden parts, too.
    pub fn sees_all(&self) -> bool {
        let mut values = self.schema.all_params().zip(&self.entries);
        values
            .any(|(param, entry)| param.name == "sees" && entry.value == Some(Datum::Choice("all")))
    }

    /// An error about a parameter, shown at its value, or at the name if it was not given.
    pub fn error(&self, name: &str, problem: impl fmt::Display) -> SpecError {
        let span = self.entry(name).1.span.as_ref().unwrap_or(&self.name_span).clone();
        let problem = format!("parameter `{name}` of {}: {problem}", self.title());
        SpecError::new(&*self.source, span, problem)
    }

    /// An error about all of it, shown at the name.
    pub fn name_error(&self, problem: impl fmt::Display) -> SpecError {
        SpecError::new(&*self.source, self.name_span.clone(), problem.to_string())
    }

    /// The error that values which are each possible do not go together, pointing at one of them.
    pub fn misfit(&self, name: &str, error: ParseError) -> SpecError {
        let found = self.error(name, error.problem);
        match error.help {
            Some(help) => found.help(help),
            None => found,
        }
    }

    /// Whether all values are equal, by whatever names of presets they came.
    pub fn same_values(&self, other: &Args) -> bool {
        self.full() == other.full()
    }

    /// The short text: the name and what differs from its defaults, in table order.
    pub fn canonical(&self) -> String {
        self.print(Style::Short, ":", "")
    }

    /// The long text: the schema's name and every value that is set. Records keep it, because
    /// defaults and presets may change.
    pub fn full(&self) -> String {
        self.print(Style::Full, ":", "")
    }

    fn print(&self, style: Style, open: &str, close: &str) -> String {
        let mut text = match style {
            Style::Short => self.name().to_string(),
            Style::Full => self.schema.name.to_string(),
        };
        let mut separator = open;
        for (param, entry) in self.schema.all_params().zip(&self.entries) {
            if let Some(datum) = &entry.value
                && (entry.differs || style == Style::Full)
            {
                text.push_str(separator);
                text.push_str(param.name);
                text.push('=');
                datum.write(&mut text, style);
                separator = ",";
            }
        }
        if separator == "," {
            text.push_str(close);
        }
        text
    }

    /// Kind and name, for messages: ``player `uct` ``.
    pub(super) fn title(&self) -> String {
        format!("{} `{}`", self.what, self.name())
    }

    fn entry(&self, name: &str) -> (&'static Param, &Entry) {
        (self.schema.all_params().zip(&self.entries))
            .find(|(param, _)| param.name == name)
            .unwrap_or_else(|| panic!("`{}` declares no parameter `{name}`", self.schema.name))
    }

    pub(super) fn declared(
        &self,
        name: &str,
        fits: fn(&Kind) -> bool,
        noun: &str,
    ) -> Option<&Datum> {
        let (param, entry) = self.entry(name);
        let (schema, declared) = (self.schema.name, param.kind.noun());
        assert!(fits(&param.kind), "`{name}` of `{schema}` is {declared}, not {noun}");
        entry.value.as_ref()
    }

    fn no_value(&self, name: &str) -> ! {
        panic!("`{name}` of `{}` has no default: it may be unset", self.schema.name)
    }
}

impl Datum {
    fn write(&self, text: &mut String, style: Style) {
        match self {
            Datum::Int(n) => _ = write!(text, "{n}"),
            Datum::Real(x) => text.push_str(&format_real(*x)),
            Datum::Flag(flag) => text.push_str(if *flag { "true" } else { "false" }),
            Datum::Choice(name) => text.push_str(name),
            Datum::Duration(duration) => text.push_str(&format_duration(*duration)),
            Datum::Clock(clock) => text.push_str(&format_clock(clock)),
            Datum::Text(content) => text.push_str(&text_value(content)),
            Datum::Nested(args) => text.push_str(&args.print(style, "(", ")")),
            Datum::Open(open) => match open.found() {
                Some(args) => text.push_str(&args.print(style, "(", ")")),
                None => text.push_str(open.text()),
            },
        }
    }
}

impl PartialEq for Args {
    fn eq(&self, other: &Args) -> bool {
        self.name() == other.name()
            && self.schema.name == other.schema.name
            && self.entries.len() == other.entries.len()
            && self.entries.iter().zip(&other.entries).all(|(a, b)| a.value == b.value)
    }
}

/// The [canonical](Args::canonical) text.
impl fmt::Display for Args {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.canonical())
    }
}
