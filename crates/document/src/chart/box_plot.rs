//! Five-number summaries of distributions.

use serde::Serialize;

use super::Axis;
use crate::{Cell, Column, Table};

/// Five-number summaries of distributions: move times, scores.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct BoxPlot {
    /// What is distributed.
    pub value: Axis,
    /// What the labels name.
    pub label_title: String,
    /// The summaries, from top to bottom.
    pub boxes: Vec<Summary>,
}

impl BoxPlot {
    /// Axes without boxes.
    #[must_use]
    pub fn new(label_title: impl Into<String>, value: Axis) -> Self {
        BoxPlot { value, label_title: label_title.into(), boxes: Vec::new() }
    }

    /// The same with one more box.
    #[must_use]
    pub fn summary(mut self, summary: Summary) -> Self {
        self.boxes.push(summary);
        self
    }

    pub(crate) fn is_empty(&self) -> bool {
        !self.boxes.iter().any(|b| self.shows(b))
    }

    /// Can a box be drawn? All five numbers must have a place.
    pub(crate) fn shows(&self, summary: &Summary) -> bool {
        summary.five().iter().all(|&x| self.value.shows(x))
    }

    pub(crate) fn table(&self) -> Table {
        let mut table = Table::new("").column(Column::label(&self.label_title));
        for title in ["low", "quartile", "median", "quartile", "high"] {
            table.columns.push(self.value.column(title));
        }
        let (mean, count) = (
            self.boxes.iter().any(|b| b.mean.is_some()),
            self.boxes.iter().any(|b| b.count.is_some()),
        );
        if mean {
            table.columns.push(self.value.column("mean"));
        }
        if count {
            table.columns.push(Column::number("count"));
        }
        for summary in &self.boxes {
            let mut row = vec![Cell::text(&summary.label)];
            row.extend(summary.five().map(|x| self.value.cell(x.into())));
            if mean {
                row.push(summary.mean.map_or_else(Cell::empty, |x| self.value.cell(x.into())));
            }
            if count {
                row.push(summary.count.map_or_else(Cell::empty, Cell::count));
            }
            table.push(row);
        }
        table
    }
}

/// A distribution in five numbers.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Summary {
    /// Its name.
    pub label: String,
    /// Where the lower whisker ends.
    pub low: f64,
    /// Lower quartile.
    pub lower: f64,
    /// Median.
    pub median: f64,
    /// Upper quartile.
    pub upper: f64,
    /// Where the upper whisker ends.
    pub high: f64,
    /// The mean.
    pub mean: Option<f64>,
    /// How many values.
    pub count: Option<u64>,
    /// Values beyond the whiskers, to be drawn one by one.
    pub outliers: Vec<f64>,
}

impl Summary {
    /// A summary from low end, lower quartile, median, upper quartile, high end.
    #[must_use]
    pub fn new(label: impl Into<String>, five: [f64; 5]) -> Self {
        let [low, lower, median, upper, high] = five;
        let label = label.into();
        Summary {
            label,
            low,
            lower,
            median,
            upper,
            high,
            mean: None,
            count: None,
            outliers: vec![],
        }
    }

    /// The same with a mean.
    #[must_use]
    pub fn mean(mut self, mean: f64) -> Self {
        self.mean = Some(mean);
        self
    }

    /// The same with the number of values.
    #[must_use]
    pub fn count(mut self, count: u64) -> Self {
        self.count = Some(count);
        self
    }

    pub(crate) fn five(&self) -> [f64; 5] {
        [self.low, self.lower, self.median, self.upper, self.high]
    }
}
