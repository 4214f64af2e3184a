//! Weights of moves and the choice by them: a move with weight w has odds exp(k w).
//!
//! The exponentials are kept beside the weights and computed anew only for what a step of
//! learning has changed, so a draw is one pass of additions over the legal moves.

use crate::trace::Trace;
use spielbaum_core::{MAX_PLAYERS, Rng, math};

#[derive(Clone, Copy, Debug)]
struct Cell {
    weight: f64,
    /// exp(k · weight), as of the last installation.
    odds: f64,
}

/// Sums of odds in this range lose nothing to underflow or overflow; others are computed from
/// the weights, the greatest of them as 0.
const SOUND: std::ops::Range<f64> = 1e-200..1e200;

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
    is_dirty: Vec<bool>,
    /// Sums of odds up to each move; sums of each decision and, for those out of range, the
    /// probabilities: working memory.
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
            is_dirty: Vec::new(),
            sums: Vec::new(),
            shares: Vec::new(),
        }
    }

    /// Makes it a table of so many cells, all with the same weight.
    pub fn reset(&mut self, cells: usize, weight: f64) {
        self.cells.clear();
        self.cells.resize(cells, Cell { weight, odds: math::exp(self.k * weight) });
        self.is_dirty.clear();
        self.is_dirty.resize(cells, false);
        self.dirty.clear();
    }

    /// Takes over the weights of another table.
    pub fn copy_from(&mut self, other: &Softmax) {
        self.cells.clone_from(&other.cells);
        self.is_dirty.clone_from(&other.is_dirty);
        self.dirty.clone_from(&other.dirty);
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
        self.cells.len() * (size_of::<Cell>() + size_of::<bool>())
    }

    /// Draws one of the moves with these cells; there must be one.
    #[inline]
    pub fn draw(&mut self, moves: &[u32], rng: &mut Rng) -> usize {
        if moves.len() < 2 {
            return 0;
        }
        self.sums.clear();
        let (mut sum, cells) = (0.0, &self.cells);
        self.sums.extend(moves.iter().map(|&cell| {
            sum += cells[cell as usize].odds;
            sum
        }));
        if !SOUND.contains(&sum) {
            return self.draw_shifted(moves, rng);
        }
        self.pick(rng.unit() * sum)
    }

    /// The first move up to which the odds add up to more than `target`.
    #[inline]
    fn pick(&self, target: f64) -> usize {
        // A count has no branch to guess wrong, and four comparisons at once.
        let below = self.sums.iter().map(|&sum| usize::from(sum <= target)).sum::<usize>();
        below.min(self.sums.len() - 1)
    }

    #[cold]
    fn draw_shifted(&mut self, moves: &[u32], rng: &mut Rng) -> usize {
        self.shares.clear();
        let mut sum = 0.0;
        self.shift(moves);
        self.sums.clear();
        self.sums.extend(self.shares.iter().map(|&share| {
            sum += share;
            sum
        }));
        self.pick(rng.unit() * sum)
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
        self.measure(trace, steps);
        let mut shifted = 0;
        for (decision, i) in trace.decisions().iter().zip(0..) {
            let Step { gain, rate } = steps[decision.seat as usize];
            if gain != 0.0 {
                self.cells[decision.chosen as usize].weight += gain;
                self.soil(decision.chosen);
            }
            if rate == 0.0 {
                continue;
            }
            let legal = trace.legal(decision);
            let sum = self.sums[i];
            if SOUND.contains(&sum) {
                for &cell in legal {
                    let entry = &mut self.cells[cell as usize];
                    entry.weight -= rate * (entry.odds / sum);
                    self.soil(cell);
                }
            } else {
                for &cell in legal {
                    self.cells[cell as usize].weight -= rate * self.shares[shifted];
                    self.soil(cell);
                    shifted += 1;
                }
            }
        }
        self.install();
    }

    /// Sums the odds at each decision that needs them, before any weight changes.
    fn measure(&mut self, trace: &Trace, steps: &[Step; MAX_PLAYERS]) {
        self.sums.clear();
        self.shares.clear();
        for decision in trace.decisions() {
            let mut sum = 0.0;
            if steps[decision.seat as usize].rate != 0.0 {
                let legal = trace.legal(decision);
                for &cell in legal {
                    sum += self.cells[cell as usize].odds;
                }
                if !SOUND.contains(&sum) {
                    self.shift(legal);
                }
            }
            self.sums.push(sum);
        }
    }

    /// Gives a cell a weight; its odds follow with the next [`install`](Softmax::install).
    #[inline]
    pub fn set(&mut self, cell: u32, weight: f64) {
        self.cells[cell as usize].weight = weight;
        self.soil(cell);
    }

    #[inline]
    fn soil(&mut self, cell: u32) {
        let is_dirty = &mut self.is_dirty[cell as usize];
        if !*is_dirty {
            *is_dirty = true;
            self.dirty.push(cell);
        }
    }

    /// Computes the odds of what has changed.
    pub fn install(&mut self) {
        for &cell in &self.dirty {
            let entry = &mut self.cells[cell as usize];
            entry.odds = math::exp(self.k * entry.weight);
            self.is_dirty[cell as usize] = false;
        }
        self.dirty.clear();
    }
}
