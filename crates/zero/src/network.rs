//! A network as the judge of positions.

use crate::evaluator::{Evaluator, Leaf};
use spielbaum_core::{Planes, Rng, Symmetry, math};
use spielbaum_net::{Forward, Shape};

/// What the symmetries of the board are used for.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Turning {
    /// Nothing: every position is shown as it is.
    #[default]
    None,
    /// Every position is shown in a random turn.
    Random,
    /// Every position is shown in all turns, and the answers are averaged.
    All,
}

/// How a network is asked.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Asking {
    /// The use of symmetries.
    pub turning: Turning,
    /// Whether priors are the network's probabilities as they are, those of illegal moves lost,
    /// as in the gomoku paper; otherwise those of the legal moves are scaled to the sum 1.
    pub raw: bool,
}

/// The network's shape of a game.
pub fn shape_of<G: Planes>(game: &G) -> Shape {
    let [planes, height, width] = game.shape();
    Shape { planes, height, width }
}

/// Judges positions by a network whose value is that of the first player, from -1 to 1.
pub struct Network {
    net: Box<dyn Forward>,
    shape: Shape,
    asking: Asking,
    planes: Vec<f32>,
    logits: Vec<f32>,
    values: Vec<f32>,
    position: Vec<f32>,
    turns: Vec<Turn>,
    /// Which turn each row of the batch shows.
    shown: Vec<usize>,
    powers: Vec<f64>,
}

/// A symmetry as a table: where cells and policy entries come to lie.
pub(crate) struct Turn {
    pub(crate) cells: Vec<u16>,
    pub(crate) policy: Vec<u16>,
}

impl Turn {
    /// All symmetries of a game.
    pub(crate) fn all<G: Planes>(game: &G) -> Vec<Turn> {
        let [_, rows, columns] = game.shape();
        let table = |&s: &Symmetry| Turn {
            cells: (0..rows * columns).map(|c| s.cell(rows, columns, c) as u16).collect(),
            policy: (0..game.policy_len()).map(|i| game.turn_policy(s, i) as u16).collect(),
        };
        game.symmetries().iter().map(table).collect()
    }

    /// Writes the turned planes.
    pub(crate) fn planes(&self, from: &[f32], to: &mut [f32]) {
        let cells = self.cells.len();
        for (from, to) in from.chunks_exact(cells).zip(to.chunks_exact_mut(cells)) {
            for (&x, &at) in from.iter().zip(&self.cells) {
                to[at as usize] = x;
            }
        }
    }
}

impl Network {
    /// A network for boards of a shape.
    pub fn new(net: Box<dyn Forward>, shape: Shape, asking: Asking) -> Self {
        Network {
            net,
            shape,
            asking,
            planes: Vec::new(),
            logits: Vec::new(),
            values: Vec::new(),
            position: Vec::new(),
            turns: Vec::new(),
            shown: Vec::new(),
            powers: Vec::new(),
        }
    }

    /// The boards that it is for.
    pub fn shape(&self) -> Shape {
        self.shape
    }

    fn serves<G: Planes>(&self, pos: &G) -> Result<(), String> {
        let (wanted, cells) = (shape_of(pos), self.shape.cells());
        if wanted != self.shape {
            return Err(format!("the network is for {}, the game is {wanted}", self.shape));
        }
        if pos.policy_len() != cells {
            let n = pos.policy_len();
            return Err(format!("the game has {n} policy entries, the network {cells}"));
        }
        Ok(())
    }
}

impl<G: Planes> Evaluator<G> for Network {
    fn judge(&mut self, leaves: &mut [Leaf<G>]) -> Result<(), String> {
        let Some(first) = leaves.first() else { return Ok(()) };
        self.serves(&first.pos)?;
        if self.turns.is_empty() {
            self.turns = Turn::all(&first.pos);
        }
        let (inputs, cells) = (self.shape.inputs(), self.shape.cells());
        self.position.resize(inputs, 0.0);
        self.shown.clear();
        let views = if self.asking.turning == Turning::All { self.turns.len() } else { 1 };
        let rows = leaves.len() * views;
        self.planes.resize(rows * inputs, 0.0);
        for (leaf, out) in leaves.iter().zip(self.planes.chunks_exact_mut(views * inputs)) {
            leaf.pos.planes(&mut self.position);
            for (view, out) in out.chunks_exact_mut(inputs).enumerate() {
                let turn = match self.asking.turning {
                    Turning::None => 0,
                    Turning::Random => Rng::new(leaf.luck).below(self.turns.len()),
                    Turning::All => view,
                };
                self.shown.push(turn);
                self.turns[turn].planes(&self.position, out);
            }
        }
        self.logits.resize(rows * cells, 0.0);
        self.values.resize(rows, 0.0);
        let (logits, values) = (&mut self.logits[..rows * cells], &mut self.values[..rows]);
        self.net.forward(rows, &self.planes[..rows * inputs], logits, values);
        for (i, leaf) in leaves.iter_mut().enumerate() {
            leaf.priors.clear();
            leaf.priors.resize(leaf.moves.len(), 0.0);
            leaf.plays = 0;
            let mut value = 0.0;
            for row in i * views..(i + 1) * views {
                let policy = &self.turns[self.shown[row]].policy;
                let logits = &self.logits[row * cells..(row + 1) * cells];
                add_priors(leaf, policy, logits, self.asking.raw, &mut self.powers);
                value += self.values[row];
            }
            let part = 1.0 / views as f32;
            leaf.priors.iter_mut().for_each(|p| *p *= part);
            let first = ((1.0 + value * part) / 2.0).clamp(0.0, 1.0);
            leaf.payoffs = [first, 1.0 - first, 0.0, 0.0, 0.0];
        }
        Ok(())
    }

    fn fits(&mut self, pos: &G) -> Result<(), String> {
        self.serves(pos)
    }

    fn bytes(&self) -> usize {
        4 * (self.planes.len() + self.logits.len() + self.values.len())
    }
}

/// Adds the softmax of the logits of the legal moves; with `raw` that of all logits.
fn add_priors<G: Planes>(
    leaf: &mut Leaf<G>,
    policy: &[u16],
    logits: &[f32],
    raw: bool,
    powers: &mut Vec<f64>,
) {
    let at = |m: G::Move| policy[leaf.pos.policy_index(m)] as usize;
    let most = match raw {
        true => logits.iter().copied().fold(f32::NEG_INFINITY, f32::max),
        false => leaf.moves.iter().map(|&m| logits[at(m)]).fold(f32::NEG_INFINITY, f32::max),
    };
    let power = |logit: f32| math::exp(f64::from(logit - most));
    powers.clear();
    powers.extend(leaf.moves.iter().map(|&m| power(logits[at(m)])));
    let sum: f64 = match raw {
        true => logits.iter().map(|&l| power(l)).sum(),
        false => powers.iter().sum(),
    };
    for (prior, power) in leaf.priors.iter_mut().zip(&*powers) {
        *prior += (power / sum) as f32;
    }
}
