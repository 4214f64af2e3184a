//! Whether this CPU can run this build.
//!
//! The build targets x86-64-v3, so `is_x86_feature_detected!` is a constant here and of no
//! use: the question has to be put to the CPU itself.

/// A bit of a `cpuid` answer: feature, leaf, register, bit (Intel SDM vol. 2A, CPUID).
#[cfg(any(target_arch = "x86_64", test))]
const NEEDED: [(&str, Register, u32); 6] = [
    ("FMA", Register::Basic, 12),
    ("MOVBE", Register::Basic, 22),
    ("BMI1", Register::Extended, 3),
    ("AVX2", Register::Extended, 5),
    ("BMI2", Register::Extended, 8),
    ("LZCNT", Register::Amd, 5),
];

#[cfg(any(target_arch = "x86_64", test))]
#[derive(Clone, Copy, PartialEq, Eq)]
enum Register {
    /// Leaf 1, ECX.
    Basic,
    /// Leaf 7, EBX.
    Extended,
    /// Leaf 0x8000_0001, ECX.
    Amd,
}

/// The features this build needs and the CPU lacks, as a message.
#[cfg(all(target_arch = "x86_64", target_feature = "avx2"))]
pub(crate) fn check() -> Result<(), String> {
    use std::arch::x86_64::__cpuid;
    let (basic, extended) = (__cpuid(0).eax, __cpuid(0x8000_0000).eax);
    let ecx = if basic >= 1 { __cpuid(1).ecx } else { 0 };
    let ebx = if basic >= 7 { __cpuid(7).ebx } else { 0 };
    let amd = if extended >= 0x8000_0001 { __cpuid(0x8000_0001).ecx } else { 0 };
    complain(&missing(ecx, ebx, amd))
}

/// Builds for other targets need nothing special.
#[cfg(not(all(target_arch = "x86_64", target_feature = "avx2")))]
pub(crate) fn check() -> Result<(), String> {
    Ok(())
}

#[cfg(any(target_arch = "x86_64", test))]
fn missing(basic: u32, extended: u32, amd: u32) -> Vec<&'static str> {
    let register = |r| match r {
        Register::Basic => basic,
        Register::Extended => extended,
        Register::Amd => amd,
    };
    let lacks = |&&(_, r, bit): &&(&str, Register, u32)| register(r) & (1 << bit) == 0;
    NEEDED.iter().filter(lacks).map(|&(name, ..)| name).collect()
}

#[cfg(any(target_arch = "x86_64", test))]
fn complain(missing: &[&str]) -> Result<(), String> {
    if missing.is_empty() {
        return Ok(());
    }
    Err(format!(
        "this CPU lacks {}, which this build of spielbaum needs (x86-64-v3, about 2013 and later)\n\
         \n\
         Build it for an older CPU with\n\
         \x20   RUSTFLAGS=\"-C target-cpu=x86-64\" cargo build --release\n\
         or for exactly this one with\n\
         \x20   RUSTFLAGS=\"-C target-cpu=native\" cargo build --release",
        missing.join(", ")
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_old_cpu_is_told_what_it_lacks_and_how_to_build() {
        // Ivy Bridge: AVX without AVX2, BMI and FMA.
        let message = complain(&missing(0x7fba_e3ff & !(1 << 12) & !(1 << 22), 0x281, 0x1))
            .expect_err("lacks all of it");
        for part in ["FMA", "AVX2", "BMI2", "LZCNT", "target-cpu=x86-64\"", "cargo build"] {
            assert!(message.contains(part), "{part}: {message}");
        }
    }

    #[test]
    fn a_complete_cpu_passes() {
        assert!(missing(u32::MAX, u32::MAX, u32::MAX).is_empty());
        assert_eq!(missing(u32::MAX, !(1 << 5), u32::MAX), ["AVX2"]);
    }

    #[test]
    fn this_cpu_runs_its_own_build() {
        assert_eq!(check(), Ok(()));
    }
}
