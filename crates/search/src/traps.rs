//! Search traps: moves after which the opponent wins by force within a few plies.
//!
//! Ramanujan, Sabharwal and Selman (On Adversarial Search Spaces and Sampling-Based Planning,
//! ICAPS 2010): a position is *at risk* if one of its moves leads to a position in which the
//! opponent can force a win within k plies; that position is a **level-k search trap**. Baier
//! and Winands (2014) count them, each at its lowest level, to explain where Monte-Carlo search
//! fails: a tree that grows where the means are good sees the one refutation late.
//!
//! Here a trap must be avoidable: at a level where every move of a position loses that soon,
//! there is nothing to step into. So what counts at a level does not depend on how much deeper
//! one looks. A move that ends the game in the mover's own loss is no trap, it hides nothing.

use spielbaum_core::{Game, TwoPlayer};

/// A move into a trap.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Trap<M> {
    /// The move.
    pub mv: M,
    /// In how many plies at most the opponent wins after it, at best: 1, 3, 5, …
    pub level: u32,
}

/// The traps of a position.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Traps<M> {
    /// By level and then in the order of generation.
    pub traps: Vec<Trap<M>>,
    /// Whether every move loses within the highest level: who sees that may step into a trap
    /// as well as not.
    pub is_lost: bool,
}

/// The moves of a position that are traps of a level up to `levels`. Levels are odd, the opponent makes the last move.
///
/// ```
/// use spielbaum_core::synthetic::Literal;
/// use spielbaum_search::traps::traps;
/// // A draw; a move that the second player refutes at once; one where it takes three plies.
/// let mut game = Literal::two_player("(= (1 0) (1 ((1 0) (0 =))))").unwrap();
/// let found = traps(&mut game, 3);
/// let levels: Vec<u32> = found.traps.iter().map(|t| t.level).collect();
/// assert_eq!(levels, [1, 3]);
/// assert!(!found.is_lost);
/// ```
pub fn traps<G: TwoPlayer>(pos: &mut G, levels: u32) -> Traps<G::Move> {
    let mut found = Vec::new();
    let mut moves = Vec::new();
    pos.moves(&mut moves);
    let (false, Some(seat)) = (moves.is_empty(), pos.turn().player()) else {
        return Traps { traps: found, is_lost: false };
    };
    let opponent = seat ^ 1;
    // What is not lost so far.
    moves.retain(|&m| pos.explore(m, |next| !is_won(next, opponent)));
    let mut search = Search { stack: Vec::new(), scratch: Vec::new() };
    for level in (1..=levels).step_by(2) {
        let before = found.len();
        moves.retain(|&mv| {
            let wins = pos.explore(mv, |next| search.wins(next, opponent, level));
            if wins {
                found.push(Trap { mv, level });
            }
            !wins
        });
        if moves.is_empty() {
            // Nothing avoids the loss.
            found.truncate(before);
            break;
        }
    }
    Traps { traps: found, is_lost: moves.is_empty() }
}

/// Whether the game is over and won by `seat`.
fn is_won<G: Game>(pos: &G, seat: usize) -> bool {
    pos.payoffs()[seat] == 1.0 && pos.is_over()
}

/// An exact and/or search, depth first; one stack of moves for all levels.
struct Search<G: Game> {
    stack: Vec<G::Move>,
    scratch: Vec<G::Move>,
}

impl<G: Game> Search<G> {
    /// Whether `seat`, who is to move, wins by force within `plies`, an odd number.
    fn wins(&mut self, pos: &mut G, seat: usize, plies: u32) -> bool {
        if pos.is_over() {
            return pos.payoffs()[seat] == 1.0;
        }
        if pos.winning_move(&mut self.scratch).is_some() {
            return true;
        }
        plies >= 3
            && self.first(pos, |search, next| !search.escapes(next, seat, plies - 1)).is_some()
    }

    /// Whether the player to move has a way not to lose to `winner` within `plies`.
    fn escapes(&mut self, pos: &mut G, winner: usize, plies: u32) -> bool {
        if pos.is_over() {
            return pos.payoffs()[winner] != 1.0;
        }
        pos.winning_move(&mut self.scratch).is_some()
            || self.first(pos, |search, next| !search.wins(next, winner, plies - 1)).is_some()
    }

