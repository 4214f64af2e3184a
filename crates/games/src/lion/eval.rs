//! Static evaluations.

use super::board::{self, ELEPHANT, GIRAFFE, HEN, LION_IN_HAND, lion, number};
use super::moves::Move;
use super::{Lion, Tuned, order};
use spielbaum_core::{Eval, NamedEval};

/// All evaluations of the game, the default first.
pub static EVALS: &[NamedEval<Lion>] = &[
    NamedEval {
        name: "tuned",
        help: "where the men stand and what they attack, fitted to games of self-play",
        make: || Box::new(Tuned),
    },
    NamedEval {
        name: "material",
        help: "chick 3, giraffe 5, elephant 5, hen 7, on the board and in hand alike",
        make: || Box::new(Material::default()),
    },
    NamedEval {
        name: "material-code",
        help: "material with a hen of 6, and the move order of the paper's program",
        make: || Box::new(MaterialCode),
    },
    NamedEval {
        name: "extended",
        help: "material, half of it in hand, with advance of the lion and mobility",
        make: || Box::new(Extended),
    },
    NamedEval {
        name: "winloss",
        help: "nothing but won and lost positions counts; no move order",
        make: || Box::new(WinLoss),
    },
];

/// The paper's material count: a man in hand counts as much as on the board.
///
/// ```
/// use spielbaum_core::{Eval, Game};
/// use spielbaum_games::lion::{Lion, Material};
/// let pos = Lion::default().parse("g1e/1l1/3/ELG[Cc] b").unwrap();
/// assert_eq!(Material::default().eval(&pos), 0);
/// let pos = Lion::default().parse("gle/1C1/3/ELG[C] b").unwrap();
/// assert_eq!(Material::default().eval(&pos), -600);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Material {
    /// Value of a hen in hundredths: 700 as printed; the paper's program has 600.
    pub hen: i32,
}

impl Default for Material {
    fn default() -> Self {
        Material { hen: 700 }
    }
}

const CHICK: i32 = 300;
const LARGE: i32 = 500;

/// Hundredths for a hand by the counters of chicks, giraffes and elephants.
const fn in_hand(hand: u8, [chick, giraffe, elephant]: [i32; 3]) -> i32 {
    (hand & 3) as i32 * chick + (hand >> 2 & 3) as i32 * giraffe + (hand >> 4 & 3) as i32 * elephant
}

/// All hands. A lion has no value, on the board or off it; as `Material::men` counts both lions,
/// a hand that holds one takes off what the other side misses.
static HANDS: [i16; 128] = {
    let mut values = [0; 128];
    let mut hand = 0;
    while hand < 128 {
        let lion = if hand & LION_IN_HAND == 0 { 0 } else { 2 * LARGE };
        values[hand as usize] = (in_hand(hand, [CHICK, LARGE, LARGE]) - lion) as i16;
        hand += 1;
    }
    values
};

impl Material {
    /// The men of White less those of Black: giraffe and hen step straight, the elephant
    /// diagonally, the lion both ways, but there is one on each side.
    #[inline(always)]
    fn men(&self, [white, black]: [u64; 2]) -> i32 {
        let count =
            |set: fn(u64) -> u64| set(white).count_ones() as i32 - set(black).count_ones() as i32;
        count(|men| men & 0x0000_ffff_ffff_0000) * LARGE
            + count(|men| men & 0xffff) * CHICK
            + count(|men| men >> 48) * (self.hen - LARGE)
    }
}

/// What a capture changes: the man taken, by its number, and the one in hand. A hen has its own
/// value, but what it is in hand is a chick.
static TAKEN: [i16; 16] = {
    let mut values = [0; 16];
    [values[number(board::CHICK)], values[number(HEN)]] = [2 * CHICK as i16, CHICK as i16];
    [values[number(GIRAFFE)], values[number(ELEPHANT)]] = [2 * LARGE as i16; 2];
    values
};

