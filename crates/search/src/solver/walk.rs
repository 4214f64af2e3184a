//! How a question is answered: can the first player force at least so much?
//!
//! A child answers it if the game is over there, if the [bounds](Game::margin_bounds) of the game do, or if
//! the table knows a range that does. What answered elsewhere at the same ply is searched at once; then
//! all children are looked at, before any of them is searched in the order of the evaluation.

use super::{Range, Ranges, Solver, at_once};
use spielbaum_core::{Game, Report, Task, Turn};

/// A ply of the way down.
pub(super) struct Level<M> {
    moves: Vec<M>,
    children: Vec<Child<M>>,
    /// What the game tells about moves without playing them.
    told: Vec<(i32, i32)>,
    /// Codes of moves that answered a question, the latest first.
    killers: [usize; KILLERS],
}

const KILLERS: usize = 4;

struct Child<M> {
    mv: M,
    range: Range,
    order: i32,
}

impl<M> Default for Level<M> {
    fn default() -> Self {
        Level {
            moves: Vec::new(),
            children: Vec::new(),
            told: Vec::new(),
            killers: [usize::MAX; KILLERS],
        }
    }
}

/// One question.
pub(super) struct Walk<'a, 't, G: Game> {
    solver: &'a mut Solver<G>,
    task: &'a mut Task<'t, G::Move>,
    /// What is repeated while it takes long.
    latest: &'a Report<G::Move>,
    chance: bool,
}

/// The side of a question that a player to move wants.
#[derive(Clone, Copy)]
struct Wish {
    target: i32,
    first: bool,
}

impl Wish {
    fn is_met(self, range: Range) -> bool {
        if self.first { range.low >= self.target } else { range.high < self.target }
    }

    fn is_hopeless(self, range: Range) -> bool {
        if self.first { range.high < self.target } else { range.low >= self.target }
    }
}

impl<'a, 't, G: Game> Walk<'a, 't, G> {
    pub(super) fn new(
        solver: &'a mut Solver<G>,
        task: &'a mut Task<'t, G::Move>,
        latest: &'a Report<G::Move>,
    ) -> Self {
        Walk { solver, task, latest, chance: false }
    }

    /// Whether chance acted somewhere, so that nothing can be proved.
    pub(super) fn met_chance(&self) -> bool {
        self.chance
    }

    /// A range of the root that lies on one side of the target, and the move that decided it, or the most
    /// stubborn one; `None` if the search is to stop.
    pub(super) fn root(
        &mut self,
        pos: &G,
        moves: &[G::Move],
        target: i32,
    ) -> Option<(Range, G::Move)> {
        self.decide(&mut pos.clone(), Some(moves), 0, target)
    }

    fn decide(
        &mut self,
        pos: &mut G,
        only: Option<&[G::Move]>,
        ply: usize,
        target: i32,
    ) -> Option<(Range, G::Move)> {
        let Turn::Player(seat) = pos.turn() else {
            self.chance = true;
            return None;
        };
        if self.task.is_due() {
            let (nodes, elapsed) = (self.task.meter.nodes(), self.task.meter.elapsed());
            self.task.publish(&Report { nodes, elapsed, ..self.latest.clone() });
        }
        let before = self.task.meter.nodes();
        let wish = Wish { target, first: seat == 0 };
        let key = pos.key();
        let mut level = self.take(ply);
        level.moves.clear();
        match only {
            Some(moves) => level.moves.extend_from_slice(moves),
            None => pos.moves(&mut level.moves),
        }
        let hint = self.solver.ranges.best(key);
        let found = self.among(pos, &mut level, hint, ply, wish);
        let answer = found.and_then(|decisive| match decisive {
            Some((range, m)) => {
                level.remember(pos.code(m));
                Some((wish.first, range, m))
            }
            // The best that any child leaves.
            None => {
                let children = level.children.iter();
                let best = match wish.first {
                    true => children.max_by_key(|c| c.range.high),
                    false => children.min_by_key(|c| c.range.low),
                };
                best.map(|c| (!wish.first, c.range, c.mv))
            }
        });
        self.solver.levels[ply] = level;
        let (is_low, range, best) = answer?;
        let range = match is_low {
            true => Range { low: range.low, ..Range::OPEN },
            false => Range { high: range.high, ..Range::OPEN },
        };
        // A choice among some of the moves says nothing about the position.
        if only.is_none_or(|only| only.len() == pos.count_moves()) {
            let work = self.task.meter.nodes() - before;
            self.solver.ranges.store(key, range, pos.code(best), work);
        }
        Some((range, best))
    }

