//! The board: sets of pieces, the occupation of every line, and a piece for every square.

use super::moves::{
    ADVISOR, CANNON, CHARIOT, ELEPHANT, EMPTY, GENERAL, HORSE, KINDS, Move, OUTSIDE, SOLDIER,
    Square, WALL, colour_of, file, kind_of, piece_of, rank,
};
use super::rules::End;
use super::tables::{
    ADVISOR_STEPS, GENERAL_STEPS, HORSE_JUMPS, LEAPS, ON_FILE, ON_RANK, SOLDIER_STEPS, SPREAD, Set,
    Squares, bit,
};
use super::terms::{BLACK_TO_MOVE, TERMS};

/// A position without its past.
#[derive(Clone, Copy)]
pub(super) struct Board {
    /// By piece.
    pub(super) pieces: [Set; 16],
    pub(super) sides: [Set; 2],
    /// The occupation of each rank and file, Red's in the low half, Black's in the high half.
    pub(super) ranks: [u32; 16],
    pub(super) files: [u32; 16],
    /// The piece on each square.
    pub(super) at: [u8; 128],
    /// Ways to move of each colour's pieces, possible or not, a byte for each kind.
    pub(super) ways: [u64; 2],
    pub(super) key: u64,
    /// See [`super::terms`].
    pub(super) score: i64,
    /// Plies since the start of the game; odd when Black is to move.
    pub(super) ply: u16,
    /// Plies since the last capture.
    pub(super) clock: u16,
    /// Plies since the last move that cannot be taken back: a capture or a soldier's advance.
    pub(super) reversible: u16,
    pub(super) end: Option<End>,
}

/// Ways to move of each kind, possible or not: a general has four steps and the other general, a
/// chariot or cannon the other squares of its lines.
pub(super) const WAYS: [u8; KINDS] = [5, 4, 4, 8, 17, 17, 3];

/// The ways of a piece in their byte.
const fn ways(piece: usize) -> u64 {
    (WAYS[kind_of(piece)] as u64) << (8 * kind_of(piece))
}

/// What a move overwrites.
#[derive(Clone, Copy)]
pub(super) struct Undo {
    key: u64,
    score: i64,
    clock: u16,
    reversible: u16,
    captured: u8,
    end: Option<End>,
}

impl Board {
    /// The board with these pieces.
    pub(super) fn new(at: [u8; 128], ply: u16, clock: u16) -> Board {
        let mut board = Board {
            pieces: [0; 16],
            sides: [0; 2],
            ranks: [0; 16],
            files: [0; 16],
            at,
            ways: [0; 2],
            key: 0,
            score: 0,
            ply,
            clock,
            reversible: clock,
            end: None,
        };
        board.at[OUTSIDE as usize] = WALL;
        for square in 0..90u8 {
            let piece = board.at[square as usize];
            if piece != EMPTY {
                let colour = colour_of(usize::from(piece));
                board.pieces[usize::from(piece)] |= bit(square);
                board.sides[colour] |= bit(square);
                board.ways[colour] += ways(usize::from(piece));
                board.ranks[rank(square)] |= 1 << (file(square) + 16 * colour);
                board.files[file(square)] |= 1 << (rank(square) + 16 * colour);
            }
        }
        board.recount();
        board
    }

    /// Computes key and sums from nothing; `play` keeps them up to date.
    pub(super) fn recount(&mut self) {
        self.key = if self.seat() == 0 { 0 } else { BLACK_TO_MOVE };
        self.score = 0;
        for square in Squares(self.occupied()) {
            let term = TERMS[usize::from(self.at[usize::from(square)] & 15)][usize::from(square)];
            self.key ^= term.key;
            self.score += term.score;
        }
    }

    /// The seat to move.
    #[inline(always)]
    pub(super) const fn seat(&self) -> usize {
        (self.ply & 1) as usize
    }

    #[inline(always)]
    pub(super) const fn occupied(&self) -> Set {
        self.sides[0] | self.sides[1]
    }

    /// The pieces of a colour and kind.
    #[inline(always)]
    pub(super) const fn of(&self, colour: usize, kind: usize) -> Set {
        self.pieces[piece_of(colour, kind)]
    }

