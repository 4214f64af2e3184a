//! How sure each comparison of a claim has to be.

use crate::stats::Level;

/// How sure a rule has to be to be confirmed, and to be refuted.
///
/// A claim that does not hold is confirmed with a chance of at most 5 %, and one that holds is refuted with one of at most 5 %.
/// If all of several comparisons have to hold and one of them does not, confirming the claim takes an error in
/// that one: none needs to be surer for the others (the intersection-union test; Berger, Multiparameter
/// hypothesis testing and acceptance sampling, 1982). An error in any of them refutes the claim, so to refute it they
/// share the 5 % (Bonferroni). Where one of several has to hold it is the other way round.
///
/// A comparison errs on one side of an interval, with half of its 5 %. It may be decided at a look while games are played, by
/// an interval that holds at all of them, or by that of a fixed number of games at the end: twice 2.5 %.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct Levels {
    pub(super) confirm: Level,
    pub(super) refute: Level,
}

impl Levels {
    /// Of a whole claim.
    pub(super) const CLAIM: Levels = Levels { confirm: Level::P95, refute: Level::P95 };

    /// Of a part with so many comparisons, where all parts have to hold.
    pub(super) fn in_all(self, comparisons: usize, of: usize) -> Levels {
        Levels { refute: self.refute.portion(comparisons, of), ..self }
    }

    /// Of a part with so many comparisons, where one part has to hold.
    pub(super) fn in_any(self, comparisons: usize, of: usize) -> Levels {
        Levels { confirm: self.confirm.portion(comparisons, of), ..self }
    }

    /// Of the opposite.
    pub(super) fn not(self) -> Levels {
        Levels { confirm: self.refute, refute: self.confirm }
    }

    /// The surer of both.
    pub(super) fn surer(self) -> Level {
        match self.confirm.error() < self.refute.error() {
            true => self.confirm,
            false => self.refute,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_one_error_decides_shares_the_chance_of_it() {
        let whole = Levels::CLAIM;
        assert_eq!(
            whole.in_all(1, 4),
            Levels { confirm: Level::P95, refute: Level::P95.bonferroni(4) }
        );
        assert_eq!(
            whole.in_any(1, 4),
            Levels { confirm: Level::P95.bonferroni(4), refute: Level::P95 }
        );
        // Not all of two is any of two that do not.
        assert_eq!(whole.not().in_all(1, 2).not(), whole.in_any(1, 2));
        // Parts within parts share as if there were none.
        assert_eq!(whole.in_all(2, 4).in_all(1, 2), whole.in_all(1, 4));
    }
}
