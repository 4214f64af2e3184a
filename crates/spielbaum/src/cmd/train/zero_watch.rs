//! How a training goes, while it goes: a bar on a terminal, lines in a log.

use crate::layout;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use spielbaum_zero::train::{Event, Point, Timing, TrialPoint};
use std::io::{IsTerminal, Write};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

/// Lines about iterations are at least this far apart.
const LINE_EVERY: Duration = Duration::from_secs(10);

/// Shows a training on standard error.
pub(super) struct Watch {
    quiet: bool,
    bar: ProgressBar,
    time: Option<Duration>,
    last: Mutex<Option<Instant>>,
}

impl Watch {
    pub(super) fn new(quiet: bool, time: Option<Duration>) -> Self {
        let target = match !quiet && std::io::stderr().is_terminal() {
            true => ProgressDrawTarget::stderr(),
            false => ProgressDrawTarget::hidden(),
        };
        let bar = ProgressBar::with_draw_target(Some(0), target);
        if let Ok(style) = ProgressStyle::with_template("self-play {bar:30} {pos}/{len} games") {
            bar.set_style(style);
        }
        Watch { quiet, bar, time, last: Mutex::new(None) }
    }

    pub(super) fn see(&self, event: &Event<'_>) {
        match event {
            Event::Playing(games) => {
                self.bar.reset();
                self.bar.set_length(*games);
            }
            Event::Game => self.bar.inc(1),
            Event::Iteration(point, timing) => {
                let mut last = self.last.lock().unwrap_or_else(PoisonError::into_inner);
                if last.is_none_or(|at| at.elapsed() >= LINE_EVERY) {
                    *last = Some(Instant::now());
                    self.say(&iteration(point, timing, self.time));
                }
            }
            Event::Trial(trial) => self.say(&result(trial)),
        }
    }

    pub(super) fn finish(&self) {
        self.bar.finish_and_clear();
    }

    fn say(&self, line: &str) {
        if !self.quiet {
            self.bar.suspend(|| {
                // Nobody is left to tell if standard error is closed.
                let _ = writeln!(std::io::stderr(), "{line}");
            });
        }
    }
}

fn iteration(point: &Point, timing: &Timing, time: Option<Duration>) -> String {
    let of = time.map_or(String::new(), |t| format!(" of {}", layout::seconds(t.as_secs_f64())));
    let spent = layout::seconds(timing.seconds);
    let games = layout::count(point.games);
    let rate = point.results.iter().sum::<u64>() as f64 / timing.self_play.max(1e-9);
    let mut line = format!("{spent}{of}  {games} games  {rate:.1} games/s");
    if point.steps > 0 {
        let (loss, entropy, kl) = (point.loss, point.entropy, point.kl);
        let [_, explained] = point.explained;
        line += &format!("  loss {loss:.3}  entropy {entropy:.2}  kl {kl:.4}");
        line += &format!("  explained {explained:.2}  rate {:.5}", point.rate);
    }
    line
}

fn result(trial: &TrialPoint) -> String {
    let [w1, d1, l1] = trial.first;
    let [w2, d2, l2] = trial.second;
    let (games, uct) = (layout::count(trial.games), layout::count(trial.uct));
    format!(
        "after {games} games against UCT {uct}: first {w1}+ {d1}= {l1}-, second {w2}+ {d2}= {l2}-, \
         strength {}",
        trial.strength
    )
}
