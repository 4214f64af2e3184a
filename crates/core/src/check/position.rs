//! Properties of single positions.

use super::{Failure, ensure};
use crate::{Game, MAX_PLAYERS, Rng, Turn, text};
use std::collections::{HashMap, HashSet};
use std::fmt::Display;

/// Moves of a position that are played and taken back, and hidden views taken, at each look.
const EXPLORED: usize = 6;

/// Examines positions one by one and remembers keys across them.
pub(super) struct Examiner<'a, G: Game> {
    start: &'a G,
    players: usize,
    codes: usize,
    patterns: usize,
    has_scores: bool,
    /// Text → key, and key → what must follow from it.
    keys: HashMap<String, u64>,
    known: HashMap<u64, (Turn, Vec<String>)>,
}

impl<'a, G: Game> Examiner<'a, G> {
    pub(super) fn new(start: &'a G) -> Result<Self, Failure> {
        let players = start.players();
        ensure!((1..=MAX_PLAYERS).contains(&players), start, "{players} players");
        Ok(Examiner {
            start,
            players,
            codes: start.codes(),
            patterns: start.patterns(),
            has_scores: start.scores().is_some(),
            keys: HashMap::new(),
            known: HashMap::new(),
        })
    }

    /// Everything that can be asked of one position; `moves` are its legal moves.
    pub(super) fn examine(
        &mut self,
        pos: &G,
        moves: &[G::Move],
        rng: &mut Rng,
    ) -> Result<(), Failure> {
        self.sound(pos, moves)?;
        self.margins(pos, moves)?;
        self.round_trip(pos, moves)?;
        self.key(pos, moves)?;
        for _ in 0..EXPLORED.min(moves.len()) {
            let m = moves[rng.below(moves.len())];
            let found = text::parse_move(pos, &m.to_string());
            if found.as_ref() != Ok(&m) {
                let problem = format!("the notation of the move reads back as {found:?}");
                return Err(Failure::new(pos, problem).mv(m));
            }
            self.explore(pos, m, rng)?;
            let drawn = pos.random_move(rng, &mut Vec::new());
            ensure!(
                drawn.is_some_and(|d| moves.contains(&d)),
                pos,
                "`random_move` gives {drawn:?}, which is not legal"
            );
        }
        self.hide(pos, moves, rng)
    }

    /// Turn, moves, codes, odds, payoffs and points, without looking at the text.
    pub(super) fn sound(&self, pos: &G, moves: &[G::Move]) -> Result<(), Failure> {
        let mut twice = moves.to_vec();
        pos.moves(&mut twice);
        ensure!(
            twice.len() == 2 * moves.len() && twice[..moves.len()] == *moves,
            pos,
            "`moves` does not append to what is in the list"
        );
        ensure!(twice[moves.len()..] == *moves, pos, "`moves` lists in another order each time");
        ensure!(
            pos.count_moves() == moves.len(),
            pos,
            "count_moves is {}, but there are {} moves",
            pos.count_moves(),
            moves.len()
        );
        for seat in 0..self.players {
            let (told, names) = (pos.statistics_of(seat).len(), G::STATISTICS.len());
            ensure!(told == names, pos, "{told} statistics of seat {seat}, but {names} names");
        }
        ensure!(
            pos.is_over() == moves.is_empty(),
            pos,
            "is_over is {} with {} moves",
            pos.is_over(),
            moves.len()
        );
        ensure!(pos.players() == self.players, pos, "the number of players changes");
        ensure!(pos.codes() <= self.codes, pos, "more codes than at the start");
        ensure!(pos.patterns() <= self.patterns, pos, "more patterns than at the start");
        let mut patterns = Vec::new();
        pos.each_pattern(moves, |p| patterns.push(p));
        let alone: Vec<u64> = moves.iter().map(|&m| pos.pattern(m)).collect();
        ensure!(patterns == alone, pos, "each_pattern differs from pattern, move by move");
        let (mut texts, mut codes) = (HashSet::new(), HashSet::new());
        let mut odds = 0u64;
        for &m in moves {
            let fail = |problem: String| Err(Failure::new(pos, problem).mv(m));
            let name = m.to_string();
            if name.is_empty() || name.contains([' ', ',', '\t', '\n', '\r']) {
                return fail(format!("the notation `{name}` is not one word"));
            }
            if !texts.insert(name) {
                return fail("two moves share this notation".into());
            }
            let code = pos.code(m);
            if code >= pos.codes() {
                return fail(format!("code {code} is not below codes() = {}", pos.codes()));
            }
            if !codes.insert(code) {
                return fail(format!("another move has the code {code}, too"));
            }
            let (pattern, patterns) = (pos.pattern(m), pos.patterns());
            if pattern >= patterns as u64 {
                return fail(format!("pattern {pattern} is not below patterns() = {patterns}"));
            }
            if pos.turn() == Turn::Chance {
                if pos.weight(m) == 0 {
                    return fail("the odds of this outcome are zero".into());
                }
                odds += u64::from(pos.weight(m));
            }
        }
        ensure!(odds < 1 << 32, pos, "the odds add up to {odds}, more than 2^32");
        if let (Turn::Player(seat), false) = (pos.turn(), moves.is_empty()) {
            ensure!((seat as usize) < self.players, pos, "seat {seat} of {} moves", self.players);
        }
        let payoffs = pos.payoffs();
        ensure!(payoffs.iter().all(|p| p.is_finite()), pos, "payoffs {payoffs:?}");
        let idle = payoffs[self.players..].iter().all(|&p| p == 0.0);
        ensure!(idle, pos, "unused seats get something: {payoffs:?}");
        let scores = pos.scores();
        ensure!(scores.is_some() == self.has_scores, pos, "points come and go");
        let idle = scores.is_none_or(|s| s[self.players..].iter().all(|&p| p == 0));
        ensure!(idle, pos, "unused seats have points: {scores:?}");
        ensure!(!format!("{pos:#}").trim().is_empty(), pos, "the diagram is empty");
        Ok(())
    }

