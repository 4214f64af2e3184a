//! How a run goes: bars on a terminal, a line now and then in a log.

use crate::layout;
use crate::screen::{Screen, bar};
use spielbaum_lab::{PartProgress, Progress, TrapSearch};
use std::io::Write;
use std::time::{Duration, Instant};

/// Lines in a log are at least this far apart.
const LINE_EVERY: Duration = Duration::from_secs(10);

/// A terminal is drawn at most so often.
const DRAW_EVERY: Duration = Duration::from_millis(100);

/// Parts at work that are shown.
const SHOWN: usize = 6;

/// Shows the progress on standard error.
pub(crate) struct Watch {
    manner: Manner,
    /// What parts are called; a run of one part has no need of a name.
    names: Vec<String>,
    begun: Instant,
    /// Since when games are searched for traps.
    searching: Option<Instant>,
    last: Option<Instant>,
}

enum Manner {
    Bars(Screen),
    Lines,
    Quiet,
}

impl Watch {
    pub(crate) fn new(names: Vec<String>, quiet: bool) -> Self {
        let manner = match (quiet, Screen::is_there()) {
            (true, _) => Manner::Quiet,
            (false, true) => Manner::Bars(Screen::default()),
            (false, false) => Manner::Lines,
        };
        Watch { manner, names, begun: Instant::now(), searching: None, last: None }
    }

    pub(crate) fn show(&mut self, progress: &Progress<'_>) {
        if let Some(traps) = &progress.traps {
            return self.search(traps, progress.share[0]);
        }
        let since = |last: Instant| last.elapsed();
        match &mut self.manner {
            Manner::Bars(screen) => {
                if self.last.map(since).is_some_and(|time| time < DRAW_EVERY) {
                    return;
                }
                self.last = Some(Instant::now());
                let words = overall(progress, self.begun, self.names.len());
                let parts = at_work(progress).map(|part| {
                    let name = name_of(&self.names, part.part);
                    format!("  {name}{}/{}  {}", part.played, part.games, part.line())
                });
                let lines: Vec<String> =
                    [bar(progress.share[0], &words)].into_iter().chain(parts).collect();
                screen.draw(&lines);
            }
            Manner::Lines => {
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
            Manner::Quiet => {}
        }
    }

    /// Shows how far the trap profiles are, which come after the games.
    fn search(&mut self, traps: &TrapSearch, share: f64) {
        let begun = *self.searching.get_or_insert_with(Instant::now);
        let every = if let Manner::Bars(_) = self.manner { DRAW_EVERY } else { LINE_EVERY };
        if self.last.unwrap_or(begun).elapsed() < every {
            return;
        }
        self.last = Some(Instant::now());
        let mut text = format!("{}/{} games searched for traps", traps.done, traps.games);
        text += &left(begun, [share, 0.0]);
        let name = name_of(&self.names, traps.part);
        match &mut self.manner {
            Manner::Bars(screen) => screen.draw(&[bar(share, &text), format!("  {name}")]),
            Manner::Lines => tell(&format!("{name}{text}")),
            Manner::Quiet => {}
        }
    }

    /// Takes the bars away.
    pub(crate) fn finish(self) {
        drop(self);
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
    text += &left(begun, progress.share);
    if !progress.note.is_empty() {
        text += &format!("  {}", progress.note.lines().next().unwrap_or_default());
    }
    text
}

/// `  5 s left`, by the share that is done and the one that was recorded before, which says
/// nothing about the time.
fn left(begun: Instant, [done, before]: [f64; 2]) -> String {
    if done <= before {
        return String::new();
    }
    let left = begun.elapsed().as_secs_f64() * (1.0 - done) / (done - before);
    format!("  {} left", layout::about(left))
}

#[cfg(test)]
mod tests {
    use crate::catalog::GAMES;
    use spielbaum_core::Stop;
    use spielbaum_lab::{Access, Experiment, RunDir, RunOptions, Source, TrapSearch};

    #[test]
    fn trap_profiles_tell_how_far_they_are() {
        let text = "game = 'lion'\nformat = 'match'\ngames = 6\ntraps = 3\n\
                    players = ['uct:iterations=[10,20]', 'random']\n";
        let options = RunOptions::default();
        let experiment = Experiment::parse(Source::new("traps.toml", text), options, GAMES);
        let experiment = experiment.unwrap_or_else(|mistakes| panic!("{mistakes}"));
        let dir = std::env::temp_dir().join(format!("spielbaum-watch-{}", std::process::id()));
        let place = RunDir::create(&dir, &experiment, Access::Alone).unwrap();
        let mut told: Vec<TrapSearch> = Vec::new();
        let mut note = |progress: &spielbaum_lab::Progress<'_>| told.extend(progress.traps);
        let run = |note: spielbaum_lab::Watcher<'_>| {
            place.run(&experiment, &|_| true, GAMES, 2, &Stop::new(), note).unwrap();
        };
        run(&mut note);
        assert!(told.is_sorted_by_key(|search| (search.part, search.done)), "{told:?}");
        assert_eq!(told.first().map(|search| (search.part, search.games)), Some((0, 12)));
        assert_eq!(told.last(), Some(&TrapSearch { part: 1, done: 12, games: 12 }));
        // What is there is not searched again.
        let before = told.len();
        let mut again = |progress: &spielbaum_lab::Progress<'_>| told.extend(progress.traps);
        run(&mut again);
        assert_eq!(told.len(), before);
        drop(place);
        std::fs::remove_dir_all(dir).unwrap();
    }
}
