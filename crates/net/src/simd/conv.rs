//! Direct convolution: some cells of a row times some blocks of output channels stay in registers
//! while all inputs and taps are added up.

#[cfg(target_arch = "x86_64")]
use super::lanes::{Avx2, Avx512};
use super::lanes::{Lanes, Portable};
use super::{Isa, Kind};
use crate::board::{Board, LANES};

/// A convolution's weights, in the order in which they are read:
/// group of output blocks, block of inputs, tap, input, output.
#[derive(Debug, Clone)]
pub(crate) struct Kernel {
    isa: Isa,
    cin: usize,
    blocks: usize,
    group: usize,
    taps: usize,
    weights: Vec<f32>,
}

/// What happens to the sums.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Epilogue<'a> {
    /// Added, per output channel (whole blocks).
    pub(crate) bias: Option<&'a [f32]>,
    /// Added, cell by cell.
    pub(crate) skip: Option<&'a [f32]>,
    /// Negative results become zero.
    pub(crate) relu: bool,
}

/// Pointers and extents of one call.
struct Job<'a> {
    kernel: &'a Kernel,
    board: Board,
    x: *const f32,
    out: *mut f32,
    bias: Option<*const f32>,
    skip: Option<*const f32>,
    relu: bool,
}

impl Kernel {
    /// Room for a convolution with a square kernel of this side, 1 or 3.
    pub(crate) fn new(isa: Isa, cin: usize, cout: usize, side: usize) -> Kernel {
        let blocks = cout.div_ceil(LANES);
        Kernel {
            isa,
            cin,
            blocks,
            group: isa.group(blocks),
            taps: side,
            weights: vec![0.0; blocks * LANES * cin * side * side],
        }
    }

    /// Sets the weights: `weight(output, input, tap)`, for `cout` outputs.
    pub(crate) fn fill(&mut self, cout: usize, weight: impl Fn(usize, usize, usize) -> f32) {
        let (lanes, taps) = (self.group * LANES, self.taps * self.taps);
        let mut rows = self.weights.chunks_exact_mut(lanes);
        for group in 0..self.blocks / self.group {
            for first in (0..self.cin).step_by(LANES) {
                for tap in 0..taps {
                    for input in first..self.cin.min(first + LANES) {
                        for (lane, number) in rows.next().into_iter().flatten().enumerate() {
                            let output = group * lanes + lane;
                            *number = if output < cout { weight(output, input, tap) } else { 0.0 };
                        }
                    }
                }
            }
        }
    }

    /// Numbers of bias this kernel reads.
    pub(crate) fn outputs(&self) -> usize {
        self.blocks * LANES
    }

    /// `out = epilogue(weights * x)`; the margin of `out` is left alone.
    pub(crate) fn apply(&self, board: Board, x: &[f32], out: &mut [f32], epilogue: Epilogue<'_>) {
        assert!(x.len() >= board.size(self.cin), "input of a convolution");
        assert!(out.len() >= board.size(self.outputs()), "output of a convolution");
        assert!(epilogue.bias.is_none_or(|bias| bias.len() >= self.outputs()), "bias");
        assert!(epilogue.skip.is_none_or(|skip| skip.len() >= board.size(self.outputs())), "skip");
        let job = Job {
            kernel: self,
            board,
            x: x.as_ptr(),
            out: out.as_mut_ptr(),
            bias: epilogue.bias.map(<[f32]>::as_ptr),
            skip: epilogue.skip.map(<[f32]>::as_ptr),
            relu: epilogue.relu,
        };
        // SAFETY: an `Isa` exists only where the machine has it; the extents were checked above.
        unsafe {
            match (self.isa.0, self.group) {
                #[cfg(target_arch = "x86_64")]
                (Kind::Avx512, 4) => avx512_4(&job),
                #[cfg(target_arch = "x86_64")]
                (Kind::Avx512, 2) => avx512_2(&job),
                #[cfg(target_arch = "x86_64")]
                (Kind::Avx512, _) => avx512_1(&job),
                #[cfg(target_arch = "x86_64")]
                (Kind::Avx2, _) => avx2(&job),
                (Kind::Portable, _) => run::<Portable, 1, 2>(&job),
            }
        }
    }
}

