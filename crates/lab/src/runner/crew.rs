//! The threads: each takes units in order and keeps the players of the part it is at.

use super::line::Playing;
use crate::LabError;
use spielbaum_core::Stop;
use std::any::Any;
use std::sync::mpsc::{Receiver, Sender};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

/// How often a thread says how many games it has played: waking another thread for each game
/// costs more than a quick game.
const TELL_EVERY: Duration = Duration::from_millis(100);

/// A unit to be played.
pub(crate) struct Order<'a> {
    /// The part it belongs to.
    pub(crate) part: usize,
    pub(crate) unit: u64,
    pub(crate) playing: Arc<dyn Playing<'a> + 'a>,
    /// Set when the part needs no more units.
    pub(crate) through: Stop,
}

/// A unit that was played, of whatever its part is: [`Done`](super::line::Done).
pub(crate) type Parcel = Box<dyn Any + Send>;

/// What a thread has to say.
pub(crate) enum Message {
    /// So many more games of a part are over, their unit not yet.
    Played { part: usize, items: u64 },
    /// Somebody waits until all that was delivered is counted, and what follows from it ordered.
    Counted(Sender<()>),
    /// What is to be told about the tasks of a batch system.
    Note(String),
    /// A unit is done, or it was not begun or given up because nobody needs it.
    Done { part: usize, unit: u64, result: Result<Option<Parcel>, LabError> },
}

/// One thread's part in the players of a part: built when first needed, dropped with it.
pub(crate) trait Hand {
    /// Plays a unit, or reads it where it is recorded. `after` is told each game that is over
    /// and says whether the rest is still wanted.
    fn play(
        &mut self,
        unit: u64,
        after: &mut dyn FnMut() -> bool,
    ) -> Result<Option<Parcel>, LabError>;
}

/// A thread: takes units in order until there are none. With `stop` none is begun any more;
/// with `halt` those begun are given up.
pub(crate) fn work<'a>(
    queue: &Mutex<Receiver<Order<'a>>>,
    results: &Sender<Message>,
    stop: &Stop,
    halt: &Stop,
) {
    // Units come part by part, so one part's players at a time are enough, and little memory.
    let mut hand: Option<(usize, Box<dyn Hand + 'a>)> = None;
    let take = || queue.lock().ok()?.recv().ok();
    while let Some(Order { part, unit, playing, through }) = take() {
        let guard = Guard { part, unit, results };
        let play = || {
            if stop.is_set() || halt.is_set() || through.is_set() {
                return Ok(None);
            }
            if hand.as_ref().is_none_or(|(at, _)| *at != part) {
                // The old players go before the new ones come.
                drop(hand.take());
                hand = Some((part, playing.hand()));
            }
            let Some((_, hand)) = &mut hand else { return Ok(None) };
            let (mut untold, mut when) = (0, Instant::now());
            let mut after = || {
                untold += 1;
                if when.elapsed() >= TELL_EVERY {
                    // Nobody listens any more after an error elsewhere.
                    let _ = results.send(Message::Played { part, items: untold });
                    (untold, when) = (0, Instant::now());
                }
                !halt.is_set() && !through.is_set()
            };
            hand.play(unit, &mut after)
        };
        let result = play();
        if results.send(Message::Done { part, unit, result }).is_err() {
            return;
        }
        drop(guard);
    }
}

/// Tells the run that a thread panicked, which would otherwise wait for its unit for ever.
struct Guard<'a> {
    part: usize,
    unit: u64,
    results: &'a Sender<Message>,
}

impl Drop for Guard<'_> {
    fn drop(&mut self) {
        if std::thread::panicking() {
            let error = LabError::Request(format!("a player panicked in unit {}", self.unit));
            let (part, unit, result) = (self.part, self.unit, Err(error));
            let _ = self.results.send(Message::Done { part, unit, result });
        }
    }
}
