//! Claims: a rule on measured values gives a verdict.
//!
//! A comparison is decided if it comes out the same over the whole interval. What a claim of several comparisons needs
//! of each is in [`levels`]. Of parts that are not complete, and of those whose number of games was not fixed before they
//! were looked at, the intervals are those that hold whenever one
//! looks ([`crate::stats::anytime`]). What only the intervals of a fixed number of games would decide is provisional.

mod compared;
mod first;
mod levels;
mod pooled;

use super::{Anchor, Measured, measure};
use crate::experiment::paper::{Claim, Rule, Side, Term};
use crate::experiment::same_value;
use crate::stats::{Estimate, Level};
use crate::{Results, Section};
use compared::{Compared, Look, Told};
use levels::Levels;

/// What a run says of a claim.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Judgement {
    /// It holds.
    Confirmed,
    /// It does not.
    Refuted,
    /// It cannot be told.
    Open,
}

impl Judgement {
    fn not(self) -> Self {
        match self {
            Judgement::Confirmed => Judgement::Refuted,
            Judgement::Refuted => Judgement::Confirmed,
            Judgement::Open => Judgement::Open,
        }
    }

    fn all(parts: impl IntoIterator<Item = Judgement>) -> Self {
        parts.into_iter().fold(Judgement::Confirmed, |sum, part| match (sum, part) {
            (Judgement::Refuted, _) | (_, Judgement::Refuted) => Judgement::Refuted,
            (Judgement::Open, _) | (_, Judgement::Open) => Judgement::Open,
            _ => Judgement::Confirmed,
        })
    }

    /// Whether an interval lies above zero.
    fn positive([low, high]: [f64; 2]) -> Self {
        match (low, high) {
            (low, _) if low > 0.0 => Judgement::Confirmed,
            (_, high) if high <= 0.0 => Judgement::Refuted,
            _ => Judgement::Open,
        }
    }
}

/// A claim with its verdict.
#[derive(Clone, Debug)]
pub struct Decided<'a> {
    /// The claim.
    pub claim: &'a Claim,
    /// The verdict; open as long as the anchor is missed.
    pub judgement: Judgement,
    /// Whether more games may change it: the anchor is only near, or a part is not complete, its own or
    /// that of the anchor.
    pub provisional: bool,
    /// Why, in a sentence.
    pub reason: String,
}

/// Decides a claim; `anchor_open` if more games may change what is said of the anchor.
pub(super) fn decide<'a>(
    results: &Results,
    claim: &'a Claim,
    anchor: Anchor,
    anchor_open: bool,
) -> Decided<'a> {
    let judge = |look: Look| {
        let mut seen = Seen::default();
        let judgement = Bench { results, look }.judge(&claim.rule, Levels::CLAIM, false, &mut seen);
        (judgement, seen)
    };
    let (mut judgement, mut seen) = judge(Look::AnyTime);
    let mut unfinished = false;
    if judgement == Judgement::Open && seen.unfinished {
        (judgement, seen) = judge(Look::Last);
        unfinished = true;
    }
    let provisional = anchor == Anchor::Near || anchor_open || unfinished;
    let (judgement, reason) = match anchor {
        Anchor::Missed | Anchor::Missing if judgement != Judgement::Open => {
            let state = match anchor {
                Anchor::Missed if anchor_open => "missed so far",
                Anchor::Missed => "missed",
                _ => "not measured",
            };
            (Judgement::Open, format!("the anchor is {state}: {}", seen.reason(judgement)))
        }
        _ => (judgement, seen.reason(judgement)),
    };
    Decided { claim, judgement, provisional, reason }
}

struct Bench<'a> {
    results: &'a Results,
    look: Look,
}

/// What was compared, for the sentence of reason.
#[derive(Default)]
struct Seen {
    confirmed: Vec<String>,
    refuted: Vec<String>,
    open: Vec<String>,
    missing: u64,
    /// Whether a part is not complete: more games may change the verdict.
    unfinished: bool,
}

impl Seen {
    /// Files a comparison under what it means for the claim.
    fn add(&mut self, judgement: Judgement, text: String) {
        match judgement {
            Judgement::Confirmed => self.confirmed.push(text),
            Judgement::Refuted => self.refuted.push(text),
            Judgement::Open => self.open.push(text),
        }
    }

