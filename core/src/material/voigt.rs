//! Voigt form of symmetric tensors: 6-vectors and 6 x 6 matrices of tensor components (no factors
//! of 2), in the order xx, yy, zz, xy, yz, xz.

use nalgebra::{Matrix3, Matrix6, Vector6};

use crate::{Real, lit};

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

/// lambda I⊗I + 2 mu 𝕀, with 𝕀 the symmetric identity of fourth order, in the order of [`VOIGT`] and for whole shears.
#[inline(always)]
pub fn isotropic<T: Real>(lambda: T, mu: T) -> Matrix6<T> {
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
    a - Matrix3::from_diagonal_element(a.trace() * lit::<T>(1.0 / 3.0))
}

/// P:c:P with the deviatoric projector P on both sides.
#[inline(always)]
pub(super) fn projected<T: Real>(c: &Matrix6<T>) -> Matrix6<T> {
    let third = lit::<T>(1.0 / 3.0);
    let mean = (c.row(0) + c.row(1) + c.row(2)) * third;
    let middle = (mean[0] + mean[1] + mean[2]) * third;
    Matrix6::from_fn(|i, j| {
        let mut value = c[(i, j)];
        if i < 3 {
            value -= mean[j];
        }
        if j < 3 {
            value -= mean[i];
        }
        if i < 3 && j < 3 {
            value += middle;
        }
        value
    })
}

/// The matrix of a linear map of symmetric tensors, with the symmetries that it has.
#[inline(always)]
pub(super) fn of_map<T: Real>(map: impl Fn(&Matrix3<T>) -> Matrix3<T>) -> Matrix6<T> {
    let mut matrix = Matrix6::zeros();
    for (c, (k, l)) in VOIGT.into_iter().enumerate() {
        // A strain of this component alone: 1, or two halves.
        let mut unit = Matrix3::zeros();
        unit[(k, l)] += lit(0.5);
        unit[(l, k)] += lit(0.5);
        matrix.set_column(c, &to_voigt(&map(&unit)));
    }
    matrix
}

/// F x Fᵀ.
#[inline(always)]
pub(super) fn pushed<T: Real>(f: &Matrix3<T>, x: &Matrix3<T>) -> Matrix3<T> {
    f * x * f.transpose()
}
