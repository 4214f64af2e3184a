//! The heads of a network: from channels to losses and back, position by position.

use super::Net;
use crate::board::LANES;
use crate::cpu::pool;
use crate::device::Losses;
use crate::plan::Head;
use crate::simd::element;

/// The tensors of the heads behind the last convolution.
pub(super) fn tensors(head: Head) -> [&'static str; 6] {
    let policy = match head {
        Head::Dense => ["policy.dense.weight", "policy.dense.bias"],
        Head::Pooled => ["policy.logit.weight", "policy.logit.bias"],
    };
    [
        policy[0],
        policy[1],
        "value.dense1.weight",
        "value.dense1.bias",
        "value.dense2.weight",
        "value.dense2.bias",
    ]
}

/// Memory of one group.
pub(super) struct Heads {
    /// In the order of [`tensors`].
    pub(super) gradients: [Vec<f32>; 6],
    policy: Vec<f32>,
    value: Vec<f32>,
    inputs: Vec<f32>,
    logits: Vec<f32>,
    hidden: Vec<f32>,
    // Gradients of the above.
    d_policy: Vec<f32>,
    d_value: Vec<f32>,
    d_inputs: Vec<f32>,
    d_hidden: Vec<f32>,
}

impl Heads {
    pub(super) fn new(net: &Net) -> Heads {
        let (plan, cells) = (&net.plan, net.board.cells());
        let room = |numbers: usize| vec![0.0; numbers];
        let inputs = plan.value_inputs(cells);
        Heads {
            gradients: tensors(plan.head).map(|name| room(net.weights.data(name).len())),
            policy: room(plan.policy * cells),
            value: room(plan.value * cells),
            inputs: room(inputs.max(plan.value * cells)),
            logits: room(cells),
            hidden: room(plan.hidden),
            d_policy: room(plan.policy * cells),
            d_value: room(plan.value * cells),
            d_inputs: room(inputs),
            d_hidden: room(plan.hidden),
        }
    }

    pub(super) fn restart(&mut self) {
        self.gradients.iter_mut().for_each(|gradient| gradient.fill(0.0));
    }

