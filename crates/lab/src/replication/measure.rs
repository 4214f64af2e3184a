//! Values that published numbers and claims speak about, with what chance leaves to them.

use crate::experiment::paper::{Metric, Published, Side};
use crate::experiment::{Pick, same_value};
use crate::stats::elo::{elo, elo_interval_at, score_interval_at};
use crate::stats::wdl::wilson_at;
use crate::stats::{Estimate, Level, Rounds, Wdl};
use crate::{ExamSummary, ExamTimes, Outcome, Part, Results, Section, Summary, Work};

/// A value measured in one part.
#[derive(Clone, Debug)]
pub struct Measured {
    /// The part.
    pub part: String,
    /// The value on each axis of the section.
    pub setting: Vec<String>,
    /// Games or answers behind it.
    pub count: u64,
    /// Whether the part is complete.
    pub complete: bool,
    data: Data,
}

#[derive(Clone, Debug)]
enum Data {
    /// Results of games, and of rounds where these are pairs.
    Results(Wdl, Option<Rounds>),
    /// A share of cases.
    Share(f64, f64),
    /// An Elo difference.
    Elo(Rounds),
    /// A mean with its 95 % interval.
    Mean(f64, [f64; 2]),
    /// A number without an interval.
    Exact(f64),
    /// Nothing.
    None,
}

impl Measured {
    /// The value with its interval at a level; `None` if nothing was measured. A number that is
    /// exact, such as the plays of a search to a depth, has no width.
    pub fn at(&self, level: Level) -> Option<Estimate> {
        match &self.data {
            Data::Results(wdl, rounds) => score(wdl, rounds.as_ref(), level),
            Data::Share(share, cases) if *cases > 0.0 => {
                Some(Estimate { value: *share, interval: wilson_at(*share, *cases, level) })
            }
            Data::Share(..) | Data::None => None,
            Data::Elo(rounds) => {
                let (mean, _) = rounds.moments()?;
                let [low, high] = elo_interval_at(rounds, level)?;
                let interval = [low.unwrap_or(f64::NEG_INFINITY), high.unwrap_or(f64::INFINITY)];
                Some(Estimate { value: elo(mean)?, interval })
            }
            Data::Mean(value, [low, high]) => {
                let wider = level.z() / Level::P95.z();
                let interval = [value - (value - low) * wider, value + (high - value) * wider];
                Some(Estimate { value: *value, interval })
            }
            Data::Exact(value) => Some(Estimate { value: *value, interval: [*value; 2] }),
        }
    }
}

/// The score of a match with its interval. Games of a pair are not independent: of the intervals
/// by games and by rounds whatever lies in either may be the truth.
pub(crate) fn score(wdl: &Wdl, rounds: Option<&Rounds>, level: Level) -> Option<Estimate> {
    let value = wdl.score()?;
    let mut interval = wdl.score_ci_at(level)?;
    if let Some([low, high]) = rounds.and_then(|r| score_interval_at(r, level)) {
        interval = [low.max(0.0).min(interval[0]), high.min(1.0).max(interval[1])];
    }
    Some(Estimate { value, interval })
}

/// The interval that the games behind a published number leave to it.
pub fn published_interval(published: &Published) -> Option<[f64; 2]> {
    let is_share = published.metric.is_share();
    let wilson = |games: u64| wilson_at(published.value, games as f64, Level::P95);
    published.interval.or(published.games.filter(|_| is_share).map(wilson))
}

/// What a selection measures: one value for each part or player that it picks.
pub fn measure(
    results: &Results,
    section: &Section,
    at: &[(String, String)],
    metric: Metric,
    of: Side,
) -> Vec<Measured> {
    let before: usize = (results.experiment.sections.iter())
        .take_while(|s| s.id != section.id)
        .map(|s| s.parts.len())
        .sum();
    let mut measured = Vec::new();
    for Pick { part: index, player } in section.select(at) {
        let (part, result) = (&section.parts[index], &results.parts[before + index]);
        let data = match &result.outcome {
            Outcome::Match { summary, times } => {
                let player = if of == Side::B { 1 } else { player };
                let seconds = times.as_ref().and_then(|t| t.per_move(player));
                of_match(summary, metric, of, player, seconds)
            }
            Outcome::Exam { summary, times } => {
                of_exam(summary, times.as_ref(), metric, question(part, at))
            }
        };
        let own = part.players.get(player).unwrap_or(&part.setting);
        measured.push(Measured {
            part: part.name.clone(),
            setting: own.clone(),
            count: result.outcome.items(),
            complete: result.complete,
            data,
        });
    }
    measured
}

