//! Stiffness of a point: products of the gradients of nodes with stresses, tangents and pressures.

use nalgebra::{Matrix6, Matrix6x3};

use super::geometry::ElementMatrix;
use super::volume::MODES;
use crate::material::voigt_isotropic;
use crate::{Mat3, Vec3};

/// Stress over beta that the stiffness part of Rayleigh damping adds: D : sym l + l sigma, with l the spatial velocity
/// gradient, so that its force is K u; K without what pressures add ([`StiffnessFactor`]).
#[inline(always)]
pub(super) fn damping_stress(l: &Mat3, law: &(Mat3, Matrix6<f64>)) -> Mat3 {
    let rate = nalgebra::Vector6::new(
        l[(0, 0)],
        l[(1, 1)],
        l[(2, 2)],
        l[(0, 1)] + l[(1, 0)],
        l[(1, 2)] + l[(2, 1)],
        l[(0, 2)] + l[(2, 0)],
    );
    let s = law.1 * rate;
    Mat3::new(s[0], s[3], s[5], s[3], s[1], s[4], s[5], s[4], s[2]) + l * law.0
}

/// Adds the stress p I and its tangent p (I⊗I - 2 𝕀).
#[inline(always)]
pub(super) fn add_pressure((stress, tangent): &mut (Mat3, Matrix6<f64>), pressure: f64) {
    *stress += Mat3::from_diagonal_element(pressure);
    *tangent += voigt_isotropic(pressure, -pressure);
}

/// Adds factor times the sum of moduli_kl c_k c_l^T to the upper blocks.
#[inline(always)]
pub(super) fn add_modes<const N: usize>(
    k: &mut ElementMatrix<N>,
    columns: &[[Vec3; N]],
    moduli: &[[f64; MODES]; MODES],
    factor: f64,
) {
    for (row, left) in columns.iter().enumerate() {
        for b in 0..N {
            let right: Vec3 =
                columns.iter().zip(&moduli[row]).map(|(c, modulus)| c[b] * *modulus).sum();
            let right = right.transpose() * factor;
            for a in 0..=b {
                k[a][b] += left[a] * right;
            }
        }
    }
}

/// Adds B_a^T D B_b + (g_a . sigma g_b) I to the upper blocks.
#[inline(always)]
pub(super) fn add_tangent<const N: usize>(
    k: &mut ElementMatrix<N>,
    g: &[Vec3; N],
    stress: &Mat3,
    tangent: &Matrix6<f64>,
) {
    for b in 0..N {
        let db = strain_columns(tangent, &g[b]);
        let sg = stress * g[b];
        for a in 0..=b {
            let geometric = g[a].dot(&sg);
            let block = &mut k[a][b];
            for j in 0..3 {
                let c = db.column(j);
                block[(0, j)] += g[a][0] * c[0] + g[a][1] * c[3] + g[a][2] * c[5];
                block[(1, j)] += g[a][1] * c[1] + g[a][0] * c[3] + g[a][2] * c[4];
                block[(2, j)] += g[a][2] * c[2] + g[a][1] * c[4] + g[a][0] * c[5];
                block[(j, j)] += geometric;
            }
        }
    }
}

/// D B_b for the gradient `g` of node b.
#[inline(always)]
fn strain_columns(d: &Matrix6<f64>, g: &Vec3) -> Matrix6x3<f64> {
    Matrix6x3::from_columns(&[
        d.column(0) * g[0] + d.column(3) * g[1] + d.column(5) * g[2],
        d.column(1) * g[1] + d.column(3) * g[0] + d.column(4) * g[2],
        d.column(2) * g[2] + d.column(4) * g[1] + d.column(5) * g[0],
    ])
}
