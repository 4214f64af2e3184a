//! Boards as bits. A board lies row after row, each row followed by one empty column; the words
//! of both seats are interleaved, so that one vector operation serves both.

/// The longest side of a board.
pub(super) const MAX_SIDE: usize = 19;
/// Words for 19 rows of 19 + 1 bits.
pub(super) const WORDS: usize = 6;

/// The points of a board of so many columns and rows.
pub(super) static FIELD: [[[u64; WORDS]; MAX_SIDE + 1]; MAX_SIDE + 1] = fields();

const fn fields() -> [[[u64; WORDS]; MAX_SIDE + 1]; MAX_SIDE + 1] {
    let mut fields = [[[0; WORDS]; MAX_SIDE + 1]; MAX_SIDE + 1];
    let mut columns = 1;
    while columns <= MAX_SIDE {
        let mut rows = 1;
        while rows <= MAX_SIDE {
            let mut bit = 0;
            while bit < rows * (columns + 1) {
                if bit % (columns + 1) < columns {
                    fields[columns][rows][bit / 64] |= 1 << (bit % 64);
                }
                bit += 1;
            }
            rows += 1;
        }
        columns += 1;
    }
    fields
}

/// `N / 2` words of two boards each, interleaved.
pub(super) type Pair<const N: usize> = [u64; N];

/// The words of both seats, as far as the board reaches.
pub(super) fn pair<const N: usize>(stones: &[[u64; 2]; WORDS]) -> Pair<N> {
    std::array::from_fn(|i| stones[i / 2][i % 2])
}

/// Both boards shifted down by `s` bits, 1 to 63.
#[inline(always)]
pub(super) fn down<const N: usize>(x: &Pair<N>, s: usize) -> Pair<N> {
    std::array::from_fn(|i| {
        let above = if i + 2 < N { x[i + 2] } else { 0 };
        x[i] >> s | above << (64 - s)
    })
}

/// Where rows of `k` stones begin: bit i is set if the bits i, i + d, … i + (k - 1) d are.
#[inline(always)]
pub(super) fn rows_of<const N: usize>(x: &Pair<N>, k: usize, d: usize) -> Pair<N> {
    let mut found = *x;
    let mut length = 1;
    while length < k {
        // Two rows one after the other make one twice as long.
        let step = length.min(k - length);
        let above = if step * d < 64 { down(&found, step * d) } else { far_down(&found, step * d) };
        for i in 0..N {
            found[i] &= above[i];
        }
        length += step;
    }
    found
}

/// As [`down`], by any number of bits.
#[cold]
fn far_down<const N: usize>(x: &Pair<N>, s: usize) -> Pair<N> {
    let whole: Pair<N> = std::array::from_fn(|i| x.get(i + s / 64 * 2).copied().unwrap_or(0));
    if s.is_multiple_of(64) { whole } else { down(&whole, s % 64) }
}
