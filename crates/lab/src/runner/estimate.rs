//! How long a part will take, by trying a little of it. However large the budgets, the try itself
//! is bounded: a search is cut short, and what it had left of its budget says how long all of it
//! takes.

use super::Labour;
use crate::answers::Candidate;
use crate::erased::{Acting, AnyTable};
use crate::{AnyGame, Exam, LabError, Plan};
use spielbaum_core::param::Args;
use spielbaum_core::{Limits, Stop};
use std::ops::Range;
use std::time::{Duration, Instant};

/// What a part will take, roughly.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Estimate {
    /// Games, or questions.
    pub games: u64,
    /// Seconds of one core for all of them.
    pub seconds: f64,
    /// Whether it may be many times as much: a game went on when its try ended, and was longer then than random
    /// ones are, or one for one player.
    pub at_least: bool,
}

/// Random games whose mean length stands for that of a game that was not played to its end.
const PLAYOUTS: u64 = 32;

/// No search is tried for less, or the clock itself is measured.
const LEAST: Duration = Duration::from_millis(4);

/// How much more a search costs with each ply, at least and at most.
const GROWTH: (f64, f64) = (1.5, 4.0);

/// Estimates a part, or the units with its first so many games: each of its players is tried in a game,
/// or with some questions, for about so long altogether. Games may be longer or shorter than the one that
/// was tried, so it is right by its order of magnitude. Questions that go deeper and deeper cost the less the earlier
/// they are: of the first ones it is an upper bound.
pub fn estimate(
    game: &dyn AnyGame,
    work: Labour<'_>,
    first: Option<u64>,
    time: Duration,
) -> Result<Estimate, LabError> {
    let ((games, _), (all, _)) = (work.size(first), work.size(None));
    let (each, at_least) = match work {
        Labour::Match(plan) => mean_game(game, plan, time)?,
        Labour::Exam(exam) => (all_questions(game, exam, time)? / all.max(1) as f64, false),
    };
    Ok(Estimate { games, seconds: each * games as f64, at_least })
}

/// The wall time that a budget prescribes.
fn prescribed(limits: &Limits) -> Option<Duration> {
    limits.time.or(limits.clock.map(|clock| clock.allotment()))
}

/// Seconds of a game, and whether it may take many times as long. Alone at a table each player has games of
/// its own, and they may differ much.
fn mean_game(game: &dyn AnyGame, plan: &Plan, time: Duration) -> Result<(f64, bool), LabError> {
    let players = if plan.seats == 1 { plan.schedule.seatings().len() as u64 } else { 1 };
    let each = time / u32::try_from(players).unwrap_or(u32::MAX).max(1);
    let (mut seconds, mut at_least) = (0.0, false);
    for player in 0..players {
        let begun = Instant::now();
        let mut games: Vec<f64> = Vec::new();
        // Quick games differ: several are tried.
        while games.is_empty() || begun.elapsed() < each / 2 {
            let number = player + players * games.len() as u64;
            if number >= plan.schedule.games() {
                break;
            }
            let left = each.saturating_sub(begun.elapsed());
            let (took, goes_on) = one_game(game, plan, number, left)?;
            games.push(took);
            at_least |= goes_on;
        }
        seconds += games.iter().sum::<f64>() / games.len().max(1) as f64;
    }
    Ok((seconds / players.max(1) as f64, at_least))
}

