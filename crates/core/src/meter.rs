//! The meter that counts what a search spends, and the flag that stops it.

use crate::Limits;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// A flag that stops a search from outside. Clones share it.
#[derive(Clone, Debug, Default)]
pub struct Stop(Arc<AtomicBool>);

impl Stop {
    /// A flag that is not set.
    pub fn new() -> Self {
        Self::default()
    }

    /// Asks every search that holds this flag to answer at once.
    pub fn set(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    /// Withdraws the request.
    pub fn clear(&self) {
        self.0.store(false, Ordering::Relaxed);
    }

    /// Whether it is set.
    pub fn is_set(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}

/// Counts what a search spends and says when to stop.
///
/// Counting is one addition and one comparison; clock and stop flag are looked at every few
/// plays, about every half millisecond. Node and iteration limits are exact.
///
/// ```
/// use spielbaum_core::{Limits, Meter, Stop};
/// let mut meter = Meter::new(Limits::nodes(3), Stop::new());
/// assert!(meter.node() && meter.node() && !meter.node());
/// assert_eq!(meter.nodes(), 3);
/// ```
#[derive(Debug)]
pub struct Meter {
    nodes: u64,
    /// `nodes` at which the meter next looks up.
    look_at: u64,
    node_limit: u64,
    iterations: u64,
    iteration_limit: u64,
    depth_limit: u32,
    started: Instant,
    deadline: Option<Instant>,
    stop: Stop,
    stopped: bool,
    expired: bool,
    /// Plays between two looks at the clock, and when the last one was.
    stride: u64,
    looked: Instant,
    due: bool,
    next_due: Instant,
}

/// The most plays between two looks at clock and stop flag.
const MAX_STRIDE: u64 = 1024;
/// How long a stride should take.
const LOOK_EVERY: Duration = Duration::from_micros(500);
/// How often a live report is due.
const REPORT_EVERY: Duration = Duration::from_millis(100);

impl Meter {
    /// Starts the clock.
    pub fn new(limits: Limits, stop: Stop) -> Self {
        let now = Instant::now();
        let clock = limits.clock.map(|c| c.allotment());
        let time = match (limits.time, clock) {
            (Some(a), Some(b)) => Some(a.min(b)),
            (a, b) => a.or(b),
        };
        let node_limit = limits.nodes.unwrap_or(u64::MAX);
        let stride = 16;
        Meter {
            nodes: 0,
            look_at: node_limit.min(stride),
            node_limit,
            iterations: 0,
            iteration_limit: limits.iterations.unwrap_or(u64::MAX),
            depth_limit: limits.depth.unwrap_or(u32::MAX),
            started: now,
            deadline: time.and_then(|t| now.checked_add(t)),
            stop,
            stopped: false,
            expired: false,
            stride,
            looked: now,
            due: false,
            next_due: now + REPORT_EVERY,
        }
    }

    /// Counts one play; `false` when the search should end now.
    #[inline]
    pub fn node(&mut self) -> bool {
        self.plays(1)
    }

    /// Counts `n` plays; `false` when the search should end now.
    #[inline]
    pub fn plays(&mut self, n: u64) -> bool {
        self.nodes += n;
        if self.nodes < self.look_at { !self.stopped } else { self.look() }
    }

    /// Whether some of the budget of plays is left after `n` more.
    #[inline]
    pub fn has_plays(&self, n: u64) -> bool {
        self.nodes.saturating_add(n) < self.node_limit
    }

    /// Asks for one more simulation or root iteration and counts it if granted.
    #[inline]
    pub fn iteration(&mut self) -> bool {
        if self.iterations >= self.iteration_limit || self.stopped {
            self.stopped = true;
            return false;
        }
        self.iterations += 1;
        true
    }

    #[cold]
    fn look(&mut self) -> bool {
        let now = Instant::now();
        self.expired |= self.deadline.is_some_and(|d| now >= d) || self.stop.is_set();
        if self.nodes >= self.node_limit || self.expired {
            self.stopped = true;
        }
        self.due = now >= self.next_due;
        // Plays differ by a factor of a thousand between games: keep looks evenly spaced in time.
        let gap = now - self.looked;
        self.looked = now;
        if gap < LOOK_EVERY / 2 {
            self.stride = (self.stride * 2).min(MAX_STRIDE);
        } else if gap > LOOK_EVERY {
            self.stride = (self.stride / 2).max(1);
        }
        self.look_at = (self.nodes + self.stride).min(self.node_limit.max(self.nodes + 1));
        !self.stopped
    }

    /// Looks at the clock and the stop flag now, for searches that work long without a play.
    pub fn check(&mut self) -> bool {
        self.look()
    }

    /// Whether the search may look `plies` deep.
    #[inline]
    pub fn allows_depth(&self, plies: u32) -> bool {
        plies <= self.depth_limit
    }

    /// The greatest depth, if there is a limit: for searches that go there at once.
    pub fn depth_limit(&self) -> Option<u32> {
        (self.depth_limit < u32::MAX).then_some(self.depth_limit)
    }

    /// Whether there is no limit, but for being stopped from outside.
    pub fn is_unlimited(&self) -> bool {
        !self.may_run_out() && self.iteration_limit == u64::MAX && self.depth_limit == u32::MAX
    }

    /// Whether plays or time are limited, so that a search may have to end in the middle of a depth.
    pub fn may_run_out(&self) -> bool {
        self.node_limit < u64::MAX || self.deadline.is_some()
    }

    /// Whether the search should end.
    #[inline]
    pub fn is_stopped(&self) -> bool {
        self.stopped
    }

    /// Whether the time is up or the search was stopped from outside, so that even a simulation
    /// must not go on; the other limits let it end.
    #[inline]
    pub fn is_expired(&self) -> bool {
        self.expired
    }

    /// Plays so far.
    pub fn nodes(&self) -> u64 {
        self.nodes
    }

    /// Simulations or root iterations so far.
    pub fn iterations(&self) -> u64 {
        self.iterations
    }

    /// Time since the search began.
    pub fn elapsed(&self) -> Duration {
        self.started.elapsed()
    }

    /// The meter of worker `i` of `of` that search side by side: its share of the plays and
    /// simulations that are left, the same end of the time, the same stop flag. Shares depend on
    /// the numbers alone, never on the machine; they add up to what is left.
    pub fn part(&self, i: u64, of: u64) -> Meter {
        let share = |limit: u64, spent: u64| match limit {
            u64::MAX => u64::MAX,
            _ => {
                let left = limit.saturating_sub(spent);
                left / of + u64::from(i < left % of)
            }
        };
        let now = Instant::now();
        let node_limit = share(self.node_limit, self.nodes);
        Meter {
            nodes: 0,
            look_at: node_limit.min(16),
            node_limit,
            iterations: 0,
            iteration_limit: share(self.iteration_limit, self.iterations),
            depth_limit: self.depth_limit,
            started: now,
            deadline: self.deadline,
            stop: self.stop.clone(),
            stopped: false,
            expired: false,
            stride: 16,
            looked: now,
            due: false,
            next_due: now + REPORT_EVERY,
        }
    }

    /// As [`part`](Meter::part), for searches one after another: each of them also has its share
    /// of the time.
    pub fn turn(&self, i: u64, of: u64) -> Meter {
        let mut meter = self.part(i, of);
        if let Some(deadline) = self.deadline {
            let left = deadline.saturating_duration_since(meter.started);
            let turns = u32::try_from(of - i).unwrap_or(u32::MAX);
            meter.deadline = meter.started.checked_add(left / turns);
        }
        meter
    }

    /// How many of `of` workers have something to spend, at least one.
    pub fn parts(&self, of: u64) -> u64 {
        let left = |limit: u64, spent: u64| limit.saturating_sub(spent);
        let nodes = left(self.node_limit, self.nodes);
        let iterations = left(self.iteration_limit, self.iterations);
        of.min(nodes).min(iterations).max(1)
    }

    /// Counts what workers have spent.
    pub fn charge(&mut self, iterations: u64, nodes: u64) {
        self.iterations += iterations;
        self.plays(nodes);
    }

    /// The largest share of a limit that is spent, from 0 to 1; 0 if there is none. With a limit
    /// of time it depends on the clock, as that search does anyway.
    pub fn progress(&self) -> f64 {
        let share = |spent: u64, limit: u64| match limit {
            u64::MAX => 0.0,
            _ => spent as f64 / limit.max(1) as f64,
        };
        let time = self.deadline.map_or(0.0, |deadline| {
            let whole = deadline.saturating_duration_since(self.started).as_secs_f64();
            self.looked.duration_since(self.started).as_secs_f64() / whole.max(1e-9)
        });
        let counted =
            share(self.nodes, self.node_limit).max(share(self.iterations, self.iteration_limit));
        counted.max(time).min(1.0)
    }

    /// Whether a live report is due; resets the alarm.
    pub(crate) fn take_due(&mut self) -> bool {
        let due = self.due;
        if due {
            self.due = false;
            self.next_due = self.looked + REPORT_EVERY;
        }
        due
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn node_limits_are_exact_whatever_the_step() {
        for limit in [1, 15, 16, 17, 1000, 5000] {
            for step in [1, 7, 100] {
                let mut meter = Meter::new(Limits::nodes(limit), Stop::new());
                let mut made = 0;
                loop {
                    made += step;
                    if !meter.plays(step) {
                        break;
                    }
                }
                assert_eq!(made, limit.div_ceil(step) * step, "limit {limit} step {step}");
                assert_eq!(meter.nodes(), made);
            }
        }
    }

    #[test]
    fn iteration_limits_are_exact() {
        let mut meter = Meter::new(Limits::iterations(5), Stop::new());
        assert_eq!(std::iter::from_fn(|| meter.iteration().then_some(())).count(), 5);
    }

    #[test]
    fn the_parts_of_a_budget_add_up_to_it() {
        for (limit, workers) in [(10, 3), (3, 8), (1, 2), (1000, 7)] {
            let mut meter = Meter::new(Limits::iterations(limit + 2), Stop::new());
            assert!(meter.iteration() && meter.iteration());
            let parts = meter.parts(workers);
            assert_eq!(parts, workers.min(limit));
            let mut sum = 0;
            for i in 0..parts {
                let mut part = meter.part(i, parts);
                let share = std::iter::from_fn(|| part.iteration().then_some(())).count() as u64;
                assert!(share > 0 && share.abs_diff(limit / parts) <= 1);
                assert!((part.progress() - 1.0).abs() < 1e-12);
                sum += share;
            }
            assert_eq!(sum, limit);
            meter.charge(sum, 0);
            assert!(!meter.iteration());
        }
    }

    #[test]
    fn a_stop_is_seen_within_a_stride() {
        let stop = Stop::new();
        let mut meter = Meter::new(Limits::default(), stop.clone());
        stop.set();
        let seen = (0..=MAX_STRIDE).take_while(|_| meter.node()).count() as u64;
        assert!(seen <= MAX_STRIDE);
    }

    #[test]
    fn slow_plays_do_not_overrun_the_time() {
        let budget = Duration::from_millis(30);
        let mut meter = Meter::new(Limits::time(budget), Stop::new());
        while meter.node() {
            std::thread::sleep(Duration::from_micros(200));
        }
        assert!(meter.elapsed() < budget + Duration::from_millis(20), "{:?}", meter.elapsed());
    }
}
