//! The gradient of a convolution's weights: sums over all cells, kept in registers.

#[cfg(target_arch = "x86_64")]
use super::lanes::{Avx2, Avx512};
use super::lanes::{Lanes, Portable};
use super::{Isa, Kind};
use crate::board::{Board, LANES};

/// Pointers and extents of one call.
struct Grad {
    board: Board,
    cin: usize,
    blocks: usize,
    x: *const f32,
    dy: *const f32,
    out: *mut f32,
}

/// Numbers in the gradient of a convolution with this many channels and a square kernel.
pub(crate) fn grad_size(cin: usize, cout: usize, side: usize) -> usize {
    cin.next_multiple_of(8) * side * side * cout.next_multiple_of(LANES)
}

/// Adds `dy * x` over all cells to the gradient of the weights, which is laid out as [`grad_index`] says.
pub(crate) fn grad_weights(
    isa: Isa,
    board: Board,
    (cin, cout, side): (usize, usize, usize),
    x: &[f32],
    dy: &[f32],
    out: &mut [f32],
) {
    assert!(x.len() >= board.size(cin) && dy.len() >= board.size(cout), "gradient: boards");
    assert!(out.len() >= grad_size(cin, cout, side), "gradient: output");
    let blocks = cout.div_ceil(LANES);
    let job = Grad { board, cin, blocks, x: x.as_ptr(), dy: dy.as_ptr(), out: out.as_mut_ptr() };
    // SAFETY: as for `Kernel::apply`.
    unsafe {
        match (isa.0, isa.group(blocks), side) {
            #[cfg(target_arch = "x86_64")]
            (Kind::Avx512, 4, 3) => grad_avx512::<4, 2, 3>(&job),
            #[cfg(target_arch = "x86_64")]
            (Kind::Avx512, 4, _) => grad_avx512::<4, 4, 1>(&job),
            #[cfg(target_arch = "x86_64")]
            (Kind::Avx512, 2, 3) => grad_avx512::<2, 4, 3>(&job),
            #[cfg(target_arch = "x86_64")]
            (Kind::Avx512, 2, _) => grad_avx512::<2, 8, 1>(&job),
            #[cfg(target_arch = "x86_64")]
            (Kind::Avx512, _, 3) => grad_avx512::<1, 8, 3>(&job),
            #[cfg(target_arch = "x86_64")]
            (Kind::Avx512, _, _) => grad_avx512::<1, 8, 1>(&job),
            #[cfg(target_arch = "x86_64")]
            (Kind::Avx2, _, 3) => grad_avx2::<1, 2, 3>(&job),
            #[cfg(target_arch = "x86_64")]
            (Kind::Avx2, _, _) => grad_avx2::<1, 4, 1>(&job),
            (Kind::Portable, _, 3) => grad::<Portable, 1, 1, 3>(&job),
            (Kind::Portable, _, _) => grad::<Portable, 1, 2, 1>(&job),
        }
    }
}

/// Where [`grad_weights`] puts the gradient of a weight: rows of taps, inputs, columns of taps, outputs.
pub(crate) fn grad_index(
    isa: Isa,
    (cin, cout, side): (usize, usize, usize),
    (output, input, tap): (usize, usize, usize),
) -> usize {
    let lanes = isa.group(cout.div_ceil(LANES)) * LANES;
    let inputs = cin.next_multiple_of(8);
    let (group, lane) = (output / lanes, output % lanes);
    let (dy, dx) = (tap / side, tap % side);
    (((group * side + dy) * inputs + input) * side + dx) * lanes + lane
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx512f,avx512vl,avx512dq,avx512bw,avx2,fma")]
unsafe fn grad_avx512<const B: usize, const I: usize, const T: usize>(job: &Grad) {
    unsafe { grad::<Avx512, B, I, T>(job) }
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,fma")]
unsafe fn grad_avx2<const B: usize, const I: usize, const T: usize>(job: &Grad) {
    unsafe { grad::<Avx2, B, I, T>(job) }
}

/// `I` inputs, one row of `T` taps and `B` blocks of outputs stay in registers.
#[inline(always)]
unsafe fn grad<V: Lanes, const B: usize, const I: usize, const T: usize>(job: &Grad) {
    let (board, block, pitch) = (job.board, job.board.block(), job.board.pitch());
    let inputs = job.cin.next_multiple_of(8);
    let margin = if T == 3 { 0 } else { board.at(0, 0) };
    // SAFETY: cells and taps lie within the board with its margin; inputs beyond `cin` are lanes
    // of its last block.
    unsafe {
        for group in 0..job.blocks / B {
            let dy = job.dy.add(group * B * block);
            for row_tap in 0..T {
                for input in (0..inputs).step_by(I) {
                    let out = job.out.add(((group * T + row_tap) * inputs + input) * T * B * LANES);
                    let x =
                        job.x.add(input / LANES * block + input % LANES + margin + row_tap * pitch);
                    let mut sums = [[[V::zero(); B]; T]; I];
                    for row in 0..board.height {
                        let (dy, x) = (dy.add(board.at(row, 0)), x.add(row * pitch));
                        for column in 0..board.width {
                            let mut d = [V::zero(); B];
                            for (b, d) in d.iter_mut().enumerate() {
                                *d = V::load(dy.add(b * block + column * LANES));
                            }
                            for t in 0..T {
                                for (i, sums) in sums.iter_mut().enumerate() {
                                    let x = V::splat(x.add((column + t) * LANES + i));
                                    for (sum, d) in sums[t].iter_mut().zip(d) {
                                        *sum = sum.fma(x, d);
                                    }
                                }
                            }
                        }
                    }
                    for (at, sum) in sums.iter().flatten().flatten().enumerate() {
                        let out = out.add(at * LANES);
                        V::load(out).add(*sum).store(out);
                    }
                }
            }
        }
    }
}
