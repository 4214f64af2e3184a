//! Graph-history interaction where it is at home: walks on small random graphs, in which every
//! other path leads back.

use crate::oracle::{after, configs, moves};
use spielbaum_core::synthetic::Branch;
use spielbaum_core::{
    Eval, Game, History, Limits, MAX_PLAYERS, ParseError, Payoffs, Player, Task, Turn, TwoPlayer,
    check, zobrist,
};
use spielbaum_search::alphabeta::AlphaBeta;
use spielbaum_search::minimax::negamax;
use spielbaum_search::score;
use std::fmt;

/// A walk on a graph made by hashing, by two players in turn. Some vertices end it, for one or the
/// other; coming to a vertex again, the same player to move, is a draw, or, in walks that are
/// `judged`, for some vertices a win of one or the other.
#[derive(Clone)]
struct Walk {
    seed: u64,
    vertices: u64,
    judged: bool,
    /// The vertices so far, the present one last; their number tells whose turn it is.
    path: Vec<u64>,
}

impl Walk {
    fn new(seed: u64) -> Self {
        Walk { seed, vertices: 14, judged: false, path: vec![0] }
    }

    fn judged(seed: u64) -> Self {
        Walk { judged: true, ..Walk::new(seed) }
    }

    fn vertex(&self) -> u64 {
        self.path[self.path.len() - 1]
    }

    fn seat(&self) -> usize {
        (self.path.len() + 1) % 2
    }

    fn hash(&self, what: u64) -> u64 {
        zobrist::key(self.seed, self.vertex() * 8 + what)
    }

    /// One vertex in six is an end.
    fn is_end(&self) -> bool {
        self.path.len() > 1 && self.hash(0).is_multiple_of(6)
    }

    /// The key of the position on this place of the path.
    fn key_of(&self, place: usize) -> u64 {
        zobrist::key(!self.seed, self.path[place] * 2 + place as u64 % 2)
    }
}

impl fmt::Display for Walk {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let path: Vec<_> = self.path.iter().map(u64::to_string).collect();
        f.write_str(&path.join("-"))
    }
}

impl Game for Walk {
    type Move = Branch;

    fn turn(&self) -> Turn {
        Turn::Player(self.seat() as u8)
    }

    fn moves(&self, out: &mut Vec<Branch>) {
        if !self.is_end() && !self.ended_by_history() {
            out.extend((0..2 + self.hash(1) as u16 % 2).map(Branch));
        }
    }

    fn play(&mut self, m: Branch) {
        self.path.push(self.hash(2 + u64::from(m.0)) % self.vertices);
    }

    fn payoffs(&self) -> Payoffs {
        let mut payoffs = [0.0; MAX_PLAYERS];
        if self.is_end() {
            payoffs[self.hash(7) as usize % 2] = 1.0;
        } else if self.judged && self.ended_by_history() && !self.hash(5).is_multiple_of(3) {
            payoffs[self.hash(5) as usize % 2] = 1.0;
        } else {
            payoffs[..2].fill(0.5);
        }
        payoffs
    }

    fn key(&self) -> u64 {
        self.key_of(self.path.len() - 1)
    }

    fn code(&self, m: Branch) -> usize {
        usize::from(m.0)
    }

    fn codes(&self) -> usize {
        3
    }

    fn parse(&self, text: &str) -> Result<Self, ParseError> {
        let mut walk = Walk { path: vec![0], ..self.clone() };
        for vertex in text.split('-').skip(1) {
            let leads = |&m: &Branch| after(&walk, m).vertex().to_string() == vertex;
            let m = moves(&walk).into_iter().find(leads);
            walk.play(m.ok_or_else(|| ParseError::new(format!("no way to {vertex}")))?);
        }
        if walk.to_string() == text { Ok(walk) } else { Err(ParseError::new("no walk from 0")) }
    }

    fn ended_by_history(&self) -> bool {
        let last = self.path.len() - 1;
        !self.is_end() && (0..last).any(|i| self.key_of(i) == self.key())
    }

    fn history(&self) -> History {
        // Every position of the walk ends it the second time.
        History { key: (0..self.path.len()).fold(0, |key, i| key ^ self.key_of(i)), plies: None }
    }
}

impl TwoPlayer for Walk {}

/// A value for each vertex, never 0.
struct Vertices;

impl Eval<Walk> for Vertices {
    fn eval(&self, pos: &Walk) -> i32 {
        let value = 10 + (pos.hash(6) % 90) as i32;
        if pos.seat() == 0 { value } else { -value }
    }
}

/// A draw by repetition belongs to its path. Where a table took it for the value of the position,
/// other paths would miss their wins and losses.
#[test]
fn a_draw_by_repetition_stays_on_its_path() {
    let (mut decisive, mut cycles) = (0, 0);
    for seed in 0..400 {
        let start = Walk::new(seed);
        check::two_player(&start, &check::Options::quick()).unwrap();
        for depth in [6, 9] {
            let truth = negamax(&start, depth, &Vertices);
            decisive += usize::from(score::is_decisive(truth));
            cycles += usize::from(truth == 0);
            for config in configs() {
                let mut player = AlphaBeta::new(&config, Box::new(Vertices));
                player.think(&start, &mut Task::new(Limits::depth(depth))).unwrap();
                let found = player.score();
                let about = format!("graph {seed}, depth {depth}: {found} for {truth}, {config:?}");
                if !config.table || score::is_decisive(truth) || score::is_decisive(found) {
                    assert_eq!(found, truth, "{about}");
                }
            }
        }
    }
    assert!(decisive > 100 && cycles > 10, "{decisive} decisive, {cycles} drawn by repetition");
}

/// Where a repetition can be won, no search claims a win or loss that is none, and one without a
/// table finds them all.
#[test]
fn a_decision_by_repetition_stays_on_its_path() {
    let (mut decisive, mut by_history) = (0, 0);
    for seed in 0..400 {
        let start = Walk::judged(seed);
        check::two_player(&start, &check::Options::quick()).unwrap();
        for depth in [6, 9] {
            let truth = negamax(&start, depth, &Vertices);
            decisive += usize::from(score::is_decisive(truth));
            by_history += usize::from(
                score::is_decisive(truth) && truth != negamax(&Walk::new(seed), depth, &Vertices),
            );
            for config in configs() {
                let mut player = AlphaBeta::new(&config, Box::new(Vertices));
                player.think(&start, &mut Task::new(Limits::depth(depth))).unwrap();
                let found = player.score();
                let about = format!("graph {seed}, depth {depth}: {found} for {truth}, {config:?}");
                if !config.table {
                    assert_eq!(found, truth, "{about}");
                } else if score::is_decisive(found) {
                    assert!(score::is_decisive(truth) && (found > 0) == (truth > 0), "{about}");
                }
            }
        }
    }
    assert!(decisive > 100 && by_history > 30, "{decisive} decisive, {by_history} by repetition");
}
