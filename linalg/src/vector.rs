//! Vector operations whose result does not depend on the number of threads: partial sums over
//! blocks of fixed length, added in order.

use rayon::prelude::*;

use crate::Vec3;

/// Points a partial sum runs over. Long enough that a task outweighs its scheduling (about 1 us),
/// short enough that 10,000 points make work for several threads.
pub(crate) const CHUNK: usize = 1024;

/// Number of partial sums for `len` points.
pub(crate) fn chunk_count(len: usize) -> usize {
    len.div_ceil(CHUNK)
}

/// Sum of a_i . b_i in the fixed order; `partial` is workspace of [`chunk_count`] entries.
pub(crate) fn dot_with(a: &[Vec3], b: &[Vec3], partial: &mut [f64]) -> f64 {
    (a.par_chunks(CHUNK), b.par_chunks(CHUNK), partial.par_iter_mut())
        .into_par_iter()
        .for_each(|(a, b, sum)| *sum = a.iter().zip(b).map(|(x, y)| x.dot(y)).sum());
    partial.iter().sum()
}

/// Sum of a_i . b_i, in the same order for every number of threads.
pub fn dot(a: &[Vec3], b: &[Vec3]) -> f64 {
    a.chunks(CHUNK)
        .zip(b.chunks(CHUNK))
        .map(|(a, b)| a.iter().zip(b).map(|(x, y)| x.dot(y)).sum::<f64>())
        .sum()
}

/// Euclidean norm of all components.
pub fn norm(a: &[Vec3]) -> f64 {
    dot(a, a).sqrt()
}
