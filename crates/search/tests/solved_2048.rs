//! The optimal play of small boards of 2048 by value iteration, and by deep expectimax.

#![allow(clippy::unwrap_used)] // helpers of tests may as well

use spielbaum_core::{Eval, Game, Limits, Player, Report, Rng, Task, Turn, ZeroEval};
use spielbaum_games::g2048::{G2048, Move};
use spielbaum_search::expectimax::{Expectimax, ExpectimaxConfig, TableRule};
use std::collections::HashMap;
use std::sync::Arc;

/// Points to come under best play, for every reachable position up to symmetry.
///
/// Each spawn adds to the sum of the tiles and no slide changes it: the positions of one sum,
/// with a tile to come or with a move to make, depend on those of the sums above alone.
struct Solution {
    start: G2048,
    rows: u32,
    columns: u32,
    /// For each sum of the tiles the boards with the player to move, in order, with the points.
    values: Vec<Vec<(u64, f32)>>,
}

fn transpose(board: u64) -> u64 {
    let cells = (0..16).map(|i| (board >> (4 * i) & 15) << (16 * (i % 4) + 4 * (i / 4)));
    cells.fold(0, |all, cell| all | cell)
}

/// Columns in reverse order.
fn mirror(board: u64, columns: u32) -> u64 {
    let column = |c: u32| board >> (4 * c) & 0x000f_000f_000f_000f;
    (0..columns).fold(0, |all, c| all | column(c) << (4 * (columns - 1 - c)))
}

impl Solution {
    /// The least of a board's images under the symmetries of its shape.
    fn canonical(&self, board: u64) -> u64 {
        let flip = |b: u64| transpose(mirror(transpose(b), self.rows));
        let sides = |b: u64| {
            let (m, f) = (mirror(b, self.columns), flip(b));
            b.min(m).min(f).min(mirror(f, self.columns))
        };
        if self.rows == self.columns {
            sides(board).min(sides(transpose(board)))
        } else {
            sides(board)
        }
    }

    /// The whole game on a board of this size.
    fn new(rows: u32, columns: u32) -> Self {
        Self::of(rows, columns, G2048::new(rows as usize, columns as usize).unwrap())
    }

    /// What may come of a position with a move to make, or of the empty board.
    ///
    /// All positions forward, then their values backward.
    fn of(rows: u32, columns: u32, start: G2048) -> Self {
        let mut solution = Solution { start, rows, columns, values: Vec::new() };
        let mut open: Vec<HashMap<u64, G2048>> = Vec::new();
        let meet = |open: &mut Vec<HashMap<u64, G2048>>, pos: G2048| {
            let sum = sum(&pos);
            if open.len() <= sum {
                open.resize_with(sum + 1, HashMap::new);
            }
            open[sum].entry(solution.canonical(pos.board())).or_insert(pos);
        };
        match start.turn() {
            Turn::Chance => {
                next(&start).iter().flat_map(next).for_each(|second| meet(&mut open, second));
            }
            Turn::Player(_) => meet(&mut open, start),
        }
        let mut layers = Vec::new();
        while layers.len() < open.len() {
            let layer = std::mem::take(&mut open[layers.len()]);
            let mut layer: Vec<(u64, G2048)> = layer.into_iter().collect();
            layer.sort_by_key(|entry| entry.0);
            for (_, pos) in &layer {
                for after in next(pos) {
                    next(&after).into_iter().for_each(|spawned| meet(&mut open, spawned));
                }
            }
            layers.push(layer);
        }
        solution.values = vec![Vec::new(); layers.len()];
        for (sum, layer) in layers.into_iter().enumerate().rev() {
            let value = |(key, pos): &(u64, G2048)| (*key, solution.best(pos) as f32);
            solution.values[sum] = layer.iter().map(value).collect();
        }
        solution
    }

    /// Points to come where the player is to move.
    fn best(&self, pos: &G2048) -> f64 {
        let values = next(pos).into_iter().map(|after| {
            let gained = f64::from(after.score() - pos.score());
            gained + self.after(&after)
        });
        values.fold(0.0, f64::max)
    }

    /// Points to come where a tile is.
    fn after(&self, pos: &G2048) -> f64 {
        let mut moves = Vec::new();
        pos.moves(&mut moves);
        let total: f64 = moves.iter().map(|&m| f64::from(pos.weight(m))).sum();
        let values = moves.iter().map(|&m| {
            let mut spawned = *pos;
            spawned.play(m);
            f64::from(pos.weight(m)) / total * self.to_come(&spawned)
        });
        values.sum()
    }

