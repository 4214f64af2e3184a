//! Plain minimax: every move, every reply, nothing clever. It is the oracle the other searches
//! are tested against, and a player in its own right for small trees.

use crate::random::choices;
use crate::score;
use spielbaum_core::{
    Bound, Eval, Forfeit, Game, Limits, Line, MAX_PLAYERS, Player, Proof, Report, Reward, Task,
    Turn, TwoPlayer,
};

/// The minimax score of a position for the player to move, `depth` plies deep: the end of the
/// game counts as it is (quick wins first), the horizon by the evaluation.
///
/// ```
/// use spielbaum_core::synthetic::{HashedEval, Literal};
/// use spielbaum_search::{minimax::negamax, score::WIN};
/// let game = Literal::two_player("(= (1 1))").unwrap();
/// let eval = HashedEval { seed: 1, spread: 100 };
/// assert_eq!(negamax(&game, 2, &eval), WIN - 2);
/// ```
pub fn negamax<G: TwoPlayer>(pos: &G, depth: u32, eval: &dyn Eval<G>) -> i32 {
    // Nobody is to move in a finished game: the value of one is seat 0's.
    let seat = pos.turn().player().unwrap_or(0);
    below(&mut pos.clone(), depth, 0, seat, eval)
}

fn below<G: TwoPlayer>(pos: &mut G, depth: u32, ply: u32, seat: usize, eval: &dyn Eval<G>) -> i32 {
    let mut moves = Vec::new();
    pos.moves(&mut moves);
    if moves.is_empty() {
        return score::from_payoff(pos.payoffs()[seat], ply);
    }
    if depth == 0 {
        return score::from_eval(eval.eval(pos));
    }
    let mut best = -score::INFINITE;
    for m in moves {
        let value = -pos.explore(m, |next| below(next, depth - 1, ply + 1, 1 - seat, eval));
        best = best.max(value);
    }
    best
}

/// What each seat can expect, `depth` plies deep, in any game: everyone maximises their own
/// reward (max^n, Luckhardt and Irani 1986), equals keep the first, chance is averaged
/// exactly. The horizon counts as if play stopped there. Chance counts as a ply.
///
/// ```
/// use spielbaum_core::{Reward, synthetic::Literal};
/// use spielbaum_search::minimax::maxn;
/// let game = Literal::new(2, "(= ?(3:1 1:(0 0.2)))").unwrap();
/// assert_eq!(maxn(&game, 9, Reward::Win)[0], 0.75);
/// ```
pub fn maxn<G: Game>(pos: &G, depth: u32, reward: Reward) -> [f64; MAX_PLAYERS] {
    let mut task = Task::new(Limits::default());
    let mut walk = Walk::new(reward, &mut task);
    walk.visit(&mut pos.clone(), depth, 0).unwrap_or_default()
}

/// Options of [`Minimax`].
#[derive(Clone, PartialEq, Debug, Default)]
pub struct MinimaxConfig {
    /// What everyone is thought to maximise.
    pub reward: Reward,
}

/// Plain minimax as a player of any game: depth 1, 2, 3 … by [`maxn`] within the limits. Only
/// completed depths count; the search ends by itself when the tree does.
#[derive(Clone, Debug, Default)]
pub struct Minimax {
    config: MinimaxConfig,
}

impl Minimax {
    /// A player with these options.
    pub fn new(config: &MinimaxConfig) -> Self {
        Minimax { config: config.clone() }
    }
}

impl<G: Game> Player<G> for Minimax {
    fn think(&mut self, pos: &G, task: &mut Task<'_, G::Move>) -> Result<Report<G::Move>, Forfeit> {
        let (seat, moves) = choices(pos, task)?;
        let restricted = moves.len() < pos.count_moves();
        let settlement = self.config.reward.of(pos)[seat];
        let line = |&mv| Line {
            mv,
            visits: 0,
            value: settlement,
            bound: Bound::Exact,
            prior: None,
            proven: None,
        };
        let mut lines: Vec<_> = moves.iter().map(line).collect();
        let mut report = Report::new(moves[0], settlement, &task.meter);
        report.lines.clone_from(&lines);

        task.meter.check();
        let mut walk = Walk::new(self.config.reward, task);
        let mut pos = pos.clone();
        let mut open = true;
        for depth in 1.. {
            if !open || !walk.task.meter.allows_depth(depth) || !walk.task.meter.iteration() {
                break;
            }
            let mut best = f64::NEG_INFINITY;
            open = false;
            for line in &mut lines {
                let before = walk.task.meter.nodes();
                walk.met = Met::default();
                let values = walk.child(&mut pos, line.mv, depth, 0);
                line.visits += walk.task.meter.nodes() - before;
                let Some(values) = values else { break };
                line.value = values[seat] as f32;
                line.proven = walk.proof(pos.players(), values[seat]);
                open |= walk.met.horizon;
                if values[seat] > best {
                    best = values[seat];
                    walk.extend_pv(line.mv, 0);
                }
            }
            if walk.stopped {
                // Only what it cost remains of an unfinished depth.
                for line in &mut report.lines {
                    line.visits = lines.iter().find(|l| l.mv == line.mv).map_or(0, |l| l.visits);
                }
                break;
            }
            report.lines.clone_from(&lines);
            report.lines.sort_by(|a, b| b.value.total_cmp(&a.value));
            report.pv.clone_from(&walk.pv[0]);
            report.best = report.pv[0];
            report.value = best as f32;
            report.depth = depth;
            // A win needs one move that wins; the rest needs all moves.
            let proven = report.lines[0].proven;
            report.proven = proven.filter(|&p| p == Proof::Win || !(open || restricted));
            count(&mut report, walk.task);
            walk.task.publish(&report);
        }
        count(&mut report, walk.task);
        Ok(report)
    }

