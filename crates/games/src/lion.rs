//! Catch the Lion (dobutsu shogi): twelve squares, eight men, captured men come back.
//!
//! ```
//! use spielbaum_core::{perft, text, Game};
//! use spielbaum_games::lion::{Lion, Rules};
//! let start = Lion::new(Rules::OFFICIAL);
//! assert_eq!(start.to_string(), "gle/1c1/1C1/ELG[] w - - 0 1");
//! assert_eq!(perft::perft(&start, 5), 8122);
//! let mut pos = start.clone();
//! text::play_moves(&mut pos, "b2b3 a4a3 b3b4+").unwrap();
//! assert_eq!(pos.payoffs()[..2], [1.0, 0.0]); // a chick that takes the lion
//! ```

mod board;
mod eval;
mod moves;
mod order;
mod rules;
mod targets;
mod text;
mod tuned;
mod weights;

pub use eval::{EVALS, Extended, Material, MaterialCode, WinLoss};
pub use moves::Move;
pub use rules::{Arrival, End, Preset, Rules};
pub use tuned::Tuned;

use board::Board;
use rules::RULE_SETS;
use spielbaum_core::param::{Args, Kind, Param, Schema};
use spielbaum_core::spec::SpecError;
use spielbaum_core::{
    Game, History, MAX_PLAYERS, NamedEval, ParseError, Payoffs, Registered, Rng, Turn, TwoPlayer,
};

/// A position of Catch the Lion with its rules. White, in seat 0, has upper-case letters,
/// begins, and moves up the board.
///
/// The board is 32 bytes that copy. The keys of the positions before are a stack beside it,
/// empty and never touched unless the rules know repetition.
pub struct Lion {
    board: Board,
    rules: Rules,
    /// Keys of all positions since the start, this one last.
    past: Vec<u64>,
}

impl Lion {
    /// The start position under a rule set.
    pub fn new(rules: Rules) -> Self {
        match text::parse(text::START, &rules) {
            Ok(board) => Self::with(board, rules),
            Err(e) => unreachable!("the start position is well written: {e}"),
        }
    }

    fn with(mut board: Board, rules: Rules) -> Self {
        if board.end.is_none() && rules.plies != 0 && board.ply > rules.plies {
            board.end = Some(End::Length);
        }
        let past = if rules.repetition == 0 { Vec::new() } else { vec![board.key] };
        let mut pos = Lion { board, rules, past };
        if pos.board.end.is_none() && rules.repetition == 1 {
            pos.board.end = Some(End::Repetition);
        }
        pos
    }

    /// The rules.
    pub fn rules(&self) -> &Rules {
        &self.rules
    }

    /// How the game ended, or `None` while it goes on.
    pub fn end(&self) -> Option<End> {
        match self.board.end {
            None if self.board.count_moves(&self.rules) == 0 => {
                Some(End::NoMoves((self.board.ply & 1) as u8 ^ 1))
            }
            end => end,
        }
    }

    /// Whether the lion of the player to move could be taken if the other were to move.
    pub fn is_attacked(&self) -> bool {
        let us = self.board.seat();
        board::lion(self.board.men[us]) & self.board.attacks(us ^ 1) != 0
    }

    /// What a move takes, by its number, and whether it promotes, if it is easy to see that the
    /// game goes on after it.
    #[inline]
    fn goes_on(&self, m: Move) -> Option<(usize, bool)> {
        let Rules { repetition, plies, .. } = self.rules;
        let is_free = repetition == 0 && (plies == 0 || self.board.ply < plies);
        if is_free { self.board.goes_on(m, &self.rules) } else { None }
    }

    /// Plays a move, as a part of the search that plays it and takes it back.
    #[inline(always)]
    fn advance(&mut self, m: Move) {
        self.board.play(m, &self.rules);
        self.look_back();
    }

    /// After a move: what the length of the game and the past have to say. A win comes first.
    #[inline(always)]
    fn look_back(&mut self) {
        if self.rules.plies != 0 && self.board.ply > self.rules.plies && self.board.end.is_none() {
            self.board.end = Some(End::Length);
        }
        if self.rules.repetition != 0 {
            self.remember();
        }
    }

    /// Adds the position to the past; its so-manieth occurrence is a draw.
    #[inline]
    fn remember(&mut self) {
        let key = self.board.key;
        // The same position takes at least four plies to come back.
        let far = self.past.len().saturating_sub(3);
        let seen = self.past[..far].iter().filter(|&&k| k == key).count();
        self.past.push(key);
        if seen + 1 >= self.rules.repetition as usize && self.board.end.is_none() {
            self.board.end = Some(End::Repetition);
        }
    }
}

impl Default for Lion {
    fn default() -> Self {
        Lion::new(Rules::default())
    }
}

impl Clone for Lion {
    fn clone(&self) -> Self {
        Lion { board: self.board, rules: self.rules, past: self.past.clone() }
    }

    /// Keeps the memory of the stack: simulations start over without allocating.
    fn clone_from(&mut self, source: &Self) {
        self.board = source.board;
        self.rules = source.rules;
        self.past.clone_from(&source.past);
    }
}

