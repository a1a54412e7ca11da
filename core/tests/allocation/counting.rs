//! The allocator of this binary, which counts what each thread takes, and what all threads of a pool take.

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Barrier, Mutex, PoisonError};

/// Counts by thread: those of the test harness take memory as they like.
struct Counting;

thread_local! {
    static TAKEN: Cell<usize> = const { Cell::new(0) };
    static IS_IN_POOL: Cell<bool> = const { Cell::new(false) };
}

static TAKEN_IN_POOL: AtomicUsize = AtomicUsize::new(0);
/// One pool at a time is counted.
static POOL: Mutex<()> = Mutex::new(());

// SAFETY: every call is handed on to the allocator of the system, unchanged.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        // Nothing to count for a thread that ends.
        let _ = TAKEN.try_with(|taken| taken.set(taken.get() + 1));
        if IS_IN_POOL.try_with(Cell::get).unwrap_or(false) {
            TAKEN_IN_POOL.fetch_add(1, Ordering::Relaxed);
        }
        // SAFETY: the caller keeps the contract of `alloc`.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, place: *mut u8, layout: Layout) {
        // SAFETY: the caller keeps the contract of `dealloc`.
        unsafe { System.dealloc(place, layout) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// Allocations of this thread.
pub(crate) fn taken_here() -> usize {
    TAKEN.get()
}

/// Allocations of all threads of pools that were counted.
pub(crate) fn taken_in_pool() -> usize {
    TAKEN_IN_POOL.load(Ordering::SeqCst)
}

/// Runs `work` on a thread of a pool of two, both of which are counted. Inside the pool: a call from outside passes
/// through rayon's queue, which takes a block of memory every 63 calls.
pub(crate) fn in_pool<T: Send>(work: impl FnOnce() -> T + Send) -> T {
    let _one = POOL.lock().unwrap_or_else(PoisonError::into_inner);
    let pool = rayon::ThreadPoolBuilder::new().num_threads(2);
    let pool = pool.start_handler(|_| IS_IN_POOL.set(true)).build().unwrap();
    pool.install(|| {
        // Both threads have taken work from each other: rayon allots what a thread needs for that
        // when it does so first, and short steps may well be over before the other thread has come.
        let both = Barrier::new(2);
        rayon::join(|| both.wait(), || both.wait());
        work()
    })
}
