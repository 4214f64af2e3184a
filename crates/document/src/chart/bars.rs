//! Counts or shares of categories.

use serde::Serialize;

use super::{Axis, Estimate};
use crate::{Cell, Column, Table};

/// Counts or shares of categories: tiles reached, places, traps by level.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Bars {
    /// What the categories are.
    pub category_title: String,
    /// The categories in order.
    pub categories: Vec<String>,
    /// What is counted.
    pub value: Axis,
    /// Name and values of each series, a value for each category; `None` where there is none.
    pub series: Vec<(String, Vec<Option<Estimate>>)>,
    /// How the series share a category.
    pub arrangement: Arrangement,
}

/// How series share a category.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Arrangement {
    /// Side by side; intervals are drawn.
    Grouped,
    /// One above the other.
    Stacked,
    /// One above the other, as shares of their sum.
    Shares,
}

impl Bars {
    /// Categories without series, side by side.
    #[must_use]
    pub fn new<T: Into<String>>(
        category_title: impl Into<String>,
        categories: impl IntoIterator<Item = T>,
        value: Axis,
    ) -> Self {
        Bars {
            category_title: category_title.into(),
            categories: categories.into_iter().map(Into::into).collect(),
            value,
            series: Vec::new(),
            arrangement: Arrangement::Grouped,
        }
    }

    /// The same arranged otherwise.
    #[must_use]
    pub fn arrangement(mut self, arrangement: Arrangement) -> Self {
        self.arrangement = arrangement;
        self
    }

    /// The same with one more series.
    #[must_use]
    pub fn series<E: Into<Estimate>>(
        mut self,
        name: impl Into<String>,
        values: impl IntoIterator<Item = E>,
    ) -> Self {
        let values = values.into_iter().map(|value| Some(value.into())).collect();
        self.series.push((name.into(), values));
        self
    }

    /// Series, category and value of all bars; of shares, the share.
    pub(crate) fn bars(&self) -> impl Iterator<Item = (usize, usize, Estimate)> {
        self.series.iter().enumerate().flat_map(move |(series, (_, values))| {
            let values = values.iter().take(self.categories.len()).enumerate();
            values.filter_map(move |(category, value)| {
                let value = value.filter(|value| value.value.is_finite())?;
                let total = match self.arrangement {
                    Arrangement::Shares => self.total(category),
                    Arrangement::Grouped => return Some((series, category, value)),
                    Arrangement::Stacked => 1.0,
                };
                (total > 0.0).then(|| (series, category, Estimate::new(value.value / total)))
            })
        })
    }

    /// The sum over a category.
    pub(crate) fn total(&self, category: usize) -> f64 {
        let values = self.series.iter().filter_map(|(_, values)| *values.get(category)?);
        values.map(|value| value.value).filter(|value| value.is_finite()).sum()
    }

    /// The axis as drawn: shares are in percent.
    pub(crate) fn axis(&self) -> Axis {
        match self.arrangement {
            Arrangement::Shares => Axis::percent(&self.value.title).domain(0.0, 1.0),
            _ => self.value.clone(),
        }
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.bars().next().is_none()
    }

    pub(crate) fn table(&self) -> Table {
        let mut table = Table::new("").column(Column::label(&self.category_title));
        for (name, _) in &self.series {
            table.columns.push(self.value.column(name));
        }
        for (at, category) in self.categories.iter().enumerate() {
            let values = self.series.iter().map(|(_, values)| values.get(at).copied().flatten());
            let cells = values.map(|v| v.map_or_else(Cell::empty, |value| self.value.cell(value)));
            table.push(std::iter::once(Cell::text(category)).chain(cells));
        }
        table
    }
}