impl Game for Lion {
    type Move = Move;

    fn turn(&self) -> Turn {
        Turn::Player((self.board.ply & 1) as u8)
    }

    fn seat_name(&self, seat: usize) -> String {
        text::name((seat & 1) as u8).to_string()
    }

    #[inline]
    fn moves(&self, out: &mut Vec<Move>) {
        self.board.moves(&self.rules, out);
    }

    #[inline]
    fn play(&mut self, m: Move) {
        debug_assert!(
            {
                let mut legal = Vec::new();
                self.moves(&mut legal);
                legal.contains(&m)
            },
            "{m} is not legal in {self}"
        );
        self.advance(m);
    }

    fn payoffs(&self) -> Payoffs {
        let mut payoffs = [0.0; MAX_PLAYERS];
        match self.end().and_then(End::winner) {
            Some(seat) => payoffs[seat] = 1.0,
            None => payoffs[..2].fill(0.5),
        }
        payoffs
    }

    #[inline]
    fn key(&self) -> u64 {
        self.board.key
    }

    #[inline]
    fn code(&self, m: Move) -> usize {
        m.code()
    }

    fn codes(&self) -> usize {
        Move::CODES
    }

    /// Reads `gle/1c1/1C1/ELG[] w - - 0 1`: ranks from the top, men in hand in brackets, side
    /// to move, plies since the last capture, drop or promotion, number of the move. Everything
    /// after the board may be left out. The past of the position is empty.
    fn parse(&self, text: &str) -> Result<Self, ParseError> {
        Ok(Self::with(text::parse(text, &self.rules)?, self.rules))
    }

    #[inline]
    fn is_over(&self) -> bool {
        self.board.is_over(&self.rules)
    }

    #[inline]
    fn count_moves(&self) -> usize {
        self.board.count_moves(&self.rules)
    }

    #[inline]
    fn random_move(&self, rng: &mut Rng, _scratch: &mut Vec<Move>) -> Option<Move> {
        self.board.random_move(&self.rules, rng)
    }

    fn playout(&mut self, limit: u32, rng: &mut Rng, _scratch: &mut Vec<Move>) -> u32 {
        let mut plies = 0;
        while plies < limit && self.board.play_random(&self.rules, rng) {
            self.look_back();
            plies += 1;
        }
        plies
    }

    fn winning_move(&self, _scratch: &mut Vec<Move>) -> Option<Move> {
        self.board.winning_move(&self.rules)
    }

    fn ended_by_history(&self) -> bool {
        matches!(self.board.end, Some(End::Repetition | End::Length))
    }

    fn without_history(&self) -> Self {
        let rules = self.rules.without_history();
        let mut board = self.board;
        board.end = board.judge(rules.arrival);
        Self::with(board, rules)
    }

    fn history(&self) -> History {
        let Rules { plies, repetition, .. } = self.rules;
        // Once more and the game is over: positions that have all but one of their occurrences.
        let full = |i: usize| {
            let before = self.past[..i].iter().filter(|&&k| k == self.past[i]).count();
            before + 2 == usize::from(repetition)
        };
        let key = (0..self.past.len()).filter(|&i| full(i)).fold(0, |key, i| key ^ self.past[i]);
        let left = |plies: u16| u32::from(plies.saturating_sub(self.board.ply)) + 1;
        History { key, plies: (plies != 0).then(|| left(plies)) }
    }

    #[inline]
    fn explore<R>(&mut self, m: Move, f: impl FnOnce(&mut Self) -> R) -> R {
        let board = self.board;
        let length = self.past.len();
        self.advance(m);
        let result = f(self);
        self.board = board;
        self.past.truncate(length);
        result
    }
}

impl TwoPlayer for Lion {}

impl Registered for Lion {
    const SCHEMA: &'static Schema = &Schema {
        name: "lion",
        aliases: &["dobutsu"],
        help: "Catch the Lion: take the enemy lion, or bring yours home",
        params: &[&[
            Param::choice("rules", "official", RULE_SETS, "the rule set"),
            Param::unset(
                "repetition",
                Kind::Int { min: 0, max: 100 },
                "occurrence of a position that draws, 0 for none; the rule set's unless given",
            ),
            Param::unset(
                "plies",
                Kind::Int { min: 0, max: 10_000 },
                "longer games are drawn, 0 for no limit; the rule set's unless given",
            ),
        ]],
        presets: &[],
    };
    const OPENINGS: &'static str = "random:2";
    const EVALS: &'static [NamedEval<Self>] = EVALS;

    fn start(args: &Args) -> Result<Self, SpecError> {
        let mut rules = Rules::named(args.choice("rules")).map_err(|e| args.misfit("rules", e))?;
        if let Some(times) = args.opt_int("repetition") {
            if times == 1 {
                return Err(args
                    .error("repetition", "every position occurs once")
                    .help("2 or more, or 0 for no rule"));
            }
            rules.repetition = times as u8;
        }
        if let Some(plies) = args.opt_int("plies") {
            rules.plies = plies as u16;
        }
        Ok(Lion::new(rules))
    }
}
