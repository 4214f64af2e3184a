//! Listing and counting moves.

use super::board::Board;
use super::danger::Danger;
use super::moves::{
    ADVISOR, CANNON, CHARIOT, ELEPHANT, GENERAL, HORSE, KINDS, Move, SOLDIER, Square, file,
    kind_of, piece_of, rank,
};
use super::tables::{
    ACROSS, ADVISOR_POINTS, BOARD, ELEPHANT_POINTS, FILE_PLACES, GENERAL_STEPS, NOT_A, NOT_I,
    RANK_PLACES, SOLDIER_STEPS, Set, Squares, bit, half,
};

/// The order of the kinds in a list of moves.
const ORDER: [usize; KINDS] = [CHARIOT, HORSE, CANNON, SOLDIER, ELEPHANT, ADVISOR, GENERAL];
/// More than any position has: 17 for each chariot and cannon, 8 for each horse, and so on.
const MOST: usize = 128;
/// Room behind them: a list of places is written whole.
const SPARE: usize = 16;

/// A list on the stack: a vector would look at its capacity for every move.
struct List {
    moves: [Move; MOST + SPARE],
    length: usize,
}

impl List {
    #[inline(always)]
    fn new() -> List {
        List { moves: [Move::default(); MOST + SPARE], length: 0 }
    }

    #[inline(always)]
    fn push(&mut self, from: Square, to: usize) {
        self.moves[self.length & (MOST - 1)] = Move::new(from, to as Square);
        self.length += 1;
    }

    /// Word by word: a step through a set of 128 bits takes thrice the instructions.
    #[inline(always)]
    fn add(&mut self, from: Square, targets: Set) {
        let (mut low, mut high) = (targets as u64, (targets >> 64) as u64);
        while low != 0 {
            self.push(from, low.trailing_zeros() as usize);
            low &= low - 1;
        }
        while high != 0 {
            self.push(from, 64 + high.trailing_zeros() as usize);
            high &= high - 1;
        }
    }

    /// Targets on the rank and the file of a square, in the same ascending order.
    #[inline(always)]
    fn add_lines(&mut self, from: Square, across: u32, along: u32) {
        let (r, f) = (rank(from) & 15, file(from) & 15);
        let below = along & ((1 << r) - 1);
        self.add_places(from, f, &FILE_PLACES[below as usize & 1023], below);
        self.add_places(from, 9 * r, &RANK_PLACES[across as usize & 511], across);
        self.add_places(from, f, &FILE_PLACES[(along ^ below) as usize & 1023], along ^ below);
    }

    /// All places at once, and a few more behind the end: no loop to guess the end of.
    #[inline(always)]
    fn add_places<const N: usize>(
        &mut self,
        from: Square,
        first: usize,
        places: &[u8; N],
        set: u32,
    ) {
        let at = self.length & (MOST - 1);
        for (m, &place) in self.moves[at..at + N].iter_mut().zip(places) {
            *m = Move::new(from, first as Square + place);
        }
        self.length += set.count_ones() as usize;
    }
}

impl Board {
    /// Appends the pseudo-legal moves; a general may capture the other along a file.
    pub(super) fn pseudo_moves(&self, out: &mut Vec<Move>) {
        let mut list = List::new();
        if self.seat() == 0 {
            self.list_pseudo::<0>(&mut list);
        } else {
            self.list_pseudo::<1>(&mut list);
        }
        out.extend_from_slice(&list.moves[..list.length.min(MOST)]);
    }

    /// In [`ORDER`], each kind by what is quickest for it: sliders on their lines.
    #[inline(always)]
    fn list_pseudo<const US: usize>(&self, list: &mut List) {
        let (own, other) = if US == 0 { (0, 16) } else { (16, 0) };
        let closed = self.sides[US];
        for from in Squares(self.of(US, CHARIOT)) {
            let ((x, y), (across, along)) = (self.lines(from), self.slides(from));
            list.add_lines(from, across & 0xffff & !(x >> own), along & 0xffff & !(y >> own));
        }
        for from in Squares(self.of(US, HORSE)) {
            list.add(from, self.horse(from) & !closed);
        }
        for from in Squares(self.of(US, CANNON)) {
            let ((x, y), (across, along)) = (self.lines(from), self.slides(from));
            let rank = across & !(x | x >> 16) | across >> 16 & x >> other;
            let file = along & !(y | y >> 16) | along >> 16 & y >> other;
            list.add_lines(from, rank & 0xffff, file & 0xffff);
        }
        for kind in [SOLDIER, ELEPHANT, ADVISOR, GENERAL] {
            for from in Squares(self.of(US, kind)) {
                list.add(from, self.attacks(piece_of(US, kind), from) & !closed);
            }
        }
        if self.facing() {
            list.add(self.general(US), self.of(US ^ 1, GENERAL));
        }
    }

