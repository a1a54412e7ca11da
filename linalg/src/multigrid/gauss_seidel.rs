//! Gauss-Seidel sweeps over the points of a level, three scalars at once: forward before the coarse
//! correction, backward after it, which makes the cycle symmetric. (Saad2003, section 4.1; colours of
//! chunks as in Adams2001.) A sweep needs no bound of the spectrum and is a contraction for every
//! positive definite matrix.

use rayon::prelude::*;

use super::lanes::{self, Lanes};
use super::level::Level;
use super::ordering::CHUNK_ROWS;
use crate::vector::CHUNK;

/// Rows of a colour from which its chunks are spread over the threads: fewer are swept in the time
/// that it takes to wake one.
const PARALLEL_FROM: usize = 6 * CHUNK_ROWS;

impl Level {
    /// From x = 0: x = (D + L)^-1 b, L what comes before the diagonal. Reads half of the matrix.
    pub(super) fn sweep_forward(&mut self) {
        let mut x = std::mem::take(&mut self.x);
        for colour in self.ordering.colours.windows(2).map(|c| c[0] as usize..c[1] as usize) {
            let (before, rest) = x.split_at_mut(colour.start);
            for_each_chunk(&mut rest[..colour.len()], |first, own| {
                let first = colour.start + first;
                for i in 0..own.len() {
                    let (far, near) = self.lower.parts(first + i);
                    let known =
                        self.lower.product(far, before, 0) + self.lower.product(near, own, first);
                    own[i] = lanes::product(self.inverse[first + i], self.b[first + i] - known);
                }
            });
        }
        self.x = x;
    }

    /// `r` = b - A x after [`Self::sweep_forward`]: -U x, U what comes after the diagonal. Reads the
    /// other half of the matrix.
    pub(super) fn update_residual(&mut self) {
        let mut r = std::mem::take(&mut self.r);
        r.par_chunks_mut(CHUNK).enumerate().for_each(|(chunk, r)| {
            for (i, r) in r.iter_mut().enumerate() {
                let place = chunk * CHUNK + i;
                *r = lanes::ZERO - self.upper.product(self.upper.row(place), &self.x, 0);
            }
        });
        self.r = r;
    }

    /// One sweep in the opposite order, from any x.
    pub(super) fn sweep_backward(&mut self) {
        let mut x = std::mem::take(&mut self.x);
        for colour in self.ordering.colours.windows(2).rev().map(|c| c[0] as usize..c[1] as usize) {
            let (before, rest) = x.split_at_mut(colour.start);
            let (own, after) = rest.split_at_mut(colour.len());
            for_each_chunk(own, |first, own| {
                let first = colour.start + first;
                for i in (0..own.len()).rev() {
                    let (above, later) = self.upper.parts(first + i);
                    let (earlier, below) = self.lower.parts(first + i);
                    let known = self.upper.product_backward(later, after, colour.end)
                        + self.upper.product_backward(above, own, first)
                        + self.lower.product_backward(below, own, first)
                        + self.lower.product_backward(earlier, before, 0);
                    own[i] = lanes::product(self.inverse[first + i], self.b[first + i] - known);
                }
            });
        }
        self.x = x;
    }
}

/// Calls `sweep` with the start of each chunk of a colour and with its rows, in parallel where there
/// are many: they are not coupled, so that the result is the same.
fn for_each_chunk(rows: &mut [Lanes], sweep: impl Fn(usize, &mut [Lanes]) + Sync) {
    if rows.len() < PARALLEL_FROM {
        rows.chunks_mut(CHUNK_ROWS).enumerate().for_each(|(k, own)| sweep(k * CHUNK_ROWS, own));
    } else {
        let chunks = rows.par_chunks_mut(CHUNK_ROWS).enumerate();
        chunks.for_each(|(k, own)| sweep(k * CHUNK_ROWS, own));
    }
}
