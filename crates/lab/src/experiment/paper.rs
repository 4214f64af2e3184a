//! A paper that an experiment repeats: what it published, and what it claims, as data. Nothing
//! here judges; a report does.

use super::Format;
use crate::stats::Estimate;
use std::fmt;

/// The paper.
#[derive(Clone, PartialEq, Debug)]
pub struct Paper {
    /// A short name.
    pub id: String,
    /// Its title.
    pub title: Option<String>,
    /// Who wrote it.
    pub author: Option<String>,
    /// When it appeared.
    pub year: Option<u32>,
    /// The published number that must be met before any other counts.
    pub anchor: Option<Anchor>,
    /// Why no published number can be one; then verdicts count without.
    pub no_anchor: Option<String>,
    /// What it claims.
    pub claims: Vec<Claim>,
}

/// A published number by its place, `L4/1`: the first of section L4.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Anchor {
    /// The section's id.
    pub section: String,
    /// Number of the row among its published ones, from 0.
    pub row: usize,
}

/// A published number.
#[derive(Clone, PartialEq, Debug)]
pub struct Published {
    /// Where it was measured: an axis and its value each.
    pub at: Vec<(String, String)>,
    /// What was measured.
    pub metric: Metric,
    /// Whose it is.
    pub of: Side,
    /// What was printed.
    pub value: f64,
    /// How the measured value relates to what was printed.
    pub relation: Relation,
    /// The 95 % interval as it should have been computed.
    pub interval: Option<[f64; 2]>,
    /// Games behind the number.
    pub games: Option<u64>,
    /// Where it is printed.
    pub source: Option<String>,
    /// What else is to be said.
    pub note: Option<String>,
}

/// Whose number it is.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Side {
    /// The first player's.
    #[default]
    A,
    /// The second player's.
    B,
    /// Nobody's: draws.
    Draw,
}

impl Side {
    pub(super) const NAMES: [(&str, Side); 3] =
        [("a", Side::A), ("b", Side::B), ("draw", Side::Draw)];
}

/// How a measured value relates to the printed one.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Relation {
    /// It is that.
    #[default]
    Equal,
    /// It is more.
    Greater,
    /// It is less.
    Less,
    /// It is about that.
    About,
}

impl Relation {
    pub(super) const NAMES: [(&str, Relation); 4] = [
        ("=", Relation::Equal),
        (">", Relation::Greater),
        ("<", Relation::Less),
        ("~", Relation::About),
    ];
}

/// What is measured in a part.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Metric {
    /// Share of the points of a match: wins and half the draws.
    Score,
    /// Share of games won.
    Wins,
    /// Share of games drawn.
    Draws,
    /// Share of games lost.
    Losses,
    /// Difference in Elo.
    Elo,
    /// Likelihood of superiority.
    Los,
    /// Plies of a game.
    Plies,
    /// Points of a game that counts points.
    Points,
    /// Simulations or root iterations of a move.
    Iterations,
    /// Plays of a move.
    Nodes,
    /// Plays of all moves of a game.
    GameNodes,
    /// Depth of a search.
    Depth,
    /// Seconds of a move.
    Time,
    /// Share of moves that keep the value of their position.
    Kept,
    /// The mean of what the game tells about a seat.
    Statistic(&'static str),
    /// The share of games in which it is at least this.
    AtLeast(&'static str, i32),
}

impl fmt::Display for Metric {
    /// Its name in a file.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Metric::Statistic(name) => f.write_str(name),
            Metric::AtLeast(name, least) => write!(f, "{name}>={least}"),
            metric => f.write_str(Metric::NAMES.iter().find(|n| n.1 == metric).map_or("", |n| n.0)),
        }
    }
}

impl Metric {
    pub(super) const NAMES: [(&str, Metric); 14] = [
        ("score", Metric::Score),
        ("wins", Metric::Wins),
        ("draws", Metric::Draws),
        ("losses", Metric::Losses),
        ("elo", Metric::Elo),
        ("los", Metric::Los),
        ("plies", Metric::Plies),
        ("points", Metric::Points),
        ("iterations", Metric::Iterations),
        ("nodes", Metric::Nodes),
        ("game-nodes", Metric::GameNodes),
        ("depth", Metric::Depth),
        ("time", Metric::Time),
        ("kept", Metric::Kept),
    ];

