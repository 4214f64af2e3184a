//! Weights of moves and the choice by them: a move with weight w has odds exp(k w).
//!
//! The exponentials are kept beside the weights and computed anew only for what a step of
//! learning has changed, so a draw is one pass of additions over the legal moves.

use crate::trace::Trace;
use spielbaum_core::{MAX_PLAYERS, Rng, math};
use std::ops::Range;

#[derive(Clone, Copy, Debug)]
struct Cell {
    weight: f64,
    /// exp(k · weight) as of the last installation; negative if the weight has changed since.
    odds: f64,
}

impl Cell {
    #[inline(always)]
    fn odds(self) -> f64 {
        self.odds.abs()
    }

    /// Notes that the weight changes; `true` the first time.
    #[inline(always)]
    fn soil(&mut self) -> bool {
        let is_clean = self.odds.is_sign_positive();
        if is_clean {
            self.odds = -self.odds;
        }
        is_clean
    }
}

/// Sums of odds in this range lose nothing to underflow or overflow; others are computed from
/// the weights, the greatest of them as 0.
const SOUND: Range<f64> = 1e-200..1e200;

/// While all odds are in this range, every sum of them is sound.
const SAFE: Range<f64> = 1e-200..1e190;

/// How far a simulation moves the weights of a seat at each of its decisions.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Step {
    /// Added to the chosen move.
    pub gain: f64,
    /// Times its probability, subtracted from every legal move.
    pub rate: f64,
}

/// A softmax policy: a weight for each cell.
#[derive(Clone, Debug)]
pub struct Softmax {
    k: f64,
    cells: Vec<Cell>,
    /// Cells whose odds are out of date, each once.
    dirty: Vec<u32>,
    /// Whether all odds so far were [safe](SAFE).
    is_sound: bool,
    /// Sums of odds up to each move, and probabilities of moves whose sum is out of range:
    /// working memory.
    sums: Vec<f64>,
    shares: Vec<f64>,
}

impl Softmax {
    /// An empty table with the factor `k` of weights in the exponent.
    pub fn new(k: f64) -> Self {
        Softmax {
            k,
            cells: Vec::new(),
            dirty: Vec::new(),
            is_sound: true,
            sums: Vec::new(),
            shares: Vec::new(),
        }
    }

    /// Makes it a table of so many cells, all with the same weight.
    pub fn reset(&mut self, cells: usize, weight: f64) {
        self.cells.clear();
        let odds = math::exp(self.k * weight);
        self.cells.resize(cells, Cell { weight, odds });
        self.is_sound = SAFE.contains(&odds);
        self.dirty.clear();
    }

    /// Takes over the weights of another table.
    pub fn copy_from(&mut self, other: &Softmax) {
        self.cells.clone_from(&other.cells);
        self.dirty.clone_from(&other.dirty);
        self.is_sound = other.is_sound;
    }

    /// Number of cells.
    pub fn len(&self) -> usize {
        self.cells.len()
    }

    /// Whether there are no cells.
    pub fn is_empty(&self) -> bool {
        self.cells.is_empty()
    }

    /// The weight of a cell.
    pub fn weight(&self, cell: u32) -> f64 {
        self.cells[cell as usize].weight
    }

    /// Memory in use.
    pub fn bytes(&self) -> usize {
        size_of_val(&self.cells[..])
    }

    /// Draws one of the moves with these cells; there must be one, and what was
    /// [set](Softmax::set) must be [installed](Softmax::install).
    #[inline]
    pub fn draw(&mut self, moves: &[u32], rng: &mut Rng) -> usize {
        self.draw_weighed(moves, rng).0
    }

    /// As [`draw`](Softmax::draw), with the sum of the odds, or NaN if it was of no use.
    #[inline]
    pub fn draw_weighed(&mut self, moves: &[u32], rng: &mut Rng) -> (usize, f64) {
        if moves.len() < 2 {
            return (0, f64::NAN);
        }
        if self.sums.len() < moves.len() {
            self.sums.resize(moves.len(), 0.0);
        }
        let (cells, sums) = (&self.cells[..], &mut self.sums[..moves.len()]);
        let mut sum = 0.0;
        for (&cell, up_to) in moves.iter().zip(&mut *sums) {
            sum += cells[cell as usize].odds;
            *up_to = sum;
        }
        if !SOUND.contains(&sum) {
            return (self.draw_shifted(moves, rng), f64::NAN);
        }
        (pick(sums, rng.unit() * sum), sum)
    }

