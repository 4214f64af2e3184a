//! The recursion: negamax with alpha-beta window, fail-soft, with table and move order.

use super::order::MoveStack;
use crate::score;
use crate::table::{Bound, Entry, Table};
use spielbaum_core::{Eval, Report, Task, TwoPlayer};

/// A score with its warrant.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Value {
    pub(super) score: i32,
    /// Whether no evaluation took part: a deeper search finds the same. It is true of the score
    /// as the bound it is, not only of exact values.
    ///
    /// Games with repetition need a second flag next to this one, for scores that rest on the
    /// path to the node; such scores must not enter the table.
    pub(super) settled: bool,
}

impl Value {
    /// The value for the other side.
    fn flip(self) -> Self {
        Value { score: -self.score, ..self }
    }
}

/// The window of scores a search has to tell apart.
#[derive(Clone, Copy)]
pub(super) struct Window {
    pub(super) alpha: i32,
    pub(super) beta: i32,
}

impl Window {
    /// Everything matters.
    pub(super) const OPEN: Window = Window { alpha: -score::INFINITE, beta: score::INFINITE };

    /// The window for the other side, above what is already had.
    fn flip(self, had: i32) -> Window {
        Window { alpha: -self.beta, beta: -self.alpha.max(had) }
    }

    fn bound(self, score: i32) -> Bound {
        if score >= self.beta {
            Bound::Lower
        } else if score <= self.alpha {
            Bound::Upper
        } else {
            Bound::Exact
        }
    }
}

/// A root move with what is known of it.
#[derive(Clone, Debug)]
pub(super) struct RootMove<M> {
    pub(super) mv: M,
    /// Plays below it and the one to it, in all iterations.
    pub(super) nodes: u64,
    /// Upper bound unless `exact`.
    pub(super) score: i32,
    pub(super) exact: bool,
    pub(super) settled: bool,
    /// The iteration that found the score; 0: none did.
    pub(super) depth: u32,
}

/// What a search keeps from one think to the next, to save allocations.
pub(super) struct Memory<M> {
    pub(super) table: Option<Table>,
    pub(super) moves: MoveStack<M>,
    /// The principal variation from each ply on.
    pub(super) pv: Vec<Vec<M>>,
}

/// One search of one position.
pub(super) struct Search<'a, 't, G: TwoPlayer> {
    pub(super) eval: &'a dyn Eval<G>,
    pub(super) memory: &'a mut Memory<G::Move>,
    pub(super) task: &'a mut Task<'t, G::Move>,
    /// Who moves at the root. Below, turns alternate: a finished game does not tell.
    pub(super) seat: usize,
    /// The report of the last completed depth, to be repeated while the next one takes long.
    pub(super) latest: Option<Report<G::Move>>,
}

impl<G: TwoPlayer> Search<'_, '_, G> {
    /// Searches the root moves in the order given; the best, if any is inside the window, has
    /// its line in `pv[0]`. `None` if the search was stopped; what was completed stays in `roots`.
    pub(super) fn root(
        &mut self,
        pos: &mut G,
        depth: u32,
        window: Window,
        roots: &mut [RootMove<G::Move>],
    ) -> Option<Value> {
        let mut best = Value { score: -score::INFINITE, settled: true };
        let mut code = None;
        self.memory.moves.clear();
        self.memory.pv[0].clear();
        for root in roots {
            let before = self.task.meter.nodes();
            let value = self.child(pos, root.mv, depth, 0, window.flip(best.score));
            root.nodes += self.task.meter.nodes() - before;
            let value = value?;
            root.score = value.score;
            root.exact = value.score > window.alpha.max(best.score) && value.score < window.beta;
            root.settled = value.settled;
            root.depth = depth;
            let settled = best.settled && value.settled;
            if value.score > best.score {
                best.score = value.score;
                if root.exact {
                    self.extend_pv(root.mv, 0);
                }
                if value.score > window.alpha {
                    code = Some(pos.code(root.mv));
                }
                if value.score >= window.beta {
                    best.settled = value.settled;
                    break;
                }
            }
            best.settled = settled;
        }
        best.settled |= score::is_decisive(best.score);
        let key = self.key(pos);
        self.store(key, depth, 0, window, best, code);
        Some(best)
    }

