//! `[paper]`, `[[claim]]` and `[[experiment.published]]`.

use super::fields::{self, Value};
use super::paper::{Anchor, Claim, Paper, Published, Relation, Side};
use super::rules::References;
use spielbaum_core::spec::Span;
use toml::de::DeTable;

const PUBLISHED: [&str; 9] =
    ["at", "metric", "of", "value", "relation", "interval", "games", "source", "note"];

impl References<'_> {
    /// Reads the published rows of a section.
    pub(super) fn published(&self, value: &Value<'_>, id: &str) -> Vec<Published> {
        let rows = fields::tables("published", value, self.log);
        rows.into_iter().filter_map(|(place, row)| self.row(row, place, id)).collect()
    }

    fn row(&self, row: &DeTable<'_>, place: Span, id: &str) -> Option<Published> {
        let log = self.log;
        fields::check_keys(row, "of a published number", &PUBLISHED, log);
        let section = self.known(id, place.clone())?;
        let at = match row.get("at") {
            Some(value) => self.at(value)?,
            None => Vec::new(),
        };
        let metric = match row.get("metric") {
            Some(value) => {
                let right = "what was measured: \"score\"";
                let name = fields::string("metric", value, right, log);
                name.and_then(|name| self.metric(name, value.span()))
            }
            None => {
                let help = "say what was measured: metric = \"score\"";
                fields::missing("metric", place.clone(), help, log);
                None
            }
        };
        let number = match row.get("value") {
            Some(value) => fields::number("value", value, log),
            None => {
                let help = "the printed number: value = 0.755";
                fields::missing("value", place.clone(), help, log);
                None
            }
        };
        let of = match row.get("of") {
            Some(value) => fields::choice("of", value, &Side::NAMES, log),
            None => Some(Side::A),
        };
        let relation = match row.get("relation") {
            Some(value) => fields::choice("relation", value, &Relation::NAMES, log),
            None => Some(Relation::Equal),
        };
        let interval = match row.get("interval") {
            Some(value) => self.interval(value).map(Some),
            None => Some(None),
        };
        let games = match row.get("games") {
            Some(value) => fields::integer("games", value, 1..=1_000_000_000, log).map(Some),
            None => Some(None),
        };
        // Everything was read, so that all that is wrong is told.
        let (metric, value, of) = (metric?, number?, of?);
        let (relation, interval, games) = (relation?, interval?, games?);
        if let Some(section) = section {
            let place = row.get("metric").map_or(place, Value::span);
            self.fits(metric, section.format, place)?;
            self.check(section, &at)?;
        }
        let printed = row.get("value").map_or(0..0, Value::span);
        self.on_scale(metric, "value", value, printed)?;
        if let (Some(interval), Some(place)) = (interval, row.get("interval")) {
            self.around(metric, value, interval, place.span())?;
        }
        let at = at.into_iter().map(|(axis, value, _)| (axis, value)).collect();
        let (source, note) = (self.words(row, "source"), self.words(row, "note"));
        Some(Published { at, metric, of, value, relation, interval, games, source, note })
    }

    fn interval(&self, value: &Value<'_>) -> Option<[f64; 2]> {
        let right = "two numbers, the lower first: [0.73, 0.78]";
        let numbers = match value.get_ref().as_array() {
            Some(list) if list.len() == 2 => {
                list.iter().map(|n| fields::number("interval", n, self.log)).collect()
            }
            _ => {
                fields::misfit("interval", value, right, self.log);
                None
            }
        };
        let numbers: Vec<f64> = numbers?;
        match numbers[..] {
            [low, high] if low <= high => Some([low, high]),
            _ => {
                self.log.help(value.span(), "the interval is empty", format!("it is {right}"));
                None
            }
        }
    }

    /// A text that may be left out.
    fn words(&self, table: &DeTable<'_>, key: &str) -> Option<String> {
        let value = table.get(key)?;
        fields::string(key, value, "a text", self.log).map(str::to_string)
    }

    /// Reads `[paper]` and all `[[claim]]`.
    pub(super) fn paper(&self, file: &DeTable<'_>) -> Option<Paper> {
        let claims = file.get("claim").map(|value| self.claims(value)).unwrap_or_default();
        let Some(value) = file.get("paper") else {
            if let Some((key, _)) = file.get_key_value("claim") {
                let help = "say whose: [paper] with an `id`";
                self.log.help(key.span(), "claims of no paper", help);
            }
            return None;
        };
        let table = fields::table("paper", value, self.log)?;
        let known = ["id", "title", "author", "year", "anchor", "no-anchor"];
        fields::check_keys(table, "of [paper]", &known, self.log);
        let id = self.id(table, value.span(), "a short name: id = \"lion\"");
        let year = match table.get("year") {
            Some(value) => fields::integer("year", value, 1900..=2200, self.log)
                .and_then(|year| u32::try_from(year).ok()),
            None => None,
        };
        let anchor = table.get("anchor").and_then(|value| self.anchor(value));
        let no_anchor = self.words(table, "no-anchor");
        if let (Some(""), Some(value)) =
            (no_anchor.as_deref().map(str::trim), table.get("no-anchor"))
        {
            let help = "say why no published number must come out again before others count";
            self.log.help(value.span(), "`no-anchor` without a reason", help);
        }
        if let (true, Some((key, _))) =
            (table.contains_key("anchor"), table.get_key_value("no-anchor"))
        {
            let help = "`no-anchor` says why no published number can be the anchor";
            self.log.help(key.span(), "an anchor, and none", help);
        }
        let (title, author) = (self.words(table, "title"), self.words(table, "author"));
        Some(Paper { id: id?, title, author, year, anchor, no_anchor, claims })
    }

    fn id(&self, table: &DeTable<'_>, place: Span, help: &str) -> Option<String> {
        match table.get("id") {
            Some(value) => fields::string("id", value, help, self.log).map(str::to_string),
            None => {
                fields::missing("id", place, help, self.log);
                None
            }
        }
    }

    /// `L4/1` is the first published row of L4.
    fn anchor(&self, value: &Value<'_>) -> Option<Anchor> {
        let right = "an experiment and the number of a published row: \"L4/1\"";
        let text = fields::text("anchor", value, right, self.log)?;
        let found = text.as_str().rsplit_once('/');
        let row = found.and_then(|(_, row)| row.parse::<usize>().ok()).filter(|row| *row > 0);
        let (Some((id, _)), Some(row)) = (found, row) else {
            let problem = format!("`anchor` = `{}`", text.as_str());
            self.log.help(text.span(), problem, format!("`anchor` is {right}"));
            return None;
        };
        if let Some(section) = self.known(id, text.place(&(0..id.len())))? {
            let rows = self.rows.iter().find(|(name, _)| name == id).map_or(0, |(_, rows)| *rows);
            if row > rows {
                let problem = format!("`{id}` has no published row {row}");
                self.log.help(text.span(), problem, format!("it has {rows}"));
                return None;
            }
            // Where a row could not be read the numbers of the others are not known.
            let found = section.published.get(row - 1);
            if let Some(found) = found.filter(|_| section.published.len() == rows) {
                self.bears("anchor", found.metric, text.span())?;
            }
        }
        Some(Anchor { section: id.to_string(), row: row - 1 })
    }

    fn claims(&self, value: &Value<'_>) -> Vec<Claim> {
        let mut claims: Vec<Claim> = Vec::new();
        let mut ids: Vec<String> = Vec::new();
        for (place, table) in fields::tables("claim", value, self.log) {
            let known = ["id", "text", "source", "rule", "note"];
            fields::check_keys(table, "of a claim", &known, self.log);
            let id = self.id(table, place.clone(), "a short name: id = \"C1\"");
            if let Some(id) = &id {
                if ids.contains(id) {
                    let place = table.get("id").map_or(place.clone(), Value::span);
                    self.log.wrong(place, format!("two claims are called `{id}`"));
                }
                ids.push(id.clone());
            }
            let text = self.words(table, "text");
            if !table.contains_key("text") {
                let help = "the sentence: text = \"…\"";
                fields::missing("text", place.clone(), help, self.log);
            }
            let rule = match table.get("rule") {
                Some(rule) => self.rule(rule),
                None => {
                    let help = "when it holds: rule = {above = 0.5, of = \"ID.score\"}";
                    fields::missing("rule", place, help, self.log);
                    None
                }
            };
            let (source, note) = (self.words(table, "source"), self.words(table, "note"));
            if let (Some(id), Some(text), Some(rule)) = (id, text, rule) {
                claims.push(Claim { id, text, source, note, rule });
            }
        }
        claims
    }
}
