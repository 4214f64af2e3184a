//! What was decided in a simulation, for whoever learns from it: flat, and written while the
//! moves are at hand, so that nothing is generated twice.

use spielbaum_core::{Game, Turn};

/// What a move is known by.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Coding {
    /// Its [code](Game::code).
    #[default]
    Code,
    /// Its [pattern](Game::pattern): the code with what the game says of its surroundings.
    Pattern,
}

impl Coding {
    /// The number of a move.
    #[inline]
    pub fn of<G: Game>(self, pos: &G, m: G::Move) -> usize {
        match self {
            Coding::Code => pos.code(m),
            Coding::Pattern => pos.pattern(m) as usize,
        }
    }

    /// How many numbers there are.
    pub fn count<G: Game>(self, pos: &G) -> usize {
        match self {
            Coding::Code => pos.codes(),
            Coding::Pattern => pos.patterns(),
        }
    }
}

/// Sees the decisions of players on the way through a tree.
pub trait Witness<G: Game> {
    /// Whether it looks at all.
    const LOOKS: bool;

    /// A simulation begins.
    fn begins(&mut self);

    /// The moves of a node that is opened, which it may put into another order: they are first
    /// tried in this one where the tree does not draw.
    #[inline(always)]
    fn lists(&mut self, _pos: &G, _moves: &mut [G::Move]) {}

    /// In `pos` the player to move has chosen one of the legal moves.
    fn sees(&mut self, pos: &G, legal: &[G::Move], chosen: usize);
}

/// Nobody learns: what a search without learning playouts pays for it is nothing.
pub struct Unseen;

impl<G: Game> Witness<G> for Unseen {
    const LOOKS: bool = false;

    #[inline(always)]
    fn begins(&mut self) {}

    #[inline(always)]
    fn sees(&mut self, _pos: &G, _legal: &[G::Move], _chosen: usize) {}
}

/// One decision of a player.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Decision {
    /// Who chose.
    pub seat: u8,
    /// The cell of the chosen move.
    pub chosen: u32,
    /// Where the cells of the legal moves begin and end in the trace.
    pub first: u32,
    #[allow(missing_docs)]
    pub end: u32,
}

/// The decisions of a simulation. A move is written as its *cell*, its place in a table with a
/// row for each seat: `seat * width + code`.
#[derive(Clone, Debug, Default)]
pub struct Trace {
    coding: Coding,
    /// Whether the alternatives are written, too.
    whole: bool,
    width: usize,
    decisions: Vec<Decision>,
    /// The sum of the odds at each decision, or NaN where nobody has told it.
    totals: Vec<f64>,
    cells: Vec<u32>,
}

impl Trace {
    /// An empty trace; `whole` if the legal alternatives belong to it.
    pub fn new(coding: Coding, whole: bool) -> Self {
        Trace { coding, whole, ..Trace::default() }
    }

    /// Sets the width of a row.
    pub fn set_width(&mut self, width: usize) {
        self.width = width;
        self.clear();
    }

    /// Forgets all decisions.
    pub fn clear(&mut self) {
        self.decisions.clear();
        self.totals.clear();
        self.cells.clear();
    }

    /// The decisions in order.
    pub fn decisions(&self) -> &[Decision] {
        &self.decisions
    }

    /// The decisions with the sums of their odds, NaN where they are not known.
    pub fn weighed(&self) -> impl Iterator<Item = (&Decision, f64)> {
        self.decisions.iter().zip(self.totals.iter().copied())
    }

    /// The cells of the moves that were legal at a decision, if they are written.
    #[inline]
    pub fn legal(&self, decision: &Decision) -> &[u32] {
        &self.cells[decision.first as usize..decision.end as usize]
    }

    /// Writes the cells of the moves of a decision that is yet to be made; [`decide`](Trace::decide)
    /// completes it.
    #[inline]
    pub fn offer<G: Game>(&mut self, pos: &G, seat: u8, legal: &[G::Move]) -> &[u32] {
        let first = self.cells.len();
        let row = seat as usize * self.width;
        // The coding is asked once for all moves.
        match self.coding {
            Coding::Code => self.cells.extend(legal.iter().map(|&m| (row + pos.code(m)) as u32)),
            Coding::Pattern => {
                let cells = &mut self.cells;
                cells.reserve(legal.len());
                pos.each_pattern(legal, |p| cells.push((row + p as usize) as u32));
            }
        }
        &self.cells[first..]
    }

    /// Completes the decision whose `count` moves were offered last.
    #[inline]
    pub fn decide(&mut self, seat: u8, count: usize, index: usize) {
        let first = self.cells.len() - count;
        let chosen = self.cells[first + index];
        if !self.whole {
            self.cells.truncate(first);
        }
        let (first, end) = (first as u32, self.cells.len() as u32);
        self.decisions.push(Decision { seat, chosen, first, end });
        self.totals.push(f64::NAN);
    }

    /// As [`decide`](Trace::decide), with the sum of the odds by which the move was drawn. Only
    /// for who learns from the trace before the odds change.
    #[inline]
    pub fn decide_by(&mut self, total: f64, seat: u8, count: usize, index: usize) {
        self.decide(seat, count, index);
        if let Some(last) = self.totals.last_mut() {
            *last = total;
        }
    }

    /// Memory in use.
    pub fn bytes(&self) -> usize {
        size_of_val(&self.decisions[..])
            + size_of_val(&self.totals[..])
            + size_of_val(&self.cells[..])
    }
}

impl<G: Game> Witness<G> for Trace {
    const LOOKS: bool = true;

    fn begins(&mut self) {
        self.clear();
    }

    fn sees(&mut self, pos: &G, legal: &[G::Move], chosen: usize) {
        let Turn::Player(seat) = pos.turn() else { return };
        if self.whole {
            self.offer(pos, seat, legal);
            self.decide(seat, legal.len(), chosen);
        } else {
            self.offer(pos, seat, &legal[chosen..=chosen]);
            self.decide(seat, 1, 0);
        }
    }
}
