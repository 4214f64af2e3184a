//! What is proved of positions: the range in which the first player's margin lies.

use crate::table::{Bound, Entry, Replace, Table};

/// Both ends are possible.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Range {
    pub(super) low: i32,
    pub(super) high: i32,
}

impl From<(i32, i32)> for Range {
    fn from((low, high): (i32, i32)) -> Self {
        Range { low, high }
    }
}

impl Range {
    /// Nothing is known. Margins beyond are not told apart from it.
    pub(super) const OPEN: Range = Range { low: i16::MIN as i32, high: i16::MAX as i32 };

    pub(super) fn exactly(margin: i32) -> Self {
        Range { low: margin, high: margin }
    }

    /// What both say.
    pub(super) fn and(self, other: Range) -> Self {
        Range { low: self.low.max(other.low), high: self.high.min(other.high) }
    }

    /// The same for the other player.
    pub(super) fn flip(self) -> Self {
        Range { low: -self.high, high: -self.low }
    }
}

/// A table of ranges by the keys of positions, with the move that decided last. What took little work has
/// to go first.
pub(super) struct Ranges(Table);

impl Ranges {
    pub(super) fn new(bytes: usize) -> Self {
        Ranges(Table::new(bytes, Replace::Shallow))
    }

    pub(super) fn clear(&mut self) {
        self.0.clear();
    }

    pub(super) fn bytes(&self) -> usize {
        self.0.bytes()
    }

    /// What is known of a position.
    pub(super) fn get(&self, key: u64) -> Range {
        self.0.probe(key).map_or(Range::OPEN, |entry| unpack(entry.score))
    }

    /// The short code of the move that decided last.
    pub(super) fn best(&self, key: u64) -> Option<u16> {
        self.0.probe(key)?.code
    }

    /// Sixteen bits of a code; two moves with the same are only tried in a worse order.
    pub(super) fn short(code: usize) -> u16 {
        (code % usize::from(u16::MAX)) as u16
    }

    /// Adds what a search of so many plays has proved.
    pub(super) fn store(&mut self, key: u64, range: Range, best: usize, work: u64) {
        let known = self.get(key).and(range);
        let entry = Entry {
            score: pack(known),
            depth: work.checked_ilog2().unwrap_or(0) as u8,
            bound: Bound::Exact,
            settled: true,
            code: Some(Self::short(best)),
        };
        self.0.store(key, entry);
    }
}

fn pack(Range { low, high }: Range) -> i32 {
    let short = |n: i32| n.clamp(Range::OPEN.low, Range::OPEN.high) as i16;
    i32::from(short(low)) << 16 | i32::from(short(high) as u16)
}

fn unpack(packed: i32) -> Range {
    Range { low: packed >> 16, high: i32::from(packed as i16) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_come_back_and_only_narrow() {
        let mut ranges = Ranges::new(1 << 16);
        assert_eq!(ranges.get(7), Range::OPEN);
        for (low, high) in [(-40, 30), (-7, -7), (0, 0), (-3, 32_000)] {
            let range = Range { low, high };
            assert_eq!(unpack(pack(range)), range);
        }
        ranges.store(7, Range { low: -5, ..Range::OPEN }, 100_000, 10);
        ranges.store(7, Range { high: 3, ..Range::OPEN }, 100_000, 1);
        assert_eq!(ranges.get(7), Range { low: -5, high: 3 });
        assert_eq!(ranges.best(7), Some(Ranges::short(100_000)));
    }
}
