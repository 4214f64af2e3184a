//! Searches to depth 1, 2, and so on: plays, which are exact, and seconds, which are not.

use super::found::{Found, Taken};
use super::names;
use super::words::{about, estimate};
use crate::answers::Row;
use crate::experiment::paper::{Metric, Published, Relation};
use crate::replication::{published_interval, question};
use spielbaum_document::{self as doc, Block, Cell, Chart, Column, Curve, Series, Table, Text};

/// The searches of a section, position by position.
pub(super) fn blocks(found: &Found<'_>) -> Vec<Block> {
    let exams = found.exams();
    let mut asked: Vec<(String, Option<String>)> = Vec::new();
    for taken in &exams {
        for question in &taken.exam.questions {
            let key = (taken.exam.header().game.spec.clone(), question.position.clone());
            if !asked.contains(&key) {
                asked.push(key);
            }
        }
    }
    let mut blocks = Vec::new();
    for (game, position) in &asked {
        let here: Vec<Taken<'_>> =
            exams.iter().copied().filter(|t| t.exam.header().game.spec == *game).collect();
        let searches = Searches::new(found, &here, position.as_deref());
        if searches.rows.iter().all(Vec::is_empty) {
            continue;
        }
        if asked.len() > 1 {
            let text = match position {
                Some(position) => Text::from("From the position ").code(position).plain(":"),
                None => Text::from("From the start of ").code(game).plain(":"),
            };
            blocks.push(Block::Paragraph(text));
        }
        blocks.extend(searches.blocks());
    }
    blocks
}

/// The searches from one position, player by player.
struct Searches<'a> {
    found: &'a Found<'a>,
    exams: &'a [Taken<'a>],
    names: Vec<String>,
    rows: Vec<Vec<&'a Row>>,
}

