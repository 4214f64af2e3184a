//! A game in progress: who sits where, what was played, what can be taken back.

use super::HUMAN;
use crate::catalog;
use crate::failure::Failure;
use crate::live::Live;
use spielbaum_core::param::Args;
use spielbaum_core::{Clock, Forfeit, Limits, ParseError, Report, Rng, Stop};
use spielbaum_lab::{Acting, AnyGame, AnyTable};
use std::fmt;
use std::time::Duration;

/// The time for a move of a player without a budget.
const PATIENCE: Duration = Duration::from_secs(1);

/// A player that answers for a seat, or for a person in doubt.
#[derive(Clone)]
pub(super) struct Mind {
    pub(super) args: Args,
    /// Nothing in its text ends its search.
    open: bool,
}

impl Mind {
    /// Builds it once, so that all mistakes show before the game begins.
    pub(super) fn new(game: &dyn AnyGame, text: &str) -> Result<Self, Failure> {
        let args = catalog::player(game, text)?;
        let open = game.budget(&args, Limits::default())? != args.limits();
        let mind = Mind { args, open: false };
        Ok(Mind { open: open && mind.thinks(), ..mind })
    }

    /// A random player needs no time, and is no help to anybody.
    pub(super) fn thinks(&self) -> bool {
        self.args.schema().name != "random"
    }

    /// What the table gives: the budget of the command line, and a time where neither it nor
    /// the player says anything. People wait for answers, not for counts.
    pub(super) fn budget(&self, given: Limits) -> Limits {
        if self.open && given.is_empty() { Limits::time(PATIENCE) } else { given }
    }
}

/// Who sits in a seat.
#[derive(Clone)]
pub(super) enum Chair {
    Human,
    Computer(Mind),
}

impl Chair {
    pub(super) fn mind(&self) -> Option<&Mind> {
        match self {
            Chair::Human => None,
            Chair::Computer(mind) => Some(mind),
        }
    }
}

impl fmt::Display for Chair {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Chair::Human => f.write_str(HUMAN),
            Chair::Computer(mind) => mind.args.fmt(f),
        }
    }
}

/// A move and who made it; `None` is chance.
pub(super) struct Step {
    pub(super) mv: String,
    by: Option<usize>,
}

/// What comes next.
pub(super) enum Next {
    /// A person decides.
    Human(usize),
    Computer(usize),
    Chance,
    Over,
}

/// A game in progress.
pub(super) struct Sitting {
    pub(super) game: Args,
    pub(super) table: Box<dyn AnyTable>,
    pub(super) chairs: Vec<Chair>,
    pub(super) hint: Mind,
    /// What the command line gives every player.
    pub(super) limits: Limits,
    pub(super) seed: u64,
    /// Counts the games begun with `new`.
    pub(super) round: u64,
    /// The moves with which every game begins.
    pub(super) opening: Vec<String>,
    steps: Vec<Step>,
    undone: Vec<Step>,
    /// Who gave up or failed, and how.
    pub(super) forfeit: Option<(usize, Forfeit)>,
    /// The clock of each seat, if it has one.
    clocks: Vec<Option<Clock>>,
    hint_sits: bool,
}

impl Sitting {
    /// Goes on where the table stands.
    pub(super) fn new(
        game: Args,
        table: Box<dyn AnyTable>,
        chairs: Vec<Chair>,
        (hint, limits, seed, round): (Mind, Limits, u64, u64),
    ) -> Result<Self, Failure> {
        let opening = table.history();
        let mut sitting = Sitting {
            game,
            table,
            chairs,
            hint,
            limits,
            seed,
            round,
            opening,
            steps: Vec::new(),
            undone: Vec::new(),
            forfeit: None,
            clocks: Vec::new(),
            hint_sits: false,
        };
        sitting.begin()?;
        Ok(sitting)
    }

    /// Sets up the beginning, with fresh players.
    fn begin(&mut self) -> Result<(), Failure> {
        match self.table.origin() {
            Some(text) => self.table.set_position(&text).map_err(Failure::input)?,
            None => self.table.reset(),
        }
        (self.steps, self.undone, self.forfeit) = (Vec::new(), Vec::new(), None);
        for mv in self.opening.clone() {
            self.push(mv).map_err(Failure::input)?;
        }
        let players = Rng::split(self.seed, 2 * self.round + 1);
        self.table.seed(Rng::split(self.seed, 2 * self.round));
        self.clocks.clear();
        for (seat, chair) in self.chairs.iter().enumerate() {
            let limits = chair.mind().map(|mind| self.limits.or(mind.args.limits()));
            self.clocks.push(limits.and_then(|l| l.clock));
            if let Chair::Computer(mind) = chair {
                self.table.sit(seat, &mind.args, Rng::split(players, seat as u64))?;
            }
        }
        self.hint_sits = false;
        Ok(())
    }

