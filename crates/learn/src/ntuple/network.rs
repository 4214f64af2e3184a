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

/// How the cells of a tuple become an index.
struct Tuple {
    cells: u64,
    /// Where its weights begin.
    offset: u32,
}

impl Tuple {
    fn new(cells: &[u8], offset: u32) -> Self {
        Tuple { cells: cells.iter().fold(0, |mask, cell| mask | 15 << (4 * cell)), offset }
    }

    /// Where the weights stand that it meets in each image.
    #[inline]
    fn places<const STRIDE: usize>(&self, images: &[u64; IMAGES]) -> [usize; IMAGES] {
        images.map(|image| (extract(image, self.cells) as usize + self.offset as usize) * STRIDE)
    }
}

/// The bits of a word that a mask has, moved together.
#[inline]
#[cfg(all(target_arch = "x86_64", target_feature = "bmi2"))]
#[allow(unsafe_code)]
fn extract(word: u64, mask: u64) -> u32 {
    // SAFETY: compiled only for processors that have the instruction. It is in the innermost loop:
    // run by run, a move of training takes several times as many instructions.
    unsafe { std::arch::x86_64::_pext_u64(word, mask) as u32 }
}

#[cfg(not(all(target_arch = "x86_64", target_feature = "bmi2")))]
use extract_runs as extract;

/// The same anywhere: run by run of neighbouring bits, of which a tuple has two or three.
#[inline]
#[cfg(any(test, not(all(target_arch = "x86_64", target_feature = "bmi2"))))]
fn extract_runs(word: u64, mut mask: u64) -> u32 {
    let (mut bits, mut at) = (0, 0);
    while mask != 0 {
        let low = mask.trailing_zeros();
        let run = (mask >> low).trailing_ones();
        let ones = u64::MAX >> (64 - run);
        bits |= (word >> low & ones) << at;
        mask &= !(ones << low);
        at += run;
    }
    bits as u32
}

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

    /// Where the weights stand that make up a value, tuple by tuple.
    #[inline]
    pub(super) fn places(&self, images: &[u64; IMAGES]) -> impl Iterator<Item = [usize; IMAGES]> {
        self.tuples.iter().map(|tuple| tuple.places::<STRIDE>(images))
    }

    /// The value of an afterstate, given by its images.
    #[inline]
    pub fn value(&self, images: &[u64; IMAGES]) -> f32 {
        let mut sums = [0.0; IMAGES];
        for places in self.places(images) {
            for (sum, place) in sums.iter_mut().zip(places) {
                *sum += self.get(place);
            }
        }
        let [a, b, c, d, e, f, g, h] = sums;
        ((a + b) + (c + d)) + ((e + f) + (g + h))
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
            let mut offset = 0;
            for (tuple, found) in shape.tuples().iter().zip(net.places(&images)) {
                for (image, found) in images.iter().zip(found) {
                    let digits = tuple.iter().map(|&cell| image >> (4 * cell) & 15);
                    let index = digits.rev().fold(0, |sum, digit| 16 * sum + digit);
                    assert_eq!(found as u64, 3 * (offset + index));
                }
                offset += 1 << (4 * tuple.len());
            }
        }
    }

    #[test]
    fn bits_are_extracted_alike_everywhere() {
        let mut rng = Rng::new(3);
        for tuple in ["4x6", "8x6", "05af-13-7-01489a"].map(|t| t.parse::<Shape>().unwrap()) {
            for cells in tuple.tuples() {
                let Tuple { cells: mask, .. } = Tuple::new(cells, 0);
                let word = rng.next();
                assert_eq!(extract(word, mask), extract_runs(word, mask));
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
            let value = net.value(&game.images(word));
            let places: Vec<usize> = net.places(&game.images(word)).flatten().collect();
            assert_eq!(places.len(), net.features());
            let sum: f32 = places.into_iter().map(|i| net.weight(i)).sum();
            assert_eq!(value, sum);
            for image in game.images(word) {
                assert_eq!(net.value(&game.images(image)), value);
            }
        }
    }
}
