//! The axes of a section as charts and tables need them.

use super::found::Found;
use crate::{Axis, Part, Section};
use spielbaum_document as doc;

/// A logarithmic scale pays from this ratio on.
const WIDE: f64 = 20.0;

/// An axis whose values are numbers.
pub(super) struct Scale {
    pub(super) title: String,
    unit: Option<&'static str>,
    values: Vec<f64>,
    texts: Vec<String>,
}

impl Scale {
    /// The scale of an axis, if all its values are numbers: `3`, `nodes=3`, `time=3s`.
    pub(super) fn of(axis: &Axis) -> Option<Scale> {
        let key = axis.values.first()?.split_once('=').map(|(key, _)| key);
        let mut unit = None;
        let mut number = |text: &String| {
            let rest = match key {
                Some(key) => text.strip_prefix(key)?.strip_prefix('=')?,
                None => text.as_str(),
            };
            let (digits, factor) = match (rest.strip_suffix("ms"), rest.strip_suffix('s')) {
                (Some(digits), _) => (digits, 1e-3),
                (_, Some(digits)) => (digits, 1.0),
                _ => (rest, 1.0),
            };
            if digits.len() < rest.len() {
                unit = Some("s");
            }
            let plain: String = digits.chars().filter(|&c| c != '_').collect();
            plain.parse::<f64>().ok().filter(|x| x.is_finite()).map(|x| x * factor)
        };
        let values = axis.values.iter().map(&mut number).collect::<Option<Vec<f64>>>()?;
        let title = key.map_or(axis.name.clone(), |key| match axis.name.as_str() {
            "budget" => key.to_string(),
            name => format!("{name} ({key})"),
        });
        (values.len() > 1).then(|| Scale { title, unit, values, texts: axis.values.clone() })
    }

    /// The number of a text.
    pub(super) fn at(&self, text: &str) -> Option<f64> {
        let found = self.texts.iter().position(|known| crate::experiment::same_value(known, text));
        found.map(|at| self.values[at])
    }

    /// How it is drawn.
    pub(super) fn axis(&self) -> doc::Axis {
        let (least, most) =
            self.values.iter().fold((f64::INFINITY, 0.0), |(a, b), &x| (x.min(a), x.max(b)));
        let digits = if self.values.iter().all(|x| x.fract() == 0.0) { 0 } else { 2 };
        let axis = doc::Axis::new(&self.title, digits);
        let axis = if least > 0.0 && most / least >= WIDE { axis.log() } else { axis };
        match self.unit {
            Some(unit) => axis.unit(unit),
            None => axis,
        }
    }
}

impl Found<'_> {
    /// The axes that have several values, by number.
    pub(super) fn varied(&self) -> Vec<usize> {
        (0..self.section.axes.len()).filter(|&at| self.section.axes[at].values.len() > 1).collect()
    }

    /// The axes on which some of its parts differ, by number.
    pub(super) fn varied_among(&self, parts: &[&Part]) -> Vec<usize> {
        let value =
            |part: &&Part, at: usize| part.setting.get(at).filter(|v| !v.is_empty()).cloned();
        let differ = |at: &usize| {
            let mut values = parts.iter().filter_map(|part| value(part, *at));
            values.next().is_some_and(|first| values.any(|other| other != first))
        };
        (0..self.section.axes.len()).filter(differ).collect()
    }

    /// A column for each of these axes.
    pub(super) fn columns(&self, axes: &[usize]) -> Vec<doc::Column> {
        let title = |axis: &Axis| key(axis).unwrap_or(&axis.name).to_string();
        axes.iter().map(|&at| doc::Column::text(title(&self.section.axes[at]))).collect()
    }

    /// A cell for the value on each of these axes.
    pub(super) fn cells(&self, part: &Part, axes: &[usize]) -> Vec<doc::Cell> {
        let cell = |&at: &usize| {
            let value = part.setting.get(at).filter(|text| !text.is_empty());
            let Some(value) = value else { return doc::Cell::empty() };
            let known = key(&self.section.axes[at]).is_some();
            let rest = value.split_once('=').map(|(_, rest)| rest).filter(|_| known);
            doc::Cell::text(rest.unwrap_or(value))
        };
        axes.iter().map(cell).collect()
    }
}

/// The key that all budgets of an axis have, `nodes`: it need not stand in each cell.
fn key(axis: &Axis) -> Option<&str> {
    let key = |text: &'_ String| text.split_once('=').map(|(key, _)| key.to_string());
    let first = axis.values.first()?.split_once('=')?.0;
    let plain = |text: &String| key(text).as_deref() == Some(first) && !text.contains(',');
    (axis.name == "budget" && axis.values.iter().all(plain)).then_some(first)
}

/// A setting in words on these axes; values that tell themselves stand alone.
pub(super) fn label(section: &Section, setting: &[String], axes: &[usize]) -> String {
    let text = |&at: &usize| {
        let (name, value) = (&section.axes[at].name, setting.get(at).filter(|v| !v.is_empty())?);
        let tells = value.parse::<f64>().is_err() && !["true", "false"].contains(&value.as_str());
        Some(if tells { value.clone() } else { format!("{name} {value}") })
    };
    axes.iter().filter_map(text).collect::<Vec<_>>().join(", ")
}

/// Parts that agree on some axes, in order of first appearance.
pub(super) fn groups<'p, T: Copy>(
    items: &[T],
    part: impl Fn(T) -> &'p Part,
    axes: &[usize],
) -> Vec<(Vec<String>, Vec<T>)> {
    let mut groups: Vec<(Vec<String>, Vec<T>)> = Vec::new();
    for &item in items {
        let setting = &part(item).setting;
        let key: Vec<String> =
            axes.iter().map(|&at| setting.get(at).cloned().unwrap_or_default()).collect();
        match groups.iter_mut().find(|(known, _)| *known == key) {
            Some((_, members)) => members.push(item),
            None => groups.push((key, vec![item])),
        }
    }
    groups
}

#[cfg(test)]
mod tests {
    use super::*;

    fn scale(values: &[&str]) -> Option<Scale> {
        let values = values.iter().map(ToString::to_string).collect();
        Scale::of(&Axis { name: "budget".to_string(), values })
    }

    #[test]
    fn numbers_are_found_in_budgets() {
        let nodes = scale(&["nodes=100", "nodes=10_000"]).unwrap();
        assert_eq!((nodes.title.as_str(), nodes.at("nodes=10_000")), ("nodes", Some(1e4)));
        assert_eq!(nodes.axis().scale, doc::Scale::Log);
        let time = scale(&["time=500ms", "time=2s"]).unwrap();
        assert_eq!((time.at("time=500ms"), time.axis().unit.as_deref()), (Some(0.5), Some("s")));
        assert!(scale(&["nodes=1", "time=2s"]).is_none());
        assert!(scale(&["uct", "random"]).is_none());
        assert_eq!(scale(&["0.5", "1"]).unwrap().at("1.0"), Some(1.0));
    }
}
