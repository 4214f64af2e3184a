//! What the players of a section spent on their moves.

use super::found::Found;
use super::names;
use super::words::{about, between};
use spielbaum_document::{Block, Cell, Column, Table};

/// A table of all players of all matches, folded away.
pub(super) fn blocks(found: &Found<'_>) -> Option<Block> {
    let duels = found.duels(|_| true);
    if duels.iter().all(|duel| duel.summary.games == 0) {
        return None;
    }
    let varied = match found.section.format {
        // There the axes are the players themselves.
        crate::Format::RoundRobin | crate::Format::Scores => Vec::new(),
        _ => found.varied(),
    };
    let mut table = Table::new("What a player did on average for each of its moves.")
        .column(Column::label("match"));
    table.columns.extend(found.columns(&varied));
    table.columns.push(Column::text("player"));
    let numbers = ["plies of a game", "moves", "iterations", "nodes", "depth"].map(Column::number);
    table.columns.extend(numbers);
    table.columns.push(Column::number("time").unit("ms"));
    for duel in &duels {
        let specs: Vec<&str> = duel.summary.players.iter().map(|p| p.player.as_str()).collect();
        for (at, (player, name)) in
            duel.summary.players.iter().zip(names::short(&specs)).enumerate()
        {
            let time = duel.times.and_then(|times| times.per_move(at)).map(|seconds| 1e3 * seconds);
            let time_ci =
                duel.times.and_then(|times| times.per_move_ci(at)).map(|ci| ci.map(|s| 1e3 * s));
            let mut row = vec![Cell::text(&duel.part.name)];
            row.extend(found.cells(duel.part, &varied));
            row.extend([
                Cell::code(name),
                about(duel.summary.plies.filter(|_| at == 0)),
                Cell::count(player.moves),
                about(player.iterations_per_move),
                between(about(player.nodes_per_move), player.nodes_ci),
                about(player.depth),
                between(about(time), time_ci),
            ]);
            table.push(row);
        }
    }
    Some(Block::Details {
        summary: "What the players spent".to_string(),
        blocks: vec![table.into()],
    })
}
