//! Matches of two: a table of all of them, and their score over what was swept.

use super::curves::{self, Quantity, Value};
use super::found::{Duel, Found};
use super::words::{charted, elo, p_value, percent_between, plural, share};
use crate::experiment::paper::Metric;
use crate::stats::multiple::score_test;
use crate::stats::{Correction, Decision, FirstMove, Level};
use crate::{Format, Part};
use spielbaum_document::{Block, Cell, Column, Reference, Table};

/// The matches of two of a section.
pub(super) fn blocks(found: &Found<'_>) -> Vec<Block> {
    let duels = found.duels(|seats| seats == 2);
    if duels.iter().all(|duel| duel.summary.games == 0) {
        return Vec::new();
    }
    let parts: Vec<&Part> = duels.iter().map(|duel| duel.part).collect();
    let mut blocks = vec![Block::from(table(found, &duels, &found.varied_among(&parts)))];
    let values: Vec<Value<'_>> = (duels.iter())
        .filter_map(|duel| Some(Value { part: duel.part, value: charted(duel.score()?) }))
        .collect();
    let quantity = Quantity {
        metric: Metric::Score,
        title: "score",
        caption: "Score of the first player",
        reference: Some(Reference::new(0.5, "even")),
    };
    blocks.extend(curves::charts(found, &quantity, &values));
    blocks.extend(first_move(&duels));
    blocks
}

/// All matches with what they say about strength; where all players are rated without their Elo.
pub(super) fn table(found: &Found<'_>, duels: &[Duel<'_>], axes: &[usize]) -> Table {
    let tests: Vec<Option<f64>> =
        duels.iter().map(|duel| duel.rounds().and_then(|r| score_test(&r))).collect();
    let adjusted = adjust(&tests);
    let several = tests.iter().flatten().count() > 1;
    let rated = found.section.format == Format::RoundRobin;
    let tested = duels.iter().any(|duel| duel.summary.sprt.is_some());
    let caption = match several {
        true => {
            "Results of the first player of each match. p is the chance of a score at least as \
             uneven between equals, corrected for the number of matches in this section (Holm)."
        }
        false => {
            "Result of the first player. p is the chance of a score at least as uneven between equals."
        }
    };
    let mut table = Table::new(caption).column(Column::label("match"));
    table.columns.extend(found.columns(axes));
    let numbers = ["games", "won", "drawn", "lost"].map(Column::number);
    table.columns.extend(numbers);
    table.columns.push(Column::number("score").unit("%"));
    if !rated {
        table.columns.push(Column::number("Elo"));
    }
    table.columns.push(Column::number("p"));
    if tested {
        table.columns.push(Column::text("test"));
    }
    for (duel, p) in duels.iter().zip(adjusted) {
        let s = duel.summary;
        let games = Cell::count(s.games);
        let games = match (duel.lacks(), s.is_repeated()) {
            (Some(lack), _) => games.note(lack),
            (None, true) => games.note(format!("only {} different games", s.distinct)),
            _ => games,
        };
        let mut row = vec![Cell::text(&duel.part.name)];
        row.extend(found.cells(duel.part, axes));
        row.extend([games, Cell::count(s.wins), Cell::count(s.draws), Cell::count(s.losses)]);
        let score = duel.score();
        row.push(share(score.map(|e| e.value), score.map(|e| e.interval)));
        if !rated {
            row.push(elo(s.elo, s.elo_ci));
        }
        row.push(p_value(p));
        if tested {
            row.push(Cell::text(test(duel)));
        }
        table.push(row);
    }
    table
}

/// p-values corrected for their number; those that are missing do not count.
pub(super) fn adjust(tests: &[Option<f64>]) -> Vec<Option<f64>> {
    let known: Vec<f64> = tests.iter().flatten().copied().collect();
    let mut adjusted = Correction::Holm.adjust(&known).into_iter();
    tests.iter().map(|test| test.and_then(|_| adjusted.next())).collect()
}

/// What the sequential test says.
fn test(duel: &Duel<'_>) -> String {
    let Some(state) = &duel.summary.sprt else { return String::new() };
    let says = match state.decision {
        Some(Decision::H1) => {
            format!("at least {:+} Elo rather than {:+}", state.test.elo1, state.test.elo0)
        }
        Some(Decision::H0) => {
            format!("{:+} Elo rather than {:+}", state.test.elo0, state.test.elo1)
        }
        None => "undecided".to_string(),
    };
    format!("{says} (LLR {:.2})", state.llr)
}

/// What moving first is worth, all matches together.
pub(super) fn first_move(duels: &[Duel<'_>]) -> Option<Block> {
    let mut first = FirstMove::new(2);
    for duel in duels.iter().filter(|duel| duel.summary.first_pairs.len() == 5) {
        for (half_points, &rounds) in duel.summary.first_pairs.iter().enumerate() {
            (0..rounds).for_each(|_| first.add(half_points));
        }
    }
    let score = first.score()?;
    let rounds = plural(first.rounds().total(), "round");
    let text = percent_between(score, first.interval(Level::P95));
    let draws: u64 = duels.iter().map(|duel| duel.summary.draws).sum();
    let games: u64 = duels.iter().map(|duel| duel.summary.games).sum();
    let drawn = percent_between(draws as f64 / games.max(1) as f64, None);
    Some(Block::Paragraph(
        format!(
            "Whoever moved first scored {text} over {rounds} in which both players had either seat; \
             {drawn} of the games were drawn."
        )
        .into(),
    ))
}
