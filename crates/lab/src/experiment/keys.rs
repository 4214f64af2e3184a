//! The keys of a section, where they are looked for, and which format knows them.

use super::fields::{self, Entry, Value};
use super::mistake::Log;
use super::{Format, RunOptions};
use spielbaum_core::spec::Span;
use toml::de::DeTable;

/// Keys of every section.
const COMMON: &[&str] = &[
    "id",
    "title",
    "basis",
    "format",
    "game",
    "players",
    "seed",
    "budget",
    "paper-budget",
    "vary",
    "quick",
    "published",
];

/// Keys of sections that play games.
const GAMES: &[&str] = &[
    "games",
    "extended",
    "openings",
    "record",
    "max-plies",
    "seatings",
    "stop",
    "traps",
    "opponents",
];

/// Keys of sections that ask questions.
const QUESTIONS: &[&str] =
    &["positions", "depths", "max-nodes", "values", "questions", "every-position"];

/// Keys of the file beside those of its sections.
const FILE: &[&str] = &["experiment", "paper", "claim"];

/// Keys that cannot be replaced for a quick run.
const FIXED: &[&str] = &["id", "title", "basis", "format", "extended", "quick", "published"];

/// Whether a format knows a key.
fn knows(format: Format, key: &str) -> bool {
    match key {
        "opponents" => format == Format::Gauntlet,
        "traps" => format.is_match() && format != Format::Scores,
        "positions" | "depths" | "max-nodes" => format == Format::Depths,
        "values" | "questions" | "every-position" => format == Format::Accuracy,
        key if GAMES.contains(&key) => format.is_match(),
        _ => true,
    }
}

/// Tells the keys of the file's top level that are not known there.
pub(super) fn check_file(file: &DeTable<'_>, log: &Log<'_>) {
    let known = [COMMON, GAMES, QUESTIONS, FILE].concat();
    fields::check_keys(file, "of the file", &known, log);
    check_quick(file, log);
    if file.contains_key("experiment") {
        for (key, _) in fields::entries(file) {
            if ["id", "published"].contains(&&**key.get_ref()) {
                let problem = format!("`{}` belongs to one experiment", key.get_ref());
                log.help(key.span(), problem, "move it below `[[experiment]]`");
            }
        }
    }
}

/// Tells the keys of a section that are not known there.
pub(super) fn check_section(section: &DeTable<'_>, log: &Log<'_>) {
    let known = [COMMON, GAMES, QUESTIONS].concat();
    fields::check_keys(section, "of an experiment", &known, log);
    check_quick(section, log);
}

fn check_quick(table: &DeTable<'_>, log: &Log<'_>) {
    if let Some(quick) = table.get("quick")
        && let Some(quick) = fields::table("quick", quick, log)
    {
        let all = [COMMON, GAMES, QUESTIONS].concat();
        let known: Vec<&str> = all.into_iter().filter(|key| !FIXED.contains(key)).collect();
        fields::check_keys(quick, "of [quick]", &known, log);
    }
}

/// Tells the keys that a section's format does not know. Defaults of the file may be for
/// others.
pub(super) fn check_format(own: &DeTable<'_>, format: Format, log: &Log<'_>) {
    for (key, _) in fields::entries(own) {
        let name = &**key.get_ref();
        if !knows(format, name) {
            let problem = format!("`{name}` means nothing in the format `{}`", format.name());
            let able: Vec<&str> =
                Format::ALL.iter().filter(|f| knows(**f, name)).map(|f| f.name()).collect();
            log.help(key.span(), problem, format!("it belongs to: {}", able.join(", ")));
        }
    }
}

/// Where the keys of a section are looked for, the strongest first.
pub(super) struct Settings<'t, 'a> {
    layers: Vec<&'t DeTable<'a>>,
    /// How many of them are for a quick run.
    quick: usize,
    /// Where the section stands.
    pub(super) place: Span,
    /// What the command says.
    pub(super) options: RunOptions,
}

impl<'t, 'a> Settings<'t, 'a> {
    /// The settings of a section (the file itself, if it has none).
    pub(super) fn new(
        file: &'t DeTable<'a>,
        section: Option<&'t DeTable<'a>>,
        place: Span,
        options: RunOptions,
    ) -> Self {
        let tables = section.into_iter().chain([file]);
        let quick = tables.clone().filter_map(|t| t.get("quick")?.get_ref().as_table());
        let mut layers: Vec<_> = if options.quick { quick.collect() } else { Vec::new() };
        let quick = layers.len();
        layers.extend(tables);
        Settings { layers, quick, place, options }
    }

    /// The value of a key, with the key.
    pub(super) fn entry(&self, key: &str) -> Option<Entry<'t, 'a>> {
        self.layers.iter().find_map(|table| table.get_key_value(key))
    }

    /// The value of a key.
    pub(super) fn get(&self, key: &str) -> Option<&'t Value<'a>> {
        self.entry(key).map(|entry| entry.1)
    }

    /// Where a key's value stands; the section where it is not given.
    pub(super) fn place_of(&self, key: &str) -> Span {
        self.get(key).map_or(self.place.clone(), Value::span)
    }

    /// The key that holds the budget.
    pub(super) fn budget_key(&self) -> &'static str {
        match self.options.paper_time && self.get("paper-budget").is_some() {
            true => "paper-budget",
            false => "budget",
        }
    }

    /// A number of games or questions: with `quick` a twentieth, unless `[quick]` says how many.
    pub(super) fn quantity(&self, key: &str, number: u64) -> u64 {
        let said = self.layers[..self.quick].iter().any(|table| table.contains_key(key));
        if self.options.quick && !said { (number / 20).max(1) } else { number }
    }

    /// The tables of this name in all layers, the strongest first.
    pub(super) fn tables(&self, key: &str) -> Vec<&'t Value<'a>> {
        self.layers.iter().filter_map(|table| table.get(key)).collect()
    }
}
