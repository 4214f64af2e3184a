//! How a match goes: a bar on a terminal, a line now and then in a log.

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use spielbaum_lab::{Plan, Progress};
use std::io::{IsTerminal, Write};
use std::time::{Duration, Instant};

/// Lines in a log are at least this far apart.
const LINE_EVERY: Duration = Duration::from_secs(10);

/// Shows the progress on standard error.
pub(super) enum Watch {
    Bar(ProgressBar),
    Lines { games: u64, last: Instant },
    Quiet,
}

impl Watch {
    pub(super) fn new(plan: &Plan, quiet: bool) -> Self {
        let games = plan.schedule.games();
        match (quiet, std::io::stderr().is_terminal()) {
            (true, _) => Watch::Quiet,
            (false, true) => Watch::Bar(bar(games)),
            (false, false) => Watch::Lines { games, last: Instant::now() },
        }
    }

    pub(super) fn show(&mut self, progress: &Progress<'_>) {
        match self {
            Watch::Bar(bar) => {
                bar.set_position(progress.played);
                if let Some(part) = progress.parts.first() {
                    bar.set_message(part.line());
                }
            }
            Watch::Lines { games, last } => {
                let Some(part) = progress.parts.first() else { return };
                let counted = part.counted;
                if counted == 0 || last.elapsed() < LINE_EVERY && counted < *games {
                    return;
                }
                *last = Instant::now();
                // A closed standard error must not end the match.
                let line = part.line();
                let _ = writeln!(std::io::stderr(), "{counted}/{games} games  {line}");
            }
            Watch::Quiet => {}
        }
    }

    pub(super) fn finish(self) {
        if let Watch::Bar(bar) = self {
            bar.finish_and_clear();
        }
    }
}

fn bar(games: u64) -> ProgressBar {
    let bar = ProgressBar::with_draw_target(Some(games), ProgressDrawTarget::stderr());
    let style =
        ProgressStyle::with_template("{bar:20} {pos}/{len}  {eta_precise} left  {wide_msg}");
    if let Ok(style) = style {
        bar.set_style(style.progress_chars("━╸ "));
    }
    bar.enable_steady_tick(Duration::from_millis(500));
    bar
}
