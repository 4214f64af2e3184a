//! What a series of captures on one square is worth (static exchange evaluation).
//!
//! More comes into play than in chess while pieces leave their squares: a chariot behind another,
//! a cannon that gets or loses its screen, a horse whose leg is freed. So the attackers are looked
//! for anew after each capture, from the square outwards, the cheapest first. Pins are not seen.

use super::board::Board;
use super::moves::{
    ADVISOR, CANNON, CHARIOT, ELEPHANT, GENERAL, HORSE, KINDS, Move, OUTSIDE, SOLDIER, Square,
    file, kind_of, rank,
};
use super::tables::{
    ADVISOR_STEPS, GENERAL_STEPS, LEAPS, Leap, ON_FILE, ON_RANK, SOLDIER_STEPS, SPREAD, Set, bit,
};

/// Values of the kinds in an exchange, about what the default evaluation loses with one of them; nothing is worth
/// a general.
pub(super) const VALUES: [i32; KINDS + 1] = [20_000, 220, 220, 530, 1220, 540, 170, 0];

/// Where a horse can come from to capture on a square, with its leg.
static HORSES_FROM: [[Leap; 8]; 90] = {
    let mut table = [[Leap { to: OUTSIDE, over: OUTSIDE }; 8]; 90];
    let mut count = [0; 90];
    let mut from = 0;
    while from < 90 {
        let mut i = 0;
        while i < 8 {
            let Leap { to, over } = LEAPS[HORSE][from][i];
            if to != OUTSIDE {
                table[to as usize][count[to as usize]] = Leap { to: from as Square, over };
                count[to as usize] += 1;
            }
            i += 1;
        }
        from += 1;
    }
    table
};

/// Where a soldier of a colour can come from.
static SOLDIERS_FROM: [[Set; 90]; 2] = {
    let mut table = [[0; 90]; 2];
    let mut square = 0;
    while square < 90 {
        let mut other = 0;
        while other < 90 {
            let mut colour = 0;
            while colour < 2 {
                table[colour][square] |= (SOLDIER_STEPS[colour][other] >> square & 1) << other;
                colour += 1;
            }
            other += 1;
        }
        square += 1;
    }
    table
};

/// What is still on the board, and on rank and file of the square of the exchange.
struct Left {
    all: Set,
    across: usize,
    along: usize,
}

impl Left {
    /// A piece leaves its square for `to`.
    fn leave(&mut self, from: Square, to: Square) {
        self.all &= !bit(from);
        if rank(from) == rank(to) {
            self.across &= !(1 << file(from));
        }
        if file(from) == file(to) {
            self.along &= !(1 << rank(from));
        }
    }
}

impl Board {
    /// Whether the exchange begun by a move gains at least so much.
    pub(super) fn gains(&self, m: Move, least: i32) -> bool {
        let (from, to) = (m.from(), m.to());
        let gain = VALUES[kind_of(self.piece(to))] - least;
        if gain < 0 {
            return false;
        }
        // What the side to capture next lacks to be content.
        let mut lack = VALUES[kind_of(self.piece(from))] - gain;
        if lack <= 0 {
            return true;
        }
        let (x, y) = self.lines(to);
        let mut left = Left {
            all: self.occupied() | bit(to),
            across: (x | x >> 16) as usize & 0x1ff | 1 << file(to),
            along: (y | y >> 16) as usize & 0x3ff | 1 << rank(to),
        };
        left.leave(from, to);
        let mut colour = self.seat();
        let mut content = true;
        loop {
            colour ^= 1;
            let Some(next) = self.cheapest(to, colour, &left) else { break };
            left.leave(next, to);
            let kind = kind_of(self.piece(next));
            if kind == GENERAL {
                // It captures only what nobody defends any more.
                if self.cheapest(to, colour ^ 1, &left).is_none() {
                    content = !content;
                }
                break;
            }
            content = !content;
            lack = VALUES[kind] - lack;
            if lack < i32::from(content) {
                break;
            }
        }
        content
    }

