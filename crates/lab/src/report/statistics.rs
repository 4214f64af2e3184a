//! What games tell about their players besides result and points: means, and how often a value, such
//! as the largest tile, is reached.

use super::found::{Duel, Found};
use super::names;
use super::words::{about, digits_of, real};
use crate::stats::Level;
use crate::stats::wdl::wilson_at;
use crate::{PlayerSummary, StatisticSummary};
use spielbaum_document::{Block, Cell, Column, Table};

/// A statistic with more different values has no table of steps.
const STEPS: usize = 20;

/// The statistics of the games of a section, folded away where there are many.
pub(super) fn blocks(found: &Found<'_>) -> Vec<Block> {
    let duels: Vec<_> = found.duels(|_| true).into_iter().filter(|d| tells(d) > 0).collect();
    if duels.is_empty() {
        return Vec::new();
    }
    let mut blocks: Vec<Block> = duels.iter().filter_map(steps).map(Block::from).collect();
    blocks.push(Block::Details {
        summary: "What the games tell about the players".to_string(),
        blocks: vec![means(&duels).into()],
    });
    blocks
}

/// How many statistics there are.
fn tells(duel: &Duel<'_>) -> usize {
    duel.summary.players.iter().map(|p| p.statistics.len()).max().unwrap_or(0)
}

fn players<'a>(duel: &'a Duel<'_>) -> impl Iterator<Item = (String, &'a PlayerSummary)> {
    let specs: Vec<&str> = duel.summary.players.iter().map(|p| p.player.as_str()).collect();
    names::short(&specs).into_iter().zip(&duel.summary.players)
}

fn means(duels: &[Duel<'_>]) -> Table {
    let mut table = Table::new(
        "What the games tell about a player: means over its games, of quotients over those in which \
         they have a meaning, with standard deviations between games.",
    )
    .column(Column::label("match"))
    .column(Column::text("player"))
    .column(Column::text("what"));
    table.columns.extend(["games", "mean", "deviation"].map(Column::number));
    for duel in duels {
        for (name, player) in players(duel) {
            for (what, told) in &player.statistics {
                table.push([
                    Cell::text(&duel.part.name),
                    Cell::code(name.as_str()),
                    Cell::text(what),
                    Cell::count(told.count),
                    real(Some(told.mean), told.ci, digits_of(told.mean)),
                    about(told.deviation),
                ]);
            }
        }
    }
    table
}

/// The share of games in which each value was reached, from the second on; for a game with one
/// statistic that takes few values.
fn steps(duel: &Duel<'_>) -> Option<Table> {
    if tells(duel) != 1 {
        return None;
    }
    let name = duel.summary.players.iter().flat_map(|p| p.statistics.keys()).next()?;
    let found: Vec<_> = players(duel).filter_map(|(p, s)| Some((p, s.statistic(name)?))).collect();
    let mut values: Vec<i64> = found.iter().flat_map(|f| f.1.counts.iter().map(|c| c.0)).collect();
    values.sort_unstable();
    values.dedup();
    if !(2..=STEPS).contains(&values.len()) {
        return None;
    }
    let mut table = Table::new(format!("Share of games with a {name} of at least so much."))
        .column(Column::label("player"))
        .column(Column::number("games"));
    for value in &values[1..] {
        table.columns.push(Column::number(value.to_string()).unit("%"));
    }
    for (player, statistic) in &found {
        let mut cells = vec![Cell::code(player), Cell::count(statistic.count)];
        cells.extend(values[1..].iter().map(|&value| share(statistic, value)));
        table.push(cells);
    }
    Some(table)
}

fn share(statistic: &StatisticSummary, least: i64) -> Cell {
    let (count, of) = statistic.at_least(least);
    if of == 0 {
        return Cell::empty();
    }
    let share = count as f64 / of as f64;
    let [low, high] = wilson_at(share, of as f64, Level::P95);
    Cell::percent(share).between(low, high)
}
