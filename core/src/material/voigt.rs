//! Voigt form of symmetric tensors: 6-vectors and 6 x 6 matrices of tensor components (no factors
//! of 2), in the order xx, yy, zz, xy, yz, xz.

use nalgebra::{Matrix3, Matrix6, Vector6};

use crate::Real;

/// Row and column of each Voigt component.
pub const VOIGT: [(usize, usize); 6] = [(0, 0), (1, 1), (2, 2), (0, 1), (1, 2), (0, 2)];

/// Components of a symmetric tensor in Voigt order.
#[inline(always)]
pub fn to_voigt<T: Real>(a: &Matrix3<T>) -> Vector6<T> {
    Vector6::new(a.m11, a.m22, a.m33, a.m12, a.m23, a.m13)
}

/// The symmetric tensor with these components.
#[inline(always)]
pub fn from_voigt<T: Real>(v: &Vector6<T>) -> Matrix3<T> {
    Matrix3::new(v[0], v[3], v[5], v[3], v[1], v[4], v[5], v[4], v[2])
}

/// lambda I⊗I + 2 mu 𝕀, with 𝕀 the symmetric identity of fourth order.
#[inline(always)]
pub(super) fn isotropic<T: Real>(lambda: T, mu: T) -> Matrix6<T> {
    let mut d = Matrix6::zeros();
    for i in 0..3 {
        for j in 0..3 {
            d[(i, j)] = lambda;
        }
        d[(i, i)] = lambda + mu + mu;
        d[(i + 3, i + 3)] = mu;
    }
    d
}

/// (b⊙b)_ijkl = b_ik b_jl + b_il b_jk (twice the push-forward of 𝕀).
#[inline(always)]
pub(super) fn double_product<T: Real>(b: &Matrix3<T>) -> Matrix6<T> {
    Matrix6::from_fn(|r, c| {
        let ((i, j), (k, l)) = (VOIGT[r], VOIGT[c]);
        b[(i, k)] * b[(j, l)] + b[(i, l)] * b[(j, k)]
    })
}

/// A - I tr A / 3.
#[inline(always)]
pub(super) fn deviator<T: Real>(a: &Matrix3<T>) -> Matrix3<T> {
    a - Matrix3::from_diagonal_element(a.trace() * crate::lit::<T>(1.0 / 3.0))
}
