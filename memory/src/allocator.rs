//! The allocator of the system, and the size of what it refused last.

use std::alloc::{GlobalAlloc, Layout, System};
use std::sync::atomic::{AtomicUsize, Ordering};

/// Size below which a refused request is the end [bytes]: memory is used up, and what comes after, the words of a panic
/// among it, asks for more and may wait for itself.
#[cfg(unix)]
const SMALL: usize = 1 << 20;

/// Size of the largest request that was refused [bytes]; 0 where none was.
static REFUSED: AtomicUsize = AtomicUsize::new(0);

/// Size of the largest request that was refused [bytes].
#[cfg(unix)]
pub(crate) fn refused() -> Option<usize> {
    Some(REFUSED.load(Ordering::Relaxed)).filter(|&size| size > 0)
}

/// The allocator of the system, which notes what it refuses and ends the process where it refuses little.
pub struct TellingAllocator;

// SAFETY: every call goes to the allocator of the system with the arguments as they came, and its answer goes back.
// Nothing here allocates or unwinds.
unsafe impl GlobalAlloc for TellingAllocator {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        // SAFETY: as promised by the caller.
        noted(unsafe { System.alloc(layout) }, layout.size())
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        // SAFETY: as promised by the caller.
        noted(unsafe { System.alloc_zeroed(layout) }, layout.size())
    }

    unsafe fn realloc(&self, old: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        // SAFETY: as promised by the caller.
        noted(unsafe { System.realloc(old, layout, size) }, size)
    }

    unsafe fn dealloc(&self, old: *mut u8, layout: Layout) {
        // SAFETY: as promised by the caller.
        unsafe { System.dealloc(old, layout) }
    }
}

/// The answer to a request for `size` bytes.
fn noted(answer: *mut u8, size: usize) -> *mut u8 {
    if answer.is_null() {
        REFUSED.fetch_max(size, Ordering::Relaxed);
        #[cfg(unix)]
        if size < SMALL {
            crate::end::end(REFUSED.load(Ordering::Relaxed));
        }
    }
    answer
}
