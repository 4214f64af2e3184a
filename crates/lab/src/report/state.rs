//! What is missing and what is wrong, told before any number.

use super::found::{Duel, Found};
use super::words::{count, listed, plural};
use crate::{Ending, Outcome, PartResult, Results, Work};
use spielbaum_document::{Block, Notice, NoticeKind, Text};
use std::collections::BTreeSet;

/// Problems that are told in full.
const PROBLEMS: usize = 3;

fn warning(text: impl Into<Text>) -> Block {
    Notice::new(NoticeKind::Warning, text).into()
}

/// The run as a whole.
pub(super) fn of_run(results: &Results) -> Vec<Block> {
    let parts = results.parts.len();
    let done = results.parts.iter().filter(|part| part.complete).count();
    let damaged = results.parts.iter().filter(|part| part.problem.is_some()).count();
    let mut blocks = Vec::new();
    // Files that cannot be read say nothing of how far their part is.
    if done + damaged < parts {
        let is_begun = |part: &&PartResult| !part.complete && part.outcome.items() > 0;
        let sound = results.parts.iter().filter(|part| part.problem.is_none());
        let begun = sound.filter(is_begun).count();
        let (goes_on, apart) = match damaged {
            0 => ("; running it again goes on", String::new()),
            _ => ("", format!(", {damaged} are damaged")),
        };
        let text = format!(
            "This run is not finished: of {} {done} are complete, {begun} are begun, {} are missing{apart}. \
             What is shown of the others are the games played so far, in order{goes_on}.",
            plural(parts as u64, "part"),
            parts - done - damaged - begun
        );
        blocks.push(warning(text));
    }
    blocks.extend(taken_over(results));
    if damaged > 0 {
        let text = format!(
            "The files of {} are damaged; the sections below say which, and what to do before it can go on.",
            plural(damaged as u64, "part")
        );
        blocks.push(warning(text));
    }
    blocks
}

/// Games that were played elsewhere.
fn taken_over(results: &Results) -> Option<Block> {
    let taken = |whole: bool| {
        (results.parts.iter().filter_map(|part| part.taken_over.as_ref()))
            .filter(move |taken| taken.whole == whole)
    };
    let names: BTreeSet<&str> = taken(true)
        .chain(taken(false))
        .flat_map(|t| t.digests.keys().map(String::as_str))
        .collect();
    let items = |whole: bool| taken(whole).map(|taken| taken.items()).sum::<u64>();
    let texts = [(true, "with their statistics alone"), (false, "without their moves")];
    let texts: Vec<String> = (texts.into_iter())
        .filter(|&(whole, _)| items(whole) > 0)
        .map(|(whole, how)| {
            let parts = plural(taken(whole).count() as u64, "part");
            format!("{} games or answers of {parts} {how}", count(items(whole)))
        })
        .collect();
    let names: Vec<&str> = names.into_iter().collect();
    let text = format!(
        "Taken over from {}, and not played in this run: {}.",
        names.join(", "),
        texts.join(", and ")
    );
    (!names.is_empty()).then(|| Notice::new(NoticeKind::Note, text).into())
}

/// A section.
pub(super) fn of_section(found: &Found<'_>) -> Vec<Block> {
    let mut blocks = Vec::new();
    let unfinished: Vec<String> = (found.parts.iter())
        .filter(|(_, result)| !result.complete && result.problem.is_none())
        .map(|(part, result)| {
            let (done, what) = (result.outcome.items(), part.work.unit());
            let all = part.work.items();
            match done {
                0 => format!("{} (not begun)", part.name),
                _ => format!("{} ({} of {} {what})", part.name, count(done), count(all)),
            }
        })
        .collect();
    if !unfinished.is_empty() {
        let (n, all) = (unfinished.len(), plural(found.parts.len() as u64, "part"));
        blocks.push(warning(format!("{n} of {all} not finished: {}.", listed(&unfinished))));
    }
    let problems: Vec<String> = (found.parts.iter())
        .filter_map(|(part, result)| Some(format!("{}: {}", part.name, result.problem.as_ref()?)))
        .collect();
    let more = problems.len().saturating_sub(PROBLEMS);
    blocks.extend(problems.into_iter().take(PROBLEMS).map(warning));
    if more > 0 {
        blocks.push(warning(format!("{} have problems too.", plural(more as u64, "more part"))));
    }
    blocks.extend(repeated(found));
    blocks.extend(stopped(found));
    blocks.extend(failures(found));
    blocks.extend(limits(found));
    let profiles: Vec<String> = (found.parts.iter())
        .filter(|(part, result)| part.traps.is_some() && result.traps.is_none() && result.complete)
        .map(|(part, _)| part.name.clone())
        .collect();
    if !profiles.is_empty() {
        blocks.push(warning(format!("No trap profile yet of {}.", listed(&profiles))));
    }
    blocks
}