    fn is_bounded_by(&self, limits: &Limits) -> bool {
        !limits.is_empty()
    }

    fn restart(&mut self, _seed: u64) {}
}

fn count<M>(report: &mut Report<M>, task: &Task<'_, M>) {
    report.iterations = u64::from(report.depth);
    report.nodes = task.meter.nodes();
    report.elapsed = task.meter.elapsed();
}

/// A depth-first walk.
struct Walk<'a, 't, M> {
    reward: Reward,
    task: &'a mut Task<'t, M>,
    stack: Vec<M>,
    /// The best line from each ply on.
    pv: Vec<Vec<M>>,
    met: Met,
    stopped: bool,
}

/// What a walk came across.
#[derive(Clone, Copy, Default)]
struct Met {
    /// A position that goes on below the depth.
    horizon: bool,
    /// Chance.
    chance: bool,
    /// A result that is no win, draw or loss.
    share: bool,
}

impl<'a, 't, M: Copy + Eq> Walk<'a, 't, M> {
    fn new(reward: Reward, task: &'a mut Task<'t, M>) -> Self {
        let pv = vec![Vec::new()];
        Walk { reward, task, stack: Vec::new(), pv, met: Met::default(), stopped: false }
    }

    fn visit<G>(&mut self, pos: &mut G, depth: u32, ply: usize) -> Option<[f64; MAX_PLAYERS]>
    where
        G: Game<Move = M>,
    {
        if self.pv.len() <= ply {
            self.pv.push(Vec::new());
        }
        self.pv[ply].clear();
        let first = self.stack.len();
        pos.moves(&mut self.stack);
        if depth == 0 || self.stack.len() == first {
            self.met.horizon |= self.stack.len() > first;
            self.stack.truncate(first);
            let rewards = self.reward.of(pos);
            self.met.share |=
                ![[1.0, 0.0], [0.5, 0.5], [0.0, 1.0]].contains(&[rewards[0], rewards[1]]);
            return Some(rewards.map(f64::from));
        }
        let turn = pos.turn();
        self.met.chance |= turn == Turn::Chance;
        let mut result = [0.0; MAX_PLAYERS];
        let (mut best, mut total) = (f64::NEG_INFINITY, 0.0);
        for i in first..self.stack.len() {
            let m = self.stack[i];
            let values = self.child(pos, m, depth, ply)?;
            let rank = match turn {
                Turn::Player(seat) => values[usize::from(seat)],
                Turn::Chance => f64::from(pos.weight(m)),
            };
            if turn == Turn::Chance {
                total += rank;
                result = std::array::from_fn(|s| result[s] + rank * values[s]);
            } else if rank > best {
                result = values;
            }
            if rank > best {
                best = rank;
                self.extend_pv(m, ply);
            }
        }
        if turn == Turn::Chance {
            result = result.map(|sum| sum / total);
        }
        self.stack.truncate(first);
        Some(result)
    }

    fn child<G>(&mut self, pos: &mut G, m: M, depth: u32, ply: usize) -> Option<[f64; MAX_PLAYERS]>
    where
        G: Game<Move = M>,
    {
        if self.task.meter.is_stopped() {
            self.stopped = true;
            return None;
        }
        self.task.meter.node();
        pos.explore(m, |next| self.visit(next, depth - 1, ply + 1))
    }

    /// Makes `m` and the line below it the best line at `ply`; at a chance node, of the
    /// likeliest outcome.
    fn extend_pv(&mut self, m: M, ply: usize) {
        let (above, below) = self.pv.split_at_mut(ply + 1);
        above[ply].clear();
        above[ply].push(m);
        above[ply].extend_from_slice(&below[0]);
    }

    /// The proof in a value, if everything was seen and the game knows nothing but wins,
    /// draws and losses.
    fn proof(&self, players: usize, value: f64) -> Option<Proof> {
        let Met { horizon, chance, share } = self.met;
        if horizon || share || players != 2 || self.reward != Reward::Win {
            return None;
        }
        match value {
            1.0 => Some(Proof::Win),
            0.0 => Some(Proof::Loss),
            // Through chance, one half may be a coin between win and loss.
            0.5 if !chance => Some(Proof::Draw),
            _ => None,
        }
    }
}