    /// The metric of this name, for games with these statistics.
    pub(super) fn named(name: &str, statistics: &[&'static str]) -> Option<Metric> {
        let fixed = Metric::NAMES.iter().find(|n| n.0 == name).map(|n| n.1);
        let told = |name: &str| statistics.iter().find(|known| **known == name.trim());
        fixed.or_else(|| match name.split_once(">=") {
            Some((name, least)) => Some(Metric::AtLeast(told(name)?, least.trim().parse().ok()?)),
            None => told(name).map(|name| Metric::Statistic(name)),
        })
    }

    /// Whether it is a share between 0 and 1.
    pub fn is_share(self) -> bool {
        use Metric::{AtLeast, Draws, Kept, Losses, Score, Wins};
        matches!(self, Score | Wins | Draws | Losses | Kept | AtLeast(..))
    }

    /// Whether it is a share of games, so that those of several parts can be counted together.
    pub fn counts_games(self) -> bool {
        matches!(self, Metric::Score | Metric::Wins | Metric::Draws | Metric::Losses)
    }

    /// Whether numbers of it can be compared with those of another program, machine and number of games: seconds
    /// cannot, what a program counts as a simulation or a play is its own, and a likelihood says how sure its
    /// own games are.
    pub fn is_comparable(self) -> bool {
        use Metric::{Depth, GameNodes, Iterations, Los, Nodes, Time};
        !matches!(self, Time | Iterations | Nodes | GameNodes | Depth | Los)
    }

    /// A value with its interval for people.
    pub fn shown(self, estimate: Estimate) -> String {
        let Estimate { value, interval: [low, high] } = estimate;
        // Nobody knows how sure it is, or it is exact.
        let unknown = low.is_infinite() && high.is_infinite();
        let exact = low == high || unknown;
        match self {
            _ if self.is_share() && unknown => format!("{:.1} %", 100.0 * value),
            _ if self.is_share() => {
                let [value, low, high] = [value, low, high].map(|x| 100.0 * x);
                format!("{value:.1} % ({low:.1} to {high:.1})")
            }
            Metric::Los => format!("{:.1} %", 100.0 * value),
            Metric::Elo if unknown && value == f64::NEG_INFINITY => "-∞".to_string(),
            Metric::Elo if unknown && value == f64::INFINITY => "+∞".to_string(),
            Metric::Elo if unknown => format!("{value:+.0}"),
            Metric::Elo if high == f64::INFINITY && value == high => format!("≥ {low:+.0}"),
            Metric::Elo if low == f64::NEG_INFINITY && value == low => format!("≤ {high:+.0}"),
            Metric::Elo if high == f64::INFINITY => format!("{value:+.0} (≥ {low:+.0})"),
            Metric::Elo if low == f64::NEG_INFINITY => format!("{value:+.0} (≤ {high:+.0})"),
            Metric::Elo => format!("{value:+.0} ({low:+.0} to {high:+.0})"),
            Metric::Time | Metric::GameNodes => {
                let (unit, scale) = match self {
                    Metric::Time if value >= 0.1 => ("s", 1.0),
                    Metric::Time => ("ms", 1e3),
                    _ if value >= 1e6 => ("M", 1e-6),
                    _ => ("k", 1e-3),
                };
                let [value, low, high] = [value, low, high].map(|x| three_digits(scale * x));
                match exact {
                    true => format!("{value} {unit}"),
                    false => format!("{value} {unit} ({low} to {high})"),
                }
            }
            Metric::Iterations | Metric::Nodes if exact => format!("{value:.0}"),
            Metric::Iterations | Metric::Nodes => format!("{value:.0} ({low:.0} to {high:.0})"),
            _ if exact => format!("{value:.1}"),
            _ => format!("{value:.1} ({low:.1} to {high:.1})"),
        }
    }

    /// Whether a format measures it.
    pub fn is_of(self, format: Format) -> bool {
        match self {
            Metric::Iterations | Metric::Nodes | Metric::Depth | Metric::Time => true,
            Metric::Kept => format == Format::Accuracy,
            Metric::Points | Metric::Plies | Metric::GameNodes => format.is_match(),
            Metric::Statistic(_) | Metric::AtLeast(..) => format.is_match(),
            _ => format.is_match() && format != Format::Scores,
        }
    }
}

/// A sentence of the paper, and the rule that decides it.
#[derive(Clone, PartialEq, Debug)]
pub struct Claim {
    /// A short name, unique.
    pub id: String,
    /// The sentence.
    pub text: String,
    /// Where it stands.
    pub source: Option<String>,
    /// What else is to be said.
    pub note: Option<String>,
    /// When it holds.
    pub rule: Rule,
}

/// A condition on measured values.
#[derive(Clone, PartialEq, Debug)]
pub enum Rule {
    /// The value is above a number, or below it.
    Beyond(Term, Bound, f64),
    /// Of all games of several parts together the share is above a number, or below it.
    Pooled(Vec<Term>, Bound, f64),
    /// The first value is above the second, or above a multiple of it.
    Greater(Term, Term, f64),
    /// The two values differ by less than a number.
    Near(Term, Term, f64),
    /// Among all that a term selects, the best is where an axis has this value.
    Best(Term, Vec<(String, String)>),
    /// From some value on, in this order, all are above a number.
    First(Vec<Term>, f64),
    /// All of them hold.
    All(Vec<Rule>),
    /// One of them holds.
    Any(Vec<Rule>),
    /// It does not hold.
    Not(Box<Rule>),
}

/// On which side of a number a value lies.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Bound {
    /// Above it.
    Above,
    /// Below it.
    Below,
}

