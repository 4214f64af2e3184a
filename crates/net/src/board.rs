//! How a board lies in memory: blocks of sixteen channels, cells with a margin of zeros around them.

/// Channels of a block: a vector of AVX-512, two of AVX2.
pub(crate) const LANES: usize = 16;

/// A board with its margin.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Board {
    pub(crate) height: usize,
    pub(crate) width: usize,
}

impl Board {
    /// Numbers of one row.
    pub(crate) const fn pitch(self) -> usize {
        (self.width + 2) * LANES
    }

    /// Numbers of one block of channels.
    pub(crate) const fn block(self) -> usize {
        (self.height + 2) * self.pitch()
    }

    /// Numbers of so many channels, whole blocks.
    pub(crate) const fn size(self, channels: usize) -> usize {
        channels.div_ceil(LANES) * self.block()
    }

    pub(crate) const fn cells(self) -> usize {
        self.height * self.width
    }

    /// Where the lanes of a cell begin within a block.
    pub(crate) const fn at(self, row: usize, column: usize) -> usize {
        (row + 1) * self.pitch() + (column + 1) * LANES
    }

    /// The cells of each row, as ranges within a block.
    pub(crate) fn rows(self) -> impl Iterator<Item = std::ops::Range<usize>> {
        (0..self.height).map(move |row| self.at(row, 0)..self.at(row, self.width))
    }

    /// Writes planes (plane by plane, row by row) into the cells; the margin is left alone.
    pub(crate) fn pack(self, planes: &[f32], out: &mut [f32]) {
        for (plane, cells) in planes.chunks_exact(self.cells()).enumerate() {
            let block = plane / LANES * self.block() + plane % LANES;
            for (row, numbers) in cells.chunks_exact(self.width).enumerate() {
                let lanes = &mut out[block + self.at(row, 0)..];
                for (lane, number) in lanes.iter_mut().step_by(LANES).zip(numbers) {
                    *lane = *number;
                }
            }
        }
    }

    /// Reads one channel, cell by cell.
    pub(crate) fn channel(self, blocks: &[f32], channel: usize, out: &mut [f32]) {
        let block = channel / LANES * self.block() + channel % LANES;
        for (row, cells) in out.chunks_exact_mut(self.width).enumerate() {
            let lanes = &blocks[block + self.at(row, 0)..];
            for (cell, lane) in cells.iter_mut().zip(lanes.iter().step_by(LANES)) {
                *cell = *lane;
            }
        }
    }
}
