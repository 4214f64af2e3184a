//! The orders of moves: the paper's and its program's.

use super::Lion;
use super::board::{Board, GOAL, HEN, LION, SETS, lion, number};
use super::moves::{Action, Move};
use super::rules::Arrival;
use super::targets::{STEPS, Targets, fold, reach, squares};
use std::cmp::Reverse;

/// Values for chick, elephant, giraffe, hen, lion as a table by the number of a man.
const fn by_man(values: [i32; 5]) -> [i32; 16] {
    let mut table = [0; 16];
    [table[1], table[4], table[2], table[10], table[6]] = values;
    table
}

/// Rank of a man among victims and attackers: elephant and giraffe are worth the same.
const RANK: [i32; 16] = by_man([1, 2, 2, 3, 4]);

/// Taking the lion.
const TAKES_LION: i32 = 1000;
/// A lion that comes home and wins.
const COMES_HOME: i32 = 900;

/// A drop, a move that wins, or who takes whom, by their numbers; 0 for nobody.
enum Kind {
    Drop,
    Win(i32),
    Step { attacker: usize, victim: usize },
}

#[inline(always)]
fn kind(pos: &Lion, m: Move) -> Kind {
    let board = &pos.board;
    let us = board.seat();
    let attacker = match m.action() {
        Action::Drop(_) => return Kind::Drop,
        Action::Step(from) | Action::Promote(from) => number(board.man(us, from)),
    };
    let victim = number(board.man(us ^ 1, m.to()));
    if victim == number(LION) {
        return Kind::Win(TAKES_LION);
    }
    let goal = GOAL[us];
    let comes_home = attacker == number(LION) && goal >> m.to() & 1 != 0;
    let wins = match pos.rules.arrival {
        Arrival::Wins => comes_home,
        Arrival::MustBeTaken => comes_home && board.wins(m, &pos.rules),
        Arrival::MustBeSafe => {
            (comes_home || lion(board.men[us]) & goal != 0) && board.wins(m, &pos.rules)
        }
    };
    if wins { Kind::Win(COMES_HOME) } else { Kind::Step { attacker, victim } }
}

/// The paper's order: winning moves, captures (most valuable victim first, then least
/// valuable attacker), quiet moves, drops.
#[inline]
pub(super) fn plain(pos: &Lion, m: Move) -> i32 {
    match kind(pos, m) {
        Kind::Drop => -1,
        Kind::Win(order) => order,
        Kind::Step { victim: 0, .. } => 0,
        Kind::Step { attacker, victim } => 100 + 8 * RANK[victim & 15] - RANK[attacker & 15],
    }
}

/// The order of the paper's program: captures by attacker (chick, elephant, giraffe, hen, lion),
/// most valuable victim first, then quiet moves of lion, giraffe, elephant, hen and chick, then
/// drops.
#[inline]
pub(super) fn code(pos: &Lion, m: Move) -> i32 {
    // Places in the two lists above.
    const CAPTURES: [i32; 16] = by_man([0, 1, 2, 3, 4]);
    const QUIET: [i32; 16] = by_man([4, 2, 1, 3, 0]);
    match kind(pos, m) {
        Kind::Drop => -10,
        Kind::Win(order) => order,
        Kind::Step { attacker, victim: 0 } => -QUIET[attacker & 15],
        Kind::Step { attacker, victim } => {
            100 + 8 * (4 - CAPTURES[attacker & 15]) + RANK[victim & 15]
        }
    }
}

/// Captures and promotions change the count.
#[inline]
pub(super) fn noisy(pos: &Lion, m: Move) -> bool {
    let them = usize::from(pos.board.white());
    matches!(m.action(), Action::Promote(_)) || pos.board.man(them, m.to()) != 0
}

/// Appends the moves by one of the orders: first loud ones (captures, and lions coming home),
/// which are few and sorted; then quiet ones as they come, or, as the program does, man by man;
/// drops are last. `None` under rules where it takes more to see that a lion wins.
#[inline(always)]
pub(super) fn ordered(
    pos: &Lion,
    portion: u32,
    order: impl Fn(&Lion, Move) -> i32,
    by_man: bool,
    out: &mut Vec<Move>,
) -> Option<bool> {
    if pos.rules.arrival != Arrival::Wins {
        return None;
    }
    if pos.board.end.is_some() {
        return Some(false);
    }
    // Compiled once for each colour: shifts by constants.
    let first = out.len();
    let listed = if pos.board.white() {
        list::<0>(pos, portion, by_man, out)
    } else {
        list::<1>(pos, portion, by_man, out)
    };
    if listed == Some(true) {
        match &mut out[first..] {
            [_] => {}
            [a, b] => {
                if order(pos, *b) > order(pos, *a) {
                    std::mem::swap(a, b);
                }
            }
            all => all.sort_by_key(|&m| Reverse(order(pos, m))),
        }
    }
    listed
}

/// Appends loud moves, if there are any, or else quiet ones.
#[inline(always)]
fn list<const US: usize>(
    pos: &Lion,
    portion: u32,
    by_man: bool,
    out: &mut Vec<Move>,
) -> Option<bool> {
    let targets = Targets::of(&pos.board, US, &pos.rules);
    let loud = loud_targets(&pos.board, US);
    let (straight, diagonal) = (targets.straight & loud.0, targets.diagonal & loud.1);
    if portion == 0 && straight | diagonal != 0 {
        targets.list_steps(straight, diagonal, out);
        return Some(true);
    }
    let (straight, diagonal) = (targets.straight & !loud.0, targets.diagonal & !loud.1);
    if by_man {
        list_by_man(pos.board.men[US], US, &targets, straight, diagonal, out);
    } else {
        targets.list_steps(straight, diagonal, out);
    }
    targets.list_drops(out);
    Some(false)
}

/// Appends quiet steps of lion, giraffe, elephant, hen and chick.
#[inline(always)]
fn list_by_man(
    men: u64,
    us: usize,
    targets: &Targets,
    straight: u64,
    diagonal: u64,
    out: &mut Vec<Move>,
) {
    let (king, hens) = (lion(men), men >> 48);
    let giraffes = men >> 16 & 0xffff & !king & !hens;
    let elephants = men >> 32 & 0xffff & !king;
    // Each kind has its own few directions.
    let (up, across) = reach(king * LION, us);
    list_set(up & straight, 0, out);
    list_set(across & diagonal, 1, out);
    list_set(reach(giraffes << 16, us).0 & straight, 0, out);
    list_set(reach(elephants << 32, us).1 & diagonal, 1, out);
    if hens != 0 {
        let (up, across) = reach(hens * HEN, us);
        list_set(up & straight, 0, out);
        list_set(across & diagonal, 1, out);
    }
    targets.list_steps(reach(men & 0xffff, us).0 & straight, 0, out);
}

/// The targets of loud steps, straight and diagonal.
#[inline(always)]
fn loud_targets(board: &Board, us: usize) -> (u64, u64) {
    let prey = fold(board.men[us ^ 1]) * SETS;
    let king = lion(board.men[us]);
    // From the rank before the far one.
    let before = if us == 0 { GOAL[0] >> 4 } else { GOAL[1] << 4 };
    if king & before == 0 {
        return (prey, prey);
    }
    let (straight, diagonal) = reach(king * LION, us);
    let home = GOAL[us] * SETS;
    (prey | (straight & home), prey | (diagonal & home))
}

/// Appends straight (0) or diagonal (1) steps of men that do not promote.
#[inline(always)]
fn list_set(set: u64, kind: usize, out: &mut Vec<Move>) {
    for i in squares(set) {
        out.push(STEPS[kind][i]);
    }
}
