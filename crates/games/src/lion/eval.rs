//! Static evaluations, and the paper's move order.

use super::board::{GOAL, LION, LION_IN_HAND, lion, number};
use super::moves::{Action, Move};
use super::rules::Arrival;
use super::{Lion, Tuned};
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
fn in_hand(hand: u8, [chick, giraffe, elephant]: [i32; 3]) -> i32 {
    let count = |shift: u8| i32::from(hand >> shift & 3);
    count(0) * chick + count(2) * giraffe + count(4) * elephant
}

impl Material {
    fn side(&self, men: u64, hand: u8) -> i32 {
        // Giraffe and hen step straight, the elephant diagonally, the lion both ways: what it
        // adds is taken off again, so that a lost lion has no value here.
        let large = (men & 0x0000_ffff_ffff_0000).count_ones() as i32;
        let chicks = (men & 0xffff).count_ones() as i32;
        let hens = (men >> 48).count_ones() as i32;
        let lions = lion(men).count_ones() as i32;
        (large - 2 * lions) * LARGE
            + chicks * CHICK
            + hens * (self.hen - LARGE)
            + in_hand(hand, [CHICK, LARGE, LARGE])
    }
}

impl Eval<Lion> for Material {
    fn eval(&self, pos: &Lion) -> i32 {
        let board = &pos.board;
        let balance =
            self.side(board.men[0], board.hands[0]) - self.side(board.men[1], board.hands[1]);
        if board.white() { balance } else { -balance }
    }

    fn order(&self, pos: &Lion, m: Move) -> i32 {
        order(pos, m)
    }

    fn noisy(&self, pos: &Lion, m: Move) -> bool {
        noisy(pos, m)
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

    fn order(&self, pos: &Lion, m: Move) -> i32 {
        // Places in the two lists above, by the number of a man.
        const CAPTURES: [i32; 16] = by_man([0, 1, 2, 3, 4]);
        const QUIET: [i32; 16] = by_man([4, 2, 1, 3, 0]);
        let board = &pos.board;
        let us = board.seat();
        let from = match m.action() {
            Action::Drop(_) => return -10,
            Action::Step(from) | Action::Promote(from) => from,
        };
        let plain = order(pos, m);
        let attacker = number(board.man(us, from)) & 15;
        match number(board.man(us ^ 1, m.to())) & 15 {
            _ if plain >= 900 => plain,
            0 => -QUIET[attacker],
            victim => 100 + 8 * (4 - CAPTURES[attacker]) + RANK[victim],
        }
    }

    fn noisy(&self, pos: &Lion, m: Move) -> bool {
        noisy(pos, m)
    }
}

/// A table by the number of a man from values for chick, elephant, giraffe, hen, lion.
const fn by_man(values: [i32; 5]) -> [i32; 16] {
    let mut table = [0; 16];
    [table[1], table[4], table[2], table[10], table[6]] = values;
    table
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
        order(pos, m)
    }

    fn noisy(&self, pos: &Lion, m: Move) -> bool {
        noisy(pos, m)
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

/// Rank of a man among victims and attackers, by its number: chick, then elephant and giraffe,
/// which are worth the same, hen, lion.
const RANK: [i32; 16] = {
    let mut rank = [0; 16];
    (rank[1], rank[4], rank[2], rank[10], rank[6]) = (1, 2, 2, 3, 4);
    rank
};

/// The paper's order: winning moves, captures (most valuable victim first, then least
/// valuable attacker), quiet moves, drops.
pub(super) fn order(pos: &Lion, m: Move) -> i32 {
    let board = &pos.board;
    let us = board.seat();
    let attacker = match m.action() {
        Action::Drop(_) => return -1,
        Action::Step(from) | Action::Promote(from) => number(board.man(us, from)),
    };
    let victim = number(board.man(us ^ 1, m.to()));
    if victim == number(LION) {
        return 1000;
    }
    let goal = GOAL[us];
    let comes_home = attacker == number(LION) && goal >> m.to() & 1 != 0;
    let is_home = pos.rules.arrival == Arrival::MustBeSafe && lion(board.men[us]) & goal != 0;
    if (comes_home || is_home) && board.wins(m, &pos.rules) {
        return 900;
    }
    if victim == 0 { 0 } else { 100 + 8 * RANK[victim & 15] - RANK[attacker & 15] }
}

/// Captures and promotions change the count.
pub(super) fn noisy(pos: &Lion, m: Move) -> bool {
    let them = usize::from(pos.board.white());
    matches!(m.action(), Action::Promote(_)) || pos.board.man(them, m.to()) != 0
}
