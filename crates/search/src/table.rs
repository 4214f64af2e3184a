//! The transposition table: what a search found in positions it may meet again.

use crate::score::INFINITE;
pub use spielbaum_core::Bound;

/// What is known of a position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Entry {
    /// Seen from the position itself, see [`to_node`](crate::score::to_node).
    pub score: i32,
    /// How deep the search was.
    pub depth: u8,
    /// What the score means.
    pub bound: Bound,
    /// Whether no evaluation took part: the score holds at every greater depth.
    pub settled: bool,
    /// Code of the best move. Verify it against the legal moves.
    pub code: Option<u16>,
}

/// Who has to go when there is no room.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Replace {
    /// Of four candidates the shallowest, older searches first.
    #[default]
    Shallow,
    /// The one entry in the place of the key, whatever it is.
    Always,
}

/// A table of 16-byte entries with the whole 64-bit key, so that a hit is a hit.
///
/// It starts small and grows with its content, up to its limit: tiny games pay for
/// tiny tables, and forgetting everything is dropping it. Its content is a function of what
/// was stored since [`clear`](Table::clear), never of what was there before.
///
/// ```
/// use spielbaum_search::table::{Bound, Entry, Replace, Table};
/// let mut table = Table::new(1 << 20, Replace::Shallow);
/// let entry = Entry { score: 12, depth: 3, bound: Bound::Exact, settled: false, code: Some(5) };
/// table.store(0xfeed, entry);
/// assert_eq!(table.probe(0xfeed), Some(entry));
/// assert_eq!(table.probe(0xbeef), None);
/// ```
#[derive(Clone, Debug)]
pub struct Table {
    /// A power of two in number.
    buckets: Vec<Bucket>,
    /// The greatest number of buckets.
    limit: usize,
    /// Slots in use.
    used: usize,
    generation: u8,
    replace: Replace,
}

/// One cache line.
#[derive(Clone, Copy, Debug, Default)]
#[repr(align(64))]
struct Bucket([Slot; SLOTS]);

const SLOTS: usize = 4;
/// Buckets at the start: 4 KiB.
const START: usize = 64;
/// Generations count in five bits and wrap.
const GENERATIONS: u8 = 32;
/// A search ago is worth as much as so many plies of depth.
const AGE: i32 = 8;
const NO_CODE: u16 = u16::MAX;

#[derive(Clone, Copy, Debug, Default)]
struct Slot {
    key: u64,
    score: i32,
    code: u16,
    depth: u8,
    /// Bits 0–1: bound, 0 is empty; bit 2: settled; bits 3–7: generation.
    flags: u8,
}

impl Slot {
    fn is_empty(&self) -> bool {
        self.flags == 0
    }

    fn entry(&self) -> Entry {
        let bound = match self.flags & 3 {
            1 => Bound::Upper,
            2 => Bound::Lower,
            _ => Bound::Exact,
        };
        Entry {
            score: self.score,
            depth: self.depth,
            bound,
            settled: self.flags & 4 != 0,
            code: (self.code != NO_CODE).then_some(self.code),
        }
    }

    /// What is lost with this slot: the depth, less for older searches.
    fn worth(&self, generation: u8) -> i32 {
        let age = generation.wrapping_sub(self.flags >> 3) % GENERATIONS;
        i32::from(self.depth) - AGE * i32::from(age)
    }
}

impl Table {
    /// An empty table that may grow to this many bytes.
    pub fn new(bytes: usize, replace: Replace) -> Self {
        let buckets = (bytes / size_of::<Bucket>()).max(1);
        let limit = 1 << buckets.ilog2();
        Table { buckets: Vec::new(), limit, used: 0, generation: 0, replace }
    }

    /// Forgets everything.
    pub fn clear(&mut self) {
        self.buckets = Vec::new();
        self.used = 0;
        self.generation = 0;
    }

    /// Begins another search: what is there stays, but has to go first.
    pub fn age(&mut self) {
        self.generation = (self.generation + 1) % GENERATIONS;
    }

    /// Memory held, in bytes.
    pub fn bytes(&self) -> usize {
        self.buckets.capacity() * size_of::<Bucket>()
    }

