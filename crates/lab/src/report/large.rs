//! Tables of three to five seats: shares, places and ratings.

use super::axes;
use super::duels::adjust;
use super::found::{Duel, Found};
use super::names;
use super::samples::each_game;
use super::tournament::rate;
use super::words::{p_value, plural, real, share};
use crate::Format;
use crate::stats::Level;
use crate::stats::table_rating::{TableGame, rate_tables};
use spielbaum_document::{
    self as doc, Arrangement, Bars, Block, Cell, Chart, Column, Notice, NoticeKind, Table,
};

/// What the places are called.
const PLACES: [&str; 5] = ["first", "second", "third", "fourth", "fifth"];
/// More bars than this are not drawn.
const BARS: usize = 24;

/// The matches of a section at tables of three to five.
pub(super) fn blocks(found: &Found<'_>) -> Vec<Block> {
    let duels = found.duels(|seats| seats > 2);
    if duels.iter().all(|duel| duel.summary.games == 0) {
        return Vec::new();
    }
    let mut blocks = Vec::new();
    let tables = table(found, &duels);
    if found.section.format == Format::RoundRobin {
        let mut sizes: Vec<usize> = duels.iter().map(|duel| duel.plan.seats).collect();
        sizes.dedup();
        for seats in sizes {
            let same: Vec<Duel<'_>> =
                duels.iter().copied().filter(|d| d.plan.seats == seats).collect();
            blocks.extend(together(found, &same, seats));
        }
        blocks.push(Block::Details {
            summary: "The single matches".into(),
            blocks: vec![tables.into()],
        });
    } else {
        blocks.push(tables.into());
        blocks.extend(places(found, &duels));
    }
    blocks
}

/// A row for each player of each match.
fn table(found: &Found<'_>, duels: &[Duel<'_>]) -> Table {
    let varied =
        if found.section.format == Format::RoundRobin { Vec::new() } else { found.varied() };
    // Of two players one test says it all, so it stands in the first row of a match.
    let tests: Vec<Option<f64>> =
        duels.iter().map(|duel| duel.summary.los.map(|los| 2.0 * los.min(1.0 - los))).collect();
    let mut table = Table::new(
        "What each player got, on average over its seats; 1 is a win alone, and wins are shared. p is the \
         chance of a difference at least as large between the first player and the others if all were \
         equal, corrected for the number of matches (Holm).",
    )
    .column(Column::label("match"));
    table.columns.extend(found.columns(&varied));
    table.columns.extend([
        Column::text("player"),
        Column::number("seats"),
        Column::number("games"),
        Column::number("share").unit("%"),
        Column::number("equal share").unit("%"),
        Column::number("mean place"),
        Column::number("p"),
    ]);
    for (duel, p) in duels.iter().zip(adjust(&tests)) {
        let specs: Vec<&str> = duel.summary.players.iter().map(|p| p.player.as_str()).collect();
        for (at, (player, name)) in
            duel.summary.players.iter().zip(names::short(&specs)).enumerate()
        {
            let games = Cell::count(duel.summary.games);
            let games = match duel.lacks() {
                Some(lack) => games.note(lack),
                None => games,
            };
            let mut row = vec![Cell::text(&duel.part.name)];
            row.extend(found.cells(duel.part, &varied));
            row.extend([
                Cell::code(name),
                Cell::count(duel.plan.seats as u64),
                games,
                share(player.payoff.map(|m| m.mean), player.payoff.and_then(|m| m.ci)),
                Cell::percent(1.0 / duel.plan.seats as f64),
                real(player.place.map(|m| m.mean), player.place.and_then(|m| m.ci), 2),
                if at == 0 { p_value(p) } else { Cell::empty() },
            ]);
            table.push(row);
        }
    }
    table
}

/// The places of the players of each match.
fn places(found: &Found<'_>, duels: &[Duel<'_>]) -> Option<Block> {
    let varied = found.varied();
    let mut rows: Vec<(String, Vec<f64>)> = Vec::new();
    for duel in duels {
        let specs: Vec<&str> = duel.summary.players.iter().map(|p| p.player.as_str()).collect();
        let setting = axes::label(found.section, &duel.part.setting, &varied);
        for (player, name) in duel.summary.players.iter().zip(names::short(&specs)) {
            let label = if duels.len() > 1 { format!("{setting}: {name}") } else { name };
            rows.push((label, player.places.clone()));
        }
    }
    bars(&rows)
}

