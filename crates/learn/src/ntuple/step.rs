//! A step of learning: the weights that a board met are moved towards what came.

use super::network::{Network, Row, total};
use spielbaum_core::{Cells, IMAGES};
use std::marker::PhantomData;

/// How far weights move.
pub(super) trait Step {
    /// Moves weights that were [found](Network::find) towards a target for their sum; `alpha` is
    /// the share of the error that all of them together make up at most.
    ///
    /// The error is that of the weights as they are by now: other threads move them, too, and what
    /// one has made up the others must not make up again. With three games side by side and errors of
    /// the time of choice, temporal coherence learned nothing.
    ///
    /// All that a tuple meets is read before anything is written, so that a weight it meets in
    /// several images moves once: else the steps of a symmetric board would add up to more than
    /// its error, and grow without bounds.
    ///
    /// Gives the sum of the weights after the step.
    fn learn(net: &Network, rows: &[Row], alpha: f32, target: f32) -> f32;

    /// Says that a step with these weights comes soon.
    fn expect(net: &Network, rows: &[Row]);
}

/// The same step for all: TD(0).
pub(super) struct Even;

impl Step for Even {
    #[inline]
    fn learn(net: &Network, rows: &[Row], alpha: f32, target: f32) -> f32 {
        let step = alpha * (target - net.sum(rows)) / (rows.len() * IMAGES) as f32;
        let mut sums = [0.0; IMAGES];
        for row in rows {
            let weights = row.map(|index| net.weight(index as usize) + step);
            for ((&index, weight), sum) in row.iter().zip(weights).zip(&mut sums) {
                net.set_weight(index as usize, weight);
                *sum += weight;
            }
        }
        total(sums)
    }

    #[inline]
    fn expect(_: &Network, _: &[Row]) {}
}

/// Temporal coherence (Beal and Smith 1999, Jaśkowski 2018): errors that cancel out mean that a
/// weight is right, so its steps are shorter by the sum of its errors over the sum of their sizes.
pub(super) struct Coherent;

impl Step for Coherent {
    #[inline]
    fn learn(net: &Network, rows: &[Row], alpha: f32, target: f32) -> f32 {
        let error = target - net.sum(rows);
        let step = alpha * error / (rows.len() * IMAGES) as f32;
        let mut sums = [0.0; IMAGES];
        for row in rows {
            let kept = row.map(|index| net.coherence(index as usize).unwrap_or_default());
            let mut weights = row.map(|index| net.weight(index as usize));
            for (weight, (sum, size)) in weights.iter_mut().zip(kept) {
                let rate = if size > 0.0 { sum.abs() / size } else { 1.0 };
                *weight += step * rate;
            }
            for i in 0..IMAGES {
                let (index, (sum, size)) = (row[i] as usize, kept[i]);
                net.set_weight(index, weights[i]);
                net.set_coherence(index, (sum + error, size + error.abs()));
                sums[i] += weights[i];
            }
        }
        total(sums)
    }

    #[inline]
    fn expect(net: &Network, rows: &[Row]) {
        net.expect(rows);
    }
}

/// The same; but a weight that is met for the first time begins with what is known of the tuple with
/// [like](Cells::likened) contents, and not with what nothing is known of. Few games come to the
/// largest contents, and what they teach is not spent on what smaller ones have taught already.
/// (Promotion of weights, which Jaśkowski 2018 has from one stage of a game to the next.)
pub(super) struct Promoting<G>(PhantomData<G>);

impl<G: Cells> Step for Promoting<G> {
    #[inline]
    fn learn(net: &Network, rows: &[Row], alpha: f32, target: f32) -> f32 {
        for (tuple, row) in rows.iter().enumerate() {
            for &index in row {
                if net.is_unmet(index as usize) {
                    net.promote(tuple, index, G::likened);
                }
            }
        }
        Coherent::learn(net, rows, alpha, target)
    }

