//! What the members of the family differ in.

use crate::table::Replace;

/// How the window of a search is chosen.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Method {
    /// No pruning: every line to the full depth.
    Minimax,
    /// Alpha-beta with the whole window (Knuth and Moore 1975).
    AlphaBeta,
    /// Principal-variation search: what follows the first move is asked only whether it is
    /// better, and searched again if it is (Marsland and Campbell 1982).
    #[default]
    Pvs,
    /// MTD(f): a chain of searches that ask whether the value is at least so much, each as much
    /// as the one before suggests (Plaat et al. 1996).
    Mtdf,
}

/// What MTD(f) guesses before it has searched.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Guess {
    /// The value of the last depth.
    #[default]
    Previous,
    /// The value of the depth before the last: even and odd depths have guesses of their own,
    /// for evaluations swing with the side that moves last.
    Parity,
}

/// Which moves are searched first.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Order {
    /// As the game lists them.
    None,
    /// By [`Eval::order`](spielbaum_core::Eval::order) alone.
    Static,
    /// The move of the table, a win at once, noisy moves by [`Eval::order`], killer moves, then
    /// by the history of cuts.
    ///
    /// [`Eval::order`]: spielbaum_core::Eval::order
    #[default]
    Dynamic,
}

/// Which depth an entry of the table must have.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum DepthRule {
    /// [`Exact`](DepthRule::Exact), in a selective search [`AtLeast`](DepthRule::AtLeast).
    #[default]
    Auto,
    /// The entry holds as if its position were searched again: the same depth, or nothing that
    /// depth could change. A search finds what it would find without a table.
    Exact,
    /// The same depth and nothing else.
    Equal,
    /// The same depth or more: what is found may be better than the depth allows.
    AtLeast,
}

/// On, off, or as the evaluation advises
/// ([`Eval::is_selective`](spielbaum_core::Eval::is_selective)).
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Switch {
    /// As the evaluation advises.
    #[default]
    Auto,
    /// Whatever the evaluation advises.
    On,
    /// Whatever the evaluation advises.
    Off,
}

/// What a selective search does beyond the full width to one depth. Each part by itself.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Parts {
    /// Quiescence: at the horizon noisy moves are searched until none is left, unless standing
    /// still is better.
    pub quiescence: bool,
    /// A player who would be well after passing need not be searched deeply (null move, Donninger
    /// 1993), where the game knows a pass.
    pub null_move: bool,
    /// Late quiet moves are searched less deeply first.
    pub reductions: bool,
    /// A move that gives check is searched a ply deeper.
    pub extensions: bool,
    /// Near the horizon positions far above the window are not searched, and quiet moves not where
    /// they are far below it, or late.
    pub futility: bool,
    /// Noisy moves that lose in the exchange are searched last, and not at all near the horizon.
    pub exchange: bool,
}

impl Parts {
    /// Everything.
    pub const ALL: Parts = Parts {
        quiescence: true,
        null_move: true,
        reductions: true,
        extensions: true,
        futility: true,
        exchange: true,
    };
    /// Nothing.
    pub const NONE: Parts = Parts {
        quiescence: false,
        null_move: false,
        reductions: false,
        extensions: false,
        futility: false,
        exchange: false,
    };
}

/// What makes one search of the family different from another. The default is the strongest
/// combination.
#[derive(Clone, PartialEq, Debug)]
pub struct AlphaBetaConfig {
    /// How the window is chosen.
    pub method: Method,
    /// What MTD(f) guesses first.
    pub guess: Guess,
    /// The width of MTD(f)'s windows in units of the evaluation. 1 is a null window; values
    /// that are multiples of more need no narrower ones.
    pub step: i32,
    /// Half the width of the first window around the value of the last depth, which is widened
    /// when the value lies outside; 0 for a window open from the start, which is the default
    /// unless the search is selective.
    pub aspiration: Option<i32>,
    /// Which moves are searched first.
    pub order: Order,
    /// Whether moves that cut lately at the same ply come first among the quiet ones.
    pub killers: bool,
    /// Whether quiet moves are ordered by the cuts they caused elsewhere.
    pub history: bool,
    /// Whether a selective search learns which motif answers which, where the evaluation knows
    /// motifs, and orders quiet moves by it.
    pub answers: bool,
    /// Whether a search of full width looks for a win at once before anything else. Only in the dynamic order.
    pub wins: bool,
    /// Whether a selective search does so: in xiangqi it costs more than it finds.
    pub selective_wins: bool,
    /// Whether to search some lines deeper than others; minimax never does.
    pub selective: Switch,
    /// What a selective search consists of.
    pub parts: Parts,
    /// Whether a depth begins with the best move of the depth before.
    pub reuse: bool,
    /// Whether to keep a transposition table.
    pub table: bool,
    /// The most memory of the table, in bytes.
    pub memory: usize,
    /// Which entry of a full table goes.
    pub replace: Replace,
    /// Which depth an entry must have to be used.
    pub depth_rule: DepthRule,
    /// Whether a bound in the table that does not answer the question narrows the window, except
    /// in a selective search.
    pub narrow: bool,
    /// Whether a depth that is not completed may change the move: the best move of the depth
    /// before is searched first, so a move that is better in the unfinished depth is better.
    /// The depth of the report stays that of the completed one; moves not reached keep its
    /// values. Otherwise an unfinished depth is thrown away, as it is by MTD(f), which knows
    /// nothing but bounds before it ends, and where the best move is not searched first.
    pub partial: bool,
}

impl Default for AlphaBetaConfig {
    fn default() -> Self {
        AlphaBetaConfig {
            method: Method::Pvs,
            guess: Guess::Previous,
            step: 1,
            aspiration: None,
            order: Order::Dynamic,
            killers: true,
            history: true,
            answers: true,
            wins: true,
            selective_wins: false,
            selective: Switch::Auto,
            parts: Parts::ALL,
            reuse: true,
            table: true,
            memory: 16 << 20,
            replace: Replace::Shallow,
            depth_rule: DepthRule::Auto,
            narrow: false,
            partial: true,
        }
    }
}

impl AlphaBetaConfig {
    /// Whether a search of fixed depth finds the value of plain minimax, with an evaluation that
    /// does not advise a selective search.
    pub fn is_exact(&self) -> bool {
        let deeper = self.table && self.depth_rule == DepthRule::AtLeast;
        !deeper && (self.selective != Switch::On || self.method == Method::Minimax)
    }

    /// The parts of a selective search in use.
    pub(super) fn parts(&self, advised: bool) -> Parts {
        let on = match self.selective {
            Switch::Auto => advised,
            Switch::On => true,
            Switch::Off => false,
        };
        // Minimax searches every line to the full depth, or it would be something else.
        if on && self.method != Method::Minimax { self.parts } else { Parts::NONE }
    }

    /// Whether a move that is better in an unfinished depth is taken.
    pub(super) fn takes_partial(&self) -> bool {
        self.partial && self.reuse && self.method != Method::Mtdf
    }
}