    /// Losses of a position (not yet divided); adds to the gradients, writes that of the channels
    /// `out` to `g`. `share` is one over the batch.
    pub(super) fn position(
        &mut self,
        net: &Net,
        out: &[f32],
        (target, outcome): (&[f32], f32),
        share: f32,
        g: &mut [f32],
    ) -> Losses {
        let (isa, board, plan) = (net.isa, net.board, &net.plan);
        let cells = board.cells();
        let [policy_w, policy_b, hidden_w, hidden_b, value_w, value_b] =
            tensors(plan.head).map(|name| net.weights.data(name));
        for (channel, cells) in self.policy.chunks_exact_mut(cells).enumerate() {
            board.channel(out, channel, cells);
        }
        for (channel, cells) in self.value.chunks_exact_mut(cells).enumerate() {
            board.channel(out, plan.policy + channel, cells);
        }

        // Forwards: logits, hidden units, value.
        match plan.head {
            Head::Dense => {
                let rows = policy_w.chunks_exact(self.policy.len());
                for ((logit, row), bias) in self.logits.iter_mut().zip(rows).zip(policy_b) {
                    *logit = bias + element::dot(isa, row, &self.policy);
                }
            }
            Head::Pooled => {
                self.logits.fill(policy_b[0]);
                for (channel, weight) in self.policy.chunks_exact(cells).zip(policy_w) {
                    element::axpy(isa, *weight, channel, &mut self.logits);
                }
            }
        }
        self.inputs[..self.value.len()].copy_from_slice(&self.value);
        if plan.head == Head::Pooled {
            pool(cells, plan.value, &mut self.inputs);
        }
        let inputs = &self.inputs[..self.d_inputs.len()];
        let rows = hidden_w.chunks_exact(inputs.len());
        for ((unit, row), bias) in self.hidden.iter_mut().zip(rows).zip(hidden_b) {
            *unit = (bias + element::dot(isa, row, inputs)).max(0.0);
        }
        let value = libm::tanhf(value_b[0] + element::dot(isa, value_w, &self.hidden));
        let error = value - outcome;
        let (policy, entropy) = softmax_loss(&mut self.logits, target, share);

        // Backwards; the logits now hold their gradients.
        let [d_policy_w, d_policy_b, d_hidden_w, d_hidden_b, d_value_w, d_value_b] =
            &mut self.gradients;
        self.d_policy.fill(0.0);
        match plan.head {
            Head::Dense => {
                let width = self.policy.len();
                let rows = policy_w.chunks_exact(width).zip(d_policy_w.chunks_exact_mut(width));
                for ((d, bias), (row, d_row)) in self.logits.iter().zip(d_policy_b).zip(rows) {
                    *bias += d;
                    element::axpy(isa, *d, &self.policy, d_row);
                    element::axpy(isa, *d, row, &mut self.d_policy);
                }
            }
            Head::Pooled => {
                d_policy_b[0] += self.logits.iter().sum::<f32>();
                let weights = policy_w.iter().zip(d_policy_w);
                let channels =
                    self.policy.chunks_exact(cells).zip(self.d_policy.chunks_exact_mut(cells));
                for ((channel, d_channel), (weight, d_weight)) in channels.zip(weights) {
                    *d_weight += element::dot(isa, channel, &self.logits);
                    element::axpy(isa, *weight, &self.logits, d_channel);
                }
            }
        }
        let d = 2.0 * error * share * (1.0 - value * value);
        d_value_b[0] += d;
        element::axpy(isa, d, &self.hidden, d_value_w);
        for ((d_unit, unit), weight) in self.d_hidden.iter_mut().zip(&self.hidden).zip(value_w) {
            *d_unit = if *unit > 0.0 { d * weight } else { 0.0 };
        }
        self.d_inputs.fill(0.0);
        let width = inputs.len();
        let rows = hidden_w.chunks_exact(width).zip(d_hidden_w.chunks_exact_mut(width));
        for ((d, bias), (row, d_row)) in self.d_hidden.iter().zip(d_hidden_b).zip(rows) {
            *bias += d;
            element::axpy(isa, *d, inputs, d_row);
            element::axpy(isa, *d, row, &mut self.d_inputs);
        }
        match plan.head {
            Head::Dense => self.d_value.copy_from_slice(&self.d_inputs),
            Head::Pooled => {
                let (means, maxima) = self.d_inputs.split_at(plan.value);
                let channels =
                    self.value.chunks_exact(cells).zip(self.d_value.chunks_exact_mut(cells));
                for (channel, (numbers, d)) in channels.enumerate() {
                    d.fill(means[channel] / cells as f32);
                    // The first of equal maxima takes the gradient, as in PyTorch.
                    let mut best = 0;
                    for (cell, number) in numbers.iter().enumerate() {
                        if *number > numbers[best] {
                            best = cell;
                        }
                    }
                    d[best] += maxima[channel];
                }
            }
        }
        let channels = self.d_policy.chunks_exact(cells).chain(self.d_value.chunks_exact(cells));
        for (channel, numbers) in channels.enumerate() {
            let block = channel / LANES * board.block() + channel % LANES;
            for (row, numbers) in numbers.chunks_exact(board.width).enumerate() {
                let lanes = g[block + board.at(row, 0)..].iter_mut().step_by(LANES);
                for (lane, number) in lanes.zip(numbers) {
                    *lane = *number;
                }
            }
        }
        Losses { value: f64::from(error) * f64::from(error), policy, entropy }
    }
}

/// Cross entropy and entropy of the softmax of `logits`, which become their own gradients.
fn softmax_loss(logits: &mut [f32], target: &[f32], share: f32) -> (f64, f64) {
    let largest = logits.iter().copied().fold(f32::NEG_INFINITY, f32::max);
    let sum: f32 = logits.iter().map(|logit| libm::expf(logit - largest)).sum();
    let log_sum = libm::logf(sum) + largest;
    let mass: f32 = target.iter().sum();
    let (mut cross, mut entropy) = (0.0, 0.0);
    for (logit, q) in logits.iter_mut().zip(target) {
        let log_p = *logit - log_sum;
        let p = libm::expf(log_p);
        cross -= f64::from(*q) * f64::from(log_p);
        entropy -= f64::from(p) * f64::from(log_p);
        *logit = share * (p * mass - q);
    }
    (cross, entropy)
}
