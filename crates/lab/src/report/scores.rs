//! Games for one: points with bootstrap intervals, differences in the same chance events, and
//! how the points are distributed.

use super::duels::adjust;
use super::found::{Duel, Found};
use super::names;
use super::samples::points;
use super::words::{digits_of, p_value, real};
use crate::stats::Mean;
use crate::stats::bootstrap::{self, Bootstrap};
use crate::stats::quantiles::{quantile, sorted};
use spielbaum_document::{
    self as doc, Bars, Block, BoxPlot, Cell, Chart, Column, Density, Summary, Table, Text,
};

/// Up to so many different values each has a bar of its own.
const BARS: usize = 12;
/// Of fewer values a bootstrap knows too little.
const FEW: usize = 10;
/// A shape needs so many values.
const SHAPE: usize = 30;
/// Values drawn by a bootstrap, all samples together: what a second or so can do.
const DRAWN: usize = 10_000_000;

/// The games for one of a section.
pub(super) fn blocks(found: &Found<'_>) -> Vec<Block> {
    let duels = found.duels(|seats| seats == 1);
    let mut blocks = Vec::new();
    for duel in &duels {
        let games = Games::read(found, duel);
        if games.points.iter().all(Vec::is_empty) {
            blocks.extend(means(duel).map(Block::from));
            continue;
        }
        if duels.len() > 1 {
            let game = &duel.plan.header().game.spec;
            blocks.push(Block::Paragraph(
                Text::default().code(game).plain(format!(" ({}):", duel.part.name)),
            ));
        }
        blocks.push(games.table().into());
        blocks.extend(games.differences().map(Block::from));
        blocks.push(games.chart().into());
    }
    blocks
}

/// What the statistics say where the single games are not there, as in a digest.
fn means(duel: &Duel<'_>) -> Option<Table> {
    let specs: Vec<&str> = duel.summary.players.iter().map(|p| p.player.as_str()).collect();
    let mut table = Table::new("Mean points of each player; the single games are not at hand.")
        .column(Column::label("player"))
        .column(Column::number("games"))
        .column(Column::number("mean"));
    for (player, name) in duel.summary.players.iter().zip(names::short(&specs)) {
        let points = player.points.or(player.payoff);
        let digits = points.map_or(0, |points| digits_of(points.mean));
        let mean = real(points.map(|m| m.mean), points.and_then(|m| m.ci), digits);
        table.push([Cell::code(name), Cell::count(duel.summary.rounds), mean]);
    }
    (duel.summary.games > 0).then_some(table)
}

struct Games {
    names: Vec<String>,
    /// Points of each player, round by round.
    points: Vec<Vec<f64>>,
    digits: u8,
}

impl Games {
    fn read(found: &Found<'_>, duel: &Duel<'_>) -> Self {
        let points = points(found, duel);
        let specs: Vec<&str> = duel.plan.header().players.iter().map(|p| p.spec.as_str()).collect();
        let names = names::short(&specs);
        let largest = points.iter().flatten().fold(0.0, |most: f64, x| most.max(x.abs()));
        Games { names, points, digits: digits_of(largest.max(1.0)) }
    }

    fn bootstrap(&self) -> Bootstrap {
        let rounds = self.points.first().map_or(1, Vec::len).max(1);
        Bootstrap { samples: (DRAWN / rounds).clamp(200, 2000), ..Bootstrap::default() }
    }

    /// An estimate with its interval as a cell.
    fn cell(&self, values: &[f64], statistic: fn(&mut [f64]) -> f64) -> Cell {
        let enough = values.len() >= FEW;
        match enough.then(|| self.bootstrap().bca(values, statistic)).flatten() {
            Some(found) => real(Some(found.value), Some(found.interval), self.digits),
            None => real(Some(statistic(&mut values.to_vec())), None, self.digits),
        }
    }