    /// Bounds of the margin agree with those after the moves: the player to move gets the best of them.
    fn margins(&self, pos: &G, moves: &[G::Move]) -> Result<(), Failure> {
        let mut after = Vec::new();
        let is_told = pos.margins_after(moves, &mut after);
        let expected = if is_told { moves.len() } else { 0 };
        let told = after.len();
        ensure!(told == expected, pos, "margins_after is {is_told} and tells {told} margins");
        for (&m, &(low, high)) in moves.iter().zip(&after) {
            if low > high {
                return Err(Failure::new(pos, format!("margins from {low} to {high}")).mv(m));
            }
        }
        let Some((low, high)) = pos.margin_bounds() else { return Ok(()) };
        ensure!(low <= high && self.players == 2, pos, "the margin is from {low} to {high}");
        let (lows, highs) = (after.iter().map(|b| b.0), after.iter().map(|b| b.1));
        let best = match pos.turn() {
            Turn::Player(0) => lows.max().zip(highs.max()),
            Turn::Player(_) => lows.min().zip(highs.min()),
            Turn::Chance => None,
        };
        if let Some((least, most)) = best {
            ensure!(
                least <= high && low <= most,
                pos,
                "the margin is from {low} to {high}, after the best move from {least} to {most}"
            );
        }
        Ok(())
    }

    /// The text reads back as the same position, with a key computed from scratch.
    pub(super) fn round_trip(&self, pos: &G, moves: &[G::Move]) -> Result<(), Failure> {
        let line = pos.to_string();
        ensure!(
            !line.trim().is_empty() && !line.contains(['\n', '\r']),
            pos,
            "the text of the position is not one line"
        );
        let again = match self.start.parse(&line) {
            Ok(again) => again,
            Err(e) => return Err(Failure::new(pos, format!("its text is an error: {e}"))),
        };
        let mut listed = Vec::new();
        again.moves(&mut listed);
        // How often a position occurred is not in its text: where that ended the game, the
        // position that is read may go on.
        let past = moves.is_empty() && pos.ended_by_history() && !listed.is_empty();
        same(pos, "text", &again.to_string(), &line)?;
        same(pos, "key", &format!("{:016x}", again.key()), &format!("{:016x}", pos.key()))?;
        ensure!(
            past || listed == moves,
            pos,
            "other moves after reading the text back: {listed:?}"
        );
        if !moves.is_empty() {
            same(pos, "turn", &format!("{:?}", again.turn()), &format!("{:?}", pos.turn()))?;
        }
        if !past {
            let payoffs = |pos: &G| format!("{:?}", pos.payoffs());
            same(pos, "payoffs", &payoffs(&again), &payoffs(pos))?;
        }
        same(pos, "points", &format!("{:?}", again.scores()), &format!("{:?}", pos.scores()))?;
        let codes = |pos: &G, m| (pos.code(m), pos.pattern(m));
        let alike = moves.iter().all(|&m| codes(&again, m) == codes(pos, m));
        ensure!(alike, pos, "other codes or patterns after reading the text back");
        Ok(())
    }

