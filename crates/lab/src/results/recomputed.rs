//! Whether statistics that were not counted here agree with themselves: what follows from their counts
//! is computed again, and what contradicts is told by the name of its field.

use crate::answers::ExamSummary;
use crate::stats::elo::Bounds;
use crate::stats::sprt::Decision;
use crate::stats::wdl::wilson;
use crate::stats::{Rounds, Wdl};
use crate::summary::{Derived, MeanText, PlayerSummary, StatisticSummary, Summary};
use crate::{Exam, Plan};

/// Numbers are recorded with six decimals, and the last bit of a logarithm is the machine's.
fn near(a: f64, b: f64) -> bool {
    (a - b).abs() <= 1e-5 * b.abs().max(1.0)
}

fn shown(number: Option<f64>) -> String {
    number.map_or("nothing".to_string(), |x| x.to_string())
}

/// A field that is not what the counts give.
fn differs(field: &str, told: &str, right: &str) -> String {
    format!("`{field}` is {told}, and its counts give {right}")
}

fn same(field: &str, told: Option<f64>, right: Option<f64>) -> Result<(), String> {
    match (told, right) {
        (None, None) => Ok(()),
        (Some(a), Some(b)) if near(a, b) => Ok(()),
        _ => Err(differs(field, &shown(told), &shown(right))),
    }
}

fn same_bounds(field: &str, told: Option<Bounds>, right: Option<Bounds>) -> Result<(), String> {
    let ends =
        |told: Bounds, right: Bounds| (0..2).all(|end| same(field, told[end], right[end]).is_ok());
    let text = |bounds: Option<Bounds>| {
        let text = |[low, high]: Bounds| format!("{} to {}", shown(low), shown(high));
        bounds.map_or("nothing".to_string(), text)
    };
    match (told, right) {
        (None, None) => Ok(()),
        (Some(a), Some(b)) if ends(a, b) => Ok(()),
        _ => Err(differs(field, &text(told), &text(right))),
    }
}

/// A mean lies in its interval.
pub(super) fn holds(
    field: &str,
    mean: Option<f64>,
    interval: Option<[f64; 2]>,
) -> Result<(), String> {
    let Some([low, high]) = interval else { return Ok(()) };
    match mean {
        Some(mean) if low - 1e-5 <= mean && mean <= high + 1e-5 => Ok(()),
        _ => Err(format!("`{field}` is {}, outside its interval {low} to {high}", shown(mean))),
    }
}

fn mean_holds(field: &str, mean: Option<MeanText>) -> Result<(), String> {
    holds(field, mean.map(|mean| mean.mean), mean.and_then(|mean| mean.ci))
}

/// Counts whose sums are known to be small: of games that are no more than the match has.
fn half_points(pairs: &[u64]) -> u64 {
    (0..).zip(pairs).map(|(points, rounds)| points * rounds).sum()
}

/// Whether what is told of a match follows from its wins, draws and losses. How many these are has been
/// checked.
pub(super) fn check_results(plan: &Plan, summary: &Summary, complete: bool) -> Result<(), String> {
    let wdl = summary.wdl();
    // At a table of three to five the first versions did not tell the rounds.
    let known = !summary.pairs.is_empty();
    let rounds = match known {
        true => Rounds::from_counts(summary.pairs.clone()),
        false => Rounds::new(1),
    };
    let right = Derived::of(plan, &wdl, &rounds);
    if known && half_points(&summary.pairs) != wdl.half_points() {
        let (told, all) = (half_points(&summary.pairs), wdl.half_points());
        return Err(differs("pairs", &format!("{told} half points"), &all.to_string()));
    }
    check_seats(summary, &wdl)?;
    same("score", summary.score, right.score)?;
    same("elo", summary.elo, right.elo)?;
    same_bounds("elo_ci_games", summary.elo_ci_games, right.elo_ci_games)?;
    if plan.seats < 3 {
        same("los", summary.los, right.los)?;
    } else if summary.los.is_some_and(|los| !(0.0..=1.0).contains(&los)) {
        return Err(format!("`los` is {}, and it is a share", shown(summary.los)));
    }
    if !known {
        return holds("score", summary.score, summary.score_ci);
    }
    let ends = |ci: Option<[f64; 2]>| ci.map(|ci| ci.map(Some));
    // The first versions told the interval by games alone.
    let by_games = same_bounds("score_ci", ends(summary.score_ci), ends(wdl.score_ci()));
    if plan.seats > 2 || by_games.is_err() {
        same_bounds("score_ci", ends(summary.score_ci), ends(right.score_ci))?;
    }
    same_bounds("elo_ci", summary.elo_ci, right.elo_ci)?;
    same("nelo", summary.nelo, right.nelo)?;
    check_end(plan, summary, &right, complete)
}

