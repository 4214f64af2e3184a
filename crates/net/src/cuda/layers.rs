//! What inference and training on a card share: parameters, convolutions, heads.

use super::card::{Buffer, Card, Places, Precision, args};
use crate::architecture::Shape;
use crate::error::NetError;
use crate::plan::{Head, Plan};
use crate::weights::Weights;

/// Rows and columns of outputs that a block of `conv` computes.
const TILE_M: usize = 256;
const TILE_N: usize = 64;
/// Channels come in multiples of this.
const CHUNK: usize = 8;

/// Bytes of shared memory of `conv` with so many rows around its tile: two stages of rows and weights.
pub(super) const fn shared_bytes(halo: usize, side: usize) -> usize {
    2 * 4 * ((TILE_M + 2 * halo) * 12 + side * side * CHUNK * 72)
}

/// A convolution: its channels on the card, its packed weights, its coefficients per channel.
pub(super) struct Layer {
    pub(super) cin: usize,
    pub(super) cout: usize,
    /// Channels as they lie in memory.
    pub(super) deep: usize,
    pub(super) wide: usize,
    pub(super) side: usize,
    pub(super) norm: bool,
    pub(super) skip: bool,
    pub(super) places: Places,
    /// Where the weights of the parts begin, and their outputs.
    parts: Vec<(usize, usize)>,
    weights: Buffer,
    turned: Buffer,
    /// Scale, shift, mean and one over the standard deviation.
    pub(super) per: Buffer,
}

/// A network's parameters and layers on a card.
pub(super) struct Layers {
    pub(super) card: Card,
    pub(super) plan: Plan,
    pub(super) shape: Shape,
    /// All tensors, one after the other.
    pub(super) params: Buffer,
    pub(super) list: Vec<Layer>,
    starts: Vec<(String, usize)>,
}

/// Memory of the heads for a batch.
pub(super) struct HeadBuffers {
    pub(super) policy: Buffer,
    pub(super) inputs: Buffer,
    pub(super) best: Buffer,
    pub(super) hidden: Buffer,
    pub(super) logits: Buffer,
    pub(super) values: Buffer,
}

impl Layers {
    pub(super) fn new(
        card: usize,
        weights: &Weights,
        precision: Precision,
        train: bool,
    ) -> Result<Layers, NetError> {
        let card = Card::new(card, precision)?;
        let shape = weights.shape();
        let plan = Plan::new(weights.architecture(), &shape);
        let mut starts = Vec::new();
        let mut flat = Vec::new();
        for tensor in weights.tensors() {
            starts.push((tensor.name.clone(), flat.len()));
            flat.extend_from_slice(&tensor.data);
        }
        let mut params = card.zeros(flat.len())?;
        card.upload(&flat, &mut params)?;
        let start =
            |name: String| starts.iter().find(|(other, _)| *other == name).map_or(0, |(_, at)| *at);
        let mut list = Vec::new();
        let mut deep = shape.planes.next_multiple_of(CHUNK);
        for conv in &plan.convs {
            let wide = conv.cout.next_multiple_of(CHUNK);
            let taps = conv.kernel * conv.kernel;
            let pair = |field: &str, norm: bool| {
                let at = |part: usize| {
                    let part = &conv.parts[part.min(conv.parts.len() - 1)];
                    start(format!("{}.{field}", if norm { &part.norm } else { &part.conv })) as i32
                };
                [at(0), at(1)]
            };
            list.push(Layer {
                cin: conv.cin,
                cout: conv.cout,
                deep,
                wide,
                side: conv.kernel,
                norm: conv.norm,
                skip: conv.skip,
                places: Places {
                    split: conv.parts[0].cout as i32,
                    weight: pair("weight", conv.norm),
                    bias: pair("bias", conv.norm),
                    mean: pair("running_mean", true),
                    variance: pair("running_var", true),
                },
                parts: conv
                    .parts
                    .iter()
                    .map(|part| (start(format!("{}.weight", part.conv)), part.cout))
                    .collect(),
                weights: card.zeros(taps * deep * wide.next_multiple_of(TILE_N))?,
                turned: card.zeros(if train {
                    taps * wide * deep.next_multiple_of(TILE_N)
                } else {
                    0
                })?,
                per: card.zeros(4 * wide)?,
            });
            deep = wide;
        }
        Ok(Layers { card, plan, shape, params, list, starts })
    }