    /// Equal texts have equal keys; equal keys have the same turn and the same moves.
    fn key(&mut self, pos: &G, moves: &[G::Move]) -> Result<(), Failure> {
        let key = pos.key();
        let known = *self.keys.entry(pos.to_string()).or_insert(key);
        ensure!(known == key, pos, "two keys for one text: {known:016x}, {key:016x}");
        if moves.is_empty() {
            return Ok(()); // an end by repetition or move limit is history and not in the key
        }
        let mut names: Vec<String> = moves.iter().map(ToString::to_string).collect();
        names.sort();
        let here = (pos.turn(), names);
        let known = self.known.entry(key).or_insert_with(|| here.clone());
        ensure!(
            *known == here,
            pos,
            "another position with this key has other moves or another turn: {known:?}"
        );
        Ok(())
    }

    /// `explore` shows what `play` does, also two deep, and restores the position.
    fn explore(&self, pos: &G, m: G::Move, rng: &mut Rng) -> Result<(), Failure> {
        let mut next = pos.clone();
        next.play(m);
        let mut replies = Vec::new();
        next.moves(&mut replies);
        let reply = (!replies.is_empty()).then(|| replies[rng.below(replies.len())]);
        let after = reply.map(|r| {
            let mut after = next.clone();
            after.play(r);
            after
        });
        let mut board = pos.clone();
        let (inside, deeper, back) = board.explore(m, |p| {
            let inside = view(p);
            let deeper = reply.map(|r| p.explore(r, |q| view(q)));
            (inside, deeper, view(p))
        });
        let fail = |problem: &str, a: &View, b: &View| {
            Err(Failure::new(pos, format!("{problem}: {a:?} instead of {b:?}")).mv(m))
        };
        if inside != view(&next) {
            return fail("`explore` shows another position than `play`", &inside, &view(&next));
        }
        if let (Some(deeper), Some(after)) = (deeper, after)
            && deeper != view(&after)
        {
            return fail("a nested `explore` differs from `play`", &deeper, &view(&after));
        }
        if back != inside {
            return fail("a nested `explore` does not restore the position", &back, &inside);
        }
        if view(&board) != view(pos) {
            return fail("`explore` does not restore the position", &view(&board), &view(pos));
        }
        let other = board.explore_pass(|p| (p.turn() != pos.turn(), p.key() != pos.key()));
        if other.is_some_and(|other| other != (true, true)) {
            return fail("`explore_pass` does not pass the turn", &view(&board), &view(pos));
        }
        if view(&board) != view(pos) {
            return fail("`explore_pass` does not restore the position", &view(&board), &view(pos));
        }
        Ok(())
    }

    /// What a seat may see stays as it is; the same seed hides the same way.
    fn hide(&self, pos: &G, moves: &[G::Move], rng: &mut Rng) -> Result<(), Failure> {
        let seed = rng.next();
        for seat in 0..self.players {
            let hidden = pos.hide(seat, &mut Rng::new(seed));
            let again = pos.hide(seat, &mut Rng::new(seed));
            ensure!(view(&hidden) == view(&again), pos, "`hide` is not decided by its seed");
            let mut visible = Vec::new();
            hidden.moves(&mut visible);
            self.sound(&hidden, &visible)?;
            self.round_trip(&hidden, &visible)?;
            ensure!(hidden.scores() == pos.scores(), pos, "`hide` changes the points on the table");
            ensure!(visible.is_empty() == moves.is_empty(), pos, "`hide` changes the end");
            if !moves.is_empty() {
                ensure!(hidden.turn() == pos.turn(), pos, "`hide` changes the turn");
            }
            if !moves.is_empty() && pos.turn() == Turn::Player(seat as u8) {
                ensure!(visible == moves, pos, "`hide` changes the moves of seat {seat}");
            }
        }
        Ok(())
    }
}

/// What tells positions apart from outside.
type View = (String, String, Option<Turn>, Vec<String>);

fn view<G: Game>(pos: &G) -> View {
    let mut moves = Vec::new();
    pos.moves(&mut moves);
    let turn = (!moves.is_empty()).then(|| pos.turn());
    let names = moves.iter().map(ToString::to_string).collect();
    (pos.to_string(), format!("{:016x} {:?}", pos.key(), pos.payoffs()), turn, names)
}

fn same<G: Game>(
    pos: &G,
    what: &str,
    found: &(impl PartialEq + Display),
    expected: &(impl PartialEq + Display),
) -> Result<(), Failure> {
    let (found, expected) = (found.to_string(), expected.to_string());
    ensure!(
        found == expected,
        pos,
        "another {what} after reading the text back: `{found}` instead of `{expected}`"
    );
    Ok(())
}
