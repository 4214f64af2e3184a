//! Networks on a graphics card, by own kernels: the driver and its compiler library (NVRTC) are loaded
//! at run time, nothing of CUDA is needed to build.
//!
//! Convolutions run on tensor cores in TF32 (ten bits of mantissa, sums in f32), as PyTorch's do by
//! default; so results differ from the processor's in the third digit ([`Precision::Full`]: the fifth). Sums have a fixed order: on one
//! card the same input gives the same bits.
#![allow(unsafe_code)]

mod card;
mod layers;
mod net;
mod room;
mod trainer;

pub use card::Precision;
pub use net::GpuNet;
pub use trainer::GpuTrainer;

/// Cards that can be used.
pub(crate) fn count() -> usize {
    if !card::libraries() {
        return 0;
    }
    cudarc::driver::CudaContext::device_count().map_or(0, |count| count.max(0) as usize)
}