    fn to_come(&self, pos: &G2048) -> f64 {
        if pos.turn() == Turn::Chance {
            return self.after(pos);
        }
        let (layer, key) = (&self.values[sum(pos)], self.canonical(pos.board()));
        let at = layer.binary_search_by_key(&key, |entry| entry.0).unwrap();
        layer[at].1.into()
    }

    fn positions(&self) -> usize {
        self.values.iter().map(Vec::len).sum()
    }
}

fn sum(pos: &G2048) -> usize {
    let ranks = (0..16).map(|i| pos.board() >> (4 * i) & 15);
    ranks.map(|rank| if rank == 0 { 0 } else { 1 << rank }).sum()
}

fn next(pos: &G2048) -> Vec<G2048> {
    let mut moves = Vec::new();
    pos.moves(&mut moves);
    let play = |&m: &_| {
        let mut next = *pos;
        next.play(m);
        next
    };
    moves.iter().map(play).collect()
}

/// Expectimax within limits, of an evaluation.
fn search(eval: impl Eval<G2048> + 'static, pos: &G2048, limits: Limits) -> Report<Move> {
    let config = ExpectimaxConfig { table_rule: TableRule::Exact, ..Default::default() };
    Expectimax::new(&config, Box::new(eval)).think(pos, &mut Task::new(limits)).unwrap()
}

fn is_near(a: f64, b: f64) -> bool {
    (a - b).abs() < 1e-4 * b.max(1.0)
}

/// A search that has seen the whole tree knows the optimal value of each move.
fn agrees(solution: &Solution, pos: &G2048, report: &Report<Move>) {
    let expected = f64::from(pos.score()) + solution.best(pos);
    assert!(is_near(report.value.into(), expected), "{pos}: {} {expected}", report.value);
    for line in &report.lines {
        let mut after = *pos;
        after.play(line.mv);
        let value = f64::from(after.score()) + solution.after(&after);
        assert!(is_near(line.value.into(), value), "{pos} {}: {} {value}", line.mv, line.value);
    }
}

/// The score and the points to come.
#[derive(Clone)]
struct Perfect(Arc<Solution>);

impl Eval<G2048> for Perfect {
    fn eval(&self, _pos: &G2048) -> i32 {
        0
    }

    fn expected(&self, pos: &G2048, _seat: usize) -> f32 {
        (f64::from(pos.score()) + self.0.to_come(pos)) as f32
    }
}

/// The positions with a choice in a game of optimal play, and the score at its end.
fn optimal_game(solution: &Solution, rng: &mut Rng) -> (Vec<G2048>, f64) {
    let (mut pos, mut scratch, mut choices) = (solution.start, Vec::new(), Vec::new());
    while !pos.is_over() {
        if pos.turn() == Turn::Chance {
            let m = pos.random_move(rng, &mut scratch).unwrap();
            pos.play(m);
            continue;
        }
        if pos.count_moves() > 1 {
            choices.push(pos);
        }
        let worth = |after: &G2048| f64::from(after.score()) + solution.after(after);
        pos = next(&pos).into_iter().max_by(|a, b| worth(a).total_cmp(&worth(b))).unwrap();
    }
    (choices, pos.score().into())
}

/// What the solution promises is what its policy makes, within four standard errors.
fn keeps_its_promise(solution: &Solution, games: u32, rng: &mut Rng) {
    let scores: Vec<f64> = (0..games).map(|_| optimal_game(solution, rng).1).collect();
    let (n, value) = (f64::from(games), solution.after(&solution.start));
    let mean = scores.iter().sum::<f64>() / n;
    let variance = scores.iter().map(|s| (s - mean).powi(2)).sum::<f64>() / n;
    let error = (variance / n).sqrt();
    assert!((mean - value).abs() < 4.0 * error, "{mean} ± {error} instead of {value}");
}

/// Plays enough for trees near the end of a game.
const NODES: u64 = 300_000;

