//! Linear elements about their rest shape: the stiffness of volumes of the element alone, and the forces that growth and
//! prestrain leave there. With l the local displacement R^T x - X and G^-1 the deformation at rest, the strain is
//! sym(l_a grad N_a^T G^-1 + G^-1 - I): minus the force is K0 l and a force that does not depend on the motion.

use super::geometry::ElementMatrix;
use super::linear::LinearBatch;
use super::tangent::add_modes;
use super::volume::{MODES, Volume};
use crate::{Mat3, Vec3};

impl<const N: usize, const P: usize> LinearBatch<N, P> {
    /// Adds what volumes of the element alone resist with: kappa times the sum of c_k c_k^T, with c_k the derivatives of
    /// its modes, or kappa V g g^T of the centre.
    pub(super) fn add_volume_stiffness(&self, e: usize, k: &mut ElementMatrix<N>) {
        match &self.volume {
            Some(Volume::Projected(projection)) => {
                let mut columns = [[Vec3::zeros(); N]; MODES];
                for p in 0..P {
                    let point = &self.geometry.points[e][p];
                    let to_space = point.inverse_jacobian.transpose();
                    let gradients = self.geometry.gradients[p].map(|dn| to_space * dn);
                    for (mode, column) in columns.iter_mut().enumerate() {
                        let weight = projection.modes[e][p][mode] * point.volume;
                        column.iter_mut().zip(&gradients).for_each(|(c, g)| *c += g * weight);
                    }
                }
                let moduli = projection.moduli(
                    e,
                    &self.geometry.points[e],
                    &[projection.bulk.of(e).modulus(); P],
                );
                add_modes(k, &columns, &moduli, 1.0);
            }
            Some(Volume::Centre(bulk)) => {
                let to_space = self.geometry.centre_inverse_jacobians[e].transpose();
                let gradients = self.geometry.centre_gradients.map(|dn| to_space * dn);
                let volume: f64 = self.geometry.points[e].iter().map(|point| point.volume).sum();
                let mut moduli = [[0.0; MODES]; MODES];
                moduli[0][0] = bulk.of(e).modulus() * volume;
                add_modes(k, &[gradients], &moduli, 1.0);
            }
            Some(Volume::Nodal(_)) | None => {}
        }
    }

    /// True if the energy of an element is that of its local displacement alone, d · K0 d / 2.
    pub(super) fn is_quadratic(&self) -> bool {
        let apart = matches!(self.volume, Some(Volume::Nodal(_)));
        self.rest_forces.is_empty() && self.memory.is_none() && !apart
    }

    /// That energy [J]: of hexahedra in a quarter of the time of the sum over the points.
    pub(super) fn quadratic_energy(&self, e: usize, q: &[Vec3]) -> f64 {
        let back = self.rotation(e, &self.geometry.displacements(e, q)).transpose();
        let rest = self.geometry.gather(e, &self.geometry.rest);
        let mut d = self.geometry.gather(e, q);
        // Of a motion as a whole nothing is left, not even rounding.
        let shift = back * d[0] - rest[0];
        d.iter_mut().zip(&rest).for_each(|(d, rest)| *d = back * *d - rest - shift);
        let forces = self.stiffness_product(e, &d);
        0.5 * d.iter().zip(&forces).map(|(d, f)| d.dot(f)).sum::<f64>()
    }

    /// Minus the force in the frame of element `e` whose nodes have the local displacement `d`.
    #[inline(always)]
    pub(super) fn local_force(&self, e: usize, d: &[Vec3; N]) -> [Vec3; N] {
        let mut f = self.stiffness_product(e, d);
        if let Some(rest) = self.rest_forces.get(e) {
            f.iter_mut().zip(rest).for_each(|(f, rest)| *f += rest);
        }
        f
    }

    /// Minus the force of element `e` in its rest shape, where growth and prestrain leave stresses.
    pub(super) fn rest_force(&self, e: usize) -> [Vec3; N] {
        let rest = [Vec3::zeros(); N];
        let offsets: [Mat3; P] = std::array::from_fn(|p| {
            self.geometry.offsets.point(e, p).copied().unwrap_or_else(Mat3::zeros)
        });
        let points = &self.geometry.points[e];
        let mut pressure = [0.0; P];
        let mut f = rest;
        match &self.volume {
            Some(Volume::Projected(it)) => {
                let changes = it.project(e, points, &offsets.map(|h| h.trace()));
                pressure = changes.map(|change| it.bulk.of(e).slopes(change).0);
            }
            Some(Volume::Centre(bulk)) => {
                let offset = self.geometry.offsets.centre(e);
                let (pressure, _) = bulk.of(e).slopes(offset.map_or(0.0, Mat3::trace));
                let volume: f64 = points.iter().map(|point| point.volume).sum();
                let to_space = self.geometry.centre_inverse_jacobians[e].transpose();
                let slopes = &self.geometry.centre_gradients;
                f = slopes.map(|dn| to_space * dn * (pressure * volume));
            }
            Some(Volume::Nodal(_)) | None => {}
        }
        for p in 0..P {
            let stress = self.law_stress(e, &offsets[p]) + Mat3::from_diagonal_element(pressure[p]);
            let to_reference = stress * points[p].inverse_jacobian.transpose() * points[p].volume;
            let slopes = &self.geometry.gradients[p];
            f.iter_mut().zip(slopes).for_each(|(f, dn)| *f += to_reference * dn);
        }
        f
    }
}
