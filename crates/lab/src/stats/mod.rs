//! Statistics: pure functions from counts to numbers. Formatting is elsewhere.

pub mod elo;
pub mod ratio;
pub mod score;
pub mod sprt;
mod sprt_text;
pub mod wdl;

/// The quantile of the normal distribution for two-sided intervals of 95 %.
pub const Z95: f64 = 1.959_963_984_540_054;

pub use ratio::Ratio;
pub use score::Mean;
pub use sprt::{Decision, Model, Sprt};
pub use sprt_text::SPRT;
pub use wdl::{Rounds, Wdl};
