//! The default evaluation: pieces where they stand and what they reach.
//!
//! Everything is linear in [`Placed::TERMS`] weights, so that they can be fitted to games of self-play
//! (`xiangqi_tune`, an example of the searches). Those of pieces on squares are kept up to date by the board, the others are counted.

use super::Xiangqi;
use super::board::Board;
use super::moves::{
    ADVISOR, CANNON, CHARIOT, ELEPHANT, EMPTY, GENERAL, HORSE, KINDS, Move, SOLDIER, SQUARES,
    kind_of,
};
use super::tables::{PALACES, SOLDIER_STEPS, Set, Squares};
use super::terms::{OPENING, PAPER, phase, place, tapered};
use super::weights::{COUNTED, STANDS};
use spielbaum_core::Eval;

/// A general that can be captured at once, as an evaluation.
const WON: i32 = 20_000;

/// Pieces and where they stand, weighed by the phase of the game; the reach of chariots, horses and
/// cannons, and how much of the enemy's palace is within it; advisors by the enemy's chariots and elephants by
/// his cannons; cannons that see the general on an empty line; and the right to move.
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

/// Places of the counted terms.
const CHARIOTS: usize = 0;
const HORSES: usize = CHARIOTS + 18;
const CANNONS: usize = HORSES + 9;
const PALACE: usize = CANNONS + 18;
const ADVISORS: usize = PALACE + 10;
const ELEPHANTS: usize = ADVISORS + 9;
const HOLLOW: usize = ELEPHANTS + 9;
const TEMPO: usize = HOLLOW + 1;
/// The number of counted terms.
pub(super) const COUNTS: usize = TEMPO + 1;
/// Where the rows of counted terms begin, and their end.
const ROWS: [usize; 9] =
    [CHARIOTS, HORSES, CANNONS, PALACE, ADVISORS, ELEPHANTS, HOLLOW, TEMPO, COUNTS];

impl Placed {
    /// The number of weights: for each kind on each of 50 places (files `a` to `e`, the others
    /// mirror them) in the middle game, the same in the endgame, then what is counted.
    pub const TERMS: usize = 2 * KINDS * 50 + COUNTS;

    /// How many weights belong together in each row of those that are counted.
    pub fn counted_rows() -> impl Iterator<Item = usize> {
        ROWS.windows(2).map(|ends| ends[1] - ends[0])
    }

    /// The weights in use.
    pub fn weights() -> Vec<i32> {
        let stands = STANDS.iter().flatten().flatten();
        stands.chain(&COUNTED).map(|&w| i32::from(w)).collect()
    }

    /// The terms of a position for the player to move, each with its share; none of a game that is over.
    pub fn terms(pos: &Xiangqi, mut add: impl FnMut(usize, f64)) {
        let board = &pos.board;
        if board.end.is_some() {
            return;
        }
        let us = board.seat();
        let early = f64::from(phase(board.score)) / f64::from(OPENING);
        for colour in 0..2 {
            let sign = if colour == us { 1.0 } else { -1.0 };
            for kind in 0..KINDS {
                for square in Squares(board.of(colour, kind)) {
                    let at = kind * 50 + place(colour, square);
                    add(at, sign * early);
                    add(KINDS * 50 + at, sign * (1.0 - early));
                }
            }
            Self::counted(board, colour, |term| add(2 * KINDS * 50 + term, sign));
        }
        add(2 * KINDS * 50 + TEMPO, 1.0);
    }

    /// The counted terms of a colour.
    #[inline(always)]
    fn counted(board: &Board, us: usize, mut add: impl FnMut(usize)) {
        let them = us ^ 1;
        let mut reached: Set = 0;
        for square in Squares(board.of(us, CHARIOT)) {
            let seen = board.chariot(square);
            add(CHARIOTS + (seen & !board.sides[us]).count_ones() as usize);
            reached |= seen;
        }
        for square in Squares(board.of(us, HORSE)) {
            let jumps = board.horse(square);
            add(HORSES + (jumps & !board.sides[us]).count_ones() as usize);
            reached |= jumps;
        }
        for square in Squares(board.of(us, CANNON)) {
            add(CANNONS + (board.chariot(square) & !board.occupied()).count_ones() as usize);
            reached |= board.behind(square);
        }
        for square in Squares(board.of(us, SOLDIER)) {
            reached |= SOLDIER_STEPS[us][square as usize & 127];
        }
        add(PALACE + (reached & PALACES[them]).count_ones() as usize);
        let count = |colour, kind| board.of(colour, kind).count_ones().min(2) as usize;
        add(ADVISORS + 3 * count(us, ADVISOR) + count(them, CHARIOT));
        add(ELEPHANTS + 3 * count(us, ELEPHANT) + count(them, CANNON));
        if board.danger(them).barred != 0 {
            add(HOLLOW);
        }
    }
}

impl Eval<Xiangqi> for Placed {
    fn eval(&self, pos: &Xiangqi) -> i32 {
        let board = &pos.board;
        if board.end.is_some() {
            return 0;
        }
        let us = board.seat();
        if !pos.rules.legal && board.in_check(us ^ 1) {
            return WON;
        }
        let mut counted = [0; 2];
        for (colour, sum) in counted.iter_mut().enumerate() {
            Self::counted(board, colour, |term| *sum += i32::from(COUNTED[term]));
        }
        let balance = tapered(board.score) + counted[0] - counted[1];
        i32::from(COUNTED[TEMPO]) + if us == 0 { balance } else { -balance }
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
        pos.is_capture(m)
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

    fn motif(&self, pos: &Xiangqi, m: Move) -> usize {
        pos.board.piece(m.from()) * SQUARES + usize::from(m.to())
    }

    fn motifs(&self) -> usize {
        16 * SQUARES
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
