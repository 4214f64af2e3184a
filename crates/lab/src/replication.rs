//! Replication: what a paper published beside what we measured, and its claims decided.
//!
//! Nothing counts before the paper's *anchor* is met: one published number that must come out
//! again, so that rules, budgets and scales are known to be those of the paper. A paper none of whose
//! numbers can come out again, since its players cannot be had, says so.

mod claim;
mod measure;
mod measured;

pub use claim::{Decided, Judgement};
pub(crate) use measure::question;
pub use measure::{measure, published_interval};
pub use measured::Measured;

use crate::experiment::paper::{Paper, Published, Relation};
use crate::stats::{Estimate, Level};
use crate::{Results, Section};

/// A published number beside ours.
#[derive(Clone, Debug)]
pub struct Comparison<'a> {
    /// The section.
    pub section: &'a Section,
    /// What was published.
    pub published: &'a Published,
    /// What it may have been, by the games behind it.
    pub interval: Option<[f64; 2]>,
    /// Whether that interval is lent the spread of ours, for want of its own.
    pub lent: bool,
    /// Ours; several where the published number speaks about several parts.
    pub ours: Vec<Measured>,
    /// Whether they agree.
    pub agreement: Agreement,
}

/// How ours relates to what was published.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Agreement {
    /// No difference can be told, or the relation that was printed holds.
    Agrees,
    /// Ours is higher, more than chance explains.
    Higher,
    /// Ours is lower, more than chance explains.
    Lower,
    /// The relation that was printed does not hold.
    Contradicts,
    /// Too little was measured to tell.
    Open,
    /// The two are not of one kind: seconds of another machine, say.
    Beside,
}

/// Whether the paper's anchor is met.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Anchor {
    /// Ours lies inside the published interval.
    Held,
    /// Not further outside than chance explains, or inside with too few games: more are needed.
    Near,
    /// Outside, further than chance explains.
    Missed,
    /// It has not been measured, or the paper names none.
    Missing,
    /// There can be none, and the paper's file says why.
    Waived,
}

/// A paper's numbers and claims beside a run of its experiments.
#[derive(Clone, Debug)]
pub struct Replication<'a> {
    /// The paper.
    pub paper: &'a Paper,
    /// Its anchor.
    pub anchor: Anchor,
    /// Whether more games may change what is said of the anchor: its part is not complete.
    pub anchor_open: bool,
    /// The published numbers, section by section.
    pub comparisons: Vec<Comparison<'a>>,
    /// The claims.
    pub claims: Vec<Decided<'a>>,
}

impl<'a> Replication<'a> {
    /// The published number that must come out again, and ours.
    pub(crate) fn anchor_row(&self) -> Option<&Comparison<'a>> {
        anchor_row(self.paper, &self.comparisons)
    }

    /// Judges a run; `None` if it repeats no paper.
    pub fn of(results: &'a Results) -> Option<Replication<'a>> {
        let paper = results.experiment.paper.as_ref()?;
        let sections = results.experiment.sections.iter();
        let all: Vec<_> = sections.flat_map(|section| comparisons(results, section)).collect();
        let anchor = anchor(paper, &all);
        let measured = matches!(anchor, Anchor::Held | Anchor::Near | Anchor::Missed);
        let row = anchor_row(paper, &all).filter(|_| measured);
        let anchor_open = row.is_some_and(|row| row.ours.iter().any(|ours| !ours.complete));
        let decide = |claim| claim::decide(results, claim, anchor, anchor_open);
        let claims = paper.claims.iter().map(decide).collect();
        Some(Replication { paper, anchor, anchor_open, comparisons: all, claims })
    }
}

/// What was published about a section beside what was measured there.
pub fn comparisons<'a>(results: &'a Results, section: &'a Section) -> Vec<Comparison<'a>> {
    section.published.iter().map(|published| compare(results, section, published)).collect()
}

fn compare<'a>(
    results: &'a Results,
    section: &'a Section,
    published: &'a Published,
) -> Comparison<'a> {
    let (metric, of) = (published.metric, published.of);
    let ours = measure(results, section, &published.at, metric, of);
    // A mean is printed without its spread: it is lent ours.
    let lent = || {
        let [ours] = &ours[..] else { return None };
        let half = ours.half_width(published.games?)?;
        Some([published.value - half, published.value + half])
    };
    let own = published_interval(published);
    let interval = own.or_else(lent);
    let agreement = ours
        .iter()
        .map(|ours| agree(published, interval, ours))
        .reduce(worse)
        .unwrap_or(Agreement::Open);
    let lent = own.is_none() && interval.is_some();
    Comparison { section, published, interval, lent, ours, agreement }
}

