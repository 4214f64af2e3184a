//! From games to weights: the buffer of positions, and steps of the optimiser on it.

use super::config::TrainConfig;
use super::record::{GameRecord, Sample, samples};
use crate::network::{Turn, shape_of};
use spielbaum_core::{Planes, Rng, math};
use spielbaum_net::{Batch, Device, Losses, Shape, Train, Weights};
use std::collections::{BTreeSet, VecDeque};

/// The learning rate by the divergence: factor and limits (the gomoku paper's, from the project
/// it builds on).
const RATE_STEP: f64 = 1.5;
const RATES: (f64, f64) = (1e-6, 1e-2);

/// What an iteration of learning did.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Fit {
    /// Steps of the optimiser.
    pub steps: u64,
    /// Mean losses and entropy over them.
    pub losses: Losses,
    /// Divergence of the policy from the one before, on a batch.
    pub kl: f64,
    /// Part of the variance of the target that the value explains, before and after.
    pub explained: (f64, f64),
    /// The learning rate used.
    pub rate: f64,
}

impl Fit {
    /// Whether learning has stayed within numbers.
    pub fn check(&self) -> Result<(), String> {
        let (loss, rate) = (self.losses.total(), self.rate);
        match loss.is_finite() && self.kl.is_finite() {
            true => Ok(()),
            false => Err(format!(
                "learning has diverged (loss {loss} at a learning rate of {rate}); the iterations before \
                 it are kept; a smaller rate= in another directory, --from the last checkpoint, goes on"
            )),
        }
    }
}

/// Positions to learn from, and the network that learns.
pub struct Learner<G> {
    start: G,
    trainer: Box<dyn Train>,
    device: Device,
    shape: Shape,
    turns: Vec<Turn>,
    buffer: VecDeque<Sample<G>>,
    /// Wins of the first and of the second player seen so far.
    wins: [u64; 2],
}

/// A batch with its memory.
#[derive(Default)]
struct Owned {
    planes: Vec<f32>,
    policies: Vec<f32>,
    values: Vec<f32>,
}

/// What a network answers to a batch.
struct Answers {
    /// Logarithms of the probabilities.
    policies: Vec<f64>,
    values: Vec<f32>,
}

impl<G: Planes> Learner<G> {
    /// Learns with this trainer from positions of this game.
    pub fn new(start: &G, trainer: Box<dyn Train>, device: Device) -> Self {
        Learner {
            trainer,
            device,
            shape: shape_of(start),
            turns: Turn::all(start),
            start: start.clone(),
            buffer: VecDeque::new(),
            wins: [0; 2],
        }
    }

    /// The network that learns.
    pub fn trainer(&mut self) -> &mut dyn Train {
        &mut *self.trainer
    }

    /// The weights now.
    pub fn weights(&self) -> Result<Weights, String> {
        self.trainer.weights().map_err(|e| e.to_string())
    }

    /// Takes games into the buffer; the oldest positions fall out. Returns how many positions
    /// came in.
    pub fn take(&mut self, games: &[GameRecord], config: &TrainConfig) -> Result<u64, String> {
        let mut count = 0;
        for game in games {
            let samples = samples(&self.start, game, config.search_value as f32)
                .ok_or_else(|| format!("game {} has an illegal move", game.number))?;
            count += samples.len() as u64;
            self.buffer.extend(samples);
            self.wins[0] += u64::from(game.outcome > 0.0);
            self.wins[1] += u64::from(game.outcome < 0.0);
        }
        let excess = self.buffer.len().saturating_sub(config.buffer);
        self.buffer.drain(..excess);
        Ok(count)
    }

    /// Wins of the first and of the second player seen so far.
    pub fn wins(&self) -> [u64; 2] {
        self.wins
    }

    /// Sets them, for a training that is taken up again.
    pub fn set_wins(&mut self, wins: [u64; 2]) {
        self.wins = wins;
    }

