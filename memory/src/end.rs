//! The end of a process without memory: a line and an exit code.

use std::sync::atomic::{AtomicI32, Ordering};

use crate::allocator::refused;
use crate::message::lack_of;

/// Code to end with.
static CODE: AtomicI32 = AtomicI32::new(1);

/// Has aborts answered from now on, which the standard library raises where a request is refused that cannot fail.
pub(crate) fn install(code: u8) {
    CODE.store(code.into(), Ordering::Relaxed);
    let handler: extern "C" fn(libc::c_int) = answer;
    // SAFETY: `answer` is a handler of the type that `signal` asks for, and does what a handler may.
    unsafe { libc::signal(libc::SIGABRT, handler as libc::sighandler_t) };
}

/// Ends the process if an allocation was refused; another abort goes on.
extern "C" fn answer(_signal: libc::c_int) {
    if let Some(asked) = refused() {
        end(asked);
    }
}

/// Ends the process for lack of `asked` bytes. It does what a handler of signals may, and no more: `getrusage`, `write`,
/// `_exit`; the line is on the stack.
pub(crate) fn end(asked: usize) -> ! {
    let line = lack_of(asked, peak_memory());
    let bytes = line.bytes();
    // SAFETY: the pointer and the length are those of `line`, which lives until the end.
    unsafe {
        libc::write(libc::STDERR_FILENO, bytes.as_ptr().cast(), bytes.len());
        libc::_exit(CODE.load(Ordering::Relaxed))
    }
}

/// Largest resident memory of the process so far [bytes].
fn peak_memory() -> Option<u64> {
    let mut usage = std::mem::MaybeUninit::<libc::rusage>::uninit();
    // SAFETY: `getrusage` fills the structure where it answers 0, and is read only then.
    let usage = unsafe {
        if libc::getrusage(libc::RUSAGE_SELF, usage.as_mut_ptr()) != 0 {
            return None;
        }
        usage.assume_init()
    };
    // Kilobytes, but for Apple's systems.
    let unit = if cfg!(target_vendor = "apple") { 1 } else { 1024 };
    u64::try_from(usage.ru_maxrss).ok().map(|most| most * unit)
}
