//! What a piece on a square adds to the hash key and to the evaluations.
//!
//! Four sums are kept in one word by one addition for each piece: the default evaluation in the
//! middle game and in the endgame ([`super::weights`]), the paper's, and the phase that tells how
//! far the game is from its end.

use super::moves::{CANNON, CHARIOT, HORSE, KINDS, SOLDIER, SQUARES, colour_of, kind_of};
use super::weights::STANDS;
use spielbaum_core::zobrist;

/// Key and sums of a piece on a square; both are 0 for no piece.
#[derive(Clone, Copy)]
pub(super) struct Term {
    pub(super) key: u64,
    pub(super) score: i64,
}

/// The paper's values (after Yen, Chen, Yang and Hsu 2004).
pub(super) const PAPER: [i32; KINDS] = [6000, 120, 120, 270, 600, 285, 30];
/// Parts of the phase; all pieces together make [`OPENING`].
const PHASE: [i32; KINDS] = [0, 0, 0, 2, 4, 2, 0];
/// The phase with every piece on the board.
pub(super) const OPENING: i32 = 32;

/// A table by the rank from the owner's side and the files `a` to `e`; the others mirror them.
type Table = [[i8; 5]; 10];
const FLAT: Table = [[0; 5]; 10];

const SOLDIERS: Table = [
    [0, 0, 0, 0, 0],
    [0, 0, 0, 0, 0],
    [0, 0, 0, 0, 0],
    [0, 0, -8, 0, 12],
    [4, 0, 8, 0, 20],
    [28, 36, 46, 56, 60],
    [40, 56, 72, 88, 96],
    [42, 62, 84, 112, 118],
    [36, 60, 86, 120, 112],
    [-30, -20, -10, 0, 6],
];
const HORSES: Table = [
    [-26, -18, -12, -16, -24],
    [-18, -8, 4, 2, -30],
    [-4, 2, 18, 12, 6],
    [0, 12, 16, 16, 18],
    [2, 20, 18, 26, 28],
    [4, 22, 24, 34, 32],
    [10, 26, 36, 36, 34],
    [8, 34, 32, 44, 28],
    [4, 16, 48, 26, 12],
    [-8, -4, 6, 4, -4],
];
const CHARIOTS: Table = [
    [-24, 4, 2, 12, -6],
    [-8, 8, 6, 16, 2],
    [-6, 10, 4, 16, 12],
    [0, 12, 8, 18, 16],
    [10, 18, 18, 22, 24],
    [12, 22, 20, 26, 26],
    [12, 20, 18, 26, 28],
    [12, 22, 16, 28, 30],
    [16, 24, 20, 34, 36],
    [10, 18, 14, 22, 22],
];
const CANNONS: Table = [
    [-4, 0, 4, 8, 8],
    [-2, 4, 6, 8, 8],
    [4, 6, 12, 10, 18],
    [0, 2, 4, 4, 14],
    [0, 2, 6, 4, 14],
    [0, 2, 4, 4, 16],
    [4, 4, 2, 6, 16],
    [6, 8, 2, 2, 12],
    [10, 10, 0, -6, -8],
    [16, 14, 6, -10, -14],
];
/// The paper has tables for these four and does not print them: these are our own.
const fn paper_table(kind: usize) -> &'static Table {
    match kind {
        SOLDIER => &SOLDIERS,
        HORSE => &HORSES,
        CHARIOT => &CHARIOTS,
        CANNON => &CANNONS,
        _ => &FLAT,
    }
}

/// The place of a square in the weights, as its owner sees it: rank and file `a` to `e`.
#[inline]
pub(super) const fn place(colour: usize, square: u8) -> usize {
    let (mut r, mut f) = (square as usize / 9, square as usize % 9);
    if colour == 1 {
        r = 9 - r;
    }
    if f > 4 {
        f = 8 - f;
    }
    5 * r + f
}

/// The four sums, 16 bits each.
const fn pack(middle: i32, end: i32, paper: i32, phase: i32) -> i64 {
    middle as i64 + ((end as i64) << 16) + ((paper as i64) << 32) + ((phase as i64) << 48)
}

/// A sum of a packed word; a lane below that is negative has borrowed one from it.
const fn lane(score: i64, i: u32) -> i32 {
    if i == 0 {
        return score as i16 as i32;
    }
    ((score + (1 << (16 * i - 1))) >> (16 * i)) as i16 as i32
}

/// How far the game is from its end, at most [`OPENING`].
#[inline]
pub(super) const fn phase(score: i64) -> i32 {
    let phase = lane(score, 3);
    if phase > OPENING { OPENING } else { phase }
}

/// Middle game and endgame weighed by the phase, from Red's side.
#[inline]
pub(super) const fn tapered(score: i64) -> i32 {
    let phase = phase(score);
    (lane(score, 0) * phase + lane(score, 1) * (OPENING - phase)) / OPENING
}

/// The paper's sum, from Red's side.
#[inline]
pub(super) const fn paper(score: i64) -> i32 {
    lane(score, 2)
}

/// By piece and square.
pub(super) static TERMS: [[Term; 128]; 16] = {
    let keys = zobrist::keys::<{ 16 * SQUARES }>(0x88_0001);
    let mut terms = [[Term { key: 0, score: 0 }; 128]; 16];
    let mut piece = 0;
    while piece < 16 {
        let (colour, kind) = (colour_of(piece), kind_of(piece));
        if kind == KINDS {
            piece += 1;
            continue;
        }
        let mut square = 0;
        while square < SQUARES {
            let at = place(colour, square as u8);
            let p = paper_table(kind)[at / 5][at % 5] as i32 * 3 / 5;
            let sign = if colour == 0 { 1 } else { -1 };
            terms[piece][square] = Term {
                key: keys[piece * SQUARES + square],
                score: pack(
                    sign * STANDS[0][kind][at] as i32,
                    sign * STANDS[1][kind][at] as i32,
                    sign * (PAPER[kind] + p),
                    PHASE[kind],
                ),
            };
            square += 1;
        }
        piece += 1;
    }
    terms
};

/// Added to the key when Black is to move.
pub(super) const BLACK_TO_MOVE: u64 = zobrist::key(0x88_0002, 0);

/// What a move without a capture adds to the middle game sum of its player.
#[inline]
pub(super) fn gain(piece: usize, m: super::moves::Move) -> i32 {
    let terms = &TERMS[piece & 15];
    let change =
        lane(terms[m.to() as usize & 127].score, 0) - lane(terms[m.from() as usize & 127].score, 0);
    if colour_of(piece) == 0 { change } else { -change }
}
