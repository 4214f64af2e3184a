//! Networks with a policy and a value for games on a board of cells: architectures, weight files,
//! inference and training, on the processor and (feature `cuda`) on a graphics card.
//!
//! The crate knows no game: it sees planes of numbers and gives a logit for each cell and a value.

mod architecture;
mod board;
mod cpu;
#[cfg(feature = "cuda")]
mod cuda;
mod device;
mod error;
mod plan;
mod simd;
mod tensors;
mod train;
mod weights;

pub use architecture::{Architecture, Shape};
pub use cpu::CpuNet;
#[cfg(feature = "cuda")]
pub use cuda::{GpuNet, GpuTrainer, Precision};
pub use device::{Batch, Device, Forward, Losses, Train};
pub use error::NetError;
pub use simd::Isa;
pub use tensors::{Tensor, Tensors};
pub use train::{Optimiser, Trainer};
pub use weights::Weights;