fn of_match(
    summary: &Summary,
    metric: Metric,
    of: Side,
    player: usize,
    seconds: Option<f64>,
) -> Data {
    let (mut wdl, mut pairs) =
        (Wdl::new(summary.wins, summary.draws, summary.losses), summary.pairs.clone());
    if of == Side::B {
        (wdl.wins, wdl.losses) = (wdl.losses, wdl.wins);
        pairs.reverse();
    }
    let total = wdl.total() as f64;
    let share = |count: u64| Data::Share(count as f64 / total.max(1.0), total);
    let exact = |value: Option<f64>| value.map_or(Data::None, Data::Exact);
    let rounds = (pairs.len() > 1).then(|| Rounds::from_counts(pairs));
    let own = summary.players.get(player);
    match metric {
        Metric::Score if of == Side::Draw => share(wdl.draws),
        // Games that deterministic players repeat are one piece of evidence.
        Metric::Score if summary.distinct * 2 < summary.games => {
            Data::Share(wdl.score().unwrap_or(0.5), summary.distinct as f64)
        }
        Metric::Score => Data::Results(wdl, rounds),
        Metric::Wins => share(wdl.wins),
        Metric::Draws => share(wdl.draws),
        Metric::Losses => share(wdl.losses),
        Metric::Elo => rounds.map_or(Data::None, Data::Elo),
        Metric::Los => exact(summary.los.map(|x| if of == Side::B { 1.0 - x } else { x })),
        Metric::Plies => exact(summary.plies),
        Metric::Points => match own.and_then(|p| p.points) {
            Some(points) => match points.ci {
                Some(ci) => Data::Mean(points.mean, ci),
                None => Data::Exact(points.mean),
            },
            None => Data::None,
        },
        Metric::Iterations => exact(own.and_then(|p| p.iterations_per_move)),
        Metric::Nodes => exact(own.and_then(|p| p.nodes_per_move)),
        Metric::Depth => exact(own.and_then(|p| p.depth)),
        Metric::Time => exact(seconds),
        Metric::Statistic(name) => match own.and_then(|p| p.statistic(name)) {
            Some(found) => match found.mean.ci {
                Some(ci) => Data::Mean(found.mean.mean, ci),
                None => Data::Exact(found.mean.mean),
            },
            None => Data::None,
        },
        Metric::AtLeast(name, least) => match own.and_then(|p| p.statistic(name)) {
            Some(found) => {
                let (count, of) = found.at_least(least);
                Data::Share(count as f64 / of.max(1) as f64, of as f64)
            }
            None => Data::None,
        },
        Metric::Kept => Data::None,
    }
}

/// The question of a depth section that is meant: its depth, and the number of its position.
pub(crate) fn question(part: &Part, at: &[(String, String)]) -> Option<u64> {
    let Work::Exam(exam) = &part.work else { return None };
    let find = |key: &str| at.iter().find(|(axis, _)| axis == key).map(|(_, value)| value);
    let depth = find("depth")?;
    let number = find("position").map_or(Some(1), |text| text.parse::<usize>().ok())?;
    let mut positions: Vec<_> = exam.questions.iter().map(|q| &q.position).collect();
    positions.dedup();
    let position = *positions.get(number.checked_sub(1)?)?;
    let fits = |q: &crate::Question| {
        q.limits.depth.is_some_and(|d| same_value(&d.to_string(), depth)) && q.position == *position
    };
    exam.questions.iter().position(fits).map(|i| i as u64)
}

fn of_exam(
    summary: &ExamSummary,
    times: Option<&ExamTimes>,
    metric: Metric,
    question: Option<u64>,
) -> Data {
    let exact = |value: Option<f64>| value.map_or(Data::None, Data::Exact);
    let row = question.and_then(|q| summary.depths.iter().find(|row| row.question == q));
    match (metric, question) {
        (Metric::Kept, _) => summary.kept.map_or(Data::None, |k| Data::Share(k.share, k.of as f64)),
        (Metric::Nodes, Some(_)) => exact(row.map(|row| row.nodes as f64)),
        (Metric::Depth, Some(_)) => exact(row.map(|row| f64::from(row.depth))),
        (Metric::Time, Some(q)) => exact(times.and_then(|t| t.of(q))),
        (Metric::Time, None) => exact(times.and_then(mean_time)),
        (Metric::Nodes, None) => exact(summary.nodes),
        (Metric::Depth, None) => exact(summary.depth),
        (Metric::Iterations, _) => exact(summary.iterations),
        _ => Data::None,
    }
}

fn mean_time(times: &ExamTimes) -> Option<f64> {
    let n = times.answers.len();
    (n > 0).then(|| times.total() / n as f64)
}
