//! A table for commands that look at one position.

use crate::erased::{Acting, AnyTable, Live};
use crate::playable::Build;
use crate::{budget, table};
use spielbaum_core::param::Args;
use spielbaum_core::spec::SpecError;
use spielbaum_core::text::{parse_move, play_moves};
use spielbaum_core::{
    Forfeit, Game, Limits, ParseError, Player, Report, Rng, Stop, Task, Turn, perft,
};

/// One position with its history and its players.
pub(crate) struct Session<G: Game> {
    start: G,
    build: Build<G>,
    /// Text of the position where the history began, if that is not the start.
    origin: Option<String>,
    pos: G,
    /// Each move with the position before it, for `undo`.
    history: Vec<(G, G::Move)>,
    seed: u64,
    slots: Vec<Option<Slot<G>>>,
}

struct Slot<G: Game> {
    player: Box<dyn Player<G>>,
    limits: Limits,
    sees_all: bool,
    seed: u64,
}

impl<G: Game> Slot<G> {
    /// Brings the player to where it would be had it seen all of the history.
    fn catch_up(&mut self, history: &[(G, G::Move)]) {
        self.player.restart(self.seed);
        for (pos, m) in history {
            self.player.observe(pos, *m);
        }
    }
}

impl<G: Game> Session<G> {
    pub(crate) fn new(start: G, build: Build<G>) -> Self {
        let pos = start.clone();
        Session { start, build, origin: None, pos, history: Vec::new(), seed: 0, slots: Vec::new() }
    }

    fn begin(&mut self, origin: G, text: Option<String>) {
        self.pos = origin;
        self.origin = text;
        self.history.clear();
        self.catch_up();
    }

    fn catch_up(&mut self) {
        for slot in self.slots.iter_mut().flatten() {
            slot.catch_up(&self.history);
        }
    }

    fn push(&mut self, m: G::Move) {
        for slot in self.slots.iter_mut().flatten() {
            slot.player.observe(&self.pos, m);
        }
        let before = self.pos.clone();
        self.pos.play(m);
        self.history.push((before, m));
    }

    fn legal(&self) -> Vec<G::Move> {
        let mut moves = Vec::new();
        self.pos.moves(&mut moves);
        moves
    }
}

impl<G: Game> AnyTable for Session<G> {
    fn text(&self) -> String {
        self.pos.to_string()
    }

    fn diagram(&self) -> String {
        format!("{:#}", self.pos)
    }

    fn picture(&self) -> Option<String> {
        self.pos.picture()
    }

    fn seats(&self) -> usize {
        self.pos.players()
    }

    fn seat_name(&self, seat: usize) -> String {
        self.pos.seat_name(seat)
    }

    fn acting(&self) -> Acting {
        match self.pos.turn() {
            _ if self.pos.is_over() => Acting::Over,
            Turn::Player(seat) => Acting::Seat(seat as usize),
            Turn::Chance => Acting::Chance,
        }
    }

    fn moves(&self) -> Vec<String> {
        self.legal().iter().map(ToString::to_string).collect()
    }

    fn outcomes(&self) -> Vec<(String, u32)> {
        match self.acting() {
            Acting::Chance => {
                self.legal().iter().map(|&m| (m.to_string(), self.pos.weight(m))).collect()
            }
            _ => Vec::new(),
        }
    }

    fn payoffs(&self) -> Vec<f32> {
        self.pos.payoffs()[..self.seats()].to_vec()
    }

    fn scores(&self) -> Option<Vec<i32>> {
        self.pos.scores().map(|scores| scores[..self.seats()].to_vec())
    }

    fn key(&self) -> u64 {
        self.pos.key()
    }

    fn reset(&mut self) {
        self.begin(self.start.clone(), None);
    }

    fn set_position(&mut self, text: &str) -> Result<(), ParseError> {
        let origin = self.start.parse(text)?;
        self.begin(origin, Some(text.to_string()));
        Ok(())
    }

