//! Vectors of three scalars as the levels keep them: single precision, one register of four lanes.
//! The fourth lane means nothing; no other lane depends on it.

use crate::{Mat3, Vec3};

/// Three scalars and a lane that means nothing.
pub(super) type Lanes = [f32; 4];

/// Zero.
pub(super) const ZERO: Lanes = [0.0; 4];

/// `v` times `scale`, rounded.
#[inline(always)]
pub(super) fn round(v: &Vec3, scale: f64) -> Lanes {
    [(v[0] * scale) as f32, (v[1] * scale) as f32, (v[2] * scale) as f32, 0.0]
}

/// The vector in double precision.
#[inline(always)]
pub(super) fn widen(v: &Lanes) -> Vec3 {
    Vec3::new(v[0].into(), v[1].into(), v[2].into())
}

/// The columns of a matrix times `scale`, rounded.
#[inline(always)]
pub(super) fn round_columns(m: &Mat3, scale: f64) -> [Lanes; 3] {
    [0, 1, 2].map(|c| round(&m.column(c).into_owned(), scale))
}

/// a + b.
#[inline(always)]
pub(super) fn add(a: &Lanes, b: &Lanes) -> Lanes {
    std::array::from_fn(|k| a[k] + b[k])
}

/// a - b.
#[inline(always)]
pub(super) fn subtract(a: &Lanes, b: &Lanes) -> Lanes {
    std::array::from_fn(|k| a[k] - b[k])
}

/// a s.
#[inline(always)]
pub(super) fn scale(a: &Lanes, s: f32) -> Lanes {
    std::array::from_fn(|k| a[k] * s)
}

/// a s + b t.
#[inline(always)]
pub(super) fn combine(a: &Lanes, s: f32, b: &Lanes, t: f32) -> Lanes {
    std::array::from_fn(|k| a[k] * s + b[k] * t)
}

/// The product of a matrix, as its columns, with `v`.
#[inline(always)]
pub(super) fn product(columns: &[Lanes; 3], v: &Lanes) -> Lanes {
    let [a, b, c] = columns;
    std::array::from_fn(|k| a[k] * v[0] + b[k] * v[1] + c[k] * v[2])
}

/// Inner product in double precision.
#[inline(always)]
pub(super) fn dot(a: &Lanes, b: &Lanes) -> f64 {
    (0..3).map(|k| f64::from(a[k]) * f64::from(b[k])).sum()
}

/// Sum of the three scalars.
#[inline(always)]
pub(super) fn sum(v: &Lanes) -> f32 {
    v[0] + v[1] + v[2]
}
