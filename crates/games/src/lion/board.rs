//! The board as bit sets: 32 bytes that copy, moves as shifts of whole sets.
//!
//! The paper keeps seven sets, one for each colour and kind. Here a colour is one word of four
//! sets that say how its men *step*: forward only, orthogonally, diagonally, diagonally forward
//! only. A giraffe is in the second, an elephant in the third, a lion in both, a hen in the
//! second and the fourth, a chick in the first. All steps of a colour are then eight shifts, and
//! a man is moved by one exclusive or, whatever it is.

use super::moves::{Action, Move, Square};
use super::rules::{Arrival, End, Rules};
use super::targets::{STEPS, Targets, fold, reach, squares};
use spielbaum_core::{Rng, zobrist};

/// Bit 0 of each set in a word.
pub(super) const SETS: u64 = 0x0001_0001_0001_0001;
/// A man is the pattern of the sets it is in.
pub(super) const CHICK: u64 = 1;
pub(super) const GIRAFFE: u64 = 1 << 16;
pub(super) const ELEPHANT: u64 = 1 << 32;
pub(super) const LION: u64 = GIRAFFE | ELEPHANT;
pub(super) const HEN: u64 = GIRAFFE | 1 << 48;
/// Men in hand by number: chick, giraffe, elephant.
pub(super) const IN_HAND: [u64; 3] = [CHICK, GIRAFFE, ELEPHANT];

/// The twelve squares of the board.
pub(super) const BOARD: u64 = 0x7777;
/// The far rank of each colour.
pub(super) const GOAL: [u64; 2] = [0x7000, 0x0007];

/// A hand is three counters of two bits in the order of `IN_HAND`, and above them the lion,
/// which a finished game may show.
pub(super) const LION_IN_HAND: u8 = 1 << 6;
/// What a hand gains by capturing a man, by the man's number.
const GAIN: [u8; 16] = {
    let mut gain = [0; 16];
    gain[number(CHICK)] = 1;
    gain[number(HEN)] = 1;
    gain[number(GIRAFFE)] = 1 << 2;
    gain[number(ELEPHANT)] = 1 << 4;
    gain[number(LION)] = LION_IN_HAND;
    gain
};

/// One key for each colour, man and square; no man has the key 0.
static MEN: [[[u64; 16]; 16]; 2] = {
    let random = zobrist::keys::<512>(0x110_0001);
    let mut keys = [[[0; 16]; 16]; 2];
    let mut i = 16;
    while i < 256 {
        keys[0][i / 16][i % 16] = random[i];
        keys[1][i / 16][i % 16] = random[256 + i];
        i += 1;
    }
    keys
};

/// Keys of a hand: the exclusive or of one key for the first and one for the second man of a
/// kind, tabulated for all hands.
static HANDS: [[u64; 128]; 2] = {
    let random = zobrist::keys::<16>(0x110_0002);
    let mut keys = [[0; 128]; 2];
    let mut i = 0;
    while i < 256 {
        let (colour, hand) = (i / 128, i % 128);
        let mut kind = 0;
        while kind < 4 {
            let count = hand >> (2 * kind) & 3;
            let mut n = 0;
            while n < count && n < 2 {
                keys[colour][hand] ^= random[colour * 8 + kind * 2 + n];
                n += 1;
            }
            kind += 1;
        }
        i += 1;
    }
    keys
};

const BLACK_TO_MOVE: u64 = zobrist::key(0x110_0003, 0);

/// Gathers the four bits of a pattern: 1 chick, 2 giraffe, 4 elephant, 6 lion, 10 hen.
#[inline]
pub(super) const fn number(man: u64) -> usize {
    (man.wrapping_mul(0x1000_2000_4000_8000) >> 60) as usize
}

/// A position without its past.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) struct Board {
    /// The men of White and of Black.
    pub(super) men: [u64; 2],
    pub(super) key: u64,
    /// Plies since the start of the game; odd when Black is to move.
    pub(super) ply: u16,
    /// Plies since the last capture, drop or promotion: notation only.
    pub(super) clock: u16,
    pub(super) hands: [u8; 2],
    pub(super) end: Option<End>,
}

/// The square of a colour's lion as a set.
#[inline(always)]
pub(super) const fn lion(men: u64) -> u64 {
    men >> 16 & men >> 32 & 0xffff
}

/// Whether a lion has a square to go to: most have, and it is seen at once.
#[inline(always)]
const fn lion_moves(men: u64) -> bool {
    let lion = lion(men);
    let row = lion | lion << 1 | lion >> 1;
    (row | row << 4 | row >> 4) & BOARD & !fold(men) != 0
}

