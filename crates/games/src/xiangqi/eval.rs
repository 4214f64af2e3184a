//! Static evaluations and move orders.

use super::Xiangqi;
use super::board::Board;
use super::moves::{CANNON, CHARIOT, EMPTY, GENERAL, HORSE, Move, kind_of};
use super::tables::Squares;
use super::terms::{PAPER, paper, tapered};
use spielbaum_core::{Eval, NamedEval};

/// All evaluations of the game, the default first.
pub static EVALS: &[NamedEval<Xiangqi>] = &[
    NamedEval {
        name: "placed",
        help: "pieces where they stand, middle game to endgame, mobility, open cannons",
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

/// A general that can be captured at once, as an evaluation.
const WON: i32 = 20_000;

/// Pieces and where they stand, weighed by the phase of the game, with the mobility of
/// chariots and horses, cannons that see the general on an empty line, and the right to move.
///
/// ```
/// use spielbaum_core::{Eval, Game};
/// use spielbaum_games::xiangqi::{Placed, Xiangqi};
/// let start = Xiangqi::default();
/// let black = start.parse(&start.to_string().replace(" w ", " b ")).unwrap();
/// assert_eq!(Placed.eval(&start), Placed.eval(&black));
/// let up = start.parse("4k4/9/9/9/9/9/9/9/4A4/R3K4 w").unwrap();
/// assert!(Placed.eval(&up) > 900);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Placed;

impl Placed {
    fn side(board: &Board, us: usize) -> i32 {
        let own = board.sides[us];
        let mut sum = 0;
        for square in Squares(board.of(us, CHARIOT)) {
            let (x, y) = board.lines(square);
            let (across, along) = board.slides(square);
            let free = across & 0xffff & !(x >> (16 * us));
            sum += 3 * (free.count_ones() + (along & 0xffff & !(y >> (16 * us))).count_ones());
        }
        for square in Squares(board.of(us, HORSE)) {
            sum += 7 * (board.horse(square) & !own).count_ones();
        }
        sum as i32 - if board.danger(us).barred == 0 { 0 } else { 60 }
    }
}

impl Eval<Xiangqi> for Placed {
    fn eval(&self, pos: &Xiangqi) -> i32 {
        let board = &pos.board;
        if board.end.is_some() {
            return 0;
        }
        let us = board.seat();
        if !pos.rules.legal && (board.in_check(us ^ 1)) {
            return WON;
        }
        let placed = tapered(board.score);
        let balance = placed + Self::side(board, 0) - Self::side(board, 1);
        10 + if us == 0 { balance } else { -balance }
    }

    /// Captures of the most valuable piece by the least valuable one first, then what the tables
    /// gain.
    fn order(&self, pos: &Xiangqi, m: Move) -> i32 {
        let board = &pos.board;
        let captured = board.piece(m.to());
        let piece = board.piece(m.from());
        if captured == usize::from(EMPTY) {
            let gain = super::terms::gain(piece, m);
            return gain.clamp(-400, 400);
        }
        1000 + 8 * PAPER[kind_of(captured)] - value(piece) / 4
    }

    fn noisy(&self, pos: &Xiangqi, m: Move) -> bool {
        pos.board.piece(m.to()) != usize::from(EMPTY)
    }

    fn is_selective(&self) -> bool {
        true
    }

    fn noisy_moves(&self, pos: &Xiangqi, out: &mut Vec<Move>) {
        if pos.board.end.is_none() {
            pos.board.captures(pos.rules.legal, out);
        }
    }

    fn gains(&self, pos: &Xiangqi, m: Move, least: i32) -> bool {
        pos.board.gains(m, least)
    }

    fn in_check(&self, pos: &Xiangqi) -> bool {
        pos.is_check()
    }

    fn gives_check(&self, pos: &Xiangqi, m: Move) -> bool {
        pos.board.gives_check(m)
    }

    /// With a chariot, cannon or horse there is something to do.
    fn may_pass(&self, pos: &Xiangqi) -> bool {
        let us = pos.board.seat();
        [CHARIOT, CANNON, HORSE].iter().any(|&kind| pos.board.of(us, kind) != 0)
    }
}

/// A piece as an attacker: the general risks nothing but itself.
fn value(piece: usize) -> i32 {
    if kind_of(piece) == GENERAL { 300 } else { PAPER[kind_of(piece)] }
}

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
