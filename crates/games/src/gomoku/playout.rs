//! Random games in bulk: uniform play to the end without looking for a win after each move.
//!
//! A uniformly random game is a random order of the free points, cut off where the first row of
//! `k` is complete. So whole stretches of the order are drawn and put on the board; then all
//! lines are tested at once; when there is a row, stones are taken back until the one that
//! completed the earliest row is found. Position, length and result are those of uniform play
//! step by step, exactly.

use super::bits::{FIELD, Pair, rows_of};
use super::{Gomoku, KEYS};
use spielbaum_core::{Game, Rng};

/// Moves between two tests. Longer: fewer tests, more moves to take back.
const STRETCH: usize = 24;
/// Points of the largest board, with room for a whole byte beyond; a power of two.
const ROOM: usize = 512;
/// Room for the interleaved words, a power of two.
const LANES: usize = 16;

pub(super) fn playout(game: &mut Gomoku, limit: u32, rng: &mut Rng) -> u32 {
    let moves = game.count_moves().min(limit as usize);
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

/// For boards of `N / 2` words; makes `moves` moves at most.
fn sized<const N: usize>(game: &mut Gomoku, moves: usize, rng: &mut Rng) -> u32 {
    let mut order = [0u16; ROOM];
    let free = list::<N>(game, &mut order);
    // The seat to move has the even lanes from here on.
    let mover = game.mover();
    let mut board = [0u64; LANES];
    for (i, lane) in board.iter_mut().enumerate().take(N) {
        *lane = game.stones[i / 2][(i % 2) ^ mover];
    }

    let mut made = 0;
    let mut won;
    let mut until = (game.ripe as usize).saturating_sub(game.count.into()).max(STRETCH) & !3;
    loop {
        until = until.min(moves);
        place(&mut order, &mut board, made, until, free, rng);
        let rows = rows::<N>(game, &board);
        won = rows.iter().fold([0; 4], |a, r| [a[0] | r[0], a[1] | r[1], a[2] | r[2], a[3] | r[3]])
            != [0; 4];
        if won {
            // Take back what was put after the end.
            let end = first_row(game, &rows, &order, made, until);
            for (i, &bit) in order.iter().enumerate().take(until).skip(end) {
                board[lane(bit.into(), i)] ^= 1 << (bit & 63);
            }
            until = end;
        }
        made = until;
        if won || made == moves {
            break;
        }
        until = made + STRETCH;
    }

    for (i, &lane) in board.iter().enumerate().take(N) {
        game.stones[i / 2][(i % 2) ^ mover] = lane;
    }
    let key = |bit: u16, seat| KEYS[(2 * bit as usize + seat) & (KEYS.len() - 1)];
    let pairs = order[..made].chunks_exact(2);
    game.key ^= pairs.remainder().iter().fold(0, |k, &bit| k ^ key(bit, mover));
    game.key ^= pairs.fold(0, |k, pair| k ^ key(pair[0], mover) ^ key(pair[1], mover ^ 1));
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
    for (word, (field, [x, o])) in field.iter().zip(game.stones).take(N / 2).enumerate() {
        for (i, byte) in (field & !(x | o)).to_le_bytes().into_iter().enumerate() {
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

/// The interleaved word that holds the stone of a move.
#[inline(always)]
fn lane(bit: usize, i: usize) -> usize {
    (bit >> 5 & (LANES - 2)) | i & 1
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
        let (i, j) = (i & (ROOM - 1), (i + pick) & (ROOM - 1));
        let bit = order[j] as usize;
        order[j] = order[i];
        order[i] = bit as u16;
        board[lane(bit, i)] |= 1 << (bit & 63);
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

/// Where rows of k begin: for each lane of the board the four directions side by side.
type Rows<const N: usize> = [[u64; 4]; N];

#[inline(always)]
fn rows<const N: usize>(game: &Gomoku, board: &[u64; LANES]) -> Rows<N> {
    let (k, directions) = (game.k(), game.directions());
    let mut found: Rows<N> = std::array::from_fn(|i| [board[i]; 4]);
    let mut length = 1;
    while length < k {
        let step = length.min(k - length);
        let shift = directions.map(|d| (step * d) as u64);
        if shift[3] > 63 {
            return long_rows(game, board);
        }
        // As `bits::rows_of`, but all directions together: measured faster on large boards.
        for i in 0..N {
            for d in 0..4 {
                let above = if i + 2 < N { found[i + 2][d] } else { 0 };
                found[i][d] &= found[i][d] >> shift[d] | above << (64 - shift[d]);
            }
        }
        length += step;
    }
    found
}

/// For rows so long that a step leaves the next word.
#[cold]
fn long_rows<const N: usize>(game: &Gomoku, board: &[u64; LANES]) -> Rows<N> {
    let board: Pair<N> = std::array::from_fn(|i| board[i]);
    let rows = game.directions().map(|d| rows_of(&board, game.k(), d));
    std::array::from_fn(|i| rows.map(|r| r[i]))
}

/// The number of moves made when the first of these rows was complete; none was before the
/// move `from`.
#[inline(always)]
fn first_row<const N: usize>(
    game: &Gomoku,
    rows: &Rows<N>,
    order: &[u16; ROOM],
    from: usize,
    made: usize,
) -> usize {
    let directions = game.directions();
    let mut first = made;
    for (i, words) in rows.iter().enumerate() {
        if *words == [0; 4] {
            continue;
        }
        for (&word, d) in words.iter().zip(directions) {
            let mut word = word;
            while word != 0 {
                let start = i / 2 * 64 + word.trailing_zeros() as usize;
                first = first.min(complete(start, d, game.k(), order, from, made));
                word &= word - 1;
            }
        }
    }
    first
}

/// The number of moves made when the last stone of a row was put, found in vectors of moves.
#[inline(always)]
fn complete(
    start: usize,
    d: usize,
    k: usize,
    order: &[u16; ROOM],
    from: usize,
    made: usize,
) -> usize {
    const SPAN: usize = 32;
    let mut latest = [0u16; SPAN];
    for begin in (from..made).step_by(SPAN) {
        let Some(bits) = order.get(begin..begin + SPAN) else { break };
        let made = made as u16;
        for j in 0..k {
            let bit = (start + j * d) as u16;
            for i in 0..SPAN {
                let moves = (begin + i + 1) as u16;
                latest[i] = latest[i].max(if bits[i] == bit && moves <= made { moves } else { 0 });
            }
        }
    }
    latest.into_iter().fold(0, u16::max).into()
}
