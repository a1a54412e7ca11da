//! Vectors of three scalars as the levels keep them: single precision, one register of four lanes.
//! The fourth lane means nothing; no other lane depends on it.

use wide::f32x4;

use crate::{Mat3, Vec3};

/// Three scalars and a lane that means nothing.
pub(super) type Lanes = f32x4;

/// Zero.
pub(super) const ZERO: Lanes = f32x4::ZERO;

/// Three scalars.
#[inline(always)]
pub(super) fn new(v: [f32; 3]) -> Lanes {
    f32x4::from([v[0], v[1], v[2], 0.0])
}

/// `v` times `scale`, rounded.
#[inline(always)]
pub(super) fn round(v: &Vec3, scale: f64) -> Lanes {
    new([0, 1, 2].map(|k| (v[k] * scale) as f32))
}

/// The vector in double precision.
#[inline(always)]
pub(super) fn widen(v: Lanes) -> Vec3 {
    let [x, y, z, _] = v.to_array();
    Vec3::new(x.into(), y.into(), z.into())
}

/// The columns of a matrix, rounded.
#[inline(always)]
pub(super) fn round_columns(m: &Mat3) -> [Lanes; 3] {
    [0, 1, 2].map(|c| round(&m.column(c).into_owned(), 1.0))
}

/// The product of a matrix, as its columns, with `v`.
#[inline(always)]
pub(super) fn product(columns: [Lanes; 3], v: Lanes) -> Lanes {
    let [a, b, c] = columns;
    let [x, y, z, _] = v.to_array();
    a * f32x4::splat(x) + b * f32x4::splat(y) + c * f32x4::splat(z)
}

/// The product of the block that `values` starts with, column by column, with `v`. Each column is
/// read as four, so that three scalars beyond the block are read too. (Without arrays of lanes,
/// which would go through memory.)
///
/// # Panics
/// When there are fewer than twelve values.
#[inline(always)]
pub(super) fn product_of_block(values: &[f32], v: Lanes) -> Lanes {
    let column = |k: usize| {
        f32x4::from(*values[k..].first_chunk::<4>().expect("three scalars follow a block"))
    };
    let [x, y, z, _] = v.to_array();
    column(0) * f32x4::splat(x) + column(3) * f32x4::splat(y) + column(6) * f32x4::splat(z)
}

/// a s.
#[inline(always)]
pub(super) fn scale(a: Lanes, s: f32) -> Lanes {
    a * f32x4::splat(s)
}

/// Sum of the three scalars.
#[inline(always)]
pub(super) fn sum(v: Lanes) -> f32 {
    let [x, y, z, _] = v.to_array();
    x + y + z
}
