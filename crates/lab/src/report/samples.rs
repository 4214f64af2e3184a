//! Single games and times, read from the units: what summaries leave out.

use super::found::{Duel, Found};
use crate::record::{GameRecord, GameTimes};
use crate::store::Store;

/// Calls `each` with the games of a match in order and their wall times, where those are there.
/// What is not recorded, or not counted because it lies behind a gap, is left out.
pub(super) fn each_game(
    found: &Found<'_>,
    duel: &Duel<'_>,
    mut each: impl FnMut(&GameRecord, Option<&GameTimes>),
) {
    if duel.result.is_without_games() {
        return;
    }
    let store = Store::open(&found.results.place(duel.part), duel.plan);
    let mut left = duel.summary.games;
    for unit in 0..duel.plan.schedule.units() {
        let Ok(Some(records)) = store.read(unit) else { return };
        let times = store.timing(unit).map(|timing| timing.times).unwrap_or_default();
        for record in &records {
            if left == 0 {
                return;
            }
            left -= 1;
            each(record, times.iter().find(|time| time.game == record.game));
        }
    }
}

/// The points of each player of a one-seat game, round by round; payoffs where no points are
/// counted.
pub(super) fn points(found: &Found<'_>, duel: &Duel<'_>) -> Vec<Vec<f64>> {
    let mut points = vec![Vec::new(); duel.plan.players.len()];
    each_game(found, duel, |game, _| {
        let own = game.scores.as_ref().and_then(|scores| scores.first());
        let value = own.map_or(f64::from(game.payoffs[0]), |&score| f64::from(score));
        points[game.seats[0]].push(value);
    });
    // A round that is not whole yet cannot be paired.
    let whole = points.iter().map(Vec::len).min().unwrap_or(0);
    points.iter_mut().for_each(|own| own.truncate(whole));
    points
}

/// Milliseconds of a move, the mean of each game and seat, for each player of a match.
pub(super) fn milliseconds(found: &Found<'_>, duel: &Duel<'_>) -> Vec<Vec<f64>> {
    let mut all = vec![Vec::new(); duel.plan.players.len()];
    each_game(found, duel, |game, times| {
        let Some(times) = times else { return };
        for ((&player, counts), seconds) in game.seats.iter().zip(&game.counts).zip(&times.seats) {
            if counts.moves > 0 {
                all[player].push(1e3 * seconds / counts.moves as f64);
            }
        }
    });
    all
}
