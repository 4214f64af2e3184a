//! The suite passes a sound game and catches every planted fault.

use super::*;
use crate::synthetic::{Duel, Literal};
use crate::{
    AfterChance, Eval, Hint, Limits, MAX_PLAYERS, ParseError, Payoffs, Player, Report, Task,
    zobrist,
};

/// Two players take one to three stones in turn, a coin (odds 3 : 1) takes another; who takes
/// the last stone wins. Points are stones taken. `fault` plants one mistake.
#[derive(Clone)]
struct Pile {
    fault: u32,
    left: u8,
    seat: u8,
    flip: bool,
    points: [i32; 2],
    moves_made: u32,
}

impl Pile {
    fn new(fault: u32) -> Self {
        Pile { fault, left: 15, seat: 0, flip: false, points: [0; 2], moves_made: 0 }
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
struct Take(u8);

impl fmt::Display for Take {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.0)
    }
}

impl fmt::Display for Pile {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [a, b] = self.points;
        match (f.alternate(), self.fault) {
            (true, 1) => Ok(()),
            (true, _) => write!(f, "{}", "*".repeat(self.left as usize + 1)),
            (_, 2) => write!(f, "{} 0 {} {a} {b}", self.left, u8::from(self.flip)),
            _ => write!(f, "{} {} {} {a} {b}", self.left, self.seat, u8::from(self.flip)),
        }
    }
}

impl Game for Pile {
    type Move = Take;

    fn turn(&self) -> Turn {
        if self.flip { Turn::Chance } else { Turn::Player(self.seat) }
    }

    fn moves(&self, out: &mut Vec<Take>) {
        if self.fault == 3 {
            out.clear();
        }
        match (self.left, self.flip) {
            (0, _) => {}
            (_, true) => out.extend([Take(0), Take(1)]),
            (left, false) => out.extend((1..=left.min(3)).map(Take)),
        }
        if self.fault == 4 && self.left > 0 {
            out.push(out[out.len() - 1]);
        }
    }

    fn play(&mut self, Take(n): Take) {
        if self.fault != 5 {
            self.left -= n;
        }
        let taker = if self.flip { 1 - self.seat } else { self.seat };
        self.points[taker as usize] += i32::from(n);
        if !self.flip {
            self.seat = 1 - self.seat;
        }
        self.flip = !self.flip;
        self.moves_made += 1;
    }

    fn payoffs(&self) -> Payoffs {
        let share = match (self.left, self.flip) {
            (0, true) => [f32::from(self.seat), f32::from(1 - self.seat)],
            (0, false) => [f32::from(1 - self.seat), f32::from(self.seat)],
            _ if self.fault == 6 => [f32::NAN, 0.5],
            _ => [0.5, 0.5],
        };
        [share[0], share[1], if self.fault == 7 { 1.0 } else { 0.0 }, 0.0, 0.0]
    }

    fn key(&self) -> u64 {
        let [a, b] = self.points;
        let all = [u32::from(self.left), self.seat.into(), self.flip.into(), a as u32, b as u32];
        let used = if self.fault == 8 { 1 } else { 5 };
        let key = (all[..used].iter())
            .enumerate()
            .fold(0, |key, (i, &part)| key ^ zobrist::key(i as u64, part.into()));
        key ^ if self.fault == 9 { u64::from(self.moves_made) } else { 0 }
    }

    fn code(&self, Take(n): Take) -> usize {
        match self.fault {
            10 => 2,
            11 => n as usize + 2,
            _ => n as usize,
        }
    }

    fn codes(&self) -> usize {
        4
    }

    fn pattern(&self, m: Take) -> u64 {
        self.code(m) as u64 + if self.fault == 27 { 2 } else { 0 }
    }

    fn each_pattern(&self, moves: &[Take], mut f: impl FnMut(u64)) {
        let last = if self.fault == 30 { moves.len().saturating_sub(1) } else { moves.len() };
        moves[..last].iter().for_each(|&m| f(self.pattern(m)));
    }

    fn parse(&self, text: &str) -> Result<Self, ParseError> {
        let bad = || ParseError::new(format!("`{text}` is not five numbers"));
        let numbers: Vec<u8> = if self.fault == 12 {
            text.split(' ').map(|w| w.parse().expect("a number")).collect()
        } else {
            text.split(' ').map(|w| w.parse().map_err(|_| bad())).collect::<Result<_, _>>()?
        };
        let [left, seat, flip, a, b] = numbers[..] else { return Err(bad()) };
        if self.fault != 13 && (left > 15 || seat > 1 || flip > 1) {
            return Err(if self.fault == 14 { bad().at(90..99) } else { bad() });
        }
        let points = [a.into(), b.into()];
        Ok(Pile { fault: self.fault, left, seat, flip: flip == 1, points, moves_made: 0 })
    }

    fn weight(&self, Take(n): Take) -> u32 {
        match self.fault {
            15 => u32::from(1 - n),
            _ => [3, 1][n as usize],
        }
    }

