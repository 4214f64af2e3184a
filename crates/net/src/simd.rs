//! Vector instructions, chosen at run time. The only unsafe code of the CPU backend.
//!
//! Sums of products run in a fixed order for each output, so a result depends on the instruction
//! set (fused or not) and on nothing else.
#![allow(unsafe_code)]

mod conv;
pub(crate) mod element;
mod grad;
mod lanes;
#[cfg(test)]
mod tests;

pub(crate) use conv::{Epilogue, Kernel};
pub(crate) use grad::{grad_index, grad_size, grad_weights};

use std::fmt;

/// An instruction set that this machine has.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Isa(Kind);

// Private, so that an `Isa` proves that the machine has it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    #[cfg(target_arch = "x86_64")]
    Avx512,
    #[cfg(target_arch = "x86_64")]
    Avx2,
    Portable,
}

impl Isa {
    /// The instruction sets of this machine, best first.
    ///
    /// ```
    /// use spielbaum_net::Isa;
    /// assert_eq!(Isa::all()[0], Isa::best());
    /// assert_eq!(Isa::all().last().unwrap().to_string(), "portable");
    /// ```
    pub fn all() -> Vec<Isa> {
        let mut all = Vec::new();
        #[cfg(target_arch = "x86_64")]
        {
            let fma = is_x86_feature_detected!("avx2") && is_x86_feature_detected!("fma");
            if fma
                && is_x86_feature_detected!("avx512f")
                && is_x86_feature_detected!("avx512vl")
                && is_x86_feature_detected!("avx512dq")
                && is_x86_feature_detected!("avx512bw")
            {
                all.push(Isa(Kind::Avx512));
            }
            if fma {
                all.push(Isa(Kind::Avx2));
            }
        }
        all.push(Isa(Kind::Portable));
        all
    }

    /// The best instruction set of this machine.
    pub fn best() -> Isa {
        Isa::all()[0]
    }

    /// Blocks of output channels computed together, for so many in all.
    fn group(self, blocks: usize) -> usize {
        match self.0 {
            #[cfg(target_arch = "x86_64")]
            Kind::Avx512 if blocks.is_multiple_of(4) => 4,
            #[cfg(target_arch = "x86_64")]
            Kind::Avx512 if blocks.is_multiple_of(2) => 2,
            _ => 1,
        }
    }
}

impl fmt::Display for Isa {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self.0 {
            #[cfg(target_arch = "x86_64")]
            Kind::Avx512 => "avx512",
            #[cfg(target_arch = "x86_64")]
            Kind::Avx2 => "avx2",
            Kind::Portable => "portable",
        })
    }
}
