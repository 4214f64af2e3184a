//! A step of learning: the weights that a board met are moved towards what came.

use super::network::{COHERENT, Network};
use spielbaum_core::IMAGES;

/// A net that learns.
pub(super) trait Learns {
    /// Moves the weights of an afterstate, which stand at these places, by its error; `alpha` is the
    /// share of the error that all of them together make up at most.
    ///
    /// All that a tuple meets is read before anything is written, so that a weight it meets in
    /// several images moves once: else the steps of a symmetric board would add up to more than
    /// its error, and grow without bounds.
    fn learn(&self, features: &[u32], alpha: f32, error: f32);
}

/// The same step for all.
impl Learns for Network<1> {
    #[inline]
    fn learn(&self, features: &[u32], alpha: f32, error: f32) {
        let step = alpha * error / features.len() as f32;
        for features in features.as_chunks::<IMAGES>().0 {
            let weights = features.map(|place| self.get(place as usize) + step);
            for (&place, weight) in features.iter().zip(weights) {
                self.set(place as usize, weight);
            }
        }
    }
}

/// Temporal coherence (Beal and Smith 1999, Jaśkowski 2018): errors that cancel out mean that a
/// weight is right, so its steps are shorter by the sum of its errors over the sum of their sizes.
impl Learns for Network<COHERENT> {
    #[inline]
    fn learn(&self, features: &[u32], alpha: f32, error: f32) {
        let step = alpha * error / features.len() as f32;
        for features in features.as_chunks::<IMAGES>().0 {
            let sums = features.map(|place| self.get(place as usize + 1));
            let sizes = features.map(|place| self.get(place as usize + 2));
            let mut weights = features.map(|place| self.get(place as usize));
            for i in 0..IMAGES {
                let rate = if sizes[i] > 0.0 { sums[i].abs() / sizes[i] } else { 1.0 };
                weights[i] += step * rate;
            }
            for i in 0..IMAGES {
                let place = features[i] as usize;
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

    fn net<const STRIDE: usize>(images: [u64; IMAGES]) -> (Network<STRIDE>, Vec<u32>) {
        let net = Network::new("01-23".parse().unwrap(), 0.0);
        let mut features = vec![0; net.features()];
        net.trace(&images, &mut features);
        (net, features)
    }

    /// Also for a board that looks the same in all images.
    #[test]
    fn a_full_step_makes_up_the_error() {
        for images in [std::array::from_fn(|i| 0x1111 * i as u64), [0x1111; IMAGES]] {
            let (plain, features) = net::<1>(images);
            plain.learn(&features, 1.0, 32.0);
            let (coherent, features) = net::<COHERENT>(images);
            coherent.learn(&features, 1.0, 32.0);
            assert_eq!((plain.value(&images), coherent.value(&images)), (32.0, 32.0));
        }
    }

    /// Errors 8, -4, 8 at one weight: rates 1, 1 and 4 / 12.
    #[test]
    fn errors_that_cancel_out_slow_a_weight_down() {
        let (net, features) = net::<COHERENT>(std::array::from_fn(|i| 0x1111 * i as u64));
        let first = features[0] as usize / COHERENT;
        let n = features.len() as f32;
        for (error, weight) in [(8.0, 8.0 / n), (-4.0, 4.0 / n), (8.0, (4.0 + 8.0 / 3.0) / n)] {
            net.learn(&features, 1.0, error);
            assert!((net.weight(first) - weight).abs() < 1e-6);
        }
        assert_eq!(net.coherence(first), Some((12.0, 20.0)));
    }
}
