//! A part that was taken over whole from a digest: nothing of it is handed out or played.

use super::crew::Parcel;
use super::line::{AnyLine, Bench, Pace, Playing, Runnable, State, Told};
use super::{Concluded, Ending, Finished};
use crate::LabError;
use crate::store::{TakenOver, WholeOf};
use std::sync::Arc;

pub(super) struct Finality<'a, W: Runnable> {
    bench: Arc<Bench<'a, W>>,
    taken: TakenOver,
    whole: WholeOf<W>,
}

impl<'a, W: Runnable> Finality<'a, W> {
    pub(super) fn new(bench: Bench<'a, W>, taken: TakenOver, whole: WholeOf<W>) -> Self {
        Finality { bench: Arc::new(bench), taken, whole }
    }

    fn ended(&self) -> Ending {
        self.bench.work.ended(&self.whole.summary)
    }
}

impl<W: Runnable> Told for Finality<'_, W> {
    fn score(&self) -> Option<f64> {
        None
    }

    fn line(&self) -> String {
        format!("taken over from {}", self.taken.names())
    }
}

impl<'a, W: Runnable> AnyLine<'a> for Finality<'a, W> {
    fn playing(&self) -> Arc<dyn Playing<'a> + 'a> {
        self.bench.clone()
    }

    fn hand_out(&mut self, _pace: Pace) -> Option<u64> {
        None
    }

    fn deliver(&mut self, _unit: u64, _parcel: Parcel) -> Result<(), LabError> {
        Ok(())
    }

    fn publish(&mut self, _unit: u64, _parcel: Parcel) -> Result<bool, LabError> {
        Ok(false)
    }

    fn advance(&mut self) -> Result<bool, LabError> {
        Ok(false)
    }

    fn ending(&self) -> Option<Ending> {
        Some(self.ended())
    }

    fn state(&self) -> State {
        let counted = W::counted(&self.whole.summary);
        State { items: self.bench.work.items(), played: counted, counted, recorded: counted }
    }

    fn played(&mut self, _items: u64) {}

    fn finish(self: Box<Self>) -> Result<Concluded, LabError> {
        // A process that was killed while it took it over may not have got as far.
        if let Some(store) = &self.bench.store {
            store.conclude_whole()?;
        }
        let (ending, times) = (self.ended(), self.bench.work.sums());
        Ok(W::conclude(Finished { ending, summary: self.whole.summary, times }))
    }
}
