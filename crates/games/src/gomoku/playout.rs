//! Random games in bulk: uniform play to the end without looking for a win after each move.
//!
//! A uniformly random game is a random order of the free points, cut off where the first row of
//! `k` is complete. So whole stretches of the order are drawn and put on the board; then all
//! lines are tested at once; when there is a row, stones are taken back until the one that
//! completed the earliest row is found. Position, length and result are those of uniform play
//! step by step, exactly.

use super::bits::{FIELD, Pair, rows_of};
use super::{Gomoku, KEYS};
use spielbaum_core::Rng;

/// Moves between two tests. Longer: fewer tests, more moves to take back.
const STRETCH: usize = 32;
/// Points of the largest board, with room for a whole byte beyond; a power of two.
const ROOM: usize = 512;
/// Room for the interleaved words, a power of two.
const LANES: usize = 16;

pub(super) fn playout(game: &mut Gomoku, limit: u32, rng: &mut Rng) -> u32 {
    let moves = game.count_moves_within(limit);
    if moves == 0 {
        return 0;
    }
    match (game.stride() * game.rows()).div_ceil(64) {
        0 | 1 => sized::<2>(game, moves, rng),
        2 => sized::<4>(game, moves, rng),
        3 => sized::<6>(game, moves, rng),
        4 => sized::<8>(game, moves, rng),
        _ => sized::<12>(game, moves, rng),
    }
}

impl Gomoku {
    fn count_moves_within(&self, limit: u32) -> usize {
        use spielbaum_core::Game;
        self.count_moves().min(limit as usize)
    }
}

/// For boards of `N / 2` words; makes `moves` moves at most.
fn sized<const N: usize>(game: &mut Gomoku, moves: usize, rng: &mut Rng) -> u32 {
    let mut order = [0u16; ROOM];
    let free = list::<N>(game, &mut order);
    // The seat to move has the even lanes from here on.
    let mover = game.mover();
    let mut board = [0u64; LANES];
    for (i, lane) in board.iter_mut().enumerate().take(N) {
        *lane = game.stones[i / 2][i % 2 ^ mover];
    }

    let mut made = 0;
    let mut won = false;
    let mut until = (game.ripe as usize).saturating_sub(game.count.into()).max(STRETCH) & !3;
    loop {
        until = until.min(moves);
        place(&mut order, &mut board, made, until, free, rng);
        made = until;
        let rows = rows::<N>(game, &board);
        if rows.iter().flatten().any(|&r| r != 0) {
            made = first_row(game, &rows, &order, &mut board, made);
            won = true;
        }
        if won || made == moves {
            break;
        }
        until = made + STRETCH;
    }

    for (i, &lane) in board.iter().enumerate().take(N) {
        game.stones[i / 2][i % 2 ^ mover] = lane;
    }
    for (i, &bit) in order[..made].iter().enumerate() {
        game.key ^= KEYS[(2 * bit as usize + (i & 1 ^ mover)) & (KEYS.len() - 1)];
    }
    game.count += made as u16;
    game.last = Some(game.point(order[made - 1].into()));
    if won {
        game.winner = Some(((made - 1) & 1 ^ mover) as u8);
    }
    made as u32
}

/// The bits of a byte, in a row.
static BITS: [[u16; 8]; 256] = {
    let mut table = [[0; 8]; 256];
    let mut byte = 0;
    while byte < 256 {
        let (mut bit, mut n) = (0, 0);
        while bit < 8 {
            if byte >> bit & 1 == 1 {
                table[byte][n] = bit;
                n += 1;
            }
            bit += 1;
        }
        byte += 1;
    }
    table
};

/// Lists the free points; returns how many there are. Eight points at a time are written, the
/// ones beyond the count of a byte are overwritten by the next.
#[inline(always)]
fn list<const N: usize>(game: &Gomoku, order: &mut [u16; ROOM]) -> usize {
    let field = &FIELD[game.columns()][game.rows()];
    let mut count = 0;
    for word in 0..N / 2 {
        let [x, o] = game.stones[word];
        for (i, byte) in (field[word] & !(x | o)).to_le_bytes().into_iter().enumerate() {
            let first = (word * 64 + i * 8) as u16;
            if let Some(out) = order.get_mut(count..count + 8) {
                for (out, bit) in out.iter_mut().zip(BITS[byte as usize]) {
                    *out = first + bit;
                }
            }
            count += byte.count_ones() as usize;
        }
    }
    count
}