/// Of several, the worst speaks; some higher and some lower contradict what is printed.
fn worse(a: Agreement, b: Agreement) -> Agreement {
    match (a, b) {
        (Agreement::Higher, Agreement::Lower) | (Agreement::Lower, Agreement::Higher) => {
            Agreement::Contradicts
        }
        _ if severity(b) > severity(a) => b,
        _ => a,
    }
}

fn severity(agreement: Agreement) -> u8 {
    match agreement {
        Agreement::Agrees => 0,
        Agreement::Beside => 1,
        Agreement::Open => 2,
        Agreement::Higher | Agreement::Lower => 3,
        Agreement::Contradicts => 4,
    }
}

fn agree(published: &Published, interval: Option<[f64; 2]>, ours: &Measured) -> Agreement {
    if !published.metric.is_comparable() {
        return Agreement::Beside;
    }
    let Some(Estimate { value, interval: own }) = ours.compared(Level::P95) else {
        return Agreement::Open;
    };
    if own.iter().all(|end| end.is_infinite()) {
        return Agreement::Open;
    }
    let printed = published.value;
    match published.relation {
        Relation::Greater if own[0] > printed => Agreement::Agrees,
        Relation::Greater if own[1] < printed => Agreement::Contradicts,
        Relation::Less if own[1] < printed => Agreement::Agrees,
        Relation::Less if own[0] > printed => Agreement::Contradicts,
        Relation::Greater | Relation::Less => Agreement::Open,
        Relation::Equal | Relation::About => {
            let theirs = interval.unwrap_or([printed, printed]);
            match difference(Estimate { value, interval: own }, printed, theirs) {
                [low, _] if low > 0.0 => Agreement::Higher,
                [_, high] if high < 0.0 => Agreement::Lower,
                _ => Agreement::Agrees,
            }
        }
    }
}

/// The interval of the difference of two independent values from their own, which need not be
/// symmetric (Newcombe 1998, method 10).
fn difference(ours: Estimate, theirs: f64, interval: [f64; 2]) -> [f64; 2] {
    let ([low, high], difference) = (ours.interval, ours.value - theirs);
    // Without bounds, such as the Elo of a perfect score: whatever the two intervals leave.
    if ![low, high, interval[0], interval[1], difference].iter().all(|x| x.is_finite()) {
        return [low - interval[1], high - interval[0]];
    }
    let root = |a: f64, b: f64| (a * a + b * b).sqrt();
    [
        difference - root(ours.value - low, interval[1] - theirs),
        difference + root(high - ours.value, theirs - interval[0]),
    ]
}

/// The widest interval of ours that can hold an anchor, a tenth of the scale.
const ANCHOR_WIDTH: f64 = 0.1;

/// The published number that must come out again, and ours.
fn anchor_row<'a, 'b>(
    paper: &Paper,
    comparisons: &'b [Comparison<'a>],
) -> Option<&'b Comparison<'a>> {
    let anchor = paper.anchor.as_ref()?;
    comparisons.iter().filter(|c| c.section.id == anchor.section).nth(anchor.row)
}

fn anchor(paper: &Paper, comparisons: &[Comparison<'_>]) -> Anchor {
    if paper.anchor.is_none() && paper.no_anchor.is_some() {
        return Anchor::Waived;
    }
    let Some(row) = anchor_row(paper, comparisons) else { return Anchor::Missing };
    let [ours] = &row.ours[..] else { return Anchor::Missing };
    let Some(ours) = ours.at(Level::P95) else { return Anchor::Missing };
    // A few games may hit the interval by luck.
    let sharp = ours.interval[1] - ours.interval[0] <= ANCHOR_WIDTH;
    match (row.interval, row.agreement) {
        (Some([low, high]), _) if sharp && low <= ours.value && ours.value <= high => Anchor::Held,
        (_, Agreement::Agrees) => Anchor::Near,
        _ => Anchor::Missed,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_difference_of_two_shares_is_newcombes() {
        // Newcombe 1998, table II, (a): 56/70 - 48/80, method 10: 0.0524 to 0.3339.
        use crate::stats::wdl::wilson;
        let ours = Estimate { value: 0.8, interval: wilson(0.8, 70.0) };
        let [low, high] = difference(ours, 0.6, wilson(0.6, 80.0));
        assert!((low - 0.0524).abs() < 5e-5 && (high - 0.3339).abs() < 5e-5, "{low} {high}");
    }
}
