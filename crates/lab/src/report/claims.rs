//! The claims of a paper and what became of them.

use super::setup::sentence;
use crate::replication::{Decided, Judgement, Replication};
use spielbaum_document::{Block, Cell, Column, Section, Table, Verdict};

/// All claims with verdict and reason.
pub(super) fn section(replication: &Replication<'_>) -> Option<Section> {
    if replication.claims.is_empty() {
        return None;
    }
    let mut table = Table::new("The claims of the paper, and what this run says of them.")
        .column(Column::label("claim"))
        .column(Column::text("source"))
        .column(Column::verdict("verdict"))
        .column(Column::text("because"));
    for decided in &replication.claims {
        let Decided { claim, judgement, provisional, reason } = decided;
        let verdict = Cell::verdict(match (judgement, provisional) {
            (Judgement::Confirmed, false) => Verdict::Confirmed,
            (Judgement::Confirmed, true) => Verdict::ConfirmedSoFar,
            (Judgement::Refuted, false) => Verdict::Refuted,
            (Judgement::Refuted, true) => Verdict::RefutedSoFar,
            (Judgement::Open, _) => Verdict::Open,
        });
        let text = Cell::text(sentence(&claim.text));
        let text = match &claim.note {
            Some(note) => text.note(sentence(note)),
            None => text,
        };
        let source = claim.source.as_deref().map_or_else(Cell::empty, Cell::text);
        table.push([text, source, verdict, Cell::text(reason)]);
    }
    let how = "A claim is confirmed if it holds over the whole intervals of the numbers it speaks about, \
               refuted if its opposite does, and open otherwise. One that does not hold is confirmed, and one \
               that holds is refuted, with a chance of at most 5 %, whatever the number of its comparisons. \
               Parts whose games are not all played, or to which games were added after a look, have intervals that hold \
               whenever one looks, so that this chance is that of all looks together; a verdict may still change when more games \
               come. What only other intervals would decide is so only so far: provisional.";
    Some(Section::new("claims", "Claims").block(Block::Paragraph(how.into())).block(table))
}
