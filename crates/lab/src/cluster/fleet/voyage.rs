//! One run with a fleet: orders come in, units come back.

use super::{Fleet, Wave};
use crate::LabError;
use crate::runner::{Message, Order};
use spielbaum_core::Stop;
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::time::{Duration, Instant};

/// How often directory and queue are looked at: soon after a submission, then a twentieth of
/// the time since, so that short runs are not kept waiting and schedulers not disturbed.
const OFTEN: Duration = Duration::from_millis(500);
const SELDOM: Duration = Duration::from_secs(15);

/// How soon it is seen that the run is to stop.
const A_MOMENT: Duration = Duration::from_millis(50);

/// Tasks that may end without any unit, one after another, before it is no accident.
const TRIES: u32 = 3;

/// What is tried again waits so long for company, unless nothing else is going on.
const COMPANY: Duration = Duration::from_secs(30);

/// How often in a row a batch system may refuse after it has once accepted.
const REFUSALS: u32 = 5;

/// Units whose times are read, of each part, to know how long others will take.
const SAMPLES: u32 = 8;

/// A unit that has been ordered.
struct Entry<'a> {
    order: Order<'a>,
    /// Submission and task that are to play it.
    at: Option<(usize, usize)>,
    /// Whether it has been seen in the directory.
    seen: bool,
    /// Whether it was there when it was ordered.
    before: bool,
    /// Tasks in a row that have ended without anything.
    tries: u32,
}

/// What the recorded units of a part took.
#[derive(Clone, Copy, Default)]
struct Measured {
    seconds: f64,
    items: u64,
    samples: u32,
}

pub(super) struct Voyage<'v, 'b, 'a> {
    fleet: &'v mut Fleet<'b>,
    names: &'v [&'v str],
    orders: &'v Receiver<Order<'a>>,
    messages: &'v Sender<Message>,
    entries: BTreeMap<usize, BTreeMap<u64, Entry<'a>>>,
    at_sea: BTreeMap<(String, u64), (usize, usize)>,
    measured: BTreeMap<usize, Measured>,
    submitted: Instant,
    refusals: u32,
    note: String,
}

/// Whether there is more to do.
enum Next {
    GoOn,
    End,
}

