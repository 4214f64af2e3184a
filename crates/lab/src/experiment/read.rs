//! The file as a whole.

use super::build;
use super::fields;
use super::keys::{self, Settings};
use super::mistake::{Log, Mistakes};
use super::resolved::{Find, World};
use super::rules::References;
use super::{Experiment, MAX_PARTS, RunOptions, Section, Source};
use crate::AnyGame;
use spielbaum_core::spec::Span;
use toml::de::DeTable;

/// The longest file that is read, in bytes.
const MAX_LENGTH: usize = 4 << 20;

/// Reads an experiment; `find` gives the contents of the files it names.
pub(super) fn experiment(
    mut source: Source,
    options: RunOptions,
    catalog: &[&dyn AnyGame],
    find: Find<'_>,
) -> Result<Experiment, Mistakes> {
    let text = source.text.clone();
    let log = Log::new(&text);
    let read = Reader { log: &log, catalog, options, find }.file();
    match (log.finish(&source.name), read) {
        (None, Some(Whole { title, basis, sections, paper, files })) => {
            source.files = files;
            Ok(Experiment { title, basis, source, options, sections, paper })
        }
        (Some(mistakes), _) => Err(mistakes),
        // Whoever gives up says why; should that ever be forgotten, it is said here.
        (None, None) => Err(Mistakes::unknown(&source.name, &text)),
    }
}

struct Reader<'a> {
    log: &'a Log<'a>,
    catalog: &'a [&'a dyn AnyGame],
    options: RunOptions,
    find: Find<'a>,
}

/// What a file says.
struct Whole {
    title: String,
    basis: Option<String>,
    sections: Vec<Section>,
    paper: Option<super::paper::Paper>,
    files: std::collections::BTreeMap<String, String>,
}

impl Reader<'_> {
    fn file(&self) -> Option<Whole> {
        let text = self.log.text();
        if text.len() > MAX_LENGTH {
            self.log.wrong(0..0, format!("the file is longer than {MAX_LENGTH} bytes"));
            return None;
        }
        let (file, errors) = DeTable::parse_recoverable(text);
        if !errors.is_empty() {
            // What follows from a line that cannot be read would only confuse.
            for error in errors {
                self.log.wrong(error.span().unwrap_or(0..0), error.message());
            }
            return None;
        }
        let file = file.get_ref();
        keys::check_file(file, self.log);
        let about = |key: &str| fields::string(key, file.get(key)?, "a text", self.log);
        let title = about("title");
        // Without sections the basis is that of the only one.
        let basis = if file.contains_key("experiment") { about("basis") } else { None };
        let world = World::new(self.log, self.catalog, self.find);
        let tables = match file.get("experiment") {
            Some(value) => fields::tables("experiment", value, self.log),
            None => Vec::new(),
        };
        let mut sections: Vec<(String, Option<Section>)> = Vec::new();
        if file.contains_key("experiment") {
            for (place, table) in &tables {
                keys::check_section(table, self.log);
                let id = self.id(table, place, &sections);
                let settings = Settings::new(file, Some(table), place.clone(), self.options);
                let section = build::section(&world, &settings, table, &id);
                sections.push((id, section));
            }
        } else {
            let place = fields::entries(file).first().map_or(0..0, |(key, _)| key.span());
            let id = self.id(file, &place, &[]);
            let settings = Settings::new(file, None, place, self.options);
            let section = build::section(&world, &settings, file, &id);
            sections.push((id, section));
        }
        self.unused(file, &tables, &world, sections.iter().all(|s| s.1.is_some()));
        let rows = self.papers(file, &tables, &mut sections);
        let paper = self.references(&sections, &rows).paper(file);

        let parts: usize = sections.iter().flat_map(|s| &s.1).map(|s| s.parts.len()).sum();
        if parts > MAX_PARTS {
            self.log.wrong(0..0, format!("{parts} parts in all: at most {MAX_PARTS}"));
        }
        let title = title.unwrap_or("Experiment").to_string();
        let sections = sections.into_iter().map(|s| s.1).collect::<Option<Vec<_>>>()?;
        let (basis, files) = (basis.map(str::to_string), world.into_files());
        Some(Whole { title, basis, sections, paper, files })
    }

    /// The id of a section: it names directories, so it is simple and unique.
    fn id(
        &self,
        table: &DeTable<'_>,
        place: &Span,
        before: &[(String, Option<Section>)],
    ) -> String {
        let (id, place) = match table.get("id") {
            Some(value) => match fields::string("id", value, "a short name: \"L4\"", self.log) {
                Some(id) => (id, value.span()),
                None => return "?".to_string(),
            },
            None => ("main", place.clone()),
        };
        let simple = |c: char| c.is_ascii_alphanumeric() || "-_".contains(c);
        if id.is_empty() || id.len() > 64 || !id.chars().all(simple) {
            let help = "an id has letters, digits, `-` and `_`, 64 of them at most";
            self.log.help(place, format!("`{id}` cannot be the id of an experiment"), help);
        } else if before.iter().any(|(other, _)| other.eq_ignore_ascii_case(id)) {
            let problem = format!("two experiments are called `{id}`");
            self.log.help(place, problem, "give each an `id` of its own");
        }
        id.to_string()
    }

    /// Tells variables that nothing uses: they would be swept over for nothing.
    fn unused(
        &self,
        file: &DeTable<'_>,
        sections: &[(Span, &DeTable<'_>)],
        world: &World<'_>,
        complete: bool,
    ) {
        // What a section that could not be read would have used is not known.
        let tables = sections.iter().map(|s| s.1).chain([file]).filter(|_| complete);
        for vary in tables.filter_map(|t| t.get("vary")?.get_ref().as_table()) {
            for (key, _) in fields::entries(vary) {
                let name = key.get_ref();
                if !world.used.borrow().contains(&**name) {
                    let help = format!("write `${name}` where its values belong, or leave it out");
                    self.log.help(key.span(), format!("nothing uses `{name}`"), help);
                }
            }
        }
    }

    /// Reads what was published about each section; the number of its rows, good or not.
    fn papers(
        &self,
        file: &DeTable<'_>,
        tables: &[(Span, &DeTable<'_>)],
        sections: &mut [(String, Option<Section>)],
    ) -> Vec<(String, usize)> {
        let mut rows = Vec::new();
        let alone = [(0..0, file)];
        let tables = if file.contains_key("experiment") { tables } else { &alone };
        for (i, (_, table)) in tables.iter().enumerate() {
            if let Some(value) = table.get("published") {
                let id = sections[i].0.clone();
                let published = self.references(sections, &[]).published(value, &id);
                if let Some(section) = &mut sections[i].1 {
                    section.published = published;
                }
                let length = value.get_ref().as_array().map_or(0, |list| list.len());
                rows.push((id, length));
            }
        }
        rows
    }

    fn references<'a>(
        &'a self,
        sections: &'a [(String, Option<Section>)],
        rows: &'a [(String, usize)],
    ) -> References<'a> {
        References { log: self.log, sections, rows, options: self.options, catalog: self.catalog }
    }
}
