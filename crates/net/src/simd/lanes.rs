//! Sixteen numbers side by side, in one, two or four registers.

/// Sixteen lanes. Every method is inlined into a function compiled for its instruction set.
///
/// # Safety
///
/// The methods of an implementation may only run on a machine that has its instruction set;
/// pointers must be good for sixteen numbers (`splat`: one).
pub(super) trait Lanes: Copy {
    unsafe fn zero() -> Self;
    unsafe fn load(from: *const f32) -> Self;
    unsafe fn store(self, to: *mut f32);
    unsafe fn splat(from: *const f32) -> Self;
    /// `self + a * b`.
    unsafe fn fma(self, a: Self, b: Self) -> Self;
    unsafe fn add(self, other: Self) -> Self;
    unsafe fn relu(self) -> Self;
}

/// For any machine; the compiler makes vectors of it.
#[derive(Clone, Copy)]
pub(super) struct Portable([f32; 16]);

impl Portable {
    #[inline(always)]
    fn zip(self, other: Portable, f: impl Fn(f32, f32) -> f32) -> Portable {
        Portable(std::array::from_fn(|lane| f(self.0[lane], other.0[lane])))
    }
}

impl Lanes for Portable {
    #[inline(always)]
    unsafe fn zero() -> Self {
        Portable([0.0; 16])
    }

    #[inline(always)]
    unsafe fn load(from: *const f32) -> Self {
        // SAFETY: good for sixteen numbers; an array of f32 has the alignment of f32.
        Portable(unsafe { *from.cast() })
    }

    #[inline(always)]
    unsafe fn store(self, to: *mut f32) {
        // SAFETY: as for `load`.
        unsafe { *to.cast() = self.0 }
    }

    #[inline(always)]
    unsafe fn splat(from: *const f32) -> Self {
        // SAFETY: good for one number.
        Portable([unsafe { *from }; 16])
    }

    #[inline(always)]
    unsafe fn fma(self, a: Self, b: Self) -> Self {
        // Without the instruction a fused product would be a slow function.
        self.zip(a.zip(b, |a, b| a * b), |sum, product| sum + product)
    }

    #[inline(always)]
    unsafe fn add(self, other: Self) -> Self {
        self.zip(other, |a, b| a + b)
    }

    #[inline(always)]
    unsafe fn relu(self) -> Self {
        self.zip(self, |a, _| a.max(0.0))
    }
}

#[cfg(target_arch = "x86_64")]
pub(super) use x86::{Avx2, Avx512};

#[cfg(target_arch = "x86_64")]
mod x86 {
    use super::Lanes;
    use std::arch::x86_64::*;

    /// One register of AVX-512.
    #[derive(Clone, Copy)]
    pub(in crate::simd) struct Avx512(__m512);

    // SAFETY (all methods): the caller has AVX-512 and valid pointers, by the trait's contract.
    impl Lanes for Avx512 {
        #[inline(always)]
        unsafe fn zero() -> Self {
            Avx512(unsafe { _mm512_setzero_ps() })
        }

        #[inline(always)]
        unsafe fn load(from: *const f32) -> Self {
            Avx512(unsafe { _mm512_loadu_ps(from) })
        }

        #[inline(always)]
        unsafe fn store(self, to: *mut f32) {
            unsafe { _mm512_storeu_ps(to, self.0) }
        }

        #[inline(always)]
        unsafe fn splat(from: *const f32) -> Self {
            Avx512(unsafe { _mm512_set1_ps(*from) })
        }

        #[inline(always)]
        unsafe fn fma(self, a: Self, b: Self) -> Self {
            Avx512(unsafe { _mm512_fmadd_ps(a.0, b.0, self.0) })
        }

        #[inline(always)]
        unsafe fn add(self, other: Self) -> Self {
            Avx512(unsafe { _mm512_add_ps(self.0, other.0) })
        }

        #[inline(always)]
        unsafe fn relu(self) -> Self {
            Avx512(unsafe { _mm512_max_ps(self.0, _mm512_setzero_ps()) })
        }
    }

    /// Two registers of AVX2.
    #[derive(Clone, Copy)]
    pub(in crate::simd) struct Avx2(__m256, __m256);

    // SAFETY (all methods): the caller has AVX2 and FMA and valid pointers, by the trait's contract.
    impl Lanes for Avx2 {
        #[inline(always)]
        unsafe fn zero() -> Self {
            unsafe { Avx2(_mm256_setzero_ps(), _mm256_setzero_ps()) }
        }

        #[inline(always)]
        unsafe fn load(from: *const f32) -> Self {
            unsafe { Avx2(_mm256_loadu_ps(from), _mm256_loadu_ps(from.add(8))) }
        }

        #[inline(always)]
        unsafe fn store(self, to: *mut f32) {
            unsafe {
                _mm256_storeu_ps(to, self.0);
                _mm256_storeu_ps(to.add(8), self.1);
            }
        }

        #[inline(always)]
        unsafe fn splat(from: *const f32) -> Self {
            let number = unsafe { _mm256_set1_ps(*from) };
            Avx2(number, number)
        }

        #[inline(always)]
        unsafe fn fma(self, a: Self, b: Self) -> Self {
            unsafe { Avx2(_mm256_fmadd_ps(a.0, b.0, self.0), _mm256_fmadd_ps(a.1, b.1, self.1)) }
        }

        #[inline(always)]
        unsafe fn add(self, other: Self) -> Self {
            unsafe { Avx2(_mm256_add_ps(self.0, other.0), _mm256_add_ps(self.1, other.1)) }
        }

        #[inline(always)]
        unsafe fn relu(self) -> Self {
            unsafe {
                let zero = _mm256_setzero_ps();
                Avx2(_mm256_max_ps(self.0, zero), _mm256_max_ps(self.1, zero))
            }
        }
    }
}