/// From the positions of optimal games: searches of the points that see the whole tree find the
/// optimal values, and shallow ones do with a perfect evaluation. Returns how many were whole.
fn matches_expectimax(solution: &Arc<Solution>, late: usize, rng: &mut Rng) -> u32 {
    let mut whole = 0;
    for _ in 0..20 {
        let (choices, _) = optimal_game(solution, rng);
        for pos in choices.iter().rev().take(late) {
            let limits = Limits { nodes: Some(NODES), ..Limits::depth(200) };
            let report = search(ZeroEval, pos, limits);
            if report.nodes < NODES {
                agrees(solution, pos, &report);
                whole += 1;
            }
        }
        for pos in choices.iter().step_by(1 + choices.len() / 8) {
            for depth in 1..=4 {
                let report = search(Perfect(solution.clone()), pos, Limits::depth(depth));
                agrees(solution, pos, &report);
            }
        }
    }
    whole
}

/// All of 2 x 2, from its first choice on.
#[test]
fn two_by_two_is_solved() {
    let solution = Arc::new(Solution::new(2, 2));
    let mut rng = Rng::new(1);
    let value = solution.after(&solution.start);
    assert_eq!((solution.positions(), value as f32), (110, 66.964_15));
    keeps_its_promise(&solution, 4000, &mut rng);
    assert!(matches_expectimax(&solution, usize::MAX, &mut rng) > 100);
    let pos = solution.start.parse("2,2/.,.").unwrap();
    let report = search(ZeroEval, &pos, Limits::depth(200));
    agrees(&solution, &pos, &report);
    assert!(report.depth > 40, "{}", report.depth);
}

#[test]
fn two_by_three_is_solved() {
    let solution = Arc::new(Solution::new(2, 3));
    let mut rng = Rng::new(2);
    let value = solution.after(&solution.start);
    assert_eq!((solution.positions(), value as f32), (21_752, 480.258_3));
    keeps_its_promise(&solution, 1000, &mut rng);
    assert!(matches_expectimax(&solution, 2, &mut rng) > 3);
}

/// Late in a game on 3 x 3 whole trees are small: all that may come of a board is solved, and found by searches that
/// know nothing but the points.
#[test]
fn the_end_of_three_by_three_is_solved() {
    let empty = G2048::new(3, 3).unwrap();
    // The positions that may come of each are counted up to symmetry.
    for (text, positions) in [
        ("1024,512,256/32,64,128/8,.,2", 35),
        ("1024,512,256/16,64,128/8,.,2", 99),
        ("1024,512,256/.,64,128/.,.,2", 3891),
        ("256,512,1024/128,64,./.,.,2", 5389),
    ] {
        let pos = empty.parse(text).unwrap();
        let solution = Arc::new(Solution::of(3, 3, pos));
        assert_eq!(solution.positions(), positions, "{text}");
        let report = search(ZeroEval, &pos, Limits::depth(200));
        agrees(&solution, &pos, &report);
        let whole = matches_expectimax(&solution, usize::MAX, &mut Rng::new(4));
        assert!(whole >= 40, "{text}: {whole}");
    }
}

/// Yamashita, Kaneko and Nakayashiki (2022) counted 48,713,519 states, worth about 5470 points at
/// the start. Whole trees are searched from its last boards; takes minutes and 2 GiB.
#[test]
#[ignore = "minutes and 2 GiB"]
fn three_by_three_is_solved() {
    let solution = Arc::new(Solution::new(3, 3));
    let mut rng = Rng::new(3);
    let value = solution.after(&solution.start);
    assert_eq!(solution.positions(), 48_713_519);
    assert!((value - 5468.48).abs() < 0.01, "{value}");
    keeps_its_promise(&solution, 500, &mut rng);
    matches_expectimax(&solution, 0, &mut rng);
    // The boards of the largest sums, from which little can come.
    let mut whole = 0;
    for layer in solution.values.iter().rev().filter(|layer| !layer.is_empty()).take(300) {
        for (board, _) in layer.iter().step_by(1 + layer.len() / 4) {
            let pos = solution.start.parse(&text(*board)).unwrap();
            if pos.count_moves() > 1 {
                let limits = Limits { nodes: Some(NODES), ..Limits::depth(200) };
                let report = search(ZeroEval, &pos, limits);
                if report.nodes < NODES {
                    agrees(&solution, &pos, &report);
                    whole += 1;
                }
            }
        }
    }
    assert!(whole > 100, "{whole}");
}

/// A board of 3 x 3 as people write it.
fn text(board: u64) -> String {
    let tile = |row: u64, column: u64| match board >> (16 * row + 4 * column) & 15 {
        0 => ".".to_string(),
        rank => (1 << rank).to_string(),
    };
    (0..3)
        .map(|row| [0, 1, 2].map(|column| tile(row, column)).join(","))
        .collect::<Vec<_>>()
        .join("/")
}
