//! Memory on a card for a training step.

use super::card::Buffer;
use super::layers::{Boards, HeadBuffers, Layers};
use crate::error::NetError;

/// Shares of the rows whose sums per channel are made side by side.
pub(super) const SHARES: usize = 1024;

/// Memory for a batch.
pub(super) struct Room {
    pub(super) positions: usize,
    pub(super) planes: Buffer,
    pub(super) policies: Buffer,
    pub(super) outcomes: Buffer,
    pub(super) input: Boards,
    /// Outputs of each layer before and after normalisation and ReLU.
    pub(super) y: Vec<Boards>,
    pub(super) x: Vec<Boards>,
    pub(super) g: Boards,
    pub(super) behind: Boards,
    pub(super) dy: Boards,
    pub(super) sums: Buffer,
    pub(super) coefficients: Buffer,
    pub(super) shares: Buffer,
    pub(super) heads: HeadBuffers,
    pub(super) d_policy: Buffer,
    pub(super) d_inputs: Buffer,
    pub(super) d_hidden: Buffer,
    pub(super) d_value: Buffer,
    pub(super) d_logit: Buffer,
    pub(super) losses: Buffer,
}

impl Room {
    /// Shares of the rows for the gradient of a layer's weights: enough blocks to fill a card.
    pub(super) fn weight_shares(layers: &Layers, layer: usize, rows: usize) -> usize {
        let layer = &layers.list[layer];
        let blocks = layer.side * layer.deep.div_ceil(64) * layer.wide.div_ceil(64);
        (384 / blocks).clamp(1, rows.div_ceil(32))
    }

    pub(super) fn new(layers: &Layers, positions: usize) -> Result<Room, NetError> {
        let Layers { card, plan, shape, list, .. } = layers;
        let (cells, rows) = (shape.cells(), layers.rows(positions));
        let outputs = || {
            let boards = list.iter().map(|layer| layers.boards(positions, layer.wide));
            boards.collect::<Result<Vec<_>, _>>()
        };
        let widest = layers.widest();
        let shares = (0..list.len()).map(|at| {
            let layer = &list[at];
            Room::weight_shares(layers, at, rows)
                * layer.side
                * layer.side
                * layer.deep
                * layer.wide
        });
        Ok(Room {
            positions,
            planes: card.zeros(positions * shape.inputs())?,
            policies: card.zeros(positions * cells)?,
            outcomes: card.zeros(positions)?,
            input: layers.boards(positions, list[0].deep)?,
            y: outputs()?,
            x: outputs()?,
            g: layers.boards(positions, widest)?,
            behind: layers.boards(positions, widest)?,
            dy: layers.boards(positions, widest)?,
            sums: card.zeros(SHARES * 2 * widest)?,
            coefficients: card.zeros(3 * widest)?,
            shares: card.zeros(shares.max().unwrap_or(0))?,
            heads: layers.head_buffers(positions)?,
            d_policy: card.zeros(positions * plan.policy * cells)?,
            d_inputs: card.zeros(positions * plan.value_inputs(cells))?,
            d_hidden: card.zeros(positions * plan.hidden)?,
            d_value: card.zeros(positions)?,
            d_logit: card.zeros(positions * (plan.policy + 1))?,
            losses: card.zeros(3 * positions)?,
        })
    }
}
