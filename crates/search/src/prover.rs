//! Shallow alpha-beta inside a Monte-Carlo search: does somebody win by force within a few plies?
//!
//! Baier and Winands (2014) put it into the playouts (MCTS-MR), the selection (MCTS-MS) and the
//! backup (MCTS-MB) of a Monte-Carlo search. No table and no move order, as published; one stack
//! of moves for all levels, so nothing is allocated for a node. Every play counts in the meter,
//! and once the meter says stop, what is not yet searched counts as unknown: never a false proof.

use spielbaum_core::{Eval, Game, Meter, Proof, Rng, TwoPlayer};

/// Values of a search with a horizon `H`, for the player to move.
trait Horizon<G: Game> {
    /// The depth at which [`value`](Horizon::value) is asked.
    const AT: u32;

    /// The value of a position at the horizon; `seat` is to move.
    fn value(&self, pos: &G, seat: usize, scratch: &mut Vec<G::Move>) -> i32;

    /// The most that can be reached with so many plies left when nothing wins at once.
    fn most(&self, _depth: u32) -> i32 {
        WIN
    }
}

/// A won position; larger than any evaluation.
const WIN: i32 = 1_000_000;
const DRAW: i32 = 0;

/// Nothing counts but won and lost positions. The last ply is not played: it only matters
/// whether there is a winning move. (That all moves there could lose at once is not looked at:
/// unknown is always a safe answer.)
struct WinLoss;

impl<G: Game> Horizon<G> for WinLoss {
    const AT: u32 = 1;

    #[inline]
    fn value(&self, pos: &G, _seat: usize, scratch: &mut Vec<G::Move>) -> i32 {
        if pos.winning_move(scratch).is_some() { WIN } else { DRAW }
    }

    #[inline]
    fn most(&self, depth: u32) -> i32 {
        if depth < 3 { DRAW } else { WIN }
    }
}

/// A static evaluation at the horizon.
struct Static<'a, G: Game>(&'a dyn Eval<G>);

impl<G: Game> Horizon<G> for Static<'_, G> {
    const AT: u32 = 0;

    fn value(&self, pos: &G, seat: usize, _scratch: &mut Vec<G::Move>) -> i32 {
        if pos.is_over() { result(pos, seat) } else { self.0.eval(pos) }
    }
}

/// The value of an ended game.
fn result<G: Game>(pos: &G, seat: usize) -> i32 {
    match pos.payoffs()[seat] {
        1.0 => WIN,
        0.0 => -WIN,
        _ => DRAW,
    }
}

/// A shallow search for two-player games.
///
/// ```
/// use spielbaum_core::{Limits, Meter, Proof, Stop, synthetic::Literal};
/// use spielbaum_search::prover::Prover;
/// let mut meter = Meter::new(Limits::default(), Stop::new());
/// let mut prover = Prover::new();
/// // The second move of the first player forces the win; the first one draws.
/// let mut game = Literal::two_player("((1 (= 0)) ((1 0) (0 1)))").unwrap();
/// assert_eq!(prover.prove(&mut game, 2, &mut meter), None);
/// assert_eq!(prover.prove(&mut game, 3, &mut meter), Some(Proof::Win));
/// ```
pub struct Prover<G: Game> {
    /// The moves of all nodes on the way down.
    stack: Vec<G::Move>,
    scratch: Vec<G::Move>,
}

impl<G: TwoPlayer> Default for Prover<G> {
    fn default() -> Self {
        Self::new()
    }
}

impl<G: TwoPlayer> Prover<G> {
    /// A prover. Only two-player games have one.
    pub fn new() -> Self {
        Prover { stack: Vec::new(), scratch: Vec::new() }
    }
}

impl<G: Game> Prover<G> {
    /// Whether the player to move wins or loses by force within `depth` plies.
    pub fn prove(&mut self, pos: &mut G, depth: u32, meter: &mut Meter) -> Option<Proof> {
        let seat = pos.turn().player()?;
        let value = if depth == 0 {
            DRAW
        } else {
            self.search(&WinLoss, pos, seat, depth, (-WIN, WIN), meter)
        };
        match value {
            WIN => Some(Proof::Win),
            v if v == -WIN => Some(Proof::Loss),
            _ => None,
        }
    }

    /// The move that a win/loss search of this depth chooses, a random one of equals: the moves
    /// are shuffled and only a strict improvement is accepted, which is fair under pruning.
    /// `None` once the game is over.
    pub fn choose(
        &mut self,
        pos: &mut G,
        depth: u32,
        rng: &mut Rng,
        meter: &mut Meter,
    ) -> Option<G::Move> {
        if depth > 0
            && let Some(m) = pos.winning_move(&mut self.scratch)
        {
            return Some(m);
        }
        if depth <= 1 {
            return pos.random_move(rng, &mut self.scratch);
        }
        self.best(&WinLoss, pos, depth, Some(rng), meter)
    }

    /// The first of the best moves by an evaluation `depth` plies on: how the lion paper's
    /// program plays its rollouts. `None` once the game is over.
    pub fn choose_by(
        &mut self,
        eval: &dyn Eval<G>,
        pos: &mut G,
        depth: u32,
        meter: &mut Meter,
    ) -> Option<G::Move> {
        self.best(&Static(eval), pos, depth, None, meter)
    }

    /// The root of a search: the first move of the highest value, in generation or random order.
    fn best<H: Horizon<G>>(
        &mut self,
        horizon: &H,
        pos: &mut G,
        depth: u32,
        rng: Option<&mut Rng>,
        meter: &mut Meter,
    ) -> Option<G::Move> {
        let seat = pos.turn().player()?;
        let first = self.stack.len();
        pos.moves(&mut self.stack);
        if let Some(rng) = rng {
            rng.shuffle(&mut self.stack[first..]);
        }
        let most = horizon.most(depth);
        let mut best = self.stack.get(first).copied();
        let mut alpha = -WIN;
        for i in first..self.stack.len() {
            if meter.is_stopped() {
                break;
            }
            let m = self.stack[i];
            meter.node();
            let value = -pos.explore(m, |next| {
                self.search(horizon, next, seat ^ 1, depth - 1, (-WIN, -alpha), meter)
            });
            if value > alpha {
                (best, alpha) = (Some(m), value);
                if alpha >= most {
                    break;
                }
            }
        }
        self.stack.truncate(first);
        best
    }

    /// Fail-soft alpha-beta; `seat` is to move.
    fn search<H: Horizon<G>>(
        &mut self,
        horizon: &H,
        pos: &mut G,
        seat: usize,
        depth: u32,
        (alpha, beta): (i32, i32),
        meter: &mut Meter,
    ) -> i32 {
        if depth <= H::AT {
            return horizon.value(pos, seat, &mut self.scratch);
        }
        if pos.winning_move(&mut self.scratch).is_some() {
            return WIN;
        }
        let first = self.stack.len();
        pos.moves(&mut self.stack);
        if self.stack.len() == first {
            return result(pos, seat);
        }
        let enough = beta.min(horizon.most(depth));
        let mut best = -WIN;
        for i in first..self.stack.len() {
            if meter.is_stopped() {
                best = best.max(DRAW);
                break;
            }
            meter.node();
            let m = self.stack[i];
            let window = (-beta, -alpha.max(best));
            let value = -pos
                .explore(m, |next| self.search(horizon, next, seat ^ 1, depth - 1, window, meter));
            best = best.max(value);
            if best >= enough {
                break;
            }
        }
        self.stack.truncate(first);
        best
    }
}
