//! Checks, and what a move can do to its own general.
//!
//! A check can come about in more ways than in chess. A piece that leaves a line opens it to a
//! chariot, to the other general, or to a cannon that had two screens; a piece that leaves a
//! horse's leg lets the horse jump; and a piece that enters an empty line between a cannon and the
//! general becomes its screen. The first three make a piece *bound*: each of its moves is tried. The
//! last makes squares *barred* to every piece.

use super::board::Board;
use super::moves::{CANNON, CHARIOT, GENERAL, HORSE, Move, SOLDIER, Square, kind_of};
use super::tables::{Set, Squares, THREATS, Threats, bit, palace};

/// How the general of the player to move stands.
pub(super) struct Danger {
    /// Pieces that give check.
    pub(super) checkers: Set,
    /// Where a piece can go to meet a check, and screens of checking cannons, which can go away.
    pub(super) answers: Set,
    pub(super) screens: Set,
    /// Pieces of either colour that may keep a check off.
    pub(super) bound: Set,
    /// Squares on which a piece would be a cannon's screen.
    pub(super) barred: Set,
}

impl Board {
    /// Looks at everything that points at the general of a colour.
    #[inline(always)]
    pub(super) fn danger(&self, us: usize) -> Danger {
        let them = us ^ 1;
        let t: &Threats = &THREATS[palace(self.general(us))];
        let occupied = self.occupied();
        let mut d = Danger { checkers: 0, answers: 0, screens: 0, bound: 0, barred: 0 };
        d.checkers = self.of(them, SOLDIER) & t.soldiers[them];
        let straight = (self.of(them, CHARIOT) | self.of(them, GENERAL)) & t.lines
            | self.of(them, HORSE) & t.horses;
        for square in Squares(straight) {
            let way = t.screens[square as usize & 127];
            let between = way & occupied;
            if between == 0 {
                d.checkers |= bit(square);
                d.answers |= way;
            } else if between & (between - 1) == 0 {
                d.bound |= between;
            }
        }
        for square in Squares(self.of(them, CANNON) & t.lines) {
            let way = t.screens[square as usize & 127];
            let between = way & occupied;
            match between.count_ones() {
                0 => d.barred |= way,
                1 => {
                    d.checkers |= bit(square);
                    d.answers |= way;
                    d.screens |= between;
                }
                2 => d.bound |= between,
                _ => {}
            }
        }
        d.answers |= d.checkers;
        d
    }

    /// Whether a general of `us` on a palace square would be attacked, with this occupation
    /// and only the enemies within `alive`.
    #[inline(always)]
    pub(super) fn attacked(&self, us: usize, square: Square, occupied: Set, alive: Set) -> bool {
        let them = us ^ 1;
        let t: &Threats = &THREATS[palace(square)];
        if self.of(them, SOLDIER) & t.soldiers[them] & alive != 0 {
            return true;
        }
        let straight = (self.of(them, CHARIOT) | self.of(them, GENERAL)) & t.lines
            | self.of(them, HORSE) & t.horses;
        for square in Squares(straight & alive) {
            if t.screens[square as usize & 127] & occupied == 0 {
                return true;
            }
        }
        for square in Squares(self.of(them, CANNON) & t.lines & alive) {
            let between = t.screens[square as usize & 127] & occupied;
            if between != 0 && between & (between - 1) == 0 {
                return true;
            }
        }
        false
    }

    /// Whether a pseudo-legal move leaves its own general safe.
    #[inline(always)]
    pub(super) fn is_safe(&self, us: usize, from: Square, to: Square) -> bool {
        let occupied = self.occupied() & !bit(from) | bit(to);
        let general = self.general(us);
        let stands = if general == from { to } else { general };
        // Nobody stands on the other palace's squares: a general captures across the board only
        // where it was in check, and then the position is not one of these rules.
        !self.attacked(us, stands, occupied, !bit(to))
    }

    /// Whether the general of a colour is attacked.
    #[inline]
    pub(super) fn in_check(&self, us: usize) -> bool {
        self.attacked(us, self.general(us), self.occupied(), !0)
    }

    /// Whether the generals see each other.
    #[inline]
    pub(super) fn facing(&self) -> bool {
        let t = &THREATS[palace(self.general(0))];
        let other = self.general(1);
        t.lines & bit(other) != 0 && t.screens[other as usize & 127] & self.occupied() == 0
    }

    /// Whether a move can give check at all: it begins or ends near the other general's lines.
    #[inline]
    pub(super) fn may_check(&self, m: Move) -> bool {
        let t = &THREATS[palace(self.general(self.seat() ^ 1))];
        (bit(m.from()) | bit(m.to())) & (t.lines | t.horses | t.legs) != 0
    }

    /// Whether a move gives check, by itself or by what it uncovers.
    pub(super) fn gives_check(&self, m: Move) -> bool {
        let us = self.seat();
        if self.of(us ^ 1, GENERAL) & !bit(m.to()) == 0 || !self.may_check(m) {
            return false;
        }
        let (from, to) = (bit(m.from()), bit(m.to()));
        let moved = kind_of(self.piece(m.from()));
        let occupied = self.occupied() & !from | to;
        let of = |kind: usize| {
            let set = self.of(us, kind);
            if kind == moved { set & !from | to } else { set }
        };
        let t: &Threats = &THREATS[palace(self.general(us ^ 1))];
        if of(SOLDIER) & t.soldiers[us] != 0 {
            return true;
        }
        let straight = (of(CHARIOT) | of(GENERAL)) & t.lines | of(HORSE) & t.horses;
        if Squares(straight).any(|s| t.screens[s as usize & 127] & occupied == 0) {
            return true;
        }
        Squares(of(CANNON) & t.lines)
            .any(|s| (t.screens[s as usize & 127] & occupied).count_ones() == 1)
    }
}