impl Board {
    /// A board from its parts; the key is computed, the end is not judged.
    pub(super) fn new(men: [u64; 2], hands: [u8; 2], ply: u16, clock: u16) -> Board {
        let mut board = Board { men, key: 0, ply, clock, hands, end: None };
        board.key = board.fresh_key();
        board
    }

    /// The key computed from nothing, which `play` keeps up to date.
    pub(super) fn fresh_key(&self) -> u64 {
        let mut key = if self.white() { 0 } else { BLACK_TO_MOVE };
        for colour in 0..2 {
            key ^= HANDS[colour][self.hands[colour] as usize & 127];
            for square in 0..16 {
                key ^= MEN[colour][number(self.man(colour, square))][square as usize];
            }
        }
        key
    }

    /// Whether White is to move.
    #[inline(always)]
    pub(super) const fn white(&self) -> bool {
        self.ply & 1 == 0
    }

    /// The man of a colour on a square, 0 if there is none.
    #[inline(always)]
    pub(super) const fn man(&self, colour: usize, square: Square) -> u64 {
        self.men[colour] >> square & SETS
    }

    /// The squares a colour attacks.
    pub(super) const fn attacks(&self, colour: usize) -> u64 {
        let (straight, diagonal) = reach(self.men[colour], colour);
        fold(straight | diagonal) & BOARD
    }

    /// The seat to move.
    #[inline(always)]
    pub(super) const fn seat(&self) -> usize {
        (self.ply & 1) as usize
    }

    // The functions below are compiled once for each colour: shifts by constants, one branch.

    #[inline]
    pub(super) fn count_moves(&self, rules: &Rules) -> usize {
        if self.end.is_some() {
            0
        } else if self.white() {
            Targets::of(self, 0, rules).count()
        } else {
            Targets::of(self, 1, rules).count()
        }
    }

    #[inline]
    pub(super) fn is_over(&self, rules: &Rules) -> bool {
        let men = self.men[self.seat()];
        self.end.is_some() || (!lion_moves(men) && self.count_moves(rules) == 0)
    }

    /// What a move takes, by its number, and whether it promotes, if it is easy to see that the
    /// game goes on after it.
    #[inline]
    pub(super) fn goes_on(&self, m: Move, rules: &Rules) -> Option<(usize, bool)> {
        if rules.arrival != Arrival::Wins {
            return None;
        }
        let us = self.seat();
        let (mine, theirs) = (self.men[us], self.men[us ^ 1]);
        let taken = number(theirs >> m.to() & SETS);
        let (lion_steps, promotes) = match m.action() {
            Action::Drop(_) => (false, false),
            Action::Step(from) => (lion(mine) >> from & 1 != 0, false),
            Action::Promote(_) => (false, true),
        };
        let comes_home = lion_steps && GOAL[us] >> m.to() & 1 != 0;
        // Whatever else is taken, a lion that could move still can.
        let over = comes_home || taken == number(LION) || !lion_moves(theirs);
        (!over).then_some((taken, promotes))
    }

    #[inline]
    pub(super) fn moves(&self, rules: &Rules, out: &mut Vec<Move>) {
        if self.end.is_some() {
            return;
        }
        if self.white() {
            Targets::of(self, 0, rules).list(out);
        } else {
            Targets::of(self, 1, rules).list(out);
        }
    }

    /// A uniformly random move without a list of them.
    #[inline]
    pub(super) fn random_move(&self, rules: &Rules, rng: &mut Rng) -> Option<Move> {
        if self.end.is_some() {
            None
        } else if self.white() {
            Targets::of(self, 0, rules).random(rng)
        } else {
            Targets::of(self, 1, rules).random(rng)
        }
    }

    /// Plays a uniformly random move; `false` when there is none.
    #[inline]
    pub(super) fn play_random(&mut self, rules: &Rules, rng: &mut Rng) -> bool {
        if self.end.is_some() {
            return false;
        }
        if self.white() {
            let Some(m) = Targets::of(self, 0, rules).random(rng) else { return false };
            self.play_as(0, m, rules);
        } else {
            let Some(m) = Targets::of(self, 1, rules).random(rng) else { return false };
            self.play_as(1, m, rules);
        }
        true
    }

    /// Plays a legal move and judges the position it leads to.
    #[inline(always)]
    pub(super) fn play(&mut self, m: Move, rules: &Rules) {
        if self.white() { self.play_as(0, m, rules) } else { self.play_as(1, m, rules) }
    }

