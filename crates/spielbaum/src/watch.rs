//! How a run goes: bars on a terminal, a line now and then in a log.

use crate::layout;
use indicatif::{MultiProgress, ProgressBar, ProgressDrawTarget, ProgressStyle};
use spielbaum_lab::{PartProgress, Progress};
use std::io::{IsTerminal, Write};
use std::time::{Duration, Instant};

/// Lines in a log are at least this far apart.
const LINE_EVERY: Duration = Duration::from_secs(10);

/// A terminal is drawn at most so often.
const DRAW_EVERY: Duration = Duration::from_millis(100);

/// Parts at work that are shown.
const SHOWN: usize = 6;

/// Steps of the bar over all.
const STEPS: u64 = 10_000;

/// Shows the progress on standard error.
pub(crate) struct Watch {
    screen: Screen,
    /// What parts are called; a run of one part has no need of a name.
    names: Vec<String>,
    begun: Instant,
    last: Option<Instant>,
}

enum Screen {
    Bars { all: MultiProgress, over: ProgressBar, parts: Vec<ProgressBar> },
    Lines,
    Quiet,
}

impl Watch {
    pub(crate) fn new(names: Vec<String>, quiet: bool) -> Self {
        let screen = match (quiet, std::io::stderr().is_terminal()) {
            (true, _) => Screen::Quiet,
            (false, true) => {
                let all = MultiProgress::with_draw_target(ProgressDrawTarget::stderr());
                let over = all.add(bar());
                Screen::Bars { all, over, parts: Vec::new() }
            }
            (false, false) => Screen::Lines,
        };
        Watch { screen, names, begun: Instant::now(), last: None }
    }

    pub(crate) fn show(&mut self, progress: &Progress<'_>) {
        let since = |last: Instant| last.elapsed();
        match &mut self.screen {
            Screen::Bars { all, over, parts } => {
                if self.last.map(since).is_some_and(|time| time < DRAW_EVERY) {
                    return;
                }
                self.last = Some(Instant::now());
                over.set_position((progress.share[0] * STEPS as f64) as u64);
                over.set_message(overall(progress, self.begun, self.names.len()));
                while parts.len() < progress.parts.len().min(SHOWN) {
                    parts.push(all.add(line()));
                }
                let at_work: Vec<_> = at_work(progress).collect();
                for (i, shown) in parts.iter().enumerate() {
                    shown.set_message(at_work.get(i).map_or(String::new(), |part| {
                        let name = name_of(&self.names, part.part);
                        format!("  {name}{}/{}  {}", part.played, part.games, part.line())
                    }));
                }
            }
            Screen::Lines => {
                for (part, games, line) in progress.ended {
                    let name = name_of(&self.names, *part);
                    self.last = Some(Instant::now());
                    tell(&format!("{name}{games}/{games} games  {line}"));
                }
                let due = self.last.unwrap_or(self.begun).elapsed() >= LINE_EVERY;
                if due && !progress.parts.is_empty() {
                    self.last = Some(Instant::now());
                    if self.names.len() > 1 || !progress.note.is_empty() {
                        tell(&overall(progress, self.begun, self.names.len()));
                    }
                    for part in at_work(progress) {
                        let name = name_of(&self.names, part.part);
                        let (counted, games) = (part.counted, part.games);
                        tell(&format!("{name}{counted}/{games} games  {}", part.line()));
                    }
                }
            }
            Screen::Quiet => {}
        }
    }

    pub(crate) fn finish(self) {
        if let Screen::Bars { all, .. } = self.screen {
            let _ = all.clear();
        }
    }
}

/// The parts that are shown. On a cluster all are at work, and most have nothing to show yet.
fn at_work<'p>(progress: &'p Progress<'_>) -> impl Iterator<Item = &'p PartProgress<'p>> {
    let on_cluster = !progress.note.is_empty();
    progress.parts.iter().filter(move |part| part.played > 0 || !on_cluster).take(SHOWN)
}

/// A closed standard error must not end the run.
fn tell(line: &str) {
    let _ = writeln!(std::io::stderr(), "{}", line.trim_end());
}

fn name_of(names: &[String], part: usize) -> String {
    match names {
        [_] => String::new(),
        names => names.get(part).map_or(String::new(), |name| format!("{name}  ")),
    }
}

/// `120/5600 games  3/28 parts  4 min 5 s left`
fn overall(progress: &Progress<'_>, begun: Instant, parts: usize) -> String {
    let mut text = format!("{}/{} games", progress.played, progress.games);
    if parts > 1 {
        text += &format!("  {}/{parts} parts", progress.through);
    }
    let [done, before] = progress.share;
    // What was recorded before says nothing about the time.
    if done > before {
        let left = begun.elapsed().as_secs_f64() * (1.0 - done) / (done - before);
        text += &format!("  {} left", layout::seconds(left.max(0.0)));
    }
    if !progress.note.is_empty() {
        text += &format!("  {}", progress.note.lines().next().unwrap_or_default());
    }
    text
}

fn bar() -> ProgressBar {
    let bar = ProgressBar::new(STEPS);
    if let Ok(style) = ProgressStyle::with_template("{bar:20} {percent:>3} %  {wide_msg}") {
        bar.set_style(style.progress_chars("━╸ "));
    }
    bar
}

fn line() -> ProgressBar {
    let line = ProgressBar::new(1);
    if let Ok(style) = ProgressStyle::with_template("{wide_msg}") {
        line.set_style(style);
    }
    line
}
