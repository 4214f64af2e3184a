//! Round robins of two: who beats whom, and one rating for each.

use super::axes;
use super::duels;
use super::found::{Duel, Found};
use super::words::{estimate, listed, percent, real, share};
use crate::stats::rating::Options;
use crate::stats::{Estimate, Level, RatingError, Ratings, Tournament, Wdl};
use spielbaum_document::{
    self as doc, Block, Cell, Chart, Column, HeatMap, Notice, NoticeKind, Table, Text,
};

/// The axes on which the players of a round robin stand, by their names.
const SEATS: [&str; 7] = ["player", "opponent", "a", "b", "c", "d", "e"];

/// The axes of a round robin that are seats, and the others.
pub(super) fn seats_and_others(found: &Found<'_>) -> (Vec<usize>, Vec<usize>) {
    let is_seat = |at: &usize| SEATS.contains(&found.section.axes[*at].name.as_str());
    (0..found.section.axes.len()).partition(is_seat)
}

/// The tournaments of two of a section: one for each setting of whatever else is swept.
pub(super) fn blocks(found: &Found<'_>) -> Vec<Block> {
    let duels = found.duels(|seats| seats == 2);
    if duels.iter().all(|duel| duel.summary.games == 0) {
        return Vec::new();
    }
    let (_, others) = seats_and_others(found);
    let others: Vec<usize> = others.into_iter().filter(|at| found.varied().contains(at)).collect();
    let mut blocks = Vec::new();
    for (_, members) in axes::groups(&duels, |duel| duel.part, &others) {
        let name = axes::label(found.section, &members[0].part.setting, &others);
        if !name.is_empty() {
            blocks.push(Block::Paragraph(Text::default().plain("With ").code(&name).plain(":")));
        }
        let table = CrossTable::new(found, &members);
        blocks.push(table.chart(&name).into());
        blocks.extend(table.ratings());
        blocks.extend(duels::first_move(&members));
    }
    let (seats, _) = seats_and_others(found);
    let shown: Vec<usize> = seats.into_iter().chain(others).collect();
    let single = duels::table(found, &duels, &shown);
    blocks
        .push(Block::Details { summary: "The single matches".into(), blocks: vec![single.into()] });
    blocks
}

/// Players and what they made of each other.
struct CrossTable<'a> {
    players: Vec<String>,
    /// First player, second player and their match.
    met: Vec<(usize, usize, Duel<'a>)>,
}

