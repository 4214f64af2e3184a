//! Tables can be wrong too: what their tests ask.

use super::resolve::check_value;
use super::{Kind, Param, Schema};
use crate::spec::{Value, text_value};

impl Schema {
    /// What is wrong with this table, one line each: names that are not unique or cannot be
    /// written, empty ranges, defaults and presets that do not fit. For tests of the crates
    /// that declare tables.
    pub fn check(&'static self) -> Vec<String> {
        let mut problems = Vec::new();
        let mut say = |problem: String| problems.push(format!("{}: {problem}", self.name));

        let names: Vec<&str> = self.names().chain(self.aliases.iter().copied()).collect();
        let keys: Vec<&str> = self.all_params().map(|p| p.name).collect();
        for name in names.iter().chain(&keys) {
            if !is_name(name) {
                say(format!("`{name}` cannot be written as a name"));
            }
        }
        duplicates(&names, "name", &mut say);
        duplicates(&keys, "parameter", &mut say);
        if self.help.is_empty() {
            say("has no help".to_string());
        }
        for param in self.all_params() {
            check_param(self, param, &mut say);
        }
        for preset in self.presets {
            if preset.help.is_empty() {
                say(format!("preset `{}` has no help", preset.name));
            }
            let keys: Vec<&str> = preset.sets.iter().map(|s| s.0).collect();
            duplicates(&keys, &format!("key of preset `{}`:", preset.name), &mut say);
            for (key, text) in preset.sets {
                let Some(param) = self.param(key) else {
                    say(format!("preset `{}` sets the unknown `{key}`", preset.name));
                    continue;
                };
                if let Err(error) = check_value(self, param, text) {
                    say(format!("preset `{}`, {key}={text}: {}", preset.name, error.problem));
                }
            }
        }
        problems
    }
}

/// [`Schema::check`] of these and of all that are nested in them, and whether the names in
/// each list are unique.
pub fn check_all(schemas: &'static [&'static Schema]) -> Vec<String> {
    let mut problems = Vec::new();
    let mut lists = vec![schemas];
    let mut seen: Vec<&'static Schema> = Vec::new();
    let mut next = 0;
    while next < lists.len() {
        let list = lists[next];
        next += 1;
        let names: Vec<&str> =
            list.iter().flat_map(|s| s.names().chain(s.aliases.iter().copied())).collect();
        duplicates(&names, "name", &mut |problem| problems.push(problem));
        for &schema in list {
            if seen.iter().any(|s| std::ptr::eq(*s, schema)) {
                continue;
            }
            seen.push(schema);
            problems.extend(schema.check());
            for param in schema.all_params() {
                if let Kind::Nested(nested) = param.kind
                    && !lists.iter().any(|l| std::ptr::eq(*l, nested))
                {
                    lists.push(nested);
                }
            }
        }
    }
    problems
}

fn check_param(schema: &Schema, param: &'static Param, say: &mut impl FnMut(String)) {
    let name = param.name;
    if param.help.is_empty() {
        say(format!("parameter `{name}` has no help"));
    }
    match param.kind {
        Kind::Int { min, max } if min > max => say(format!("the range of `{name}` is empty")),
        Kind::Real { min, max } if min > max || min.is_nan() || max.is_nan() => {
            say(format!("the range of `{name}` is empty"));
        }
        Kind::Choice(choices) => {
            let names: Vec<&str> = choices.iter().map(|c| c.0).collect();
            duplicates(&names, &format!("choice of `{name}`:"), say);
            for choice in names {
                if !is_name(choice) {
                    say(format!("choice `{choice}` of `{name}` cannot be written"));
                }
            }
        }
        Kind::Nested([]) => say(format!("there is nothing to choose from for `{name}`")),
        _ => {}
    }
    if let Some(default) = param.default
        && let Err(error) = check_value(schema, param, default)
    {
        say(format!("default {name}={default}: {}", error.problem));
    }
}

fn duplicates(names: &[&str], what: &str, say: &mut impl FnMut(String)) {
    for (i, name) in names.iter().enumerate() {
        if names[..i].contains(name) {
            say(format!("{what} `{name}` occurs twice"));
        }
    }
}

/// Whether the text is a word.
fn is_name(text: &str) -> bool {
    matches!(Value::parse(text), Ok(Value::Word(word)) if word == text) && text_value(text) == text
}
