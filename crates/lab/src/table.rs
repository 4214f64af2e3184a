//! One game at one table.

use crate::record::{Counts, End, ForfeitRecord, GameTimes};
use spielbaum_core::{Forfeit, Game, Limits, Payoffs, Player, Rng, Task, Turn};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::{Duration, Instant};

/// A player in a seat, restarted for this game.
pub(crate) struct Seat<'a, G: Game> {
    pub(crate) player: &'a mut dyn Player<G>,
    pub(crate) limits: Limits,
    /// Whether it sees what is hidden from its seat.
    pub(crate) sees_all: bool,
    /// Why it cannot play on.
    pub(crate) failure: Option<Forfeit>,
}

/// How a game begins and what it may last.
pub(crate) struct Setting<'a, G: Game> {
    pub(crate) origin: &'a G,
    pub(crate) opening: &'a [G::Move],
    /// Seed of chance.
    pub(crate) chance: u64,
    pub(crate) max_plies: u32,
}

/// A game as it was played.
pub(crate) struct Played<G: Game> {
    pub(crate) last: G,
    pub(crate) moves: Vec<G::Move>,
    pub(crate) payoffs: Payoffs,
    pub(crate) plies: u32,
    pub(crate) end: End,
    pub(crate) forfeit: Option<ForfeitRecord>,
    pub(crate) counts: Vec<Counts>,
    pub(crate) times: GameTimes,
}

/// The outcome of the `n`-th chance event of a game. It depends on the seed, `n` and the
/// position alone: what players do before it does not shift the stream, so that all games of a
/// round meet the same dice, tiles and spawns as far as their positions agree.
pub(crate) fn chance<G: Game>(
    pos: &G,
    seed: u64,
    n: u64,
    scratch: &mut Vec<G::Move>,
) -> Option<G::Move> {
    pos.random_move(&mut Rng::new(Rng::split(seed, n)), scratch)
}

/// The position as the player in a seat sees it: all of it, or hidden parts redrawn. Like chance,
/// they depend on the seed, the ply and the position alone.
pub(crate) fn seen<G: Game>(pos: &G, seat: usize, sees_all: bool, seed: u64, ply: u64) -> G {
    if sees_all {
        return pos.clone();
    }
    pos.hide(seat, &mut Rng::new(Rng::split(!seed, ply)))
}

/// Calls a player. A panic is the player's failure and takes nothing else down; the player is
/// not asked again (see [`Seats`](crate::worker::Seats)).
pub(crate) fn guarded<T>(call: impl FnOnce() -> T) -> Result<T, Forfeit> {
    catch_unwind(AssertUnwindSafe(call)).map_err(|panic| {
        let text = panic.downcast_ref::<String>().map(String::as_str);
        let text = text.or(panic.downcast_ref::<&str>().copied()).unwrap_or("for no reason");
        Forfeit::Crashed(format!("panicked: {text}"))
    })
}

/// What a forfeit is worth: nothing for its seat, an equal share of 1 for each of the others.
/// Who plays alone keeps what the position pays: the score so far.
pub(crate) fn forfeited<G: Game>(pos: &G, seat: usize) -> Payoffs {
    let n = pos.players();
    let mut payoffs = pos.payoffs();
    if n > 1 {
        payoffs = Payoffs::default();
        for other in (0..n).filter(|&other| other != seat) {
            payoffs[other] = 1.0 / (n - 1) as f32;
        }
    }
    payoffs
}

