//! Loops over numbers side by side, compiled once for each instruction set.
//!
//! Boards come in blocks of channels; margins are neither read nor written. Channels have whole
//! blocks of coefficients.

use super::{Isa, Kind};
use crate::board::{Board, LANES};

/// Compiles a safe function for every instruction set and picks one at run time.
macro_rules! multiversion {
    ($(#[$doc:meta])* fn $name:ident($($arg:ident: $type:ty),* $(,)?) $(-> $result:ty)? $body:block) => {
        $(#[$doc])*
        #[allow(clippy::too_many_arguments)]
        pub(crate) fn $name(isa: Isa, $($arg: $type),*) $(-> $result)? {
            #[inline(always)]
            fn body($($arg: $type),*) $(-> $result)? $body
            #[cfg(target_arch = "x86_64")]
            #[target_feature(enable = "avx512f,avx512vl,avx512dq,avx512bw,avx2,fma")]
            fn avx512($($arg: $type),*) $(-> $result)? {
                body($($arg),*)
            }
            #[cfg(target_arch = "x86_64")]
            #[target_feature(enable = "avx2,fma")]
            fn avx2($($arg: $type),*) $(-> $result)? {
                body($($arg),*)
            }
            match isa.0 {
                // SAFETY (both): an `Isa` exists only where the machine has it.
                #[cfg(target_arch = "x86_64")]
                Kind::Avx512 => unsafe { avx512($($arg),*) },
                #[cfg(target_arch = "x86_64")]
                Kind::Avx2 => unsafe { avx2($($arg),*) },
                Kind::Portable => body($($arg),*),
            }
        }
    };
}

/// The coefficients of a block.
#[inline(always)]
fn lanes(channels: &[f32], block: usize) -> &[f32; LANES] {
    &channels.as_chunks().0[block]
}

multiversion! {
    /// `out = bias + x * weights`, the weights a row of outputs for each input.
    fn dense(weights: &[f32], bias: &[f32], x: &[f32], out: &mut [f32]) {
        const WIDE: usize = 4 * LANES;
        let outputs = out.len();
        for first in (0..outputs).step_by(WIDE) {
            let count = WIDE.min(outputs - first);
            let mut sums = [0.0f32; WIDE];
            sums[..count].copy_from_slice(&bias[first..first + count]);
            if count == WIDE {
                for (row, x) in weights.chunks_exact(outputs).zip(x) {
                    let row: &[f32; WIDE] = &row[first..].as_chunks().0[0];
                    for lane in 0..WIDE {
                        sums[lane] += x * row[lane];
                    }
                }
            } else {
                for (row, x) in weights.chunks_exact(outputs).zip(x) {
                    for (sum, weight) in sums.iter_mut().zip(&row[first..]) {
                        *sum += x * weight;
                    }
                }
            }
            out[first..first + count].copy_from_slice(&sums[..count]);
        }
    }
}

multiversion! {
    /// Sum of products, in sixteen strands.
    fn dot(a: &[f32], b: &[f32]) -> f32 {
        let ((a, a_rest), (b, b_rest)) = (a.as_chunks::<LANES>(), b.as_chunks::<LANES>());
        let mut sums = [0.0f32; LANES];
        for (a, b) in a.iter().zip(b) {
            for lane in 0..LANES {
                sums[lane] += a[lane] * b[lane];
            }
        }
        let rest: f32 = a_rest.iter().zip(b_rest).map(|(a, b)| a * b).sum();
        sums.iter().sum::<f32>() + rest
    }
}

multiversion! {
    /// `out += factor * x`.
    fn axpy(factor: f32, x: &[f32], out: &mut [f32]) {
        for (out, x) in out.iter_mut().zip(x) {
            *out += factor * x;
        }
    }
}

multiversion! {
    /// `out = relu(scale * y + shift + skip)`.
    fn activate(
        board: Board,
        y: &[f32],
        scale: &[f32],
        shift: &[f32],
        skip: Option<&[f32]>,
        out: &mut [f32],
    ) {
        let size = board.block();
        for (block, (y, out)) in y.chunks_exact(size).zip(out.chunks_exact_mut(size)).enumerate() {
            let (scale, shift) = (lanes(scale, block), lanes(shift, block));
            for row in board.rows() {
                let cells = y[row.clone()].as_chunks::<LANES>().0;
                let out = out[row.clone()].as_chunks_mut::<LANES>().0;
                match skip {
                    None => {
                        for (y, out) in cells.iter().zip(out) {
                            for lane in 0..LANES {
                                out[lane] = (scale[lane] * y[lane] + shift[lane]).max(0.0);
                            }
                        }
                    }
                    Some(skip) => {
                        let skip = skip[block * size..][row].as_chunks::<LANES>().0;
                        for ((y, out), skip) in cells.iter().zip(out).zip(skip) {
                            for lane in 0..LANES {
                                let sum = scale[lane] * y[lane] + shift[lane] + skip[lane];
                                out[lane] = sum.max(0.0);
                            }
                        }
                    }
                }
            }
        }
    }
}

multiversion! {
    /// Adds the sums of `y` and of its squares per channel.
    fn moments(board: Board, y: &[f32], sums: &mut [f64], squares: &mut [f64]) {
        for (block, y) in y.chunks_exact(board.block()).enumerate() {
            let (mut sum, mut square) = ([0.0f32; LANES], [0.0f32; LANES]);
            for row in board.rows() {
                for y in y[row].as_chunks::<LANES>().0 {
                    for lane in 0..LANES {
                        sum[lane] += y[lane];
                        square[lane] += y[lane] * y[lane];
                    }
                }
            }
            for lane in 0..LANES {
                sums[block * LANES + lane] += f64::from(sum[lane]);
                squares[block * LANES + lane] += f64::from(square[lane]);
            }
        }
    }
}

multiversion! {
    /// Gradient before ReLU: `g` becomes zero where `out` is; adds the sums of `g` and of
    /// `g * (y - mean)` per channel.
    fn mask(
        board: Board,
        out: &[f32],
        y: &[f32],
        mean: &[f32],
        g: &mut [f32],
        sums: &mut [f64],
        products: &mut [f64],
    ) {
        let size = board.block();
        for (block, g) in g.chunks_exact_mut(size).enumerate() {
            let (out, y) = (&out[block * size..], &y[block * size..]);
            let mean = lanes(mean, block);
            let (mut sum, mut product) = ([0.0f32; LANES], [0.0f32; LANES]);
            for row in board.rows() {
                let out = out[row.clone()].as_chunks::<LANES>().0;
                let y = y[row.clone()].as_chunks::<LANES>().0;
                let g = g[row].as_chunks_mut::<LANES>().0;
                for ((g, out), y) in g.iter_mut().zip(out).zip(y) {
                    for lane in 0..LANES {
                        let kept = if out[lane] > 0.0 { g[lane] } else { 0.0 };
                        g[lane] = kept;
                        sum[lane] += kept;
                        product[lane] += kept * (y[lane] - mean[lane]);
                    }
                }
            }
            for lane in 0..LANES {
                sums[block * LANES + lane] += f64::from(sum[lane]);
                products[block * LANES + lane] += f64::from(product[lane]);
            }
        }
    }
}

/// Coefficients of [`normalised`], per channel.
#[derive(Debug, Clone, Default)]
pub(crate) struct Backward {
    pub(crate) mean: Vec<f32>,
    pub(crate) of_g: Vec<f32>,
    pub(crate) of_y: Vec<f32>,
    pub(crate) constant: Vec<f32>,
}

multiversion! {
    /// Gradient before a normalisation: `of_g * g - of_y * (y - mean) - constant`.
    fn normalised(board: Board, g: &[f32], y: &[f32], with: &Backward, out: &mut [f32]) {
        let size = board.block();
        for (block, out) in out.chunks_exact_mut(size).enumerate() {
            let (g, y) = (&g[block * size..], &y[block * size..]);
            let (mean, of_g) = (lanes(&with.mean, block), lanes(&with.of_g, block));
            let (of_y, constant) = (lanes(&with.of_y, block), lanes(&with.constant, block));
            for row in board.rows() {
                let g = g[row.clone()].as_chunks::<LANES>().0;
                let y = y[row.clone()].as_chunks::<LANES>().0;
                for ((out, g), y) in out[row].as_chunks_mut::<LANES>().0.iter_mut().zip(g).zip(y) {
                    for lane in 0..LANES {
                        let centred = of_y[lane] * (y[lane] - mean[lane]);
                        out[lane] = of_g[lane] * g[lane] - centred - constant[lane];
                    }
                }
            }
        }
    }
}

/// Coefficients of a step of Adam.
#[derive(Debug, Clone, Copy)]
pub(crate) struct AdamStep {
    pub(crate) decay: f32,
    pub(crate) beta1: f32,
    pub(crate) beta2: f32,
    /// Learning rate over the first moment's correction.
    pub(crate) rate: f32,
    /// One over the root of the second moment's correction.
    pub(crate) correction: f32,
    pub(crate) epsilon: f32,
}

multiversion! {
    /// Adam (Kingma and Ba 2015) with the decay added to the gradient, as the paper's optimiser has it.
    fn adam(with: &AdamStep, gradient: &[f32], weights: &mut [f32], first: &mut [f32], second: &mut [f32]) {
        for (((g, w), m), v) in gradient.iter().zip(weights).zip(first).zip(second) {
            let g = g + with.decay * *w;
            *m = with.beta1 * *m + (1.0 - with.beta1) * g;
            *v = with.beta2 * *v + (1.0 - with.beta2) * (g * g);
            *w -= with.rate * *m / (v.sqrt() * with.correction + with.epsilon);
        }
    }
}
