//! The document and its blocks.

use serde::Serialize;

use crate::{Chart, Table, Text};

/// A document: what a report or a replication is before it is written.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Document {
    /// The title.
    pub title: String,
    /// A line under the title; empty for none.
    pub subtitle: String,
    /// Lines of key and value under the title: version, seed, machine.
    pub meta: Vec<(String, String)>,
    /// The sections.
    pub sections: Vec<Section>,
}

impl Document {
    /// An empty document.
    #[must_use]
    pub fn new(title: impl Into<String>) -> Self {
        Document { title: title.into(), ..Document::default() }
    }

    /// The same with a line under the title.
    #[must_use]
    pub fn subtitle(mut self, subtitle: impl Into<String>) -> Self {
        self.subtitle = subtitle.into();
        self
    }

    /// The same with a line of key and value.
    #[must_use]
    pub fn meta(mut self, key: impl Into<String>, value: impl Into<String>) -> Self {
        self.meta.push((key.into(), value.into()));
        self
    }

    /// The same with one more section.
    #[must_use]
    pub fn section(mut self, section: Section) -> Self {
        self.sections.push(section);
        self
    }
}

/// A section, with sections of its own.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Section {
    /// What links name; anything, and unique if links are to find it.
    pub id: String,
    /// The heading.
    pub title: String,
    /// What it contains before its own sections.
    pub blocks: Vec<Block>,
    /// Sections inside it.
    pub sections: Vec<Section>,
}

impl Section {
    /// An empty section.
    #[must_use]
    pub fn new(id: impl Into<String>, title: impl Into<String>) -> Self {
        Section { id: id.into(), title: title.into(), ..Section::default() }
    }

    /// The same with one more block.
    #[must_use]
    pub fn block(mut self, block: impl Into<Block>) -> Self {
        self.blocks.push(block.into());
        self
    }

    /// The same with a paragraph.
    #[must_use]
    pub fn paragraph(self, text: impl Into<Text>) -> Self {
        self.block(Block::Paragraph(text.into()))
    }

    /// The same with a section inside it.
    #[must_use]
    pub fn section(mut self, section: Section) -> Self {
        self.sections.push(section);
        self
    }
}

/// A block of a section.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Block {
    /// Running text.
    Paragraph(Text),
    /// Text set apart.
    Notice(Notice),
    /// A list.
    List(List),
    /// A table.
    Table(Table),
    /// A chart.
    Chart(Box<Chart>),
    /// Blocks that are folded away where the medium can.
    Details {
        /// What is shown when folded.
        summary: String,
        /// What is folded away.
        blocks: Vec<Block>,
    },
}

impl From<Text> for Block {
    fn from(text: Text) -> Self {
        Block::Paragraph(text)
    }
}

impl From<Notice> for Block {
    fn from(notice: Notice) -> Self {
        Block::Notice(notice)
    }
}

impl From<List> for Block {
    fn from(list: List) -> Self {
        Block::List(list)
    }
}

impl From<Table> for Block {
    fn from(table: Table) -> Self {
        Block::Table(table)
    }
}

impl From<Chart> for Block {
    fn from(chart: Chart) -> Self {
        Block::Chart(Box::new(chart))
    }
}

/// Text set apart.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Notice {
    /// What for.
    pub kind: NoticeKind,
    /// The text.
    pub text: Text,
}

impl Notice {
    /// A notice.
    #[must_use]
    pub fn new(kind: NoticeKind, text: impl Into<Text>) -> Self {
        Notice { kind, text: text.into() }
    }
}

/// What a notice is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum NoticeKind {
    /// Good to know.
    Note,
    /// Numbers that may mislead.
    Warning,
    /// The whole document comes from a short run and decides nothing.
    QuickRun,
}

impl NoticeKind {
    /// The word that opens the notice.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            NoticeKind::Note => "Note",
            NoticeKind::Warning => "Warning",
            NoticeKind::QuickRun => "Quick run",
        }
    }

    pub(crate) fn class(self) -> &'static str {
        match self {
            NoticeKind::Note => "note",
            NoticeKind::Warning => "warning",
            NoticeKind::QuickRun => "quick",
        }
    }
}

/// A list.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct List {
    /// Numbered from one?
    pub ordered: bool,
    /// The items.
    pub items: Vec<Text>,
}

impl List {
    /// A list with bullets.
    #[must_use]
    pub fn bullets<T: Into<Text>>(items: impl IntoIterator<Item = T>) -> Self {
        List { ordered: false, items: items.into_iter().map(Into::into).collect() }
    }

    /// A numbered list.
    #[must_use]
    pub fn numbered<T: Into<Text>>(items: impl IntoIterator<Item = T>) -> Self {
        List { ordered: true, items: items.into_iter().map(Into::into).collect() }
    }
}
