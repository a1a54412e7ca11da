//! Stresses of linear laws that relax, in the frame of the element: K0 is that of the law with all of its stress, and what
//! has relaxed of it is added point by point.

use super::geometry::ElementMatrix;
use super::linear::LinearBatch;
use super::relaxation::Relaxed;
use crate::force::{Kinematics, VelocityTerms};
use crate::material::{Axes, Deformation, Material};
use crate::state::Motion;
use crate::{Mat3, Vec3};

impl<const N: usize, const P: usize> LinearBatch<N, P> {
    /// Stresses that have not relaxed after the step of a motion.
    pub(super) fn relaxed<'m>(&self, motion: &Motion<'m>) -> Option<Relaxed<'m>> {
        self.memory.as_ref().map(|memory| memory.after(motion))
    }

    /// Stress of the law [Pa] for a displacement gradient in the frame of element `e`.
    pub(super) fn law_stress(&self, e: usize, h: &Mat3) -> Mat3 {
        let strain = (h + h.transpose()) * 0.5;
        let local = Deformation::new(strain).with_axes(self.geometry.axes_of(e));
        self.laws.of(e).unturned(&local).0
    }

    /// Adds, to K0 d of element `e` with the rotation `r`, what relaxation adds to it.
    pub(super) fn add_relaxed(
        &self,
        (e, r): (usize, &Mat3),
        kin: &Kinematics,
        relaxed: &Relaxed<'_>,
        f: &mut [Vec3; N],
    ) {
        let local = self.local_displacement(e, r, kin, VelocityTerms::Excluded);
        for p in 0..P {
            let (point, gradients) = (&self.geometry.points[e][p], &self.geometry.gradients[p]);
            let h = self.geometry.displacement_gradient(e, p, &local);
            let stress = self.law_stress(e, &h) * (relaxed.factor - 1.0) + relaxed.left(e, p);
            let to_reference = stress * point.inverse_jacobian.transpose() * point.volume;
            f.iter_mut().zip(gradients).for_each(|(f, dn)| *f += to_reference * dn);
        }
    }

    /// Adds `factor` times the stiffness of the law of element `e`, turned by `r`, without that of volumes alone.
    pub(super) fn add_law_stiffness(
        &self,
        (e, r): (usize, &Mat3),
        factor: f64,
        k: &mut ElementMatrix<N>,
    ) {
        let mut own = [[Mat3::zeros(); N]; N];
        for p in 0..P {
            if self.geometry.law_kind().axes == Axes::None {
                self.add_point_stiffness(e, p, &Mat3::identity(), &mut own);
            } else {
                self.add_anisotropic_stiffness(e, p, &mut own);
            }
        }
        for a in 0..N {
            for b in a..N {
                k[a][b] += r * own[a][b] * r.transpose() * factor;
            }
        }
    }
}
