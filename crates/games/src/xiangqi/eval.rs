//! Static evaluations and move orders.

use super::Xiangqi;
use super::moves::{EMPTY, Move, kind_of};
use super::placed::Placed;
use super::terms::{PAPER, paper};
use spielbaum_core::{Eval, NamedEval};

/// All evaluations of the game, the default first.
pub static EVALS: &[NamedEval<Xiangqi>] = &[
    NamedEval {
        name: "placed",
        help: "pieces where they stand, middle game to endgame, what they reach, guards by what attacks them",
        make: || Box::new(Placed),
    },
    NamedEval {
        name: "paper",
        help: "the paper's values and position tables; moves of valuable pieces first",
        make: || Box::new(Paper),
    },
    NamedEval {
        name: "winloss",
        help: "nothing but won and lost positions counts; no move order",
        make: || Box::new(WinLoss),
    },
];

/// The evaluation of the xiangqi paper: general 6000, chariot 600, cannon 285, horse 270, advisor
/// and elephant 120, soldier 30, with tables for chariot, cannon, horse and soldier, which the paper
/// does not print: these are our own. Moves are ordered by the value of the piece that moves.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Paper;

impl Eval<Xiangqi> for Paper {
    fn eval(&self, pos: &Xiangqi) -> i32 {
        let balance = paper(pos.board.score);
        if pos.board.seat() == 0 { balance } else { -balance }
    }

    fn order(&self, pos: &Xiangqi, m: Move) -> i32 {
        PAPER[kind_of(pos.board.piece(m.from()))]
    }

    #[inline]
    fn after(&self, pos: &Xiangqi, m: Move) -> Option<i32> {
        if !pos.surely_goes_on(m) {
            return None;
        }
        let balance = paper(pos.board.score_after(m));
        Some(if pos.board.seat() == 0 { balance } else { -balance })
    }

    fn noisy(&self, pos: &Xiangqi, m: Move) -> bool {
        pos.board.piece(m.to()) != usize::from(EMPTY)
    }
}

/// Every undecided position is worth 0: for searches that look for wins and losses only.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct WinLoss;

impl Eval<Xiangqi> for WinLoss {
    fn eval(&self, _pos: &Xiangqi) -> i32 {
        0
    }
}
