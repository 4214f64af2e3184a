//! What the games of a section tell about its players.

use super::found::Found;
use super::names;
use super::words::{about, real};
use spielbaum_document::{Block, Cell, Column, Table};

/// A table of all players of all matches, folded away; nothing for games that tell nothing.
pub(super) fn blocks(found: &Found<'_>) -> Option<Block> {
    let duels = found.duels(|_| true);
    let mut table = Table::new(
        "What the games tell about a player: means over its games, of quotients over those in which \
         they have a meaning, with standard deviations between games.",
    )
    .column(Column::label("match"));
    table.columns.push(Column::text("player"));
    table.columns.push(Column::text("what"));
    table.columns.extend(["games", "mean", "deviation"].map(Column::number));
    let mut is_empty = true;
    for duel in &duels {
        let specs: Vec<&str> = duel.summary.players.iter().map(|p| p.player.as_str()).collect();
        for (player, name) in duel.summary.players.iter().zip(names::short(&specs)) {
            for (what, told) in &player.statistics {
                is_empty = false;
                table.push(vec![
                    Cell::text(&duel.part.name),
                    Cell::code(name.as_str()),
                    Cell::text(what),
                    Cell::count(told.count),
                    real(Some(told.mean), None, 2),
                    about(told.deviation),
                ]);
            }
        }
    }
    (!is_empty).then(|| Block::Details {
        summary: "What the games tell about the players".to_string(),
        blocks: vec![table.into()],
    })
}
