//! Base vectors of bodies: unit vectors along the principal axes of inertia, as columns, and what follows from them.

use nalgebra::{Rotation3, UnitQuaternion};

use crate::dynamics::{skew, turn_between};
use crate::material::polar_rotation;
use crate::system::{BodyRows, Multibody, State};
use crate::{Mat3, Vec3};

/// Coordinates of a body, and the first of its base vectors among them.
pub(super) const BODY: usize = 12;
pub(super) const FIRST_BASE: usize = 3;
/// The pairs of base vectors whose products rigidity keeps.
pub(super) const PAIRS: [[usize; 2]; 6] = [[0, 0], [1, 1], [2, 2], [0, 1], [0, 2], [1, 2]];

/// Base vectors of all bodies.
pub(in crate::solve) struct Bases {
    /// Base vectors [-].
    pub(super) base: Vec<Mat3>,
    /// Their rates [1/s].
    pub(super) rates: Vec<Mat3>,
    /// Their part of the solution found last: accelerations [1/s²], or corrections [-], [1/s].
    pub(super) found: Vec<Mat3>,
    /// Their masses: second moments of mass along the principal axes, ∫ ξ² dm [kg m²].
    pub(super) moments: Vec<Vec3>,
    /// Principal axes in the frame of the body.
    axes: Vec<Mat3>,
}

impl Bases {
    pub(super) fn new(count: usize) -> Self {
        let matrices = || vec![Mat3::identity(); count];
        Self {
            base: matrices(),
            rates: matrices(),
            found: matrices(),
            moments: vec![Vec3::zeros(); count],
            axes: matrices(),
        }
    }

    /// Takes all bodies over from a state.
    pub(super) fn take(&mut self, multibody: &Multibody, state: &State) {
        for (k, body) in multibody.bodies.iter().enumerate() {
            let (principal, axes) = body.inertia.principal();
            self.moments[k] = Vec3::repeat(0.5 * principal.sum()) - principal;
            self.axes[k] = axes.to_rotation_matrix().into_inner();
            self.take_body(k, body, state);
        }
    }

    /// Base vectors of a body and their rates from a state.
    pub(super) fn take_body(&mut self, k: usize, body: &BodyRows, state: &State) {
        let turn = body.orientation(&state.q).to_rotation_matrix().into_inner();
        self.base[k] = turn * self.axes[k];
        self.rates[k] = skew(&state.u[body.row as usize + 1]) * self.base[k];
    }

    /// Rotation vector [rad] and angular velocity [rad/s] of a body. Base vectors between two projections are those of a
    /// rotation up to the error of a step; the nearest rotation is taken.
    pub(super) fn turn(&self, k: usize) -> [Vec3; 2] {
        let turn = polar_rotation(&self.base[k]) * self.axes[k].transpose();
        let turn = UnitQuaternion::from_rotation_matrix(&Rotation3::from_matrix_unchecked(turn));
        let rotation = turn_between(&UnitQuaternion::identity(), &turn);
        [rotation, self.turning(k, &self.rates[k])]
    }

    /// Angular velocity ½ Σ a x ȧ of rates of the base vectors; angular acceleration of their accelerations, since
    /// ȧ x ȧ is zero.
    pub(super) fn turning(&self, k: usize, rates: &Mat3) -> Vec3 {
        let base = &self.base[k];
        (0..3).map(|i| base.column(i).cross(&rates.column(i))).sum::<Vec3>() * 0.5
    }

    /// Force on the base vectors that does the work of a torque τ [N m]: ½ τ x a [N m], as columns. By it a row
    /// [v, τ] of the other form becomes one of this.
    pub(super) fn on_base(&self, k: usize, torque: &Vec3) -> Mat3 {
        skew(torque) * self.base[k] * 0.5
    }

    /// Error of a row of rigidity, ½ (a·a - 1) or a·b [-], and its rate [1/s].
    pub(super) fn rigidity(&self, k: usize, [i, j]: [usize; 2]) -> [f64; 2] {
        let (base, rates) = (&self.base[k], &self.rates[k]);
        if i == j {
            let a = base.column(i);
            return [0.5 * (a.norm_squared() - 1.0), a.dot(&rates.column(i))];
        }
        let [a, b] = [i, j].map(|i| base.column(i));
        [a.dot(&b), a.dot(&rates.column(j)) + b.dot(&rates.column(i))]
    }

    /// Share of a row of rigidity in accelerations that is there without any: ȧ·ȧ, or 2 ȧ·ḃ [1/s²].
    pub(super) fn bending(&self, k: usize, [i, j]: [usize; 2]) -> f64 {
        let product = self.rates[k].column(i).dot(&self.rates[k].column(j));
        if i == j { product } else { 2.0 * product }
    }
}
