//! The weights, and the sum of those that a board meets.

use super::shape::Shape;
use spielbaum_core::{Cells, IMAGES};
use std::sync::atomic::{AtomicU32, Ordering::Relaxed};

/// A net: tuples and their weights.
///
/// Weights are floats in relaxed atomics, which cost what plain loads and stores cost and let
/// several threads train one net without locks. Each weight is the first of `STRIDE` numbers that lie
/// together: what learning keeps about a weight is in the cache when the weight is.
///
/// ```
/// use spielbaum_core::Cells;
/// use spielbaum_games::g2048::G2048;
/// use spielbaum_learn::ntuple::Network;
/// let game = G2048::new(4, 4).unwrap();
/// let net = Network::<1>::new("4x4".parse().unwrap(), 0.5);
/// // Five tuples in eight images of the board.
/// assert_eq!(net.value(&game.images(0x1234)), 0.5 * 40.0);
/// ```
pub struct Network<const STRIDE: usize = 1> {
    shape: Shape,
    tuples: Vec<Tuple>,
    pub(super) numbers: Box<[AtomicU32]>,
}

/// A net that is written and read.
pub trait Weights {
    /// Its tuples.
    fn shape(&self) -> &Shape;

    /// A weight by its number in the order of the tuples and of the fillings of their cells, the
    /// first cell counting least.
    fn weight(&self, index: usize) -> f32;

    /// Sets a weight.
    fn set_weight(&self, index: usize, weight: f32);

    /// The sum of a weight's errors and the sum of their sizes, where these are kept.
    fn coherence(&self, index: usize) -> Option<(f32, f32)>;

    /// Sets them, where they are kept.
    fn set_coherence(&self, index: usize, coherence: (f32, f32));
}

/// The stride of a net with coherence: weight, sum of errors, sum of their sizes.
pub(super) const COHERENT: usize = 3;

/// How the cells of a tuple become an index: runs of neighbouring cells, moved together. Most tuples
/// have one or two.
struct Tuple {
    runs: [Run; 2],
    more: Vec<Run>,
    /// Where its weights begin.
    offset: u32,
}

/// A mask of nothing is no run.
#[derive(Clone, Copy, Default)]
struct Run {
    shift: u32,
    mask: u64,
}

impl Tuple {
    fn new(cells: &[u8], offset: u32) -> Self {
        let mut runs: Vec<Run> = Vec::new();
        for (at, &cell) in cells.iter().enumerate() {
            let shift = 4 * (u32::from(cell) - at as u32);
            let mask = 15 << (4 * at);
            match runs.last_mut() {
                Some(run) if run.shift == shift => run.mask |= mask,
                _ => runs.push(Run { shift, mask }),
            }
        }
        let more = runs.split_off(runs.len().min(2));
        runs.resize(2, Run::default());
        Tuple { runs: [runs[0], runs[1]], more, offset }
    }

    #[inline]
    fn places<const STRIDE: usize>(&self, images: &[u64; IMAGES]) -> [u32; IMAGES] {
        let [a, b] = self.runs;
        let mut sums =
            images.map(|image| (image >> a.shift & a.mask) + (image >> b.shift & b.mask));
        for run in &self.more {
            for (sum, image) in sums.iter_mut().zip(images) {
                *sum += image >> run.shift & run.mask;
            }
        }
        sums.map(|sum| (sum as u32 + self.offset) * STRIDE as u32)
    }
}

/// Where the weights stand that some tuples meet in each image. Not inlined: the images come from
/// memory, so all eight are worked on at once in vectors.
#[inline(never)]
fn fill<const STRIDE: usize>(tuples: &[Tuple], images: &[u64; IMAGES], places: &mut [u32]) {
    for (tuple, places) in tuples.iter().zip(places.as_chunks_mut::<IMAGES>().0) {
        *places = tuple.places::<STRIDE>(images);
    }
}

/// Tuples whose places are found together.
const GROUP: usize = 8;

impl<const STRIDE: usize> Network<STRIDE> {
    /// A net with all weights alike.
    pub fn new(shape: Shape, weight: f32) -> Self {
        let mut offset = 0;
        let tuples = (shape.tuples().iter())
            .map(|cells| {
                let tuple = Tuple::new(cells, offset);
                offset += 1 << (4 * cells.len());
                tuple
            })
            .collect();
        let first = weight.to_bits();
        let number = |i: usize| if i.is_multiple_of(STRIDE) { first } else { 0 };
        let numbers = (0..shape.weights() * STRIDE).map(|i| AtomicU32::new(number(i))).collect();
        Network { shape, tuples, numbers }
    }

    /// The number of weights that a board's value is the sum of.
    pub fn features(&self) -> usize {
        self.tuples.len() * IMAGES
    }

    /// Memory of the weights, in bytes.
    pub fn bytes(&self) -> usize {
        size_of_val(&*self.numbers)
    }

    #[inline]
    pub(super) fn get(&self, place: usize) -> f32 {
        f32::from_bits(self.numbers[place].load(Relaxed))
    }