    /// Appends the legal moves.
    pub(super) fn legal_moves(&self, out: &mut Vec<Move>) {
        let us = self.seat();
        let danger = self.danger(us);
        let mut list = List::new();
        for kind in ORDER {
            for from in Squares(self.of(us, kind)) {
                list.add(from, self.legal_targets(us, kind, from, &danger));
            }
        }
        out.extend_from_slice(&list.moves[..list.length.min(MOST)]);
    }

    /// Appends the captures, legal ones or all.
    pub(super) fn captures(&self, legal: bool, out: &mut Vec<Move>) {
        let us = self.seat();
        let prey = self.sides[us ^ 1];
        let danger = if legal { Some(self.danger(us)) } else { None };
        let mut list = List::new();
        for kind in ORDER {
            for from in Squares(self.of(us, kind)) {
                let targets = prey & self.attacks(piece_of(us, kind), from);
                if targets != 0 {
                    let safe = danger.as_ref().map_or(targets, |danger| {
                        targets & self.legal_targets(us, kind, from, danger)
                    });
                    list.add(from, safe);
                }
            }
        }
        if !legal && self.facing() {
            list.add(self.general(us), self.of(us ^ 1, GENERAL));
        }
        out.extend_from_slice(&list.moves[..list.length.min(MOST)]);
    }

    /// Where a piece can go legally.
    #[inline(always)]
    fn legal_targets(&self, us: usize, kind: usize, from: Square, danger: &Danger) -> Set {
        let mut targets = self.targets(piece_of(us, kind), from);
        if kind == GENERAL {
            return self.safe_of(us, from, targets);
        }
        targets &= !danger.barred;
        if danger.checkers != 0 {
            if bit(from) & danger.screens == 0 {
                targets &= danger.answers;
            }
            return self.safe_of(us, from, targets);
        }
        if bit(from) & danger.bound == 0 { targets } else { self.safe_of(us, from, targets) }
    }

    /// The targets that leave the general safe, each tried.
    #[inline(always)]
    fn safe_of(&self, us: usize, from: Square, targets: Set) -> Set {
        let mut safe = 0;
        for to in Squares(targets) {
            if self.is_safe(us, from, to) {
                safe |= bit(to);
            }
        }
        safe
    }

    /// Whether there is a legal move, found as soon as possible.
    pub(super) fn has_legal_move(&self) -> bool {
        const EASY: [usize; KINDS] = [SOLDIER, CHARIOT, CANNON, HORSE, GENERAL, ELEPHANT, ADVISOR];
        let us = self.seat();
        let danger = self.danger(us);
        EASY.iter().any(|&kind| {
            let mut squares = Squares(self.of(us, kind));
            squares.any(|from| self.legal_targets(us, kind, from, &danger) != 0)
        })
    }

    /// The number of pseudo-legal moves.
    #[inline]
    pub(super) fn count_pseudo(&self) -> usize {
        let us = self.seat();
        let general = self.general(us);
        let steps = GENERAL_STEPS[general as usize & 127] & !self.sides[us];
        let count = if us == 0 {
            self.count_free::<0>(!0, !0) + self.count_sliders::<0>(!0)
        } else {
            self.count_free::<1>(!0, !0) + self.count_sliders::<1>(!0)
        };
        (count + steps.count_ones() + u32::from(self.facing())) as usize
    }

    /// The number of legal moves.
    #[inline]
    pub(super) fn count_legal(&self) -> usize {
        if self.seat() == 0 { self.count_as::<0>() } else { self.count_as::<1>() }
    }

