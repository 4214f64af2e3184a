//! The child with the highest bound: the innermost loop of every tree.

/// Children that are compared at once.
pub(super) const LANES: usize = 8;

/// Index of the first maximum of a bound, eight children at a time.
#[inline(always)]
pub(super) fn first_maximum(
    means: &[f32],
    widths: &[f32],
    bound: impl Fn(f32, f32) -> f32,
) -> usize {
    let (means8, means_rest) = means.as_chunks::<LANES>();
    let (widths8, widths_rest) = widths.as_chunks::<LANES>();
    let mut best = [f32::NEG_INFINITY; LANES];
    for (m, w) in means8.iter().zip(widths8) {
        for lane in 0..LANES {
            let b = bound(m[lane], w[lane]);
            best[lane] = if b > best[lane] { b } else { best[lane] };
        }
    }
    let highest = best.into_iter().fold(f32::NEG_INFINITY, f32::max);
    let (last, top) = plain_maximum(means_rest, widths_rest, &bound);
    if means8.is_empty() || top > highest {
        return means8.len() * LANES + last;
    }
    // The same operations on the same numbers: the maximum is met exactly.
    for (i, (m, w)) in means8.iter().zip(widths8).enumerate() {
        let mut hits = 0u32;
        for lane in 0..LANES {
            hits |= u32::from(bound(m[lane], w[lane]) >= highest) << lane;
        }
        if hits != 0 {
            return i * LANES + hits.trailing_zeros() as usize;
        }
    }
    0
}

/// The first maximum, one child after the other.
#[inline(always)]
pub(super) fn plain_maximum(
    means: &[f32],
    widths: &[f32],
    bound: impl Fn(f32, f32) -> f32,
) -> (usize, f32) {
    let (mut best, mut highest) = (0, f32::NEG_INFINITY);
    for (i, (&mean, &width)) in means.iter().zip(widths).enumerate() {
        let bound = bound(mean, width);
        let is_higher = bound > highest;
        best = if is_higher { i } else { best };
        highest = if is_higher { bound } else { highest };
    }
    (best, highest)
}

#[cfg(test)]
mod tests {
    use super::*;
    use spielbaum_core::Rng;

    #[test]
    fn the_vector_loop_equals_a_plain_scan() {
        let mut rng = Rng::new(3);
        for n in 1..70 {
            for _ in 0..50 {
                let mean: Vec<f32> = (0..n).map(|_| rng.below(8) as f32 / 8.0).collect();
                let width: Vec<f32> = (0..n).map(|_| rng.below(4) as f32 / 4.0).collect();
                let scores: Vec<f32> = mean.iter().zip(&width).map(|(m, w)| m + 0.5 * w).collect();
                let mut plain = 0;
                for i in 1..n {
                    if scores[i] > scores[plain] {
                        plain = i;
                    }
                }
                assert_eq!(first_maximum(&mean, &width, |m, w| m + 0.5 * w), plain);
            }
        }
    }
}
