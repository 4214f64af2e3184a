//! Lists inside specifications: `uct:c=[0.4,1],playout=minimax(depth=[1..3])`.
//!
//! The grammar of specifications reserves brackets; here they are found in the text, by its
//! syntax alone, before anything is looked up. A list stands for a whole value (or name) and is
//! an axis, known by the keys that lead to it. A list inside a list adds its values to it.
//! `$name` stands for a value of `[vary]`.

use super::MAX_PARTS;
use super::mistake::Log;
use super::text::Text;
use spielbaum_core::spec::{MAX_DEPTH, MAX_LENGTH, Span};

/// A text with lists and variables in it.
#[derive(Clone, Debug, Default)]
pub(super) struct Template {
    pub(super) nodes: Vec<Node>,
}

/// A piece of a template.
#[derive(Clone, Debug)]
pub(super) enum Node {
    /// As it stands.
    Text(Text),
    /// One of several.
    List(List),
    /// A value of `[vary]`: its name, and the text `$name`.
    Var(String, Text),
}

/// Values that are tried one after another.
#[derive(Clone, Debug)]
pub(super) struct List {
    /// The keys that lead to it; `name` where there are none.
    pub(super) path: Vec<String>,
    pub(super) values: Vec<Text>,
}

/// A template with one value chosen from each list.
#[derive(Clone, Debug)]
pub(super) struct Expansion {
    /// What was chosen: the path of a list and the value, in the order of the text.
    pub(super) chosen: Vec<(Vec<String>, String)>,
    /// What is left: texts and variables.
    pub(super) nodes: Vec<Node>,
}

impl Template {
    /// Finds the lists and variables of a text.
    pub(super) fn scan(text: &Text, log: &Log<'_>) -> Option<Template> {
        Template::scan_value(text, &[], log)
    }

    /// As [`scan`](Template::scan), for a text that stands behind the key that ends `path`.
    pub(super) fn scan_value(text: &Text, path: &[String], log: &Log<'_>) -> Option<Template> {
        Template::scan_at(text, path, 0, log)
    }

    fn scan_at(text: &Text, path: &[String], depth: usize, log: &Log<'_>) -> Option<Template> {
        if text.as_str().len() > MAX_LENGTH {
            log.wrong(text.span(), format!("a text of more than {MAX_LENGTH} bytes"));
            return None;
        }
        let (key, stack) = match path {
            [] => (None, Vec::new()),
            [stack @ .., key] => (Some(key.clone()), stack.to_vec()),
        };
        let nodes = Vec::new();
        let mut scanner =
            Scanner { text, log, pos: 0, plain: 0, word: 0, depth, key, stack, nodes };
        scanner.run()?;
        Some(Template { nodes: scanner.nodes })
    }

    /// The number of its expansions.
    pub(super) fn count(&self) -> usize {
        let lengths = self.nodes.iter().map(|node| match node {
            Node::List(list) => list.values.len(),
            _ => 1,
        });
        lengths.fold(1, usize::saturating_mul)
    }

    /// Its expansions, the last list changing fastest. [`count`](Template::count) them first.
    pub(super) fn expand(&self) -> Vec<Expansion> {
        let mut all = vec![Expansion { chosen: Vec::new(), nodes: Vec::new() }];
        for node in &self.nodes {
            match node {
                Node::List(list) => {
                    let with = |one: &Expansion, value: &Text| {
                        let mut next = one.clone();
                        next.chosen.push((list.path.clone(), value.as_str().to_string()));
                        next.nodes.push(Node::Text(value.clone()));
                        next
                    };
                    all = (all.iter())
                        .flat_map(|one| list.values.iter().map(move |value| with(one, value)))
                        .collect();
                }
                other => all.iter_mut().for_each(|one| one.nodes.push(other.clone())),
            }
        }
        all
    }

    /// The names of its variables, and where they stand.
    pub(super) fn variables(&self) -> impl Iterator<Item = (&str, Span)> {
        self.nodes.iter().filter_map(|node| match node {
            Node::Var(name, text) => Some((name.as_str(), text.span())),
            _ => None,
        })
    }

    /// As it stands in the file, without superfluous space.
    pub(super) fn label(&self) -> String {
        let mut label = String::new();
        for node in &self.nodes {
            match node {
                Node::Text(text) | Node::Var(_, text) => label.push_str(text.as_str()),
                Node::List(list) => {
                    let values: Vec<&str> = list.values.iter().map(Text::as_str).collect();
                    label.push_str(&format!("[{}]", values.join(",")));
                }
            }
        }
        label.split_whitespace().collect::<Vec<_>>().join(" ")
    }
}

