//! How long a part will take, by trying a little of it.

use super::Labour;
use crate::answers::Candidate;
use crate::erased::{Acting, AnyTable};
use crate::{AnyGame, Exam, LabError, Plan};
use spielbaum_core::{Limits, Report, Stop};
use std::time::{Duration, Instant};

/// What a part will take, roughly.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Estimate {
    /// Games, or questions.
    pub games: u64,
    /// Seconds of one core for all of them.
    pub seconds: f64,
}

/// Random games whose mean length stands for that of real ones.
const PLAYOUTS: u64 = 32;

/// A player whose budget is wall time need not spend it to be measured.
const A_MOMENT: Duration = Duration::from_millis(20);

/// Estimates a part: its first game or questions are tried for about so long. Games may be
/// longer or shorter than the one that was tried, so it is right by its order of magnitude.
pub fn estimate(
    game: &dyn AnyGame,
    work: Labour<'_>,
    time: Duration,
) -> Result<Estimate, LabError> {
    let (games, _) = work.size();
    let seconds = match work {
        Labour::Match(plan) => one_game(game, plan, time)? * games as f64,
        Labour::Exam(exam) => all_questions(game, exam, time)?,
    };
    Ok(Estimate { games, seconds })
}

/// The wall time that a budget prescribes.
fn prescribed(limits: &Limits) -> Option<Duration> {
    limits.time.or(limits.clock.map(|clock| clock.allotment()))
}

fn one_game(game: &dyn AnyGame, plan: &Plan, time: Duration) -> Result<f64, LabError> {
    let mut table = game.open(&plan.game)?;
    let job = plan.schedule.job(0);
    table.seed(job.chance);
    for (seat, (&player, &seed)) in job.seats.iter().zip(&job.seeds).enumerate() {
        table.sit(seat, &plan.players[player], seed)?;
    }
    let begun = Instant::now();
    let (mut seconds, mut plies) = (0.0, 0);
    // Everyone has moved once: players may differ much.
    while begun.elapsed() < time || plies < job.seats.len() as u32 {
        match table.acting() {
            Acting::Over => return Ok(seconds),
            Acting::Chance => drop(table.roll()),
            Acting::Seat(seat) => {
                let limits = plan.limits[job.seats[seat]];
                let most = (time / 8).max(A_MOMENT);
                let Some(took) = one_move(table.as_mut(), seat, limits, most) else {
                    return Ok(seconds);
                };
                seconds += took;
                plies += 1;
            }
        }
        if plies >= plan.max_plies {
            return Ok(seconds);
        }
    }
    let fresh = game.open(&plan.game)?;
    let length = fresh.playouts(PLAYOUTS, job.chance) as f64 / PLAYOUTS as f64;
    Ok(seconds / f64::from(plies) * length.clamp(f64::from(plies), f64::from(plan.max_plies)))
}

/// The seconds a player takes for a move, which is played; `None` if it fails. A move that takes
/// longer than so much is broken off, and what it had done stands for the rest.
fn one_move(table: &mut dyn AnyTable, seat: usize, limits: Limits, most: Duration) -> Option<f64> {
    let prescribed = prescribed(&limits);
    let quick = prescribed.map_or(most, |t| t.min(A_MOMENT));
    let quick = Limits { time: Some(quick), clock: None, ..limits };
    let begun = Instant::now();
    let report = table.think(seat, quick, &[], &Stop::new(), None).ok()?;
    let took = begun.elapsed().as_secs_f64();
    table.play(&report.best).ok()?;
    if let Some(time) = prescribed {
        return Some(time.as_secs_f64().max(took));
    }
    let broken_off = begun.elapsed() >= most;
    Some(if broken_off { took * left(&limits, &report) } else { took })
}

/// How many times as much a whole move is as one that was broken off, at least 1.
fn left(limits: &Limits, done: &Report<String>) -> f64 {
    let share = |budget: Option<u64>, done: u64| budget.map(|b| b as f64 / done.max(1) as f64);
    // Each ply takes as many times the last as all of them do on average.
    let plies = |depth: u32| {
        let more = f64::from(depth.saturating_sub(done.depth));
        (done.nodes.max(1) as f64).powf(more / f64::from(done.depth + 1))
    };
    let all = [
        share(limits.nodes, done.nodes),
        share(limits.iterations, done.iterations),
        limits.depth.map(plies),
    ];
    all.into_iter().flatten().reduce(f64::min).unwrap_or(1.0).max(1.0)
}

fn all_questions(game: &dyn AnyGame, exam: &Exam, time: Duration) -> Result<f64, LabError> {
    let timed: f64 = (0..exam.questions.len())
        .filter_map(|q| prescribed(&exam.limits_of(q)))
        .map(|time| time.as_secs_f64())
        .sum();
    if timed > 0.0 {
        return Ok(timed);
    }
    let mut candidate: Box<dyn Candidate> = game.candidate(exam)?;
    let begun = Instant::now();
    let (mut seconds, mut nodes, mut asked) = (0.0, 0, 0);
    let first = exam.unit(0);
    for question in first.clone() {
        let (answer, took) = candidate.answer(exam, question)?;
        seconds += took.seconds;
        nodes += answer.nodes;
        asked += 1;
        if exam.max_nodes.is_some_and(|most| answer.nodes > most) {
            break;
        }
        if begun.elapsed() > time {
            // Deeper ones go on until one takes more plays than allowed: that one is most of all.
            let rate = seconds / nodes.max(1) as f64;
            let rest = match exam.max_nodes {
                Some(most) => (2.0 * most as f64 - nodes as f64).max(0.0) * rate,
                None => seconds / asked as f64 * (first.len() - asked) as f64,
            };
            seconds += rest;
            break;
        }
    }
    Ok(seconds * exam.units() as f64)
}
