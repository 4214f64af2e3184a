//! Charts, typed: what is drawn and in which units, not how.

mod bars;
mod box_plot;
mod curve;
mod density;
mod forest;
mod heat_map;
mod profile;

pub use bars::{Arrangement, Bars};
pub use box_plot::{BoxPlot, Summary};
pub use curve::{Curve, Point, Series, X};
pub use density::{Bin, Density, Distribution};
pub use forest::{Forest, ForestRow};
pub use heat_map::HeatMap;
pub use profile::{Layer, Profile};

use serde::Serialize;

use crate::{Cell, Column, Content, Spread, Table, number};

/// A chart with its caption.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Chart {
    /// What it shows.
    pub caption: String,
    /// What one sees on it, for those who cannot; empty means the caption.
    pub description: String,
    /// The drawing.
    pub plot: Plot,
}

impl Chart {
    /// A chart.
    #[must_use]
    pub fn new(caption: impl Into<String>, plot: impl Into<Plot>) -> Self {
        Chart { caption: caption.into(), description: String::new(), plot: plot.into() }
    }

    /// The same with words for those who cannot see it.
    #[must_use]
    pub fn description(mut self, description: impl Into<String>) -> Self {
        self.description = description.into();
        self
    }

    /// Its data as a table.
    #[must_use]
    pub fn table(&self) -> Table {
        let mut table = match &self.plot {
            Plot::Curve(plot) => plot.table(),
            Plot::HeatMap(plot) => plot.table(),
            Plot::BoxPlot(plot) => plot.table(),
            Plot::Density(plot) => plot.table(),
            Plot::Bars(plot) => plot.table(),
            Plot::Forest(plot) => plot.table(),
            Plot::Profile(plot) => plot.table(),
        };
        table.caption.clone_from(&self.caption);
        table
    }

    /// Is there nothing to draw?
    #[must_use]
    pub fn is_empty(&self) -> bool {
        match &self.plot {
            Plot::Curve(plot) => plot.is_empty(),
            Plot::HeatMap(plot) => plot.is_empty(),
            Plot::BoxPlot(plot) => plot.is_empty(),
            Plot::Density(plot) => plot.is_empty(),
            Plot::Bars(plot) => plot.is_empty(),
            Plot::Forest(plot) => plot.is_empty(),
            Plot::Profile(plot) => plot.is_empty(),
        }
    }

    /// Words for those who cannot see it.
    pub(crate) fn alternative(&self) -> &str {
        if self.description.is_empty() { &self.caption } else { &self.description }
    }
}

/// The kinds of charts.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Plot {
    /// A quantity over another, with confidence bands and published points.
    Curve(Curve),
    /// A matrix with colours around a middle.
    HeatMap(HeatMap),
    /// Five-number summaries.
    BoxPlot(BoxPlot),
    /// Shapes of distributions.
    Density(Density),
    /// Counts or shares.
    Bars(Bars),
    /// Estimates beside published ones.
    Forest(Forest),
    /// Quantities over the course of something.
    Profile(Profile),
}

macro_rules! plots {
    ($($kind:ident),*) => {$(
        impl From<$kind> for Plot {
            fn from(plot: $kind) -> Self {
                Plot::$kind(plot)
            }
        }
    )*};
}
plots!(Curve, HeatMap, BoxPlot, Density, Bars, Forest, Profile);

/// An axis.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Axis {
    /// What is measured.
    pub title: String,
    /// In which unit; percent needs none.
    pub unit: Option<String>,
    /// Linear or logarithmic.
    pub scale: Scale,
    /// How values are written.
    pub format: Format,
    /// From where to where, or what the data need.
    pub domain: Option<(f64, f64)>,
}

impl Axis {
    /// A linear axis whose values are shown with so many decimals.
    #[must_use]
    pub fn new(title: impl Into<String>, digits: u8) -> Self {
        let format = Format::Number { digits };
        Axis { title: title.into(), unit: None, scale: Scale::Linear, format, domain: None }
    }

    /// A linear axis of shares between 0 and 1, shown in percent.
    #[must_use]
    pub fn percent(title: impl Into<String>) -> Self {
        Axis { format: Format::Percent { digits: 1 }, ..Axis::new(title, 0) }
    }

    /// The same with a unit.
    #[must_use]
    pub fn unit(mut self, unit: impl Into<String>) -> Self {
        self.unit = Some(unit.into());
        self
    }

    /// The same, logarithmic.
    #[must_use]
    pub fn log(mut self) -> Self {
        self.scale = Scale::Log;
        self
    }