    fn play(&mut self, text: &str) -> Result<(), ParseError> {
        let m = parse_move(&self.pos, text)?;
        self.push(m);
        Ok(())
    }

    fn play_moves(&mut self, text: &str) -> Result<usize, ParseError> {
        let moves = play_moves(&mut self.pos.clone(), text)?;
        for &m in &moves {
            self.push(m);
        }
        Ok(moves.len())
    }

    fn undo(&mut self) -> Option<String> {
        let (before, m) = self.history.pop()?;
        self.pos = before;
        self.catch_up();
        Some(m.to_string())
    }

    fn history(&self) -> Vec<String> {
        self.history.iter().map(|(_, m)| m.to_string()).collect()
    }

    fn origin(&self) -> Option<String> {
        self.origin.clone()
    }

    fn seed(&mut self, seed: u64) {
        self.seed = seed;
    }

    fn roll(&mut self) -> Option<String> {
        if self.acting() != Acting::Chance {
            return None;
        }
        let rolls = self.history.iter().filter(|(pos, _)| pos.turn() == Turn::Chance).count();
        let m = table::chance(&self.pos, self.seed, rolls as u64, &mut Vec::new())?;
        self.push(m);
        Some(m.to_string())
    }

    fn sit(&mut self, slot: usize, args: &Args, seed: u64) -> Result<(), SpecError> {
        let (mut player, limits) = ((self.build)(args)?, args.limits());
        player.fits(&self.pos).map_err(|problem| args.name_error(problem))?;
        let mut seated = Slot { player, limits, sees_all: args.sees_all(), seed };
        seated.catch_up(&self.history);
        if self.slots.len() <= slot {
            self.slots.resize_with(slot + 1, || None);
        }
        self.slots[slot] = Some(seated);
        Ok(())
    }

    fn think(
        &mut self,
        slot: usize,
        limits: Limits,
        only: &[String],
        stop: &Stop,
        live: Option<Live<'_>>,
    ) -> Result<Report<String>, Forfeit> {
        let Acting::Seat(seat) = self.acting() else {
            return Err(Forfeit::Illegal("no player is to move here".to_string()));
        };
        let Some(Some(slot)) = self.slots.get_mut(slot) else {
            return Err(Forfeit::Crashed(format!("nobody sits in slot {slot}")));
        };
        let mut choice = Vec::new();
        for text in only {
            let m = parse_move(&self.pos, text).map_err(|e| Forfeit::Illegal(e.to_string()))?;
            choice.push(m);
        }
        let limits = budget::complete(slot.player.as_ref(), slot.limits, limits);
        let mut task = Task::stoppable(limits, stop.clone()).only(&choice);
        let named = |report: &Report<G::Move>| report.map(ToString::to_string);
        let mut sink;
        if let Some(live) = live {
            sink = move |report: &Report<G::Move>| live(&named(report));
            task = task.live(&mut sink);
        }
        let ply = self.history.len() as u64;
        let seen = table::seen(&self.pos, seat, slot.sees_all, slot.seed, ply);
        slot.player.think(&seen, &mut task).map(|report| named(&report))
    }

    fn bytes(&self, slot: usize) -> usize {
        self.slots.get(slot).and_then(Option::as_ref).map_or(0, |slot| slot.player.bytes())
    }

    fn perft(&self, depth: u32) -> u64 {
        perft::perft(&self.pos, depth)
    }

    fn divide(&self, depth: u32) -> Vec<(String, u64)> {
        let parts = perft::divide(&self.pos, depth);
        parts.into_iter().map(|(m, nodes)| (m.to_string(), nodes)).collect()
    }

    fn playouts(&self, games: u64, seed: u64) -> u64 {
        let mut scratch = Vec::new();
        (0..games)
            .map(|i| {
                let mut rng = Rng::new(Rng::split(seed, i));
                u64::from(self.pos.clone().playout(u32::MAX, &mut rng, &mut scratch))
            })
            .sum()
    }
}
