//! Training: games of the search against itself, and a network that learns from them.

mod config;
mod dir;
mod ladder;
mod learner;
mod line;
pub mod record;
mod run;
mod selfplay;

pub use config::{TRAINING, TrainConfig};
pub use dir::{Curves, Dir, Header, Point, Timing, TrialPoint, read_curve, read_header, read_line};
pub use ladder::{Ladder, Trial, trial};
pub use learner::{Fit, Learner};
pub use line::{Line, LineMove, best_line};
pub use run::{Ended, Event, Training};
pub use selfplay::SelfPlay;
