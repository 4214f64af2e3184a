//! Training on the processor, with hand-written gradients.
//!
//! A batch is cut into the same groups whatever the number of threads, and what groups add up is added
//! in their order: a step is a function of its input alone.

mod group;
mod heads;
mod optimiser;

pub(crate) use optimiser::Moments;
pub use optimiser::Optimiser;

use crate::board::{Board, LANES};
use crate::cpu::EPSILON;
use crate::device::{Batch, Losses, Train};
use crate::error::NetError;
use crate::plan::{Conv, Plan};
use crate::simd::element::{self, Backward};
use crate::simd::{Isa, Kernel, grad_index, grad_size};
use crate::tensors::Tensors;
use crate::weights::Weights;
use group::Group;

/// Groups of a batch; more threads than this do not help.
const GROUPS: usize = 16;
/// Share of a batch in the running mean and variance.
pub(crate) const MOMENTUM: f32 = 0.1;

/// What follows a convolution, per channel (whole blocks): normalisation or bias.
#[derive(Debug, Clone, Default)]
struct Norm {
    scale: Vec<f32>,
    shift: Vec<f32>,
    mean: Vec<f32>,
    /// One over the standard deviation, or one.
    inverse: Vec<f32>,
}

/// What all groups read during a phase of a step.
struct Net {
    isa: Isa,
    board: Board,
    plan: Plan,
    forward: Vec<Kernel>,
    backward: Vec<Kernel>,
    norms: Vec<Norm>,
    weights: Weights,
}

impl Net {
    /// Numbers of a board with a layer's output.
    fn size(&self, layer: usize) -> usize {
        self.board.size(self.plan.convs[layer].cout)
    }

    /// True if a layer's output goes into a residual block, and is needed again behind it.
    fn enters_block(&self, layer: usize) -> bool {
        self.plan.convs.get(layer + 2).is_some_and(|conv| conv.skip)
    }

    /// Weights as the kernels read them.
    fn pack(&mut self) {
        for (at, conv) in self.plan.convs.iter().enumerate() {
            let taps = conv.kernel * conv.kernel;
            let rows: Vec<&[f32]> = conv
                .parts
                .iter()
                .flat_map(|part| {
                    let data = self.weights.data(&format!("{}.weight", part.conv));
                    data.chunks_exact(conv.cin * taps)
                })
                .collect();
            self.forward[at].fill(conv.cout, |output, input, tap| rows[output][input * taps + tap]);
            // The gradient passes the same weights the other way round.
            self.backward[at]
                .fill(conv.cin, |input, output, tap| rows[output][input * taps + taps - 1 - tap]);
        }
    }

    /// A tensor of every part of a convolution, one after the other, in whole blocks.
    fn channels(&self, conv: &Conv, normalisation: bool, field: &str) -> Vec<f32> {
        let mut all = Vec::with_capacity(conv.cout.next_multiple_of(LANES));
        for part in &conv.parts {
            let prefix = if normalisation { &part.norm } else { &part.conv };
            all.extend_from_slice(self.weights.data(&format!("{prefix}.{field}")));
        }
        all.resize(conv.cout.next_multiple_of(LANES), 0.0);
        all
    }
}

/// A network that learns on the processor.
///
/// ```
/// use spielbaum_net::{Architecture, Batch, Optimiser, Shape, Train, Trainer, Weights};
/// let shape = Shape { planes: 1, height: 3, width: 3 };
/// let weights = Weights::new("res:blocks=1,channels=16".parse()?, shape, 1)?;
/// let mut trainer = Trainer::new(weights, Optimiser::default());
/// let planes: Vec<f32> = (0..4 * 9).map(|n| (n % 5) as f32).collect();
/// let policies: Vec<f32> = (0..4 * 9).map(|n| if n % 9 == n / 9 { 1.0 } else { 0.0 }).collect();
/// let batch = Batch { planes: &planes, policies: &policies, values: &[1.0, -1.0, 0.0, 1.0] };
/// let before = trainer.step(&batch)?;
/// for _ in 0..30 {
///     trainer.step(&batch)?;
/// }
/// assert!(trainer.step(&batch)?.total() < before.total() / 2.0);
/// # Ok::<(), spielbaum_net::NetError>(())
/// ```
pub struct Trainer {
    net: Net,
    optimiser: Optimiser,
    moments: Moments,
    threads: usize,
    groups: Vec<Group>,
    gradients: Vec<Vec<f32>>,
}

