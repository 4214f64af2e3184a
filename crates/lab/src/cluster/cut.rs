//! Missing units → tasks: a pure function of their number and about how long they take.

use std::ops::Range;
use std::time::Duration;

/// A task costs a batch system about a second, so it should take a minute at least; one of
/// more than ten is long to wait for, and much to lose.
const SHORT: f64 = 60.0;
const LONG: f64 = 600.0;

/// As many tasks are welcome, before they become longer than [`SHORT`].
const WELCOME: f64 = 100.0;

/// How units are cut into tasks.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Cut {
    /// Most tasks in one submission.
    pub tasks: usize,
    /// About how long a task takes; `None`: one to ten minutes, as much as there is to do.
    pub time: Option<Duration>,
}

impl Cut {
    /// Cuts units that take so many seconds each, in order, into tasks of about the same
    /// length: at least one unit in each, and at most as many tasks as allowed.
    ///
    /// ```
    /// use spielbaum_lab::cluster::Cut;
    /// let cut = Cut { tasks: 1000, time: None };
    /// assert_eq!(cut.tasks(&[30.0; 6]), [0..2, 2..4, 4..6]);
    /// assert_eq!(Cut { tasks: 2, ..cut }.tasks(&[30.0; 6]), [0..3, 3..6]);
    /// ```
    pub fn tasks(&self, seconds: &[f64]) -> Vec<Range<usize>> {
        // What is no time counts as a moment.
        let length = |s: f64| if s.is_finite() { s.max(1e-6) } else { LONG };
        let total: f64 = seconds.iter().map(|&s| length(s)).sum();
        let wanted = match self.time {
            Some(time) => time.as_secs_f64().max(1e-3),
            None => (total / WELCOME).clamp(SHORT, LONG),
        };
        let number = (total / wanted).ceil().clamp(1.0, self.tasks.max(1) as f64);
        let each = total / number;
        let mut tasks: Vec<Range<usize>> = Vec::new();
        let (mut before, mut last) = (0.0, None);
        for (i, &s) in seconds.iter().enumerate() {
            // A unit belongs to the task in whose time its middle lies.
            let task = ((before + length(s) / 2.0) / each).floor().min(number - 1.0);
            match tasks.last_mut() {
                Some(range) if last == Some(task) => range.end = i + 1,
                _ => tasks.push(i..i + 1),
            }
            last = Some(task);
            before += length(s);
        }
        tasks
    }
}

/// Units of a part with a sequential test that are submitted after `done` of them: a tenth of
/// all at first, then half as many as are done. So at most a third of the work is in vain, or a
/// tenth of all, and there are six waves at most.
pub(crate) fn wave_size(done: u64, units: u64) -> u64 {
    units.div_ceil(10).max(done / 2).max(1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn tasks_take_one_to_ten_minutes() {
        let cut = Cut { tasks: 1000, time: None };
        assert_eq!(cut.tasks(&[]), []);
        assert_eq!(cut.tasks(&[1.0; 30]), vec![Range { start: 0, end: 30 }]);
        // Two hours: a hundred tasks. A week: of ten minutes each.
        assert_eq!(cut.tasks(&[1.0; 7200]).len(), 100);
        assert_eq!(cut.tasks(&[10.0; 60_480]).len(), 1000);
        assert_eq!(Cut { tasks: 5000, ..cut }.tasks(&[10.0; 60_480]).len(), 1008);
        // A unit is not cut.
        assert_eq!(cut.tasks(&[5000.0; 3]), [0..1, 1..2, 2..3]);
        let quick = Cut { time: Some(Duration::from_secs(2)), ..cut };
        assert_eq!(quick.tasks(&[1.0; 6]), [0..2, 2..4, 4..6]);
    }

    #[test]
    fn waves_are_few() {
        for units in [1, 2, 7, 10, 100, 1234] {
            let (mut done, mut waves) = (0, 0);
            while done < units {
                done += wave_size(done, units);
                waves += 1;
            }
            assert!(waves <= 7, "{units} units in {waves} waves");
        }
        assert_eq!((wave_size(0, 100), wave_size(40, 100)), (10, 20));
    }

    proptest! {
        #[test]
        fn every_unit_is_in_one_task(
            seconds in prop::collection::vec(prop_oneof![0.0..1e4_f64, Just(f64::NAN), Just(0.0)], 0..200),
            tasks in 0..50_usize,
            time in prop::option::of(0..100_u64),
        ) {
            let cut = Cut { tasks, time: time.map(Duration::from_secs) };
            let cut = cut.tasks(&seconds);
            prop_assert!(cut.len() <= tasks.max(1));
            let all: Vec<usize> = cut.into_iter().flatten().collect();
            prop_assert_eq!(all, (0..seconds.len()).collect::<Vec<_>>());
        }
    }
}
