//! The volume of an element taken at its centre (F-bar): its pressure in forces and stiffness.

use super::super::factor::StiffnessFactor;
use super::super::geometry::{ElementMatrix, outer_sum};
use super::Sample;
use crate::material::Bulk;
use crate::{Mat3, Vec3};

/// Adds what the volume pulls with: -V U' g_b, and by damping as much as its stiffness without the part of the pressure
/// ([`StiffnessFactor`]); `damped` are velocities of the nodes and the coefficient beta [s].
pub(in super::super) fn add_force<const N: usize>(
    at: &Sample<N>,
    damped: Option<(&[Vec3; N], f64)>,
    bulk: &Bulk<f64>,
    f: &mut [Vec3; N],
) {
    let (pressure, stiffness) = bulk.slopes(at.change);
    let mut turned = Mat3::from_diagonal_element(pressure);
    if let Some((u, beta)) = damped {
        let rate = stiffness * (1.0 + at.change) * outer_sum(&at.gradients, u).trace();
        turned += Mat3::from_diagonal_element(rate * beta);
    }
    for (f, gradient) in f.iter_mut().zip(&at.gradients) {
        *f -= turned * gradient * at.volume;
    }
}

/// Adds V J (J U'' g_a g_b^T + U' (g_a g_b^T - g_b g_a^T)) to the upper blocks.
pub(in super::super) fn add_stiffness<const N: usize>(
    at: &Sample<N>,
    bulk: &Bulk<f64>,
    factor: StiffnessFactor,
    k: &mut ElementMatrix<N>,
) {
    let (pressure, stiffness) = bulk.slopes(at.change);
    let (along, turned) = (
        at.volume * (1.0 + at.change) * stiffness * factor.whole,
        at.volume * pressure * factor.turning,
    );
    let g = &at.gradients;
    for b in 0..N {
        for a in 0..=b {
            let outer = g[a] * g[b].transpose();
            k[a][b] += outer * (along + turned) - outer.transpose() * turned;
        }
    }
}
