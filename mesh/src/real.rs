//! The scalar that elements and materials are written over, so that one source serves f64 on the
//! CPU and f32 as the twin of the WGSL kernels.

/// f32 or f64.
pub trait Real: nalgebra::RealField + Copy {}

impl Real for f32 {}
impl Real for f64 {}

/// The constant `x` in the scalar type `T`.
#[inline(always)]
pub fn lit<T: Real>(x: f64) -> T {
    nalgebra::convert(x)
}