/// Seconds of a game, and whether nothing tells how long it would have gone on.
fn one_game(
    game: &dyn AnyGame,
    plan: &Plan,
    number: u64,
    time: Duration,
) -> Result<(f64, bool), LabError> {
    let mut table = game.open(&plan.game)?;
    let job = plan.schedule.job(number);
    table.seed(job.chance);
    for (seat, (&player, &seed)) in job.seats.iter().zip(&job.seeds).enumerate() {
        table.sit(seat, &plan.players[player], seed)?;
    }
    // Some moves as they will be made, and quick ones in between, which tell how long a game is:
    // searches to a depth may take a hundred times as long at the beginning as later.
    let (slow, quick) = ((time / (4 * plan.seats as u32)).max(LEAST), time / 1000);
    let begun = Instant::now();
    let mut spent = vec![Spent::default(); plan.seats];
    let (mut plies, mut hasty) = (0, false);
    let over = loop {
        let acting = table.acting();
        if acting == Acting::Over || plies >= plan.max_plies {
            break true;
        }
        let waiting = spent.iter().any(|spent| spent.tried.is_empty());
        if !waiting && begun.elapsed() > time {
            break false;
        }
        match acting {
            Acting::Seat(seat) => {
                let full = spent[seat].is_due() || begun.elapsed() < time / 4;
                let limits = plan.limits[job.seats[seat]];
                // How much a further ply costs is only guessed: a depth is searched for longer.
                let plies_alone = limits.nodes.is_none() && limits.iterations.is_none();
                let most = match full {
                    true if plies_alone => (time / 2).max(LEAST),
                    true => slow,
                    false => quick,
                };
                let several = is_parallel(&plan.players[job.seats[seat]]);
                let took = one_move(table.as_mut(), seat, limits, most, several);
                let Some(took) = took else { break true };
                hasty |= !full;
                spent[seat].add(full.then_some(took));
                plies += 1;
            }
            _ => drop(table.roll()),
        }
        // A seat that is never asked is waited for in vain.
        if begun.elapsed() > time * 2 {
            break false;
        }
    };
    let (mut length, mut goes_on) = (f64::from(plies), false);
    // Hasty moves lose sooner than good ones.
    if !over || hasty {
        let fresh = game.open(&plan.game)?;
        let random = fresh.playouts(PLAYOUTS, job.chance) as f64 / PLAYOUTS as f64;
        // Alone a good player may outlive a random one by far.
        goes_on = !over && (random < length || plan.seats == 1);
        length = length.max(random);
    }
    let length = length.min(f64::from(plan.max_plies));
    let each: Vec<f64> =
        spent.iter().filter_map(|spent| spent.mean(length / plan.seats as f64)).collect();
    Ok((each.iter().sum::<f64>() / each.len().max(1) as f64 * length, goes_on))
}

/// What the moves of a seat take.
#[derive(Clone, Default)]
struct Spent {
    moves: u32,
    /// Moves that were made in full, and their seconds.
    tried: Vec<(u32, f64)>,
}

impl Spent {
    /// Whether the next move is to be made in full: the first, and others farther and farther apart.
    fn is_due(&self) -> bool {
        self.tried.last().is_none_or(|&(last, _)| self.moves >= 2 * last + 4)
    }

    fn add(&mut self, seconds: Option<f64>) {
        self.tried.extend(seconds.map(|seconds| (self.moves, seconds)));
        self.moves += 1;
    }

    /// The mean of so many moves: each that was tried stands for those up to the next.
    fn mean(&self, moves: f64) -> Option<f64> {
        let end = moves.max(f64::from(self.moves));
        let ends = self.tried.iter().skip(1).map(|&(at, _)| f64::from(at)).chain([end]);
        let parts = self.tried.iter().zip(ends);
        let sum: f64 = parts.map(|(&(at, took), end)| took * (end - f64::from(at))).sum();
        self.tried.first().map(|&(first, _)| sum / (end - f64::from(first)))
    }
}

/// The seconds a player would take for a move, which is chosen in at most so much time and played;
/// `None` if it fails.
fn one_move(
    table: &mut dyn AnyTable,
    seat: usize,
    limits: Limits,
    most: Duration,
    several: bool,
) -> Option<f64> {
    let cut = cut_short(limits, most);
    let watch = Watch::start();
    let mut think = |limits| table.think(seat, limits, &[], &Stop::new(), None);
    // A player that has no answer so soon gets more time, but not its hours.
    let report = think(cut).or_else(|_| think(cut_short(limits, 10 * most))).ok()?;
    let took = watch.seconds(several);
    table.play(&report.best).ok()?;
    let done = Done { depth: report.depth, iterations: report.iterations, nodes: report.nodes };
    Some(done.whole(&limits, took, cut))
}

