//! The replication as a whole: the anchor first, then what it lets us say.

use super::claims;
use super::compared::{forest, place, tally};
use crate::Results;
use crate::replication::{Anchor, Comparison, Judgement, Replication};
use crate::stats::Level;
use spielbaum_document::{Block, Notice, NoticeKind, Section, Text};

/// More rows than this are left to the sections.
const ROWS: usize = 60;

/// The sections that come before the experiments.
pub(super) fn sections(results: &Results, replication: &Replication<'_>) -> Vec<Section> {
    let mut section = Section::new("replication", "Is it repeated?");
    section.blocks.push(anchor(replication));
    let judged = |wanted: Judgement, provisional: bool| {
        let claims = replication.claims.iter().filter(|c| c.judgement == wanted);
        claims.filter(|c| wanted == Judgement::Open || c.provisional == provisional).count()
    };
    let early = judged(Judgement::Confirmed, true) + judged(Judgement::Refuted, true);
    let early = if early > 0 { format!("**{early} provisional**, ") } else { String::new() };
    let counts = format!(
        "Claims: **{} confirmed**, **{} refuted**, {early}**{} open**. {}",
        judged(Judgement::Confirmed, false),
        judged(Judgement::Refuted, false),
        judged(Judgement::Open, false),
        tally(&replication.comparisons)
    );
    section.blocks.push(Block::Paragraph(Text::markup(&counts)));
    let rows: Vec<&Comparison<'_>> =
        replication.comparisons.iter().filter(|row| row.published.metric.is_share()).collect();
    if rows.len() <= ROWS {
        let caption = "Published numbers (with the interval their games leave) and ours, with 95 % intervals.";
        section.blocks.extend(forest(&rows, caption, results.experiment.sections.len() > 1));
    }
    let mut sections = vec![section];
    sections.extend(claims::section(replication));
    sections
}

/// Whether the anchor is met, and what that means.
fn anchor(replication: &Replication<'_>) -> Block {
    let why = "Nothing counts before one published number comes out again: only then are rules, budgets \
               and scales known to be those of the paper.";
    if let (Anchor::Waived, Some(because)) = (replication.anchor, &replication.paper.no_anchor) {
        let because = because.trim_end_matches('.');
        let says = "**There is no anchor**, no published number that must come out again before others count: ";
        return Notice::new(NoticeKind::Note, Text::markup(&format!("{says}{because}."))).into();
    }
    let numbers = replication.anchor_row().map(|row| {
        let metric = row.published.metric;
        let theirs = crate::stats::Estimate {
            value: row.published.value,
            interval: row.interval.unwrap_or([row.published.value; 2]),
        };
        let ours = row.ours.first().and_then(|m| Some((m.compared(Level::P95)?, m.count)));
        let ours = ours.map_or("not measured yet".to_string(), |(ours, games)| {
            format!("{} from {games} games", metric.shown(ours))
        });
        format!(
            "The anchor is the {} of [{}](#{}) at {}: published {}, ours {ours}. ",
            metric,
            row.section.id,
            row.section.id,
            place(row),
            metric.shown(theirs)
        )
    });
    let numbers = numbers.unwrap_or_default();
    let (kind, says) = match replication.anchor {
        Anchor::Held if replication.anchor_open => (
            NoticeKind::Warning,
            "**The anchor holds so far**: ours lies inside the published interval, but its games are not all \
             played. The verdicts are provisional.",
        ),
        Anchor::Held => (
            NoticeKind::Note,
            "**The anchor holds**: ours lies inside the published interval, so the verdicts count.",
        ),
        Anchor::Near => (
            NoticeKind::Warning,
            "**The anchor is near**: ours does not contradict what was published, but too few games say that \
             it is met. The verdicts are provisional; more games are needed.",
        ),
        Anchor::Missed if replication.anchor_open => (
            NoticeKind::Warning,
            "**The anchor is missed so far**: ours lies outside the published interval, further than chance \
             explains, but its games are not all played. That is provisional; until it is met every verdict is \
             open.",
        ),
        Anchor::Missed => (
            NoticeKind::Warning,
            "**The anchor is missed**: ours lies outside the published interval, further than chance \
             explains. Something differs from the paper, so every verdict is open.",
        ),
        Anchor::Missing | Anchor::Waived => {
            (NoticeKind::Warning, "**The anchor is not measured yet**, so every verdict is open.")
        }
    };
    Notice::new(kind, Text::markup(&format!("{says} {numbers}{why}"))).into()
}