    /// Learns after an iteration that brought `new` positions, when a part `done` of the training
    /// lies behind; `None` if it is too early.
    pub fn fit(
        &mut self,
        config: &TrainConfig,
        new: u64,
        done: f64,
        rng: &mut Rng,
    ) -> Result<Option<Fit>, String> {
        let shown = self.buffer.len() * self.turns.len();
        if shown <= config.batch || self.wins.iter().any(|&w| w < config.wins) {
            return Ok(None);
        }
        if config.kl.is_none() {
            self.trainer.set_learning_rate(config.rate_at(done));
        }
        let mut fit = Fit { rate: self.trainer.learning_rate(), ..Fit::default() };
        let mut batch = Owned::default();
        self.draw(config.batch, rng, &mut batch);
        let probe = std::mem::take(&mut batch);
        let before = self.answers(&probe)?;
        let mut last = None;
        if config.passes > 0.0 {
            let batches = (config.passes * new as f64 / config.batch as f64).ceil() as usize;
            for _ in 0..batches.max(1) {
                self.draw(config.batch, rng, &mut batch);
                for _ in 0..config.repeats {
                    self.step(&batch, &mut fit)?;
                }
            }
            let after = self.answers(&probe)?;
            fit.kl = divergence(&before, &after, self.shape.cells());
            last = Some(after);
        } else {
            for _ in 0..config.repeats {
                self.step(&probe, &mut fit)?;
                let after = self.answers(&probe)?;
                let old = last.as_ref().unwrap_or(&before);
                fit.kl += divergence(old, &after, self.shape.cells()) / config.repeats as f64;
                last = Some(after);
            }
        }
        let after = last.as_ref().unwrap_or(&before);
        fit.explained = (explained(&probe, &before), explained(&probe, after));
        let steps = fit.steps.max(1) as f64;
        fit.losses.value /= steps;
        fit.losses.policy /= steps;
        fit.losses.entropy /= steps;
        if let Some(target) = config.kl {
            self.trainer.set_learning_rate(adapt(self.trainer.learning_rate(), fit.kl, target));
        }
        Ok(Some(fit))
    }

    fn step(&mut self, batch: &Owned, fit: &mut Fit) -> Result<(), String> {
        let batch =
            Batch { planes: &batch.planes, policies: &batch.policies, values: &batch.values };
        let losses = self.trainer.step(&batch).map_err(|e| e.to_string())?;
        fit.losses.value += losses.value;
        fit.losses.policy += losses.policy;
        fit.losses.entropy += losses.entropy;
        fit.steps += 1;
        Ok(())
    }

    /// Draws different views of positions: a position may be there in several turns.
    fn draw(&self, size: usize, rng: &mut Rng, batch: &mut Owned) {
        let (inputs, cells) = (self.shape.inputs(), self.shape.cells());
        batch.planes.resize(size * inputs, 0.0);
        batch.policies.clear();
        batch.policies.resize(size * cells, 0.0);
        batch.values.clear();
        let mut drawn = BTreeSet::new();
        let mut position = vec![0.0; inputs];
        for planes in batch.planes.chunks_exact_mut(inputs) {
            let (mut at, mut turn) = (rng.below(self.buffer.len()), rng.below(self.turns.len()));
            while !drawn.insert((at, turn)) {
                (at, turn) = (rng.below(self.buffer.len()), rng.below(self.turns.len()));
            }
            let (sample, turn) = (&self.buffer[at], &self.turns[turn]);
            sample.pos.planes(&mut position);
            turn.planes(&position, planes);
            let row = batch.values.len() * cells;
            let policy = &mut batch.policies[row..row + cells];
            let sum: f32 = sample.policy.iter().map(|&(_, parts)| f32::from(parts)).sum();
            for &(index, parts) in &sample.policy {
                policy[usize::from(turn.policy[usize::from(index)])] = f32::from(parts) / sum;
            }
            batch.values.push(sample.value);
        }
    }

    fn answers(&self, batch: &Owned) -> Result<Answers, String> {
        let (size, cells) = (batch.values.len(), self.shape.cells());
        let weights = self.weights()?;
        let mut net = self.device.network(&weights).map_err(|e| e.to_string())?;
        let (mut logits, mut values) = (vec![0.0; size * cells], vec![0.0; size]);
        net.forward(size, &batch.planes, &mut logits, &mut values);
        let policies = logits.chunks_exact(cells).flat_map(log_softmax).collect();
        Ok(Answers { policies, values })
    }
}

