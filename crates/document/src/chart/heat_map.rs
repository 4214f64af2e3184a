//! A matrix with colours around a middle.

use serde::Serialize;

use super::{Axis, Estimate};
use crate::{Cell, Column, Table};

/// A matrix with its values printed and colours around a middle: who beats whom.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct HeatMap {
    /// What the rows are.
    pub row_title: String,
    /// What the columns are.
    pub column_title: String,
    /// Names of the rows.
    pub rows: Vec<String>,
    /// Names of the columns.
    pub columns: Vec<String>,
    /// Row by row; `None` where there is no value. Rows may be short.
    pub values: Vec<Vec<Option<Estimate>>>,
    /// What is shown; its domain is the stretch of the colours.
    pub value: Axis,
    /// Where the colours turn.
    pub middle: f64,
}

impl HeatMap {
    /// A matrix of shares around one half.
    #[must_use]
    pub fn new(value: Axis) -> Self {
        HeatMap {
            row_title: String::new(),
            column_title: String::new(),
            rows: Vec::new(),
            columns: Vec::new(),
            values: Vec::new(),
            value,
            middle: 0.5,
        }
    }

    /// The same with names for rows and columns as a whole.
    #[must_use]
    pub fn titles(mut self, row: impl Into<String>, column: impl Into<String>) -> Self {
        self.row_title = row.into();
        self.column_title = column.into();
        self
    }

    /// The same with these columns.
    #[must_use]
    pub fn columns<T: Into<String>>(mut self, names: impl IntoIterator<Item = T>) -> Self {
        self.columns = names.into_iter().map(Into::into).collect();
        self
    }

    /// The same with one more row.
    #[must_use]
    pub fn row(
        mut self,
        name: impl Into<String>,
        values: impl IntoIterator<Item = Option<Estimate>>,
    ) -> Self {
        self.rows.push(name.into());
        self.values.push(values.into_iter().collect());
        self
    }

    /// Row, column and value of all cells that have one.
    pub(crate) fn cells(&self) -> impl Iterator<Item = (usize, usize, Estimate)> {
        self.values.iter().take(self.rows.len()).enumerate().flat_map(move |(row, values)| {
            let values = values.iter().take(self.columns.len()).enumerate();
            values.filter_map(move |(column, value)| {
                let value = (*value)?;
                value.value.is_finite().then_some((row, column, value))
            })
        })
    }

    /// How far the colours reach from the middle.
    pub(crate) fn reach(&self) -> f64 {
        let (low, high) = match self.value.domain {
            Some(domain) => domain,
            None => (
                self.cells().map(|cell| cell.2.value).fold(self.middle, f64::min),
                self.cells().map(|cell| cell.2.value).fold(self.middle, f64::max),
            ),
        };
        let reach = f64::max(high - self.middle, self.middle - low);
        if reach.is_finite() && reach > 0.0 { reach } else { 1.0 }
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.cells().next().is_none()
    }

    pub(crate) fn table(&self) -> Table {
        let mut table = Table::new("").column(Column::label(&self.row_title));
        for name in &self.columns {
            table.columns.push(self.value.column(name));
        }
        for (row, name) in self.rows.iter().enumerate() {
            let mut cells = vec![Cell::text(name)];
            for column in 0..self.columns.len() {
                let value = self.values.get(row).and_then(|values| *values.get(column)?);
                cells.push(value.map_or_else(Cell::empty, |value| self.value.cell(value)));
            }
            table.push(cells);
        }
        table
    }
}
