//! Some units of a run, one task's share: each is published as soon as it is played.

use super::assignment::{Assignment, Place};
use super::crew::{self, Message, Order};
use crate::LabError;
use spielbaum_core::Stop;
use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
use std::sync::Mutex;
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::time::{Duration, Instant};

/// How often it is seen whether to stop, and whether a part needs no more units.
const LOOK_EVERY: Duration = Duration::from_millis(100);
const ASK_EVERY: Duration = Duration::from_secs(2);

/// Plays units, given by part and number, that are not recorded yet; how many it published.
/// Units of a part that is `complete` are not needed any more. With `stop`, units begun are given
/// up after the game that is being played.
pub(crate) fn play_units(
    parts: &[Assignment<'_>],
    place: Place<'_>,
    units: &[(usize, u64)],
    jobs: usize,
    stop: &Stop,
    complete: &dyn Fn(usize) -> bool,
) -> Result<u64, LabError> {
    let halt = Stop::new();
    let (orders, queue) = channel();
    let queue = Mutex::new(queue);
    let (sender, messages) = channel();
    std::thread::scope(|scope| {
        for _ in 0..jobs.max(1) {
            let (queue, halt, sender) = (&queue, &halt, sender.clone());
            scope.spawn(move || crew::work(queue, &sender, stop, halt));
        }
        drop(sender);
        let mut open = BTreeMap::new();
        for &(part, unit) in units {
            let (_, playing, through) = match open.entry(part) {
                Entry::Occupied(there) => there.into_mut(),
                Entry::Vacant(new) => {
                    let line = parts[part].open(place)?;
                    let playing = line.playing();
                    new.insert((line, playing, Stop::new()))
                }
            };
            let (playing, through) = (playing.clone(), through.clone());
            // The threads are there until the queue is dropped.
            let _ = orders.send(Order { part, unit, playing, through });
        }
        drop(orders);
        let (mut published, mut asked) = (0, None::<Instant>);
        loop {
            if stop.is_set() {
                halt.set();
            }
            if asked.is_none_or(|when| when.elapsed() >= ASK_EVERY) {
                asked = Some(Instant::now());
                for (&part, (_, _, through)) in &open {
                    if complete(part) {
                        through.set();
                    }
                }
            }
            let message = match messages.recv_timeout(LOOK_EVERY) {
                Ok(message) => message,
                Err(RecvTimeoutError::Timeout) => continue,
                Err(RecvTimeoutError::Disconnected) => return Ok(published),
            };
            let Message::Done { part, unit, result } = message else { continue };
            let result = result.and_then(|parcel| match (parcel, open.get_mut(&part)) {
                (Some(parcel), Some((line, ..))) if !complete(part) => line.publish(unit, parcel),
                _ => Ok(false),
            });
            match result {
                Ok(played) => published += u64::from(played),
                Err(e) => {
                    halt.set();
                    return Err(e);
                }
            }
        }
    })
}
