//! Where pieces can go, computed by the compiler.
//!
//! **Chariots and cannons.** A board keeps the occupation of every rank and every file as a small
//! number beside the sets, so what a slider sees is two lookups by its place on the line and the
//! occupation of the line ([`ON_RANK`], [`ON_FILE`], 24 KiB together). An entry holds both what a
//! chariot reaches and what a cannon reaches behind its screen. Counting needs no set of the board
//! at all. Measured by `examples/xiangqi_sliders.rs`, nanoseconds for both sets of a slider:
//!
//! | method | ns |
//! |---|---|
//! | **occupation of the lines kept by the board, tables** | **6.6** |
//! | the same tables, a file's bits gathered by a multiplication | 8.5 |
//! | obstruction difference on the set of all pieces | 14.8 |
//! | loops over an array of squares | 27.8 |

use super::moves::{NOWHERE, OUTSIDE, SQUARES, Square, file, rank};

/// A set of squares: bit `rank * 9 + file`.
pub(super) type Set = u128;

/// Every square.
pub(super) const BOARD: Set = (1 << SQUARES) - 1;
const FILE_A: Set = {
    let mut set = 0;
    let mut r = 0;
    while r < 10 {
        set |= 1 << (9 * r);
        r += 1;
    }
    set
};
/// Squares a step to the right can end on, and to the left.
pub(super) const NOT_A: Set = BOARD & !FILE_A;
pub(super) const NOT_I: Set = BOARD & !(FILE_A << 8);
/// The far side of the river, for each colour.
pub(super) const ACROSS: [Set; 2] = [BOARD & !((1 << 45) - 1), (1 << 45) - 1];

/// The palace of each colour.
pub(super) const PALACES: [Set; 2] = {
    let red = 0b111 << 3 | 0b111 << 12 | 0b111 << 21;
    [red, red << 63]
};

/// Elephants and advisors keep to a few points of their half, here as 45 bits: rank 1 to 5, or 6
/// to 10.
pub(super) const ELEPHANT_POINTS: u64 =
    1 << 2 | 1 << 6 | 1 << 18 | 1 << 22 | 1 << 26 | 1 << 38 | 1 << 42;
pub(super) const ADVISOR_POINTS: [u64; 2] = [
    1 << 3 | 1 << 5 | 1 << 13 | 1 << 21 | 1 << 23,
    1 << 21 | 1 << 23 | 1 << 31 | 1 << 39 | 1 << 41,
];

/// The half of a colour as a word.
#[inline(always)]
pub(super) const fn half(set: Set, colour: usize) -> u64 {
    if colour == 0 { set as u64 } else { (set >> 45) as u64 }
}

#[inline(always)]
pub(super) const fn bit(square: Square) -> Set {
    1 << (square & 127)
}

/// The squares of a set in ascending order.
#[derive(Clone, Copy)]
pub(super) struct Squares(pub(super) Set);

impl Iterator for Squares {
    type Item = Square;

    #[inline(always)]
    fn next(&mut self) -> Option<Square> {
        if self.0 == 0 {
            return None;
        }
        let square = self.0.trailing_zeros() as Square;
        self.0 &= self.0 - 1;
        Some(square)
    }
}

/// What a slider sees on a line of `LENGTH` squares, by its place and the occupation without the
/// two ends: in the low half what a chariot reaches, blockers included, in the high half what a
/// cannon reaches behind its screen, the next piece included.
const fn slides<const LENGTH: usize, const INNER: usize>() -> [[u32; INNER]; 16] {
    let mut table = [[0; INNER]; 16];
    let mut place = 0;
    while place < LENGTH {
        let mut inner = 0;
        while inner < INNER {
            let occupied = (inner as u32) << 1;
            let mut seen = 0;
            let mut side = 0;
            while side < 2 {
                let mut at = place;
                let mut screens = 0;
                while screens < 2 && if side == 0 { at > 0 } else { at + 1 < LENGTH } {
                    at = if side == 0 { at - 1 } else { at + 1 };
                    seen |= 1 << (at + 16 * screens);
                    screens += (occupied >> at & 1) as usize;
                }
                side += 1;
            }
            table[place][inner] = seen;
            inner += 1;
        }
        place += 1;
    }
    table
}