impl Expansion {
    /// Its text, with the values of the variables.
    pub(super) fn text<'a>(&self, value: &dyn Fn(&str) -> Option<&'a Text>) -> Text {
        let mut whole = Text::default();
        for node in &self.nodes {
            match node {
                Node::Text(text) => whole.push(text),
                Node::Var(name, text) => whole.push(value(name).unwrap_or(text)),
                Node::List(_) => {}
            }
        }
        whole
    }

    /// The names of its variables.
    pub(super) fn variables(&self) -> impl Iterator<Item = &str> {
        self.nodes.iter().filter_map(|node| match node {
            Node::Var(name, _) => Some(name.as_str()),
            _ => None,
        })
    }

    /// Its text, with the variables as they stand in the file.
    pub(super) fn label(&self) -> String {
        self.text(&|_| None).as_str().split_whitespace().collect::<Vec<_>>().join(" ")
    }
}

/// The whole numbers of `1..4`, both ends included.
pub(super) fn range(text: &str) -> Option<Result<Vec<String>, String>> {
    let (from, to) = text.split_once("..")?;
    let number = |text: &str| text.trim().parse::<i64>().ok();
    let (from, to) = (number(from)?, number(to)?);
    Some(match to.checked_sub(from) {
        Some(length @ 0..) if (length as u64) < MAX_PARTS as u64 => {
            Ok((from..=to).map(|n| n.to_string()).collect())
        }
        Some(..0) => Err(format!("`{from}..{to}` has no numbers: it goes up")),
        _ => Err(format!("`{from}..{to}` has more than {MAX_PARTS} numbers")),
    })
}

struct Scanner<'a> {
    text: &'a Text,
    log: &'a Log<'a>,
    pos: usize,
    /// Where the text begins that is not yet in a node.
    plain: usize,
    /// Where the current word begins.
    word: usize,
    /// In how many lists the text stands.
    depth: usize,
    /// The key whose value is being read.
    key: Option<String>,
    /// The keys of the parentheses that are open.
    stack: Vec<String>,
    nodes: Vec<Node>,
}

