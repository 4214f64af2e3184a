//! Xiangqi, Chinese chess: nine files, ten ranks, a river and two palaces.
//!
//! ```
//! use spielbaum_core::{perft, text, Game};
//! use spielbaum_games::xiangqi::{Rules, Xiangqi};
//! let start = Xiangqi::new(Rules::OFFICIAL);
//! assert_eq!(perft::perft(&start, 3), 79_666);
//! let mut pos = start.clone();
//! text::play_moves(&mut pos, "h3e3 h10g8 h1g3").unwrap();
//! assert!(pos.to_string().starts_with("rnbakab1r/9/1c4nc1/"));
//! ```

mod board;
mod danger;
mod eval;
mod exchange;
mod generate;
mod guards;
mod moves;
mod placed;
mod repetition;
mod rules;
mod sample;
mod tables;
mod terms;
mod text;
mod weights;
mod wins;
mod wxf;

pub use eval::{EVALS, Paper, WinLoss};
pub use moves::Move;
pub use placed::Placed;
pub use rules::{End, Preset, Rules};

use board::Board;
use guards::Guards;
use moves::{EMPTY, GENERAL};
use repetition::Past;
use rules::RULE_SETS;
use spielbaum_core::param::{Args, Kind, Param, Schema};
use spielbaum_core::spec::SpecError;
use spielbaum_core::{
    Game, History, MAX_PLAYERS, NamedEval, ParseError, Payoffs, Registered, Rng, Turn, TwoPlayer,
};

/// A position of xiangqi with its rules. Red, in seat 0, has upper-case letters, begins, and moves
/// up the board.
///
/// The board copies without allocating. The keys of the positions before are a stack beside it,
/// empty and never touched unless the rules know repetition.
pub struct Xiangqi {
    board: Board,
    rules: Rules,
    /// All positions since the start, this one last.
    past: Vec<Past>,
}

impl Xiangqi {
    /// The start position under a rule set.
    pub fn new(rules: Rules) -> Self {
        match text::parse(text::START, &rules) {
            Ok(board) => Self::with(board, rules),
            Err(e) => unreachable!("the start position is well written: {e}"),
        }
    }

    fn with(board: Board, rules: Rules) -> Self {
        let first = Past { key: board.key, by: Move::default(), seen: 1 };
        let past = if rules.repetition == 0 { Vec::new() } else { vec![first] };
        let mut pos = Xiangqi { board, rules, past };
        pos.look_at_lengths();
        pos
    }

    /// The rules.
    pub fn rules(&self) -> &Rules {
        &self.rules
    }

    /// How the game ended, or `None` while it goes on.
    pub fn end(&self) -> Option<End> {
        if self.board.end.is_some() || !self.is_over() {
            return self.board.end;
        }
        let winner = self.board.seat() as u8 ^ 1;
        let mate = self.rules.legal && self.is_check();
        Some(if mate { End::Checkmate(winner) } else { End::Stalemate(winner) })
    }

    /// Whether the general of the player to move is attacked; a general that is gone is not.
    pub fn is_check(&self) -> bool {
        let us = self.board.seat();
        self.board.of(us, GENERAL) != 0 && self.board.in_check(us)
    }

    /// Whether a move captures something.
    pub fn is_capture(&self, m: Move) -> bool {
        self.board.piece(m.to()) != usize::from(EMPTY)
    }

    /// After a move: what the length of the game and the past have to say. A win comes first.
    #[inline(always)]
    fn look_back(&mut self, m: Move) {
        self.look_at_lengths();
        if self.rules.repetition != 0 {
            self.remember(m);
        }
    }

    #[inline(always)]
    fn look_at_lengths(&mut self) {
        let Rules { plies, quiet, .. } = self.rules;
        if quiet != 0 && self.board.clock >= quiet {
            self.draw(End::NoCapture);
        }
        if plies != 0 && self.board.ply >= plies {
            self.draw(End::Length);
        }
    }

    /// Ends the game as a draw unless it is over already, also by mate.
    #[inline(never)]
    fn draw(&mut self, end: End) {
        if self.board.end.is_none() && !self.is_over() {
            self.board.end = Some(end);
        }
    }

