//! Which move is searched first: the stack of move lists of a depth-first search.

use spielbaum_core::Hint;

/// The moves of all open nodes, one list after the other, so that no node allocates.
pub(super) struct MoveStack<M> {
    moves: Vec<M>,
    /// The moves of those nodes that had to rank theirs.
    ranked: Vec<Ranked<M>>,
    hints: Vec<Hint>,
}

#[derive(Clone, Copy)]
struct Ranked<M> {
    /// The rank above, below it the position in the list of the game from its end: larger is
    /// earlier, and equals keep the order of the game.
    place: i64,
    mv: M,
}

/// The moves of one node: a range of the stack.
#[derive(Clone, Copy)]
pub(super) struct List {
    first: usize,
    end: usize,
    /// The next move to search.
    next: usize,
    /// Moves before this one are in order.
    sorted: usize,
    /// Moves from this one on are ranked: the last ones of `MoveStack::ranked`.
    unranked: usize,
    /// What [`Eval::ordered`](spielbaum_core::Eval::ordered) is to be asked for when all moves
    /// are searched.
    pub(super) portion: Option<u32>,
}

/// So many moves are selected one by one; a node that is not cut by then is likely to search
/// all its moves, and sorting the rest is cheaper.
const SELECTED: usize = 4;

impl List {
    pub(super) fn is_empty(&self) -> bool {
        self.first == self.end
    }

    /// Whether all moves listed so far are searched.
    pub(super) fn is_searched(&self) -> bool {
        self.next == self.end
    }

    /// Whether the next move is known.
    #[inline]
    pub(super) fn is_ready(&self) -> bool {
        self.next < self.sorted
    }

    fn is_ranked(&self) -> bool {
        self.unranked < self.end
    }
}

impl<M: Copy + Eq> MoveStack<M> {
    pub(super) fn new() -> Self {
        MoveStack { moves: Vec::new(), ranked: Vec::new(), hints: Vec::new() }
    }

    pub(super) fn clear(&mut self) {
        self.moves.clear();
        self.ranked.clear();
    }

    /// Puts the moves of a node on top of the stack, to be ranked.
    #[inline]
    pub(super) fn push(&mut self, generate: impl FnOnce(&mut Vec<M>)) -> List {
        let first = self.moves.len();
        generate(&mut self.moves);
        let end = self.moves.len();
        List { first, end, next: first, sorted: first, unranked: end, portion: None }
    }

    /// Adds moves to the top list, and takes all for ordered.
    #[inline]
    pub(super) fn append(&mut self, list: &mut List, generate: impl FnOnce(&mut Vec<M>)) {
        generate(&mut self.moves);
        list.end = self.moves.len();
        (list.sorted, list.unranked) = (list.end, list.end);
    }

    /// Takes the top list off.
    #[inline]
    pub(super) fn pop(&mut self, list: List) {
        self.moves.truncate(list.first);
        self.ranked.truncate(self.ranked.len() - (list.end - list.unranked));
    }

    /// Puts the first move that fits before the others, which are still to be ranked.
    pub(super) fn promote(&mut self, list: &mut List, fits: impl Fn(M) -> bool) -> Option<M> {
        let moves = &mut self.moves[list.first..list.end];
        let at = moves.iter().position(|&m| fits(m))?;
        moves[..=at].rotate_right(1);
        list.sorted = list.sorted.max(list.first + 1);
        Some(moves[0])
    }

    /// The next move to search, which must be ready.
    #[inline]
    pub(super) fn next(&mut self, list: &mut List) -> M {
        list.next += 1;
        self.moves[list.next - 1]
    }