impl Scanner<'_> {
    fn run(&mut self) -> Option<()> {
        let text = self.text.as_str();
        while let Some(c) = text[self.pos..].chars().next() {
            let next = self.pos + c.len_utf8();
            match c {
                '"' => self.pos = skip_quoted(text, self.pos),
                '[' => self.list()?,
                ']' => {
                    let place = self.text.place(&(self.pos..next));
                    self.log.help(place, "the bracket was never opened", "open it with `[`");
                    return None;
                }
                '$' => self.variable(),
                _ => {
                    match c {
                        '(' => self.stack.push(self.key.take().unwrap_or_default()),
                        ')' => {
                            self.stack.pop();
                            self.key = None;
                        }
                        ',' => self.key = None,
                        '=' => self.key = Some(text[self.word..self.pos].trim().to_string()),
                        _ => {}
                    }
                    if "(),=:".contains(c) {
                        self.word = next;
                    }
                    self.pos = next;
                }
            }
        }
        self.flush(text.len());
        Some(())
    }

    /// Closes the plain text before `end`.
    fn flush(&mut self, end: usize) {
        if self.plain < end {
            self.nodes.push(Node::Text(self.text.slice(self.plain..end)));
        }
    }

    fn variable(&mut self) {
        let text = self.text.as_str();
        let rest = &text[self.pos + 1..];
        let is_name = |c: char| c.is_ascii_alphanumeric() || "-_".contains(c);
        let length = rest.find(|c| !is_name(c)).unwrap_or(rest.len());
        let end = self.pos + 1 + length;
        if length > 0 {
            self.flush(self.pos);
            let name = rest[..length].to_string();
            self.nodes.push(Node::Var(name, self.text.slice(self.pos..end)));
            self.plain = end;
        }
        self.pos = end;
    }

    fn list(&mut self) -> Option<()> {
        let (text, open) = (self.text.as_str(), self.pos);
        let path = self.path();
        if self.depth >= MAX_DEPTH {
            let place = self.text.place(&(open..open + 1));
            self.log.wrong(place, format!("nested more than {MAX_DEPTH} levels deep"));
            return None;
        }
        let Some((items, end)) = split(text, open) else {
            let place = self.text.place(&(open..open + 1));
            self.log.help(place, "the list is never closed", "close it with `]`");
            return None;
        };
        let before = text[..open].trim_end().chars().next_back();
        let after = text[end..].trim_start().chars().next();
        let alone = matches!(before, None | Some('=')) && !matches!(after, Some('[' | '$'));
        let alone = alone
            && match before {
                Some(_) => matches!(after, None | Some(',' | ')')),
                None => matches!(after, None | Some(':' | '(' | ',' | ')')),
            };
        if !alone {
            let place = self.text.place(&(open..end));
            let help = "write all of each value: `[10k,20k]`, not `[10,20]k`";
            self.log.help(place, "a list stands for a whole value", help);
            return None;
        }
        let mut values: Vec<Text> = Vec::new();
        for item in items {
            values.extend(self.item(item, &path)?);
        }
        unique(&values, self.log)?;
        self.flush(open);
        self.nodes.push(Node::List(List { path, values }));
        (self.pos, self.plain) = (end, end);
        Some(())
    }

    /// The keys that lead here.
    fn path(&self) -> Vec<String> {
        let keys = self.stack.iter().chain(&self.key);
        let path: Vec<String> = keys.filter(|key| !key.is_empty()).cloned().collect();
        if path.is_empty() { vec!["name".to_string()] } else { path }
    }

    /// The values of one item: several if it is a range or has lists in it.
    fn item(&self, item: Span, path: &[String]) -> Option<Vec<Text>> {
        let empty = self.text.as_str()[item.clone()].trim().is_empty();
        let text = self.text.slice(item.clone()).trim();
        if empty {
            let place = self.text.place(&(item.start.saturating_sub(1)..item.end + 1));
            self.log.help(place, "a value is missing in the list", "write `[VALUE,VALUE]`");
            return None;
        }
        if let Some(numbers) = range(text.as_str()) {
            return match numbers {
                Ok(numbers) => {
                    Some(numbers.into_iter().map(|n| Text::at(n, &text.span())).collect())
                }
                Err(problem) => {
                    self.log.wrong(text.span(), problem);
                    None
                }
            };
        }
        let template = Template::scan_at(&text, path, self.depth + 1, self.log)?;
        if let Some((name, place)) = template.variables().next() {
            let help = "put the whole list into [vary], or leave the list out";
            self.log.help(place, format!("`${name}` stands inside a list"), help);
            return None;
        }
        if template.count() > MAX_PARTS {
            self.log.wrong(text.span(), format!("a list of more than {MAX_PARTS} values"));
            return None;
        }
        Some(template.expand().iter().map(|one| one.text(&|_| None)).collect())
    }
}

/// Whether a list is not too long and names nothing twice.
pub(super) fn unique(values: &[Text], log: &Log<'_>) -> Option<()> {
    let mut seen = std::collections::BTreeSet::new();
    for value in values {
        let problem = match seen.insert(value.as_str()) {
            _ if seen.len() > MAX_PARTS => format!("a list of more than {MAX_PARTS} values"),
            true => continue,
            false => format!("`{}` is listed twice", value.as_str()),
        };
        log.wrong(value.span(), problem);
        return None;
    }
    Some(())
}

/// Where the quoted text ends that begins at `start`.
fn skip_quoted(text: &str, start: usize) -> usize {
    let mut chars = text[start..].char_indices().skip(1);
    while let Some((at, c)) = chars.next() {
        match c {
            '"' => return start + at + 1,
            '\\' => _ = chars.next(),
            _ => {}
        }
    }
    text.len()
}

/// The items of the list that opens at `open`, and where it ends.
pub(super) fn split(text: &str, open: usize) -> Option<(Vec<Span>, usize)> {
    let mut items = Vec::new();
    let (mut from, mut pos, mut depth) = (open + 1, open + 1, 0usize);
    while let Some(c) = text[pos..].chars().next() {
        let next = pos + c.len_utf8();
        match c {
            '"' => {
                pos = skip_quoted(text, pos);
                continue;
            }
            '[' | '(' => depth += 1,
            ']' if depth == 0 => {
                items.push(from..pos);
                return Some((items, next));
            }
            ']' | ')' => depth = depth.saturating_sub(1),
            ',' if depth == 0 => {
                items.push(from..pos);
                from = next;
            }
            _ => {}
        }
        pos = next;
    }
    None
}