    fn scores(&self) -> Option<[i32; MAX_PLAYERS]> {
        let [a, b] = self.points;
        (self.fault != 16 || self.left > 5).then_some([a, b, 0, 0, 0])
    }

    fn is_over(&self) -> bool {
        self.left == u8::from(self.fault == 17)
    }

    fn count_moves(&self) -> usize {
        let n = if self.flip { 2 } else { self.left.min(3) };
        if self.left == 0 { 0 } else { n.into() }
    }

    fn random_move(&self, rng: &mut Rng, scratch: &mut Vec<Take>) -> Option<Take> {
        scratch.clear();
        self.moves(scratch);
        let n = scratch.len();
        match (self.flip, self.fault) {
            _ if n == 0 => None,
            (true, 18) => Some(scratch[rng.below(n)]),
            (true, _) => Some(scratch[rng.pick_weighted(&[3, 1], |&odds| odds)]),
            (false, 19) => Some(scratch[rng.below(n).min(rng.below(n + 2))]),
            (false, 20) => Some(Take(1 + rng.below(3) as u8)),
            (false, _) => Some(scratch[rng.below(n)]),
        }
    }

    fn playout(&mut self, limit: u32, rng: &mut Rng, scratch: &mut Vec<Take>) -> u32 {
        let mut plies = 0;
        while plies < limit + u32::from(self.fault == 21) {
            let Some(mut m) = self.random_move(rng, scratch) else { break };
            // A bias deep in the game: the first move of the playout is still fair.
            if self.fault == 22 && plies > 3 && !self.flip && rng.below(4) == 0 {
                m = Take(1);
            }
            self.play(m);
            plies += 1;
        }
        if self.fault == 23 { plies.saturating_sub(u32::from(plies > 4)) } else { plies }
    }

    fn explore<R>(&mut self, m: Take, f: impl FnOnce(&mut Self) -> R) -> R {
        let before = self.clone();
        self.play(m);
        if self.fault == 24 {
            self.points[0] += 1;
        }
        let result = f(self);
        if self.fault != 25 {
            *self = before;
        }
        result
    }

    fn hide(&self, seat: usize, _: &mut Rng) -> Self {
        let mut hidden = self.clone();
        if self.fault == 26 && seat == 1 {
            hidden.left = hidden.left.min(2);
        }
        hidden
    }
}

impl TwoPlayer for Pile {}

#[test]
fn a_sound_game_passes() {
    game(&Pile::new(0), &Options::default()).unwrap();
}

#[test]
fn every_planted_fault_is_caught() {
    let faults = [
        (1, "diagram"),
        (2, "after reading the text back"),
        (3, "append"),
        (4, "count_moves"),
        (30, "each_pattern"),
        (5, "goes on"),
        (6, "payoffs"),
        (7, "unused seats"),
        (8, "this key"),
        (9, "key"),
        (10, "code"),
        (11, "not below codes()"),
        (12, "panics"),
        (13, "read without an error"),
        (14, "outside the text"),
        (15, "odds"),
        (16, "points come and go"),
        (17, "is_over"),
        (18, "not fair"),
        (19, "not fair"),
        (20, "not legal"),
        (21, "allowed"),
        (22, "differs from uniform play"),
        (23, "stops after"),
        (24, "explore"),
        (25, "restore"),
        (26, "hide"),
        (27, "not below patterns()"),
    ];
    let options = Options { longest: 200, ..Options::default() };
    for (fault, word) in faults {
        let failure = game(&Pile::new(fault), &options)
            .expect_err(&format!("fault {fault} goes unnoticed"))
            .to_string();
        assert!(failure.contains(word), "fault {fault}: no `{word}` in: {failure}");
    }
}

#[test]
fn a_game_with_chance_is_no_two_player_game() {
    let failure = two_player(&Pile::new(0), &Options::default()).unwrap_err();
    assert!(failure.problem.contains("chance"), "{failure}");
}

/// For the check of the marker: neither alone nor without chance.
impl OnePlayer for Pile {}

#[test]
fn who_is_not_alone_is_no_single_player() {
    let failure = one_player(&Pile::new(0), &Options::default()).unwrap_err();
    assert!(failure.problem.contains("2 players"), "{failure}");
}

/// Plays random moves; with `STALE`, a restart does not reach the generator.
struct Guess<const STALE: bool>(Rng, Vec<Take>);

impl<const STALE: bool> Player<Pile> for Guess<STALE> {
    fn think(
        &mut self,
        pos: &Pile,
        task: &mut Task<'_, Take>,
    ) -> Result<Report<Take>, crate::Forfeit> {
        loop {
            let m = pos.random_move(&mut self.0, &mut self.1);
            if let Some(m) = m.filter(|&m| task.admits(m)) {
                return Ok(Report::new(m, 0.5, &task.meter));
            }
        }
    }