    /// The cheapest of the pieces left of a colour that can capture on a square.
    fn cheapest(&self, to: Square, colour: usize, left: &Left) -> Option<Square> {
        let at = to as usize;
        let of = |kind: usize| self.of(colour, kind) & left.all;
        let first = |set: Set| (set != 0).then(|| set.trailing_zeros() as Square);
        let soldiers = SOLDIERS_FROM[colour & 1][at] & of(SOLDIER);
        let advisors = ADVISOR_STEPS[at] & of(ADVISOR);
        if soldiers != 0 || advisors != 0 {
            return first(soldiers).or_else(|| first(advisors));
        }
        let jumper = |leaps: &[Leap], pieces: Set| {
            let free = |l: &&Leap| pieces & bit(l.to) != 0 && left.all & bit(l.over) == 0;
            leaps.iter().find(free).map(|l| l.to)
        };
        let (elephants, horses) = (of(ELEPHANT), of(HORSE));
        if elephants != 0
            && let Some(from) = jumper(&LEAPS[ELEPHANT][at][..4], elephants)
        {
            return Some(from);
        }
        if horses != 0
            && let Some(from) = jumper(&HORSES_FROM[at], horses)
        {
            return Some(from);
        }
        let (cannons, chariots) = (of(CANNON), of(CHARIOT));
        if cannons | chariots != 0 {
            let (r, f) = (rank(to), file(to));
            let across = ON_RANK[f][left.across >> 1 & 127];
            let along = ON_FILE[r][left.along >> 1 & 255];
            let seen = |shift: u32| {
                Set::from(across >> shift & 0x1ff) << (9 * r)
                    | SPREAD[(along >> shift) as usize & 1023] << f
            };
            let cannons = cannons & seen(16);
            if cannons != 0 {
                return first(cannons);
            }
            let chariots = chariots & seen(0);
            if chariots != 0 {
                return first(chariots);
            }
        }
        first(GENERAL_STEPS[at] & of(GENERAL))
    }
}

#[cfg(test)]
mod tests {
    use super::super::Xiangqi;
    use super::super::moves::piece_of;
    use super::super::tables::Squares;
    use super::*;
    use spielbaum_core::{Game, Rng};

    /// What the side to move wins on a square, cheapest piece first, by making the moves.
    fn won(board: &Board, to: Square) -> i32 {
        let us = board.seat();
        let by_value = [SOLDIER, ADVISOR, ELEPHANT, HORSE, CANNON, CHARIOT, GENERAL];
        let found = by_value.iter().find_map(|&kind| {
            let mut squares = Squares(board.of(us, kind));
            let from =
                squares.find(|&from| board.attacks(piece_of(us, kind), from) & bit(to) != 0)?;
            Some((kind, from))
        });
        let Some((kind, from)) = found else { return 0 };
        let prey = VALUES[kind_of(board.piece(to))];
        let mut next = *board;
        next.play::<false>(Move::new(from, to));
        let lost = won(&next, to);
        if kind == GENERAL && lost > 0 { 0 } else { (prey - lost).max(0) }
    }

    #[test]
    fn an_exchange_is_worth_what_playing_it_is() {
        let mut rng = Rng::new(1);
        let (mut captures, mut losing) = (0, 0);
        for game in 0..150 {
            let mut pos = Xiangqi::default();
            pos.playout(game % 75, &mut rng, &mut Vec::new());
            let mut moves = Vec::new();
            pos.moves(&mut moves);
            for m in moves {
                let prey = VALUES[kind_of(pos.board.piece(m.to()))];
                if kind_of(pos.board.piece(m.from())) == GENERAL {
                    continue;
                }
                let mut next = pos.board;
                next.play::<false>(m);
                let value = prey - won(&next, m.to());
                for least in [value - 1, value, value + 1, 0, -200] {
                    let found = pos.board.gains(m, least);
                    assert_eq!(found, value >= least, "{pos} {m}: {value}, {least}");
                }
                captures += usize::from(prey > 0);
                losing += usize::from(prey > 0 && value < 0);
            }
        }
        assert!(captures > 300 && losing > 50, "{captures} captures, {losing} losing");
    }

    #[test]
    fn checks_are_seen_before_they_are_given() {
        let mut rng = Rng::new(2);
        let mut checks = 0;
        for game in 0..400 {
            let mut pos = Xiangqi::default();
            pos.playout(game % 120, &mut rng, &mut Vec::new());
            let mut moves = Vec::new();
            pos.moves(&mut moves);
            for m in moves {
                let mut next = pos.board;
                next.play::<false>(m);
                let check = next.in_check(next.seat());
                assert_eq!(pos.board.gives_check(m), check, "{pos} {m}");
                checks += usize::from(check);
            }
        }
        assert!(checks > 200, "{checks}");
    }
}