fn log_softmax(logits: &[f32]) -> Vec<f64> {
    let most = f64::from(logits.iter().copied().fold(f32::NEG_INFINITY, f32::max));
    let sum: f64 = logits.iter().map(|&l| math::exp(f64::from(l) - most)).sum();
    let log = most + math::ln(sum);
    logits.iter().map(|&l| f64::from(l) - log).collect()
}

/// Mean over the positions of the divergence of the new policy from the old,
/// Σ old ln (old / new).
fn divergence(old: &Answers, new: &Answers, cells: usize) -> f64 {
    let positions = old.policies.len() / cells;
    let terms = old.policies.iter().zip(&new.policies).map(|(&o, &n)| math::exp(o) * (o - n));
    terms.sum::<f64>() / positions as f64
}

/// Part of the variance of the targets that the values explain.
fn explained(batch: &Owned, answers: &Answers) -> f64 {
    let errors: Vec<f64> = (batch.values.iter().zip(&answers.values))
        .map(|(&target, &value)| f64::from(target) - f64::from(value))
        .collect();
    let targets: Vec<f64> = batch.values.iter().map(|&v| f64::from(v)).collect();
    let all = variance(&targets);
    if all > 0.0 { 1.0 - variance(&errors) / all } else { 0.0 }
}

fn variance(values: &[f64]) -> f64 {
    let n = values.len().max(1) as f64;
    let mean = values.iter().sum::<f64>() / n;
    values.iter().map(|v| (v - mean) * (v - mean)).sum::<f64>() / n
}

/// The learning rate after a divergence: smaller if it was twice the target, larger if half.
fn adapt(rate: f64, kl: f64, target: f64) -> f64 {
    let changed = match kl {
        kl if kl > 2.0 * target => rate / RATE_STEP,
        kl if kl < target / 2.0 => rate * RATE_STEP,
        _ => rate,
    };
    changed.clamp(RATES.0, RATES.1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_loss_that_is_no_number_is_an_error() {
        let mut fit = Fit { rate: 0.5, ..Fit::default() };
        assert_eq!(fit.check(), Ok(()));
        fit.losses.policy = f64::NAN;
        let error = fit.check().unwrap_err();
        assert!(error.contains("diverged") && error.contains("0.5"), "{error}");
    }

    #[test]
    fn the_learning_rate_follows_the_divergence() {
        assert_eq!(adapt(0.003, 0.017, 0.008), 0.002);
        assert_eq!(adapt(0.002, 0.0039, 0.008), 0.003);
        assert_eq!(adapt(0.002, 0.004, 0.008), 0.002);
        assert_eq!(adapt(0.002, 0.016, 0.008), 0.002);
        assert_eq!(adapt(1e-6, 1.0, 0.008), 1e-6);
        assert_eq!(adapt(9e-3, 0.0, 0.008), 1e-2);
    }

    #[test]
    fn measures_are_their_formulas() {
        let answers = |policies: &[f64], values: &[f32]| Answers {
            policies: policies.iter().map(|&p| math::ln(p)).collect(),
            values: values.to_vec(),
        };
        let old = answers(&[0.5, 0.5, 0.9, 0.1], &[0.5, -0.5]);
        let new = answers(&[0.25, 0.75, 0.9, 0.1], &[1.0, -1.0]);
        let one = 0.5 * math::ln(2.0) + 0.5 * math::ln(0.5 / 0.75);
        assert!((divergence(&old, &new, 2) - one / 2.0).abs() < 1e-12);
        let batch = Owned { values: vec![1.0, -1.0], ..Owned::default() };
        assert!((explained(&batch, &old) - 0.75).abs() < 1e-12);
        assert!((explained(&batch, &new) - 1.0).abs() < 1e-12);
        let logs = log_softmax(&[1.0, 1.0, 1.0]);
        assert!(logs.iter().all(|l| (l + math::ln(3.0)).abs() < 1e-12));
    }
}