/// Games that were played again and again.
fn repeated(found: &Found<'_>) -> Option<Block> {
    let names: Vec<String> = (found.duels(|_| true).iter())
        .filter(|duel| duel.summary.is_repeated())
        .map(|duel| {
            let (distinct, games) = (count(duel.summary.distinct), count(duel.summary.games));
            format!("{} ({distinct} of {games})", duel.part.name)
        })
        .collect();
    (!names.is_empty()).then(|| {
        warning(format!(
            "Most games are repetitions: only so many differ in {}. Games that deterministic \
             players repeat are no evidence, so the intervals are too narrow; vary the openings.",
            listed(&names)
        ))
    })
}

/// Matches that their own results ended.
fn stopped(found: &Found<'_>) -> Option<Block> {
    let by_results = |duel: &&Duel<'_>| {
        let ended = matches!(duel.result.ending, Some(Ending::Decided(_) | Ending::Narrow));
        ended || duel.summary.stopped_early()
    };
    let duels = found.duels(|_| true);
    let names: Vec<String> =
        duels.iter().filter(by_results).map(|duel| duel.part.name.clone()).collect();
    (!names.is_empty()).then(|| {
        let text = format!(
            "Ended by their own results, a test or the width of the interval: {}. Scores, intervals and p \
             are computed as if the number of games had been fixed before. After such a stop the \
             intervals are a little too narrow and the scores a little too far from even; the error \
             bounds of the test itself hold.",
            listed(&names)
        );
        Notice::new(NoticeKind::Note, text).into()
    })
}

/// Players that failed.
fn failures(found: &Found<'_>) -> Option<Block> {
    let mut texts = Vec::new();
    for (part, result) in &found.parts {
        match &result.outcome {
            Outcome::Match { summary, .. } => {
                for player in summary.players.iter().filter(|player| player.forfeits > 0) {
                    let (games, reason) =
                        (plural(player.forfeits, "game"), player.reason.as_deref());
                    let reason = reason.unwrap_or("no reason given");
                    texts.push(format!(
                        "{}: {} forfeited {games} ({reason})",
                        part.name, player.player
                    ));
                }
            }
            Outcome::Exam { summary, .. } if summary.failures > 0 => {
                let (times, reason) = (plural(summary.failures, "time"), summary.reason.as_deref());
                let reason = reason.unwrap_or("no reason given");
                texts.push(format!("{}: {} failed {times} ({reason})", part.name, summary.player));
            }
            Outcome::Exam { .. } => {}
        }
    }
    (!texts.is_empty()).then(|| warning(format!("{}.", listed(&texts))))
}

/// Games that were ended by the move limit.
fn limits(found: &Found<'_>) -> Option<Block> {
    let names: Vec<String> = (found.duels(|_| true).iter())
        .filter(|duel| duel.summary.limits > 0)
        .map(|duel| format!("{} ({})", duel.part.name, plural(duel.summary.limits, "game")))
        .collect();
    let text = format!(
        "The move limit ended games, which were settled as they stood: {}.",
        listed(&names)
    );
    (!names.is_empty()).then(|| Notice::new(NoticeKind::Note, text).into())
}

impl Work {
    /// What is counted.
    fn unit(&self) -> &'static str {
        match self {
            Work::Match(_) => "games",
            Work::Exam(_) => "questions",
        }
    }

    /// How many there are to be.
    fn items(&self) -> u64 {
        match self {
            Work::Match(plan) => plan.schedule.games(),
            Work::Exam(exam) => exam.questions.len() as u64,
        }
    }
}
