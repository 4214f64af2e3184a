//! The one contract between rules and searches.

use crate::{ParseError, Rng};
use std::fmt::{Debug, Display};
use std::hash::Hash;

/// The largest number of seats at a table.
pub const MAX_PLAYERS: usize = 5;

/// What each seat gets; unused seats are 0.
pub type Payoffs = [f32; MAX_PLAYERS];

/// Who acts in a position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Turn {
    /// The player in this seat chooses a move.
    Player(u8),
    /// The dice, the bag or the deck chooses; odds are [`Game::weight`].
    Chance,
}

impl Turn {
    /// The seat to move, or `None` at a chance node.
    pub fn player(self) -> Option<usize> {
        match self {
            Turn::Player(seat) => Some(seat as usize),
            Turn::Chance => None,
        }
    }
}

/// A position together with its rules. Clocks, repetition history and the bag of tiles are
/// part of it: whatever a rule needs, the position holds.
///
/// Eight methods are required. The others have defaults that are right for every game and
/// are overridden for speed, or because the rules ask for it. `check::game` tests all of it.
///
/// * `{}` of a position is one line of text that [`parse`](Game::parse) reads back;
///   `{:#}` is a diagram for people.
/// * `{}` of a move is its notation, unique among the legal moves of a position.
///
/// ```
/// # use spielbaum_core::{synthetic::Literal, Game, Rng};
/// // First player: a sure draw, or a move after which the second player decides.
/// let game = Literal::two_player("(= (1 0))").unwrap();
/// let mut position = game.clone();
/// let mut moves = Vec::new();
/// position.moves(&mut moves);
/// assert_eq!(moves.len(), 2);
/// position.play(moves[0]);
/// assert!(position.is_over());
/// assert_eq!(position.payoffs()[..2], [0.5, 0.5]);
/// ```
pub trait Game: Clone + Display + Send + Sync + 'static {
    /// A move, or an outcome of chance.
    type Move: Copy + Eq + Hash + Debug + Display + Send + Sync + 'static;

    /// Who acts. Unspecified once the game is over.
    fn turn(&self) -> Turn;

    /// **Appends** the legal moves or the possible outcomes of chance, each once, in a fixed
    /// order. Appends nothing if and only if the game is over.
    fn moves(&self, out: &mut Vec<Self::Move>);

    /// Plays a move. Legality is the caller's duty (`debug_assert!`ed where that is cheap).
    fn play(&mut self, m: Self::Move);

    /// What each seat gets if play stops here: the result once the game is over, and a
    /// fair settlement (draw, share, score so far) before that.
    fn payoffs(&self) -> Payoffs;

    /// Hash of the position without its history: equal positions have equal keys. What else
    /// decides the legal moves or the value (side to move, hands, deck) belongs into it.
    fn key(&self) -> u64;

    /// A dense number of the move, unique among the legal moves here and below
    /// [`codes`](Game::codes): index of policy weights, history tables and network outputs.
    fn code(&self, m: Self::Move) -> usize;

    /// Codes are `0..codes()`, for all positions that can follow.
    fn codes(&self) -> usize;

    /// Reads a position of the same rules and size as `self`.
    fn parse(&self, text: &str) -> Result<Self, ParseError>;

    /// Number of seats, 1 to [`MAX_PLAYERS`].
    fn players(&self) -> usize {
        2
    }

    /// What people call a seat: its colour or its stones, where the game has such a name.
    fn seat_name(&self, seat: usize) -> String {
        format!("player {}", seat + 1)
    }

    /// Relative odds of an outcome at a chance node; positive.
    fn weight(&self, _outcome: Self::Move) -> u32 {
        1
    }

    /// The points on the table, for people and for searches that maximise points.
    fn scores(&self) -> Option<[i32; MAX_PLAYERS]> {
        None
    }

    /// Between which the first player's margin in [`scores`](Game::scores) lies at the end, whatever the two
    /// players play; `None`: nobody knows. A search that proves margins rests on it.
    fn margin_bounds(&self) -> Option<(i32, i32)> {
        None
    }

    /// Appends between which that margin lies after each of these moves if both then play for it as well as can
    /// be, where that is quicker than to play them; otherwise `false`, and nothing.
    fn margins_after(&self, _moves: &[Self::Move], _out: &mut Vec<(i32, i32)>) -> bool {
        false
    }

    /// What a game tells about a seat besides result and points, by name: the largest tile, the points
    /// made with cities. Recorded at the end of a game, and compared in reports.
    const STATISTICS: &'static [&'static str] = &[];

    /// The [`STATISTICS`](Game::STATISTICS) of a seat, in their order; nothing where a number has no
    /// meaning, such as a quotient by 0.
    fn statistics_of(&self, _seat: usize) -> Vec<Option<f64>> {
        Vec::new()
    }

    /// The code of a move with its surroundings, for policies that learn on features: dense,
    /// below [`patterns`](Game::patterns). Moves may share one.
    fn pattern(&self, m: Self::Move) -> u64 {
        self.code(m) as u64
    }

    /// Calls `f` with the patterns of moves of this position, in their order; overridden where one
    /// look at the position serves all of them.
    fn each_pattern(&self, moves: &[Self::Move], mut f: impl FnMut(u64)) {
        moves.iter().for_each(|&m| f(self.pattern(m)));
    }

    /// Patterns are `0..patterns()`, for all positions that can follow.
    fn patterns(&self) -> usize {
        self.codes()
    }

    /// Whether the game has ended.
    fn is_over(&self) -> bool {
        self.count_moves() == 0
    }

    /// How many moves there are; overridden where they need not be listed to be counted.
    fn count_moves(&self) -> usize {
        let mut moves = Vec::new();
        self.moves(&mut moves);
        moves.len()
    }

    /// A uniformly random legal move, or an outcome by its odds; `None` when the game is over.
    /// `scratch` is working memory, so that playouts do not allocate.
    fn random_move(&self, rng: &mut Rng, scratch: &mut Vec<Self::Move>) -> Option<Self::Move> {
        scratch.clear();
        self.moves(scratch);
        if scratch.is_empty() {
            return None;
        }
        let pick = match self.turn() {
            Turn::Player(_) => rng.below(scratch.len()),
            Turn::Chance => rng.pick_weighted(scratch, |&m| self.weight(m)),
        };
        Some(scratch[pick])
    }

    /// Plays [`random_move`](Game::random_move)s until the game is over or `limit` moves are
    /// made; returns how many were. An override must draw from the same distribution.
    fn playout(&mut self, limit: u32, rng: &mut Rng, scratch: &mut Vec<Self::Move>) -> u32 {
        let mut plies = 0;
        while plies < limit {
            let Some(m) = self.random_move(rng, scratch) else { break };
            self.play(m);
            plies += 1;
        }
        plies
    }

    /// Plays `m`, calls `f`, and takes `m` back. A game with a cheap undo overrides this one
    /// method and every search profits.
    fn explore<R>(&mut self, m: Self::Move, f: impl FnOnce(&mut Self) -> R) -> R {
        let mut next = self.clone();
        next.play(m);
        f(&mut next)
    }

    /// Calls `f` as if the player to move had passed, though the rules may not allow it: what a
    /// search asks to see how much a move is worth (null move). The past before it does not count
    /// below. `None` where it makes no sense: by default, and at the end of a game.
    fn explore_pass<R>(&mut self, _f: impl FnOnce(&mut Self) -> R) -> Option<R> {
        None
    }

    /// A move that wins at once for the player to move, if there is one: overridden where it can
    /// be seen without trying all.
    fn winning_move(&self, scratch: &mut Vec<Self::Move>) -> Option<Self::Move> {
        let seat = self.turn().player()?;
        scratch.clear();
        self.moves(scratch);
        let mut next = self.clone();
        scratch.iter().copied().find(|&m| {
            next.clone_from(self);
            next.play(m);
            next.payoffs()[seat] == 1.0 && next.is_over()
        })
    }

    /// Whether this position is over only because of the way it was reached, by repetition or
    /// by length: the same position on another way may go on, so its value must not be shared
    /// under its [`key`](Game::key).
    fn ended_by_history(&self) -> bool {
        false
    }

    /// The same position under the same rules without repetition and length limits: what perft
    /// counts, and what exact tables know.
    fn without_history(&self) -> Self {
        self.clone()
    }

    /// What of the way to this position can still end the game: a search that shares values
    /// between paths asks once, at its root.
    fn history(&self) -> History {
        History::default()
    }

    /// The position as a drawing in SVG, complete in itself, where the game can draw.
    fn picture(&self) -> Option<String> {
        None
    }

    /// A position consistent with what `seat` may know, hidden parts redrawn.
    fn hide(&self, _seat: usize, _rng: &mut Rng) -> Self {
        self.clone()
    }
}