    /// The first move after which something holds.
    fn first(
        &mut self,
        pos: &mut G,
        mut holds: impl FnMut(&mut Self, &mut G) -> bool,
    ) -> Option<G::Move> {
        let first = self.stack.len();
        pos.moves(&mut self.stack);
        let end = self.stack.len();
        let found = (first..end).find(|&i| {
            let m = self.stack[i];
            pos.explore(m, |next| holds(self, next))
        });
        let found = found.map(|i| self.stack[i]);
        self.stack.truncate(first);
        found
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use spielbaum_core::Rng;
    use spielbaum_core::synthetic::{HashedOptions, Literal};
    use spielbaum_games::gomoku::Gomoku;
    use spielbaum_games::lion::{Lion, Rules};

    fn of_tree(tree: &str, levels: u32) -> Vec<(String, u32)> {
        named(&mut Literal::two_player(tree).unwrap(), levels)
    }

    fn named<G: TwoPlayer>(pos: &mut G, levels: u32) -> Vec<(String, u32)> {
        traps(pos, levels).traps.iter().map(|t| (t.mv.to_string(), t.level)).collect()
    }

    fn pairs(expected: &[(&str, u32)]) -> Vec<(String, u32)> {
        expected.iter().map(|&(m, level)| (m.to_string(), level)).collect()
    }

    #[test]
    fn traps_of_literal_trees() {
        // The second move is refuted at once, the others not.
        assert_eq!(of_tree("(= (1 0) (1 =))", 1), pairs(&[("2", 1)]));
        // The end of the game is in nobody's hands any more.
        assert_eq!(of_tree("1", 5), []);
        // A loss by the mover's own move is no trap, and no way out either.
        assert_eq!(of_tree("(0 (1 0))", 3), []);
        assert_eq!(of_tree("(0 (1 0) 1)", 3), pairs(&[("2", 1)]));
        // Lost anyway: at level 1 everything loses.
        assert_eq!(of_tree("((1 0) (0 =))", 3), []);
    }

    #[test]
    fn what_counts_at_a_level_does_not_depend_on_deeper_ones() {
        // The second move loses as well, but not as soon.
        let tree = "((1 0) (1 ((1 0) (0 =))))";
        for levels in [1, 2, 3, 5] {
            assert_eq!(of_tree(tree, levels), pairs(&[("1", 1)]), "{levels}");
            let mut pos = Literal::two_player(tree).unwrap();
            assert_eq!(traps(&mut pos, levels).is_lost, levels >= 3, "{levels}");
        }
    }

    #[test]
    fn a_win_that_is_given_by_the_loser_counts() {
        // After the second move the first player can only end the game by losing it.
        assert_eq!(of_tree("(= (1 (0 0)))", 3), pairs(&[("2", 3)]));
        assert_eq!(of_tree("(= (1 (0 0)))", 1), []);
    }

    /// Plies to the forced win of `winner`, by plain minimax.
    fn distance<G: TwoPlayer>(pos: &G, winner: usize, plies: u32) -> Option<u32> {
        if pos.is_over() {
            return (pos.payoffs()[winner] == 1.0).then_some(0);
        }
        if plies == 0 {
            return None;
        }
        let mut moves = Vec::new();
        pos.moves(&mut moves);
        let values = moves.iter().map(|&m| {
            let mut next = pos.clone();
            next.play(m);
            distance(&next, winner, plies - 1).map(|d| d + 1)
        });
        if pos.turn().player() == Some(winner) {
            values.flatten().min()
        } else {
            values.collect::<Option<Vec<u32>>>()?.into_iter().max()
        }
    }

    /// The definition, word by word.
    fn defined<G: TwoPlayer>(pos: &G, levels: u32) -> Vec<(String, u32)> {
        let opponent = pos.turn().player().unwrap() ^ 1;
        let mut moves = Vec::new();
        pos.moves(&mut moves);
        let lost = moves.iter().map(|&m| {
            let mut next = pos.clone();
            next.play(m);
            // An even distance is a loss by one's own move, seen at the next odd level.
            (m, distance(&next, opponent, levels).map(|d| if d == 0 { 0 } else { d | 1 }))
        });
        let lost: Vec<_> = lost.collect();
        let mut found = Vec::new();
        for level in (1..=levels).step_by(2) {
            if lost.iter().any(|(_, d)| d.is_none_or(|d| d > level)) {
                let here = lost.iter().filter(|(_, d)| *d == Some(level));
                found.extend(here.map(|(m, _)| (m.to_string(), level)));
            }
        }
        found
    }

    #[test]
    fn the_search_is_the_definition() {
        let mut by_level = [0; 6];
        for seed in 0..2000 {
            let options = HashedOptions { seed, ending: 60, ..Default::default() };
            let mut pos = options.two_player();
            let found = named(&mut pos, 5);
            assert_eq!(found, defined(&pos, 5), "{seed}");
            found.iter().for_each(|&(_, level)| by_level[level as usize] += 1);
        }
        assert!(by_level[1] > 100 && by_level[3] > 20 && by_level[5] > 5, "{by_level:?}");
        // Real rules, with histories and fast ways to see a win.
        let mut rng = Rng::new(5);
        let mut count = 0;
        for preset in Rules::PRESETS {
            for plies in 4..30 {
                let mut pos = Lion::new(preset.rules);
                pos.playout(plies, &mut rng, &mut Vec::new());
                if !pos.is_over() {
                    let found = named(&mut pos, 3);
                    assert_eq!(found, defined(&pos, 3), "{pos}");
                    count += found.len();
                }
            }
        }
        assert!(count > 50, "{count}");
    }

    #[test]
    fn a_lion_in_check_has_to_answer() {
        // The hen gives check from b3; whatever leaves the lion on b4 and the hen on b3 is a trap.
        let start = Lion::new(Rules::OFFICIAL);
        let mut pos = start.parse("gle/1+C1/3/ELG[] b").unwrap();
        let mut moves = Vec::new();
        pos.moves(&mut moves);
        let found = named(&mut pos, 1);
        assert!(!found.is_empty() && found.len() < moves.len(), "{found:?}");
        for m in moves {
            let mut next = pos.clone();
            next.play(m);
            let loses = next.winning_move(&mut Vec::new()).is_some();
            assert_eq!(found.contains(&(m.to_string(), 1)), loses, "{m}");
        }
        assert!(!found.contains(&("b4b3".to_string(), 1)), "taking the hen is safe");
    }

    #[test]
    fn tic_tac_toe_threats_must_be_met() {
        // X has two in the bottom row: all but the blocking c1 lose at once.
        let mut pos = Gomoku::new(3, 3, 3).unwrap().parse("3/1O1/XX1 o").unwrap();
        let found = named(&mut pos, 3);
        assert_eq!(found.len(), 5, "{found:?}");
        assert!(found.iter().all(|(m, level)| m != "c1" && *level == 1), "{found:?}");
        // X holds two opposite corners: a corner is answered by a fork, which wins in three plies.
        let start = Gomoku::new(3, 3, 3).unwrap();
        let mut pos = start.parse("2X/1O1/X2 o").unwrap();
        let corners = named(&mut pos, 3);
        assert_eq!(corners, pairs(&[("c1", 3), ("a3", 3)]));
    }
}
