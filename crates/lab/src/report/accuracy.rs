//! Positions with known values: how often a player's move keeps the value.

use super::curves::{self, Quantity, Value};
use super::found::{Found, Taken};
use super::words::{about, count, estimate, plural, share};
use crate::experiment::paper::Metric;
use spielbaum_document::{Block, Cell, Column, Table};

/// The exams of a section with known values.
pub(super) fn blocks(found: &Found<'_>) -> Vec<Block> {
    let exams = found.exams();
    if exams.iter().all(|taken| taken.summary.answers == 0) {
        return Vec::new();
    }
    let varied = found.varied();
    let alone = varied.is_empty();
    let mut table = Table::new(
        "How often the move keeps the value of the position. A proof is false if the known value says \
         otherwise.",
    )
    .column(Column::label("exam"));
    table.columns.extend(found.columns(&varied));
    if alone {
        table.columns.push(Column::text("player"));
    }
    let mut spent =
        Table { caption: "What a player did on average for each answer.".into(), ..table.clone() };
    table.columns.extend([
        Column::number("answers"),
        Column::number("kept").unit("%"),
        Column::number("proofs"),
        Column::number("false"),
    ]);
    spent.columns.extend(["depth", "iterations", "nodes"].map(Column::number));
    spent.columns.push(Column::number("time").unit("ms"));
    for taken in &exams {
        let s = taken.summary;
        let answers = Cell::count(s.answers);
        let answers = match taken.result.complete {
            true => answers,
            false => {
                answers.note(format!("unfinished: {} of {} questions", s.answers, s.questions))
            }
        };
        let each = taken.times.filter(|times| !times.answers.is_empty());
        let time = each.map(|times| 1e3 * times.total() / times.answers.len() as f64);
        let mut row = vec![Cell::text(&taken.part.name)];
        row.extend(found.cells(taken.part, &varied));
        if alone {
            row.push(Cell::code(&s.player));
        }
        spent.push(row.iter().cloned().chain([
            about(s.depth),
            about(s.iterations),
            about(s.nodes),
            about(time),
        ]));
        row.extend([
            answers,
            share(s.kept.map(|kept| kept.share), s.kept.map(|kept| kept.ci)),
            Cell::count(s.proofs),
            s.false_proofs.map_or_else(Cell::empty, Cell::count),
        ]);
        table.push(row);
    }
    let values: Vec<Value<'_>> = (exams.iter())
        .filter_map(|taken| {
            let kept = taken.summary.kept?;
            Some(Value { part: taken.part, value: estimate(kept.share, Some(kept.ci)) })
        })
        .collect();
    let quantity = Quantity {
        metric: Metric::Kept,
        title: "value kept",
        caption: "Share of moves that keep the value",
        reference: None,
    };
    let mut blocks = vec![table.into()];
    blocks.extend(equal_moves(&exams));
    blocks.extend(curves::charts(found, &quantity, &values));
    blocks.push(Block::Details {
        summary: "What the players spent".to_string(),
        blocks: vec![spent.into()],
    });
    blocks
}

/// What became of positions where nothing can be answered wrongly.
fn equal_moves(exams: &[Taken<'_>]) -> Option<Block> {
    let left_out = exams.iter().map(|taken| taken.exam.header().left_out).max()?;
    let empty = |taken: &Taken<'_>| {
        let questions = &taken.exam.questions;
        questions.iter().filter(|question| !question.tells()).count() as u64
    };
    let asked = exams.iter().map(empty).max()?;
    let text = match (left_out, asked) {
        (0, 0) => return None,
        (_, 0) => format!(
            "{} of the file were left out: all their moves are of equal value, so whatever is played keeps it.",
            plural(left_out, "position")
        ),
        _ => format!(
            "In {} of the questions all moves are of equal value, so whatever is played keeps it: the shares \
             are higher than the players are good.",
            count(asked)
        ),
    };
    Some(Block::Paragraph(text.into()))
}