/// Draws the points `from..until` of the order (Fisher and Yates) and puts their stones.
#[inline(always)]
fn place(
    order: &mut [u16; ROOM],
    board: &mut [u64; LANES],
    from: usize,
    until: usize,
    free: usize,
    rng: &mut Rng,
) {
    let mut put = |i: usize, pick: usize| {
        let (i, j, lane) = (i & (ROOM - 1), (i + pick) & (ROOM - 1), i & 1);
        let bit = order[j] as usize;
        order[j] = order[i];
        order[i] = bit as u16;
        board[(bit >> 5 & (LANES - 2)) | lane] |= 1 << (bit & 63);
    };
    let mut i = from;
    while i + 4 <= until {
        let [a, b, c, d] = four_below(free - i, rng);
        put(i, a);
        put(i + 1, b);
        put(i + 2, c);
        put(i + 3, d);
        i += 4;
    }
    while i < until {
        put(i, rng.below(free - i));
        i += 1;
    }
}

/// Uniform and independent numbers below n, n - 1, n - 2, n - 3 from one random word: what a
/// multiplication leaves below the point is random for the next (Brackett-Rozinsky and Lemire,
/// "Batched ranged random integer generation", 2024). `n` is 4 to 512.
#[inline(always)]
fn four_below(n: usize, rng: &mut Rng) -> [usize; 4] {
    loop {
        let mut rest = rng.next();
        let picks = [n, n - 1, n - 2, n - 3].map(|bound| {
            let product = u128::from(rest) * bound as u128;
            rest = product as u64;
            (product >> 64) as usize
        });
        // Only below the product of the bounds, under 2^36, there is a word too many for some.
        if rest >= 1 << 36 || is_fair(n as u64, rest) {
            return picks;
        }
    }
}

#[cold]
fn is_fair(n: u64, rest: u64) -> bool {
    let product = n * (n - 1) * (n - 2) * (n - 3);
    rest >= product.wrapping_neg() % product
}

/// Where rows of k begin, in each direction.
#[inline(always)]
fn rows<const N: usize>(game: &Gomoku, board: &[u64; LANES]) -> [Pair<N>; 4] {
    let board: Pair<N> = std::array::from_fn(|i| board[i]);
    game.directions().map(|d| rows_of(&board, game.k(), d))
}

/// Takes stones back to the move that completed the first row; returns the number of moves made
/// by then.
fn first_row<const N: usize>(
    game: &Gomoku,
    rows: &[Pair<N>; 4],
    order: &[u16; ROOM],
    board: &mut [u64; LANES],
    mut made: usize,
) -> usize {
    let place = |bit: usize, lane: usize| ((bit >> 5 & (LANES - 2)) | lane, 1u64 << (bit & 63));
    for (rows, d) in rows.iter().zip(game.directions()) {
        for (i, &word) in rows.iter().enumerate() {
            let mut word = word;
            while word != 0 {
                let start = i / 2 * 64 + word.trailing_zeros() as usize;
                word &= word - 1;
                // The row as a mask; without stones already taken back it is no row any more.
                let mut row = [0u64; LANES];
                let mut complete = true;
                for j in 0..game.k() {
                    let (lane, bit) = place(start + j * d, i & 1);
                    row[lane] |= bit;
                    complete &= board[lane] & bit != 0;
                }
                while complete {
                    made -= 1;
                    let (lane, bit) = place(order[made].into(), made & 1);
                    board[lane] ^= bit;
                    complete = row[lane] & bit == 0;
                }
            }
        }
    }
    // The last stone taken back completed the row that was first.
    let (lane, bit) = place(order[made].into(), made & 1);
    board[lane] ^= bit;
    made + 1
}