    #[inline(always)]
    fn play_as(&mut self, us: usize, m: Move, rules: &Rules) {
        let them = us ^ 1;
        let to = m.to() as usize;
        let mut mine = self.men[us];
        let mut hand = self.hands[us];
        let mut key = self.key ^ BLACK_TO_MOVE ^ HANDS[us][hand as usize & 127];
        let mut clock = self.clock.saturating_add(1);
        match m.action() {
            Action::Drop(kind) => {
                let man = IN_HAND[kind as usize % 3];
                mine |= man << to;
                hand -= 1 << (2 * kind);
                key ^= MEN[us][number(man)][to];
                clock = 0;
            }
            Action::Step(from) => {
                let man = mine >> from & SETS;
                mine ^= man << from | man << to;
                let keys = &MEN[us][number(man)];
                key ^= keys[from as usize & 15] ^ keys[to];
            }
            Action::Promote(from) => {
                mine ^= CHICK << from | HEN << to;
                key ^= MEN[us][number(CHICK)][from as usize & 15] ^ MEN[us][number(HEN)][to];
                clock = 0;
            }
        }
        // No branch on captures, which nothing predicts: nothing taken has the number 0.
        let taken = self.men[them] >> to & SETS;
        let theirs = self.men[them] ^ taken << to;
        hand += GAIN[number(taken)];
        key ^= MEN[them][number(taken)][to] ^ HANDS[us][hand as usize & 127];
        self.men[us] = mine;
        self.men[them] = theirs;
        self.hands[us] = hand;
        self.key = key;
        self.ply = self.ply.wrapping_add(1);
        self.clock = if taken == 0 { clock } else { 0 };
        if lion(mine) & GOAL[us] != 0 || lion(theirs) & !GOAL[them] == 0 {
            self.end = self.judge(rules.arrival);
        }
    }

    /// Whether a lion was taken or came home, judged after a move of the side not to move.
    #[inline(never)]
    pub(super) fn judge(&self, arrival: Arrival) -> Option<End> {
        let (us, them) = if self.white() { (1, 0) } else { (0, 1) };
        let won = |colour: usize| Some(End::Try(colour as u8));
        let home = |colour: usize| lion(self.men[colour]) & GOAL[colour] != 0;
        let safe =
            |colour: usize| home(colour) && lion(self.men[colour]) & self.attacks(colour ^ 1) == 0;
        if lion(self.men[them]) == 0 {
            return Some(End::Capture(us as u8));
        }
        if lion(self.men[us]) == 0 {
            return Some(End::Capture(them as u8));
        }
        match arrival {
            Arrival::Wins if home(them) => won(them),
            Arrival::Wins if home(us) => won(us),
            Arrival::MustBeTaken if home(them) => won(them),
            Arrival::MustBeTaken if safe(us) => won(us),
            Arrival::MustBeSafe => match (safe(us), safe(them)) {
                (true, true) => Some(End::BothHome),
                (true, false) => won(us),
                (false, true) => won(them),
                (false, false) => None,
            },
            _ => None,
        }
    }

    /// A move that wins at once, if there is one.
    pub(super) fn winning_move(&self, rules: &Rules) -> Option<Move> {
        if self.end.is_some() {
            return None;
        }
        let us = self.seat();
        let targets = Targets::of(self, us, rules);
        let prey = lion(self.men[us ^ 1]) * SETS;
        let (straight, diagonal) = (targets.straight & prey, targets.diagonal & prey);
        if straight != 0 {
            return Some(targets.straight_step(straight.trailing_zeros() as usize));
        }
        if diagonal != 0 {
            return Some(STEPS[1][diagonal.trailing_zeros() as usize]);
        }
        let king = lion(self.men[us]);
        if rules.arrival == Arrival::MustBeSafe && king & GOAL[us] != 0 {
            // At home and attacked: any man may put an end to the attack.
            return (0..targets.count()).map(|n| targets.nth(n)).find(|&m| self.wins(m, rules));
        }
        let (straight, diagonal) = reach(king * LION, us);
        let home = fold(straight | diagonal) & GOAL[us];
        if home == 0 {
            return None;
        }
        let from = king.trailing_zeros() as Square;
        let free = home & fold(targets.straight | targets.diagonal);
        squares(free).map(|to| Move::step(from, to as Square)).find(|&m| self.wins(m, rules))
    }

    /// Whether a legal move wins at once.
    pub(super) fn wins(&self, m: Move, rules: &Rules) -> bool {
        let seat = self.seat();
        let mut next = *self;
        next.play(m, rules);
        next.end.is_some_and(|end| end.winner() == Some(seat))
    }

    /// Moves available to a colour, whoever is to move: of lions, giraffes and elephants, of
    /// chicks and from the hand, but not of hens.
    pub(super) fn mobility_without_hens(&self, colour: usize, rules: &Rules) -> u32 {
        let hens = self.men[colour] >> 48;
        let mut board = *self;
        board.men[colour] ^= hens * HEN;
        let mut t = Targets::of(&board, colour, rules);
        // The hens stand in the way all the same.
        t.straight &= !(hens * SETS);
        t.diagonal &= !(hens * SETS);
        t.empty &= !hens;
        t.chicks &= !hens;
        t.count() as u32
    }
}