/// By file and the seven inner squares of the rank.
pub(super) static ON_RANK: [[u32; 128]; 16] = slides::<9, 128>();
/// By rank and the eight inner squares of the file.
pub(super) static ON_FILE: [[u32; 256]; 16] = slides::<10, 256>();

/// Ten bits of a file as squares of the file `a`.
pub(super) static SPREAD: [Set; 1024] = {
    let mut table = [0; 1024];
    let mut i = 0;
    while i < 1024 {
        let mut r = 0;
        while r < 10 {
            if i >> r & 1 != 0 {
                table[i] |= 1 << (9 * r);
            }
            r += 1;
        }
        i += 1;
    }
    table
};

/// The places of a set on a line in ascending order, times the step from one to the next.
const fn places<const SETS: usize, const N: usize>(step: u8) -> [[u8; N]; SETS] {
    let mut table = [[0; N]; SETS];
    let mut set = 0;
    while set < SETS {
        let (mut place, mut n) = (0, 0);
        while set >> place != 0 {
            if set >> place & 1 != 0 && n < N {
                table[set][n] = place as u8 * step;
                n += 1;
            }
            place += 1;
        }
        set += 1;
    }
    table
}

/// On a rank; a slider reaches eight others at most.
pub(super) static RANK_PLACES: [[u8; 8]; 512] = places(1);
/// On a file; nine others at most.
pub(super) static FILE_PLACES: [[u8; 16]; 1024] = places(9);

/// The square so many files and ranks away, if it is on the board.
const fn step(square: Square, files: i32, ranks: i32) -> Option<Square> {
    let (f, r) = (file(square) as i32 + files, rank(square) as i32 + ranks);
    if f < 0 || f > 8 || r < 0 || r > 9 { None } else { Some((r * 9 + f) as Square) }
}

const fn in_palace(square: Square) -> bool {
    let (f, r) = (file(square), rank(square));
    f >= 3 && f <= 5 && (r <= 2 || r >= 7)
}

/// One step or jump: where it ends, and the square that must be empty for it.
#[derive(Clone, Copy)]
pub(super) struct Leap {
    pub(super) to: Square,
    pub(super) over: Square,
}

/// Rows of [`LEAPS`]: kinds without the sliders, soldiers apart for each colour.
pub(super) const RED_SOLDIER: usize = 4;
pub(super) const BLACK_SOLDIER: usize = 5;

/// Steps and jumps of generals, advisors, elephants, horses and soldiers from each square;
/// those off the board lead to [`OUTSIDE`].
pub(super) static LEAPS: [[[Leap; 8]; 128]; 6] = {
    const STRAIGHT: [(i32, i32); 4] = [(0, 1), (1, 0), (0, -1), (-1, 0)];
    const DIAGONAL: [(i32, i32); 4] = [(1, 1), (1, -1), (-1, -1), (-1, 1)];
    let mut table = [[[Leap { to: OUTSIDE, over: NOWHERE }; 8]; 128]; 6];
    let mut square = 0;
    while square < SQUARES {
        let from = square as Square;
        let mut i = 0;
        while i < 4 {
            let (df, dr) = STRAIGHT[i];
            if let Some(to) = step(from, df, dr) {
                // From a palace to a palace: the board is too high to go from one to the other.
                if in_palace(from) && in_palace(to) {
                    table[0][square][i].to = to;
                }
                // Three ways of a soldier: ahead, right, left.
                let way = if dr != 0 { 0 } else { 1 + (df < 0) as usize };
                if dr != -1 && (dr == 1 || from >= 45) {
                    table[RED_SOLDIER][square][way].to = to;
                }
                if dr != 1 && (dr == -1 || from < 45) {
                    table[BLACK_SOLDIER][square][way].to = to;
                }
                // A horse goes on by one diagonal step away.
                let mut side = 0;
                while side < 2 {
                    let aside = if side == 0 { -1 } else { 1 };
                    let (hf, hr) = if df == 0 { (aside, dr) } else { (df, aside) };
                    if let Some(end) = step(to, hf, hr) {
                        table[3][square][2 * i + side] = Leap { to: end, over: to };
                    }
                    side += 1;
                }
            }
            let (df, dr) = DIAGONAL[i];
            if let Some(to) = step(from, df, dr) {
                if in_palace(from) && in_palace(to) {
                    table[1][square][i].to = to;
                }
                if let Some(end) = step(from, 2 * df, 2 * dr)
                    && (from < 45) == (end < 45)
                {
                    table[2][square][i] = Leap { to: end, over: to };
                }
            }
            i += 1;
        }
        square += 1;
    }
    table
};

