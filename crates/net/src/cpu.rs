//! Inference on the processor: direct convolutions, normalisation folded into the weights.

use crate::architecture::Shape;
use crate::board::{Board, LANES};
use crate::device::Forward;
use crate::error::NetError;
use crate::plan::{Conv, Head, Plan};
use crate::simd::{Epilogue, Isa, Kernel, element};
use crate::weights::Weights;

/// Added to a variance before the root is taken.
pub(crate) const EPSILON: f32 = 1e-5;

/// A dense layer; a row of outputs for each input.
#[derive(Debug, Clone)]
struct Dense {
    weights: Vec<f32>,
    bias: Vec<f32>,
}

impl Dense {
    fn new(weights: &Weights, name: &str) -> Dense {
        let bias = weights.data(&format!("{name}.bias")).to_vec();
        let rows = weights.data(&format!("{name}.weight"));
        let (outputs, inputs) = (bias.len(), rows.len() / bias.len());
        let column = |input| (0..outputs).map(move |output| rows[output * inputs + input]);
        Dense { weights: (0..inputs).flat_map(column).collect(), bias }
    }
}

#[derive(Debug, Clone)]
struct Layer {
    kernel: Kernel,
    bias: Vec<f32>,
    skip: bool,
}

impl Layer {
    fn new(isa: Isa, conv: &Conv, weights: &Weights) -> Layer {
        let mut kernel = Kernel::new(isa, conv.cin, conv.cout, conv.kernel);
        let mut bias = Vec::with_capacity(kernel.outputs());
        let mut rows = Vec::with_capacity(conv.cout);
        let size = conv.cin * conv.kernel * conv.kernel;
        for part in &conv.parts {
            let data = |prefix: &str, field: &str| weights.data(&format!("{prefix}.{field}"));
            for (output, row) in data(&part.conv, "weight").chunks_exact(size).enumerate() {
                let (scale, shift) = if conv.norm {
                    let get = |field| data(&part.norm, field)[output];
                    let scale = get("weight") / (get("running_var") + EPSILON).sqrt();
                    (scale, get("bias") - get("running_mean") * scale)
                } else {
                    (1.0, data(&part.conv, "bias")[output])
                };
                rows.push((row, scale));
                bias.push(shift);
            }
        }
        let taps = conv.kernel * conv.kernel;
        kernel.fill(conv.cout, |output, input, tap| {
            let (row, scale) = rows[output];
            row[input * taps + tap] * scale
        });
        bias.resize(kernel.outputs(), 0.0);
        Layer { kernel, bias, skip: conv.skip }
    }
}

/// A network on the processor. It runs on the calling thread: search with one per thread.
#[derive(Debug, Clone)]
pub struct CpuNet {
    isa: Isa,
    shape: Shape,
    board: Board,
    head: Head,
    channels: [usize; 2],
    layers: Vec<Layer>,
    policy: Dense,
    hidden: Dense,
    value: Dense,
    // Room for one position: three boards, the heads' channels, the hidden units.
    boards: [Vec<f32>; 3],
    features: Vec<f32>,
    units: Vec<f32>,
}

impl CpuNet {
    /// A network for the best instruction set of this machine.
    ///
    /// # Errors
    ///
    /// None at present: weights are checked where they are made.
    pub fn new(weights: &Weights) -> Result<CpuNet, NetError> {
        CpuNet::with_isa(weights, Isa::best())
    }

    /// A network for a given instruction set, to compare them.
    ///
    /// # Errors
    ///
    /// None at present: weights are checked where they are made.
    pub fn with_isa(weights: &Weights, isa: Isa) -> Result<CpuNet, NetError> {
        let shape = weights.shape();
        let plan = Plan::new(weights.architecture(), &shape);
        let board = Board { height: shape.height, width: shape.width };
        let layers: Vec<_> = plan.convs.iter().map(|conv| Layer::new(isa, conv, weights)).collect();
        let channels = layers.iter().map(|layer| layer.kernel.outputs()).max();
        let room = board.size(channels.unwrap_or(LANES).max(shape.planes));
        let policy = match plan.head {
            Head::Dense => "policy.dense",
            Head::Pooled => "policy.logit",
        };
        Ok(CpuNet {
            isa,
            shape,
            board,
            head: plan.head,
            channels: [plan.policy, plan.value],
            layers,
            policy: Dense::new(weights, policy),
            hidden: Dense::new(weights, "value.dense1"),
            value: Dense::new(weights, "value.dense2"),
            boards: std::array::from_fn(|_| vec![0.0; room]),
            features: vec![0.0; plan.policy.max(plan.value_inputs(1)) * board.cells()],
            units: vec![0.0; plan.hidden],
        })
    }

