//! A run as one table: a row for each game or answer, for programs that read tables.

use super::Results;
use crate::answers::Answer;
use crate::record::GameRecord;
use crate::store::Store;
use crate::{Exam, LabError, Outcome, Part, Plan, Section, Work};
use std::collections::BTreeSet;

/// What a column holds.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ColumnKind {
    /// Whole numbers.
    Int,
    /// Numbers.
    Real,
    /// Texts.
    Text,
    /// True or false.
    Flag,
}

/// A column of the table.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Column {
    /// Its name.
    pub name: String,
    /// What it holds; any cell may be empty.
    pub kind: ColumnKind,
}

/// A cell of the table.
#[derive(Clone, PartialEq, Debug, Default)]
pub enum Cell {
    /// Nothing.
    #[default]
    Empty,
    /// A whole number.
    Int(i64),
    /// A number.
    Real(f64),
    /// A text.
    Text(String),
    /// True or false.
    Flag(bool),
}

impl From<&str> for Cell {
    fn from(text: &str) -> Self {
        Cell::Text(text.to_string())
    }
}

impl From<u64> for Cell {
    fn from(number: u64) -> Self {
        i64::try_from(number).map_or(Cell::Real(number as f64), Cell::Int)
    }
}

impl<T: Into<Cell>> From<Option<T>> for Cell {
    fn from(value: Option<T>) -> Self {
        value.map_or(Cell::Empty, Into::into)
    }
}

const BEFORE: [(&str, ColumnKind); 13] = [
    ("section", ColumnKind::Text),
    ("part", ColumnKind::Text),
    ("setting", ColumnKind::Text),
    ("kind", ColumnKind::Text),
    ("game", ColumnKind::Text),
    ("number", ColumnKind::Int),
    ("round", ColumnKind::Int),
    ("position", ColumnKind::Text),
    ("opening", ColumnKind::Int),
    ("plies", ColumnKind::Int),
    ("end", ColumnKind::Text),
    ("failed_seat", ColumnKind::Int),
    ("failure", ColumnKind::Text),
];

const EACH_SEAT: [(&str, ColumnKind); 8] = [
    ("player", ColumnKind::Text),
    ("payoff", ColumnKind::Real),
    ("points", ColumnKind::Int),
    ("asked", ColumnKind::Int),
    ("iterations", ColumnKind::Int),
    ("nodes", ColumnKind::Int),
    ("depth", ColumnKind::Int),
    ("seconds", ColumnKind::Real),
];

const AFTER: [(&str, ColumnKind); 6] = [
    ("best", ColumnKind::Text),
    ("value", ColumnKind::Real),
    ("proven", ColumnKind::Text),
    ("kept", ColumnKind::Flag),
    ("asked_depth", ColumnKind::Int),
    ("moves", ColumnKind::Text),
];

impl Results {
    fn seats(&self) -> usize {
        let seats = |part: &Part| match &part.work {
            Work::Match(plan) => plan.seats,
            Work::Exam(_) => 1,
        };
        self.experiment.parts().map(|(_, part)| seats(part)).max().unwrap_or(1)
    }

    /// What the games tell about their seats, by name.
    fn statistics(&self) -> Vec<String> {
        let players = self.parts.iter().flat_map(|part| match &part.outcome {
            Outcome::Match { summary, .. } => &summary.players[..],
            Outcome::Exam { .. } => &[],
        });
        let names: BTreeSet<_> = players.flat_map(|p| p.statistics.keys().cloned()).collect();
        names.into_iter().collect()
    }

    /// The columns of [`rows`](Results::rows): what a row is about, then for each seat its
    /// player and what it got and spent, then the answer of an exam and the moves of a game.
    pub fn columns(&self) -> Vec<Column> {
        let column = |name: &str, kind| Column { name: name.to_string(), kind };
        let mut columns: Vec<Column> = BEFORE.map(|(name, kind)| column(name, kind)).into();
        for seat in 1..=self.seats() {
            columns.extend(EACH_SEAT.map(|(name, kind)| column(&format!("{name}_{seat}"), kind)));
            let told = |name: &String| column(&format!("{name}_{seat}"), ColumnKind::Real);
            columns.extend(self.statistics().iter().map(told));
        }
        columns.extend(AFTER.map(|(name, kind)| column(name, kind)));
        columns
    }

    /// Games and answers that have no row: they were taken over whole from digests.
    pub fn without_rows(&self) -> u64 {
        let parts = self.parts.iter().filter(|part| part.is_without_games());
        parts.map(|part| part.outcome.items()).sum()
    }

