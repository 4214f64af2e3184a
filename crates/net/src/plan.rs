//! An architecture as a list of convolutions and a kind of heads: what every backend runs.

use crate::architecture::{Architecture, Shape};

/// Channels of the heads of a residual network.
const RES_HEAD: usize = 32;
/// Units of the value head's hidden layer.
const HIDDEN: usize = 64;

/// A part of a convolution's output channels, with tensors of its own.
#[derive(Debug, Clone)]
pub(crate) struct Part {
    /// Prefix of the convolution's tensors.
    pub(crate) conv: String,
    /// Prefix of the normalisation's tensors.
    pub(crate) norm: String,
    /// Output channels.
    pub(crate) cout: usize,
}

/// A convolution with bias or batch normalisation, followed by ReLU.
#[derive(Debug, Clone)]
pub(crate) struct Conv {
    pub(crate) parts: Vec<Part>,
    pub(crate) cin: usize,
    pub(crate) cout: usize,
    /// 1 or 3.
    pub(crate) kernel: usize,
    /// Batch normalisation instead of a bias.
    pub(crate) norm: bool,
    /// Second of a residual block: what went into the first is added before ReLU.
    pub(crate) skip: bool,
}

/// How logits and value are made from the channels of the last convolution.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Head {
    /// Dense layers over all cells.
    Dense,
    /// Policy by cell, value from means and maxima over the board.
    Pooled,
}

/// The last convolution computes the channels of both heads, policy first.
#[derive(Debug, Clone)]
pub(crate) struct Plan {
    pub(crate) convs: Vec<Conv>,
    pub(crate) head: Head,
    pub(crate) policy: usize,
    pub(crate) value: usize,
    pub(crate) hidden: usize,
}

impl Plan {
    pub(crate) fn new(architecture: Architecture, shape: &Shape) -> Plan {
        let conv = |name: &str, norm: &str, cin, cout| Conv {
            parts: vec![Part { conv: name.to_owned(), norm: norm.to_owned(), cout }],
            cin,
            cout,
            kernel: 3,
            norm: !norm.is_empty(),
            skip: false,
        };
        let heads = |cin, policy, value, norm: bool| Conv {
            parts: [("policy", policy), ("value", value)]
                .map(|(head, cout)| Part {
                    conv: format!("{head}.conv"),
                    norm: format!("{head}.bn"),
                    cout,
                })
                .into(),
            cin,
            cout: policy + value,
            kernel: 1,
            norm,
            skip: false,
        };
        match architecture {
            Architecture::Paper => Plan {
                convs: vec![
                    conv("conv1", "", shape.planes, 32),
                    conv("conv2", "", 32, 64),
                    conv("conv3", "", 64, 128),
                    heads(128, 4, 2, false),
                ],
                head: Head::Dense,
                policy: 4,
                value: 2,
                hidden: HIDDEN,
            },
            Architecture::Residual { blocks, channels } => {
                let mut convs = vec![conv("stem.conv", "stem.bn", shape.planes, channels)];
                for block in 0..blocks {
                    for half in 1..=2 {
                        let name = format!("block{block}.conv{half}");
                        let norm = format!("block{block}.bn{half}");
                        let mut layer = conv(&name, &norm, channels, channels);
                        layer.skip = half == 2;
                        convs.push(layer);
                    }
                }
                convs.push(heads(channels, RES_HEAD, RES_HEAD, true));
                Plan {
                    convs,
                    head: Head::Pooled,
                    policy: RES_HEAD,
                    value: RES_HEAD,
                    hidden: HIDDEN,
                }
            }
        }
    }

    /// Inputs of the value head's first dense layer.
    pub(crate) fn value_inputs(&self, cells: usize) -> usize {
        match self.head {
            Head::Dense => self.value * cells,
            Head::Pooled => 2 * self.value,
        }
    }
}

/// How a tensor starts.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Start {
    /// Uniform between minus and plus this bound.
    Uniform(f32),
    /// All equal.
    Constant(f32),
}

/// A tensor of an architecture.
#[derive(Debug, Clone)]
pub(crate) struct TensorSpec {
    pub(crate) name: String,
    pub(crate) dims: Vec<usize>,
    pub(crate) start: Start,
    /// False for the running statistics of a normalisation.
    pub(crate) trained: bool,
}

impl TensorSpec {
    pub(crate) fn len(&self) -> usize {
        self.dims.iter().product()
    }
}

/// Names, sizes and starts of all tensors, in the order of the files.
pub(crate) fn tensors(architecture: Architecture, shape: &Shape) -> Vec<TensorSpec> {
    let plan = Plan::new(architecture, shape);
    let cells = shape.cells();
    let mut list = Vec::new();
    let mut add = |name: String, dims: &[usize], start, trained| {
        list.push(TensorSpec { name, dims: dims.to_vec(), start, trained });
    };
    for conv in &plan.convs {
        let fan_in = (conv.cin * conv.kernel * conv.kernel) as f32;
        // PyTorch's start (the paper's) where there is a bias, He's before a normalisation.
        let bound = if conv.norm { 6.0f32 } else { 1.0 } / fan_in;
        let start = Start::Uniform(bound.sqrt());
        for part in &conv.parts {
            let dims = [part.cout, conv.cin, conv.kernel, conv.kernel];
            add(format!("{}.weight", part.conv), &dims, start, true);
            if !conv.norm {
                add(format!("{}.bias", part.conv), &dims[..1], start, true);
                continue;
            }
            for (field, value, trained) in [
                ("weight", 1.0, true),
                ("bias", 0.0, true),
                ("running_mean", 0.0, false),
                ("running_var", 1.0, false),
            ] {
                let name = format!("{}.{field}", part.norm);
                add(name, &dims[..1], Start::Constant(value), trained);
            }
        }
    }
    let mut dense = |name: &str, dims: &[usize]| {
        let start = Start::Uniform((1.0 / dims[1] as f32).sqrt());
        add(format!("{name}.weight"), dims, start, true);
        add(format!("{name}.bias"), &dims[..1], start, true);
    };
    match plan.head {
        Head::Dense => dense("policy.dense", &[cells, plan.policy * cells]),
        Head::Pooled => dense("policy.logit", &[1, plan.policy, 1, 1]),
    }
    dense("value.dense1", &[plan.hidden, plan.value_inputs(cells)]);
    dense("value.dense2", &[1, plan.hidden]);
    list
}