    #[cold]
    fn draw_shifted(&mut self, moves: &[u32], rng: &mut Rng) -> usize {
        self.shares.clear();
        self.shift(moves);
        let mut sum = 0.0;
        for share in &mut self.shares {
            sum += *share;
            *share = sum;
        }
        pick(&self.shares, rng.unit() * sum)
    }

    /// Appends the probabilities of the moves to `shares`, from the weights.
    fn shift(&mut self, moves: &[u32]) {
        let weights = moves.iter().map(|&cell| self.cells[cell as usize].weight);
        let top = weights.clone().fold(f64::NEG_INFINITY, f64::max);
        let first = self.shares.len();
        self.shares.extend(weights.map(|weight| math::exp(self.k * (weight - top))));
        let sum: f64 = self.shares[first..].iter().sum();
        self.shares[first..].iter_mut().for_each(|share| *share /= sum);
    }

    /// Takes a step at each decision of a simulation, one for each seat. All probabilities are
    /// those before it.
    pub fn adapt(&mut self, trace: &Trace, steps: &[Step; MAX_PLAYERS]) {
        self.shift_unsound(trace, steps);
        let Softmax { cells, dirty, shares, .. } = self;
        let cells = &mut cells[..];
        let mut shares = shares.iter();
        for (decision, total) in trace.weighed() {
            let Step { gain, rate } = steps[decision.seat as usize];
            if gain != 0.0 {
                change(cells, dirty, decision.chosen, |_| gain);
            }
            if rate == 0.0 {
                continue;
            }
            let legal = trace.legal(decision);
            let sum = if total.is_nan() { sum(cells, legal) } else { total };
            if SOUND.contains(&sum) {
                // One division for all.
                let share = rate / sum;
                for &cell in legal {
                    change(cells, dirty, cell, |odds| -share * odds);
                }
            } else {
                for (&cell, share) in legal.iter().zip(&mut shares) {
                    change(cells, dirty, cell, |_| -rate * share);
                }
            }
        }
        self.install();
    }

    /// The probabilities at decisions whose odds are out of range, before any weight changes.
    fn shift_unsound(&mut self, trace: &Trace, steps: &[Step; MAX_PLAYERS]) {
        self.shares.clear();
        if self.is_sound {
            return;
        }
        for decision in trace.decisions() {
            let legal = trace.legal(decision);
            let sum = sum(&self.cells, legal);
            if steps[decision.seat as usize].rate != 0.0 && !SOUND.contains(&sum) {
                self.shift(legal);
            }
        }
    }

    /// Gives a cell a weight; its odds follow with the next [`install`](Softmax::install).
    #[inline]
    pub fn set(&mut self, cell: u32, weight: f64) {
        let entry = &mut self.cells[cell as usize];
        entry.weight = weight;
        if entry.soil() {
            self.dirty.push(cell);
        }
    }

    /// Computes the odds of what has changed.
    pub fn install(&mut self) {
        for &cell in &self.dirty {
            let entry = &mut self.cells[cell as usize];
            entry.odds = math::exp(self.k * entry.weight);
            self.is_sound &= SAFE.contains(&entry.odds);
        }
        self.dirty.clear();
    }
}

/// Adds to the weight of a cell what follows from its odds.
#[inline(always)]
fn change(cells: &mut [Cell], dirty: &mut Vec<u32>, cell: u32, by: impl Fn(f64) -> f64) {
    let entry = &mut cells[cell as usize];
    entry.weight += by(entry.odds());
    if entry.soil() {
        dirty.push(cell);
    }
}

/// The sum of the odds of moves, in their order.
#[inline]
fn sum(cells: &[Cell], moves: &[u32]) -> f64 {
    moves.iter().fold(0.0, |sum, &cell| sum + cells[cell as usize].odds())
}

/// The first move up to which the odds add up to more than `target`.
#[inline]
fn pick(sums: &[f64], target: f64) -> usize {
    // A count has no branch to guess wrong, and compares several at once.
    let below = sums.iter().map(|&sum| usize::from(sum <= target)).sum::<usize>();
    below.min(sums.len() - 1)
}