    fn table(&self) -> Table {
        let mut table = Table::new(
            "Points of each player; intervals of mean and median by the bootstrap (BCa), from ten games on.",
        )
        .column(Column::label("player"));
        for title in ["games", "mean", "median", "least", "most"] {
            table.columns.push(Column::number(title));
        }
        for (name, values) in self.names.iter().zip(&self.points) {
            let sorted = sorted(values);
            table.push([
                Cell::code(name),
                Cell::count(values.len() as u64),
                self.cell(values, bootstrap::mean),
                self.cell(values, bootstrap::median),
                real(sorted.first().copied(), None, self.digits),
                real(sorted.last().copied(), None, self.digits),
            ]);
        }
        table
    }

    /// Everyone against the best.
    fn differences(&self) -> Option<Table> {
        let mean = |values: &Vec<f64>| values.iter().sum::<f64>() / values.len().max(1) as f64;
        let best = (0..self.points.len()).max_by(|&a, &b| {
            mean(&self.points[a]).total_cmp(&mean(&self.points[b])).then(b.cmp(&a))
        })?;
        let others: Vec<usize> = (0..self.points.len()).filter(|&at| at != best).collect();
        let paired: Vec<Vec<f64>> = (others.iter())
            .map(|&at| bootstrap::paired(&self.points[at], &self.points[best]).unwrap_or_default())
            .collect();
        let test = |values: &Vec<f64>| {
            let mut mean = Mean::default();
            values.iter().for_each(|&x| mean.add(x));
            mean.p_value(0.0)
        };
        let tests: Vec<Option<f64>> = paired.iter().map(test).collect();
        let mut table = Table::new(format!(
            "Difference to {}, game by game with the same chance events: these vary less than the points \
             themselves. p is corrected for the number of comparisons (Holm).",
            self.names[best]
        ))
        .column(Column::label("player"))
        .column(Column::number("mean difference"))
        .column(Column::number("p"));
        for ((&at, values), p) in others.iter().zip(&paired).zip(adjust(&tests)) {
            table.push([
                Cell::code(&self.names[at]),
                self.cell(values, bootstrap::mean),
                p_value(p),
            ]);
        }
        (!others.is_empty()).then_some(table)
    }

    /// How the points are distributed.
    fn chart(&self) -> Chart {
        let mut values: Vec<f64> = sorted(&self.points.concat());
        values.dedup();
        let axis = doc::Axis::new("points", self.digits);
        let enough = self.points.iter().all(|own| own.len() >= SHAPE);
        if enough && values.len() <= BARS {
            return self.bars(&values);
        }
        if enough {
            let mut density = Density::new("player", axis);
            for (name, own) in self.names.iter().zip(&self.points) {
                density = density.samples(name, own);
            }
            return Chart::new(
                "How the points are distributed; each shape has the same height.",
                density,
            );
        }
        let mut plot = BoxPlot::new("player", axis);
        for (name, own) in self.names.iter().zip(&self.points) {
            let own = sorted(own);
            let five: Vec<f64> =
                [0.0, 0.25, 0.5, 0.75, 1.0].iter().filter_map(|&q| quantile(&own, q)).collect();
            if let [a, b, c, d, e] = five[..] {
                plot = plot.summary(Summary::new(name, [a, b, c, d, e]).count(own.len() as u64));
            }
        }
        let caption =
            "How the points are distributed; boxes span the quartiles, whiskers everything.";
        Chart::new(caption, plot)
    }

    fn bars(&self, values: &[f64]) -> Chart {
        let names = values.iter().map(|x| format!("{x}"));
        let mut bars = Bars::new("points", names, doc::Axis::percent("share of the games"));
        for (name, own) in self.names.iter().zip(&self.points) {
            let n = own.len().max(1) as f64;
            let share = |value: &f64| own.iter().filter(|x| *x == value).count() as f64 / n;
            bars = bars.series(name, values.iter().map(share).collect::<Vec<_>>());
        }
        Chart::new("How often each number of points was made.", bars)
    }
}