    /// The same from `low` to `high`.
    #[must_use]
    pub fn domain(mut self, low: f64, high: f64) -> Self {
        self.domain = Some((low, high));
        self
    }

    /// Title with unit.
    pub(crate) fn heading(&self) -> String {
        match self.unit.as_deref() {
            Some(unit) if !unit.is_empty() => format!("{} ({unit})", self.title).trim().to_string(),
            _ => self.title.clone(),
        }
    }

    pub(crate) fn is_percent(&self) -> bool {
        matches!(self.format, Format::Percent { .. })
    }

    /// Can it be drawn here? A logarithmic axis shows positive values only.
    pub(crate) fn shows(&self, x: f64) -> bool {
        x.is_finite() && (self.scale == Scale::Linear || x > 0.0)
    }

    /// A column of values of this axis.
    pub(crate) fn column(&self, title: impl Into<String>) -> Column {
        let column = Column::number(title);
        match (&self.unit, self.is_percent()) {
            (_, true) => column.unit("%"),
            (Some(unit), false) => column.unit(unit),
            (None, false) => column,
        }
    }

    /// A value of this axis as a cell.
    pub(crate) fn cell(&self, estimate: Estimate) -> Cell {
        let value = estimate.value;
        let spread = match estimate.interval {
            Some((low, high)) => Spread::Between(low, high),
            None => Spread::None,
        };
        Cell::new(match self.format {
            Format::Number { digits } => {
                // A logarithmic axis shows small values too: at least two figures of them.
                let mut digits = digits;
                let mut figures = value.abs() * 10f64.powi(i32::from(digits));
                while self.scale == Scale::Log && figures > 0.0 && figures < 9.5 && digits < 12 {
                    figures *= 10.0;
                    digits += 1;
                }
                Content::Real { value, spread, digits }
            }
            Format::Percent { digits } => Content::Percent { value, spread, digits },
        })
    }

    /// A value of this axis in words.
    pub(crate) fn shown(&self, estimate: Estimate) -> String {
        let (value, spread) = self.cell(estimate).shown(false);
        if spread.is_empty() { value } else { format!("{value} {spread}") }
    }

    /// A tick of this axis.
    pub(crate) fn tick(&self, x: f64) -> String {
        match self.format {
            Format::Number { .. } => number::short(x, 4),
            Format::Percent { .. } => format!("{}{}%", number::short(100.0 * x, 4), number::THIN),
        }
    }

    /// The smallest stretch that shows all of `values`, or the domain that was set.
    pub(crate) fn extent(&self, values: impl Iterator<Item = f64>) -> Option<(f64, f64)> {
        if let Some((low, high)) = self.domain
            && self.shows(low)
            && self.shows(high)
            && low < high
        {
            return Some((low, high));
        }
        values.filter(|&x| self.shows(x)).fold(None, |extent, x| match extent {
            None => Some((x, x)),
            Some((low, high)) => Some((f64::min(low, x), f64::max(high, x))),
        })
    }
}

/// The scale of an axis.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Scale {
    /// Equal differences are equally far apart.
    Linear,
    /// Equal ratios are equally far apart.
    Log,
}

/// How the values of an axis are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Format {
    /// With so many decimals.
    Number {
        /// Decimals.
        digits: u8,
    },
    /// A share between 0 and 1, in percent with so many decimals.
    Percent {
        /// Decimals of the percent.
        digits: u8,
    },
}

/// A value, perhaps with its confidence interval.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Estimate {
    /// The value.
    pub value: f64,
    /// The interval.
    pub interval: Option<(f64, f64)>,
}

impl Estimate {
    /// A value alone.
    #[must_use]
    pub fn new(value: f64) -> Self {
        Estimate { value, interval: None }
    }

    /// The same with an interval.
    #[must_use]
    pub fn between(mut self, low: f64, high: f64) -> Self {
        self.interval = Some((low, high));
        self
    }

    /// The value and the ends of its interval.
    pub(crate) fn values(self) -> impl Iterator<Item = f64> {
        let (low, high) = self.interval.unwrap_or((self.value, self.value));
        [self.value, low, high].into_iter()
    }
}

impl From<f64> for Estimate {
    fn from(value: f64) -> Self {
        Estimate::new(value)
    }
}

/// A line to compare with: no difference, an even score.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Reference {
    /// Where.
    pub value: f64,
    /// What it is.
    pub label: String,
}

impl Reference {
    /// A line to compare with.
    #[must_use]
    pub fn new(value: f64, label: impl Into<String>) -> Self {
        Reference { value, label: label.into() }
    }
}
