//! Inference on a card.

use super::card::{Buffer, Precision};
use super::layers::{Boards, HeadBuffers, Layers};
use crate::architecture::Shape;
use crate::device::Forward;
use crate::error::NetError;
use crate::weights::Weights;

/// A network on a graphics card.
pub struct GpuNet {
    layers: Layers,
    room: Option<Room>,
}

/// Memory for batches of up to so many positions.
struct Room {
    positions: usize,
    planes: Buffer,
    boards: [Boards; 3],
    heads: HeadBuffers,
}

impl GpuNet {
    /// A network on the card of this number.
    ///
    /// # Errors
    ///
    /// No such card, no driver, or too little memory.
    pub fn new(card: usize, weights: &Weights) -> Result<GpuNet, NetError> {
        GpuNet::with_precision(card, weights, Precision::default())
    }

    /// A network that multiplies as exactly as asked for.
    ///
    /// # Errors
    ///
    /// No such card, no driver, or too little memory.
    pub fn with_precision(
        card: usize,
        weights: &Weights,
        precision: Precision,
    ) -> Result<GpuNet, NetError> {
        let layers = Layers::new(card, weights, precision, false)?;
        for layer in 0..layers.list.len() {
            layers.normalisation(layer, None, 1)?;
            layers.pack(layer, true, false)?;
        }
        Ok(GpuNet { layers, room: None })
    }

    /// Planes and board.
    pub fn shape(&self) -> Shape {
        self.layers.shape
    }

    /// As [`Forward::forward`], with the card's failures as errors.
    ///
    /// # Errors
    ///
    /// The card failed or its memory is too small for the batch.
    pub fn try_forward(
        &mut self,
        batch: usize,
        planes: &[f32],
        logits: &mut [f32],
        values: &mut [f32],
    ) -> Result<(), NetError> {
        let layers = &self.layers;
        if self.room.as_ref().is_none_or(|room| room.positions < batch) {
            // Room for the largest batch so far, at least doubled when it grows.
            let positions = batch.max(self.room.as_ref().map_or(0, |room| 2 * room.positions));
            self.room = None;
            let widest = layers.widest();
            self.room = Some(Room {
                positions,
                planes: layers.card.zeros(positions * layers.shape.inputs())?,
                boards: [
                    layers.boards(positions, widest)?,
                    layers.boards(positions, widest)?,
                    layers.boards(positions, widest)?,
                ],
                heads: layers.head_buffers(positions)?,
            });
        }
        let Some(room) = &mut self.room else {
            return Ok(());
        };
        layers.card.upload(planes, &mut room.planes)?;
        let [mut now, inner, mut next] = room.boards.each_ref().map(Boards::at);
        layers.input(batch, room.planes.at(0), now)?;
        let rows = layers.rows(batch);
        for (at, layer) in layers.list.iter().enumerate() {
            // The second of the four rows of coefficients is the shift.
            let bias = layer.per.at(layer.wide);
            if layer.skip {
                layers.conv(at, false, rows, (inner, next), (bias, now, true))?;
                std::mem::swap(&mut now, &mut next);
            } else if layers.list.get(at + 1).is_some_and(|layer| layer.skip) {
                layers.conv(at, false, rows, (now, inner), (bias, 0, true))?;
            } else {
                layers.conv(at, false, rows, (now, next), (bias, 0, true))?;
                std::mem::swap(&mut now, &mut next);
            }
        }
        layers.heads(batch, now, &room.heads)?;
        layers.card.download(&room.heads.logits, logits)?;
        layers.card.download(&room.heads.values, values)
    }
}

impl Forward for GpuNet {
    fn forward(&mut self, batch: usize, planes: &[f32], logits: &mut [f32], values: &mut [f32]) {
        let (inputs, cells) = (self.layers.shape.inputs(), self.layers.shape.cells());
        assert_eq!(planes.len(), batch * inputs, "planes: batch x planes x rows x columns");
        assert_eq!(logits.len(), batch * cells, "logits: batch x rows x columns");
        assert_eq!(values.len(), batch, "values: one per position");
        if batch > 0
            && let Err(error) = self.try_forward(batch, planes, logits, values)
        {
            panic!("{error}");
        }
    }
}
