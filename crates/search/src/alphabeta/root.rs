//! The root: one iteration by each method.

use super::config::{Guess, Method};
use super::search::Search;
use super::value::{Taint, Value, Window};
use crate::score;
use crate::table::Bound;
use spielbaum_core::TwoPlayer;

/// A root move with what is known of it.
#[derive(Clone, Debug)]
pub(super) struct RootMove<M> {
    pub(super) mv: M,
    /// Plays below it and the one to it, in all iterations.
    pub(super) nodes: u64,
    pub(super) score: i32,
    pub(super) bound: Bound,
    pub(super) settled: bool,
    /// The iteration that found the score; 0: none did.
    pub(super) depth: u32,
}

/// The values of the completed depths, for the guesses of the next.
#[derive(Default)]
pub(super) struct Values(Vec<i32>);

impl Values {
    pub(super) fn push(&mut self, score: i32) {
        self.0.push(score);
    }

    /// The value so many depths ago, 0 if there was none.
    fn ago(&self, depths: usize) -> i32 {
        self.0.len().checked_sub(depths).map_or(0, |i| self.0[i])
    }
}

/// Half the first window of a selective search.
const ASPIRATION: i32 = 30;

impl<G: TwoPlayer> Search<'_, '_, G> {
    /// Searches all root moves to a depth; the index of the best is in `best`. `None` if the
    /// search was stopped; what was completed stays in `roots`.
    pub(super) fn iteration(
        &mut self,
        pos: &mut G,
        depth: u32,
        roots: &mut [RootMove<G::Move>],
        values: &Values,
    ) -> Option<Value> {
        self.depth = depth;
        self.best = None;
        match self.config.method {
            Method::Mtdf => {
                let guess = match self.config.guess {
                    Guess::Previous => values.ago(1),
                    Guess::Parity => values.ago(2),
                };
                let step = self.config.step.max(1);
                let mut best = None;
                let value = mtdf(guess, step, |window| {
                    let before = roots.to_vec();
                    let value = self.pass(pos, window, roots)?;
                    if value.score > window.alpha {
                        best = self.best;
                    }
                    if value.score >= window.beta {
                        // What all moves can have at most, a search that fails low tells.
                        for (root, before) in roots.iter_mut().zip(before) {
                            *root = RootMove { nodes: root.nodes, ..before };
                        }
                    }
                    Some(value)
                });
                self.best = best.filter(|_| value.is_some());
                let value = value?;
                // The last search that failed high was won by the best move.
                if let Some(best) = best {
                    let best = &mut roots[best];
                    (best.score, best.bound, best.depth) = (value.score, Bound::Exact, depth);
                    best.settled = value.settled;
                }
                Some(value)
            }
            Method::Minimax => self.pass(pos, Window::OPEN, roots),
            Method::AlphaBeta | Method::Pvs => {
                let usual = if self.is_selective { ASPIRATION } else { 0 };
                let mut half = self.config.aspiration.unwrap_or(usual);
                if half == 0 || depth == 1 {
                    return self.pass(pos, Window::OPEN, roots);
                }
                let guess = values.ago(1);
                let mut window = Window { alpha: guess - half, beta: guess + half };
                let mut high: Option<(usize, i32)> = None;
                loop {
                    // Wins and losses have no neighbourhood.
                    if score::is_decisive(window.alpha) {
                        window.alpha = Window::OPEN.alpha;
                    }
                    if score::is_decisive(window.beta) {
                        window.beta = Window::OPEN.beta;
                    }
                    let Some(value) = self.pass(pos, window, roots) else {
                        let high = high.filter(|_| self.is_selective);
                        self.best = keep_high(self.best, high, depth, roots);
                        return None;
                    };
                    let failed = value.score >= window.beta;
                    high = self.best.filter(|_| failed).map(|best| (best, value.score));
                    half = half.saturating_mul(4).min(score::INFINITE);
                    if value.score <= window.alpha {
                        window.alpha = value.score - half;
                    } else if value.score >= window.beta {
                        window.beta = value.score + half;
                    } else {
                        return Some(value);
                    }
                }
            }
        }
    }

