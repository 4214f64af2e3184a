//! Trap profiles: how treacherous the positions of the games were, and how wrong playouts are
//! about it.

use super::axes;
use super::found::Found;
use super::words::{estimate, share};
use crate::traps::{LevelTraps, TrapProfile};
use spielbaum_document::{self as doc, Bars, Block, Cell, Chart, Column, Profile, Table, Text};

/// More games than this in one chart nobody tells apart.
const LAYERS: usize = 6;

/// The trap profiles of a section.
pub(super) fn blocks(found: &Found<'_>) -> Vec<Block> {
    let varied = found.varied();
    let profiles: Vec<(String, &TrapProfile)> = (found.parts.iter())
        .filter_map(|(part, result)| {
            let label = axes::label(found.section, &part.setting, &varied);
            Some((if label.is_empty() { part.name.clone() } else { label }, result.traps.as_ref()?))
        })
        .collect();
    let Some((_, first)) = profiles.first() else { return Vec::new() };
    let intro = format!(
        "A move is a *trap of level k* if the opponent can then force a win within k plies, and another \
         move would have avoided it. Positions are at risk if they have a trap up to level {}. Playouts \
         misjudge a trap as far as they end well for the player who stepped into it.",
        first.risk_level
    );
    let mut blocks = vec![Block::Paragraph(Text::markup(&intro)), table(&profiles).into()];
    if profiles.len() <= LAYERS {
        blocks.push(course(&profiles).into());
        blocks.push(levels(&profiles).into());
        let wrong = misjudged(&profiles);
        blocks.extend((!wrong.is_empty()).then(|| wrong.into()));
    }
    blocks
}

fn table(profiles: &[(String, &TrapProfile)]) -> Table {
    let mut table = Table::new("Traps along the games.")
        .column(Column::label("games of"))
        .column(Column::number("games"))
        .column(Column::number("positions"))
        .column(Column::number("at risk").unit("%"))
        .column(Column::number("traps"))
        .column(Column::number("fallen into"))
        .column(Column::number("misjudged").unit("%"));
    for (name, p) in profiles {
        table.push([
            Cell::text(name),
            Cell::count(p.games),
            Cell::count(p.positions),
            share(p.density, p.density_ci),
            Cell::count(p.all.traps),
            Cell::count(p.all.fallen),
            share(p.all.wrong, p.all.wrong_ci),
        ]);
    }
    table
}

/// Density over the course of the game.
fn course(profiles: &[(String, &TrapProfile)]) -> Chart {
    let mut chart = Profile::new(doc::Axis::new("ply", 0), doc::Axis::percent("positions at risk"));
    for (name, profile) in profiles {
        // What few games reach is noise.
        let points = profile
            .plies
            .iter()
            .filter(|row| 4 * row.positions >= profile.games)
            .filter_map(|row| Some((f64::from(row.first + row.last) / 2.0, row.density?)));
        chart = chart.layer(name, points);
    }
    Chart::new("Share of positions at risk over the course of the games.", chart)
}

fn categories(profiles: &[(String, &TrapProfile)]) -> Vec<u32> {
    let mut levels: Vec<u32> =
        profiles.iter().flat_map(|(_, p)| &p.levels).map(|l| l.level).collect();
    levels.sort_unstable();
    levels.dedup();
    levels
}

fn bars(
    profiles: &[(String, &TrapProfile)],
    title: &str,
    value: impl Fn(&TrapProfile, &LevelTraps) -> Option<doc::Estimate>,
) -> Bars {
    let levels = categories(profiles);
    let names = levels.iter().map(|level| level.to_string());
    let mut bars = Bars::new("level", names, doc::Axis::percent(title));
    for (name, profile) in profiles {
        let of = |level: &u32| {
            profile.levels.iter().find(|l| l.level == *level).and_then(|l| value(profile, l))
        };
        bars.series.push((name.clone(), levels.iter().map(of).collect()));
    }
    bars
}

fn levels(profiles: &[(String, &TrapProfile)]) -> Chart {
    let share = |p: &TrapProfile, l: &LevelTraps| {
        (p.positions > 0).then(|| doc::Estimate::new(l.positions as f64 / p.positions as f64))
    };
    Chart::new("Share of positions with a trap of each level.", bars(profiles, "positions", share))
}

fn misjudged(profiles: &[(String, &TrapProfile)]) -> Chart {
    let wrong = |_: &TrapProfile, l: &LevelTraps| Some(estimate(l.wrong?, l.wrong_ci));
    let caption =
        "Share of random playouts after a trap that its victim does not lose, with 95 % intervals.";
    Chart::new(caption, bars(profiles, "playouts misjudging", wrong))
}
