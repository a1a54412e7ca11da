//! Kernels of wgsl/element.

use super::{Kernel, StructLayout};

/// Kernels of this file.
pub(super) const KERNELS: &[Kernel] = &[];

/// Layouts of this file.
pub(super) const LAYOUTS: &[StructLayout] = &[];

/// Text of a law.
pub(super) fn law_text(_law: crate::source::Law) -> &'static [&'static str] {
    &[]
}
