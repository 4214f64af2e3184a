//! Parts whose names are not known to the table: what there is to choose from depends on the game.

use super::args::{Args, Datum, Entry};
use super::resolve::{Source, check_length};
use super::{Kind, Param, Schema};
use crate::spec::{Arg, Span, SpecError, Value};

/// What an [open](Kind::Open) parameter is set to: a name, or several with strokes between them of
/// which the first that exists counts, and arguments that are read once it is known whose they are.
///
/// ```
/// use spielbaum_core::param::{Kind, Param, Schema, resolve};
///
/// static LINES: Schema = Schema {
///     name: "lines",
///     aliases: &[],
///     help: "open lines",
///     params: &[&[Param::int("two", "10", 0, 1000, "two in a line")]],
///     presets: &[],
/// };
/// static SEARCH: Schema = Schema {
///     name: "search",
///     aliases: &[],
///     help: "looks ahead",
///     params: &[&[Param::unset("eval", Kind::Open("evaluation"), "at the horizon")]],
///     presets: &[],
/// };
/// let args = resolve("search:eval=lines(two=7)", "player", &[&SEARCH])?;
/// let open = args.opt_open("eval").unwrap();
/// assert_eq!(open.names().collect::<Vec<_>>(), ["lines"]);
/// assert_eq!(open.arguments("lines", Some(&LINES))?.unwrap().int("two"), 7);
/// # Ok::<(), spielbaum_core::spec::SpecError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Open {
    /// The value as it was given, in canonical text.
    text: String,
    name: String,
    name_span: Span,
    given: Vec<Arg>,
    source: Source,
    what: &'static str,
    depth: usize,
    /// The arguments, once it was looked up whose they are.
    found: Option<Args>,
}

/// Equal if they say the same: of those looked up the values count, else the text.
impl PartialEq for Open {
    fn eq(&self, other: &Open) -> bool {
        match (&self.found, &other.found) {
            (Some(a), Some(b)) => a == b,
            (None, None) => self.text == other.text,
            _ => false,
        }
    }
}

impl Open {
    pub(super) fn new(
        source: &Source,
        value: &Value,
        span: &Span,
        what: &'static str,
        depth: usize,
    ) -> Option<Open> {
        let (name, name_span, given) = match value {
            Value::Word(name) => (name.clone(), span.clone(), Vec::new()),
            Value::Nested(spec) => (spec.name.clone(), spec.name_span.clone(), spec.args.clone()),
            Value::Quoted(_) => return None,
        };
        let (text, source) = (value.to_string(), source.clone());
        Some(Open { text, name, name_span, given, source, what, depth, found: None })
    }

    /// The names in the order of preference.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.name.split('/')
    }

    /// The arguments of what was chosen, by its table; `None` where it has no parameters.
    pub fn arguments(
        &self,
        chosen: &str,
        schema: Option<&'static Schema>,
    ) -> Result<Option<Args>, SpecError> {
        if self.found.is_some() {
            return Ok(self.found.clone());
        }
        let Some(schema) = schema else {
            let Some(first) = self.given.first() else { return Ok(None) };
            let problem = format!("unknown parameter `{}` of {} `{chosen}`", first.key, self.what);
            let error = self.source.error(&first.key_span, problem);
            return Err(error.help(format!("`{chosen}` has no parameters")));
        };
        let (span, depth) = (&self.name_span, self.depth + 1);
        self.source.args(chosen, span, &self.given, self.what, &[schema], depth).map(Some)
    }

    /// The arguments, if they have been looked up.
    pub fn found(&self) -> Option<&Args> {
        self.found.as_ref()
    }

    pub(super) fn text(&self) -> &str {
        &self.text
    }
}

/// Looks up what an open parameter names: given the arguments it stands in, and the parameter.
pub type LookUp<'a> = &'a dyn Fn(&Args, &'static Param) -> Result<Option<Args>, SpecError>;

impl Args {
    /// The same with every open part looked up, here and in nested parts: texts then tell the
    /// values of its parameters, as all others.
    pub fn completed(&self, look_up: LookUp<'_>) -> Result<Args, SpecError> {
        let mut args = self.clone();
        for (i, param) in self.schema.all_params().enumerate() {
            let Entry { value: Some(value), .. } = &mut args.entries[i] else { continue };
            match value {
                Datum::Open(open) => {
                    if let Some(found) = look_up(self, param)? {
                        open.found = Some(found);
                    }
                }
                Datum::Nested(inner) => **inner = inner.completed(look_up)?,
                _ => {}
            }
        }
        check_length(&args)?;
        Ok(args)
    }

    /// The value of an open parameter, if it has one.
    pub fn opt_open(&self, name: &str) -> Option<&Open> {
        match self.declared(name, |kind| matches!(kind, Kind::Open(_)), "an open part") {
            Some(Datum::Open(open)) => Some(open),
            _ => None,
        }
    }
}
