//! One sample, and the numbers that samples are filled with.

use crate::program::Program;
use crate::source::{Law, Precision};

/// A call of one kernel.
#[derive(Clone, Copy, Debug)]
pub struct Sample {
    /// Name of the kernel.
    pub kernel: &'static str,
    /// A program with one list, which calls it.
    pub(crate) program: Make,
    /// Largest difference in f32, relative to the largest entry of a buffer that is written [-]; f64
    /// has 2^-29 of it.
    pub tolerance: f64,
    /// True if reals come from f32 arithmetic in every precision, and so have the tolerance of f32.
    pub mixed: bool,
}

/// Function that makes the program of a sample.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Make {
    /// From the precision alone.
    Plain(fn(Precision) -> Program),
    /// For one law of many.
    OfLaw(Law, fn(Precision, Law) -> Program),
}

impl Sample {
    /// True if it is one of many laws'.
    pub fn is_of_law(&self) -> bool {
        matches!(self.program, Make::OfLaw(..))
    }

    /// A sample of a program of the precision alone, whose reals have its tolerance.
    pub(super) fn plain(
        kernel: &'static str,
        program: fn(Precision) -> Program,
        tolerance: f64,
    ) -> Self {
        Self { kernel, program: Make::Plain(program), tolerance, mixed: false }
    }

    /// The program, in one precision.
    pub fn program(&self, precision: Precision) -> Program {
        match self.program {
            Make::Plain(make) => make(precision),
            Make::OfLaw(law, make) => make(precision, law),
        }
    }
}

/// Reproducible values in (-1, 1), by the linear congruential generator of Knuth's MMIX.
pub fn noise(count: usize, seed: u64) -> Vec<f64> {
    let mut state = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15);
    let mut next = || {
        state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (state >> 40) as f64 / f64::from(1 << 23) - 1.0
    };
    (0..count).map(|_| next()).collect()
}
