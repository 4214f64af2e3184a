//! A quantity over another.

use serde::Serialize;

use super::{Axis, Estimate, Reference};
use crate::{Cell, Column, Table, number};

/// A quantity over another. If any position is a label the horizontal axis is categorical, in order
/// of first appearance; then the points are not joined.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Curve {
    /// Across.
    pub x: Axis,
    /// Up.
    pub y: Axis,
    /// The curves.
    pub series: Vec<Series>,
    /// A line to compare with.
    pub reference: Option<Reference>,
}

impl Curve {
    /// Axes without curves.
    #[must_use]
    pub fn new(x: Axis, y: Axis) -> Self {
        Curve { x, y, series: Vec::new(), reference: None }
    }

    /// The same with a line to compare with.
    #[must_use]
    pub fn reference(mut self, reference: Reference) -> Self {
        self.reference = Some(reference);
        self
    }

    /// The same with one more curve.
    #[must_use]
    pub fn series(mut self, series: Series) -> Self {
        self.series.push(series);
        self
    }

    /// All points, with the number of their curve and whether they are published ones.
    pub(crate) fn points(&self) -> impl Iterator<Item = (usize, bool, &Point)> {
        self.series.iter().enumerate().flat_map(|(at, series)| {
            let ours = series.points.iter().map(move |point| (at, false, point));
            ours.chain(series.published.iter().map(move |point| (at, true, point)))
        })
    }

    pub(crate) fn is_categorical(&self) -> bool {
        self.points().any(|(_, _, point)| matches!(point.x, X::Label(_)))
    }

    pub(crate) fn has_published(&self) -> bool {
        self.series.iter().any(|series| !series.published.is_empty())
    }

    /// Can a point be drawn?
    pub(crate) fn shows(&self, point: &Point) -> bool {
        let across = match (&point.x, self.is_categorical()) {
            (X::Number(x), false) => self.x.shows(*x),
            _ => true,
        };
        across && self.y.shows(point.y.value)
    }

    pub(crate) fn is_empty(&self) -> bool {
        !self.points().any(|(_, _, point)| self.shows(point))
    }

    /// The positions: numbers in ascending order, labels as they first appear.
    pub(crate) fn positions(&self) -> Vec<X> {
        let mut positions: Vec<X> = Vec::new();
        for (_, _, point) in self.points() {
            if !positions.contains(&point.x) {
                positions.push(point.x.clone());
            }
        }
        if !self.is_categorical() {
            let number = |x: &X| x.number().unwrap_or(f64::NAN);
            positions.sort_by(|a, b| number(a).total_cmp(&number(b)));
        }
        positions
    }

    pub(crate) fn table(&self) -> Table {
        let mut table =
            Table::new("").column(Column { title: self.x.heading(), ..Column::label("") });
        let all: Vec<(&str, &[Point])> = self
            .series
            .iter()
            .flat_map(|series| {
                [
                    (series.name.as_str(), series.points.as_slice()),
                    ("", series.published.as_slice()),
                ]
            })
            .collect();
        for pair in all.chunks(2) {
            table.columns.push(self.y.column(pair[0].0));
            if !pair[1].1.is_empty() {
                table.columns.push(self.y.column(format!("{}, published", pair[0].0)));
            }
        }
        for position in self.positions() {
            let mut row = vec![Cell::text(position.shown())];
            for (at, (_, points)) in all.iter().enumerate() {
                if at % 2 == 1 && points.is_empty() {
                    continue;
                }
                let point = points.iter().find(|point| point.x == position);
                row.push(point.map_or_else(Cell::empty, |point| self.y.cell(point.y)));
            }
            table.push(row);
        }
        table
    }
}

/// One curve.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Series {
    /// Its name in the legend.
    pub name: String,
    /// What was measured; intervals become a band.
    pub points: Vec<Point>,
    /// What others published, drawn as marks with their intervals.
    pub published: Vec<Point>,
}

impl Series {
    /// A curve without points.
    #[must_use]
    pub fn new(name: impl Into<String>) -> Self {
        Series { name: name.into(), points: Vec::new(), published: Vec::new() }
    }

    /// The same with one more point.
    #[must_use]
    pub fn point(mut self, x: impl Into<X>, y: impl Into<Estimate>) -> Self {
        self.points.push(Point { x: x.into(), y: y.into() });
        self
    }

    /// The same with one more published point.
    #[must_use]
    pub fn published(mut self, x: impl Into<X>, y: impl Into<Estimate>) -> Self {
        self.published.push(Point { x: x.into(), y: y.into() });
        self
    }
}

/// A point of a curve.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Point {
    /// Across.
    pub x: X,
    /// Up.
    pub y: Estimate,
}

/// A position across.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(untagged)]
pub enum X {
    /// A number.
    Number(f64),
    /// A label.
    Label(String),
}

impl X {
    pub(crate) fn number(&self) -> Option<f64> {
        if let X::Number(x) = self { Some(*x) } else { None }
    }

    pub(crate) fn shown(&self) -> String {
        match self {
            X::Number(x) => number::short(*x, 6),
            X::Label(label) => label.clone(),
        }
    }
}

impl From<f64> for X {
    fn from(x: f64) -> Self {
        X::Number(x)
    }
}

impl From<&str> for X {
    fn from(label: &str) -> Self {
        X::Label(label.into())
    }
}

impl From<String> for X {
    fn from(label: String) -> Self {
        X::Label(label)
    }
}