    /// The piece on a square.
    #[inline(always)]
    pub(super) const fn piece(&self, square: Square) -> usize {
        (self.at[(square & 127) as usize] & 15) as usize
    }

    /// Where a general stands; only while both are on the board.
    #[inline(always)]
    pub(super) const fn general(&self, colour: usize) -> Square {
        self.of(colour, GENERAL).trailing_zeros() as Square
    }

    /// Makes a pseudo-legal move. `FULL` keeps key and sums; without it they are stale.
    #[inline(always)]
    pub(super) fn play<const FULL: bool>(&mut self, m: Move) -> Undo {
        let (us, them) = (self.seat(), self.seat() ^ 1);
        let (from, to) = (m.from(), m.to());
        let piece = self.piece(from);
        let captured = self.piece(to);
        let undo = Undo {
            key: self.key,
            score: self.score,
            clock: self.clock,
            reversible: self.reversible,
            captured: captured as u8,
            end: self.end,
        };
        if FULL {
            let terms = &TERMS[piece];
            let (a, b) = (&terms[from as usize & 127], &terms[to as usize & 127]);
            let c = &TERMS[captured][to as usize & 127];
            self.key ^= a.key ^ b.key ^ c.key ^ BLACK_TO_MOVE;
            self.score += b.score - a.score - c.score;
        }
        self.at[from as usize & 127] = EMPTY;
        self.at[to as usize & 127] = piece as u8;
        self.shift(us, piece, from, to);
        self.ply = self.ply.wrapping_add(1);
        self.clock = self.clock.saturating_add(1);
        if FULL {
            let advance = kind_of(piece) == SOLDIER && rank(from) != rank(to);
            self.reversible = if advance { 0 } else { self.reversible.saturating_add(1) };
        }
        if captured != usize::from(EMPTY) {
            self.toggle(them, captured, to);
            self.ways[them] -= ways(captured);
            self.clock = 0;
            self.reversible = 0;
            if kind_of(captured) == GENERAL {
                self.end = Some(End::Capture(us as u8));
            }
        }
        undo
    }

    /// Takes a move back.
    #[inline(always)]
    pub(super) fn undo(&mut self, m: Move, undo: &Undo) {
        self.ply = self.ply.wrapping_sub(1);
        let (us, them) = (self.seat(), self.seat() ^ 1);
        let (from, to) = (m.from(), m.to());
        let piece = self.piece(to);
        let captured = usize::from(undo.captured & 15);
        self.at[from as usize & 127] = piece as u8;
        self.at[to as usize & 127] = captured as u8;
        self.shift(us, piece, from, to);
        if captured != usize::from(EMPTY) {
            self.toggle(them, captured, to);
            self.ways[them] += ways(captured);
        }
        self.key = undo.key;
        self.score = undo.score;
        self.clock = undo.clock;
        self.reversible = undo.reversible;
        self.end = undo.end;
    }

    /// The sums after a move.
    #[inline]
    pub(super) fn score_after(&self, m: Move) -> i64 {
        let (from, to) = (m.from(), m.to());
        let terms = &TERMS[self.piece(from)];
        let captured = TERMS[self.piece(to)][to as usize & 127].score;
        self.score + terms[to as usize & 127].score - terms[from as usize & 127].score - captured
    }

    /// Passes the turn; nothing before can come back.
    pub(super) fn pass(&mut self) -> Undo {
        let undo = Undo {
            key: self.key,
            score: self.score,
            clock: self.clock,
            reversible: self.reversible,
            captured: EMPTY,
            end: self.end,
        };
        self.key ^= BLACK_TO_MOVE;
        self.ply = self.ply.wrapping_add(1);
        self.clock = self.clock.saturating_add(1);
        self.reversible = 0;
        undo
    }

    /// Takes a pass back.
    pub(super) fn take_back_pass(&mut self, undo: &Undo) {
        self.ply = self.ply.wrapping_sub(1);
        self.key = undo.key;
        self.clock = undo.clock;
        self.reversible = undo.reversible;
        self.end = undo.end;
    }

    /// Moves a piece in the sets; there and back are the same.
    #[inline(always)]
    fn shift(&mut self, colour: usize, piece: usize, from: Square, to: Square) {
        let both = bit(from) | bit(to);
        self.pieces[piece & 15] ^= both;
        self.sides[colour & 1] ^= both;
        for square in [from, to] {
            let (r, f) = (rank(square) & 15, file(square) & 15);
            self.ranks[r] ^= 1 << (f + 16 * colour);
            self.files[f] ^= 1 << (r + 16 * colour);
        }
    }

