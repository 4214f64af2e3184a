//! What a comparison looks at: a value, or how much larger one is than another.

use super::super::{Measured, difference};
use crate::stats::{Estimate, Level};

/// How parts that are not complete are looked at.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Look {
    /// As at games of which nobody knows how many there will be.
    AnyTime,
    /// As if no game were to come.
    Last,
}

/// What is compared with a limit.
#[derive(Clone, Copy)]
pub(super) enum Compared<'a> {
    /// A value.
    Value(&'a Measured),
    /// By how much a value is above so many times another.
    Difference(&'a Measured, &'a Measured, f64),
}

/// The values behind a comparison, and the interval that it is decided by.
#[derive(Clone, Copy)]
pub(super) struct Told {
    pub(super) first: Estimate,
    /// The first again where there is no other.
    pub(super) second: Estimate,
    pub(super) interval: [f64; 2],
}

impl Compared<'_> {
    pub(super) fn is_complete(self) -> bool {
        match self {
            Compared::Value(value) => value.complete,
            Compared::Difference(a, b, _) => a.complete && b.complete,
        }
    }

    /// The values with their intervals; `None` if one was not measured.
    pub(super) fn at(self, level: Level, look: Look) -> Option<Told> {
        match self {
            Compared::Value(value) => {
                let first = estimate(value, level, look)?;
                Some(Told { first, second: first, interval: first.interval })
            }
            Compared::Difference(a, b, factor) => {
                if is_unplanned(a, look) || is_unplanned(b, look) {
                    // Both intervals have to hold, whenever one looks: a part that is complete before the other
                    // is not looked at in a third way.
                    let each = level.bonferroni(2);
                    let (first, second) = (a.at_any_time(each)?, b.at_any_time(each)?);
                    let [low, high] = second.interval.map(|x| x * factor);
                    let interval = [first.interval[0] - high, first.interval[1] - low];
                    return Some(Told { first, second, interval });
                }
                let (first, second) = (a.at(level)?, b.at(level)?);
                let times = second.map(|x| x * factor);
                Some(Told {
                    first,
                    second,
                    interval: difference(first, times.value, times.interval),
                })
            }
        }
    }
}

/// Whether the number of games was not fixed before they were looked at.
fn is_unplanned(measured: &Measured, look: Look) -> bool {
    measured.unplanned || !measured.complete && look == Look::AnyTime
}

/// A value with its interval, by how its part is looked at; `None` if nothing was measured.
pub(super) fn estimate(measured: &Measured, level: Level, look: Look) -> Option<Estimate> {
    if is_unplanned(measured, look) { measured.at_any_time(level) } else { measured.at(level) }
}
