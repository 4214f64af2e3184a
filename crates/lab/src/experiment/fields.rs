//! Values of the file by their kinds, with the mistake where one has another kind.

use super::mistake::Log;
use super::text::Text;
use spielbaum_core::spec::Span;
use spielbaum_core::text::nearest;
use std::ops::RangeInclusive;
use toml::Spanned;
use toml::de::{DeString, DeTable, DeValue};

/// A value with its place.
pub(super) type Value<'a> = Spanned<DeValue<'a>>;

/// A key with its value.
pub(super) type Entry<'t, 'a> = (&'t Spanned<DeString<'a>>, &'t Value<'a>);

/// What people call the kind of a value.
fn kind(value: &DeValue<'_>) -> &'static str {
    match value {
        DeValue::String(_) => "a text",
        DeValue::Integer(_) => "a whole number",
        DeValue::Float(_) => "a number",
        DeValue::Boolean(_) => "true or false",
        DeValue::Datetime(_) => "a date",
        DeValue::Array(_) => "a list",
        DeValue::Table(_) => "a table",
    }
}

/// The mistake that a key has a value of another kind; `right` says what it should be.
pub(super) fn misfit(key: &str, value: &Value<'_>, right: &str, log: &Log<'_>) {
    let problem = format!("`{key}` is {}", kind(value.get_ref()));
    log.help(value.span(), problem, format!("`{key}` should be {right}"));
}

/// The entries of a table in the order of the file.
pub(super) fn entries<'t, 'a>(table: &'t DeTable<'a>) -> Vec<Entry<'t, 'a>> {
    let mut entries: Vec<_> = table.iter().collect();
    entries.sort_by_key(|(key, _)| key.span().start);
    entries
}

/// A text.
pub(super) fn string<'t>(
    key: &str,
    value: &'t Value<'_>,
    right: &str,
    log: &Log<'_>,
) -> Option<&'t str> {
    let found = value.get_ref().as_str();
    if found.is_none() {
        misfit(key, value, right, log);
    }
    found
}

/// A text with the places of its letters.
pub(super) fn text(key: &str, value: &Value<'_>, right: &str, log: &Log<'_>) -> Option<Text> {
    let content = string(key, value, right, log)?;
    Some(Text::of_string(log.text(), &value.span(), content))
}

/// A table.
pub(super) fn table<'t, 'a>(
    key: &str,
    value: &'t Value<'a>,
    log: &Log<'_>,
) -> Option<&'t DeTable<'a>> {
    let found = value.get_ref().as_table();
    if found.is_none() {
        misfit(key, value, &format!("a table: `[{key}]`"), log);
    }
    found
}

/// A list of tables, `[[key]]`.
pub(super) fn tables<'t, 'a>(
    key: &str,
    value: &'t Value<'a>,
    log: &Log<'_>,
) -> Vec<(Span, &'t DeTable<'a>)> {
    let right = format!("a list of tables: `[[{key}]]`");
    let Some(list) = value.get_ref().as_array() else {
        misfit(key, value, &right, log);
        return Vec::new();
    };
    let mut found = Vec::new();
    for item in list {
        match item.get_ref().as_table() {
            Some(table) => found.push((item.span(), table)),
            None => misfit(key, item, &right, log),
        }
    }
    found
}

/// A whole number within a range.
pub(super) fn integer(
    key: &str,
    value: &Value<'_>,
    range: RangeInclusive<u64>,
    log: &Log<'_>,
) -> Option<u64> {
    let right = format!("a whole number from {} to {}", range.start(), range.end());
    let DeValue::Integer(number) = value.get_ref() else {
        misfit(key, value, &right, log);
        return None;
    };
    match u64::from_str_radix(number.as_str(), number.radix()) {
        Ok(number) if range.contains(&number) => Some(number),
        _ => {
            let problem = format!("`{key}` = {number} is out of range");
            log.help(value.span(), problem, format!("`{key}` should be {right}"));
            None
        }
    }
}

/// A finite number, whole or not.
pub(super) fn number(key: &str, value: &Value<'_>, log: &Log<'_>) -> Option<f64> {
    let found = match value.get_ref() {
        DeValue::Integer(n) => i64::from_str_radix(n.as_str(), n.radix()).ok().map(|n| n as f64),
        DeValue::Float(x) => x.as_str().parse::<f64>().ok().filter(|x| x.is_finite()),
        _ => None,
    };
    if found.is_none() {
        misfit(key, value, "a number such as 0.5", log);
    }
    found
}

/// `true` or `false`.
pub(super) fn boolean(key: &str, value: &Value<'_>, log: &Log<'_>) -> Option<bool> {
    let DeValue::Boolean(yes) = value.get_ref() else {
        misfit(key, value, "true or false", log);
        return None;
    };
    Some(*yes)
}

/// One value as the text that stands for it in a specification.
pub(super) fn scalar(key: &str, value: &Value<'_>, log: &Log<'_>) -> Option<Text> {
    let span = value.span();
    Some(match value.get_ref() {
        DeValue::String(content) => Text::of_string(log.text(), &span, content),
        DeValue::Integer(n) if n.radix() == 10 => Text::at(n.as_str(), &span),
        DeValue::Integer(n) => match u64::from_str_radix(n.as_str(), n.radix()) {
            Ok(n) => Text::at(n.to_string(), &span),
            Err(_) => {
                log.wrong(span, format!("`{key}`: the number is too large"));
                return None;
            }
        },
        DeValue::Float(x) => Text::at(x.as_str(), &span),
        DeValue::Boolean(flag) => Text::at(flag.to_string(), &span),
        _ => {
            misfit(key, value, "a text, a number, or true or false", log);
            return None;
        }
    })
}

/// One of a few names.
pub(super) fn choice<T: Copy>(
    key: &str,
    value: &Value<'_>,
    choices: &[(&str, T)],
    log: &Log<'_>,
) -> Option<T> {
    let names: Vec<&str> = choices.iter().map(|c| c.0).collect();
    let right = format!("one of: {}", names.join(", "));
    let name = string(key, value, &right, log)?;
    let found = choices.iter().find(|c| c.0 == name).map(|c| c.1);
    if found.is_none() {
        let near = nearest(name, &names).map(|n| format!("did you mean `{n}`? "));
        let help = format!("{}`{key}` should be {right}", near.unwrap_or_default());
        log.help(value.span(), format!("`{key}` cannot be `{name}`"), help);
    }
    found
}

/// Tells the keys of a table that are not known there.
pub(super) fn check_keys(table: &DeTable<'_>, place: &str, known: &[&str], log: &Log<'_>) {
    for (key, _) in entries(table) {
        let name = key.get_ref();
        if !known.contains(&&**name) {
            let near = nearest(name, known).map(|n| format!("did you mean `{n}`? "));
            let help = format!("{}keys {place}: {}", near.unwrap_or_default(), known.join(", "));
            log.help(key.span(), format!("unknown key `{name}`"), help);
        }
    }
}

/// The mistake that a key is missing.
pub(super) fn missing(key: &str, place: Span, help: &str, log: &Log<'_>) {
    log.help(place, format!("`{key}` is missing"), help);
}
