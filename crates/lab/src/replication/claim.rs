//! Claims: a rule on measured values gives a verdict.
//!
//! A comparison is decided if it comes out the same over the whole interval; the intervals of
//! all comparisons of a claim hold together with 95 % (Bonferroni).

mod first;

use super::{Anchor, Measured, difference, measure};
use crate::Results;
use crate::experiment::paper::{Claim, Rule, Side, Term};
use crate::experiment::same_value;
use crate::stats::{Estimate, Level};

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
    let bench = Bench { results, level: Level::P95.bonferroni(count(results, &claim.rule).max(1)) };
    let mut seen = Seen::default();
    let judgement = bench.judge(&claim.rule, false, &mut seen);
    let provisional = anchor == Anchor::Near || anchor_open || seen.unfinished;
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

/// Comparisons in a rule.
fn count(results: &Results, rule: &Rule) -> usize {
    let picks = |term: &Term| {
        let section = results.experiment.sections.iter().find(|s| s.id == term.section);
        section.map_or(0, |s| s.select(&term.at).len())
    };
    match rule {
        Rule::Above(term, _) | Rule::Below(term, _) => picks(term),
        Rule::Greater(..) | Rule::Near(..) => 1,
        Rule::First(terms, _) => terms.iter().map(picks).sum(),
        Rule::Best(term, _) => picks(term).saturating_sub(1),
        Rule::All(rules) | Rule::Any(rules) => rules.iter().map(|r| count(results, r)).sum(),
        Rule::Not(rule) => count(results, rule),
    }
}

struct Bench<'a> {
    results: &'a Results,
    level: Level,
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
    fn file(&mut self, judgement: Judgement, negated: bool, text: String) -> Judgement {
        self.add(if negated { judgement.not() } else { judgement }, text);
        judgement
    }

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
            let text = format!("{} values not measured yet", self.missing);
            reason = if self.open.is_empty() { text } else { format!("{reason}; {text}") };
        }
        reason
    }
}

impl Bench<'_> {
    /// Judges a rule; `negated` if the claim is its opposite, so that reasons are filed rightly.
    fn judge(&self, rule: &Rule, negated: bool, seen: &mut Seen) -> Judgement {
        match rule {
            Rule::Above(term, limit) => {
                let values = self.values(term);
                self.each(&values, seen, negated, term, |e| e.interval.map(|x| x - limit))
            }
            Rule::Below(term, limit) => {
                let values = self.values(term);
                self.each(
                    &values,
                    seen,
                    negated,
                    term,
                    |Estimate { interval: [low, high], .. }| [limit - high, limit - low],
                )
            }
            Rule::Greater(a, b, factor) => match (self.value(a, seen), self.value(b, seen)) {
                (Some((x, x_text)), Some((y, y_text))) => {
                    let y = y.map(|v| v * factor);
                    let judgement = Judgement::positive(difference(x, y.value, y.interval));
                    seen.file(judgement, negated, format!("{x_text} against {y_text}"))
                }
                _ => missing(seen),
            },
            Rule::Near(a, b, within) => match (self.value(a, seen), self.value(b, seen)) {
                (Some((x, x_text)), Some((y, y_text))) => {
                    let [low, high] = difference(x, y.value, y.interval);
                    let judgement = match () {
                        () if low > -within && high < *within => Judgement::Confirmed,
                        () if low > *within || high < -within => Judgement::Refuted,
                        () => Judgement::Open,
                    };
                    seen.file(judgement, negated, format!("{x_text} against {y_text}"))
                }
                _ => missing(seen),
            },
            Rule::Best(term, at) => self.best(term, at, negated, seen),
            Rule::First(terms, limit) => self.first(terms, *limit, negated, seen),
            Rule::All(rules) => {
                let parts: Vec<_> = rules.iter().map(|r| self.judge(r, negated, seen)).collect();
                Judgement::all(parts)
            }
            Rule::Any(rules) => {
                let parts: Vec<_> = rules.iter().map(|r| self.judge(r, negated, seen)).collect();
                Judgement::all(parts.into_iter().map(Judgement::not)).not()
            }
            Rule::Not(rule) => self.judge(rule, !negated, seen).not(),
        }
    }

    fn each(
        &self,
        values: &[(Measured, Option<Estimate>)],
        seen: &mut Seen,
        negated: bool,
        term: &Term,
        margin: impl Fn(Estimate) -> [f64; 2],
    ) -> Judgement {
        let mut parts = Vec::new();
        for (measured, estimate) in values {
            seen.unfinished |= !measured.complete;
            parts.push(match estimate {
                Some(estimate) => {
                    let judgement = Judgement::positive(margin(*estimate));
                    let filed = if negated { judgement.not() } else { judgement };
                    seen.add(filed, self.text(term, measured, *estimate));
                    judgement
                }
                None => missing(seen),
            });
        }
        if parts.is_empty() {
            parts.push(missing(seen));
        }
        Judgement::all(parts)
    }

    /// Whether the selected value is above every other one.
    fn best(
        &self,
        term: &Term,
        at: &[(String, String)],
        negated: bool,
        seen: &mut Seen,
    ) -> Judgement {
        let sections = &self.results.experiment.sections;
        let Some(section) = sections.iter().find(|s| s.id == term.section) else {
            return missing(seen);
        };
        let is_best = |setting: &[String]| {
            at.iter().all(|(axis, value)| {
                let place = section.axes.iter().position(|a| a.name == *axis);
                place.is_some_and(|i| same_value(&setting[i], value))
            })
        };
        let values = self.values(term);
        let mut parts = Vec::new();
        let chosen: Vec<_> = values.iter().filter(|(m, _)| is_best(&m.setting)).collect();
        // One of several, and it has rivals.
        let [(chosen, Some(best))] = chosen[..] else { return missing(seen) };
        if values.len() < 2 {
            return missing(seen);
        }
        seen.unfinished |= values.iter().any(|(m, _)| !m.complete);
        for (other, estimate) in values.iter().filter(|(m, _)| !is_best(&m.setting)) {
            let Some(estimate) = estimate else {
                parts.push(missing(seen));
                continue;
            };
            let gap = difference(*best, estimate.value, estimate.interval);
            let judgement = Judgement::positive(gap);
            let texts = [self.text(term, chosen, *best), self.text(term, other, *estimate)];
            let filed = if negated { judgement.not() } else { judgement };
            seen.add(filed, texts.join(" against "));
            parts.push(judgement);
        }
        Judgement::all(parts)
    }

    fn values(&self, term: &Term) -> Vec<(Measured, Option<Estimate>)> {
        let sections = &self.results.experiment.sections;
        let Some(section) = sections.iter().find(|s| s.id == term.section) else {
            return Vec::new();
        };
        (measure(self.results, section, &term.at, term.metric, Side::A).into_iter())
            .map(|m| {
                let estimate = m.at(self.level);
                (m, estimate)
            })
            .collect()
    }

    /// The one value that a term selects.
    fn value(&self, term: &Term, seen: &mut Seen) -> Option<(Estimate, String)> {
        let values = self.values(term);
        let [(measured, Some(estimate))] = &values[..] else { return None };
        seen.unfinished |= !measured.complete;
        let estimate = *estimate;
        Some((estimate, self.text(term, measured, estimate)))
    }

    /// `L4 depth 1: 77.8 % (75.2 to 80.3)`.
    fn text(&self, term: &Term, measured: &Measured, estimate: Estimate) -> String {
        let sections = &self.results.experiment.sections;
        let axes = sections.iter().find(|s| s.id == term.section).map(|s| &s.axes);
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