    fn restart(&mut self, seed: u64) {
        if !STALE {
            self.0 = Rng::new(seed);
        }
    }
}

#[test]
fn a_stale_player_is_caught() {
    let (start, options) = (Pile::new(0), Options::default());
    player(&start, Limits::nodes(9), &options, |s| Box::new(Guess::<false>(Rng::new(s), vec![])))
        .unwrap();
    let failure = player(&start, Limits::nodes(9), &options, |s| {
        Box::new(Guess::<true>(Rng::new(s), vec![]))
    })
    .unwrap_err();
    assert!(failure.problem.contains("restarted"), "{failure}");
}

/// An evaluation with one of several faults; 0 has none.
struct Faulty(u32);

type Node = Duel<Literal>;

impl Eval<Node> for Faulty {
    fn eval(&self, pos: &Node) -> i32 {
        if self.0 == 1 { 100_000 } else { (pos.key() % 1000) as i32 }
    }

    fn order(&self, pos: &Node, m: <Node as Game>::Move) -> i32 {
        (pos.key() >> pos.code(m)) as i32 & 1
    }

    fn hints(&self, pos: &Node, moves: &[<Node as Game>::Move], out: &mut Vec<Hint>) {
        let noisy = self.0 == 2;
        out.extend(moves.iter().map(|&m| Hint { order: self.order(pos, m), noisy }));
    }

    fn ordered(
        &self,
        pos: &Node,
        portion: u32,
        out: &mut Vec<<Node as Game>::Move>,
    ) -> Option<bool> {
        let first = out.len();
        pos.moves(out);
        if self.0 == 3 {
            return None;
        }
        // The moves of order 1, then those of order 0; a fault has them the other way.
        let wanted = i32::from((portion == 0) != (self.0 == 4));
        let kept: Vec<_> = out.drain(first..).filter(|&m| self.order(pos, m) == wanted).collect();
        out.extend(kept);
        Some(portion == 0)
    }

    fn after(&self, pos: &Node, m: <Node as Game>::Move) -> Option<i32> {
        let mut next = pos.clone();
        next.play(m);
        let goes_on = self.0 == 5 || !next.is_over();
        goes_on.then(|| if self.0 == 6 { self.eval(&next) } else { -self.eval(&next) })
    }

    fn noisy_moves(&self, pos: &Node, out: &mut Vec<<Node as Game>::Move>) {
        if self.0 == 7 {
            pos.moves(out);
        }
    }
}

/// An evaluation that tells of chance nodes as a whole, with one of several faults; 0 has none.
struct Whole(u32);

impl Eval<Literal> for Whole {
    fn eval(&self, _pos: &Literal) -> i32 {
        0
    }

    fn expected_next(&self, pos: &Literal, _seat: usize) -> Option<(f32, u32)> {
        (self.0 != 1).then(|| ((pos.key() % 1000) as f32, pos.count_moves() as u32))
    }

    fn expected_after_chance(&self, pos: &Literal, seat: usize) -> Option<AfterChance> {
        let mut outcomes = Vec::new();
        pos.moves(&mut outcomes);
        let (mut sum, mut total, mut moves) = (0.0, 0, 0);
        for &m in &outcomes {
            let mut next = pos.clone();
            next.play(m);
            let (value, count) = self.expected_next(&next, seat).unwrap_or_default();
            // A fault forgets the weights, another one counts outcomes as moves.
            let weight = if self.0 == 2 { 1 } else { pos.weight(m) };
            sum += f64::from(weight) * f64::from(value);
            total += weight;
            moves += count + u32::from(self.0 == 3);
        }
        let value = (sum / f64::from(total)) as f32;
        (seat == 0).then_some(AfterChance { value, outcomes: outcomes.len() as u32, moves })
    }
}

#[test]
fn chance_nodes_told_wrongly_as_a_whole_are_caught() {
    let start = Literal::new(1, "(?(9:(1 2) 1:(3 4 5)) ?(1:(0 2) 3:(7 8)))").unwrap();
    eval(&start, &Whole(0), &Options::default()).unwrap();
    for (fault, word) in [(1, "has none"), (2, "one by one"), (3, "one by one")] {
        let failure = eval(&start, &Whole(fault), &Options::default()).unwrap_err();
        assert!(failure.problem.contains(word), "fault {fault}: no `{word}` in: {failure}");
    }
}

#[test]
fn every_fault_of_an_evaluation_is_caught() {
    let start = Literal::two_player("((1 0 = 1) (0 (1 = 0 1) =) (= 0 1 (0 1)))").unwrap();
    eval(&start, &Faulty(0), &Options::default()).unwrap();
    let words =
        ["below 100000", "hints", "denies", "`ordered` has", "is over", "worth", "`noisy_moves`"];
    for (fault, word) in (1..).zip(words) {
        let failure = eval(&start, &Faulty(fault), &Options::default()).unwrap_err();
        assert!(failure.problem.contains(word), "fault {fault}: no `{word}` in: {failure}");
    }
}
