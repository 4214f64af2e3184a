//! Games for tests: trees written down ([`Literal`]) and trees made by hashing ([`Hashed`]).
//!
//! They are small, complete [`Game`](crate::Game)s whose true values can be computed by other means, so
//! every search is checked on them before it meets a real game.

mod duel;
mod hashed;
mod literal;
mod reader;

pub use duel::Duel;
pub use hashed::{Hashed, HashedEval, HashedOptions};
pub use literal::Literal;

use std::fmt;

/// A move in a synthetic tree: the child with this index. Prints counting from 1.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Branch(pub u16);

impl fmt::Display for Branch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", u32::from(self.0) + 1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check;

    #[test]
    fn literal_trees_conform() {
        let options = check::Options::quick();
        for (players, text) in [
            (1, "(3 ?(1:-2.5 9:(7 8)))"),
            (2, "(1 ?(3:(0 =) 1:0.25) 1(0 1))"),
            (3, "(2([1 0 0.5] [0 0 0]) (= ?(2:[1 1 1] 5:[0 1 0])))"),
            (5, "(= ([1 0 0 0 0] (= (= (= [0 0 0 0 1])))))"),
        ] {
            check::game(&Literal::new(players, text).unwrap(), &options).unwrap();
        }
        let game = Literal::two_player("((1 0) (= (0.25 (1 1 0))) 0)").unwrap();
        check::game(&game, &options).unwrap();
        check::two_player(&game, &options).unwrap();
    }

    #[test]
    fn hashed_trees_conform() {
        let options = check::Options::quick();
        for seed in 0..10u8 {
            let shape = HashedOptions {
                seed: u64::from(seed),
                players: 1 + seed % 5,
                chance: [0, 70][usize::from(seed / 5)],
                transpositions: seed % 3 == 0,
                ..Default::default()
            };
            check::game(&shape.root(), &options).unwrap();
            check::game(&shape.two_player(), &options).unwrap();
            check::two_player(&shape.two_player(), &options).unwrap();
        }
    }
}