/// The results by seat add up to all of them, and to the points of the side that moves first.
fn check_seats(summary: &Summary, wdl: &Wdl) -> Result<(), String> {
    let [first, second] = &summary.by_seat[..] else { return Ok(()) };
    let (wins, draws) = (first.wins + second.wins, first.draws + second.draws);
    if [wins, draws] != [wdl.wins, wdl.draws] {
        let text = |wdl: &Wdl| format!("{} wins and {} draws", wdl.wins, wdl.draws);
        let all = Wdl::new(wins, draws, first.losses + second.losses);
        return Err(differs("by_seat", &text(&all), &text(wdl)));
    }
    let firsts = first.half_points() + 2 * second.total() - second.half_points();
    let told = half_points(&summary.first_pairs);
    match summary.first_pairs.is_empty() || told == firsts {
        true => Ok(()),
        false => Err(differs("first_pairs", &format!("{told} half points"), &firsts.to_string())),
    }
}

/// What a test accepted, as records call it.
fn name(decision: Option<Decision>) -> &'static str {
    match decision {
        None => "nothing",
        Some(Decision::H0) => "h0",
        Some(Decision::H1) => "h1",
    }
}

/// The test, and whether results end the match where it is said to have ended.
fn check_end(
    plan: &Plan,
    summary: &Summary,
    right: &Derived,
    complete: bool,
) -> Result<(), String> {
    match (&summary.sprt, &right.sprt) {
        (None, None) => {}
        (Some(told), Some(right)) => {
            if told.test != right.test {
                return Err("`sprt` is another test than that of the match".to_string());
            }
            same("llr", Some(told.llr), Some(right.llr))?;
            let ends = |bounds: [f64; 2]| Some(bounds.map(Some));
            same_bounds("bounds", ends(told.bounds), ends(right.bounds))?;
            if told.decision != right.decision {
                return Err(differs("decision", name(told.decision), name(right.decision)));
            }
        }
        (told, _) => {
            let (told, right) = match told {
                Some(_) => ("there", "no test"),
                None => ("missing", "one"),
            };
            return Err(format!("`sprt` is {told}, and the match has {right}"));
        }
    }
    // The first versions did not tell it, and knew the interval by games alone.
    let narrow = |[low, high]: [f64; 2]| plan.width.is_some_and(|width| high - low <= width);
    let ended = right.stopped || (plan.seats < 3 && summary.wdl().score_ci().is_some_and(narrow));
    if summary.stopped && !ended {
        return Err("`stopped` is true, and its results do not end it".to_string());
    }
    let (games, planned) = (summary.games, plan.schedule.games());
    match complete && games < planned && !ended {
        true => Err(format!(
            "it is called complete with {games} of {planned} games, and its results do not end it"
        )),
        false => Ok(()),
    }
}

