//! A part of a batch, with the memory of its positions: one thread at a time works on it.

use std::ops::Range;

use super::Net;
use super::heads::Heads;
use crate::device::{Batch, Losses};
use crate::simd::element::{self, Backward};
use crate::simd::{Epilogue, grad_size, grad_weights};

/// Positions of a group and all that is known of them during a step.
pub(super) struct Group {
    pub(super) range: Range<usize>,
    /// Outputs of each convolution, before normalisation.
    y: Vec<Vec<f32>>,
    /// Inputs of residual blocks, by the layer that made them.
    kept: Vec<Vec<f32>>,
    /// Gradient before the ReLU of the layer at work, a board for each position.
    g: Vec<f32>,
    /// The same behind the residual block at work.
    behind: Vec<f32>,
    x: Vec<f32>,
    dy: Vec<f32>,
    /// Sums per channel: of outputs forwards, of gradients backwards.
    pub(super) sums: Vec<f64>,
    /// Sums of squares forwards, of gradients times centred outputs backwards.
    pub(super) products: Vec<f64>,
    /// Gradient of the weights of the layer at work.
    pub(super) gradient: Vec<f32>,
    pub(super) heads: Heads,
    pub(super) losses: Losses,
}

impl Group {
    pub(super) fn new(net: &Net, range: Range<usize>) -> Group {
        let convs = &net.plan.convs;
        let count = range.len();
        let planes = net.board.size(convs[0].cin);
        let largest = (0..convs.len()).map(|layer| net.size(layer)).max().unwrap_or(0).max(planes);
        let gradient = convs.iter().map(|conv| grad_size(conv.cin, conv.cout, conv.kernel)).max();
        let channels = largest / net.board.block() * crate::board::LANES;
        let kept = |layer| if net.enters_block(layer) { count * net.size(layer) } else { 0 };
        let blocks = convs.iter().any(|conv| conv.skip);
        Group {
            y: (0..convs.len()).map(|layer| vec![0.0; count * net.size(layer)]).collect(),
            kept: (0..convs.len()).map(|layer| vec![0.0; kept(layer)]).collect(),
            g: vec![0.0; count * largest],
            behind: vec![0.0; if blocks { count * largest } else { 0 }],
            x: vec![0.0; largest],
            dy: vec![0.0; largest],
            sums: vec![0.0; channels],
            products: vec![0.0; channels],
            gradient: vec![0.0; gradient.unwrap_or(0)],
            heads: Heads::new(net),
            losses: Losses::default(),
            range,
        }
    }

    pub(super) fn restart(&mut self) {
        self.losses = Losses::default();
        self.heads.restart();
    }

    /// The output of a layer for a position, in `self.x`.
    fn output(&mut self, net: &Net, layer: usize, position: usize) {
        let size = net.size(layer);
        let range = position * size..(position + 1) * size;
        let norm = &net.norms[layer];
        let skip = net.plan.convs[layer].skip.then(|| &self.kept[layer - 2][range.clone()]);
        let y = &self.y[layer][range];
        element::activate(
            net.isa,
            net.board,
            y,
            &norm.scale,
            &norm.shift,
            skip,
            &mut self.x[..size],
        );
    }

    /// What goes into a layer for a position, in `self.x`.
    fn input(&mut self, net: &Net, batch: &Batch<'_>, layer: usize, position: usize) {
        if layer > 0 {
            self.output(net, layer - 1, position);
            return;
        }
        let inputs = net.weights.shape().inputs();
        let planes = &batch.planes[(self.range.start + position) * inputs..][..inputs];
        net.board.pack(planes, &mut self.x);
    }

    /// Runs a convolution and sums up its outputs.
    pub(super) fn forward(&mut self, net: &Net, batch: &Batch<'_>, layer: usize) {
        let (conv, size) = (&net.plan.convs[layer], net.size(layer));
        self.sums.fill(0.0);
        self.products.fill(0.0);
        for position in 0..self.range.len() {
            self.input(net, batch, layer, position);
            if layer > 0 && net.enters_block(layer - 1) {
                let size = net.size(layer - 1);
                self.kept[layer - 1][position * size..][..size].copy_from_slice(&self.x[..size]);
            }
            let y = &mut self.y[layer][position * size..][..size];
            net.forward[layer].apply(net.board, &self.x, y, Epilogue::default());
            if conv.norm {
                element::moments(net.isa, net.board, y, &mut self.sums, &mut self.products);
            }
        }
    }

    /// Losses, gradients of the heads, and the gradient before the last ReLU.
    pub(super) fn heads(&mut self, net: &Net, batch: &Batch<'_>, positions: usize) {
        let layer = net.plan.convs.len() - 1;
        let (size, each) = (net.size(layer), self.g.len() / self.range.len());
        let cells = net.board.cells();
        self.sums.fill(0.0);
        self.products.fill(0.0);
        for position in 0..self.range.len() {
            self.output(net, layer, position);
            let at = self.range.start + position;
            let policy = &batch.policies[at * cells..][..cells];
            let g = &mut self.g[position * each..][..size];
            let share = 1.0 / positions as f32;
            let losses = self.heads.position(net, &self.x, (policy, batch.values[at]), share, g);
            self.losses.value += losses.value;
            self.losses.policy += losses.policy;
            self.losses.entropy += losses.entropy;
            let (mean, y) = (&net.norms[layer].mean, &self.y[layer][position * size..][..size]);
            let (sums, products) = (&mut self.sums, &mut self.products);
            element::mask(net.isa, net.board, &self.x, y, mean, g, sums, products);
        }
    }

    /// Gradient of a layer's weights, and the gradient before the ReLU of the layer below.
    pub(super) fn backward(&mut self, net: &Net, batch: &Batch<'_>, layer: usize, with: &Backward) {
        let (conv, size) = (&net.plan.convs[layer], net.size(layer));
        let each = self.g.len() / self.range.len();
        self.sums.fill(0.0);
        self.products.fill(0.0);
        self.gradient.fill(0.0);
        for position in 0..self.range.len() {
            let g = &mut self.g[position * each..][..each];
            let y = &self.y[layer][position * size..][..size];
            let dy = &mut self.dy[..size];
            element::normalised(net.isa, net.board, g, y, with, dy);
            if conv.skip {
                self.behind[position * each..][..size].copy_from_slice(&g[..size]);
            }
            self.input(net, batch, layer, position);
            let extents = (conv.cin, conv.cout, conv.kernel);
            let (x, dy) = (&self.x, &self.dy);
            grad_weights(net.isa, net.board, extents, x, dy, &mut self.gradient);
            if layer == 0 {
                continue;
            }
            let below = net.size(layer - 1);
            let g = &mut self.g[position * each..][..below];
            let first = net.plan.convs.get(layer + 1).is_some_and(|conv| conv.skip);
            let epilogue = Epilogue {
                skip: first.then(|| &self.behind[position * each..][..below]),
                ..Epilogue::default()
            };
            net.backward[layer].apply(net.board, dy, g, epilogue);
            let (mean, y) =
                (&net.norms[layer - 1].mean, &self.y[layer - 1][position * below..][..below]);
            let (sums, products) = (&mut self.sums, &mut self.products);
            element::mask(net.isa, net.board, x, y, mean, g, sums, products);
        }
    }
}
