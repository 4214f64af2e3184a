//! A uniformly random move without a list of moves.
//!
//! Every piece has a fixed number of ways to move: a chariot or cannon to the 17 other squares of its
//! lines, a horse by eight jumps, and so on, 120 for a whole army. One of the ways of the pieces
//! on the board is drawn; if it is not possible, another is. Every possible move is one way, so
//! each is equally likely. About every third way is a move; after [`TRIES`] without one the moves
//! are listed, which changes nothing in the odds.

use super::board::{Board, WAYS};
use super::moves::{
    ADVISOR, CANNON, CHARIOT, ELEPHANT, EMPTY, GENERAL, HORSE, KINDS, Move, NOWHERE, SOLDIER,
    Square, WALL, file, rank,
};
use super::tables::{ACROSS, LEAPS, ON_FILE, ON_RANK, RED_SOLDIER, Set, Squares, bit};
use super::terms::{BLACK_TO_MOVE, TERMS};
use spielbaum_core::Rng;

/// Draws before the moves are listed.
const TRIES: u32 = 24;

/// Which piece of its kind, and which of its ways, by kind and place among the ways of the kind.
static SPLIT: [[(u8, u8); 64]; 8] = {
    let mut table = [[(0, 0); 64]; 8];
    let mut kind = 0;
    while kind < KINDS {
        let mut i = 0;
        while i < 64 {
            table[kind][i] = (i as u8 / WAYS[kind], i as u8 % WAYS[kind]);
            i += 1;
        }
        kind += 1;
    }
    table
};

/// One in every byte, and the highest bit of the seven lower bytes.
const ONES: u64 = 0x0101_0101_0101_0101;
const HIGH: u64 = 0x0080_8080_8080_8080;

impl Board {
    /// A uniformly random move, legal or pseudo-legal; `None` if there is none.
    #[inline]
    pub(super) fn random<const LEGAL: bool>(
        &self,
        rng: &mut Rng,
        scratch: &mut Vec<Move>,
    ) -> Option<Move> {
        // Compiled once for each colour: fewer values to keep at hand.
        if self.seat() == 0 {
            self.draw::<LEGAL>(0, rng, scratch)
        } else {
            self.draw::<LEGAL>(1, rng, scratch)
        }
    }

    #[inline(always)]
    fn draw<const LEGAL: bool>(
        &self,
        us: usize,
        rng: &mut Rng,
        scratch: &mut Vec<Move>,
    ) -> Option<Move> {
        // In each byte the ways of its kind and of all before it, 120 at most.
        let sums = self.ways[us].wrapping_mul(ONES);
        let all = (sums >> 48 & 0xff) as usize;
        for _ in 0..TRIES / 4 {
            let mut word = rng.next();
            for _ in 0..4 {
                // Lemire's multiplication on sixteen bits: without bias, like `Rng::below`.
                let product = (word & 0xffff) as usize * all;
                word >>= 16;
                if product & 0xffff < all && product & 0xffff < 0x1_0000 % all {
                    continue;
                }
                let drawn = product >> 16;
                // The kind is the number of bytes that are not above the drawn number.
                let above = ((drawn as u64 * ONES) | HIGH).wrapping_sub(sums) & HIGH;
                let kind = above.count_ones() as usize & 7;
                let place = drawn - ((sums << 8) >> (8 * kind) & 0xff) as usize;
                if let Some(m) = self.way(us, kind, place)
                    && (!LEGAL || self.is_safe(us, m.from(), m.to()))
                {
                    return Some(m);
                }
            }
        }
        scratch.clear();
        if LEGAL {
            self.legal_moves(scratch);
        } else {
            self.pseudo_moves(scratch);
        }
        (!scratch.is_empty()).then(|| scratch[rng.below(scratch.len())])
    }

    /// One of the ways of the pieces of a kind, if it is a pseudo-legal move.
    #[inline(always)]
    fn way(&self, us: usize, kind: usize, place: usize) -> Option<Move> {
        let (which, nth) = SPLIT[kind][place & 63];
        let mut pieces = self.of(us, kind);
        let others = pieces & pieces.wrapping_sub(1);
        pieces = if which == 0 { pieces } else { others };
        for _ in 1..which {
            pieces &= pieces.wrapping_sub(1);
        }
        let from = pieces.trailing_zeros() as Square;
        if kind == CHARIOT || kind == CANNON {
            return self.slide(us, kind == CANNON, from, usize::from(nth));
        }
        if kind == GENERAL && nth == 4 {
            return self.fly(us);
        }
        let row = if kind == SOLDIER { RED_SOLDIER + us } else { kind };
        let leap = LEAPS[row][from as usize & 127][usize::from(nth) & 7];
        let free = self.at[leap.over as usize & 127] == EMPTY;
        (free && self.is_open(us, leap.to)).then(|| Move::new(from, leap.to))
    }

