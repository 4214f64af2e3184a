//! What the members of the family differ in.

/// Which plies the depth counts; those of chance count as those of players.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Plies {
    /// All of them: depth 1 evaluates the positions after the root moves.
    #[default]
    All,
    /// Those below the root move, as the 2048 study counts: depth 2 is move, tile, move.
    Below,
    /// The moves of one who takes turns with chance: depth 1 is greedy, and each further one adds
    /// an outcome of chance and a move.
    Moves,
}

impl Plies {
    /// The plies of a depth, the root move included.
    pub(super) fn all(self, depth: u32) -> u32 {
        match self {
            Plies::All => depth,
            Plies::Below => depth.saturating_add(1),
            Plies::Moves => depth.saturating_mul(2).saturating_sub(1),
        }
    }

    /// The depth of so many plies, the root move included.
    pub(super) fn depth(self, all: u32) -> u32 {
        match self {
            Plies::All => all,
            Plies::Below => all - 1,
            Plies::Moves => all.div_ceil(2),
        }
    }
}

/// Which entries of the table are used.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum TableRule {
    /// Those of the same depth, or with nothing left to search: what is found is what a search
    /// without a table finds (but for a probability cut-off).
    Exact,
    /// Those of the same depth or more.
    #[default]
    Stored,
    /// Those of the same depth or **less**: as the listing of the 2048 study has it, which
    /// reverses the test that its text describes.
    Literal,
}

/// How long the table lives.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Keep {
    /// For the whole game.
    #[default]
    Game,
    /// For a move.
    Move,
}

/// What is left out because it cannot matter. The evaluation must tell its
/// [range](spielbaum_core::Eval::range).
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Prune {
    /// Nothing.
    #[default]
    None,
    /// By the bounds of the evaluation (Star1).
    Star1,
    /// The same after so many probes of each outcome: Star2 with one, Star2.5 with more.
    Star2 {
        /// Moves probed after each outcome.
        probes: u32,
    },
}

/// What makes one search of the family different from another.
#[derive(Clone, PartialEq, Debug)]
pub struct ExpectimaxConfig {
    /// Which plies the depth counts.
    pub plies: Plies,
    /// Whether there is a table of chance nodes.
    pub table: bool,
    /// Which of its entries are used.
    pub table_rule: TableRule,
    /// How long it lives.
    pub keep: Keep,
    /// Bytes it may grow to.
    pub memory: usize,
    /// What is reached with a smaller probability, the player's moves granted, is evaluated: a
    /// chance node as it is, a decision one move on.
    pub cutoff: f32,
    /// Whether the evaluation's [`depth_hint`](spielbaum_core::Eval::depth_hint) limits the depth.
    pub adaptive: bool,
    /// The depth of a search that nothing else limits, counted as `plies` says; `None`: as deep as
    /// it can.
    pub default_depth: Option<u32>,
    /// Depth after depth; else the greatest one at once, if it is known and no limit of time or plays may
    /// end the search before it.
    pub deepening: bool,
    /// Plies from one depth to the next; 2 keeps to one kind of leaf where player and chance
    /// alternate.
    pub step: u32,
    /// What is left out because it cannot matter.
    pub prune: Prune,
}

impl Default for ExpectimaxConfig {
    fn default() -> Self {
        ExpectimaxConfig {
            plies: Plies::default(),
            table: true,
            table_rule: TableRule::default(),
            keep: Keep::default(),
            memory: 64 << 20,
            cutoff: 0.0,
            adaptive: false,
            default_depth: None,
            deepening: true,
            step: 1,
            prune: Prune::None,
        }
    }
}