impl Eval<Lion> for Material {
    #[inline]
    fn eval(&self, pos: &Lion) -> i32 {
        let board = &pos.board;
        let hand = |colour: usize| i32::from(HANDS[board.hands[colour] as usize & 127]);
        let balance = self.men(board.men) + hand(0) - hand(1);
        if board.white() { balance } else { -balance }
    }

    #[inline]
    fn order(&self, pos: &Lion, m: Move) -> i32 {
        order::plain(pos, m)
    }

    #[inline]
    fn noisy(&self, pos: &Lion, m: Move) -> bool {
        order::noisy(pos, m)
    }

    fn ordered(&self, pos: &Lion, portion: u32, out: &mut Vec<Move>) -> Option<bool> {
        order::ordered(pos, portion, order::plain, false, out)
    }

    #[inline]
    fn after(&self, pos: &Lion, m: Move) -> Option<i32> {
        let (taken, promotes) = pos.goes_on(m)?;
        let mut value = self.eval(pos) + i32::from(TAKEN[taken & 15]);
        if taken == number(HEN) {
            value += self.hen;
        }
        if promotes {
            value += self.hen - CHICK;
        }
        Some(value)
    }
}

/// Material and move order as in the paper's program, which has 6 for a hen and takes captures
/// by attacker (chick, elephant, giraffe, hen, lion), most valuable victim first, then quiet
/// moves of lion, giraffe, elephant, hen and chick, then drops.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct MaterialCode;

impl Eval<Lion> for MaterialCode {
    fn eval(&self, pos: &Lion) -> i32 {
        Material { hen: 600 }.eval(pos)
    }

    #[inline]
    fn order(&self, pos: &Lion, m: Move) -> i32 {
        order::code(pos, m)
    }

    #[inline]
    fn noisy(&self, pos: &Lion, m: Move) -> bool {
        order::noisy(pos, m)
    }

    fn ordered(&self, pos: &Lion, portion: u32, out: &mut Vec<Move>) -> Option<bool> {
        order::ordered(pos, portion, order::code, true, out)
    }

    fn after(&self, pos: &Lion, m: Move) -> Option<i32> {
        Material { hen: 600 }.after(pos, m)
    }
}

/// The "extended evaluation" of the paper's appendix, which only its program defines: giraffe
/// 5, elephant 3, chick 1, hen 7, half of that in hand; 0, 2, 5, 10 for the lion by its rank;
/// a half for each move of lion, giraffe, elephant and chick and each drop.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Extended;

impl Extended {
    fn side(pos: &Lion, colour: usize) -> i32 {
        const ADVANCE: [i32; 4] = [0, 200, 500, 1000];
        let board = &pos.board;
        let men = board.men[colour];
        let king = lion(men);
        let count = |set: u64| (set & 0xffff).count_ones() as i32;
        let hens = men >> 48;
        let giraffes = men >> 16 & !king & !hens;
        let elephants = men >> 32 & !king;
        let rank = (king.trailing_zeros() as usize / 4).min(3);
        let advance = match (king, colour) {
            (0, _) => 0,
            (_, 0) => ADVANCE[rank],
            _ => ADVANCE[3 - rank],
        };
        count(giraffes) * 500
            + count(elephants) * 300
            + count(men) * 100
            + count(hens) * 700
            + in_hand(board.hands[colour] & !LION_IN_HAND, [50, 250, 150])
            + advance
            + board.mobility_without_hens(colour, &pos.rules) as i32 * 50
    }
}

impl Eval<Lion> for Extended {
    fn eval(&self, pos: &Lion) -> i32 {
        let balance = Self::side(pos, 0) - Self::side(pos, 1);
        if pos.board.white() { balance } else { -balance }
    }

    fn order(&self, pos: &Lion, m: Move) -> i32 {
        order::plain(pos, m)
    }

    fn noisy(&self, pos: &Lion, m: Move) -> bool {
        order::noisy(pos, m)
    }
}

/// Every undecided position is worth 0: for searches that look for wins and losses only.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct WinLoss;

impl Eval<Lion> for WinLoss {
    fn eval(&self, _pos: &Lion) -> i32 {
        0
    }
}
