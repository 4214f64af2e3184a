//! From which of several settings on something holds.

use super::compared::{Look, estimate};
use super::levels::Levels;
use super::{Bench, Judgement, Seen, missing};
use crate::experiment::paper::Term;
use crate::replication::Measured;
use crate::stats::{Estimate, Level};

/// One of the settings, and what was decided.
struct Setting<'a> {
    term: &'a Term,
    measured: Measured,
    /// At the level at which it was decided, or that was tried last.
    estimate: Option<Estimate>,
    judgement: Judgement,
}

impl Bench<'_> {
    /// The first value, in the order given, that is above a limit. It holds if there is one and all behind it
    /// are shown to be above, too: what is undecided there shows nothing. It is refuted if the last is below: from
    /// whichever setting on it should hold, it does not hold there.
    /// Levels are Holm's: what is decided leaves its share of the error to the others.
    pub(super) fn first(
        &self,
        terms: &[Term],
        limit: f64,
        levels: Levels,
        negated: bool,
        seen: &mut Seen,
    ) -> Judgement {
        let mut settings: Vec<Setting<'_>> = (terms.iter())
            .flat_map(|term| self.values(term).into_iter().map(move |m| (term, m)))
            .map(|(term, measured)| Setting {
                term,
                measured,
                estimate: None,
                judgement: Judgement::Open,
            })
            .collect();
        // Without a value of the last term nothing is said of the end.
        let ends = terms.last().is_some_and(|last| settings.last().is_some_and(|s| s.term == last));
        if !ends {
            return missing(seen);
        }
        loop {
            let open = settings.iter().filter(|s| s.judgement == Judgement::Open).count();
            let level = levels.surer().portion(1, open);
            for setting in settings.iter_mut().filter(|s| s.judgement == Judgement::Open) {
                setting.look(level, limit, self.look);
            }
            let left = settings.iter().filter(|s| s.judgement == Judgement::Open).count();
            if left == open || left == 0 {
                break;
            }
        }
        seen.unfinished |= settings.iter().any(|s| !s.measured.complete);
        for _ in settings.iter().filter(|s| s.estimate.is_none()) {
            missing(seen);
        }
        let first = settings.iter().position(|s| s.judgement == Judgement::Confirmed);
        let above = |s: &Setting<'_>| s.judgement == Judgement::Confirmed;
        let judgement = match first {
            Some(first) if settings[first..].iter().all(above) => Judgement::Confirmed,
            _ if settings.last().is_some_and(|s| s.judgement == Judgement::Refuted) => {
                Judgement::Refuted
            }
            _ => Judgement::Open,
        };
        let filed = if negated { judgement.not() } else { judgement };
        seen.add(filed, self.sentence(&settings, first));
        judgement
    }

    /// `first C3 budget 1000: 61 % (55 to 67); undecided C3 budget 100: …; below …`.
    fn sentence(&self, settings: &[Setting<'_>], first: Option<usize>) -> String {
        let names = |wanted: Judgement, skip: Option<usize>| {
            let those = settings.iter().enumerate().filter(|(i, _)| Some(*i) != skip);
            let those = those.filter(|(_, s)| s.judgement == wanted);
            let texts =
                those.filter_map(|(_, s)| Some(self.text(s.term, &s.measured, s.estimate?)));
            texts.collect::<Vec<_>>().join(", ")
        };
        let first_text = first.map(|i| &settings[i]).and_then(|s| {
            Some(format!("the first is {}", self.text(s.term, &s.measured, s.estimate?)))
        });
        let mut parts = vec![first_text.unwrap_or_else(|| "none is shown to be above".into())];
        for (word, judgement) in [
            ("also above", Judgement::Confirmed),
            ("undecided", Judgement::Open),
            ("below", Judgement::Refuted),
        ] {
            let list = names(judgement, first);
            if !list.is_empty() {
                parts.push(format!("{word}: {list}"));
            }
        }
        parts.join("; ")
    }
}

impl Setting<'_> {
    fn look(&mut self, level: Level, limit: f64, look: Look) {
        self.estimate = estimate(&self.measured, level, look);
        if let Some(estimate) = self.estimate {
            self.judgement = Judgement::positive(estimate.interval.map(|x| x - limit));
        }
    }
}
