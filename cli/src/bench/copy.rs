//! The measured copy bandwidth of the CPU: the scale for kernels that are bound by memory.

use std::time::Instant;

use rayon::prelude::*;

/// Bytes of each of the two arrays: more than the caches of a server share out to one process.
const BYTES: usize = 128 << 20;
/// Copies, of which the fastest counts; the first one meets memory that is not there yet.
const COPIES: usize = 5;
/// Scalars of a piece that one thread copies at a time.
const CHUNK: usize = 1 << 16;

/// Bytes read and written in a second by a copy on the threads of this pool [bytes/s].
pub(super) fn bandwidth() -> f64 {
    let from = vec![1.0_f64; BYTES / 8];
    let mut to = vec![0.0_f64; BYTES / 8];
    let mut fastest = f64::INFINITY;
    for _ in 0..COPIES {
        let begun = Instant::now();
        let pieces = to.par_chunks_mut(CHUNK).zip(from.par_chunks(CHUNK));
        pieces.for_each(|(to, from)| to.copy_from_slice(from));
        fastest = fastest.min(begun.elapsed().as_secs_f64());
    }
    // A copy that nobody looks at may be left out.
    std::hint::black_box(&to);
    2.0 * BYTES as f64 / fastest
}