    /// Searches the root moves in the order given; the best, if any is inside the window, has
    /// its line in `pv[0]`. Lower bounds of moves are not kept.
    fn pass(
        &mut self,
        pos: &mut G,
        window: Window,
        roots: &mut [RootMove<G::Move>],
    ) -> Option<Value> {
        let depth = self.depth;
        let plain = self.is_plain();
        let mut best = Value::NONE;
        let mut code = None;
        self.best = None;
        self.memory.moves.clear();
        self.memory.pv[0].clear();
        for (i, root) in roots.iter_mut().enumerate() {
            let before = self.task.meter.nodes();
            let value = if self.is_selective {
                self.root_move(pos, root.mv, i as u32, window, best.score)
            } else if plain {
                self.scout::<true>(pos, root.mv, depth, 0, window, best.score)
            } else {
                self.scout::<false>(pos, root.mv, depth, 0, window, best.score)
            };
            root.nodes += self.task.meter.nodes() - before;
            let value = value?;
            let had = window.alpha.max(best.score);
            if value.score < window.beta {
                root.score = value.score;
                let exact = value.score > had || self.config.method == Method::Minimax;
                root.bound = if exact { Bound::Exact } else { Bound::Upper };
                root.settled = value.settled;
                root.depth = depth;
            }
            if best.improve(value, window.beta) && value.score > window.alpha {
                self.best = Some(i);
                code = Some(pos.code(root.mv));
                if value.score >= window.beta {
                    break;
                }
                self.extend_pv(root.mv, depth, 0);
            }
        }
        let best = best.seal();
        if !self.restricted {
            let key = self.key(pos, 0);
            self.store(key, depth, 0, window, best, code);
        }
        Some(best)
    }
}

/// The best move when the search that should tell how good a move is that failed high was stopped:
/// that one, unless the search had found a move at least as good. It keeps what it is worth at least.
fn keep_high<M>(
    best: Option<usize>,
    high: Option<(usize, i32)>,
    depth: u32,
    roots: &mut [RootMove<M>],
) -> Option<usize> {
    let Some((at, score)) = high else { return best };
    if best.is_some_and(|best| roots[best].score >= score) {
        return best;
    }
    let root = &mut roots[at];
    (root.score, root.bound, root.settled, root.depth) = (score, Bound::Lower, false, depth);
    Some(at)
}

/// MTD(f) from a first guess, by a search that answers for a window; `None` when that does.
fn mtdf(guess: i32, step: i32, mut search: impl FnMut(Window) -> Option<Value>) -> Option<Value> {
    // Two bounds, and what each of them rests on.
    let mut low = Value { score: -score::INFINITE, settled: true, taint: Taint::Free };
    let mut high = Value { score: score::INFINITE, ..low };
    let mut g = guess;
    loop {
        let beta = if g == low.score { g + step } else { g };
        let window = Window::below(beta, step);
        let value = search(window)?;
        g = value.score;
        match window.bound(g) {
            Bound::Exact => return Some(value),
            Bound::Upper => high = value,
            Bound::Lower => low = value,
        }
        if low.score >= high.score {
            let settled = low.settled && high.settled;
            return Some(Value { score: g, settled, taint: low.taint.max(high.taint) }.seal());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The paper's worked example: guess 1, the search for 1 gives 3, the search for 4 gives 3.
    #[test]
    fn mtdf_finds_three_in_two_searches() {
        let mut asked = Vec::new();
        let value = mtdf(1, 1, |window| {
            asked.push((window.alpha, window.beta));
            Some(Value { score: 3, settled: false, taint: Taint::Free })
        });
        assert_eq!(value.map(|v| v.score), Some(3));
        assert_eq!(asked, [(0, 1), (3, 4)]);
    }

    /// The second move failed high at 50; what the stopped search found of the first may be less.
    #[test]
    fn what_failed_high_stays_the_best() {
        let root = |score| RootMove {
            mv: score,
            nodes: 1,
            score,
            bound: Bound::Exact,
            settled: false,
            depth: 5,
        };
        for (found, best, score) in [(None, 1, 50), (Some(20), 1, 50), (Some(60), 0, 60)] {
            let mut roots = [root(found.unwrap_or(10)), root(-30)];
            let kept = keep_high(found.map(|_| 0), Some((1, 50)), 6, &mut roots);
            assert_eq!(kept, Some(best));
            assert_eq!(roots[best].score, score);
            assert_eq!(roots[1].depth, if best == 1 { 6 } else { 5 });
            assert_eq!(roots[1].bound, if best == 1 { Bound::Lower } else { Bound::Exact });
        }
        assert_eq!(keep_high(None, None, 6, &mut [root(10)]), None);
    }

    #[test]
    fn mtdf_finds_every_value_from_every_guess() {
        for truth in -30..=30 {
            for guess in -30..=30 {
                for step in [1, 2, 7] {
                    // A search that fails soft by as little as it may, and by as much.
                    for slack in 0..3 {
                        let search = |w: Window| {
                            let score = match w.bound(truth) {
                                Bound::Lower => truth.min(w.beta + slack),
                                Bound::Upper => truth.max(w.alpha - slack),
                                Bound::Exact => truth,
                            };
                            Some(Value { score, settled: false, taint: Taint::Free })
                        };
                        let found = mtdf(guess, step, search).map(|v| v.score);
                        assert_eq!(found, Some(truth), "guess {guess}, step {step}");
                    }
                }
            }
        }
    }
}
