//! Kernels of wgsl/solve.

use super::{Kernel, StructLayout};

/// Kernels of this file.
pub(super) const KERNELS: &[Kernel] = &[];

/// Layouts of this file.
pub(super) const LAYOUTS: &[StructLayout] = &[];