    /// What is known of the position with this key.
    #[inline]
    pub fn probe(&self, key: u64) -> Option<Entry> {
        let bucket = self.buckets.get(self.bucket(key))?;
        let slots = match self.replace {
            Replace::Shallow => &bucket.0[..],
            Replace::Always => &bucket.0[Self::place(key)..=Self::place(key)],
        };
        slots.iter().find(|s| s.key == key && !s.is_empty()).map(Slot::entry)
    }

    /// Fetches from memory what a probe of this key will look at.
    #[inline]
    pub fn touch(&self, key: u64) {
        // Nobody waits for what is read here.
        std::hint::black_box(self.buckets.get(self.bucket(key)).map(|bucket| bucket.0[0].key));
    }

    /// Remembers an entry. One about the same position is replaced; its move is kept if the
    /// new one has none.
    pub fn store(&mut self, key: u64, entry: Entry) {
        // A third full: the buckets not yet split hold twice as much as the others.
        if self.used * 3 >= self.buckets.len() * SLOTS {
            self.grow();
        }
        let at = self.bucket(key);
        let bucket = &mut self.buckets[at].0;
        let place = match self.replace {
            Replace::Always => Self::place(key),
            Replace::Shallow => {
                let mine = bucket.iter().position(|s| s.is_empty() || s.key == key);
                let weakest = || (0..SLOTS).min_by_key(|&i| bucket[i].worth(self.generation));
                mine.or_else(weakest).unwrap_or(0)
            }
        };
        let slot = &mut bucket[place];
        self.used += usize::from(slot.is_empty());
        let kept = if slot.key == key && !slot.is_empty() { slot.code } else { NO_CODE };
        let bound = match entry.bound {
            Bound::Upper => 1,
            Bound::Lower => 2,
            Bound::Exact => 3,
        };
        *slot = Slot {
            key,
            score: entry.score,
            code: entry.code.unwrap_or(kept),
            depth: entry.depth,
            flags: self.generation << 3 | u8::from(entry.settled) << 2 | bound,
        };
    }

    /// Remembers a move for a position and nothing else: what is known of it stays.
    pub fn store_move(&mut self, key: u64, depth: u8, code: u16) {
        let known = self.probe(key);
        let unknown =
            Entry { score: -INFINITE, depth, bound: Bound::Lower, settled: false, code: None };
        self.store(key, Entry { code: Some(code), ..known.unwrap_or(unknown) });
    }

    /// The two lowest bits choose the slot, those above the bucket. Buckets beyond the last
    /// power of two are the split halves of the first ones (linear hashing, Litwin 1980).
    #[inline]
    fn bucket(&self, key: u64) -> usize {
        let base = 1 << self.buckets.len().max(1).ilog2();
        let index = (key >> 2) as usize & (2 * base - 1);
        if index < self.buckets.len() { index } else { index & (base - 1) }
    }

    fn place(key: u64) -> usize {
        (key & 3) as usize
    }