impl Bound {
    /// How far an interval lies on this side of a number.
    pub(crate) fn margin(self, [low, high]: [f64; 2], limit: f64) -> [f64; 2] {
        match self {
            Bound::Above => [low - limit, high - limit],
            Bound::Below => [limit - high, limit - low],
        }
    }
}

/// A measured value, `L4[depth=1].score`; several if the selection leaves an axis open.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Term {
    /// The section's id.
    pub section: String,
    /// An axis and its value each.
    pub at: Vec<(String, String)>,
    /// What is measured.
    pub metric: Metric,
}

/// A number to three digits, without zeros that nobody measured.
fn three_digits(value: f64) -> String {
    let before = if value == 0.0 { 0.0 } else { value.abs().log10().floor() };
    let text = format!("{value:.*}", (2.0 - before).max(0.0) as usize);
    if text.contains('.') {
        text.trim_end_matches('0').trim_end_matches('.').to_string()
    } else {
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_metric_reads_back_as_it_is_written() {
        let told = ["largest tile", "cities"];
        let fixed = Metric::NAMES.map(|n| n.1);
        let more = [Metric::Statistic("cities"), Metric::AtLeast("largest tile", 2048)];
        for metric in fixed.into_iter().chain(more) {
            assert_eq!(Metric::named(&metric.to_string(), &told), Some(metric), "{metric}");
        }
        for wrong in ["", "tile", "largest tile>=", "largest tile>=x", "score>=1", "cities>=1.5"] {
            assert_eq!(Metric::named(wrong, &told), None, "{wrong}");
        }
    }

    #[test]
    fn an_end_that_nobody_knows_is_not_shown() {
        use std::f64::consts::E;
        let endless = [f64::NEG_INFINITY, f64::INFINITY];
        let shown = |metric: Metric, interval| metric.shown(Estimate { value: E / 3.0, interval });
        assert_eq!(shown(Metric::Wins, endless), "90.6 %");
        assert_eq!(shown(Metric::Wins, [0.5, 1.0]), "90.6 % (50.0 to 100.0)");
        assert_eq!(shown(Metric::Elo, endless), "+1");
        assert_eq!(shown(Metric::Elo, [-3.0, f64::INFINITY]), "+1 (≥ -3)");
        assert_eq!(shown(Metric::Elo, [f64::NEG_INFINITY, 9.0]), "+1 (≤ +9)");
        let perfect = Estimate { value: f64::INFINITY, interval: [166.0, f64::INFINITY] };
        assert_eq!(Metric::Elo.shown(perfect), "≥ +166");
        let perfect = |value| Metric::Elo.shown(Estimate { value, interval: endless });
        assert_eq!(endless.map(perfect), ["-∞", "+∞"]);
        let time = |value| Metric::Time.shown(Estimate { value, interval: endless });
        let times = [10.0, 0.2, 0.058, 4.512e-6, 0.0].map(time);
        assert_eq!(times, ["10 s", "0.2 s", "58 ms", "0.00451 ms", "0 ms"]);
        let plays = |value| Metric::GameNodes.shown(Estimate { value, interval: endless });
        let plays_of_games = [33.6e6, 27_823_023.0, 1.08e9, 328e3, 265.0].map(plays);
        assert_eq!(plays_of_games, ["33.6 M", "27.8 M", "1080 M", "328 k", "0.265 k"]);
        let plays = Estimate { value: 297e3, interval: [289_400.0, 304_600.0] };
        assert_eq!(Metric::GameNodes.shown(plays), "297 k (289 to 305)");
        let time = Estimate { value: 0.2, interval: [0.19, 0.2111] };
        assert_eq!(Metric::Time.shown(time), "0.2 s (0.19 to 0.211)");
    }
}
