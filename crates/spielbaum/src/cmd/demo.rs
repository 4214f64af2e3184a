//! The program without arguments: a minute of what it can do, and what to try next.
//!
//! All budgets are counts and all seeds are fixed, so everybody sees the same show; the only
//! use of time is to give the reader some.

mod dice;
mod duel;
mod farewell;
mod ladder;
mod screen;

use crate::failure::{Failure, Outcome};
use crate::output::Output;
use screen::Screen;
use std::time::Duration;

/// The seed of all of it.
const SEED: u64 = 7;

/// The board of the first two scenes.
const BOARD: &str = "gomoku:m=6,n=6,k=4";

pub(crate) fn run(out: &mut Output) -> Outcome {
    screen::restore_on_ctrl_c()?;
    let mut screen = Screen::new(out);
    let title = screen.paint.bold("spielbaum");
    let end = if screen.live { "            Ctrl-C ends the show" } else { "" };
    let end = screen.paint.dim(end);
    screen.say(&format!("\n {title}  a laboratory for game-tree search{end}\n\n"))?;
    duel::show(&mut screen)?;
    screen.pause(Duration::from_millis(1500));
    ladder::show(&mut screen)?;
    screen.pause(Duration::from_millis(1500));
    dice::show(&mut screen)?;
    screen.pause(Duration::from_millis(1000));
    farewell::show(&mut screen)
}

/// A bar of `width` cells, `share` of them full.
fn bar(share: f64, width: usize) -> (String, String) {
    let full = (share.clamp(0.0, 1.0) * width as f64).round() as usize;
    ("█".repeat(full), "░".repeat(width - full))
}

/// A forfeit cannot happen to a search; if it does, the show is over.
fn failed(e: impl std::fmt::Display) -> Failure {
    Failure::Task(format!("a player {e}"))
}

#[cfg(test)]
mod tests {
    use super::bar;

    #[test]
    fn bars_are_as_long_as_their_share() {
        assert_eq!(bar(0.5, 4), ("██".to_string(), "░░".to_string()));
        assert_eq!(bar(7.0, 3), ("███".to_string(), String::new()));
        assert_eq!(bar(f64::NAN, 2), (String::new(), "░░".to_string()));
    }
}