    /// Every recorded game and answer as a row, in order.
    pub fn rows<E: From<LabError>>(
        &self,
        mut each: impl FnMut(Vec<Cell>) -> Result<(), E>,
    ) -> Result<(), E> {
        let shape = Shape { seats: self.seats(), statistics: self.statistics() };
        let parts = self.experiment.parts().zip(&self.parts);
        for ((section, part), _) in parts.filter(|(_, found)| !found.is_without_games()) {
            let head = head(section, part);
            let dir = self.place(part);
            match &part.work {
                Work::Match(plan) => {
                    let store = Store::open(&dir, plan);
                    for unit in store.units_there() {
                        let times = store.timing(unit).map(|t| t.times).unwrap_or_default();
                        for (i, game) in store.read(unit)?.unwrap_or_default().iter().enumerate() {
                            let seconds = times.get(i).map(|t| t.seats.as_slice());
                            each(game_row(&head, plan, game, seconds.unwrap_or(&[]), &shape))?;
                        }
                    }
                }
                Work::Exam(exam) => {
                    let store = Store::open(&dir, exam);
                    for unit in store.units_there() {
                        let times = store.timing(unit).map(|t| t.times).unwrap_or_default();
                        for (i, answer) in store.read(unit)?.unwrap_or_default().iter().enumerate()
                        {
                            let seconds = times.get(i).map(|t| t.seconds);
                            each(answer_row(&head, exam, answer, seconds, &shape))?;
                        }
                    }
                }
            }
        }
        Ok(())
    }
}

/// The setting of a part: each axis that concerns it, and its value there.
pub fn setting<'a>(section: &'a Section, part: &'a Part) -> Vec<(&'a str, &'a str)> {
    (section.axes.iter().zip(&part.setting))
        .filter(|(_, value)| !value.is_empty())
        .map(|(axis, value)| (axis.name.as_str(), value.as_str()))
        .collect()
}

/// Section, part and setting.
fn head(section: &Section, part: &Part) -> [Cell; 3] {
    let text = |(axis, value): (&str, &str)| format!("{axis}={value}");
    let setting: Vec<String> = setting(section, part).into_iter().map(text).collect();
    [section.id.as_str().into(), part.name.as_str().into(), setting.join("; ").as_str().into()]
}

/// What is told about each seat of the largest table.
struct Shape {
    seats: usize,
    statistics: Vec<String>,
}

impl Shape {
    /// The cells of a seat about which nothing is known.
    fn nobody(&self) -> impl Iterator<Item = Cell> {
        std::iter::repeat_n(Cell::Empty, EACH_SEAT.len() + self.statistics.len())
    }
}

fn game_row(
    head: &[Cell; 3],
    plan: &Plan,
    game: &GameRecord,
    seconds: &[f64],
    shape: &Shape,
) -> Vec<Cell> {
    let header = plan.header();
    let mut row = head.to_vec();
    row.extend([
        "match".into(),
        header.game.spec.as_str().into(),
        game.game.into(),
        game.round.into(),
        game.position.as_deref().into(),
        (game.opening as u64).into(),
        u64::from(game.plies).into(),
        game.end.name().into(),
        game.forfeit.as_ref().map(|f| f.seat as u64 + 1).into(),
        game.forfeit.as_ref().map(|f| f.reason.as_str()).into(),
    ]);
    for seat in 0..shape.seats {
        let Some(&player) = game.seats.get(seat) else {
            row.extend(shape.nobody());
            continue;
        };
        let counts = &game.counts[seat];
        let points = game.scores.as_ref().map(|scores| Cell::Int(i64::from(scores[seat])));
        row.extend([
            header.players[player].spec.as_str().into(),
            Cell::Real(f64::from(game.payoffs[seat])),
            points.unwrap_or_default(),
            counts.moves.into(),
            counts.iterations.into(),
            counts.nodes.into(),
            counts.depth.into(),
            seconds.get(seat).map_or(Cell::Empty, |&s| Cell::Real(s)),
        ]);
        let told = |name: &String| game.statistics.get(name)?.get(seat).copied().flatten();
        row.extend(shape.statistics.iter().map(|n| told(n).map_or(Cell::Empty, Cell::Real)));
    }
    row.extend([Cell::Empty, Cell::Empty, Cell::Empty, Cell::Empty, Cell::Empty]);
    row.push(Some(game.moves.as_str()).filter(|moves| !moves.is_empty()).into());
    row
}

fn answer_row(
    head: &[Cell; 3],
    exam: &Exam,
    answer: &Answer,
    seconds: Option<f64>,
    shape: &Shape,
) -> Vec<Cell> {
    let header = exam.header();
    let question = exam.questions.get(answer.question as usize);
    let mut row = head.to_vec();
    row.extend([
        "exam".into(),
        header.game.spec.as_str().into(),
        answer.question.into(),
        Cell::Empty,
        question.and_then(|q| q.position.as_deref()).into(),
        Cell::Empty,
        Cell::Empty,
        Cell::Empty,
        answer.failure.as_ref().map(|_| 1u64).into(),
        answer.failure.as_deref().into(),
        header.player.spec.as_str().into(),
        Cell::Empty,
        Cell::Empty,
        1u64.into(),
        answer.iterations.into(),
        answer.nodes.into(),
        u64::from(answer.depth).into(),
        seconds.map_or(Cell::Empty, Cell::Real),
    ]);
    row.extend(shape.statistics.iter().map(|_| Cell::Empty));
    row.extend((1..shape.seats).flat_map(|_| shape.nobody()));
    row.extend([
        answer.best.as_deref().into(),
        answer.value.map_or(Cell::Empty, |value| Cell::Real(f64::from(value))),
        answer.proven.map(|proven| proven.name()).into(),
        answer.kept.map_or(Cell::Empty, Cell::Flag),
        question.and_then(|q| q.limits.depth).map(u64::from).into(),
        Cell::Empty,
    ]);
    row
}
