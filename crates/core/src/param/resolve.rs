//! From the text of a specification to validated arguments.

use super::args::{Args, Datum, Entry};
use super::kind::names;
use super::open::Open;
use super::scalar::{self, Fault};
use super::{Kind, Param, Schema, find};
use crate::spec::{Arg, MAX_DEPTH, MAX_LENGTH, Span, Spec, SpecError, Value, shown};
use crate::text::nearest;
use std::sync::Arc;

/// Reads a specification by the schemas there are. `what` is it that they specify, for
/// messages: `player`, `game`.
pub fn resolve(
    text: &str,
    what: &'static str,
    schemas: &[&'static Schema],
) -> Result<Args, SpecError> {
    if text.trim().is_empty() {
        return Err(SpecError::new(text, 0..text.len(), format!("no {what} is given"))
            .help(format!("choose from: {}", names(schemas).join(", "))));
    }
    let spec = Spec::parse(text)?;
    let source = Source { text: text.into(), at: None };
    let args = source.args(&spec.name, &spec.name_span, &spec.args, what, schemas, 1)?;
    check_length(&args)?;
    Ok(args)
}

/// Every text that is printed can be read again.
pub(super) fn check_length(args: &Args) -> Result<(), SpecError> {
    if args.full().len().max(args.canonical().len()) > MAX_LENGTH {
        let all = 0..args.source.len();
        return Err(SpecError::new(&*args.source, all, "too long with all its values"));
    }
    Ok(())
}

/// Whether a built-in text is a value of a parameter.
pub(super) fn check_value(
    schema: &Schema,
    param: &'static Param,
    text: &str,
) -> Result<(), SpecError> {
    let source = Source { text: text.into(), at: None };
    let value = Value::parse(text)?;
    let title = format!("`{}`", schema.name);
    source.datum(param, &value, &(0..text.len()), &title, 1).map(|_| ())
}

/// The text in which errors are shown.
#[derive(Clone, Debug)]
pub(super) struct Source {
    text: Arc<str>,
    /// Where everything is said to stand: the name whose built-in values are read.
    at: Option<Span>,
}

impl Source {
    pub(super) fn error(&self, span: &Span, problem: impl Into<String>) -> SpecError {
        SpecError::new(&*self.text, self.at.as_ref().unwrap_or(span).clone(), problem)
    }

    pub(super) fn args(
        &self,
        name: &str,
        name_span: &Span,
        given: &[Arg],
        what: &'static str,
        schemas: &[&'static Schema],
        depth: usize,
    ) -> Result<Args, SpecError> {
        if depth > MAX_DEPTH {
            let problem = format!("nested more than {MAX_DEPTH} levels deep");
            return Err(self.error(name_span, problem));
        }
        let Some((schema, preset)) = find(name, schemas) else {
            let problem = format!("unknown {what} `{}`", shown(name));
            return Err(self.error(name_span, problem).help(choose(name, &names(schemas))));
        };
        let place = self.at.as_ref().unwrap_or(name_span).clone();
        let mut args = Args {
            schema,
            preset,
            what,
            source: Arc::clone(&self.text),
            name_span: place.clone(),
            entries: Vec::new(),
        };
        let title = args.title();
        let mut slots: Vec<Option<&Arg>> = vec![None; schema.all_params().count()];
        for arg in given {
            let Some(i) = schema.all_params().position(|p| p.name == arg.key) else {
                return Err(self.unknown_key(arg, &title, schema));
            };
            if let Some(first) = slots[i].replace(arg) {
                let problem = format!("parameter `{}` of {title} is given twice", arg.key);
                let help = format!("before it was `{}`", shown(&self.text[spanned(first)]));
                return Err(self.error(&arg.key_span, problem).help(help));
            }
        }
        let built_in = Source { text: Arc::clone(&self.text), at: Some(place) };
        for (param, slot) in schema.all_params().zip(slots) {
            let set = preset.and_then(|p| p.sets.iter().find(|s| s.0 == param.name));
            let base = match set.map(|s| s.1).or(param.default) {
                None => None,
                Some(text) => Some(built_in.built_in(param, text, name_span, &title, depth)?),
            };
            args.entries.push(match slot {
                None => Entry { value: base, differs: false, span: None },
                Some(arg) => {
                    let span = &arg.value_span;
                    let value = Some(self.datum(param, &arg.value, span, &title, depth)?);
                    let span = self.at.as_ref().unwrap_or(span).clone();
                    Entry { differs: value != base, value, span: Some(span) }
                }
            });
        }
        Ok(args)
    }

    /// A default or a preset's value. It is right, or else the table is wrong, which
    /// [`Schema::check`] tells.
    fn built_in(
        &self,
        param: &'static Param,
        text: &str,
        name_span: &Span,
        title: &str,
        depth: usize,
    ) -> Result<Datum, SpecError> {
        let value = Value::parse(text).map_err(|e| {
            let problem = format!("built-in value of `{}` of {title}: {}", param.name, e.problem);
            self.error(name_span, problem)
        })?;
        self.datum(param, &value, name_span, title, depth)
    }

    fn datum(
        &self,
        param: &'static Param,
        value: &Value,
        span: &Span,
        title: &str,
        depth: usize,
    ) -> Result<Datum, SpecError> {
        if let Kind::Nested(schemas) = param.kind {
            match value {
                Value::Word(name) => {
                    let args = self.args(name, span, &[], param.name, schemas, depth + 1)?;
                    return Ok(Datum::Nested(Box::new(args)));
                }
                Value::Nested(spec) => {
                    let (at, given) = (&spec.name_span, &spec.args);
                    let args = self.args(&spec.name, at, given, param.name, schemas, depth + 1)?;
                    return Ok(Datum::Nested(Box::new(args)));
                }
                Value::Quoted(_) => {}
            }
        }
        if let Kind::Open(what) = param.kind
            && let Some(open) = Open::new(self, value, span, what, depth)
        {
            return Ok(Datum::Open(Box::new(open)));
        }
        plain(param, value).map_err(|(problem, help)| {
            let problem = format!("parameter `{}` of {title}: {problem}", param.name);
            self.error(span, problem).help(help)
        })
    }

    fn unknown_key(&self, arg: &Arg, title: &str, schema: &Schema) -> SpecError {
        let known: Vec<&str> = schema.all_params().map(|p| p.name).collect();
        let help = if known.is_empty() {
            format!("`{}` has no parameters", schema.name)
        } else {
            let hint = nested_key(schema, &arg.key);
            let hint = hint.unwrap_or_else(|| did_you_mean(&arg.key, &known));
            format!("{hint}parameters: {}", known.join(", "))
        };
        let problem = format!("unknown parameter `{}` of {title}", shown(&arg.key));
        self.error(&arg.key_span, problem).help(help)
    }
}

/// Where a key belongs that stands one level too high.
fn nested_key(schema: &Schema, key: &str) -> Option<String> {
    schema.all_params().find_map(|param| {
        let Kind::Nested(schemas) = param.kind else { return None };
        let home = schemas.iter().find(|s| s.param(key).is_some())?;
        Some(format!("`{key}` belongs to `{}`: `{}={0}({key}=…)`; ", home.name, param.name))
    })
}

fn spanned(arg: &Arg) -> Span {
    arg.key_span.start..arg.value_span.end
}

/// A value that is no specification of its own; or the problem and the help.
fn plain(param: &Param, value: &Value) -> Result<Datum, (String, String)> {
    let expected = || format!("`{}` ({}) is {}", param.name, param.help, param.kind.describe());
    let text = match (value, param.kind) {
        (Value::Word(text) | Value::Quoted(text), Kind::Text) => {
            return Ok(Datum::Text(text.clone()));
        }
        (Value::Word(text), _) => text,
        (Value::Quoted(text), _) => {
            let problem = format!("a text in quotes is not {}", param.kind.noun());
            let quotes = if text.is_empty() { "" } else { "leave out the quotes; " };
            return Err((problem, format!("{quotes}{}", expected())));
        }
        (Value::Nested(spec), Kind::Text) => {
            let problem = format!("`{}(…)` is not a text", shown(&spec.name));
            return Err((problem, "put a text with parentheses in quotes".to_string()));
        }
        (Value::Nested(spec), _) => {
            let problem = format!("`{}(…)` is not {}", shown(&spec.name), param.kind.noun());
            return Err((problem, expected()));
        }
    };
    let fault = |fault| match fault {
        Fault::Form(noun) => (format!("`{}` is not {noun}", shown(text)), expected()),
        Fault::Extreme(what) => (format!("`{}` is {what}", shown(text)), expected()),
        Fault::Zero => (format!("`{}` is not a positive time", shown(text)), expected()),
        Fault::Unit(better) => (
            format!("`{}` has no unit of time", shown(text)),
            format!("write `{}` for seconds; units: h, m, s, ms, us", shown(&better)),
        ),
        Fault::Million => (
            format!("`{}` is not an integer", shown(text)),
            "a million is written `1M`".to_string(),
        ),
    };
    let outside = || {
        let range = param.kind.to_string();
        let range = range.trim_start_matches("real ");
        (format!("{} is out of the range {range}", shown(text)), expected())
    };
    match param.kind {
        Kind::Int { min, max } => match scalar::int(text).map_err(fault)? {
            n if (min..=max).contains(&n) => Ok(Datum::Int(n)),
            _ => Err(outside()),
        },
        Kind::Real { min, max } => match scalar::real(text).map_err(fault)? {
            x if (min..=max).contains(&x) => Ok(Datum::Real(x)),
            _ => Err(outside()),
        },
        Kind::Bool => scalar::flag(text).map(Datum::Flag).map_err(fault),
        Kind::Duration => scalar::duration(text).map(Datum::Duration).map_err(fault),
        Kind::Clock => scalar::clock(text).map(Datum::Clock).map_err(fault),
        Kind::Choice(choices) => match choices.iter().find(|c| c.0 == text) {
            Some(&(name, _)) => Ok(Datum::Choice(name)),
            None => {
                let names: Vec<&str> = choices.iter().map(|c| c.0).collect();
                Err((format!("there is no `{}`", shown(text)), choose(text, &names)))
            }
        },
        Kind::Text => Ok(Datum::Text(text.clone())),
        Kind::Nested(_) | Kind::Open(_) => {
            Err((format!("`{}` is not a name", shown(text)), expected()))
        }
    }
}

fn choose(text: &str, names: &[&str]) -> String {
    format!("{}choose from: {}", did_you_mean(text, names), names.join(", "))
}

fn did_you_mean(text: &str, names: &[&str]) -> String {
    // A single letter is as near to any other; and nobody means a name by a text much longer
    // than any name.
    let near = match text.len() {
        0..=1 => names.iter().copied().find(|n| n.eq_ignore_ascii_case(text)),
        2..=64 => nearest(text, names),
        _ => None,
    };
    near.map(|n| format!("did you mean `{n}`? ")).unwrap_or_default()
}