    fn take(&mut self, ply: usize) -> Level<G::Move> {
        let levels = &mut self.solver.levels;
        if levels.len() <= ply {
            levels.resize_with(ply + 1, Level::default);
        }
        std::mem::take(&mut levels[ply])
    }

    /// Looks for a child that meets the wish of the player to move; `Some(None)` if there is none.
    fn among(
        &mut self,
        pos: &mut G,
        level: &mut Level<G::Move>,
        hint: Option<u16>,
        ply: usize,
        wish: Wish,
    ) -> Option<Option<(Range, G::Move)>> {
        let early = level.favourites_first(pos, hint);
        level.children.clear();
        for i in 0..early {
            let m = level.moves[i];
            let range = self.look(pos, m, wish)?;
            let range = if wish.is_met(range) || wish.is_hopeless(range) {
                range
            } else {
                self.child(pos, m, ply, wish)?.and(range)
            };
            if wish.is_met(range) {
                return Some(Some((range, m)));
            }
            level.children.push(Child { mv: m, range, order: 0 });
        }
        level.told.clear();
        let is_told = pos.margins_after(&level.moves[early..], &mut level.told);
        for i in early..level.moves.len() {
            let m = level.moves[i];
            let told = if is_told { level.told[i - early].into() } else { Range::OPEN };
            let range = if wish.is_met(told) || wish.is_hopeless(told) {
                told
            } else {
                self.look(pos, m, wish)?.and(told)
            };
            if wish.is_met(range) {
                return Some(Some((range, m)));
            }
            level.children.push(Child { mv: m, range, order: 0 });
        }
        let mut open: Vec<usize> = (0..level.children.len())
            .filter(|&i| !wish.is_hopeless(level.children[i].range))
            .collect();
        for &i in &open {
            let child = &mut level.children[i];
            let solver = &*self.solver;
            let before = pos.clone();
            child.order = pos.explore(child.mv, |next| solver.order(&before, next));
        }
        open.sort_by_key(|&i| std::cmp::Reverse(level.children[i].order));
        for i in open {
            let child = &mut level.children[i];
            child.range = self.child(pos, child.mv, ply, wish)?.and(child.range);
            if wish.is_met(child.range) {
                return Some(Some((child.range, child.mv)));
            }
        }
        Some(None)
    }

    /// What is known after a move without a search.
    fn look(&mut self, pos: &mut G, m: G::Move, wish: Wish) -> Option<Range> {
        if !self.task.meter.node() {
            return None;
        }
        let ranges = &self.solver.ranges;
        Some(pos.explore(m, |next| {
            let range = at_once(next);
            if wish.is_met(range) || wish.is_hopeless(range) {
                return range;
            }
            range.and(ranges.get(next.key()))
        }))
    }

    /// What a search finds after a move.
    fn child(&mut self, pos: &mut G, m: G::Move, ply: usize, wish: Wish) -> Option<Range> {
        if !self.task.meter.node() {
            return None;
        }
        let (range, _) = pos.explore(m, |next| self.decide(next, None, ply + 1, wish.target))?;
        Some(range)
    }
}

impl<M: Copy> Level<M> {
    /// Puts the move of the table and those that answered elsewhere first; how many they are.
    fn favourites_first<G: Game<Move = M>>(&mut self, pos: &G, hint: Option<u16>) -> usize {
        let mut early = 0;
        let mut favour = |moves: &mut [M], wanted: &dyn Fn(usize) -> bool| {
            if let Some(i) = (early..moves.len()).find(|&i| wanted(pos.code(moves[i]))) {
                moves.swap(early, i);
                early += 1;
            }
        };
        if let Some(hint) = hint {
            favour(&mut self.moves, &|code| Ranges::short(code) == hint);
        }
        for killer in self.killers {
            if killer != usize::MAX {
                favour(&mut self.moves, &|code| code == killer);
            }
        }
        early
    }

    fn remember(&mut self, code: usize) {
        let last = self.killers.iter().position(|&k| k == code).unwrap_or(KILLERS - 1);
        self.killers[..=last].rotate_right(1);
        self.killers[0] = code;
    }
}