/// Whether the means lie where they can: in their intervals, and between the least and the most.
pub(super) fn check_means(summary: &Summary) -> Result<(), String> {
    let range = summary.plies_range.map(|range| range.map(f64::from));
    if let (Some(plies), Some([least, most])) = (summary.plies, range)
        && !(least - 1e-5 <= plies && plies <= most + 1e-5)
    {
        return Err(format!("`plies` is {plies}, and games have {least} to {most}"));
    }
    holds("plies", summary.plies, summary.plies_ci)?;
    mean_holds("difference", summary.difference)?;
    summary.players.iter().try_for_each(check_player)
}

fn check_player(player: &PlayerSummary) -> Result<(), String> {
    let of = |e: String| format!("{}: {e}", player.player);
    let means = [
        ("payoff", player.payoff),
        ("points", player.points),
        ("place", player.place),
        ("game_nodes", player.game_nodes),
    ];
    means.iter().try_for_each(|(field, mean)| mean_holds(field, *mean)).map_err(of)?;
    let each_move = [
        ("iterations_per_move", player.iterations_per_move, player.iterations_ci),
        ("nodes_per_move", player.nodes_per_move, player.nodes_ci),
        ("depth", player.depth, player.depth_ci),
    ];
    each_move.iter().try_for_each(|(field, mean, ci)| holds(field, *mean, *ci)).map_err(of)?;
    if !player.places.is_empty() {
        let shares: f64 = player.places.iter().sum();
        same("places", Some(shares), Some(1.0)).map_err(of)?;
        let places = (1..).zip(&player.places).map(|(place, share)| f64::from(place) * share);
        same("place", player.place.map(|place| place.mean), Some(places.sum())).map_err(of)?;
    }
    player.statistics.iter().try_for_each(|(name, told)| statistic(name, told).map_err(of))
}

fn statistic(name: &str, told: &StatisticSummary) -> Result<(), String> {
    holds(name, Some(told.mean), told.ci)?;
    // Not in statistics of the first versions.
    let all = told.counts.iter().try_fold(0_u64, |all, (_, count)| all.checked_add(*count));
    match told.counts.is_empty() || all == Some(told.count) {
        true => Ok(()),
        false => Err(differs(name, &format!("of {} seats", told.count), &shown_count(all))),
    }
}

fn shown_count(count: Option<u64>) -> String {
    count.map_or("more than can be".to_string(), |count| count.to_string())
}

/// Whether what is told of an exam follows from its answers, as far as it tells them.
pub(super) fn check_answered(exam: &Exam, summary: &ExamSummary) -> Result<(), String> {
    if let Some(kept) = &summary.kept {
        let share = kept.kept as f64 / kept.of.max(1) as f64;
        same("share", Some(kept.share), Some(share))?;
        let right = wilson(share, kept.of.max(1) as f64);
        same_bounds("ci", Some(kept.ci.map(Some)), Some(right.map(Some)))?;
    }
    holds("depth", summary.depth, summary.depth_ci)?;
    holds("iterations", summary.iterations, summary.iterations_ci)?;
    holds("nodes", summary.nodes, summary.nodes_ci)?;
    let mut next = 0;
    for row in &summary.depths {
        let question = usize::try_from(row.question).ok().and_then(|q| exam.questions.get(q));
        let asked = question.and_then(|question| question.limits.depth);
        if asked != Some(row.depth) || row.question < next {
            let (question, depth) = (row.question, row.depth);
            return Err(format!("`depths`: question {question} to depth {depth} is not the next"));
        }
        next = row.question + 1;
    }
    // Where every answer is a search to a depth, its rows tell all of them.
    if summary.depths.len() as u64 == summary.answers && summary.answers > 0 {
        let proofs = summary.depths.iter().filter(|row| row.proven.is_some()).count() as u64;
        if proofs != summary.proofs {
            return Err(differs("proofs", &summary.proofs.to_string(), &proofs.to_string()));
        }
        let (plays, asked) = (
            summary.depths.iter().map(|row| row.nodes as f64).sum::<f64>(),
            summary.answers - summary.failures,
        );
        same("nodes", summary.nodes, (asked > 0).then(|| plays / asked as f64))?;
    }
    Ok(())
}
