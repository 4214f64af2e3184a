//! Which move is searched first: the stack of move lists of a depth-first search.

/// The moves of all open nodes, one list after the other, so that no node allocates.
pub(super) struct MoveStack<M> {
    ranked: Vec<Ranked<M>>,
    /// Where the game writes the moves of one node.
    generated: Vec<M>,
}

#[derive(Clone, Copy)]
struct Ranked<M> {
    /// The rank above, below it the position in the list of the game from its end: larger is
    /// earlier, and equals keep the order of the game.
    place: i64,
    mv: M,
}

impl<M> Ranked<M> {
    fn rank(&self) -> i32 {
        (self.place >> 32) as i32
    }

    fn set_rank(&mut self, rank: i32) {
        self.place = i64::from(rank) << 32 | self.place & 0xffff_ffff;
    }
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
}

/// So many moves are selected one by one; a node that is not cut by then is likely to search
/// all its moves, and sorting the rest is cheaper.
const SELECTED: usize = 4;

impl List {
    pub(super) fn is_empty(&self) -> bool {
        self.first == self.end
    }
}

impl<M: Copy + Eq> MoveStack<M> {
    pub(super) fn new() -> Self {
        MoveStack { ranked: Vec::new(), generated: Vec::new() }
    }

    pub(super) fn clear(&mut self) {
        self.ranked.clear();
    }

    /// Puts the moves of a node on top of the stack.
    pub(super) fn push(&mut self, generate: impl FnOnce(&mut Vec<M>)) -> List {
        self.generated.clear();
        generate(&mut self.generated);
        let first = self.ranked.len();
        let numbered = (0..self.generated.len() as i64).rev().zip(&self.generated);
        self.ranked.extend(numbered.map(|(place, &mv)| Ranked { place, mv }));
        List { first, end: self.ranked.len(), next: first, sorted: self.ranked.len() }
    }

    /// Takes the top list off.
    pub(super) fn pop(&mut self, list: List) {
        self.ranked.truncate(list.first);
    }

    /// Takes the first unsearched move that fits to the front, and out of the order.
    pub(super) fn promote(&mut self, list: &mut List, fits: impl Fn(M) -> bool) -> Option<M> {
        let rest = &mut self.ranked[list.next..list.end];
        let at = rest.iter().position(|r| fits(r.mv))?;
        rest[..=at].rotate_right(1);
        list.next += 1;
        Some(rest[0].mv)
    }

    /// Ranks the moves not searched yet; larger is earlier.
    pub(super) fn rank(&mut self, list: &mut List, rank: impl Fn(M) -> i32) {
        let rest = &mut self.ranked[list.next..list.end];
        for r in rest.iter_mut() {
            r.set_rank(rank(r.mv));
        }
        // Without an order there is nothing to select.
        let sorted = rest.is_sorted_by_key(|r| std::cmp::Reverse(r.place));
        list.sorted = if sorted { list.end } else { list.next };
    }

    /// The moves already searched but the last, with their ranks; a promoted move has rank 0.
    pub(super) fn before_last(&self, list: &List) -> impl Iterator<Item = (M, i32)> {
        let end = list.next.saturating_sub(1).max(list.first);
        self.ranked[list.first..end].iter().map(|r| (r.mv, r.rank()))
    }

    /// The next move to search.
    #[inline]
    pub(super) fn next(&mut self, list: &mut List) -> Option<M> {
        if list.next >= list.end {
            return None;
        }
        if list.next >= list.sorted {
            self.arrange(list);
        }
        let m = self.ranked[list.next].mv;
        list.next += 1;
        Some(m)
    }

    /// Brings the best unsearched move to the front, or all of them into order.
    fn arrange(&mut self, list: &mut List) {
        let rest = &mut self.ranked[list.next..list.end];
        if list.next - list.first < SELECTED {
            let (mut best, mut most) = (0, i64::MIN);
            for (i, r) in rest.iter().enumerate() {
                if r.place > most {
                    (best, most) = (i, r.place);
                }
            }
            rest.swap(0, best);
        } else {
            rest.sort_unstable_by_key(|r| std::cmp::Reverse(r.place));
            list.sorted = list.end;
        }
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
            let mut found: Vec<usize> =
                stack.promote(&mut list, |m| m == hash).into_iter().collect();
            // A list on top does not disturb the one below.
            let top = stack.push(|out| out.extend(0..9));
            stack.pop(top);
            stack.rank(&mut list, |m| ranks[m]);
            found.extend(std::iter::from_fn(|| stack.next(&mut list)));
            stack.pop(list);
            let mut expected: Vec<usize> = (0..n).collect();
            expected.sort_by_key(|&m| (m != hash, -ranks[m]));
            assert_eq!(found, expected);
        }
    }
}