    /// Makes the next move ready; ranks the moves not searched yet before, if that was not done,
    /// by hints on all of them. Larger is earlier.
    pub(super) fn arrange(
        &mut self,
        list: &mut List,
        hints: impl FnOnce(&[M], &mut Vec<Hint>),
        rank: impl Fn(M, Hint) -> i32,
    ) {
        if !list.is_ranked() {
            self.rank(list, hints, rank);
            if list.is_ready() {
                return;
            }
        }
        let unsearched = list.end - list.next;
        let first = self.ranked.len() - unsearched;
        let rest = &mut self.ranked[first..];
        if list.next - list.first < SELECTED {
            let (mut best, mut most) = (0, i64::MIN);
            for (i, r) in rest.iter().enumerate() {
                if r.place > most {
                    (best, most) = (i, r.place);
                }
            }
            rest.swap(0, best);
            list.sorted = list.next + 1;
        } else {
            rest.sort_unstable_by_key(|r| std::cmp::Reverse(r.place));
            list.sorted = list.end;
        }
        let ready = &mut self.moves[list.next..list.sorted];
        ready.iter_mut().zip(rest).for_each(|(m, r)| *m = r.mv);
    }

    fn rank(
        &mut self,
        list: &mut List,
        hints: impl FnOnce(&[M], &mut Vec<Hint>),
        rank: impl Fn(M, Hint) -> i32,
    ) {
        let rest = &self.moves[list.next..list.end];
        self.hints.clear();
        hints(rest, &mut self.hints);
        list.unranked = list.next;
        let places = (0..rest.len() as i64).rev();
        let moves = rest.iter().zip(&self.hints).zip(places);
        let mut last = i64::MAX;
        let mut sorted = true;
        self.ranked.extend(moves.map(|((&mv, &hint), place)| {
            let place = i64::from(rank(mv, hint)) << 32 | place;
            sorted &= place < last;
            last = place;
            Ranked { place, mv }
        }));
        // Without an order there is nothing to select.
        if sorted {
            list.sorted = list.end;
        }
    }

    /// The rank of the move that was taken last; a promoted move has rank 0.
    #[inline]
    pub(super) fn last_rank(&self, list: &List) -> i32 {
        let last = list.next - 1;
        if last < list.unranked {
            return 0;
        }
        let first = self.ranked.len() - (list.end - list.unranked);
        (self.ranked[first + last - list.unranked].place >> 32) as i32
    }

    /// The moves already searched but the last, with their ranks; a promoted move has rank 0.
    pub(super) fn before_last(&self, list: &List) -> impl Iterator<Item = (M, i32)> {
        let last = list.next.saturating_sub(1).max(list.first);
        let ranked = last.saturating_sub(list.unranked);
        let first = self.ranked.len() - (list.end - list.unranked);
        let promoted = &self.moves[list.first..last - ranked];
        let ranked = &self.ranked[first..first + ranked];
        let ranked = ranked.iter().map(|r| (r.mv, (r.place >> 32) as i32));
        promoted.iter().map(|&m| (m, 0)).chain(ranked)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use spielbaum_core::Rng;

    #[test]
    fn the_order_is_that_of_a_stable_sort() {
        let mut rng = Rng::new(1);
        let mut stack = MoveStack::new();
        for n in 0..40usize {
            let ranks: Vec<i32> = (0..n).map(|_| rng.below(6) as i32).collect();
            let hash = rng.below(n + 1);
            let mut list = stack.push(|out| out.extend(0..n));
            let mut found = Vec::new();
            if stack.promote(&mut list, |m| m == hash).is_some() {
                found.push(stack.next(&mut list));
            }
            // A list on top does not disturb the one below.
            let top = stack.push(|out| out.extend(0..9));
            stack.pop(top);
            let hint = |&m: &usize| Hint { order: ranks[m], noisy: false };
            let hints = |moves: &[usize], out: &mut Vec<Hint>| out.extend(moves.iter().map(hint));
            while !list.is_searched() {
                if !list.is_ready() {
                    stack.arrange(&mut list, hints, |_, hint| hint.order);
                }
                found.push(stack.next(&mut list));
            }
            let ranked = |&m: &usize| (m, if m == hash { 0 } else { ranks[m] });
            let searched: Vec<_> = found.iter().rev().skip(1).rev().map(ranked).collect();
            assert!(stack.before_last(&list).eq(searched));
            stack.pop(list);
            let mut expected: Vec<usize> = (0..n).collect();
            expected.sort_by_key(|&m| (m != hash, -ranks[m]));
            assert_eq!(found, expected);
        }
    }
}
