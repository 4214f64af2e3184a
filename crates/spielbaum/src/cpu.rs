//! Whether this CPU can run this build.
//!
//! The build targets x86-64-v3, so `is_x86_feature_detected!` is a constant here and of no
//! use: the question has to be put to the CPU itself. And the answer has to be given in
//! instructions an older CPU has: bits and a fixed text, nothing that is built or copied.

/// What is said on a CPU that is too old.
pub(crate) const TOO_OLD: &str = "\
error: this build of spielbaum needs a CPU of the level x86-64-v3, about 2013 and
later: AVX2, BMI1, BMI2, FMA, LZCNT and MOVBE. This CPU lacks some of them.

Build it for an older CPU with
    RUSTFLAGS=\"-C target-cpu=x86-64\" cargo build --release
or for exactly this one with
    RUSTFLAGS=\"-C target-cpu=native\" cargo build --release
";

/// Bits that `cpuid` must show (Intel SDM vol. 2A, CPUID): leaf 1 ECX, leaf 7 EBX and
/// leaf 0x8000_0001 ECX.
#[cfg(any(target_arch = "x86_64", test))]
mod bits {
    pub(super) const FMA: u32 = 1 << 12;
    pub(super) const MOVBE: u32 = 1 << 22;
    /// The system saves the wide registers.
    pub(super) const OSXSAVE: u32 = 1 << 27;
    pub(super) const BMI1: u32 = 1 << 3;
    pub(super) const AVX2: u32 = 1 << 5;
    pub(super) const BMI2: u32 = 1 << 8;
    pub(super) const LZCNT: u32 = 1 << 5;
}

/// Whether this CPU has what this build uses.
#[cfg(all(target_arch = "x86_64", target_feature = "avx2"))]
pub(crate) fn is_able() -> bool {
    use std::arch::x86_64::__cpuid;
    let (basic, extended) = (__cpuid(0).eax, __cpuid(0x8000_0000).eax);
    basic >= 7
        && extended >= 0x8000_0001
        && is_enough(__cpuid(1).ecx, __cpuid(7).ebx, __cpuid(0x8000_0001).ecx)
}

/// Builds for other targets need nothing special.
#[cfg(not(all(target_arch = "x86_64", target_feature = "avx2")))]
pub(crate) fn is_able() -> bool {
    true
}

#[cfg(any(target_arch = "x86_64", test))]
fn is_enough(basic: u32, extended: u32, amd: u32) -> bool {
    let all = |register: u32, bits: u32| register & bits == bits;
    all(basic, bits::FMA | bits::MOVBE | bits::OSXSAVE)
        && all(extended, bits::BMI1 | bits::AVX2 | bits::BMI2)
        && all(amd, bits::LZCNT)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_bit_is_needed() {
        assert!(is_enough(u32::MAX, u32::MAX, u32::MAX));
        for bit in [bits::FMA, bits::MOVBE] {
            assert!(!is_enough(!bit, u32::MAX, u32::MAX));
        }
        for bit in [bits::BMI1, bits::AVX2, bits::BMI2] {
            assert!(!is_enough(u32::MAX, !bit, u32::MAX));
        }
        assert!(!is_enough(u32::MAX, u32::MAX, !bits::LZCNT));
        // Ivy Bridge, 2012: AVX, but none of the six.
        assert!(!is_enough(0x7fba_e3ff & !(bits::FMA | bits::MOVBE), 0x281, 0x1));
    }

    #[test]
    fn this_cpu_runs_its_own_build() {
        assert!(is_able());
    }

    #[test]
    fn who_cannot_run_it_is_told_how_to_build() {
        assert!(TOO_OLD.starts_with("error: "));
        assert!(TOO_OLD.contains("target-cpu=x86-64\" cargo build --release"));
    }
}
