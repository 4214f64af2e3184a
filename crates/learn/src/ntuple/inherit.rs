//! What weights begin with that were never met: what others have learned.

use super::network::Network;
use super::shape::Shape;
use spielbaum_core::largest_content;

/// Smaller contents that play much alike: [`Cells::likened`](spielbaum_core::Cells::likened).
type Likened = fn(u64) -> Option<u64>;

/// How much of the evidence for a weight counts in a later stage that begins with it: little, since what is
/// learned of the new stage is to count; not none, since with none the first game there would overwrite it.
const EVIDENCE: f32 = 1.0 / 16.0;

impl Network {
    /// Gives a weight of a tuple the value of the one with like contents, if that was met.
    #[cold]
    pub(super) fn promote(&self, tuple: usize, index: u32, likened: Likened) {
        let stage = index - index % self.stage_weights;
        let offset = stage + self.tuples[tuple].offset;
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
    pub(super) fn liken_above(&self, known: u32, likened: Likened) {
        for table in self.shape().tables() {
            let begin = table.start;
            for (index, contents) in table.zip(0..) {
                let is_blank = self.weight(index).to_bits() == self.blank.to_bits();
                if is_blank || largest_content(contents) > known {
                    let like = likened(contents).map(|like| self.weight(begin + like as usize));
                    self.set_weight(index, like.unwrap_or(self.blank));
                }
            }
        }
    }

    /// Lets all stages begin with what is known of the last one of another [shape](Shape::extends).
    pub(super) fn begin_stages(&self, known: &Shape) {
        let length = self.stage_weights as usize;
        for index in known.weights()..self.shape().weights() {
            self.set_weight(index, self.weight(index - length));
            let (sum, size) = self.coherence(index - length).unwrap_or_default();
            let is_copy = index - length >= known.weights();
            let evidence = if is_copy { 1.0 } else { EVIDENCE };
            self.set_coherence(index, (evidence * sum, evidence * size));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use spielbaum_core::Cells;
    use spielbaum_games::g2048::G2048;

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

    /// The second stage is known, and two more begin with it.
    #[test]
    fn stages_begin_with_the_last_one_that_is_known() {
        let net = Network::coherent("01/32/48/64".parse().unwrap(), 0.5);
        let set = |index, weight, evidence| {
            net.set_weight(index, weight);
            net.set_coherence(index, evidence);
        };
        set(0x12, 1.0, (1.0, 2.0));
        set(256 + 0x13, 3.0, (-16.0, 64.0));
        net.begin_stages(&"01/32".parse().unwrap());
        let kept = |index| (net.weight(index), net.coherence(index));
        for stage in [2, 3] {
            assert_eq!(kept(256 * stage + 0x13), (3.0, Some((-1.0, 4.0))));
            assert_eq!(kept(256 * stage + 0x12), (0.5, Some((0.0, 0.0))));
        }
        assert_eq!(kept(0x12), (1.0, Some((1.0, 2.0))));
        assert_eq!(kept(256 + 0x13), (3.0, Some((-16.0, 64.0))));
        // What is like something is so within its stage: 4-1 like 3-1.
        set(512 + 0x13, 5.0, (1.0, 1.0));
        for (stage, expected) in [(1, 3.0), (2, 5.0), (3, 3.0)] {
            net.promote(0, 256 * stage + 0x14, G2048::likened);
            assert_eq!(net.weight(256 * stage as usize + 0x14), expected);
            net.promote(0, 256 * stage + 0x25, G2048::likened);
            assert_eq!(net.weight(256 * stage as usize + 0x25), 0.5);
        }
        net.liken_above(4, G2048::likened);
        for (stage, expected) in [(1, 3.0), (2, 5.0), (3, 3.0)] {
            assert_eq!(net.weight(256 * stage + 0x15), expected);
        }
    }
}
