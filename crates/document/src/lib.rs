//! A document as data, and its writers.
//!
//! A [`Document`] holds sections of paragraphs, notices, lists, tables and charts. Nobody builds
//! markup by hand: tables are cells with numbers and intervals, charts are typed, and each writer
//! ([`html`], [`text`], [`markdown`], [`latex`]) rounds, aligns and escapes in its own way. The same
//! document gives the same bytes everywhere.
//!
//! ```
//! use spielbaum_document::{Block, Cell, Column, Document, Section, Table, text};
//!
//! let table = Table::new("Score of the first player")
//!     .column(Column::label("depth"))
//!     .column(Column::number("score").unit("%"))
//!     .row([Cell::integer(1), Cell::percent(0.755).between(0.727, 0.781)])
//!     .row([Cell::integer(2), Cell::percent(0.81).between(0.785, 0.833)]);
//! let document = Document::new("Depth in rollouts")
//!     .section(Section::new("scores", "Scores").paragraph("Deeper is better.").block(table));
//! let shown = text(&document, 60);
//! assert!(shown.contains("75.5 [72.7, 78.1]"));
//! ```

mod chart;
mod inline;
mod model;
mod number;
mod outline;
mod table;
mod vega;
mod write;

pub use chart::{
    Arrangement, Axis, Bars, Bin, BoxPlot, Chart, Curve, Density, Distribution, Estimate, Forest,
    ForestRow, Format, HeatMap, Layer, Plot, Point, Profile, Reference, Scale, Series, Summary, X,
};
pub use inline::{Span, Text};
pub use model::{Block, Document, List, Notice, NoticeKind, Section};
pub use table::{Align, Cell, Column, Content, Kind, Spread, Table, Verdict};
pub use vega::spec;
pub use write::{
    chart_latex, chart_text, html, latex, markdown, table_latex, table_markdown, table_text, text,
};