    /// Another game from the same beginning, with other dice.
    pub(super) fn restart(&mut self) -> Result<(), Failure> {
        self.round += 1;
        self.begin()
    }

    pub(super) fn next(&self) -> Next {
        match self.table.acting() {
            _ if self.forfeit.is_some() => Next::Over,
            Acting::Over => Next::Over,
            Acting::Chance => Next::Chance,
            Acting::Seat(seat) => match self.chairs[seat] {
                Chair::Human => Next::Human(seat),
                Chair::Computer(_) => Next::Computer(seat),
            },
        }
    }

    /// The number of the decision that is due.
    pub(super) fn turn(&self) -> usize {
        1 + self.steps.iter().filter(|step| step.by.is_some()).count()
    }

    fn push(&mut self, mv: String) -> Result<(), ParseError> {
        let by = match self.table.acting() {
            Acting::Seat(seat) => Some(seat),
            Acting::Chance | Acting::Over => None,
        };
        self.table.play(&mv)?;
        self.steps.push(Step { mv, by });
        Ok(())
    }

    /// Plays a move; what was taken back is forgotten.
    pub(super) fn play(&mut self, mv: String) -> Result<(), ParseError> {
        self.push(mv)?;
        self.undone.clear();
        Ok(())
    }

    /// Plays an outcome of chance.
    pub(super) fn roll(&mut self) -> Option<String> {
        let mv = self.table.roll()?;
        self.steps.push(Step { mv: mv.clone(), by: None });
        self.undone.clear();
        Some(mv)
    }

    /// Takes back to the last decision of a person: what was taken back, first move first, or
    /// nothing.
    pub(super) fn undo(&mut self) -> Vec<&Step> {
        if self.forfeit.take().is_some() && matches!(self.next(), Next::Human(_)) {
            return Vec::new();
        }
        let own = |step: &Step| step.by.is_some_and(|seat| self.chairs[seat].mind().is_none());
        let Some(at) = self.steps.iter().rposition(own) else { return Vec::new() };
        let from = self.undone.len();
        for step in self.steps.split_off(at).into_iter().rev() {
            self.table.undo();
            self.undone.push(step);
        }
        self.undone[from..].iter().rev().collect()
    }

    /// Plays again what was taken back, to the next decision of a person.
    pub(super) fn redo(&mut self) -> Vec<&Step> {
        let from = self.steps.len();
        while let Some(step) = self.undone.pop() {
            if self.push(step.mv).is_err() {
                break;
            }
            if matches!(self.next(), Next::Human(_)) {
                break;
            }
        }
        self.steps[from..].iter().collect()
    }

    /// Lets the player of a seat think within what its clock shows.
    pub(super) fn think(
        &mut self,
        seat: usize,
        stop: &Stop,
        live: &mut Live,
    ) -> Result<Report<String>, Forfeit> {
        let given = self.chairs[seat].mind().map_or(self.limits, |m| m.budget(self.limits));
        let limits = Limits { clock: self.clocks[seat], ..Limits::default() }.or(given);
        let report = live.watch(|sink| self.table.think(seat, limits, &[], stop, sink))?;
        if let Some(clock) = &mut self.clocks[seat] {
            clock.remaining = clock.remaining.saturating_sub(report.elapsed) + clock.increment;
        }
        Ok(report)
    }

    /// Asks the player that gives hints; its memory as well.
    pub(super) fn advise(
        &mut self,
        stop: &Stop,
        live: &mut Live,
    ) -> Result<(Report<String>, usize), Failure> {
        let slot = self.chairs.len();
        if !self.hint_sits {
            self.table.sit(slot, &self.hint.args, self.seed)?;
            self.hint_sits = true;
        }
        let limits = self.hint.budget(self.limits);
        let report = live.watch(|sink| self.table.think(slot, limits, &[], stop, sink));
        let report =
            report.map_err(|e| Failure::Task(format!("player `{}` {e}", self.hint.args)))?;
        Ok((report, self.table.bytes(slot)))
    }

    /// The names of the seats, in their order.
    pub(super) fn names(&self) -> Vec<String> {
        (0..self.chairs.len()).map(|seat| self.table.seat_name(seat)).collect()
    }

    /// The seat of the only person at the table.
    pub(super) fn only_person(&self) -> Option<usize> {
        let mut people = (0..self.chairs.len()).filter(|&s| self.chairs[s].mind().is_none());
        people.next().filter(|_| people.next().is_none())
    }
}
