//! A place for a specification: what may stand there, one after another.

use super::fields::{self, Value};
use super::mistake::Log;
use super::sweep::{Expansion, List, Node, Template};
use super::text::Text;
use spielbaum_core::spec::{MAX_DEPTH, Span};
use toml::de::{DeTable, DeValue};

/// The keys that lead to something that is swept over, its role first, and the value.
pub(super) type Setting = Vec<(Vec<String>, String)>;

/// A role and everything that is to fill it.
#[derive(Clone, Debug)]
pub(super) struct Slot {
    /// `player`, `opponent`, `game`, `budget`, or `a` to `e`.
    pub(super) role: String,
    pub(super) templates: Vec<Template>,
    pub(super) place: Span,
    /// Whether some of it could not be read; the rest is there to be checked.
    pub(super) broken: bool,
}

/// One way to fill a slot.
#[derive(Clone, Debug)]
pub(super) struct Choice {
    pub(super) setting: Setting,
    pub(super) label: String,
    pub(super) expansion: Expansion,
}

impl Slot {
    /// Reads a specification, or a list of them.
    pub(super) fn read(role: &str, key: &str, value: &Value<'_>, log: &Log<'_>) -> Option<Slot> {
        let templates = match value.get_ref() {
            DeValue::Array(list) if list.is_empty() => {
                log.wrong(value.span(), format!("`{key}` is an empty list"));
                return None;
            }
            DeValue::Array(list) => list.iter().map(|item| specification(key, item, log)).collect(),
            _ => vec![specification(key, value, log)],
        };
        let broken = templates.iter().any(Option::is_none);
        let templates = templates.into_iter().flatten().collect();
        Some(Slot { role: role.to_string(), templates, place: value.span(), broken })
    }

    /// The number of ways to fill it.
    pub(super) fn count(&self) -> usize {
        self.templates.iter().map(Template::count).fold(0, usize::saturating_add)
    }

    /// What is swept over in it, by its keys, with the values in order.
    pub(super) fn axes(&self) -> Vec<(Vec<String>, Vec<String>)> {
        let mut axes = Vec::new();
        if self.templates.len() > 1 {
            let labels = self.templates.iter().map(Template::label).collect();
            axes.push((vec![self.role.clone()], labels));
        }
        for node in self.templates.iter().flat_map(|t| &t.nodes) {
            if let Node::List(list) = node {
                let values = list.values.iter().map(|v| v.as_str().to_string()).collect();
                axes.push((self.path(&list.path), values));
            }
        }
        axes
    }

    /// All ways to fill it, in order. [`count`](Slot::count) them first.
    pub(super) fn choices(&self) -> Vec<Choice> {
        let mut choices = Vec::new();
        for template in &self.templates {
            for expansion in template.expand() {
                let mut setting = Vec::new();
                if self.templates.len() > 1 {
                    setting.push((vec![self.role.clone()], template.label()));
                }
                let chosen = expansion.chosen.iter();
                setting.extend(chosen.map(|(path, value)| (self.path(path), value.clone())));
                choices.push(Choice { setting, label: expansion.label(), expansion });
            }
        }
        choices
    }

    fn path(&self, keys: &[String]) -> Vec<String> {
        std::iter::once(&self.role).chain(keys).cloned().collect()
    }
}

/// Reads a specification: a text, or a table with its name and its parameters.
fn specification(key: &str, value: &Value<'_>, log: &Log<'_>) -> Option<Template> {
    match value.get_ref() {
        DeValue::String(content) => {
            Template::scan(&Text::of_string(log.text(), &value.span(), content), log)
        }
        DeValue::Table(table) if key.ends_with("budget") => {
            let mut nodes = Vec::new();
            arguments(table, &[], &mut nodes, log)?;
            Some(Template { nodes })
        }
        DeValue::Table(table) => {
            let mut nodes = Vec::new();
            named(table, &value.span(), &[], &mut nodes, log)?;
            Some(Template { nodes })
        }
        _ => {
            let right = match key.ends_with("budget") {
                true => "a text such as \"nodes=10000\", a table of budget keys, or a list of such",
                false => {
                    "a text such as \"NAME:KEY=VALUE\", a table {name = \"NAME\", KEY = VALUE}, \
                     or a list of such"
                }
            };
            fields::misfit(key, value, right, log);
            None
        }
    }
}