    /// The place of a tensor among the parameters.
    pub(super) fn start(&self, name: &str) -> usize {
        let found = self.starts.iter().find(|(other, _)| other == name);
        found.expect("weights hold every tensor of their plan").1
    }

    /// The address of a tensor.
    pub(super) fn param(&self, name: &str) -> u64 {
        self.params.at(self.start(name))
    }

    /// Where the weights of a convolution's two parts begin (twice the same if it has one).
    pub(super) fn weight_places(&self, layer: usize) -> [usize; 2] {
        let parts = &self.list[layer].parts;
        [parts[0].0, parts[parts.len() - 1].0]
    }

    /// Columns of a board with the zero behind them.
    fn pitch(&self) -> usize {
        self.shape.width + 1
    }

    /// Rows of numbers (cells and zeros) of so many boards.
    pub(super) fn rows(&self, positions: usize) -> usize {
        positions * (self.shape.height + 1) * self.pitch()
    }

    /// Channels of the widest layer in memory.
    pub(super) fn widest(&self) -> usize {
        self.list.iter().map(|layer| layer.deep.max(layer.wide)).max().unwrap_or(CHUNK)
    }

    /// Zeros before the first board.
    fn margin(&self) -> usize {
        self.pitch() + 1
    }

    /// Room for boards of so many channels, with the zeros before and behind them.
    pub(super) fn boards(&self, positions: usize, channels: usize) -> Result<Boards, NetError> {
        let rows = self.rows(positions).next_multiple_of(TILE_M) + 2 * self.margin() + TILE_M;
        Ok(Boards { first: self.margin() * channels, buffer: self.card.zeros(rows * channels)? })
    }

    /// Bytes of shared memory of `conv`.
    fn shared(&self, side: usize) -> usize {
        shared_bytes(if side == 3 { self.margin() } else { 0 }, side)
    }

    /// Brings the packed weights up to date; with `fold`, multiplied by the layer's scale.
    pub(super) fn pack(&self, at: usize, fold: bool, turn: bool) -> Result<(), NetError> {
        let layer = &self.list[at];
        let taps = layer.side * layer.side;
        let mut first = 0;
        for (from, cout) in &layer.parts {
            let numbers = cout * layer.cin * taps;
            self.card.each(
                "pack",
                numbers,
                args![
                    self.params.at(0),
                    *from,
                    *cout,
                    layer.cin,
                    taps,
                    first,
                    if fold { layer.per.at(0) } else { 0u64 },
                    layer.weights.at(0),
                    layer.deep,
                    layer.wide.next_multiple_of(TILE_N),
                    if turn { layer.turned.at(0) } else { 0u64 },
                    layer.wide,
                    layer.deep.next_multiple_of(TILE_N),
                ],
            )?;
            first += cout;
        }
        Ok(())
    }

    /// Scale and shift of a layer, from the running statistics or (`sums`: address and shares) from a batch.
    pub(super) fn normalisation(
        &self,
        at: usize,
        sums: Option<(u64, usize)>,
        count: usize,
    ) -> Result<(), NetError> {
        let layer = &self.list[at];
        let (part, shares) = sums.unwrap_or((0, 0));
        self.card.each(
            "normalisation",
            32 * layer.wide,
            args![
                part,
                shares,
                layer.wide,
                layer.cout,
                count as f32,
                self.params.at(0),
                layer.places,
                layer.norm,
                sums.is_some(),
                crate::train::MOMENTUM,
                crate::cpu::EPSILON,
                layer.per.at(0),
            ],
        )
    }

    /// Runs a convolution forwards, or (`turned`) its gradient backwards.
    pub(super) fn conv(
        &self,
        at: usize,
        turned: bool,
        rows: usize,
        (x, out): (u64, u64),
        (bias, skip, relu): (u64, u64, bool),
    ) -> Result<(), NetError> {
        let layer = &self.list[at];
        let (weights, cin, cout) = if turned {
            (&layer.turned, layer.wide, layer.deep)
        } else {
            (&layer.weights, layer.deep, layer.wide)
        };
        let kernel = if layer.side == 3 { "conv3" } else { "conv1" };
        self.card.launch(
            kernel,
            [rows.div_ceil(TILE_M), cout.div_ceil(TILE_N), 1],
            256,
            self.shared(layer.side),
            args![
                x,
                weights.at(0),
                out,
                bias,
                skip,
                rows,
                cin,
                cout,
                self.shape.height,
                self.shape.width,
                relu
            ],
        )
    }