/// The squares of a row of leaps, whatever stands in the way.
const fn leap_set(row: usize, square: usize) -> Set {
    let mut set = 0;
    let mut i = 0;
    while i < 8 {
        let to = LEAPS[row][square][i].to;
        if to != OUTSIDE {
            set |= 1 << to;
        }
        i += 1;
    }
    set
}

const fn leap_sets(row: usize) -> [Set; 128] {
    let mut table = [0; 128];
    let mut square = 0;
    while square < SQUARES {
        table[square] = leap_set(row, square);
        square += 1;
    }
    table
}

pub(super) static GENERAL_STEPS: [Set; 128] = leap_sets(0);
pub(super) static ADVISOR_STEPS: [Set; 128] = leap_sets(1);
pub(super) static SOLDIER_STEPS: [[Set; 128]; 2] =
    [leap_sets(RED_SOLDIER), leap_sets(BLACK_SOLDIER)];

/// Jumps of a horse by the legs that are blocked: above, right, below, left of it.
pub(super) static HORSE_JUMPS: [[Set; 16]; 128] = {
    let mut table = [[0; 16]; 128];
    let mut square = 0;
    while square < SQUARES {
        let mut legs = 0;
        while legs < 16 {
            let mut i = 0;
            while i < 8 {
                let to = LEAPS[3][square][i].to;
                if legs >> (i / 2) & 1 == 0 && to != OUTSIDE {
                    table[square][legs] |= 1 << to;
                }
                i += 1;
            }
            legs += 1;
        }
        square += 1;
    }
    table
};

/// What can threaten a general on a square of a palace.
pub(super) struct Threats {
    /// Rank and file of the square.
    pub(super) lines: Set,
    /// Squares a horse's jump away.
    pub(super) horses: Set,
    /// Squares from which a soldier of each colour attacks.
    pub(super) soldiers: [Set; 2],
    /// Legs of these horses: the squares diagonally beside.
    pub(super) legs: Set,
    /// For each square on the lines what lies between, for a horse its leg.
    pub(super) screens: [Set; 128],
}

const fn threats(square: Square) -> Threats {
    let mut t = Threats { lines: 0, horses: 0, soldiers: [0; 2], legs: 0, screens: [0; 128] };
    let mut other = 0;
    while other < SQUARES {
        let from = other as Square;
        let (same_file, same_rank) = (file(from) == file(square), rank(from) == rank(square));
        if from != square && (same_file || same_rank) {
            t.lines |= 1 << from;
            let (mut at, end) = if from < square { (from, square) } else { (square, from) };
            let by = if same_file { 9 } else { 1 };
            at += by;
            while at < end {
                t.screens[other] |= 1 << at;
                at += by;
            }
        }
        let mut i = 0;
        while i < 8 {
            let Leap { to, over } = LEAPS[3][other][i];
            if to == square {
                t.horses |= 1 << from;
                t.legs |= 1 << over;
                t.screens[other] |= 1 << over;
            }
            i += 1;
        }
        t.soldiers[0] |= (SOLDIER_STEPS[0][other] >> square & 1) << other;
        t.soldiers[1] |= (SOLDIER_STEPS[1][other] >> square & 1) << other;
        other += 1;
    }
    t
}

/// Numbers of the palace squares in [`THREATS`], Red's first.
pub(super) const fn palace(square: Square) -> usize {
    let (f, r) = (file(square), rank(square));
    (if r < 3 { r } else { r - 4 }) * 3 + f - 3
}

/// The threats to each square of both palaces.
pub(super) static THREATS: [Threats; 18] = {
    const NONE: Threats =
        Threats { lines: 0, horses: 0, soldiers: [0; 2], legs: 0, screens: [0; 128] };
    let mut table = [NONE; 18];
    let mut square = 0;
    while square < SQUARES {
        if in_palace(square as Square) {
            table[palace(square as Square)] = threats(square as Square);
        }
        square += 1;
    }
    table
};
