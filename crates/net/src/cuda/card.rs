//! A card with its kernels, and memory on it.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

use cudarc::driver::sys::CUfunction_attribute_enum::CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES;
use cudarc::driver::{
    CudaContext, CudaFunction, CudaModule, CudaSlice, CudaStream, DevicePtr, DeviceRepr,
    DriverError, LaunchConfig, PushKernelArg,
};
use cudarc::nvrtc::{CompileOptions, compile_ptx_with_opts};

use super::layers::shared_bytes;
use crate::architecture::MAX_SIDE;
use crate::error::NetError;

const SOURCE: &str = concat!(include_str!("conv.cu"), include_str!("layers.cu"));

const KERNELS: [&str; 23] = [
    "conv3",
    "conv1",
    "gradient3",
    "gradient1",
    "add_shares",
    "pack",
    "planes",
    "moments",
    "normalisation",
    "activate",
    "mask",
    "channel_gradients",
    "normalised",
    "product",
    "column_sums",
    "gather",
    "scatter",
    "pool",
    "unpool",
    "value_of",
    "loss",
    "unvalue",
    "adam",
];

impl From<DriverError> for NetError {
    fn from(error: DriverError) -> NetError {
        NetError::Device(format!("CUDA: {error}"))
    }
}

/// How exactly a card multiplies.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default)]
pub enum Precision {
    /// Tensor cores with ten bits of mantissa and sums in `f32`: fast, and enough to play and to train.
    #[default]
    Tf32,
    /// Nearly `f32`: three products of tensor cores for one.
    Full,
}

/// Places of a layer's tensors per channel, as the kernels take them.
#[derive(Debug, Clone, Copy, Default)]
#[repr(C)]
pub(super) struct Places {
    pub(super) split: i32,
    pub(super) weight: [i32; 2],
    pub(super) bias: [i32; 2],
    pub(super) mean: [i32; 2],
    pub(super) variance: [i32; 2],
}

// SAFETY: nine integers, laid out as the struct of the same name in `layers.cu`.
unsafe impl DeviceRepr for Places {}

/// An argument of a kernel.
#[derive(Debug, Clone, Copy)]
pub(super) enum Arg {
    /// An address on the card, or zero.
    At(u64),
    Int(i32),
    Float(f32),
    Places(Places),
}

impl From<usize> for Arg {
    fn from(number: usize) -> Arg {
        // Sizes are bounded by the card's memory and checked where buffers are made.
        Arg::Int(number as i32)
    }
}

impl From<bool> for Arg {
    fn from(flag: bool) -> Arg {
        Arg::Int(i32::from(flag))
    }
}

impl From<f32> for Arg {
    fn from(number: f32) -> Arg {
        Arg::Float(number)
    }
}

impl From<u64> for Arg {
    fn from(address: u64) -> Arg {
        Arg::At(address)
    }
}

impl From<Places> for Arg {
    fn from(places: Places) -> Arg {
        Arg::Places(places)
    }
}

/// Zeroed memory on a card.
pub(super) struct Buffer {
    pub(super) slice: CudaSlice<f32>,
    address: u64,
}

impl Buffer {
    /// The address of a number.
    pub(super) fn at(&self, number: usize) -> u64 {
        debug_assert!(number <= self.slice.len());
        self.address + 4 * number as u64
    }
}

/// A card, its only stream, and the kernels.
pub(super) struct Card {
    stream: Arc<CudaStream>,
    kernels: BTreeMap<&'static str, CudaFunction>,
}

/// True if the driver and the compiler library can be loaded.
pub(super) fn libraries() -> bool {
    // SAFETY: only looks whether the libraries load.
    unsafe { cudarc::driver::sys::is_culib_present() && cudarc::nvrtc::sys::is_culib_present() }
}

impl Card {
    pub(super) fn new(number: usize, precision: Precision) -> Result<Card, NetError> {
        if !libraries() {
            return Err(NetError::Device(
                "CUDA: libcuda or libnvrtc is not there; install the driver and the CUDA toolkit, or use `cpu`".to_owned(),
            ));
        }
        let (context, module) = module(number, precision)?;
        let mut kernels = BTreeMap::new();
        for name in KERNELS {
            kernels.insert(name, module.load_function(name)?);
        }
        Ok(Card { stream: context.new_stream()?, kernels })
    }