    /// Adds the position to the past, and judges its so-manieth occurrence.
    #[inline]
    fn remember(&mut self, m: Move) {
        let key = self.board.key;
        let now = self.past.len();
        // Nothing comes back over a capture or a soldier's advance, and never in two plies.
        let back = usize::from(self.board.reversible).min(now);
        let before = (4..=back).step_by(2).find(|away| self.past[now - away].key == key);
        let seen = before.map_or(0, |away| self.past[now - away].seen).saturating_add(1);
        self.past.push(Past { key, by: m, seen });
        if seen == self.rules.repetition && self.board.end.is_none() {
            let first = |p: &Past| p.key == key && p.seen == 1;
            let cycle = self.past[now - back..].iter().position(first).unwrap_or(0);
            let cycle = &self.past[now - back + cycle + 1..];
            self.board.end = Some(repetition::judge(&self.board, cycle));
        }
    }

    /// Keys of the positions whose next occurrence ends the game.
    fn last_warnings(&self) -> impl Iterator<Item = u64> + '_ {
        let window = (usize::from(self.board.reversible) + 1).min(self.past.len());
        let recent = &self.past[self.past.len() - window..];
        recent.iter().filter(|p| p.seen + 1 == self.rules.repetition).map(|p| p.key)
    }
}

impl Default for Xiangqi {
    fn default() -> Self {
        Xiangqi::new(Rules::default())
    }
}

impl Clone for Xiangqi {
    fn clone(&self) -> Self {
        Xiangqi { board: self.board, rules: self.rules, past: self.past.clone() }
    }

    /// Keeps the memory of the stack: simulations start over without allocating.
    fn clone_from(&mut self, source: &Self) {
        self.board = source.board;
        self.rules = source.rules;
        self.past.clone_from(&source.past);
    }
}

impl Game for Xiangqi {
    type Move = Move;

    fn turn(&self) -> Turn {
        Turn::Player(self.board.seat() as u8)
    }

    fn seat_name(&self, seat: usize) -> String {
        text::name(seat).to_string()
    }

