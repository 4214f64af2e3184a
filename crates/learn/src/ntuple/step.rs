//! A step of learning: the weights that a board met are moved towards what came.

use super::network::{COHERENT, Network};
use spielbaum_core::IMAGES;

/// A net that learns.
pub(super) trait Learns {
    /// Moves the weights of an afterstate, given by its images, towards a target; `alpha` is the
    /// share of the error that all of them together make up at most.
    ///
    /// The error is that of the weights as they are by now: other threads move them, too, and what
    /// one has made up the others must not make up again. With three games side by side and errors of
    /// the time of choice, temporal coherence learned nothing.
    ///
    /// All that a tuple meets is read before anything is written, so that a weight it meets in
    /// several images moves once: else the steps of a symmetric board would add up to more than
    /// its error, and grow without bounds.
    fn learn(&self, images: &[u64; IMAGES], alpha: f32, target: f32);
}

/// The same step for all.
impl Learns for Network<1> {
    #[inline]
    fn learn(&self, images: &[u64; IMAGES], alpha: f32, target: f32) {
        let step = alpha * (target - self.value(images)) / self.features() as f32;
        for places in self.places(images) {
            let weights = places.map(|place| self.get(place) + step);
            for (place, weight) in places.into_iter().zip(weights) {
                self.set(place, weight);
            }
        }
    }
}

/// Temporal coherence (Beal and Smith 1999, Jaśkowski 2018): errors that cancel out mean that a
/// weight is right, so its steps are shorter by the sum of its errors over the sum of their sizes.
impl Learns for Network<COHERENT> {
    #[inline]
    fn learn(&self, images: &[u64; IMAGES], alpha: f32, target: f32) {
        let error = target - self.value(images);
        let step = alpha * error / self.features() as f32;
        for places in self.places(images) {
            let sums = places.map(|place| self.get(place + 1));
            let sizes = places.map(|place| self.get(place + 2));
            let mut weights = places.map(|place| self.get(place));
            for i in 0..IMAGES {
                let rate = if sizes[i] > 0.0 { sums[i].abs() / sizes[i] } else { 1.0 };
                weights[i] += step * rate;
            }
            for i in 0..IMAGES {
                let place = places[i];
                self.set(place, weights[i]);
                self.set(place + 1, sums[i] + error);
                self.set(place + 2, sizes[i] + error.abs());
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ntuple::Weights;

    fn net<const STRIDE: usize>() -> Network<STRIDE> {
        Network::new("01-23".parse().unwrap(), 0.0)
    }

    /// Also for a board that looks the same in all images.
    #[test]
    fn a_full_step_makes_up_the_error() {
        for images in [std::array::from_fn(|i| 0x1111 * i as u64), [0x1111; IMAGES]] {
            let (plain, coherent) = (net::<1>(), net::<COHERENT>());
            plain.learn(&images, 1.0, 32.0);
            coherent.learn(&images, 1.0, 32.0);
            assert_eq!((plain.value(&images), coherent.value(&images)), (32.0, 32.0));
        }
    }

    /// Errors 8, -4, 8 at one weight: rates 1, 1 and 4 / 12.
    #[test]
    fn errors_that_cancel_out_slow_a_weight_down() {
        let (net, images) = (net::<COHERENT>(), std::array::from_fn(|i| 0x1111 * i as u64));
        let first = net.places(&images).next().unwrap()[0] / COHERENT;
        let n = net.features() as f32;
        for (error, weight) in [(8.0, 8.0 / n), (-4.0, 4.0 / n), (8.0, (4.0 + 8.0 / 3.0) / n)] {
            net.learn(&images, 1.0, net.value(&images) + error);
            assert!((net.weight(first) - weight).abs() < 1e-6);
        }
        assert_eq!(net.coherence(first), Some((12.0, 20.0)));
    }
}