    /// Splits one bucket in two. So the table grows with each entry and never all at once,
    /// which would hold up a search that has to keep its time.
    #[cold]
    fn grow(&mut self) {
        let old = self.buckets.len();
        if old >= self.limit {
            return;
        }
        if old == 0 {
            self.buckets = vec![Bucket::default(); START.min(self.limit)];
            return;
        }
        let low = old - (1 << old.ilog2());
        let from = std::mem::take(&mut self.buckets[low]);
        self.buckets.push(Bucket::default());
        let mut next = [0; 2];
        for slot in from.0.iter().filter(|s| !s.is_empty()) {
            let to = self.bucket(slot.key);
            let half = usize::from(to != low);
            let place = match self.replace {
                Replace::Always => Self::place(slot.key),
                Replace::Shallow => next[half],
            };
            next[half] += 1;
            self.buckets[to].0[place] = *slot;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use spielbaum_core::Rng;

    fn entry(depth: u8, score: i32) -> Entry {
        let (bound, settled) = match score % 3 {
            0 => (Bound::Exact, false),
            1 => (Bound::Lower, true),
            _ => (Bound::Upper, depth.is_multiple_of(2)),
        };
        Entry { score, depth, bound, settled, code: Some(score as u16) }
    }

    #[test]
    fn a_slot_is_sixteen_bytes_and_a_bucket_a_cache_line() {
        assert_eq!((size_of::<Slot>(), size_of::<Bucket>()), (16, 64));
    }

    #[test]
    fn growing_loses_nothing() {
        // A third full: buckets of four hold nearly all, single places collide more often.
        for (replace, share) in [(Replace::Shallow, 0.9), (Replace::Always, 0.6)] {
            let mut table = Table::new(1 << 22, replace);
            let mut rng = Rng::new(1);
            let stored: Vec<_> =
                (0..20_000).map(|i| (rng.next(), entry((i % 9) as u8, i))).collect();
            for &(key, e) in &stored {
                table.store(key, e);
                assert_eq!(table.probe(key), Some(e));
            }
            let known: Vec<_> = stored.iter().map(|s| table.probe(s.0)).collect();
            let found = known.iter().zip(&stored).filter(|(k, s)| **k == Some(s.1)).count();
            assert!(found as f64 > share * stored.len() as f64, "{replace:?} {found}");
            for _ in 0..table.buckets.len() * 3 / 2 {
                table.grow();
            }
            assert!(stored.iter().zip(known).all(|(s, k)| table.probe(s.0) == k));
        }
    }

    #[test]
    fn the_limit_holds_and_small_tables_work() {
        for bytes in [0, 64, 100, 1 << 16] {
            let mut table = Table::new(bytes, Replace::Shallow);
            assert_eq!((table.bytes(), table.probe(0)), (0, None));
            for key in 0..50_000u64 {
                table.store(key.wrapping_mul(0x9e37_79b9_7f4a_7c15), entry(1, 7));
            }
            assert!(table.bytes() <= bytes.max(64), "{} of {bytes}", table.bytes());
            assert!(table.bytes() * 2 > bytes);
        }
    }

    #[test]
    fn shallow_and_old_entries_go_first() {
        let mut table = Table::new(64, Replace::Shallow);
        for (key, depth) in [(1, 5), (2, 3), (3, 9), (4, 4)] {
            table.store(key, entry(depth, 0));
        }
        table.store(5, entry(1, 0));
        assert_eq!(table.probe(2), None);
        assert!([1, 3, 4, 5].iter().all(|&k| table.probe(k).is_some()));
        table.age();
        table.age();
        table.store(6, entry(1, 0)); // for 5
        table.store(7, entry(1, 0)); // for 4, which is deeper but old
        assert!([1, 3, 6, 7].iter().all(|&k| table.probe(k).is_some()));
    }

    #[test]
    fn always_means_always() {
        let mut table = Table::new(64, Replace::Always);
        table.store(8, entry(9, 0));
        table.store(4, entry(1, 0));
        assert!(table.probe(8).is_none() && table.probe(4).is_some());
    }

    #[test]
    fn the_same_position_is_replaced_and_keeps_its_move() {
        let mut table = Table::new(1 << 16, Replace::Shallow);
        table.store(1, entry(9, 42));
        table.store(1, Entry { code: None, ..entry(2, 3) });
        let found = table.probe(1).unwrap();
        assert_eq!((found.depth, found.score, found.code), (2, 3, Some(42)));
    }

    #[test]
    fn a_move_alone_says_nothing_about_the_score() {
        let mut table = Table::new(1 << 16, Replace::Shallow);
        table.store(1, entry(9, 42));
        table.store_move(1, 3, 7);
        assert_eq!(table.probe(1), Some(Entry { code: Some(7), ..entry(9, 42) }));
        table.store_move(2, 3, 7);
        let found = table.probe(2).unwrap();
        assert_eq!((found.score, found.bound, found.code), (-INFINITE, Bound::Lower, Some(7)));
    }

    #[test]
    fn a_cleared_table_is_a_new_one() {
        let mut used = Table::new(1 << 14, Replace::Shallow);
        let mut rng = Rng::new(2);
        for i in 0..5000 {
            used.store(rng.next(), entry(200, i));
            used.age();
        }
        used.clear();
        let mut fresh = Table::new(1 << 14, Replace::Shallow);
        let keys: Vec<u64> = (0..5000).map(|_| rng.next()).collect();
        for (i, &key) in keys.iter().enumerate() {
            used.store(key, entry((i % 7) as u8, i as i32));
            fresh.store(key, entry((i % 7) as u8, i as i32));
        }
        assert!(keys.iter().all(|&k| used.probe(k) == fresh.probe(k)));
        assert_eq!(used.bytes(), fresh.bytes());
    }
}
