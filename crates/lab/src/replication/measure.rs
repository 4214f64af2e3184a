//! Values that published numbers and claims speak about, with what chance leaves to them.

use super::measured::{Data, Measured};
use crate::experiment::paper::{Metric, Published, Side};
use crate::experiment::{Pick, same_value};
use crate::results::first_rounds::SingleGames;
use crate::stats::elo::{elo, expected};
use crate::stats::wdl::wilson_at;
use crate::stats::{Level, Rounds, Wdl};
use crate::{
    ExamSummary, ExamTimes, LabError, Outcome, Part, Plan, PlayerSummary, Results, Section,
    Summary, Work,
};

/// The interval that the games behind a published share, or an Elo difference, leave to it, if none is printed.
pub fn published_interval(published: &Published) -> Option<[f64; 2]> {
    let wilson = |share: f64| {
        Some(wilson_at(share, published.games? as f64, Level::P95)).filter(|_| share.is_finite())
    };
    let theirs = || match published.metric {
        Metric::Elo => {
            let ends = wilson(expected(published.value))?.map(elo);
            Some([ends[0].unwrap_or(f64::NEG_INFINITY), ends[1].unwrap_or(f64::INFINITY)])
        }
        metric => metric.is_share().then(|| wilson(published.value))?,
    };
    published.interval.or_else(theirs)
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
        let plan = match &part.work {
            Work::Match(plan) => Some(plan),
            Work::Exam(_) => None,
        };
        let data = match &result.outcome {
            Outcome::Match { summary, times } => {
                let player = if of == Side::B { 1 } else { player };
                let seconds = times.as_ref().map(|t| (t.per_move(player), t.per_move_ci(player)));
                let budget = plan.and_then(|plan| budget(plan, metric, player));
                of_match(summary, metric, of, player, seconds, budget)
            }
            Outcome::Exam { summary, times } => {
                of_exam(summary, times.as_ref(), metric, question(part, at))
            }
        };
        let own = part.players.get(player).unwrap_or(&part.setting);
        measured.push(Measured {
            part: part.name.clone(),
            setting: own.clone(),
            count: match &result.outcome {
                Outcome::Match { summary, .. } => games_of_one(summary),
                exam => exam.items(),
            },
            complete: result.complete,
            unplanned: section.extended
                || matches!(&result.outcome, Outcome::Match { summary, .. } if summary.stopped_early()),
            place: before + index,
            planned: plan.map_or(0, |plan| plan.schedule.rounds()),
            data,
        });
    }
    measured
}

/// A share of games as it was after the first rounds of its part; `None` where these are not here.
pub(super) fn after_rounds(
    games: &SingleGames<'_>,
    measured: &Measured,
    metric: Metric,
    rounds: u64,
) -> Result<Option<Measured>, LabError> {
    let first = games.first_rounds(measured.place, rounds)?;
    Ok(first.map(|summary| {
        let data = of_match(&summary, metric, Side::A, 0, None, None);
        Measured { count: summary.games, data, ..measured.clone() }
    }))
}

/// What a player may spend on a move.
fn budget(plan: &Plan, metric: Metric, player: usize) -> Option<f64> {
    let limits = plan.limits.get(player)?;
    let budget = match metric {
        Metric::Nodes => limits.nodes,
        Metric::Iterations => limits.iterations,
        _ => None,
    };
    budget.map(|budget| budget as f64)
}

/// Games of one player: of those who play alone each has its own.
fn games_of_one(summary: &Summary) -> u64 {
    match summary.seats.len() {
        1 => summary.games / summary.players.len().max(1) as u64,
        _ => summary.games,
    }
}

/// Rounds after which a number that never varied is taken for one that does not.
const ENOUGH_ROUNDS: u64 = 20;

/// A mean of a player with its interval, where they are known.
type Known = (Option<f64>, Option<[f64; 2]>);