    /// The value of a position, a bound if it lies outside the window.
    fn negamax(&mut self, pos: &mut G, depth: u32, ply: u32, window: Window) -> Option<Value> {
        self.memory.pv[ply as usize].clear();
        if depth == 0 {
            return Some(if pos.is_over() {
                self.result(pos, ply)
            } else {
                Value { score: score::from_eval(self.eval.eval(pos)), settled: false }
            });
        }
        let key = self.key(pos);
        let mut hash = None;
        if let Some(entry) = self.probe(key) {
            let known = score::to_root(entry.score, ply);
            if usable(&entry, depth) && cuts(entry.bound, known, window) {
                return Some(Value { score: known, settled: entry.settled });
            }
            hash = entry.code;
        }

        let mut list = self.memory.moves.push(|out| pos.moves(out));
        if list.is_empty() {
            return Some(self.result(pos, ply));
        }
        let mut best = Value { score: -score::INFINITE, settled: true };
        let mut code = None;
        let mut first = hash.and_then(|hash| {
            self.memory.moves.promote(&mut list, |m| pos.code(m) == usize::from(hash))
        });
        let mut ranked = false;
        loop {
            let next = first.take().or_else(|| {
                if !ranked {
                    ranked = true;
                    self.memory.moves.rank(&mut list, |m| self.eval.order(pos, m));
                }
                self.memory.moves.next(&mut list)
            });
            let Some(m) = next else { break };
            let value = self.child(pos, m, depth, ply, window.flip(best.score))?;
            let settled = best.settled && value.settled;
            if value.score > best.score {
                best.score = value.score;
                if value.score >= window.beta {
                    // A lower bound needs the one move that gives it.
                    best.settled = value.settled;
                    code = Some(pos.code(m));
                    break;
                }
                if value.score > window.alpha {
                    code = Some(pos.code(m));
                    self.extend_pv(m, ply as usize);
                }
            }
            best.settled = settled;
        }
        self.memory.moves.pop(list);
        // A win or loss within the depth does not change with more depth.
        best.settled |= score::is_decisive(best.score);
        self.store(key, depth, ply, window, best, code);
        Some(best)
    }

    /// The value of a move for the player who makes it; `None` when the search is stopped.
    #[inline]
    fn child(
        &mut self,
        pos: &mut G,
        m: G::Move,
        depth: u32,
        ply: u32,
        window: Window,
    ) -> Option<Value> {
        if self.task.meter.is_stopped() {
            return None;
        }
        self.task.meter.node();
        if self.task.is_due() {
            self.repeat_report();
        }
        pos.explore(m, |next| self.negamax(next, depth - 1, ply + 1, window)).map(Value::flip)
    }

    /// The value of a finished game.
    fn result(&self, pos: &G, ply: u32) -> Value {
        let payoff = pos.payoffs()[(self.seat + ply as usize) % 2];
        Value { score: score::from_payoff(payoff, ply), settled: true }
    }

    /// The key of a position; some games compute it, so once a node is enough, and none
    /// without a table.
    fn key(&self, pos: &G) -> u64 {
        if self.memory.table.is_some() { pos.key() } else { 0 }
    }

    fn probe(&self, key: u64) -> Option<Entry> {
        self.memory.table.as_ref()?.probe(key)
    }

    fn store(
        &mut self,
        key: u64,
        depth: u32,
        ply: u32,
        window: Window,
        value: Value,
        code: Option<usize>,
    ) {
        if let Some(table) = &mut self.memory.table {
            let entry = Entry {
                score: score::to_node(value.score, ply),
                depth: depth as u8,
                bound: window.bound(value.score),
                settled: value.settled,
                code: code.and_then(|c| u16::try_from(c).ok()).filter(|&c| c < u16::MAX),
            };
            table.store(key, entry);
        }
    }

    fn extend_pv(&mut self, m: G::Move, ply: usize) {
        let (above, below) = self.memory.pv.split_at_mut(ply + 1);
        above[ply].clear();
        above[ply].push(m);
        above[ply].extend_from_slice(&below[0]);
    }

    /// The principal variation in `pv[0]`, continued by the table where an entry took the
    /// place of a search. Every move is legal and the score stays what it is along the line.
    pub(super) fn line(&mut self, root: &G, depth: u32, score: i32) -> Vec<G::Move> {
        let mut line = self.memory.pv[0].clone();
        let mut pos = root.clone();
        line.iter().for_each(|&m| pos.play(m));
        for ply in line.len() as u32..depth {
            let value = if ply % 2 == 0 { score } else { -score };
            let fits = |e: &Entry| {
                e.bound == Bound::Exact
                    && usable(e, depth - ply)
                    && score::to_root(e.score, ply) == value
            };
            let Some(code) = self.probe(self.key(&pos)).filter(fits).and_then(|e| e.code) else {
                break;
            };
            let mut list = self.memory.moves.push(|out| pos.moves(out));
            let m = self.memory.moves.promote(&mut list, |m| pos.code(m) == usize::from(code));
            self.memory.moves.pop(list);
            let Some(m) = m else { break };
            line.push(m);
            pos.play(m);
        }
        line
    }

    #[cold]
    fn repeat_report(&mut self) {
        if let Some(report) = &mut self.latest {
            report.nodes = self.task.meter.nodes();
            report.elapsed = self.task.meter.elapsed();
            self.task.publish(report);
        }
    }
}

/// Whether an entry holds for a search of this depth exactly as if it were searched again,
/// so that a search with a table finds what a search without one does: it has the same depth,
/// or more depth changes nothing.
fn usable(entry: &Entry, depth: u32) -> bool {
    let stored = u32::from(entry.depth);
    stored == depth
        || (entry.settled && stored < depth)
        || score::plies_to_end(entry.score).is_some_and(|plies| plies <= depth)
}

/// Whether a known bound answers the question the window asks.
fn cuts(bound: Bound, score: i32, window: Window) -> bool {
    match bound {
        Bound::Exact => true,
        Bound::Lower => score >= window.beta,
        Bound::Upper => score <= window.alpha,
    }
}