impl<'a> CrossTable<'a> {
    fn new(found: &Found<'a>, duels: &[Duel<'a>]) -> Self {
        let (seats, _) = seats_and_others(found);
        let mut players: Vec<String> = Vec::new();
        let mut met = Vec::new();
        for duel in duels {
            let mut place = |seat: usize| {
                let own = duel.plan.header().players[seat].spec.clone();
                let name = seats.get(seat).map(|&at| duel.part.setting[at].clone());
                let name = name.filter(|name| !name.is_empty()).unwrap_or(own);
                players.iter().position(|known| *known == name).unwrap_or_else(|| {
                    players.push(name);
                    players.len() - 1
                })
            };
            let (first, second) = (place(0), place(1));
            met.push((first, second, *duel));
        }
        CrossTable { players, met }
    }

    /// The score of one against another.
    fn score(&self, row: usize, column: usize) -> Option<doc::Estimate> {
        self.met.iter().find_map(|&(a, b, duel)| {
            let Estimate { value, interval: [low, high] } = duel.score()?;
            match (a, b) {
                _ if (a, b) == (row, column) => Some(estimate(value, Some([low, high]))),
                _ if (b, a) == (row, column) => {
                    Some(estimate(1.0 - value, Some([1.0 - high, 1.0 - low])))
                }
                _ => None,
            }
        })
    }

    fn chart(&self, name: &str) -> Chart {
        let axis = doc::Axis::percent("score of the row").domain(0.0, 1.0);
        let mut map = HeatMap::new(axis).titles("player", "against");
        // The strongest first, by the points made.
        let order = self.order();
        map = map.columns(order.iter().map(|&column| &self.players[column]));
        for &row in &order {
            let values = order.iter().map(|&column| self.score(row, column));
            map = map.row(&self.players[row], values.collect::<Vec<_>>());
        }
        let with = if name.is_empty() { String::new() } else { format!(" with {name}") };
        Chart::new(format!("Score of the row against the column{with}; the best row first."), map)
    }

    /// Games and half points of a player.
    fn points(&self, player: usize) -> (u64, u64) {
        let own = self.met.iter().filter(|(a, b, _)| *a == player || *b == player);
        own.fold((0, 0), |(games, points), (a, _, duel)| {
            let s = duel.summary;
            let wins = if *a == player { s.wins } else { s.losses };
            let all = s.wins + s.draws + s.losses;
            (games + all, points + 2 * wins + s.draws)
        })
    }

    fn order(&self) -> Vec<usize> {
        let share = |player: usize| {
            let (games, points) = self.points(player);
            points as f64 / (2 * games.max(1)) as f64
        };
        let mut order: Vec<usize> = (0..self.players.len()).collect();
        order.sort_by(|&a, &b| share(b).total_cmp(&share(a)));
        order
    }

    fn tournament(&self) -> (Tournament, bool) {
        let mut tournament = Tournament::new(self.players.clone());
        let mut seated = true;
        for &(a, b, duel) in &self.met {
            let s = duel.summary;
            match s.by_seat[..] {
                [first, second] => {
                    tournament.add(a, b, first);
                    tournament.add(b, a, Wdl::new(second.losses, second.draws, second.wins));
                }
                // A record of an older version.
                _ => {
                    seated = false;
                    tournament.add(a, b, Wdl::new(s.wins, s.draws, s.losses));
                }
            }
        }
        (tournament, seated)
    }

    fn ratings(&self) -> Vec<Block> {
        let (tournament, advantage) = self.tournament();
        match rate(|options| tournament.rate(options), advantage) {
            Ok((ratings, note)) => {
                let note = note.map(|text| Notice::new(NoticeKind::Note, text).into());
                note.into_iter().chain(self.rating_blocks(&ratings)).collect()
            }
            Err(error) => {
                vec![Notice::new(NoticeKind::Warning, format!("No ratings: {error}.")).into()]
            }
        }
    }

    fn rating_blocks(&self, ratings: &Ratings) -> Vec<Block> {
        let mut table = Table::new(
            "Ratings by the Bradley–Terry model with draws and the first move; their mean is 0. The last \
             column is how likely each is better than the next one.",
        )
        .column(Column::label("player"))
        .column(Column::number("rating").unit("Elo"))
        .column(Column::number("games"))
        .column(Column::number("score").unit("%"))
        .column(Column::number("better than the next").unit("%"));
        let order = ratings.order();
        for (rank, &player) in order.iter().enumerate() {
            let rating = ratings.rating(player, Level::P95);
            let (games, points) = self.points(player);
            let score = (games > 0).then(|| points as f64 / (2 * games) as f64);
            let next = order.get(rank + 1).map(|&next| ratings.superiority(player, next));
            table.push([
                Cell::code(&self.players[player]),
                real(Some(rating.value), Some(rating.interval), 0),
                Cell::count(games),
                share(score, None),
                share(next, None),
            ]);
        }
        let mut blocks = vec![table.into()];
        if let Some(advantage) = ratings.advantage(Level::P95) {
            let [low, high] = advantage.interval;
            let draws = ratings.draw_share(Level::P95).map_or(String::new(), |draws| {
                format!(
                    " Equal players would draw {:.1}\u{202f}% of their games.",
                    100.0 * draws.value
                )
            });
            let text = format!(
                "By the same model moving first is worth {:+.0} [{low:+.0}, {high:+.0}] Elo.{draws}",
                advantage.value
            );
            blocks.push(Block::Paragraph(text.into()));
        }
        blocks.extend(self.departures(ratings));
        blocks
    }

    /// Whether one number for each player explains who beats whom: matches whose score lies
    /// further from what the ratings expect than chance explains, all matches together.
    fn departures(&self, ratings: &Ratings) -> Option<Block> {
        let met: Vec<_> = self.met.iter().filter(|(.., duel)| duel.summary.games > 0).collect();
        if self.players.len() < 3 {
            return None;
        }
        let level = Level::P95.bonferroni(met.len());
        let text = |&&(a, b, duel): &&(usize, usize, Duel<'_>)| {
            let (score, expected) = (duel.summary.score_at(level)?, ratings.expected(a, b));
            let [a, b] = [a, b].map(|player| &self.players[player]);
            let (scored, expected) = (percent(score.value), (expected, percent(expected)));
            (!score.holds(expected.0))
                .then(|| format!("{a} scored {scored} against {b}, not {}", expected.1))
        };
        let odd: Vec<String> = met.iter().filter_map(text).collect();
        let says = match odd.len() {
            0 => "Every match fits the ratings: no score is further from what they expect than chance \
                  explains."
                .to_string(),
            _ => format!(
                "Not every match fits the ratings, which put all players on one line: {}.",
                listed(&odd)
            ),
        };
        Some(Block::Paragraph(says.into()))
    }
}

/// Ratings of highest likelihood; where results bound nothing, with a weak prior, and a word
/// about it.
pub(super) fn rate(
    fit: impl Fn(Options) -> Result<Ratings, RatingError>,
    advantage: bool,
) -> Result<(Ratings, Option<String>), RatingError> {
    match fit(Options { advantage, prior: 0.0 }) {
        Ok(ratings) => Ok((ratings, None)),
        Err(error) => {
            let ratings = fit(Options { advantage, prior: 1.0 })?;
            let note = format!(
                "The results alone bound no ratings ({error}). Each player was given one game more, half \
                 won and half lost, against a player of rating 0; extreme ratings are drawn to the middle."
            );
            Ok((ratings, Some(note)))
        }
    }
}
