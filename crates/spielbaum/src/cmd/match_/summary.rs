//! The result of a match, for people and for programs.

use crate::layout;
use serde::Serialize;
use spielbaum_lab::{Ending, Finished, Plan, Summary};

/// The statistics, which are the same on every machine, and beside them what is not.
#[derive(Serialize)]
pub(super) struct Answer<'a> {
    #[serde(flatten)]
    summary: &'a Summary,
    ending: &'static str,
    times: Times,
}

/// Wall times of the games played in this run.
#[derive(Serialize)]
struct Times {
    /// Sum over the games; parallel games overlap.
    games_seconds: f64,
    /// For each player, null if it did not move.
    seconds_per_move: Vec<Option<f64>>,
    longest_seconds: Vec<f64>,
}

pub(super) fn answer(finished: &Finished) -> Answer<'_> {
    let times = &finished.times;
    Answer {
        summary: &finished.summary,
        ending: match finished.ending {
            Ending::Complete => "complete",
            Ending::Decided(_) => "decided",
            Ending::Narrow => "narrow",
            Ending::Interrupted => "interrupted",
        },
        times: Times {
            games_seconds: times.games,
            seconds_per_move: (0..times.moves.len()).map(|p| times.per_move(p)).collect(),
            longest_seconds: times.longest.clone(),
        },
    }
}

pub(super) fn describe(plan: &Plan, finished: &Finished) -> String {
    let header = plan.header();
    let game = format!("{}, openings {}, seed {}", header.game.spec, header.openings, header.seed);
    layout::hang(0, "game", 12, &game) + &finished.summary.table(Some(&finished.times))
}
