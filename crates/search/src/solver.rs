//! The margin that can be forced: what two players who maximise the difference of their points reach
//! at the end of a game without chance, proved.
//!
//! A question is a null window: can the first player force a margin of at least `s`? The first one is the
//! evaluation's guess, answers narrow the range of the value from both ends, and what is proved when the
//! budget ends is a range. How a question is answered: `walk.rs`.

mod ranges;
mod walk;

use crate::random::choices;
use ranges::{Range, Ranges};
use spielbaum_core::{
    Bound, Eval, Forfeit, Game, Limits, Line, Player, Proof, Report, Rng, Task, Turn,
};
use walk::{Level, Walk};

/// What a solver may take.
#[derive(Clone, PartialEq, Debug)]
pub struct SolverConfig {
    /// Bytes of the table of ranges.
    pub memory: usize,
    /// Whether it will be shown what is hidden from its seat.
    pub sees_all: bool,
}

impl Default for SolverConfig {
    fn default() -> Self {
        SolverConfig { memory: 256 << 20, sees_all: true }
    }
}

/// A search for the margin that can be forced, for two players without chance and with points.
///
/// Its report tells what is proved: `value` is the margin that the player to move can force at least, and
/// the note tells the whole range. A line's value is what its move is worth at most, as far as that is
/// known. Without a proof of the value the answer is the move that forces most so far. Iterations are
/// questions answered.
///
/// ```
/// use spielbaum_core::{Limits, Player, Task, ZeroEval};
/// use spielbaum_games::carcassonne::{Carcassonne, Options, Order};
/// use spielbaum_search::solver::{Solver, SolverConfig};
/// let options = Options { order: Order::Listed, tiles: Some("EU"), ..Options::default() };
/// let game = Carcassonne::new(&options).unwrap();
/// let mut solver = Solver::new(&SolverConfig::default(), Box::new(ZeroEval));
/// let report = solver.think(&game, &mut Task::new(Limits::nodes(10_000))).unwrap();
/// // A city of two tiles, four points, against the field beside it, three.
/// assert_eq!((report.best.to_string().as_str(), report.value), ("E@0:-1r2+city0", 1.0));
/// ```
pub struct Solver<G: Game> {
    eval: Box<dyn Eval<G>>,
    sees_all: bool,
    ranges: Ranges,
    levels: Vec<Level<G::Move>>,
}

impl<G: Game> Solver<G> {
    /// A solver that tries moves in the order of an evaluation.
    pub fn new(config: &SolverConfig, eval: Box<dyn Eval<G>>) -> Self {
        let ranges = Ranges::new(config.memory);
        Solver { eval, sees_all: config.sees_all, ranges, levels: Vec::new() }
    }

    /// The best move in the order of the evaluation.
    fn guess(&self, pos: &G, moves: &[G::Move]) -> G::Move {
        let best = moves.iter().copied().max_by_key(|&m| {
            let mut next = pos.clone();
            next.play(m);
            self.order(pos, &next)
        });
        best.unwrap_or(moves[0])
    }

    /// How early to try the move from one position to the other: the evaluation for who makes it.
    fn order(&self, pos: &G, next: &G) -> i32 {
        if next.is_over() {
            let margin = margin(next);
            return 100 * if pos.turn() == Turn::Player(0) { margin } else { -margin };
        }
        let eval = self.eval.eval(next);
        if pos.turn() == next.turn() { eval } else { -eval }
    }

    /// The line of the moves that the table remembers.
    fn line(&self, pos: &G, first: G::Move) -> Vec<G::Move> {
        let mut line = vec![first];
        let mut pos = pos.clone();
        pos.play(first);
        let mut moves = Vec::new();
        while let Some(code) = self.ranges.best(pos.key()) {
            moves.clear();
            pos.moves(&mut moves);
            let Some(&m) = moves.iter().find(|&&m| Ranges::short(pos.code(m)) == code) else {
                break;
            };
            line.push(m);
            pos.play(m);
        }
        line
    }
}

const CHANCE: &str = "the solver proves nothing where chance has a say; `sees=all` if that is only hidden from its seat";

/// Whether there is a margin to prove.
fn has_margin<G: Game>(pos: &G) -> Result<(), String> {
    match (pos.players(), pos.scores()) {
        (2, Some(_)) => Ok(()),
        (2, None) => Err("the solver proves margins of points, and this game has none".into()),
        _ => Err("the solver proves margins between two players".into()),
    }
}

/// The first player's margin at the end.
fn margin<G: Game>(pos: &G) -> i32 {
    pos.scores().map_or(0, |s| s[0] - s[1])
}

/// What is known of a position without a search.
fn at_once<G: Game>(pos: &G) -> Range {
    if pos.is_over() {
        return Range::exactly(margin(pos));
    }
    pos.margin_bounds().map_or(Range::OPEN, Range::from)
}

