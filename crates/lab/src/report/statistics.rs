//! What a game tells about its seats besides result and points: means, and how often a value that
//! takes few steps, such as the largest tile, is reached.

use super::found::{Duel, Found};
use super::names;
use super::words::{digits_of, real};
use crate::stats::Level;
use crate::stats::wdl::wilson_at;
use crate::{PlayerSummary, StatisticSummary};
use spielbaum_document::{Block, Cell, Column, Table};

/// A statistic with more different values has no table of steps.
const STEPS: usize = 20;

/// The statistics of the games of a section.
pub(super) fn blocks(found: &Found<'_>) -> Vec<Block> {
    let mut blocks = Vec::new();
    for duel in found.duels(|_| true) {
        let names = names_of(&duel);
        if names.is_empty() {
            continue;
        }
        blocks.push(means(&duel, &names).into());
        blocks.extend(names.iter().filter_map(|name| steps(&duel, name)).map(Block::from));
    }
    blocks
}

fn names_of(duel: &Duel<'_>) -> Vec<String> {
    let all = duel.summary.players.iter().flat_map(|p| &p.statistics);
    let mut names: Vec<String> = all.map(|s| s.name.clone()).collect();
    names.sort();
    names.dedup();
    names
}

fn rows<'a>(duel: &'a Duel<'_>) -> impl Iterator<Item = (String, &'a PlayerSummary)> {
    let specs: Vec<&str> = duel.summary.players.iter().map(|p| p.player.as_str()).collect();
    names::short(&specs).into_iter().zip(&duel.summary.players)
}

fn means(duel: &Duel<'_>, names: &[String]) -> Table {
    let mut table = Table::new("Means of what the game tells about each player.")
        .column(Column::label("player"));
    for name in names {
        table.columns.push(Column::number(name));
    }
    for (player, summary) in rows(duel) {
        let mut cells = vec![Cell::code(player)];
        for name in names {
            let mean = summary.statistic(name).map(|s| s.mean);
            let digits = mean.map_or(0, |m| digits_of(m.mean));
            cells.push(real(mean.map(|m| m.mean), mean.and_then(|m| m.ci), digits));
        }
        table.push(cells);
    }
    table
}

/// The share of games in which each value was reached, from the value that not all reached.
fn steps(duel: &Duel<'_>, name: &str) -> Option<Table> {
    let found: Vec<_> = rows(duel).map(|(player, s)| (player, s.statistic(name))).collect();
    let all = found.iter().filter_map(|(_, s)| *s);
    let mut values: Vec<i32> = all.flat_map(|s| s.counts.iter().map(|c| c.0)).collect();
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
        let Some(statistic) = statistic else { continue };
        let mut cells = vec![Cell::code(player), Cell::count(statistic.at_least(i32::MIN).1)];
        cells.extend(values[1..].iter().map(|&value| share(statistic, value)));
        table.push(cells);
    }
    Some(table)
}

fn share(statistic: &StatisticSummary, least: i32) -> Cell {
    let (count, of) = statistic.at_least(least);
    if of == 0 {
        return Cell::empty();
    }
    let share = count as f64 / of as f64;
    let [low, high] = wilson_at(share, of as f64, Level::P95);
    Cell::percent(share).between(low, high)
}
