//! Wall times, apart from everything else: they are outside the promise of identical results.

use super::found::Found;
use super::names;
use super::samples::milliseconds;
use crate::Format;
use crate::stats::quantiles::{quantile, sorted};
use spielbaum_document::{Axis, Block, BoxPlot, Chart, Notice, NoticeKind, Summary};

/// More players than this are not drawn.
const MOST: usize = 24;

/// Box plots of the time of a move for each player.
pub(super) fn blocks(found: &Found<'_>) -> Vec<Block> {
    let (by_player, of_what) = match found.section.format {
        // Its table has the seconds of each search.
        Format::Depths => return Vec::new(),
        Format::Accuracy => (of_answers(found), "answer"),
        _ => (of_moves(found), "move"),
    };
    let specs: Vec<&str> = by_player.iter().map(|(spec, _)| spec.as_str()).collect();
    let mut plot = BoxPlot::new(
        "player",
        Axis::new(format!("time of a {of_what}").replace("a answer", "an answer"), 2)
            .unit("ms")
            .log(),
    );
    for ((_, times), name) in by_player.iter().zip(names::brief(&specs)).take(MOST) {
        let times = sorted(times);
        let at = |share: f64| quantile(&times, share).filter(|&x| x > 0.0);
        let Some(five) =
            [0.05, 0.25, 0.5, 0.75, 0.95].map(at).into_iter().collect::<Option<Vec<_>>>()
        else {
            continue;
        };
        let mean = times.iter().sum::<f64>() / times.len() as f64;
        let summary = Summary::new(name, [five[0], five[1], five[2], five[3], five[4]]);
        plot = plot.summary(summary.mean(mean).count(times.len() as u64));
    }
    if plot.boxes.is_empty() {
        return Vec::new();
    }
    let what = match of_what {
        "move" => "Each value is the mean of one player in one game",
        _ => "Each value is one answer",
    };
    let caption = format!(
        "Wall time of {of_what}s. {what}; boxes span the quartiles, whiskers reach from the 5th to the \
         95th percentile, the diamond is the mean."
    );
    let apart = Notice::new(
        NoticeKind::Note,
        "Wall times depend on the machine and on what else it did. They are no part of the promise \
         that a run can be repeated exactly.",
    );
    vec![Block::Details {
        summary: format!("Wall times of {of_what}s on this machine"),
        blocks: vec![apart.into(), Chart::new(caption, plot).into()],
    }]
}

/// Milliseconds by player, all parts together.
type Times = Vec<(String, Vec<f64>)>;

fn add(all: &mut Times, player: &str, times: impl IntoIterator<Item = f64>) {
    match all.iter_mut().find(|(known, _)| known == player) {
        Some((_, known)) => known.extend(times),
        None => all.push((player.to_string(), times.into_iter().collect())),
    }
}

fn of_moves(found: &Found<'_>) -> Times {
    let mut all = Times::new();
    for duel in found.duels(|_| true).iter().filter(|duel| duel.times.is_some()) {
        let times = milliseconds(found, duel);
        for (player, times) in duel.plan.header().players.iter().zip(times) {
            add(&mut all, &player.spec, times);
        }
    }
    all
}

fn of_answers(found: &Found<'_>) -> Times {
    let mut all = Times::new();
    for taken in found.exams() {
        let times = taken.times.iter().flat_map(|times| &times.answers);
        add(&mut all, &taken.summary.player, times.map(|(_, seconds)| 1e3 * seconds));
    }
    all
}