impl Trainer {
    /// A trainer that uses all processors.
    pub fn new(weights: Weights, optimiser: Optimiser) -> Trainer {
        let shape = weights.shape();
        let plan = Plan::new(weights.architecture(), &shape);
        let isa = Isa::best();
        let (forward, backward) = (kernels(isa, &plan, false), kernels(isa, &plan, true));
        let gradients: Vec<_> = weights.tensors().iter().map(|t| vec![0.0; t.data.len()]).collect();
        let threads = std::thread::available_parallelism().map_or(1, usize::from);
        Trainer {
            moments: Moments::new(&weights),
            net: Net {
                isa,
                board: Board { height: shape.height, width: shape.width },
                norms: vec![Norm::default(); plan.convs.len()],
                plan,
                forward,
                backward,
                weights,
            },
            optimiser,
            threads,
            groups: Vec::new(),
            gradients,
        }
    }

    /// Uses so many threads; the results are the same.
    #[must_use]
    pub fn with_threads(mut self, threads: usize) -> Trainer {
        self.threads = threads.clamp(1, GROUPS);
        self
    }

    /// Uses an instruction set, to compare them.
    #[must_use]
    pub fn with_isa(mut self, isa: Isa) -> Trainer {
        self.net.forward = kernels(isa, &self.net.plan, false);
        self.net.backward = kernels(isa, &self.net.plan, true);
        self.net.isa = isa;
        self
    }

    /// Losses of a batch and the gradient of their sum (without weight decay), a tensor for each of
    /// the weights, those of running statistics zero. Running statistics are brought up to date.
    ///
    /// # Errors
    ///
    /// Targets that do not fit the planes.
    pub fn gradients(&mut self, batch: &Batch<'_>) -> Result<(Losses, Vec<Vec<f32>>), NetError> {
        let losses = self.differentiate(batch)?;
        Ok((losses, self.gradients.clone()))
    }

    fn differentiate(&mut self, batch: &Batch<'_>) -> Result<Losses, NetError> {
        let positions = check(batch, &self.net.weights)?;
        self.net.pack();
        self.arrange(positions);
        let layers = self.net.plan.convs.len();
        for layer in 0..layers {
            self.each(|net, group| group.forward(net, batch, layer));
            self.normalise(layer, positions);
        }
        self.each(|net, group| group.heads(net, batch, positions));
        for layer in (0..layers).rev() {
            let coefficients = self.channel_gradients(layer, positions);
            self.each(|net, group| group.backward(net, batch, layer, &coefficients));
            self.weight_gradients(layer);
        }
        self.head_gradients();
        let mut losses = Losses::default();
        for group in &self.groups {
            losses.value += group.losses.value;
            losses.policy += group.losses.policy;
            losses.entropy += group.losses.entropy;
        }
        let share = 1.0 / positions as f64;
        losses.value *= share;
        losses.policy *= share;
        losses.entropy *= share;
        Ok(losses)
    }

    /// Cuts the batch into groups.
    fn arrange(&mut self, positions: usize) {
        let each = positions.div_ceil(GROUPS);
        let starts = (0..positions).step_by(each);
        let ranges: Vec<_> = starts.map(|start| start..positions.min(start + each)).collect();
        if self.groups.len() != ranges.len()
            || self.groups.iter().zip(&ranges).any(|(group, range)| group.range != *range)
        {
            let groups = ranges.into_iter().map(|range| Group::new(&self.net, range));
            self.groups = groups.collect();
        }
        for group in &mut self.groups {
            group.restart();
        }
    }

    /// Runs a phase on every group.
    fn each(&mut self, phase: impl Fn(&Net, &mut Group) + Sync) {
        let net = &self.net;
        let share = self.groups.len().div_ceil(self.threads);
        std::thread::scope(|scope| {
            let mut shares = self.groups.chunks_mut(share);
            let own = shares.next();
            for groups in shares {
                let phase = &phase;
                scope.spawn(move || groups.iter_mut().for_each(|group| phase(net, group)));
            }
            own.into_iter().flatten().for_each(|group| phase(net, group));
        });
    }

