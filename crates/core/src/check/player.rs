//! Properties of players.

use super::{Failure, Options, draw, ensure};
use crate::{Game, Limits, Player, Report, Rng, Task, Turn};
use std::time::Duration;

/// Moves of a game that the players are asked for.
const ASKED: usize = 12;

/// Examines a player: `make` builds one from a seed; `limits` must not involve wall time.
///
/// * A restarted player answers as a fresh one of the same seed, report by report, whatever it
///   played before; the same seed gives the same game.
/// * The best move, the lines and the principal variation are legal, values are numbers.
/// * A restriction of the root moves is kept.
pub fn player<G: Game>(
    start: &G,
    limits: Limits,
    options: &Options,
    make: impl Fn(u64) -> Box<dyn Player<G>>,
) -> Result<(), Failure> {
    ensure!(limits.is_deterministic(), start, "a limit of wall time cannot be repeated");
    let seed = |i| Rng::split(options.seed, i);
    let mut used = make(seed(10));
    let first = reports(&mut *used, start, limits, seed(20))?;
    used.restart(seed(11));
    let second = reports(&mut *used, start, limits, seed(21))?;
    used.restart(seed(10));
    let third = reports(&mut *used, start, limits, seed(20))?;
    let fresh = reports(&mut *make(seed(11)), start, limits, seed(21))?;
    for (what, a, b) in
        [("a fresh player", &second, &fresh), ("its own first game", &third, &first)]
    {
        for ((pos, a), (_, b)) in a.iter().zip(b) {
            ensure!(a == b, pos, "a restarted player differs from {what}: {a:?} and {b:?}");
        }
        ensure!(a.len() == b.len(), start, "a restarted player's game differs in length");
    }
    restricted(&mut *used, start, limits, seed(30))
}

/// Lets the player play all seats, chance by the suite's generator, and collects its reports.
fn reports<G: Game>(
    player: &mut dyn Player<G>,
    start: &G,
    limits: Limits,
    seed: u64,
) -> Result<Vec<(G, Report<String>)>, Failure> {
    let mut rng = Rng::new(seed);
    let (mut pos, mut moves, mut reports) = (start.clone(), Vec::new(), Vec::new());
    while reports.len() < ASKED {
        moves.clear();
        pos.moves(&mut moves);
        let Some(drawn) = draw(&pos, &moves, &mut rng) else { break };
        let m = if pos.turn() == Turn::Chance {
            drawn
        } else {
            let report = match player.think(&pos, &mut Task::new(limits)) {
                Ok(report) => report,
                Err(forfeit) => return Err(Failure::new(&pos, format!("the player {forfeit}"))),
            };
            legal(&pos, &moves, &report)?;
            let plain = Report { elapsed: Duration::ZERO, ..report.map(ToString::to_string) };
            reports.push((pos.clone(), plain));
            // Some surprises, so that games differ from the player's plans.
            if rng.below(4) == 0 { drawn } else { report.best }
        };
        player.observe(&pos, m);
        pos.play(m);
    }
    Ok(reports)
}

fn legal<G: Game>(pos: &G, moves: &[G::Move], report: &Report<G::Move>) -> Result<(), Failure> {
    let fail = |problem: &str, m: G::Move| Err(Failure::new(pos, problem).mv(m));
    if !moves.contains(&report.best) {
        return fail("the best move is not legal", report.best);
    }
    ensure!(report.value.is_finite(), pos, "the value is {}", report.value);
    for (i, line) in report.lines.iter().enumerate() {
        if !moves.contains(&line.mv) {
            return fail("the move of a line is not legal", line.mv);
        }
        if report.lines[..i].iter().any(|l| l.mv == line.mv) {
            return fail("two lines have the same move", line.mv);
        }
        if !line.value.is_finite() {
            return fail("the value of a line is not a number", line.mv);
        }
    }
    if let Some(&m) = report.pv.first()
        && m != report.best
    {
        return fail("the principal variation does not begin with the best move", m);
    }
    let mut pos = pos.clone();
    for &m in &report.pv {
        let mut moves = Vec::new();
        pos.moves(&mut moves);
        if !moves.contains(&m) {
            return Err(Failure::new(&pos, "the principal variation is not legal here").mv(m));
        }
        pos.play(m);
    }
    Ok(())
}

/// Asked to choose among some moves, the player chooses among them.
fn restricted<G: Game>(
    player: &mut dyn Player<G>,
    start: &G,
    limits: Limits,
    seed: u64,
) -> Result<(), Failure> {
    let mut rng = Rng::new(seed);
    let (mut pos, mut moves) = (start.clone(), Vec::new());
    for _ in 0..ASKED {
        moves.clear();
        pos.moves(&mut moves);
        let Some(m) = draw(&pos, &moves, &mut rng) else { break };
        if pos.turn() != Turn::Chance {
            player.restart(rng.next());
            let only = [m];
            match player.think(&pos, &mut Task::new(limits).only(&only)) {
                Ok(report) if report.best == m => {}
                Ok(report) => {
                    let problem = format!("the player may only choose `{m}`");
                    return Err(Failure::new(&pos, problem).mv(report.best));
                }
                Err(forfeit) => return Err(Failure::new(&pos, format!("the player {forfeit}"))),
            }
        }
        pos.play(m);
    }
    Ok(())
}
