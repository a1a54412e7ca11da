//! Stiffness that corotated elements leave out: the change of their forces with their rotation.
//! Newton's method and equilibria need it to converge fast; linearized steps go without, as
//! ArtiSynth's do.
//!
//! With s = K0 d the forces in the frame R of the element, f = -R s. As nodes move by dx, R turns by R [w]x,
//! (tr U I - U) w = sum_b g_b x (R^T dx_b) with g the gradients at the centre and F = R U there (the derivative of the
//! polar decomposition), and s changes by K0 (R^T dx + d x w) beside w x s. So beside K = R K0 R^T there is
//! sum_b R A_a T [g_b]x R^T dx_b with T = (tr U I - U)^-1, A_a w = (K0 (d x w))_a - s_a x w.
//! (Barbic2012, for tetrahedra.) It is not symmetric; its symmetric part is what is added.

use super::geometry::ElementMatrix;
use super::linear::LinearBatch;
use crate::dynamics::skew;
use crate::force::{Kinematics, VelocityTerms};
use crate::{Mat3, Vec3};

/// Sum of the two smallest signed stretches over the sum of all below which the rotation of an element is left as it
/// is [-]: its derivative has no bound there.
const LEAST_PLANE: f64 = 1e-2;

impl<const N: usize, const P: usize> LinearBatch<N, P> {
    /// Upper blocks of what element `e` leaves out, times `factor`; `None` where it does not turn.
    pub(super) fn turning_stiffness(
        &self,
        e: usize,
        kin: &Kinematics,
        factor: f64,
    ) -> Option<ElementMatrix<N>> {
        let displacements = self.geometry.displacements(e, kin.motion.q);
        let f = self.geometry.centre_gradient(e, &displacements);
        let r = self.rotation(e, &displacements);
        let turned = turn_by_moment(&r.tr_mul(&f))?;
        let local = self.local_displacement(e, &r, kin, VelocityTerms::Included);
        let (mut s, mut share) = (self.local_force(e, &local), 1.0);
        if let Some(relaxed) = self.relaxed(&kin.motion) {
            self.add_relaxed((e, &r), kin, &relaxed, &mut s);
            share = relaxed.factor;
        }
        let nodes = self.nodes_that_turn(e, local);
        // Columns of A, by the axes that w may have.
        let columns: [[Vec3; N]; 3] = std::array::from_fn(|k| {
            let w = Vec3::ith(k, 1.0);
            let changes = self.stiffness_product(e, &nodes.map(|d| d.cross(&w)));
            std::array::from_fn(|a| changes[a] * share - s[a].cross(&w))
        });
        let to_gradient = self.geometry.centre_inverse_jacobians[e].transpose() * factor;
        let left: [Mat3; N] = std::array::from_fn(|a| {
            r * Mat3::from_columns(&[columns[0][a], columns[1][a], columns[2][a]]) * turned
        });
        let right =
            self.geometry.centre_gradients.map(|g| skew(&(to_gradient * g)) * r.transpose());
        let mut k = [[Mat3::zeros(); N]; N];
        for a in 0..N {
            for b in a..N {
                k[a][b] = (left[a] * right[b] + (left[b] * right[a]).transpose()) * 0.5;
            }
        }
        Some(k)
    }

    /// Nodes of element `e` in its frame, whose forces change as they turn with it: `local` displacements [m], and the rest
    /// shape too where it has been deformed, for K0 of its rotation is not nothing then.
    #[inline(always)]
    fn nodes_that_turn(&self, e: usize, local: [Vec3; N]) -> [Vec3; N] {
        let mut nodes = local;
        if !self.geometry.offsets.is_empty() {
            let rest = self.geometry.gather(e, &self.geometry.rest);
            // Near the element, for the digits.
            let origin = rest[0];
            nodes.iter_mut().zip(&rest).for_each(|(d, rest)| *d += rest - origin);
        }
        nodes
    }
}

/// T = (tr U I - U)^-1 of the symmetric part U of a stretch; `None` next to where it has none.
fn turn_by_moment(stretch: &Mat3) -> Option<Mat3> {
    let u = (stretch + stretch.transpose()) * 0.5;
    let sums = Mat3::from_diagonal_element(u.trace()) - u;
    let least = LEAST_PLANE * u.norm();
    (sums.symmetric_eigenvalues().min() > least).then(|| sums.try_inverse()).flatten()
}