    #[inline]
    pub(super) fn set(&self, place: usize, number: f32) {
        self.numbers[place].store(number.to_bits(), Relaxed);
    }

    /// The value of an afterstate, given by its images.
    #[inline]
    pub fn value(&self, images: &[u64; IMAGES]) -> f32 {
        let mut sums = [0.0; IMAGES];
        for tuples in self.tuples.chunks(GROUP) {
            let mut places = [0; GROUP * IMAGES];
            fill::<STRIDE>(tuples, images, &mut places);
            self.add(&places[..tuples.len() * IMAGES], &mut sums);
        }
        total(&sums)
    }

    /// As [`value`](Network::value); the places of the weights are written down, eight for each
    /// tuple.
    #[inline]
    pub(super) fn trace(&self, images: &[u64; IMAGES], features: &mut [u32]) -> f32 {
        fill::<STRIDE>(&self.tuples, images, features);
        let mut sums = [0.0; IMAGES];
        self.add(features, &mut sums);
        total(&sums)
    }

    #[inline]
    fn add(&self, places: &[u32], sums: &mut [f32; IMAGES]) {
        for places in places.as_chunks::<IMAGES>().0 {
            for (sum, place) in sums.iter_mut().zip(places) {
                *sum += self.get(*place as usize);
            }
        }
    }

    /// The best move by reward and value of the afterstate, and that sum; the first of equals.
    #[inline]
    pub fn best<G: Cells>(&self, pos: &G) -> Option<(G::Move, f32, u32)> {
        let (mut best, mut count) = (None, 0);
        pos.afterstates(|m, after, reward| {
            let value = reward + self.value(&pos.images(after));
            count += 1;
            // Without a branch, see `learner::best`.
            let (mv, most) = best.unwrap_or((m, f32::NEG_INFINITY));
            let is_better = value > most;
            best = Some((
                std::hint::select_unpredictable(is_better, m, mv),
                std::hint::select_unpredictable(is_better, value, most),
            ));
        });
        best.map(|(m, value)| (m, value, count))
    }
}

impl<const STRIDE: usize> Weights for Network<STRIDE> {
    fn shape(&self) -> &Shape {
        &self.shape
    }

    #[inline]
    fn weight(&self, index: usize) -> f32 {
        self.get(index * STRIDE)
    }

    #[inline]
    fn set_weight(&self, index: usize, weight: f32) {
        self.set(index * STRIDE, weight);
    }

    fn coherence(&self, index: usize) -> Option<(f32, f32)> {
        let at = index * STRIDE;
        (STRIDE == COHERENT).then(|| (self.get(at + 1), self.get(at + 2)))
    }

    fn set_coherence(&self, index: usize, (sum, size): (f32, f32)) {
        if STRIDE == COHERENT {
            self.set(index * STRIDE + 1, sum);
            self.set(index * STRIDE + 2, size);
        }
    }
}

#[inline]
fn total(sums: &[f32; IMAGES]) -> f32 {
    let [a, b, c, d, e, f, g, h] = *sums;
    ((a + b) + (c + d)) + ((e + f) + (g + h))
}

#[cfg(test)]
mod tests {
    use super::*;
    use spielbaum_core::Rng;
    use spielbaum_games::g2048::G2048;

    /// Cell by cell, as the definition says.
    #[test]
    fn indices_are_the_cells_read_as_digits() {
        let mut rng = Rng::new(1);
        for text in ["4x4", "small", "4x6", "05af-13-7-01489a"] {
            let shape: Shape = text.parse().unwrap();
            let net = Network::<3>::new(shape.clone(), 0.0);
            let images: [u64; IMAGES] = std::array::from_fn(|_| rng.next());
            let mut features = vec![0; net.features()];
            net.trace(&images, &mut features);
            let mut offset = 0;
            for (tuple, found) in shape.tuples().iter().zip(features.chunks(IMAGES)) {
                for (image, &found) in images.iter().zip(found) {
                    let digits = tuple.iter().map(|&cell| image >> (4 * cell) & 15);
                    let index = digits.rev().fold(0, |sum, digit| 16 * sum + digit);
                    assert_eq!(u64::from(found), 3 * (offset + index));
                }
                offset += 1 << (4 * tuple.len());
            }
        }
    }

    #[test]
    fn a_value_is_the_sum_of_its_weights_and_the_same_for_all_images() {
        let game = G2048::new(4, 4).unwrap();
        let net = Network::<1>::new("01245-0123-569a".parse().unwrap(), 0.0);
        let mut rng = Rng::new(2);
        for i in 0..net.shape().weights() {
            net.set_weight(i, rng.below(1000) as f32);
        }
        for _ in 0..100 {
            let word = rng.next();
            let mut features = vec![0; net.features()];
            let value = net.trace(&game.images(word), &mut features);
            let sum: f32 = features.iter().map(|&i| net.weight(i as usize)).sum();
            assert_eq!(value, sum);
            for image in game.images(word) {
                assert_eq!(net.value(&game.images(image)), value);
            }
        }
    }
}
