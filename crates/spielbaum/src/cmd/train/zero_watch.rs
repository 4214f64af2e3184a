//! How a training goes, while it goes: a bar on a terminal, lines in a log.

use crate::layout;
use crate::screen::{self, Screen};
use spielbaum_zero::train::{Event, Point, Timing, TrialPoint};
use std::io::Write;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

/// Lines about iterations are at least this far apart.
const LINE_EVERY: Duration = Duration::from_secs(10);

/// The bar is drawn at most so often.
const DRAW_EVERY: Duration = Duration::from_millis(100);

/// Shows a training on standard error.
pub(super) struct Watch {
    quiet: bool,
    time: Option<Duration>,
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    /// The bar, on a terminal.
    screen: Option<Screen>,
    /// Games of this round of self-play, and how many are done.
    games: u64,
    done: u64,
    drawn: Option<Instant>,
    last: Option<Instant>,
}

impl Watch {
    pub(super) fn new(quiet: bool, time: Option<Duration>) -> Self {
        let seen = !quiet && Screen::is_there();
        let state = State { screen: seen.then(Screen::default), ..State::default() };
        Watch { quiet, time, state: Mutex::new(state) }
    }

    pub(super) fn see(&self, event: &Event<'_>) {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        match event {
            Event::Playing(games) => (state.games, state.done) = (*games, 0),
            Event::Game => {
                state.done += 1;
                state.draw();
            }
            Event::Iteration(point, timing) => {
                if state.last.is_none_or(|at| at.elapsed() >= LINE_EVERY) {
                    state.last = Some(Instant::now());
                    self.say(&mut state, &iteration(point, timing, self.time));
                }
            }
            Event::Trial(trial) => self.say(&mut state, &result(trial)),
        }
    }

    pub(super) fn finish(&self) {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        state.screen.iter_mut().for_each(Screen::clear);
    }

    fn say(&self, state: &mut State, line: &str) {
        state.screen.iter_mut().for_each(Screen::clear);
        if !self.quiet {
            // Nobody is left to tell if standard error is closed.
            let _ = writeln!(std::io::stderr(), "{line}");
        }
    }
}

impl State {
    fn draw(&mut self) {
        let State { screen: Some(screen), games, done, drawn, .. } = self else { return };
        if drawn.is_none_or(|at| at.elapsed() >= DRAW_EVERY) {
            *drawn = Some(Instant::now());
            let share = *done as f64 / (*games).max(1) as f64;
            screen.draw(&[screen::bar(share, &format!("self-play: {done} of {games} games"))]);
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