    /// Planes and board.
    pub fn shape(&self) -> Shape {
        self.shape
    }

    /// The instruction set in use.
    pub fn isa(&self) -> Isa {
        self.isa
    }

    fn position(&mut self, planes: &[f32], logits: &mut [f32]) -> f32 {
        let [now, inner, next] = &mut self.boards;
        self.board.pack(planes, now);
        for (at, layer) in self.layers.iter().enumerate() {
            let mut epilogue = Epilogue { bias: Some(&layer.bias), skip: None, relu: true };
            if layer.skip {
                epilogue.skip = Some(now);
                layer.kernel.apply(self.board, inner, next, epilogue);
                std::mem::swap(now, next);
            } else if self.layers.get(at + 1).is_some_and(|layer| layer.skip) {
                layer.kernel.apply(self.board, now, inner, epilogue);
            } else {
                layer.kernel.apply(self.board, now, next, epilogue);
                std::mem::swap(now, next);
            }
        }
        let (board, cells, [policy, value]) = (self.board, self.board.cells(), self.channels);
        let read = |first: usize, count: usize, features: &mut [f32]| {
            for (channel, cells) in features.chunks_exact_mut(cells).take(count).enumerate() {
                board.channel(now, first + channel, cells);
            }
        };
        read(0, policy, &mut self.features);
        let inputs = match self.head {
            Head::Dense => {
                let inputs = &self.features[..policy * cells];
                element::dense(self.isa, &self.policy.weights, &self.policy.bias, inputs, logits);
                read(policy, value, &mut self.features);
                value * cells
            }
            Head::Pooled => {
                logits.fill(self.policy.bias[0]);
                let channels = self.features.chunks_exact(cells);
                for (channel, weight) in channels.zip(&self.policy.weights) {
                    element::axpy(self.isa, *weight, channel, logits);
                }
                read(policy, value, &mut self.features);
                pool(cells, value, &mut self.features);
                2 * value
            }
        };
        let inputs = &self.features[..inputs];
        element::dense(self.isa, &self.hidden.weights, &self.hidden.bias, inputs, &mut self.units);
        for unit in &mut self.units {
            *unit = unit.max(0.0);
        }
        libm::tanhf(self.value.bias[0] + element::dot(self.isa, &self.value.weights, &self.units))
    }
}

/// Replaces channels by their means, followed by their maxima.
pub(crate) fn pool(cells: usize, channels: usize, features: &mut [f32]) {
    let mut pooled = [0.0f32; 2 * 64];
    for (channel, numbers) in features.chunks_exact(cells).take(channels).enumerate() {
        pooled[channel] = numbers.iter().sum::<f32>() / cells as f32;
        pooled[channels + channel] = numbers.iter().copied().fold(0.0, f32::max);
    }
    features[..2 * channels].copy_from_slice(&pooled[..2 * channels]);
}

impl Forward for CpuNet {
    fn forward(&mut self, batch: usize, planes: &[f32], logits: &mut [f32], values: &mut [f32]) {
        let (inputs, cells) = (self.shape.inputs(), self.shape.cells());
        assert_eq!(planes.len(), batch * inputs, "planes: batch x planes x rows x columns");
        assert_eq!(logits.len(), batch * cells, "logits: batch x rows x columns");
        assert_eq!(values.len(), batch, "values: one per position");
        // Channels beyond the planes hold what the last position left there; no kernel reads them.
        let positions = planes.chunks_exact(inputs).zip(logits.chunks_exact_mut(cells));
        for ((planes, logits), value) in positions.zip(values) {
            *value = self.position(planes, logits);
        }
    }
}