// The cells per tile fill the registers: 32 of AVX-512, 16 of AVX2, less weights and input.

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx512f,avx512vl,avx512dq,avx512bw,avx2,fma")]
unsafe fn avx512_4(job: &Job<'_>) {
    unsafe { run::<Avx512, 4, 6>(job) }
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx512f,avx512vl,avx512dq,avx512bw,avx2,fma")]
unsafe fn avx512_2(job: &Job<'_>) {
    unsafe { run::<Avx512, 2, 13>(job) }
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx512f,avx512vl,avx512dq,avx512bw,avx2,fma")]
unsafe fn avx512_1(job: &Job<'_>) {
    unsafe { run::<Avx512, 1, 13>(job) }
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,fma")]
unsafe fn avx2(job: &Job<'_>) {
    unsafe { run::<Avx2, 1, 6>(job) }
}

/// All tiles of a board; tiles have at most `MAX` cells.
#[inline(always)]
unsafe fn run<V: Lanes, const B: usize, const MAX: usize>(job: &Job<'_>) {
    let Kernel { cin, blocks, taps, .. } = *job.kernel;
    let (width, pitch) = (job.board.width, job.board.pitch());
    let tiles = width.div_ceil(MAX);
    let mut weights = job.kernel.weights.as_ptr();
    for group in 0..blocks / B {
        for first in (0..cin).step_by(LANES) {
            let inputs = LANES.min(cin - first);
            for row in 0..job.board.height {
                let mut column = 0;
                for tile in 0..tiles {
                    let cells = width / tiles + usize::from(tile < width % tiles);
                    let part = Part {
                        weights,
                        // The upper left tap of the tile's first cell.
                        x: first / LANES * job.board.block()
                            + if taps == 3 {
                                row * pitch + column * LANES
                            } else {
                                job.board.at(row, column)
                            },
                        out: group * B * job.board.block() + job.board.at(row, column),
                        output: group * B * LANES,
                        inputs,
                        begin: first == 0,
                        end: first + LANES >= cin,
                    };
                    // SAFETY: tile and taps lie within the board with its margin.
                    unsafe {
                        match cells {
                            1 => tile_of::<V, B, 1>(job, &part),
                            2 => tile_of::<V, B, 2>(job, &part),
                            3 if MAX >= 3 => tile_of::<V, B, 3>(job, &part),
                            4 if MAX >= 4 => tile_of::<V, B, 4>(job, &part),
                            5 if MAX >= 5 => tile_of::<V, B, 5>(job, &part),
                            6 if MAX >= 6 => tile_of::<V, B, 6>(job, &part),
                            7 if MAX >= 7 => tile_of::<V, B, 7>(job, &part),
                            8 if MAX >= 8 => tile_of::<V, B, 8>(job, &part),
                            9 if MAX >= 9 => tile_of::<V, B, 9>(job, &part),
                            10 if MAX >= 10 => tile_of::<V, B, 10>(job, &part),
                            11 if MAX >= 11 => tile_of::<V, B, 11>(job, &part),
                            12 if MAX >= 12 => tile_of::<V, B, 12>(job, &part),
                            13 if MAX >= 13 => tile_of::<V, B, 13>(job, &part),
                            _ => unreachable!("tiles of at most {MAX} cells"),
                        }
                    }
                    column += cells;
                }
            }
            // SAFETY: at most one past the end.
            weights = unsafe { weights.add(inputs * taps * taps * B * LANES) };
        }
    }
}

/// One tile and one block of inputs.
struct Part {
    weights: *const f32,
    x: usize,
    out: usize,
    output: usize,
    inputs: usize,
    begin: bool,
    end: bool,
}

#[inline(always)]
unsafe fn tile_of<V: Lanes, const B: usize, const P: usize>(job: &Job<'_>, part: &Part) {
    unsafe {
        let (block, pitch) = (job.board.block(), job.board.pitch());
        let out = job.out.add(part.out);
        let mut sums = [[V::zero(); B]; P];
        if !part.begin {
            for (p, sums) in sums.iter_mut().enumerate() {
                for (b, sum) in sums.iter_mut().enumerate() {
                    *sum = V::load(out.add(b * block + p * LANES));
                }
            }
        }
        let mut weights = part.weights;
        for dy in 0..job.kernel.taps {
            for dx in 0..job.kernel.taps {
                let x = job.x.add(part.x + dy * pitch + dx * LANES);
                for input in 0..part.inputs {
                    let mut w = [V::zero(); B];
                    for (b, w) in w.iter_mut().enumerate() {
                        *w = V::load(weights.add(b * LANES));
                    }
                    weights = weights.add(B * LANES);
                    for (p, sums) in sums.iter_mut().enumerate() {
                        let x = V::splat(x.add(p * LANES + input));
                        for (sum, w) in sums.iter_mut().zip(w) {
                            *sum = sum.fma(x, w);
                        }
                    }
                }
            }
        }
        // Plain stores, which the compiler unrolls: otherwise the sums would live in memory.
        for (p, sums) in sums.iter().enumerate() {
            for (b, sum) in sums.iter().enumerate() {
                sum.store(out.add(b * block + p * LANES));
            }
        }
        if part.end {
            finish::<V, B, P>(job, part);
        }
    }
}

/// Bias, skip and ReLU of a tile.
#[inline(always)]
unsafe fn finish<V: Lanes, const B: usize, const P: usize>(job: &Job<'_>, part: &Part) {
    // SAFETY: the tile lies on the board, and bias and skip are as long as the output.
    unsafe {
        for b in 0..B {
            let first = part.out + b * job.board.block();
            let bias = match job.bias {
                Some(bias) => V::load(bias.add(part.output + b * LANES)),
                None => V::zero(),
            };
            for at in (first..first + P * LANES).step_by(LANES) {
                let mut sum = V::load(job.out.add(at)).add(bias);
                if let Some(skip) = job.skip {
                    sum = sum.add(V::load(skip.add(at)));
                }
                if job.relu {
                    sum = sum.relu();
                }
                sum.store(job.out.add(at));
            }
        }
    }
}
