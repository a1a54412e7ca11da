//! Common part of the laws of Fung and Guccione: W = C/2 (exp Q - 1), Q quadratic in a strain along
//! the axes of the material.

use nalgebra::{Matrix3, Matrix6};

use super::voigt;
use crate::{Real, lit};

/// W = C/2 (exp Q - 1), Q = Σ A_ij e_ii e_jj + B12 e12² + B23 e23² + B13 e13².
#[derive(Clone, Copy, Debug)]
pub(super) struct Exponential<T: Real> {
    c: T,
    a: Matrix3<T>,
    /// Half of B12, B23, B13.
    b: [T; 3],
}

impl<T: Real> Exponential<T> {
    /// From C; A11, A22, A33, A12, A23, A13; B12, B23, B13.
    pub(super) fn unpack(packed: &[f64]) -> Self {
        let p: [T; 10] = std::array::from_fn(|k| lit(packed[k]));
        let a = Matrix3::new(p[1], p[4], p[6], p[4], p[2], p[5], p[6], p[5], p[3]);
        let half = lit::<T>(0.5);
        Self { c: p[0], a, b: [p[7] * half, p[8] * half, p[9] * half] }
    }

    /// Half the derivative of Q at a strain along the axes: linear in the strain.
    #[inline(always)]
    fn half_slope(&self, e: &Matrix3<T>) -> Matrix3<T> {
        let d = self.a * e.diagonal();
        let [xy, yz, xz] = [self.b[0] * e.m12, self.b[1] * e.m23, self.b[2] * e.m13];
        Matrix3::new(d.x, xy, xz, xy, d.y, yz, xz, yz, d.z)
    }

    /// W at a strain along the axes.
    #[inline(always)]
    pub(super) fn energy(&self, e: &Matrix3<T>) -> T {
        self.half_slope(e).dot(e).exp_m1() * self.c * lit(0.5)
    }

    /// dW/de.
    #[inline(always)]
    pub(super) fn stress(&self, e: &Matrix3<T>) -> Matrix3<T> {
        let slope = self.half_slope(e);
        slope * (slope.dot(e).exp() * self.c)
    }

    /// d²W/de² with F pushing forward: F (d²W/de² : (Fᵀ x F)) Fᵀ for every symmetric x.
    #[inline(always)]
    pub(super) fn modulus(&self, e: &Matrix3<T>, f: &Matrix3<T>) -> Matrix6<T> {
        let slope = self.half_slope(e);
        let scale = slope.dot(e).exp() * self.c;
        voigt::of_map(|x| {
            let x = f.transpose() * x * f;
            let along = slope * (slope.dot(&x) * lit(2.0));
            voigt::pushed(f, &(along + self.half_slope(&x))) * scale
        })
    }
}