/// What of a game's past matters to its future, see [`Game::history`].
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct History {
    /// Hash of the set of positions whose next occurrence ends the game; 0 if there are none.
    pub key: u64,
    /// Plies until the game ends by its length, at most.
    pub plies: Option<u32>,
}

/// Marker: two players who alternate strictly, no chance, payoffs 1 : 0, ½ : ½ or 0 : 1 (or
/// any other pair with the sum 1). The conformance suite checks it.
pub trait TwoPlayer: Game {}

/// Marker: one player and no chance, so that a sequence of moves is a plan. The conformance
/// suite checks it.
pub trait OnePlayer: Game {}

/// What a search maximises. [`Game::payoffs`] is the official result; some players do better
/// with points.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Reward {
    /// The official payoff.
    #[default]
    Win,
    /// Own points minus the best other player's.
    Margin,
    /// Own points.
    Score,
}

impl Reward {
    /// The rewards in a position, one for each seat. Games without points have payoffs only.
    pub fn of<G: Game>(self, pos: &G) -> Payoffs {
        let (Reward::Margin | Reward::Score, Some(scores)) = (self, pos.scores()) else {
            return pos.payoffs();
        };
        let n = pos.players();
        let mut rewards = [0.0; MAX_PLAYERS];
        for seat in 0..n {
            let rival = (0..n).filter(|&s| s != seat).map(|s| scores[s]).max();
            rewards[seat] = match (self, rival) {
                (Reward::Margin, Some(best)) => (scores[seat] - best) as f32,
                _ => scores[seat] as f32,
            };
        }
        rewards
    }
}