/// `{name = "mcts", c = 0.4}` becomes `mcts:c=0.4`, inside another `mcts(c=0.4)`.
fn named(
    table: &DeTable<'_>,
    place: &Span,
    path: &[String],
    nodes: &mut Vec<Node>,
    log: &Log<'_>,
) -> Option<()> {
    let Some(name) = table.get("name") else {
        let help = "a specification as a table has a name: {name = \"NAME\", KEY = VALUE}";
        fields::missing("name", place.clone(), help, log);
        return None;
    };
    if path.len() > MAX_DEPTH {
        log.wrong(place.clone(), format!("nested more than {MAX_DEPTH} levels deep"));
        return None;
    }
    item("name", name, path, nodes, log)?;
    if table.len() > 1 {
        let (open, close) = if path.is_empty() { (":", "") } else { ("(", ")") };
        nodes.push(Node::Text(Text::at(open, place)));
        arguments(table, path, nodes, log)?;
        nodes.push(Node::Text(Text::at(close, place)));
    }
    Some(())
}

/// The parameters of a table as `key=value,key=value`.
fn arguments(
    table: &DeTable<'_>,
    path: &[String],
    nodes: &mut Vec<Node>,
    log: &Log<'_>,
) -> Option<()> {
    let mut first = true;
    for (key, value) in fields::entries(table) {
        let name = &**key.get_ref();
        if name == "name" {
            continue;
        }
        let comma = if std::mem::take(&mut first) { "" } else { "," };
        nodes.push(Node::Text(Text::at(comma, &key.span())));
        nodes.push(Node::Text(Text::at(name, &key.span())));
        nodes.push(Node::Text(Text::at("=", &key.span())));
        let mut deeper = path.to_vec();
        deeper.push(name.to_string());
        item(name, value, &deeper, nodes, log)?;
    }
    Some(())
}

/// One value of a table: a list is swept over, a table is a specification of its own.
fn item(
    key: &str,
    value: &Value<'_>,
    path: &[String],
    nodes: &mut Vec<Node>,
    log: &Log<'_>,
) -> Option<()> {
    match value.get_ref() {
        DeValue::Table(table) => named(table, &value.span(), path, nodes, log),
        DeValue::Array(list) => {
            let mut values: Vec<Text> = Vec::new();
            for one in list {
                values.extend(list_item(key, one, path, log)?);
            }
            if values.is_empty() {
                log.wrong(value.span(), format!("`{key}` is an empty list"));
                return None;
            }
            super::sweep::unique(&values, log)?;
            let path = if path.is_empty() { vec!["name".to_string()] } else { path.to_vec() };
            nodes.push(Node::List(List { path, values }));
            Some(())
        }
        _ => {
            let text = fields::scalar(key, value, log)?;
            nodes.extend(Template::scan_value(&text, path, log)?.nodes);
            Some(())
        }
    }
}

/// The values of one item of a list: lists inside add theirs.
fn list_item(key: &str, one: &Value<'_>, path: &[String], log: &Log<'_>) -> Option<Vec<Text>> {
    let mut nodes = Vec::new();
    if let DeValue::String(content) = one.get_ref()
        && let Some(Ok(numbers)) = super::sweep::range(content)
    {
        return Some(numbers.into_iter().map(|n| Text::at(n, &one.span())).collect());
    }
    item(key, one, path, &mut nodes, log)?;
    let template = Template { nodes };
    if let Some((name, place)) = template.variables().next() {
        let help = "put the whole list into [vary], or leave the list out";
        log.help(place, format!("`${name}` stands inside a list"), help);
        return None;
    }
    if template.count() > super::MAX_PARTS {
        log.wrong(one.span(), format!("a list of more than {} values", super::MAX_PARTS));
        return None;
    }
    Some(template.expand().iter().map(|e| e.text(&|_| None)).collect())
}
