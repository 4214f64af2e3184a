//! Rules of claims, and the references in them.

use super::fields::{self, Value};
use super::mistake::Log;
use super::paper::{Bound, Metric, Rule, Term};
use super::sweep;
use super::{Format, RunOptions, Section, same_value};
use crate::AnyGame;
use spielbaum_core::spec::Span;
use spielbaum_core::text::nearest;
use std::collections::{BTreeMap, BTreeSet};
use toml::de::DeValue;

/// The sections that references can point to.
pub(super) struct References<'a> {
    pub(super) log: &'a Log<'a>,
    /// The ids of all, and those that could be read.
    pub(super) sections: &'a [(String, Option<Section>)],
    /// How many rows were published about each section, good or not.
    pub(super) rows: &'a [(String, usize)],
    pub(super) options: RunOptions,
    pub(super) catalog: &'a [&'a dyn AnyGame],
}

/// A reference that cannot be checked, because its section could not be read, is good.
pub(super) type Checked = Option<()>;

impl References<'_> {
    /// Reads a rule.
    pub(super) fn rule(&self, value: &Value<'_>) -> Option<Rule> {
        const HELP: &str = "{above = 0.5, of = \"ID[AXIS=VALUE].score\"}, {below = …, of = …}, \
            {above = …, pooled = [\"…\", \"…\"]}, {first = [\"…\", \"…\"], above = 0.5}, {greater = [\"…\", \"…\"]}, {near = [\"…\", \"…\"], within = 0.05}, {best = \"ID.score\", at = {AXIS = \"VALUE\"}}, \
            {all = […]}, {any = […]} or {not = …}";
        let DeValue::Table(table) = value.get_ref() else {
            fields::misfit("rule", value, &format!("a table: {HELP}"), self.log);
            return None;
        };
        const KINDS: [&str; 8] = ["above", "below", "greater", "near", "best", "all", "any", "not"];
        let mut kinds: Vec<&str> =
            KINDS.into_iter().filter(|kind| table.contains_key(*kind)).collect();
        if table.contains_key("first") {
            // `above` is its limit.
            kinds.retain(|kind| *kind != "above");
            kinds.push("first");
        }
        let [kind] = kinds[..] else {
            let problem = match kinds.len() {
                0 => "a rule without a condition",
                _ => "a rule with several conditions",
            };
            self.log.help(value.span(), problem, format!("a rule is one of: {HELP}"));
            return None;
        };
        let known: &[&str] = match kind {
            "above" | "below" if table.contains_key("pooled") => &[kind, "pooled"],
            "above" | "below" => &[kind, "of"],
            "greater" => &["greater", "factor"],
            "near" => &["near", "within"],
            "best" => &["best", "at"],
            "first" => &["first", "above"],
            _ => &[kind],
        };
        fields::check_keys(table, "of this rule", known, self.log);
        let main = table.get(kind)?;
        match kind {
            "above" | "below" => {
                let number = fields::number(kind, main, self.log);
                let bound = if kind == "above" { Bound::Above } else { Bound::Below };
                if let Some(list) = table.get("pooled") {
                    let (terms, number) = (self.pooled(list)?, number?);
                    self.on_scale(terms[0].metric, kind, number, main.span())?;
                    return Some(Rule::Pooled(terms, bound, number));
                }
                let Some(of) = table.get("of") else {
                    let help = "say of what: of = \"ID[AXIS=VALUE].score\"";
                    fields::missing("of", value.span(), help, self.log);
                    return None;
                };
                let (term, number) = (self.term("of", of)?, number?);
                self.on_scale(term.metric, kind, number, main.span())?;
                Some(Rule::Beyond(term, bound, number))
            }
            "greater" | "near" => {
                let places = self.list(kind, main)?;
                let [first, second] = places[..] else {
                    let help = format!("write {kind} = [\"ID.score\", \"ID.score\"]");
                    self.log.help(main.span(), format!("`{kind}` compares two values"), help);
                    return None;
                };
                let both = [self.term(kind, first), self.term(kind, second)];
                let [Some(first), Some(second)] = both else { return None };
                let both = [first, second];
                self.alike(kind, &both, &places)?;
                let [first, second] = both;
                if kind == "greater" {
                    let factor = match table.get("factor") {
                        Some(value) => self.positive("factor", value)?,
                        None => 1.0,
                    };
                    return Some(Rule::Greater(first, second, factor));
                }
                let Some(within) = table.get("within") else {
                    let help = "say how near: within = 0.05";
                    fields::missing("within", value.span(), help, self.log);
                    return None;
                };
                let number = self.positive("within", within)?;
                self.on_scale(first.metric, "within", number, within.span())?;
                Some(Rule::Near(first, second, number))
            }
            "best" => self.best(value, main, table.get("at")),
            "first" => {
                let places = self.list(kind, main)?;
                let terms: Vec<_> = places.iter().map(|term| self.term(kind, term)).collect();
                let Some(limit) = table.get("above") else {
                    let help = "say above what: above = 0.5";
                    fields::missing("above", value.span(), help, self.log);
                    return None;
                };
                let number = fields::number("above", limit, self.log)?;
                let terms = terms.into_iter().collect::<Option<Vec<_>>>()?;
                self.alike(kind, &terms, &places)?;
                self.on_scale(terms[0].metric, "above", number, limit.span())?;
                Some(Rule::First(terms, number))
            }
            "not" => Some(Rule::Not(Box::new(self.rule(main)?))),
            _ => {
                let rules: Vec<_> =
                    self.list(kind, main)?.into_iter().map(|rule| self.rule(rule)).collect();
                let rules = rules.into_iter().collect::<Option<Vec<_>>>()?;
                Some(if kind == "all" { Rule::All(rules) } else { Rule::Any(rules) })
            }
        }
    }

    fn positive(&self, key: &str, value: &Value<'_>) -> Option<f64> {
        let number = fields::number(key, value, self.log)?;
        if number > 0.0 {
            return Some(number);
        }
        self.log.wrong(value.span(), format!("`{key}` = {number} must be above 0"));
        None
    }

    fn best(&self, rule: &Value<'_>, main: &Value<'_>, at: Option<&Value<'_>>) -> Option<Rule> {
        let term = self.term("best", main);
        let Some(at) = at else {
            let help = "say where: at = {AXIS = \"VALUE\"}";
            fields::missing("at", rule.span(), help, self.log);
            return None;
        };
        let places = self.at(at);
        let (term, places) = (term?, places?);
        if let Some(section) = self.section(&term.section) {
            self.check(section, &places)?;
        }
        Some(Rule::Best(term, places.into_iter().map(|(key, value, _)| (key, value)).collect()))
    }

    /// Values whose games can be counted together.
    fn pooled(&self, value: &Value<'_>) -> Option<Vec<Term>> {
        let list = self.list("pooled", value)?;
        let terms: Vec<_> = list.iter().map(|term| self.term("pooled", term)).collect();
        let terms = terms.into_iter().collect::<Option<Vec<_>>>()?;
        let odd = (terms.iter().zip(&list))
            .find(|(term, _)| !term.metric.counts_games() || term.metric != terms[0].metric);
        if let Some((term, place)) = odd {
            let problem = format!("`{}` cannot be pooled here", term.metric);
            let help = "pooled are `score`, `wins`, `draws` or `losses`, one of them in all terms";
            self.log.help(place.span(), problem, help);
            return None;
        }
        let (mut seen, mut drawn) = (BTreeSet::new(), BTreeMap::new());
        for (term, place) in terms.iter().zip(&list) {
            let Some(section) = self.section(&term.section) else { continue };
            for pick in section.select(&term.at) {
                let part = &section.parts[pick.part].name;
                if !seen.insert(part) {
                    let problem = format!("part `{part}` is pooled twice");
                    self.log.help(place.span(), problem, "its games count once: select it once");
                    return None;
                }
                self.independent(&section.parts[pick.part], &mut drawn, place.span())?;
            }
        }
        Some(terms)
    }

    fn list<'v, 'a>(&self, key: &str, value: &'v Value<'a>) -> Option<Vec<&'v Value<'a>>> {
        match value.get_ref() {
            DeValue::Array(list) if !list.is_empty() => Some(list.iter().collect()),
            DeValue::Array(_) => {
                self.log.wrong(value.span(), format!("`{key}` is an empty list"));
                None
            }
            _ => {
                fields::misfit(key, value, "a list", self.log);
                None
            }
        }
    }

    /// Reads `{AXIS = VALUE, …}`.
    pub(super) fn at(&self, value: &Value<'_>) -> Option<Vec<(String, String, Span)>> {
        let DeValue::Table(table) = value.get_ref() else {
            fields::misfit("at", value, "a table: {AXIS = \"VALUE\"}", self.log);
            return None;
        };
        let mut at = Vec::new();
        for (key, value) in fields::entries(table) {
            let text = fields::scalar(key.get_ref(), value, self.log)?;
            let place = key.span().start..value.span().end;
            at.push((key.get_ref().to_string(), text.as_str().to_string(), place));
        }
        Some(at)
    }

    /// Reads `ID[AXIS=VALUE,…].METRIC`.
    fn term(&self, key: &str, value: &Value<'_>) -> Option<Term> {
        let right = "a text such as \"ID[AXIS=VALUE].score\"";
        let whole = fields::text(key, value, right, self.log)?;
        let text = whole.as_str();
        let wrong = |range: Span, problem: &str| {
            self.log.help(whole.place(&range), problem, format!("a value is {right}"));
            None
        };
        let end = text.find(['[', '.']).unwrap_or(text.len());
        let id = text[..end].trim();
        let mut rest = end;
        let mut at = Vec::new();
        if text[end..].starts_with('[') {
            let Some((items, after)) = sweep::split(text, end) else {
                return wrong(end..end + 1, "the bracket is never closed");
            };
            for item in items {
                let Some(equals) = text[item.clone()].find('=') else {
                    return wrong(item, "an axis and its value are expected: AXIS=VALUE");
                };
                let name = text[item.start..item.start + equals].trim().to_string();
                let setting = text[item.start + equals + 1..item.end].trim();
                let bare = setting.strip_prefix('"').and_then(|s| s.strip_suffix('"'));
                let setting = bare.unwrap_or(setting).to_string();
                at.push((name, setting, whole.place(&item)));
            }
            rest = after;
        }
        let Some(name) = text[rest..].strip_prefix('.') else {
            return wrong(rest..text.len(), "what is measured is missing");
        };
        let place = whole.place(&(rest + 1..text.len()));
        let metric = self.metric(name.trim(), place.clone());
        let section = self.known(id, whole.place(&(0..end)))?;
        let metric = metric?;
        self.bears("rule", metric, place.clone())?;
        if let Some(section) = section {
            self.fits(metric, section.format, place)?;
            self.check(section, &at)?;
        }
        let at = at.into_iter().map(|(axis, value, _)| (axis, value)).collect();
        Some(Term { section: id.to_string(), at, metric })
    }

    /// The metric of this name.
    pub(super) fn metric(&self, name: &str, place: Span) -> Option<Metric> {
        let statistics = self.statistics();
        let found = Metric::named(name, &statistics);
        if found.is_none() {
            let mut names = Metric::NAMES.map(|n| n.0).to_vec();
            names.extend(&statistics);
            let near = nearest(name, &names).map(|n| format!("did you mean `{n}`? "));
            let help = format!("{}measured are: {}", near.unwrap_or_default(), names.join(", "));
            self.log.help(place, format!("unknown metric `{name}`"), help);
        }
        found
    }

    /// What the games tell about a seat; `NAME>=8` is the share of seats that have so much.
    fn statistics(&self) -> Vec<&'static str> {
        let all = self.catalog.iter().flat_map(|game| game.statistics());
        let mut names: Vec<&'static str> = all.copied().collect();
        names.sort_unstable();
        names.dedup();
        names
    }

    /// Whether a format measures a metric.
    pub(super) fn fits(&self, metric: Metric, format: Format, place: Span) -> Checked {
        if metric.is_of(format) {
            return Some(());
        }
        let all = Metric::NAMES.iter().filter(|n| n.1.is_of(format)).map(|n| n.0);
        let help = format!("it measures: {}", all.collect::<Vec<_>>().join(", "));
        let problem = format!("format `{}` does not measure `{}`", format.name(), metric);
        self.log.help(place, problem, help);
        None
    }

    fn section(&self, id: &str) -> Option<&Section> {
        self.sections.iter().find(|(name, _)| name == id)?.1.as_ref()
    }

    /// The section of this id; the inner `None` if it could not be read.
    pub(super) fn known(&self, id: &str, place: Span) -> Option<Option<&Section>> {
        let found = self.sections.iter().find(|(name, _)| name == id);
        if found.is_none() {
            let ids: Vec<&str> = self.sections.iter().map(|(name, _)| name.as_str()).collect();
            let near = nearest(id, &ids).map(|n| format!("did you mean `{n}`? "));
            let help = format!("{}experiments: {}", near.unwrap_or_default(), ids.join(", "));
            self.log.help(place, format!("unknown experiment `{id}`"), help);
        }
        found.map(|(_, section)| section.as_ref())
    }

    /// Whether a selection names axes and values that exist, and selects something. With
    /// options that change what is run a value may be missing: then nothing is compared.
    pub(super) fn check(&self, section: &Section, at: &[(String, String, Span)]) -> Checked {
        for (name, value, place) in at {
            if section.is_inner(name) {
                continue;
            }
            let Some(axis) = section.axes.iter().find(|axis| axis.name == *name) else {
                let names: Vec<&str> = section.axes.iter().map(|a| a.name.as_str()).collect();
                let help = match &names[..] {
                    [] => format!("`{}` sweeps over nothing", section.id),
                    _ => format!("axes of `{}`: {}", section.id, names.join(", ")),
                };
                if !self.options.changes() {
                    let problem = format!("experiment `{}` has no axis `{name}`", section.id);
                    self.log.help(place.clone(), problem, help);
                    return None;
                }
                continue;
            };
            let exists = axis.values.iter().any(|known| same_value(known, value));
            if !exists && !self.options.changes() {
                let problem = format!("axis `{name}` has no value `{value}`");
                let help = format!("values of `{name}`: {}", axis.values.join(", "));
                self.log.help(place.clone(), problem, help);
                return None;
            }
        }
        let selection: Vec<(String, String)> =
            at.iter().map(|(axis, value, _)| (axis.clone(), value.clone())).collect();
        if section.select(&selection).is_empty() && !self.options.changes() {
            let place = at.first().map_or(0..0, |first| first.2.clone());
            self.log.wrong(place, format!("no part of `{}` has this setting", section.id));
            return None;
        }
        Some(())
    }
}