    /// The capture of a general by the other. Apart, or all of it is computed for every draw.
    #[cold]
    #[inline(never)]
    fn fly(&self, us: usize) -> Option<Move> {
        self.facing().then(|| Move::new(self.general(us), self.general(us ^ 1)))
    }

    /// Whether no piece of `us` stands on a square of the board.
    #[inline(always)]
    fn is_open(&self, us: usize, to: Square) -> bool {
        let closed: u32 = if us == 0 { 0x7f } else { 0x7f00 };
        (closed | 1 << WALL) >> self.piece(to) & 1 == 0
    }

    /// The `nth` other square on the lines of a chariot or cannon, if it can go there.
    #[inline(always)]
    fn slide(&self, us: usize, cannon: bool, from: Square, nth: usize) -> Option<Move> {
        let (r, f) = (rank(from) & 15, file(from) & 15);
        let (x, seen, place, to) = if nth < 8 {
            let place = nth + usize::from(nth >= f);
            let x = self.ranks[r];
            let inner = ((x | x >> 16) >> 1) as usize & 127;
            (x, ON_RANK[f][inner], place, 9 * r + place)
        } else {
            let place = nth - 8 + usize::from(nth - 8 >= r);
            let x = self.files[f];
            let inner = ((x | x >> 16) >> 1) as usize & 255;
            (x, ON_FILE[r][inner], place, 9 * place + f)
        };
        let own = x >> (16 * us) & 0x3ff;
        let theirs = x >> (16 * (us ^ 1)) & 0x3ff;
        let targets =
            if cannon { seen & !(own | theirs) | seen >> 16 & theirs } else { seen & !own };
        // The high half of what is seen is behind the screens: no place reaches into it.
        (targets >> place & 1 != 0).then(|| Move::new(from, to as Square))
    }

    /// The key after a move that captures nothing.
    pub(super) fn key_after(&self, m: Move) -> u64 {
        let terms = &TERMS[self.piece(m.from())];
        let there = TERMS[self.piece(m.to())][m.to() as usize & 127].key;
        let moved = terms[m.from() as usize & 127].key ^ terms[m.to() as usize & 127].key;
        self.key ^ moved ^ there ^ BLACK_TO_MOVE
    }

    /// Whether the opponent attacks the square a move goes to, as if the piece that moves were
    /// not on the board.
    pub(super) fn is_guarded(&self, m: Move) -> bool {
        let them = self.seat() ^ 1;
        let (from, to) = (m.from(), m.to());
        let jumps = |kind: usize, leaps: usize| {
            Squares(self.of(them, kind)).any(|square| {
                let leaps = &LEAPS[kind][square as usize & 127][..leaps];
                leaps.iter().any(|leap| {
                    let over = leap.over;
                    leap.to == to
                        && (over == from
                            || over == NOWHERE
                            || self.piece(over) == usize::from(EMPTY))
                })
            })
        };
        let soldiers = self.of(them, SOLDIER);
        let ahead = if them == 0 { soldiers << 9 } else { soldiers >> 9 };
        // Across the river soldiers step aside; the square aside is on the same rank.
        let beside = if ACROSS[them] & bit(to) != 0 { neighbours(to) & soldiers } else { 0 };
        if ahead & bit(to) != 0 || beside != 0 {
            return true;
        }
        if jumps(GENERAL, 4) || jumps(ADVISOR, 4) || jumps(ELEPHANT, 4) || jumps(HORSE, 8) {
            return true;
        }
        let occupied = self.occupied() & !bit(from);
        let lines = |kind: usize, screens: u32| {
            Squares(self.of(them, kind)).any(|square| {
                aligned(square, to) && (way(square, to) & occupied).count_ones() == screens
            })
        };
        lines(CHARIOT, 0) || lines(CANNON, 1)
    }
}

/// The squares left and right of one.
fn neighbours(square: Square) -> Set {
    let left = if file(square) > 0 { bit(square) >> 1 } else { 0 };
    let right = if file(square) < 8 { bit(square) << 1 } else { 0 };
    left | right
}

fn aligned(a: Square, b: Square) -> bool {
    a != b && (file(a) == file(b) || rank(a) == rank(b))
}

/// The squares between two on one line.
fn way(a: Square, b: Square) -> Set {
    let (low, high) = (a.min(b), a.max(b));
    let inside = bit(high) - (bit(low) << 1);
    if rank(a) == rank(b) {
        return inside;
    }
    const FILE_A: Set = super::tables::BOARD & !super::tables::NOT_A;
    inside & FILE_A << file(a)
}
