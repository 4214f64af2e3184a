//! Second scene: matches that measure what thinking is worth.

use super::screen::Screen;
use super::{BOARD, SEED, bar};
use crate::catalog;
use crate::failure::{Failure, Outcome};
use spielbaum_core::Stop;
use spielbaum_lab::{self as lab, Plan, Summary};
use std::time::{Duration, Instant};

/// Simulations for a move, a match each.
const RUNGS: [u32; 4] = [4, 16, 64, 256];
const GAMES: u64 = 200;
const DWELL: Duration = Duration::from_millis(900);
const BAR: usize = 24;

pub(super) fn show(screen: &mut Screen<'_>) -> Outcome {
    let paint = screen.paint;
    let number = paint.dim("2");
    screen.say(&format!(
        " {number}  What is thinking worth? uct against random moves, {GAMES} games a match\n\n"
    ))?;
    let heading =
        format!("    simulations  {:<w$}   score       95 %       Elo", "games won", w = BAR);
    let mut lines = vec![paint.dim(&heading)];
    for rung in RUNGS {
        let began = Instant::now();
        let mut running = lines.clone();
        let summary = play(rung, &mut |won, played| {
            running.truncate(lines.len());
            let (full, empty) = bar(won / GAMES as f64, BAR);
            let bar = paint.seat(0, &full) + &paint.dim(&empty);
            running.push(format!("    {rung:>11}  {bar}   {played} games"));
            let _ = screen.frame(&running);
        })?;
        lines.push(row(screen, rung, &summary));
        screen.frame(&lines)?;
        screen.pause(DWELL.saturating_sub(began.elapsed()));
    }
    screen.last_frame(&lines)?;
    screen.say("")
}

/// A match; `watch` sees the games won and played so far.
fn play(simulations: u32, watch: &mut dyn FnMut(f64, u64)) -> Result<Summary, Failure> {
    let (game, args) = catalog::game(BOARD)?;
    let uct = catalog::player(game, &format!("uct:iterations={simulations}"))?;
    let random = catalog::player(game, "random")?;
    let request =
        lab::Match { games: GAMES, seed: SEED, ..lab::Match::new(args, vec![uct, random]) };
    let plan = Plan::new(game, request)?;
    let jobs = std::thread::available_parallelism().map_or(1, usize::from);
    let finished = lab::run(game, &plan, None, jobs, &Stop::new(), &mut |progress| {
        if let Some(part) = progress.parts.first() {
            watch(part.score().unwrap_or_default() * part.counted as f64, part.counted);
        }
    })?;
    Ok(finished.summary)
}

fn row(screen: &Screen<'_>, rung: u32, summary: &Summary) -> String {
    let paint = screen.paint;
    let score = summary.score.unwrap_or_default();
    let (full, empty) = bar(score, BAR);
    let bar = paint.seat(0, &full) + &paint.dim(&empty);
    let interval = summary.score_ci.map_or(String::new(), |[low, high]| {
        format!("{:.1} to {:.1} %", 100.0 * low, 100.0 * high)
    });
    let sign = if score < 0.5 { "-∞" } else { "+∞" };
    let elo = summary.elo.map_or_else(|| sign.to_string(), |elo| format!("{elo:+.0}"));
    let percent = paint.bold(&format!("{:>7}", format!("{:.1} %", 100.0 * score)));
    format!("    {rung:>11}  {bar} {percent}  {interval:>15} {elo:>6}")
}