impl<G: Game> Player<G> for Solver<G> {
    fn think(&mut self, pos: &G, task: &mut Task<'_, G::Move>) -> Result<Report<G::Move>, Forfeit> {
        let (seat, moves) = choices(pos, task)?;
        has_margin(pos).map_err(Forfeit::Crashed)?;
        let guess = self.eval.eval(pos) / 100;
        let known = if task.choice().is_empty() { at_once(pos) } else { Range::OPEN };
        let target = if seat == 0 { guess } else { -guess };
        let mut root = Root { seat, moves, known, next: Next { target, step: 1 }, asked: 0 };
        let mut report = Report::new(self.guess(pos, &root.moves), 0.0, &task.meter);
        task.meter.check();
        root.tell(self, pos, &mut report, task);
        while root.known.low < root.known.high && task.meter.iteration() {
            let target = root.next.target.clamp(root.known.low + 1, root.known.high);
            let mut walk = Walk::new(self, task, &report);
            let answer = walk.root(pos, &root.moves, target);
            if walk.met_chance() {
                return Err(Forfeit::Crashed(CHANCE.to_string()));
            }
            let Some((range, best)) = answer else { break };
            root.answer(target, range);
            // The move of a proof that the player to move can do so much.
            if (seat == 0) == (range.low >= target) {
                report.best = best;
            }
            root.tell(self, pos, &mut report, task);
            task.publish(&report);
        }
        report.nodes = task.meter.nodes();
        report.elapsed = task.meter.elapsed();
        Ok(report)
    }

    /// Chance may deal before the first move; as the player will see it, none may follow one.
    fn fits(&mut self, start: &G) -> Result<(), String> {
        has_margin(start)?;
        let (mut first, mut moves) = (start.clone(), Vec::new());
        first.moves(&mut moves);
        while first.turn() == Turn::Chance && !moves.is_empty() {
            first.play(moves[0]);
            moves.clear();
            first.moves(&mut moves);
        }
        if let (Turn::Player(seat), false) = (first.turn(), self.sees_all) {
            first = first.hide(seat.into(), &mut Rng::new(0));
        }
        let draws = |&m: &G::Move| {
            let mut next = first.clone();
            next.play(m);
            next.turn() == Turn::Chance && !next.is_over()
        };
        if moves.iter().any(draws) { Err(CHANCE.into()) } else { Ok(()) }
    }

    /// An iteration is a question, and one may take for ever.
    fn is_bounded_by(&self, limits: &Limits) -> bool {
        Limits { depth: None, iterations: None, ..*limits } != Limits::default()
    }

    /// There is no randomness to seed.
    fn restart(&mut self, _seed: u64) {
        self.ranges.clear();
        self.levels.clear();
    }

    fn bytes(&self) -> usize {
        self.ranges.bytes()
    }
}

/// What is asked and known at the root.
struct Root<M> {
    seat: usize,
    moves: Vec<M>,
    known: Range,
    next: Next,
    /// Questions answered.
    asked: u64,
}

/// The next question, and how far the one after it may be if the answer is the same.
struct Next {
    target: i32,
    step: i32,
}

impl<M: Copy + Eq> Root<M> {
    /// Takes an answer. The next question is a step further on the same side, twice as far each time,
    /// and half way once there is something on both sides.
    fn answer(&mut self, target: i32, range: Range) {
        self.known = self.known.and(range);
        self.asked += 1;
        let Range { low, high } = self.known;
        let middle = low + (high - low + 1) / 2;
        self.next.target = match range.low >= target {
            true => (low + self.next.step).min(middle),
            false => (high + 1 - self.next.step).max(middle),
        };
        self.next.step *= 2;
    }

    fn tell<G: Game<Move = M>>(
        &self,
        solver: &Solver<G>,
        pos: &G,
        report: &mut Report<M>,
        task: &Task<'_, M>,
    ) {
        let own = |range: Range| if self.seat == 0 { range } else { range.flip() };
        let known = own(self.known);
        report.value = known.low as f32;
        // Of some of the moves only what they can do is proved, not what the others cannot.
        let is_whole = task.choice().is_empty();
        report.proven = match known {
            Range { low: 1.., .. } => Some(Proof::Win),
            Range { high: ..0, .. } if is_whole => Some(Proof::Loss),
            Range { low: 0, high: 0 } if is_whole => Some(Proof::Draw),
            _ => None,
        };
        let line = |&mv: &M| {
            let mut next = pos.clone();
            next.play(mv);
            let range = own(at_once(&next).and(solver.ranges.get(next.key())));
            let value = range.high.min(known.high) as f32;
            let known = mv == report.best && known.low == known.high;
            let bound = if known { Bound::Exact } else { Bound::Upper };
            Line { mv, visits: 0, value, bound, prior: None, proven: None }
        };
        report.lines = self.moves.iter().map(line).collect();
        let rank = |line: &Line<M>| (line.mv == report.best, line.value);
        report
            .lines
            .sort_by(|a, b| rank(b).partial_cmp(&rank(a)).unwrap_or(std::cmp::Ordering::Equal));
        report.pv = solver.line(pos, report.best);
        report.depth = report.pv.len() as u32;
        report.iterations = self.asked;
        report.nodes = task.meter.nodes();
        report.elapsed = task.meter.elapsed();
        let who = pos.seat_name(0);
        let Range { low, high } = self.known;
        let margin = match is_whole {
            true => format!("the margin of {who}"),
            false => format!("with these moves alone the margin of {who}"),
        };
        report.note = Some(match (low == Range::OPEN.low, high == Range::OPEN.high) {
            (true, true) => format!("nothing is proved of the margin of {who}"),
            (true, false) => format!("proved: {margin} is at most {high}"),
            (false, true) => format!("proved: {margin} is at least {low}"),
            _ if low == high => format!("proved: {margin} is {low}"),
            _ => format!("proved: {margin} is from {low} to {high}"),
        });
    }
}