/// A stop watch of the processor's time, so that a busy machine does not make games look long.
struct Watch {
    begun: Instant,
    worked: Option<Duration>,
}

impl Watch {
    fn start() -> Watch {
        Watch { begun: Instant::now(), worked: worked() }
    }

    /// Seconds of the clock, and of work on it: on systems that do not tell the latter, and for
    /// searches on several threads, the clock's.
    fn seconds(&self, several: bool) -> (f64, f64) {
        let wall = self.begun.elapsed().as_secs_f64();
        match (self.worked, worked()) {
            (Some(before), Some(after)) if !several && after > before => {
                (wall, (after - before).as_secs_f64().min(wall))
            }
            _ => (wall, wall),
        }
    }
}

/// The time that this thread has worked so far, as Linux tells it.
fn worked() -> Option<Duration> {
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").ok()?;
    text.split(' ').next()?.parse().ok().map(Duration::from_nanos)
}

/// Whether a player searches on several threads.
fn is_parallel(player: &Args) -> bool {
    player.values().any(|(param, value)| param.name == "threads" && value.is_some_and(|n| n != "1"))
}

fn cut_short(limits: Limits, most: Duration) -> Limits {
    let time = prescribed(&limits).unwrap_or(most).min(most);
    Limits { time: Some(time), clock: None, ..limits }
}

/// What a search had done when it ended.
struct Done {
    depth: u32,
    iterations: u64,
    nodes: u64,
}

impl Done {
    /// The seconds of the whole search, of which this took so many under the `cut` budget, by the
    /// clock and of work.
    fn whole(&self, limits: &Limits, (wall, took): (f64, f64), cut: Limits) -> f64 {
        let was_cut = cut.time.is_some_and(|time| wall >= 0.9 * time.as_secs_f64());
        let share = |all: Option<u64>, done: u64| all.map(|all| all as f64 / done.max(1) as f64);
        let growth = (self.nodes.max(1) as f64).powf(1.0 / f64::from(self.depth.max(1)));
        let deeper = |all: u32| {
            let plies = all.saturating_sub(self.depth).min(100);
            growth.clamp(GROWTH.0, GROWTH.1).powi(plies as i32)
        };
        let factors = [
            share(limits.nodes, self.nodes),
            share(limits.iterations, self.iterations),
            limits.depth.map(deeper),
        ];
        // The first budget to be spent ends a search.
        let factor = factors.into_iter().flatten().fold(f64::INFINITY, f64::min);
        match prescribed(limits) {
            // A depth of a question may be reached long before the time is over.
            Some(_) if !was_cut && factor <= 1.0 => took,
            Some(time) => time.as_secs_f64().max(took),
            None if was_cut && factor.is_finite() => took * factor.max(1.0),
            None => took,
        }
    }
}

fn all_questions(game: &dyn AnyGame, exam: &Exam, time: Duration) -> Result<f64, LabError> {
    let mut candidate: Box<dyn Candidate> = game.candidate(exam)?;
    let mut cut = exam.clone();
    cut.limits = cut_short(exam.limits, (time / 4).max(LEAST));
    let positions = positions(exam);
    let begun = Instant::now();
    let (mut seconds, mut tried) = (0.0, 0);
    for i in spread(positions.len()) {
        if tried > 0 && begun.elapsed() > time {
            break;
        }
        seconds +=
            one_position(candidate.as_mut(), exam, &cut, positions[i].clone(), begun + time)?;
        tried += 1;
    }
    Ok(seconds / f64::from(tried.max(1)) * positions.len() as f64)
}

