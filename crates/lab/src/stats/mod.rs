//! Statistics: pure functions from counts to numbers. Formatting is elsewhere.

pub mod anytime;
pub mod bootstrap;
pub mod elo;
pub mod first_move;
pub mod level;
mod linear;
pub mod multiple;
pub mod quantiles;
pub mod ranks;
pub mod rating;
pub mod ratio;
pub mod score;
pub mod sprt;
mod sprt_text;
pub mod table_rating;
pub mod wdl;

/// The quantile of the normal distribution for two-sided intervals of 95 %.
pub const Z95: f64 = 1.959_963_984_540_054;

pub use bootstrap::Bootstrap;
pub use first_move::FirstMove;
pub use level::{Estimate, Level};
pub use multiple::Correction;
pub use quantiles::{FiveNumbers, Histogram};
pub use ranks::{Place, Places};
pub use rating::{Pairing, RatingError, Ratings, Tournament};
pub use ratio::Ratio;
pub use score::Mean;
pub use sprt::{Decision, Model, Sprt};
pub use sprt_text::SPRT;
pub use wdl::{Rounds, Wdl};