    /// Sums over the groups of a layer's two sums per channel.
    fn channel_sums(&self, channels: usize) -> (Vec<f64>, Vec<f64>) {
        let mut totals = (vec![0.0; channels], vec![0.0; channels]);
        for group in &self.groups {
            for channel in 0..channels {
                totals.0[channel] += group.sums[channel];
                totals.1[channel] += group.products[channel];
            }
        }
        totals
    }

    /// Mean and variance of a layer's outputs make the normalisation.
    fn normalise(&mut self, layer: usize, positions: usize) {
        let conv = &self.net.plan.convs[layer];
        let channels = conv.cout.next_multiple_of(LANES);
        if !conv.norm {
            self.net.norms[layer] = Norm {
                scale: vec![1.0; channels],
                shift: self.net.channels(conv, false, "bias"),
                mean: vec![0.0; channels],
                inverse: vec![1.0; channels],
            };
            return;
        }
        let count = (positions * self.net.board.cells()) as f64;
        let (sums, squares) = self.channel_sums(channels);
        let (gamma, beta) =
            (self.net.channels(conv, true, "weight"), self.net.channels(conv, true, "bias"));
        let mut norm = Norm::default();
        let mut variances = Vec::with_capacity(channels);
        for channel in 0..channels {
            let mean = sums[channel] / count;
            let variance = (squares[channel] / count - mean * mean).max(0.0);
            let inverse = (1.0 / (variance + f64::from(EPSILON)).sqrt()) as f32;
            let scale = gamma[channel] * inverse;
            norm.mean.push(mean as f32);
            norm.inverse.push(inverse);
            norm.scale.push(scale);
            norm.shift.push(beta[channel] - mean as f32 * scale);
            variances.push((variance * count / (count - 1.0).max(1.0)) as f32);
        }
        let mut first = 0;
        let parts = conv.parts.clone();
        for part in parts {
            for (field, now) in [("running_mean", &norm.mean), ("running_var", &variances)] {
                let at = self.index(&format!("{}.{field}", part.norm));
                let running = &mut self.net.weights.tensors_mut()[at].data;
                for (running, now) in running.iter_mut().zip(&now[first..]) {
                    *running += MOMENTUM * (now - *running);
                }
            }
            first += part.cout;
        }
        self.net.norms[layer] = norm;
    }

    fn index(&self, name: &str) -> usize {
        let position = self.net.weights.tensors().iter().position(|tensor| tensor.name == name);
        position.expect("weights hold every tensor of their plan")
    }

    /// Gradients of bias or normalisation, and what the layer's backward pass needs of them.
    fn channel_gradients(&mut self, layer: usize, positions: usize) -> Backward {
        let conv = self.net.plan.convs[layer].clone();
        let channels = conv.cout.next_multiple_of(LANES);
        let (sums, products) = self.channel_sums(channels);
        let norm = &self.net.norms[layer];
        let inverse = |channel: usize| f64::from(norm.inverse[channel]);
        let scales: Vec<f32> = (0..channels).map(|c| (products[c] * inverse(c)) as f32).collect();
        let shifts: Vec<f32> = sums.iter().map(|sum| *sum as f32).collect();
        let mut with = Backward {
            mean: norm.mean.clone(),
            of_g: norm.scale.clone(),
            of_y: vec![0.0; channels],
            constant: vec![0.0; channels],
        };
        if conv.norm {
            let count = (positions * self.net.board.cells()) as f64;
            for channel in 0..channels {
                let scale = f64::from(norm.scale[channel]) / count;
                with.of_y[channel] = (scale * inverse(channel).powi(2) * products[channel]) as f32;
                with.constant[channel] = (scale * sums[channel]) as f32;
            }
        }
        let mut first = 0;
        for part in &conv.parts {
            let range = first..first + part.cout;
            let (shift, scale) = if conv.norm {
                (format!("{}.bias", part.norm), Some(format!("{}.weight", part.norm)))
            } else {
                (format!("{}.bias", part.conv), None)
            };
            let at = self.index(&shift);
            self.gradients[at].copy_from_slice(&shifts[range.clone()]);
            if let Some(scale) = scale {
                let at = self.index(&scale);
                self.gradients[at].copy_from_slice(&scales[range]);
            }
            first += part.cout;
        }
        with
    }

