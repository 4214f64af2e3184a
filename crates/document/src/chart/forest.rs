//! Estimates beside published ones.

use serde::Serialize;

use super::{Axis, Estimate, Reference};
use crate::{Cell, Column, Table, Verdict};

/// Rows of an estimate with its interval beside the published one.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Forest {
    /// What is estimated.
    pub value: Axis,
    /// What the labels name.
    pub label_title: String,
    /// The rows, from top to bottom.
    pub rows: Vec<ForestRow>,
    /// A line to compare with.
    pub reference: Option<Reference>,
}

impl Forest {
    /// Axes without rows.
    #[must_use]
    pub fn new(label_title: impl Into<String>, value: Axis) -> Self {
        Forest { value, label_title: label_title.into(), rows: Vec::new(), reference: None }
    }

    /// The same with a line to compare with.
    #[must_use]
    pub fn reference(mut self, reference: Reference) -> Self {
        self.reference = Some(reference);
        self
    }

    /// The same with one more row.
    #[must_use]
    pub fn row(mut self, row: ForestRow) -> Self {
        self.rows.push(row);
        self
    }

    pub(crate) fn has_verdicts(&self) -> bool {
        self.rows.iter().any(|row| row.verdict.is_some())
    }

    pub(crate) fn is_empty(&self) -> bool {
        let mut all = self.rows.iter().flat_map(|row| row.measured.iter().chain(&row.published));
        !all.any(|estimate| self.value.shows(estimate.value))
    }

    pub(crate) fn table(&self) -> Table {
        let mut table = Table::new("")
            .column(Column::label(&self.label_title))
            .column(self.value.column("measured"))
            .column(self.value.column("published"));
        let verdicts = self.has_verdicts();
        if verdicts {
            table.columns.push(Column::verdict("verdict"));
        }
        for row in &self.rows {
            let cell = |e: Option<Estimate>| {
                e.map_or_else(Cell::empty, |estimate| self.value.cell(estimate))
            };
            let mut cells = vec![Cell::text(&row.label), cell(row.measured), cell(row.published)];
            if verdicts {
                cells.push(row.verdict.map_or_else(Cell::empty, Cell::verdict));
            }
            table.push(cells);
        }
        table
    }
}

/// A row of a forest.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ForestRow {
    /// Its name.
    pub label: String,
    /// What was measured.
    pub measured: Option<Estimate>,
    /// What was published.
    pub published: Option<Estimate>,
    /// Whether they agree.
    pub verdict: Option<Verdict>,
}

impl ForestRow {
    /// A row without estimates.
    #[must_use]
    pub fn new(label: impl Into<String>) -> Self {
        ForestRow { label: label.into(), measured: None, published: None, verdict: None }
    }

    /// The same with what was measured.
    #[must_use]
    pub fn measured(mut self, estimate: impl Into<Estimate>) -> Self {
        self.measured = Some(estimate.into());
        self
    }

    /// The same with what was published.
    #[must_use]
    pub fn published(mut self, estimate: impl Into<Estimate>) -> Self {
        self.published = Some(estimate.into());
        self
    }

    /// The same with a verdict.
    #[must_use]
    pub fn verdict(mut self, verdict: Verdict) -> Self {
        self.verdict = Some(verdict);
        self
    }
}