fn bars(rows: &[(String, Vec<f64>)]) -> Option<Block> {
    let rows: Vec<&(String, Vec<f64>)> =
        rows.iter().filter(|(_, places)| !places.is_empty()).collect();
    let seats = rows.iter().map(|(_, places)| places.len()).max()?;
    if rows.len() > BARS {
        return None;
    }
    let names = rows.iter().map(|(name, _)| name.as_str());
    let mut bars = Bars::new("player", names, doc::Axis::percent("share of the games"))
        .arrangement(Arrangement::Shares);
    for place in 0..seats {
        let shares = rows.iter().map(|(_, places)| places.get(place).copied().unwrap_or(0.0));
        bars = bars.series(PLACES[place.min(PLACES.len() - 1)], shares);
    }
    Some(Chart::new("Places; who shares one takes part of each.", bars).into())
}

/// A round robin as a whole: one row and one rating for each player.
fn together(found: &Found<'_>, duels: &[Duel<'_>], seats: usize) -> Vec<Block> {
    let mut specs: Vec<String> = Vec::new();
    for player in duels.iter().flat_map(|duel| &duel.summary.players) {
        if !specs.contains(&player.player) {
            specs.push(player.player.clone());
        }
    }
    let short = names::short(&specs.iter().map(String::as_str).collect::<Vec<_>>());
    let mut rounds: Vec<Vec<TableGame>> = Vec::new();
    for duel in duels {
        let index = |player: &usize| {
            let spec = &duel.plan.header().players[*player].spec;
            specs.iter().position(|known| known == spec).unwrap_or(0)
        };
        let mut last = None;
        each_game(found, duel, |game, _| {
            if last != Some(game.round) {
                rounds.push(Vec::new());
                last = Some(game.round);
            }
            let seats = game.seats.iter().map(index).collect();
            let payoffs = game.payoffs.iter().map(|&x| f64::from(x)).collect();
            if let Some(round) = rounds.last_mut() {
                round.push(TableGame { seats, payoffs });
            }
        });
    }
    let mut blocks = Vec::new();
    match rate(|options| rate_tables(&short, &rounds, options), true) {
        Ok((ratings, note)) => {
            blocks.extend(note.map(|text| Notice::new(NoticeKind::Note, text).into()));
            let caption = format!(
                "Ratings of {} at tables of {seats}, by comparing every two seats of a game; their mean is \
                 0, and intervals take rounds as independent.",
                plural(specs.len() as u64, "player")
            );
            let mut table = Table::new(caption)
                .column(Column::label("player"))
                .column(Column::number("rating").unit("Elo"))
                .column(Column::number("games"))
                .column(Column::number("share").unit("%"))
                .column(Column::number("mean place"));
            for player in ratings.order() {
                let rating = ratings.rating(player, Level::P95);
                let sum = Pooled::new(duels, &specs[player]);
                table.push([
                    Cell::code(&short[player]),
                    real(Some(rating.value), Some(rating.interval), 0),
                    Cell::count(sum.games as u64),
                    share(sum.mean(sum.payoff), None),
                    real(sum.mean(sum.place), None, 2),
                ]);
            }
            blocks.push(table.into());
        }
        Err(error) => {
            blocks.push(Notice::new(NoticeKind::Warning, format!("No ratings: {error}.")).into());
        }
    }
    let rows: Vec<(String, Vec<f64>)> = short
        .into_iter()
        .zip(&specs)
        .map(|(name, spec)| (name, Pooled::new(duels, spec).places()))
        .collect();
    blocks.extend(bars(&rows));
    blocks
}

/// A player's results over several matches, weighted by their games.
struct Pooled {
    games: f64,
    payoff: f64,
    place: f64,
    places: Vec<f64>,
}

impl Pooled {
    fn new(duels: &[Duel<'_>], spec: &str) -> Self {
        let mut sum = Pooled { games: 0.0, payoff: 0.0, place: 0.0, places: Vec::new() };
        for duel in duels {
            let games = duel.summary.games as f64;
            for player in duel.summary.players.iter().filter(|p| p.player == spec) {
                sum.games += games;
                sum.payoff += games * player.payoff.map_or(0.0, |m| m.mean);
                sum.place += games * player.place.map_or(0.0, |m| m.mean);
                sum.places.resize(sum.places.len().max(player.places.len()), 0.0);
                sum.places.iter_mut().zip(&player.places).for_each(|(s, x)| *s += games * x);
            }
        }
        sum
    }

    fn mean(&self, sum: f64) -> Option<f64> {
        (self.games > 0.0).then(|| sum / self.games)
    }

    fn places(&self) -> Vec<f64> {
        self.places.iter().map(|x| x / self.games.max(1.0)).collect()
    }
}
