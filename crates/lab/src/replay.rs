//! Records checked against the rules, and against the players.

use crate::network::check_networks;
use crate::record::{End, GameRecord, statistics};
use crate::store::{Store, read_header};
use crate::table::{chance, forfeited};
use crate::tally::Tally;
use crate::{AnyGame, LabError, Plan, Summary};
use spielbaum_core::text::play_moves;
use spielbaum_core::{Game, Turn};
use std::path::Path;

/// What a replay has verified.
#[derive(Clone, Debug)]
pub struct Replayed {
    /// Games verified.
    pub games: u64,
    /// Units recorded, and units of the whole match.
    pub units: [u64; 2],
    /// Games whose moves are recorded and were verified; of others only what the schedule and the
    /// results say was.
    pub moves: u64,
    /// Games played again by their players, with identical bytes.
    pub rerun: u64,
    /// The statistics of the recorded prefix.
    pub summary: Summary,
    /// Whether `summary.json` is there and says the same; `None` if it is not there.
    pub summary_agrees: Option<bool>,
}

/// Verifies a record: every move is legal, chance is that of the seed, and length, result,
/// points and end are those of the rules. With `rerun` the players play every game again, which must give the same bytes; that
/// needs budgets without wall time. `progress` is told the games done and all games.
pub fn replay(
    dir: &Path,
    catalog: &[&dyn AnyGame],
    rerun: bool,
    progress: &mut dyn FnMut(u64, u64),
) -> Result<Replayed, LabError> {
    let (game, plan) = Plan::of_header(&read_header(dir)?, catalog)?;
    if rerun && !plan.is_deterministic() {
        return Err(LabError::Request(
            "the games cannot be played again: a budget is wall time".to_string(),
        ));
    }
    if rerun {
        check_networks(game, &plan.game, &plan.players, &plan.header().players)?;
    }
    let store = Store::open(dir, &plan);
    store.games_are_here()?;
    let mut worker = game.worker(&plan)?;
    let mut tally = Tally::new(&plan);
    let (mut units, mut games, mut moves, mut again) = (0, 0, 0, 0);
    let mut missing = None;
    for unit in 0..plan.schedule.units() {
        let Some(records) = store.read(unit)? else {
            missing = missing.or(Some(unit));
            continue;
        };
        for record in records.iter().filter(|record| record.digest.is_none()) {
            game.verify(&plan, record)?;
            moves += 1;
        }
        if rerun {
            let played = (plan.schedule.unit(unit))
                .map(|number| Ok(worker.play(&plan.schedule.job(number))?.0))
                .collect::<Result<Vec<_>, LabError>>()?;
            let differs = records.iter().zip(&played).find(|(there, now)| !agree(there, now));
            if let Some((there, now)) = differs {
                let problem =
                    format!("played again it is\n{}\nrecorded is\n{}", now.line(), there.line());
                return Err(LabError::Replay { game: there.game, problem });
            }
            again += played.len() as u64;
        }
        // Units are published in order: one behind a gap means that a file was lost.
        if let Some(gap) = missing {
            let path = store.unit_path(gap);
            return Err(LabError::Request(format!(
                "{} is missing; run the match again with the same options to restore it",
                path.display()
            )));
        }
        games += records.len() as u64;
        records.into_iter().for_each(|record| tally.add(record));
        units += 1;
        progress(games, plan.schedule.games());
    }
    let summary = tally.summary(&plan);
    let recorded = std::fs::read_to_string(dir.join("summary.json")).ok();
    let text = summary.json()? + "\n";
    let summary_agrees = recorded.map(|there| there == text || summary.is_that_of_old(&there));
    Ok(Replayed {
        games,
        units: [units, plan.schedule.units()],
        moves,
        rerun: again,
        summary,
        summary_agrees,
    })
}

/// Whether a game played again is the recorded one. Records that are older than a statistic lack
/// it, those from a digest lack the moves.
fn agree(there: &GameRecord, now: &GameRecord) -> bool {
    let mut now = now.clone();
    if there.digest.is_some() {
        now = now.without_moves();
    }
    now.statistics.retain(|name, _| there.statistics.contains_key(name));
    *there == now
}

/// Whether a record is what the rules make of its moves.
pub(crate) fn verify<G: Game>(start: &G, plan: &Plan, record: &GameRecord) -> Result<(), LabError> {
    let job = plan.schedule.job(record.game);
    let wrong = |problem: String| LabError::Replay { game: record.game, problem };
    let (mut pos, opening) =
        job.beginning.set_up(start).map_err(|e| wrong(format!("its opening: {e}")))?;
    let moves = play_moves(&mut pos.clone(), &record.moves).map_err(|e| wrong(e.to_string()))?;
    if record.position.as_ref() != job.beginning.position()
        || moves.get(..record.opening) != Some(&opening[..])
    {
        return Err(wrong("it has another opening than the match".to_string()));
    }
    let (mut plies, mut rolls) = (0, 0);
    for (i, &m) in moves.iter().enumerate() {
        if pos.turn() != Turn::Chance {
            plies += 1;
        } else if i >= record.opening {
            if chance(&pos, job.chance, rolls, &mut Vec::new()) != Some(m) {
                return Err(wrong(format!("move {}: chance does not give {m} here", i + 1)));
            }
            rolls += 1;
        }
        pos.play(m);
    }
    let n = pos.players();
    let over = pos.is_over();
    let end = match &record.forfeit {
        Some(_) if over => return Err(wrong("it is over, nobody can forfeit".to_string())),
        Some(_) => End::Forfeit,
        None if over => End::Over,
        None => End::Limit,
    };
    let payoffs = match &record.forfeit {
        Some(forfeit) => forfeited(&pos, forfeit.seat),
        None => pos.payoffs(),
    };
    let equal = |what: &str, recorded: String, rules: String| match recorded == rules {
        true => Ok(()),
        false => Err(wrong(format!("{what} is {rules}, recorded is {recorded}"))),
    };
    equal("the end", format!("{:?}", record.end), format!("{end:?}"))?;
    if end == End::Limit && plies < plan.max_plies {
        return Err(wrong(format!("the moves stop after {plies} plies, the game does not")));
    }
    if record.forfeit.as_ref().is_some_and(|f| f.seat >= n) {
        return Err(wrong("nobody sits where it was forfeited".to_string()));
    }
    equal("the length", record.plies.to_string(), plies.to_string())?;
    equal("the result", format!("{:?}", record.payoffs), format!("{:?}", &payoffs[..n]))?;
    let scores = pos.scores().map(|s| s[..n].to_vec());
    equal("the score", format!("{:?}", record.scores), format!("{scores:?}"))?;
    // Records that are older than a statistic lack it.
    let told = statistics(&pos);
    for (name, recorded) in &record.statistics {
        let rules = told.get(name).map_or("unknown".to_string(), |seats| format!("{seats:?}"));
        equal(&format!("`{name}`"), format!("{recorded:?}"), rules)?;
    }
    Ok(())
}
