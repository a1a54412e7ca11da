//! The allocator of the command `sinew`: where memory ends, the process says so and ends with an exit code, in place of
//! an abort. Whoever asks for much in a way that can fail, as sparse factors do, gets the error as ever.
//!
//! This is a crate of its own because an allocator is `unsafe`: the whole of it lies in `allocator.rs` and `end.rs`.
#![deny(unsafe_code)]

#[allow(unsafe_code)]
mod allocator;
#[cfg(unix)]
#[allow(unsafe_code)]
mod end;
#[cfg(unix)]
mod message;

pub use allocator::TellingAllocator;

/// Makes the end for lack of memory a line on stderr and the exit code `code`; elsewhere than on Unix the line of the
/// standard library and its abort stay. To be called once, at the start.
pub fn end_with(code: u8) {
    #[cfg(unix)]
    end::install(code);
    #[cfg(not(unix))]
    let _ = code;
}