/// Plays a game. Overstepping a clock forfeits it; overstepping the `time` of a move does not,
/// it only shows in the times. Illegal answers and failures forfeit too.
pub(crate) fn play<G: Game>(setting: &Setting<'_, G>, seats: &mut [Seat<'_, G>]) -> Played<G> {
    let begun = Instant::now();
    let n = seats.len();
    let mut game = Table {
        pos: setting.origin.clone(),
        moves: Vec::new(),
        plies: 0,
        chance: setting.chance,
        counts: vec![Counts::default(); n],
        times: GameTimes { seats: vec![0.0; n], longest: vec![0.0; n], ..GameTimes::default() },
    };
    for &m in setting.opening {
        game.play(m, seats);
    }
    let (mut rolls, mut scratch) = (0, Vec::new());
    let (end, forfeit) = loop {
        if game.pos.is_over() {
            break (End::Over, None);
        }
        if let Some(forfeit) = failed(seats) {
            break (End::Forfeit, Some(forfeit));
        }
        match game.pos.turn() {
            Turn::Chance => {
                let outcome = chance(&game.pos, setting.chance, rolls, &mut scratch);
                rolls += 1;
                match outcome {
                    Some(m) => game.play(m, seats),
                    None => break (End::Over, None),
                }
            }
            Turn::Player(_) if game.plies >= setting.max_plies => break (End::Limit, None),
            Turn::Player(seat) => match game.ask(seat as usize, seats, &mut scratch) {
                Ok(m) => game.play(m, seats),
                Err(forfeit) => seats[seat as usize].failure = Some(forfeit),
            },
        }
    };
    let payoffs = match &forfeit {
        Some(forfeit) => forfeited(&game.pos, forfeit.seat),
        None => game.pos.payoffs(),
    };
    let Table { pos: last, moves, plies, counts, mut times, .. } = game;
    times.seconds = begun.elapsed().as_secs_f64();
    times.moves = counts.iter().map(|counts| counts.moves).collect();
    Played { last, moves, payoffs, plies, end, forfeit, counts, times }
}

/// The first seat that cannot play on.
fn failed<G: Game>(seats: &[Seat<'_, G>]) -> Option<ForfeitRecord> {
    let failure = |s: &Seat<'_, G>| s.failure.as_ref().map(ToString::to_string);
    let mut failures = seats.iter().enumerate();
    failures.find_map(|(seat, s)| Some(ForfeitRecord { seat, reason: failure(s)? }))
}

struct Table<G: Game> {
    pos: G,
    moves: Vec<G::Move>,
    plies: u32,
    chance: u64,
    counts: Vec<Counts>,
    times: GameTimes,
}

impl<G: Game> Table<G> {
    /// Plays a move in front of everybody.
    fn play(&mut self, m: G::Move, seats: &mut [Seat<'_, G>]) {
        for (i, seat) in seats.iter_mut().enumerate() {
            let pos = seen(&self.pos, i, seat.sees_all, self.chance, u64::from(self.plies));
            seat.failure = seat.failure.take().or(guarded(|| seat.player.observe(&pos, m)).err());
        }
        self.plies += u32::from(self.pos.turn() != Turn::Chance);
        self.pos.play(m);
        self.moves.push(m);
    }

    /// Asks a player for a move; what it answers is legal.
    fn ask(
        &mut self,
        seat: usize,
        seats: &mut [Seat<'_, G>],
        legal: &mut Vec<G::Move>,
    ) -> Result<G::Move, Forfeit> {
        let Seat { player, limits, sees_all, .. } = &mut seats[seat];
        let begun = Instant::now();
        let seen = seen(&self.pos, seat, *sees_all, self.chance, u64::from(self.plies));
        let answer =
            guarded(|| player.think(&seen, &mut Task::new(*limits))).and_then(|answer| answer);
        let elapsed = begun.elapsed();
        self.times.seats[seat] += elapsed.as_secs_f64();
        self.times.longest[seat] = self.times.longest[seat].max(elapsed.as_secs_f64());
        let report = answer?;
        let counts = &mut self.counts[seat];
        counts.moves += 1;
        counts.iterations += report.iterations;
        counts.nodes += report.nodes;
        counts.depth += u64::from(report.depth);
        punch(limits, elapsed)?;
        legal.clear();
        self.pos.moves(legal);
        if !legal.contains(&report.best) {
            return Err(Forfeit::Illegal(report.best.to_string()));
        }
        Ok(report.best)
    }
}

/// Takes the time of a move from the clock, if there is one.
fn punch(limits: &mut Limits, elapsed: Duration) -> Result<(), Forfeit> {
    let Some(clock) = &mut limits.clock else { return Ok(()) };
    let Some(left) = clock.remaining.checked_sub(elapsed) else {
        let (used, had) = (elapsed.as_secs_f64(), clock.remaining.as_secs_f64());
        return Err(Forfeit::Timeout(format!("{used:.3} s for a move with {had:.3} s left")));
    };
    clock.remaining = left + clock.increment;
    Ok(())
}