    /// Adds up the groups' gradients of a convolution's weights.
    fn weight_gradients(&mut self, layer: usize) {
        let conv = self.net.plan.convs[layer].clone();
        let extents = (conv.cin, conv.cout, conv.kernel);
        let size = grad_size(conv.cin, conv.cout, conv.kernel);
        let Some((total, rest)) = self.groups.split_first_mut() else {
            return;
        };
        for group in rest {
            element::axpy(self.net.isa, 1.0, &group.gradient[..size], &mut total.gradient[..size]);
        }
        let taps = conv.kernel * conv.kernel;
        let mut first = 0;
        for part in &conv.parts {
            let at = self.index(&format!("{}.weight", part.conv));
            let packed = &self.groups[0].gradient;
            let mut out = self.gradients[at].iter_mut();
            for output in first..first + part.cout {
                for input in 0..conv.cin {
                    for (tap, out) in (0..taps).zip(out.by_ref()) {
                        *out = packed[grad_index(self.net.isa, extents, (output, input, tap))];
                    }
                }
            }
            first += part.cout;
        }
    }

    fn head_gradients(&mut self) {
        for (name, tensor) in heads::tensors(self.net.plan.head).into_iter().enumerate() {
            let at = self.index(tensor);
            let mut total = std::mem::take(&mut self.gradients[at]);
            total.fill(0.0);
            for group in &self.groups {
                element::axpy(self.net.isa, 1.0, &group.heads.gradients[name], &mut total);
            }
            self.gradients[at] = total;
        }
    }
}

/// Room for the weights of all convolutions, or (`turned`) of those that pass the gradient back.
fn kernels(isa: Isa, plan: &Plan, turned: bool) -> Vec<Kernel> {
    let kernel = |conv: &Conv| {
        let (from, to) = if turned { (conv.cout, conv.cin) } else { (conv.cin, conv.cout) };
        Kernel::new(isa, from, to, conv.kernel)
    };
    plan.convs.iter().map(kernel).collect()
}

/// Checks a batch and counts its positions.
pub(crate) fn check(batch: &Batch<'_>, weights: &Weights) -> Result<usize, NetError> {
    let (shape, positions) = (weights.shape(), batch.values.len());
    for (what, length, each) in [
        ("planes", batch.planes.len(), shape.inputs()),
        ("policies", batch.policies.len(), shape.cells()),
    ] {
        if length != positions * each {
            return Err(NetError::Batch(format!(
                "{positions} values, so {} numbers of {what} are wanted, not {length}",
                positions * each
            )));
        }
    }
    if positions == 0 {
        return Err(NetError::Batch("no positions".to_owned()));
    }
    Ok(positions)
}

impl Train for Trainer {
    fn step(&mut self, batch: &Batch<'_>) -> Result<Losses, NetError> {
        let losses = self.differentiate(batch)?;
        let (isa, weights) = (self.net.isa, self.net.weights.tensors_mut());
        self.moments.step(isa, &self.optimiser, &self.gradients, weights);
        Ok(losses)
    }

    fn weights(&self) -> Result<Weights, NetError> {
        Ok(self.net.weights.clone())
    }

    fn state(&self) -> Result<Tensors, NetError> {
        Ok(self.moments.save(&self.optimiser, &self.net.weights))
    }

    fn restore(&mut self, state: &Tensors) -> Result<(), NetError> {
        let restored = Moments::load(state, &self.net.weights)?;
        (self.moments, self.optimiser, self.net.weights) = restored;
        Ok(())
    }

    fn learning_rate(&self) -> f64 {
        self.optimiser.learning_rate
    }

    fn set_learning_rate(&mut self, rate: f64) {
        self.optimiser.learning_rate = rate;
    }
}
