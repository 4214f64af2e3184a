//! Who is to blame for a repetition.
//!
//! All moves between the occurrences of a position count. A side whose every move gave check has
//! given perpetual check. **Chase** is an approximation of the Asian rules, which fill a book: a side
//! has chased if after every one of its moves one and the same enemy piece was chased, where a piece
//! is chased if the move attacked it anew and
//!
//! * it is neither the general nor a soldier on its own side of the river,
//! * the attacker is neither the general nor a soldier,
//! * the two do not attack each other alike: same kind, and the victim could take the attacker,
//! * capturing it is legal, and it gains: the victim cannot be avenged by a legal move, or it is a
//!   chariot and the attacker a horse or cannon, or it is a chariot, cannon or horse and the
//!   attacker an elephant or advisor.
//!
//! The piece that moved attacks anew wherever it goes, except a chariot or cannon along the line
//! on which it moved; another piece attacks anew what it did not attack before.

use super::board::Board;
use super::moves::{
    ADVISOR, CANNON, CHARIOT, ELEPHANT, GENERAL, HORSE, KINDS, Move, SOLDIER, Square, file,
    kind_of, piece_of, rank,
};
use super::rules::End;
use super::tables::{ACROSS, Set, Squares, bit};

/// A position of the past: its key, the move that led to it, its so-manieth occurrence.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Past {
    pub(super) key: u64,
    pub(super) by: Move,
    pub(super) seen: u8,
}

/// Judges a repetition: `cycle` are the moves since the first of the occurrences, none of them a
/// capture, `board` is the position after them.
pub(super) fn judge(board: &Board, cycle: &[Past]) -> End {
    let mut now = *board;
    let mut checks = [true; 2];
    let mut chased: [Option<Set>; 2] = [None; 2];
    for past in cycle.iter().rev() {
        let them = now.seat();
        let us = them ^ 1;
        checks[us] &= now.in_check(them);
        let mut before = now;
        before.retract(past.by);
        if !checks[us] {
            // The pieces that have been chased ever since, where they stand at this time.
            let still = chased[us].unwrap_or(!0);
            let found = if still == 0 { 0 } else { chases(&before, &now, past.by) };
            chased[us] = Some(still & found);
        }
        if let Some(set) = &mut chased[them]
            && *set & bit(past.by.to()) != 0
        {
            *set ^= bit(past.by.to()) | bit(past.by.from());
        }
        now = before;
    }
    let blame = |guilty: [bool; 2], end: fn(u8) -> End| match guilty {
        [true, false] => Some(end(1)),
        [false, true] => Some(end(0)),
        [true, true] => Some(End::Repetition),
        [false, false] => None,
    };
    blame(checks, End::PerpetualCheck)
        .or_else(|| blame(chased.map(|c| c.unwrap_or(0) != 0), End::PerpetualChase))
        .unwrap_or(End::Repetition)
}

/// The pieces of the player to move that the last move chases.
fn chases(before: &Board, after: &Board, m: Move) -> Set {
    let them = after.seat();
    let us = them ^ 1;
    let generals_and_home = after.of(them, GENERAL) | after.of(them, SOLDIER) & !ACROSS[them];
    let prey = after.sides[them] & !generals_and_home;
    let mut chased = 0;
    for kind in [ADVISOR, ELEPHANT, HORSE, CHARIOT, CANNON] {
        let piece = piece_of(us, kind);
        for attacker in Squares(after.of(us, kind)) {
            let mut victims = after.attacks(piece, attacker) & prey;
            if attacker != m.to() {
                victims &= !before.attacks(piece, attacker);
            } else if kind == CHARIOT || kind == CANNON {
                victims &= !line(m);
            }
            for victim in Squares(victims & !chased) {
                if gains(after, attacker, victim) {
                    chased |= bit(victim);
                }
            }
        }
    }
    chased
}

/// The rank or file along which a chariot or cannon moved.
fn line(m: Move) -> Set {
    let (from, to) = (m.from(), m.to());
    let along = rank(from) != rank(to);
    let on = |s: &Square| if along { file(*s) == file(to) } else { rank(*s) == rank(to) };
    (0..90).filter(on).fold(0, |set, s| set | bit(s))
}

/// Whether the player who has just moved would gain by this capture.
fn gains(board: &Board, attacker: Square, victim: Square) -> bool {
    let them = board.seat();
    let us = them ^ 1;
    if !board.is_safe(us, attacker, victim) {
        return false;
    }
    let (strong, weak) = (kind_of(board.piece(victim)), kind_of(board.piece(attacker)));
    match weak {
        HORSE | CANNON if strong == CHARIOT => return true,
        ELEPHANT | ADVISOR if matches!(strong, CHARIOT | CANNON | HORSE) => return true,
        _ => {}
    }
    if strong == weak
        && board.attacks(board.piece(victim), victim) & bit(attacker) != 0
        && board.is_safe(them, victim, attacker)
    {
        return false;
    }
    let mut next = *board;
    next.ply ^= 1;
    next.play::<false>(Move::new(attacker, victim));
    !next.can_capture_on(victim)
}

impl Board {
    /// Takes back a move that captured nothing; key, sums and clocks are stale.
    fn retract(&mut self, m: Move) {
        let ply = self.ply.wrapping_sub(1);
        self.ply = ply;
        self.play::<false>(Move::new(m.to(), m.from()));
        self.ply = ply;
        self.end = None;
    }

    /// Whether the player to move can legally capture on a square.
    fn can_capture_on(&self, square: Square) -> bool {
        let us = self.seat();
        (0..KINDS).any(|kind| {
            Squares(self.of(us, kind)).any(|from| {
                self.attacks(piece_of(us, kind), from) & bit(square) != 0
                    && self.is_safe(us, from, square)
            })
        })
    }
}
