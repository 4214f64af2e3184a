//! The weights, and the sum of those that a board meets.

use super::pages::filled;
use super::shape::Shape;
use spielbaum_core::{Cells, IMAGES, largest_content};
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering::Relaxed};

/// A net: tuples and their weights.
///
/// Weights are floats in relaxed atomics, which cost what plain loads and stores cost and let
/// several threads train one net without locks.
///
/// ```
/// use spielbaum_core::Cells;
/// use spielbaum_games::g2048::G2048;
/// use spielbaum_learn::ntuple::Network;
/// let game = G2048::new(4, 4).unwrap();
/// let net = Network::new("4x4".parse().unwrap(), 0.5);
/// // Five tuples in eight images of the board.
/// assert_eq!(net.value(&game.images(0x1234)), 0.5 * 40.0);
/// ```
pub struct Network {
    shape: Shape,
    tuples: Vec<Tuple>,
    weights: Box<[AtomicU32]>,
    /// The weight of what nothing is known of.
    blank: f32,
    /// What temporal coherence keeps of each weight, in one word each; else nothing. Apart from the
    /// weights: a move of training reads four times as many weights as it changes.
    coherence: Box<[AtomicU64]>,
}

/// The numbers of the weights that a tuple meets in the images of a board.
pub(super) type Row = [u32; IMAGES];

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

    /// The number of the weight that it meets in an image.
    #[inline]
    fn index(&self, image: u64) -> u32 {
        extract(image, self.cells) + self.offset
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

/// The sum of what the images come to, always in the same order.
#[inline]
pub(super) fn total([a, b, c, d, e, f, g, h]: [f32; IMAGES]) -> f32 {
    ((a + b) + (c + d)) + ((e + f) + (g + h))
}

/// Asks for a word from memory without waiting for it.
#[inline]
#[allow(unsafe_code)]
fn prefetch<T>(word: *const T) {
    // SAFETY: the instruction reads nothing and may be given any address. It lets training make about
    // a third more moves in the same time.
    #[cfg(target_arch = "x86_64")]
    unsafe {
        use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        _mm_prefetch::<_MM_HINT_T0>(word.cast());
    }
    let _ = word;
}

impl Network {
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
        let weights = filled(shape.weights(), || AtomicU32::new(weight.to_bits()));
        Network { shape, tuples, weights, blank: weight, coherence: Box::default() }
    }

    /// A net that also keeps what temporal coherence needs.
    pub(super) fn coherent(shape: Shape, weight: f32) -> Self {
        let coherence = filled(shape.weights(), || AtomicU64::new(0));
        Network { coherence, ..Network::new(shape, weight) }
    }

    /// Its tuples.
    pub fn shape(&self) -> &Shape {
        &self.shape
    }

    /// The number of weights that a board's value is the sum of.
    pub fn features(&self) -> usize {
        self.tuples.len() * IMAGES
    }

    /// Memory of the weights and what is kept about them, in bytes.
    pub fn bytes(&self) -> usize {
        size_of_val(&*self.weights) + size_of_val(&*self.coherence)
    }

    /// A weight by its number in the order of the tuples and of the fillings of their cells, the
    /// first cell counting least.
    #[inline]
    pub fn weight(&self, index: usize) -> f32 {
        f32::from_bits(self.weights[index].load(Relaxed))
    }

    /// Sets a weight.
    #[inline]
    pub fn set_weight(&self, index: usize, weight: f32) {
        self.weights[index].store(weight.to_bits(), Relaxed);
    }

    /// The sum of a weight's errors and the sum of their sizes, where these are kept.
    #[inline]
    pub(super) fn coherence(&self, index: usize) -> Option<(f32, f32)> {
        let bits = self.coherence.get(index)?.load(Relaxed);
        Some((f32::from_bits(bits as u32), f32::from_bits((bits >> 32) as u32)))
    }

    /// Sets them, where they are kept.
    #[inline]
    pub(super) fn set_coherence(&self, index: usize, (sum, size): (f32, f32)) {
        if let Some(word) = self.coherence.get(index) {
            word.store(u64::from(sum.to_bits()) | u64::from(size.to_bits()) << 32, Relaxed);
        }
    }

    /// Whether no error of a weight is kept: no step has met it, or those that did had none.
    #[inline]
    pub(super) fn is_unmet(&self, index: usize) -> bool {
        self.coherence(index).is_some_and(|(_, size)| size == 0.0)
    }

    /// Gives a weight of a tuple the value of the one with like contents, if that was met.
    #[cold]
    pub(super) fn promote(&self, tuple: usize, index: u32, likened: fn(u64) -> Option<u64>) {
        let offset = self.tuples[tuple].offset;
        if let Some(like) = likened(u64::from(index - offset)) {
            let like = like as usize + offset as usize;
            if !self.is_unmet(like) {
                self.set_weight(index as usize, self.weight(like));
            }
        }
    }

    /// Forgets what was learned of contents above `known`, and gives those weights, and all of which nothing is
    /// known, the value of the one with like contents; smaller contents first, so that what is known
    /// reaches the largest.
    pub(super) fn liken_above(&self, known: u32, likened: fn(u64) -> Option<u64>) {
        for (tuple, cells) in self.tuples.iter().zip(self.shape.tuples()) {
            let weights = &self.weights[tuple.offset as usize..][..1 << (4 * cells.len())];
            for (weight, contents) in weights.iter().zip(0..) {
                let is_blank = weight.load(Relaxed) == self.blank.to_bits();
                if is_blank || largest_content(contents) > known {
                    let like = likened(contents).map(|like| weights[like as usize].load(Relaxed));
                    weight.store(like.unwrap_or(self.blank.to_bits()), Relaxed);
                }
            }
        }
    }

    /// Asks for what is kept of these weights, so that a step a little later need not wait for it.
    #[inline]
    pub(super) fn expect(&self, rows: &[Row]) {
        for row in rows {
            for &index in row {
                prefetch(self.coherence.as_ptr().wrapping_add(index as usize));
            }
        }
    }

    /// Finds the weights that make up the value of an afterstate, given by its images, and asks for
    /// them from memory: who reads them a little later does not wait.
    #[inline]
    pub(super) fn find(&self, images: &[u64; IMAGES], rows: &mut [Row]) {
        for (tuple, row) in self.tuples.iter().zip(rows) {
            for (image, index) in images.iter().zip(row) {
                *index = tuple.index(*image);
                prefetch(self.weights.as_ptr().wrapping_add(*index as usize));
            }
        }
    }

    /// The sum of the weights that [`find`](Self::find) has found.
    #[inline]
    pub(super) fn sum(&self, rows: &[Row]) -> f32 {
        self.sum_of(rows.iter().copied())
    }

    /// The value of an afterstate, given by its images.
    #[inline]
    pub fn value(&self, images: &[u64; IMAGES]) -> f32 {
        self.sum_of(self.tuples.iter().map(|tuple| images.map(|image| tuple.index(image))))
    }

    #[inline]
    fn sum_of(&self, rows: impl Iterator<Item = Row>) -> f32 {
        let mut sums = [0.0; IMAGES];
        for row in rows {
            for (sum, index) in sums.iter_mut().zip(row) {
                *sum += self.weight(index as usize);
            }
        }
        total(sums)
    }

    /// The best move by reward and value of the afterstate, and that sum; the first of equals.
    #[inline]
    pub fn best<G: Cells>(&self, pos: &G) -> Option<(G::Move, f32, u32)> {
        let (mut best, mut count) = (None, 0);
        pos.afterstates(|m, after, reward| {
            let value = reward + self.value(&pos.images(after));
            count += 1;
            // Without a branch, see `Worker::best`.
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

#[cfg(test)]
mod tests {
    use super::*;
    use spielbaum_core::Rng;
    use spielbaum_games::g2048::G2048;

    /// Cell by cell, as the definition says.
    #[test]
    fn indices_are_the_cells_read_as_digits() {
        let mut rng = Rng::new(1);
        for text in ["4x4", "small", "4x6", "8x6", "05af-13-7-01489a"] {
            let shape: Shape = text.parse().unwrap();
            let net = Network::new(shape.clone(), 0.0);
            let images: [u64; IMAGES] = std::array::from_fn(|_| rng.next());
            let mut rows = vec![[0; IMAGES]; shape.tuples().len()];
            net.find(&images, &mut rows);
            let mut offset = 0;
            for (tuple, row) in shape.tuples().iter().zip(rows) {
                for (image, found) in images.iter().zip(row) {
                    let digits = tuple.iter().map(|&cell| image >> (4 * cell) & 15);
                    let index = digits.rev().fold(0, |sum, digit| 16 * sum + digit);
                    assert_eq!(u64::from(found), offset + index);
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
        let net = Network::new("01245-0123-569a".parse().unwrap(), 0.0);
        let mut rng = Rng::new(2);
        for i in 0..net.shape().weights() {
            net.set_weight(i, rng.below(1000) as f32);
        }
        for _ in 0..100 {
            let word = rng.next();
            let value = net.value(&game.images(word));
            let mut rows = [[0; IMAGES]; 3];
            net.find(&game.images(word), &mut rows);
            assert_eq!(value, net.sum(&rows));
            let sum: f32 = rows.as_flattened().iter().map(|&i| net.weight(i as usize)).sum();
            assert_eq!(value, sum);
            for image in game.images(word) {
                assert_eq!(net.value(&game.images(image)), value);
            }
        }
    }

    /// The largest ones by way of those between: what is known reaches all that are like something.
    #[test]
    fn what_is_not_known_is_what_is_like_it() {
        let net = Network::new("0145".parse().unwrap(), 0.5);
        let is_known =
            |contents: usize| largest_content(contents as u64) < 7 && !contents.is_multiple_of(5);
        for contents in 0..net.shape().weights() {
            let weight = if !contents.is_multiple_of(5) { contents as f32 } else { 0.5 };
            net.set_weight(contents, weight);
        }
        net.liken_above(6, G2048::likened);
        for contents in 0..net.shape().weights() {
            let mut like = Some(contents);
            while let Some(larger) = like.filter(|&contents| !is_known(contents)) {
                like = G2048::likened(larger as u64).map(|like| like as usize);
            }
            assert_eq!(net.weight(contents), like.map_or(0.5, |like| like as f32), "{contents:x}");
        }
    }
}