fn of_match(
    summary: &Summary,
    metric: Metric,
    of: Side,
    player: usize,
    seconds: Option<Known>,
    budget: Option<f64>,
) -> Data {
    let (mut wdl, mut rounds) = (summary.wdl(), summary.by_rounds());
    if of == Side::B {
        (wdl, rounds) = (wdl.reversed(), rounds.map(|r| r.reversed()));
    }
    let total = wdl.total() as f64;
    // The many games of a round at a large table may all end alike: each counts as a part.
    let large = summary.seats.len() > 2;
    let cases = |games: u64| if large { games.min(summary.rounds) } else { games } as f64;
    // Games that deterministic players repeat are one piece of evidence.
    let repeated = summary.is_repeated();
    let share = |count: u64, result: usize| match by_result(&wdl, rounds.as_ref()) {
        Some(by_result) if !repeated => {
            Data::Paired(Wdl::new(count, 0, wdl.total() - count), by_result[result].clone())
        }
        _ => {
            let games = if repeated { summary.distinct } else { wdl.total() };
            Data::Share(count as f64 / total.max(1.0), cases(games))
        }
    };
    // A record that has intervals tells none of a number that never varied; a few rounds may be
    // alike by chance.
    let enough = summary.rounds >= ENOUGH_ROUNDS;
    let has_intervals = summary.plies_ci.is_some();
    let mean = |value: Option<f64>, ci: Option<[f64; 2]>| match (value, ci) {
        // No move takes more than the budget: a mean that is all of it never varied, whatever a record tells.
        (Some(value), None) if budget == Some(value) && enough => Data::Exact(value),
        (Some(value), None) if has_intervals && enough => Data::Steady(value),
        _ => mean(value, ci, summary.freedom()),
    };
    let own = summary.players.get(player);
    let each = |value: fn(&PlayerSummary) -> Known| {
        own.map(value).map_or(Data::None, |(value, ci)| mean(value, ci))
    };
    match metric {
        Metric::Score if of == Side::Draw => share(wdl.draws, 1),
        Metric::Score if repeated => {
            Data::Share(wdl.score().unwrap_or(0.5), cases(summary.distinct))
        }
        Metric::Score => Data::Score(Box::new(summary.clone()), of == Side::B),
        Metric::Wins => share(wdl.wins, 0),
        Metric::Draws => share(wdl.draws, 1),
        Metric::Losses => share(wdl.losses, 2),
        // Both take all rounds to be evidence.
        Metric::Elo if repeated => summary
            .elo
            .map_or(Data::None, |elo| Data::Vague(if of == Side::B { -elo } else { elo })),
        Metric::Los if repeated => Data::None,
        Metric::Elo => rounds.map_or(Data::None, Data::Elo),
        // It says itself how sure the games are, of the day it is computed.
        Metric::Los => (summary.los.map(|x| if of == Side::B { 1.0 - x } else { x }))
            .map_or(Data::None, Data::Vague),
        Metric::Plies => mean(summary.plies, summary.plies_ci),
        Metric::Points => each(|p| (p.points.map(|m| m.mean), p.points.and_then(|m| m.ci))),
        Metric::Iterations => each(|p| (p.iterations_per_move, p.iterations_ci)),
        Metric::Nodes => each(|p| (p.nodes_per_move, p.nodes_ci)),
        Metric::Depth => each(|p| (p.depth, p.depth_ci)),
        Metric::GameNodes => match own.and_then(|p| p.game_nodes) {
            Some(plays) => mean(Some(plays.mean), plays.ci),
            // Records of the first versions do not tell how they vary from game to game.
            None => (own.and_then(|p| Some(p.nodes_per_move? * p.moves as f64)))
                .filter(|_| games_of_one(summary) > 0)
                .map_or(Data::None, |all| Data::Vague(all / games_of_one(summary) as f64)),
        },
        // Without an interval nobody knows how sure it is: times of the first versions do not tell, and a budget
        // of time hardly varies.
        Metric::Time => {
            seconds.map_or(Data::None, |(mean, ci)| self::mean(mean, ci, summary.freedom()))
        }
        Metric::Statistic(name) => {
            let found = own.and_then(|p| p.statistic(name));
            let freedom = found.filter(|s| s.rounds > 1).map(|s| (s.rounds - 1) as f64);
            self::mean(found.map(|s| s.mean), found.and_then(|s| s.ci), freedom)
        }
        Metric::AtLeast(name, least) => match own.and_then(|p| p.statistic(name)) {
            Some(found) => {
                let (count, of) = found.at_least(i64::from(least));
                // Seats of one round share opening and chance: together they are one case.
                Data::Share(count as f64 / of.max(1) as f64, of.min(found.rounds) as f64)
            }
            None => Data::None,
        },
        Metric::Kept => Data::None,
    }
}

/// Pairs of games by how many of the two were won, drawn and lost, each on the scale of half points:
/// that of two results which make two half points one is a draw twice, the number of draws tells.
/// `None` where rounds are no pairs.
fn by_result(wdl: &Wdl, rounds: Option<&Rounds>) -> Option<[Rounds; 3]> {
    let &[ll, ld, even, wd, ww] = rounds?.counts() else { return None };
    let dd = wdl.draws.checked_sub(ld + wd)? / 2;
    let wl = even.checked_sub(dd)?;
    let count = |none, one, two| Rounds::from_counts(vec![none, 0, one, 0, two]);
    Some([
        count(ll + ld + dd, wl + wd, ww),
        count(ll + wl + ww, ld + wd, dd),
        count(ww + wd + dd, wl + ld, ll),
    ])
}