    #[inline(always)]
    fn count_as<const US: usize>(&self) -> usize {
        let danger = self.danger(US);
        if danger.checkers != 0 {
            return self.count_slowly(&danger, self.sides[US]);
        }
        let general = self.general(US);
        let steps = GENERAL_STEPS[general as usize & 127] & !self.sides[US];
        let mut count = 0;
        for to in Squares(steps) {
            count += u32::from(self.is_safe(US, general, to));
        }
        let bound = danger.bound & self.sides[US];
        count += self.count_free::<US>(!bound, !danger.barred);
        let mut slow = bound;
        if danger.barred == 0 {
            count += self.count_sliders::<US>(!bound);
        } else {
            slow |= self.of(US, CHARIOT) | self.of(US, CANNON);
        }
        if slow == 0 { count as usize } else { count as usize + self.count_slowly(&danger, slow) }
    }

    /// Legal moves of some of the pieces, one by one.
    #[inline(never)]
    fn count_slowly(&self, danger: &Danger, pieces: Set) -> usize {
        let us = self.seat();
        let mut count = 0;
        for from in Squares(pieces) {
            let kind = kind_of(self.piece(from));
            count += self.legal_targets(us, kind, from, danger).count_ones();
        }
        count as usize
    }

    /// Moves of horses, soldiers, elephants and advisors among `pieces` to squares of `allowed`.
    #[inline(always)]
    fn count_free<const US: usize>(&self, pieces: Set, allowed: Set) -> u32 {
        let allowed = allowed & !self.sides[US] & BOARD;
        let mut count = 0;
        for from in Squares(self.of(US, HORSE) & pieces) {
            count += (self.horse(from) & allowed).count_ones();
        }
        let soldiers = self.of(US, SOLDIER) & pieces;
        let ahead = if US == 0 { soldiers << 9 } else { soldiers >> 9 };
        let beside = soldiers & ACROSS[US];
        count += (ahead & allowed).count_ones();
        count += (beside << 1 & NOT_A & allowed).count_ones();
        count += (beside >> 1 & NOT_I & allowed).count_ones();
        // Both keep to their half, which fits into a word, and to points that no shift across the
        // edge of the board meets.
        let free = !half(self.occupied(), US);
        let room = half(allowed, US);
        let elephants = half(self.of(US, ELEPHANT) & pieces, US);
        let points = room & ELEPHANT_POINTS;
        count += (((elephants << 10 & free) << 10) & points).count_ones();
        count += (((elephants << 8 & free) << 8) & points).count_ones();
        count += (((elephants >> 10 & free) >> 10) & points).count_ones();
        count += (((elephants >> 8 & free) >> 8) & points).count_ones();
        let advisors = half(self.of(US, ADVISOR) & pieces, US);
        let points = room & ADVISOR_POINTS[US];
        count += (advisors << 10 & points).count_ones() + (advisors << 8 & points).count_ones();
        count += (advisors >> 10 & points).count_ones() + (advisors >> 8 & points).count_ones();
        count
    }

    /// Moves of chariots and cannons among `pieces`, on the lines alone.
    #[inline(always)]
    fn count_sliders<const US: usize>(&self, pieces: Set) -> u32 {
        let (own, other) = if US == 0 { (0, 16) } else { (16, 0) };
        let mut count = 0;
        for from in Squares(self.of(US, CHARIOT) & pieces) {
            let (x, y) = self.lines(from);
            let (across, along) = self.slides(from);
            count += (across & 0xffff & !(x >> own)).count_ones();
            count += (along & 0xffff & !(y >> own)).count_ones();
        }
        for from in Squares(self.of(US, CANNON) & pieces) {
            let (x, y) = self.lines(from);
            let (across, along) = self.slides(from);
            let quiet = across & 0xffff & !(x | x >> 16);
            count += (quiet | across >> 16 & x >> other).count_ones();
            let quiet = along & 0xffff & !(y | y >> 16);
            count += (quiet | along >> 16 & y >> other).count_ones();
        }
        count
    }

    /// The soldier of `us` that the other side's next move cannot keep from moving, if it stays on
    /// the board and its general is not in check: away from all lines of its general.
    pub(super) fn free_soldiers(&self, us: usize, shelter: Set) -> u32 {
        let mut count = 0;
        for from in Squares(self.of(us, SOLDIER) & !shelter) {
            let steps = SOLDIER_STEPS[us][from as usize & 127] & !self.sides[us] & !shelter;
            count += u32::from(steps != 0);
        }
        count
    }
}
