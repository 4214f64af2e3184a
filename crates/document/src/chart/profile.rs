//! Quantities over the course of something.

use serde::Serialize;

use super::Axis;
use crate::{Cell, Column, Table, number};

/// Quantities over the course of games: how dense traps are, how long a move takes.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Profile {
    /// Across: the ply, the share of the game.
    pub x: Axis,
    /// Up.
    pub y: Axis,
    /// The quantities.
    pub layers: Vec<Layer>,
    /// One above the other, as parts of a whole? Otherwise each from nought.
    pub stacked: bool,
}

/// A quantity over the course of something.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Layer {
    /// Its name in the legend.
    pub name: String,
    /// Position and value, in ascending order of position.
    pub points: Vec<(f64, f64)>,
}

impl Profile {
    /// Axes without layers, each of which will rise from nought.
    #[must_use]
    pub fn new(x: Axis, y: Axis) -> Self {
        Profile { x, y, layers: Vec::new(), stacked: false }
    }

    /// The same with the layers one above the other.
    #[must_use]
    pub fn stacked(mut self) -> Self {
        self.stacked = true;
        self
    }

    /// The same with one more layer.
    #[must_use]
    pub fn layer(
        mut self,
        name: impl Into<String>,
        points: impl IntoIterator<Item = (f64, f64)>,
    ) -> Self {
        self.layers.push(Layer { name: name.into(), points: points.into_iter().collect() });
        self
    }

    /// Layer, position and value of all points that can be drawn.
    pub(crate) fn points(&self) -> impl Iterator<Item = (usize, f64, f64)> {
        self.layers.iter().enumerate().flat_map(move |(at, layer)| {
            let drawn = layer.points.iter().filter(|(x, y)| self.x.shows(*x) && self.y.shows(*y));
            drawn.map(move |&(x, y)| (at, x, y))
        })
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.points().next().is_none()
    }

    /// All positions in ascending order.
    pub(crate) fn positions(&self) -> Vec<f64> {
        let all = self.layers.iter().flat_map(|layer| layer.points.iter().map(|point| point.0));
        let mut positions: Vec<f64> = all.filter(|x| x.is_finite()).collect();
        positions.sort_by(f64::total_cmp);
        positions.dedup();
        positions
    }

    pub(crate) fn table(&self) -> Table {
        let mut table =
            Table::new("").column(Column { title: self.x.heading(), ..Column::label("") });
        for layer in &self.layers {
            table.columns.push(self.y.column(&layer.name));
        }
        for position in self.positions() {
            let mut row = vec![Cell::text(match self.x.is_percent() {
                true => self.x.tick(position),
                false => number::short(position, 6),
            })];
            for layer in &self.layers {
                let point = layer.points.iter().find(|point| point.0 == position);
                row.push(point.map_or_else(Cell::empty, |&(_, y)| self.y.cell(y.into())));
            }
            table.push(row);
        }
        table
    }
}