/// A mean, vague where it has no interval: too few rounds, or a record of an older version.
fn mean(value: Option<f64>, ci: Option<[f64; 2]>, freedom: Option<f64>) -> Data {
    match (value, ci, freedom) {
        (None, ..) => Data::None,
        (Some(value), Some(ci), Some(freedom)) => Data::Mean(value, ci, freedom),
        (Some(value), ..) => Data::Vague(value),
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
    let asked = summary.answers.saturating_sub(summary.failures);
    let freedom = (asked > 1).then(|| (asked - 1) as f64);
    let row = question.and_then(|q| summary.depths.iter().find(|row| row.question == q));
    match (metric, question) {
        (Metric::Kept, _) => summary.kept.map_or(Data::None, |k| Data::Share(k.share, k.of as f64)),
        (Metric::Nodes, Some(_)) => exact(row.map(|row| row.nodes as f64)),
        (Metric::Depth, Some(_)) => exact(row.map(|row| f64::from(row.depth))),
        (Metric::Time, Some(q)) => times.and_then(|t| t.of(q)).map_or(Data::None, Data::Vague),
        (Metric::Time, None) => times.and_then(mean_time).map_or(Data::None, Data::Vague),
        // Over positions that stand for others.
        (Metric::Nodes, None) => mean(summary.nodes, summary.nodes_ci, freedom),
        (Metric::Depth, None) => mean(summary.depth, summary.depth_ci, freedom),
        (Metric::Iterations, _) => mean(summary.iterations, summary.iterations_ci, freedom),
        _ => Data::None,
    }
}

fn mean_time(times: &ExamTimes) -> Option<f64> {
    let n = times.answers.len();
    (n > 0).then(|| times.total() / n as f64)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::experiment::paper::Relation;
    use crate::stats::elo::score_estimate;

    #[test]
    fn pairs_are_told_apart_by_what_they_were_made_of() {
        // Won and drawn, won and lost twice, drawn twice, lost twice.
        let (wdl, rounds) = (Wdl::new(3, 3, 4), Rounds::from_counts(vec![1, 0, 3, 1, 0]));
        let [wins, draws, losses] = by_result(&wdl, Some(&rounds)).unwrap();
        assert_eq!(wins.counts(), [2, 0, 3, 0, 0]);
        assert_eq!(draws.counts(), [3, 0, 1, 0, 1]);
        assert_eq!(losses.counts(), [2, 0, 2, 0, 1]);
        assert!(by_result(&wdl, Some(&Rounds::from_counts(vec![1, 2, 3]))).is_none());
    }

    #[test]
    fn games_that_end_alike_in_pairs_are_half_as_many_cases() {
        // Fifty pairs won twice, fifty lost twice: a hundred pieces of evidence.
        let (wdl, rounds) = (Wdl::new(100, 0, 100), Rounds::from_counts(vec![50, 0, 0, 0, 50]));
        let [wins, ..] = by_result(&wdl, Some(&rounds)).unwrap();
        let paired = score_estimate(&wdl, &wins, Level::P95).unwrap().interval;
        let apart = wilson_at(0.5, 200.0, Level::P95);
        let ratio = (paired[1] - paired[0]) / (apart[1] - apart[0]);
        assert!((ratio - 2f64.sqrt()).abs() < 0.05, "{ratio}");
    }

    #[test]
    fn an_elo_difference_is_as_sure_as_the_score_behind_it() {
        let published = |metric, value, games| Published {
            at: Vec::new(),
            metric,
            of: Side::A,
            value,
            relation: Relation::Equal,
            interval: None,
            games,
            source: None,
            note: None,
        };
        let [low, high] = published_interval(&published(Metric::Elo, 200.0, Some(100))).unwrap();
        let score = expected(200.0);
        assert_eq!([low, high].map(expected).map(|x| (x * 1e9).round()), {
            wilson_at(score, 100.0, Level::P95).map(|x| (x * 1e9).round())
        });
        assert!(low < 200.0 && 200.0 < high);
        assert_eq!(published_interval(&published(Metric::Elo, 200.0, None)), None);
        assert_eq!(published_interval(&published(Metric::Plies, 80.0, Some(100))), None);
    }
}