    #[inline]
    fn expect(net: &Network, rows: &[Row]) {
        net.expect(rows);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn nets() -> (Network, Network) {
        let shape = || "01-23".parse().unwrap();
        (Network::new(shape(), 0.0), Network::coherent(shape(), 0.0))
    }

    fn found(net: &Network, images: &[u64; IMAGES]) -> [Row; 2] {
        let mut rows = [[0; IMAGES]; 2];
        net.find(images, &mut rows);
        rows
    }

    /// Also for a board that looks the same in all images.
    #[test]
    fn a_full_step_makes_up_the_error() {
        for images in [std::array::from_fn(|i| 0x1111 * i as u64), [0x1111; IMAGES]] {
            let (plain, coherent) = nets();
            Even::learn(&plain, &found(&plain, &images), 1.0, 32.0);
            Coherent::learn(&coherent, &found(&coherent, &images), 1.0, 32.0);
            assert_eq!((plain.value(&images), coherent.value(&images)), (32.0, 32.0));
            let more = Even::learn(&plain, &found(&plain, &images), 0.3, 77.0);
            assert_eq!(more, plain.value(&images));
            let more = Coherent::learn(&coherent, &found(&coherent, &images), 0.3, -5.0);
            assert_eq!(more, coherent.value(&images));
        }
    }

    /// As when two threads learn from the same board at the same time.
    #[test]
    fn what_was_made_up_is_not_made_up_again() {
        let (net, images) = (nets().0, std::array::from_fn(|i| 0x1111 * i as u64));
        let rows = found(&net, &images);
        for value in [16.0, 24.0, 28.0] {
            Even::learn(&net, &rows, 0.5, 32.0);
            assert_eq!(net.value(&images), value);
        }
        Even::learn(&net, &rows, 1.0, 32.0);
        Even::learn(&net, &rows, 1.0, 32.0);
        assert_eq!(net.value(&images), 32.0);
    }

    /// Tuples of two cells: what 3-1 has learned is what 4-1 begins with, and 2-1 knows of nothing
    /// smaller.
    #[test]
    fn a_new_weight_begins_with_what_is_known_of_like_contents() {
        type Learn = Promoting<spielbaum_games::g2048::G2048>;
        let net = Network::coherent("01".parse().unwrap(), 0.0);
        let learn = |contents: u64, target| {
            let mut rows = [[0; IMAGES]];
            net.find(&[contents; IMAGES], &mut rows);
            Learn::learn(&net, &rows, 1.0, target)
        };
        let value = |contents: u64| net.value(&[contents; IMAGES]);
        learn(0x13, 80.0);
        assert_eq!((value(0x13), value(0x14)), (80.0, 0.0));
        // It begins at 80 and goes all the way.
        learn(0x14, 100.0);
        assert_eq!(net.coherence(0x14), Some((20.0, 20.0)));
        assert_eq!((value(0x13), value(0x14)), (80.0, 100.0));
        // Once met it is not begun again.
        learn(0x14, 90.0);
        assert_eq!(net.coherence(0x14), Some((10.0, 30.0)));
        learn(0x12, 7.0);
        assert_eq!(net.coherence(0x12), Some((7.0, 7.0)));
    }

    /// Errors 8, -4, 8 at one weight: rates 1, 1 and 4 / 12.
    #[test]
    fn errors_that_cancel_out_slow_a_weight_down() {
        let (net, images) = (nets().1, std::array::from_fn(|i| 0x1111 * i as u64));
        let rows = found(&net, &images);
        let first = rows[0][0] as usize;
        let n = net.features() as f32;
        for (error, weight) in [(8.0, 8.0 / n), (-4.0, 4.0 / n), (8.0, (4.0 + 8.0 / 3.0) / n)] {
            Coherent::learn(&net, &rows, 1.0, net.value(&images) + error);
            assert!((net.weight(first) - weight).abs() < 1e-6);
        }
        assert_eq!(net.coherence(first), Some((12.0, 20.0)));
    }
}