impl<'v, 'b, 'a> Voyage<'v, 'b, 'a> {
    pub(super) fn new(
        fleet: &'v mut Fleet<'b>,
        names: &'v [&'v str],
        orders: &'v Receiver<Order<'a>>,
        messages: &'v Sender<Message>,
    ) -> Self {
        let at_sea = fleet.at_sea();
        Voyage {
            fleet,
            names,
            orders,
            messages,
            entries: BTreeMap::new(),
            at_sea,
            measured: BTreeMap::new(),
            submitted: Instant::now(),
            refusals: 0,
            note: String::new(),
        }
    }

    /// Works until there are no more orders, or it is to stop.
    pub(super) fn work(mut self, stop: &Stop, halt: &Stop) {
        loop {
            match self.step(stop, halt) {
                Ok(Next::GoOn) => {}
                Ok(Next::End) => break,
                Err(e) => {
                    // Whoever ordered any unit is told; an error ends the run.
                    let unit = self
                        .entries
                        .iter()
                        .find_map(|(&part, units)| units.keys().next().map(|&unit| (part, unit)));
                    if let Some((part, unit)) = unit {
                        let _ = self.messages.send(Message::Done { part, unit, result: Err(e) });
                    }
                    return;
                }
            }
        }
        for (part, units) in std::mem::take(&mut self.entries) {
            for unit in units.into_keys() {
                let _ = self.messages.send(Message::Done { part, unit, result: Ok(None) });
            }
        }
    }

    fn step(&mut self, stop: &Stop, halt: &Stop) -> Result<Next, LabError> {
        if let Next::End = self.take_orders(stop, halt) {
            return Ok(Next::End);
        }
        // What has come may decide a part, or call for more.
        while self.look()? {
            if let Next::End = self.settle(stop, halt) {
                return Ok(Next::End);
            }
        }
        if self.in_flight() {
            self.ask()?;
        }
        self.submit()?;
        self.tell();
        Ok(Next::GoOn)
    }

    /// Waits for orders, or until it is time to look again.
    fn take_orders(&mut self, stop: &Stop, halt: &Stop) -> Next {
        let pause = (self.submitted.elapsed() / 20).clamp(OFTEN, SELDOM);
        let (begun, mut news) = (Instant::now(), false);
        loop {
            if stop.is_set() || halt.is_set() {
                return Next::End;
            }
            match self.orders.recv_timeout(A_MOMENT) {
                Ok(order) => {
                    news = true;
                    self.take(order);
                }
                // They come all at once.
                Err(RecvTimeoutError::Timeout) if news || begun.elapsed() >= pause => {
                    return Next::GoOn;
                }
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => return Next::End,
            }
        }
    }

    /// Waits until everything that was delivered is counted, and takes what is ordered then.
    fn settle(&mut self, stop: &Stop, halt: &Stop) -> Next {
        let (sender, counted) = channel();
        let _ = self.messages.send(Message::Counted(sender));
        while let Err(RecvTimeoutError::Timeout) = counted.recv_timeout(A_MOMENT) {
            if stop.is_set() || halt.is_set() {
                return Next::End;
            }
        }
        while let Ok(order) = self.orders.try_recv() {
            self.take(order);
        }
        Next::GoOn
    }

    fn take(&mut self, order: Order<'a>) {
        let (part, unit) = (order.part, order.unit);
        let name = self.names.get(part).copied().unwrap_or_default();
        let at = self.at_sea.remove(&(name.to_string(), unit));
        let entry = Entry { order, at, seen: false, before: true, tries: 0 };
        self.entries.entry(part).or_default().insert(unit, entry);
    }

    /// Sees which units have appeared, and hands them on in order; whether there were any.
    fn look(&mut self) -> Result<bool, LabError> {
        let mut news = false;
        for (&part, units) in &mut self.entries {
            // A part that is through needs no more.
            units.retain(|&unit, entry| {
                let needed = !entry.order.through.is_set();
                if !needed {
                    let _ = self.messages.send(Message::Done { part, unit, result: Ok(None) });
                }
                needed
            });
            let Some(playing) = units.values().next().map(|entry| entry.order.playing.clone())
            else {
                continue;
            };
            let recorded: BTreeSet<u64> = playing.recorded().into_iter().collect();
            let measured = self.measured.entry(part).or_default();
            for (unit, entry) in units.iter_mut().filter(|(_, entry)| !entry.seen) {
                let there = recorded.contains(unit);
                if there {
                    entry.seen = true;
                    let items = playing.items_of(*unit);
                    if !entry.before {
                        let _ = self.messages.send(Message::Played { part, items });
                    }
                    if let Some((f, t)) = entry.at {
                        self.fleet.flights[f].tasks[t].fruitful = true;
                    }
                    if measured.samples < SAMPLES
                        && let Some(seconds) = playing.seconds(*unit)
                    {
                        measured.seconds += seconds;
                        measured.items += items;
                        measured.samples += 1;
                    }
                }
                entry.before &= there;
            }
            while let Some(first) = units.first_entry().filter(|first| first.get().seen) {
                let (unit, before) = (*first.key(), first.get().before);
                // One that was removed meanwhile is missing again.
                match playing.fetch(unit, before)? {
                    Some(parcel) => {
                        first.remove();
                        news = true;
                        let result = Ok(Some(parcel));
                        let _ = self.messages.send(Message::Done { part, unit, result });
                    }
                    None => {
                        first.into_mut().seen = false;
                        break;
                    }
                }
            }
        }
        self.entries.retain(|_, units| !units.is_empty());
        Ok(news)
    }

    fn missing(&self) -> impl Iterator<Item = &Entry<'a>> {
        self.entries.values().flat_map(BTreeMap::values).filter(|entry| !entry.seen)
    }

    fn in_flight(&self) -> bool {
        self.missing().any(|entry| entry.at.is_some())
    }

    /// Asks the queue which tasks have ended, and finds what they left behind.
    fn ask(&mut self) -> Result<(), LabError> {
        match self.fleet.batch.queue(&self.fleet.jobs()) {
            Ok(queue) => self.fleet.see(&queue),
            // Schedulers are restarted now and then. Units arrive nevertheless.
            Err(e) => {
                self.note = e.to_string();
                return Ok(());
            }
        }
        self.note = self.fleet.state();
        let mut hopeless = None;
        for units in self.entries.values_mut() {
            let mut refresh = false;
            for entry in units.values_mut().filter(|entry| !entry.seen) {
                let Some((f, t)) = entry.at else { continue };
                let task = self.fleet.flights[f].tasks[t];
                refresh |= task.missed > 0;
                if task.has_ended() {
                    entry.at = None;
                    entry.tries = if task.fruitful { 0 } else { entry.tries + 1 };
                    if entry.tries >= TRIES {
                        hopeless = Some((f, t));
                    }
                }
            }
            if let (true, Some(entry)) = (refresh, units.values().next()) {
                entry.order.playing.refresh();
            }
        }
        match hopeless {
            Some((f, t)) => {
                let file = self.fleet.flights[f].file.clone();
                let output = self.fleet.batch.output(&file, t);
                Err(LabError::Cluster(hopeless_text(&output)))
            }
            None => Ok(()),
        }
    }

    /// Submits what nobody is going to play.
    fn submit(&mut self) -> Result<(), LabError> {
        let waiting = || self.missing().filter(|entry| entry.at.is_none());
        let fresh = waiting().any(|entry| entry.tries == 0);
        let due = fresh || !self.in_flight() || self.submitted.elapsed() > COMPANY;
        if !due || waiting().next().is_none() {
            return Ok(());
        }
        let units: Vec<(usize, u64)> =
            waiting().map(|entry| (entry.order.part, entry.order.unit)).collect();
        let seconds: Vec<f64> = waiting().map(|entry| self.estimate(entry)).collect();
        let mut reopened = BTreeSet::new();
        for entry in waiting() {
            if reopened.insert(entry.order.part) {
                entry.order.playing.reopen()?;
            }
        }
        let tasks = self.fleet.cut.tasks(&seconds);
        let named = |&(part, unit): &(usize, u64)| (self.names[part], unit);
        let wave =
            Wave::new(tasks.iter().map(|task| units[task.clone()].iter().map(named).collect()));
        self.submitted = Instant::now();
        match self.fleet.submit(wave) {
            Ok(flight) => {
                self.refusals = 0;
                for (t, task) in tasks.into_iter().enumerate() {
                    for (part, unit) in &units[task] {
                        let entry = self.entries.get_mut(part).and_then(|p| p.get_mut(unit));
                        if let Some(entry) = entry {
                            entry.at = Some((flight, t));
                        }
                    }
                }
                self.note = self.fleet.state();
                Ok(())
            }
            // A scheduler that has accepted before is busy now.
            Err(e) if !self.fleet.flights.is_empty() && self.refusals < REFUSALS => {
                self.refusals += 1;
                self.note = e.to_string();
                Ok(())
            }
            Err(e) => Err(e),
        }
    }

    /// About how many seconds a unit takes.
    fn estimate(&self, entry: &Entry<'_>) -> f64 {
        let (playing, unit) = (&entry.order.playing, entry.order.unit);
        match self.measured.get(&entry.order.part) {
            Some(m) if m.items > 0 => playing.items_of(unit) as f64 * m.seconds / m.items as f64,
            _ => playing.guess(unit),
        }
    }

    fn tell(&mut self) {
        let _ = self.messages.send(Message::Note(self.note.clone()));
    }
}

/// Why it makes no sense to try again.
fn hopeless_text(output: &Path) -> String {
    let begin = format!("{TRIES} tasks one after another ended without recording anything");
    let name = output.display();
    match std::fs::read_to_string(output) {
        Ok(text) => {
            let last = text.lines().rfind(|line| !line.trim().is_empty()).unwrap_or_default();
            let said = if last.is_empty() {
                "it is empty".to_string()
            } else {
                format!("it ends with\n  {last}")
            };
            format!("{begin}; the output of the last one is {name}, {said}")
        }
        Err(_) => format!(
            "{begin}; the last one did not even write {name}: do the machines that run tasks see \
             this directory under the same name, and may they write there?"
        ),
    }
}