    /// The few comparisons that decided it.
    fn reason(&self, judgement: Judgement) -> String {
        // What is open for want of games needs no proof.
        let (list, more, shown) = match judgement {
            Judgement::Confirmed => (&self.confirmed, "", 4),
            Judgement::Refuted => (&self.refuted, "", 4),
            Judgement::Open => (&self.open, "undecided: ", 2),
        };
        let mut reason = format!("{more}{}", list[..list.len().min(shown)].join("; "));
        if list.len() > shown {
            reason += &format!("; and {} more", list.len() - shown);
        }
        if judgement == Judgement::Open && self.missing > 0 {
            let values = if self.missing == 1 { "value" } else { "values" };
            let text = format!("{} {values} not measured yet", self.missing);
            reason = if self.open.is_empty() { text } else { format!("{reason}; {text}") };
        }
        reason
    }
}

impl Bench<'_> {
    /// Judges a rule; `negated` if the claim is its opposite, so that reasons are filed rightly.
    fn judge(&self, rule: &Rule, levels: Levels, negated: bool, seen: &mut Seen) -> Judgement {
        match rule {
            Rule::Beyond(term, bound, limit) => {
                let values = self.values(term);
                let levels = levels.in_all(1, values.len());
                if values.is_empty() {
                    return missing(seen);
                }
                let parts = values.iter().map(|measured| {
                    let tell = |told: Told| self.text(term, measured, told.first);
                    let value = Compared::Value(measured);
                    self.compare(value, levels, negated, seen, |i| bound.margin(i, *limit), tell)
                });
                Judgement::all(parts)
            }
            Rule::Pooled(terms, bound, limit) => {
                let parts: Vec<_> = terms.iter().flat_map(|term| self.values(term)).collect();
                let Some(first) = terms.first() else { return missing(seen) };
                seen.unfinished |= parts.iter().any(|part| !part.complete);
                let pool = match self.pool(&parts, first.metric) {
                    Ok(pool) => pool,
                    Err(why) => {
                        seen.add(Judgement::Open, why);
                        return Judgement::Open;
                    }
                };
                let tell =
                    |told: Told| format!("{}: {}", pool.part, first.metric.shown(told.first));
                let value = Compared::Value(&pool);
                self.compare(value, levels, negated, seen, |i| bound.margin(i, *limit), tell)
            }
            Rule::Greater(a, b, factor) => self.two([a, b], *factor, levels, negated, seen, |i| i),
            Rule::Near(a, b, within) => {
                // Both ends have to lie within, or all of it beyond.
                let margin = |[low, high]: [f64; 2]| {
                    [within - high.max(-low), within - low.max(-high).max(0.0)]
                };
                self.two([a, b], 1.0, levels, negated, seen, margin)
            }
            Rule::Best(term, at) => self.best(term, at, levels, negated, seen),
            Rule::First(terms, limit) => self.first(terms, *limit, levels, negated, seen),
            Rule::All(rules) => {
                let of = self.count(rule);
                let parts = rules.iter().map(|rule| {
                    self.judge(rule, levels.in_all(self.count(rule), of), negated, seen)
                });
                Judgement::all(parts)
            }
            Rule::Any(rules) => {
                let of = self.count(rule);
                let parts = rules.iter().map(|rule| {
                    self.judge(rule, levels.in_any(self.count(rule), of), negated, seen)
                });
                Judgement::all(parts.map(Judgement::not)).not()
            }
            Rule::Not(rule) => self.judge(rule, levels.not(), !negated, seen).not(),
        }
    }

    /// Comparisons in a rule.
    fn count(&self, rule: &Rule) -> usize {
        let picks = |term: &Term| self.section(term).map_or(0, |s| s.select(&term.at).len());
        match rule {
            Rule::Beyond(term, ..) => picks(term),
            Rule::Pooled(..) | Rule::Greater(..) | Rule::Near(..) => 1,
            Rule::First(terms, _) => terms.iter().map(picks).sum(),
            Rule::Best(term, _) => picks(term).saturating_sub(1),
            Rule::All(rules) | Rule::Any(rules) => rules.iter().map(|r| self.count(r)).sum(),
            Rule::Not(rule) => self.count(rule),
        }
    }

    /// One comparison: it holds if the margin lies above zero as a whole.
    fn compare(
        &self,
        compared: Compared<'_>,
        levels: Levels,
        negated: bool,
        seen: &mut Seen,
        margin: impl Fn([f64; 2]) -> [f64; 2],
        tell: impl Fn(Told) -> String,
    ) -> Judgement {
        seen.unfinished |= !compared.is_complete();
        let at = |level: Level| compared.at(level, self.look);
        let Some(to_confirm) = at(levels.confirm) else { return missing(seen) };
        let same = levels.confirm == levels.refute;
        let to_refute = if same { Some(to_confirm) } else { at(levels.refute) };
        let Some(to_refute) = to_refute else { return missing(seen) };
        let (judgement, told) = match (margin(to_confirm.interval), margin(to_refute.interval)) {
            ([low, _], _) if low > 0.0 => (Judgement::Confirmed, to_confirm),
            (_, [_, high]) if high <= 0.0 => (Judgement::Refuted, to_refute),
            // Told is what fails to decide: the interval of the side on which the most of it lies.
            ([low, high], _) if high > -low => (Judgement::Open, to_confirm),
            _ => (Judgement::Open, to_refute),
        };
        seen.add(if negated { judgement.not() } else { judgement }, tell(told));
        judgement
    }

    /// A comparison of the two values that two terms select, the second taken so many times.
    fn two(
        &self,
        terms: [&Term; 2],
        factor: f64,
        levels: Levels,
        negated: bool,
        seen: &mut Seen,
        margin: impl Fn([f64; 2]) -> [f64; 2],
    ) -> Judgement {
        let [a, b] = terms.map(|term| self.values(term));
        let ([a], [b]) = (&a[..], &b[..]) else { return missing(seen) };
        let tell = |told: Told| self.against([(terms[0], a), (terms[1], b)], told);
        let difference = Compared::Difference(a, b, factor);
        self.compare(difference, levels, negated, seen, margin, tell)
    }

    /// Whether the selected value is above every other one.
    fn best(
        &self,
        term: &Term,
        at: &[(String, String)],
        levels: Levels,
        negated: bool,
        seen: &mut Seen,
    ) -> Judgement {
        let Some(section) = self.section(term) else { return missing(seen) };
        let is_best = |measured: &&Measured| {
            at.iter().all(|(axis, value)| {
                let place = section.axes.iter().position(|a| a.name == *axis);
                place.is_some_and(|i| same_value(&measured.setting[i], value))
            })
        };
        let values = self.values(term);
        let (chosen, others): (Vec<_>, Vec<_>) = values.iter().partition(is_best);
        // One of several, and it has rivals.
        let ([chosen], false) = (&chosen[..], others.is_empty()) else { return missing(seen) };
        let levels = levels.in_all(1, others.len());
        let parts = others.iter().map(|other| {
            let tell = |told: Told| self.against([(term, chosen), (term, other)], told);
            let difference = Compared::Difference(chosen, other, 1.0);
            self.compare(difference, levels, negated, seen, |i| i, tell)
        });
        Judgement::all(parts)
    }

    fn section(&self, term: &Term) -> Option<&Section> {
        self.results.experiment.sections.iter().find(|s| s.id == term.section)
    }

    fn values(&self, term: &Term) -> Vec<Measured> {
        let of = |s: &Section| measure(self.results, s, &term.at, term.metric, Side::A);
        self.section(term).map_or_else(Vec::new, of)
    }

    fn against(&self, [a, b]: [(&Term, &Measured); 2], told: Told) -> String {
        let [first, second] = [(a, told.first), (b, told.second)]
            .map(|((term, measured), estimate)| self.text(term, measured, estimate));
        format!("{first} against {second}")
    }

    /// `L4 depth 1: 77.8 % (75.2 to 80.3)`.
    fn text(&self, term: &Term, measured: &Measured, estimate: Estimate) -> String {
        let axes = self.section(term).map(|s| &s.axes);
        let mut name = term.section.clone();
        // What the axes say, and what the term itself selects inside a part.
        for (axis, value) in axes.into_iter().flatten().zip(&measured.setting) {
            if axis.values.len() > 1 && !value.is_empty() {
                name += &format!(" {} {value}", axis.name);
            }
        }
        for (axis, value) in &term.at {
            if axes.is_some_and(|axes| axes.iter().all(|a| a.name != *axis)) {
                name += &format!(" {axis} {value}");
            }
        }
        format!("{name}: {}", term.metric.shown(estimate))
    }
}

fn missing(seen: &mut Seen) -> Judgement {
    seen.missing += 1;
    Judgement::Open
}