/// The questions about one position each.
fn positions(exam: &Exam) -> Vec<Range<usize>> {
    let begins =
        |&q: &usize| q == 0 || exam.questions[q].position != exam.questions[q - 1].position;
    let starts: Vec<usize> = (0..exam.questions.len()).filter(begins).collect();
    let ends = starts.iter().skip(1).copied().chain([exam.questions.len()]);
    starts.iter().copied().zip(ends).map(|(start, end)| start..end).collect()
}

/// All numbers below `n`, the first of them far from each other.
fn spread(n: usize) -> impl Iterator<Item = usize> {
    // Steps by the golden section; without a common divisor they meet every number.
    fn divisor(a: usize, b: usize) -> usize {
        if b == 0 { a } else { divisor(b, a % b) }
    }
    let golden = (n as f64 * 0.618) as usize;
    let step = (golden.max(1)..).find(|&step| divisor(n, step) == 1).unwrap_or(1);
    (0..n).map(move |i| i * step % n)
}

/// Seconds for the questions about one position, deeper and deeper perhaps.
fn one_position(
    candidate: &mut dyn Candidate,
    exam: &Exam,
    cut: &Exam,
    mut questions: Range<usize>,
    deadline: Instant,
) -> Result<f64, LabError> {
    let (mut seconds, mut asked) = (0.0, 0.0);
    while let Some(question) = questions.next() {
        let watch = Watch::start();
        let (answer, _) = candidate.answer(cut, question)?;
        let took = watch.seconds(is_parallel(&exam.player));
        let done = Done { depth: answer.depth, iterations: answer.iterations, nodes: answer.nodes };
        let whole = done.whole(&exam.limits_of(question), took, cut.limits_of(question));
        seconds += whole;
        asked += 1.0;
        let mut nodes = (answer.nodes.max(1) as f64) * whole / took.1.max(1e-9);
        let too_many = |nodes: f64| exam.max_nodes.is_some_and(|most| nodes > most as f64);
        if too_many(nodes) {
            break;
        }
        if whole > took.1 || Instant::now() > deadline {
            // What is not tried goes on as it began.
            let growth = nodes.powf(1.0 / asked).clamp(GROWTH.0, GROWTH.1);
            let rate = whole / nodes;
            for question in questions {
                let time = prescribed(&exam.limits_of(question)).map(|time| time.as_secs_f64());
                let most = time.map_or(f64::INFINITY, |time| time / rate);
                nodes = (nodes * growth).min(most);
                seconds += nodes * rate;
                if too_many(nodes) {
                    break;
                }
            }
            break;
        }
    }
    Ok(seconds)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_move_that_was_tried_stands_for_those_up_to_the_next() {
        let mut spent = Spent::default();
        assert_eq!(spent.mean(10.0), None);
        for _ in 0..12 {
            let seconds = spent.is_due().then_some(if spent.moves < 4 { 10.0 } else { 1.0 });
            spent.add(seconds);
        }
        assert_eq!(spent.tried, [(0, 10.0), (4, 1.0)]);
        assert_eq!(spent.mean(12.0), Some(48.0 / 12.0));
        assert_eq!(spent.mean(20.0), Some(56.0 / 20.0));
    }

    #[test]
    fn a_time_is_spent_unless_another_budget_ends_the_search_before() {
        let limits = Limits { time: Some(Duration::from_secs(2)), ..Limits::depth(3) };
        let cut = cut_short(limits, Duration::from_millis(100));
        let at = |depth, limits: Limits, seconds: f64| {
            Done { depth, iterations: 1, nodes: 100 }.whole(&limits, (seconds, seconds), cut)
        };
        assert_eq!(at(3, limits, 0.01), 0.01);
        assert_eq!(at(2, limits, 0.1), 2.0);
        // A depth that does not end a search, as that of a flat one.
        assert_eq!(at(3, limits, 0.1), 2.0);
        assert_eq!(at(3, Limits { depth: None, ..limits }, 0.01), 2.0);
    }
}