    pub(super) fn zeros(&self, numbers: usize) -> Result<Buffer, NetError> {
        if numbers > i32::MAX as usize * 4 {
            return Err(NetError::Device(format!(
                "{numbers} numbers in one buffer: the batch is too large"
            )));
        }
        let slice = self.stream.alloc_zeros::<f32>(numbers.max(1))?;
        let address = slice.device_ptr(&self.stream).0;
        Ok(Buffer { slice, address })
    }

    pub(super) fn upload(&self, from: &[f32], to: &mut Buffer) -> Result<(), NetError> {
        Ok(self.stream.memcpy_htod(from, &mut to.slice.slice_mut(..from.len()))?)
    }

    /// Reads the first numbers of a buffer, when all that was launched is done.
    pub(super) fn download(&self, from: &Buffer, to: &mut [f32]) -> Result<(), NetError> {
        self.stream.memcpy_dtoh(&from.slice.slice(..to.len()), to)?;
        Ok(self.stream.synchronize()?)
    }

    /// Launches a kernel of blocks of threads.
    ///
    /// Every caller in this folder passes what the kernel's declaration asks for, with buffers that hold the
    /// extents it passes.
    pub(super) fn launch(
        &self,
        kernel: &str,
        blocks: [usize; 3],
        threads: usize,
        shared: usize,
        args: &[Arg],
    ) -> Result<(), NetError> {
        let config = LaunchConfig {
            grid_dim: (blocks[0] as u32, blocks[1] as u32, blocks[2] as u32),
            block_dim: (threads as u32, 1, 1),
            shared_mem_bytes: shared as u32,
        };
        let mut launch = self.stream.launch_builder(&self.kernels[kernel]);
        for arg in args {
            match arg {
                Arg::At(address) => launch.arg(address),
                Arg::Int(number) => launch.arg(number),
                Arg::Float(number) => launch.arg(number),
                Arg::Places(places) => launch.arg(places),
            };
        }
        // SAFETY: arguments and extents are those of the kernel, see above.
        unsafe { launch.launch(config) }?;
        Ok(())
    }

    /// A kernel with a thread for each of so many numbers.
    pub(super) fn each(&self, kernel: &str, numbers: usize, args: &[Arg]) -> Result<(), NetError> {
        self.launch(kernel, [numbers.div_ceil(256), 1, 1], 256, 0, args)
    }
}

/// A card's context with the kernels loaded.
type Loaded = (Arc<CudaContext>, Arc<CudaModule>);

/// Kernels compiled so far: networks come and go while a program trains.
static LOADED: Mutex<BTreeMap<(usize, Precision), Loaded>> = Mutex::new(BTreeMap::new());

/// The kernels for a card, compiled at the first call.
fn module(number: usize, precision: Precision) -> Result<Loaded, NetError> {
    let mut loaded = LOADED.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(loaded) = loaded.get(&(number, precision)) {
        return Ok(loaded.clone());
    }
    let context = CudaContext::new(number)?;
    let (major, minor) = context.compute_capability()?;
    if major < 8 {
        return Err(NetError::Device(format!(
            "CUDA: {} has compute capability {major}.{minor}; 8.0 or later is wanted",
            context.name()?
        )));
    }
    // SAFETY: a buffer is used on the one stream of its card, in order; there is nothing to track.
    unsafe { context.disable_event_tracking() };
    let mut flags = vec![format!("--gpu-architecture=compute_{major}{minor}")];
    if precision == Precision::Full {
        flags.push("-DFULL_PRECISION".to_owned());
    }
    let options = CompileOptions { options: flags, ..CompileOptions::default() };
    let code = compile_ptx_with_opts(SOURCE, options)
        .map_err(|error| NetError::Device(format!("CUDA: the kernels do not compile: {error}")))?;
    let module = context.load_module(code)?;
    // As much as the widest board needs: more than kernels get unasked.
    let most = shared_bytes(MAX_SIDE + 2, 3) as i32;
    for name in ["conv3", "conv1"] {
        let kernel = module.load_function(name)?;
        kernel.set_attribute(CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, most)?;
    }
    loaded.insert((number, precision), (context.clone(), module.clone()));
    Ok((context, module))
}

/// Arguments of a kernel from numbers of any kind.
macro_rules! args {
    ($($arg:expr),* $(,)?) => {
        &[$($crate::cuda::card::Arg::from($arg)),*]
    };
}
pub(super) use args;