    #[inline]
    fn moves(&self, out: &mut Vec<Move>) {
        if self.board.end.is_some() {
            return;
        }
        if self.rules.legal {
            self.board.legal_moves(out);
        } else {
            self.board.pseudo_moves(out);
        }
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
        self.board.play::<true>(m);
        self.look_back(m);
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

    /// The code of the move with two bits above it: whether it captures, and whether the
    /// opponent attacks the square it goes to, looked at before the move as if the piece that
    /// moves were not there (the xiangqi paper's features).
    fn pattern(&self, m: Move) -> u64 {
        let capture = u64::from(self.is_capture(m));
        let attacked = u64::from(self.board.is_guarded(m));
        m.code() as u64 * 4 + 2 * attacked + capture
    }

    #[inline]
    fn each_pattern(&self, moves: &[Move], mut f: impl FnMut(u64)) {
        let guards = Guards::of(&self.board);
        let (mut from, mut guarded) = (moves::OUTSIDE, 0);
        for &m in moves {
            if m.from() != from {
                from = m.from();
                guarded = guards.without(from);
            }
            let attacked = (guarded >> m.to() & 1) as u64;
            f(m.code() as u64 * 4 + 2 * attacked + u64::from(self.is_capture(m)));
        }
    }

    fn patterns(&self) -> usize {
        4 * Move::CODES
    }

    /// Reads `rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 0 1`: ranks from the
    /// top, side to move, plies since the last capture, number of the move. Everything after the
    /// board may be left out. The past of the position is empty.
    fn parse(&self, text: &str) -> Result<Self, ParseError> {
        Ok(Self::with(text::parse(text, &self.rules)?, self.rules))
    }

    #[inline]
    fn is_over(&self) -> bool {
        if self.board.end.is_some() {
            true
        } else if self.rules.legal {
            !self.board.has_legal_move()
        } else {
            self.board.count_pseudo() == 0
        }
    }

    #[inline]
    fn count_moves(&self) -> usize {
        if self.board.end.is_some() {
            0
        } else if self.rules.legal {
            self.board.count_legal()
        } else {
            self.board.count_pseudo()
        }
    }

    #[inline]
    fn random_move(&self, rng: &mut Rng, scratch: &mut Vec<Move>) -> Option<Move> {
        if self.board.end.is_some() {
            None
        } else if self.rules.legal {
            self.board.random::<true>(rng, scratch)
        } else {
            self.board.random::<false>(rng, scratch)
        }
    }

    fn playout(&mut self, limit: u32, rng: &mut Rng, scratch: &mut Vec<Move>) -> u32 {
        let mut plies = 0;
        if self.rules.repetition != 0 {
            while plies < limit {
                let Some(m) = self.random_move(rng, scratch) else { break };
                self.board.play::<true>(m);
                self.look_back(m);
                plies += 1;
            }
            return plies;
        }
        // Nobody asks for keys on the way.
        while plies < limit {
            let Some(m) = self.random_move(rng, scratch) else { break };
            self.board.play::<false>(m);
            self.look_at_lengths();
            plies += 1;
        }
        self.board.recount();
        plies
    }

    fn winning_move(&self, scratch: &mut Vec<Move>) -> Option<Move> {
        if self.board.end.is_some() { None } else { self.find_win(scratch) }
    }

    fn ended_by_history(&self) -> bool {
        !matches!(self.board.end, None | Some(End::Capture(_)))
    }

    fn without_history(&self) -> Self {
        let mut board = self.board;
        if self.ended_by_history() {
            board.end = None;
        }
        Self::with(board, self.rules.without_history())
    }

    fn history(&self) -> History {
        let Rules { plies, quiet, .. } = self.rules;
        let key = self.last_warnings().fold(0, |k, w| k ^ w);
        let left =
            |limit: u16, now: u16| (limit != 0).then(|| u32::from(limit.saturating_sub(now)));
        let ends = [left(plies, self.board.ply), left(quiet, self.board.clock)];
        History { key, plies: ends.into_iter().flatten().min() }
    }

    #[inline]
    fn explore<R>(&mut self, m: Move, f: impl FnOnce(&mut Self) -> R) -> R {
        let length = self.past.len();
        let undo = self.board.play::<true>(m);
        self.look_back(m);
        let result = f(self);
        self.board.undo(m, &undo);
        self.past.truncate(length);
        result
    }

    /// Not in check, where passing would leave the general to be captured.
    #[inline]
    fn explore_pass<R>(&mut self, f: impl FnOnce(&mut Self) -> R) -> Option<R> {
        if self.board.end.is_some() || self.is_check() {
            return None;
        }
        let length = self.past.len();
        let undo = self.board.pass();
        self.look_at_lengths();
        if self.rules.repetition != 0 {
            self.past.push(Past { key: self.board.key, by: Move::default(), seen: 1 });
        }
        let result = f(self);
        self.board.take_back_pass(&undo);
        self.past.truncate(length);
        Some(result)
    }
}

impl TwoPlayer for Xiangqi {}

impl Registered for Xiangqi {
    const SCHEMA: &'static Schema = &Schema {
        name: "xiangqi",
        aliases: &["chinese-chess"],
        help: "Xiangqi (Chinese chess): mate the general across the river",
        params: &[&[
            Param::choice("rules", "official", RULE_SETS, "the rule set"),
            Param::unset(
                "repetition",
                Kind::Int { min: 0, max: 100 },
                "occurrence of a position that is judged, 0 for none; the rule set's unless given",
            ),
            Param::unset(
                "quiet",
                Kind::Int { min: 0, max: 10_000 },
                "a draw after so many plies without a capture, 0 for never; the rule set's unless given",
            ),
            Param::unset(
                "plies",
                Kind::Int { min: 0, max: 10_000 },
                "a draw after so many plies, 0 for no limit; the rule set's unless given",
            ),
        ]],
        presets: &[],
    };
    const OPENINGS: &'static str = "random:4";
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
        if let Some(plies) = args.opt_int("quiet") {
            rules.quiet = plies as u16;
        }
        if let Some(plies) = args.opt_int("plies") {
            rules.plies = plies as u16;
        }
        Ok(Xiangqi::new(rules))
    }
}