    /// Puts a piece on a square of the sets, or takes it away.
    #[inline(always)]
    fn toggle(&mut self, colour: usize, piece: usize, square: Square) {
        self.pieces[piece & 15] ^= bit(square);
        self.sides[colour & 1] ^= bit(square);
        let (r, f) = (rank(square) & 15, file(square) & 15);
        self.ranks[r] ^= 1 << (f + 16 * colour);
        self.files[f] ^= 1 << (r + 16 * colour);
    }

    /// The occupation of rank and file of a square.
    #[inline(always)]
    pub(super) fn lines(&self, square: Square) -> (u32, u32) {
        (self.ranks[rank(square) & 15], self.files[file(square) & 15])
    }

    /// What a chariot on the square sees and what a cannon reaches behind its screen, on the rank
    /// and on the file.
    #[inline(always)]
    pub(super) fn slides(&self, square: Square) -> (u32, u32) {
        let (r, f) = (rank(square) & 15, file(square) & 15);
        let (x, y) = (self.ranks[r], self.files[f]);
        let inner = ((x | x >> 16) >> 1) as usize & 127;
        let outer = ((y | y >> 16) >> 1) as usize & 255;
        (ON_RANK[f][inner], ON_FILE[r][outer])
    }

    /// Blocked legs of a horse: above, right, below, left.
    #[inline(always)]
    fn legs(&self, square: Square) -> usize {
        let (r, f) = (rank(square) & 15, file(square) & 15);
        let (x, y) = (self.ranks[r], self.files[f]);
        let beside = ((x | x >> 16) << 1) as usize >> f & 0b101;
        let above = ((y | y >> 16) << 1) as usize >> r & 0b101;
        (above >> 2) | (beside >> 1 & 2) | (above & 1) << 2 | (beside & 1) << 3
    }

    /// Jumps of a horse from a square.
    #[inline(always)]
    pub(super) fn horse(&self, square: Square) -> Set {
        HORSE_JUMPS[square as usize & 127][self.legs(square) & 15]
    }

    /// What a chariot on the square sees.
    #[inline(always)]
    pub(super) fn chariot(&self, square: Square) -> Set {
        let (across, along) = self.slides(square);
        Set::from(across & 0x1ff) << (9 * rank(square))
            | SPREAD[along as usize & 1023] << file(square)
    }

    /// The squares a cannon reaches behind its screens.
    #[inline(always)]
    pub(super) fn behind(&self, square: Square) -> Set {
        let (across, along) = self.slides(square);
        Set::from(across >> 16 & 0x1ff) << (9 * rank(square))
            | SPREAD[(along >> 16) as usize & 1023] << file(square)
    }

    /// The squares a piece on a square could capture on, whoever stands there.
    #[inline]
    pub(super) fn attacks(&self, piece: usize, square: Square) -> Set {
        let at = square as usize & 127;
        match kind_of(piece) {
            GENERAL => GENERAL_STEPS[at],
            ADVISOR => ADVISOR_STEPS[at],
            ELEPHANT => self.elephant(square),
            HORSE => self.horse(square),
            CHARIOT => self.chariot(square),
            CANNON => self.behind(square),
            _ => SOLDIER_STEPS[colour_of(piece)][at],
        }
    }

    /// The squares a piece of the player to move can go to, its general's danger aside.
    #[inline]
    pub(super) fn targets(&self, piece: usize, square: Square) -> Set {
        let own = self.sides[colour_of(piece)];
        if kind_of(piece) == CANNON {
            let occupied = self.occupied();
            self.chariot(square) & !occupied | self.behind(square) & occupied & !own
        } else {
            self.attacks(piece, square) & !own
        }
    }

    fn elephant(&self, square: Square) -> Set {
        let mut set = 0;
        for leap in &LEAPS[ELEPHANT][square as usize & 127][..4] {
            if leap.to != OUTSIDE && self.at[leap.over as usize & 127] == EMPTY {
                set |= bit(leap.to);
            }
        }
        set
    }
}