impl<'a> Searches<'a> {
    fn new(found: &'a Found<'a>, exams: &'a [Taken<'a>], position: Option<&'a str>) -> Self {
        let specs: Vec<&str> = exams.iter().map(|t| t.summary.player.as_str()).collect();
        let rows = (exams.iter())
            .map(|taken| {
                let here = |row: &&Row| {
                    let question = taken.exam.questions.get(row.question as usize);
                    question.is_some_and(|q| q.position.as_deref() == position)
                };
                taken.summary.depths.iter().filter(here).collect()
            })
            .collect();
        Searches { found, exams, names: names::short(&specs), rows }
    }

    fn blocks(&self) -> Vec<Block> {
        let plays = self.plays();
        let mut blocks = vec![self.table().into()];
        blocks.extend((!plays.is_empty()).then(|| plays.into()));
        blocks.push(self.answers().into());
        let seconds = self.seconds();
        if !seconds.is_empty() {
            blocks.push(Block::Details {
                summary: "Wall times on this machine".to_string(),
                blocks: vec![
                    Block::Paragraph(
                        "Seconds depend on the machine; they are no part of the promise that a run can be \
                         repeated exactly."
                            .into(),
                    ),
                    self.times().into(),
                    seconds.into(),
                ],
            });
        }
        blocks
    }

    /// The seconds of a search.
    fn time(&self, player: usize, row: &Row) -> Option<f64> {
        self.exams[player].times?.of(row.question)
    }

    /// What was published about the time of a search.
    fn published(&self, player: usize, depth: u32) -> Option<&'a Published> {
        let (section, part) = (self.found.section, self.exams[player].part);
        let asked = self.row(player, depth)?.question;
        section.published.iter().find(|row| {
            let mut picks = section.select(&row.at).into_iter();
            row.metric == Metric::Time
                && question(part, &row.at) == Some(asked)
                && picks.any(|pick| section.parts[pick.part].name == part.name)
        })
    }

    fn deepest(&self) -> u32 {
        self.rows.iter().flatten().map(|row| row.depth).max().unwrap_or(0)
    }

    fn row(&self, player: usize, depth: u32) -> Option<&'a Row> {
        self.rows[player].iter().copied().find(|row| row.depth == depth)
    }

    fn table(&self) -> Table {
        let mut table = Table::new(
            "Plays on a board until each depth was searched: exact, and the same on every machine.",
        )
        .column(Column::label("depth"));
        table.columns.extend(self.names.iter().map(Column::number));
        for depth in 1..=self.deepest() {
            let plays = (0..self.names.len()).map(|player| {
                self.row(player, depth).map_or_else(Cell::empty, |row| Cell::count(row.nodes))
            });
            table.push(std::iter::once(Cell::integer(i64::from(depth))).chain(plays));
        }
        table
    }

    /// Seconds, and those that were published.
    fn times(&self) -> Table {
        let mut table =
            Table::new("Seconds until each depth was searched.").column(Column::label("depth"));
        let told = |player: usize| {
            (1..=self.deepest()).any(|depth| self.published(player, depth).is_some())
        };
        for (player, name) in self.names.iter().enumerate() {
            table.columns.push(Column::number(name).unit("s"));
            if told(player) {
                table.columns.push(Column::number(format!("{name}, published")).unit("s"));
            }
        }
        for depth in 1..=self.deepest() {
            let mut cells = vec![Cell::integer(i64::from(depth))];
            for player in 0..self.names.len() {
                let time = self.row(player, depth).and_then(|row| self.time(player, row));
                cells.push(about(time));
                if told(player) {
                    let published = self.published(player, depth);
                    cells.push(published.map_or_else(Cell::empty, printed));
                }
            }
            table.push(cells);
        }
        table
    }

    /// What the deepest search of each player found.
    fn answers(&self) -> Table {
        let mut table = Table::new("What the deepest search of each player found.")
            .column(Column::label("player"))
            .column(Column::number("depth"))
            .column(Column::text("move"))
            .column(Column::number("value"))
            .column(Column::text("proven"));
        for (name, rows) in self.names.iter().zip(&self.rows) {
            let Some(row) = rows.last() else { continue };
            table.push([
                Cell::code(name),
                Cell::integer(i64::from(row.depth)),
                row.best.as_ref().map_or_else(Cell::empty, Cell::code),
                row.value.map_or_else(Cell::empty, |value| Cell::real(f64::from(value), 3)),
                row.proven.map_or_else(Cell::empty, |proven| Cell::text(proven.name())),
            ]);
        }
        table
    }

    fn plays(&self) -> Chart {
        let mut curve = Curve::new(doc::Axis::new("depth", 0), doc::Axis::new("plays", 0).log());
        for (name, rows) in self.names.iter().zip(&self.rows) {
            let mut series = Series::new(name);
            for row in rows {
                series = series.point(f64::from(row.depth), row.nodes as f64);
            }
            curve = curve.series(series);
        }
        Chart::new("Plays until each depth was searched, on a logarithmic scale.", curve)
    }

    fn seconds(&self) -> Chart {
        let axis = doc::Axis::new("time", 4).unit("s").log();
        let mut curve = Curve::new(doc::Axis::new("depth", 0), axis);
        for (player, (name, rows)) in self.names.iter().zip(&self.rows).enumerate() {
            let mut series = Series::new(name);
            for row in rows {
                let depth = f64::from(row.depth);
                if let Some(seconds) = self.time(player, row) {
                    series = series.point(depth, seconds);
                }
                if let Some(published) = self.published(player, row.depth) {
                    series = series
                        .published(depth, estimate(published.value, published_interval(published)));
                }
            }
            curve = curve.series(series);
        }
        Chart::new(
            "Seconds until each depth was searched; published ones are of another machine.",
            curve,
        )
    }
}

/// A published number with the relation that was printed.
fn printed(published: &Published) -> Cell {
    let sign = match published.relation {
        Relation::Equal => return about(Some(published.value)),
        Relation::Greater => ">",
        Relation::Less => "<",
        Relation::About => "about",
    };
    Cell::text(format!("{sign} {}", published.value))
}
