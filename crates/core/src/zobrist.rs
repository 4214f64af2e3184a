//! Keys for incremental hashing, made at compile time.

/// A table of `N` random keys from a seed; different seeds give unrelated tables.
///
/// ```
/// use spielbaum_core::zobrist;
/// static STONES: [u64; 361] = zobrist::keys(1);
/// assert_ne!(STONES[0], STONES[1]);
/// ```
pub const fn keys<const N: usize>(seed: u64) -> [u64; N] {
    let mut table = [0; N];
    let mut state = seed.wrapping_mul(0xd134_2543_de82_ef95);
    let mut i = 0;
    while i < N {
        state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        table[i] = mix(state);
        i += 1;
    }
    table
}

/// One key of a counter, for hashing small numbers without a table.
pub const fn key(seed: u64, i: u64) -> u64 {
    mix(seed
        .wrapping_mul(0xd134_2543_de82_ef95)
        .wrapping_add(i.wrapping_mul(0x9e37_79b9_7f4a_7c15)))
}

pub(crate) const fn mix(mut z: u64) -> u64 {
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}
