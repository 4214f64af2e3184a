//! The games of a part that is not complete, without their moves: as much as it takes to count
//! them again, a row for each.

use crate::record::{Counts, End, ForfeitRecord, GameRecord, GameTimes};
use crate::store::Store;
use crate::{Answer, AnswerTime, Exam, LabError, Plan};
use std::collections::{BTreeMap, BTreeSet};

/// Number, moves of the opening, hash of the moves, plies, end; for each seat payoff, points and what
/// it spent (moves, iterations, nodes, depths); the statistics in the order of their names; the
/// forfeit; and the wall times. Seats, round and position follow from the number.
pub(in crate::results) type GameRow = (
    u64,
    usize,
    String,
    u32,
    End,
    Vec<f32>,
    Option<Vec<i32>>,
    Vec<[u64; 4]>,
    Vec<Option<Vec<Option<f64>>>>,
    Option<ForfeitRecord>,
    Option<RowTimes>,
);

/// Seconds of the game; for each seat seconds and those of its longest move.
type RowTimes = (f64, Vec<f64>, Vec<f64>);

/// Games with their times, by number.
pub(in crate::results) type Games = BTreeMap<u64, (GameRecord, Option<GameTimes>)>;

/// The recorded games of a unit, with their times where those are there.
pub(in crate::results) fn games_of(store: &Store, unit: u64) -> Result<Games, LabError> {
    let times = store.timing(unit).map(|timing| timing.times).unwrap_or_default();
    let records = store.read(unit)?.unwrap_or_default();
    let timed = |record: GameRecord| {
        let time = times.iter().find(|time| time.game == record.game).cloned();
        (record.game, (record, time))
    };
    Ok(records.into_iter().map(timed).collect())
}

/// The names of the statistics and the games, of the units that can be read: others are to be
/// played again.
pub(in crate::results) fn rows_of(store: &Store) -> (Vec<String>, Vec<GameRow>) {
    let units = store.units_there().into_iter();
    let games: Games = units.filter_map(|unit| games_of(store, unit).ok()).flatten().collect();
    let told = games.values().flat_map(|(game, _)| game.statistics.keys());
    let names: Vec<String> = told.cloned().collect::<BTreeSet<_>>().into_iter().collect();
    let rows = games.values().map(|(game, time)| row(game, time.as_ref(), &names)).collect();
    (names, rows)
}

/// The games of such rows, or why they are not of this match.
pub(in crate::results) fn games_in(
    rows: &[GameRow],
    names: &[String],
    plan: &Plan,
) -> Result<Games, String> {
    let mut games = Games::new();
    for row in rows {
        let (number, all, told) = (row.0, plan.schedule.games(), row.8.len());
        if number >= all {
            return Err(format!("game {number} is none of its {all}"));
        }
        if told != names.len() {
            return Err(format!("game {number} has {told} statistics, not {}", names.len()));
        }
        let (record, times) = game(row, names, plan);
        plan.check_game(number, &record)?;
        if games.insert(number, (record, times)).is_some() {
            return Err(format!("game {number} is there twice"));
        }
    }
    Ok(games)
}

fn game(row: &GameRow, names: &[String], plan: &Plan) -> (GameRecord, Option<GameTimes>) {
    let (game, opening, digest, plies, end, payoffs, scores, counts, told, forfeit, times) =
        row.clone();
    let job = plan.schedule.job(game);
    let told = names.iter().cloned().zip(told);
    let record = GameRecord {
        game,
        round: job.round,
        position: job.beginning.position().cloned(),
        seats: job.seats,
        opening,
        moves: String::new(),
        digest: Some(digest),
        payoffs,
        scores,
        statistics: told.filter_map(|(name, seats)| Some((name, seats?))).collect(),
        plies,
        end,
        forfeit,
        counts: counts.into_iter().map(counted).collect(),
    };
    let moves = record.counts.iter().map(|counts| counts.moves).collect();
    let times =
        times.map(|(seconds, seats, longest)| GameTimes { game, seconds, seats, longest, moves });
    (record, times)
}

fn row(game: &GameRecord, time: Option<&GameTimes>, statistics: &[String]) -> GameRow {
    let brief = |times: &[f64]| times.iter().map(|&x| brief(x)).collect();
    (
        game.game,
        game.opening,
        game.fingerprint(),
        game.plies,
        game.end,
        game.payoffs.clone(),
        game.scores.clone(),
        game.counts.iter().map(|c| [c.moves, c.iterations, c.nodes, c.depth]).collect(),
        statistics.iter().map(|name| game.statistics.get(name).cloned()).collect(),
        game.forfeit.clone(),
        time.map(|t| (self::brief(t.seconds), brief(&t.seats), brief(&t.longest))),
    )
}

fn counted([moves, iterations, nodes, depth]: [u64; 4]) -> Counts {
    Counts { moves, iterations, nodes, depth }
}

/// A time with four digits: no record promises it.
fn brief(seconds: f64) -> f64 {
    format!("{seconds:.3e}").parse().unwrap_or(seconds)
}

/// A unit of an exam: its number, answers, and their wall times.
pub(in crate::results) type AnsweredUnit = (u64, Vec<Answer>, Vec<AnswerTime>);

/// The units of an exam that can be read.
pub(in crate::results) fn answers_of(store: &Store<Exam>) -> Vec<AnsweredUnit> {
    let read = |unit: u64| {
        let times = store.timing(unit).map(|timing| timing.times).unwrap_or_default();
        Some((unit, store.read(unit).ok()??, times))
    };
    store.units_there().into_iter().filter_map(read).collect()
}
