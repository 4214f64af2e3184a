//! Every instruction set against sums written down plainly.

use super::{Epilogue, Isa, Kernel, grad_index, grad_size, grad_weights};
use crate::board::{Board, LANES};

fn noise(n: usize) -> f32 {
    let x = (n as u64 + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    ((x ^ (x >> 29)).wrapping_mul(0xbf58_476d_1ce4_e5b9) >> 40) as f32 / (1 << 23) as f32 - 1.0
}

/// Channels of a board from a function of channel, row and column.
fn fill(board: Board, channels: usize, number: impl Fn(usize, usize, usize) -> f32) -> Vec<f32> {
    let mut planes = Vec::new();
    for channel in 0..channels {
        for row in 0..board.height {
            planes.extend((0..board.width).map(|column| number(channel, row, column)));
        }
    }
    let mut blocks = vec![0.0; board.size(channels)];
    board.pack(&planes, &mut blocks);
    blocks
}

fn at(board: Board, blocks: &[f32], channel: usize, row: usize, column: usize) -> f32 {
    blocks[channel / LANES * board.block() + channel % LANES + board.at(row, column)]
}

/// The cell that a tap looks at.
fn tapped(
    board: Board,
    side: usize,
    tap: usize,
    row: usize,
    column: usize,
) -> Option<(usize, usize)> {
    let (row, column) = (row + tap / side, column + tap % side);
    let (row, column) = (row.checked_sub(side / 2)?, column.checked_sub(side / 2)?);
    (row < board.height && column < board.width).then_some((row, column))
}

#[test]
fn convolutions_are_sums_of_products() {
    let widths = [(1, 1), (2, 5), (3, 6), (4, 13), (2, 14), (3, 15), (2, 19), (1, 27)];
    let channels = [(3, 6), (16, 16), (20, 32), (33, 64), (5, 80)];
    for (case, ((height, width), (cin, cout))) in
        widths.into_iter().flat_map(|size| channels.map(|channels| (size, channels))).enumerate()
    {
        let board = Board { height, width };
        let side = if case % 3 == 0 { 1 } else { 3 };
        let weight =
            |output: usize, input: usize, tap: usize| noise((output * 97 + input) * 9 + tap);
        let x = fill(board, cin, |c, y, x| noise(c * 1000 + y * 31 + x + 5));
        let skip = fill(board, cout, |c, y, x| noise(c * 2000 + y * 37 + x));
        let bias: Vec<f32> = (0..cout.next_multiple_of(LANES)).map(noise).collect();
        for isa in Isa::all() {
            let mut kernel = Kernel::new(isa, cin, cout, side);
            kernel.fill(cout, weight);
            let mut out = vec![0.0; board.size(cout)];
            let epilogue = Epilogue {
                bias: Some(&bias),
                skip: (case % 2 == 0).then_some(&skip),
                relu: case % 4 < 2,
            };
            kernel.apply(board, &x, &mut out, epilogue);
            for (output, bias) in bias.iter().enumerate().take(cout) {
                for (row, column) in
                    (0..height).flat_map(|row| (0..width).map(move |column| (row, column)))
                {
                    let mut sum = f64::from(*bias);
                    for tap in 0..side * side {
                        if let Some((y, x_)) = tapped(board, side, tap, row, column) {
                            for input in 0..cin {
                                sum += f64::from(weight(output, input, tap))
                                    * f64::from(at(board, &x, input, y, x_));
                            }
                        }
                    }
                    if epilogue.skip.is_some() {
                        sum += f64::from(at(board, &skip, output, row, column));
                    }
                    if epilogue.relu {
                        sum = sum.max(0.0);
                    }
                    let ours = f64::from(at(board, &out, output, row, column));
                    assert!(
                        (ours - sum).abs() < 1e-4,
                        "{isa} {board:?} {cin} {cout} {side}: {ours} {sum}"
                    );
                }
            }
        }
    }
}

#[test]
fn gradients_of_weights_are_sums_of_products() {
    for (case, (cin, cout)) in
        [(3, 6), (16, 16), (20, 32), (33, 64), (5, 80)].into_iter().enumerate()
    {
        for side in [1, 3] {
            let board = Board { height: 3 + case, width: 7 - case };
            let x = fill(board, cin, |c, y, x| noise(c * 1000 + y * 31 + x + 5));
            let dy = fill(board, cout, |c, y, x| noise(c * 2000 + y * 37 + x));
            for isa in Isa::all() {
                let extents = (cin, cout, side);
                let mut gradient = vec![1.0; grad_size(cin, cout, side)];
                grad_weights(isa, board, extents, &x, &dy, &mut gradient);
                for (output, input, tap) in (0..cout).flat_map(|o| {
                    (0..cin).flat_map(move |i| (0..side * side).map(move |t| (o, i, t)))
                }) {
                    let mut sum = 1.0;
                    for row in 0..board.height {
                        for column in 0..board.width {
                            if let Some((y, x_)) = tapped(board, side, tap, row, column) {
                                sum += f64::from(at(board, &dy, output, row, column))
                                    * f64::from(at(board, &x, input, y, x_));
                            }
                        }
                    }
                    let ours = f64::from(gradient[grad_index(isa, extents, (output, input, tap))]);
                    assert!((ours - sum).abs() < 1e-4, "{isa} {extents:?}: {ours} {sum}");
                }
            }
        }
    }
}
