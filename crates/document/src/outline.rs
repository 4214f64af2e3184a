//! Anchors of sections: what links point at.

use crate::{Document, Section};

/// The anchors of a document's sections in reading order, valid and unique.
pub(crate) struct Outline {
    /// `(id, anchor)` of each section.
    anchors: Vec<(String, String)>,
}

impl Outline {
    pub(crate) fn new(document: &Document) -> Self {
        let mut outline = Outline { anchors: Vec::new() };
        outline.add(&document.sections);
        outline
    }

    fn add(&mut self, sections: &[Section]) {
        for section in sections {
            let keep = |c: char| if c.is_ascii_alphanumeric() || c == '_' { c } else { '-' };
            let base: String = format!("s-{}", section.id).chars().map(keep).collect();
            let mut anchor = base.clone();
            let mut number = 1;
            while self.anchors.iter().any(|(_, taken)| *taken == anchor) {
                number += 1;
                anchor = format!("{base}-{number}");
            }
            self.anchors.push((section.id.clone(), anchor));
            self.add(&section.sections);
        }
    }

    /// The anchor of the n-th section in reading order.
    pub(crate) fn nth(&self, n: usize) -> &str {
        &self.anchors[n].1
    }

    /// The anchor of the section with this `id`.
    pub(crate) fn find(&self, id: &str) -> Option<&str> {
        self.anchors.iter().find(|(known, _)| known == id).map(|(_, anchor)| anchor.as_str())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn anchors_are_valid_and_unique() {
        let inner = Section::new("a b", "");
        let document = Document::new("")
            .section(Section::new("a/b", "").section(inner))
            .section(Section::new("a-b", ""));
        let outline = Outline::new(&document);
        assert_eq!([0, 1, 2].map(|n| outline.nth(n)), ["s-a-b", "s-a-b-2", "s-a-b-3"]);
        assert_eq!(outline.find("a b"), Some("s-a-b-2"));
        assert_eq!(outline.find("c"), None);
    }
}
