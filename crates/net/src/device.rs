//! What the backends have in common.

use std::fmt;
use std::str::FromStr;

use crate::cpu::CpuNet;
use crate::error::NetError;
use crate::tensors::Tensors;
use crate::train::{Optimiser, Trainer};
use crate::weights::Weights;

/// A network that answers positions.
pub trait Forward: Send {
    /// Evaluates `batch` positions: `planes` are batch x planes x rows x columns, `logits` (the
    /// policy before softmax) batch x cells, `values` (after tanh) batch. What a position
    /// gets does not depend on the others of its batch.
    ///
    /// # Panics
    ///
    /// If a slice has another length, or a device fails in the middle.
    fn forward(&mut self, batch: usize, planes: &[f32], logits: &mut [f32], values: &mut [f32]);
}

/// Positions with their targets.
#[derive(Debug, Clone, Copy)]
pub struct Batch<'a> {
    /// Positions x planes x rows x columns.
    pub planes: &'a [f32],
    /// Positions x cells. A row is a distribution, or all zero: then the policy of this position is not trained.
    pub policies: &'a [f32],
    /// One value per position.
    pub values: &'a [f32],
}

/// Means over a batch, with the weights as they were before the step.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Losses {
    /// Mean squared error of the value.
    pub value: f64,
    /// Cross entropy of the policy, in nats.
    pub policy: f64,
    /// Entropy of the network's policy, in nats.
    pub entropy: f64,
}

impl Losses {
    /// The sum that is minimised (without weight decay).
    pub fn total(&self) -> f64 {
        self.value + self.policy
    }
}

/// A network that learns.
pub trait Train: Send {
    /// One step of the optimiser on a batch.
    ///
    /// # Errors
    ///
    /// Targets that do not fit the planes, or a device that failed.
    fn step(&mut self, batch: &Batch<'_>) -> Result<Losses, NetError>;

    /// The weights as they are now.
    ///
    /// # Errors
    ///
    /// A device that failed.
    fn weights(&self) -> Result<Weights, NetError>;

    /// Optimiser and weights, complete: training goes on from there bit for bit.
    ///
    /// # Errors
    ///
    /// A device that failed.
    fn state(&self) -> Result<Tensors, NetError>;

    /// Takes a state of a trainer of the same architecture and shape.
    ///
    /// # Errors
    ///
    /// A state of something else.
    fn restore(&mut self, state: &Tensors) -> Result<(), NetError>;

    /// The learning rate of the next step.
    fn learning_rate(&self) -> f64;

    /// Sets the learning rate of the next step.
    fn set_learning_rate(&mut self, rate: f64);
}

/// Where a network runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Device {
    /// This machine's processor.
    #[default]
    Cpu,
    /// A graphics card, by number; needs a build with the feature `cuda`.
    Cuda(usize),
}

impl Device {
    /// The first graphics card if this build can use one, else the processor.
    pub fn auto() -> Device {
        #[cfg(feature = "cuda")]
        if crate::cuda::count() > 0 {
            return Device::Cuda(0);
        }
        Device::Cpu
    }

    /// Whether this build and this machine have the device.
    ///
    /// # Errors
    ///
    /// They do not.
    pub fn check(self) -> Result<(), NetError> {
        match self {
            Device::Cpu => Ok(()),
            #[cfg(feature = "cuda")]
            Device::Cuda(card) if card < crate::cuda::count() => Ok(()),
            #[cfg(feature = "cuda")]
            Device::Cuda(card) => {
                let cards = crate::cuda::count();
                Err(NetError::Device(format!("there is no card {card}: this machine has {cards}")))
            }
            #[cfg(not(feature = "cuda"))]
            Device::Cuda(_) => Err(no_cuda()),
        }
    }

    /// A network on this device.
    ///
    /// # Errors
    ///
    /// The device is not there.
    pub fn network(self, weights: &Weights) -> Result<Box<dyn Forward>, NetError> {
        match self {
            Device::Cpu => Ok(Box::new(CpuNet::new(weights)?)),
            #[cfg(feature = "cuda")]
            Device::Cuda(card) => Ok(Box::new(crate::cuda::GpuNet::new(card, weights)?)),
            #[cfg(not(feature = "cuda"))]
            Device::Cuda(_) => Err(no_cuda()),
        }
    }

    /// A trainer on this device; `threads` are the processor's.
    ///
    /// # Errors
    ///
    /// The device is not there.
    pub fn trainer(
        self,
        weights: Weights,
        optimiser: Optimiser,
        threads: usize,
    ) -> Result<Box<dyn Train>, NetError> {
        match self {
            Device::Cpu => Ok(Box::new(Trainer::new(weights, optimiser).with_threads(threads))),
            #[cfg(feature = "cuda")]
            Device::Cuda(card) => {
                Ok(Box::new(crate::cuda::GpuTrainer::new(card, weights, optimiser)?))
            }
            #[cfg(not(feature = "cuda"))]
            Device::Cuda(_) => Err(no_cuda()),
        }
    }
}

#[cfg(not(feature = "cuda"))]
fn no_cuda() -> NetError {
    NetError::Device(
        "this build has no CUDA; build with `--features cuda`, or use `cpu`".to_owned(),
    )
}

impl fmt::Display for Device {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Device::Cpu => write!(f, "cpu"),
            Device::Cuda(card) => write!(f, "cuda:{card}"),
        }
    }
}

/// Reads `cpu`, `cuda`, `cuda:1` or `auto`.
impl FromStr for Device {
    type Err = NetError;

    fn from_str(text: &str) -> Result<Device, NetError> {
        let card = text.strip_prefix("cuda:").map(str::parse);
        match (text, card) {
            ("cpu", _) => Ok(Device::Cpu),
            ("auto", _) => Ok(Device::auto()),
            ("cuda", _) => Ok(Device::Cuda(0)),
            (_, Some(Ok(card))) => Ok(Device::Cuda(card)),
            _ => Err(NetError::Device(format!("`{text}` is none of cpu, cuda, cuda:NUMBER, auto"))),
        }
    }
}
