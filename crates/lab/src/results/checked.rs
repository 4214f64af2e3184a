//! Whether statistics that were not counted here can be those of the work they are told of:
//! a file may have been edited.

use super::recomputed::{check_answered, check_means, check_results, holds};
use crate::answers::{ExamSummary, ExamTimes};
use crate::summary::{MeanText, PlayerSummary, StatisticSummary, Summary};
use crate::times::Times;
use crate::{Exam, Plan};

/// A number of games or answers that cannot be.
fn number(what: &str, is: u64, most: u64) -> Result<(), String> {
    if is <= most { Ok(()) } else { Err(format!("{is} {what} of at most {most}")) }
}

/// A list that is too long or too short.
fn length(what: &str, is: usize, right: usize) -> Result<(), String> {
    if is == right { Ok(()) } else { Err(format!("{is} {what} instead of {right}")) }
}

/// Counts that do not add up.
fn sum(what: &str, counts: &[u64], right: u64) -> Result<(), String> {
    match counts.iter().try_fold(0u64, |sum, &n| sum.checked_add(n)) == Some(right) {
        true => Ok(()),
        false => Err(format!("its {what}, {counts:?}, do not add up to {right}")),
    }
}

/// A complete match has all its games, unless its results may end it.
pub(crate) fn check_match(
    plan: &Plan,
    summary: &Summary,
    times: Option<&Times>,
    complete: bool,
) -> Result<(), String> {
    let (games, planned) = (summary.games, plan.schedule.games());
    let early = !complete || plan.sprt.is_some() || plan.width.is_some();
    number("games", games, planned)?;
    if games < planned && (!early || (complete && games == 0)) {
        return Err(format!("it is called complete with {games} of {planned} games"));
    }
    let each = plan.schedule.seatings().len() as u64;
    if summary.rounds.checked_mul(each) != Some(games) {
        return Err(format!("{games} games are not {} rounds of {each}", summary.rounds));
    }
    let players = plan.players.len();
    length("players", summary.players.len(), players)?;
    length("seats", summary.seats.len(), plan.seats)?;
    let compared = match (players, plan.seats) {
        (1, _) => 0,
        (_, 1) => summary.rounds,
        _ => games,
    };
    sum("results", &[summary.wins, summary.draws, summary.losses], compared)?;
    number("games that differ", summary.distinct, games)?;
    number("games ended by the limit", summary.limits, games)?;
    for player in &summary.players {
        number("forfeits", player.forfeits, games)?;
    }
    // Not in statistics of the first versions.
    if !summary.pairs.is_empty() {
        let results = if plan.seats == 1 { 1 } else { each as usize };
        length("counts of rounds", summary.pairs.len(), 2 * results + 1)?;
        sum("rounds", &summary.pairs, if players == 1 { 0 } else { summary.rounds })?;
    }
    if !summary.by_seat.is_empty() {
        length("seats with results", summary.by_seat.len(), plan.seats)?;
        let results = summary.by_seat.iter().flat_map(|wdl| [wdl.wins, wdl.draws, wdl.losses]);
        sum("results by seat", &results.collect::<Vec<_>>(), compared)?;
    }
    if !summary.first_pairs.is_empty() {
        length(
            "counts of rounds by the first seat",
            summary.first_pairs.len(),
            2 * each as usize + 1,
        )?;
        sum("rounds by the first seat", &summary.first_pairs, summary.rounds)?;
    }
    check_results(plan, summary, complete)?;
    check_means(summary)?;
    if let Some(times @ Times { seconds, moves, longest, each_move, .. }) = times {
        // Those of the first versions do not tell how they vary.
        let told = if each_move.is_empty() { players } else { each_move.len() };
        for of_players in [seconds.len(), moves.len(), longest.len(), told] {
            length("wall times of players", of_players, players)?;
        }
        for player in 0..players {
            let (mean, ci) = (times.per_move(player), times.per_move_ci(player));
            let ci = ci.map(|ci| ci.map(|seconds| 1e6 * seconds));
            holds("microseconds of a move", mean.map(|seconds| 1e6 * seconds), ci)?;
        }
    }
    Ok(())
}

/// A complete exam has every answer, but those to questions that a budget may have spared.
pub(crate) fn check_exam(
    exam: &Exam,
    summary: &ExamSummary,
    times: Option<&ExamTimes>,
    complete: bool,
) -> Result<(), String> {
    let (answers, questions) = (summary.answers, exam.questions.len() as u64);
    if summary.questions != questions {
        return Err(format!("{} questions instead of {questions}", summary.questions));
    }
    number("answers", answers, questions)?;
    let least = exam.fewest_answers();
    if complete && answers < least {
        return Err(format!("it is called complete with {answers} answers of at least {least}"));
    }
    number("failures", summary.failures, answers)?;
    number("proofs", summary.proofs, answers)?;
    number("false proofs", summary.false_proofs.unwrap_or(0), summary.proofs)?;
    if let Some(kept) = summary.kept {
        number("known values", kept.of, answers)?;
        number("moves that keep the value", kept.kept, kept.of)?;
    }
    number("searches to a depth", summary.depths.len() as u64, answers)?;
    number("wall times", times.map_or(0, |times| times.answers.len() as u64), answers)?;
    check_answered(exam, summary)
}

impl Summary {
    /// Whether another has counted the same games. Intervals and what else follows from the counts
    /// is left out: another version may estimate it otherwise.
    pub(super) fn counts_as(&self, other: &Summary) -> bool {
        let mean = |mean: Option<MeanText>| mean.map(|mean| mean.mean);
        let of_player = |p: &PlayerSummary| {
            let told = |(name, s): (&String, &StatisticSummary)| (name.clone(), s.count, s.mean);
            let told: Vec<_> = p.statistics.iter().map(told).collect();
            let each_move = [p.iterations_per_move, p.nodes_per_move, p.depth];
            (p.moves, p.forfeits, mean(p.payoff), mean(p.points), each_move, told)
        };
        let counts = |s: &Summary| {
            let numbers = [s.games, s.distinct, s.rounds, s.wins, s.draws, s.losses, s.limits];
            let players: Vec<_> = s.players.iter().map(of_player).collect();
            (numbers, s.plies, s.plies_range, s.seats.clone(), players)
        };
        counts(self) == counts(other)
    }
}

impl ExamSummary {
    /// Whether another has counted the same answers.
    pub(super) fn counts_as(&self, other: &ExamSummary) -> bool {
        let counts = |s: &ExamSummary| {
            let kept = s.kept.map(|kept| [kept.kept, kept.of]);
            let means = [s.depth, s.iterations, s.nodes];
            ([s.answers, s.failures, s.proofs], s.false_proofs, kept, means, s.depths.clone())
        };
        counts(self) == counts(other)
    }
}
