//! The kernels in Rust, statement by statement: the results that a device must reach, up to its
//! contraction of products and sums. For tests, for bisecting, and to run a program without a
//! device; the fast CPU path is elsewhere. One file a kernel, named like it.

pub(crate) mod box_tree;
pub(crate) mod boxes;
pub mod contact;
pub(crate) mod correct;
pub(crate) mod galerkin;
pub(crate) mod level;
pub(crate) mod modes;
pub mod multigrid;
pub(crate) mod reduce;
pub(crate) mod rows;
pub(crate) mod slabs;
pub(crate) mod sliced;
pub mod solve;
pub mod step;

use bytemuck::Pod;

/// Numbers that `real` stands for in a twin: f32 or f64.
pub trait Real:
    Pod
    + Send
    + Sync
    + Default
    + PartialOrd
    + std::fmt::Debug
    + std::ops::Add<Output = Self>
    + std::ops::Sub<Output = Self>
    + std::ops::Mul<Output = Self>
    + std::ops::Div<Output = Self>
    + std::ops::Neg<Output = Self>
    + std::ops::AddAssign
    + std::ops::SubAssign
    + std::ops::MulAssign
{
    /// Rounded to this type.
    fn of(x: f64) -> Self;
    /// Rounded to f32.
    fn to_f32(self) -> f32;
    /// Without loss.
    fn to_f64(self) -> f64;
    /// Square root.
    fn root(self) -> Self;
    /// Neither infinite nor not a number.
    fn finite(self) -> bool;
    /// Runs the twin of this precision.
    fn call(twin: Twin, call: Call<'_, '_, Self>);
}

macro_rules! real {
    ($ty:ty, $precision:ident) => {
        impl Real for $ty {
            #[inline]
            fn of(x: f64) -> Self {
                x as Self
            }
            #[inline]
            fn to_f32(self) -> f32 {
                self as f32
            }
            #[inline]
            fn to_f64(self) -> f64 {
                self as f64
            }
            #[inline]
            fn root(self) -> Self {
                self.sqrt()
            }
            #[inline]
            fn finite(self) -> bool {
                self.is_finite()
            }
            #[inline]
            fn call(twin: Twin, call: Call<'_, '_, Self>) {
                (twin.$precision)(call);
            }
        }
    };
}
real!(f32, single);
real!(f64, double);

/// A buffer as a twin sees it.
#[derive(Debug)]
pub enum Buffer<'a, T> {
    /// u32, read.
    Words(&'a [u32]),
    /// u32, written.
    WordsMut(&'a mut [u32]),
    /// f32, read.
    Floats(&'a [f32]),
    /// f32, written.
    FloatsMut(&'a mut [f32]),
    /// `real`, read.
    Reals(&'a [T]),
    /// `real`, written.
    RealsMut(&'a mut [T]),
}

/// One call of a twin: the parameters as bytes, the number of workgroups, and the buffers of the
/// bindings 1, 2, ... in order.
#[derive(Debug)]
pub struct Call<'a, 'b, T> {
    /// The uniform of binding 0.
    pub params: &'a [u8],
    /// Workgroups.
    pub groups: u64,
    /// Buffers.
    pub buffers: &'a mut [Buffer<'b, T>],
}

impl<T> Call<'_, '_, T> {
    /// The parameters as their struct.
    ///
    /// # Panics
    /// When they are of another size.
    pub fn params<P: Pod>(&self) -> P {
        bytemuck::pod_read_unaligned(self.params)
    }
}

/// A twin in both precisions.
#[derive(Clone, Copy, Debug)]
pub struct Twin {
    /// With `real` = f32.
    pub single: fn(Call<'_, '_, f32>),
    /// With `real` = f64.
    pub double: fn(Call<'_, '_, f64>),
}

/// `twin!(path)`: the [`Twin`] of a function generic over [`Real`].
macro_rules! twin {
    ($path:path) => {
        Some($crate::cpu::Twin { single: $path, double: $path })
    };
}
#[allow(unused_imports)]
pub(crate) use twin;