    /// Planes of a batch as boards.
    pub(super) fn input(&self, positions: usize, planes: u64, to: u64) -> Result<(), NetError> {
        let rows = self.rows(positions);
        let deep = self.list[0].deep;
        let Shape { planes: channels, height, width } = self.shape;
        self.card.each(
            "planes",
            rows * deep,
            args![planes, to, rows, channels, deep, height, width],
        )
    }

    /// `c = a * b`, with (row, column) strides.
    pub(super) fn product(
        &self,
        (a, a_strides): (u64, (usize, usize)),
        (b, b_strides): (u64, (usize, usize)),
        (bias, relu): (u64, bool),
        c: u64,
        (m, n, k): (usize, usize, usize),
    ) -> Result<(), NetError> {
        self.card.launch(
            "product",
            [m.div_ceil(64), n.div_ceil(64), 1],
            256,
            0,
            args![
                a,
                a_strides.0,
                a_strides.1,
                b,
                b_strides.0,
                b_strides.1,
                bias,
                c,
                n,
                m,
                n,
                k,
                relu
            ],
        )
    }

    pub(super) fn head_buffers(&self, positions: usize) -> Result<HeadBuffers, NetError> {
        let (card, plan, cells) = (&self.card, &self.plan, self.shape.cells());
        Ok(HeadBuffers {
            policy: card.zeros(positions * plan.policy * cells)?,
            inputs: card.zeros(positions * plan.value_inputs(cells))?,
            best: card.zeros(positions * plan.value)?,
            hidden: card.zeros(positions * plan.hidden)?,
            logits: card.zeros(positions * cells)?,
            values: card.zeros(positions)?,
        })
    }

    /// Logits and values from the last convolution's output.
    pub(super) fn heads(
        &self,
        positions: usize,
        h: u64,
        buffers: &HeadBuffers,
    ) -> Result<(), NetError> {
        let (plan, cells) = (&self.plan, self.shape.cells());
        let Shape { height, width, .. } = self.shape;
        let channels = self.list.last().map_or(0, |layer| layer.wide);
        let (p, v) = (plan.policy, plan.value);
        match plan.head {
            Head::Dense => {
                let numbers = positions * (p + v) * cells;
                let (policy, inputs) = (buffers.policy.at(0), buffers.inputs.at(0));
                self.card.each(
                    "gather",
                    numbers,
                    args![h, policy, inputs, positions, channels, p, v, height, width],
                )?;
                self.product(
                    (policy, (p * cells, 1)),
                    (self.param("policy.dense.weight"), (1, p * cells)),
                    (self.param("policy.dense.bias"), false),
                    buffers.logits.at(0),
                    (positions, cells, p * cells),
                )?;
            }
            Head::Pooled => {
                let (weight, bias) =
                    (self.param("policy.logit.weight"), self.param("policy.logit.bias"));
                self.card.launch(
                    "pool",
                    [positions, 1, 1],
                    128,
                    0,
                    args![
                        h,
                        weight,
                        bias,
                        buffers.logits.at(0),
                        buffers.inputs.at(0),
                        buffers.best.at(0),
                        channels,
                        p,
                        v,
                        height,
                        width
                    ],
                )?;
            }
        }
        let inputs = plan.value_inputs(cells);
        self.product(
            (buffers.inputs.at(0), (inputs, 1)),
            (self.param("value.dense1.weight"), (1, inputs)),
            (self.param("value.dense1.bias"), true),
            buffers.hidden.at(0),
            (positions, plan.hidden, inputs),
        )?;
        self.card.each(
            "value_of",
            positions * 32,
            args![
                buffers.hidden.at(0),
                self.param("value.dense2.weight"),
                self.param("value.dense2.bias"),
                buffers.values.at(0),
                positions,
                plan.hidden
            ],
        )
    }
}

/// Boards of a batch on the card.
pub(super) struct Boards {
    buffer: Buffer,
    first: usize,
}

impl Boards {
    /// The first cell of the first board.
    pub(super) fn at(&self) -> u64 {
        self.buffer.at(self.first)
    }
}
