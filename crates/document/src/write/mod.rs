//! The writers, a file each.

mod html;
mod latex;
mod latex_chart;
mod latex_heat_map;
mod latex_table;
mod markdown;
mod strip;
mod text;
mod text_chart;
mod text_table;
mod width;

pub use html::html;
pub use latex::latex;
pub use latex_chart::chart_latex;
pub use latex_table::table_latex;
pub use markdown::{markdown, table_markdown};
pub use text::text;
pub use text_chart::chart_text;
pub use text_table::table_text;
